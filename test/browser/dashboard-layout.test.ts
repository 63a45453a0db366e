// What pages look like, by measurement: nothing moves between a sandbox and what is none, no filter stands alone on a line, no command is cut
// off, and the chart of a young account begins with its first amount.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId, type MerchantId } from '#/kernel/id.ts'
import type { Person } from '../dashboard/world.ts'
import { eventually } from '../eventually.ts'
import { openBrowserWorld, type BrowserWorld } from './dashboard-members.ts'
import { merchantPaths } from './dashboard-screens.ts'
import { sharedBrowser } from './shared-browser.ts'
import { fitsWidths } from './viewports.ts'

let world: BrowserWorld
let live: MerchantId
let sandbox: MerchantId
let owner: Person
before(async () => {
  world = await openBrowserWorld(await sharedBrowser())
  const { base } = world.dashboard
  const [real, test] = [await base.openTenant('LIVE'), await base.openTenant('SANDBOX')]
  live = real.id
  sandbox = test.id
  await base.fund(test, 5_000n)
  owner = await world.dashboard.person(
    [live, sandbox].map((merchantId) => ({ merchantId, role: 'OWNER' as const })),
  )
})
after(() => world.close())

async function visit(page: Page, merchant: string, path: string): Promise<void> {
  await page.goto(`${world.dashboard.origin}/m/${merchant}/${path}`)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  const loading = page.locator('main [aria-busy=true], main .loading-line')
  await eventually(`${path} is loaded`, async () => (await loading.count()) === 0)
}

const widths = [360, 1280] as const

/** The texts of what can be used or read where the box is. */
const coveredBy = `(own) =>
  [...document.querySelectorAll('a, button, input, h1')]
    .map((each) => ({ name: each.textContent, at: each.getBoundingClientRect() }))
    .filter(({ at }) => at.width > 1 && at.left < own.x + own.width && at.right > own.x)
    .filter(({ at }) => at.top < own.y + own.height && at.bottom > own.y)
    .map(({ name }) => name)`

test('nothing moves where the sandbox’s strip goes, and the strip covers no control and is always in sight', async () => {
  for (const width of widths) {
    const page = await world.open(owner, 'light', width)
    const placesOf = async (merchant: string) => {
      await visit(page, merchant, 'settings/shop')
      const title = await page.getByRole('heading', { level: 1 }).boundingBox()
      const search = await page.getByRole('button', { name: 'Search' }).first().boundingBox()
      return { title: title?.y, search: search?.y }
    }
    assert.deepEqual(await placesOf(sandbox), await placesOf(live), `${width} px`)
    await visit(page, sandbox, 'payments')
    const strip = page.getByText('Sandbox: no real money')
    const box = await strip.boundingBox()
    assert.ok(box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= width, JSON.stringify(box))
    const covered = await page.evaluate<readonly string[]>(`(${coveredBy})(${JSON.stringify(box)})`)
    assert.deepEqual(covered, [], `${width} px`)
    await page.evaluate('scrollTo(0, 400)')
    assert.deepEqual(await strip.boundingBox(), box)
    await page.context().close()
  }
})

/** Of each line of a bar of filters: how many things stand on it, and whether they fill it. */
type Line = { readonly count: number; readonly isFull: boolean }

const linesOfFilters = `(() => {
  const bar = document.querySelector('main [role=search]')
  if (bar === null) return []
  const things = [...bar.querySelectorAll('input, select, button')].filter((each) => {
    const { width, height } = each.getBoundingClientRect()
    return width > 1 && height > 1 && each.closest('span.relative, form, label, button')
      && !each.matches('[aria-haspopup=dialog]')
  })
  const { left, right } = bar.firstElementChild.getBoundingClientRect()
  const lines = []
  for (const each of things) {
    const box = each.getBoundingClientRect()
    const middle = (box.top + box.bottom) / 2
    const line = lines.find((known) => Math.abs(known.middle - middle) < 12)
    if (line === undefined) lines.push({ middle, count: 1, left: box.left, right: box.right })
    else Object.assign(line, { count: line.count + 1, left: Math.min(line.left, box.left), right: Math.max(line.right, box.right) })
  }
  return lines.map((line) => ({ count: line.count, isFull: line.right - line.left > (right - left) * 0.8 }))
})()`

/** On a phone: opens the filters, whose button shares its line with the search. Returns whether there is such a button. */
async function opensFilters(page: Page, name: string): Promise<boolean> {
  const opener = page.getByRole('search').getByRole('button', { name: /^(?:Filters|Filtros)$/ })
  if ((await opener.count()) === 0 || !(await opener.isVisible())) return false
  assert.equal((await page.evaluate<readonly Line[]>(linesOfFilters)).length, 1, name)
  await opener.click()
  return true
}

test('no filter stands alone on a line, and nothing is wider than the page or cut off', async () => {
  for (const language of ['en', 'pt-BR'])
    for (const width of widths) {
      assert.equal((await owner.ask('PATCH', '/api/me', { language })).status, 204)
      const page = await world.open(owner, 'light', width)
      let bars = 0
      for (const path of merchantPaths.filter((each) => !each.includes('$'))) {
        await visit(page, sandbox, path)
        const name = `${path} ${language} ${width} px`
        await fitsWidths(page, name)
        const isPhone = await opensFilters(page, name)
        const lines = await page.evaluate<readonly Line[]>(linesOfFilters)
        bars += lines.length > 0 ? 1 : 0
        for (const line of isPhone ? [] : lines.slice(1))
          assert.ok(line.count > 1 || line.isFull, `${name}: ${JSON.stringify(lines)}`)
        await fitsWidths(page, name)
      }
      assert.ok(bars >= 5, `${bars} bars of filters`)
      await page.context().close()
    }
  assert.equal((await owner.ask('PATCH', '/api/me', { language: 'en' })).status, 204)
})

test('the chart of a young account begins with the day before its first amount', async () => {
  const page = await world.open(owner)
  const { status, text } = await owner.ask('POST', `/api/m/${sandbox}/payments`, {
    amount: 1_000,
    currency: 'USDT',
    paymentMethods: ['CRYPTO'],
    idempotencyKey: newId(),
  })
  assert.equal(status, 201, text)
  await visit(page, sandbox, '?span=90d&currency=BRL')
  const card = page.getByRole('region', { name: 'Balance in BRL' })
  await card.getByText('See as a table').click()
  await eventually('a week', async () => (await card.getByRole('row').count()) === 8)
  await page.context().close()
})
