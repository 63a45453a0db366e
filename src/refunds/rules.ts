// Refunds that we send ourselves, as the gate for money that leaves sees them. They are like withdrawals to an address that the merchant names:
// they count towards the same limits, and a place that is neither listed nor the payer's own needs a second person.
import type { Tx, Sql } from '#/db/client.ts'
import { given } from '#/kernel/given.ts'
import type { ApiKeyId, ConnectionId, MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Currency } from '#/kernel/money.ts'
import { dayOf } from '#/kernel/time.ts'
import { loadFacts, type Expected, type Facts, type Outgoing } from '#/money-out/facts.ts'
import { mayLeave, stopOf, type GateVerdict, type Moment, type Stop } from '#/money-out/gate.ts'
import type { Spent } from '#/money-out/limits.ts'
import { ledgerCurrency } from '#/payments/payment.ts'
import type { PaymentRef } from '#/rails/attempt.ts'
import type { Method } from '#/rails/method.ts'
import type { PayoutType, Destination } from '#/rails/payout-rail.ts'
import type { Rails } from '#/rails/rail.ts'
import { isAllowed } from './choose-piece.ts'
import { type Piece, selectPieces } from './queries.ts'
import type { Refund, RefundRequest } from './refund.ts'

/** A refund that we send ourselves, of one piece and to one address or account. */
type Leaving = {
  readonly merchantId: MerchantId
  readonly mode: Mode
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
type MayLeave = Omit<Leaving, 'amountMinor' | 'destination'> & {
  readonly place?: string
  readonly destination?: Leaving['destination']
}

export type Rules = { readonly facts: Facts; readonly senders: Senders }

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

/** The pieces whose refund we may send ourselves, to an address or account. */
export function mayLeaveOf(
  rails: Rails,
  items: readonly (Pick<Refund, 'merchantId' | 'mode' | 'paymentId' | 'requestedBy'> & {
    readonly request: RefundRequest
  })[],
  pieces: readonly Piece[],
  createdAt: Date,
): readonly MayLeave[] {
  const requests = Map.groupBy(items, ({ paymentId }) => paymentId)
  return pieces.flatMap(({ paymentId, method, connection, paidRef, currency }) => {
    const payoutType = rails.get(method)?.refunds?.paysOutBy
    if (payoutType === undefined) return []
    const fitting = requests.get(paymentId)?.filter(({ request }) => isAllowed(method, request)) ?? []
    // Another merchant may name the same payment in this batch: the rules of its owner must be there all the same.
    const askers = new Map(
      fitting.map(({ merchantId, mode, requestedBy, request: { cryptoAddress, iban } }) => {
        const place = cryptoAddress ?? iban
        return [
          `${merchantId}/${requestedBy}/${place}`,
          { merchantId, mode, ...given({ requestedBy, place }) },
        ]
      }),
    )
    const piece = { method, connection, paidRef, payoutType, currency, createdAt }
    return [...askers.values()].map((asker) => ({ ...asker, ...piece }))
  })
}

function expectedOf({ senders }: Pick<Rules, 'senders'>, refund: MayLeave): Expected {
  const { payoutType: type, merchantId, mode, currency, createdAt, requestedBy, destination = {} } = refund
  const place = refund.place ?? destination['cryptoAddress'] ?? destination['iban']
  const payer = senderOf(senders, refund)?.text
  return { way: 'REFUND_SENT', merchantId, mode, type, currency, createdAt, requestedBy, place, payer }
}

/** Whether the refund may leave to its destination; unless a `moment` is given, as one that was accepted before. */
export function allowedOf(
  rules: Rules,
  leaving: Leaving,
  moment: Moment = { spent: rules.facts.spent, isCounted: true },
): GateVerdict {
  return mayLeave(rules.facts, outgoingOf(rules, leaving), moment)
}

/** Why money that came by this method must not go back now, wherever it goes. */
export function frozenBack({ facts }: Rules, merchantId: MerchantId, method: Method): Stop | undefined {
  return stopOf(facts, { way: 'REFUND_BACK', merchantId, rail: method })
}

/** The refund as the gate sees it. */
export function outgoingOf(rules: Rules, leaving: Leaving): Outgoing {
  const expected = expectedOf(rules, leaving)
  return { ...expected, amountMinor: leaving.amountMinor, place: expected.place ?? '' }
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

// Where the money of a payment came from, for whoever decides where a refund goes that we send ourselves.

/** Money of a payment that can still go back. */
type Sent = {
  readonly method: Method
  /** How much of it is neither refunded nor disputed. */
  readonly leftMinor: bigint
  /** Absent: its rail does not know. */
  readonly sender?: Destination
}

/** At most this many are listed. */
const sentMax = 100

/** The newest money of a payment that came by rails which send refunds themselves, and who sent it. */
export async function listSenders(sql: Sql, rails: Rails, ref: PaymentRef): Promise<readonly Sent[]> {
  const sending = (await selectPieces(sql, [ref])).filter(
    ({ method, leftMinor }) => leftMinor > 0n && rails.get(method)?.refunds?.sendersOf !== undefined,
  )
  const pieces = sending.toSorted((a, b) => b.ordinal - a.ordinal).slice(0, sentMax)
  const senders = await loadSenders(sql, rails, pieces)
  return pieces.map((piece) => {
    const { method, leftMinor } = piece
    return { method, leftMinor, ...given({ sender: senderOf(senders, piece) }) }
  })
}

type Named = Pick<Piece, 'connection' | 'paidRef'>

/** The senders of pieces, where their rails know them. */
type Senders = ReadonlyMap<string, Destination>

async function loadSenders(
  sql: Sql | Tx,
  rails: Rails,
  all: readonly (Named & { readonly method: Method })[],
): Promise<Senders> {
  const senders = new Map<string, Destination>()
  for (const [method, pieces] of Map.groupBy(all, (each) => each.method)) {
    const found = await rails.get(method)?.refunds?.sendersOf?.(sql, pieces)
    for (const piece of pieces) {
      const sender = found?.get(piece.paidRef)
      if (sender !== undefined) senders.set(keyOf(piece), sender)
    }
  }
  return senders
}

/** Who sent this piece, if its rail knows. */
export function senderOf(senders: Senders, piece: Named): Destination | undefined {
  return senders.get(keyOf(piece))
}

function keyOf({ connection, paidRef }: Named): string {
  return `${connection}/${paidRef}`
}
