// Withdrawals and refunds that have not ended, in the console: why, and what one person may do, and what two.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { list, type Tx } from '#/db/client.ts'
import { newId, type PaymentId, type RefundId } from '#/kernel/id.ts'
import { listRails } from '#/rails/all.ts'
import { selectUnfailedPayouts } from '#/rails/crypto/refund-queries.ts'
import { insertQueued } from '#/treasury/payout-queries.ts'
import { decisionKind } from '#/withdrawals/decide.ts'
import { asId } from '../as-id.ts'
import { testRail } from '../contract/rail.ts'
import type { Tenant } from '../contract/world.ts'
import { paymentBody, withdrawalBody } from '../contract/world.ts'
import { testPayoutRails } from '../payout-rail.ts'
import { auditOf, dataOf, makeLive, ok, openOperators, refused, type Row } from './operator-world.ts'
import { shownBy } from './shown.ts'
import type { DashboardWorld, Person } from './world.ts'

let dashboard: DashboardWorld
let ana: Person
let bea: Person
let owner: Person
let tenant: Tenant
before(async () => {
  const destination = ({ cryptoAddress = '' }) => ({ ok: true, fields: { cryptoAddress } }) as const
  const rail = {
    ...testRail(),
    refunds: {
      destination,
      send: () => Promise.resolve([]),
      mayStillPay: async (tx: Tx, ids: readonly RefundId[]) => new Set(await selectUnfailedPayouts(tx, ids)),
    },
  }
  ;({ dashboard, ana, bea } = await openOperators({
    rails: listRails([rail]),
    shows: shownBy['operator-payouts.test.ts'],
  }))
  await makeLive(dashboard)
  tenant = await dashboard.base.openTenant()
  await dashboard.base.fund(tenant, 10_000_000n)
  owner = await dashboard.person([{ merchantId: tenant.id, role: 'OWNER' }])
})
after(() => dashboard.close())

const byAna = () => ['USER', ana.userId] as const

async function made(path: string, body: object): Promise<string> {
  const { idempotencyKey = newId() } = body as { readonly idempotencyKey?: string }
  const headers = { 'idempotency-key': idempotencyKey }
  const answer = await owner.ask('POST', `/api/m/${tenant.id}/${path}`, body, headers)
  assert.equal(answer.status, 201, answer.text)
  return String(answer.body['id'])
}

const withdraw = (amount = 100) => made('withdrawals', withdrawalBody({ amount }))

/** As a worker does before it calls the provider. */
async function send(id: string): Promise<void> {
  const kind = decisionKind(testPayoutRails())
  await dashboard.base.lane.submit(kind, { id: asId<'withdrawal'>(id), event: 'sending' })
}

const shown = (id: string) => ok(bea, 'GET', `withdrawals/${id}`)
const causeOf = ({ cause, acts }: Row) => [cause, acts]

test('each withdrawal without an end says why, the oldest first, and by pages', async () => {
  const first = await withdraw()
  const second = await withdraw()
  await send(second)
  const third = await withdraw()
  await dashboard.base.sql`update withdrawal set review_required = true where id = ${second}`
  assert.deepEqual(causeOf(await shown(first)), ['not_sent', ['retry']])
  assert.deepEqual(causeOf(await shown(second)), ['long_unknown', ['retry', 'end']])
  await ok(ana, 'POST', 'freezes', { rail: 'PIX', reason: 'the bank is down' })
  assert.deepEqual(causeOf(await shown(first)), ['frozen', []])
  await ok(ana, 'POST', 'freezes/end', { rail: 'PIX', reason: 'it is up' })

  const page = await ok(ana, 'GET', 'withdrawals?wanted=open&order=oldest&limit=2')
  const rest = await ok(
    ana,
    'GET',
    `withdrawals?wanted=open&order=oldest&limit=2&cursor=${String(page['nextCursor'])}`,
  )
  assert.deepEqual(
    [...dataOf(page), ...dataOf(rest)].map((row) => row['id']),
    [first, second, third],
  )
  assert.deepEqual(
    dataOf(await ok(ana, 'GET', 'withdrawals?wanted=open')).map((row) => row['id']),
    [third, second, first],
  )
})

