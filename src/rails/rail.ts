// The interface of every rail. A rail speaks a provider's protocol and reports what happened as Receipts. It can neither move money nor
// change a payment: only settlement does that.
import type { RailFields } from '#/contract/payment-rail-fields.ts'
import type { Sql, Tx } from '#/db/client.ts'
import { ProviderError, type ProblemCode } from '#/kernel/error.ts'
import type { AttemptId, ConnectionId, MerchantId, PaymentId, RefundId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Currency, Money } from '#/kernel/money.ts'
import type { Attempt, PaymentRef, ShownAttempt } from './attempt.ts'
import type { PayerNeed } from './descriptor.ts'
import type { DisputeOrder, EvidenceSender } from './disputes.ts'
import type { Method, CaptureMode, Mandate, Voucher } from './method.ts'
import type { Destination, RefundPayouts } from './payout-rail.ts'
import type { Receipt, Signal } from './receipt.ts'
import type { Refused } from './refusal.ts'
import type { Routing, RoutingRequest } from './routing.ts'
import type { DepositPage, DescribedRef } from './shown.ts'

/** For a rail that counts in finer units than the ledger: its exact units are written with the minor units that the ledger credits. */
export type ExactUnits = {
  load(tx: Tx, receipts: readonly Receipt[]): Promise<UnitView>
}
export type UnitView = {
  /** Returns the minor units that this `paid` receipt now credits. Later receipts of the batch include its effect. */
  credit(receipt: Receipt): bigint
  save(tx: Tx): Promise<void>
}

/** Where a final payment of this rail arrives: money that a provider holds for us, or coins at our own places. */
export type Arrival =
  | { readonly at: 'PROVIDER' }
  | { readonly at: 'CHAIN'; readonly chain: string; readonly token: Currency }

/** The data that a provider receives when an attempt is opened. */
export type Opening = Attempt & {
  readonly expiresAt: Date
  /** The URL of the payer's page, where a provider sends the payer back to. */
  readonly pageUrl?: string
  /** `HOSTED`: the payer goes to the provider's own page, even if the connection is configured otherwise. */
  readonly presentation?: 'HOSTED'
  readonly captureMode?: CaptureMode
  /** The payer's language (BCP 47). */
  readonly locale?: string
  readonly description?: string
  readonly customerName?: string
  readonly customerEmail?: string
  readonly customerTaxId?: string
  /** E.164. */
  readonly customerPhone?: string
  readonly customerAddress?: PayerAddress
  /** The account that the payer lets us debit, and how the payer accepted that. */
  readonly customerIban?: string
  readonly mandate?: Mandate
  /** Whose page the payer sees, where the provider shows one of its own. */
  readonly brand?: Brand
}

/** The merchant as the payer's page shows it. Colours are `#rrggbb`; absent, they are the provider's. */
export type Brand = {
  readonly name: string
  readonly background?: string
  readonly button?: string
}

export type PayerAddress = {
  readonly line1: string
  readonly line2?: string
  /** In Brazil: bairro. */
  readonly district?: string
  readonly city: string
  readonly region?: string
  readonly postcode?: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
}

/** What the payer needs, in the form that the rail keeps; or that the provider will never accept this attempt. */
export type Opened = { readonly ok: true; readonly artifacts: Readonly<Record<string, unknown>> } | Refused

/** An attempt that its provider knows, with the artifacts of its opening. */
export type OpenedAttempt = Attempt & { readonly artifacts: Readonly<Record<string, unknown>> }

/** What the payer's page shows of an attempt whose rail opens with the page. */
export type Presentation =
  /** The provider's script mounts its own frame, in a page of ours that contains only the frame. */
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
  /** The payer confirms in the provider's app: a phone's camera reads `code`, and `appUrl` starts the app on a phone. */
  | { readonly kind: 'APP'; readonly code: string; readonly appUrl: string; readonly expiresAt: Date }
  /** The payer takes it to a bank. */
  | { readonly kind: 'VOUCHER'; readonly voucher: Voucher }
  /** The payer confirms on the phone with this end of its number. */
  | { readonly kind: 'PUSH'; readonly phoneEnd: string }
  /** The account with this end of its IBAN is debited. The payer only waits. */
  | { readonly kind: 'DEBIT'; readonly ibanEnd: string }

