// Withdrawals: create, approve, reject, cancel, read.
import { Type as T } from 'typebox'
import { withdrawal, withdrawalRequest, withdrawalStatus, withdrawalType } from '#/contract/withdrawals.ts'
import { listOf } from '#/contract/words.ts'
import { must } from '#/kernel/check.ts'
import { currentContext } from '#/kernel/context.ts'
import { AppError, noSuch, existing } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId, type WithdrawalBatchId, type WithdrawalId } from '#/kernel/id.ts'
import { differences } from '#/kernel/same-call.ts'
import { uuid } from '#/kernel/schema.ts'
import { moneyIsFrozen } from '#/merchants/freeze.ts'
import { noSecondPerson } from '#/merchants/lineage.ts'
import { stays } from '#/people/concern.ts'
import type { DecisionItem, DecisionVerdict } from '#/withdrawals/decide.ts'
import { findWithdrawals } from '#/withdrawals/find.ts'
import { listWithdrawals } from '#/withdrawals/list-queries.ts'
import type { WithdrawalVerdict } from '#/withdrawals/request.ts'
import { withdrawalRecord } from '#/withdrawals/withdrawal.ts'
import { idempotencyKeyOf, requireCapitals } from './body.ts'
import type { HttpDeps } from './deps.ts'
import * as examples from './example-records.ts'
import { findWithdrawalsBy, readWithdrawalFoundBy } from './find-query.ts'
import {
  ofCurrency,
  pageSize,
  pageTo,
  paging,
  queryOf,
  readLastId,
  readSpan,
  span,
  lowered,
} from './query.ts'
import { route, type Audited, type Call, type Route } from './route.ts'
import {
  bodyFaults,
  limited,
  pointerOf,
  refusalOf,
  requestProblems,
  requireNoFaults,
  routingOf,
  inNormalWords,
} from './withdrawal-body.ts'

const create = route({
  route: 'POST /v1/withdrawals',
  scope: 'withdrawals:write',
  audit: {
    action: 'withdrawal.create',
    subjectOf: (_call, verdict: WithdrawalVerdict) =>
      verdict.kind === 'created' ? `withdrawal:${verdict.withdrawal.id}` : undefined,
  },
  starts: 'withdrawal',
  concern: 'money',
  operationId: 'createWithdrawal',
  reviewedAs: 'reviewWithdrawal',
  summary: 'Take money out of a wallet',
  description:
    'The amount and its fee are held at once and leave when the recipient has the money. Without a walletId: the default wallet if it covers both, else the oldest spendable one that does. The same idempotencyKey with the same body returns the same withdrawal again.',
  status: 201,
  answer: withdrawal,
  example: examples.pendingWithdrawal,
  headers: { 'Idempotent-Replayed': '`true` when the key made this withdrawal before.' },
  problems: requestProblems,
  body: withdrawalRequest,
  exampleBody: {
    type: 'PIX',
    amount: 20000,
    currency: 'BRL',
    pixKey: 'ana@example.com',
    pixKeyType: 'EMAIL',
    metadata: { invoice: '77' },
    idempotencyKey: 'invoice-77',
  },
  async handle(deps, call, audited) {
    const { merchant, keyId, body } = call
    const key = idempotencyKeyOf(call)
    const { idempotencyKey: _key, ...sent } = body
    const request = inNormalWords(sent)
    requireNoFaults(bodyFaults(deps, merchant.mode, request))
    requireCapitals(request.currency)
    const item = {
      merchantId: merchant.id,
      mode: merchant.mode,
      id: newId<'withdrawal'>(),
      request,
      requestedBy: keyId,
      trace: currentContext().trace,
      routing: routingOf(deps, merchant, request),
      ...given({ idempotencyKey: key }),
    }
    const verdict = await deps.lane.submit(deps.withdrawals.kind, item, audited)
    if (verdict.kind === 'conflict') {
      const detail = `The key made withdrawal ${verdict.withdrawal.id} with another body.`
      const faults = differences(verdict.withdrawal.request, request)
      throw new AppError('idempotency_conflict', detail, { faults })
    }
    if (verdict.kind !== 'created' && verdict.kind !== 'replayed') throw refusalOf(verdict, request)
    deps.withdrawals.onReady?.()
    return { record: withdrawalRecord(verdict.withdrawal), isReplayed: verdict.kind === 'replayed' }
  },
})

const get = route({
  route: 'GET /v1/withdrawals/{id}',
  scope: 'withdrawals:read',
  operationId: 'getWithdrawal',
  summary: 'Get a withdrawal',
  description: 'As it stands now. A withdrawal that is PROCESSING may have reached its recipient already.',
  answer: withdrawal,
  example: examples.withdrawal,
  async handle({ sql }, { merchant, id }) {
    const [found] = await listWithdrawals(sql, merchant.id, { id: id as WithdrawalId, limit: 1 })
    return { record: withdrawalRecord(existing(found, 'withdrawal')) }
  },
})

