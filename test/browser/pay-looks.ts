// Looks at a page as it stands: what a machine can find against WCAG 2.2 AA, in light and dark, on a phone and on a desk (in
// the quick run the first page alone: view-look examines every state of our pages); and pictures of it, where they are wanted.
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

let looked = 0

/** Looks at the page and everything in its frames. It keeps the size of the last look. */
export async function look(page: Page, name: string, widths: readonly number[] = [360, 1280]): Promise<void> {
  looked += 1
  if (!isSoak && looked > 1) return
  const wanted = views.filter((view) => widths.includes(view.width) && (isSoak || view.isPictured))
  const now = wanted.filter((_, index) => isSoak || index === looked % wanted.length)
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

/** A frame tells its new height by messages; the page is as it will be when two pictures in a row have one height. */
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
