// Books receipts as money. Each receipt is booked once, in the transaction that writes the payment's state, the transfers and the event.
// Nothing else in Vintem turns a fact into money. Inspected by audit/settlement/payment.ts.
import type { Tx } from '#/db/client.ts'
import { writeDisputes } from '#/disputes/queries.ts'
import type { Inquiry } from '#/jobs/claim.ts'
import { given } from '#/kernel/given.ts'
import { minorMax } from '#/kernel/money.ts'
import { runnableNotifying, type Batch, type Kind, type RunnableKind } from '#/ledger/kind.ts'
import { insertOtherCancellations } from '#/payments/attempt-queries.ts'
import { endOrders, insertUnwanted } from '#/payments/capture-queries.ts'
import type { Payment } from '#/payments/payment.ts'
import { writePayments } from '#/payments/queries.ts'
import { writeSplits } from '#/payments/split-queries.ts'
import { type Rail, type Rails, type UnitView, methodsAtProviders } from '#/rails/rail.ts'
import type { Outcome, Receipt } from '#/rails/receipt.ts'
import { writeRefunds } from '#/refunds/queries.ts'
import type { Refund } from '#/refunds/refund.ts'
import { passingOn } from '#/wallets/passed-on.ts'
import { insertWallets } from '#/wallets/queries.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { addSpent, releaseSpent } from '#/withdrawals/limit-queries.ts'
import { accountList, accountsOf, parentRepaid, suspenseOf, type AccountsOf } from './accounts.ts'
import { bookDispute } from './dispute.ts'
import { deleteSignals } from './inbox-queries.ts'
import { bookDecline, bookAnnouncementEnd, bookFinal, bookAnnouncement } from './incoming.ts'
import { eventsOf, type News } from './notify.ts'
import type { Placed } from './placed.ts'
import { paymentOf, railOf } from './placement.ts'
import { occasionOf, postAll } from './posting.ts'
import * as queries from './queries.ts'
import type { RefundReport } from './queries.ts'
import type { ReceiptChange, ReceiptRuling, ReceiptVerdict } from './recorded.ts'
import { isSuperseded, occurrenceOf, reportKey } from './refund-word.ts'
import { bookRefundDone, bookRefundFailed } from './refund.ts'
import { disputeKey, isRefund, receiptKey } from './related.ts'
import { insertReleases } from './release-queries.ts'
import { withShares } from './shares.ts'
import { followCredit, suspend } from './suspend.ts'
import { removeMissing } from './view-wallets.ts'
import { loadView, type View } from './view.ts'

/** One signal's receipts, settled together; its inbox row leaves in the same transaction. */
export type SettleItem = {
  readonly signal?: bigint
  readonly receipts: readonly Receipt[]
  /** When the provider was queried, and under which claim. Absent: not known. */
  readonly inquiry?: Inquiry
}

/** The most receipts of one item. More are settled in parts, each in a batch with other work. */
const receiptsMax = 100

/**
 * Settles receipts that came together, in parts if there are many. The last part deletes the signal, unless an earlier part
 * could not be booked. If a worker dies between two parts, the signal stays. When it is processed again, the receipts that were
 * already settled get the verdict `repeated` and change nothing.
 */
export async function settleParts(
  settle: (item: SettleItem) => Promise<SettleVerdict>,
  { signal, receipts, inquiry }: SettleItem,
): Promise<SettleVerdict> {
  const verdicts: ReceiptVerdict[] = []
  let from = 0
  do {
    const part = receipts.slice(from, from + receiptsMax)
    from += receiptsMax
    const isLast = from >= receipts.length
    const deletesSignal = signal !== undefined && isLast && !verdicts.some(isPutAside)
    verdicts.push(
      ...(await settle({
        receipts: part,
        ...(deletesSignal ? { signal } : {}),
        ...given({ inquiry }),
      })),
    )
  } while (from < receipts.length)
  return verdicts
}

/** Nothing of the receipt was written: its signal has to stay, to be read again or to wait for a person. */
function isPutAside(verdict: ReceiptVerdict): boolean {
  return verdict === 'unknown_payment' || verdict === 'unbookable' || verdict === 'undecided'
}

