// Which withdrawals and refunds an operator ends alone, which another person has to approve, and what becomes of their payouts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import type { RefundId, WithdrawalId } from '#/kernel/id.ts'
import { testClock } from '#/kernel/time.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { PayoutRail, PayoutRails } from '#/rails/payout-rail.ts'
import type { RefundDecisionKind, RefundDecisionVerdict } from '#/settlement/refund-decide.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { laneOn, poolOn } from '../../test/bare-lane.ts'
import { bareId, onRows, type BareRows, type RowsTx } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { partly } from '../../test/partly.ts'
import { recordingBooks, refundOf } from '../../test/settlement-view.ts'
import { approveProposal } from './approve.ts'
import type { Operator } from './deps.ts'
import * as payouts from './payouts.ts'
import type { ProposalId } from './proposal-queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const at = new Date('2026-11-22T10:00:00Z')
const [ours, user] = [bareId(1), bareId(2)]
const id = bareId(11)
const withdrawalId = id as WithdrawalId
const refundId = id as RefundId
const operator: Operator = { by: { actor: { kind: 'USER', id: user } }, name: 'ana@example.com' }
const reason = 'the bank says so'

const common = { merchant_id: ours, id, amount_minor: 100, currency: 'BRL', version: 1, created_at: at }
const withdrawal = {
  ...common,
  type: 'PIX',
  status: 'PROCESSING',
  fee_minor: 0,
  wallet_id: bareId(3),
  connection: 'bank',
  destination: {},
  request: {},
  returned_minor: 0,
  review_required: false,
}
const refund = { ...common, method: 'PIX', status: 'PENDING', approval_required: false }
const later = '2999-01-01T00:00:00Z'
const world: BareRows = {
  merchant: [{ id: ours, mode: 'LIVE' }],
  withdrawal: [withdrawal],
  refund: [refund],
  withdrawal_due: [{ merchant_id: ours, withdrawal_id: id, connection: 'bank', due_at: later }],
  refund_due: [{ merchant_id: ours, refund_id: id, connection: 'bank', due_at: later }],
  ...Object.fromEntries(
    ['wallet', 'sub_account', 'membership', 'app_user', 'command_account', 'withdrawal_spent']
      .concat(['sepa_payout', 'chain_tx', 'lost_signature', 'money_freeze', 'restore_review'])
      .concat(['operator_proposal', 'audit_log'])
      .map((table) => [table, []]),
  ),
}
/** The operator is a member of the merchant. */
const ownMerchant: BareRows = {
  app_user: [{ id: user, email: 'ana@example.com', is_operator: true }],
  membership: [{ merchant_id: ours, user_id: user }],
}
const payout = { subject: id, purpose: 'PAYOUT', reference: 'payout/1', taken: false }

type Given = { readonly tables?: BareRows; readonly hasOwnKeys?: boolean; readonly accepts?: boolean }

/** Acts, and says what is there afterwards. A refusal is its code and its first sentence. */
async function after<Answer>(
  { tables = {}, hasOwnKeys = true, accepts = true }: Given,
  act: (deps: Deps, tx: RowsTx) => Promise<Answer>,
): Promise<{ readonly answer: Answer | string; readonly left: object }> {
  return onRows(sql, { ...world, ...tables }, async (tx) => {
    await tx`create unique index on withdrawal_spent (merchant_id, type, currency, day)`
    await tx`create unique index on operator_proposal (subject) where status = 'OPEN'`
    await tx`alter table operator_proposal alter status set default 'OPEN'`
    const books = { ...recordingBooks().books, accepts: () => accepts }
    const { submit } = laneOn<EventDraft>({ tx, books, at, now: at, number: 1n })
    const deps = {
      sql: poolOn(tx),
      clock: testClock(at),
      lane: partly<LedgerLane<EventDraft>>({ submit }),
      payoutRails: rails,
      refundDecisionKind: ending,
      hasOwnKeys,
      aloneMax: 100n,
    }
    const answer = await act(deps, tx).catch((error: unknown) => {
      assert.ok(error instanceof AppError, String(error))
      return `${error.code}: ${error.message.split('.', 1).join('')}`
    })
    const [left] = await tx<[Readonly<Record<string, string | readonly string[] | null>>]>`
      select (select status from withdrawal) as status,
             (select state from chain_tx) as "onChain",
             (select state from sepa_payout) as "inFile",
             (select array_agg(kind) from operator_proposal) as proposed,
             (select array_agg(action) from audit_log) as audited,
             nullif(array_remove(array[(select 'withdrawal' from withdrawal_due where due_at <= statement_timestamp()),
                                       (select 'refund' from refund_due where due_at <= statement_timestamp())], null),
                    '{}') as woken`
    const told = Object.entries(left).filter(([, value]) => value !== null)
    return { answer, left: Object.fromEntries(told) }
  })
}

