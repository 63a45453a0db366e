// What becomes of a withdrawal before it is sent: each state, each decision, and each reason why it may not leave now.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withdrawalStatuses } from '#/contract/withdrawals.ts'
import { newId, type ApiKeyId, type ConnectionId, type MerchantId } from '#/kernel/id.ts'
import type { GateVerdict } from '#/money-out/gate.ts'
import { carryOut } from '#/wallets/pure-kind.ts'
import { recordingBooks } from '../../test/settlement-view.ts'
import { decide, keep, type DecisionItem, type View } from './decide.ts'
import { type Withdrawal, type WithdrawalStatus } from './withdrawal.ts'

const at = new Date('2026-11-21T12:00:00Z')
const [ours, theirs] = [newId<'merchant'>(), newId<'merchant'>()]
const [requester, second] = [newId<'api-key'>(), newId<'api-key'>()]

const withdrawal: Withdrawal = {
  merchantId: ours,
  id: newId<'withdrawal'>(),
  mode: 'LIVE',
  type: 'PIX',
  status: 'PENDING',
  amountMinor: 500n,
  feeMinor: 10n,
  currency: 'BRL',
  walletId: newId<'wallet'>(),
  connection: 'bank' as ConnectionId,
  reference: 'w1',
  destination: { text: 'ana@example.com' } as Withdrawal['destination'],
  request: { type: 'PIX', amount: 500, currency: 'BRL' },
  requestedBy: requester,
  returnedMinor: 0n,
  reviewRequired: false,
  version: 4,
  createdAt: at,
}

type Ask =
  | { readonly event: 'approved' | 'rejected'; readonly by?: ApiKeyId; readonly merchantId?: MerchantId }
  | { readonly event: 'canceled'; readonly merchantId?: MerchantId }
  | { readonly event: 'sending'; readonly inDoubt?: boolean; readonly merchantId?: MerchantId }

type Given = Partial<Withdrawal> & {
  readonly limit?: GateVerdict
  /** It waits in a queue of our own. */
  readonly isQueued?: boolean
  readonly isMoneyOutUnknown?: boolean
  readonly hasLeft?: boolean
  readonly isRefused?: boolean
}

const free: GateVerdict = { ok: true, needsApproval: false }
const needsSecond: GateVerdict = { ok: true, needsApproval: true }
const tooMuch: GateVerdict = { ok: false, reason: 'each', limitMinor: 1n, leftMinor: 1n }
const stop = (reason: 'own' | 'frozen' | 'account'): GateVerdict => ({ ok: false, reason })
const rail: GateVerdict = { ok: false, reason: 'rail', limitMinor: 1n, leftMinor: 1n }

/** The decision, in words: the verdict, the state that it leads to, `review` when a person must look, and the event. */
function decided(ask: Ask, given: Given = {}, id = withdrawal.id): string {
  const { limit = free, isQueued, isMoneyOutUnknown = false, hasLeft, isRefused, ...change } = given
  const before = { ...withdrawal, ...change }
  const holder = { begunAt: ours, person: null, user: null }
  const view: View = {
    withdrawals: new Map([[before.id, before]]),
    waiting: new Set(isQueued === true ? [before.id] : []),
    requesters: new Map(),
    holders: new Map([requester, second].map((key) => [key, { ...holder, lineage: key }])),
    allowed: () => limit,
    parents: { of: new Map(), at },
    isMoneyOutUnknown,
    departed: new Set(hasLeft === true ? [before.id] : []),
  }
  const item = { ...(ask.event === 'approved' || ask.event === 'rejected' ? { by: second } : {}), ...ask, id }
  const { books, posted } = recordingBooks(() => isRefused === true)
  const decision = decide(view, item as DecisionItem)
  const { verdict, change: made, events = [] } = carryOut({ books }, decision, (each) => keep(view, each))
  // What is decided is what the decisions after it see, and the next version; else nothing changes.
  assert.equal(view.withdrawals.get(before.id), made?.withdrawal ?? before)
  assert.equal((made?.withdrawal ?? before).version, before.version + (made === undefined ? 0 : 1))
  assert.deepEqual(
    posted.flatMap(({ kind, minor }) =>
      ['WITHDRAWAL_RETURNED', 'WITHDRAWAL_FEE'].includes(kind) ? [minor] : [],
    ),
    made?.withdrawal.status === 'CANCELED' ? [500n, 10n] : [],
  )
  return [
    verdict.kind,
    ...(verdict.kind === 'frozen' && verdict.isAccount === true ? ['account'] : []),
    ...(verdict.kind === 'objected' ? [verdict.objection] : []),
    ...(made === undefined ? [] : [made.withdrawal.status]),
    ...(made?.withdrawal.reviewRequired === true ? ['review'] : []),
    ...(made?.withdrawal.decidedBy === second ? ['by second'] : []),
    ...(made?.audit === undefined ? [] : [made.audit.action]),
    ...events.map(({ type }) => type),
  ].join(' ')
}

const approved = 'decided PENDING by second withdrawal.approve'
const rejected = 'decided CANCELED by second withdrawal.reject withdrawal.canceled'
const [canceled, sent] = [
  'decided CANCELED withdrawal.canceled',
  'decided PROCESSING withdrawal.processing',
] as const