/** The verdict on each receipt, in their order. */
export type SettleVerdict = readonly ReceiptVerdict[]

export type SettleKind = RunnableKind<SettleItem, SettleVerdict, EventDraft>

/** The decisions about one item's receipts, to be written. */
export type Settled = {
  readonly signal: bigint | undefined
  readonly changes: readonly ReceiptChange[]
  readonly units: ReadonlyMap<Rail, UnitView>
}

/** Settlement as a kind of work for the ledger lane. */
export function settleKind(rails: Rails): SettleKind {
  const kind: Kind<SettleItem, View, Settled, SettleVerdict, News> = {
    name: 'settle receipts',
    bytesOf: (item) => item.receipts.reduce((sum, receipt) => sum + receipt.evidence.length + 512, 64),
    weightOf: weightOfReceipts,
    async load(batch, items) {
      const receipts = items.flatMap((item) => item.receipts)
      const refusedClaims = items.flatMap(({ inquiry, receipts: itsReceipts }) =>
        inquiry?.claim !== undefined && itsReceipts.some(({ outcome }) => outcome === 'refund_failed')
          ? [inquiry.claim]
          : [],
      )
      return loadView(batch, rails, receipts, refusedClaims)
    },
    decide(view, item, batch) {
      // A receipt without a payment and without a suspense account stays in the inbox for a person, and so do the other
      // receipts of the item.
      if (item.receipts.some((receipt) => isOfUnknownPayment(view, receipt)))
        return { verdict: item.receipts.map(() => 'unknown_payment' as const) }
      if (item.receipts.some((receipt) => !isBookable(view, receipt, batch)))
        return { verdict: item.receipts.map(() => 'unbookable' as const) }
      const rulings = item.receipts.map((receipt) => decideReceipt(view, receipt, batch, item.inquiry))
      return {
        verdict: rulings.map((ruling) => ruling.verdict),
        change: {
          signal: rulings.some(({ verdict }) => isPutAside(verdict)) ? undefined : item.signal,
          changes: rulings.flatMap((ruling) => ruling.change ?? []),
          units: view.units,
        },
        events: rulings.flatMap((ruling) => ruling.events ?? []),
      }
    },
    write: (batch, items) => writeSettled(batch, rails, items),
  }
  return runnableNotifying(
    passingOn(({ parents }: View) => parents, kind),
    eventsOf,
  )
}

/** A receipt is a row with its evidence, and up to four transfers of two entries; each payment is a row and an event. */
function weightOfReceipts({ receipts }: SettleItem): number {
  const payments = new Set(receipts.map(({ attempt }) => attempt?.id))
  return receipts.reduce((sum, { evidence }) => sum + evidence.length + 2_048, payments.size * 4_096)
}

/** Whether this receipt has neither a payment nor a suspense account. */
function isOfUnknownPayment(view: View, receipt: Receipt): boolean {
  return paymentOf(view, receipt) === undefined && suspenseOf(view, receipt) === undefined
}

/**
 * Whether the amount is one that a request could name, and every account that it may post to accepts the currency. Checked before
 * the first posting, so that no item is posted in part. Nobody receives more than 2^53 − 1 minor units at once: a statement, a chain or a
 * provider that says so is wrong, or lies, and a person decides.
 */
function isBookable(view: View, receipt: Receipt, { books }: Pick<Batch, 'books'>): boolean {
  const { minor } = receipt.amount
  const isOpening = receipt.dispute !== undefined && !view.back.disputes.has(disputeKey(receipt))
  // A deposit may be less than a cent: it counts when other deposits make it a whole cent.
  const isFine = view.units.has(railOf(view, receipt))
  const least = isOpening || (paymentOf(view, receipt) === undefined && !isFine) ? 1n : 0n
  const fee = receipt.dispute?.fee ?? 0n
  if (minor < least || minor > minorMax || fee < 0n || fee > minorMax) return false
  return !books.isMixed() || accountList(view, receipt).every((account) => books.accepts(account))
}

