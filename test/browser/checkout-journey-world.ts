// The start of every journey through the checkout: an installation as a merchant has it, a browser, and payments to open.
import assert from 'node:assert/strict'
import { afterEach } from 'node:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { PageState } from '#/checkout/page-state.ts'
import { isSoak } from '../counts.ts'
import { eventually } from '../eventually.ts'
import type { Installation } from '../journeys/installation.ts'
import { call, type Answer, type Json } from '../journeys/merchant.ts'
import { sharedInstallation, talkative } from '../journeys/shared-installation.ts'
import { axeFindings } from './axe.ts'
import { keepPicture } from './journey-picture.ts'
import { sharedBrowser } from './shared-browser.ts'

export type Checkout = { readonly id: string; readonly url: string; readonly token: string }

export type OpenOptions = BrowserContextOptions & {
  /** Console messages that are allowed; by default none. */
  readonly forgives?: RegExp
}

export type JourneyWorld = AsyncDisposable & {
  readonly installation: Installation
  readonly browser: Browser
  readonly api: (method: string, path: string, body?: unknown) => Promise<Answer>
  /** Creates a payment, by default of 12.34 BRL with the default checkout. */
  readonly create: (more?: Json) => Promise<Checkout>
  /** Opens a browser context of its own, by default in Portuguese, and records what its console says. */
  readonly open: (url: string, options?: OpenOptions) => Promise<Page>
  /** Pays as the payer, by the sandbox's call. */
  readonly pay: (payment: Checkout, how?: Json) => Promise<void>
  readonly status: (payment: Checkout) => Promise<unknown>
  /** The state that the page gets. */
  readonly stateOf: (payment: Checkout) => Promise<PageState>
  /**
   * Examines the current page with axe, in turn on a light phone or a dark desktop, in the soak on both. Keeps a picture
   * of each if requested. `prepare`: called before each.
   */
  readonly examine: (url: string, name: string, prepare?: (page: Page) => Promise<unknown>) => Promise<void>
}

/** Fails each test that leaves a message in a console or violates a policy. */
export function watchConsoles(): void {
  afterEach(() => {
    assert.deepEqual(complaints.splice(0), [])
  })
}

const complaints: string[] = []

let made = 0

/** Uses the installation and the browser of this process. The world's browser contexts are closed with it. */
export async function openJourneyWorld(): Promise<JourneyWorld> {
  const [installation, browser] = await Promise.all([sharedInstallation(talkative), sharedBrowser()])
  const examiners = await Promise.all(devices.map((options) => openExaminer(browser, options)))
  const contexts = examiners.map((page) => page.context())
  const api: JourneyWorld['api'] = (method, path, body) => call(installation.sandbox(), method, path, body)
  let examined = 0
  return {
    installation,
    browser,
    api,
    async create(more = {}) {
      const body = { amount: 1234, currency: 'BRL', checkout: 'default', idempotencyKey: `j-${++made}` }
      const answer = await api('POST', '/v1/payments', { ...body, ...more })
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
      const { id, checkoutUrl, cardRedirectUrl } = answer.body
      const url = String(checkoutUrl ?? cardRedirectUrl)
      return { id: String(id), url, token: url.split('/').at(-1) ?? '' }
    },
    async open(url, { forgives, ...options } = {}) {
      const context = await browser.newContext({ locale: 'pt-BR', ...options })
      contexts.push(context)
      await listen(context, forgives)
      const page = await context.newPage()
      await page.goto(url)
      return page
    },
    async pay({ id }, how = {}) {
      const answer = await api('POST', `/v1/sandbox/payments/${id}/pay`, how)
      assert.equal(answer.status, 202, JSON.stringify(answer.body))
    },
    status: async ({ id }) => (await api('GET', `/v1/payments/${id}`)).body['status'],
    async stateOf({ url }) {
      return (await (await fetch(`${url}/state`)).json()) as PageState
    },
    async examine(url, name, prepare) {
      examined += 1
      // The quick run examines only the first page, because view-access examines every state.
      if (!isSoak && examined > 1) return
      for (const page of examiners.filter((_, index) => isSoak || index === examined % 2)) {
        const size = page.viewportSize()
        await prepare?.(page)
        await page.goto(url)
        await examine(page, name)
        // The examining page must not keep a stream open.
        await page.goto('about:blank')
        if (size !== null) await page.setViewportSize(size)
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(contexts.map((context) => context.close()))
    },
  }
}

async function listen(context: BrowserContext, forgives: RegExp | undefined): Promise<void> {
  const complain = (text: string) => {
    if (forgives?.test(text) !== true) complaints.push(text)
  }
  await context.exposeBinding('tellViolation', (_source, text: string) => complain(text))
  await context.addInitScript(`
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, documentURI }) =>
      tellViolation(['policy', violatedDirective, blockedURI, documentURI].join(' ')))
  `)
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      complain(`${message.type()}: ${message.text()} ${message.location().url}`)
  })
  context.on('weberror', (error) => complain(String(error.error())))
}

