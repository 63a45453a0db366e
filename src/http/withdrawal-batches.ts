// Batches of withdrawals: accepted together or not at all, approved as one; then each has its own end.
import { batchRequest, listedBatch, withdrawalBatch } from '#/contract/withdrawals.ts'
import { listOf } from '#/contract/words.ts'
import { currentContext } from '#/kernel/context.ts'
import { AppError, type FieldFault, noSuch, existing } from '#/kernel/error.ts'
import { newId, type WithdrawalBatchId } from '#/kernel/id.ts'
import { moneyIsFrozen } from '#/merchants/freeze.ts'
import { noSecondPerson } from '#/merchants/lineage.ts'
import { stays } from '#/people/concern.ts'
import type { BatchDecisionItem } from '#/withdrawals/decide-batch.ts'
import { listBatches, selectBatch, selectProgress } from '#/withdrawals/queries.ts'
import type { BatchVerdict } from '#/withdrawals/request-batch.ts'
import {
  batchProgressRecord,
  batchRecord,
  partsOf,
  type WithdrawalRequest,
} from '#/withdrawals/withdrawal.ts'
import { idempotencyKeyOf, requireCapitals } from './body.ts'
import type { HttpDeps } from './deps.ts'
import * as examples from './example-records.ts'
import { paging, queryOf, readSpan, span, pageBefore } from './query.ts'
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
import { csvExample, csvType, readWithdrawalCsv } from './withdrawal-csv.ts'

const create = route({
  route: 'POST /v1/withdrawal-batches',
  scope: 'withdrawals:write',
  audit: {
    action: 'withdrawal_batch.create',
    subjectOf: (_call, verdict: BatchVerdict) =>
      verdict.kind === 'created' ? `withdrawal_batch:${verdict.batch.id}` : undefined,
  },
  starts: 'withdrawal',
  concern: 'money',
  operationId: 'createWithdrawalBatch',
  reviewedAs: 'reviewWithdrawalBatch',
  summary: 'Take money out in up to 1,000 withdrawals',
  description:
    'All are accepted, and their amounts and fees held, or none is: the faults of every withdrawal are listed. Then each has its own end. When one needs approval, or all of one type and currency together are above the amount from which approval is needed, the batch waits for it as one. The same key with the same withdrawals returns the same batch again.',
  status: 201,
  answer: withdrawalBatch,
  example: examples.withdrawalBatchProgress,
  headers: { 'Idempotent-Replayed': '`true` when the key made this batch before.' },
  problems: requestProblems,
  body: batchRequest,
  exampleBody: {
    idempotencyKey: 'suppliers-2026-11',
    withdrawals: [
      { type: 'PIX', amount: 5000, currency: 'BRL', pixKey: 'ana@example.com', pixKeyType: 'EMAIL' },
      { type: 'PIX', amount: 7500, currency: 'BRL', pixKey: '+5511987654321', pixKeyType: 'PHONE' },
    ],
  },
  reads: {
    type: csvType,
    description:
      'One row for each withdrawal, with the names of the fields in the first row. A column `metadata.x` is a field of the metadata. Cells are separated by commas or semicolons; `amountDecimal` may stand for `amount`: `50.00`, or `50,00` between semicolons. The key comes in the header.',
    example: csvExample,
    read: readWithdrawalCsv,
  },
  bodyBytesMax: 1_048_576,
  async handle(deps, call, audited) {
    const { merchant, keyId, body } = call
    const idempotencyKey = requireKey(call)
    const requests = body.withdrawals.map(inNormalWords)
    requireNoFaults(requests.flatMap((each, place) => at(place, bodyFaults(deps, merchant.mode, each))))
    for (const { currency } of requests) requireCapitals(currency)
    const item = {
      merchantId: merchant.id,
      mode: merchant.mode,
      id: newId<'withdrawal-batch'>(),
      idempotencyKey,
      requestedBy: keyId,
      trace: currentContext().trace,
      withdrawals: requests.map((request) => ({
        id: newId<'withdrawal'>(),
        request,
        routing: routingOf(deps, merchant, request),
      })),
    }
    const verdict = await deps.lane.submit(deps.withdrawals.batchKind, item, audited)
    if (verdict.kind === 'refused') throw refusalOfBatch(verdict, requests)
    if (verdict.kind === 'conflict') {
      const detail = `The key made batch ${verdict.batch.id} with other withdrawals.`
      throw new AppError('idempotency_conflict', detail)
    }
    if (verdict.kind === 'replayed')
      return { ...(await progressOf(deps, call, verdict.batch.id)), isReplayed: true }
    deps.withdrawals.onReady?.()
    return { record: batchProgressRecord(verdict.batch, partsOf(verdict.withdrawals)) }
  },
})

/** Without a key a batch whose answer is lost could be paid twice. */
function requireKey(call: Parameters<typeof idempotencyKeyOf>[0]): string {
  const key = idempotencyKeyOf(call)
  if (key !== undefined) return key
  const fault = { pointer: '/idempotencyKey', code: 'required', message: 'is required' }
  throw new AppError('invalid_request', 'A batch needs an idempotencyKey, in the body or the header.', {
    faults: [fault],
  })
}

/** Faults of the withdrawal at this place, with pointers from the top of the body. */
function at(place: number, faults: readonly FieldFault[]): readonly FieldFault[] {
  return faults.map((fault) => ({ ...fault, pointer: `/withdrawals/${place}${fault.pointer}` }))
}

