// Settlement, inspected: every payment is settled again from its receipts, and compared with the books and with itself;
// and every transfer belongs to something that money moves for.
import { eachPage, inSnapshot, type Inspection, type Inspector, type SubjectKind } from '#/db/inspection.ts'
import { minOf } from '#/kernel/money.ts'
import { findingsOf, receiptName, type ArrivalOf } from './verify-payment.ts'
import * as queries from './verify-queries.ts'

/** `kinds`: all that money moves for. A transfer whose subject is of none of them is a fault. */
export function settlementInspections(kinds: readonly SubjectKind[]): readonly Inspection[] {
  return [
    { name: 'settlement', inspect: (inspector) => inspectSubjects(inspector, kinds) },
    { name: 'receipts', inspect: inspectReceipts },
  ]
}

/** Payments. `arrivalOf` names the account in which final money of a connection arrives. */
export function paymentSubjects(arrivalOf: ArrivalOf): SubjectKind {
  return {
    inspect: (inspector) => inspectPayments(inspector, arrivalOf),
    among: queries.selectPaymentsAmong,
  }
}

const paymentsMax = 250
const receiptsMax = 2_000
const transfersMax = 20_000n

/** Each subject against its transfers; and no transfer is left that belongs to none. */
async function inspectSubjects(inspector: Inspector, kinds: readonly SubjectKind[]): Promise<void> {
  let explained = 0n
  for (const kind of kinds) explained += await kind.inspect(inspector)
  // Numbers have no gaps, so as many transfers as the last one's number belong to something.
  if (explained !== inspector.upTo.transfer) await nameStrays(inspector, kinds)
}

/** Names what no kind knows. Slow, because ids alone are looked for: for a sum that is wrong. */
async function nameStrays({ sql, upTo, fault }: Inspector, kinds: readonly SubjectKind[]): Promise<void> {
  for (let after = 0n; after < upTo.transfer; after += transfersMax) {
    const range = { after, upTo: minOf(after + transfersMax, upTo.transfer) }
    const transfers = await queries.selectSubjects(sql, range)
    let strangers = [...new Set(transfers.map(({ subject }) => subject))]
    for (const kind of kinds) {
      const own = await kind.among(sql, strangers)
      strangers = strangers.filter((id) => !own.has(id))
    }
    const unknown = new Set(strangers)
    for (const { number, subject } of transfers) {
      if (unknown.has(subject))
        fault(`transfer ${number}`, `belongs to ${subject}, which is nothing that moves money`)
    }
  }
}

/** Each payment against its receipts and transfers. */
async function inspectPayments({ sql, upTo, saw, fault }: Inspector, arrivalOf: ArrivalOf): Promise<bigint> {
  let explained = 0n
  let last: queries.PaymentRow | undefined
  for (;;) {
    const { payments, receipts, transfers } = await inSnapshot(sql, async (tx) => {
      const rows = await queries.selectPaymentRows(tx, last, paymentsMax)
      const [of, made] = await Promise.all([
        queries.selectReceiptRows(tx, rows),
        queries.selectTransferRows(tx, rows),
      ])
      return { payments: rows, receipts: of, transfers: made }
    })
    last = payments.at(-1)
    if (last === undefined) return explained

    saw('payments', payments.length)
    saw('receipts', receipts.length)
    saw('transfers', transfers.length)
    const receiptsOf = Map.groupBy(receipts, (receipt) => receipt.paymentId)
    const transfersOf = Map.groupBy(transfers, (transfer) => transfer.subject)
    for (const payment of payments) {
      const story = {
        payment,
        receipts: receiptsOf.get(payment.id) ?? [],
        transfers: transfersOf.get(payment.id) ?? [],
      }
      for (const { row, what } of findingsOf(story, arrivalOf)) fault(row, what)
    }
    explained += BigInt(transfers.filter(({ number }) => number >= 1n && number <= upTo.transfer).length)
  }
}

/** Every receipt belongs to a payment. */
async function inspectReceipts({ sql, saw, fault }: Inspector): Promise<void> {
  await eachPage<queries.ReceiptKey & { readonly hasPayment: boolean }>(
    (after) => queries.selectReceiptOwners(sql, after, receiptsMax),
    (receipts) => {
      saw('receipts', receipts.length)
      for (const receipt of receipts)
        if (!receipt.hasPayment) fault(receiptName(receipt), 'belongs to no payment')
    },
  )
}
