// Which receipts belong together: copies of one another, and those that announce and end the same money on its way.
import type { Receipt } from '#/rails/words.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Batch } from '#/ledger/kind.ts'
import * as queries from './queries.ts'
import type { RefundWord, StoredReceipt } from './queries.ts'

export type Related = {
  /** Receipts that were recorded: a second copy changes nothing. */
  readonly seen: Set<string>
  /** Money announced, by what it is called: the minor units booked to pending. */
  readonly open: Map<string, bigint>
  /** Money that is not on its way any more, or was final before its announcement came. */
  readonly ended: Set<string>
  /** The latest of each word about refunds, by what providers call them. */
  readonly words: Map<string, RefundWord[]>
}

type Identity = Pick<Receipt, 'connection' | 'providerRef' | 'outcome' | 'occurrence'>

export function receiptKey({ connection, providerRef, outcome, occurrence }: Identity): string {
  return `${connection}|${providerRef}|${outcome}|${occurrence}`
}

/** What the money on its way is called. A receipt without such a name stands alone. */
export function pendingKey(receipt: Pick<Receipt, 'connection' | 'pendingRef'> & Identity): string {
  return receipt.pendingRef === undefined
    ? receiptKey(receipt)
    : `${receipt.connection}|${receipt.pendingRef}`
}

/** What a provider calls a dispute, or money in suspense. */
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

function relatedReceipts(stored: readonly StoredReceipt[], words: readonly RefundWord[]): Related {
  const related: Related = {
    seen: new Set(),
    open: new Map(),
    ended: new Set(),
    words: Map.groupBy(words, ({ connection, providerRef }) => `${connection}|${providerRef}`),
  }
  for (const each of stored) {
    related.seen.add(receiptKey(each))
    if (each.pendingRef === null) continue
    const key = `${each.connection}|${each.pendingRef}`
    if (announces(each.outcome)) related.open.set(key, each.bookedMinor)
    else related.ended.add(key)
  }
  return related
}

/** What is known of these receipts, and of the refunds that they speak of. */
export async function loadRelated({ tx }: Pick<Batch, 'tx'>, receipts: readonly Receipt[]): Promise<Related> {
  const words = receipts.filter(isRefund)
  const [stored, told] = await Promise.all([
    queries.selectRelated(tx, receipts),
    words.length === 0 ? [] : queries.selectRefundWords(tx, words),
  ])
  return relatedReceipts(stored, told)
}

/** Whether a receipt says how a refund ended: money that leaves, on a chain from our hot wallet. */
export function isRefund({ outcome }: Pick<Receipt, 'outcome'>): boolean {
  return outcome.startsWith('refund')
}
