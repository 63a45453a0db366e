// The words of rails: a method, an attempt at a payment, its receipts and signals, and the connection to a provider.
import type { captureModes, methods } from '#/contract/words.ts'
import type { AttemptId, ConnectionId, MerchantId, PaymentId, RefundId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Money } from '#/kernel/money.ts'

export type Method = (typeof methods)[number]

/**
 * What a method may need of its payer before it can be opened.
 * - `address`: with region and postcode.
 * - `iban`: the account to be debited, with the mandate that its holder accepts on our page. No merchant can give it.
 */
export const payerNeeds = ['name', 'email', 'phone', 'taxId', 'address', 'iban'] as const
export type PayerNeed = (typeof payerNeeds)[number]

/** When and from where a payer accepted a mandate to debit an account. The scheme asks for it when the payer denies it later. */
export type Mandate = {
  /** ISO 8601. */
  readonly acceptedAt: string
  readonly ip: string
  readonly userAgent: string
}

/** What the payer takes to a bank, by method: entity and reference, or a line with its bar code. All of it is verified. */
export type Voucher = {
  readonly entity?: string
  readonly reference?: string
  readonly line?: string
  readonly barcode?: string
  readonly pdfUrl?: string
}

/** One method tried for one payment. Its id is our reference at the provider, chosen before the first call. */
export type Attempt = {
  readonly id: AttemptId
  readonly merchantId: MerchantId
  readonly paymentId: PaymentId
  readonly method: Method
  readonly connection: ConnectionId
  readonly amount: Money
}

/** An attempt as it is shown: its artifacts, the provider's names of the money that came, and the means in the latest receipt. */
export type ShownAttempt = {
  readonly id: AttemptId
  readonly artifacts?: Readonly<Record<string, unknown>>
  readonly paidRefs: readonly string[]
  readonly means?: Readonly<Record<string, unknown>>
}

/**
 * Writes down, outside of the database, an attempt that is about to be payable. Resolves when that is on the disk. `name`: the
 * provider's name of the attempt. Throws AppError `unavailable`: then nothing may be handed out.
 */
export type Issue = (attempt: Attempt, name?: string) => Promise<void>

/**
 * What a provider or chain reports of an attempt.
 * - `seen`, `orphaned`: money on its way, not final, and its disappearance. `authorised`, `voided`: the same for cards.
 * - `paid`: final.
 * - `declined`: the payer tried and it failed; nothing moves, and the attempt goes on.
 * - `refunded`, `refund_failed`: how a refund of ours ended. `refund_failed` may follow `refunded`: the money came back.
 * - `dispute_opened`: the payer wants the money back.
 * - `dispute_taken`: the provider took it from us.
 * - `dispute_won`, `dispute_lost`: the end, for us or against us.
 */
export const outcomes = [
  'seen',
  'orphaned',
  'authorised',
  'voided',
  'paid',
  'declined',
  'refunded',
  'refund_failed',
  'dispute_opened',
  'dispute_taken',
  'dispute_won',
  'dispute_lost',
] as const
export type Outcome = (typeof outcomes)[number]

/** Counts once: unique by (connection, providerRef, outcome, occurrence). */
export type Receipt = {
  readonly method: Method
  /**
   * The attempt that the receipt belongs to. A provider knows only our reference. Absent: the provider names no reference of ours,
   * so the money is not attributed.
   */
  readonly attempt?: {
    readonly id: AttemptId
    readonly merchantId?: MerchantId
    readonly paymentId?: PaymentId
    /** A restore lost it: the books do not have it, and its money goes to suspense. */
    readonly isLost?: true
  }
  readonly connection: ConnectionId
  /** The provider's name for the money, the refund or the dispute. */
  readonly providerRef: string
  readonly outcome: Outcome
  /** 1 for the first time. The same thing can happen again, as when a block leaves the chain and comes back. */
  readonly occurrence: number
  /** Names the money on its way that this receipt announces (`seen`) or ends (`orphaned`, `paid`). */
  readonly pendingRef?: string
  /** For a refund's outcome: our refund. */
  readonly refund?: RefundId
  /** For a dispute's outcome: the `providerRef` of the disputed money, and why the payer wants it back. */
  readonly dispute?: {
    readonly paidRef: string
    readonly kind: 'CHARGEBACK' | 'MED' | 'RECALL'
    readonly reason?: string
    /** The fee that the provider charges us for it, beyond the amount, and until when it accepts evidence. */
    readonly fee?: bigint
    readonly evidenceDueAt?: Date
  }
  readonly amount: Money
  /** For a capture: the total amount that was authorised. */
  readonly authorised?: Money
  /** What the payer paid with, as the payment's record shows it, such as the brand of a card. */
  readonly means?: Readonly<Record<string, unknown>>
  /** The exact amount in the provider's own units, for a rail that keeps ExactUnits. */
  readonly units?: bigint
  /** When it happened, by the provider's clock. */
  readonly happenedAt: Date
  /** The exact bytes of the report. */
  readonly evidence: Buffer
  /** The hash of the tx on the chain, where there is one. */
  readonly txHash?: string
  /** Why it failed, in our words. The provider's own are in the evidence. */
  readonly failure?: { readonly code: string; readonly message: string }
}

/** Raw bytes from outside (a callback, a block), kept before they are understood. */
export type Signal = {
  readonly connection: ConnectionId
  readonly receivedAt: Date
  readonly body: Buffer
}

export type PaymentRef = { readonly merchantId: MerchantId; readonly paymentId: PaymentId }

/** One arrival of money for a payment, by the provider's name of it. */
export type PieceRef = PaymentRef & { readonly connection: ConnectionId; readonly paidRef: string }

/** Credentials at one provider, decrypted. */
export type ProviderConnection = {
  readonly id: ConnectionId
  readonly mode: Mode
  /** A payment method, or the method of a payout rail. */
  readonly method: string
  /** The provider's profile, such as `bacen` or `efi`. */
  readonly provider: string
  /** Absent: the operator's own, shared by all merchants of its mode. */
  readonly merchantId?: MerchantId
  /** The values that are not secret, in the rail's own form. */
  readonly settings: Readonly<Record<string, unknown>>
  /** The secrets for receiving money. */
  readonly secrets: Readonly<Record<string, unknown>>
  /** The secrets for sending money: refunds. Only a worker can decrypt them. */
  readonly refundSecrets?: Readonly<Record<string, unknown>>
}

/** The connections that are active now. */
export type ConnectionBook = {
  /**
   * Returns the merchant's own connections for the method, oldest first, followed by the shared ones of its mode. Returns none when
   * a connection of the merchant was archived: shared ones do not replace it.
   */
  of(query: {
    readonly method: string
    readonly mode: Mode
    readonly merchantId: MerchantId
  }): readonly ProviderConnection[]
  /** Also returns a connection that accepts no new payments any more: its receipts still count. */
  find(id: ConnectionId): ProviderConnection | undefined
  /** Returns all connections of a method, to scan them for lost callbacks. */
  all(method: string): readonly ProviderConnection[]
}

/** Whether the provider captures an authorised payment at once, or when the merchant requests it. */
export type CaptureMode = (typeof captureModes)[number]

/** A call that has ended: how long it took, and why its answer was of no use. */
export type EndedCall = { readonly ms: number; readonly fault?: string }

/** What counts the calls of a connection. */
export type WatchCalls = (connection: ConnectionId) => (call: EndedCall) => void
