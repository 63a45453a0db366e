// Pictures of the checkout as a whole installation serves it. `./vintem dev scripts/gallery.ts journeys` renews them while the
// journeys come through. Look at each of them afterwards.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { readPng, writePng } from './gallery-png.ts'

export const pagesFolder = join(import.meta.dirname, '..', '..', 'docs', 'screens', 'pages')

/** What a journey comes through, and what it is. */
export const screens = {
  choose: 'The payer chooses, of the default template',
  fields: 'A merchant’s template that asks for everything, with its colour and logo',
  errors: 'The form came back: what is wrong stands beside each field',
  'waiting-pix': 'Pix: the code',
  'waiting-crypto': 'USDT: amount and address',
  'waiting-card': 'The card form of the acquirer, in its frame',
  'waiting-partner': 'The wallet app',
  'template-waiting-pix': 'Pix, in the merchant’s colour',
  'provider-away': 'The bank does not answer',
  'declined-card': 'The bank said no to a card',
  'refused-partner': 'The payer said no in the wallet app',
  'underpaid-pix': 'A part came by Pix',
  'underpaid-crypto': 'A part came in USDT, and the rest can',
  'confirming-crypto': 'USDT are seen on the network',
  'paid-pix': 'Paid by Pix',
  'paid-crypto': 'Paid in USDT',
  'paid-card': 'Paid by card',
  'paid-partner': 'Paid in the wallet app',
  'overpaid-pix': 'Too much came by Pix',
  'overpaid-crypto': 'Too much came in USDT',
  'late-pix': 'Pix that came after the time was over',
  'late-crypto': 'USDT that came after the time was over',
  expired: 'The time is over',
  canceled: 'The payer gave up',
  unknown: 'A link that means nothing',
  'too-many': 'A page that was asked for too often',
} as const
export type Screen = keyof typeof screens

const widths = [360, 1280] as const

/** The names of the pictures that there are to be. */
export function pictureNames(): readonly string[] {
  return Object.keys(screens).flatMap((name) => widths.map((width) => `checkout-${name}-${width}.png`))
}

/** The page that shows them all. */
export function picturesReadme(): string {
  const rows = Object.entries(screens).map(([name, meaning]) => {
    const links = widths.map((width) => `[${width} px](checkout-${name}-${width}.png)`)
    return `| ${meaning} | ${links.join(' | ')} |`
  })
  return [
    '# The checkout in pictures',
    '',
    'As a payer meets it, with the simulators behind: on a phone in the light, on a desk in the dark. Taken during the journeys in',
    '`test/browser/checkout-journey-*.test.ts` by `./vintem dev scripts/gallery.ts journeys`; a test compares this list with the files.',
    'Every state of every method, without a provider behind, is in [checkout](../checkout/README.md).',
    '',
    '| | light | dark |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

export const isRenewing = process.env['SCREENS'] !== undefined

/** All of the page, where pictures are wanted. */
export async function keepPicture(page: Page, name: Screen): Promise<void> {
  if (!isRenewing) return
  const width = page.viewportSize()?.width ?? 0
  const height = Number(await page.evaluate('document.documentElement.scrollHeight'))
  // A picture of more than the window would forget that this is a phone.
  await page.setViewportSize({ width, height })
  await mkdir(pagesFolder, { recursive: true })
  const picture = writePng(readPng(await page.screenshot({ animations: 'disabled', caret: 'hide' })))
  await writeFile(join(pagesFolder, `checkout-${name}-${width}.png`), picture)
}