/** Decides about one of the receipts for which the view was loaded. */
export function decideReceipt(
  view: View,
  receipt: Receipt,
  batch: Pick<Batch, 'books' | 'at'>,
  inquiry?: Inquiry,
): ReceiptRuling {
  if (isSuperseded(view, receipt, inquiry)) return { verdict: 'superseded' }
  const occurrence = occurrenceOf(view, receipt, inquiry)
  if (typeof occurrence === 'string') return { verdict: occurrence }
  if (view.related.recorded.has(receiptKey({ ...receipt, occurrence }))) return { verdict: 'repeated' }
  const placed = view.placement.placed.get(receipt)
  const payment = paymentOf(view, receipt)
  if (placed === undefined || payment === undefined) {
    const credited = view.placement.credited.get(receipt)
    return credited === undefined
      ? suspend(view, receipt, batch)
      : followCredit(view, receipt, credited, batch)
  }
  const counted: Payment = { ...payment, receipts: payment.receipts + 1 }
  if (isRefund(receipt)) keepReport(view, { ...receipt, occurrence, recordedAt: batch.at })
  const numbered = occurrence === placed.occurrence ? placed : { ...placed, occurrence }
  const before = { payment, split: view.splits.get(payment.id) }
  const ruling = decidePlaced(decideOutcome, placed.outcome, view, numbered, counted, batch)
  const shared = withShares(view, numbered, before, ruling, batch)
  postAll(batch, parentRepaid(view, numbered, payment, occasionOf(numbered, counted), batch))
  return withWallet(view, placed, shared)
}

/** Keeps the report of a refund, so that later receipts of the same batch do not count as newer. */
function keepReport({ related: { reports } }: View, report: RefundReport): void {
  const key = reportKey(report)
  reports.set(key, [...(reports.get(key) ?? []), report])
}

/** A ruling that uses a wallet which does not exist yet creates it too. */
function withWallet(view: View, receipt: Placed, ruling: ReceiptRuling): ReceiptRuling {
  if (view.wallets.missing.size === 0) return ruling
  const { payment, dispute } = ruling.change ?? {}
  const named = [dispute?.walletId, ...(payment?.money ?? []).map(({ walletId }) => walletId)]
  const created = removeMissing(view.wallets, receipt, named)
  if (created === undefined) return ruling
  return {
    ...ruling,
    change: { ...ruling.change, wallet: created.wallet },
    events: [created.event, ...(ruling.events ?? [])],
  }
}

/** Gives the decision only the accounts of the receipt's outcome, so it can post to no other account. */
function decidePlaced<Kind extends Outcome>(
  deciders: Deciders<Kind>,
  outcome: Kind,
  view: View,
  receipt: Placed,
  payment: Payment,
  batch: Pick<Batch, 'books' | 'at'>,
): ReceiptRuling {
  const accounts = accountsOf(outcome, view, receipt, payment)
  return deciders[outcome](view, receipt, payment, accounts, batch)
}

type Deciders<Kinds extends Outcome> = {
  readonly [Kind in Kinds]: (
    view: View,
    receipt: Placed,
    payment: Payment,
    accounts: AccountsOf<Kind>,
    batch: Pick<Batch, 'books' | 'at'>,
  ) => ReceiptRuling
}

/** The decision for each outcome. */
const decideOutcome: Deciders<Outcome> = {
  seen: bookAnnouncement,
  authorised: bookAnnouncement,
  orphaned: bookAnnouncementEnd,
  voided: bookAnnouncementEnd,
  paid: bookFinal,
  declined: bookDecline,
  refunded: bookRefundDone,
  refund_failed: bookRefundFailed,
  dispute_opened: bookDispute,
  dispute_taken: bookDispute,
  dispute_won: bookDispute,
  dispute_lost: bookDispute,
}

