// What a payment is for, and the button for the rest, in a browser: in three languages, on a phone and on a desktop.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { isSoak } from '../counts.ts'
import { axeFindings } from './axe.ts'
import { itemScenes } from './gallery-items.ts'
import { stateOf } from './gallery-states.ts'
import { sharedBrowser } from './shared-browser.ts'
import { openScene, startViewServer } from './view-server.ts'

let browser: Browser
before(async () => {
  browser = await sharedBrowser()
})

async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  return context.newPage()
}

const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true } as const

for (const [colorScheme, options] of [
  ['light', phone],
  ['dark', { viewport: { width: 1280, height: 800 } }],
] as const)
  test(`axe finds nothing ${isSoak ? 'in any language' : 'in every second state'}, folded or not, ${colorScheme}, ${options.viewport.width} px`, async () => {
    await using server = await startViewServer(stateOf('items'))
    const page = await newPage({ ...options, colorScheme, bypassCSP: true })
    // The other languages, and each state on both screens, in the soak.
    const mine = itemScenes.filter(
      ({ name }, index) =>
        isSoak || (!/^(?:en|es)-/.test(name) && index % 2 === (colorScheme === 'light' ? 0 : 1)),
    )
    assert.ok(mine.length > 0)
    for (const { name, state } of mine) {
      server.state = state
      await openScene(page, server)
      for (const isOpen of [false, true]) {
        await page.evaluate(`for (const each of document.querySelectorAll('details')) each.open = ${isOpen}`)
        assert.equal(
          await page.evaluate('document.documentElement.scrollWidth'),
          options.viewport.width,
          `${name} ${isOpen}`,
        )
        assert.deepEqual(await axeFindings(page), [], `${name} ${isOpen}`)
      }
    }
    await page.context().close()
  })

test('a folded list opens by the keyboard, stays open when a new state arrives, and needs no script', async () => {
  for (const javaScriptEnabled of [true, false]) {
    await using server = await startViewServer(stateOf('items-folded'))
    const page = await newPage({ ...phone, javaScriptEnabled })
    await page.goto(server.url)
    const summary = page.getByText('100 itens', { exact: true })
    const line = page.getByText('Filtro de papel 103')
    assert.equal(await line.isVisible(), false)
    await summary.focus()
    await page.keyboard.press('Enter')
    await line.waitFor()
    assert.equal(await page.locator('.item').count(), 100)
    if (javaScriptEnabled) {
      await server.opened()
      server.state = { ...server.state, version: server.state.version + 1, message: 'Newer.' }
      server.push()
      await page.getByText('Newer.').waitFor()
      assert.equal(await line.isVisible(), true)
    }
    await page.context().close()
  }
})

test('nothing moves when the page is loaded with items', async () => {
  for (const name of ['items', 'items-folded', 'underpaid-pix']) {
    await using server = await startViewServer(stateOf(name))
    const page = await newPage(phone)
    await page.addInitScript(`
      window.shift = 0
      new PerformanceObserver((list) => { for (const each of list.getEntries()) window.shift += each.value })
        .observe({ type: 'layout-shift', buffered: true })
    `)
    await page.goto(server.url)
    await server.opened()
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    assert.equal(await page.evaluate('shift'), 0, name)
    await page.context().close()
  }
})

test('the amount of the payment stays in sight above a hundred items, and the first method too', async () => {
  await using server = await startViewServer(stateOf('items-folded'))
  const page = await newPage(phone)
  await openScene(page, server)
  for (const last of ['.amount', '.method.first']) {
    const box = await page.locator(last).boundingBox()
    assert.ok(box !== null && box.y + box.height <= 740, last)
  }
  await page.context().close()
})

test('long numbers in items are not broken at 320 px, and names cannot run markup or turn amounts around', async () => {
  const state = stateOf('items')
  const total = 'R$\u00a09.999.989.999.990.000,01'
  const lines = [
    { name: 'قهوة <img src=x onerror="window.isRun = true">', each: `1.000.000 × ${total}`, total },
  ]
  await using server = await startViewServer({ ...state, items: { label: 'Itens', isFolded: false, lines } })
  const page = await newPage({ viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true })
  await openScene(page, server)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320)
  const heights = await page.evaluate<readonly number[]>(
    `[...document.querySelectorAll('.item-total')].map((each) => each.getClientRects().length)`,
  )
  assert.deepEqual(heights, [1])
  assert.equal(await page.evaluate('window.isRun'), undefined)
  assert.equal(await page.locator('.item-name bdi').textContent(), lines[0]?.name)
  await page.context().close()
})

test('a printed receipt holds every item, also where they are folded', async () => {
  for (const isPressed of [true, false]) {
    await using server = await startViewServer(stateOf('paid-items-folded'))
    const page = await newPage({ viewport: { width: 1280, height: 800 } })
    await openScene(page, server)
    await page.evaluate(`window.print = () => { window.isPrinted = true }`)
    if (isPressed) {
      await page.getByRole('button', { name: 'Imprimir comprovante' }).click()
      assert.equal(await page.evaluate('window.isPrinted'), true)
    }
    await page.emulateMedia({ media: 'print' })
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    const heights = await page.evaluate<readonly number[]>(
      `[...document.querySelectorAll('.receipt .item')].map((each) => each.checkVisibility() ? each.getBoundingClientRect().height : 0)`,
    )
    assert.equal(heights.filter((height) => height > 0).length, 100)
    await page.context().close()
  }
})

test('the button for the rest sends one form, and says that it works', async () => {
  await using server = await startViewServer(stateOf('underpaid-pix'))
  const page = await newPage(phone)
  await openScene(page, server)
  const box = await page.locator('.rest .button').boundingBox()
  assert.ok(box !== null && box.height >= 44 && box.y + box.height <= 740)
  await page.getByRole('button', { name: /^Gerar Pix de/ }).dblclick()
  await page.waitForURL('**/rest')
  assert.deepEqual(
    server.requests.filter((each) => each.startsWith('POST')),
    ['POST /c/example/rest'],
  )
  await page.context().close()
})
