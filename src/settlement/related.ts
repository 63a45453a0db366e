// Which receipts belong together: copies of one another, and those that announce and end the same money on its way.
import type { ConnectionId } from '#/kernel/id.ts'
import type { Batch } from '#/ledger/kind.ts'
import type { Receipt } from '#/rails/receipt.ts'
import * as queries from './queries.ts'
import type { RefundReport, StoredReceipt } from './queries.ts'

export type Related = {
  /** Receipts that were recorded: a second copy changes nothing. */
  readonly recorded: Set<string>
  /** Announced money, by its name: the minor units booked to pending. */
  readonly announced: Map<string, bigint>
  /** The names of money that is no longer on its way, or was final before its announcement came. */
  readonly ended: Set<string>
  /** The latest report of each outcome of a refund, by the provider's name of the refund. */
  readonly reports: Map<string, RefundReport[]>
}

type Identity = Pick<Receipt, 'connection' | 'providerRef' | 'outcome' | 'occurrence'>

export function receiptKey({ connection, providerRef, outcome, occurrence }: Identity): string {
  return `${connection}|${providerRef}|${outcome}|${occurrence}`
}

/** The name of money on its way. A receipt without one belongs to no other. */
export function pendingKey(receipt: Pick<Receipt, 'connection' | 'pendingRef'> & Identity): string {
  return receipt.pendingRef === undefined
    ? receiptKey(receipt)
    : `${receipt.connection}|${receipt.pendingRef}`
}

/** The provider's name of a dispute, or of money in suspense. */
export function disputeKey({
  connection,
  providerRef,
}: {
  readonly connection: ConnectionId
  readonly providerRef: string
}): string {
  return `${connection}|${providerRef}`
}

/** Whether a receipt announces money; the others end what was announced. */
function announces(outcome: Receipt['outcome']): boolean {
  return outcome === 'seen' || outcome === 'authorised'
}

function relatedReceipts(stored: readonly StoredReceipt[], reports: readonly RefundReport[]): Related {
  const related: Related = {
    recorded: new Set(),
    announced: new Map(),
    ended: new Set(),
    reports: Map.groupBy(reports, ({ connection, providerRef }) => `${connection}|${providerRef}`),
  }
  for (const each of stored) {
    related.recorded.add(receiptKey(each))
    if (each.pendingRef === null) continue
    const key = `${each.connection}|${each.pendingRef}`
    if (announces(each.outcome)) related.announced.set(key, each.bookedMinor)
    else related.ended.add(key)
  }
  return related
}

/** What is recorded of these receipts, and of the refunds that they name. */
export async function loadRelated({ tx }: Pick<Batch, 'tx'>, receipts: readonly Receipt[]): Promise<Related> {
  const ofRefunds = receipts.filter(isRefund)
  const [stored, reports] = await Promise.all([
    queries.selectRelated(tx, receipts),
    ofRefunds.length === 0 ? [] : queries.selectRefundReports(tx, ofRefunds),
  ])
  return relatedReceipts(stored, reports)
}

/** Whether a receipt reports how a refund ended. Its money leaves us, on a chain from our hot wallet. */
export function isRefund({ outcome }: Pick<Receipt, 'outcome'>): boolean {
  return outcome.startsWith('refund')
}
