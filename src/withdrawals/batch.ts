// A batch of withdrawals: accepted together or not at all. After that each withdrawal has its own end.
import type { Of } from '#/contract/record.ts'
import type { batchStatuses, listedBatch, withdrawalBatch } from '#/contract/withdrawals.ts'
import type { ApiKeyId, MerchantId, WithdrawalBatchId } from '#/kernel/id.ts'
import { amountToJson, type Currency } from '#/kernel/money.ts'
import { isEnded, type WithdrawalStatus } from './withdrawal.ts'

/**
 * - PENDING_APPROVAL: one of its withdrawals waits for a second person.
 * - IN_PROGRESS: the end of one of its withdrawals is not known yet.
 * - ENDED: the ends of all its withdrawals are known.
 */
export type BatchStatus = (typeof batchStatuses)[number]

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
