// Disputes by payers' banks: the amount is held at once, from all wallets of the merchant, and the rest is owed.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { disputeStatuses } from '#/contract/disputes.ts'
import type { PaymentId } from '#/kernel/id.ts'
import { minOf } from '#/kernel/money.ts'
import { minuteMs } from '#/kernel/time.ts'
import type { FeeRule } from '#/merchants/fee.ts'
import { writeFeeRule } from '#/merchants/queries.ts'
import { receiptsOf } from '#/rails/pix/receipts.ts'
import { parsePix } from '#/rails/pix/wire.ts'
import type { Json } from '../../simulators/kit/harness.ts'
import { eventually } from '../../test/eventually.ts'
import { openPixWorld, type PixWorld } from '../../test/pix-world.ts'
import { startPixBank, type PixBank } from '../../test/rails/pix/bank.ts'
import { disputeRecord, disputeStates } from './dispute.ts'
import { listDisputes } from './queries.ts'

let bank: PixBank
let world: PixWorld

before(async () => {
  bank = await startPixBank()
  world = await openPixWorld(await bank.customer())
})
after(async () => {
  await world[Symbol.asyncDispose]()
  await bank[Symbol.asyncDispose]()
})

async function paid(amount = 1_000): Promise<{ id: PaymentId; endToEndId: string }> {
  const { payment } = await world.create({ amount })
  const [pix] = await bank.pay(await world.txidOf(payment), { webhook: 'lose' })
  const endToEndId = pix?.endToEndId ?? assert.fail('it was paid')
  await hear(endToEndId)
  return { id: payment.id, endToEndId }
}

const hear = (endToEndId: string) => world.callback({ pix: [{ endToEndId }] })
const med = (endToEndId: string, more: Json = {}) => bank.control('POST', '/med', { endToEndId, ...more })

/** The changes since then. */
async function since(before: Awaited<ReturnType<PixWorld['balances']>>) {
  const now = await world.balances()
  const names = ['available', 'held', 'provider', 'receivable'] as const
  return Object.fromEntries(names.map((name) => [name, Number(now[name] - before[name])]))
}

const disputeOf = async (paymentId: PaymentId) => {
  const [found, ...more] = await listDisputes(world.core.sql, world.merchant.id, { paymentId, limit: 10 })
  assert.deepEqual(more, [])
  return found ?? assert.fail('there is a dispute')
}
const typesOf = async (id: string) => (await world.eventsOf(id)).map(({ type }) => type)

test('a MED that is under way holds the money; after it is lost the money is gone; the payment stays PAID', async () => {
  const { id, endToEndId } = await paid()
  const before = await world.balances()
  const opened = await med(endToEndId, { amount: '6.00', outcome: 'EM_PROCESSAMENTO' })
  await hear(endToEndId)
  assert.deepEqual(await since(before), { available: -600, held: 600, provider: 0, receivable: 0 })
  const open = await disputeOf(id)
  const { kind, status, amount, fee, currency, reason, closedAt, paymentId } = disputeRecord(open)
  assert.deepEqual(
    { kind, status, amount, fee, currency, reason, closedAt, paymentId },
    {
      kind: 'MED',
      status: 'OPEN',
      amount: 600,
      fee: 0,
      currency: 'BRL',
      reason: 'MED_FRAUDE',
      closedAt: undefined,
      paymentId: id,
    },
  )
  await med(endToEndId, { id: opened['id'], outcome: 'DEVOLVIDO' })
  await hear(endToEndId)
  await hear(endToEndId)
  assert.deepEqual(await since(before), { available: -600, held: 0, provider: -600, receivable: 0 })
  const lost = await disputeOf(id)
  assert.deepEqual([lost.id, lost.status, lost.closedAt !== undefined], [open.id, 'LOST', true])
  assert.deepEqual(await typesOf(open.id), ['dispute.opened', 'dispute.lost'])
  const payment = await world.payment(id)
  assert.deepEqual([payment.status, payment.receivedMinor, payment.disputedMinor], ['PAID', 1_000n, 600n])
})

