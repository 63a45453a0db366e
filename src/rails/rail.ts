// What every rail is. A rail speaks a provider's protocol and reports what happened as Receipts; it can neither
// move money nor change a payment: only settlement does that.
import type { Sql, Tx } from '#/db/client.ts'
import type { ProblemCode } from '#/kernel/error.ts'
import type { AttemptId, ConnectionId, MerchantId, PaymentId, RefundId, WithdrawalId } from '#/kernel/id.ts'
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
 * - `refunded`, `refund_failed`: how a refund of ours ended. `refund_failed` may follow `refunded`: the money came back.
 * - `dispute_opened`, `dispute_taken`, `dispute_won`, `dispute_lost`: the payer wants the money back; the provider took
 *   it from us; the end, for us or against us.
 */
export const outcomes = [
  'seen',
  'orphaned',
  'authorised',
  'voided',
  'paid',
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
  /** Whose it is. A provider knows our reference alone; absent when it names none of ours: that money is nobody's yet. */
  readonly attempt?: {
    readonly id: AttemptId
    readonly merchantId?: MerchantId
    readonly paymentId?: PaymentId
  }
  readonly connection: ConnectionId
  /** The provider's name for what happened: of the money, of the refund, or of the dispute. */
  readonly providerRef: string
  readonly outcome: Outcome
  /** 1 for the first time; the same thing can happen again, as when a block leaves the chain and comes back. */
  readonly occurrence: number
  /** Names the money on its way that this receipt announces (`seen`) or ends (`orphaned`, `paid`). */
  readonly pendingRef?: string
  /** Of a refund's outcome: our refund. */
  readonly refund?: RefundId
  /** Of a dispute's outcome: the `providerRef` of the money that it is about, and why the payer wants it back. */
  readonly dispute?: {
    readonly paidRef: string
    readonly kind: 'CHARGEBACK' | 'MED'
    readonly reason?: string
  }
  readonly amount: Money
  /** The exact amount in the provider's own units, for a rail that keeps a UnitBook. */
  readonly units?: bigint
  /** When it happened in the world, by the provider's clock. */
  readonly happenedAt: Date
  /** The exact bytes that say so. */
  readonly evidence: Buffer
  /** The on-chain transaction hash, where there is one. */
  readonly txHash?: string
  /** Why, in the provider's words, when it is a failure. */
  readonly failure?: { readonly code: string; readonly message: string }
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

/** Credentials at one provider, opened. */
export type ProviderConnection = {
  readonly id: ConnectionId
  readonly mode: Mode
  /** What it is for: a payment method, or sending by one. */
  readonly method: string
  /** The provider's profile, such as `bacen` or `efi`. */
  readonly provider: string
  /** Absent: the operator's own, shared by all merchants of its mode. */
  readonly merchantId?: MerchantId
  /** What is no secret, as the rail reads it. */
  readonly settings: Readonly<Record<string, unknown>>
  /** What takes money in. */
  readonly secrets: Readonly<Record<string, unknown>>
  /** What sends money out: refunds. Only a worker can open it. */
  readonly refundSecrets?: Readonly<Record<string, unknown>>
}

/** The connections that are active now. */
export type ConnectionBook = {
  /** The merchant's own for the method, oldest first, and then the shared ones of its mode. */
  of(wish: {
    readonly method: string
    readonly mode: Mode
    readonly merchantId: MerchantId
  }): readonly ProviderConnection[]
  /** Also one that takes no new payments any more: its receipts still count. */
  find(id: ConnectionId): ProviderConnection | undefined
  /** All of a method: what is looked through for lost callbacks. */
  all(method: string): readonly ProviderConnection[]
}

/** What a provider is told when an attempt is opened. */
export type Opening = Attempt & {
  readonly expiresAt: Date
  readonly description?: string
  readonly customerName?: string
  readonly customerEmail?: string
  readonly customerTaxId?: string
}

/** What the payer needs, as the rail wants it kept; or that the provider will never take this attempt. */
export type Opened =
  | { readonly ok: true; readonly artifacts: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly code: string; readonly message: string }

/** An attempt as it is shown: what its opening gave, and the provider's names of the money that came. */
export type ShownAttempt = {
  readonly id: AttemptId
  readonly artifacts?: Readonly<Record<string, unknown>>
  readonly paidRefs: readonly string[]
}

/** A refund on its way to the provider. Its id is our reference there. */
export type RefundOrder = {
  readonly id: RefundId
  readonly attempt: { readonly id: AttemptId; readonly merchantId: MerchantId; readonly paymentId: PaymentId }
  readonly connection: ConnectionId
  /** The `providerRef` of the money that goes back. */
  readonly paidRef: string
  readonly amount: Money
  readonly reason?: string
}

/** How a rail gives money back. */
export type Refunder = {
  /** How long after its receipt money can go back; absent: for ever. */
  readonly windowMs?: number
  /**
   * Asks the provider to give the money back; `again` after a call whose end is unknown, then it is looked up first.
   * Answers how it ended, or nothing while it is under way. Throws ProviderError.
   */
  send(order: RefundOrder, again: boolean): Promise<readonly Receipt[]>
}

/** `onlyReturned`: only money of which something went back since, by a refund or a dispute. */
export type ListedSpan = { readonly from: Date; readonly to: Date; readonly onlyReturned?: boolean }

export type Rail = {
  readonly method: Method
  /** How long a payment waits for its payer, unless the merchant says otherwise. */
  readonly lifetimeMs: number
  /** What happens at creation: an artifact made locally, a provider called in the request, or one called with the page. */
  readonly opens: 'LOCAL' | 'IN_REQUEST' | 'WITH_PAGE'
  offer(wish: Wish): Offer
  /** For LOCAL: writes the artifacts of new attempts, in the transaction that creates them. */
  openLocally?(tx: Tx, attempts: readonly Attempt[]): Promise<void>
  /**
   * For the others: asks the provider. The same attempt may be opened again, by anyone, and is one charge for ever.
   * Throws ProviderError when there was no answer.
   */
  open?(opening: Opening): Promise<Opened>
  /** Tells the provider of a connection where its callbacks go. Throws ProviderError. */
  register?(connection: ConnectionId, callbackUrl: string): Promise<void>
  /** Tells the provider that nobody is to pay this attempt any more. Throws ProviderError when there was no answer. */
  close?(attempt: Attempt): Promise<void>
  /** Turns one signal into receipts, asking the provider what is true. Changes nothing. Throws ProviderError. */
  read(signal: Signal): readonly Receipt[] | Promise<readonly Receipt[]>
  /** All that came at a connection in a span of time, page by page: what finds lost callbacks. Throws ProviderError. */
  list?(connection: ConnectionId, span: ListedSpan): AsyncIterable<readonly Receipt[]>
  readonly refunds?: Refunder
  arrival(connection: ConnectionId): Arrival
  readonly units?: UnitBook
  /** The fields that only this rail adds to a payment's record, for many payments at once, out of its own tables. */
  describe?(
    sql: Sql | Tx,
    refs: readonly PaymentRef[],
  ): Promise<ReadonlyMap<PaymentId, Readonly<Record<string, unknown>>>>
  /** The same, out of what is kept of every attempt. `brief`: for lists and events. */
  show?(attempts: readonly ShownAttempt[], view: 'full' | 'brief'): Readonly<Record<string, unknown>>
}

export type Rails = ReadonlyMap<Method, Rail>

/** By what money leaves. */
export const payoutTypes = ['PIX', 'CRYPTO'] as const
export type PayoutType = (typeof payoutTypes)[number]

/** What a withdrawal says of where it goes. */
export type PayoutWish = {
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
export type PayoutOffer =
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

/** The places of our own coins on a chain, each an account of the ledger. */
export type CoinPlace = 'deposit' | 'treasury' | 'hot'

/**
 * What a chain did with our own coins, final, as one transfer of the ledger. `minor`: whole cents, or gwei of gas; zero
 * where nothing moves between accounts.
 */
export type CoinFact = {
  /** What the transfer belongs to. */
  readonly id: string
  readonly mode: Mode
  readonly connection: ConnectionId
  readonly chain: string
  readonly minor: bigint
  /** The exact bytes that say so. */
  readonly evidence: Buffer
} & (
  | { readonly what: 'MOVED'; readonly from: CoinPlace; readonly to: CoinPlace }
  /** Coins that came, and that nothing explains. */
  | { readonly what: 'FOUND'; readonly at: CoinPlace }
  /** Booked elsewhere, or by nobody: coins that left and that nothing explains are told, never booked. */
  | { readonly what: 'PAID' | 'LEFT' }
  /** What a wallet spent on gas, and what came to it for that. */
  | { readonly what: 'GAS' | 'GAS_BOUGHT'; readonly wallet: string }
)

/** Facts of this kind, kept by a rail in finer units than the ledger's: read and booked in the ledger's transaction. */
export type CoinBook = {
  /** Ids of what waits to be booked; those of one group belong into one transaction. */
  due(sql: Sql, limit: number): Promise<readonly (readonly string[])[]>
  load(tx: Tx, ids: readonly string[]): Promise<CoinView>
}
export type CoinView = {
  /** All that could be booked now: it names every account. */
  readonly facts: readonly CoinFact[]
  /** The fact as it is to be booked now; later ones see its effect. Absent: it is booked, or its time has not come. */
  take(id: string): CoinFact | undefined
  save(tx: Tx, at: Date): Promise<void>
}

export type PayoutRail = {
  readonly type: PayoutType
  /** Checks the destination and finds the connection. Asks nobody. */
  offer(wish: PayoutWish): PayoutOffer
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
  readonly units?: PayoutUnits
}

/** A payout as a provider's list shows it, by our reference. */
export type ListedPayout = { readonly reference: string; readonly result: PayoutResult }

export type PayoutRails = ReadonlyMap<PayoutType, PayoutRail>
