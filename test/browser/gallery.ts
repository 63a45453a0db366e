// Pictures of every scene: light beside dark, on a phone and on a desk.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { startBrowser } from './chromium.ts'
import { joinPictures, readPng, writePng, type Picture } from './gallery-png.ts'
import { scenes } from './gallery-states.ts'
import { startViewServer, type ViewServer } from './view-server.ts'

export const galleryFolder = join(import.meta.dirname, '..', '..', 'docs', 'screens', 'checkout')

/** A phone has a finger and no hover; that is how the page knows that the payer's apps are here. */
const sizes = {
  360: { viewport: { width: 360, height: 740 }, deviceScaleFactor: 1.5, isMobile: true, hasTouch: true },
  1280: { viewport: { width: 1280, height: 760 } },
} as const satisfies Record<number, BrowserContextOptions>
type Width = keyof typeof sizes

const themes = ['light', 'dark'] as const

/** The names of the pictures that there are to be. */
export function pictureNames(): readonly string[] {
  return scenes.flatMap(({ name }) => widthsOf(name).map((width) => `${name}-${width}.png`))
}

/** Makes the pictures whose scenes have `part` in their name, and the page that shows them all. */
export async function makeGallery(part: string): Promise<number> {
  await using browser = await startBrowser()
  await mkdir(galleryFolder, { recursive: true })
  const wanted = scenes.filter(({ name }) => name.includes(part))
  for (const scene of wanted) {
    await using server = await startViewServer(scene.state, scene.style)
    for (const width of widthsOf(scene.name)) {
      const picture = await pictureOf(browser, server, width)
      await writeFile(join(galleryFolder, `${scene.name}-${width}.png`), picture)
    }
  }
  const names = new Set(pictureNames())
  for (const file of await readdir(galleryFolder))
    if (file.endsWith('.png') && !names.has(file)) await rm(join(galleryFolder, file))
  await writeFile(join(galleryFolder, 'README.md'), readme())
  return wanted.length
}

/** The page as its README shows it. */
export function readme(): string {
  const rows = scenes.map(
    ({ name }) =>
      `| ${name} | ${widthsOf(name)
        .map((width) => `[${width}](${name}-${width}.png)`)
        .join(', ')} |`,
  )
  return [
    '# The payer’s page in pictures',
    '',
    'Every state of every method, light beside dark, on a phone (360 px) and on a desk (1280 px).',
    'Made by `./vintem dev scripts/gallery.ts`; a test compares this list with the files.',
    '',
    '| scene | pictures |',
    '| --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

/** Other languages are shown where room is scarce. */
function widthsOf(name: string): readonly Width[] {
  return /^(?:en|es)-/.test(name) ? [360] : [360, 1280]
}

async function pictureOf(browser: Browser, server: ViewServer, width: Width): Promise<Buffer> {
  const shots: Picture[] = []
  for (const colorScheme of themes) {
    const context = await browser.newContext({ ...sizes[width], colorScheme, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await openScene(page, server)
    // A picture of more than the window would forget that this is a phone.
    const height = Number(await page.evaluate('document.documentElement.scrollHeight'))
    await page.setViewportSize({ width, height })
    shots.push(readPng(await page.screenshot()))
    await context.close()
  }
  // Light on the left, dark on the right on a phone; below each other on a desk.
  return writePng(joinPictures(shots, width === 360 ? 'beside' : 'below'))
}

/** Opens the page with its clock standing still, so that a renewed picture differs only where the page does. */
export async function openScene(page: Page, server: ViewServer): Promise<void> {
  await page.clock.setFixedTime(new Date(server.state.now))
  await page.goto(server.url)
  if (server.state.panel?.method === 'CREDIT_CARD' && server.state.panel.frameUrl !== undefined)
    await page.locator('.frame[data-state="open"]').waitFor()
  await page.evaluate('document.fonts.ready.then(() => {})')
}
