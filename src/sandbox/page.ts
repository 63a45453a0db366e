// The welcome page of the sandbox: the key, the first calls, and what happens, live. It shows a key, so it answers only requests
// for this machine under its own names: a request for another name that resolves to it is a DNS rebinding.
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Log } from '#/kernel/log.ts'
import type { Clock } from '#/kernel/time.ts'
import { toHtml } from '../../web/live/markup.ts'
import { inboxPath } from './inbox.ts'
import { isOwnHost, refuseHost } from './own-host.ts'
import { readPageAssets } from './page-assets.ts'
import { createFeed } from './page-live.ts'
import { livePart, welcomePage, type LiveState, type PaymentLine } from './page-view.ts'
import type { DeliveryLine } from './page-webhooks.ts'
import type { SandboxFile } from './provision.ts'
import type { ReceivedWebhook } from './queries.ts'

export type WelcomePageDeps = {
  readonly sandbox: SandboxFile
  readonly version: string
  /** Where the page's link to the API reference leads. */
  readonly referencePath: string
  readonly clock: Clock
  readonly log: Log
  /** The sandbox merchant's payments, newest first. */
  readonly latestPayments: (limit: number) => Promise<readonly PaymentLine[]>
  readonly latestWebhooks: (limit: number) => Promise<readonly ReceivedWebhook[]>
  /** The deliveries to any webhookUrl, newest first. */
  readonly latestDeliveries: (limit: number) => Promise<readonly DeliveryLine[]>
}

const shownMax = 8
/** The number of deliveries read, of which the page shows those of its payments and those to a server of the developer's. */
const deliveriesMax = 100

/** Scripts, styles and images of our own only, and no text that becomes markup (CSP 3, Trusted Types). */
const contentSecurityPolicy = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `img-src 'self'`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
  `require-trusted-types-for 'script'`,
  `trusted-types 'none'`,
].join('; ')

const pageHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/** Adds `GET /`, its files, and `GET /sandbox/live` and `/sandbox/state`, which keep it current. */
export function registerWelcomePage(server: FastifyInstance, deps: WelcomePageDeps): void {
  const assets = readPageAssets()
  const readState = () => readLive(deps)
  const feed = createFeed(async () => JSON.stringify(livePart(await readState())), deps.log)

  void server.register((scope, _options, done) => {
    scope.addHook('onRequest', (request, reply, next) => {
      void reply.headers(pageHeaders)
      if (isOwnHost(request, deps.sandbox.apiUrl)) return next()
      void refuseHost(reply, deps.sandbox.apiUrl)
    })
    scope.addHook('preClose', (closed) => {
      feed.close()
      closed()
    })
    scope.get('/', async (_request, reply) => {
      const page = welcomePage({
        sandbox: deps.sandbox,
        version: deps.version,
        referencePath: deps.referencePath,
        assets,
        live: await readState(),
      })
      return reply.type('text/html; charset=utf-8').send(`<!doctype html>${toHtml(page)}`)
    })
    scope.get('/sandbox/state', async (_request, reply) => {
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(livePart(await readState())))
    })
    scope.get('/sandbox/live', (request, reply) =>
      request.method === 'HEAD' ? reply.type('text/event-stream').send(Readable.from([])) : feed.join(reply),
    )
    for (const asset of Object.values(assets)) {
      scope.get(asset.path, (_request, reply) =>
        reply
          .type(asset.type)
          .header('cache-control', 'public, max-age=31536000, immutable')
          .send(asset.body),
      )
    }
    done()
  })
}

async function readLive(deps: WelcomePageDeps): Promise<LiveState> {
  const [payments, webhooks, deliveries] = await Promise.all([
    deps.latestPayments(shownMax),
    deps.latestWebhooks(shownMax),
    deps.latestDeliveries(deliveriesMax),
  ])
  const inboxUrl = `${deps.sandbox.apiUrl}${inboxPath}`
  return { payments, webhooks, deliveries, inboxUrl, now: deps.clock.now() }
}
