// Examines the current page for violations of WCAG 2.2 AA that a program can find, in light and dark, on a phone and a desktop. The
// quick run examines only the first page, because view-access examines every state. Keeps pictures if requested.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { isSoak } from '../counts.ts'
import { axeFindings } from './axe.ts'
import { keepPicture } from './journey-picture.ts'

const views = [
  { width: 360, colorScheme: 'light', isPictured: true },
  { width: 360, colorScheme: 'dark', isPictured: false },
  { width: 1280, colorScheme: 'light', isPictured: false },
  { width: 1280, colorScheme: 'dark', isPictured: true },
] as const

let examined = 0

/** Examines the page and all its frames. The page keeps the size of the last view. */
export async function examine(
  page: Page,
  name: string,
  widths: readonly number[] = [360, 1280],
): Promise<void> {
  examined += 1
  if (!isSoak && examined > 1) return
  const wanted = views.filter((view) => widths.includes(view.width) && (isSoak || view.isPictured))
  const now = wanted.filter((_, index) => isSoak || index === examined % wanted.length)
  for (const { width, colorScheme, isPictured } of now) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    await settled(page)
    assert.deepEqual(
      await axeFindings(page, { frames: page.frames() }),
      [],
      `${name} ${colorScheme} ${width}`,
    )
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, `${name} ${width}`)
    if (isPictured) await keepPicture(page, name)
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

/** A frame reports its new height by messages; the page is settled when its height is the same twice in a row. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(`new Promise((resolve) => {
    let height = -1
    const again = () => {
      const now = document.documentElement.scrollHeight
      if (now === height) return resolve(true)
      height = now
      setTimeout(again, 80)
    }
    again()
  })`)
}
