// Whether a withdrawal may be accepted, under the lane's lock: the gate for money that leaves decides (money-out/gate.ts), then wallet, funds and
// fee. One decision for one withdrawal (request.ts), for a batch (request-batch.ts) and for a schedule (schedule-run.ts). It changes nothing.
import type { Tx } from '#/db/client.ts'
import { insertValues } from '#/finding/queries.ts'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import type { ApiKeyId, MerchantId, WalletId, WithdrawalId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { amountFromJson, minOf, roomIn, type Currency } from '#/kernel/money.ts'
import * as chart from '#/ledger/chart.ts'
import type { Batch, Closed } from '#/ledger/kind.ts'
import { withdrawalHeld } from '#/ledger/recipes.ts'
import { feeOn, type FeeRule } from '#/merchants/fee.ts'
import { selectFeeRules } from '#/merchants/queries.ts'
import { loadFacts, noteSpent, type Facts, type Outgoing } from '#/money-out/facts.ts'
import { mayLeave, mostAllowed, refusalOf, stopOf, type GateVerdict } from '#/money-out/gate.ts'
import { spentOf, type LimitRefusal } from '#/money-out/limits.ts'
import * as limitQueries from '#/money-out/queries.ts'
import type { PayoutRouting, PayoutType } from '#/rails/payout-rail.ts'
import type { Decided, Reading } from '#/wallets/pure-kind.ts'
import { selectWalletsOf } from '#/wallets/queries.ts'
import type { Wallet } from '#/wallets/wallet.ts'
import * as queries from './queries.ts'
import { withdrawalEvent, type Withdrawal, type WithdrawalRequest } from './withdrawal.ts'

/** Who requests a withdrawal, and by which way. */
export type Requester = {
  readonly merchantId: MerchantId
  readonly mode: Mode
  readonly requestedBy: ApiKeyId
  readonly way: 'WITHDRAWAL' | 'BATCH' | 'SCHEDULE'
}

/** A withdrawal that a merchant requests. */
export type Requested = {
  readonly id: WithdrawalId
  readonly request: WithdrawalRequest
  /** The payout rail's answer about the destination. */
  readonly routing: PayoutRouting
  /** Ours at the provider, fixed before the first call. */
  readonly reference: string
}

/** Why a withdrawal is not accepted. */
export type WithdrawalRefusal =
  | { readonly kind: 'frozen' }
  /** A restore lost the withdrawal of this key, and its money had left: two people have decided whose it was. */
  | { readonly kind: 'left_before' }
  | { readonly kind: 'not_offered'; readonly routing: PayoutRouting & { readonly ok: false } }
  | { readonly kind: 'unknown_wallet' }
  | { readonly kind: 'not_spendable' }
  | {
      readonly kind: 'insufficient_funds'
      readonly missingMinor: bigint
      /** No wallet was named, and no single one covers it: what all that may be spent from hold, where that is enough. */
      readonly togetherMinor?: bigint
    }
  /** The held balance would exceed the largest amount that the API can show. `roomMinor`: how much more can be held. */
  | { readonly kind: 'too_much'; readonly roomMinor: bigint }
  | { readonly kind: 'limited'; readonly limit: LimitRefusal }

/** What decides about the merchants' withdrawals. Only `spent` changes while a batch of the lane is decided. */
export type Rules = {
  readonly facts: Facts
  readonly wallets: ReadonlyMap<string, readonly Wallet[]>
  readonly fees: ReadonlyMap<string, FeeRule>
  /** Those of the references under which money left that a restore lost. */
  readonly departed: ReadonlySet<string>
  /** The sums of days, by the keys of `countedLimits`, with what was accepted before. */
  readonly spent: Map<string, bigint>
}

/** A payout that somebody requests, before its amount and place are known. */
export type Wanted = Requester & {
  readonly type: PayoutType
  readonly currency: Currency
  /** Absent: its rail does not accept the destination. */
  readonly place?: string | undefined
}

/** What withdrawals that were accepted before have left of a wallet. */
type BalancesOf = (wallet: Wallet) => { readonly availableMinor: bigint; readonly heldMinor: bigint }

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
    references.length === 0 ? [] : queries.selectDepartedReferences(tx, references),
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
    spent: new Map(facts.spent),
  }
}

/** What a request wants. Where nothing pays it out, in the currency that was requested, so that its merchant's rules are loaded. */
export function wantedBy(requester: Requester, { request, routing }: Omit<Requested, 'reference'>): Wanted {
  const { merchantId, mode, requestedBy, way } = requester
  const who = { merchantId, mode, requestedBy, way, type: request.type }
  return routing.ok
    ? { ...who, currency: routing.currency, place: routing.destination.text }
    : { ...who, currency: request.currency as Currency }
}

