// Whether a withdrawal may be accepted: wallet, funds, fee and limits, under the lane's lock. Used for one withdrawal (request.ts) and
// for a batch (request-batch.ts). Books nothing.
import { dayOf } from '#/kernel/time.ts'
import type { Mode } from '#/kernel/mode.ts'
import { must } from '#/kernel/check.ts'
import type { ApiKeyId, MerchantId, WalletId, WithdrawalId } from '#/kernel/id.ts'
import { amountFromJson, roomIn, type Currency } from '#/kernel/money.ts'
import type { Posting } from '#/ledger/apply.ts'
import * as chart from '#/ledger/chart.ts'
import type { Batch } from '#/ledger/kind.ts'
import { withdrawalHeld } from '#/ledger/recipes.ts'
import { feeOn, type FeeRule } from '#/merchants/fee.ts'
import { isFrozen, type FreezeScope } from '#/merchants/freeze.ts'
import { selectFreezes } from '#/merchants/freeze-queries.ts'
import { selectParentsKeys } from '#/merchants/key-queries.ts'
import { selectClosedTills, selectParents } from '#/merchants/sub-account-queries.ts'
import { selectFeeRules } from '#/merchants/queries.ts'
import type { PayoutRouting, PayoutType } from '#/rails/payout-rail.ts'
import { selectWalletsOf } from '#/wallets/queries.ts'
import type { Wallet } from '#/wallets/wallet.ts'
import { railMost } from './bounds.ts'
import { chooseWallet } from './choose-wallet.ts'
import { withinLimits, type Limit, type LimitVerdict } from './limits.ts'
import * as limitQueries from './limit-queries.ts'
import { selectLeftReferences } from './left-queries.ts'
import { loadOwnDestinations, outsideOf, type OwnDestinations, type PlaceOut } from './own-destinations.ts'
import type { Withdrawal, WithdrawalRequest } from './withdrawal.ts'

/** A withdrawal that a merchant requests. */
export type Requested = {
  readonly id: WithdrawalId
  readonly request: WithdrawalRequest
  /** The payout rail's answer about the destination. */
  readonly routing: PayoutRouting
  /** Ours at the provider, fixed before the first call. */
  readonly reference: string
}

/** Who requests it. */
export type Requester = {
  readonly merchantId: MerchantId
  readonly mode: Mode
  readonly requestedBy: ApiKeyId
}

/** Why a withdrawal is not accepted. */
export type WithdrawalRefusal =
  | { readonly kind: 'frozen' }
  /** A restore lost the withdrawal of this key, and its money had left: two people have decided whose it was. */
  | { readonly kind: 'left_before' }
  | { readonly kind: 'not_offered'; readonly routing: PayoutRouting & { readonly ok: false } }
  | { readonly kind: 'unknown_wallet' }
  | { readonly kind: 'not_spendable' }
  | { readonly kind: 'insufficient_funds'; readonly missingMinor: bigint }
  /** The held balance would exceed the largest amount that the API can show. `roomMinor`: how much more can be held. */
  | { readonly kind: 'too_much'; readonly roomMinor: bigint }
  | { readonly kind: 'limited'; readonly limit: LimitVerdict & { readonly ok: false } }

/** The merchants' rules and wallets, as they are before the withdrawals at hand. */
export type Rules = {
  readonly freezes: readonly FreezeScope[]
  /** The parents of the merchants that are sub-accounts. */
  readonly parents: ReadonlyMap<MerchantId, MerchantId>
  /** Of the keys that request for sub-accounts, those that are not the sub-account's own: see selectParentsKeys. */
  readonly parentsKeys: ReadonlySet<ApiKeyId>
  readonly wallets: ReadonlyMap<string, readonly Wallet[]>
  readonly fees: ReadonlyMap<string, FeeRule>
  readonly limits: ReadonlyMap<string, Limit>
  /** The sums accepted today, by limit: those of a parent include its sub-accounts'. */
  readonly spent: Map<string, bigint>
  readonly listed: ReadonlySet<string>
  /** Those of the destinations that are ours. */
  readonly own: OwnDestinations
  /** Those of the references under which money left that a restore lost. */
  readonly left: ReadonlySet<string>
}

/** What the withdrawals before it in the same batch of the lane have left. */
export type Present = {
  balancesOf(wallet: Wallet): { readonly availableMinor: bigint; readonly heldMinor: bigint }
  /** What was accepted today of the merchant, type and currency: see `limitKey`. */
  spentMinor(key: string): bigint
  readonly at: Date
}

export type Acceptance = { readonly kind: 'accepted'; readonly withdrawal: Withdrawal } | WithdrawalRefusal

/**
 * Loads the rules of these merchants, and loads the balances of their wallets into the books. `needsList`: also the
 * destinations of merchants without any limit. `places`: where money is to go. `references`: those that are derived from merchants' keys, and
 * so may have been used before a restore.
 */