test('each state and each decision: what is decided, what was so already, and what is refused', () => {
  const refused = { approved: 'refused', rejected: 'refused', canceled: 'refused', sending: 'refused' }
  const table: Readonly<Record<WithdrawalStatus, Readonly<Record<Ask['event'], string>>>> = {
    PENDING: { ...refused, canceled, sending: sent },
    PENDING_APPROVAL: { ...refused, approved, rejected, canceled },
    PROCESSING: { ...refused, sending: 'already' },
    COMPLETED: refused,
    FAILED: refused,
    CANCELED: { ...refused, rejected: 'already', canceled: 'already' },
  }
  for (const status of withdrawalStatuses)
    for (const event of ['approved', 'rejected', 'canceled', 'sending'] as const)
      assert.equal(decided({ event }, { status }), table[status][event], `${status} ${event}`)
})

const [approving, sending, canceling] = [
  { event: 'approved' },
  { event: 'sending' },
  { event: 'canceled' },
] as const
const rejecting = { event: 'rejected' } as const
const waits = { status: 'PENDING_APPROVAL' } as const
const isSent = { status: 'PROCESSING' } as const

test('whose it is and who decides: another merchant finds nothing, and the person who requested it decides nothing', () => {
  assert.equal(decided({ ...sending, merchantId: ours }), sent)
  assert.equal(decided({ ...sending, merchantId: theirs }), 'not_found')
  assert.equal(decided(sending, {}, newId<'withdrawal'>()), 'not_found')
  assert.equal(decided({ ...approving, by: requester }, waits), 'objected own_request')
  assert.equal(decided({ ...rejecting, by: requester }, waits), 'objected own_request')
})

test('what was approved before is so already, until it is canceled', () => {
  const decidedBy = requester
  for (const [status, expected] of [
    ['PENDING', 'already'],
    ['PROCESSING', 'already'],
    ['COMPLETED', 'already'],
    ['CANCELED', 'refused'],
  ] as const)
    assert.equal(decided(approving, { status, decidedBy }), expected, status)
})

test('nobody cancels what may have left: sent to a provider, taken back by a restore, or before money out is confirmed', () => {
  const cases: readonly (readonly [Ask, Given, expected: string])[] = [
    [canceling, { ...isSent, isQueued: true }, canceled],
    [canceling, { hasLeft: true }, 'refused'],
    [rejecting, { ...waits, hasLeft: true }, 'refused'],
    [sending, { hasLeft: true }, sent],
    [canceling, { isMoneyOutUnknown: true }, 'frozen'],
    [rejecting, { ...waits, isMoneyOutUnknown: true }, 'frozen'],
    [canceling, { status: 'CANCELED', isMoneyOutUnknown: true }, 'already'],
    [approving, { ...waits, isMoneyOutUnknown: true }, approved],
    [sending, { isMoneyOutUnknown: true }, sent],
    // The books do not release it.
    [canceling, { isRefused: true }, 'refused'],
    [sending, { isRefused: true }, sent],
  ]
  for (const [ask, given, expected] of cases)
    assert.equal(decided(ask, given), expected, JSON.stringify([ask, Object.keys(given)]))
})

test('rules are asked again when it is approved and before it is sent, and never for what ends it', () => {
  const review = 'limited PENDING review'
  const inDoubt = { ...sending, inDoubt: true } as const
  const cases: readonly (readonly [Ask, Given, expected: string])[] = [
    // Above the limit: it keeps waiting, or a person must review it, once.
    [approving, { ...waits, limit: tooMuch }, 'limited'],
    [sending, { limit: tooMuch }, review],
    [sending, { limit: tooMuch, reviewRequired: true }, 'limited'],
    [sending, { ...isSent, limit: tooMuch }, 'limited PROCESSING review'],
    [inDoubt, { ...isSent, limit: tooMuch }, 'limited'],
    [inDoubt, { limit: tooMuch }, review],
    [approving, { limit: tooMuch }, 'refused'],
    [sending, { ...waits, limit: tooMuch }, 'refused'],
    [canceling, { limit: tooMuch }, canceled],
    [canceling, { ...waits, limit: tooMuch }, canceled],
    [rejecting, { ...waits, limit: tooMuch }, rejected],
    // It can never leave: its worker ends it.
    [sending, { limit: stop('own') }, sent],
    [sending, { limit: rail }, sent],
    [approving, { ...waits, limit: stop('own') }, 'limited'],
    [approving, { ...waits, limit: rail }, 'limited'],
    // Money out stands still.
    [approving, { ...waits, limit: stop('frozen') }, 'frozen'],
    [sending, { limit: stop('frozen') }, 'frozen'],
    [sending, { limit: stop('account') }, 'frozen account'],
    [canceling, { limit: stop('frozen') }, canceled],
    // A limit was set since that requires a second person.
    [
      sending,
      { limit: needsSecond, reviewRequired: true },
      'refused PENDING_APPROVAL withdrawal.approval_required',
    ],
    [sending, { limit: needsSecond, decidedBy: requester }, sent],
    [sending, { ...isSent, limit: needsSecond }, 'already'],
    [approving, { ...waits, limit: needsSecond }, approved],
    // It leaves: nobody needs to look any more.
    [sending, { reviewRequired: true }, sent],
  ]
  for (const [ask, given, expected] of cases)
    assert.equal(
      decided(ask, given),
      expected,
      `${ask.event} ${given.status} ${Object.values(given.limit ?? {}).join()}`,
    )
})
