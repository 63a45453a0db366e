// Whether a withdrawal may be accepted, under the lane's lock: the gate for money that leaves decides (money-out/gate.ts), then wallet, funds and
// fee. Used for one withdrawal (request.ts), for a batch (request-batch.ts) and for a schedule (schedule-run.ts). Books nothing.
import { must } from '#/kernel/check.ts'
import type { ApiKeyId, MerchantId, WalletId, WithdrawalId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { amountFromJson, minOf, roomIn, type Currency } from '#/kernel/money.ts'
import type { Posting } from '#/ledger/apply.ts'
import * as chart from '#/ledger/chart.ts'
import type { Batch } from '#/ledger/kind.ts'
import { withdrawalHeld } from '#/ledger/recipes.ts'
import { feeOn, type FeeRule } from '#/merchants/fee.ts'
import { selectFeeRules } from '#/merchants/queries.ts'
import { loadFacts, type Facts, type Outgoing } from '#/money-out/facts.ts'
import { mayLeave, mostAllowed, stopOf } from '#/money-out/gate.ts'
import type { PayoutRouting, PayoutType } from '#/rails/payout-rail.ts'
import { selectWalletsOf } from '#/wallets/queries.ts'
import type { Wallet } from '#/wallets/wallet.ts'
import { chooseWallet } from './choose-wallet.ts'
import { selectDepartedReferences } from './departed-queries.ts'
import type { LimitVerdict } from './limits.ts'
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

/** What decides about the merchants' withdrawals, as it is before those at hand. */
export type Rules = {
  readonly facts: Facts
  readonly wallets: ReadonlyMap<string, readonly Wallet[]>
  readonly fees: ReadonlyMap<string, FeeRule>
  /** Those of the references under which money left that a restore lost. */
  readonly departed: ReadonlySet<string>
}

/** A payout that somebody requests, before its amount and place are known. */
export type Wanted = Requester & {
  readonly way: WithdrawalWay
  readonly type: PayoutType
  readonly currency: Currency
  /** Absent: its rail does not accept the destination. */
  readonly place?: string | undefined
}
export type WithdrawalWay = 'WITHDRAWAL' | 'BATCH' | 'SCHEDULE'

/** What the withdrawals before it in the same batch of the lane have left. */
export type Present = {
  balancesOf(wallet: Wallet): { readonly availableMinor: bigint; readonly heldMinor: bigint }
  /** What was accepted today, by the key of a limit's day: see `countedLimits`. */
  spentMinor(key: string): bigint
  readonly at: Date
}

export type Acceptance = { readonly kind: 'accepted'; readonly withdrawal: Withdrawal } | WithdrawalRefusal

/**
 * Loads what decides about these payouts, and loads the balances of their merchants' wallets into the books. `references`: those that are
 * derived from merchants' keys, and so may have been used before a restore.
 */
export async function loadRules(
  { tx, books, at }: Batch,
  wanted: readonly Wanted[],
  references: readonly string[] = [],
): Promise<Rules> {
  const modes = new Map(wanted.map(({ merchantId, mode }) => [merchantId, mode]))
  const merchantIds = [...modes.keys()]
  const [facts, wallets, fees, departed] = await Promise.all([
    loadFacts(
      tx,
      wanted.map((each) => ({ ...each, createdAt: at })),
    ),
    selectWalletsOf(tx, merchantIds),
    selectFeeRules(tx, merchantIds),
    references.length === 0 ? [] : selectDepartedReferences(tx, references),
  ])
  await books.load(
    wallets.flatMap((wallet) =>
      Object.values(
        accountsOf(must(modes.get(wallet.merchantId), 'the mode of the merchant is loaded'), wallet),
      ),
    ),
  )
  return {
    facts,
    wallets: Map.groupBy(wallets, (wallet) => `${wallet.merchantId}/${wallet.currency}`),
    fees: new Map(fees.map((rule) => [`${rule.merchantId}/${rule.method}/${rule.currency}`, rule])),
    departed: new Set(departed),
  }
}

/** What a request wants. Where nothing pays it out, in the currency that was requested, so that its merchant's rules are loaded. */
export function wantedBy(
  { type, currency }: Pick<WithdrawalRequest, 'type' | 'currency'>,
  routing: PayoutRouting,
): Pick<Wanted, 'type' | 'currency' | 'place'> {
  return routing.ok
    ? { type, currency: routing.currency, place: routing.destination.text }
    : { type, currency: currency as Currency }
}

/** Decides about one withdrawal. Changes nothing. */
export function accept(
  rules: Rules,
  requester: Requester & { readonly way: WithdrawalWay },
  requested: Requested,
  present: Present,
): Acceptance {
  const { merchantId, way, requestedBy } = requester
  const { request, routing } = requested
  const stop = stopOf(rules.facts, { way, merchantId, rail: request.type, requestedBy })
  if (stop !== undefined) return { kind: 'frozen' }
  if (rules.departed.has(requested.reference)) return { kind: 'left_before' }
  if (!routing.ok) return { kind: 'not_offered', routing }

  const amountMinor = amountFromJson(request.amount)
  const { currency, destination } = routing
  const outgoing = {
    way,
    merchantId,
    requestedBy,
    type: request.type,
    currency,
    amountMinor,
    createdAt: present.at,
  }
  const allowed = mayLeave(rules.facts, { ...outgoing, place: destination.text }, present)
  if (!allowed.ok) {
    if (allowed.reason === 'frozen' || allowed.reason === 'account') return { kind: 'frozen' }
    return { kind: 'limited', limit: allowed }
  }

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
    status: allowed.needsApproval ? 'PENDING_APPROVAL' : 'PENDING',
    createdAt: present.at,
  })
  return { kind: 'accepted', withdrawal }
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

/** The largest amount that the limits of the merchant and its parent allow and that is, with its fee, not above `freeMinor`. Zero: none. */
export function largestAmount(
  rules: Rules,
  of: Wanted & { readonly createdAt: Date },
  freeMinor: bigint,
): bigint {
  const fee = rules.fees.get(`${of.merchantId}/${feeMethodOf(of.type)}/${of.currency}`)
  const caps = [freeMinor, roomIn(0n), mostAllowed(rules.facts, of)]
  let least = 0n
  let most = caps.reduce(minOf)
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

/** A withdrawal that was accepted, as the gate sees it. */
export function outgoingOf(withdrawal: Withdrawal): Outgoing {
  const { batch, scheduleId, destination } = withdrawal
  const way = batch !== undefined ? 'BATCH' : scheduleId === undefined ? 'WITHDRAWAL' : 'SCHEDULE'
  return { ...withdrawal, way, place: destination.text, batchId: batch?.id }
}
