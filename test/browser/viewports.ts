// The colour schemes and widths in which a page is examined.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { isSoak } from '../counts.ts'

const mixtures = [
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'dark', width: 360 },
  { colorScheme: 'light', width: 1280 },
] as const

const phone = 360

/** A light phone and a dark desktop; in the soak every combination. */
export const viewports = isSoak ? mixtures : mixtures.slice(0, 2)

/** What is examined in each of the viewports. The quick run examines each thing once, in one viewport after the other. */
export function examinedIn<Thing>(nth: number, things: readonly Thing[]): readonly Thing[] {
  return isSoak ? things : things.filter((_, index) => index % viewports.length === nth)
}

/** Nothing on the page has to be scrolled sideways, neither at its width nor on a phone. */
export async function fitsWidths(page: Page, what: string): Promise<void> {
  const size = page.viewportSize()
  assert.ok(size !== null)
  for (const width of new Set([size.width, phone])) {
    await page.setViewportSize({ ...size, width })
    const over = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    assert.ok(over <= 0, `${what}: ${over} px too wide for ${width} px`)
  }
  await page.setViewportSize(size)
}
