// Which creations the payment links of a batch still accept. A limited link counts the payments that are PAID or can still be, under a
// lock on the link: two processes never give away the same use. Only creations take this lock.
import type { Tx } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import type { PaymentId, PaymentLinkId } from '#/kernel/id.ts'
import type { Payment } from './payment.ts'
import { countTaken, lockLinks } from './link-use-queries.ts'

type OfLink = Pick<Payment, 'merchantId' | 'id' | 'linkId'>

/** The payments that their links do not accept, each with the reason, as an error for the payer's page. First come, first served. */
export async function refusedByLinks(
  tx: Tx,
  payments: readonly OfLink[],
): Promise<ReadonlyMap<PaymentId, AppError>> {
  const ofLinks = payments.flatMap(({ merchantId, id, linkId }) =>
    linkId === undefined ? [] : [{ merchantId, id, linkId }],
  )
  if (ofLinks.length === 0) return new Map()
  const links = new Map((await lockLinks(tx, ofLinks)).map((link) => [link.id, link]))
  const limited = [...links.values()].filter(({ usesMax }) => usesMax !== null)
  // Counted by a statement after the one that waited for the lock: it sees what the holder before committed.
  const taken = new Map<PaymentLinkId, number>(limited.length === 0 ? [] : await countTaken(tx, limited))
  const refused = new Map<PaymentId, AppError>()
  for (const { id, linkId } of ofLinks) {
    const link = links.get(linkId)
    const uses = taken.get(linkId) ?? 0
    if (link === undefined || link.isOver) refused.set(id, linkOver())
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