test('a MED that the bank rejects releases the money', async () => {
  const { id, endToEndId } = await paid()
  const before = await world.balances()
  const { id: name } = await med(endToEndId, { outcome: 'EM_PROCESSAMENTO' })
  await hear(endToEndId)
  await med(endToEndId, { id: name, outcome: 'NAO_REALIZADO' })
  await hear(endToEndId)
  assert.deepEqual(await since(before), { available: 0, held: 0, provider: 0, receivable: 0 })
  const won = await disputeOf(id)
  assert.equal(won.status, 'WON')
  assert.deepEqual(await typesOf(won.id), ['dispute.opened', 'dispute.won'])
  assert.equal((await world.payment(id)).disputedMinor, 0n)
})

test('a MED whose first report is its end opens and ends at once', async () => {
  const { id, endToEndId } = await paid()
  await med(endToEndId)
  await hear(endToEndId)
  const { id: disputeId, status } = await disputeOf(id)
  assert.equal(status, 'LOST')
  assert.deepEqual(await typesOf(disputeId), ['dispute.opened', 'dispute.lost'])
})

test('a MED that is reported before its payment was credited is booked after the credit', async () => {
  const { payment } = await world.create()
  const [pix] = await bank.pay(await world.txidOf(payment), { webhook: 'lose' })
  const endToEndId = pix?.endToEndId ?? assert.fail()
  const before = await world.balances()
  await med(endToEndId)
  await hear(endToEndId)
  assert.deepEqual(await since(before), { available: 0, held: 0, provider: 0, receivable: 0 })
  assert.equal((await world.payment(payment.id)).status, 'PAID')
  assert.equal((await disputeOf(payment.id)).status, 'LOST')
})

/** Moves all money out of the default wallet. Returns the wallets. */
async function hide(walletType: 'RESERVE' | 'SPENDABLE') {
  const aside = await world.newWallet(walletType)
  const [wallet] = await world.wallets()
  assert.ok(wallet)
  if (wallet.available > 0n) await world.move(wallet.id, aside, wallet.available)
  return { aside, paidWallet: wallet.id, minor: wallet.available }
}

test('the paid wallet is debited first, and then a RESERVE wallet to which the money was moved', async () => {
  const { endToEndId } = await paid()
  const { aside, paidWallet, minor } = await hide('RESERVE')
  const { id: rest } = await paid(250)
  const before = await world.balances()
  await med(endToEndId)
  await hear(endToEndId)
  assert.deepEqual(await since(before), { available: -1_000, held: 0, provider: -1_000, receivable: 0 })
  const wallets = new Map((await world.wallets()).map((each) => [each.id, each.available]))
  // 250 were in the wallet itself; 750 were missing.
  assert.equal(wallets.get(paidWallet), 0n)
  assert.equal(wallets.get(aside), minor - 750n)
  assert.equal((await world.payment(rest)).status, 'PAID')
  await world.move(aside, paidWallet, minor - 750n)
})

test('a dispute whose end is reported first debits a RESERVE wallet too', async () => {
  const { id, endToEndId } = await paid()
  const { aside, paidWallet, minor } = await hide('RESERVE')
  const before = await world.balances()
  const { id: name } = await med(endToEndId)
  const times = { solicitacao: '2026-11-21T12:00:00.000Z' }
  const sent = {
    endToEndId,
    txid: await world.txidOf({ merchantId: world.merchant.id, id }),
    valor: '10.00',
    horario: times.solicitacao,
    devolucoes: [{ id: name, valor: '10.00', natureza: 'MED_FRAUDE', status: 'DEVOLVIDO', horario: times }],
  }
  const receipts = receiptsOf(world.connection, parsePix(sent), Buffer.from(JSON.stringify(sent)))
  for (const receipt of receipts.toReversed()) await world.settle([receipt])
  assert.deepEqual(await since(before), { available: -1_000, held: 0, provider: -1_000, receivable: 0 })
  assert.equal((await disputeOf(id)).status, 'LOST')
  await world.move(aside, paidWallet, minor - 1_000n)
})

