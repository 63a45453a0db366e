// A refund that Medusa asks for, made once, also when an answer was lost.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Payment, Refund, Vintem } from '../../../sdk/typescript/src/vintem.ts'
import { toDecimal } from './amount.ts'
import { refusal } from './refusal.ts'

export type RefundOrder = {
  readonly payment: Payment
  /** In minor units. */
  readonly amount: number
  /** Medusa's own id of the refund. */
  readonly key: string
  /** The refunds that Medusa has on record. */
  readonly recorded: readonly string[]
}

/** The key of the refund's metadata that names it in Medusa. */
const refundKey = 'medusaRefundId'

/** Most refunds by PIX and card end within seconds. What takes longer is not waited for. */
const patienceMs = 8_000
const pauseMs = 400

/** Beyond the time that all attempts of a call can take: what is older was not made by a call that still runs. */
const lostAfterMs = 10 * 60_000

/**
 * Makes a refund, and waits a few seconds for its end. A refund that takes longer counts as made: it is PENDING, and its amount is held.
 * Throws a refusal when it failed, so that Medusa forgets it.
 *
 * When an answer is lost, Medusa forgets the refund, although Vintem may have made it. So the next refund first looks for it: a refund of
 * the same amount is taken to be the lost one, and one of another amount is refused until the lost one is on record.
 */
export async function refundOnce(vintem: Vintem, order: RefundOrder): Promise<Refund> {
  const lost = await findLost(vintem, order)
  if (lost !== undefined) return lost
  const { payment, amount, key } = order
  const refund = await vintem.refunds.create(payment.id, {
    amount,
    idempotencyKey: `medusa-${key}`,
    metadata: { [refundKey]: key },
  })
  const ended = await waitFor(vintem, refund)
  if (ended.status === 'FAILED')
    throw refusal(
      `Vintem could not refund: ${ended.failureMessage ?? ended.failureCode ?? 'no reason given'}`,
    )
  return ended
}

/** The refund that an earlier call made and whose answer Medusa never got, if it is the requested one. */
async function findLost(vintem: Vintem, order: RefundOrder): Promise<Refund | undefined> {
  const { payment, amount, key, recorded } = order
  for await (const refund of vintem.refunds.list({ paymentId: payment.id, limit: 100 })) {
    const of = refund.metadata?.[refundKey]
    const isOurs = typeof of === 'string' && of !== key
    if (!isOurs || refund.status === 'FAILED' || recorded.includes(refund.id)) continue
    const isLost = Date.now() - Date.parse(refund.createdAt) > lostAfterMs
    if (isLost && refund.amount === amount) return refund
    throw refusal(inTheWay(refund, isLost))
  }
  return undefined
}

function inTheWay({ id, amount, currency }: Refund, isLost: boolean): string {
  const sum = `${toDecimal(amount, currency as Payment['currency'] & 'BRL')} ${currency}`
  return isLost
    ? `Vintem made a refund of ${sum} (${id}) that Medusa has no record of, because its answer was lost. Refund ${sum} first: no money moves again, and Medusa records it`
    : `Vintem made a refund of ${sum} (${id}) just now that Medusa has not recorded. Wait ten minutes, and look at the order again`
}

async function waitFor(vintem: Vintem, refund: Refund): Promise<Refund> {
  const until = performance.now() + patienceMs
  let latest = refund
  while (latest.status === 'PENDING' && latest.approvalRequired !== true && performance.now() < until) {
    await sleep(pauseMs)
    latest = await vintem.refunds.get(refund.id).catch(() => latest)
  }
  return latest
}