type Deps = payouts.PayoutDeps & payouts.EndDeps & { readonly aloneMax: bigint }

const rails: PayoutRails = new Map([
  ['PIX', partly<PayoutRail>({ type: 'PIX', source: () => ({ at: 'PROVIDER' }) })],
  ['CRYPTO', partly<PayoutRail>({ type: 'CRYPTO', units: { leave: async () => {} } })],
])
const deciding = (verdict: RefundDecisionVerdict) =>
  partly<RefundDecisionKind>({
    run: async () => ({ verdicts: [verdict], events: [], changed: [true], sealed: [] }),
  })
const ending = deciding({ kind: 'decided', refund: refundOf() })

const large = { amount_minor: 101 }
const isNot = (status: string) => `invalid_state: The withdrawal is ${status}`
const needsKeys =
  'invalid_state: A live merchant needs VINTEM_MASTER_KEY and VINTEM_AUDIT_KEY, which are not both set'

test('up to a limit an outsider alone says how a withdrawal ended whose end is unknown; another person approves all else', async () => {
  const cases: readonly (readonly [
    answer: string,
    status: string,
    end: 'sent' | 'refused',
    change?: Partial<typeof withdrawal>,
    given?: Given,
  ])[] = [
    ['ended', 'COMPLETED', 'sent'],
    ['ended', 'FAILED', 'refused'],
    // It was sent after all.
    ['ended', 'COMPLETED', 'sent', { status: 'FAILED' }],
    ['proposed', 'PROCESSING', 'sent', large],
    ['proposed', 'FAILED', 'sent', { ...large, status: 'FAILED' }],
    ['proposed', 'PROCESSING', 'refused', {}, { tables: ownMerchant }],
    [isNot('FAILED'), 'FAILED', 'refused', { ...large, status: 'FAILED' }],
    [isNot('PENDING'), 'PENDING', 'sent', { ...large, status: 'PENDING' }],
    [isNot('PENDING'), 'PENDING', 'sent', { status: 'PENDING' }],
    [isNot('COMPLETED'), 'COMPLETED', 'refused', { ...large, status: 'COMPLETED' }],
    [needsKeys, 'PROCESSING', 'sent', {}, { hasOwnKeys: false }],
    [needsKeys, 'PROCESSING', 'sent', large, { hasOwnKeys: false }],
    [
      'ended',
      'COMPLETED',
      'sent',
      {},
      { hasOwnKeys: false, tables: { merchant: [{ id: ours, mode: 'SANDBOX' }] } },
    ],
    [
      'invalid_state: The withdrawal has just become PROCESSING',
      'PROCESSING',
      'sent',
      {},
      { accepts: false },
    ],
  ]
  for (const [index, [expected, status, end, change = {}, given = {}]] of cases.entries()) {
    const tables = { withdrawal: [{ ...withdrawal, ...change }], ...given.tables }
    const { answer, left } = await after({ ...given, tables }, async (deps) => {
      const decided = await payouts.decideWithdrawal(deps, operator, withdrawalId, { end, reason })
      assert.ok(decided.kind === 'proposed' || !decided.isLater)
      return decided.kind
    })
    const told: Readonly<Record<string, object>> = {
      ended: { audited: ['withdrawal.resolve'] },
      proposed: { audited: ['payout.propose-end'], proposed: ['end.withdrawal'] },
    }
    assert.deepEqual([answer, left], [expected, { status, ...told[expected] }], `case ${index}`)
  }
})