test('a withdrawal is tried at once, with a row in the log; one that has ended is not', async () => {
  const { sql } = dashboard.base
  const id = await withdraw()
  await sql`update withdrawal_due set due_at = statement_timestamp() + interval '4 minutes' where withdrawal_id = ${id}`
  await ok(ana, 'POST', `withdrawals/${id}/retry`, { reason: 'the bank is up' }, 204)
  const [due] = await sql<{ isDue: boolean }[]>`
    select due_at <= statement_timestamp() as "isDue" from withdrawal_due where withdrawal_id = ${id}`
  assert.equal(due?.isDue, true)
  assert.deepEqual(
    (await auditOf(ana, `withdrawal:${id}`)).filter(([action]) => action === 'payout.retry'),
    [['payout.retry', ...byAna(), 'the bank is up']],
  )
  await sql`delete from withdrawal_due where withdrawal_id = ${id}`
  assert.deepEqual(await refused(ana, `withdrawals/${id}/retry`, {}), [409, 'invalid_state'])
  assert.deepEqual(await refused(ana, `withdrawals/${newId()}/retry`, {}), [404, 'not_found'])
})

test('one person records the end of a small withdrawal: what was not paid is in the wallet again', async () => {
  const balance = async () => {
    const answer = await owner.ask('GET', `/api/m/${tenant.id}/wallets`)
    const wallet = dataOf(answer.body).find(
      (each) => each['currency'] === 'BRL' && each['isDefault'] === true,
    )
    return Number(wallet?.['balance'])
  }
  const before = await balance()
  const id = await withdraw(700)
  const reason = 'the bank wrote so'
  assert.deepEqual(await refused(ana, `withdrawals/${id}/resolve`, { end: 'refused', reason }), [
    409,
    'invalid_state',
  ])
  await send(id)
  const held = await balance()
  assert.ok(held <= before - 700)
  const { withdrawal } = await ok(ana, 'POST', `withdrawals/${id}/resolve`, { end: 'refused', reason })
  assert.deepEqual(
    [(withdrawal as Row)['status'], causeOf(withdrawal as Row)],
    ['FAILED', [undefined, ['end']]],
  )
  assert.equal(await balance(), before)
  // The bank was wrong: it was paid after all.
  await ok(ana, 'POST', `withdrawals/${id}/resolve`, { end: 'sent', reason: 'it is on the account' })
  assert.equal((await shown(id))['status'], 'COMPLETED')
  assert.equal(await balance(), held)
  assert.deepEqual(
    (await auditOf(ana, `withdrawal:${id}`)).filter(([action]) => action === 'withdrawal.resolve'),
    [
      ['withdrawal.resolve', ...byAna(), reason],
      ['withdrawal.resolve', ...byAna(), 'it is on the account'],
    ],
  )
})

test('the end of a large withdrawal is requested, and another person approves it', async () => {
  const id = await withdraw(100_001)
  await send(id)
  const order = { end: 'sent', reason: 'it is on the account' }
  const answer = await ok(ana, 'POST', `withdrawals/${id}/resolve`, order)
  assert.equal(answer['withdrawal'], undefined)
  const proposal = answer['proposal'] as Row
  assert.deepEqual([proposal['kind'], proposal['subject']], ['end.withdrawal', `withdrawal:${id}`])
  assert.equal((await shown(id))['status'], 'PROCESSING')
  const path = `approvals/${String(proposal['id'])}/approve`
  assert.deepEqual(await refused(bea, `withdrawals/${id}/resolve`, order), [409, 'invalid_state'])
  assert.deepEqual(await refused(ana, path, {}), [403, 'forbidden'])
  await ok(bea, 'POST', path, {})
  assert.equal((await shown(id))['status'], 'COMPLETED')
  assert.deepEqual(await refused(bea, path, {}), [409, 'invalid_state'])
  const acts = (await auditOf(ana, `withdrawal:${id}`)).slice(-2)
  assert.deepEqual(acts, [
    ['payout.propose-end', ...byAna(), order.reason],
    ['withdrawal.resolve', 'USER', bea.userId, order.reason],
  ])
})

