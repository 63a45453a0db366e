// What a schema cannot express about the body of a withdrawal, alone or in a batch, and the answers to one that is not accepted.
import { networkName } from '#/coins/networks.ts'
import { AppError, type FieldFault, type ProblemCode } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { amountToJson } from '#/kernel/money.ts'
import { moneyIsFrozen } from '#/merchants/freeze.ts'
import type { PayoutRouting, PayoutType } from '#/rails/payout-rail.ts'
import { pixKeyTypeOf } from '#/rails/pix/pix-key.ts'
import { checkUrl } from '#/webhooks/guard.ts'
import type { WithdrawalRefusal } from '#/withdrawals/accept.ts'
import type { WithdrawalRequest } from '#/withdrawals/withdrawal.ts'
import { metadataFaults, tooMuch } from './body.ts'
import type { HttpDeps } from './deps.ts'

type Spelled = {
  readonly pixKeyType?: string
  readonly cryptoNetwork?: string
  readonly cryptoCurrency?: string
}

/** Names in their normal form, so that every spelling makes the same body: RANDOM is EVP, bep20 is BSC. */
export function inNormalWords<Order extends Spelled>(
  body: Order,
): Omit<Order, 'pixKeyType'> & Pick<WithdrawalRequest, 'pixKeyType'> {
  const { pixKeyType: _word, ...others } = body
  return {
    ...others,
    ...given({
      pixKeyType: pixKeyTypeOf(body.pixKeyType),
      cryptoNetwork: body.cryptoNetwork === undefined ? undefined : networkName(body.cryptoNetwork),
      cryptoCurrency: body.cryptoCurrency?.toUpperCase(),
    }),
  }
}

/** The fields that each type needs; the first is the destination. */
const needed = {
  PIX: ['pixKey', 'pixKeyType'],
  CRYPTO: ['cryptoAddress'],
  SEPA: ['iban', 'beneficiary'],
} as const satisfies Readonly<Record<PayoutType, readonly string[]>>

/** The faults that a schema cannot express: the fields that each type needs, and the URLs that may be called back. */
export function bodyFaults(
  { webhookPolicy }: HttpDeps,
  mode: Mode,
  request: WithdrawalRequest,
): readonly FieldFault[] {
  const missing = needed[request.type].filter((name) => request[name] === undefined)
  const verdict =
    request.webhookUrl === undefined ? undefined : checkUrl(request.webhookUrl, webhookPolicy[mode])
  return [
    ...missing.map((name) => ({
      pointer: `/${name}`,
      code: 'required',
      message: `is required for ${request.type}`,
    })),
    ...metadataFaults(request.metadata),
    ...(verdict === undefined || verdict.ok ? [] : [{ pointer: '/webhookUrl', ...verdict.fault }]),
  ]
}

export function requireNoFaults(faults: readonly FieldFault[]): void {
  const [first] = faults
  if (first !== undefined)
    throw new AppError('invalid_request', `${first.pointer} ${first.message}.`, { faults })
}

/** The payout rail's answer about the destination. */
export function routingOf(
  { withdrawals }: HttpDeps,
  merchant: { readonly id: MerchantId; readonly mode: Mode },
  request: WithdrawalRequest,
): PayoutRouting {
  const rail = withdrawals.rails.get(request.type)
  const detail = `Withdrawals by ${request.type} are not available here.`
  return (
    rail?.route({ mode: merchant.mode, merchantId: merchant.id, ...request }) ?? {
      ok: false,
      code: 'method_not_available',
      detail,
      pointer: '/type',
    }
  )
}

/** The problems of a request for a withdrawal, alone or in a batch. */
export const requestProblems: readonly ProblemCode[] = [
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
  'provider_unavailable',
]

/** The answer to a withdrawal that was not accepted. */
export function refusalOf(verdict: WithdrawalRefusal, request: WithdrawalRequest): AppError {
  switch (verdict.kind) {
    case 'too_much':
      return tooMuch(verdict.roomMinor)
    case 'frozen':
      return moneyIsFrozen()
    case 'left_before':
      return new AppError(
        'idempotency_conflict',
        'The key made a withdrawal that a restore of the database lost, and its money had left. It is not sent again: see service.restored.',
      )
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
      return insufficient(verdict)
    case 'limited':
      return limited(verdict.limit, pointerOf(request))
  }
}

/** One withdrawal leaves one wallet. Where several together have enough, the answer says so. */
function insufficient({
  missingMinor,
  togetherMinor,
}: WithdrawalRefusal & { kind: 'insufficient_funds' }): AppError {
  const missing = amountToJson(missingMinor)
  const lacks = `The wallet lacks ${missingMinor} of amount and fee.`
  if (togetherMinor === undefined) return new AppError('insufficient_funds', lacks, { extra: { missing } })
  const detail = `${lacks} A withdrawal leaves one wallet; your SPENDABLE wallets hold ${togetherMinor} together. Move money to one of them first, or request one withdrawal from each.`
  return new AppError('insufficient_funds', detail, {
    extra: { missing, together: amountToJson(togetherMinor) },
  })
}

/** The field with the destination. */
export function pointerOf({ type }: Pick<WithdrawalRequest, 'type'>): string {
  return `/${needed[type][0]}`
}

/** The answer to a withdrawal that an operator's limits do not allow. `pointer`: the field with the destination. */
export function limited(
  limit: (WithdrawalRefusal & { kind: 'limited' })['limit'],
  pointer: string,
): AppError {
  if (limit.reason === 'destination')
    return placeRefused('not_listed', 'Only listed destinations are allowed.', pointer)
  if (limit.reason === 'own')
    return placeRefused('own_place', 'Money that is sent there comes back to this service.', pointer)
  const detail = `${limitedWhat[limit.reason]} is limited to ${limit.limitMinor}; ${limit.leftMinor} is left.`
  return new AppError('limit_exceeded', detail, {
    faults: [{ pointer: '/amount', code: 'too_large', message: `is at most ${limit.leftMinor}` }],
    extra: { limit: amountToJson(limit.limitMinor), left: amountToJson(limit.leftMinor) },
  })
}

const limitedWhat = { each: 'One withdrawal', day: 'One day', rail: 'One payment by this rail' } as const

/** `reason`: whether the operator can allow it. */
function placeRefused(reason: 'not_listed' | 'own_place', detail: string, pointer: string): AppError {
  const faults = [{ pointer, code: 'not_allowed', message: detail }]
  return new AppError('destination_not_allowed', detail, { faults, extra: { reason } })
}

function refusal(code: ProblemCode, detail: string, pointer: string): AppError {
  const fault = code === 'invalid_request' ? 'invalid' : 'not_allowed'
  return new AppError(code, detail, { faults: [{ pointer, code: fault, message: detail }] })
}