/** A token on a chain, for a wallet that pays with it. */
export type Coin = {
  /** EIP-155. */
  readonly chainId: bigint
  /** The token's contract, with its checksum (EIP-55). */
  readonly contract: string
  readonly currency: Currency
  readonly network: string
  readonly decimals: number
  /** The number of blocks, including its own, after which a transfer is final. */
  readonly confirmations: number
}

/** The state of an opened attempt at its provider. `isOver`: only callbacks and lists can still report anything about it. */
export type Checked = { readonly receipts: readonly Receipt[]; readonly isOver: boolean }

/** How a rail ends an authorisation. A repeated capture is still one capture. Both throw ProviderError. */
export type Authorisations = {
  /** Captures this amount and voids the rest. Returns the state after it. */
  capture(order: { readonly attempt: OpenedAttempt; readonly amount: Money }): Promise<readonly Receipt[]>
  /** Voids the whole authorisation. */
  void(order: { readonly attempt: OpenedAttempt }): Promise<readonly Receipt[]>
}

/** A signed callback as it came in. Names of headers are in lower case. */
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

/** For a provider that authenticates its callbacks with a certificate, issued by an authority that its connection names. */
export type CertifiedCallbacks = {
  readonly by: 'CERTIFICATE'
  /** Registers the URL of a connection's callbacks at the provider. Throws ProviderError. */
  register(connection: ConnectionId, callbackUrl: string): Promise<void>
}

/** For a provider that signs its callbacks. The operator configures their URL at the provider. */
export type SignedCallbacks = {
  readonly by: 'SIGNATURE'
  /** Verifies the raw bytes and their age. May ask the provider for its keys: throws ProviderError. */
  verify(callback: SignedCallback): Promise<CallbackVerdict>
  /** The answer that the provider expects. Default: an empty 200. */
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
  /** Whether the money may leave now. Called right before the provider is asked. Absent: it may. */
  readonly mayLeave?: () => Promise<boolean>
}

/** Throws ProviderError `unavailable` unless the money of the order may leave now. */
export async function requireLeave({
  mayLeave,
}: {
  readonly mayLeave?: () => Promise<boolean>
}): Promise<void> {
  if (mayLeave === undefined || (await mayLeave())) return
  throw new ProviderError('unavailable', 'the money may not leave now')
}

export type EarlierRefund = {
  readonly id: RefundId
  readonly status: 'PENDING' | 'COMPLETED' | 'FAILED'
}

/** Where a merchant wants a refund to go. */
export type RefundTarget = {
  readonly mode: Mode
  readonly merchantId: MerchantId
  readonly connection: ConnectionId
  readonly cryptoAddress?: string
  readonly iban?: string
  readonly beneficiary?: string
  /** Where the money came from, if that is known. */
  readonly sender?: Destination
}

/** The destination in its normal form, or why the refund cannot go there. */
export type RefundDestination =
  | { readonly ok: true; readonly fields: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly code: ProblemCode; readonly detail: string; readonly pointer?: string }

/** How a rail gives money back. */
export type Refunder = RefundPayouts & {
  /** How long after its receipt money can go back. Absent: for ever. */
  readonly windowMs?: number
  /**
   * For a rail that sends the money itself: checks the merchant's destination, without a call. Absent: the provider returns the
   * money to where it came from.
   */
  destination?(request: RefundTarget): RefundDestination
  /** Deducts the money of these completed refunds from the rail's own tables, once for each, in the ledger's transaction. */
  leave?(tx: Tx, refunds: readonly RefundId[]): Promise<void>
  /**
   * Requests the refund. `again`: an earlier call has an unknown end, so the refund is looked up first. Returns how it ended, or no
   * receipt while it is under way. Throws ProviderError.
   */
  send(order: RefundOrder, again: boolean): Promise<readonly Receipt[]>
}

/** `onlyReturned`: only money of which something went back, by a refund or a dispute. */
export type ListedSpan = { readonly from: Date; readonly to: Date; readonly onlyReturned?: boolean }

