// The layout: numbers never break, the first screen holds the whole choice, codes can be scanned, and a receipt fits on
// paper.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { PageState } from '#/checkout/page-state.ts'
import { stateOf } from './gallery-states.ts'
import { sharedBrowser } from './shared-browser.ts'
import { openScene, startViewServer } from './view-server.ts'

let browser: Browser
before(async () => {
  browser = await sharedBrowser()
})

async function newPage(options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  return context.newPage()
}

const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true } as const

const noBreak = '\u00a0'

test('no number is broken at 320 px, however long', async () => {
  await using server = await startViewServer(stateOf('choose'))
  const page = await newPage({ ...phone, viewport: { width: 320, height: 640 } })
  for (const number of [
    '124,90',
    '12.345,67',
    '1.234.567,89',
    '12.345.678.901,23',
    '90.071.992.547.409,91',
  ]) {
    const amount = { text: `R$${noBreak}${number}`, value: '1' }
    const receipt = stateOf('paid-pix').receipt.map((row) =>
      row.label === 'Valor' ? { ...row, value: amount.text } : row,
    )
    for (const state of [
      { ...stateOf('choose'), amount },
      { ...stateOf('paid-pix'), amount, receipt },
      cryptoOf(`${number}${noBreak}USDT`),
    ]) {
      server.state = state
      await openScene(page, server)
      assert.deepEqual(await brokenNumbers(page, number), [], `${number} ${state.step}`)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320, number)
    }
  }
  await page.context().close()
})

/** The state of a payment by coins, with another amount in every place. */
function cryptoOf(text: string): PageState {
  const state = stateOf('underpaid-crypto')
  assert.ok(state.panel?.method === 'CRYPTO')
  const amount = { text, value: '1' }
  const deposits = state.panel.deposits.map((deposit) => ({ ...deposit, amount }))
  return { ...state, amount, panel: { ...state.panel, amount, deposits } }
}

/** The elements in which the number breaks into several lines. */
function brokenNumbers(page: Page, number: string): Promise<readonly string[]> {
  return page.evaluate(`(() => {
    const walker = document.createTreeWalker(document.querySelector('#page'), NodeFilter.SHOW_TEXT)
    const broken = []
    let found = 0
    while (walker.nextNode()) {
      const { currentNode: node } = walker
      const at = node.textContent.indexOf(${JSON.stringify(number)})
      if (at < 0 || !node.parentElement.checkVisibility()) continue
      found += 1
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + ${number.length})
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(node.parentElement.outerHTML)
    }
    return found === 0 ? ['nowhere'] : broken
  })()`)
}

test('on a phone the whole choice is on the first screen, with the fields that a shop usually has', async () => {
  await using server = await startViewServer(stateOf('choose'))
  const page = await newPage(phone)
  const all = stateOf('choose-fields').methods
  const wallet = {
    ...all[2],
    method: 'PARTNER_PAY',
    label: 'Binance Pay',
    mark: 'binance',
  } as (typeof all)[number]
  const fields = stateOf('choose-fields').fields.slice(0, 2)
  for (const [state, last] of [
    [{ ...stateOf('choose'), methods: [...all, wallet] }, '.method:last-of-type'],
    [{ ...stateOf('choose-fields'), fields }, '.form .button'],
    [stateOf('choose-fields'), '.method:last-of-type'],
  ] as const) {
    server.state = state
    await openScene(page, server)
    const box = await page.locator(last).boundingBox()
    assert.ok(
      box !== null && box.y + box.height <= 740,
      `${last} ends at ${(box?.y ?? 0) + (box?.height ?? 0)}`,
    )
  }
  await page.context().close()
})

test('methods come before the shop’s fields, and one method is already chosen', async () => {
  const state = stateOf('choose-fields')
  await using server = await startViewServer(state)
  const page = await newPage(phone)
  const checked = () => page.locator('[name=method]:checked').getAttribute('value')
  await openScene(page, server)
  const [method, field] = await Promise.all(
    ['.methods', '.fields'].map((each) => page.locator(each).boundingBox()),
  )
  assert.ok((method?.y ?? 0) < (field?.y ?? 0))
  assert.equal(await checked(), 'PIX')
  const marked = (changes: (method: string) => object) =>
    state.methods.map((each) => ({ ...each, isHighlighted: false, ...changes(each.method) }))
  for (const [methods, wanted] of [
    [marked(() => ({})), 'PIX'],
    [marked((each) => ({ isHighlighted: each === 'CRYPTO' })), 'CRYPTO'],
    [
      marked((each) => ({ isHighlighted: each === 'CRYPTO', isChosen: each === 'CREDIT_CARD' })),
      'CREDIT_CARD',
    ],
  ] as const) {
    server.state = { ...state, methods }
    await openScene(page, server)
    assert.equal(await checked(), wanted)
  }
  await page.context().close()
})

