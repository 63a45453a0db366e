// Withdrawals: create, approve, reject, cancel, read.
import { AppError, type ProblemCode } from '#/kernel/error.ts'
import { isUuid, newId, type WithdrawalId } from '#/kernel/id.ts'
import { amountToJson } from '#/kernel/money.ts'
import { differences } from '#/payments/create.ts'
import { must } from '#/kernel/check.ts'
import { moneyIsFrozen } from '#/merchants/freeze.ts'
import { pixKeyTypeOf } from '#/rails/pix/pix-key.ts'
import { checkUrl } from '#/webhooks/guard.ts'
import type { DecisionItem, DecisionVerdict } from '#/withdrawals/decide.ts'
import { listWithdrawals } from '#/withdrawals/list-queries.ts'
import type { WithdrawalVerdict } from '#/withdrawals/request.ts'
import { withdrawalRecord, type WithdrawalRequest } from '#/withdrawals/withdrawal.ts'
import { Type as T } from 'typebox'
import { idempotencyKeyOf, metadataFaults, requireCapitals, tooMuch } from './body.ts'
import type { HttpDeps } from './deps.ts'
import { ofCurrency, pageOf, pageSize, paging, queryOf, readCursor, readSpan, span } from './query.ts'
import { route, type Call, type Route } from './route.ts'
import { emptyRequest, listOf } from './schema-words.ts'
import { withdrawal, withdrawalRequest, withdrawalStatus, withdrawalType } from './withdrawal-schemas.ts'

const create = route({
  method: 'POST',
  path: '/v1/withdrawals',
  scope: 'withdrawals:write',
  operationId: 'createWithdrawal',
  summary: 'Take money out of a wallet',
  description:
    'The amount and its fee are held at once and leave when the recipient has the money. Without a walletId: the default wallet if it covers both, else the oldest spendable one that does. The same idempotencyKey with the same body returns the same withdrawal again.',
  status: 201,
  answer: withdrawal,
  headers: { 'Idempotent-Replayed': '`true` when the key made this withdrawal before.' },
  problems: [
    'not_found',
    'frozen',
    'idempotency_conflict',
    'currency_not_supported',
    'method_not_available',
    'network_not_supported',
    'destination_not_allowed',
    'wallet_not_spendable',
    'insufficient_funds',
    'limit_exceeded',
  ],
  body: withdrawalRequest,
  async handle(deps, call) {
    const { merchant, keyId, body } = call
    const key = idempotencyKeyOf(call)
    const { idempotencyKey: _key, ...sent } = body
    const request = withKeyType(sent)
    checkBody(deps, call.merchant.mode, request)
    requireCapitals(request.currency)
    const rail = deps.withdrawals.rails.get(request.type)
    const detail = `Withdrawals by ${request.type} are not available here.`
    const routing = rail?.route({ mode: merchant.mode, merchantId: merchant.id, ...request }) ?? {
      ok: false,
      code: 'method_not_available',
      detail,
      pointer: '/type',
    }
    const verdict = await deps.lane.submit(deps.withdrawals.kind, {
      merchantId: merchant.id,
      mode: merchant.mode,
      id: newId<'withdrawal'>(),
      request,
      requestedBy: keyId,
      routing,
      ...(key === undefined ? {} : { idempotencyKey: key }),
    })
    if (verdict.kind !== 'created' && verdict.kind !== 'replayed') throw refusalOf(verdict, request)
    deps.withdrawals.onReady?.()
    return {
      record: withdrawalRecord(verdict.withdrawal),
      headers: verdict.kind === 'replayed' ? { 'idempotent-replayed': 'true' } : {},
    }
  },
})

/** RANDOM becomes EVP, so that both make the same body. */
function withKeyType(body: WithdrawalRequest): WithdrawalRequest {
  const type = pixKeyTypeOf(body.pixKeyType)
  return type === undefined ? body : { ...body, pixKeyType: type }
}