test('what is on a chain ends by hand where a foreign transaction has its nonce, together with its approval', async () => {
  const onChain = (of: object): BareRows => ({
    withdrawal: [{ ...withdrawal, type: 'CRYPTO' }],
    chain_tx: [{ ...payout, state: 'BROADCAST', ...of }],
  })
  const withdrawing = (end: 'sent' | 'refused', tables: BareRows) =>
    after({ tables }, async (deps, tx) => {
      const approved: unknown[] = []
      const beside = async (inner: unknown) => void approved.push(inner)
      const order = { end, reason }
      const resolving = payouts.resolveWithdrawal(deps, operator, withdrawalId, order, beside)
      const { isLater } = await resolving.catch((error: unknown) => {
        assert.deepEqual(approved, [])
        throw error
      })
      return [isLater, approved.length, approved[0] === tx]
    })
  const refunding = (found: 'sent' | 'refused', tables: BareRows) =>
    after({ tables }, async (deps) => {
      const approved: unknown[] = []
      const beside = async (inner: unknown) => void approved.push(inner)
      const { kind } = await payouts.endRefund(deps, operator, refundId, { found, reason }, beside)
      return [kind, approved.length]
    })
  const status = 'PROCESSING'
  const [taken, free] = [onChain({ taken: true }), onChain({})]
  const ends = [
    ['sent', 'FINAL'],
    ['refused', 'FAILED'],
  ] as const
  for (const [end, state] of ends) {
    const withdrawn = { status, onChain: state, audited: ['withdrawal.resolve'] }
    assert.deepEqual(await withdrawing(end, taken), { answer: [true, 1, true], left: withdrawn })
    const refunded = { status, onChain: state, audited: ['refund.end'], woken: ['refund'] }
    assert.deepEqual(await refunding(end, taken), { answer: ['later', 1], left: refunded })
  }
  const nothing = { status, onChain: 'BROADCAST' }
  assert.deepEqual(await withdrawing('sent', free), {
    answer: 'invalid_state: How this withdrawal ended is recorded on its chain',
    left: nothing,
  })
  assert.deepEqual(await refunding('sent', free), {
    answer:
      'invalid_state: No foreign transaction used the nonce of this refund: how it ends is recorded elsewhere',
    left: nothing,
  })
})

test('a payout is stopped that waits for a file or on a chain, there only while everything that left is known', async () => {
  const status = 'PROCESSING'
  const [file, queued] = [
    { sepa_payout: [{ payout_id: id, state: 'WAITING' }] },
    { chain_tx: [{ ...payout, state: 'QUEUED' }] },
  ]
  const restore = { money_freeze: [{ kind: 'RESTORE' }] }
  const audited = ['withdrawal.stop']
  const inFile = { status, inFile: 'REFUSED', audited, woken: ['withdrawal', 'refund'] }
  const cases: readonly (readonly [answer: boolean | string, tables: BareRows, left: object])[] = [
    [true, file, inFile],
    [true, { ...file, ...restore }, inFile],
    [true, queued, { status, onChain: 'FAILED', audited }],
    [
      'frozen: A restore is being repaired, and it may have left: ',
      { ...queued, ...restore },
      { status, onChain: 'QUEUED' },
    ],
    [false, {}, { status }],
    [false, { chain_tx: [{ ...payout, state: 'FINAL' }] }, { status, onChain: 'FINAL' }],
  ]
  for (const [answer, tables, left] of cases)
    assert.deepEqual(
      await after({ tables }, (deps) => payouts.stopPayoutAs(deps, operator, id, reason)),
      { answer, left },
      JSON.stringify(tables),
    )
})

test('up to a limit an outsider alone ends a refund; another person approves all else', async () => {
  const status = 'PROCESSING'
  const proposed = { status, audited: ['payout.propose-end'], proposed: ['end.refund'] }
  const cases: readonly (readonly [answer: string, left: object, change: object, given?: Given])[] = [
    ['decided', { status }, {}],
    ['proposed', proposed, large],
    ['proposed', proposed, {}, { tables: ownMerchant }],
    // One that has ended is refused by whoever decides, however large it is.
    ['decided', { status }, { ...large, status: 'COMPLETED' }],
    [needsKeys, { status }, {}, { hasOwnKeys: false }],
    [needsKeys, { status }, large, { hasOwnKeys: false }],
  ]
  for (const [index, [expected, left, change, given = {}]] of cases.entries()) {
    const tables = { refund: [{ ...refund, ...change }], ...given.tables }
    const found = await after(
      { ...given, tables },
      async (deps) => (await payouts.decideRefund(deps, operator, refundId, { reason })).kind,
    )
    assert.deepEqual(found, { answer: expected, left }, `case ${index}`)
  }
})

