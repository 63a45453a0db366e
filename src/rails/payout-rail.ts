// What every rail by which money leaves is. It sends, and says what became of it; only settlement moves the money.
import type { Signal } from './words.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Tx } from '#/db/client.ts'
import type { ProblemCode } from '#/kernel/error.ts'
import type { ConnectionId, MerchantId, RefundId, WithdrawalId } from '#/kernel/id.ts'
import type { Currency, Money } from '#/kernel/money.ts'

/** By what money leaves. */
export const payoutTypes = ['PIX', 'CRYPTO'] as const
export type PayoutType = (typeof payoutTypes)[number]

/** What a withdrawal says of where it goes. */
export type PayoutRequest = {
  readonly mode: Mode
  readonly merchantId: MerchantId
  readonly currency: string
  readonly pixKey?: string
  readonly pixKeyType?: string
  readonly cryptoAddress?: string
  readonly cryptoNetwork?: string
  readonly cryptoCurrency?: string
}

/** Where a payout goes, in its normal form. `text` is what lists of allowed destinations hold. */
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
  /** Ours, chosen before the first call: the provider's idempotency key. */
  readonly reference: string
  readonly connection: ConnectionId
  readonly amount: Money
  readonly destination: Destination['fields']
  readonly description?: string
  /** When it was last sent, or may have been, without an answer that says whether it was. */
  readonly askedAt?: Date
  /** From then on another worker may have taken it over: it is not sent any more. */
  readonly sendBefore?: Date
  /**
   * Whether the money may leave now. Asked right before the provider is, or our own queue, when it is certain that nothing was
   * sent before; if not, nothing is sent: ProviderError `unavailable`. Absent: it may.
   */
  readonly mayLeave?: () => Promise<boolean>
}

/** The provider's names of a payout, as far as they are known. */
export type PayoutNames = {
  readonly providerRef?: string
  readonly endToEndId?: string
  readonly txHash?: string
}

/**
 * What a provider says of a payout. - `sent`: it is under way. - `done`: the recipient has it. - `refused`: it was not and
 * will not be paid. - `returned`: it was paid, and so much of it, in all, has come back.
 */
export type PayoutResult = PayoutNames & {
  /** The exact bytes that say so. */
  readonly evidence: Buffer
} & (
    | { readonly state: 'sent' }
    | { readonly state: 'done' }
    | { readonly state: 'refused'; readonly code: string; readonly message: string }
    | { readonly state: 'returned'; readonly returned: bigint }
  )

/** Where a payout's money leaves from: what a provider holds for us, or our hot wallet on a chain. */
export type PayoutSource =
  /** `account`: the connection whose account it is, when money comes in there by another one. */
  | { readonly at: 'PROVIDER'; readonly account?: ConnectionId }
  | { readonly at: 'CHAIN'; readonly chain: string; readonly token: Currency }

/**
 * For a payout rail whose provider counts in finer units than the ledger: what left is taken off the rail's own tables in
 * the transaction that takes the minor units off the ledger's account, so the two can never disagree.
 */
export type PayoutUnits = {
  /** These payouts are done. Each is taken off once, however often it is named. */
  leave(tx: Tx, payouts: readonly PayoutOrder['id'][]): Promise<void>
}

/** For a payout rail with a queue of its own: what still waits there can be taken back by its merchant. */
export type PayoutQueue = {
  /**
   * Of these payouts those that wait in the queue and for which nothing was begun. Nobody begins them before the transaction
   * ends. What is just being begun is not among them: that takes one statement, which is waited for.
   */
  lockWaiting(tx: Tx, payouts: readonly PayoutOrder['id'][]): Promise<ReadonlySet<PayoutOrder['id']>>
  /** Takes these, which are locked, out of the queue for ever. */
  drop(tx: Tx, payouts: readonly PayoutOrder['id'][]): Promise<void>
}

export type PayoutRail = {
  readonly type: PayoutType
  /** Checks the destination and finds the connection. Asks nobody. */
  route(wish: PayoutRequest): PayoutRouting
  /**
   * Sends, or, `again`, looks up what became of it and sends only what was certainly never sent. The same order is one
   * payout for ever. Throws ProviderError `unavailable` or `unknown`.
   */
  send(order: PayoutOrder, again: boolean): Promise<PayoutResult>
  /** Only looks it up. Undefined when the provider does not know it. Throws ProviderError. */
  check?(order: PayoutOrder): Promise<PayoutResult | undefined>
  /** What became of a connection's payouts of a span of time, page by page: ends and returns that no look has shown. */
  list?(
    connection: ConnectionId,
    span: { readonly from: Date; readonly to: Date },
  ): AsyncIterable<readonly ListedPayout[]>
  /** Our references in a callback that may speak of payouts: a reason to look at them now. */
  hints?(signal: Signal): readonly string[]
  /** The method of its connections, whose credentials send and do nothing else. Absent: it has none of its own. */
  readonly connectionMethod?: string
  source(connection: ConnectionId): PayoutSource
  /** What the provider holds in the account that this connection pays from. Throws ProviderError. */
  balance?(connection: ConnectionId): Promise<readonly Money[]>
  readonly units?: PayoutUnits
  /** Absent: whatever was given to `send` is with the provider. */
  readonly queue?: PayoutQueue
}

/** Of a rail that sends refunds itself, as payouts. All absent: its provider gives the money back. */
export type RefundPayouts = {
  /** By what the money leaves, so that it counts to the limits of such withdrawals. */
  readonly paysOutBy?: PayoutType
  /**
   * The address that each of these pieces came from, in its normal form, by the piece's `paidRef`. A piece whose sender is not
   * known is left out.
   */
  sendersOf?(
    tx: Tx,
    pieces: readonly { readonly connection: ConnectionId; readonly paidRef: string }[],
  ): Promise<ReadonlyMap<string, string>>
  /** Which of these refunds the rail's own tables have and may still pay. */
  mayStillPay?(tx: Tx, refunds: readonly RefundId[]): Promise<ReadonlySet<RefundId>>
}

/** A payout as a provider's list shows it, by our reference. */
export type ListedPayout = { readonly reference: string; readonly result: PayoutResult }

export type PayoutRails = ReadonlyMap<PayoutType, PayoutRail>
