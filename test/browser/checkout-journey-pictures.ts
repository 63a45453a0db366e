// Pictures of the pages as a whole installation serves them. SCREENS=1 renews them while the journeys go through them.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { readPng, writePng } from './gallery-png.ts'

export const pagesFolder = join(import.meta.dirname, '..', '..', 'docs', 'screens', 'pages')

const isWanted = process.env['SCREENS'] !== undefined

/** All of the page, as `checkout-{name}-{width}.png`. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const width = page.viewportSize()?.width ?? 0
  if (!isWanted) return
  const height = Number(await page.evaluate('document.documentElement.scrollHeight'))
  // A picture of more than the window would forget that this is a phone.
  await page.setViewportSize({ width, height })
  await mkdir(pagesFolder, { recursive: true })
  await writeFile(
    join(pagesFolder, `checkout-${name}-${width}.png`),
    writePng(readPng(await page.screenshot())),
  )
}
