// The record of a share, as the API and events show it to its sub-account. Nothing of the payment or its payer is in it.
import { recordOf, type Of } from '#/contract/record.ts'
import type { share } from '#/contract/shares.ts'
import type { Mode } from '#/kernel/mode.ts'
import { amountToJson } from '#/kernel/money.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import type { Share, Split } from './shares.ts'

/** Millionths as a percentage without zeros at its end: 333300 is `33.33`. */
function toPercent(ratePpm: bigint): string {
  const decimals = String(ratePpm % 10_000n)
    .padStart(4, '0')
    .replace(/0+$/, '')
  return `${ratePpm / 10_000n}${decimals === '' ? '' : `.${decimals}`}`
}

type Shown = Pick<Split, 'currency' | 'createdAt' | 'version'>

/** The share as its sub-account sees it. */
export function shareRecord(each: Omit<Share, 'isClosed'>, of: Shown): Of<typeof share> {
  return recordOf<typeof share>({
    id: each.id,
    walletId: each.walletId,
    currency: of.currency,
    amount: each.amountMinor === null ? undefined : amountToJson(each.amountMinor),
    percent: each.ratePpm === null ? undefined : toPercent(each.ratePpm),
    label: each.label,
    amountCredited: amountToJson(each.bookedMinor),
    amountPending: amountToJson(each.unreleasedMinor),
    fee: amountToJson(each.feeMinor),
    version: of.version,
    createdAt: of.createdAt.toISOString(),
  })
}

/** The event for the sub-account after more or less of its share was booked, or a part of it was released. */
export function shareEvent(
  type: 'share.credited' | 'share.returned',
  mode: Mode,
  each: Share,
  of: Shown,
): EventDraft {
  const { subAccountId: merchantId, id: resourceId } = each
  return { merchantId, mode, type, resourceId, data: shareRecord(each, of) }
}
