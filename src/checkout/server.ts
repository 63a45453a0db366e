// START HERE. The server of the hosted pages: card page, partner's page, checkout. Anyone with the link of a payment sees what its
// payer may see. It decides nothing about money.
import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { connectionOptions, edgeOptions, setUpEdge } from '#/edge/server.ts'
import { AppError, messageOf } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { localeOf } from '#/kernel/language.ts'
import { registerCompression } from './compression.ts'
import type { CheckoutDeps } from './deps.ts'
import { pageDocument } from './document.ts'
import { createFeed } from './feed.ts'
import { registerFiles } from './files.ts'
import { registerForms } from './forms.ts'
import { registerFrame } from './frame.ts'
import { setLanguageCookie } from './language.ts'
import { createPageLimits, usualLimit } from './limits.ts'
import { registerLinkPage } from './link-page.ts'
import { sendNotice } from './notice.ts'
import { createOpenings } from './openings.ts'
import { createPageRequests, pageRequestOf, type CheckoutParts, type PageRequest } from './page-request.ts'
import { baseHeaders, pagePolicy } from './policy.ts'
import { selectVersions } from './queries.ts'
import { registerSimulation } from './simulate-form.ts'
import { readSnapshots } from './snapshot.ts'

const bodyBytesMax = 16_384
const urlBytesMax = 400

/** The server of the pages, not listening yet. The same for both hosts. */
export function createCheckoutServer(deps: CheckoutDeps): FastifyInstance {
  const server = Fastify({
    ...edgeOptions(deps),
    http: connectionOptions(deps),
    bodyLimit: bodyBytesMax,
    routerOptions: { maxParamLength: urlBytesMax },
    frameworkErrors: (error, request, reply) => {
      void sendProblem(deps, error, request, reply)
    },
  })
  const parts = openParts(deps)
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  )
  server.decorateRequest('pageRequest', null)
  server.setErrorHandler((error, request, reply) => sendProblem(deps, error, request, reply))
  const edge = setUpEdge(server, { ...deps, name: 'checkout' })
  server.setNotFoundHandler((request, reply) => {
    const allowed = edge.allowedAt(request).join(', ')
    if (allowed === '') return sendNotice(deps, request, reply, 404, 'not_found')
    return sendNotice(deps, request, reply.header('allow', allowed), 405, 'refused')
  })
  server.addHook('onRequest', (_request, reply, next) => {
    void reply.headers({ ...baseHeaders, 'content-security-policy': pagePolicy() })
    next()
  })
  registerCompression(server)
  registerFiles(server, deps)
  const limits = createPageLimits(deps.limit ?? usualLimit)
  registerLinkPage(server, deps, limits)
  void server.register((scope, _options, done) => {
    const pageRequests = createPageRequests(deps, parts.openings, limits)
    scope.addHook('preHandler', pageRequests.enter)
    registerPages(scope, parts)
    registerForms(scope, parts)
    registerFrame(scope, parts)
    if (deps.simulator !== undefined) registerSimulation(scope, parts, deps.simulator)
    done()
  })
  const wake = () => parts.feed.wake()
  deps.onChange.add(wake)
  server.addHook('preClose', (closed) => {
    deps.onChange.delete(wake)
    parts.feed.close()
    closed()
  })
  return server
}

function openParts(deps: CheckoutDeps): CheckoutParts {
  const openings = createOpenings({ ...deps, onEnd: (paymentId) => feed.wake(paymentId) })
  const feed = createFeed({
    log: deps.log,
    versions: (refs) => selectVersions(deps.sql, refs),
    snapshots: (refs) => readSnapshots(deps, refs),
    stateOf: async (snapshot, locale) => {
      const template = await deps.templateOf(snapshot.payment)
      return pageRequestOf(deps, openings, snapshot, template, locale).state()
    },
    onSnapshot: (snapshot, locale) => {
      if (openings.needsOpening(snapshot)) void openings.open(snapshot, locale)
    },
    ...given({ tickMs: deps.tickMs }),
  })
  return { deps, openings, feed }
}

/** The page, its state, and its stream of states. */
function registerPages(scope: FastifyInstance, { deps, openings, feed }: CheckoutParts): void {
  scope.get('/c/:token', async (request, reply) => {
    const pageRequest = await currentPageRequest(request)
    const { lang } = queryOf(request)
    if (lang !== undefined && localeOf(lang) === pageRequest.locale) {
      const isSecure = pageRequest.snapshot.payment.page?.url.startsWith('https:') === true
      void reply.header('set-cookie', setLanguageCookie(pageRequest.locale, isSecure))
    }
    void reply.header('vary', 'accept-language, cookie')
    void reply.header('content-security-policy', pagePolicy(pageRequest.formOrigins()))
    const html = pageDocument(pageRequest.state(), pageRequest.template.style, deps.view)
    return reply.type('text/html; charset=utf-8').send(html)
  })
  for (const path of ['/c/:token/state', '/c/:token/state/:lang']) {
    scope.get(path, async (request, reply) => {
      const pageRequest = await currentPageRequest(request)
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(pageRequest.state()))
    })
  }
  for (const path of ['/c/:token/events', '/c/:token/events/:lang']) {
    scope.get(path, async (request, reply) => {
      const { snapshot, locale } = request.getDecorator<PageRequest>('pageRequest')
      if (request.method === 'HEAD') return reply.type('text/event-stream').send(Readable.from([]))
      if (openings.needsOpening(snapshot)) void openings.open(snapshot, locale)
      await feed.join(reply, snapshot, locale)
    })
  }

  /** The payment, read again if its provider was queried or opened it. */
  async function currentPageRequest(request: FastifyRequest): Promise<PageRequest> {
    const pageRequest = request.getDecorator<PageRequest>('pageRequest')
    const hasChecked = isBack(request) && (await openings.check(pageRequest.snapshot))
    const hasOpened =
      openings.needsOpening(pageRequest.snapshot) &&
      (await openings.openSoon(pageRequest.snapshot, pageRequest.locale))
    return hasChecked || hasOpened ? pageRequest.again() : pageRequest
  }
}

/**
 * Whether the payer may be coming back from a provider: the request has a query, or comes from another site (Fetch Metadata).
 * Neither proves anything, so the provider is queried.
 */
function isBack(request: FastifyRequest): boolean {
  const from = request.headers['sec-fetch-site']
  if (from === 'cross-site' || from === 'same-site') return true
  return Object.keys(queryOf(request)).some((name) => name !== 'lang')
}

function queryOf({ query }: FastifyRequest): { readonly lang?: string; readonly check?: string } {
  const given = Object.entries(query as Readonly<Record<string, unknown>>)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}

/** Sends an error page in the payer's language; logs the cause, without the payer's data. */
function sendProblem(
  deps: CheckoutDeps,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const status = statusOf(error)
  if (status >= 500)
    deps.log.error({ error: messageOf(error), route: request.routeOptions?.url }, 'a page failed')
  // When the address itself cannot be read, no hook has run.
  void reply.header('x-request-id', request.id)
  return sendNotice(deps, request, reply, status, status >= 500 ? 'broken' : 'refused')
}

function statusOf(error: unknown): number {
  if (error instanceof AppError) return error.code === 'not_found' ? 404 : 503
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 503
}
