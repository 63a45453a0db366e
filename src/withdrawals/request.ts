// START HERE. A merchant withdraws money: wallet, funds and limits are decided under the lane's lock, and the amount is held
// in the same transaction. Nothing is sent yet.
// Inspected by audit/withdrawals.ts.
import { dayOf } from '#/kernel/time.ts'
import type { Mode } from '#/kernel/mode.ts'
import { must } from '#/kernel/check.ts'
import type { ApiKeyId, MerchantId, WalletId, WithdrawalId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import { amountFromJson, roomIn, type Currency } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import * as chart from '#/ledger/chart.ts'
import { runnable, type Batch, type RunnableKind, type Ruling } from '#/ledger/kind.ts'
import { withdrawalHeld } from '#/ledger/recipes.ts'
import { feeOn, type FeeRule } from '#/merchants/fee.ts'
import { isFrozen, type FreezeScope } from '#/merchants/freeze.ts'
import { selectFreezes } from '#/merchants/freeze-queries.ts'
import { selectFeeRules } from '#/merchants/queries.ts'
import type { PayoutRouting, PayoutType } from '#/rails/payout-rail.ts'
import { selectWalletsOf } from '#/wallets/queries.ts'
import type { Wallet } from '#/wallets/wallet.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { chooseWallet } from './choose-wallet.ts'
import { spentOf, withinLimits, type Limit, type LimitVerdict } from './limits.ts'
import * as limitQueries from './limit-queries.ts'
import * as queries from './queries.ts'
import { withdrawalEvent, type Withdrawal, type WithdrawalRequest } from './withdrawal.ts'

export type WithdrawalItem = {
  readonly merchantId: MerchantId
  readonly mode: Mode
  readonly id: WithdrawalId
  readonly request: WithdrawalRequest
  readonly idempotencyKey?: string
  readonly requestedBy: ApiKeyId
  /** The payout rail's answer about the destination. Used only if no earlier withdrawal has this idempotency key. */
  readonly routing: PayoutRouting
}

export type WithdrawalVerdict =
  | { readonly kind: 'created'; readonly withdrawal: Withdrawal }
  | { readonly kind: 'replayed'; readonly withdrawal: Withdrawal }
  /** The key created this withdrawal before, with another body. */
  | { readonly kind: 'conflict'; readonly withdrawal: Withdrawal }
  | { readonly kind: 'frozen' }
  | { readonly kind: 'not_offered'; readonly routing: PayoutRouting & { readonly ok: false } }
  | { readonly kind: 'unknown_wallet' }
  | { readonly kind: 'not_spendable' }
  | { readonly kind: 'insufficient_funds'; readonly missingMinor: bigint }
  /** The held balance would exceed the largest amount that the API can show. `roomMinor`: how much more can be held. */
  | { readonly kind: 'too_much'; readonly roomMinor: bigint }
  | { readonly kind: 'limited'; readonly limit: LimitVerdict & { readonly ok: false } }

export type WithdrawalKind = RunnableKind<WithdrawalItem, WithdrawalVerdict, EventDraft>

type View = {
  readonly byKey: Map<string, queries.StoredWithdrawalKey>
  readonly freezes: readonly FreezeScope[]
  readonly wallets: ReadonlyMap<string, readonly Wallet[]>
  readonly fees: ReadonlyMap<string, FeeRule>
  readonly limits: ReadonlyMap<string, Limit>
  /** The sums accepted today, by limit. */
  readonly spent: Map<string, bigint>
  readonly listed: ReadonlySet<string>
}

type Change = queries.NewWithdrawal

/** Accepts withdrawals, as a kind of work for the ledger lane. */
export function withdrawalKind(): WithdrawalKind {
  return runnable<WithdrawalItem, View, Change, WithdrawalVerdict, EventDraft>({
    name: 'accept a withdrawal',
    bytesOf: () => 1_536,
    load,
    decide,
    async write({ tx }, withdrawals) {
      const ready = withdrawals.filter((withdrawal) => withdrawal.status === 'PENDING')
      await Promise.all([
        queries.insertWithdrawals(tx, withdrawals),
        ready.length > 0 && queries.insertDue(tx, ready),
        // Always counted, so that a limit that is set during the day includes the earlier withdrawals.
        limitQueries.addSpent(tx, withdrawals.map(spentOf)),
      ])
    },
  })
}

async function load({ tx, books, at }: Batch, items: readonly WithdrawalItem[]): Promise<View> {
  const keyed = items.filter(({ idempotencyKey }) => idempotencyKey !== undefined)
  const references = [...new Set(keyed.map(referenceOf))]
  const merchantIds = [...new Set(items.map((item) => item.merchantId))]
  const [stored, freezes, wallets, fees, limits] = await Promise.all([
    references.length === 0 ? [] : queries.selectByKeys(tx, references),
    selectFreezes(tx, merchantIds),
    selectWalletsOf(tx, merchantIds),
    selectFeeRules(tx, merchantIds),
    limitQueries.selectLimits(tx, merchantIds),
  ])
  const limited = limits.length > 0
  const [spent, listed] = await Promise.all([
    limited ? limitQueries.selectSpent(tx, merchantIds, dayOf(at)) : [],
    limited ? limitQueries.selectDestinations(tx, merchantIds) : [],
  ])
  const modes = new Map(items.map(({ merchantId, mode }) => [merchantId, mode]))
  await books.load(
    wallets.flatMap((wallet) =>
      Object.values(
        accountsOf(must(modes.get(wallet.merchantId), 'the mode of the merchant is loaded'), wallet),
      ),
    ),
  )
  return {
    byKey: new Map(stored.map((each) => [`${each.withdrawal.merchantId}/${each.key}`, each])),
    freezes,
    wallets: Map.groupBy(wallets, (wallet) => `${wallet.merchantId}/${wallet.currency}`),
    fees: new Map(fees.map((rule) => [`${rule.merchantId}/${rule.method}/${rule.currency}`, rule])),
    limits: new Map(limits.map((limit) => [limitKey(limit), limit])),
    spent: new Map(spent.map((each) => [limitKey(each), each.minor])),
    listed: new Set(listed.map((each) => `${each.merchantId}/${each.type}/${each.destination}`)),
  }
}

type Decided = Ruling<Change, WithdrawalVerdict, EventDraft>

function decide(view: View, item: WithdrawalItem, batch: Pick<Batch, 'books' | 'at'>): Decided {
  const { merchantId, mode, request, idempotencyKey, routing } = item
  const fingerprint = sha256(canonicalJson(request))
  const earlier = idempotencyKey === undefined ? undefined : view.byKey.get(`${merchantId}/${idempotencyKey}`)
  if (earlier !== undefined) {
    const kind = earlier.fingerprint.equals(fingerprint) ? 'replayed' : 'conflict'
    return { verdict: { kind, withdrawal: earlier.withdrawal } }
  }
  if (isFrozen(view.freezes, { merchantId, rail: request.type })) return { verdict: { kind: 'frozen' } }
  if (!routing.ok) return { verdict: { kind: 'not_offered', routing } }

  const amountMinor = amountFromJson(request.amount)
  const { currency, destination } = routing
  const key = limitKey({ merchantId, type: request.type, currency })
  const limit = view.limits.get(key)
  const spentMinor = view.spent.get(key) ?? 0n
  const isListed = view.listed.has(`${merchantId}/${request.type}/${destination.text}`)
  const allowed = withinLimits(limit, amountMinor, { spentMinor, isListed })
  if (!allowed.ok) return { verdict: { kind: 'limited', limit: allowed } }

  const feeMinor = withdrawalFee(
    view.fees.get(`${merchantId}/${feeMethodOf(request.type)}/${currency}`),
    amountMinor,
  )
  const named = request.walletId?.toLowerCase() as WalletId | undefined
  const choice = chooseWallet(
    view.wallets.get(`${merchantId}/${currency}`) ?? [],
    (wallet) => batch.books.balance(accountsOf(mode, wallet).available),
    amountMinor + feeMinor,
    named,
  )
  if (!choice.ok)
    return {
      verdict:
        choice.reason === 'insufficient_funds'
          ? { kind: 'insufficient_funds', missingMinor: choice.missing }
          : { kind: choice.reason },
    }
  const roomMinor = roomIn(batch.books.balance(accountsOf(mode, choice.wallet).held))
  if (amountMinor + feeMinor > roomMinor) return { verdict: { kind: 'too_much', roomMinor } }
  const status = allowed.needsApproval ? 'PENDING_APPROVAL' : 'PENDING'
  const withdrawal = newWithdrawal(item, routing, {
    feeMinor,
    walletId: choice.wallet.id,
    status,
    at: batch.at,
  })
  if (!hold(batch, withdrawal, accountsOf(mode, choice.wallet), fingerprint))
    return { verdict: { kind: 'not_spendable' } }
  if (idempotencyKey !== undefined)
    view.byKey.set(`${merchantId}/${idempotencyKey}`, { key: idempotencyKey, fingerprint, withdrawal })
  view.spent.set(key, spentMinor + amountMinor)
  const created = withdrawalEvent('withdrawal.created', withdrawal)
  return {
    verdict: { kind: 'created', withdrawal },
    change: { ...withdrawal, idempotencyKey, fingerprint },
    events: allowed.needsApproval
      ? [created, withdrawalEvent('withdrawal.approval_required', withdrawal)]
      : [created],
  }
}

function newWithdrawal(
  item: WithdrawalItem,
  { connection, currency, destination }: PayoutRouting & { readonly ok: true },
  more: Pick<Withdrawal, 'feeMinor' | 'walletId' | 'status'> & { readonly at: Date },
): Withdrawal {
  const { merchantId, mode, id, request, requestedBy } = item
  const { at, ...chosen } = more
  return {
    ...chosen,
    merchantId,
    id,
    mode,
    type: request.type,
    amountMinor: amountFromJson(request.amount),
    currency,
    connection,
    reference: referenceOf(item),
    destination,
    request,
    requestedBy,
    returnedMinor: 0n,
    reviewRequired: false,
    version: 1,
    createdAt: at,
  }
}

/**
 * Our reference at the provider, fixed before the first call. It is derived from the merchant's own key: even if all our data were
 * lost, the same request would get the same reference, and be the same payout at the provider.
 */
function referenceOf({
  merchantId,
  idempotencyKey,
  id,
}: Pick<WithdrawalItem, 'merchantId' | 'idempotencyKey' | 'id'>): string {
  if (idempotencyKey === undefined) return id.replaceAll('-', '')
  return sha256(canonicalJson({ merchantId, idempotencyKey })).toString('hex').slice(0, 32)
}

/** Whether the hold was booked. The wallet has the funds, so this fails only when one of its accounts is in another currency. */
function hold(
  { books }: Pick<Batch, 'books'>,
  { id, amountMinor, feeMinor }: Withdrawal,
  accounts: ReturnType<typeof accountsOf>,
  cause: Buffer,
): boolean {
  const held = books.post(
    withdrawalHeld({ subject: id, ordinal: 1, cause }, accounts, { amount: amountMinor, fee: feeMinor }),
  )
  return held.ok
}

/** The fee rule of a withdrawal is separate from that of the method's payments. */
export function feeMethodOf(type: PayoutType): string {
  return `${type}_WITHDRAWAL`
}

/** The fee is added to the amount, so the fee may be larger than the amount. */
function withdrawalFee(rule: FeeRule | undefined, amountMinor: bigint): bigint {
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

function limitKey({ merchantId, type, currency }: Pick<Limit, 'merchantId' | 'type' | 'currency'>): string {
  return `${merchantId}/${type}/${currency}`
}