/** Checks that a schema cannot express: the fields that each type needs, and the URLs that may be called back. */
function checkBody(
  { webhookPolicy }: HttpDeps,
  mode: keyof HttpDeps['webhookPolicy'],
  request: WithdrawalRequest,
): void {
  const needed = request.type === 'PIX' ? (['pixKey', 'pixKeyType'] as const) : (['cryptoAddress'] as const)
  const missing = needed.filter((name) => request[name] === undefined)
  const verdict =
    request.webhookUrl === undefined ? undefined : checkUrl(request.webhookUrl, webhookPolicy[mode])
  const faults = [
    ...missing.map((name) => ({
      pointer: `/${name}`,
      code: 'required',
      message: `is required for ${request.type}`,
    })),
    ...metadataFaults(request.metadata),
    ...(verdict === undefined || verdict.ok ? [] : [{ pointer: '/webhookUrl', ...verdict.fault }]),
  ]
  const [first] = faults
  if (first !== undefined)
    throw new AppError('invalid_request', `${first.pointer} ${first.message}.`, { faults })
}

type Refused = Exclude<WithdrawalVerdict, { kind: 'created' } | { kind: 'replayed' }>

function refusalOf(verdict: Refused, request: WithdrawalRequest): AppError {
  switch (verdict.kind) {
    case 'conflict': {
      const faults = differences(verdict.withdrawal.request, request)
      const detail = `The key made withdrawal ${verdict.withdrawal.id} with another body.`
      return new AppError('idempotency_conflict', detail, { faults })
    }
    case 'too_much':
      return tooMuch(verdict.roomMinor)
    case 'frozen':
      return moneyIsFrozen()
    case 'not_offered': {
      const { code, detail, pointer = '/type' } = verdict.routing
      return refusal(code, detail, pointer)
    }
    case 'unknown_wallet':
      return refusal('not_found', 'There is no such wallet of this currency.', '/walletId')
    case 'not_spendable':
      return refusal(
        'wallet_not_spendable',
        'Withdrawals leave from an active SPENDABLE wallet.',
        '/walletId',
      )
    case 'insufficient_funds':
      return new AppError(
        'insufficient_funds',
        `The wallet lacks ${verdict.missingMinor} of amount and fee.`,
        {
          extra: { missing: amountToJson(verdict.missingMinor) },
        },
      )
    case 'limited':
      return limited(verdict.limit, pointerOf(request))
  }
}

/** The field with the destination. */
function pointerOf({ type }: Pick<WithdrawalRequest, 'type'>): string {
  return type === 'PIX' ? '/pixKey' : '/cryptoAddress'
}

/** The answer to a withdrawal that an operator's limits do not allow. `pointer`: the field with the destination. */
export function limited(limit: (Refused & { kind: 'limited' })['limit'], pointer: string): AppError {
  if (limit.reason === 'destination')
    return refusal('destination_not_allowed', 'Only listed destinations are allowed.', pointer)
  const what = limit.reason === 'each' ? 'One withdrawal' : 'One day'
  const detail = `${what} is limited to ${limit.limitMinor}; ${limit.leftMinor} is left.`
  return new AppError('limit_exceeded', detail, {
    faults: [{ pointer: '/amount', code: 'too_large', message: `is at most ${limit.leftMinor}` }],
    extra: { limit: amountToJson(limit.limitMinor), left: amountToJson(limit.leftMinor) },
  })
}

function refusal(code: ProblemCode, detail: string, pointer: string): AppError {
  const fault = code === 'invalid_request' ? 'invalid' : 'not_allowed'
  return new AppError(code, detail, { faults: [{ pointer, code: fault, message: detail }] })
}

const get = route({
  method: 'GET',
  path: '/v1/withdrawals/{id}',
  scope: 'withdrawals:read',
  operationId: 'getWithdrawal',
  summary: 'Get a withdrawal',
  description: 'As it stands now. A withdrawal that is PROCESSING may have reached its recipient already.',
  status: 200,
  answer: withdrawal,
  async handle({ sql }, { merchant, id }) {
    const [found] = await listWithdrawals(sql, merchant.id, { id: id as WithdrawalId, limit: 1 })
    if (found === undefined) throw unknownWithdrawal()
    return { record: withdrawalRecord(found) }
  },
})