test('a member of the merchant ends neither a withdrawal nor a refund alone, however small', async () => {
  const caio = await dashboard.person([{ merchantId: tenant.id, role: 'VIEWER' }], { isOperator: true })
  await dashboard.enrol(caio)
  const withdrawal = await withdraw(1)
  await send(withdrawal)
  const back = await refund(1)
  for (const [path, body] of [
    [`withdrawals/${withdrawal}/resolve`, { end: 'refused', reason: 'the bank wrote so' }],
    [`refunds/${back}/end`, { reason: 'the bank wrote so' }],
  ] as const) {
    const { proposal } = await ok(caio, 'POST', path, body)
    const approve = `approvals/${String((proposal as Row)['id'])}/approve`
    assert.deepEqual(await refused(caio, approve, {}), [403, 'forbidden'])
    await ok(bea, 'POST', approve, {})
  }
  assert.equal((await shown(withdrawal))['status'], 'FAILED')
  assert.equal((await refundShown(back))['status'], 'FAILED')
})

test('a payout without a transaction on a chain is not stopped', async () => {
  const id = await withdraw()
  const reason = 'a wrong address'
  assert.deepEqual(await refused(ana, `payouts/${id}/stop`, { reason }), [409, 'invalid_state'])
})

const cryptoAddress = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

async function refund(amount: number): Promise<string> {
  const paymentId = await made('payments', paymentBody({ amount }))
  await dashboard.base.settlePayment(tenant.id, paymentId as PaymentId, BigInt(amount))
  return made(`payments/${paymentId}/refunds`, { amount, cryptoAddress })
}

/** A payout on a chain, as a wallet's sender leaves it: with a nonce once it is not QUEUED. */
async function onChain(subject: string, nonce: number): Promise<void> {
  const payout = {
    id: newId<'chain-tx'>(),
    chain: 'elsewhere',
    purpose: 'PAYOUT' as const,
    subject,
    reference: `payout/${subject}`,
    to: cryptoAddress.toLowerCase() as `0x${string}`,
    value: 0n,
    data: '0x' as const,
    gas: 1n,
  }
  await insertQueued(dashboard.base.sql, payout, new Date())
  assert.deepEqual(causeOf(await refundShown(subject)), ['queued', ['stop']])
  await dashboard.base.sql`
    update chain_tx set state = 'BROADCAST', wallet = '\\x01', nonce = ${nonce} where subject = ${subject}`
}

const refundShown = (id: string) => ok(bea, 'GET', `refunds/${id}`)

