// The scenes in a browser: every payer can see, press and read them at any size, colour scheme and device.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { isSoak, soakTest, partOf } from '../counts.ts'
import { axeFindings } from './axe.ts'
import { portugueseScenes, scenes, stateOf } from './gallery-states.ts'
import { sharedBrowser } from './shared-browser.ts'
import { openScene, startViewServer, type ViewServer } from './view-server.ts'

let browser: Browser
before(async () => {
  browser = await sharedBrowser()
})

async function newPage(options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  return context.newPage()
}

for (const colorScheme of ['light', 'dark'] as const) {
  // An eighth of the states, on a light phone or a dark desktop; in the soak every combination.
  for (const width of isSoak ? [360, 1280] : [colorScheme === 'light' ? 360 : 1280]) {
    const mine = partOf(scenes, 16, colorScheme === 'light' ? 0 : 8)
    test(`axe finds nothing, and nothing scrolls sideways, in ${isSoak ? 'any' : 'every sixteenth'} state, ${colorScheme}, ${width} px`, async () => {
      await using server = await startViewServer(stateOf('choose'))
      const page = await newPage({ colorScheme, viewport: { width, height: 800 }, bypassCSP: true })
      for (const { name, state } of mine) {
        server.state = state
        await openScene(page, server)
        await page.evaluate(`for (const each of document.querySelectorAll('details')) each.open = true`)
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, name)
        assert.deepEqual(await axeFindings(page), [], name)
      }
      await page.context().close()
    })
  }
}

/** Colours: too light, too dark, and two in between. */
const accents = ['#ffe600', '#0b1f3a', '#7fffd4', '#ff2d55']

soakTest('a merchant’s colour can be read in light and dark', async () => {
  for (const accent of isSoak ? accents : accents.slice(0, 2)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await using server = await startViewServer(stateOf('brand'), {
        accent,
        radius: 0,
        font: 'serif',
        theme: 'auto',
      })
      const page = await newPage({ colorScheme, viewport: { width: 360, height: 800 }, bypassCSP: true })
      for (const name of ['choose-fields', 'waiting-crypto', 'confirming-crypto']) {
        server.state = stateOf(name)
        await openScene(page, server)
        assert.deepEqual(await axeFindings(page), [], `${accent} ${colorScheme} ${name}`)
      }
      await page.context().close()
    }
  }
})

test('a template’s theme overrides the device’s', async () => {
  const ground = (page: Page) => page.evaluate('getComputedStyle(document.body).backgroundColor')
  const grounds = []
  for (const [theme, colorScheme] of [
    ['auto', 'light'],
    ['light', 'dark'],
    ['auto', 'dark'],
    ['dark', 'light'],
  ] as const) {
    const state = { ...stateOf('choose'), theme }
    await using server = await startViewServer(state, { radius: 12, font: 'system', theme })
    const page = await newPage({ colorScheme })
    await openScene(page, server)
    grounds.push(await ground(page))
    await page.context().close()
  }
  assert.equal(grounds[0], grounds[1])
  assert.equal(grounds[2], grounds[3])
  assert.notEqual(grounds[0], grounds[2])
})

test('at 320 px nothing is cut off or scrolls sideways, and every element to press is at least 44 px high', async () => {
  await using server = await startViewServer(stateOf('choose'))
  const page = await newPage({ viewport: { width: 320, height: 700 }, isMobile: true, hasTouch: true })
  for (const { name, state } of partOf(scenes, 2)) {
    server.state = state
    await openScene(page, server)
    await page.evaluate(`for (const each of document.querySelectorAll('details')) each.open = true`)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320, name)
    for (const box of await boxes(page)) assert.ok(box.height >= 44, `${name}: ${box.text} ${box.height}`)
  }
  await page.context().close()
})

type Box = { readonly text: string; readonly height: number }

/** All elements that can be pressed. A checkbox is pressed by its label. */
function boxes(page: Page): Promise<readonly Box[]> {
  return page.evaluate(`
    [...document.querySelectorAll('button, a, summary, input, select')].map((element) => element.closest('label') ?? element)
      .filter((element) => element.checkVisibility())
      .map((element) => ({ text: element.outerHTML.slice(0, 80), height: element.getBoundingClientRect().height }))
  `)
}

