// Refunds by bank transfer: to whom they go, and how they end by what the bank says.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { newId, type PaymentId, type RefundId } from '#/kernel/id.ts'
import { writeLimit } from '#/money-out/queries.ts'
import { beginFreeze, endFreeze } from '#/operator/freezes.ts'
import { refundTroubles } from '#/operator/payout-causes.ts'
import { endRefund, stopPayoutAs } from '#/operator/payouts.ts'
import type { RefundRequest } from '#/refunds/refund.ts'
import { listSenders } from '#/refunds/rules.ts'
import { compareBalances } from '#/settlement/balances.ts'
import { refundDecisionKind } from '#/settlement/refund-decide.ts'
import { reportFile, statementFile, type Transfer } from '../../../test/rails/sepa-files.ts'
import { iban, openSepaWorld, type SepaWorld } from '../../../test/sepa-world.ts'
import { bookedOf, newSubAccount } from '../../../test/split-world.ts'
import { makeBatch, takeFile } from './batch.ts'
import { all, find, parseXml, textAt } from './xml.ts'

/** Examples of the registry of IBANs (ISO 13616). */
const [payer, stranger] = ['DE89370400440532013000', 'FR1420041010050500013M02606']

const operator = { by: { actor: { kind: 'OPERATOR', id: 'ana' } }, name: 'ana' } as const

