// Books receipts as money. Each receipt is booked once, in the transaction that writes the payment's state, the transfers and the event.
// Nothing else in Vintem turns a fact into money. Inspected by audit/settlement/payment.ts.
import type { Tx } from '#/db/client.ts'
import { writeDisputes } from '#/disputes/queries.ts'
import type { Inquiry } from '#/jobs/claim.ts'
import { given } from '#/kernel/given.ts'
import { minorMax } from '#/kernel/money.ts'
import { runnableNotifying, type Batch, type RunnableKind } from '#/ledger/kind.ts'
import { addSpent, releaseSpent } from '#/money-out/queries.ts'
import { insertOtherCancellations } from '#/payments/attempt-queries.ts'
import { endOrders, insertUnwanted } from '#/payments/capture-queries.ts'
import type { Payment } from '#/payments/payment.ts'
import { writePayments } from '#/payments/queries.ts'
import { writeSplits } from '#/payments/split-queries.ts'
import { type Rail, type Rails, type UnitView, methodsAtProviders } from '#/rails/rail.ts'
import type { Outcome, Receipt } from '#/rails/receipt.ts'
import { writeRefunds } from '#/refunds/queries.ts'
import type { Refund } from '#/refunds/refund.ts'
import { repayParent } from '#/wallets/parent-debt.ts'
import { passingOn } from '#/wallets/passed-on.ts'
import { postAll } from '#/wallets/pure-kind.ts'
import { insertWallets } from '#/wallets/queries.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { accountList, accountsOf, incomingAccounts, suspenseOf, type AccountsOf } from './accounts.ts'
import {
  applyChange,
  joined,
  nothing,
  type Addition,
  type Case,
  type CaseOf,
  type Decision,
  type News,
  type PlacedCase,
  type ReceiptChange,
  type ReceiptRuling,
  type ReceiptVerdict,
} from './decision.ts'
import { bookDispute } from './dispute.ts'
import { resumeRefunds } from './held-back.ts'
import { deleteSignals } from './inbox-queries.ts'
import { bookDecline, bookAnnouncementEnd, bookFinal, bookAnnouncement } from './incoming.ts'
import { eventsOf } from './notify.ts'
import { occasionOf, occasionOfVersion } from './placed.ts'
import { paymentOf, railOf } from './placement.ts'
import * as queries from './queries.ts'
import { isSuperseded, occurrenceOf, bookRefundDone, bookRefundFailed } from './refund.ts'
import { receiptKey, refKey } from './related.ts'
import { insertReleases } from './release-queries.ts'
import { adjustShares } from './shares.ts'
import { followCredit, suspend } from './suspend.ts'
import { ownerOf, walletKey } from './view-wallets.ts'
import { loadView, type Facts, type View } from './view.ts'

/** One signal's receipts, settled together; its inbox row leaves in the same transaction. */
export type SettleItem = {
  readonly signal?: bigint
  readonly receipts: readonly Receipt[]
  /** When the provider was queried, and under which claim. Absent: not known. */
  readonly inquiry?: Inquiry
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
  const kind = passingOn<SettleItem, View, Settled, SettleVerdict, News>({
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
      const rulings = item.receipts.map((receipt) => settleReceipt(view, receipt, batch, item.inquiry))
      return {
        verdict: rulings.map(({ verdict }) => verdict),
        change: {
          signal: rulings.some(({ verdict }) => isPutAside(verdict)) ? undefined : item.signal,
          changes: rulings.flatMap(({ change }) => change ?? []),
          units: view.units,
        },
        events: rulings.flatMap(({ events }) => events ?? []),
        passed: rulings.flatMap(({ passed }) => passed ?? []),
      }
    },
    write: (batch, items) => writeSettled(batch, rails, items),
  })
  return runnableNotifying(kind, eventsOf)
}

/**
 * Settles one of the receipts for which the view was loaded. Each pass decides and changes nothing; then its postings are posted and its
 * change is put into the draft, which the next pass and the next receipt read.
 */
