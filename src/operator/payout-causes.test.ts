// Why a withdrawal or refund has not ended, and what an operator may do about it: by what is known of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { MerchantId, PaymentId, RefundId, WithdrawalId } from '#/kernel/id.ts'
import type { Refund } from '#/refunds/refund.ts'
import type { Withdrawal } from '#/withdrawals/withdrawal.ts'
import { bareId, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { refundOf } from '../../test/settlement-view.ts'
import { refundTroubles, withdrawalTroubles, type PayoutTrouble } from './payout-causes.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const merchantId = bareId(1) as MerchantId
const id = bareId(2)
const dueAt = '2026-11-22T00:00:00Z'
/** What is known of the payout; tests put their own rows in place of these. */
const nothing = {
  merchant: [{ id: merchantId, name: 'Padaria' }],
  money_freeze: [],
  withdrawal: [{ id, merchant_id: merchantId, type: 'PIX' }],
  withdrawal_due: [],
  refund: [{ id, merchant_id: merchantId, payment_id: bareId(3), connection: 'c', paid_ref: 'r' }],
  refund_due: [],
  dispute: [],
  sepa_payout: [],
  chain_tx: [],
  hot_wallet: [],
}

/** Its cause, and what may be done, in one text. */
const textOf = ({ cause, acts }: PayoutTrouble) => [cause ?? 'ended', ...acts].join(' ')

type Case<Change> = readonly [expected: string, change: Change, tables?: BareRows]

const file = (state: string): BareRows => ({ sepa_payout: [{ payout_id: id, state }] })
const wallet = { chain: 'base', purpose: 'hot', address: '\\x01' }
const sent = (of: object, more: object = {}): BareRows => ({
  chain_tx: [{ subject: id, purpose: 'PAYOUT', chain: 'base', state: 'BROADCAST', taken: false, ...of }],
  hot_wallet: [{ ...wallet, ...more }],
})

test('a withdrawal waits for what its state, its file or its transaction says', async () => {
  const processing = { status: 'PROCESSING' } as const
  const cases: readonly Case<Partial<Withdrawal>>[] = [
    // Only a provider of PIX may have sent what it refused.
    ['ended end', { status: 'FAILED', type: 'PIX' }],
    ['ended', { status: 'FAILED', type: 'SEPA' }],
    ['ended', { status: 'COMPLETED', type: 'PIX' }],
    ['ended', { status: 'COMPLETED', type: 'SEPA' }, file('BATCHED')],
    ['approval', { status: 'PENDING_APPROVAL' }],
    ['not_sent retry', { status: 'PENDING' }],
    ['unknown retry end', processing],
    ['long_unknown retry end', { ...processing, reviewRequired: true }],
    ['unknown retry', { ...processing, type: 'CRYPTO' }],
    ['waits_for_file stop', processing, file('WAITING')],
    ['in_file retry end', processing, file('BATCHED')],
    ['settling retry', processing, file('DONE')],
    ['settling retry', processing, sent({ state: 'FINAL', taken: true })],
    ['settling retry', processing, sent({ state: 'FAILED', taken: true })],
    ['nonce_taken end', processing, sent({ taken: true, cancel: 'x' })],
    ['stopping', processing, sent({ cancel: 'x' }, { stopped: 'x' })],
    ['wallet_stopped stop', processing, sent({}, { stopped: 'x' })],
    ['on_chain stop', processing, sent({}, { waiting: 'x' })],
    ['wallet_waits stop', processing, sent({ state: 'QUEUED' }, { waiting: 'x' })],
    ['queued stop', processing, sent({ state: 'QUEUED' })],
  ]
  for (const [expected, change, tables = {}] of cases) {
    const withdrawal = { merchantId, id: id as WithdrawalId, type: 'PIX', reviewRequired: false, ...change }
    const known = withdrawal as Partial<Withdrawal> as Withdrawal
    const found = await onRows(sql, { ...nothing, ...tables }, async (tx) =>
      (await withdrawalTroubles(tx, [known]))(known),
    )
    assert.equal(textOf(found), expected, JSON.stringify({ change, tables }))
    assert.equal(found.merchantName, 'Padaria')
  }
})

test('a refund waits for what its state, a dispute, its file or its transaction says', async () => {
  const due = (sends: number, unsent: number): BareRows => ({
    refund_due: [{ merchant_id: merchantId, refund_id: id, sends, unsent, due_at: dueAt }],
  })
  const dispute = [
    { merchant_id: merchantId, payment_id: bareId(3), connection: 'c', paid_ref: 'r', status: 'OPEN' },
  ]
  const cases: readonly Case<Partial<Refund>>[] = [
    ['ended', { status: 'COMPLETED' }],
    ['ended', { status: 'COMPLETED' }, file('BATCHED')],
    ['not_sent retry end', {}],
    ['not_sent retry end', {}, { refund: [] }],
    ['not_sent retry end', {}, due(1, 1)],
    ['unknown retry prove', {}, due(1, 0)],
    ['unknown retry prove', { isHeldBack: true }, { ...due(2, 1), dispute }],
    ['approval end', { approvalRequired: true }, due(1, 0)],
    ['disputed end', { isHeldBack: true }],
    ['disputed end', {}, { dispute }],
    ['in_file retry prove', {}, file('BATCHED')],
    ['waits_for_file stop', {}, file('WAITING')],
    ['nonce_taken end', { approvalRequired: true }, sent({ taken: true })],
  ]
  for (const [expected, change, tables = {}] of cases) {
    const pending = {
      merchantId,
      id: id as RefundId,
      paymentId: bareId(3) as PaymentId,
      status: 'PENDING',
    } as const
    const refund = refundOf({ ...pending, isHeldBack: false, approvalRequired: false, ...change })
    const found = await onRows(sql, { ...nothing, ...tables }, async (tx) =>
      (await refundTroubles(tx, [refund]))(refund),
    )
    assert.equal(textOf(found), expected, JSON.stringify({ change, tables }))
  }
})

test('a payout in a worker’s queue says when it is tried next', async () => {
  const withdrawal = {
    merchantId,
    id: id as WithdrawalId,
    type: 'PIX',
    status: 'PENDING',
  } as Partial<Withdrawal>
  const due = [{ merchant_id: merchantId, withdrawal_id: id, due_at: dueAt }]
  const dueOf = async (withdrawal_due: BareRows[string]) => {
    const known = withdrawal as Withdrawal
    return onRows(sql, { ...nothing, withdrawal_due }, async (tx) =>
      (await withdrawalTroubles(tx, [known]))(known),
    )
  }
  assert.deepEqual((await dueOf(due)).dueAt, new Date(dueAt))
  assert.equal('dueAt' in (await dueOf([])), false)
})
