// The open page of a payment that is over, while money is on its way to it.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { PageState } from '#/checkout/page-state.ts'
import { locales, type Locale } from '#/kernel/language.ts'
import type { Payment } from '#/payments/payment.ts'
import { plain, stateOf } from '../payer-page.ts'
import { sharedBrowser } from './shared-browser.ts'
import { startViewServer } from './view-server.ts'

let browser: Browser
before(async () => {
  browser = await sharedBrowser()
})

const now = new Date('2026-11-21T19:00:00.000Z')
const hourLater = new Date('2026-11-21T20:00:00.000Z')

/** The state of the product, with the addresses of the test's server. */
function shown(changes: Partial<Payment>, locale: Locale, at: Date): PageState {
  const state = stateOf(changes, { locale, now: at, token: 'example' })
  return { ...state, links: { ...state.links, state: '/c/example/state', events: '/c/example/events' } }
}

/** How a payment ended, what the page says while money is on its way to it, and once the money is there. */
const endings: readonly (readonly [
  ended: Partial<Payment>,
  onItsWay: Readonly<Record<Locale, string>>,
  arrived: Readonly<Record<Locale, string>>,
])[] = [
  ...(['CANCELED', 'FAILED'] as const).map(
    (status) =>
      [
        { status },
        { 'pt-BR': 'Identificamos 10,00 USDT', en: 'We found 10.00 USDT', es: 'Encontramos 10,00 USDT' },
        {
          'pt-BR': 'Recebemos 10,00 USDT de 10,00.',
          en: 'We received 10.00 USDT of 10.00.',
          es: 'Recibimos 10,00 USDT de 10,00.',
        },
      ] as const,
  ),
  [
    { status: 'PAID', receivedMinor: 1_000n, paidAt: new Date('2026-11-21T18:40:00.000Z') },
    {
      'pt-BR': 'Mais 10,00 USDT estão a caminho.',
      en: 'Another 10.00 USDT is on its way.',
      es: 'Otros 10,00 USDT están en camino.',
    },
    {
      'pt-BR': 'Recebemos 20,00 USDT',
      en: 'We received 20.00 USDT',
      es: 'Recibimos 20,00 USDT',
    },
  ],
]

test('an open page of a payment that is over shows money on its way, shows it when it is there, and is final only then', async () => {
  for (const [ended, onItsWay, arrived] of endings)
    for (const locale of locales) {
      const before = { ...ended, expiresAt: new Date('2026-11-21T18:40:00.000Z') }
      const after = { ...before, receivedMinor: (ended.receivedMinor ?? 0n) + 1_000n }
      await using server = await startViewServer(shown(before, locale, now))
      const context = await browser.newContext({ locale, bypassCSP: true })
      const page = await context.newPage()
      await page.goto(server.url)
      await server.opened()
      const says = (text: string) =>
        page.waitForFunction(
          `document.body.innerText.replaceAll(/[\\u00a0\\u202f]/g, ' ').includes(${JSON.stringify(text)})`,
        )
      // More than an hour after the end: without money on its way the page would be final.
      const seen = shown({ ...before, seenMinor: 1_000n, version: 4 }, locale, hourLater)
      server.state = seen
      server.push()
      await says(onItsWay[locale])
      await server.opened()
      assert.equal(await page.getByText(plain(seen.headline)).count(), 1)
      server.state = shown({ ...after, version: 5 }, locale, hourLater)
      server.push()
      await says(arrived[locale])
      await server.closed()
      await context.close()
    }
})