export function settleReceipt(
  { facts, draft, units }: View,
  receipt: Receipt,
  { books, at }: Pick<Batch, 'books' | 'at'>,
  inquiry?: Inquiry,
): ReceiptRuling {
  if (isSuperseded(facts, draft, receipt, inquiry)) return { verdict: 'superseded' }
  const occurrence = occurrenceOf(draft, receipt, inquiry)
  if (typeof occurrence === 'string') return { verdict: occurrence }
  if (draft.recorded.has(receiptKey({ ...receipt, occurrence }))) return { verdict: 'repeated' }

  const book = <Pass extends Addition>(pass: Pass): Pass => {
    postAll({ books }, pass.postings)
    if (pass.change !== undefined) applyChange(draft, pass.change, at)
    return pass
  }
  const input: Case = { facts, draft, books, at, receipt, minor: minorOf(units, facts, receipt) }
  const placed = facts.placement.placed.get(receipt)
  const before = paymentOf(facts, draft, receipt)
  if (placed === undefined || before === undefined) {
    const credited = facts.placement.credited.get(receipt)
    if (credited === undefined) return book(suspend(input))
    const decided = book(followCredit(input, credited))
    const dispute = decided.change?.dispute
    if (dispute === undefined) return decided
    return joined(decided, book(parentRepaid(input, credited, occasionOfVersion(receipt, dispute))))
  }
  const payment: Payment = { ...before, receipts: before.receipts + 1 }
  const numbered = occurrence === placed.occurrence ? placed : { ...placed, occurrence }
  const ofPayment: PlacedCase = { ...input, receipt: numbered, payment }
  const decided = book(withWallet(ofPayment, decidePlaced(decideOutcome, receipt.outcome, ofPayment)))
  return [resumeRefunds, adjustShares, repayParents].reduce(
    (ruling, pass) => joined(ruling, book(pass(ofPayment, ruling))),
    decided,
  )
}

/** A receipt is a row with its evidence, and up to four transfers of two entries; each payment is a row and an event. */
function weightOfReceipts({ receipts }: SettleItem): number {
  const payments = new Set(receipts.map(({ attempt }) => attempt?.id))
  return receipts.reduce((sum, { evidence }) => sum + evidence.length + 2_048, payments.size * 4_096)
}

/** Whether this receipt has neither a payment nor a suspense account. */
function isOfUnknownPayment({ facts, draft }: View, receipt: Receipt): boolean {
  return paymentOf(facts, draft, receipt) === undefined && suspenseOf(facts, receipt) === undefined
}

/**
 * Whether the amount is one that a request could name, and every account that it may post to accepts the currency. Checked before
 * the first posting, so that no item is posted in part. Nobody receives more than 2^53 − 1 minor units at once: a statement, a chain or a
 * provider that says so is wrong, or lies, and a person decides.
 */
function isBookable(
  { facts, draft, units }: View,
  receipt: Receipt,
  { books }: Pick<Batch, 'books'>,
): boolean {
  const { minor } = receipt.amount
  const isOpening = receipt.dispute !== undefined && !draft.disputes.has(refKey(receipt))
  // A deposit may be less than a cent: it counts when other deposits make it a whole cent.
  const isFine = units.has(railOf(facts, receipt))
  const least = isOpening || (paymentOf(facts, draft, receipt) === undefined && !isFine) ? 1n : 0n
  const fee = receipt.dispute?.fee ?? 0n
  if (minor < least || minor > minorMax || fee < 0n || fee > minorMax) return false
  return !books.isMixed() || accountList(facts, draft, receipt).every((account) => books.accepts(account))
}

/** What came, in the ledger's units. */
function minorOf(units: View['units'], facts: Facts, receipt: Receipt): bigint {
  const exact = receipt.outcome === 'paid' ? units.get(railOf(facts, receipt)) : undefined
  return exact?.credit(receipt) ?? receipt.amount.minor
}

/** What the receipt made available to a sub-account repays its parent, after everything else. */
function repayParents(input: PlacedCase): Addition {
  return parentRepaid(input, input.payment, occasionOf(input.receipt, input.payment))
}

function parentRepaid(
  { facts, receipt, books }: Case,
  owner: Parameters<typeof incomingAccounts>[2],
  occasion: Parameters<typeof repayParent>[2],
): Addition {
  if (facts.parents.of.size === 0) return nothing
  const { merchantId } = owner
  const { available } = incomingAccounts(facts, receipt, owner)
  const { currency } = receipt.amount
  return repayParent(facts.parents, { books }, occasion, { merchantId, available, currency })
}

/** A decision that uses a wallet which does not exist yet creates it too. */
function withWallet({ draft, receipt }: PlacedCase, decided: Decision): Decision {
  const created = draft.missing.get(walletKey(ownerOf(receipt)))
  const { payment, dispute } = decided.change ?? {}
  const named = [dispute?.walletId, ...(payment?.money ?? []).map(({ walletId }) => walletId)]
  if (created === undefined || !named.includes(created.wallet.id)) return decided
  const change = { ...decided.change, wallet: created.wallet }
  return { ...decided, change, events: [created.event, ...(decided.events ?? [])] }
}

/** Gives the decision only the accounts of the receipt's outcome, so it can post to no other account. */
function decidePlaced<Kind extends Outcome>(
  deciders: Deciders<Kind>,
  outcome: Kind,
  input: PlacedCase,
): Decision {
  const accounts = accountsOf(outcome, input.facts, input.receipt, input.payment)
  return deciders[outcome]({ ...input, accounts })
}

type Deciders<Kinds extends Outcome> = {
  readonly [Kind in Kinds]: (input: CaseOf<AccountsOf<Kind>>) => Decision
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
  const [wallets, splits] = [changesOf('wallet'), changesOf('split').map(({ split }) => split)]
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