/** Decides about one withdrawal: it is as it would be accepted, or refused. */
export function accept(
  rules: Closed<Rules>,
  requester: Requester,
  requested: Requested,
  balancesOf: BalancesOf,
  at: Date,
): { readonly kind: 'accepted'; readonly withdrawal: Withdrawal } | WithdrawalRefusal {
  const { merchantId, mode, way, requestedBy } = requester
  const { id, request, routing, reference } = requested
  const { type } = request
  if (stopOf(rules.facts, { way, merchantId, rail: type, requestedBy }) !== undefined)
    return { kind: 'frozen' }
  if (rules.departed.has(reference)) return { kind: 'left_before' }
  if (!routing.ok) return { kind: 'not_offered', routing }

  const { connection, currency, destination } = routing
  const amountMinor = amountFromJson(request.amount)
  const known = { merchantId, mode, requestedBy, type, currency, amountMinor, createdAt: at }
  const allowed = mayLeave(rules.facts, { ...known, way, place: destination.text }, rules)
  if (!allowed.ok) return refusalOf(allowed)

  const feeMinor = withdrawalFee(
    rules.fees.get(`${merchantId}/${feeMethodOf(type)}/${currency}`),
    amountMinor,
  )
  const choice = chooseWallet(
    rules.wallets.get(`${merchantId}/${currency}`) ?? [],
    (wallet) => balancesOf(wallet).availableMinor,
    amountMinor + feeMinor,
    request.walletId?.toLowerCase() as WalletId | undefined,
  )
  if (!choice.ok)
    return choice.reason === 'insufficient_funds'
      ? {
          kind: 'insufficient_funds',
          missingMinor: choice.missing,
          ...given({ togetherMinor: choice.together }),
        }
      : { kind: choice.reason }
  const roomMinor = roomIn(balancesOf(choice.wallet).heldMinor)
  if (amountMinor + feeMinor > roomMinor) return { kind: 'too_much', roomMinor }

  const withdrawal: Withdrawal = {
    ...known,
    id,
    status: allowed.needsApproval ? 'PENDING_APPROVAL' : 'PENDING',
    feeMinor,
    walletId: choice.wallet.id,
    connection,
    reference,
    destination,
    request,
    returnedMinor: 0n,
    reviewRequired: false,
    version: 1,
  }
  return { kind: 'accepted', withdrawal }
}

/** What accepting these withdrawals posts and announces. */
export function acceptanceOf(
  withdrawals: readonly queries.NewWithdrawal[],
): Required<Pick<Decided<never, never>, 'postings' | 'events'>> {
  return { postings: withdrawals.flatMap(holdOf), events: withdrawals.flatMap(createdEvents) }
}

/** Holds amount and fee. */
function holdOf({ id, mode, walletId, currency, amountMinor, feeMinor, fingerprint }: queries.NewWithdrawal) {
  return withdrawalHeld(
    { subject: id, ordinal: 1, cause: fingerprint },
    accountsOf(mode, { id: walletId, currency }),
    { amount: amountMinor, fee: feeMinor },
  )
}

function createdEvents(withdrawal: Withdrawal) {
  const created = withdrawalEvent('withdrawal.created', withdrawal)
  return withdrawal.status === 'PENDING_APPROVAL'
    ? [created, withdrawalEvent('withdrawal.approval_required', withdrawal)]
    : [created]
}

/** Counts withdrawals that were accepted to their day, for the decisions after them. */
export function keepAccepted({ spent, facts }: Rules, withdrawals: readonly Withdrawal[]): void {
  for (const withdrawal of withdrawals) noteSpent(spent, facts, outgoingOf(withdrawal))
}

/** Writes withdrawals that were accepted. Those that wait for nobody are due at once. */
export async function writeAccepted(tx: Tx, withdrawals: readonly queries.NewWithdrawal[]): Promise<void> {
  const ready = withdrawals.filter((withdrawal) => withdrawal.status === 'PENDING')
  await Promise.all([
    insertIndexed(tx, withdrawals),
    ready.length > 0 && queries.insertDue(tx, ready),
    // Always counted, so that a limit that is set during the day includes the earlier withdrawals.
    limitQueries.addSpent(tx, withdrawals.map(spentOf)),
  ])
}

/** Writes them, and indexes the metadata of merchants that find by it. */
async function insertIndexed(tx: Tx, withdrawals: readonly queries.NewWithdrawal[]): Promise<void> {
  const keyed = await queries.insertWithdrawals(tx, withdrawals)
  const indexed = withdrawals.filter(({ id, request }) => keyed.has(id) && request.metadata !== undefined)
  if (indexed.length > 0) await insertValues(tx, 'WITHDRAWAL', indexed)
}

/** The balances of a wallet in the books, with all postings so far. */
export function balancesIn({ books }: Pick<Reading, 'books'>, mode: Mode): BalancesOf {
  return (wallet) => {
    const { available, held } = accountsOf(mode, wallet)
    return { availableMinor: books.balance(available), heldMinor: books.balance(held) }
  }
}

