// A provider's report ends a payout: the held money leaves or is released, once, in one transaction with the state of the
// withdrawal and the event.
// Inspected by audit/settlement/payout.ts.
import type { Tx, Sql } from '#/db/client.ts'
import { claimKey, type Claim } from '#/jobs/claim.ts'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import type { WalletId, WithdrawalId, RefundId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { minOf } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import { next } from '#/kernel/state.ts'
import type { Posting } from '#/ledger/apply.ts'
import * as chart from '#/ledger/chart.ts'
import type { Closed, RunnableKind } from '#/ledger/kind.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import * as recipes from '#/ledger/recipes.ts'
import type { GateVerdict } from '#/money-out/gate.ts'
import { spentOf } from '#/money-out/limits.ts'
import { addSpent, releaseSpent } from '#/money-out/queries.ts'
import type { AuditEntry } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import type { Method } from '#/rails/method.ts'
import type { PayoutNames, PayoutRails, StillLeaving } from '#/rails/payout-rail.ts'
import type { Rails } from '#/rails/rail.ts'
import type { Signal } from '#/rails/receipt.ts'
import { selectRefundsById } from '#/refunds/queries.ts'
import { allowedOf, leavingOf, loadRules } from '#/refunds/rules.ts'
import { loadParents, type Parents } from '#/wallets/parent-debt.ts'
import { pureKind, type Decided, type Reading } from '#/wallets/pure-kind.ts'
import { selectWalletIds } from '#/wallets/queries.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { loadAllowedNow } from '#/withdrawals/accept.ts'
import { lockClaims, hastenDue } from '#/withdrawals/due-queries.ts'
import { deleteDue, selectWithdrawalsById, writeWithdrawals } from '#/withdrawals/queries.ts'
import type { PayoutNews, SettledAs } from '#/withdrawals/send.ts'
import { isEnded, withdrawalEvent, withdrawalStates, type Withdrawal } from '#/withdrawals/withdrawal.ts'
import { creditAccounts } from './accounts.ts'

export type PayoutItem = {
  readonly id: WithdrawalId
  readonly news: PayoutNews
  /** The reason, when a person and not the provider ends it. */
  readonly note?: string
  /** The person who ended it, written in the transaction of the change. */
  readonly audit?: AuditEntry
  /** The claim of the worker whose call the provider answered. */
  readonly claim?: Pick<Claim, 'id' | 'number'>
}

type PayoutKind = RunnableKind<PayoutItem, SettledAs, EventDraft>

/**
 * Settles what a provider or a person reports of a withdrawal. A report that contradicts the recorded end raises an alarm. If
 * money left although the withdrawal had ended without it, that is booked; the opposite is not.
 */
export async function settlePayout(
  {
    lane,
    kind,
    log,
  }: {
    readonly lane: Pick<LedgerLane<EventDraft>, 'submit'>
    readonly kind: PayoutKind
    readonly log: Log
  },
  { id, status }: Pick<Withdrawal, 'id' | 'status'>,
  news: PayoutNews,
  claim?: Claim,
): Promise<SettledAs> {
  const verdict = await lane.submit(kind, { id, news, ...given({ claim }) })
  const named = { withdrawal: id, status, said: news.state }
  if (verdict === 'superseded')
    log.warn(
      { ...named, claim: claim?.number },
      'a refusal came from a worker that does not hold the withdrawal any more; nothing was booked',
    )
  if (verdict === 'noted') log.error(named, 'a provider reports another end than the recorded one')
  if (verdict === 'reversed')
    log.error(named, 'a provider paid what had ended here; its merchant was debited again')
  return verdict
}

type View = {
  readonly withdrawals: Map<WithdrawalId, Withdrawal>
  /** All wallets, the oldest first, by merchant and currency, for withdrawals that ended without being paid. */
  readonly wallets: ReadonlyMap<string, readonly WalletId[]>
  /** The claims after which no other worker has claimed the withdrawal. */
  readonly held: ReadonlySet<string>
  readonly parents: Parents
}
type Change = { readonly before: Withdrawal; readonly after: Withdrawal; readonly audit?: AuditEntry }
type Accounts = recipes.HeldAccounts & {
  readonly source: chart.AccountSpec
  readonly fees: chart.AccountSpec
  readonly receivable: chart.AccountSpec
  readonly owes: chart.AccountSpec
}
type Ground = { readonly rails: PayoutRails; readonly wallets: ReadonlyMap<string, readonly WalletId[]> }

/** Settles payouts, as a kind of work for the ledger lane. */
export function payoutKind(rails: PayoutRails): PayoutKind {
  return pureKind<PayoutItem, View, Change, SettledAs>({
    name: 'settle a payout',
    async load({ tx, books, at }, items) {
      const withdrawals = await selectWithdrawalsById(tx, [...new Set(items.map((item) => item.id))])
      // One of the batch may be refused and then paid.
      const isPaid = items.some(({ news }) => news.state === 'done' || news.state === 'returned')
      const unpaid = withdrawals.filter(({ status }) => isPaid && status !== 'COMPLETED')
      const owned = unpaid.length === 0 ? [] : await selectWalletIds(tx, unpaid)
      const wallets = Map.groupBy(owned, walletKey)
      const all = new Map([...wallets].map(([key, each]) => [key, each.map(({ id }) => id)]))
      await books.load(withdrawals.flatMap((each) => accountList({ rails, wallets: all }, each)))
      const parents = await loadParents({ tx, books, at }, withdrawals)
      const claims = items.flatMap(({ news, claim }) => (news.state === 'refused' ? (claim ?? []) : []))
      return {
        withdrawals: new Map(withdrawals.map((each) => [each.id, each])),
        wallets: all,
        held: claims.length === 0 ? new Set() : await lockClaims(tx, claims),
        parents,
      }
    },
    decide: (view, item, batch) => decideItem(rails, view, item, batch),
    keep: ({ withdrawals }, { change: { after } }) => void withdrawals.set(after.id, after),
    write: ({ tx }, changes) => write(tx, rails, changes),
  })
}

async function write(tx: Tx, rails: PayoutRails, changes: readonly Change[]): Promise<void> {
  const latest = [...new Map(changes.map(({ after }) => [after.id, after])).values()]
  const ended = latest.filter(({ status }) => status === 'FAILED' || status === 'COMPLETED')
  const completed = latest.filter(({ status }) => status === 'COMPLETED')
  const counted = changes.filter(({ before, after }) => !isCounted(before) && isCounted(after))
  const freed = changes.filter(({ before, after }) => isCounted(before) && !isCounted(after))
  await writeWithdrawals(tx, latest)
  await writeAudit(
    tx,
    changes.flatMap(({ audit }) => audit ?? []),
  )
  if (ended.length > 0) await deleteDue(tx, ended)
  if (counted.length > 0)
    await addSpent(
      tx,
      counted.map(({ after }) => spentOf(after)),
    )
  if (freed.length > 0)
    await releaseSpent(
      tx,
      freed.map(({ after }) => spentOf(after)),
    )
  for (const { type, units } of rails.values()) {
    const left = completed.filter((each) => each.type === type).map(({ id }) => id)
    if (left.length > 0) await units?.leave(tx, left)
  }
}

/** Whether it counts to its day's limit: it does not if it did not leave. */
function isCounted({ status }: Withdrawal): boolean {
  return status !== 'FAILED' && status !== 'CANCELED'
}

function decideItem(
  rails: PayoutRails,
  { withdrawals, wallets, held, parents }: Closed<View>,
  { id, news, note, claim, audit }: PayoutItem,
  { books, at }: Reading,
): Decided<Change, SettledAs> {
  const before = withdrawals.get(id)
  const ground: Ground = { rails, wallets }
  // There is no such withdrawal, or an account that it moves is in another currency.
  if (before === undefined || !accountList(ground, before).every((account) => books.accepts(account)))
    return { verdict: 'noted' }
  // A worker that has claimed it since may have sent it again with success: that worker will report it.
  const isOpen = before.status === 'PROCESSING'
  if (news.state === 'refused' && claim !== undefined && isOpen && !held.has(claimKey(claim)))
    return { verdict: 'superseded' }
  const { change, ...decided } = decide(ground, before, news, at)
  if (change === undefined) return decided
  const after = note === undefined ? change : { ...change, note }
  const decidedNow = { ...decided, change: { before, after, ...given({ audit }) } }
  if (news.state !== 'refused' && news.state !== 'returned') return decidedNow
  const { merchantId, currency, version: ordinal } = change
  const occasion = { subject: id, ordinal, cause: sha256(news.evidence) }
  const { available } = accountsOf(rails, change)
  return { ...decidedNow, repays: { parents, occasion, merchantId, currency, available } }
}

function decide(
  ground: Ground,
  before: Withdrawal,
  news: PayoutNews,
  at: Date,
): Decided<Withdrawal, SettledAs> {
  if (news.state === 'silent') {
    if (before.status !== 'PROCESSING' || before.reviewRequired) return { verdict: 'repeated' }
    return { verdict: 'settled', change: { ...before, reviewRequired: true, version: before.version + 1 } }
  }
  const named: Withdrawal = { ...before, ...namesOf(news), version: before.version + 1 }
  const accounts = accountsOf(ground.rails, before)
  const amounts = { amount: before.amountMinor, fee: before.feeMinor }
  const occasion = { subject: before.id, ordinal: named.version, cause: sha256(news.evidence) }
  switch (news.state) {
    case 'sent':
      if (before.status !== 'PROCESSING') return { verdict: 'repeated' }
      return { verdict: 'settled', change: named }
    case 'done': {
      if (next(withdrawalStates, before.status, 'done') === undefined)
        return { verdict: before.status === 'COMPLETED' ? 'repeated' : 'noted' }
      const { failure: _failure, ...kept } = named
      const done: Withdrawal = { ...kept, status: 'COMPLETED', reviewRequired: false, completedAt: at }
      if (!isEnded(before))
        return ended(done, 'withdrawal.completed', recipes.withdrawalDone(occasion, accounts, amounts))
      const from = { ...accounts, sources: sourcesOf(ground, before) }
      const again = recipes.withdrawalDoneAfterAll(occasion, from, amounts)
      return { ...ended(done, 'withdrawal.completed', again), verdict: 'reversed' }
    }
    case 'refused': {
      if (next(withdrawalStates, before.status, 'refused') === undefined)
        return { verdict: before.status === 'COMPLETED' ? 'noted' : 'repeated' }
      const failure = { code: news.code, message: news.message }
      const failed: Withdrawal = { ...named, status: 'FAILED', reviewRequired: false, failure }
      return ended(failed, 'withdrawal.failed', recipes.withdrawalReleased(occasion, accounts, amounts))
    }
    case 'returned': {
      if (before.status !== 'COMPLETED') return returnedUnpaid(ground, before, news, at)
      const total = minOf(news.returned, before.amountMinor)
      if (total <= before.returnedMinor) return { verdict: 'repeated' }
      const back = recipes.withdrawalReturned(occasion, accounts, total - before.returnedMinor)
      return ended({ ...named, returnedMinor: total }, 'withdrawal.returned', back)
    }
  }
}

/** It was paid before it came back, even if nobody reported that to us. */
function returnedUnpaid(
  ground: Ground,
  before: Withdrawal,
  news: PayoutNews & { readonly state: 'returned' },
  at: Date,
): Decided<Withdrawal, SettledAs> {
  const done = decide(ground, before, { ...news, state: 'done' }, at)
  if (done.change === undefined) return done
  const back = decide(ground, done.change, news, at)
  return {
    ...done,
    ...back,
    verdict: done.verdict === 'reversed' ? done.verdict : back.verdict,
    postings: [...(done.postings ?? []), ...(back.postings ?? [])],
    events: [...(done.events ?? []), ...(back.events ?? [])],
  }
}

function ended(
  withdrawal: Withdrawal,
  type: Parameters<typeof withdrawalEvent>[0],
  postings: readonly Posting[],
): Decided<Withdrawal, SettledAs> {
  return { verdict: 'settled', change: withdrawal, postings, events: [withdrawalEvent(type, withdrawal)] }
}

function namesOf({ providerRef, endToEndId, txHash }: PayoutNames): PayoutNames {
  return {
    ...given({ providerRef, endToEndId, txHash }),
  }
}

/** All accounts that a report of it may move. */
function accountList(ground: Ground, withdrawal: Withdrawal): readonly chart.AccountSpec[] {
  return [...Object.values(accountsOf(ground.rails, withdrawal)), ...sourcesOf(ground, withdrawal)]
}

/** The wallets that are debited again for released money: its own wallet, and then the currency's others. */
function sourcesOf({ wallets }: Ground, withdrawal: Withdrawal): readonly chart.AccountSpec[] {
  const { mode, walletId, currency } = withdrawal
  const all = wallets.get(walletKey(withdrawal)) ?? []
  return [...new Set([walletId, ...all])].map((id) => chart.walletAvailable(mode, id, currency))
}

function walletKey({ merchantId, currency }: Pick<Withdrawal, 'merchantId' | 'currency'>): string {
  return `${merchantId}/${currency}`
}

function accountsOf(rails: PayoutRails, withdrawal: Withdrawal): Accounts {
  const { mode, walletId, currency, connection, type } = withdrawal
  const source = must(rails.get(type), `${type} pays out`).source(connection)
  return {
    ...creditAccounts(withdrawal, walletId),
    held: chart.walletHeld(mode, walletId, currency),
    fees: chart.fees(mode, currency),
    source:
      source.at === 'PROVIDER'
        ? chart.provider(mode, source.account ?? connection, currency)
        : chart.coins(mode, source.chain, source.token, 'hot'),
  }
}

// A callback may name payouts. It is only a hint: the provider is queried now instead of later.

type PayoutWakeUpDeps = {
  readonly sql: Sql
  readonly rails: PayoutRails
  /** Called when there is a withdrawal whose provider is to be queried. */
  readonly onReady: () => void
}

export async function wakeForPayouts(
  { sql, rails, onReady }: PayoutWakeUpDeps,
  signal: Signal & { readonly method: Method },
): Promise<void> {
  for (const rail of rails.values()) {
    const references = rail.type === signal.method ? (rail.hints?.(signal) ?? []) : []
    if (references.length === 0) continue
    if ((await hastenDue(sql, rail.type, references)) > 0) onReady()
  }
}

// The gate for payouts that waited in a queue of our own: for the hot wallet, or for a file of payments. They passed it when they were queued.
// Since then an account may have been stopped, a limit lowered, a second person required, or a destination taken off the list.

/** Asks the gate about queued withdrawals and refunds. One that the books do not have may not leave. */
export function stillLeaving(rails: Rails): StillLeaving {
  return async (tx, payouts) => {
    if (payouts.length === 0) return new Set()
    return new Set([...(await withdrawalsOf(tx, payouts)), ...(await refundsOf(tx, rails, payouts))])
  }
}

async function withdrawalsOf(tx: Tx, payouts: readonly string[]): Promise<readonly string[]> {
  const withdrawals = await selectWithdrawalsById(tx, payouts as readonly WithdrawalId[])
  if (withdrawals.length === 0) return []
  const allowed = await loadAllowedNow(tx, withdrawals)
  return withdrawals.filter((each) => mayGo(allowed(each), each)).map(({ id }) => id)
}

async function refundsOf(tx: Tx, rails: Rails, payouts: readonly string[]): Promise<readonly string[]> {
  const refunds = await selectRefundsById(tx, payouts as readonly RefundId[])
  const all = refunds.flatMap((refund) => {
    const leaving = leavingOf(refund)
    return leaving === undefined ? [] : [{ refund, leaving }]
  })
  if (all.length === 0) return []
  const rules = await loadRules(
    tx,
    rails,
    all.map(({ leaving }) => leaving),
    [],
  )
  return all
    .filter(({ refund, leaving }) => mayGo(allowedOf(rules, leaving), refund))
    .map(({ refund }) => refund.id)
}

/** As when it was to be sent: a limit that asks for a second person since then holds back what nobody has approved. */
function mayGo(verdict: GateVerdict, { decidedBy }: { readonly decidedBy?: unknown }): boolean {
  return verdict.ok && (!verdict.needsApproval || decidedBy !== undefined)
}
