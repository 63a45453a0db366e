// Gives money back at a provider, step by step:
// - a refund that was requested before is looked up;
// - whether the money may leave is checked right before the provider is asked;
// - a refusal counts only when the provider has no such refund, because the refusal may be of a repeated call.
import { messageOf, ProviderError } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { hideTexts } from '#/kernel/private.ts'
import type { Clock } from '#/kernel/time.ts'
import type { Method } from '#/rails/method.ts'
import { requireLeave, type RefundOrder } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { AnswerError } from './answer-error.ts'

/** How one provider carries out an order. */
export type RefundSteps<Found, Refusal extends AnswerError> = {
  /** Returns the refund as the provider has it. Throws ProviderError. */
  find(): Promise<Found | undefined>
  /** Returns receipts that replace the call: none when the refund has to wait, or its failure when it can never be requested. */
  insteadOfAsking?(): Promise<readonly Receipt[] | undefined>
  /**
   * Requests the refund. Undefined: `find` has to read the result. Throws ProviderError; for a refusal, the provider's own class of
   * it.
   */
  ask(): Promise<Found | undefined>
  isRefusal(error: AnswerError): error is Refusal
  receiptsOf(found: Found): readonly Receipt[]
  /** Returns the failure as a merchant sees it. */
  failed(refusal: Refusal): Receipt
}

/** `again`: after a call with an unknown end. Returns how the refund ended, or no receipt while it is under way. */
export async function sendRefund<Found, Refusal extends AnswerError>(
  order: RefundOrder,
  again: boolean,
  steps: RefundSteps<Found, Refusal>,
  log: Log,
): Promise<readonly Receipt[]> {
  const existing = again ? await steps.find() : undefined
  if (existing !== undefined) return steps.receiptsOf(existing)
  const instead = await steps.insteadOfAsking?.()
  if (instead !== undefined) return instead
  await requireLeave(order)
  const answer = await askOrRefusal(steps)
  const found = answer === undefined || answer instanceof AnswerError ? await findAfter(steps) : answer
  if (found !== undefined) return steps.receiptsOf(found)
  if (!(answer instanceof AnswerError)) return []
  const said = hideTexts(messageOf(answer), [order.reason, order.destination])
  log.warn({ refund: order.id, said }, 'a provider refuses a refund')
  return [steps.failed(answer)]
}

async function askOrRefusal<Found, Refusal extends AnswerError>(
  steps: RefundSteps<Found, Refusal>,
): Promise<Found | Refusal | undefined> {
  try {
    return await steps.ask()
  } catch (error) {
    if (error instanceof AnswerError && error.outcome === 'refused' && steps.isRefusal(error)) return error
    throw error
  }
}

/** Looks the refund up after the call. If the look-up fails, the end is unknown: the call may have been carried out. */
async function findAfter<Found, Refusal extends AnswerError>({
  find,
}: RefundSteps<Found, Refusal>): Promise<Found | undefined> {
  try {
    return await find()
  } catch (error) {
    if (!(error instanceof ProviderError) || error.outcome === 'unknown') throw error
    throw new ProviderError('unknown', messageOf(error), error)
  }
}

/** Returns the receipt of a refund that the provider will never make. `providerRef`: its name there, or the one that it would have. */
export function refundFailed(
  { id, attempt, connection, amount }: RefundOrder,
  clock: Clock,
  failure: {
    readonly method: Method
    readonly providerRef: string
    readonly failure: NonNullable<Receipt['failure']>
    readonly evidence: Buffer
  },
): Receipt {
  return {
    ...failure,
    attempt,
    connection,
    outcome: 'refund_failed',
    occurrence: 1,
    refund: id,
    amount,
    happenedAt: clock.now(),
  }
}