suite('refunds by bank transfer', () => {
  let world: SepaWorld
  let held = 0
  let day = 0
  let named = 0
  before(async () => {
    world = await openSepaWorld()
  })
  after(async () => {
    await using _ = world
    const faults = (await world.pix.verify()).faults
    assert.deepEqual(faults, [])
    const [verdict] = (await compareBalances(world.pix.core)).filter(
      ({ connection }) => connection === world.account,
    )
    assert.equal(verdict?.verdict, 'agrees')
  })

  /** The next day's statement. */
  async function take(...transfers: readonly Transfer[]) {
    const on = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)
    const dated = transfers.map((each) => ({ ...each, day: on }))
    const imported = await world.hand(
      statementFile({ iban, id: `S${day}`, opening: held, day: on, transfers: dated, version: '08' }),
    )
    assert.equal(imported.state, 'IMPORTED', JSON.stringify(imported))
    held += transfers.reduce((sum, { minor, isDebit }) => sum + (isDebit ? -minor : minor), 0)
    day += 1
  }
  const nextRef = () => `N${(named += 1)}`
  async function paid(minor: number, ...parts: readonly (Partial<Transfer> & { minor: number })[]) {
    const { payment } = await world.create(minor)
    const structured = await world.referenceOf(payment.id)
    const pieces = parts.length === 0 ? [{ minor }] : parts
    await take(...pieces.map((each) => ({ ref: nextRef(), structured, from: payer, ...each })))
    return payment
  }
  const ask = (payment: { readonly id: PaymentId }, request: RefundRequest = {}) =>
    world.pix.refund(payment, request)
  async function refund(payment: { readonly id: PaymentId }, request: RefundRequest = {}): Promise<RefundId> {
    const verdict = await ask(payment, request)
    assert.ok(verdict.kind === 'created', verdict.kind)
    await world.pix.sendRefunds()
    return verdict.refund.id
  }
  /** What the refund is called in files. */
  const nameOf = (id: RefundId) => id.replaceAll('-', '')
  const euro = async () => {
    const { available, held: set } = await world.pix.balances()
    return [available, set]
  }
  const statusOf = async (id: RefundId) => (await world.pix.refundOf(id)).status
  async function batch() {
    const { core } = world.pix
    const made = must(await makeBatch(core, { connection: world.account, by: 'a test' }), 'something waits')
    const bytes: Buffer[] = []
    await takeFile(core.sql, { id: made.id, by: 'a test', write: async (given) => void bytes.push(given) })
    return { ...made, bytes: must(bytes[0], 'it was handed out') }
  }
  const called = (id: RefundId, minor: number) => ({ ref: nextRef(), minor, endToEndId: nameOf(id) })
  const left = (id: RefundId, minor: number): Transfer => ({ ...called(id, minor), isDebit: true })
  const back = (id: RefundId, minor: number): Transfer => ({ ...called(id, minor), returned: 'AC04' })
  test('it does not go to the account that collects, named or as the payer’s own', async () => {
    const named = await paid(1_000)
    const spaced = 'PT50 0002 0123 1234 5678 9015 4'
    for (const own of [iban, spaced, iban.toLowerCase()]) {
      const verdict = await ask(named, { iban: own, beneficiary: 'Vintem Lda' })
      assert.deepEqual(verdict, { kind: 'limited', limit: { ok: false, reason: 'own' } })
    }
    const internal = await paid(1_000, { minor: 1_000, from: iban })
    const verdict = await ask(internal, { beneficiary: 'Vintem Lda' })
    assert.deepEqual(verdict, { kind: 'limited', limit: { ok: false, reason: 'own' } })
  })
  const askAgain = async () => {
    await world.pix.core.sql`update refund_due set due_at = now() - interval '1 second'`
    await world.pix.sendRefunds()
  }

  test('a part goes back to the account that paid, in a file, and is completed by the statement', async () => {
    const payment = await paid(4_500)
    const [available = 0n] = await euro()
    const id = await refund(payment, { amount: 1_500, reason: 'One chair – à vous' })
    const { status, destination, approvalRequired } = await world.pix.refundOf(id)
    assert.deepEqual(
      [status, destination, approvalRequired],
      ['PENDING', { iban: payer, beneficiary: 'Ana & Rui' }, false],
    )
    assert.deepEqual(await euro(), [available - 1_500n, 1_500n])
    const made = await batch()
    const transfer = all(find(parseXml(made.bytes).root, 'CstmrCdtTrfInitn/PmtInf'), 'CdtTrfTxInf')
    assert.deepEqual(
      transfer.map((each) =>
        ['PmtId/EndToEndId', 'Amt/InstdAmt', 'Cdtr/Nm', 'CdtrAcct/Id/IBAN', 'RmtInf/Ustrd'].map((at) =>
          textAt(each, at),
        ),
      ),
      [[nameOf(id), '15.00', 'Ana + Rui', payer, 'One chair - a vous']],
    )
    await askAgain()
    assert.equal(await statusOf(id), 'PENDING', 'a file may have been uploaded, and proves nothing')
    await take(left(id, 1_500))
    assert.equal(await statusOf(id), 'COMPLETED')
    assert.deepEqual(await euro(), [available - 1_500n, 0n])
    const types = (await world.pix.eventsOf(id)).map(({ type }) => type)
    assert.deepEqual(types, ['refund.created', 'refund.completed'])
    assert.equal((await ask(payment, { amount: 3_001 })).kind, 'exceeds')
    const rest = await refund(payment)
    assert.equal((await world.pix.refundOf(rest)).amountMinor, 3_000n)
    await batch()
    await take(left(rest, 3_000))
    await askAgain()
    assert.equal(await statusOf(rest), 'COMPLETED')
    assert.deepEqual(await euro(), [available - 4_500n, 0n])
  })

  test('a transfer that comes back gives the money back, in whichever order the bank’s movements are read', async () => {
    const payment = await paid(2_000)
    const [before = 0n] = await euro()
    const id = await refund(payment, { amount: 700 })
    await batch()
    await take(left(id, 700))
    await take(back(id, 700))
    const { status, failure } = await world.pix.refundOf(id)
    assert.deepEqual([status, failure?.code], ['FAILED', 'returned_by_bank'])
    assert.deepEqual(await euro(), [before, 0n])
    const types = (await world.pix.eventsOf(id)).map(({ type }) => type)
    assert.deepEqual(types, ['refund.created', 'refund.completed', 'refund.failed'])
    // Both in one statement, before any of the two is settled.
    const other = await refund(payment, { amount: 800 })
    await batch()
    await take(left(other, 800), back(other, 800))
    assert.equal(await statusOf(other), 'FAILED')
    assert.deepEqual(await euro(), [before, 0n])
    const both = (await world.pix.eventsOf(other)).map(({ type }) => type)
    assert.deepEqual(both, ['refund.created', 'refund.completed', 'refund.failed'])
    const again = await refund(payment)
    assert.equal((await world.pix.refundOf(again)).amountMinor, 2_000n)
    await batch()
    await take(left(again, 2_000))
    assert.equal(await statusOf(again), 'COMPLETED')
  })

  test('what comes back with another amount fits no refund, and goes to suspense', async () => {
    const payment = await paid(1_000)
    const id = await refund(payment)
    await batch()
    await take(left(id, 1_000))
    const { suspense } = await world.pix.balances()
    await take(back(id, 990))
    assert.equal(await statusOf(id), 'COMPLETED')
    assert.equal((await world.pix.balances()).suspense, suspense + 990n)
  })

  test('a second credit for a refund that came back already is nobody’s, and goes to suspense', async () => {
    const payment = await paid(600)
    const [before = 0n] = await euro()
    const id = await refund(payment)
    await batch()
    await take(left(id, 600))
    await take(back(id, 600))
    assert.equal(await statusOf(id), 'FAILED')
    const { suspense } = await world.pix.balances()
    await take(back(id, 600))
    assert.deepEqual(await euro(), [before, 0n])
    assert.equal((await world.pix.balances()).suspense, suspense + 600n)
  })

  test('what the bank’s report refuses is in the wallet again; if it left after all, that counts', async () => {
    const payment = await paid(900)
    const [before = 0n] = await euro()
    const id = await refund(payment)
    const { messageId } = await batch()
    const rejected = [{ reference: nameOf(id), reason: 'AC04' }]
    assert.equal((await world.hand(reportFile({ messageId, rejected }))).state, 'IMPORTED')
    await askAgain()
    const { status, failure } = await world.pix.refundOf(id)
    assert.deepEqual([status, failure?.code], ['FAILED', 'refused_by_bank'])
    assert.deepEqual(await euro(), [before, 0n])
    await take(left(id, 900))
    assert.equal(await statusOf(id), 'COMPLETED')
    assert.deepEqual(await euro(), [before - 900n, 0n])
    await take(back(id, 900))
    assert.equal(await statusOf(id), 'FAILED')
    assert.deepEqual(await euro(), [before, 0n])
  })

  test('another account than the sender’s needs its holder’s name and a second person', async () => {
    const payment = await paid(600)
    const nobody = await ask(payment, { iban: stranger })
    assert.deepEqual(nobody.kind === 'misdirected' && nobody.refusal.pointer, '/beneficiary')
    const wrong = await ask(payment, { iban: 'DE88370400440532013000', beneficiary: 'Ana' })
    assert.deepEqual(wrong.kind === 'misdirected' && wrong.refusal.pointer, '/iban')
    const unwritten = await ask(payment, { iban: stranger, beneficiary: '山田太郎' })
    assert.deepEqual(unwritten.kind === 'misdirected' && unwritten.refusal.pointer, '/beneficiary')
    const other = await ask(payment, { amount: 100, iban: stranger, beneficiary: 'Rui' })
    assert.ok(other.kind === 'created' && other.refund.approvalRequired)
    // In any notation it is the sender's.
    const own = await ask(payment, { amount: 100, iban: 'de89 3704 0044 0532 0130 00' })
    assert.ok(own.kind === 'created' && !own.refund.approvalRequired)
    assert.deepEqual(own.refund.destination, { iban: payer, beneficiary: 'Ana & Rui' })
    await world.pix.sendRefunds()
    const { payouts } = await batch()
    assert.equal(payouts, 1, 'what waits for a person is in no file')
    await take(left(own.refund.id, 100))
    assert.equal((await ask(payment, { cryptoAddress: `0x${'0'.repeat(40)}` })).kind, 'exceeds')
  })

  test('a payer whose bank gives no letter of a name has to be named, from the newest countries of SEPA too', async () => {
    const albanian = 'AL47212110090000000235698741'
    const unnamed = await paid(50, { minor: 50, from: albanian, name: '***' })
    const asked = await ask(unnamed)
    assert.deepEqual(asked.kind === 'misdirected' && asked.refusal.pointer, '/beneficiary')
    const named = await paid(60, { minor: 60, from: albanian, name: 'Ёлка' })
    const given = await ask(named)
    assert.deepEqual(given.kind === 'created' && given.refund.destination, {
      iban: albanian,
      beneficiary: 'Ёлка',
    })
  })

  test('one cent from an account does not allow other money to go there, and an unknown sender is asked for', async () => {
    const payment = await paid(500, { minor: 499, from: payer }, { minor: 1, from: stranger })
    const there = await ask(payment, { amount: 499, iban: stranger, beneficiary: 'Rui' })
    assert.ok(there.kind === 'created' && there.refund.approvalRequired)
    const unknown = await paid(300, { minor: 300, from: undefined })
    const asked = await ask(unknown)
    assert.deepEqual(asked.kind === 'misdirected' && asked.refusal.pointer, '/iban')
    const named = await ask(unknown, { iban: payer, beneficiary: 'Ana' })
    assert.ok(named.kind === 'created' && named.refund.approvalRequired)
  })

  test('limits of SEPA count withdrawals and refunds together', async () => {
    const payment = await paid(5_000)
    const { core, merchant } = world.pix
    const limit = { merchantId: merchant.id, type: 'SEPA', currency: 'EUR', listedOnly: true } as const
    const none = { eachMinor: null, dayMinor: null, approvalAboveMinor: null }
    await writeLimit(core.sql, { ...limit, ...none, eachMinor: 1_000n, approvalAboveMinor: 500n })
    assert.equal((await ask(payment, { amount: 1_001 })).kind, 'limited')
    const high = await ask(payment, { amount: 501 })
    assert.ok(high.kind === 'created' && high.refund.approvalRequired)
    const low = await ask(payment, { amount: 500 })
    assert.ok(low.kind === 'created' && !low.refund.approvalRequired)
    await writeLimit(core.sql, { ...limit, ...none, listedOnly: false })
    await world.pix.sendRefunds()
    await batch()
    await take(left(low.refund.id, 500))
  })

  test('what waits for a file can be frozen and stopped; what is in one is ended only with the bank’s word', async () => {
    const payment = await paid(400)
    const { core } = world.pix
    const id = await refund(payment, { amount: 150 })
    const causeOf = async () => {
      const found = await world.pix.refundOf(id)
      const { cause, acts } = (await refundTroubles(core.sql, [found]))(found)
      return [cause, acts]
    }
    assert.deepEqual(await causeOf(), ['waits_for_file', ['stop']])
    const rail = { kind: 'FREEZE', merchantId: null, rail: 'SEPA_TRANSFER' } as const
    const freezing = { sql: core.sql, cell: core.config.VINTEM_CELL }
    await beginFreeze(freezing, operator, rail, 'a test')
    assert.deepEqual(await causeOf(), ['frozen', ['stop']])
    assert.equal(await makeBatch(core, { connection: world.account, by: 'a test' }), undefined)
    assert.equal((await ask(payment, { amount: 1 })).kind, 'frozen')
    await endFreeze(freezing, operator, rail, 'a test')
    const ending = { ...core, refundDecisionKind: refundDecisionKind(core.rails), hasOwnKeys: true }
    const end = (proof?: string) => endRefund(ending, operator, id, { reason: 'a test', ...given({ proof }) })
    const queued = await end('a test')
    assert.ok(queued.kind === 'may_be_sent' && queued.isQueued)
    assert.equal(await stopPayoutAs(core, operator, id, 'a test'), true)
    assert.equal(await stopPayoutAs(core, operator, id, 'a test'), false)
    await world.pix.sendRefunds()
    const { status, failure } = await world.pix.refundOf(id)
    assert.deepEqual([status, failure?.code], ['FAILED', 'canceled'])
    assert.equal(await makeBatch(core, { connection: world.account, by: 'a test' }), undefined)

    const second = await refund(payment, { amount: 250 })
    await batch()
    assert.equal(await stopPayoutAs(core, operator, second, 'a test'), false)
    const decide = (proof?: string) =>
      endRefund(ending, operator, second, { reason: 'a test', ...given({ proof }) })
    const asked = await decide()
    assert.ok(asked.kind === 'may_be_sent' && !asked.isQueued)
    assert.equal((await decide('the bank has no such file')).kind, 'decided')
    assert.equal(await statusOf(second), 'FAILED')
    // The bank carries it out after all.
    await take(left(second, 250))
    assert.equal(await statusOf(second), 'COMPLETED')
  })

  test('the same order is one payout, however often a worker sends it', async () => {
    const payment = await paid(200)
    const key = newId()
    const [one, two] = await Promise.all([
      world.pix.refund(payment, { amount: 200 }, key),
      world.pix.refund(payment, { amount: 200 }, key),
    ])
    assert.deepEqual([one.kind, two.kind].toSorted(), ['created', 'replayed'])
    for (let round = 0; round < 3; round += 1) await askAgain()
    const { payouts, bytes } = await batch()
    assert.equal(payouts, 1)
    assert.equal(bytes.toString().split('<EndToEndId>').length, 2)
    assert.ok(one.kind === 'created' || one.kind === 'replayed')
    await take(left(one.refund.id, 200))
    assert.equal(await statusOf(one.refund.id), 'COMPLETED')
  })

  test('of a payment with a split each gives its share back, and gets it again when the transfer comes back', async () => {
    const { core, merchant } = world.pix
    const sub = await newSubAccount({ sql: core.sql, merchant })
    const splits = [{ subAccountId: sub, percent: '25' }]
    const { payment } = await world.create(1_000, { splits })
    const structured = await world.referenceOf(payment.id)
    await take({ ref: nextRef(), minor: 1_000, structured, from: payer })
    assert.deepEqual(await bookedOf(core, payment), [250n])
    const id = await refund(payment, { amount: 400 })
    assert.deepEqual(await bookedOf(core, payment), [150n])
    await batch()
    await take(left(id, 400))
    assert.equal(await statusOf(id), 'COMPLETED')
    await take(back(id, 400))
    assert.equal(await statusOf(id), 'FAILED')
    assert.deepEqual(await bookedOf(core, payment), [250n])
    const rest = await refund(payment)
    await batch()
    await take(left(rest, 1_000))
    assert.deepEqual(await bookedOf(core, payment), [0n])
  })

  test('what came is listed with who sent it, the newest first', async () => {
    const { core, merchant } = world.pix
    const payment = await paid(60, { minor: 10, from: payer }, { minor: 20, from: undefined }, { minor: 30 })
    const ref = { merchantId: merchant.id, paymentId: payment.id }
    const listed = async () =>
      (await listSenders(core.sql, core.rails, ref)).map(({ leftMinor, sender }) => [leftMinor, sender?.text])
    assert.deepEqual(await listed(), [
      [30n, payer],
      [20n, undefined],
      [10n, payer],
    ])
    await refund(payment, { amount: 30 })
    assert.deepEqual(await listed(), [
      [20n, undefined],
      [10n, payer],
    ])
    assert.deepEqual(await listSenders(core.sql, core.rails, { ...ref, merchantId: newId<'merchant'>() }), [])
  })

  test('the audit finds a payout that goes elsewhere, and an end that the bank did not tell', async () => {
    const id = await refund(await paid(100))
    await batch()
    await take(left(id, 100))
    const { sql } = world.pix.core
    const name = `payout ${nameOf(id)}`
    const faults = async () => {
      const { faults: found } = await world.pix.verify(['refunds by bank transfer', 'refunds'])
      return found.map(({ row, what }) => [row, what])
    }
    assert.deepEqual(await faults(), [])
    await sql`update sepa_payout set iban = ${stranger} where reference = ${nameOf(id)}`
    assert.deepEqual(await faults(), [
      [name, 'goes to another account than its refund'],
      [name, 'goes to an account that neither the request names nor the money came from'],
    ])
    await sql`update sepa_payout set iban = ${payer}, state = 'BATCHED' where reference = ${nameOf(id)}`
    const unreported = 'is of a refund that is COMPLETED, but the bank did not report that it left'
    assert.deepEqual(await faults(), [[name, unreported]])
    await sql`update sepa_payout set state = 'DONE', returned_minor = 100 where reference = ${nameOf(id)}`
    assert.deepEqual(await faults(), [[name, 'came back, but its refund is COMPLETED']])
    await sql`update sepa_payout set returned_minor = 0 where reference = ${nameOf(id)}`
    assert.deepEqual(await faults(), [])
  })
})