/** A light phone and a dark desktop. */
export const devices = [
  {
    colorScheme: 'light',
    viewport: { width: 360, height: 740 },
    deviceScaleFactor: 1.5,
    isMobile: true,
    hasTouch: true,
  },
  { colorScheme: 'dark', viewport: { width: 1280, height: 760 } },
] as const satisfies readonly BrowserContextOptions[]

/** Our script that examines a page is not the page's own, so this context ignores policies. */
async function openExaminer(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    locale: 'pt-BR',
    reducedMotion: 'reduce',
    bypassCSP: true,
    ...options,
  })
  return context.newPage()
}

/** Examines a page that no other browser can open: an answer to a form. */
export async function examine(page: Page, name: string): Promise<void> {
  if ((await page.locator('.frame').count()) > 0) await page.locator('.frame[data-state="open"]').waitFor()
  const width = page.viewportSize()?.width
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, `${name} at ${width}`)
  assert.deepEqual(await axeFindings(page, { frames: page.frames() }), [], `${name} at ${width}`)
  await keepPicture(page, `checkout-${name}`)
}

/** Waits until the page shows this headline by itself. */
export function says(page: Page, headline: string): Promise<void> {
  return page.getByRole('heading', { name: headline, exact: true }).waitFor()
}

/** Chooses a method by the beginning of its label, on a page without fields. */
export async function choose(page: Page, label: RegExp): Promise<void> {
  await page.locator('.methods').getByRole('button', { name: label }).click()
}

/** Changes to another method on a page that waits for money. */
export async function change(page: Page, label: RegExp): Promise<void> {
  await page.getByText('Pagar de outra forma').click()
  await page.locator('.others').getByRole('button', { name: label }).click()
}

export function becomes(world: JourneyWorld, payment: Checkout, status: string): Promise<unknown> {
  return eventually(`it is ${status}`, async () => (await world.status(payment)) === status)
}

/** Delays each tab's form until all tabs send theirs: otherwise the others would follow the change of the first. */
export async function postTogether(tabs: readonly Page[]): Promise<void> {
  const all = Promise.withResolvers<void>()
  const posting = new Set<Page>()
  for (const tab of tabs)
    await tab.route('**/*', async (route) => {
      if (route.request().method() === 'POST') {
        if (posting.add(tab).size === tabs.length) all.resolve()
        await all.promise
      }
      await route.fallback()
    })
}

/** Checks that the page says the same when it is loaded again. */
export async function reloads(page: Page, headline: string): Promise<void> {
  await page.reload()
  await says(page, headline)
}

/** Pays the code at the bank, as a payer who has only the code. */
export async function payAtBank({ installation }: JourneyWorld, code: string): Promise<void> {
  const { controlUrl } = installation.sandbox().simulators.pixBank
  const answer = await fetch(`${controlUrl}/_sim/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ copyPaste: code }),
  })
  assert.equal(answer.status, 201, await answer.text())
}
