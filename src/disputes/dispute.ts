// The dispute: the payer, or the payer's bank, claims money back. A record of its own; the payment stays PAID.
import type { dispute as shown, disputeKinds, disputeStatuses } from '#/contract/disputes.ts'
import { recordOf, type Of } from '#/contract/record.ts'
import { given } from '#/kernel/given.ts'
import type { ConnectionId, DisputeId, Id, MerchantId, PaymentId, WalletId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { amountToJson, type Currency } from '#/kernel/money.ts'
import type { StateTable } from '#/kernel/state.ts'
import type { EventDraft } from '#/webhooks/event.ts'

export type DisputeStatus = (typeof disputeStatuses)[number]

/**
 * - OPEN: the money is held.
 * - WON: the money is the merchant's again.
 * - LOST: the money went back to the payer.
 *
 * A LOST dispute may be reinstated. After WON the provider may take the money once more: that is the dispute's next round.
 */
export const disputeStates: StateTable<DisputeStatus, 'won' | 'lost' | 'taken again'> = {
  OPEN: { won: 'WON', lost: 'LOST' },
  WON: { 'taken again': 'OPEN', lost: 'LOST' },
  LOST: { won: 'WON', 'taken again': 'OPEN' },
}

export type Dispute = {
  readonly merchantId: MerchantId
  readonly id: DisputeId
  readonly mode: Mode
  /** The money that it is about: that of a payment, or money that fitted none and was credited to the merchant. One of the two. */
  readonly paymentId?: PaymentId
  readonly unmatchedId?: Id<'unmatched'>
  readonly connection: ConnectionId
  /** The provider's names of the dispute, and of the money that it is about. */
  readonly providerRef: string
  readonly paidRef: string
  /** The wallet in which the money is held. */
  readonly walletId: WalletId
  readonly kind: (typeof disputeKinds)[number]
  readonly status: DisputeStatus
  /** Whether the provider has taken the money from us. */
  readonly isTaken: boolean
  /** Begins with 1, and grows each time the provider takes the money again after it was won. */
  readonly round: number
  readonly amountMinor: bigint
  readonly feeMinor: bigint
  readonly currency: Currency
  readonly reason?: string
  readonly evidenceDueAt?: Date
  readonly version: number
  readonly createdAt: Date
  readonly closedAt?: Date
}

/** The dispute as the API shows it in GET, lists and webhooks. */
export function disputeRecord(dispute: Dispute): Of<typeof shown> {
  return recordOf<typeof shown, 'payment'>({
    id: dispute.id,
    mode: dispute.mode,
    paymentId: dispute.paymentId,
    status: dispute.status,
    kind: dispute.kind,
    amount: amountToJson(dispute.amountMinor),
    currency: dispute.currency,
    fee: amountToJson(dispute.feeMinor),
    reason: dispute.reason,
    evidenceDueAt: dispute.evidenceDueAt?.toISOString(),
    createdAt: dispute.createdAt.toISOString(),
    closedAt: dispute.closedAt?.toISOString(),
    version: dispute.version,
  })
}

/** An event of a dispute. It goes to the payment's webhook URL, if the dispute is about a payment. */
export function disputeEvent(
  type: 'dispute.opened' | 'dispute.won' | 'dispute.lost',
  dispute: Dispute,
  webhookUrl: string | undefined,
): EventDraft {
  return {
    merchantId: dispute.merchantId,
    mode: dispute.mode,
    type,
    resourceId: dispute.id,
    data: disputeRecord(dispute),
    ...given({ webhookUrl }),
  }
}