function accountsOf(mode: Mode, { id, currency }: { readonly id: WalletId; readonly currency: Currency }) {
  return {
    available: chart.walletAvailable(mode, id, currency),
    held: chart.walletHeld(mode, id, currency),
  }
}

/** The largest amount that the limits of the merchant and its parent allow and that is, with its fee, not above `freeMinor`. Zero: none. */
export function largestAmount(
  rules: Closed<Rules>,
  of: Wanted & { readonly createdAt: Date },
  freeMinor: bigint,
): bigint {
  const fee = rules.fees.get(`${of.merchantId}/${feeMethodOf(of.type)}/${of.currency}`)
  const caps = [freeMinor, roomIn(0n), mostAllowed(rules.facts, of, rules)]
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

/** The fee rule of a withdrawal is separate from that of the method's payments. */
export function feeMethodOf(type: PayoutType): string {
  return `${type}_WITHDRAWAL`
}

/** The fee is added to the amount, so the fee may be larger than the amount. */
export function withdrawalFee(rule: FeeRule | undefined, amountMinor: bigint): bigint {
  if (rule === undefined) return 0n
  return (
    rule.fixedMinor + feeOn({ ...rule, fixedMinor: 0n }, { received: 0n, charged: 0n, arrived: amountMinor })
  )
}

/** Whether a withdrawal may leave now, as a part of its own day. */
export type AllowedNow = (withdrawal: Withdrawal) => GateVerdict

/**
 * Loads what the gate decides now about withdrawals that were accepted before. Since then money may have been frozen, a limit lowered, or a
 * destination removed from the list. Asked when one is approved and each time before it is sent.
 */
export async function loadAllowedNow(tx: Tx, withdrawals: readonly Withdrawal[]): Promise<AllowedNow> {
  const facts = await loadFacts(tx, withdrawals.map(outgoingOf))
  return (withdrawal) => mayLeave(facts, outgoingOf(withdrawal), { spent: facts.spent, isCounted: true })
}

/** A withdrawal that was accepted, as the gate sees it. */
export function outgoingOf(withdrawal: Withdrawal): Outgoing {
  const { batch, scheduleId, destination } = withdrawal
  const way = batch !== undefined ? 'BATCH' : scheduleId === undefined ? 'WITHDRAWAL' : 'SCHEDULE'
  return { ...withdrawal, way, place: destination.text, batchId: batch?.id }
}

// Which wallet a withdrawal leaves from (interface §2.2, rules 2 and 4).

type Choice =
  | { readonly ok: true; readonly wallet: Wallet }
  /** The named wallet is not the merchant's, or of another currency. */
  | { readonly ok: false; readonly reason: 'unknown_wallet' }
  | { readonly ok: false; readonly reason: 'not_spendable' }
  | {
      readonly ok: false
      readonly reason: 'insufficient_funds'
      /** In the named wallet, else in the default one. */
      readonly missing: bigint
      /** What several wallets hold, where each has too little and all have enough. */
      readonly together?: bigint
    }

/**
 * The wallet for a debit, which is never split:
 * - the named wallet, if it may be spent from;
 * - else the default wallet, if it covers the debit;
 * - else the oldest active SPENDABLE wallet that covers it.
 * `wallets`: the merchant's wallets of the currency, oldest first.
 */
export function chooseWallet(
  wallets: readonly Wallet[],
  balanceOf: (wallet: Wallet) => bigint,
  debit: bigint,
  named: WalletId | undefined,
): Choice {
  if (named !== undefined) {
    const wallet = wallets.find(({ id }) => id === named)
    if (wallet === undefined) return { ok: false, reason: 'unknown_wallet' }
    if (!isSpendable(wallet)) return { ok: false, reason: 'not_spendable' }
    return covered([wallet], balanceOf, debit)
  }
  const spendable = wallets.filter(isSpendable)
  const byDefault = spendable.filter((wallet) => wallet.isDefault)
  return covered([...byDefault, ...spendable.filter((wallet) => !wallet.isDefault)], balanceOf, debit)
}

function covered(wallets: readonly Wallet[], balanceOf: (wallet: Wallet) => bigint, debit: bigint): Choice {
  const [first] = wallets
  if (first === undefined) return { ok: false, reason: 'not_spendable' }
  const wallet = wallets.find((each) => balanceOf(each) >= debit)
  if (wallet !== undefined) return { ok: true, wallet }
  const together = wallets.reduce((sum, each) => sum + balanceOf(each), 0n)
  const missing = debit - balanceOf(first)
  return { ok: false, reason: 'insufficient_funds', missing, ...(together >= debit ? { together } : {}) }
}

function isSpendable({ walletType, isActive }: Wallet): boolean {
  return walletType === 'SPENDABLE' && isActive
}