export async function loadRules(
  { tx, books, at }: Batch,
  merchants: readonly Requester[],
  {
    places,
    needsList = false,
    references = [],
  }: {
    readonly places: readonly PlaceOut[]
    readonly needsList?: boolean
    readonly references?: readonly string[]
  },
): Promise<Rules> {
  const modes = new Map(merchants.map(({ merchantId, mode }) => [merchantId, mode]))
  const merchantIds = [...modes.keys()]
  const [freezes, closed, found, wallets, fees, own, left] = await Promise.all([
    selectFreezes(tx, merchantIds),
    selectClosedTills(tx, merchantIds),
    selectParents(tx, merchantIds),
    selectWalletsOf(tx, merchantIds),
    selectFeeRules(tx, merchantIds),
    loadOwnDestinations(tx, places),
    references.length === 0 ? [] : selectLeftReferences(tx, references),
  ])
  const parents = new Map(found.map(({ id, parentId }) => [id, parentId]))
  const families = [...new Set([...merchantIds, ...parents.values()])]
  const limits = await limitQueries.selectLimits(tx, families)
  const limited = limits.length > 0
  const ofSubAccounts = merchants.filter(({ merchantId }) => parents.has(merchantId))
  const [spent, listed, parentsKeys] = await Promise.all([
    limited ? limitQueries.selectSpent(tx, families, dayOf(at)) : [],
    limited || needsList || ofSubAccounts.length > 0 ? limitQueries.selectDestinations(tx, merchantIds) : [],
    ofSubAccounts.length === 0
      ? new Set<ApiKeyId>()
      : selectParentsKeys(
          tx,
          ofSubAccounts.map(({ merchantId, requestedBy }) => ({ merchantId, id: requestedBy })),
        ),
  ])
  await books.load(
    wallets.flatMap((wallet) =>
      Object.values(
        accountsOf(must(modes.get(wallet.merchantId), 'the mode of the merchant is loaded'), wallet),
      ),
    ),
  )
  return {
    freezes: [...freezes, ...closed],
    parents,
    parentsKeys,
    wallets: Map.groupBy(wallets, (wallet) => `${wallet.merchantId}/${wallet.currency}`),
    fees: new Map(fees.map((rule) => [`${rule.merchantId}/${rule.method}/${rule.currency}`, rule])),
    limits: new Map(limits.map((limit) => [limitKey(limit), limit])),
    spent: new Map(spent.map((each) => [limitKey(each), each.minor])),
    listed: new Set(listed.map((each) => `${each.merchantId}/${each.type}/${each.destination}`)),
    own,
    left: new Set(left),
  }
}

/** Where withdrawals are to go, as far as their rails accept the destinations. */
export function placesOf(
  requested: readonly {
    readonly request: Pick<WithdrawalRequest, 'type'>
    readonly routing: PayoutRouting
  }[],
): readonly PlaceOut[] {
  return requested.flatMap(({ request: { type }, routing }) =>
    routing.ok ? [{ type, destination: routing.destination.text }] : [],
  )
}

/** Decides about one withdrawal. Changes nothing. */
export function accept(
  rules: Rules,
  requester: Requester,
  requested: Requested,
  present: Present,
): Acceptance {
  const { merchantId } = requester
  const { request, routing } = requested
  if (isFrozen(rules.freezes, { merchantId, rail: request.type })) return { kind: 'frozen' }
  if (rules.left.has(requested.reference)) return { kind: 'left_before' }
  if (!routing.ok) return { kind: 'not_offered', routing }

  const amountMinor = amountFromJson(request.amount)
  const { currency, destination } = routing
  const outside = outsideOf(rules.own, { type: request.type, destination: destination.text, amountMinor })
  if (outside !== undefined) return { kind: 'limited', limit: outside }
  const isListed = rules.listed.has(`${merchantId}/${request.type}/${destination.text}`)
  if (!isListed && isByParent(rules, requester)) return { kind: 'limited', limit: unlisted }
  const verdicts = countedKeys(rules, { merchantId, type: request.type, currency }).map((key, index) => {
    const limit = rules.limits.get(key)
    // The parent's list of destinations is its own.
    const applied = index === 0 || limit === undefined ? limit : { ...limit, listedOnly: false }
    return withinLimits(applied, amountMinor, { spentMinor: present.spentMinor(key), isListed })
  })
  const refused = verdicts.find((verdict) => !verdict.ok)
  if (refused?.ok === false) return { kind: 'limited', limit: refused }

  const feeMinor = withdrawalFee(
    rules.fees.get(`${merchantId}/${feeMethodOf(request.type)}/${currency}`),
    amountMinor,
  )
  const choice = chooseWallet(
    rules.wallets.get(`${merchantId}/${currency}`) ?? [],
    (wallet) => present.balancesOf(wallet).availableMinor,
    amountMinor + feeMinor,
    request.walletId?.toLowerCase() as WalletId | undefined,
  )
  if (!choice.ok)
    return choice.reason === 'insufficient_funds'
      ? { kind: 'insufficient_funds', missingMinor: choice.missing }
      : { kind: choice.reason }
  const roomMinor = roomIn(present.balancesOf(choice.wallet).heldMinor)
  if (amountMinor + feeMinor > roomMinor) return { kind: 'too_much', roomMinor }
  const withdrawal = newWithdrawal(requester, requested, routing, {
    feeMinor,
    walletId: choice.wallet.id,
    status: verdicts.some((verdict) => verdict.ok && verdict.needsApproval) ? 'PENDING_APPROVAL' : 'PENDING',
    createdAt: present.at,
  })
  return { kind: 'accepted', withdrawal }
}

