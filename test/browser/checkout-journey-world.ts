// What every journey through the checkout begins with: an installation as a merchant has it, a browser, and payments to open.
import assert from 'node:assert/strict'
import { afterEach } from 'node:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { PageState } from '#/checkout/page-state.ts'
import { isSoak } from '../counts.ts'
import { eventually } from '../eventually.ts'
import type { Installation } from '../journeys/installation.ts'
import { sharedInstallation, talkative } from '../journeys/shared-installation.ts'
import { call, type Answer, type Json } from '../journeys/merchant.ts'
import { axeFindings } from './axe.ts'
import { sharedBrowser } from './shared-browser.ts'
import { keepPicture } from './journey-picture.ts'

/** On a busy machine everything takes its time; only a hanging test is ended. */
const patienceMs = 90_000

export type Checkout = { readonly id: string; readonly url: string; readonly token: string }

export type OpenOptions = BrowserContextOptions & {
  /** What the console may say beside nothing at all. */
  readonly forgives?: RegExp
}

export type JourneyWorld = AsyncDisposable & {
  readonly installation: Installation
  readonly browser: Browser
  readonly api: (method: string, path: string, body?: unknown) => Promise<Answer>
  /** A payment of 12.34 BRL with the default checkout, unless told otherwise. */
  readonly create: (more?: Json) => Promise<Checkout>
  /** A browser of its own, in Portuguese unless told otherwise, with an eye on everything that its console says. */
  readonly open: (url: string, options?: OpenOptions) => Promise<Page>
  /** The payer pays, by the sandbox's call. */
  readonly pay: (payment: Checkout, how?: Json) => Promise<void>
  readonly status: (payment: Checkout) => Promise<unknown>
  /** What the page knows. */
  readonly stateOf: (payment: Checkout) => Promise<PageState>
  /**
   * Shows the page as it is now to axe, on a light phone or a dark desk in turn, on both in the soak, and keeps pictures of
   * both where they are wanted. `prepare`: before each.
   */
  readonly look: (url: string, name: string, prepare?: (page: Page) => Promise<unknown>) => Promise<void>
}

/** Registers that no test leaves a word in a console or a violation of a policy behind. */
export function watchConsoles(): void {
  afterEach(() => {
    assert.deepEqual(complaints.splice(0), [])
  })
}

const complaints: string[] = []

let made = 0

/** At the installation and the browser of this process. What is open in the browser is closed with the world. */
export async function openJourneyWorld(): Promise<JourneyWorld> {
  const [installation, browser] = await Promise.all([sharedInstallation(talkative), sharedBrowser()])
  const lookers = await Promise.all(looks.map((options) => openLooker(browser, options)))
  const contexts = lookers.map((page) => page.context())
  const api: JourneyWorld['api'] = (method, path, body) => call(installation.sandbox(), method, path, body)
  let looked = 0
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
      context.setDefaultTimeout(patienceMs)
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
    async look(url, name, prepare) {
      looked += 1
      // The quick run examines the first page alone: view-look examines every state.
      if (!isSoak && looked > 1) return
      for (const page of lookers.filter((_, index) => isSoak || index === looked % 2)) {
        const size = page.viewportSize()
        await prepare?.(page)
        await page.goto(url)
        await examine(page, name)
        // Nobody who looks keeps a stream open.
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

/** A light phone and a dark desk. */
export const looks = [
  {
    colorScheme: 'light',
    viewport: { width: 360, height: 740 },
    deviceScaleFactor: 1.5,
    isMobile: true,
    hasTouch: true,
  },
  { colorScheme: 'dark', viewport: { width: 1280, height: 760 } },
] as const satisfies readonly BrowserContextOptions[]

/** Our own script that looks at a page is none of the page's, so no policy is kept there. */
async function openLooker(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    locale: 'pt-BR',
    reducedMotion: 'reduce',
    bypassCSP: true,
    ...options,
  })
  return context.newPage()
}

/** What `look` does, for a page that no other browser can open: an answer to a form. */
export async function examine(page: Page, name: string): Promise<void> {
  if ((await page.locator('.frame').count()) > 0) await page.locator('.frame[data-state="open"]').waitFor()
  const width = page.viewportSize()?.width
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, `${name} at ${width}`)
  assert.deepEqual(await axeFindings(page, { frames: page.frames() }), [], `${name} at ${width}`)
  await keepPicture(page, `checkout-${name}`)
}

/** Waits for the page to say so, by itself. */
export function says(page: Page, headline: string): Promise<void> {
  return page.getByRole('heading', { name: headline, exact: true }).waitFor()
}

/** Chooses a method by the beginning of its label, on a page that asks nothing else. */
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

/** No form of these tabs is sent before one of each of them is: the others would follow what the first one has changed. */
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

/** The page says the same when it is loaded again. */
export async function reloads(page: Page, headline: string): Promise<void> {
  await page.reload()
  await says(page, headline)
}

/** Pays the code at the bank, as a payer who has nothing but the code. */
export async function payAtBank({ installation }: JourneyWorld, code: string): Promise<void> {
  const { controlUrl } = installation.sandbox().simulators.pixBank
  const answer = await fetch(`${controlUrl}/_sim/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ copyPaste: code }),
  })
  assert.equal(answer.status, 201, await answer.text())
}
