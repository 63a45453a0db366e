// The refunds and disputes that a batch of receipts names, and what they depend on.
import type { Dispute } from '#/disputes/dispute.ts'
import { selectByPieces as selectDisputesByPieces, selectByRefs } from '#/disputes/queries.ts'
import type { PaymentId, RefundId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import type { Batch } from '#/ledger/kind.ts'
import type { PieceRef } from '#/rails/attempt.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { lockUnsent, selectByPieces as selectRefundsByPieces, selectRefundsById } from '#/refunds/queries.ts'
import type { Refund } from '#/refunds/refund.ts'
import type { OpenDraft } from './draft.ts'
import type { Placed } from './placed.ts'
import { selectPieceAmounts } from './queries.ts'
import { refKey } from './related.ts'
import { selectWithheld } from './release-queries.ts'

/** `unsent`: the refunds of disputed money that were not sent to a provider. */
export type Back = Pick<OpenDraft, 'refunds' | 'disputes' | 'pieces' | 'withheld'> & {
  readonly unsent: ReadonlySet<RefundId>
}

/** `credited`: receipts about money in suspense that was credited to a merchant. */
export async function loadBack(
  { tx }: Pick<Batch, 'tx'>,
  placed: readonly Placed[],
  credited: Iterable<Receipt>,
): Promise<Back> {
  const [refunds, disputes, withheld, disputed] = await Promise.all([
    loadNamedRefunds(tx, placed),
    loadNamedDisputes(tx, [...placed, ...credited]),
    loadWithheld(tx, placed),
    loadDisputed(tx, placed),
  ])
  return {
    refunds: new Map([...refunds, ...disputed.refunds].map((refund) => [refund.id, refund])),
    disputes: new Map([...disputes, ...disputed.disputes].map((dispute) => [refKey(dispute), dispute])),
    pieces: new Map(disputed.amounts.map((piece) => [pieceKey(piece), piece.minor])),
    unsent: disputed.unsent,
    withheld: new Map(
      withheld.map(({ paymentId, currency, minor }) => [withheldKey(paymentId, currency), minor]),
    ),
  }
}

async function loadNamedRefunds(tx: Batch['tx'], placed: readonly Placed[]): Promise<readonly Refund[]> {
  const ids = placed.flatMap(({ refund }) => refund ?? [])
  return ids.length === 0 ? [] : selectRefundsById(tx, [...new Set(ids)])
}

async function loadNamedDisputes(tx: Batch['tx'], receipts: readonly Receipt[]): Promise<readonly Dispute[]> {
  const named = receipts.filter(({ dispute }) => dispute !== undefined)
  const distinct = [...new Map(named.map((receipt) => [refKey(receipt), receipt])).values()]
  return distinct.length === 0 ? [] : selectByRefs(tx, distinct)
}

async function loadWithheld(tx: Batch['tx'], placed: readonly Placed[]) {
  const attempts = placed
    .filter(({ outcome, dispute }) => outcome === 'refund_failed' || dispute !== undefined)
    .map(({ attempt }) => attempt)
  return attempts.length === 0 ? [] : selectWithheld(tx, attempts)
}

/** The amounts of disputed pieces, and all their refunds and disputes. */
async function loadDisputed(tx: Batch['tx'], placed: readonly Placed[]) {
  const pieces = placed.flatMap(({ attempt, connection, dispute }): readonly PieceRef[] => {
    const { merchantId, paymentId } = attempt
    return dispute === undefined ? [] : [{ merchantId, paymentId, connection, paidRef: dispute.paidRef }]
  })
  if (pieces.length === 0) return { unsent: new Set<RefundId>(), refunds: [], disputes: [], amounts: [] }
  // Read after the lock, because locked rows do not change any more.
  const unsent = await lockUnsent(tx, pieces)
  const [refunds, disputes, amounts] = await Promise.all([
    selectRefundsByPieces(tx, pieces),
    selectDisputesByPieces(tx, pieces),
    selectPieceAmounts(tx, pieces),
  ])
  return { unsent, refunds, disputes, amounts }
}

/** Names one piece of a payment. */
export function pieceKey(piece: Pick<PieceRef, 'paymentId' | 'connection' | 'paidRef'>): string {
  return `${piece.paymentId}|${piece.connection}|${piece.paidRef}`
}

export function withheldKey(paymentId: PaymentId, currency: Currency): string {
  return `${paymentId}/${currency}`
}