test('what another person approves is carried out, and what cannot be carried out stays open', async () => {
  const bea: Operator = { by: { actor: { kind: 'USER', id: bareId(4) } }, name: 'bea@example.com' }
  const people = [
    { id: user, email: 'ana@example.com' },
    { id: bea.by.actor.id, email: 'bea@example.com' },
  ]
  const proposalId = bareId(5) as ProposalId
  const approved = (kind: string, order: object, tables: BareRows = {}, verdict?: RefundDecisionVerdict) => {
    const request = { id: proposalId, kind, subject: 's', arguments: order, reason, status: 'OPEN' }
    const operator_proposal = [{ ...request, by_kind: 'USER', by_id: user, by_name: 'ana' }]
    return after({ tables: { app_user: people, operator_proposal, ...tables } }, async (deps, tx) => {
      const refundDecisionKind = verdict === undefined ? ending : deciding(verdict)
      const bank = { of: () => [], all: () => [], find: () => undefined }
      const all = { ...deps, refundDecisionKind, rails: new Map(), connections: bank, cell: 'a1' }
      const { about } = await approveProposal({ ...all, keep: async () => {} }, bea, proposalId)
      const [row] = await tx<{ status: string }[]>`select status from operator_proposal`
      return [about, row?.status]
    })
  }
  const [kind, order] = ['end.refund', { id }]
  // What the lane writes beside it is the lane's to test.
  assert.deepEqual((await approved(kind, order)).answer, ['refund', 'OPEN'])
  const found = { ...order, found: 'sent' }
  const onChain = { chain_tx: [{ ...payout, state: 'BROADCAST', taken: true }] }
  assert.deepEqual((await approved(kind, found, onChain)).answer, ['refund', 'APPROVED'])
  assert.equal(
    (await approved(kind, order, {}, { kind: 'refused', refund: refundOf() })).answer,
    'invalid_state: The refund is PENDING: only one that is PENDING can be ended',
  )
  const correction = { connection: 'bank', sha256: '00', takenBack: [], added: [], concerned: [] }
  assert.equal(
    (await approved('statement.correct', correction)).answer,
    'not_found: There is no such refused file of this account',
  )
})

test('a worker tries a payout at once that is due later, and that is written; what is not due is not tried', async () => {
  const known = { id: withdrawalId, merchantId: refundOf().merchantId }
  const retries = {
    withdrawal: (deps: Deps) => payouts.retryWithdrawal(deps.sql, operator, known, reason),
    refund: (deps: Deps) => payouts.retryRefund(deps.sql, operator, { ...known, id: refundId }, reason),
  }
  const none = { withdrawal_due: [], refund_due: [] }
  const status = 'PROCESSING'
  for (const [name, retry] of Object.entries(retries)) {
    const left = { status, audited: ['payout.retry'], woken: [name] }
    assert.deepEqual(await after({}, retry), { answer: true, left })
    assert.deepEqual(await after({ tables: none }, retry), { answer: false, left: { status } })
  }
})

test('why a refund was not ended is said to people', () => {
  const refused = payouts.refusalOfEnd({ kind: 'refused', refund: refundOf({ status: 'COMPLETED' }) })
  assert.equal(refused.message, 'The refund is COMPLETED: only one that is PENDING can be ended.')
  assert.equal(payouts.refusalOfEnd({ kind: 'not_found' }).code, 'not_found')
  assert.throws(() => payouts.refusalOfEnd({ kind: 'frozen' }), /ending a refund gives no frozen/)
  const said = (payoutType: 'SEPA' | 'CRYPTO', isQueued: boolean) =>
    payouts.refusalOfEnd({ kind: 'may_be_sent', refund: refundOf({ payoutType }), isQueued }).message
  assert.match(said('SEPA', true), /^It waits for a file of payments/)
  assert.match(said('CRYPTO', true), /^A transaction of ours pays it/)
  assert.match(said('SEPA', false), /^It may have been sent/)
})
