// The page of a payment link. Opening the page writes nothing. Its form makes a payment, and leads to that payment's page; one
// network can make only a few a minute.
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, messageOf } from '#/kernel/error.ts'
import { localeOf } from '#/kernel/language.ts'
import { networkOf } from '#/kernel/network.ts'
import type { LinkStatus } from '#/payment-links/link.ts'
import { selectLinkByToken } from '#/payment-links/queries.ts'
import { toHtml } from '../../web/live/markup.ts'
import type { CheckoutDeps } from './deps.ts'
import { sendFile } from './files.ts'
import { setLanguageCookie } from './language.ts'
import { createBuckets, type PageLimits } from './limits.ts'
import { linkDocument, linkEndDocument, type LinkEnd } from './link-document.ts'
import { linkEntrance, sendTooMany, statusOf, type OpenedLink } from './link-request.ts'
import { sendNotice } from './notice.ts'
import { isOwnForm } from './own-form.ts'
import { qrCodeOf } from './qr-path.ts'
import { logoName } from './state.ts'
import { readTypedAmount } from './typed-amount.ts'

/** Payments that one network may make through links. */
const useLimit = { perMinute: 10, burst: 10 }

/** `/l/:token`, its QR code for print, and the merchant's logo. */
export function registerLinkPage(scope: FastifyInstance, deps: CheckoutDeps, limits: PageLimits): void {
  const uses = createBuckets(deps.linkLimit ?? useLimit)
  const withLink = linkEntrance(deps, limits)

  scope.get('/l/:token', (request, reply) =>
    withLink(request, reply, (opened) => {
      void reply.header('vary', 'accept-language, cookie')
      const { lang } = request.query as { readonly lang?: unknown }
      const isChosen = typeof lang === 'string' && localeOf(lang) === opened.locale
      const isSecure = opened.link.url.startsWith('https:')
      if (isChosen) void reply.header('set-cookie', setLanguageCookie(opened.locale, isSecure))
      const end = endOf(opened.status)
      const html =
        end === undefined
          ? linkDocument({ ...opened, once: newOnce() }, deps.view)
          : linkEndDocument(opened, deps.view, end)
      return sendPage(reply, 200, html)
    }),
  )
  scope.get('/l/:token/qr.svg', (request, reply) =>
    withLink(request, reply, ({ link }) => {
      const { size, path } = qrCodeOf(link.url, link.request.name)
      const box = { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${size} ${size}` }
      const ground = ['rect', { width: String(size), height: String(size), fill: '#fff' }] as const
      const svg = toHtml(['svg', { ...box, 'shape-rendering': 'crispEdges' }, ground, ['path', { d: path }]])
      return reply.type('image/svg+xml').send(svg)
    }),
  )
  scope.get('/l/:token/logo/:name', (request, reply) =>
    withLink(request, reply, ({ template: { logo } }) => {
      const { name } = request.params as { readonly name: string }
      return logo === undefined || logoName(logo) !== name
        ? sendNotice(deps, request, reply, 404, 'not_found')
        : sendFile(request, reply, { type: logo.type, body: logo.bytes })
    }),
  )
  scope.post('/l/:token', (request, reply) =>
    withLink(request, reply, (opened) => {
      if (!isOwnForm(request, opened.link.url)) return sendNotice(deps, request, reply, 403, 'refused')
      const waitMs = uses.spend(networkOf(request.ip))
      if (waitMs > 0) return sendTooMany(deps, request, reply, waitMs)
      const end = endOf(opened.status)
      // A form that was sent before leads to the payment that it made, even if that payment took the last use.
      if (end === undefined || end === 'usedUp') return use(deps, request, reply, opened)
      return sendPage(reply, 409, linkEndDocument(opened, deps.view, end))
    }),
  )
}

/** Makes the payment, or answers why there is none. */
async function use(
  { links, view, sql, log }: CheckoutDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  opened: OpenedLink,
): Promise<FastifyReply> {
  const { link } = opened
  const { once, amount: typed = '' } = fieldsOf(request)
  const page = { ...opened, once: isOnce(once) ? once : newOnce() }
  const amount = readTypedAmount(typed)
  if (!('minor' in link.amount)) {
    const { minMinor, maxMinor } = link.amount
    if (amount === undefined || amount < minMinor || amount > maxMinor)
      return sendPage(reply, 422, linkDocument({ ...page, wrongAmount: typed.slice(0, 30) }, view))
  }
  try {
    const chosen = amount === undefined ? {} : { amount }
    const payment = await links.use(link, { once: page.once, ...chosen })
    return await reply.redirect(payment.page?.url ?? `/l/${link.token}`, 303)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    log.warn({ link: link.id, error: messageOf(error) }, 'a payment link made no payment')
    const now = await selectLinkByToken(sql, link.token)
    const end = now === undefined ? undefined : endOf(await statusOf({ sql }, now))
    return sendPage(reply, 409, linkEndDocument(opened, view, end ?? 'closed'))
  }
}

function sendPage(reply: FastifyReply, status: number, html: string): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(html)
}

function endOf(status: LinkStatus): LinkEnd | undefined {
  if (status === 'ACTIVE') return undefined
  return status === 'USED_UP' ? 'usedUp' : 'over'
}

function newOnce(): string {
  return randomBytes(16).toString('base64url')
}

function isOnce(text: string | undefined): text is string {
  return text !== undefined && /^[A-Za-z0-9_-]{22}$/.test(text)
}

/** The first field of each name. */
function fieldsOf({ body }: FastifyRequest): { readonly once?: string; readonly amount?: string } {
  const given = body instanceof URLSearchParams ? body : new URLSearchParams()
  const [once, amount] = [given.get('once'), given.get('amount')]
  return { ...(once === null ? {} : { once }), ...(amount === null ? {} : { amount }) }
}