test('a refund on a chain says how far it is; where a foreign transaction took its nonce, a person records what they found', async () => {
  const { sql } = dashboard.base
  const id = await refund(100)
  await onChain(id, 1)
  const reason = 'the stranger’s transaction paid nobody'
  const found = { reason, found: 'refused' }
  assert.deepEqual(causeOf(await refundShown(id)), ['on_chain', ['stop']])
  assert.deepEqual(await refused(ana, `refunds/${id}/end`, found), [409, 'invalid_state'])
  await sql`update chain_tx set cancel = 'canceled' where subject = ${id}`
  assert.deepEqual(causeOf(await refundShown(id)), ['stopping', []])
  await sql`update chain_tx set taken = true where subject = ${id}`
  assert.deepEqual(causeOf(await refundShown(id)), ['nonce_taken', ['end']])
  // Without saying what was found it is not ended: the transaction of ours may have paid.
  assert.deepEqual(await refused(ana, `refunds/${id}/end`, { reason }), [409, 'invalid_state'])
  await sql`update refund_due set due_at = statement_timestamp() + interval '4 minutes' where refund_id = ${id}`
  await ok(ana, 'POST', `refunds/${id}/end`, found)
  assert.deepEqual(causeOf(await refundShown(id)), ['settling', ['retry']])
  const [tx] = await sql`
    select state, failure, due_at <= statement_timestamp() as "isDue"
      from chain_tx join refund_due on refund_id = subject where subject = ${id}`
  assert.deepEqual({ ...tx }, { state: 'FAILED', failure: 'resolved', isDue: true })
  assert.deepEqual(await refused(ana, `refunds/${id}/end`, found), [409, 'invalid_state'])
  assert.deepEqual((await auditOf(ana, `refund:${id}`)).slice(-1), [['refund.end', ...byAna(), reason]])

  const large = await refund(150_000)
  await onChain(large, 2)
  await sql`update chain_tx set taken = true where subject = ${large}`
  const { proposal } = await ok(ana, 'POST', `refunds/${large}/end`, { reason, found: 'sent' })
  assert.deepEqual(causeOf(await refundShown(large)), ['nonce_taken', ['end']])
  await ok(bea, 'POST', `approvals/${String((proposal as Row)['id'])}/approve`, {})
  assert.deepEqual(causeOf(await refundShown(large)), ['settling', ['retry']])
  const [sent] = await sql`select state, failure from chain_tx where subject = ${large}`
  assert.deepEqual({ ...sent }, { state: 'FINAL', failure: null })
  await sql`delete from refund_due where refund_id = any (${list([id, large])}::uuid[])`
})

test('a refund says why it has not ended, and one person ends a small one; above the limit another approves', async () => {
  const small = await refund(100)
  assert.deepEqual(causeOf(await refundShown(small)), ['not_sent', ['retry', 'end']])
  await dashboard.base.sql`update refund set is_held_back = true where id = ${small}`
  assert.deepEqual(causeOf(await refundShown(small)), ['disputed', ['end']])
  await dashboard.base.sql`update refund set is_held_back = false where id = ${small}`
  await dashboard.base.sql`
    update refund_due set due_at = statement_timestamp() + interval '4 minutes', sends = 1 where refund_id = ${small}`
  assert.deepEqual(causeOf(await refundShown(small)), ['unknown', ['retry', 'prove']])
  await ok(ana, 'POST', `refunds/${small}/retry`, {}, 204)
  const reason = 'its provider has closed the account'
  assert.deepEqual(await refused(ana, `refunds/${small}/end`, { reason }), [409, 'invalid_state'])
  const { refund: ended } = await ok(ana, 'POST', `refunds/${small}/end`, {
    reason,
    proof: 'nothing was given back',
  })
  assert.deepEqual([(ended as Row)['status'], causeOf(ended as Row)], ['FAILED', [undefined, []]])

  const large = await refund(200_000)
  const listed = dataOf(await ok(ana, 'GET', 'refunds'))
  assert.deepEqual(
    listed.map((row) => [row['id'], row['needsTwo'], row['merchantName']]),
    [[large, true, 'Test']],
  )
  const { proposal } = await ok(ana, 'POST', `refunds/${large}/end`, { reason })
  assert.equal((proposal as Row)['kind'], 'end.refund')
  const path = `approvals/${String((proposal as Row)['id'])}`
  assert.deepEqual(await refused(ana, `${path}/approve`, {}), [403, 'forbidden'])
  await ok(bea, 'POST', `${path}/approve`, {})
  assert.equal((await refundShown(large))['status'], 'FAILED')
  const acts = (await auditOf(ana, `refund:${large}`)).slice(-2)
  assert.deepEqual(acts, [
    ['payout.propose-end', ...byAna(), reason],
    ['refund.end', 'USER', bea.userId, reason],
  ])
})
