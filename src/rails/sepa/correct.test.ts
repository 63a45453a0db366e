// A bank corrects a statement: two people accept it together with what it takes back.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import { sha256 } from '#/kernel/secret.ts'
import { approveCorrection, requestCorrection } from '#/operator/corrections.ts'
import { recordApproval, requireOthers } from '#/operator/proposals.ts'
import { compareBalances } from '#/settlement/balances.ts'
import { statementFile, type Transfer } from '../../../test/rails/sepa-files.ts'
import { iban, openSepaWorld, type SepaWorld } from '../../../test/sepa-world.ts'

const person = (id: string) => ({ by: { actor: { kind: 'OPERATOR', id } }, name: id }) as const

suite('a statement that the bank corrects', () => {
  let world: SepaWorld
  let held = 0
  let day = 0
  /** What moved on the account and is in no book. */
  let outside = 0n
  before(async () => {
    world = await openSepaWorld()
  })
  after(async () => {
    await using _ = world
    await clean()
  })

  const dayOf = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10)
  const file = (on: number, opening: number, ...transfers: readonly Transfer[]) =>
    statementFile({
      iban,
      id: `S${on}`,
      opening,
      day: dayOf(on),
      transfers: transfers.map((each) => ({ day: dayOf(on), ...each })),
    })
  async function close(...transfers: readonly Transfer[]) {
    const [on, opening] = [day, held]
    const imported = await world.hand(file(on, opening, ...transfers))
    assert.ok(imported.state === 'IMPORTED', JSON.stringify(imported))
    held += transfers.reduce((sum, { minor, isDebit }) => sum + (isDebit ? -minor : minor), 0)
    day += 1
    return (...others: readonly Transfer[]) => file(on, opening, ...others)
  }
  async function clean() {
    assert.deepEqual((await world.pix.verify()).faults, [])
    const rows = await compareBalances(world.pix.core)
    const row = rows.find(({ connection, currency }) => connection === world.account && currency === 'EUR')
    const { verdict, ...sums } = must(row, 'the account is compared')
    if (outside === 0n) assert.equal(verdict, 'agrees')
    else assert.equal(sums.differenceMinor, outside)
  }
  async function refusedAs(bytes: Buffer) {
    const imported = await world.hand(bytes)
    assert.ok(imported.state === 'REFUSED', JSON.stringify(imported))
    return { connection: world.account, sha256: sha256(bytes).toString('hex'), reason: 'the bank wrote so' }
  }
  const request = (order: Awaited<ReturnType<typeof refusedAs>>) =>
    requestCorrection(world.deps, person('ana'), order)
  async function approve(id: Awaited<ReturnType<typeof request>>['id'], who = 'bea') {
    const proposal = await requireOthers(world.pix.core.sql, person(who), id)
    await approveCorrection(world.deps, person(who), proposal, recordApproval(id, person(who)))
    await world.drain()
  }
  const code = (error: unknown) => error instanceof AppError && error.code
  async function open(minor: number) {
    const { payment } = await world.create(minor)
    const structured = await world.referenceOf(payment.id)
    return { structured, status: async () => (await world.pix.payment(payment.id)).status, payment }
  }

  test('what only the first one had is taken back, and what only the correction has is imported, by two people', async () => {
    const [wrong, right] = [await open(500), await open(500)]
    const one = await close(
      { ref: 'C1', minor: 500, structured: wrong.structured },
      { ref: 'C2', minor: 70, text: 'rent' },
      { ref: 'C3', minor: 20, isDebit: true },
    )
    outside -= 20n
    await close({ ref: 'LATER', minor: 5, text: 'of the next day' })
    assert.equal(await wrong.status(), 'PAID')
    const before = await world.pix.balances()
    const bytes = one(
      { ref: 'C1', minor: 500, structured: right.structured },
      { ref: 'C2', minor: 60, text: 'rent' },
      { ref: 'C4', minor: 10, isDebit: true },
    )
    const order = await refusedAs(bytes)
    const proposal = await request(order)
    const { takenBack, added, concerned } = proposal.arguments as Record<string, readonly string[]>
    assert.deepEqual([takenBack?.length, added?.length], [3, 3])
    assert.deepEqual(concerned, [world.pix.merchant.id])
    assert.deepEqual([await right.status(), await world.pix.balances()], ['WAITING_PAYMENT', before])
    await assert.rejects(request(order), (error) => code(error) === 'invalid_state')
    await assert.rejects(approve(proposal.id, 'ana'), (error) => code(error) === 'forbidden')
    await approve(proposal.id)
    outside += 10n
    assert.equal(await right.status(), 'PAID')
    const now = await world.pix.balances()
    assert.equal(now.suspense, before.suspense - 10n)
    assert.equal(now.available, before.available)
    await assert.rejects(approve(proposal.id), (error) => code(error) === 'invalid_state')
    // The correction is known now, and what it replaced is not.
    assert.equal((await world.hand(bytes)).state, 'KNOWN')
    const respelled = await world.hand(
      Buffer.from(bytes.toString('utf8').replace('</Document>', '</Document>\n')),
    )
    assert.equal(respelled.state === 'IMPORTED' && respelled.movements, 0)
    await clean()
    await refusedAs(
      one({ ref: 'C1', minor: 500, structured: wrong.structured }, { ref: 'C9', minor: 50, text: 'rent' }),
    )
  })

  test('of two equal entries one is taken back, and a correction can be corrected', async () => {
    const rent = { ref: 'NONREF', minor: 30, text: 'rent' }
    const suspense = (await world.pix.balances()).suspense
    const one = await close(rent, rent)
    const correction = one(rent, { ...rent, text: 'deposit' })
    await approve((await request(await refusedAs(correction))).id)
    assert.equal((await world.pix.balances()).suspense, suspense + 60n)
    const back = Buffer.from(one(rent, rent).toString('utf8').replace('</Document>', '</Document> '))
    await approve((await request(await refusedAs(back))).id)
    assert.equal((await world.pix.balances()).suspense, suspense + 60n)
    await clean()
  })

  test('one that would do something else than was requested is not carried out, and nothing but a corrected statement is taken', async () => {
    const one = await close({ ref: 'D1', minor: 80, text: 'rent' }, { ref: 'D2', minor: 40, text: 'rent' })
    const first = await request(
      await refusedAs(one({ ref: 'D3', minor: 80 }, { ref: 'D2', minor: 40, text: 'rent' })),
    )
    const second = await request(
      await refusedAs(one({ ref: 'D1', minor: 80, text: 'rent' }, { ref: 'D4', minor: 40 })),
    )
    await approve(first.id)
    const before = await world.pix.balances()
    await assert.rejects(approve(second.id), (error) => code(error) === 'invalid_state')
    assert.deepEqual(await world.pix.balances(), before)
    const unknown = { connection: world.account, sha256: '0'.repeat(64), reason: 'x' }
    await assert.rejects(request(unknown), (error) => code(error) === 'not_found')
    const balances = file(day, held + 1, { ref: 'E1', minor: 1 })
    await assert.rejects(request(await refusedAs(balances)), (error) => code(error) === 'invalid_state')
    await clean()
  })
})
