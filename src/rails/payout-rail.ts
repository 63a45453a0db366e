// The interface of every payout rail. It sends money out and reports what became of it; only settlement moves the money in the ledger.
import type { payoutTypes } from '#/contract/withdrawals.ts'
import type { Tx } from '#/db/client.ts'
import type { ProblemCode } from '#/kernel/error.ts'
import type { ConnectionId, MerchantId, RefundId, WithdrawalId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Currency, Money } from '#/kernel/money.ts'
import type { Signal } from './receipt.ts'

/** The ways in which money leaves. */
export type PayoutType = (typeof payoutTypes)[number]

/** The destination that a withdrawal names. */
export type PayoutRequest = {
  readonly mode: Mode
  readonly merchantId: MerchantId
  readonly currency: string
  readonly pixKey?: string
  readonly pixKeyType?: string
  readonly cryptoAddress?: string
  readonly cryptoNetwork?: string
  readonly cryptoCurrency?: string
  readonly iban?: string
  readonly beneficiary?: string
}

/** The destination of a payout, in its normal form. `text` is what lists of allowed destinations contain. */
export type Destination = { readonly text: string; readonly fields: Readonly<Record<string, string>> }

/** The connection and destination of a payout, or why there is none. */
export type PayoutRouting =
  | {
      readonly ok: true
      readonly connection: ConnectionId
      readonly currency: Currency
      readonly destination: Destination
    }
  | { readonly ok: false; readonly code: ProblemCode; readonly detail: string; readonly pointer?: string }

/** A payout on its way to the provider. */
export type PayoutOrder = {
  readonly id: WithdrawalId | RefundId
  readonly merchantId: MerchantId
  /** Our reference, chosen before the first call: the provider's idempotency key. */
  readonly reference: string
  readonly connection: ConnectionId
  readonly amount: Money
  readonly destination: Destination['fields']
  readonly description?: string
  /** When the payout was last sent, or may have been, without an answer that shows whether it was. */
  readonly lastSentAt?: Date
  /** The payout is not sent after this instant: another worker may have claimed it by then. */
  readonly sendBefore?: Date
  /**
   * Whether the money may leave now. Called right before the call to the provider or to our own queue, when certainly nothing was
   * sent before. If it may not, nothing is sent: ProviderError `unavailable`. Absent: it may leave.
   */
  readonly mayLeave?: () => Promise<boolean>
}

/**
 * Those of these withdrawals and refunds that may leave at this moment: the gate of money-out/, asked about what waited in a queue of our own
 * right before it can no longer be taken back, when it gets its nonce or goes into a file of payments.
 */
export type StillLeaving = (tx: Tx, payouts: readonly string[]) => Promise<ReadonlySet<string>>

/** The provider's names of a payout, as far as they are known. */
export type PayoutNames = {
  readonly providerRef?: string
  readonly endToEndId?: string
  readonly txHash?: string
}

/**
 * What a provider reports of a payout.
 * - `sent`: it is under way.
 * - `done`: the recipient has it.
 * - `refused`: it was not paid and will not be.
 * - `returned`: it was paid, and `returned` is the total that has come back.
 */
export type PayoutResult = PayoutNames & {
  /** The exact bytes of the report. */
  readonly evidence: Buffer
} & (
    | { readonly state: 'sent' }
    | { readonly state: 'done' }
    | { readonly state: 'refused'; readonly code: string; readonly message: string }
    | { readonly state: 'returned'; readonly returned: bigint }
  )

/** Where a payout's money leaves from: a balance that a provider holds for us, or our hot wallet on a chain. */
export type PayoutSource =
  /** `account`: the connection that owns the account, when another connection receives the money there. */
  | { readonly at: 'PROVIDER'; readonly account?: ConnectionId }
  | { readonly at: 'CHAIN'; readonly chain: string; readonly token: Currency }

/**
 * For a payout rail whose provider counts in finer units than the ledger. The rail's own tables deduct the units in the
 * transaction that deducts the minor units from the ledger's account, so the two never differ.
 */
export type PayoutUnits = {
  /** These payouts are done. Each is deducted once, even when it is named several times. */
  leave(tx: Tx, payouts: readonly PayoutOrder['id'][]): Promise<void>
}

/** For a payout rail with a queue of its own: the merchant can cancel a payout that still waits there. */
export type PayoutQueue = {
  /**
   * Returns the payouts, out of these, that wait in the queue and have not been started, and locks them: no worker starts them
   * before the transaction ends. Waits for a worker that is just starting one (one statement); that payout is not returned.
   */
  lockWaiting(tx: Tx, payouts: readonly PayoutOrder['id'][]): Promise<ReadonlySet<PayoutOrder['id']>>
  /** Removes these locked payouts from the queue for good. */
  drop(tx: Tx, payouts: readonly PayoutOrder['id'][]): Promise<void>
}

export type PayoutRail = {
  readonly type: PayoutType
  /** Checks the destination and finds the connection. Calls no provider. */
  route(request: PayoutRequest): PayoutRouting
  /**
   * Sends the payout. With `again`, looks up what became of it first, and sends only what was certainly never sent. The same
   * order is always one payout. Throws ProviderError `unavailable` or `unknown`.
   */
  send(order: PayoutOrder, again: boolean): Promise<PayoutResult>
  /** Looks the payout up without sending. Undefined: the provider does not know it. Throws ProviderError. */
  check?(order: PayoutOrder): Promise<PayoutResult | undefined>
  /** Lists what became of a connection's payouts in a span of time, page by page: ends and returns that no check has found. */
  list?(
    connection: ConnectionId,
    span: { readonly from: Date; readonly to: Date },
  ): AsyncIterable<readonly ListedPayout[]>
  /** Its list is made of what was imported here: what our database lost is not in it. Absent: the provider makes the list. */
  readonly listsHere?: true
  /** Returns our references in a callback that may be about payouts: a reason to check them now. */
  hints?(signal: Signal): readonly string[]
  /** The method of its connections, whose credentials only send. Absent: it has no method of its own. */
  readonly connectionMethod?: string
  source(connection: ConnectionId): PayoutSource
  /** Returns the provider's balance of the account that this connection pays from. Throws ProviderError. */
  balance?(connection: ConnectionId): Promise<readonly Money[]>
  readonly units?: PayoutUnits
  /** Absent: every payout passed to `send` is at the provider. */
  readonly queue?: PayoutQueue
}

/** For a rail that sends refunds itself, as payouts. All absent: its provider returns the money. */
export type RefundPayouts = {
  /** The payout type, so that the refund counts towards the limits of such withdrawals. */
  readonly paysOutBy?: PayoutType
  /**
   * Returns where each of these pieces came from, as a destination in its normal form, by the piece's `paidRef`. A piece with an
   * unknown sender is left out.
   */
  sendersOf?(
    tx: Tx,
    pieces: readonly { readonly connection: ConnectionId; readonly paidRef: string }[],
  ): Promise<ReadonlyMap<string, Destination>>
  /** Returns the refunds, out of these, that the rail's own tables have and may still pay. */
  mayStillPay?(tx: Tx, refunds: readonly RefundId[]): Promise<ReadonlySet<RefundId>>
}

/** A payout in a provider's list, by our reference, with its whole amount. */
export type ListedPayout = {
  readonly reference: string
  readonly amount: Money
  readonly result: PayoutResult
  /** When it was requested, by the provider's clock. Absent: it does not say. */
  readonly requestedAt?: Date
}

export type PayoutRails = ReadonlyMap<PayoutType, PayoutRail>
