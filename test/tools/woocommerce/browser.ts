// The checkout block in a real browser: the only place where the plug-in's script runs.
import assert from 'node:assert/strict'
import { startBrowser } from '../../browser/chromium.ts'
import type { ShopWorld } from './world.ts'

/** Buys in the checkout block as a customer does, up to the hosted page. */
export async function blockInBrowser({ shop, sandbox }: ShopWorld): Promise<void> {
  const { url, ids } = shop.running
  await using browser = await startBrowser()
  const context = await browser.newContext({ locale: 'en-US' })
  // Themes ask for fonts and pictures elsewhere, which a test does not.
  await context.route(
    (to) => to.hostname !== '127.0.0.1',
    (route) => route.abort(),
  )
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto(`${url}/?add-to-cart=${ids.product}&quantity=50`)
  await page.goto(`${url}/?page_id=${ids.block}`)
  const fill = async (label: RegExp, text: string) => {
    const field = page.getByLabel(label).first()
    await field.fill(text)
  }
  await fill(/email/i, 'ana@example.com')
  await fill(/first name/i, 'Ana')
  await fill(/last name/i, 'Souza')
  await fill(/^(street )?address$/i, 'Rua Aurora, 1')
  await fill(/city/i, 'São Paulo')
  await fill(/zip|postal|postcode/i, '01209-001')
  await fill(/phone/i, '11987654321')
  const label = page.locator('label', { hasText: 'Pix, card and more' }).first()
  await label.waitFor()
  await page.getByText('You choose how to pay on the next page.').first().waitFor()
  await page.getByRole('button', { name: /place order/i }).click()
  await page.waitForURL((to) => to.href.startsWith(sandbox.checkoutBaseUrl))
  assert.match(await page.locator('body').innerText(), /14[.,]50/)
  assert.deepEqual(faults, [])
}
