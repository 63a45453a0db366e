// Decides which creations of a batch the payment links still accept. For a limited link, the payments that are PAID or can still be
// are counted under a lock on the link, so two processes never give away the same use. Only creations take this lock.
import type { Tx } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import type { PaymentId, PaymentLinkId } from '#/kernel/id.ts'
import { countTaken, lockLinks, selectMade, type NewPayment } from './queries.ts'

type OfLink = Pick<NewPayment, 'merchantId' | 'id' | 'linkId' | 'idempotencyKey'>

/**
 * Returns the payments that their links do not accept, each with the reason, as an error for the payer's page. Earlier payments of
 * the batch count first.
 */
export async function refusedByLinks(
  tx: Tx,
  payments: readonly OfLink[],
): Promise<ReadonlyMap<PaymentId, AppError>> {
  const ofLinks = payments.flatMap(({ linkId, ...payment }) =>
    linkId === undefined ? [] : [{ ...payment, linkId }],
  )
  if (ofLinks.length === 0) return new Map()
  const links = new Map((await lockLinks(tx, ofLinks)).map((link) => [link.id, link]))
  const limited = [...links.values()].filter(({ usesMax }) => usesMax !== null)
  // Read by statements after the one that waited for the lock, so that they include what its previous holder committed.
  const [taken, made] =
    limited.length === 0
      ? [new Map<PaymentLinkId, number>(), new Set<string>()]
      : await Promise.all([countTaken(tx, limited), selectMade(tx, ofLinks)])
  const refused = new Map<PaymentId, AppError>()
  for (const { id, linkId, idempotencyKey } of ofLinks) {
    const link = links.get(linkId)
    const uses = taken.get(linkId) ?? 0
    if (link === undefined || link.isOver) refused.set(id, linkOver())
    // The form has made its payment before, and that use is counted. The repeated form takes no further use.
    else if (made.has(idempotencyKey)) continue
    else if (link.usesMax !== null && uses >= link.usesMax) refused.set(id, linkUsedUp(link.usesMax))
    else taken.set(linkId, uses + 1)
  }
  return refused
}

function linkOver(): AppError {
  return new AppError('invalid_state', 'The payment link is archived or has expired.')
}

function linkUsedUp(usesMax: number): AppError {
  return new AppError('limit_exceeded', `The payment link can be used ${usesMax} times.`)
}
