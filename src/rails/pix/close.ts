// Ends a charge for good, and finds out how it was paid. Only then may a new charge take its place.
import { ProviderError } from '#/kernel/error.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { addMs, minuteMs, type Clock } from '#/kernel/time.ts'
import type { Checked } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import type { PixClient } from './client.ts'
import { receiptsOf } from './receipts.ts'
import type { Charge } from './wire.ts'

export type ChargeToClose = {
  readonly connection: ConnectionId
  readonly client: Pick<PixClient, 'getCharge' | 'removeCharge'>
  readonly clock: Clock
  readonly txid: string
}

/** The PSP's clock and ours may differ by this much when a charge expires. */
const clocksMs = 5 * minuteMs

/** A charge that the PSP does not know is not closed: it was opened there, so the answer is no end. */
export async function closeCharge(closing: ChargeToClose): Promise<Checked> {
  const { client, txid } = closing
  const found = (await client.getCharge(txid))?.value
  if (found?.status !== 'ATIVA') return resultOf(closing, found)
  try {
    const removed = await client.removeCharge(txid)
    // It was paid between the two calls.
    if (removed === 'already_paid') return resultOf(closing, (await client.getCharge(txid))?.value)
    return { receipts: receiptsIn(closing, found), isOver: true }
  } catch (error) {
    const isRefused = error instanceof ProviderError && error.outcome === 'refused'
    // Some PSPs refuse to remove a charge that expired.
    if (isRefused && isExpired(closing, found)) return { receipts: receiptsIn(closing, found), isOver: true }
    throw error
  }
}

/** A charge is paid once, with any amount. It is over only when its Pix can be read, because its money counts. */
function resultOf(closing: ChargeToClose, charge: Charge | undefined): Checked {
  if (charge === undefined) return { receipts: [], isOver: false }
  const { status, pix, unread } = charge
  const isRemoved = status?.startsWith('REMOVIDA') === true
  const isPaid = status === 'CONCLUIDA' && pix.length > 0
  return { receipts: receiptsIn(closing, charge), isOver: (isRemoved || isPaid) && unread.length === 0 }
}

function receiptsIn({ connection }: ChargeToClose, { pix }: Charge): readonly Receipt[] {
  return pix.flatMap((each) => receiptsOf(connection, each, Buffer.from(JSON.stringify(each.sent))))
}

function isExpired({ clock }: ChargeToClose, { expiresAt }: Charge): boolean {
  return expiresAt !== undefined && addMs(expiresAt, clocksMs) <= clock.now()
}
