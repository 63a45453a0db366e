// Credits that a bank takes back: of payments, of suspense, of typos, twice, in part, and those that it does not name clearly.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { disputeRecord } from '#/disputes/dispute.ts'
import { listDisputes } from '#/disputes/queries.ts'
import { must } from '#/kernel/check.ts'
import { newId, type Id, type PaymentId } from '#/kernel/id.ts'
import { decideRecallAs } from '#/operator/statements.ts'
import { addMember } from '#/people/members.ts'
import { createUser } from '#/people/users.ts'
import { compareBalances } from '#/settlement/balances.ts'
import { resolveKind } from '#/settlement/resolve.ts'
import { withdrawalKind } from '#/withdrawals/request.ts'
import { lowCost, operator, site } from '../../../test/people-world.ts'
import { notificationFile, statementFile, type Transfer } from '../../../test/rails/sepa-files.ts'
import { iban, openSepaWorld, type SepaWorld } from '../../../test/sepa-world.ts'
import { importFile } from './import.ts'
import { listProposals } from './propose.ts'
import { decideRecall, listUnclear } from './unclear.ts'

const hook = 'https://shop.example/hook'

suite('a credit that the bank takes back', () => {
  let world: SepaWorld
  let held = 0
  let day = 0
  let refs = 0
  before(async () => {
    world = await openSepaWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const dayOf = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10)
  const named = (minor: number, more: Partial<Transfer> = {}): Transfer => ({
    ref: `R${(refs += 1)}`,
    minor,
    day: dayOf(day),
    ...more,
  })
  const back = (minor: number, more: Partial<Transfer> = {}) =>
    named(minor, { isDebit: true, returned: 'FRAD', ...more })
  /** The next day's statement. */
  async function take(...transfers: readonly Transfer[]) {
    const bytes = statementFile({ iban, id: `S${day}`, opening: held, day: dayOf(day), transfers })
    const imported = await world.hand(bytes)
    assert.equal(imported.state, 'IMPORTED', JSON.stringify(imported))
    held += transfers.reduce((sum, { minor, isDebit }) => sum + (isDebit ? -minor : minor), 0)
    day += 1
  }
  async function open(minor: number) {
    const { payment } = await world.create(minor, { webhookUrl: hook })
    return { id: payment.id, reference: await world.referenceOf(payment.id) }
  }
  async function paid(minor: number, more: Partial<Transfer> = {}) {
    const payment = await open(minor)
    const transfer = named(minor, { structured: payment.reference, ...more })
    await take(transfer)
    return { ...payment, transfer }
  }
  const disputes = () => listDisputes(world.pix.core.sql, world.pix.merchant.id, { limit: 50 })
  const disputeOf = async (id: PaymentId) => (await disputes()).find(({ paymentId }) => paymentId === id)
  const verdict = async () => {
    const rows = await compareBalances(world.pix.core)
    return must(
      rows.find(({ connection }) => connection === world.account),
      'the account is compared',
    ).verdict
  }
  const faults = async () => (await world.pix.verify()).faults
  const since = async (before: Awaited<ReturnType<SepaWorld['pix']['balances']>>) => {
    const now = await world.pix.balances()
    return (['available', 'provider', 'receivable', 'suspense'] as const).map((name) =>
      Number(now[name] - before[name]),
    )
  }

  test('is a lost dispute of its payment, told by webhook, and the same file twice changes nothing', async () => {
    const before = await world.pix.balances()
    const payment = await paid(1_000, { txId: 'TX1', endToEndId: 'INVOICE-1' })
    assert.deepEqual(await since(before), [1_000, 1_000, 0, 0])
    const debit = back(1_000, { txId: 'TX1', endToEndId: 'INVOICE-1' })
    const notified = notificationFile({ iban, id: 'N1', transfers: [debit] })
    assert.equal((await world.hand(notified)).state, 'IMPORTED')
    assert.equal((await world.hand(notified)).state, 'KNOWN')
    assert.deepEqual(await since(before), [0, 0, 0, 0])
    await take(debit)
    assert.deepEqual(await since(before), [0, 0, 0, 0])
    const dispute = must(await disputeOf(payment.id), 'there is a dispute')
    const { kind, status, amount, reason } = disputeRecord(dispute)
    assert.deepEqual([kind, status, amount, reason], ['RECALL', 'LOST', 1_000, 'FRAD'])
    const kept = await world.pix.payment(payment.id)
    assert.deepEqual([kept.status, kept.disputedMinor], ['PAID', 1_000n])
    const events = (await world.pix.eventsOf(dispute.id)).map(({ type }) => type)
    assert.deepEqual(events, ['dispute.opened', 'dispute.lost'])
    const [deliveries] = await world.pix.core.sql<{ count: bigint }[]>`
      select count(*) from delivery
        join event on event.merchant_id = delivery.merchant_id and event.sequence = delivery.event_sequence
       where event.resource_id = ${dispute.id} and delivery.url = ${hook}`
    assert.equal(deliveries?.count, 2n)
    assert.equal(await verdict(), 'agrees')
    assert.deepEqual(await faults(), [])
  })

  test('a second debit for the same credit is not booked again: it waits for a person, and the balances differ', async () => {
    const payment = await paid(1_100, { txId: 'TX2' })
    await take(back(1_100, { txId: 'TX2' }))
    const before = await world.pix.balances()
    await take(back(1_100, { txId: 'TX2' }))
    assert.deepEqual(await since(before), [0, 0, 0, 0])
    assert.equal(await verdict(), 'differs')
    const [unclear, ...more] = await listUnclear(world.pix.core.sql)
    assert.deepEqual([unclear?.minor, unclear?.reason, more.length], [1_100n, 'FRAD', 0])
    const { entry, connection } = must(unclear, 'one waits')
    const of = payment.transfer.ref
    assert.equal((await decideRecall(world.deps, { connection, entry, of })).kind, 'no_credit')
    assert.equal((await decideRecall(world.deps, { connection, entry, of: 'NOTHING' })).kind, 'no_credit')
    // Its merchant would bear it: a member says neither that it takes back nothing nor that it takes back another's.
    const { sql } = world.pix.core
    const people = { sql, key: Buffer.alloc(32), site, passwordCost: lowCost }
    const { id: userId } = await createUser(people, operator, { email: 'bea@example.com', name: 'Bea' })
    await addMember(people, operator, { merchantId: world.pix.merchant.id, userId, role: 'VIEWER' })
    const member = { by: { actor: { kind: 'USER', id: userId } }, name: 'bea@example.com' } as const
    await assert.rejects(decideRecallAs(world.deps, member, { connection, entry, reason: 'ours' }), {
      code: 'forbidden',
    })
    assert.equal((await listUnclear(sql)).length, 1)
    const decided = decideRecallAs(world.deps, { by: operator, name: 'ana' }, { connection, entry })
    assert.equal((await decided).kind, 'decided')
    assert.equal((await decideRecall(world.deps, { connection, entry })).kind, 'not_found')
    assert.deepEqual(await since(before), [0, 0, 0, 0])
    // The bank gives back what it took by mistake.
    await take(named(1_100, { text: 'our mistake' }))
    assert.deepEqual(await faults(), [])
  })

  test('is owed when the money was withdrawn, and repaid from the next credit', async () => {
    const payment = await paid(2_000, { detail: 'D3' })
    const start = await world.pix.balances()
    const { core, merchant } = world.pix
    const request = {
      type: 'SEPA',
      amount: Number(start.available),
      currency: 'EUR',
      iban: 'DE89370400440532013000',
      beneficiary: 'Ana',
    } as const
    const rail = must(core.payoutRails.get('SEPA'), 'it pays out')
    const item = {
      merchantId: merchant.id,
      mode: merchant.mode,
      id: newId<'withdrawal'>(),
      request,
      requestedBy: newId<'api-key'>(),
    }
    const routing = rail.route({ mode: merchant.mode, merchantId: merchant.id, ...request })
    assert.equal((await core.lane.submit(withdrawalKind(), { ...item, routing })).kind, 'created')
    const before = await world.pix.balances()
    assert.equal(before.available, 0n)
    // By the bank's own name of the credit.
    await take(back(2_000, { detail: payment.transfer.ref }))
    assert.deepEqual(await since(before), [0, -2_000, 2_000, 0])
    assert.equal((await disputeOf(payment.id))?.status, 'LOST')
    await paid(2_500)
    assert.deepEqual(await since(before), [500, 500, 0, 0])
    assert.deepEqual(await faults(), [])
  })

  test('a reversal names it by the reference of ours; of two equal transfers for one payment one goes back', async () => {
    const payment = await open(300)
    const one = named(300, { structured: payment.reference })
    await take(one, named(300, { structured: payment.reference }))
    const before = await world.pix.balances()
    await take(named(300, { isDebit: true, isReversal: true, structured: payment.reference }))
    assert.deepEqual(await since(before), [-300, -300, 0, 0])
    await take(named(300, { isDebit: true, isReversal: true, structured: payment.reference }))
    assert.deepEqual(await since(before), [-600, -600, 0, 0])
    const ofPayment = (await disputes()).filter(({ paymentId }) => paymentId === payment.id)
    assert.equal(new Set(ofPayment.map(({ paidRef }) => paidRef)).size, 2)
    assert.deepEqual(await faults(), [])
  })

  test('a part is taken by a name of the transfer’s own, not by one that others may have', async () => {
    const payment = await paid(900, { txId: 'TX4', endToEndId: 'SHARED' })
    const before = await world.pix.balances()
    await take(back(400, { endToEndId: 'SHARED' }))
    assert.deepEqual(await since(before), [0, 0, 0, 0])
    const [unclear] = await listUnclear(world.pix.core.sql)
    const { entry, connection } = must(unclear, 'it waits for a person')
    assert.equal(
      (await decideRecall(world.deps, { connection, entry, of: payment.transfer.ref })).kind,
      'decided',
    )
    await world.drain()
    assert.deepEqual(await since(before), [-400, -400, 0, 0])
    await take(back(500, { txId: 'TX4' }))
    assert.deepEqual(await since(before), [-900, -900, 0, 0])
    assert.deepEqual(await faults(), [])
  })

  test('of another payer’s account, or without a word that it takes anything back, nothing is matched', async () => {
    await paid(700, { endToEndId: 'OTHER-PAYER', from: 'DE89370400440532013000' })
    const before = await world.pix.balances()
    await take(
      back(700, { endToEndId: 'OTHER-PAYER', from: 'FR1420041010050500013M02606' }),
      named(700, { isDebit: true, endToEndId: 'OTHER-PAYER' }),
    )
    assert.deepEqual(await since(before), [0, 0, 0, 0])
    const [unclear, ...more] = await listUnclear(world.pix.core.sql)
    assert.equal(more.length, 0)
    await decideRecall(world.deps, must(unclear, 'the first waits for a person'))
    assert.deepEqual(await faults(), [])
  })

  test('leaves suspense when it lay there, also in the file that brought it', async () => {
    const before = await world.pix.balances()
    await take(named(60, { text: 'rent', txId: 'TX5' }), back(60, { txId: 'TX5' }))
    assert.deepEqual(await since(before), [0, 0, 0, 0])
    await take(named(80, { text: 'rent', txId: 'TX6' }))
    assert.deepEqual(await since(before), [0, 80, 0, 80])
    await take(back(80, { txId: 'TX6' }))
    assert.deepEqual(await since(before), [0, 0, 0, 0])
    // A part waits for a person, who can say that it went back.
    await take(named(90, { text: 'rent', txId: 'TX7' }), back(30, { txId: 'TX7' }))
    assert.deepEqual(await since(before), [0, 90, 0, 90])
    assert.deepEqual(await faults(), [])
  })

  test('of suspense that was credited to a merchant is a dispute of that merchant', async () => {
    await take(named(110, { text: 'rent', txId: 'TX8' }))
    const [row] = await world.pix.core.sql<{ id: Id<'unmatched'> }[]>`
      select id from unmatched where amount_minor = 110 and outcome = 'paid'`
    const { core, merchant } = world.pix
    await core.lane.submit(resolveKind(core.rails), { id: must(row, 'it waits').id, merchantId: merchant.id })
    const before = await world.pix.balances()
    await take(back(110, { txId: 'TX8' }))
    assert.deepEqual(await since(before), [-110, -110, 0, 0])
    assert.deepEqual(await faults(), [])
  })

  test('of a typo that nobody has decided yet ends the proposal', async () => {
    const payment = await open(1_300)
    await take(named(1_300, { text: payment.reference.slice(0, -1), txId: 'TX9' }))
    assert.equal((await listProposals(world.pix.core.sql)).length, 1)
    const before = await world.pix.balances()
    await take(back(1_300, { txId: 'TX9' }))
    assert.deepEqual(await since(before), [0, 0, 0, 0])
    assert.equal((await listProposals(world.pix.core.sql)).length, 0)
    assert.equal((await world.pix.payment(payment.id)).status, 'WAITING_PAYMENT')
    assert.deepEqual(await faults(), [])
  })

  test('is known from its own signal, when that of the credit is settled later', async () => {
    const payment = await open(1_400)
    const before = await world.pix.balances()
    const credit = named(1_400, { structured: payment.reference, txId: 'TX10' })
    const files = [
      notificationFile({ iban, id: 'N10', transfers: [credit] }),
      notificationFile({ iban, id: 'N11', transfers: [back(1_400, { txId: 'TX10' })] }),
    ]
    for (const bytes of files)
      assert.equal((await importFile(world.deps, { bytes, name: 'a.xml', by: 'a test' })).state, 'IMPORTED')
    // The credit's signal is late.
    await world.pix.core
      .sql`update inbox set due_at = now() + interval '1 hour' where id = (select min(id) from inbox)`
    await world.drain()
    assert.deepEqual(await since(before), [0, 0, 0, 0])
    const kept = await world.pix.payment(payment.id)
    assert.deepEqual([kept.status, kept.receivedMinor, kept.disputedMinor], ['PAID', 1_400n, 1_400n])
    await world.pix.core.sql`update inbox set due_at = now() - interval '1 second'`
    await world.drain()
    assert.deepEqual(await since(before), [0, 0, 0, 0])
    assert.deepEqual(await faults(), [])
  })
})
