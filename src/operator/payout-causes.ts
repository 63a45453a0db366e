// Why a withdrawal or refund has not ended, as a code that pages have a sentence for, and what an operator may do about it.
import type { Sql } from '#/db/client.ts'
import type { RefundId } from '#/kernel/id.ts'
import type { FileStanding } from '#/rails/sepa/payout-queries.ts'
import { fileStandings } from '#/rails/sepa/payout.ts'
import type { Refund } from '#/refunds/refund.ts'
import { payoutStandings, type PayoutStanding } from '#/treasury/payout.ts'
import { isEnded, type Withdrawal } from '#/withdrawals/withdrawal.ts'
import { selectRefundFacts, selectWithdrawalFacts, type PayoutFacts } from './payout-queries.ts'

export const payoutCauses = [
  /** A second person of the merchant has to approve it. */
  'approval',
  /** Its money is disputed. */
  'disputed',
  'frozen',
  /** The wallet that pays is stopped until an operator lifts it. */
  'wallet_stopped',
  /** The wallet that pays is short of coins or gas, or the signer does not answer. */
  'wallet_waits',
  /** It waits for its turn in the queue of the wallet. */
  'queued',
  /** Its transaction is on its way. */
  'on_chain',
  /** A foreign transaction used its nonce. */
  'nonce_taken',
  /** It was requested to stop. */
  'stopping',
  /** It waits until somebody makes a file of payments. */
  'waits_for_file',
  /** It is in a file of payments, and the bank has not said how it ended. */
  'in_file',
  /** Its end is known, and a worker books it in a moment. */
  'settling',
  /** It was sent, and its provider has long said nothing. */
  'long_unknown',
  /** It was sent, and its end is not known yet. */
  'unknown',
  /** Nothing was sent yet. */
  'not_sent',
] as const
export type PayoutCause = (typeof payoutCauses)[number]

export const payoutActs = ['retry', 'stop', 'end', 'prove'] as const
/**
 * `retry`: a worker asks or sends now; `stop`: on a chain, or before it is in a file; `end`: a person records the end; `prove`: only with
 * the provider's statement.
 */
export type PayoutAct = (typeof payoutActs)[number]

export type PayoutTrouble = {
  readonly merchantName?: string
  /** Absent: it has ended. */
  readonly cause?: PayoutCause
  readonly acts: readonly PayoutAct[]
  readonly dueAt?: Date
  /** What the wallet says, where it waits or is stopped. */
  readonly detail?: string
}

/** Why each of these withdrawals has not ended. */
export async function withdrawalTroubles(
  sql: Sql,
  withdrawals: readonly Withdrawal[],
): Promise<(withdrawal: Withdrawal) => PayoutTrouble> {
  const ids = withdrawals.map(({ id }) => id)
  const facts = new Map((await selectWithdrawalFacts(sql, ids)).map((each) => [each.id, each]))
  const [standings, files] = await Promise.all([standingsOf(sql, ids), filesOf(sql, ids)])
  return (withdrawal) => {
    const known = facts.get(withdrawal.id)
    const file = isEnded(withdrawal) ? undefined : files.get(withdrawal.id)
    if (file !== undefined) return troubleOf(known, inFile(file, known?.isFrozen === true, 'end'))
    return troubleOf(known, ofWithdrawal(withdrawal, known, standings.get(withdrawal.id)))
  }
}

/** Why each of these refunds has not ended. */
export async function refundTroubles(
  sql: Sql,
  refunds: readonly Refund[],
): Promise<(refund: Refund) => PayoutTrouble> {
  const ids = refunds.map(({ id }) => id)
  const facts = new Map((await selectRefundFacts(sql, ids)).map((each) => [each.id, each]))
  const [standings, files] = await Promise.all([standingsOf(sql, ids), filesOf(sql, ids)])
  return (refund) => {
    const known = facts.get(refund.id)
    const file = refund.status === 'PENDING' ? files.get(refund.id) : undefined
    if (file !== undefined) return troubleOf(known, inFile(file, known?.isFrozen === true, 'prove'))
    return troubleOf(known, ofRefund(refund, known, standings.get(refund.id)))
  }
}