/** When a rail opens an attempt at a payment, and what that needs. */
export type Opens = OpensAtCreation | OpensInRequest | OpensWithPage

/** The rail makes what the payer needs by itself, when the payment is created. */
export type OpensAtCreation = {
  readonly at: 'CREATION'
  /** Writes the artifacts of new attempts, in the transaction that creates them. */
  write?(tx: Tx, attempts: readonly Attempt[]): Promise<void>
}

/** The provider is asked while the merchant waits for the answer to the payment's creation. */
export type OpensInRequest = {
  readonly at: 'REQUEST'
  /** The payer can pay more than once, and any amount: nothing is opened for the rest of a payment. */
  readonly takesMore?: true
  /**
   * Ends an attempt that was opened, so that another one can take its place. `isOver`: nobody can pay the attempt any more, and
   * `receipts` has all money that came by it. A repeated call returns the same. Throws ProviderError.
   */
  close(attempt: OpenedAttempt): Promise<Checked>
} & AtProvider

/** The provider is asked when the payer's page is loaded. */
export type OpensWithPage = {
  readonly at: 'PAGE'
  /** A payment without a checkout is opened by its creation too: the answer contains what the payer needs. */
  readonly atOnce?: true
  /** Which of our hosts serves the payer's page. */
  readonly page: 'CHECKOUT' | 'PARTNER'
  /** An attempt takes money without a further act of the payer: a choice opens one, and the load of a page never does. */
  readonly onlyChosen?: true
  /** Returns what the payer's page shows of an opened attempt. */
  present(attempt: OpenedAttempt): Presentation
  /** Asks the provider what became of an attempt. This finds lost callbacks before the payer goes away. Throws ProviderError. */
  check(attempt: OpenedAttempt): Promise<Checked>
} & AtProvider

type AtProvider = {
  /**
   * The artifact by which the provider, or the payer, knows the attempt: `cancel` and `check` need nothing else. Absent: our own
   * reference.
   */
  readonly namedBy?: string
  /**
   * Opens the attempt at the provider. Opened again by any process, it stays one charge. Throws ProviderError when there was no
   * answer.
   */
  open(opening: Opening): Promise<Opened>
  /** Cancels this attempt at the provider: nobody is to pay it any more. Throws ProviderError when there was no answer. */
  cancel(attempt: Attempt): Promise<void>
}

/** Fields of a payment's record, read from the rail's own tables. */
export type RecordOfTables = {
  readonly from: 'TABLES'
  /** For many payments at once. */
  describe(sql: Sql | Tx, refs: readonly DescribedRef[]): Promise<ReadonlyMap<PaymentId, RailFields>>
  /** Returns all deposits of a payment by page. `after`: the `next` of the page before. Undefined: `after` is not valid. */
  deposits(
    sql: Sql,
    ref: PaymentRef,
    page: { readonly limit: number; readonly after?: readonly string[] },
  ): Promise<DepositPage | undefined>
  /** The merchant's payments that this transaction of a chain pays. `txHash`: 0x and 64 digits in lower case. */
  findByTx(sql: Sql, merchantId: MerchantId, txHash: string): Promise<readonly PaymentId[]>
}

/** Fields of a payment's record, made from what is kept of every attempt. */
export type RecordOfAttempts = {
  readonly from: 'ATTEMPTS'
  /** `brief`: for lists and events. */
  show(attempts: readonly ShownAttempt[], view: 'full' | 'brief'): RailFields
}

/** For a rail that is paid in coins, at places of our own. */
export type Coins = {
  readonly units: ExactUnits
  /** Returns what the payer's wallet must know to make the transfer by itself. Undefined: this process does not have the chain. */
  coin(connection: ConnectionId): Coin | undefined
}

