// Pages that show no payment, in the browser's language.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { given } from '#/kernel/given.ts'
import { locales } from '#/kernel/language.ts'
import type { CheckoutDeps } from './deps.ts'
import { noticeDocument, type Notice } from './document.ts'
import { chooseLocale, languagePreferenceOf } from './language.ts'
import { speech } from './speech.ts'

const kinds = { not_found: 'lost', too_many: 'wait', refused: 'fault', broken: 'fault' } as const
type Kind = keyof typeof kinds

export function sendNotice(
  { view }: Pick<CheckoutDeps, 'view'>,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  kind: Kind,
): FastifyReply {
  const locale = chooseLocale(languagePreferenceOf(request), { default: 'en', enabled: locales })
  const { pages } = speech[locale].sentences
  const { token } = (request.params ?? {}) as { readonly token?: string }
  const link: Notice['link'] =
    kind === 'not_found' || token === undefined
      ? undefined
      : { url: `/c/${token}`, label: pages.back_to_payment }
  const html = noticeDocument({ locale, ...pages[kind], picture: kinds[kind], ...given({ link }) }, view)
  return reply.code(status).type('text/html; charset=utf-8').send(html)
}
