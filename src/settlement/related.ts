// Which receipts belong together: copies of one another, and those that announce and end the same money on its way.
import type { ConnectionId } from '#/kernel/id.ts'
import type { Batch } from '#/ledger/kind.ts'
import type { Receipt } from '#/rails/words.ts'
import type { OpenDraft } from './draft.ts'
import * as queries from './queries.ts'
import type { StoredReceipt } from './queries.ts'

type Identity = Pick<Receipt, 'connection' | 'providerRef' | 'outcome' | 'occurrence'>

type Related = Pick<OpenDraft, 'recorded' | 'announced' | 'ended' | 'reports'>

export function receiptKey({ connection, providerRef, outcome, occurrence }: Identity): string {
  return `${connection}|${providerRef}|${outcome}|${occurrence}`
}

/** The name of money on its way. A receipt without one belongs to no other. */
export function pendingKey(receipt: Pick<Receipt, 'connection' | 'pendingRef'> & Identity): string {
  return receipt.pendingRef === undefined
    ? receiptKey(receipt)
    : `${receipt.connection}|${receipt.pendingRef}`
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
  receipt: Identity & Pick<StoredReceipt, 'bookedMinor'> & { readonly pendingRef?: string | null },
): void {
  recorded.add(receiptKey(receipt))
  const { pendingRef, outcome, bookedMinor } = receipt
  if (pendingRef === undefined || pendingRef === null) return
  const key = pendingKey({ ...receipt, pendingRef })
  if (announces(outcome)) announced.set(key, bookedMinor)
  else ended.add(key)
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
  for (const each of stored) addRecorded(related, each)
  return related
}

/** Whether a receipt reports how a refund ended. Its money leaves us, on a chain from our hot wallet. */
export function isRefund({ outcome }: Pick<Receipt, 'outcome'>): boolean {
  return outcome.startsWith('refund')
}
