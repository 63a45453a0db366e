// Settlement, inspected: every payment is settled again from its receipts, and compared with the books and with itself.
import { eachPage, inSnapshot, type Inspection, type Inspector } from '#/db/inspection.ts'
import { findingsOf, receiptName, type ArrivalOf } from './verify-payment.ts'
import * as queries from './verify-queries.ts'

/** `arrivalOf` names the account in which final money of a connection arrives. */
export function settlementInspections(arrivalOf: ArrivalOf): readonly Inspection[] {
  return [
    { name: 'settlement', inspect: (inspector) => inspectPayments(inspector, arrivalOf) },
    { name: 'receipts', inspect: inspectReceipts },
  ]
}

const paymentsMax = 250
const receiptsMax = 2_000
const transfersMax = 20_000n

/** Each payment against its receipts and transfers; and no transfer is left that belongs to none. */
async function inspectPayments(inspector: Inspector, arrivalOf: ArrivalOf): Promise<void> {
  const { sql, upTo, saw, fault } = inspector
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
    if (last === undefined) break

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
  // Numbers have no gaps, so as many transfers as the last one's number belong to something.
  if (explained !== upTo.transfer) await nameStrays(inspector)
}

async function nameStrays({ sql, upTo, fault }: Inspector): Promise<void> {
  for (let after = 0n; after < upTo.transfer; after += transfersMax) {
    const range = { after, upTo: after + transfersMax < upTo.transfer ? after + transfersMax : upTo.transfer }
    for (const { number, subject } of await queries.selectStrayTransfers(sql, range)) {
      fault(`transfer ${number}`, `belongs to ${subject}, which is nothing that moves money`)
    }
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
