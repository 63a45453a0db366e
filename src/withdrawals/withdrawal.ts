// The withdrawal: money that leaves at a merchant's request. A table has its states. The amount is held from the acceptance on,
// and posted when the end is known.
import { recordOf, type Of, type Sent } from '#/contract/record.ts'
import type {
  pixKeyTypes,
  withdrawal as shown,
  withdrawalRequest,
  withdrawalStatuses,
  batchStatuses,
  listedBatch,
  withdrawalBatch,
} from '#/contract/withdrawals.ts'
import { given } from '#/kernel/given.ts'
import type {
  ApiKeyId,
  ConnectionId,
  MerchantId,
  PayoutScheduleId,
  WalletId,
  WithdrawalBatchId,
  WithdrawalId,
} from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { amountToJson, type Currency } from '#/kernel/money.ts'
import type { StateTable } from '#/kernel/state.ts'
import type { Destination, PayoutType } from '#/rails/payout-rail.ts'
import type { EventDraft, EventType } from '#/webhooks/event.ts'

export type WithdrawalStatus = (typeof withdrawalStatuses)[number]

export type WithdrawalEvent = 'approval_required' | 'approved' | 'canceled' | 'sending' | 'done' | 'refused'

/**
 * - PENDING: the money is held, nothing was sent.
 * - PENDING_APPROVAL: the money is held until a second person decides.
 * - PROCESSING: sent to the provider, and the end is not known; a call without a result stays here. It can be canceled from
 *   here only while it waits in a queue of our own.
 * - COMPLETED: the recipient has the money; what is returned afterwards is a credit of its own.
 * - FAILED: it was refused.
 * - CANCELED: by the merchant, before anything was sent.
 *
 * A report that it was paid always counts: from any end, the withdrawal becomes COMPLETED.
 */
export const withdrawalStates: StateTable<WithdrawalStatus, WithdrawalEvent> = {
  PENDING: { sending: 'PROCESSING', approval_required: 'PENDING_APPROVAL', canceled: 'CANCELED' },
  PENDING_APPROVAL: { approved: 'PENDING', canceled: 'CANCELED' },
  PROCESSING: { done: 'COMPLETED', refused: 'FAILED', canceled: 'CANCELED' },
  COMPLETED: {},
  FAILED: { done: 'COMPLETED' },
  CANCELED: { done: 'COMPLETED' },
}

/** Nothing is sent any more. What was paid may still be returned, and what was refused may turn out to be paid. */
export function isEnded({ status }: Pick<Withdrawal, 'status'>): boolean {
  return status === 'COMPLETED' || status === 'FAILED' || status === 'CANCELED'
}

/** A creation, as the merchant sent it; a key of type RANDOM is an EVP. */
export type WithdrawalRequest = Omit<Sent<typeof withdrawalRequest>, 'idempotencyKey' | 'pixKeyType'> & {
  readonly pixKeyType?: (typeof pixKeyTypes)[number]
}

export type Withdrawal = {
  readonly merchantId: MerchantId
  readonly id: WithdrawalId
  readonly mode: Mode
  readonly type: PayoutType
  readonly status: WithdrawalStatus
  /** What the recipient gets. */
  readonly amountMinor: bigint
  readonly feeMinor: bigint
  readonly currency: Currency
  readonly walletId: WalletId
  readonly connection: ConnectionId
  readonly reference: string
  readonly destination: Destination
  readonly request: WithdrawalRequest
  readonly requestedBy: ApiKeyId
  /** The batch that it is a part of, and its place in it from 0 on. */
  readonly batch?: { readonly id: WithdrawalBatchId; readonly place: number }
  /** The payout schedule that requested it. */
  readonly scheduleId?: PayoutScheduleId
  readonly decidedBy?: ApiKeyId
  readonly providerRef?: string
  readonly endToEndId?: string
  readonly txHash?: string
  readonly failure?: { readonly code: string; readonly message: string }
  readonly returnedMinor: bigint
  readonly reviewRequired: boolean
  readonly version: number
  readonly createdAt: Date
  readonly completedAt?: Date
  /** A person's reason for ending it by hand. */
  readonly note?: string
}

