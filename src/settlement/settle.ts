// THE HEART. A receipt becomes money: once, in one transaction with the payment's state, the transfers and the event.
// Nothing else in the product turns a fact into money.
import { must } from '#/kernel/check.ts'
import type { MerchantId, WalletId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import * as chart from '#/ledger/chart.ts'
import { runnable, type Batch, type RunnableKind, type Ruling } from '#/ledger/kind.ts'
import * as recipes from '#/ledger/recipes.ts'
import { feeOn, type FeeRule } from '#/merchants/fee.ts'
import { selectFeeRules } from '#/merchants/queries.ts'
import { loadPayments, paymentEvent, type PaymentView } from '#/payments/close.ts'
import type { Payment } from '#/payments/payment.ts'
import { writePayments } from '#/payments/queries.ts'
import type { Rail, Rails, Receipt, UnitView } from '#/rails/rail.ts'
import { selectDefaultWallets } from '#/wallets/queries.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { credited } from './credit.ts'
import { pendingKey, receiptKey, relatedReceipts, type Related } from './related.ts'
import * as queries from './queries.ts'

/** One signal's receipts, settled together; its inbox row leaves in the same transaction. */
export type SettleItem = { readonly signal?: bigint; readonly receipts: readonly Receipt[] }

/** What each receipt came to. */
export type SettleVerdict = readonly ('booked' | 'repeated' | 'unknown_payment')[]

export type SettleKind = RunnableKind<SettleItem, SettleVerdict, EventDraft>

type View = PaymentView & {
  readonly related: Related
  readonly wallets: ReadonlyMap<string, WalletId>
  readonly fees: ReadonlyMap<string, FeeRule>
  readonly units: ReadonlyMap<Rail, UnitView>
  readonly rails: Rails
  /** The accounts of each wallet and connection that the batch meets. */
  readonly accounts: Map<string, ReceiptAccounts>
}

type ReceiptAccounts = recipes.IncomingAccounts & { readonly arrival: chart.AccountSpec }

type Change = {
  readonly signal: bigint | undefined
  readonly receipts: readonly queries.NewReceipt[]
  readonly payments: readonly Payment[]
  readonly units: ReadonlyMap<Rail, UnitView>
}

/** Settlement as a kind of work for the ledger lane. */
export function settleKind(rails: Rails): SettleKind {
  return runnable<SettleItem, View, Change, SettleVerdict, EventDraft>({
    name: 'settle receipts',
    bytesOf: (item) => item.receipts.reduce((sum, receipt) => sum + receipt.evidence.length + 512, 64),
    load: (batch, items) =>
      load(
        batch,
        rails,
        items.flatMap((item) => item.receipts),
      ),
    decide(view, item, batch) {
      // Money that is nobody's stays in the inbox, for a person; what else came with it waits too.
      const isKnown = item.receipts.every((receipt) => view.payments.has(receipt.attempt.paymentId))
      if (!isKnown) return { verdict: item.receipts.map(() => 'unknown_payment' as const) }
      const rulings = item.receipts.map((receipt) => decideReceipt(view, receipt, batch))
      return {
        verdict: rulings.map((ruling) => ruling.verdict),
        change: {
          signal: item.signal,
          receipts: rulings.flatMap((ruling) => ruling.change?.receipt ?? []),
          payments: rulings.flatMap((ruling) => ruling.change?.payment ?? []),
          units: view.units,
        },
        events: rulings.flatMap((ruling) => ruling.events ?? []),
      }
    },
    write,
  })
}

async function load(batch: Batch, rails: Rails, receipts: readonly Receipt[]): Promise<View> {
  const { tx } = batch
  const refs = receipts.map((receipt) => receipt.attempt)
  const merchantIds = [...new Set(refs.map((ref) => ref.merchantId))]
  const wanted = new Map(
    receipts.map(({ attempt: { merchantId }, amount: { currency } }) => [
      walletKey(merchantId, currency),
      { merchantId, currency },
    ]),
  )
  const [view, stored, wallets, fees, units] = await Promise.all([
    loadPayments(batch, rails, refs),
    queries.selectRelated(tx, receipts),
    selectDefaultWallets(tx, [...wanted.values()]),
    selectFeeRules(tx, merchantIds),
    loadUnits(batch, rails, receipts, (receipt) => receipt.outcome === 'paid'),
  ])
  const loaded: View = {
    ...view,
    rails,
    units,
    accounts: new Map(),
    related: relatedReceipts(stored),
    wallets: new Map(wallets.map((each) => [walletKey(each.merchantId, each.currency), each.id])),
    fees: new Map(fees.map((each) => [feeKey(each.merchantId, each.method, each.currency), each])),
  }
  await batch.books.load(receipts.flatMap((receipt) => accountList(loaded, receipt)))
  return loaded
}

async function loadUnits(
  { tx }: Batch,
  rails: Rails,
  receipts: readonly Receipt[],
  isFinal: (receipt: Receipt) => boolean,
): Promise<ReadonlyMap<Rail, UnitView>> {
  const views = new Map<Rail, UnitView>()
  for (const rail of rails.values()) {
    const own = receipts.filter((receipt) => receipt.method === rail.method && isFinal(receipt))
    if (rail.units !== undefined && own.length > 0) views.set(rail, await rail.units.load(tx, own))
  }
  return views
}

type ReceiptRuling = Ruling<
  { readonly receipt: queries.NewReceipt; readonly payment: Payment },
  SettleVerdict[number],
  EventDraft
>

function decideReceipt(view: View, receipt: Receipt, batch: Pick<Batch, 'books' | 'at'>): ReceiptRuling {
  if (view.related.seen.has(receiptKey(receipt))) return { verdict: 'repeated' }
  const payment = must(view.payments.get(receipt.attempt.paymentId), 'the payment was found')
  const counted: Payment = { ...payment, receipts: payment.receipts + 1 }
  switch (receipt.outcome) {
    case 'seen':
    case 'authorised':
      return bookSighting(view, receipt, counted, batch)
    case 'orphaned':
    case 'voided':
      return bookDisappearance(view, receipt, counted, batch)
    case 'paid':
      return bookFinal(view, receipt, counted, batch)
  }
}

/** Money on its way. One whose end was recorded before it came is booked as nothing. */
function bookSighting(
  view: View,
  receipt: Receipt,
  payment: Payment,
  batch: Pick<Batch, 'books'>,
): ReceiptRuling {
  const minor = view.related.ended.has(pendingKey(receipt)) ? 0n : receipt.amount.minor
  post(batch, recipes.sighted(occasion(receipt, payment), accounts(view, receipt, payment), minor))
  view.related.open.set(pendingKey(receipt), minor)
  return book(view, receipt, minor, {
    ...payment,
    seenMinor: payment.seenMinor + minor,
    walletId: walletOf(view, receipt, payment),
  })
}

/** What was on its way is gone. */
function bookDisappearance(
  view: View,
  receipt: Receipt,
  payment: Payment,
  batch: Pick<Batch, 'books'>,
): ReceiptRuling {
  const announced = takeAnnounced(view, receipt)
  post(batch, recipes.unsighted(occasion(receipt, payment), accounts(view, receipt, payment), announced))
  return book(view, receipt, announced, { ...payment, seenMinor: payment.seenMinor - announced })
}

/** Final money: credited in full whatever the payment's state, and the state follows from the sum. */
function bookFinal(
  view: View,
  receipt: Receipt,
  payment: Payment,
  batch: Pick<Batch, 'books' | 'at'>,
): ReceiptRuling {
  const rail = railOf(view, receipt)
  const announced = takeAnnounced(view, receipt)
  const arrived = view.units.get(rail)?.credit(receipt) ?? receipt.amount.minor
  const rule = view.fees.get(feeKey(payment.merchantId, rail.method, receipt.amount.currency))
  const fee = feeOn(rule, { before: payment.receivedMinor, arrived })
  const amounts = { announced, arrived, fee }
  post(batch, recipes.paid(occasion(receipt, payment), accounts(view, receipt, payment), amounts))
  const unannounced: Payment = {
    ...payment,
    seenMinor: payment.seenMinor - announced,
    walletId: walletOf(view, receipt, payment),
  }
  const { payment: after, event } = credited(unannounced, { arrived, fee, receipt, at: batch.at })
  const ruling = book(view, receipt, arrived, after)
  const told = must(ruling.change, 'a booked receipt changes the payment').payment
  return event === undefined ? ruling : { ...ruling, events: [paymentEvent(event, told, view)] }
}

/** What was announced of this money and is still booked as on its way; from now on it is not. */
function takeAnnounced(view: View, receipt: Receipt): bigint {
  const key = pendingKey(receipt)
  const minor = view.related.ended.has(key) ? 0n : (view.related.open.get(key) ?? 0n)
  view.related.ended.add(key)
  return minor
}

function book(view: View, receipt: Receipt, bookedMinor: bigint, payment: Payment): ReceiptRuling {
  const next: Payment = { ...payment, version: payment.version + 1 }
  view.payments.set(next.id, next)
  view.related.seen.add(receiptKey(receipt))
  return {
    verdict: 'booked',
    change: { receipt: { receipt, ordinal: next.receipts, bookedMinor }, payment: next },
  }
}

function post({ books }: Pick<Batch, 'books'>, postings: Parameters<Batch['books']['post']>[0]): void {
  const result = books.post(postings)
  // Incoming money never lacks cover: a refusal here is our own mistake, and the item is set apart.
  must(result.ok || undefined, result.ok ? '' : `the books refused a receipt: ${result.refusal.reason}`)
}

async function write(batch: Batch, changes: readonly Change[]): Promise<void> {
  const receipts = changes.flatMap((change) => change.receipts)
  const payments = changes.flatMap((change) => change.payments)
  const signals = changes.flatMap((change) => (change.signal === undefined ? [] : [change.signal]))
  const units = new Set(changes.flatMap((change) => [...change.units.values()]))
  await Promise.all([
    receipts.length > 0 && queries.insertReceipts(batch.tx, receipts, batch.at),
    payments.length > 0 && writePayments(batch.tx, payments),
    queries.deleteSignals(batch.tx, signals),
    ...[...units].map((view) => view.save(batch.tx)),
  ])
}

function occasion(receipt: Receipt, payment: Payment): recipes.Occasion {
  return { subject: payment.id, ordinal: payment.receipts, cause: sha256(receipt.evidence) }
}

function accounts(view: View, receipt: Receipt, payment: Payment): ReceiptAccounts {
  const { mode, merchantId } = payment
  const {
    connection,
    amount: { currency },
  } = receipt
  const walletId = walletOf(view, receipt, payment)
  const key = `${walletId}/${currency}/${connection}`
  const known = view.accounts.get(key)
  if (known !== undefined) return known
  const made: ReceiptAccounts = {
    seen: chart.seen(mode, connection, currency),
    pending: chart.walletPending(mode, walletId, currency),
    available: chart.walletAvailable(mode, walletId, currency),
    fees: chart.fees(mode, currency),
    receivable: chart.receivable(mode, merchantId, currency),
    arrival: arrivalAccount(view, receipt, payment),
  }
  view.accounts.set(key, made)
  return made
}

function arrivalAccount(view: View, receipt: Receipt, { mode }: Payment): chart.AccountSpec {
  const arrival = railOf(view, receipt).arrival(receipt.connection)
  return arrival.at === 'PROVIDER'
    ? chart.provider(mode, receipt.connection, receipt.amount.currency)
    : chart.coins(mode, arrival.chain, arrival.token, 'deposit')
}

function accountList(view: View, receipt: Receipt): readonly chart.AccountSpec[] {
  const payment = view.payments.get(receipt.attempt.paymentId)
  if (payment === undefined) return []
  return Object.values(accounts(view, receipt, payment))
}

/** Money is credited to the default wallet of its currency, and all money of one payment to one wallet. */
function walletOf(view: View, receipt: Receipt, payment: Payment): WalletId {
  const { currency } = receipt.amount
  const chosen = payment.walletId ?? view.wallets.get(walletKey(payment.merchantId, currency))
  return must(chosen, `merchant ${payment.merchantId} has no default wallet in ${currency}`)
}

function railOf(view: View, receipt: Receipt): Rail {
  return must(view.rails.get(receipt.method), `no rail for ${receipt.method}`)
}

function walletKey(merchantId: MerchantId, currency: Currency): string {
  return `${merchantId}/${currency}`
}

function feeKey(merchantId: MerchantId, method: string, currency: Currency): string {
  return `${merchantId}/${method}/${currency}`
}
