// START HERE. Makes and archives payment links. Each change writes its audit row in the same transaction. What a payer does with a
// link is in pay.ts.
import type { Sql } from '#/db/client.ts'
import { readNow } from '#/db/due.ts'
import { given } from '#/kernel/given.ts'
import type { ApiKeyId, MerchantId, PaymentLinkId } from '#/kernel/id.ts'
import { newId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import type { Mode } from '#/kernel/mode.ts'
import { amountFromJson, type Currency } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import { requireStart } from '#/merchants/account-state.ts'
import { lockState } from '#/merchants/sub-account-queries.ts'
import { newLinkUrl, type PageHosts } from '#/payments/payment.ts'
import { originOf, type By } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { type LinkRequest, type PaymentLink } from './link.ts'
import * as queries from './queries.ts'

/** A merchant's links that are not archived. */
export const linksMax = 10_000

export type LinkOrder = {
  readonly merchant: { readonly id: MerchantId; readonly mode: Mode }
  readonly request: LinkRequest
  readonly currency: Currency
  readonly idempotencyKey?: string
  readonly keyId: ApiKeyId
  readonly origin?: By
}

export type LinkMade =
  | { readonly kind: 'created' | 'replayed'; readonly link: PaymentLink }
  /** The key made this link before, with another body. */
  | { readonly kind: 'conflict'; readonly link: PaymentLink }
  | { readonly kind: 'too_many' }
  /** It would have expired before it was made. */
  | { readonly kind: 'past' }

/** Makes a link. The request was checked: an amount, or a range of amounts. 409 for a sub-account whose state does not allow it. */
export function makeLink(sql: Sql, hosts: PageHosts, order: LinkOrder): Promise<LinkMade> {
  const fingerprint = sha256(canonicalJson(order.request))
  return sql.begin(async (tx): Promise<LinkMade> => {
    const { merchant, request, idempotencyKey: key } = order
    const earlier = key === undefined ? undefined : await queries.selectLinkByKey(tx, merchant.id, key)
    if (earlier !== undefined) return sameOrNot(earlier, fingerprint)
    requireStart(await lockState(tx, merchant.id), 'paymentLink')
    const createdAt = await readNow(tx)
    const link = linkOf(order, newLinkUrl(hosts), createdAt)
    if (link.expiresAt !== undefined && link.expiresAt <= createdAt) return { kind: 'past' }
    if ((await queries.countOpenLinks(tx, merchant.id, linksMax)) >= linksMax) return { kind: 'too_many' }
    const row = { ...link, fingerprint, ...given({ idempotencyKey: key }) }
    if (!(await queries.insertLink(tx, row))) {
      // Another call with this key was faster: its row is committed now.
      const made = await queries.selectLinkByKey(tx, merchant.id, key ?? '')
      if (made !== undefined) return sameOrNot(made, fingerprint)
    }
    await writeAudit(tx, [
      {
        ...originOf(order.keyId, order.origin),
        action: 'payment_link.create',
        subject: `payment_link:${link.id}`,
        merchantId: merchant.id,
        after: { request },
      },
    ])
    return { kind: 'created', link }
  })
}

function linkOf(
  { merchant, request, currency }: LinkOrder,
  page: { readonly token: string; readonly url: string },
  createdAt: Date,
): PaymentLink {
  const { amount, minAmount = 0, maxAmount = 0, usesMax, expiresAt } = request
  return {
    ...page,
    merchantId: merchant.id,
    id: newId<'payment-link'>(),
    mode: merchant.mode,
    request,
    currency,
    amount:
      amount === undefined
        ? { minMinor: amountFromJson(minAmount), maxMinor: amountFromJson(maxAmount) }
        : { minor: amountFromJson(amount) },
    ...given({ usesMax }),
    ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt) }),
    createdAt,
  }
}

function sameOrNot(
  made: { readonly link: PaymentLink; readonly fingerprint: Buffer },
  fingerprint: Buffer,
): LinkMade {
  return { kind: made.fingerprint.equals(fingerprint) ? 'replayed' : 'conflict', link: made.link }
}

/** Archives the link for the key `by`: its page makes no payment any more. Archiving again changes nothing. */
export function archive(
  sql: Sql,
  ref: { readonly merchantId: MerchantId; readonly id: PaymentLinkId },
  by: ApiKeyId,
  origin?: By,
): Promise<PaymentLink | undefined> {
  return sql.begin(async (tx) => {
    if (await queries.archiveLink(tx, ref))
      await writeAudit(tx, [
        {
          ...originOf(by, origin),
          action: 'payment_link.archive',
          subject: `payment_link:${ref.id}`,
          merchantId: ref.merchantId,
        },
      ])
    return queries.selectLink(tx, ref)
  })
}