export type Rail = {
  readonly method: Method
  /** The brand that payers know it by, if it has one: `Binance Pay`. */
  readonly brand?: string
  /** How long a payment waits for its payer by default. */
  readonly lifetimeMs: number
  /** The longest lifetime that the merchant can set, for a payment that has no other method. Absent: as long as any payment. */
  readonly lifetimeMaxMs?: number
  readonly opens: Opens
  /** What it needs of the payer. Absent: nothing. */
  readonly needs?: readonly PayerNeed[]
  /** The countries (ISO 3166-1 alpha-2) whose payers know it as their own. Absent: none in particular. */
  readonly countries?: readonly string[]
  /** `EXACT`: final money of another amount than requested stays in suspense until a person resolves it. Absent: it is credited. */
  readonly amounts?: 'EXACT'
  /** How long final money of a connection waits until it can be withdrawn. Absent, or 0: it does not wait. */
  settlementDelayMs?(connection: ConnectionId): number
  route(request: RoutingRequest): Routing
  /** Turns one signal into receipts, and asks the provider what is true. Changes nothing. Throws ProviderError. */
  read(signal: Signal): readonly Receipt[] | Promise<readonly Receipt[]>
  /** Lists all that a connection received in a span of time, page by page. This finds lost callbacks. Throws ProviderError. */
  list?(connection: ConnectionId, span: ListedSpan): AsyncIterable<readonly Receipt[]>
  readonly callbacks?: CertifiedCallbacks | SignedCallbacks
  readonly refunds?: Refunder
  readonly authorisations?: Authorisations
  readonly disputes?: {
    /** Accepts the dispute. Returns its state after it. Throws ProviderError. */
    accept(order: DisputeOrder): Promise<readonly Receipt[]>
    /** Absent: evidence goes to the provider in another way. */
    readonly evidence?: EvidenceSender
  }
  /** Returns the balance that the provider holds for us, by currency. Throws ProviderError. */
  balance?(connection: ConnectionId): Promise<readonly Money[]>
  arrival(connection: ConnectionId): Arrival
  /** Absent: amounts are whole minor units, and the payer needs no coin. */
  readonly coins?: Coins
  /** Absent: it adds no fields. */
  readonly record?: RecordOfTables | RecordOfAttempts
  /**
   * Returns the merchant's payments that the rail's own tables know by this name: an address, or a reference that payers quote.
   * They are few. Absent: the rail keeps no names.
   */
  findByName?(sql: Sql, merchantId: MerchantId, name: string): Promise<readonly PaymentId[]>
}

/** Returns how a rail opens with the payer's page; undefined when the rail needs no page. */
export function pageOf(rail: Rail | undefined): OpensWithPage | undefined {
  return rail?.opens.at === 'PAGE' ? rail.opens : undefined
}

/** Returns the callbacks of a provider that calls with a certificate; undefined for any other. */
export function certifiedOf(rail: Rail | undefined): CertifiedCallbacks | undefined {
  return rail?.callbacks?.by === 'CERTIFICATE' ? rail.callbacks : undefined
}

/** For a rail that opens at the creation: writes what the payer needs of these new attempts. */
export async function writeOpened(
  tx: Tx,
  opens: Opens | undefined,
  attempts: readonly Attempt[],
): Promise<void> {
  if (opens?.at === 'CREATION') await opens.write?.(tx, attempts)
}

/** Returns the methods whose attempts a provider knows: an attempt is canceled there when nobody is to pay it any more. */
export function methodsAtProviders(rails: Rails): readonly Method[] {
  return [...rails.values()].flatMap(({ method, opens }) => (opens.at === 'CREATION' ? [] : [method]))
}

/** Returns the methods whose provider is asked what became of an attempt, until its end is known. */
export function checkedMethods(rails: Rails): readonly Method[] {
  return [...rails.values()].flatMap((rail) => (pageOf(rail) === undefined ? [] : [rail.method]))
}

/** Returns the fields that a rail makes of what is kept of attempts. */
export function shownBy(
  rail: Rail | undefined,
  attempts: readonly ShownAttempt[],
  view: 'full' | 'brief',
): RailFields {
  return rail?.record?.from === 'ATTEMPTS' ? rail.record.show(attempts, view) : {}
}

/** Puts signals into the inbox, in a transaction of the rail's own. */
export type KeepSignals = (
  tx: Tx,
  method: Method,
  connection: ConnectionId,
  bodies: readonly Buffer[],
) => Promise<void>

export type Rails = ReadonlyMap<Method, Rail>
