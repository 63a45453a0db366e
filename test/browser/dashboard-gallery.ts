// Pictures of every screen of the dashboard, for review: one installation, first as a new merchant sees it, then filled. None is kept in the tree,
// because each has today's times and ids.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { eventually } from '../eventually.ts'
import { createInstallation } from '../journeys/installation.ts'
import { startBrowser } from './chromium.ts'
import { fillDashboard, type Filled } from './dashboard-filling.ts'
import { merchantPaths, operatorPaths, userPaths, withValues } from './dashboard-screens.ts'
import { joinShots, readPicture, writePicture, type Shot } from './picture.ts'

const sizes = {
  390: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  1440: { viewport: { width: 1440, height: 900 } },
} as const satisfies Record<number, BrowserContextOptions>
type Width = keyof typeof sizes

type Locale = 'en' | 'pt-BR' | 'es'

type Scene = {
  readonly name: string
  /** Behind the dashboard's origin, once the records are there. */
  readonly path: (target: Target) => string
  /** What is pressed before the picture is taken. */
  readonly open?: (page: Page) => Promise<unknown>
  readonly isSignedOut?: boolean
}

/** It only ends a screen that never has its content. */
const patienceMs = 20_000
const loading = '.loading-line, main [aria-busy=true]'

type Target = { readonly origin: string; readonly merchantId: string; readonly filled: Filled }

const press = (name: string) => (page: Page) =>
  page.getByRole('main').getByRole('button', { name }).first().click()

/** The step that names amount, fee, destination and what stays. */
async function review(page: Page): Promise<void> {
  const form = page.getByRole('main')
  await form.getByRole('combobox', { name: 'Key type' }).selectOption('EMAIL')
  await form.getByRole('textbox', { name: 'Pix key' }).fill('fornecedor@torrefacao.example')
  await form.getByRole('textbox', { name: 'Amount' }).fill('25')
  await form.getByRole('button', { name: 'Review' }).click()
  await form.getByRole('button', { name: 'Review' }).waitFor({ state: 'hidden' })
}

/** A new merchant's screens: those without a record in their address. */
const newScenes: readonly Scene[] = merchantPaths
  .filter((path) => !path.includes('$'))
  .map((path) => merchantScene(path, `new-${nameOf(path)}`))

const filledScenes: readonly Scene[] = [
  ...merchantPaths.map((path) => merchantScene(path)),
  ...operatorPaths.map(operatorScene),
  ...userPaths.map((path) => ({
    name: `own-${path === '' ? 'profile' : path}`,
    path: () => `/account/${path}`,
  })),
  { name: 'sign-in', path: () => '/sign-in', isSignedOut: true },
  paymentScene('WAITING_PAYMENT'),
  paymentScene('APPROVED'),
  paymentScene('CANCELED'),
  { ...merchantScene('payments/$paymentId', 'dialog-refund'), open: press('Refund') },
  { ...merchantScene('wallets', 'dialog-transfer'), open: press('Transfer') },
  { ...merchantScene('withdrawals/$withdrawalId', 'dialog-approve'), open: press('Approve') },
  { ...merchantScene('developers/keys', 'dialog-key'), open: press('Create key') },
  { ...merchantScene('settings/members', 'dialog-invite'), open: press('Invite') },
  { ...merchantScene('payment-links', 'dialog-link'), open: press('New link') },
  { ...merchantScene('withdrawals/new', 'withdrawals-review'), open: review },
  { ...merchantScene('', 'palette'), open: (page) => page.keyboard.press('Control+k') },
]

/** On a phone also in the other languages: where words are longest. */
const longest: ReadonlySet<string> = new Set([
  'overview',
  'new-overview',
  'payments-one',
  'withdrawals-new',
  'withdrawals-one',
  'settings-members',
  'operator-connections',
])

/** The names of all pictures, without their widths. */
export const dashboardPictures: readonly string[] = [...newScenes, ...filledScenes].map(fullName)

/** Writes the pictures whose names have `part` in them to `folder`: light beside dark. Returns how many. */
export async function makeDashboardGallery(part: string, folder: string): Promise<number> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const wanted = (scene: Scene) => fullName(scene).includes(part)
  // Lost callbacks are found soon.
  await using installation = await createInstallation({ VINTEM_RECONCILE_SECONDS: '2' })
  await installation.start()
  await using browser = await startBrowser()
  const sandbox = installation.sandbox()
  const { signInUrl } = must(sandbox.dashboard, 'a dashboard')
  const { origin } = new URL(signInUrl)
  await eventually('the pages are built', async () => (await fetch(origin)).status === 200)
  const person = await browser.newContext({ locale: 'en', timezoneId: 'UTC' })
  const page = await person.newPage()
  await page.goto(signInUrl)
  await page.waitForURL(`**/m/${sandbox.merchantId}`)
  const signedIn = await person.storageState()
  await page.goto(`${origin}/sign-in`)

  let made = 0
  const take = async (scenes: readonly Scene[], target: Target): Promise<void> => {
    for (const width of [390, 1440] as const)
      for (const locale of ['en', 'pt-BR', 'es'] as const) {
        const each = scenes.filter(({ name }) => locale === 'en' || (width === 390 && longest.has(name)))
        if (each.length === 0) continue
        await speak(page, locale)
        made += await takeAll({ scenes: each, target, width, locale, folder, newPage })
      }
  }
  const newPage: NewPage = async ({ isSignedOut, ...options }) => {
    const state = isSignedOut ? {} : { storageState: signedIn }
    return (await browser.newContext({ ...options, ...state, reducedMotion: 'reduce' })).newPage()
  }
  const nothing: Filled = { merchant: {}, operator: {}, payments: {} }
  const { merchantId } = sandbox
  await take(newScenes.filter(wanted), { origin, merchantId, filled: nothing })
  const later = filledScenes.filter(wanted)
  if (later.length > 0)
    await take(later, { origin, merchantId, filled: await fillDashboard(sandbox, page, { hasFactor: true }) })
  return made
}

