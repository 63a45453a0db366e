// Pictures of pages as whole journeys meet them, with the simulators behind: `npm run gallery journeys` takes them on the way,
// to be looked through. None is kept in the tree.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { galleryFolder } from './gallery.ts'

const isWanted = process.env['TAKE_PICTURES'] !== undefined

/** All of the page as it is, where pictures are wanted. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (!isWanted) return
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const all = Number(await page.evaluate('document.documentElement.scrollHeight'))
  // A picture of more than the window would forget that this is a phone.
  await page.setViewportSize({ width, height: Math.max(all, height) })
  const folder = join(galleryFolder, 'journeys')
  await mkdir(folder, { recursive: true })
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  await writeFile(join(folder, `${name}-${width}.png`), png)
}
