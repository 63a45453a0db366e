// A voucher is taken to a bank: each line is copied as the bank's app reads it, and the paper holds all of them and no button.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { copiedBy } from './copied.ts'
import { stateOf } from './gallery-states.ts'
import { sharedBrowser } from './shared-browser.ts'
import { openScene, startViewServer, type ViewServer } from './view-server.ts'

let browser: Browser
before(async () => {
  browser = await sharedBrowser()
})

async function openVoucher(server: ViewServer): Promise<Page> {
  const permissions = ['clipboard-read', 'clipboard-write']
  const context = await browser.newContext({ reducedMotion: 'reduce', permissions })
  const page = await context.newPage()
  await openScene(page, server)
  return page
}

/** Presses "print", and returns what is visible on the paper, with its blanks as they are typed. */
async function printed(page: Page): Promise<string> {
  await page.evaluate(`window.print = () => { window.isPrinted = true }`)
  await page.getByRole('button', { name: 'Imprimir' }).click()
  assert.equal(await page.evaluate('window.isPrinted'), true)
  await page.emulateMedia({ media: 'print' })
  const pressed = 'button:visible, a.button:visible, .panel a:visible, .others:visible, .languages:visible'
  assert.deepEqual(await page.locator(pressed).allInnerTexts(), [], 'nothing to press')
  return (await page.locator('#page').innerText()).replaceAll(/[\u00a0\u202f]/g, ' ')
}

test('Multibanco: entity, reference and amount are copied without blanks, and printed', async () => {
  const state = stateOf('waiting-multibanco')
  assert.ok(state.panel?.method === 'MULTIBANCO' && state.panel.kind === 'VOUCHER')
  const { lines, amount } = state.panel
  await using server = await startViewServer(state)
  const page = await openVoucher(server)
  const press = (name: string) => () =>
    page.getByRole('button', { name: new RegExp(`Copiar ${name}`) }).click()
  const copied: unknown[] = []
  for (const name of ['Entidade', 'Referência', 'Valor']) {
    copied.push(await copiedBy(page, press(name)))
    await page.locator('[data-done]').waitFor({ state: 'detached' })
  }
  assert.deepEqual(copied, [lines?.entity, lines?.reference, amount.value])
  assert.match(String(copied[1]), /^\d{9}$/)
  const paper = await printed(page)
  for (const text of ['Entidade', lines?.entity, 'Referência', lines?.shown, 'Valor', amount.text])
    assert.ok(paper.includes(String(text).replaceAll(/[\u00a0\u202f]/g, ' ')), `the paper has ${text}`)
  await page.context().close()
})

test('a boleto: the line is copied as 47 digits, and printed with its bar code', async () => {
  const state = stateOf('waiting-boleto')
  assert.ok(state.panel?.method === 'BOLETO' && state.panel.kind === 'VOUCHER')
  const { line, amount } = state.panel
  await using server = await startViewServer(state)
  const page = await openVoucher(server)
  const copied = await copiedBy(page, () =>
    page.getByRole('button', { name: 'Copiar linha digitável' }).click(),
  )
  assert.equal(copied, line?.value)
  assert.match(String(copied), /^\d{47}$/)
  const paper = await printed(page)
  for (const text of [line?.shown, amount.text])
    assert.ok(paper.includes(String(text).replaceAll(/[\u00a0\u202f]/g, ' ')), `the paper has ${text}`)
  const bars = page.getByRole('img', { name: 'Código de barras do boleto' })
  assert.ok(await bars.isVisible())
  // Banks read bars of 103 by 13 mm (FEBRABAN, layout of the bar code); at 96 pixels in an inch.
  const box = await page.locator('.bars svg').boundingBox()
  const [width, height] = [(103 / 25.4) * 96, (13 / 25.4) * 96]
  assert.ok((box?.width ?? 0) >= width && (box?.height ?? 0) >= height, JSON.stringify(box))
  await page.context().close()
})
