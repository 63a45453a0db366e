// The operator's rules for refunds that we send ourselves. Such refunds are like withdrawals to an address that the merchant
// names: they count towards the same limits, and an address or account that is neither listed nor the payer's own needs a
// second person.
import type { Method } from '#/rails/words.ts'
import { dayOf } from '#/kernel/time.ts'
import type { Tx } from '#/db/client.ts'
import type { ConnectionId, MerchantId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import { ledgerCurrency } from '#/payments/payment.ts'
import { selectParents } from '#/merchants/sub-account-queries.ts'
import type { Destination, PayoutType } from '#/rails/payout-rail.ts'
import type { Rails } from '#/rails/rail.ts'
import { selectDestinations, selectLimits, selectSpentOn } from '#/withdrawals/limit-queries.ts'
import {
  stillWithinLimits,
  stricter,
  withinLimits,
  type Limit,
  type LimitVerdict,
  type Spent,
} from '#/withdrawals/limits.ts'
import {
  loadOwnDestinations,
  noOwnDestinations,
  outsideOf,
  type OwnDestinations,
  type PlaceOut,
} from '#/withdrawals/own-destinations.ts'
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
}

export type Rules = {
  readonly limits: ReadonlyMap<string, Limit>
  /** The sums that were accepted, by limit and day, including those of earlier items of the batch. */
  readonly spent: Map<string, bigint>
  /** By merchant, type and destination. */
  readonly listed: ReadonlySet<string>
  /** The sender of each piece, by connection and the provider's name of the piece. */
  readonly senders: ReadonlyMap<string, Destination>
  /** Those of the places at hand that are ours. */
  readonly own: OwnDestinations
  /** The parents of those merchants that are sub-accounts. */
  readonly parents: ReadonlyMap<MerchantId, MerchantId>
}

/**
 * Loads the rules for these refunds. `refunds` is short: only rails that send the money themselves have such refunds. `places`: where they are to
 * go, besides to the senders.
 */
export async function loadRules(
  tx: Tx,
  rails: Rails,
  refunds: readonly Omit<Leaving, 'amountMinor' | 'destination'>[],
  places: readonly PlaceOut[],
): Promise<Rules> {
  if (refunds.length === 0) return noRules
  const merchantIds = [...new Set(refunds.map(({ merchantId }) => merchantId))]
  const found = await selectParents(tx, merchantIds)
  const parents = new Map(found.map(({ id, parentId }) => [id, parentId]))
  const days = refunds
    .flatMap((refund) => countedFor({ parents }, refund))
    .map(({ payoutType: type, createdAt, ...each }) => ({ ...each, type, day: dayOf(createdAt) }))
  const [limits, spent, listed, senders] = await Promise.all([
    selectLimits(tx, [...new Set([...merchantIds, ...parents.values()])]),
    selectSpentOn(tx, days),
    selectDestinations(tx, merchantIds),
    loadSenders(tx, rails, refunds),
  ])
  const sendersAt = refunds.flatMap((refund) => {
    const text = senders.get(pieceKey(refund))?.text
    return text === undefined ? [] : [{ type: refund.payoutType, destination: text }]
  })
  return {
    own: await loadOwnDestinations(tx, [...places, ...sendersAt]),
    limits: new Map(limits.map((limit) => [limitKey(limit), limit])),
    spent: new Map(spent.map((each) => [`${limitKey(each)}/${each.day}`, each.minor])),
    listed: new Set(listed.map((each) => `${each.merchantId}/${each.type}/${each.destination}`)),
    senders,
    parents,
  }
}

const noRules: Rules = {
  limits: new Map(),
  spent: new Map(),
  listed: new Set(),
  senders: new Map(),
  own: noOwnDestinations,
  parents: new Map(),
}

/** What a refund counts to: its merchant's own limits, and those of the parent. */
function countedFor<Counted extends { readonly merchantId: MerchantId }>(
  { parents }: Pick<Rules, 'parents'>,
  refund: Counted,
): readonly Counted[] {
  const parentId = parents.get(refund.merchantId)
  return [refund, ...(parentId === undefined ? [] : [{ ...refund, merchantId: parentId }])]
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

/**
 * Whether the refund may leave. It never goes to a place of ours, nor above what the rail can write. A second person has to approve it:
 * - if it is above the merchant's limit for that;
 * - if its address or account is neither on the merchant's list nor the sender of this same piece. One cent from an address
 *   must not allow refunds of other money to it.
 * `isCounted`: the refund was accepted before and is part of its day's sum.
 */
export function allowedOf(rules: Rules, leaving: Leaving, isCounted: boolean): LimitVerdict {
  const { merchantId, payoutType, amountMinor } = leaving
  const placed = placeOf(leaving)
  const outside = outsideOf(rules.own, { ...placed, amountMinor })
  if (outside !== undefined) return outside
  const verdict = stricter(
    countedFor(rules, leaving).map((counted) => {
      const limit = rules.limits.get(limitKey({ ...counted, type: payoutType }))
      // An address that is not listed is not refused here, unlike that of a withdrawal: payers are on no list.
      const withoutList = limit && { ...limit, listedOnly: false }
      const state = { spentMinor: rules.spent.get(spentKey(counted)) ?? 0n, isListed: true }
      return isCounted
        ? stillWithinLimits(withoutList, { amountMinor }, state)
        : withinLimits(withoutList, amountMinor, state)
    }),
  )
  if (!verdict.ok) return verdict
  const place = placed.destination
  const isKnownPlace =
    rules.listed.has(`${merchantId}/${payoutType}/${place}`) || senderOf(rules, leaving)?.text === place
  return { ok: true, needsApproval: verdict.needsApproval || !isKnownPlace }
}

/** Where it is to go. */
export function placeOf({ payoutType, destination }: Pick<Leaving, 'payoutType' | 'destination'>): PlaceOut {
  return { type: payoutType, destination: destination['cryptoAddress'] ?? destination['iban'] ?? '' }
}

/** Who sent this piece, if its rail knows. */
export function senderOf(
  { senders }: Rules,
  piece: Pick<Leaving, 'connection' | 'paidRef'>,
): Destination | undefined {
  return senders.get(pieceKey(piece))
}

/** Adds it to the day's sums, for later items of the batch. The table has it as the merchant's own: its readers add up families. */
export function noteSpent(rules: Rules, leaving: Leaving): void {
  const { spent } = rules
  for (const key of countedFor(rules, leaving).map(spentKey))
    spent.set(key, (spent.get(key) ?? 0n) + leaving.amountMinor)
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

function limitKey({ merchantId, type, currency }: Pick<Limit, 'merchantId' | 'type' | 'currency'>): string {
  return `${merchantId}/${type}/${currency}`
}

function spentKey(leaving: Leaving): string {
  return `${limitKey({ ...leaving, type: leaving.payoutType })}/${dayOf(leaving.createdAt)}`
}

function pieceKey({ connection, paidRef }: Pick<Leaving, 'connection' | 'paidRef'>): string {
  return `${connection}/${paidRef}`
}
