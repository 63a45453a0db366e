// Refunds that we send ourselves, as the gate for money that leaves sees them. They are like withdrawals to an address that the merchant names:
// they count towards the same limits, and a place that is neither listed nor the payer's own needs a second person.
import type { Tx } from '#/db/client.ts'
import type { ApiKeyId, ConnectionId, MerchantId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import { dayOf } from '#/kernel/time.ts'
import {
  loadFacts,
  noteSpent as noteOutgoing,
  type Expected,
  type Facts,
  type Outgoing,
} from '#/money-out/facts.ts'
import { mayLeave, stopOf, type GateVerdict, type Stop } from '#/money-out/gate.ts'
import { ledgerCurrency } from '#/payments/payment.ts'
import type { Method } from '#/rails/method.ts'
import type { Destination, PayoutType } from '#/rails/payout-rail.ts'
import type { Rails } from '#/rails/rail.ts'
import type { LimitVerdict, Spent } from '#/withdrawals/limits.ts'
import type { Refund } from './refund.ts'

/** A refund that we send ourselves, of one piece and to one address or account. */
export type Leaving = {
  readonly merchantId: MerchantId
  readonly method: Method
  readonly connection: ConnectionId
  readonly paidRef: string
  readonly payoutType: PayoutType
  /** As in the ledger. */
  readonly currency: Currency
  readonly amountMinor: bigint
  /** It counts to the day of this instant. */
  readonly createdAt: Date
  readonly destination: Readonly<Record<string, string>>
  readonly requestedBy?: ApiKeyId
}

/** A refund that we may send, before its amount and destination are chosen. `place`: the address or account that its request names. */
export type MayLeave = Omit<Leaving, 'amountMinor' | 'destination'> & {
  readonly place?: string
  readonly destination?: Leaving['destination']
}

export type Rules = {
  readonly facts: Facts
  /** The sender of each piece, by connection and the provider's name of the piece. */
  readonly senders: ReadonlyMap<string, Destination>
}

/**
 * Loads what the gate has to know about these refunds. `refunds` is short: only rails that send the money themselves have such refunds.
 * `merchantIds`: those whose refunds a provider gives back, which only a freeze stops.
 */
export async function loadRules(
  tx: Tx,
  rails: Rails,
  refunds: readonly MayLeave[],
  merchantIds: readonly MerchantId[],
): Promise<Rules> {
  const senders = await loadSenders(tx, rails, refunds)
  const facts = await loadFacts(
    tx,
    refunds.map((refund) => expectedOf({ senders }, refund)),
    merchantIds,
  )
  return { facts, senders }
}

function expectedOf(rules: Pick<Rules, 'senders'>, refund: MayLeave): Expected {
  const { payoutType: type, merchantId, currency, createdAt, requestedBy, destination = {} } = refund
  const place = refund.place ?? destination['cryptoAddress'] ?? destination['iban']
  const payer = senderOf(rules, refund)?.text
  return { way: 'REFUND_SENT', merchantId, type, currency, createdAt, requestedBy, place, payer }
}

async function loadSenders(
  tx: Tx,
  rails: Rails,
  refunds: readonly Pick<Leaving, 'method' | 'connection' | 'paidRef'>[],
): Promise<ReadonlyMap<string, Destination>> {
  const senders = new Map<string, Destination>()
  for (const [method, pieces] of Map.groupBy(refunds, (each) => each.method)) {
    const found = await rails.get(method)?.refunds?.sendersOf?.(tx, pieces)
    for (const piece of pieces) {
      const sender = found?.get(piece.paidRef)
      if (sender !== undefined) senders.set(pieceKey(piece), sender)
    }
  }
  return senders
}

/** Whether the refund may leave to its destination. `isCounted`: it was accepted before and is part of its day's sum. */
export function allowedOf(rules: Rules, leaving: Leaving, isCounted: boolean): GateVerdict {
  const { spent } = rules.facts
  return mayLeave(rules.facts, outgoingOf(rules, leaving), {
    spentMinor: (key) => spent.get(key) ?? 0n,
    isCounted,
  })
}

/** What the gate says against a refund, as an answer to its request. */
export function keptIn(
  refusal: GateVerdict & { readonly ok: false },
):
  | { readonly kind: 'frozen' }
  | { readonly kind: 'limited'; readonly limit: LimitVerdict & { readonly ok: false } } {
  return refusal.reason === 'frozen' || refusal.reason === 'account'
    ? { kind: 'frozen' }
    : { kind: 'limited', limit: refusal }
}

/** Why money that came by this method must not go back now, wherever it goes. */
export function frozenBack({ facts }: Rules, merchantId: MerchantId, method: Method): Stop | undefined {
  return stopOf(facts, { way: 'REFUND_BACK', merchantId, rail: method })
}

function outgoingOf(rules: Rules, leaving: Leaving): Outgoing {
  const expected = expectedOf(rules, leaving)
  return { ...expected, amountMinor: leaving.amountMinor, place: expected.place ?? '' }
}

/** Who sent this piece, if its rail knows. */
export function senderOf(
  { senders }: Pick<Rules, 'senders'>,
  piece: Pick<Leaving, 'connection' | 'paidRef'>,
): Destination | undefined {
  return senders.get(pieceKey(piece))
}

/** Adds it to the day's sums, for later items of the batch. */
export function noteSpent(rules: Rules, leaving: Leaving): void {
  noteOutgoing(rules.facts, outgoingOf(rules, leaving))
}

/** The refund as money that we send; undefined when its provider refunds it. */
export function leavingOf(refund: Refund): Leaving | undefined {
  const { payoutType, destination = {}, currency, method } = refund
  if (payoutType === undefined) return undefined
  return { ...refund, payoutType, destination, currency: ledgerCurrency(currency, method) }
}

/** What a refund counts to its day's limit, if it counts. */
export function spentByRefund(refund: Refund): readonly Spent[] {
  const leaving = leavingOf(refund)
  if (leaving === undefined) return []
  const { merchantId, payoutType: type, currency, createdAt, amountMinor: minor } = leaving
  return [{ merchantId, type, currency, day: dayOf(createdAt), minor }]
}

function pieceKey({ connection, paidRef }: Pick<Leaving, 'connection' | 'paidRef'>): string {
  return `${connection}/${paidRef}`
}
