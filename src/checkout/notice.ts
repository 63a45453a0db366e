// Pages that show no payment, in the browser's language.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CheckoutDeps } from './deps.ts'
import { noticeDocument, type Notice } from './document.ts'
import { chooseLocale, locales, wishOf } from './language.ts'
import { speech } from './speech.ts'

type Kind = 'not_found' | 'too_many' | 'refused' | 'broken'

export function sendNotice(
  { view }: Pick<CheckoutDeps, 'view'>,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  kind: Kind,
): FastifyReply {
  const locale = chooseLocale(wishOf(request), { default: 'en', enabled: locales })
  const { pages } = speech[locale].sentences
  const { token } = (request.params ?? {}) as { readonly token?: string }
  const link: Notice['link'] =
    kind === 'not_found' || token === undefined
      ? undefined
      : { url: `/c/${token}`, label: pages.back_to_payment }
  const html = noticeDocument({ locale, ...pages[kind], ...(link === undefined ? {} : { link }) }, view)
  return reply.code(status).type('text/html; charset=utf-8').send(html)
}
