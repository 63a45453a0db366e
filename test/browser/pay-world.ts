// Payers by card and by the partner's app, on the pages of a whole installation with its simulators.
import assert from 'node:assert/strict'
import type { FrameLocator, Page } from 'playwright-core'
import { eventually } from '../eventually.ts'
import type { Json } from '../journeys/merchant.ts'
import { openJourneyWorld, type Checkout, type JourneyWorld } from './checkout-journey-world.ts'

export type PayWorld = JourneyWorld & {
  /** Creates a payment of the method with a page of its own. */
  readonly make: (more?: Json) => Promise<Checkout>
  readonly payment: (payment: Checkout) => Promise<Json>
  /** A call of the provider's own remote control. */
  readonly control: (method: 'GET' | 'POST', path: string, body?: Json) => Promise<Json>
}

/** `usual`: the default terms of a payment. */
export async function openPayWorld(provider: 'acquirer' | 'partnerWallet', usual: Json): Promise<PayWorld> {
  const world = await openJourneyWorld()
  return {
    ...world,
    make: (more = {}) => world.create({ checkout: undefined, ...usual, ...more }),
    payment: async ({ id }) => (await world.api('GET', `/v1/payments/${id}`)).body,
    async control(method, path, body) {
      const { controlUrl } = world.installation.sandbox().simulators[provider]
      const answer = await fetch(`${controlUrl}/_sim${path}`, {
        method,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      })
      const text = await answer.text()
      assert.ok(answer.ok, `${path}: ${text}`)
      return JSON.parse(text) as Json
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

/** The acquirer's card form, in the frame of our frame. */
export function formIn(page: Page): FrameLocator {
  return page.frameLocator('.frame iframe').frameLocator('iframe')
}

/** Waits until the frame is as high as the acquirer's page in it, and returns the height in CSS pixels. */
export function restsAt(page: Page): Promise<number> {
  return eventually('the frame is as high as what is in it', async () => {
    const inside = await formIn(page).locator('html').boundingBox()
    const box = await page.locator('.frame iframe').boundingBox()
    return box !== null && box.height === Math.ceil(inside?.height ?? 0) && box.height
  })
}

/** Test cards of the acquirer. */
export const cards = {
  good: '4242 4242 4242 4242',
  other: '5555 5555 5555 4444',
  declined: '4000 0000 0000 0002',
  challenged: '4000 0027 6000 3184',
} as const

type CardEntry = { readonly number: string; readonly expiry?: string; readonly cvc?: string }

/** Types a card into the acquirer's form. */
export async function typeCard(
  form: FrameLocator | Page,
  { number, expiry = '12/40', cvc = '123' }: CardEntry,
): Promise<void> {
  await form.locator('#number').fill(number)
  await form.locator('#expiry').fill(expiry)
  await form.locator('#cvc').fill(cvc)
  await form.locator('#name').fill('Ana Souza')
}

/** Types a card and sends the form. */
export async function payWith(form: FrameLocator | Page, number: string): Promise<void> {
  await typeCard(form, { number })
  await form.getByRole('button', { name: /^Pa(?:gar|y)$/ }).click()
}
