// The dispute: the payer, or the payer's bank, wants money back. A record of its own; the payment stays paid.
import type { ConnectionId, DisputeId, MerchantId, PaymentId, WalletId } from '#/kernel/id.ts'
import { jsonInteger, type Currency } from '#/kernel/money.ts'
import type { StateTable } from '#/kernel/state.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Mode } from '#/rails/rail.ts'
import type { EventDraft } from '#/webhooks/event.ts'

export const disputeStatuses = ['OPEN', 'WON', 'LOST'] as const
export type DisputeStatus = (typeof disputeStatuses)[number]

export const disputeKinds = ['CHARGEBACK', 'MED'] as const

/** - OPEN: the money is held. - WON: it is the merchant's again. - LOST: it went back to the payer. */
export const disputeStates: StateTable<DisputeStatus, 'won' | 'lost'> = {
  OPEN: { won: 'WON', lost: 'LOST' },
  WON: {},
  LOST: {},
}

export type Dispute = {
  readonly merchantId: MerchantId
  readonly id: DisputeId
  readonly mode: Mode
  readonly paymentId: PaymentId
  readonly connection: ConnectionId
  /** The provider's names of the dispute, and of the money that it is about. */
  readonly providerRef: string
  readonly paidRef: string
  /** Where the money is held. */
  readonly walletId: WalletId
  readonly kind: (typeof disputeKinds)[number]
  readonly status: DisputeStatus
  /** Whether the provider has taken the money from us. */
  readonly isTaken: boolean
  readonly amountMinor: bigint
  readonly feeMinor: bigint
  readonly currency: Currency
  readonly reason?: string
  readonly evidenceDueAt?: Date
  readonly version: number
  readonly createdAt: Date
  readonly closedAt?: Date
}

/** The dispute as the API shows it: of its GET, of lists, and of webhooks. */
export function disputeRecord(dispute: Dispute): Readonly<Record<string, unknown>> {
  const { reason, evidenceDueAt, closedAt } = dispute
  return {
    id: dispute.id,
    mode: dispute.mode,
    paymentId: dispute.paymentId,
    status: dispute.status,
    kind: dispute.kind,
    amount: jsonInteger(dispute.amountMinor),
    currency: dispute.currency,
    fee: jsonInteger(dispute.feeMinor),
    ...(reason === undefined ? {} : { reason }),
    ...(evidenceDueAt === undefined ? {} : { evidenceDueAt: evidenceDueAt.toISOString() }),
    createdAt: dispute.createdAt.toISOString(),
    ...(closedAt === undefined ? {} : { closedAt: closedAt.toISOString() }),
    version: dispute.version,
  }
}

/** What the merchant is told of a dispute, where the payment's own news go. */
export function disputeEvent(
  type: 'dispute.opened' | 'dispute.won' | 'dispute.lost',
  dispute: Dispute,
  { request: { webhookUrl } }: Pick<Payment, 'request'>,
): EventDraft {
  return {
    merchantId: dispute.merchantId,
    mode: dispute.mode,
    type,
    resourceId: dispute.id,
    data: disputeRecord(dispute),
    ...(webhookUrl === undefined ? {} : { webhookUrl }),
  }
}
