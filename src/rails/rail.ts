// What every rail is. A rail speaks a provider's protocol and reports what happened as Receipts; it can neither
// move money nor change a payment: only settlement does that.
import type { Sql, Tx } from '#/db/client.ts'
import { ProviderError, type ProblemCode } from '#/kernel/error.ts'
import type { AttemptId, ConnectionId, MerchantId, PaymentId, RefundId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Currency, Money } from '#/kernel/money.ts'
import type { Offer, Wish } from './offer.ts'
import type { RefundPayouts } from './payout-rail.ts'
import type { Refused } from './refusal.ts'
import type { DepositPage, DescribedRef } from './shown.ts'
import type { Method, Attempt, Receipt, Signal, PaymentRef, CaptureMode } from './words.ts'

/** Of a rail that counts finer than the ledger: its exact units are written with the minor units that the ledger credits. */
export type UnitBook = {
  load(tx: Tx, receipts: readonly Receipt[]): Promise<UnitView>
}
export type UnitView = {
  /** Minor units that this `paid` receipt now credits; later receipts of the batch see its effect. */
  credit(receipt: Receipt): bigint
  save(tx: Tx): Promise<void>
}

/** Where a final payment of this rail arrives: money that a provider holds for us, or coins at our own places. */
export type Arrival =
  | { readonly at: 'PROVIDER' }
  | { readonly at: 'CHAIN'; readonly chain: string; readonly token: Currency }

/** What a provider is told when an attempt is opened. */
export type Opening = Attempt & {
  readonly expiresAt: Date
  /** Where the payer's page is: where a provider sends the payer back to. */
  readonly pageUrl?: string
  /** `HOSTED`: the payer goes to the provider's own page, whatever the connection says. */
  readonly presentation?: 'HOSTED'
  readonly captureMode?: CaptureMode
  /** The payer's language (BCP 47). */
  readonly locale?: string
  readonly description?: string
  readonly customerName?: string
  readonly customerEmail?: string
  readonly customerTaxId?: string
}

/** What the payer needs, as the rail wants it kept; or that the provider will never take this attempt. */
export type Opened = { readonly ok: true; readonly artifacts: Readonly<Record<string, unknown>> } | Refused

/** An attempt that its provider knows, with what its opening gave. */
export type OpenedAttempt = Attempt & { readonly artifacts: Readonly<Record<string, unknown>> }

/**
 * An attempt as it is shown: what its opening gave, the provider's names of the money that came, and what the payer paid
 * with, as the latest receipt says it.
 */
export type ShownAttempt = {
  readonly id: AttemptId
  readonly artifacts?: Readonly<Record<string, unknown>>
  readonly paidRefs: readonly string[]
  readonly means?: Readonly<Record<string, unknown>>
}

/** What the payer's page shows of an attempt whose rail opens with the page. */
export type Presentation =
  /** The provider's script mounts its own frame, within a page of ours that holds nothing else. */
  | {
      readonly kind: 'FRAME'
      readonly scriptUrl: string
      readonly publishableKey: string
      readonly clientSecret: string
      /** Origins of the provider that the frame may load from. */
      readonly origins: readonly string[]
    }
  /** The payer goes to the provider's own page. */
  | { readonly kind: 'HOSTED'; readonly url: string }
  /** The payer confirms in the provider's app: `code` is what its camera reads, `appUrl` opens it on a phone. */
  | { readonly kind: 'APP'; readonly code: string; readonly appUrl: string; readonly expiresAt: Date }

/** A token on a chain, for a wallet that pays with it. */
export type Coin = {
  /** EIP-155. */
  readonly chainId: bigint
  /** The token's contract, with its checksum (EIP-55). */
  readonly contract: string
  readonly currency: Currency
  readonly network: string
  readonly decimals: number
  /** Blocks from which on a transfer is taken for final, its own counted. */
  readonly confirmations: number
}

/** What became of an opened attempt. `isOver`: nothing can come of it any more but what callbacks and lists tell. */
export type Checked = { readonly receipts: readonly Receipt[]; readonly isOver: boolean }

/** How a rail ends an authorisation. Asking twice is one capture. Both throw ProviderError. */
export type Authorisations = {
  /** Takes so much of it and lets go of the rest. Answers what is true then. */
  capture(order: { readonly attempt: OpenedAttempt; readonly amount: Money }): Promise<readonly Receipt[]>
  /** Lets go of all of it. */
  void(order: { readonly attempt: OpenedAttempt }): Promise<readonly Receipt[]>
}

/** A dispute that the merchant does not fight, by the provider's name for it. */
export type DisputeOrder = {
  readonly connection: ConnectionId
  readonly providerRef: string
  readonly attempt: { readonly id: AttemptId; readonly merchantId: MerchantId; readonly paymentId: PaymentId }
}

/** A callback whose provider signs it, as it came in. Names of headers are in lower case. */
export type SignedCallback = {
  readonly connection: ConnectionId
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
  readonly receivedAt: Date
}

/** Who sent it, proven: `eventId` is the provider's name of it, which counts once. Or why it is not believed. */
export type CallbackVerdict =
  | { readonly ok: true; readonly eventId: string }
  | { readonly ok: false; readonly reason: string }