soakTest('the amount is the largest text of every page', async () => {
  await using server = await startViewServer(stateOf('choose'))
  const page = await newPage({ viewport: { width: 360, height: 740 } })
  for (const { name, state } of portugueseScenes) {
    server.state = state
    await openScene(page, server)
    const largest = await page.evaluate(`
      [...document.querySelectorAll('#page *')]
        .sort((a, b) => parseFloat(getComputedStyle(b).fontSize) - parseFloat(getComputedStyle(a).fontSize))[0].className
    `)
    assert.equal(largest, 'amount', name)
  }
  await page.context().close()
})

test('a code is dark on white with its quiet zone, in the dark theme too', async () => {
  await using server = await startViewServer(stateOf('waiting-pix'))
  const page = await newPage({ colorScheme: 'dark' })
  await openScene(page, server)
  const colours = await page.evaluate(`[
    getComputedStyle(document.querySelector('.qr')).backgroundColor, getComputedStyle(document.querySelector('.qr path')).fill]`)
  assert.deepEqual(colours, ['rgb(255, 255, 255)', 'rgb(10, 10, 10)'])
  await page.context().close()
})

test('with reduced motion nothing moves', async () => {
  await using server = await startViewServer(stateOf('paid-pix'))
  const animation = async (reducedMotion: 'reduce' | 'no-preference') => {
    const page = await newPage({ reducedMotion })
    await openScene(page, server)
    const name = await page.evaluate(`getComputedStyle(document.querySelector('.seal')).animationName`)
    await page.context().close()
    return name
  }
  assert.equal(await animation('no-preference'), 'arrive')
  assert.equal(await animation('reduce'), 'none')
})

test('without JavaScript every page is complete, has no dead buttons, and choosing works', async () => {
  await using server = await startViewServer(stateOf('choose'))
  const page = await newPage({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } })
  for (const { name, state } of isSoak ? scenes : partOf(portugueseScenes, 2)) {
    server.state = state
    await page.goto(server.url)
    assert.ok(await page.getByRole('heading', { name: state.headline, exact: true }).isVisible(), name)
    assert.equal(await page.locator('button[type=button]:visible').count(), 0, name)
    assert.equal(await page.locator('[role=timer]:visible').count(), 0, name)
  }
  server.state = stateOf('waiting-crypto')
  await page.goto(server.url)
  assert.equal(await page.locator('.qr:visible').count(), 1)
  await page.getByText('Minha carteira não lê este código').click()
  assert.equal(await page.locator('.qr:visible').count(), 2)
  server.state = stateOf('waiting-card')
  await page.goto(server.url)
  assert.equal(await page.locator('iframe').isVisible(), false)
  await pressed(page, server, 'Abrir o formulário em outra página', 'POST /c/example/provider')
  server.state = stateOf('waiting-cancel')
  await page.goto(server.url)
  assert.equal(await page.getByRole('button', { name: 'Sim, cancelar' }).isVisible(), false)
  await page.getByText('Cancelar pagamento').click()
  await page.getByRole('button', { name: 'Sim, cancelar' }).click()
  assert.equal(server.requests.at(-1), 'POST /c/example/cancel')
  server.state = stateOf('choose')
  await page.goto(server.url)
  await pressed(page, server, /^Pix/, 'POST /c/example/choose')
  await page.context().close()
})

async function pressed(
  page: Page,
  server: ViewServer,
  name: string | RegExp,
  request: string,
): Promise<void> {
  await page.goto(server.url)
  await page.getByRole('button', { name }).click()
  assert.equal(server.requests.at(-1), request)
}

test('by the keyboard alone, every choice can be made in the order of the page', async () => {
  await using server = await startViewServer(stateOf('waiting-crypto'))
  const page = await newPage({ viewport: { width: 1280, height: 800 } })
  await openScene(page, server)
  const focused = () =>
    page.evaluate(`document.activeElement.textContent.trim() || document.activeElement.value`)
  const focusOrder: unknown[] = []
  for (let step = 0; step < 5; step++) {
    await page.keyboard.press('Tab')
    focusOrder.push(await focused())
  }
  assert.deepEqual(focusOrder, [
    'Minha carteira não lê este código',
    'Copiar Valor exato',
    'Copiar Endereço',
    'Pagar de outra forma',
    'Voltar para Café Serra Azul',
  ])
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  assert.match(String(await focused()), /^Pix/)
  await page.locator('.other-code summary').focus()
  await page.keyboard.press('Enter')
  assert.equal(await page.locator('.qr:visible').count(), 2)
  await page.context().close()
})
