// Drafts of templates between browsers and people: shared, never overwritten unseen, and not lost with the network or the page.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { must } from '#/kernel/check.ts'
import { eventually } from '../eventually.ts'
import { openJourneyWorld, watchConsoles, type JourneyWorld } from './checkout-journey-world.ts'
import { examineScreen, fitsWidth, handSessionOn, join, signedIn } from './dashboard-world.ts'

let world: JourneyWorld
let merchantId: string
let base: string
/** The owner of the sandbox, and her second browser, which only looks. */
let ana: Page
let second: Page
/** Her colleague. */
let bia: Page

const options = {
  locale: 'en',
  viewport: { width: 1_440, height: 1_000 },
  // Messages of Chromium's console that are expected here: each refusal of the API (nothing published yet, another person was faster), the
  // lost network of a test, and unused preloads on a busy machine.
  forgives:
    /status of (?:40[149]) .*\/api\/|ERR_(?:INTERNET_DISCONNECTED|FAILED)|'allow-popups' permission is not set|was preloaded using link preload/,
} as const

before(async () => {
  world = await openJourneyWorld()
  const { installation } = world
  const { dashboard, ...sandbox } = installation.sandbox()
  const { url } = must(dashboard, 'a dashboard')
  await eventually('the dashboard’s pages are built', async () => (await fetch(url)).status === 200)
  merchantId = sandbox.merchantId
  base = `${url}/m/${merchantId}/templates`
  const entry = signedIn(installation)
  ana = await world.open(entry.url, { ...entry.options, ...options })
  await ana.getByRole('link', { name: 'Templates' }).click()
  await ana.waitForURL(base)
  handSessionOn(installation, await ana.context().storageState())
  const open = (more: BrowserContextOptions = {}) => world.open('about:blank', { ...more, ...options })
  bia = await join({ installation, merchantId, open }, { email: 'bia@example.com', name: 'Bia Lima' })
  await ana.getByRole('button', { name: 'New template' }).click()
  await ana.getByLabel('Template name').fill('Shared shop')
  await ana.getByRole('button', { name: 'Open the editor' }).click()
  await ana.waitForURL(`${base}/shared-shop`)
})
after(() => world[Symbol.asyncDispose]())
watchConsoles()

const colour = (page: Page) => page.getByLabel('Color', { exact: true })
const has = (page: Page, value: string) =>
  eventually(`the colour is ${value}`, async () => (await colour(page).inputValue()) === value)
const saved = (page: Page) => page.getByText('Draft saved', { exact: true }).waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Types a colour that the server takes. */
async function save(page: Page, value: string): Promise<void> {
  const answered = page.waitForResponse((each) => each.request().method() === 'PUT' && each.ok())
  await colour(page).fill(value)
  await answered
  await saved(page)
}

/** Types a colour that the server refuses, because somebody else was faster. */
async function clash(page: Page, value: string): Promise<void> {
  const refused = page.waitForResponse((each) => each.status() === 409)
  await colour(page).fill(value)
  await refused
}

/**
 * The page hears nothing of what others save, until the returned function is called. The route stays: a request that Chromium holds at the moment
 * at which the last route goes may be held for ever.
 */
async function deafen(page: Page): Promise<() => void> {
  const heard = Promise.withResolvers<void>()
  await page.route('**/shared-shop/draft', async (route) => {
    if (route.request().method() === 'GET') await heard.promise
    // The page may have given up the request meanwhile.
    await route.continue().catch(() => undefined)
  })
  return heard.resolve
}

function inStorage(page: Page): Promise<string> {
  return page.evaluate<string>("Object.keys(localStorage).filter((key) => key.includes('template')).join()")
}

/** The API's answer in the second browser. */
function fetchAsSecond<T>(path: string): Promise<T> {
  return second.evaluate<T>(`fetch('/api/m/${merchantId}/templates/${path}').then((answer) => answer.json())`)
}

type Stored = { readonly draft?: { readonly document: { readonly brand: { colors: { accent: string } } } } }

/** Waits until the server has a draft with this colour. */
function arrives(value: string): Promise<unknown> {
  return eventually(`the server has ${value}`, async () => {
    const { draft } = await fetchAsSecond<Stored>('shared-shop/draft')
    return draft?.document.brand.colors.accent === value
  })
}

test('what one types is in another browser of the same person, and at a colleague’s, who is told who saved it', async () => {
  await save(ana, '#0b5cff')
  const storageState = await ana.context().storageState()
  second = await world.open(`${base}/shared-shop`, { storageState, ...options })
  await has(second, '#0b5cff')
  await saved(second)
  await bia.goto(base)
  await bia.getByRole('link', { name: /shared-shop/ }).click()
  await has(bia, '#0b5cff')
  await bia.getByText(/^Draft saved by .+, .+/).waitFor()
  for (const page of [ana, bia]) assert.equal(await inStorage(page), '')
})

test('of two who edit at once the second is told who and when, and takes theirs, or keeps her own', async () => {
  let hear = await deafen(ana)
  await save(bia, '#5b21b6')
  await clash(ana, '#0b5cf0')
  hear()
  await ana.getByText(/^Bia Lima saved another draft of this template \(.*\d.*\)\./).waitFor()
  assert.equal(await colour(ana).inputValue(), '#0b5cf0')
  await press(ana, 'Use theirs')
  await has(ana, '#5b21b6')
  await ana.getByText(/^Draft saved by Bia Lima/).waitFor()

  hear = await deafen(bia)
  await save(ana, '#0b5cf1')
  await clash(bia, '#14532d')
  hear()
  await bia.getByText(/saved another draft of this template/).waitFor()
  await press(bia, 'Differences')
  const dialog = bia.getByRole('dialog')
  for (const text of ['#0b5cf1', '#14532d']) await dialog.getByText(text, { exact: true }).waitFor()
  await press(bia, 'Back')
  await press(bia, 'Keep mine')
  await saved(bia)
  // Who typed nothing since follows by itself.
  await has(ana, '#14532d')
})

