// A payment link: a merchant shares it, and each payer who uses it makes a payment with the same terms.
import type { linkStatuses, paymentLink, paymentLinkRequest } from '#/contract/payment-links.ts'
import { recordOf, type Of, type Sent } from '#/contract/record.ts'
import type { MerchantId, PaymentLinkId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Currency } from '#/kernel/money.ts'

export type LinkStatus = (typeof linkStatuses)[number]

/** What the merchant sent, with the checkout and the time that each payer has. The payments of the link have these fields too. */
export type LinkRequest = Omit<
  Sent<typeof paymentLinkRequest>,
  'idempotencyKey' | 'checkout' | 'expiresIn'
> & {
  readonly checkout: string
  readonly expiresIn: number
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
export function linkRecord(link: PaymentLink, uses: LinkUses, now: Date): Of<typeof paymentLink> {
  const { request } = link
  return recordOf<typeof paymentLink>({
    name: request.name,
    description: request.description,
    checkout: request.checkout,
    paymentMethods: request.paymentMethods,
    usesMax: request.usesMax,
    expiresIn: request.expiresIn,
    metadata: request.metadata,
    webhookUrl: request.webhookUrl,
    returnUrl: request.returnUrl,
    id: link.id,
    mode: link.mode,
    status: linkStatus(link, uses, now),
    url: link.url,
    qrCodeUrl: `${link.url}/qr.svg`,
    amount: request.amount,
    minAmount: request.minAmount,
    maxAmount: request.maxAmount,
    currency: link.currency,
    uses,
    expiresAt: link.expiresAt?.toISOString(),
    archivedAt: link.archivedAt?.toISOString(),
    createdAt: link.createdAt.toISOString(),
  })
}
