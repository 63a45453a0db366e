// The dashboard of a whole installation in a browser: signed in by the link of the start, with contexts that report what their consoles say.
import assert from 'node:assert/strict'
import { afterEach } from 'node:test'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { eventually } from '../eventually.ts'
import type { Installation } from '../journeys/installation.ts'
import { call, type Answer, type Json } from '../journeys/merchant.ts'
import { sharedInstallation, talkative } from '../journeys/shared-installation.ts'
import { axeFindings } from './axe.ts'
import { sharedBrowser } from './shared-browser.ts'

export type BrowserWorld = AsyncDisposable & {
  readonly installation: Installation
  /** The scheme, host and port of the dashboard. */
  readonly origin: string
  /** The link that `npm start` prints. */
  readonly signInUrl: string
  /** The sandbox's merchant. */
  readonly merchantId: string
  /** Calls the API with the sandbox's key. */
  readonly api: (method: string, path: string, body?: Json) => Promise<Answer>
  /** A browser of its own, in English and UTC. `as`: with the session of another. */
  readonly open: (options?: BrowserContextOptions & { readonly as?: BrowserContext }) => Promise<Page>
}

const complaints: string[] = []

/** What a browser keeps of a session. */
type Session = Awaited<ReturnType<BrowserContext['storageState']>>

const sessions = new WeakMap<Installation, Session>()

/** Gives the next file of this process its session: the link of the start works once. */
export function handSessionOn(installation: Installation, session: Session): void {
  sessions.set(installation, session)
}

/** Opens the dashboard as the owner of the sandbox's merchant, in a new context: with a session that was handed on, or by the link. */
export function signedIn(installation: Installation): {
  readonly url: string
  readonly options: BrowserContextOptions
} {
  const { dashboard } = installation.sandbox()
  const { url, signInUrl } = must(dashboard, 'a dashboard')
  const session = sessions.get(installation)
  return session === undefined ? { url: signInUrl, options: {} } : { url, options: { storageState: session } }
}

/** Fails each test that leaves a message in a console, opens a dialog or violates a policy. */
export function watchConsoles(): void {
  afterEach(() => {
    assert.deepEqual(complaints.splice(0), [])
  })
}

/** Waits until the dashboard's pages are built. */
export async function openBrowserWorld(): Promise<BrowserWorld> {
  const [installation, browser] = await Promise.all([sharedInstallation(talkative), sharedBrowser()])
  const { dashboard, merchantId } = installation.sandbox()
  const { signInUrl } = must(dashboard, 'a dashboard')
  const { origin } = new URL(signInUrl)
  await eventually('the pages are built', async () => (await fetch(origin)).status === 200)
  const contexts: BrowserContext[] = []
  return {
    installation,
    origin,
    signInUrl,
    merchantId,
    api: (method, path, body) => call(installation.sandbox(), method, path, body),
    async open({ as, ...options } = {}) {
      const state = as === undefined ? {} : { storageState: await as.storageState() }
      const context = await browser.newContext({
        locale: 'en',
        timezoneId: 'UTC',
        reducedMotion: 'reduce',
        ...state,
        ...options,
      })
      contexts.push(context)
      await listen(context)
      return context.newPage()
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(contexts.map((context) => context.close()))
    },
  }
}

async function listen(context: BrowserContext): Promise<void> {
  await context.exposeBinding('tellViolation', (_source, text: string) => complaints.push(text))
  await context.addInitScript(`
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, documentURI }) =>
      tellViolation(['policy', violatedDirective, blockedURI, documentURI].join(' ')))
  `)
  context.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  context.on('console', (message) => {
    const text = `${message.type()}: ${message.text()} ${message.location().url}`
    if (['error', 'warning'].includes(message.type()) && !isExpected(text)) complaints.push(text)
  })
  context.on('weberror', (error) => complaints.push(String(error.error())))
}

/**
 * Whether a message of Chromium's console is expected. Chromium logs each answer of 4xx. Expected are 400 (an IBAN with wrong check
 * digits), 401 (signed out), 403 (a wrong code, or a refund that needs a code), 404 (a template that is only a draft) and 410 (a used
 * link). A preloaded file that was not used within a few seconds only shows that the machine is busy.
 */
function isExpected(text: string): boolean {
  const refused =
    /Failed to load resource: the server responded with a status of (\d+) \(.*\) \S+?\/api\/(\S*)$/.exec(text)
  if (refused === null)
    return text.includes('was preloaded using link preload but not used within a few seconds')
  const [, status = '', path = ''] = refused
  if (status === '404') return /^m\/[^/]+\/templates\//.test(path)
  if (status === '400') return /^m\/[^/]+\/withdrawals\/review$/.test(path)
  if (status === '403') return /^(?:me\/totp\/confirm|step-up|m\/\S+\/refunds)$/.test(path)
  // 503 is sent again.
  return ['401', '410', '503'].includes(status)
}

/** The password of who comes by `join`. */
const ownPassword = 'bolo de fuba com cafe'

type Joining = {
  readonly email: string
  readonly name: string
  /** Called at the page of the invitation, before it is accepted. */
  readonly onInvitation?: (page: Page) => Promise<void>
  readonly userAgent?: string
}

/** A person without a second factor, who comes by an invitation as an owner of the sandbox's merchant. */
export async function join(
  { installation, merchantId, open }: Pick<BrowserWorld, 'installation' | 'merchantId' | 'open'>,
  { email, name, onInvitation, userAgent }: Joining,
): Promise<Page> {
  const invited = await installation.run('user', 'invite', email, '--merchant', merchantId, '--role', 'OWNER')
  const page = await open({ bypassCSP: true, ...given({ userAgent }) })
  await page.goto(must(/http\S+\/open#\S+/.exec(invited.output), invited.output)[0])
  await page.getByLabel('Your name').fill(name)
  await onInvitation?.(page)
  await page.getByLabel('Password').fill(ownPassword)
  await page.locator('button[type=submit]').click()
  await page.waitForURL(/\/m\//)
  return page
}

/** The page of who signs in by password in a browser without a session. */
export async function signInByPassword({ open, origin }: BrowserWorld, email: string): Promise<Page> {
  const page = await open({ bypassCSP: true })
  await page.goto(`${origin}/sign-in`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(ownPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(/\/m\//)
  return page
}

/** Opens an address behind the sign-in and waits until its title and its content are there. */
export async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await settles(page)
}

/** Waits until nothing loads any more. */
async function settles(page: Page): Promise<void> {
  await eventually('nothing loads', async () => (await page.locator('.loading-line').count()) === 0)
}

/** Nothing may be found by axe. The context must bypass the policy, and be wide enough for the frame that it examines. */
export async function examineScreen(page: Page, name: string): Promise<void> {
  assert.deepEqual(await axeFindings(page), [], name)
}

/** Nothing may stand outside the width of the window. */
export async function fitsWidth(page: Page, name: string): Promise<void> {
  const size = await page.evaluate<{ readonly content: number; readonly window: number }>(
    '({ content: document.documentElement.scrollWidth, window: document.documentElement.clientWidth })',
  )
  assert.ok(size.content <= size.window, `${name}: ${size.content} px in ${size.window}`)
}