const list = route({
  route: 'GET /v1/withdrawals',
  scope: 'withdrawals:read',
  operationId: 'listWithdrawals',
  summary: 'List withdrawals, newest first',
  description:
    'The withdrawals of all wallets. `from` and `to` filter by when the withdrawal was requested. All filters that are given must fit; pages and metadata keys are as in the list of payments.',
  answer: listOf(withdrawal),
  example: { data: [examples.withdrawal] },
  problems: ['invalid_state'],
  query: queryOf({
    ...paging,
    ...span,
    status: T.Optional(withdrawalStatus),
    type: T.Optional(withdrawalType),
    currency: ofCurrency,
    batchId: T.Optional(uuid('Only those of this batch.')),
    ...findWithdrawalsBy,
  }),
  async handle({ sql }, { merchant, query }) {
    const { status, type, currency, batchId, cursor, limit = pageSize } = query
    const before = readLastId(cursor)
    const page = await findWithdrawals(sql, merchant.id, {
      ...given({ status, type, currency, batchId: lowered<WithdrawalBatchId>(batchId), before }),
      ...readSpan(query),
      ...readWithdrawalFoundBy(query),
      limit,
    })
    return { record: pageTo(page, withdrawalRecord) }
  },
})

const cancel = route({
  route: 'POST /v1/withdrawals/{id}/cancel',
  scope: 'withdrawals:write',
  audit: { action: 'withdrawal.cancel', subjectOf: ({ id }) => `withdrawal:${id}` },
  starts: 'ending',
  concern: stays,
  operationId: 'cancelWithdrawal',
  summary: 'Cancel a withdrawal that was not sent yet',
  description:
    'Canceling again returns the same. What was held is in the wallet again. After the operator restored the database, nothing is canceled until it is known what had left.',
  answer: withdrawal,
  example: { ...examples.pendingWithdrawal, status: 'CANCELED', version: 2 },
  problems: ['frozen', 'invalid_state'],
  handle: (deps, call, audited) => decide(deps, call, { event: 'canceled' }, audited),
})

const approve = route({
  route: 'POST /v1/withdrawals/{id}/approve',
  scope: 'withdrawals:approve',
  audit: 'ITSELF',
  starts: 'withdrawal',
  concern: 'money',
  operationId: 'approveWithdrawal',
  summary: 'Approve a withdrawal',
  description:
    'Not with the key that requested it, nor with another key of the same person or lineage. Limits and listed destinations are checked again, as they are now.',
  answer: withdrawal,
  example: { ...examples.pendingWithdrawal, version: 2 },
  problems: ['frozen', 'invalid_state', 'destination_not_allowed', 'limit_exceeded'],
  handle: (deps, call) => decide(deps, call, { event: 'approved', by: call.keyId, origin: call.origin }),
})

const reject = route({
  route: 'POST /v1/withdrawals/{id}/reject',
  scope: 'withdrawals:approve',
  audit: 'ITSELF',
  starts: 'ending',
  concern: stays,
  operationId: 'rejectWithdrawal',
  summary: 'Reject a withdrawal that waits for approval',
  description:
    'Not with the key that requested it, nor with another key of the same person or lineage. The withdrawal is CANCELED, and what was held is in the wallet again.',
  answer: withdrawal,
  example: { ...examples.pendingWithdrawal, status: 'CANCELED', version: 2 },
  problems: ['frozen', 'invalid_state'],
  handle: (deps, call) => decide(deps, call, { event: 'rejected', by: call.keyId, origin: call.origin }),
})

type Decision = DecisionItem extends infer Item
  ? Item extends DecisionItem
    ? Omit<Item, 'id' | 'merchantId'>
    : never
  : never

async function decide(
  deps: HttpDeps,
  { merchant, id }: Call<unknown, unknown>,
  decision: Decision,
  audited?: Audited,
) {
  const item = { ...decision, id: id as WithdrawalId, merchantId: merchant.id } as DecisionItem
  const verdict: DecisionVerdict = await deps.lane.submit(deps.withdrawals.decisionKind, item, audited)
  if (verdict.kind === 'not_found') throw noSuch('withdrawal')
  if (verdict.kind === 'objected') throw noSecondPerson(verdict.objection)
  if (verdict.kind === 'frozen') throw moneyIsFrozen()
  if (verdict.kind === 'limited') throw limited(verdict.limit, pointerOf(verdict.withdrawal.request))
  const { withdrawal: found } = verdict
  if (verdict.kind === 'refused') {
    throw new AppError('invalid_state', `The withdrawal is ${found.status}.`, {
      extra: { withdrawalStatus: found.status },
    })
  }
  if (found.status === 'PENDING') deps.withdrawals.onReady?.()
  return { record: withdrawalRecord(must(found, 'a decided withdrawal')) }
}

export const withdrawalRoutes: readonly Route[] = [create, list, get, cancel, approve, reject]