test('axe finds nothing in the choice and its differences, light on a phone and dark on a desktop', async () => {
  const storageState = await bia.context().storageState()
  for (const more of [
    { colorScheme: 'light', viewport: { width: 360, height: 1_200 } },
    { colorScheme: 'dark', viewport: { width: 1_280, height: 1_200 } },
  ] as const) {
    const url = `${base}/shared-shop`
    const page = await world.open(url, { ...options, storageState, bypassCSP: true, ...more })
    await colour(page).waitFor()
    const hear = await deafen(page)
    // No colour comes back: who has heard of the last save is told from who still waits to hear.
    await save(ana, more.colorScheme === 'light' ? '#7c2d12' : '#164e63')
    await clash(page, '#0f172a')
    hear()
    await page.getByText(/saved another draft of this template/).waitFor()
    await examineScreen(page, `a draft that somebody else saved, ${more.colorScheme}`)
    await fitsWidth(page, 'a draft that somebody else saved')
    await press(page, 'Differences')
    await page.getByRole('dialog').waitFor()
    await examineScreen(page, `the differences of two drafts, ${more.colorScheme}`)
    await page.context().close()
  }
})

test('a draft that somebody changed meanwhile is not published before a choice, and a publication is told of', async () => {
  let hear = await deafen(ana)
  await press(ana, 'Review and publish')
  await ana.getByRole('dialog').getByText('#164e63', { exact: true }).waitFor()
  await has(bia, '#164e63')
  await save(bia, '#9d174d')
  await ana.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
  hear()
  await ana.getByText(/^Nothing was published/).waitFor()
  await ana.getByText(/^Bia Lima saved another draft/).waitFor()
  assert.equal((await fetchAsSecond<{ readonly code: string }>('shared-shop')).code, 'not_found')
  hear = await deafen(bia)
  await press(ana, 'Keep mine')
  await saved(ana)
  await press(ana, 'Review and publish')
  await ana.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
  await ana.getByText('Revision 1', { exact: true }).waitFor()
  hear()
  await bia.getByText(/^Revision 1 was published by .+ \(.*\d.*\)\./).waitFor()
  assert.equal(await colour(bia).inputValue(), '#9d174d')
  await press(bia, 'Use what is published')
  await has(bia, '#164e63')
})

test('without a network what is typed stays, the page says so, and it is saved when the network is back', async () => {
  await ana.context().setOffline(true)
  await colour(ana).fill('#155e75')
  await ana.getByText('Draft not saved: trying again').waitFor()
  await ana.getByText(/What you typed stays on this page, and is saved when there is a connection/).waitFor()
  await colour(ana).fill('#155e76')
  await ana.context().setOffline(false)
  await saved(ana)
  assert.equal(await colour(ana).inputValue(), '#155e76')
  await arrives('#155e76')
})

test('who leaves at once after the last key loses nothing: it is sent, and where it is not, the browser asks', async () => {
  await colour(ana).fill('#0369a1')
  await ana.getByRole('link', { name: 'Templates' }).first().click()
  await ana.waitForURL(base)
  await arrives('#0369a1')

  const tab = await ana.context().newPage()
  await tab.goto(`${base}/shared-shop`)
  await has(tab, '#0369a1')
  await tab.route('**/shared-shop/draft', (route) => route.abort())
  await colour(tab).fill('#0369a2')
  await tab.getByText('Draft not saved: trying again').waitFor()
  const stays = tab.waitForEvent('dialog')
  await tab.close({ runBeforeUnload: true })
  const question = await stays
  assert.equal(question.type(), 'beforeunload')
  await question.dismiss()
  await tab.unroute('**/shared-shop/draft')
  await arrives('#0369a2')

  await colour(tab).fill('#0369a3')
  tab.once('dialog', (dialog) => void dialog.accept())
  await tab.close({ runBeforeUnload: true })
  await arrives('#0369a3')
})

test('a draft that an older version left in the browser is offered once, and leaves the browser', async () => {
  const { draft } = await fetchAsSecond<Stored>('shared-shop/draft')
  const { document } = must(draft, 'a draft')
  const colours = { 'shared-shop': '#365314', 'old-shop': '#365315' }
  for (const [slug, accent] of Object.entries(colours)) {
    const old = { base: 0, document: { ...document, brand: { ...document.brand, colors: { accent } } } }
    const call = ['localStorage.setItem', `vintem.template.${merchantId}.${slug}`, JSON.stringify(old)]
    await ana.evaluate(`${call[0]}(${JSON.stringify(call[1])}, ${JSON.stringify(call[2])})`)
  }
  await ana.goto(base)
  await eventually('both are in the list', async () => {
    return (await ana.getByText('Draft in this browser').count()) === 2
  })
  await ana.getByRole('link', { name: /old-shop/ }).click()
  await ana.getByText(/^This browser still has an old draft/).waitFor()
  await press(ana, 'Use the old one')
  await has(ana, '#365315')
  await saved(ana)
  await ana.goto(`${base}/shared-shop`)
  await press(ana, 'Remove the old one')
  await has(ana, '#0369a3')
  await eventually('the browser keeps none', async () => (await inStorage(ana)) === '')
  await ana.goto(`${base}/old-shop`)
  await has(ana, '#365315')
  assert.equal(await ana.getByText(/^This browser still has/).count(), 0)
})
