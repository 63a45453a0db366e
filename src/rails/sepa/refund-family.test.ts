// Refunds by bank transfer of sub-accounts: they count to the limits of their parent too, and the stricter limit decides.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { selectLimitsToday, writeLimit } from '#/money-out/queries.ts'
import type { PaymentCreator } from '#/payments/create.ts'
import type { Payment } from '#/payments/payment.ts'
import { refundKind, type RefundVerdict } from '#/refunds/request.ts'
import { refundDecisionKind } from '#/settlement/refund-decide.ts'
import { statementFile } from '../../../test/rails/sepa-files.ts'
import { iban, openSepaWorld, type SepaFields, type SepaWorld } from '../../../test/sepa-world.ts'
import { newSubAccount } from '../../../test/split-world.ts'

let world: SepaWorld
let creator: PaymentCreator
let held = 0
let day = 0
before(async () => {
  world = await openSepaWorld()
  creator = await world.pix.openCreator()
})
after(async () => {
  await using _ = world
  assert.deepEqual((await world.pix.verify()).faults, [])
})

const payer = 'DE89370400440532013000'
const none = { eachMinor: null, dayMinor: null, approvalAboveMinor: null, listedOnly: false } as const
const limit = (
  merchantId: MerchantId,
  more: { readonly dayMinor?: bigint; readonly approvalAboveMinor?: bigint },
) =>
  world.pix.core.sql.begin((tx) =>
    writeLimit(tx, { merchantId, type: 'SEPA', currency: 'EUR', ...none, ...more }),
  )

/** A payment of the sub-account, paid from an account that a refund may go back to. */
async function paid(merchantId: MerchantId, minor: number): Promise<Payment> {
  const request = { amount: minor, currency: 'EUR', paymentMethods: ['SEPA_TRANSFER'] } as const
  const { payment, fields } = await creator.create({ id: merchantId, mode: 'SANDBOX' }, newId(), {
    ...request,
    paymentMethods: [...request.paymentMethods],
  })
  const structured = must((fields as { readonly sepa?: SepaFields }).sepa, 'it shows where to pay').reference
  const on = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)
  const transfers = [{ ref: `F${day}`, structured, from: payer, minor, day: on }]
  const file = { iban, id: `F${day}`, opening: held, day: on, transfers, version: '08' } as const
  assert.equal((await world.hand(statementFile(file))).state, 'IMPORTED')
  held += minor
  day += 1
  return payment
}

async function refund({ merchantId, id: paymentId }: Payment, amount: number): Promise<RefundVerdict> {
  const { core } = world.pix
  const item = { merchantId, mode: 'SANDBOX', paymentId, id: newId<'refund'>(), request: { amount } } as const
  return core.lane.submit(refundKind(core.rails), item)
}

async function twoSubAccounts() {
  const { core, merchant } = world.pix
  const line = { sql: core.sql, merchant: { id: merchant.id, mode: 'SANDBOX' } } as const
  return [await newSubAccount(line), await newSubAccount(line)] as const
}

test('a parent’s limit of a day counts the refunds of all its sub-accounts', async () => {
  const { core, merchant } = world.pix
  const [one, other] = await twoSubAccounts()
  const [first, second] = [await paid(one, 500), await paid(other, 500)]
  await limit(merchant.id, { dayMinor: 250n })
  assert.equal((await refund(first, 200)).kind, 'created')
  const beyond = await refund(second, 200)
  assert.deepEqual(beyond, {
    kind: 'limited',
    limit: { ok: false, reason: 'day', limitMinor: 250n, leftMinor: 50n },
  })
  assert.equal((await refund(second, 50)).kind, 'created')
  const [today] = await selectLimitsToday(core.sql, merchant.id)
  assert.equal(today?.spentMinor, 250n)
  // The sub-account's own limit still decides where it is stricter.
  await limit(merchant.id, { dayMinor: 1_000n })
  await limit(other, { dayMinor: 60n })
  assert.equal((await refund(second, 20)).kind, 'limited')
  assert.equal((await refund(first, 20)).kind, 'created')
})

test('two sub-accounts at once do not pass the limit of their parent together', async () => {
  const { merchant } = world.pix
  const [one, other] = await twoSubAccounts()
  const payments = [await paid(one, 500), await paid(other, 500)]
  const spent = (await selectLimitsToday(world.pix.core.sql, merchant.id))[0]?.spentMinor ?? 0n
  await limit(merchant.id, { dayMinor: spent + 250n })
  const verdicts = await Promise.all(payments.map((payment) => refund(payment, 200)))
  assert.deepEqual(verdicts.map(({ kind }) => kind).toSorted(), ['created', 'limited'])
})

test('a parent’s limit asks for a second person, and one that was lowered since keeps a refund from being sent', async () => {
  const { core, merchant } = world.pix
  const [one] = await twoSubAccounts()
  const payment = await paid(one, 500)
  await limit(merchant.id, { approvalAboveMinor: 100n })
  const high = await refund(payment, 101)
  assert.ok(high.kind === 'created' && high.refund.approvalRequired)
  const low = await refund(payment, 100)
  assert.ok(low.kind === 'created' && !low.refund.approvalRequired)
  await limit(merchant.id, { dayMinor: 1n })
  const sending = { id: low.refund.id, event: 'sending' } as const
  const verdict = await core.lane.submit(refundDecisionKind(core.rails), sending)
  assert.equal(verdict.kind, 'waits')
})
