// One account number in several currencies: money in a currency of the books goes to suspense in it, any other waits for a person.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { decideForeignAs } from '#/operator/statements.ts'
import { compareBalances } from '#/settlement/balances.ts'
import { selectSuspended } from '#/settlement/queries.ts'
import { resolveKind } from '#/settlement/resolve.ts'
import { notificationFile, statementFile, type Transfer } from '../../../test/rails/sepa-files.ts'
import { iban, openSepaWorld, type SepaWorld } from '../../../test/sepa-world.ts'
import { listForeign } from './foreign.ts'
import { decideRecall, listUnclear } from './unclear.ts'

const operator = { by: { actor: { kind: 'OPERATOR', id: 'ana' } }, name: 'ana' } as const

suite('an account number in several currencies', () => {
  let world: SepaWorld
  let refs = 0
  let day = 0
  /** What the account holds in each currency. */
  const held = new Map<string, number>()
  before(async () => {
    world = await openSepaWorld()
    await take('EUR', [])
  })
  after(async () => {
    await using _ = world
    assert.deepEqual((await world.pix.verify()).faults, [])
  })

  const dayOf = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10)
  const transfer = (minor: number, more: Partial<Transfer> = {}): Transfer => ({
    ref: `R${(refs += 1)}`,
    minor,
    day: dayOf(day),
    ...more,
  })
  const inCurrency = (bytes: Buffer, currency: string) =>
    Buffer.from(bytes.toString('utf8').replaceAll('EUR', currency))
  const next = (currency: string, transfers: readonly Transfer[], opening = held.get(currency) ?? 0) =>
    inCurrency(statementFile({ iban, id: `S${day}`, opening, day: dayOf(day), transfers }), currency)
  const notified = (currency: string, transfers: readonly Transfer[]) =>
    inCurrency(notificationFile({ iban, id: `N${(refs += 1)}`, transfers }), currency)
  /** The next day's statement in this currency. */
  async function take(currency: string, transfers: readonly Transfer[]) {
    const bytes = next(currency, transfers)
    const imported = await world.hand(bytes)
    assert.ok(imported.state === 'IMPORTED', JSON.stringify(imported))
    const moved = transfers.reduce((sum, { minor, isDebit }) => sum + (isDebit ? -minor : minor), 0)
    held.set(currency, (held.get(currency) ?? 0) + moved)
    day += 1
    return { bytes, imported }
  }
  const reasonOf = async (bytes: Buffer) => {
    const imported = await world.hand(bytes)
    assert.ok(imported.state === 'REFUSED', JSON.stringify(imported))
    return imported.reason
  }
  /** What the account in the books holds. */
  async function booked(account: string): Promise<bigint> {
    const [row] = await world.pix.core.sql<{ minor: bigint }[]>`
      select balance.minor from balance join account on account.id = balance.account_id where account.name = ${account}`
    return row?.minor ?? 0n
  }
  const suspense = (currency: string) => booked(`suspense:${world.account}:${currency}`)
  const verdicts = async () =>
    (await compareBalances(world.pix.core))
      .filter(({ connection }) => connection === world.account)
      .map(({ currency, verdict }) => `${currency} ${verdict}`)
      .sort()

  test('dollars go to suspense in dollars, though they quote a reference, once, and the balances agree', async () => {
    const { payment } = await world.create(700)
    const structured = await world.referenceOf(payment.id)
    const { bytes, imported } = await take('USD', [transfer(700, { structured }), transfer(40)])
    assert.deepEqual([imported.movements, imported.paid, imported.foreign, imported.skipped], [2, 0, 0, 0])
    assert.deepEqual([await suspense('USD'), await booked(`provider:${world.account}:USD`)], [740n, 740n])
    assert.equal((await world.pix.payment(payment.id)).receivedMinor, 0n)
    assert.equal((await world.hand(bytes)).state, 'KNOWN')
    const again = await world.hand(Buffer.concat([bytes, Buffer.from('\n')]))
    assert.deepEqual(again.state === 'IMPORTED' && again.movements, 0)
    assert.equal(await suspense('USD'), 740n)
    assert.deepEqual(await verdicts(), ['EUR agrees', 'USD agrees'])
  })

  test('the statements of each currency follow on one another, and on no other', async () => {
    const more = [transfer(10)]
    assert.match(
      await reasonOf(next('USD', more, 741)),
      /opens with 7.41 USD, but S\d+ before it closed with 7.40 USD/,
    )
    assert.match(
      await reasonOf(next('EUR', more, 740)),
      /opens with 7.40 EUR, but S\d+ before it closed with 0.00 EUR/,
    )
    await take('USD', more)
    await take('EUR', [transfer(10)])
    assert.deepEqual(await verdicts(), ['EUR agrees', 'USD agrees'])
  })

  test('an entry in dollars may have the bank’s name of one in euro', async () => {
    const [euros, dollars] = [await suspense('EUR'), await suspense('USD')]
    await take('EUR', [transfer(500, { ref: 'EXCHANGE', isDebit: false })])
    await take('USD', [transfer(545, { ref: 'EXCHANGE', isDebit: false })])
    assert.deepEqual([await suspense('EUR'), await suspense('USD')], [euros + 500n, dollars + 545n])
  })

  test('reais that a notification reports are booked at once, and must be in the statement in reais', async () => {
    await take('BRL', [])
    const transfers = [transfer(900)]
    assert.equal((await world.hand(notified('BRL', transfers))).state, 'IMPORTED')
    assert.equal(await suspense('BRL'), 900n)
    assert.deepEqual(await verdicts(), ['BRL agrees', 'EUR agrees', 'USD agrees'])
    // A statement in another currency is not one that lacks it.
    await take('EUR', [])
    const sameDay = transfer(1)
    assert.match(
      await reasonOf(next('BRL', [sameDay])),
      /lacks the entry R\d+-BRL of .*, which a notification reported/,
    )
    await take('BRL', transfers)
    assert.equal(await suspense('BRL'), 900n)
  })

  test('dollars that the bank takes back leave suspense, and never by a debit in euro', async () => {
    const before = await suspense('USD')
    const came = transfer(300, { txId: 'TX-USD' })
    await take('USD', [came])
    assert.equal(await suspense('USD'), before + 300n)
    const undone = { isDebit: true, returned: 'FRAD', txId: 'TX-USD' }
    await take('EUR', [transfer(300, undone)])
    const [unclear] = await listUnclear(world.pix.core.sql)
    assert.deepEqual([unclear?.minor, unclear?.currency], [300n, 'EUR'])
    const named = { connection: world.account, entry: must(unclear, 'it waits').entry }
    const wrong = await decideRecall(world.deps, { ...named, of: `${came.ref}-USD` })
    assert.equal(wrong.kind, 'no_credit')
    assert.equal((await decideRecall(world.deps, named)).kind, 'decided')
    // The bank names the credit as it names it, without our mark of the currency.
    await take('USD', [transfer(300, { isDebit: true, returned: 'FRAD', detail: came.ref })])
    assert.equal(await suspense('USD'), before)
    assert.ok((await verdicts()).includes('USD agrees'))
  })

  test('a person returns dollars at the bank: they leave the books, and the debit is no other money', async () => {
    const { core } = world.pix
    const [waiting] = (await selectSuspended(core.sql, false)).filter(({ currency }) => currency === 'USD')
    const { id, amountMinor } = must(waiting, 'dollars wait')
    const before = await suspense('USD')
    const verdict = await core.lane.submit(resolveKind(core.rails), { id })
    assert.equal(verdict.kind, 'resolved')
    assert.equal(await suspense('USD'), before - amountMinor)
    await take('USD', [transfer(Number(amountMinor), { isDebit: true })])
    assert.ok((await verdicts()).includes('USD agrees'))
  })

  test('francs are in no book: they wait for a person once, and stop nothing', async () => {
    const { sql } = world.pix.core
    const francs = transfer(4_500, { text: 'rent', from: 'DE89370400440532013000' })
    const before = await world.pix.balances()
    const first = await world.hand(notified('CHF', [francs, transfer(7, { isDebit: true })]))
    assert.deepEqual(first.state === 'IMPORTED' && [first.movements, first.foreign, first.skipped], [0, 1, 1])
    // In the statement of the day too, which has no chain: nothing of it is booked.
    const second = await take('CHF', [francs])
    assert.deepEqual([second.imported.movements, second.imported.foreign], [0, 0])
    assert.deepEqual(await world.pix.balances(), before)
    const [waiting, ...more] = await listForeign(sql)
    const { id, createdAt: _, ...shown } = must(waiting, 'it waits')
    assert.deepEqual(more, [])
    assert.deepEqual(shown, {
      connection: world.account,
      entry: francs.ref,
      currency: 'CHF',
      amount: '45.00',
      bookedOn: francs.day,
      wrote: 'rent',
      party: 'Ana & Rui, DE89370400440532013000',
    })
    const decision = { id, reason: 'The bank exchanged it.' }
    assert.equal((await decideForeignAs(sql, operator, decision))?.entry, francs.ref)
    assert.equal(await decideForeignAs(sql, operator, decision), undefined)
    assert.deepEqual(await listForeign(sql), [])
    await take('EUR', [transfer(8)])
  })
})