/** For a provider that shows who it is by signing its callbacks, not by a certificate of its connection. */
export type SignedCallbacks = {
  /** Over the raw bytes, with their age. May ask the provider for its keys: throws ProviderError. */
  verify(callback: SignedCallback): Promise<CallbackVerdict>
  /** What the provider wants to read; absent: an empty 200. */
  readonly answer?: string
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
  /** Where it goes, when it does not go back where it came from by itself. */
  readonly destination?: Readonly<Record<string, string>>
  /** Refunds of the same money that were accepted before this one, oldest first. */
  readonly earlier?: readonly EarlierRefund[]
  /** Whether the money may leave now. Asked right before the provider is. Absent: it may. */
  readonly mayLeave?: () => Promise<boolean>
}

/** Goes on when the money of the order may leave now. Throws ProviderError `unavailable` when it may not. */
export async function requireLeave({
  mayLeave,
}: {
  readonly mayLeave?: () => Promise<boolean>
}): Promise<void> {
  if (mayLeave === undefined || (await mayLeave())) return
  throw new ProviderError('unavailable', 'no money may leave here now')
}

export type EarlierRefund = {
  readonly id: RefundId
  readonly status: 'PENDING' | 'COMPLETED' | 'FAILED'
}

/** What a merchant says of where a refund goes. */
export type RefundWish = {
  readonly mode: Mode
  readonly merchantId: MerchantId
  readonly connection: ConnectionId
  readonly cryptoAddress?: string
}

/** Where it goes, in its normal form, or why it cannot go there. */
export type RefundDestination =
  | { readonly ok: true; readonly fields: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly code: ProblemCode; readonly detail: string; readonly pointer?: string }

/** How a rail gives money back. */
export type Refunder = RefundPayouts & {
  /** How long after its receipt money can go back; absent: for ever. */
  readonly windowMs?: number
  /** For a rail that sends the money itself: checks where the merchant wants it. Asks nobody. Absent: it goes back by itself. */
  destination?(wish: RefundWish): RefundDestination
  /** These refunds are done: takes what left off the rail's own tables, each once, in the ledger's transaction. */
  leave?(tx: Tx, refunds: readonly RefundId[]): Promise<void>
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
  /** What payers call it, where that is a name and no kind: `Binance Pay`. */
  readonly brand?: string
  /** How long a payment waits for its payer, unless the merchant says otherwise. */
  readonly lifetimeMs: number
  /** The longest that the merchant can say, for a payment that has no other method. Absent: as long as any payment lives. */
  readonly lifetimeMaxMs?: number
  /** What happens at creation: an artifact made locally, a provider called in the request, or one called with the page. */
  readonly opens: 'LOCAL' | 'IN_REQUEST' | 'WITH_PAGE'
  /** For WITH_PAGE: on which of our hosts the payer's page is. */
  readonly page?: 'CHECKOUT' | 'PARTNER'
  /** `EXACT`: final money of another amount than asked for is nobody's until a person has looked. Absent: it is credited. */
  readonly amounts?: 'EXACT'
  /** How long final money of a connection waits until it can be withdrawn. Absent, or 0: not at all. */
  settlementDelayMs?(connection: ConnectionId): number
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
  /** Asks what became of an attempt: what finds lost callbacks before its payer goes away. Throws ProviderError. */
  check?(attempt: OpenedAttempt): Promise<Checked>
  /** For WITH_PAGE: what the payer's page shows of an opened attempt. */
  present?(attempt: OpenedAttempt): Presentation
  /** For coins: what the payer's wallet must know to make the transfer by itself. Absent: this process has no such chain. */
  coin?(connection: ConnectionId): Coin | undefined
  readonly callbacks?: SignedCallbacks
  readonly refunds?: Refunder
  readonly authorisations?: Authorisations
  readonly disputes?: {
    /** Gives in. Answers what is true then. Throws ProviderError. */
    accept(order: DisputeOrder): Promise<readonly Receipt[]>
  }
  /** What the provider holds for us, by currency. Throws ProviderError. */
  balance?(connection: ConnectionId): Promise<readonly Money[]>
  arrival(connection: ConnectionId): Arrival
  readonly units?: UnitBook
  /** The fields that only this rail adds to a payment's record, for many payments at once, out of its own tables. */
  describe?(
    sql: Sql | Tx,
    refs: readonly DescribedRef[],
  ): Promise<ReadonlyMap<PaymentId, Readonly<Record<string, unknown>>>>
  /** All deposits of a payment, page by page; `after`: the `next` of the page before. Undefined: it is no such key. */
  deposits?(
    sql: Sql,
    ref: PaymentRef,
    page: { readonly limit: number; readonly after?: readonly string[] },
  ): Promise<DepositPage | undefined>
  /** The same as `describe`, out of what is kept of every attempt. `brief`: for lists and events. */
  show?(attempts: readonly ShownAttempt[], view: 'full' | 'brief'): Readonly<Record<string, unknown>>
}

export type Rails = ReadonlyMap<Method, Rail>