test('the server, not the browser, reports the errors in the form', async () => {
  await using server = await startViewServer(stateOf('choose-fields'))
  const page = await newPage(phone)
  await page.goto(server.url)
  await server.opened()
  await page.getByLabel('E-mail').fill('no address')
  await page.getByRole('button', { name: 'Continuar' }).click()
  await page.waitForURL('**/choose')
  assert.equal(server.requests.at(-1), 'POST /c/example/choose')
  await page.context().close()
})

test('Pix on a phone: amount, button and code are in sight at once, the button above the code', async () => {
  await using server = await startViewServer(stateOf('waiting-pix'))
  const page = await newPage(phone)
  await openScene(page, server)
  const boxes = await Promise.all(
    ['.amount', '.code .button', '.qr'].map((each) => page.locator(each).boundingBox()),
  )
  for (const box of boxes) assert.ok(box !== null && box.y + box.height <= 740, JSON.stringify(boxes))
  const [, button, code] = boxes
  assert.ok((button?.y ?? 0) < (code?.y ?? 0))
  await page.getByText('Recebedor').waitFor()
  await page.getByText('Cafe Serra Azul', { exact: true }).waitFor()
  await page.context().close()
})

test('on a desktop the code is first, and at least 260 px wide', async () => {
  await using server = await startViewServer(stateOf('waiting-pix'))
  const page = await newPage({ viewport: { width: 1440, height: 900 } })
  await openScene(page, server)
  const [code, button] = await Promise.all(
    ['.qr svg', '.code .button'].map((each) => page.locator(each).boundingBox()),
  )
  assert.ok((code?.width ?? 0) >= 260 && (code?.height ?? 0) >= 260)
  assert.ok((code?.y ?? 0) < (button?.y ?? 0))
  await page.context().close()
})

test('a receipt is printed with every number unbroken, and without buttons', async () => {
  const state = stateOf('paid-crypto')
  await using server = await startViewServer(state)
  const page = await newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark' })
  await openScene(page, server)
  await page.evaluate(`window.print = () => { window.isPrinted = true }`)
  await page.getByRole('button', { name: 'Imprimir comprovante' }).click()
  assert.equal(await page.evaluate('window.isPrinted'), true)
  await page.emulateMedia({ media: 'print' })
  assert.equal(await page.locator('button:visible, a.button:visible, .languages:visible').count(), 0)
  assert.match(
    await page.evaluate<string>('getComputedStyle(document.body).backgroundColor'),
    /^(?:rgb\(255, 255, 255\)|lab\(100 0 0\)|oklch\(1 0 0\))$/,
  )
  for (const { value, copy } of state.receipt) {
    const text = page.locator('.receipt').getByText(copy ?? value, { exact: true })
    assert.ok(await text.isVisible())
    const [scrollWidth, clientWidth] = await Promise.all(
      ['scrollWidth', 'clientWidth'].map((name) => numberOf(page, copy ?? value, name)),
    )
    // An inline element has no such width, and is not cut.
    assert.ok(clientWidth === 0 || Number(scrollWidth) <= Number(clientWidth) + 1, copy ?? value)
  }
  await page.context().close()
})

/** A numeric property of the receipt's element with exactly this text. */
function numberOf(page: Page, text: string, name: string): Promise<number> {
  return page.evaluate<number>(`[...document.querySelectorAll('.receipt dd span')]
    .find(({ textContent }) => textContent === ${JSON.stringify(text)}).${name}`)
}

test('the page draws the logos of methods, cards and wallets', async () => {
  const widthsOf = (page: Page, place: string) =>
    page.evaluate<readonly number[]>(`[...document.querySelectorAll('${place} svg.mark')]
      .map((mark) => mark.getBoundingClientRect().width)`)
  await using server = await startViewServer(stateOf('choose'))
  const page = await newPage(phone)
  await openScene(page, server)
  // Pix and USDT have one logo each, the card those of three schemes.
  assert.equal((await widthsOf(page, '.method')).filter((width) => width >= 20).length, 5)
  for (const name of ['paid-card', 'paid-partner', 'waiting-partner']) {
    server.state = stateOf(name)
    await openScene(page, server)
    assert.equal((await widthsOf(page, 'main')).length, 1, name)
  }
  await page.context().close()
})
