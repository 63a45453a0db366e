// Turns the current state of intents, refunds and disputes into receipts of our attempts. The same object always gives the same
// receipts, and each receipt counts once, so they may be reported repeatedly.
import { given } from '#/kernel/given.ts'
import type { AttemptId, ConnectionId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { maxOf } from '#/kernel/money.ts'
import type { Method } from '#/rails/method.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { declineOf } from './decline.ts'
import { NonsenseError } from './fields.ts'
import type { Card, Dispute, Intent, Refund } from './wire.ts'

/** The connection that an object belongs to, its exact bytes, and when it was read. */
export type Source = {
  readonly connection: ConnectionId
  readonly mode: Mode
  readonly evidence: Buffer
  readonly readAt: Date
}

/**
 * Returns the state of an intent: `authorised` (held by the payer's bank), `voided`, `paid`, or `declined` (the latest try failed
 * and the payer may try again). The intent's id names the money on its way. Throws NonsenseError.
 */
export function receiptsOfIntent(source: Source, intent: Intent): readonly Receipt[] {
  checkMode(source, intent)
  const { connection, evidence } = source
  const { id, charge, amount } = intent
  const base = {
    method: intent.method,
    attempt: { id: intent.attempt },
    connection,
    providerRef: id,
    occurrence: 1,
    happenedAt: charge?.createdAt ?? intent.createdAt,
    evidence,
    ...meansOf(charge?.card),
  }
  switch (intent.status) {
    case 'requires_capture':
      return [
        { ...base, pendingRef: id, outcome: 'authorised', amount: { ...amount, minor: intent.capturable } },
      ]
    case 'succeeded': {
      if (intent.received === 0n) throw new NonsenseError('payment_intent.amount_received', 'is zero')
      const captured = { ...amount, minor: intent.received }
      const authorised = intent.isManual ? { pendingRef: id, authorised: amount } : {}
      return [{ ...base, ...authorised, outcome: 'paid', amount: captured }]
    }
    case 'canceled': {
      // An intent without a paid charge was never authorised.
      if (charge === undefined || !charge.isPaid || charge.isCaptured) return []
      const happenedAt = intent.canceledAt ?? source.readAt
      return [{ ...base, pendingRef: id, outcome: 'voided', amount, happenedAt }]
    }
    case 'requires_payment_method':
      return declinesOf(base, intent)
    default:
      return []
  }
}

type IntentBase = Omit<Receipt, 'outcome' | 'amount'>

/** A decline is named by its charge; where the bank created no charge, by the means that the payer tried. */
function declinesOf(base: IntentBase, { id, failure, charge, amount }: Intent): readonly Receipt[] {
  if (failure === undefined) return []
  const { means } = failure
  const providerRef = failure.charge ?? `${id}:${means?.id ?? failure.code ?? 'declined'}`
  const isOfCharge = failure.charge !== undefined && failure.charge === charge?.id
  const { means: card, ...rest } = base
  return [
    {
      ...rest,
      ...(isOfCharge && card !== undefined ? { means: card } : {}),
      providerRef,
      outcome: 'declined',
      amount,
      happenedAt: isOfCharge ? base.happenedAt : (means?.createdAt ?? base.happenedAt),
      failure: declineOf(failure),
    },
  ]
}

/**
 * Returns how a refund ended, if it has ended. A refund that is not ours was made at the provider itself. Its money is gone too, so
 * it is reported as a dispute that is lost at once.
 */
export function receiptsOfRefund(
  { connection, evidence, readAt }: Omit<Source, 'mode'>,
  { id, refund, status, amount, createdAt, failureReason, hasMoved }: Refund,
  paid: { readonly attempt: AttemptId; readonly intent: string; readonly method?: Method },
): readonly Receipt[] {
  const base = {
    method: paid.method ?? ('CREDIT_CARD' as const),
    attempt: { id: paid.attempt },
    connection,
    providerRef: id,
    occurrence: 1,
    amount,
    happenedAt: createdAt,
    evidence,
  }
  if (refund === undefined) {
    if (status !== 'succeeded' || !hasMoved) return []
    const dispute = {
      paidRef: paid.intent,
      kind: 'CHARGEBACK' as const,
      reason: 'refunded at the provider, not here',
    }
    const outcomes = ['dispute_opened', 'dispute_taken', 'dispute_lost'] as const
    return outcomes.map((outcome) => ({ ...base, dispute, outcome }))
  }
  if (status === 'succeeded') return [{ ...base, refund, outcome: 'refunded' }]
  if (status !== 'failed' && status !== 'canceled') return []
  const failure = {
    code: 'refused_by_bank',
    message: refusals.get(failureReason ?? '') ?? refusalOf(status, base.method),
  }
  return [{ ...base, refund, outcome: 'refund_failed', happenedAt: readAt, failure }]
}

/**
 * The failure when the provider names no reason. A refund that waits for the payer's bank account is canceled if the payer names
 * none in time.
 */
function refusalOf(status: string, method: Method): string {
  if (status === 'canceled')
    return 'It was canceled at the provider, or the payer named no bank account in time.'
  return method === 'CREDIT_CARD'
    ? 'The bank of the card did not take the money back.'
    : 'The payer’s bank did not take the money back.'
}

const refusals: ReadonlyMap<string, string> = new Map([
  ['lost_or_stolen_card', 'The card was lost or stolen, and its bank did not take the money back.'],
  ['expired_or_canceled_card', 'The card is not valid any more, and its bank did not take the money back.'],
  ['charge_for_pending_refund_disputed', 'The payer disputed the payment before the refund was done.'],
  ['insufficient_funds', 'The balance at the card provider did not hold enough.'],
  ['merchant_request', 'It was canceled at the card provider.'],
])

/**
 * Returns the receipts of a dispute up to its current state: what the provider took and returned, in its order.
 * - Each time that the provider takes the money is a round, which is the occurrence of its receipts.
 * - Reinstated funds win the round, regardless of the status.
 * - An inquiry (`warning_…`) takes no money and opens nothing; it may become a dispute.
 * - `prevented` is a dispute only where the provider took money.
 */
export function receiptsOfDispute(
  { connection, evidence, readAt }: Omit<Source, 'mode'>,
  sent: Dispute,
  attempt: AttemptId,
): readonly Receipt[] {
  const { id, status, amount, moves, createdAt } = sent
  const isTaken = moves.some((move) => move.amount < 0n)
  if (status.startsWith('warning_') || (status === 'prevented' && !isTaken)) return []
  const base = {
    method: sent.intent.ours?.method ?? ('CREDIT_CARD' as const),
    attempt: { id: attempt },
    connection,
    providerRef: id,
    amount,
    evidence,
    dispute: detailsOf(sent),
  }
  const receipts: Receipt[] = [{ ...base, occurrence: 1, outcome: 'dispute_opened', happenedAt: createdAt }]
  let [round, net, isWon] = [0, 0n, false]
  for (const move of moves) {
    net += move.amount
    const isBack = move.amount > 0n && round > 0 && !isWon && net >= 0n
    if (move.amount < 0n && (round === 0 || isWon)) {
      round += 1
      isWon = false
      receipts.push({ ...base, occurrence: round, outcome: 'dispute_taken', happenedAt: move.createdAt })
    } else if (isBack) {
      isWon = true
      receipts.push({ ...base, occurrence: round, outcome: 'dispute_won', happenedAt: move.createdAt })
    }
  }
  const last = { ...base, occurrence: Math.max(round, 1), happenedAt: readAt }
  if (status === 'won' && !isWon)
    receipts.push({ ...last, outcome: 'dispute_won', happenedAt: moves.at(-1)?.createdAt ?? readAt })
  if ((status === 'lost' || status === 'prevented') && !isWon)
    receipts.push({ ...last, outcome: 'dispute_lost' })
  return receipts
}

/** The provider's names of why a payer disputes (https://docs.stripe.com/api/disputes/object#dispute_object-reason). */
const disputeReasons = [
  'bank_cannot_process',
  'check_returned',
  'credit_not_processed',
  'customer_initiated',
  'debit_not_authorized',
  'duplicate',
  'fraudulent',
  'general',
  'incorrect_account_details',
  'insufficient_funds',
  'noncompliant',
  'product_not_received',
  'product_unacceptable',
  'subscription_canceled',
  'unrecognized',
] as const

/** The fee counts when it was charged in the payment's own currency; a fee in another currency is not converted. */
function detailsOf(sent: Dispute): NonNullable<Receipt['dispute']> {
  const { intent, reason, evidenceDueAt, moves, amount } = sent
  const sameCurrency = moves.filter((move) => move.currency === amount.currency)
  const fee = sameCurrency.reduce((sum, move) => sum + maxOf(move.fee, 0n), 0n)
  return {
    paidRef: intent.id,
    kind: 'CHARGEBACK',
    ...(reason === undefined ? {} : { reason: disputeReasons.find((each) => each === reason) ?? 'general' }),
    ...(fee === 0n ? {} : { fee }),
    ...given({ evidenceDueAt }),
  }
}

/** A live connection with a test key would count test money as real. */
export function checkMode({ mode }: Pick<Source, 'mode'>, { isLive }: { readonly isLive: boolean }): void {
  if (isLive !== (mode === 'LIVE'))
    throw new NonsenseError('livemode', `is ${isLive} at a ${mode} connection`)
}

function meansOf(card: Card | undefined): Pick<Receipt, 'means'> {
  if (card === undefined) return {}
  const { brand, last4, threeDSecure } = card
  const result = threeDSecure === undefined ? undefined : (results.get(threeDSecure) ?? 'NOT_AUTHENTICATED')
  return { means: { brand, last4, ...given({ threeDSecure: result }) } }
}

/** The results of 3-D Secure. Any other result: not authenticated. */
const results: ReadonlyMap<string, string> = new Map([
  ['authenticated', 'AUTHENTICATED'],
  ['attempt_acknowledged', 'ATTEMPTED'],
  ['exempted', 'EXEMPTED'],
  ['not_supported', 'NOT_SUPPORTED'],
])
