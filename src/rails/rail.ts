// What every rail is. A rail speaks a provider's protocol and reports what happened as Receipts; it can neither
// move money nor change a payment: only settlement does that.
import type { Sql, Tx } from '#/db/client.ts'
import type { ProblemCode } from '#/kernel/error.ts'
import type { AttemptId, ConnectionId, MerchantId, PaymentId } from '#/kernel/id.ts'
import type { Currency, Money } from '#/kernel/money.ts'

export const methods = ['PIX', 'CREDIT_CARD', 'CRYPTO', 'PARTNER_PAY'] as const
export type Method = (typeof methods)[number]

/** Whose money it is: real, or the sandbox's. No key, connection or account serves two modes. */
export const modes = ['LIVE', 'SANDBOX'] as const
export type Mode = (typeof modes)[number]

/** One method tried for one payment. Its id is our reference at the provider, chosen before the first call. */
export type Attempt = {
  readonly id: AttemptId
  readonly merchantId: MerchantId
  readonly paymentId: PaymentId
  readonly method: Method
  readonly connection: ConnectionId
  readonly amount: Money
}

/**
 * What a provider or chain says of an attempt.
 * - `seen`, `orphaned`: money on its way, not final, and its disappearance. `authorised`, `voided`: the same for cards.
 * - `paid`: final.
 */
export const outcomes = ['seen', 'orphaned', 'authorised', 'voided', 'paid'] as const
export type Outcome = (typeof outcomes)[number]

/** Counts once: unique by (connection, providerRef, outcome, occurrence). */
export type Receipt = {
  readonly method: Method
  readonly attempt: { readonly merchantId: MerchantId; readonly paymentId: PaymentId; readonly id: AttemptId }
  readonly connection: ConnectionId
  readonly providerRef: string
  readonly outcome: Outcome
  /** 1 for the first time; the same thing can happen again, as when a block leaves the chain and comes back. */
  readonly occurrence: number
  /** Names the money on its way that this receipt announces (`seen`) or ends (`orphaned`, `paid`). */
  readonly pendingRef?: string
  readonly amount: Money
  /** The exact amount in the provider's own units, for a rail that keeps a UnitBook. */
  readonly units?: bigint
  /** When it happened in the world, by the provider's clock. */
  readonly happenedAt: Date
  /** The exact bytes that say so. */
  readonly evidence: Buffer
  /** The on-chain transaction hash, where there is one. */
  readonly txHash?: string
}

/** Raw bytes from outside (a callback, a block), kept before they are understood. */
export type Signal = {
  readonly connection: ConnectionId
  readonly receivedAt: Date
  readonly body: Buffer
}

/**
 * For a rail whose provider counts in finer units than the ledger: the exact units are kept in the rail's own tables,
 * in the transaction that credits the ledger's minor units, so the two can never disagree.
 */
export type UnitBook = {
  load(tx: Tx, receipts: readonly Receipt[]): Promise<UnitView>
}
export type UnitView = {
  /** Minor units that this `paid` receipt now credits; later receipts of the batch see its effect. */
  credit(receipt: Receipt): bigint
  save(tx: Tx): Promise<void>
}

/** What a creation asks of a rail. */
export type Wish = {
  readonly mode: Mode
  readonly merchantId: MerchantId
  readonly currency?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** The connection and currency that would take a payment, or why none can. */
export type Offer =
  | { readonly ok: true; readonly connection: ConnectionId; readonly currency: Currency }
  | { readonly ok: false; readonly code: ProblemCode; readonly detail: string; readonly pointer?: string }

/** Where a final payment of this rail arrives: money that a provider holds for us, or coins at our own places. */
export type Arrival =
  | { readonly at: 'PROVIDER' }
  | { readonly at: 'CHAIN'; readonly chain: string; readonly token: Currency }

export type PaymentRef = { readonly merchantId: MerchantId; readonly paymentId: PaymentId }

export type Rail = {
  readonly method: Method
  /** How long a payment waits for its payer, unless the merchant says otherwise. */
  readonly lifetimeMs: number
  /** What happens at creation: an artifact made locally, a provider called in the request, or one called with the page. */
  readonly opens: 'LOCAL' | 'IN_REQUEST' | 'WITH_PAGE'
  offer(wish: Wish): Offer
  /** For LOCAL: writes the artifacts of new attempts, in the transaction that creates them. */
  openLocally?(tx: Tx, attempts: readonly Attempt[]): Promise<void>
  /** Turns one signal into receipts. Touches nothing else. */
  read(signal: Signal): readonly Receipt[] | Promise<readonly Receipt[]>
  arrival(connection: ConnectionId): Arrival
  readonly units?: UnitBook
  /** The fields that only this rail adds to a payment's record, for many payments at once. */
  describe(
    sql: Sql | Tx,
    refs: readonly PaymentRef[],
  ): Promise<ReadonlyMap<PaymentId, Readonly<Record<string, unknown>>>>
}

export type Rails = ReadonlyMap<Method, Rail>
