// The API reference in a browser: it shows every operation, makes a call with the sandbox's key, and calls no other server.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openReference } from '#/app/pages.ts'
import { readConfig } from '#/config.ts'
import { silentLog } from '#/kernel/log.ts'
import { openApiWorld, type Api, type ApiWorld, type Tenant } from '../contract/world.ts'
import { axeFindings } from './axe.ts'
import { sharedBrowser } from './shared-browser.ts'

let base: ApiWorld
let api: Api
let tenant: Tenant

before(async () => {
  base = await openApiWorld()
  tenant = await base.openTenant()
  const sandbox = { apiKey: tenant.key, apiUrl: 'http://127.0.0.1:4000' }
  const { decorate } = await openReference({ config: readConfig({}), log: silentLog }, sandbox)
  api = await base.openApi({}, decorate)
})
after(() => base.close())

type Opened = { readonly page: Page; readonly urls: string[]; readonly faults: string[] }

async function open(place: string, bypassCSP = false): Promise<Opened & AsyncDisposable> {
  const browser = await sharedBrowser()
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 }, bypassCSP })
  const page = await context.newPage()
  const urls: string[] = []
  const faults: string[] = []
  context.on('request', (request) => urls.push(request.url()))
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto(`${api.url}/reference${place}`)
  await page.locator('h1, h2, h3').first().waitFor()
  return { page, urls, faults, [Symbol.asyncDispose]: () => context.close() }
}

test('the page makes a call with the sandbox’s key, and all of it stays on our own server', async () => {
  await using opened = await open('#tag/me/GET/v1/me')
  const { page, urls, faults } = opened
  const request = page.waitForRequest(`${api.url}/v1/me`)
  await page.locator('button[method="get"]', { hasText: 'Test Request' }).first().click()
  await page.locator('[role="dialog"] button', { hasText: 'Send Request' }).first().click()
  const sent = await request
  assert.equal(sent.headers()['apikey'], tenant.key)
  assert.equal((await sent.response())?.status(), 200)
  await page.locator('[role="dialog"]', { hasText: tenant.id }).first().waitFor()
  for (const url of urls)
    assert.ok(url.startsWith(`${api.url}/`) || /^(?:data|blob):/.test(url), `it asks for ${url}`)
  assert.deepEqual(faults, [])
})

test('axe finds nothing but what the renderer itself leaves open', async () => {
  await using opened = await open('', true)
  const findings = await axeFindings(opened.page)
  assert.deepEqual(
    findings.filter((finding) => !known.some((each) => each.test(finding))),
    [],
  )
})

/** Decision 107 says why. */
const known = [
  /^aria-required-attr: \.code-input-lite__editor:/,
  /Element content (?:contains only non-text characters|is too short)/,
  /background color could not be determined because it's partially obscured/,
]