const list = route({
  method: 'GET',
  path: '/v1/withdrawals',
  scope: 'withdrawals:read',
  operationId: 'listWithdrawals',
  summary: 'List withdrawals, newest first',
  description: 'The withdrawals of all wallets. `from` and `to` filter by when the withdrawal was requested.',
  status: 200,
  answer: listOf(withdrawal),
  query: queryOf({
    ...paging,
    ...span,
    status: T.Optional(withdrawalStatus),
    type: T.Optional(withdrawalType),
    currency: ofCurrency,
  }),
  async handle({ sql }, { merchant, query }) {
    const { status, type, currency, cursor, limit = pageSize } = query
    const [before] = cursor === undefined ? [] : readCursor(cursor, isUuid)
    const found = await listWithdrawals(sql, merchant.id, {
      ...(status === undefined ? {} : { status }),
      ...(type === undefined ? {} : { type }),
      ...(currency === undefined ? {} : { currency }),
      ...(before === undefined ? {} : { before: before as WithdrawalId }),
      ...readSpan(query),
      limit: limit + 1,
    })
    return { record: pageOf(found, limit, withdrawalRecord) }
  },
})

const cancel = route({
  method: 'POST',
  path: '/v1/withdrawals/{id}/cancel',
  scope: 'withdrawals:write',
  operationId: 'cancelWithdrawal',
  summary: 'Cancel a withdrawal that was not sent yet',
  description: 'Canceling again returns the same. What was held is in the wallet again.',
  status: 200,
  answer: withdrawal,
  problems: ['invalid_state'],
  body: emptyRequest('CancelWithdrawalRequest'),
  bodyOptional: true,
  handle: (deps, call) => decide(deps, call, { event: 'canceled' }),
})

const approve = route({
  method: 'POST',
  path: '/v1/withdrawals/{id}/approve',
  scope: 'withdrawals:approve',
  operationId: 'approveWithdrawal',
  summary: 'Approve a withdrawal',
  description:
    'Not with the key that requested it, nor with another key of its rotations. Limits and listed destinations are checked again, as they are now.',
  status: 200,
  answer: withdrawal,
  problems: ['frozen', 'invalid_state', 'destination_not_allowed', 'limit_exceeded'],
  body: emptyRequest('ApproveWithdrawalRequest'),
  bodyOptional: true,
  handle: (deps, call) => decide(deps, call, { event: 'approved', by: call.keyId }),
})

const reject = route({
  method: 'POST',
  path: '/v1/withdrawals/{id}/reject',
  scope: 'withdrawals:approve',
  operationId: 'rejectWithdrawal',
  summary: 'Reject a withdrawal that waits for approval',
  description:
    'Not with the key that requested it, nor with another key of its rotations. The withdrawal is CANCELED, and what was held is in the wallet again.',
  status: 200,
  answer: withdrawal,
  problems: ['invalid_state'],
  body: emptyRequest('RejectWithdrawalRequest'),
  bodyOptional: true,
  handle: (deps, call) => decide(deps, call, { event: 'rejected', by: call.keyId }),
})

type Decision = DecisionItem extends infer Item
  ? Item extends DecisionItem
    ? Omit<Item, 'id' | 'merchantId'>
    : never
  : never

async function decide(deps: HttpDeps, { merchant, id }: Call<unknown, unknown>, decision: Decision) {
  const item = { ...decision, id: id as WithdrawalId, merchantId: merchant.id } as DecisionItem
  const verdict: DecisionVerdict = await deps.lane.submit(deps.withdrawals.decisionKind, item)
  if (verdict.kind === 'not_found') throw unknownWithdrawal()
  if (verdict.kind === 'own_request')
    throw new AppError(
      'forbidden',
      'The key that asked for a withdrawal cannot decide about it, nor can one that came of it by rotation.',
    )
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

function unknownWithdrawal(): AppError {
  return new AppError('not_found', 'There is no such withdrawal.')
}

export const withdrawalRoutes: readonly Route[] = [create, list, get, cancel, approve, reject]
