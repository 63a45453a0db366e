// Inspects settlement: replays every payment from its receipts, with its refunds and disputes, and compares the result with the
// books and with the row. Every transfer must belong to a subject that exists.
import { selectDisputesAmong, selectDisputesOf } from '#/audit/disputes-queries.ts'
import { selectRefundsAmong, selectRefundsOf } from '#/audit/refunds-queries.ts'
import type { Sql, Tx } from '#/db/client.ts'
import { eachPage, inSnapshot, type Inspection, type Inspector, type SubjectKind } from '#/db/inspection.ts'
import { minOf } from '#/kernel/money.ts'
import { loadParentOf } from './parent-debt.ts'
import { faultsOf } from './payment.ts'
import * as queries from './queries.ts'
import { receiptName, type ArrivalOf, type Family } from './replay.ts'

/** `kinds`: all kinds of subjects of transfers. A transfer with a subject of another kind is a fault. */
export function settlementInspections(kinds: readonly SubjectKind[]): readonly Inspection[] {
  return [
    { name: 'settlement', inspect: (inspector) => inspectSubjects(inspector, kinds) },
    { name: 'receipts', inspect: inspectReceipts },
  ]
}

/** Payments, refunds and disputes. `arrivalOf` names the account in which final money of a connection arrives. */
export function paymentSubjects(arrivalOf: ArrivalOf): SubjectKind {
  return { inspect: (inspector) => inspectPayments(inspector, arrivalOf), among: selectAmong }
}

async function selectAmong(sql: Sql, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await Promise.all(
    [queries.selectPaymentsAmong, selectRefundsAmong, selectDisputesAmong].map((select) => select(sql, ids)),
  )
  return new Set(found.flatMap((each) => [...each]))
}

const paymentsMax = 250
const receiptsMax = 2_000
const transfersMax = 20_000n

/** Compares each subject with its transfers; every transfer must belong to a subject. */
async function inspectSubjects(inspector: Inspector, kinds: readonly SubjectKind[]): Promise<void> {
  let explained = 0n
  for (const kind of kinds) explained += await kind.inspect(inspector)
  // Transfers are numbered without gaps, so the last number is the number of transfers that subjects must explain.
  if (explained !== inspector.upTo.transfer) await nameStrays(inspector, kinds)
}

/** Reports the transfers whose subjects are of no kind. Slow, since it searches tables by id alone: only for a wrong sum. */
async function nameStrays(
  { sql, upTo, fault, unexplained }: Inspector,
  kinds: readonly SubjectKind[],
): Promise<void> {
  for (let after = 0n; after < upTo.transfer; after += transfersMax) {
    const range = { after, upTo: minOf(after + transfersMax, upTo.transfer) }
    const transfers = await queries.selectSubjects(sql, range)
    let strangers = [...new Set(transfers.map(({ subject }) => subject))]
    for (const kind of kinds) {
      const ofKind = await kind.among(sql, strangers)
      strangers = strangers.filter((id) => !ofKind.has(id))
    }
    const unknown = new Set(strangers)
    for (const { number, subject, minor, currency } of transfers) {
      if (!unknown.has(subject)) continue
      fault(`transfer ${number}`, `belongs to ${subject}, which is nothing that moves money`)
      if (currency !== null) unexplained(currency, minor)
    }
  }
}

/** Compares each payment with its receipts, refunds, disputes and transfers. */
async function inspectPayments(
  { sql, upTo, inspected, fault }: Inspector,
  arrivalOf: ArrivalOf,
): Promise<bigint> {
  let explained = 0n
  let last: queries.PaymentRow | undefined
  for (;;) {
    const page = await inSnapshot(sql, (tx) => loadPage(tx, last))
    last = page.payments.at(-1)
    if (last === undefined) return explained

    for (const what of ['payments', 'receipts', 'releases', 'refunds', 'disputes', 'transfers'] as const)
      if (page[what].length > 0) inspected(what, page[what].length)
    for (const family of familiesOf(page, arrivalOf))
      for (const { row, what } of faultsOf(family)) fault(row, what)
    explained += BigInt(page.transfers.filter(({ number }) => number >= 1n && number <= upTo.transfer).length)
  }
}

type Page = Awaited<ReturnType<typeof loadPage>>

async function loadPage(tx: Tx, last: queries.PaymentRow | undefined) {
  const payments = await queries.selectPaymentRows(tx, last, paymentsMax)
  const refs = payments.map(({ merchantId, id }) => ({ merchantId, paymentId: id }))
  const [receipts, releases, shareMoves, refunds, disputes] = await Promise.all([
    queries.selectReceiptRows(tx, payments),
    queries.selectReleaseRows(tx, payments),
    queries.selectShareMoves(tx, payments),
    selectRefundsOf(tx, refs),
    selectDisputesOf(tx, refs),
  ])
  const takers = [...refunds, ...disputes]
  const merchants = [...new Set(takers.map(({ merchantId }) => merchantId))]
  const named = payments.flatMap(({ merchantId, money }) =>
    (money ?? []).map(({ walletId }) => ({ merchantId, id: walletId })),
  )
  const [transfers, owned, namedWallets] = await Promise.all([
    queries.selectTransferRows(tx, [...payments, ...takers]),
    merchants.length === 0 ? [] : queries.selectWallets(tx, merchants),
    named.length === 0 ? [] : queries.selectNamedWallets(tx, named),
  ])
  const wallets = [...owned, ...namedWallets]
  // What repays a parent has the payment as its subject, whatever made the money available.
  const parentOf = await loadParentOf(tx, payments, transfers)
  return { payments, receipts, releases, shareMoves, refunds, disputes, transfers, wallets, parentOf }
}

function familiesOf(page: Page, arrivalOf: ArrivalOf): readonly Family[] {
  const receiptsOf = Map.groupBy(page.receipts, (receipt) => receipt.paymentId)
  const releasesOf = Map.groupBy(page.releases, (release) => release.paymentId)
  const shareMovesOf = Map.groupBy(page.shareMoves, (move) => move.paymentId)
  const refundsOf = Map.groupBy(page.refunds, (refund) => refund.paymentId)
  const disputesOf = Map.groupBy(page.disputes, (dispute) => dispute.paymentId)
  const transfersOf = Map.groupBy(page.transfers, (transfer) => transfer.subject)
  const wallets = new Set(
    page.wallets.map(({ merchantId, id, currency }) => `${merchantId}/${id}/${currency}`),
  )
  return page.payments.map((payment) => ({
    payment,
    receipts: receiptsOf.get(payment.id) ?? [],
    releases: releasesOf.get(payment.id) ?? [],
    shareMoves: shareMovesOf.get(payment.id) ?? [],
    refunds: refundsOf.get(payment.id) ?? [],
    disputes: disputesOf.get(payment.id) ?? [],
    transfersOf: (subject) => transfersOf.get(subject) ?? [],
    arrivalOf,
    parentOf: page.parentOf,
    ownsWallet: (walletId, currency) => wallets.has(`${payment.merchantId}/${walletId}/${currency}`),
  }))
}

/** Every receipt belongs to a payment. */
async function inspectReceipts({ sql, inspected, fault }: Inspector): Promise<void> {
  await eachPage<queries.ReceiptKey & { readonly hasPayment: boolean }>(
    (after) => queries.selectReceiptOwners(sql, after, receiptsMax),
    (receipts) => {
      inspected('receipts', receipts.length)
      for (const receipt of receipts)
        if (!receipt.hasPayment) fault(receiptName(receipt), 'belongs to no payment')
    },
  )
}
