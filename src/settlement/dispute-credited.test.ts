// Disputes about money that was credited to a merchant out of suspense: that merchant is debited.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptDispute } from '#/disputes/accept.ts'
import { disputeRecord } from '#/disputes/dispute.ts'
import { listDisputes } from '#/disputes/queries.ts'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import type { Id, MerchantId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import type { Outcome, Receipt } from '#/rails/receipt.ts'
import { makeForTests, openForTests } from '../../test/open-for-tests.ts'
import { openPixWorld, type PixWorld } from '../../test/pix-world.ts'
import { startPixBank } from '../../test/rails/pix/bank.ts'
import { resolveKind } from './resolve.ts'

const bank = openForTests(startPixBank)
const customer = makeForTests(() => bank.customer())
const world = openForTests(() => openPixWorld(customer))

/** Money that came by the key alone. Returns its name, and the id of its row. */
async function suspended(amount: string): Promise<{ ref: string; id: Id<'unmatched'> }> {
  const { pix } = await bank.control('POST', '/pay-key', { pixKey: customer.settings.pixKey, amount })
  const ref = (pix as { endToEndId: string }[])[0]?.endToEndId ?? assert.fail('it was sent')
  await world.reconcile()
  const [row] = await world.core.sql<{ id: Id<'unmatched'> }[]>`
    select id from unmatched where provider_ref = ${ref} and outcome = 'paid'`
  return { ref, id: must(row, 'it lies in suspense').id }
}

const resolve = (id: Id<'unmatched'>, merchantId?: MerchantId) =>
  world.core.lane.submit(resolveKind(world.core.rails), {
    id,
    ...given({ merchantId }),
  })

async function since(before: Awaited<ReturnType<PixWorld['balances']>>) {
  const now = await world.balances()
  const names = ['available', 'held', 'provider', 'receivable', 'suspense'] as const
  return names.map((name) => Number(now[name] - before[name]))
}

/** The audit without the faults that the planted receipts cause: banks have no chargebacks. */
const faults = async () =>
  (await world.verify()).faults.filter(({ inspection }) => inspection !== 'receipts of pix')
const disputes = () => listDisputes(world.core.sql, world.merchant.id, { limit: 10 })
const typesOf = async (id: string) => (await world.eventsOf(id)).map(({ type }) => type)

test('the merchant who was credited is debited, sees the dispute, and gets an event', async () => {
  const start = await world.balances()
  const { ref, id } = await suspended('6.00')
  assert.equal((await resolve(id, world.merchant.id)).kind, 'resolved')
  assert.deepEqual(await since(start), [600, 0, 600, 0, 0])
  const { id: name } = await bank.control('POST', '/med', { endToEndId: ref, outcome: 'EM_PROCESSAMENTO' })
  await world.reconcile()
  await world.reconcile()
  assert.deepEqual(await since(start), [0, 600, 600, 0, 0])
  const [open, ...more] = await disputes()
  assert.ok(open !== undefined && more.length === 0)
  const { paymentId, status, kind, amount } = disputeRecord(open)
  assert.deepEqual([paymentId, status, kind, amount], [undefined, 'OPEN', 'MED', 600])
  await bank.control('POST', '/med', { endToEndId: ref, id: name, outcome: 'DEVOLVIDO' })
  await world.reconcile()
  await world.reconcile()
  assert.deepEqual(await since(start), [0, 0, 0, 0, 0])
  assert.deepEqual(await typesOf(open.id), ['dispute.opened', 'dispute.lost'])
  assert.deepEqual(await faults(), [])
})

test('money that the merchant does not have any more is owed, and a rejected MED returns it', async () => {
  const start = await world.balances()
  const { ref, id } = await suspended('4.00')
  await resolve(id, world.merchant.id)
  const aside = await world.newWallet('RESERVE')
  const [wallet] = await world.wallets()
  const own = must(wallet, 'a wallet')
  await world.move(own.id, aside, 150n)
  const { id: name } = await bank.control('POST', '/med', { endToEndId: ref, outcome: 'EM_PROCESSAMENTO' })
  await world.reconcile()
  assert.deepEqual(await since(start), [0, 400, 400, 0, 0])
  await bank.control('POST', '/med', { endToEndId: ref, id: name, outcome: 'NAO_REALIZADO' })
  await world.reconcile()
  assert.deepEqual(await since(start), [400, 0, 400, 0, 0])
  const [won] = await disputes()
  assert.equal(won?.status, 'WON')
  assert.deepEqual(await faults(), [])
})

/** A chargeback of money that lay in suspense. As at a provider, its name does not contain the name of the money. */
function chargeback(ref: string, outcome: Outcome, minor: bigint, occurrence = 1): Receipt {
  return {
    method: 'PIX',
    connection: world.connection,
    providerRef: `dp_${ref}`,
    outcome,
    occurrence,
    dispute: { paidRef: ref, kind: 'CHARGEBACK', fee: 15n },
    amount: { minor, currency: 'BRL' },
    happenedAt: world.clock.now(),
    evidence: Buffer.from(`${ref} ${outcome}`),
  }
}

test('a chargeback with a fee, lost and then reinstated, is booked like one of a payment; it cannot be accepted here', async () => {
  const start = await world.balances()
  const { ref, id } = await suspended('5.00')
  await resolve(id, world.merchant.id)
  // Out of order: the loss is reported first and opens it.
  await world.settle([chargeback(ref, 'dispute_lost', 500n), chargeback(ref, 'dispute_opened', 500n)])
  assert.deepEqual(await since(start), [-15, 0, -15, 0, 0])
  const [lost] = await disputes()
  assert.equal(lost?.status, 'LOST')
  await world.settle([chargeback(ref, 'dispute_won', 500n)])
  assert.deepEqual(await since(start), [485, 0, 485, 0, 0])
  await world.settle([chargeback(ref, 'dispute_taken', 500n, 2)])
  const [open] = await disputes()
  assert.deepEqual([open?.status, open?.round], ['OPEN', 2])
  const deps = { sql: world.core.sql, rails: world.core.rails, log: silentLog, settle: world.settle }
  await assert.rejects(acceptDispute(deps, world.merchant.id, must(open, 'it is there').id), {
    code: 'method_not_available',
  })
  assert.deepEqual(await faults(), [])
})

test('a dispute about money that was not credited, or was returned, debits no merchant', async () => {
  const count = (await disputes()).length
  const [open, back] = [await suspended('2.00'), await suspended('3.00')]
  await resolve(back.id)
  const start = await world.balances()
  await world.settle([
    chargeback(open.ref, 'dispute_opened', 200n),
    chargeback(back.ref, 'dispute_opened', 300n),
  ])
  assert.deepEqual(await since(start), [0, 0, 0, 0, 0])
  assert.equal((await disputes()).length, count)
  // Disputed money cannot be credited either, whatever the name of the dispute is.
  assert.equal((await resolve(open.id, world.merchant.id)).kind, 'went_back')
  assert.deepEqual(await faults(), [])
})