/** The withdrawal as the API shows it: of its GET, of lists, and of webhooks. */
export function withdrawalRecord(withdrawal: Withdrawal): Of<typeof shown> {
  const { request, failure } = withdrawal
  return recordOf<typeof shown>({
    id: withdrawal.id,
    mode: withdrawal.mode,
    type: request.type,
    currency: withdrawal.currency,
    pixKey: request.pixKey,
    pixKeyType: request.pixKeyType,
    cryptoAddress: request.cryptoAddress,
    cryptoNetwork: request.cryptoNetwork,
    cryptoCurrency: request.cryptoCurrency,
    iban: request.iban,
    beneficiary: request.beneficiary,
    description: request.description,
    metadata: request.metadata,
    webhookUrl: request.webhookUrl,
    status: withdrawal.status,
    amount: amountToJson(withdrawal.amountMinor),
    fee: amountToJson(withdrawal.feeMinor),
    totalDebited: amountToJson(withdrawal.amountMinor + withdrawal.feeMinor),
    walletId: withdrawal.walletId,
    batchId: withdrawal.batch?.id,
    payoutScheduleId: withdrawal.scheduleId,
    providerRef: withdrawal.providerRef,
    endToEndId: withdrawal.endToEndId,
    txHash: withdrawal.txHash,
    failureCode: failure?.code,
    failureMessage: failure?.message,
    amountReturned: withdrawal.returnedMinor === 0n ? undefined : amountToJson(withdrawal.returnedMinor),
    reviewRequired: withdrawal.reviewRequired || undefined,
    completedAt: withdrawal.completedAt?.toISOString(),
    createdAt: withdrawal.createdAt.toISOString(),
    version: withdrawal.version,
  })
}

/** The event that a merchant gets about a withdrawal. */
export function withdrawalEvent(
  type: Extract<EventType, `withdrawal.${string}`>,
  withdrawal: Withdrawal,
): EventDraft {
  const { webhookUrl } = withdrawal.request
  return {
    merchantId: withdrawal.merchantId,
    mode: withdrawal.mode,
    type,
    resourceId: withdrawal.id,
    data: withdrawalRecord(withdrawal),
    ...given({ webhookUrl }),
  }
}

// A batch of withdrawals: accepted together or not at all. After that each withdrawal has its own end.

/**
 * - PENDING_APPROVAL: one of its withdrawals waits for a second person.
 * - IN_PROGRESS: the end of one of its withdrawals is not known yet.
 * - ENDED: the ends of all its withdrawals are known.
 */
type BatchStatus = (typeof batchStatuses)[number]

export type WithdrawalBatch = {
  readonly merchantId: MerchantId
  readonly id: WithdrawalBatchId
  readonly idempotencyKey: string
  readonly requestedBy: ApiKeyId
  readonly count: number
  readonly createdAt: Date
}

/** The withdrawals of a batch in one state and currency. */
export type BatchPart = {
  readonly status: WithdrawalStatus
  readonly currency: Currency
  readonly count: number
  readonly amountMinor: bigint
  readonly feeMinor: bigint
}

/** The parts of a batch of these withdrawals, in the order of `selectProgress`. */
export function partsOf(withdrawals: readonly Withdrawal[]): readonly BatchPart[] {
  const groups = Map.groupBy(withdrawals, ({ status, currency }) => `${status}/${currency}`)
  return [...groups.entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, all]) =>
      all.slice(0, 1).map(({ status, currency }) => ({
        status,
        currency,
        count: all.length,
        amountMinor: all.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
        feeMinor: all.reduce((sum, { feeMinor }) => sum + feeMinor, 0n),
      })),
    )
}

function batchStatus(statuses: readonly WithdrawalStatus[]): BatchStatus {
  if (statuses.includes('PENDING_APPROVAL')) return 'PENDING_APPROVAL'
  return statuses.every((status) => isEnded({ status })) ? 'ENDED' : 'IN_PROGRESS'
}

/** The batch as the API shows it. `statuses`: those that a withdrawal of it has now. */
export function batchRecord(
  { id, idempotencyKey, count, createdAt }: WithdrawalBatch,
  statuses: readonly WithdrawalStatus[],
): Of<typeof listedBatch> {
  return { id, status: batchStatus(statuses), count, idempotencyKey, createdAt: createdAt.toISOString() }
}

/** The same with how far it is: counts and sums of each state. */
export function batchProgressRecord(
  batch: WithdrawalBatch,
  parts: readonly BatchPart[],
): Of<typeof withdrawalBatch> {
  return {
    ...batchRecord(
      batch,
      parts.map(({ status }) => status),
    ),
    progress: parts.map(({ status, currency, count, amountMinor, feeMinor }) => ({
      status,
      currency,
      count,
      amount: amountToJson(amountMinor),
      fee: amountToJson(feeMinor),
    })),
  }
}