/** The problem of the first withdrawal that is not accepted, with the faults of all of them. */
function refusalOfBatch(
  { places }: BatchVerdict & { kind: 'refused' },
  requests: readonly WithdrawalRequest[],
): AppError {
  const refusals = places.flatMap(({ place, refusal }) => {
    const request = requests[place]
    return request === undefined ? [] : [{ place, error: refusalOf(refusal, request) }]
  })
  const [first] = refusals
  if (first === undefined) return new AppError('internal', 'A batch was refused without a reason.')
  const faults = refusals.flatMap(({ place, error }) => {
    const reasons =
      error.faults.length > 0 ? error.faults : [{ pointer: '', code: error.code, message: error.message }]
    return at(place, reasons)
  })
  return new AppError(first.error.code, `Withdrawal ${first.place} of the batch: ${first.error.message}`, {
    faults,
  })
}

async function progressOf({ sql }: HttpDeps, { merchant }: Call<unknown, unknown>, id: WithdrawalBatchId) {
  const [batch, parts] = await Promise.all([
    selectBatch(sql, merchant.id, id),
    selectProgress(sql, merchant.id, id),
  ])
  return { record: batchProgressRecord(existing(batch, 'batch of withdrawals'), parts) }
}

const get = route({
  route: 'GET /v1/withdrawal-batches/{id}',
  scope: 'withdrawals:read',
  operationId: 'getWithdrawalBatch',
  summary: 'Get a batch of withdrawals, and how far it is',
  description: 'Its withdrawals: `GET /v1/withdrawals?batchId=`.',
  answer: withdrawalBatch,
  example: examples.withdrawalBatchProgress,
  handle: (deps, call) => progressOf(deps, call, call.id as WithdrawalBatchId),
})

const list = route({
  route: 'GET /v1/withdrawal-batches',
  scope: 'withdrawals:read',
  operationId: 'listWithdrawalBatches',
  summary: 'List batches of withdrawals, newest first',
  description: '`from` and `to` filter by when the batch was requested.',
  answer: listOf(listedBatch),
  example: { data: [examples.withdrawalBatch] },
  query: queryOf({ ...paging, ...span }),
  handle: async ({ sql }, { merchant, query }) => ({
    record: await pageBefore(
      query,
      (page) => listBatches(sql, merchant.id, { ...page, ...readSpan(query) }),
      (batch) => batchRecord(batch, batch.statuses),
    ),
  }),
})

const cancel = route({
  route: 'POST /v1/withdrawal-batches/{id}/cancel',
  scope: 'withdrawals:write',
  audit: { action: 'withdrawal_batch.cancel', subjectOf: ({ id }) => `withdrawal_batch:${id}` },
  starts: 'ending',
  concern: stays,
  operationId: 'cancelWithdrawalBatch',
  summary: 'Cancel the withdrawals of a batch that were not sent yet',
  description: 'What was held for them is in the wallets again. Those that were sent keep their own end.',
  answer: withdrawalBatch,
  example: examples.withdrawalBatchProgress,
  problems: ['frozen', 'invalid_state'],
  handle: (deps, call, audited) => decide(deps, call, { event: 'canceled' }, audited),
})

const approve = route({
  route: 'POST /v1/withdrawal-batches/{id}/approve',
  scope: 'withdrawals:approve',
  audit: 'ITSELF',
  starts: 'withdrawal',
  concern: 'money',
  operationId: 'approveWithdrawalBatch',
  summary: 'Approve a batch of withdrawals',
  description:
    'All of it that waits, or nothing: limits and listed destinations are checked again, as they are now. Not with the key that requested it.',
  answer: withdrawalBatch,
  example: examples.withdrawalBatchProgress,
  problems: ['frozen', 'invalid_state', 'destination_not_allowed', 'limit_exceeded'],
  handle: (deps, call) => decide(deps, call, { event: 'approved', by: call.keyId, origin: call.origin }),
})

const reject = route({
  route: 'POST /v1/withdrawal-batches/{id}/reject',
  scope: 'withdrawals:approve',
  audit: 'ITSELF',
  starts: 'ending',
  concern: stays,
  operationId: 'rejectWithdrawalBatch',
  summary: 'Reject a batch of withdrawals that waits for approval',
  description: 'All of it that waits is CANCELED, and what was held is in the wallets again.',
  answer: withdrawalBatch,
  example: examples.withdrawalBatchProgress,
  problems: ['frozen', 'invalid_state'],
  handle: (deps, call) => decide(deps, call, { event: 'rejected', by: call.keyId, origin: call.origin }),
})

type Decision = BatchDecisionItem extends infer Item
  ? Item extends BatchDecisionItem
    ? Omit<Item, 'id' | 'merchantId'>
    : never
  : never

async function decide(deps: HttpDeps, call: Call<unknown, unknown>, decision: Decision, audited?: Audited) {
  const id = call.id as WithdrawalBatchId
  const item = { ...decision, id, merchantId: call.merchant.id } as BatchDecisionItem
  const verdict = await deps.lane.submit(deps.withdrawals.batchDecisionKind, item, audited)
  if (verdict.kind === 'not_found') throw noSuch('batch of withdrawals')
  if (verdict.kind === 'refused')
    throw new AppError('invalid_state', 'No withdrawal of the batch is in a state for this.')
  if (verdict.kind === 'obstructed') {
    const { verdict: obstacle } = verdict
    if (obstacle.kind === 'objected') throw noSecondPerson(obstacle.objection)
    if (obstacle.kind === 'frozen') throw moneyIsFrozen()
    throw limited(obstacle.limit, pointerOf(obstacle.withdrawal.request))
  }
  if (decision.event === 'approved') deps.withdrawals.onReady?.()
  return progressOf(deps, call, id)
}

export const withdrawalBatchRoutes: readonly Route[] = [create, list, get, cancel, approve, reject]
