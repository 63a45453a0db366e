// One request for the page of a payment link: its link, where that stands, its template and the payer's language.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readNow } from '#/db/due.ts'
import { locales, type Locale } from '#/kernel/language.ts'
import { linkStatus, type LinkStatus, type PaymentLink } from '#/payment-links/link.ts'
import { countUses, selectLinkByToken } from '#/payment-links/queries.ts'
import { isPageToken } from '#/payments/payment.ts'
import type { CheckoutDeps } from './deps.ts'
import { noticeDocument } from './document.ts'
import { chooseLocale, languagePreferenceOf } from './language.ts'
import type { PageLimits } from './limits.ts'
import { linkWords } from './link-words.ts'
import { sendNotice } from './notice.ts'
import type { PageTemplate } from './template.ts'

export type OpenedLink = {
  readonly link: PaymentLink
  readonly status: LinkStatus
  readonly template: PageTemplate
  readonly locale: Locale
}

type Answer = (opened: OpenedLink) => FastifyReply | Promise<FastifyReply>
export type WithLink = (request: FastifyRequest, reply: FastifyReply, answer: Answer) => Promise<FastifyReply>

/** Finds the link of the address, or answers that there is none, or that there are too many requests. */
export function linkEntrance(deps: CheckoutDeps, limits: PageLimits): WithLink {
  return async (request, reply, answer) => {
    const { token = '' } = request.params as { readonly token?: string }
    const waitMs = isPageToken(token) ? limits.spend(token, request.ip) : 0
    if (waitMs > 0) return sendTooMany(deps, request, reply, waitMs)
    const link = isPageToken(token) ? await selectLinkByToken(deps.sql, token) : undefined
    if (link === undefined) {
      const lostMs = limits.spendUnknown(request.ip)
      return lostMs > 0 ? sendTooMany(deps, request, reply, lostMs) : sendLost(deps, request, reply)
    }
    const [template, status] = await Promise.all([deps.links.templateOf(link), statusOf(deps, link)])
    const locale = chooseLocale(languagePreferenceOf(request), template.languages)
    return answer({ link, template, locale, status })
  }
}

/** Where the link stands now. Uses are counted where there is a limit. */
export async function statusOf({ sql }: Pick<CheckoutDeps, 'sql'>, link: PaymentLink): Promise<LinkStatus> {
  const [counted, now] = await Promise.all([
    countUses(sql, link.merchantId, link.usesMax === undefined ? [] : [link.id]),
    readNow(sql),
  ])
  return linkStatus(link, counted.get(link.id) ?? { paid: 0, open: 0 }, now)
}

export function sendTooMany(
  deps: Pick<CheckoutDeps, 'view'>,
  request: FastifyRequest,
  reply: FastifyReply,
  waitMs: number,
): FastifyReply {
  void reply.header('retry-after', String(Math.ceil(waitMs / 1_000)))
  return sendNotice(deps, request, reply, 429, 'too_many')
}

function sendLost(
  { view }: Pick<CheckoutDeps, 'view'>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const locale = chooseLocale(languagePreferenceOf(request), { default: 'en', enabled: locales })
  const html = noticeDocument({ locale, ...linkWords[locale].notFound, picture: 'lost' }, view)
  return reply.code(404).type('text/html; charset=utf-8').send(html)
}