const unlisted = { ok: false, reason: 'destination' } as const

/**
 * Whether the parent requests it, by a key of its own or a key that it made. The parent may pay out for its sub-account, but
 * only to listed destinations, of which the operator knows that they pay the sub-account. Otherwise it could take the money
 * without a transfer grant (decision 132).
 */
function isByParent(
  { parents, parentsKeys }: Pick<Rules, 'parents' | 'parentsKeys'>,
  { merchantId, requestedBy }: Pick<Requester, 'merchantId' | 'requestedBy'>,
): boolean {
  return parents.has(merchantId) && parentsKeys.has(requestedBy)
}

function newWithdrawal(
  { merchantId, mode, requestedBy }: Requester,
  { id, request, reference }: Requested,
  { connection, currency, destination }: PayoutRouting & { readonly ok: true },
  chosen: Pick<Withdrawal, 'feeMinor' | 'walletId' | 'status' | 'createdAt'>,
): Withdrawal {
  return {
    ...chosen,
    merchantId,
    id,
    mode,
    type: request.type,
    amountMinor: amountFromJson(request.amount),
    currency,
    connection,
    reference,
    destination,
    request,
    requestedBy,
    returnedMinor: 0n,
    reviewRequired: false,
    version: 1,
  }
}

/** The postings that hold amount and fee. `cause`: the SHA-256 of the request. */
export function holdOf(withdrawal: Withdrawal, cause: Buffer): readonly Posting[] {
  const { id, mode, walletId, currency, amountMinor, feeMinor } = withdrawal
  return withdrawalHeld({ subject: id, ordinal: 1, cause }, accountsOf(mode, { id: walletId, currency }), {
    amount: amountMinor,
    fee: feeMinor,
  })
}

/** The balances of a wallet in the books, with all postings so far. */
export function balancesIn({ books }: Pick<Batch, 'books'>, mode: Mode): Present['balancesOf'] {
  return (wallet) => {
    const { available, held } = accountsOf(mode, wallet)
    return { availableMinor: books.balance(available), heldMinor: books.balance(held) }
  }
}

/** The fee rule of a withdrawal is separate from that of the method's payments. */
export function feeMethodOf(type: PayoutType): string {
  return `${type}_WITHDRAWAL`
}

/** The largest amount that the limits allow and that is, with its fee, not above `freeMinor`. Zero: there is none. */
export function largestAmount(
  rules: Rules,
  of: Pick<Limit, 'merchantId' | 'type' | 'currency'>,
  freeMinor: bigint,
): bigint {
  const fee = rules.fees.get(`${of.merchantId}/${feeMethodOf(of.type)}/${of.currency}`)
  const { eachMinor = null, dayMinor = null } = rules.limits.get(limitKey(of)) ?? {}
  const leftToday = dayMinor === null ? null : dayMinor - (rules.spent.get(limitKey(of)) ?? 0n)
  const caps = [freeMinor, roomIn(0n), railMost[of.type], eachMinor, leftToday].flatMap((cap) => cap ?? [])
  let least = 0n
  let most = caps.reduce((lowest, cap) => (cap < lowest ? cap : lowest))
  // The fee does not fall when the amount rises.
  while (least < most) {
    const amount = (least + most + 1n) / 2n
    if (amount + withdrawalFee(fee, amount) <= freeMinor) least = amount
    else most = amount - 1n
  }
  return least
}

/** The fee is added to the amount, so the fee may be larger than the amount. */
export function withdrawalFee(rule: FeeRule | undefined, amountMinor: bigint): bigint {
  if (rule === undefined) return 0n
  return (
    rule.fixedMinor + feeOn({ ...rule, fixedMinor: 0n }, { received: 0n, charged: 0n, arrived: amountMinor })
  )
}

function accountsOf(mode: Mode, { id, currency }: { readonly id: WalletId; readonly currency: Currency }) {
  return {
    available: chart.walletAvailable(mode, id, currency),
    held: chart.walletHeld(mode, id, currency),
  }
}

/** The keys of all limits to which an amount counts: the merchant's own, then its parent's. */
export function countedKeys(
  { parents }: Pick<Rules, 'parents'>,
  of: Pick<Limit, 'merchantId' | 'type' | 'currency'>,
): readonly string[] {
  const parentId = parents.get(of.merchantId)
  return [limitKey(of), ...(parentId === undefined ? [] : [limitKey({ ...of, merchantId: parentId })])]
}

/** The key of what a merchant's limit counts. */
export function limitKey({
  merchantId,
  type,
  currency,
}: Pick<Limit, 'merchantId' | 'type' | 'currency'>): string {
  return `${merchantId}/${type}/${currency}`
}