/** The user's own language comes before the browser's. */
async function speak(page: Page, language: Locale): Promise<void> {
  const set = async (body: string) =>
    (await fetch('/api/me', { method: 'PATCH', body, headers: { 'content-type': 'application/json' } }))
      .status
  const status = await page.evaluate(set, JSON.stringify({ language }))
  if (status !== 204) throw new Error(`the language was not set: ${status}`)
}

type NewPage = (options: BrowserContextOptions & { readonly isSignedOut: boolean }) => Promise<Page>

type Taking = {
  readonly scenes: readonly Scene[]
  readonly target: Target
  readonly width: Width
  readonly locale: Locale
  readonly folder: string
  readonly newPage: NewPage
}

/** One browser for each theme goes through all scenes. */
async function takeAll({ scenes, target, width, locale, folder, newPage }: Taking): Promise<number> {
  const opened = new Map<string, readonly Page[]>()
  for (const isSignedOut of [false, true])
    opened.set(
      String(isSignedOut),
      await Promise.all(
        (['light', 'dark'] as const).map((colorScheme) =>
          newPage({ ...sizes[width], colorScheme, locale, isSignedOut }),
        ),
      ),
    )
  for (const scene of scenes) {
    const pages = must(opened.get(String(scene.isSignedOut ?? false)), 'a browser')
    const shots = await Promise.all(pages.map((page) => shoot(page, scene, target, width)))
    const { picture } = joinShots(shots, width === 390 ? 'beside' : 'below')
    const language = locale === 'en' ? '' : `-${locale}`
    await writeFile(join(folder, `${fullName(scene)}${language}-${width}.png`), writePicture(picture))
  }
  for (const page of [...opened.values()].flat()) await page.context().close()
  return scenes.length
}

async function shoot(page: Page, { path, open }: Scene, target: Target, width: Width): Promise<Shot> {
  await page.setViewportSize(sizes[width].viewport)
  await page.goto(target.origin + path(target))
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await eventually(
    `${page.url()} is loaded`,
    async () => (await page.locator(loading).count()) === 0,
    patienceMs,
  )
  await isStill(page)
  await open?.(page)
  if (open !== undefined && open !== review) await page.getByRole('dialog').waitFor()
  // A full-page screenshot would lose the phone's emulation, so the window gets the page's height.
  const height = Number(await page.evaluate('document.documentElement.scrollHeight'))
  await page.setViewportSize({ width, height: Math.max(height, sizes[width].viewport.height) })
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  return { picture: readPicture(png), letters: [] }
}

/** Nothing has changed for a while: what is fetched after the first content is there too. */
async function isStill(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    let timer = setTimeout(resolve, 250)
    new MutationObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(resolve, 250)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
    setTimeout(resolve, 5_000)
  })`)
}

function merchantScene(path: string, name = nameOf(path)): Scene {
  return { name, path: ({ merchantId, filled }) => `/m/${merchantId}/${valued(path, filled.merchant)}` }
}

/** In the operator's console `$id` is of the kind that the path begins with. */
function operatorScene(path: string): Scene {
  const [kind = ''] = path.split('/')
  return {
    name: `operator-${nameOf(path)}`,
    path: ({ filled: { operator } }) => {
      const id = operator[kind]
      return `/operator/${valued(path, { ...operator, ...given({ id }) })}`
    },
  }
}

function paymentScene(status: string): Scene {
  return {
    name: `payments-${status.toLowerCase()}`,
    path: ({ merchantId, filled }) => `/m/${merchantId}/payments/${must(filled.payments[status], status)}`,
  }
}

function valued(path: string, values: Readonly<Record<string, string>>): string {
  return must(withValues(path, values), `a record for each parameter of ${path}`)
}

/** `payments/$paymentId` is `payments-one`; the empty path is the overview. */
function nameOf(path: string): string {
  return path === '' ? 'overview' : path.replace(/\$\w+/g, 'one').replaceAll('/', '-')
}

function fullName({ name }: Scene): string {
  return `dashboard-${name}`
}