type Finding = Pick<PayoutTrouble, 'cause' | 'acts' | 'detail'>

async function standingsOf(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, PayoutStanding>> {
  return new Map((await payoutStandings(sql, ids)).map((each) => [each.subject, each]))
}

async function filesOf(
  sql: Sql,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FileStanding['state']>> {
  return new Map((await fileStandings(sql, ids)).map(({ subject, state }) => [subject, state]))
}

/** `byHand`: what a person may do who knows from the bank how it ended. */
function inFile(state: FileStanding['state'], isFrozen: boolean, byHand: PayoutAct): Finding {
  if (state === 'WAITING') return { cause: isFrozen ? 'frozen' : 'waits_for_file', acts: ['stop'] }
  if (state === 'BATCHED') return { cause: 'in_file', acts: ['retry', byHand] }
  return { cause: 'settling', acts: ['retry'] }
}

function troubleOf<Id>(facts: PayoutFacts<Id> | undefined, finding: Finding): PayoutTrouble {
  if (facts === undefined) return finding
  const { merchantName, dueAt } = facts
  return { ...finding, merchantName, ...(dueAt === null ? {} : { dueAt }) }
}

function ofWithdrawal(
  withdrawal: Withdrawal,
  facts: PayoutFacts<Withdrawal['id']> | undefined,
  standing: PayoutStanding | undefined,
): Finding {
  const { status, reviewRequired, type } = withdrawal
  // A provider may say that it was refused, and have sent it: only then can an end still be corrected.
  if (isEnded(withdrawal)) return { acts: status === 'FAILED' && type === 'PIX' ? ['end'] : [] }
  if (status === 'PENDING_APPROVAL') return { cause: 'approval', acts: [] }
  const isFrozen = facts?.isFrozen === true
  if (standing !== undefined) return onChain(standing, isFrozen, ['end'])
  if (status === 'PENDING')
    return isFrozen ? { cause: 'frozen', acts: [] } : { cause: 'not_sent', acts: ['retry'] }
  // What is paid on a chain is ended by hand only where a foreign transaction took its nonce.
  const acts = type === 'CRYPTO' ? (['retry'] as const) : (['retry', 'end'] as const)
  return { cause: reviewRequired ? 'long_unknown' : 'unknown', acts }
}

function ofRefund(
  { status, approvalRequired, isHeldBack }: Refund,
  facts: (PayoutFacts<RefundId> & { readonly isDisputed: boolean }) | undefined,
  standing: PayoutStanding | undefined,
): Finding {
  if (status !== 'PENDING') return { acts: [] }
  if (standing !== undefined) return onChain(standing, facts?.isFrozen === true, ['end'])
  if (approvalRequired) return { cause: 'approval', acts: ['end'] }
  if ((facts?.maybeSent ?? 0) > 0) return { cause: 'unknown', acts: ['retry', 'prove'] }
  if (isHeldBack || facts?.isDisputed === true) return { cause: 'disputed', acts: ['end'] }
  if (facts?.isFrozen === true) return { cause: 'frozen', acts: ['end'] }
  return { cause: 'not_sent', acts: ['retry', 'end'] }
}

/** `byHand`: what a person may do where a foreign transaction used the nonce. */
function onChain(
  { state, isTaken, isStopping, walletStopped, walletWaits }: PayoutStanding,
  isFrozen: boolean,
  byHand: readonly PayoutAct[],
): Finding {
  if (state === 'FINAL' || state === 'FAILED') return { cause: 'settling', acts: ['retry'] }
  if (isTaken) return { cause: 'nonce_taken', acts: byHand }
  if (isStopping) return { cause: 'stopping', acts: [] }
  if (walletStopped !== null) return { cause: 'wallet_stopped', acts: ['stop'], detail: walletStopped }
  if (state !== 'QUEUED') return { cause: 'on_chain', acts: ['stop'] }
  if (isFrozen) return { cause: 'frozen', acts: ['stop'] }
  if (walletWaits !== null) return { cause: 'wallet_waits', acts: ['stop'], detail: walletWaits }
  return { cause: 'queued', acts: ['stop'] }
}