/** Writes the decisions about receipts. */
export async function writeSettled(
  { tx, at }: Batch,
  rails: Rails,
  items: readonly Settled[],
): Promise<void> {
  const changes = items.flatMap((item) => item.changes)
  const changesOf = <Field extends keyof ReceiptChange>(field: Field) =>
    changes.flatMap((change): readonly NonNullable<ReceiptChange[Field]>[] => {
      const value = change[field]
      return value === undefined ? [] : [value]
    })
  const [receipts, payments] = [changesOf('receipt'), changesOf('payment')]
  const refunds = changes.flatMap((change) => [
    ...(change.refunds ?? []),
    ...(change.refund ? [change.refund] : []),
  ])
  const [disputes, unmatched] = [changesOf('dispute'), changesOf('unmatched')]
  const resolved = changesOf('resolved')
  const [releases, unwanted] = [changesOf('release'), changesOf('unwanted')]
  const [freed, spent] = [changesOf('freed').flat(), changesOf('spent').flat()]
  const ends = receipts.flatMap(({ receipt: { outcome, pendingRef, attempt } }) =>
    pendingRef !== undefined && (outcome === 'voided' || outcome === 'paid') ? [attempt] : [],
  )
  const signals = items.flatMap(({ signal }) => (signal === undefined ? [] : [signal]))
  const units = new Set(items.flatMap((item) => [...item.units.values()]))
  const [wallets, splits] = [changesOf('wallet'), changesOf('split')]
  await Promise.all([
    // Before its accounts are created, because the database compares the currencies of both.
    wallets.length > 0 && insertWallets(tx, wallets),
    receipts.length > 0 && queries.insertReceipts(tx, receipts, at),
    payments.length > 0 && writePayments(tx, payments),
    splits.length > 0 && writeSplits(tx, splits),
    refunds.length > 0 && writeRefunds(tx, refunds),
    disputes.length > 0 && writeDisputes(tx, disputes),
    unmatched.length > 0 && queries.insertUnmatched(tx, unmatched),
    // After it: money can come and be taken back in one batch.
    resolved.length > 0 && queries.writeResolved(tx, resolved, at),
    releases.length > 0 && insertReleases(tx, releases),
    freed.length > 0 && releaseSpent(tx, freed),
    spent.length > 0 && addSpent(tx, spent),
    // Statements of one transaction run in the order in which they are sent: an order that ends here gets no `unwanted` after it.
    ends.length > 0 && endOrders(tx, ends, at),
    unwanted.length > 0 && insertUnwanted(tx, unwanted, at),
    deleteSignals(tx, signals),
    ...[...units].map((view) => view.save(tx)),
  ])
  await removeFromRails(tx, rails, refunds)
  await cancelOthers({ tx, at }, rails, receipts, payments)
}

/**
 * A page can open several attempts of one payment. When the payment becomes PAID or APPROVED, the other attempts are canceled at their
 * providers, so that the payer does not pay twice. An attempt that is opened later is canceled when it opens.
 */
async function cancelOthers(
  { tx, at }: Pick<Batch, 'tx' | 'at'>,
  rails: Rails,
  receipts: readonly queries.NewReceipt[],
  payments: readonly Payment[],
): Promise<void> {
  const ended = new Set(
    receipts.flatMap(({ receipt: { outcome, attempt } }) =>
      outcome === 'paid' || outcome === 'authorised' ? [attempt.paymentId] : [],
    ),
  )
  const refs = payments
    .filter((payment) => payment.page && ended.has(payment.id) && isSettledAt(payment, at))
    .map(({ merchantId, id }) => ({ merchantId, paymentId: id }))
  if (refs.length === 0) return
  await insertOtherCancellations(tx, refs, methodsAtProviders(rails))
}

function isSettledAt({ status, paidAt, approvedAt }: Payment, at: Date): boolean {
  const since = status === 'PAID' ? paidAt : status === 'APPROVED' ? approvedAt : undefined
  return since?.getTime() === at.getTime()
}

/** Coins that refunds sent from our own places are removed from the rail's tables too. */
async function removeFromRails(tx: Tx, rails: Rails, refunds: readonly Refund[]): Promise<void> {
  const done = refunds.filter(({ status }) => status === 'COMPLETED')
  for (const [method, group] of Map.groupBy(done, (refund) => refund.method))
    await rails.get(method)?.refunds?.leave?.(tx, [...new Set(group.map(({ id }) => id))])
}
