// Pictures of the checkout as a whole installation serves it. SCREENS=1 renews them while the journeys come through:
// `SCREENS=1 ./vintem dev --test test/browser/checkout-journey-*.test.ts`. Look at each of them afterwards.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { readPng, writePng } from './gallery-png.ts'

export const pagesFolder = join(import.meta.dirname, '..', '..', 'docs', 'screens', 'pages')

/** What a journey comes through. */
export const screens = [
  'choose',
  'fields',
  'errors',
  'waiting-pix',
  'waiting-crypto',
  'waiting-card',
  'waiting-partner',
  'template-waiting-pix',
  'declined-card',
  'refused-partner',
  'underpaid-pix',
  'underpaid-crypto',
  'confirming-crypto',
  'paid-pix',
  'paid-crypto',
  'paid-card',
  'paid-partner',
  'overpaid-pix',
  'overpaid-crypto',
  'late-pix',
  'late-crypto',
  'expired',
  'canceled',
  'provider-away',
  'unknown',
  'too-many',
] as const
export type Screen = (typeof screens)[number]

const widths = [360, 1280] as const

/** The names of the pictures that there are to be. */
export function pictureNames(): readonly string[] {
  return screens.flatMap((name) => widths.map((width) => `checkout-${name}-${width}.png`))
}

const isWanted = process.env['SCREENS'] !== undefined

/** All of the page, where pictures are wanted. */
export async function keepPicture(page: Page, name: Screen): Promise<void> {
  if (!isWanted) return
  const width = page.viewportSize()?.width ?? 0
  const height = Number(await page.evaluate('document.documentElement.scrollHeight'))
  // A picture of more than the window would forget that this is a phone.
  await page.setViewportSize({ width, height })
  await mkdir(pagesFolder, { recursive: true })
  const picture = writePng(readPng(await page.screenshot({ animations: 'disabled', caret: 'hide' })))
  await writeFile(join(pagesFolder, `checkout-${name}-${width}.png`), picture)
}
