// Wires the hosted pages: one server for the checkout host, one for the partner's.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { CheckoutDeps } from '#/checkout/deps.ts'
import { usualLimit } from '#/checkout/limits.ts'
import { createCheckoutServer } from '#/checkout/server.ts'
import { pageTemplateOf, type PageTemplate } from '#/checkout/template.ts'
import { loadCheckoutView, type CheckoutView } from '#/checkout/view.ts'
import { StartError } from '#/db/failure.ts'
import { isFromThisMachine } from '#/edge/server.ts'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { selectMerchantWithSettings } from '#/merchants/queries.ts'
import { useLink } from '#/payment-links/pay.ts'
import { checkAttempt } from '#/payments/check.ts'
import { createChooser } from '#/payments/choose-method.ts'
import type { PaymentCreator } from '#/payments/create.ts'
import { createRestPayer } from '#/payments/pay-rest.ts'
import type { Payment } from '#/payments/payment.ts'
import { registerReference } from '#/reference/serve.ts'
import { isOwnHost, refuseHost } from '#/sandbox/own-host.ts'
import { settleOf, type Core } from './core.ts'
import { openDocsSite } from './docs.ts'
import { openCreator } from './server.ts'

/** Where package.json is; the pages' view is built into a folder of web/. */
const root = path.resolve(import.meta.dirname, '..', '..')

/**
 * `decorate` adds the pages to the API's server. `begin`: call it when people can be served, because then the site is built, beside the
 * server.
 */
export type Reference = {
  readonly decorate: (server: FastifyInstance) => void
  readonly begin: () => void
}

/**
 * The API reference and the documents of the API's server; nothing where they are off. In a sandbox the reference fills in the sandbox's
 * key for this machine: a request that came over loopback, under our own name, and through no proxy.
 */
export async function openReference(
  { config, log }: Pick<Core, 'config' | 'log'>,
  sandbox?: { readonly apiKey: string; readonly apiUrl: string },
  open: typeof openDocsSite = openDocsSite,
): Promise<Reference> {
  const setting = config.VINTEM_REFERENCE || (sandbox === undefined ? 'off' : 'on')
  if (setting === 'off') return { decorate: () => {}, begin: () => {} }
  await buildPages()
  const renderer = await readFile(path.join(root, 'web', 'dist', 'reference.js.gz'))
  const { site, begin, close } = open(log)
  const shared = {
    root,
    renderer,
    apiUrl: config.VINTEM_API_URL,
    dashboardUrl: config.VINTEM_DASHBOARD_URL,
    site,
  }
  const decorate = (server: FastifyInstance) => {
    server.addHook('onClose', close)
    if (sandbox === undefined) return registerReference(server, shared)
    const { apiKey, apiUrl } = sandbox
    registerReference(server, {
      ...shared,
      keyFor: (request) => (isFromThisMachine(request) ? apiKey : undefined),
      refuse: (request, reply) => {
        const isOther = !isOwnHost(request, apiUrl)
        if (isOther) void refuseHost(reply, apiUrl)
        return isOther
      },
    })
  }
  return { decorate, begin }
}

/** Plays the payer on pages of payments of the sandbox. */
export type Simulator = NonNullable<CheckoutDeps['simulator']>

/** Both servers, listening on the two ports after the API's. `simulator`: of the sandbox that runs in this process. */
export async function openPages(
  core: Core,
  simulator?: Simulator,
): Promise<{ readonly close: () => Promise<void> }> {
  const { config } = core
  const view = await openView()
  const creator = openCreator(core)
  const deps = { ...depsOf(core, view), links: linksOf(core, creator), ...given({ simulator }) }
  const servers = [1, 2].map((offset) => ({ offset, server: createCheckoutServer(deps) }))
  for (const { server, offset } of servers)
    await server.listen({ host: config.VINTEM_HOST, port: config.PORT + offset })
  return {
    close: async () => {
      await Promise.all(servers.map(({ server }) => server.close()))
      await creator.close()
    },
  }
}

/** The view of the payer's pages, built if a source has changed. */
export async function openView(): Promise<CheckoutView> {
  await buildPages()
  return loadCheckoutView(path.join(root, 'web', 'dist'))
}

async function buildPages(): Promise<void> {
  // Vite is loaded only when a source has changed since the last build.
  const { buildWebIfStale, NoBuilder } = await import('../../web/build.ts')
  await buildWebIfStale(root).catch((error: unknown) => {
    if (!(error instanceof NoBuilder)) throw error
    const remedy =
      'Build them with all packages installed, before removing development packages: ./vintem dev scripts/web.ts'
    throw new StartError(
      'The pages are not built for this release, and Vite is not installed.',
      remedy,
      error,
    )
  })
}

function depsOf(core: Core, view: CheckoutView) {
  const { config, sql, rails, clock, log, lane, endKind, templates, pageOpener } = core
  const { choose } = createChooser({ opener: pageOpener, templates })
  const refOf = ({ merchantId, id }: Payment) => ({ merchantId, paymentId: id })
  return {
    sql,
    rails,
    clock,
    log,
    view,
    templateOf: createTemplateOf(core),
    openPage: pageOpener.openPage,
    choose,
    payRest: createRestPayer({ sql, rails, log, opener: pageOpener, settle: settleOf(core) }).payRest,
    cancel: (payment: Payment) => lane.submit(endKind, { ...refOf(payment), event: 'canceled' }),
    check: (attempt: Parameters<typeof checkAttempt>[1]) =>
      checkAttempt({ sql, rails, log, settle: settleOf(core) }, attempt),
    onChange: core.wakeUps.events,
    onRequestEnd: core.metrics?.request,
    drain: core.drain,
    ...(config.VINTEM_RATE_LIMIT === 0 ? {} : { limit: usualLimit }),
    ...(config.VINTEM_TRUSTED_PROXIES.length === 0 ? {} : { trustProxy: config.VINTEM_TRUSTED_PROXIES }),
  }
}

/** What the pages of payment links need. */
function linksOf(core: Core, creator: PaymentCreator): CheckoutDeps['links'] {
  const templateOf = createTemplateOf(core)
  return {
    templateOf({ merchantId, request }) {
      const plan = core.templates.find({ merchantId, slug: request.checkout })
      const revision = plan === undefined ? {} : { templateRevision: plan.revision }
      return templateOf({ merchantId, request, ...revision })
    },
    use: (link, use) => useLink(creator, link, use),
  }
}

type OfTemplate = Pick<Payment, 'merchantId' | 'templateRevision'> & {
  readonly request: Pick<Payment['request'], 'checkout'>
}

/** The revision that a payment pinned, or the merchant's default one; with the merchant's name, and its return address as it is now. */
function createTemplateOf({ sql, templates }: Core): (payment: OfTemplate) => Promise<PageTemplate> {
  return async ({ merchantId, request, templateRevision }) => {
    const slug = request.checkout
    const pinned =
      slug === undefined || templateRevision === undefined
        ? undefined
        : await templates.revisionOf({ merchantId, slug }, templateRevision)
    const merchant = must(await selectMerchantWithSettings(sql, merchantId), 'a payment has a merchant')
    return pageTemplateOf(pinned ?? (await templates.usualOf(merchantId)), merchant)
  }
}
