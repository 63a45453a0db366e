// A payment link: a merchant shares it, and each payer who uses it makes a payment with the same terms.
import type { MerchantId, PaymentLinkId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { amountToJson, type Currency } from '#/kernel/money.ts'
import type { Method } from '#/rails/words.ts'

export const linkStatuses = ['ACTIVE', 'USED_UP', 'EXPIRED', 'ARCHIVED'] as const
export type LinkStatus = (typeof linkStatuses)[number]

/** What the merchant sent. The payments of the link have these fields too. */
export type LinkRequest = {
  /** What is paid for. The payer reads it, also at the provider. */
  readonly name: string
  readonly description?: string
  readonly currency: string
  /** Minor units. Absent: the payer chooses, from `minAmount` to `maxAmount`. */
  readonly amount?: number
  readonly minAmount?: number
  readonly maxAmount?: number
  /** Slug of a checkout template. */
  readonly checkout: string
  readonly paymentMethods?: readonly Method[]
  /** How many payments may be PAID. Absent: any number. */
  readonly usesMax?: number
  readonly expiresAt?: string
  /** Seconds that each payer has. */
  readonly expiresIn: number
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly webhookUrl?: string
  readonly returnUrl?: string
}

export type PaymentLink = {
  readonly merchantId: MerchantId
  readonly id: PaymentLinkId
  readonly mode: Mode
  readonly token: string
  readonly url: string
  readonly request: LinkRequest
  readonly currency: Currency
  /** The amount, or the least and the most. */
  readonly amount: { readonly minor: bigint } | { readonly minMinor: bigint; readonly maxMinor: bigint }
  readonly usesMax?: number
  readonly expiresAt?: Date
  readonly archivedAt?: Date
  readonly createdAt: Date
}

/** The payments of a link, counted up to `usesCountedMax`. */
export type LinkUses = {
  readonly paid: number
  /** Not PAID, but can still be. */
  readonly open: number
}

/** A link can be limited to at most so many uses, and its uses are counted up to this number. */
export const usesCountedMax = 10_000

/** `now`: by the database's clock. */
export function linkStatus(
  { usesMax, expiresAt, archivedAt }: Pick<PaymentLink, 'usesMax' | 'expiresAt' | 'archivedAt'>,
  { paid, open }: LinkUses,
  now: Date,
): LinkStatus {
  if (archivedAt !== undefined) return 'ARCHIVED'
  if (expiresAt !== undefined && expiresAt <= now) return 'EXPIRED'
  return usesMax !== undefined && paid + open >= usesMax ? 'USED_UP' : 'ACTIVE'
}

/** The link as the API shows it. */
export function linkRecord(link: PaymentLink, uses: LinkUses, now: Date): Readonly<Record<string, unknown>> {
  const { request, amount } = link
  return {
    ...request,
    id: link.id,
    mode: link.mode,
    status: linkStatus(link, uses, now),
    url: link.url,
    qrCodeUrl: `${link.url}/qr.svg`,
    ...('minor' in amount
      ? { amount: amountToJson(amount.minor) }
      : { minAmount: amountToJson(amount.minMinor), maxAmount: amountToJson(amount.maxMinor) }),
    currency: link.currency,
    uses,
    ...(link.expiresAt === undefined ? {} : { expiresAt: link.expiresAt.toISOString() }),
    ...(link.archivedAt === undefined ? {} : { archivedAt: link.archivedAt.toISOString() }),
    createdAt: link.createdAt.toISOString(),
  }
}
