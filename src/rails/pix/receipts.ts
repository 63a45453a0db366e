// Turns the current state of a received Pix into receipts of our attempts, refunds and disputes. A pure function: the same Pix
// always gives the same receipts, and each receipt counts once, so it may be reported repeatedly. Inspected by
// audit/rails/pix.ts.
import { given } from '#/kernel/given.ts'
import { hexOfUuid, uuidOfHex, type AttemptId, type ConnectionId, type RefundId } from '#/kernel/id.ts'
import type { Money } from '#/kernel/money.ts'
import type { Receipt } from '#/rails/receipt.ts'
import type { PixReturn, ReceivedPix } from './wire.ts'

/**
 * Returns one `paid`, named by its end-to-end id, and the outcome of its returns. A return is a refund of ours when its id has
 * the form of ours and its nature is not MED. Any other return is a dispute: the Mecanismo Especial de Devolução lets the payer's
 * bank take money back.
 */
export function receiptsOf(connection: ConnectionId, pix: ReceivedPix, evidence: Buffer): readonly Receipt[] {
  const attempt = attemptOf(pix.txid)
  const paid: Receipt = {
    method: 'PIX',
    ...attempt,
    connection,
    providerRef: pix.endToEndId,
    outcome: 'paid',
    occurrence: 1,
    amount: reais(pix.amount),
    happenedAt: pix.happenedAt,
    evidence,
  }
  return [paid, ...pix.returns.flatMap((each) => receiptsOfReturn(paid, each, evidence))]
}

/**
 * Returns how a return of the money in `paid` ended, if it has; for a dispute, also that it began. `paid` needs only the fields
 * that name the money.
 */
export function receiptsOfReturn(paid: PaidMoney, sent: PixReturn, evidence: Buffer): readonly Receipt[] {
  const base = {
    method: 'PIX' as const,
    ...given({ attempt: paid.attempt }),
    connection: paid.connection,
    providerRef: `${paid.providerRef}:${sent.id}`,
    occurrence: 1,
    amount: reais(sent.amount),
    evidence,
  }
  const refund = sent.nature?.startsWith('MED_') ? undefined : uuidOfHex(sent.id)
  if (refund === undefined) return disputeReceipts(base, sent, paid)
  return refundReceipts({ ...base, refund: refund as RefundId }, sent, paid.happenedAt)
}

/** Returns a UUID in the form that a PSP accepts as txid and id of a return: its 32 hex digits. */
export function toReference(id: AttemptId | RefundId): string {
  return hexOfUuid(id)
}

type PaidMoney = Pick<Receipt, 'attempt' | 'connection' | 'providerRef' | 'happenedAt'>

type ReturnBase = Pick<
  Receipt,
  'method' | 'attempt' | 'connection' | 'providerRef' | 'occurrence' | 'amount' | 'evidence'
>

function refundReceipts(
  base: ReturnBase & { readonly refund: RefundId },
  { status, requestedAt, settledAt }: PixReturn,
  paidAt: Date,
): readonly Receipt[] {
  if (status === 'DEVOLVIDO') {
    return [{ ...base, outcome: 'refunded', happenedAt: settledAt ?? requestedAt ?? paidAt }]
  }
  if (status === 'NAO_REALIZADO') {
    const failure = { code: 'refused_by_bank', message: 'The bank did not carry the refund out.' }
    return [{ ...base, outcome: 'refund_failed', happenedAt: settledAt ?? requestedAt ?? paidAt, failure }]
  }
  return []
}

/** The reasons of a return, by API Pix's own names (2.9.0, `natureza`). Its free text is only in the evidence. */
const natures = ['ORIGINAL', 'RETIRADA', 'MED_OPERACIONAL', 'MED_FRAUDE', 'MED_PIX_AUTOMATICO'] as const

function disputeReceipts(base: ReturnBase, sent: PixReturn, paid: PaidMoney): readonly Receipt[] {
  const { status, requestedAt, settledAt } = sent
  // A status that we do not know: the next poll may return another one.
  if (status === undefined) return []
  const reason = natures.find((nature) => nature === sent.nature)
  const dispute = {
    paidRef: paid.providerRef,
    kind: 'MED' as const,
    ...given({ reason }),
  }
  const openedAt = requestedAt ?? settledAt ?? paid.happenedAt
  const endedAt = settledAt ?? requestedAt ?? paid.happenedAt
  const disputeOpened: Receipt = {
    ...base,
    dispute,
    outcome: 'dispute_opened',
    happenedAt: openedAt,
  }
  switch (status) {
    case 'EM_PROCESSAMENTO':
      return [disputeOpened]
    case 'DEVOLVIDO':
      return [
        disputeOpened,
        { ...base, dispute, outcome: 'dispute_taken', happenedAt: endedAt },
        { ...base, dispute, outcome: 'dispute_lost', happenedAt: endedAt },
      ]
    case 'NAO_REALIZADO':
      return [disputeOpened, { ...base, dispute, outcome: 'dispute_won', happenedAt: endedAt }]
  }
}

/** Absent for money without a txid of ours, as by a static code or by the key alone. */
function attemptOf(txid: string | undefined): { readonly attempt?: { readonly id: AttemptId } } {
  const id = txid === undefined ? undefined : uuidOfHex(txid)
  return id === undefined ? {} : { attempt: { id: id as AttemptId } }
}

function reais(minor: bigint): Money {
  return { minor, currency: 'BRL' }
}
