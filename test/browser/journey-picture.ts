// Pictures of the pages in whole journeys with the simulators, which `npm run gallery journeys` takes for review. None is
// kept in the tree.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { galleryFolder } from './gallery.ts'

const isWanted = process.env['TAKE_PICTURES'] !== undefined

/** Keeps a picture of the whole page, if pictures are requested. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (!isWanted) return
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const all = Number(await page.evaluate('document.documentElement.scrollHeight'))
  // A full-page screenshot would lose the phone's emulation, so the window gets the page's height.
  await page.setViewportSize({ width, height: Math.max(all, height) })
  const folder = join(galleryFolder, 'journeys')
  await mkdir(folder, { recursive: true })
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  await writeFile(join(folder, `${name}-${width}.png`), png)
}
