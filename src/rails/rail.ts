// What every rail is. A rail speaks a provider's protocol and reports what happened as Receipts; it can neither
// move money nor change a payment: only settlement does that.
import type { Sql, Tx } from '#/db/client.ts'
import { ProviderError, type ProblemCode } from '#/kernel/error.ts'
import type { AttemptId, ConnectionId, MerchantId, PaymentId, RefundId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Currency, Money } from '#/kernel/money.ts'
import type { Routing, RoutingRequest } from './routing.ts'
import type { RefundPayouts } from './payout-rail.ts'
import type { Refused } from './refusal.ts'
import type { DepositPage, DescribedRef } from './shown.ts'
import type { Method, Attempt, Receipt, Signal, PaymentRef, CaptureMode } from './words.ts'

/** Of a rail that counts finer than the ledger: its exact units are written with the minor units that the ledger credits. */
export type ExactUnits = {
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

/** A verified callback, with the provider's id of the event, which counts once; or why the callback is rejected. */
export type CallbackVerdict =
  | { readonly ok: true; readonly eventId: string }
  | { readonly ok: false; readonly reason: string }

/** For a provider that calls with a certificate, which an authority of its connection has issued. */
export type CertifiedCallbacks = {
  readonly by: 'CERTIFICATE'
  /** Tells the provider of a connection where its callbacks go. Throws ProviderError. */
  register(connection: ConnectionId, callbackUrl: string): Promise<void>
}

/** For a provider that signs its callbacks. A person configures their URL at the provider. */
export type SignedCallbacks = {
  readonly by: 'SIGNATURE'
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
  /** Where the money goes, when the provider does not return it to where it came from. */
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
export type RefundTarget = {
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
  /**
   * For a rail that sends the money itself: checks the merchant's destination, without a call. Absent: the provider returns the money to
   * where it came from.
   */
  destination?(wish: RefundTarget): RefundDestination
  /** Removes the money of these completed refunds from the rail's own tables, once for each, in the ledger's transaction. */
  leave?(tx: Tx, refunds: readonly RefundId[]): Promise<void>
  /**
   * Asks the provider to give the money back; `again` after a call whose end is unknown, then it is looked up first.
   * Answers how it ended, or nothing while it is under way. Throws ProviderError.
   */
  send(order: RefundOrder, again: boolean): Promise<readonly Receipt[]>
}

/** `onlyReturned`: only money of which something went back since, by a refund or a dispute. */
export type ListedSpan = { readonly from: Date; readonly to: Date; readonly onlyReturned?: boolean }

/** How a rail opens an attempt at a payment: when, and what that needs. */
export type Opens = OpensAtCreation | OpensInRequest | OpensWithPage

/** What the payer needs is made here, with the payment. */
export type OpensAtCreation = {
  readonly at: 'CREATION'
  /** Writes the artifacts of new attempts, in the transaction that creates them. */
  write?(tx: Tx, attempts: readonly Attempt[]): Promise<void>
}

/** A provider is asked while the merchant waits for the answer to the payment's creation. */
export type OpensInRequest = { readonly at: 'REQUEST' } & AtProvider

/** A provider is asked when the payer's page is opened. */
export type OpensWithPage = {
  readonly at: 'PAGE'
  /** On which of our hosts the payer's page is. */
  readonly page: 'CHECKOUT' | 'PARTNER'
  /** What the payer's page shows of an opened attempt. */
  present(attempt: OpenedAttempt): Presentation
  /** Asks what became of an attempt: what finds lost callbacks before its payer goes away. Throws ProviderError. */
  check(attempt: OpenedAttempt): Promise<Checked>
} & AtProvider

type AtProvider = {
  /**
   * Asks the provider. The same attempt may be opened again, by anyone, and is one charge for ever. Throws ProviderError
   * when there was no answer.
   */
  open(opening: Opening): Promise<Opened>
  /** Tells the provider that nobody is to pay this attempt any more. Throws ProviderError when there was no answer. */
  cancel(attempt: Attempt): Promise<void>
}

/** Fields of a payment's record, out of the rail's own tables. */
export type RecordOfTables = {
  readonly from: 'TABLES'
  /** For many payments at once. */
  describe(
    sql: Sql | Tx,
    refs: readonly DescribedRef[],
  ): Promise<ReadonlyMap<PaymentId, Readonly<Record<string, unknown>>>>
  /** All deposits of a payment, page by page; `after`: the `next` of the page before. Undefined: it is no such key. */
  deposits(
    sql: Sql,
    ref: PaymentRef,
    page: { readonly limit: number; readonly after?: readonly string[] },
  ): Promise<DepositPage | undefined>
}

/** Fields of a payment's record, out of what is kept of every attempt. */
export type RecordOfAttempts = {
  readonly from: 'ATTEMPTS'
  /** `brief`: for lists and events. */
  show(attempts: readonly ShownAttempt[], view: 'full' | 'brief'): Readonly<Record<string, unknown>>
}

/** Of a rail that is paid in coins, at places of our own. */
export type Coins = {
  readonly units: ExactUnits
  /** What the payer's wallet must know to make the transfer by itself. Undefined: this process has no such chain. */
  coin(connection: ConnectionId): Coin | undefined
}

export type Rail = {
  readonly method: Method
  /** The brand that payers know it by, if it has one: `Binance Pay`. */
  readonly brand?: string
  /** How long a payment waits for its payer, unless the merchant says otherwise. */
  readonly lifetimeMs: number
  /** The longest that the merchant can say, for a payment that has no other method. Absent: as long as any payment lives. */
  readonly lifetimeMaxMs?: number
  readonly opens: Opens
  /** `EXACT`: final money of another amount than requested stays in suspense until a person resolves it. Absent: it is credited. */
  readonly amounts?: 'EXACT'
  /** How long final money of a connection waits until it can be withdrawn. Absent, or 0: not at all. */
  settlementDelayMs?(connection: ConnectionId): number
  route(wish: RoutingRequest): Routing
  /** Turns one signal into receipts, asking the provider what is true. Changes nothing. Throws ProviderError. */
  read(signal: Signal): readonly Receipt[] | Promise<readonly Receipt[]>
  /** All that came at a connection in a span of time, page by page: what finds lost callbacks. Throws ProviderError. */
  list?(connection: ConnectionId, span: ListedSpan): AsyncIterable<readonly Receipt[]>
  readonly callbacks?: CertifiedCallbacks | SignedCallbacks
  readonly refunds?: Refunder
  readonly authorisations?: Authorisations
  readonly disputes?: {
    /** Gives in. Answers what is true then. Throws ProviderError. */
    accept(order: DisputeOrder): Promise<readonly Receipt[]>
  }
  /** What the provider holds for us, by currency. Throws ProviderError. */
  balance?(connection: ConnectionId): Promise<readonly Money[]>
  arrival(connection: ConnectionId): Arrival
  /** Absent: amounts are whole minor units, and the payer needs no coin. */
  readonly coins?: Coins
  /** Absent: it adds none. */
  readonly record?: RecordOfTables | RecordOfAttempts
}

/** What a rail does with the payer's page; undefined where it needs none. */
export function pageOf(rail: Rail | undefined): OpensWithPage | undefined {
  return rail?.opens.at === 'PAGE' ? rail.opens : undefined
}

/** The callbacks of a provider that calls with a certificate; undefined for any other. */
export function certifiedOf(rail: Rail | undefined): CertifiedCallbacks | undefined {
  return rail?.callbacks?.by === 'CERTIFICATE' ? rail.callbacks : undefined
}

/** Of a rail that opens at the creation: writes what the payer needs of these new attempts. */
export async function writeOpened(
  tx: Tx,
  opens: Opens | undefined,
  attempts: readonly Attempt[],
): Promise<void> {
  if (opens?.at === 'CREATION') await opens.write?.(tx, attempts)
}

/** The methods whose attempts a provider knows: it is told when nobody is to pay one any more. */
export function methodsAtProviders(rails: Rails): readonly Method[] {
  return [...rails.values()].flatMap(({ method, opens }) => (opens.at === 'CREATION' ? [] : [method]))
}

/** The methods whose provider is asked what became of an attempt, until its end is known. */
export function checkedMethods(rails: Rails): readonly Method[] {
  return [...rails.values()].flatMap((rail) => (pageOf(rail) === undefined ? [] : [rail.method]))
}

/** The fields that a rail makes of what is kept of attempts. */
export function shownBy(
  rail: Rail | undefined,
  attempts: readonly ShownAttempt[],
  view: 'full' | 'brief',
): Readonly<Record<string, unknown>> {
  return rail?.record?.from === 'ATTEMPTS' ? rail.record.show(attempts, view) : {}
}

export type Rails = ReadonlyMap<Method, Rail>