test('what no wallet holds is owed, and the next money repays it first', async () => {
  await refundAll()
  const { id, endToEndId } = await paidWithFee(1_000_000n)
  const before = await world.balances()
  assert.equal(before.available, 0n)
  await med(endToEndId)
  await hear(endToEndId)
  assert.deepEqual(await since(before), { available: 0, held: 0, provider: -1_000, receivable: 1_000 })
  assert.equal((await world.payment(id)).disputedMinor, 1_000n)

  const first = await paid(400)
  assert.deepEqual(await since(before), { available: 0, held: 0, provider: -600, receivable: 600 })
  const refused = await world.refund(await world.payment(first.id), { amount: 1 })
  assert.equal(refused.kind, 'insufficient_funds')
  await paid(900)
  assert.deepEqual(await since(before), { available: 300, held: 0, provider: 300, receivable: 0 })
  assert.deepEqual(await kindsOf(first.id), ['PAYMENT', 'RECEIVABLE_REPAID'])
})

test('winning a dispute repays the debt for it first', async () => {
  await refundAll()
  const before = await world.balances()
  const { id, endToEndId } = await paidWithFee(400_000n)
  assert.deepEqual(await since(before), { available: 600, held: 0, provider: 1_000, receivable: 0 })
  const { id: name } = await med(endToEndId, { outcome: 'EM_PROCESSAMENTO' })
  await hear(endToEndId)
  assert.deepEqual(await since(before), { available: 0, held: 1_000, provider: 1_000, receivable: 400 })
  await med(endToEndId, { id: name, outcome: 'NAO_REALIZADO' })
  await hear(endToEndId)
  assert.deepEqual(await since(before), { available: 600, held: 0, provider: 1_000, receivable: 0 })
  assert.equal((await disputeOf(id)).status, 'WON')
})

/** A payment of 1000 with this fee: what the merchant has left is less than the payer can dispute. */
async function paidWithFee(ratePpm: bigint) {
  const rule = { merchantId: world.merchant.id, method: 'PIX', currency: 'BRL', fixedMinor: 0n } as const
  await setRule({ ...rule, ratePpm })
  const made = await paid()
  await setRule({ ...rule, ratePpm: 0n })
  return made
}

/** Sets a rule and waits until it is in force, because a payment pays by the rule at its creation. */
async function setRule(rule: FeeRule): Promise<void> {
  const { sql, clock } = world.core
  await writeFeeRule(sql, rule)
  const [set] = await sql<{ at: Date }[]>`select max(valid_from) as at from fee_rule`
  await eventually('the rule is older', () => set !== undefined && clock.now() > set.at)
}

/** Refunds all that can be refunded, so that no wallet has money. */
async function refundAll(): Promise<void> {
  const [target, ...others] = await world.wallets()
  assert.ok(target)
  for (const { id, available } of others) if (available > 0n) await world.move(id, target.id, available)
  const { sql } = world.core
  const rows = await sql<{ id: PaymentId }[]>`
    select id from payment where received_minor > refunded_minor + disputed_minor`
  for (const row of rows) {
    const payment = await world.payment(row.id)
    const [wallet] = await world.wallets()
    const minor = minOf(
      payment.receivedMinor - payment.refundedMinor - payment.disputedMinor,
      wallet?.available ?? 0n,
    )
    if (minor > 0n) await world.refund(payment, { amount: Number(minor) })
  }
  await eventually('refunds end', async () => {
    if ((await world.balances()).held === 0n) return true
    await world.clock.advance(minuteMs)
    await world.sendRefunds()
    return false
  })
  const [wallet] = await world.wallets()
  if (wallet !== undefined && wallet.available > 0n) assert.fail(`${wallet.available} are left`)
}

const kindsOf = async (id: PaymentId) => {
  const rows = await world.core.sql<{ kind: string }[]>`
    select kind from transfer where subject = ${id} order by number`
  return rows.map(({ kind }) => kind)
}

test('the states are those of the table in the database', async () => {
  assert.deepEqual(Object.keys(disputeStates), [...disputeStatuses])
  const [row] = await world.core.sql<{ text: string }[]>`
    select pg_get_constraintdef(oid) as text from pg_constraint where conname = 'dispute_status'`
  assert.deepEqual(
    row?.text.match(/'[A-Z]+'/g)?.map((each) => each.slice(1, -1)),
    [...disputeStatuses],
  )
})

test('and all of it is on the books', async () => {
  assert.deepEqual((await world.verify()).faults, [])
})
