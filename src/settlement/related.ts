// Which receipts belong together: copies of one another, and those that announce and end the same money on its way.
import type { ConnectionId } from '#/kernel/id.ts'
import type { Batch } from '#/ledger/kind.ts'
import type { Receipt } from '#/rails/receipt.ts'
import type { OpenDraft } from './draft.ts'
import * as queries from './queries.ts'

type Identity = Pick<Receipt, 'connection' | 'providerRef' | 'outcome' | 'occurrence'>

type Related = Pick<OpenDraft, 'recorded' | 'announced' | 'ended' | 'reports'>

export function receiptKey({ connection, providerRef, outcome, occurrence }: Identity): string {
  return `${connection}|${providerRef}|${outcome}|${occurrence}`
}

type Pending = Identity & { readonly pendingRef?: string | null }

/** The name of money on its way. A receipt without one belongs to no other. */
export function pendingKey(receipt: Pending): string {
  const { connection, pendingRef = null } = receipt
  return pendingRef === null ? receiptKey(receipt) : `${connection}|${pendingRef}`
}

/** The provider's name of a refund, of a dispute, or of money in suspense. */
export function refKey({
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

/** Adds a receipt that was recorded: its copies change nothing, and it announces money or ends what was announced. */
export function addRecorded(
  { recorded, announced, ended }: Omit<Related, 'reports'>,
  receipt: Pending,
  bookedMinor: bigint,
): void {
  recorded.add(receiptKey(receipt))
  if (announces(receipt.outcome)) announced.set(pendingKey(receipt), bookedMinor)
  else ended.add(pendingKey(receipt))
}

/** What is recorded of these receipts, and of the refunds that they name. */
export async function loadRelated({ tx }: Pick<Batch, 'tx'>, receipts: readonly Receipt[]): Promise<Related> {
  const ofRefunds = receipts.filter(isRefund)
  const [stored, reports] = await Promise.all([
    queries.selectRelated(tx, receipts),
    ofRefunds.length === 0 ? [] : queries.selectRefundReports(tx, ofRefunds),
  ])
  const related: Related = {
    recorded: new Set(),
    announced: new Map(),
    ended: new Set(),
    reports: Map.groupBy(reports, refKey),
  }
  for (const each of stored) addRecorded(related, each, each.bookedMinor)
  return related
}

/** Whether a receipt reports how a refund ended. Its money leaves us, on a chain from our hot wallet. */
export function isRefund({ outcome }: Pick<Receipt, 'outcome'>): boolean {
  return outcome.startsWith('refund')
}
