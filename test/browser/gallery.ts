// Pictures of every scene: light beside dark, on a phone and on a desk. All of them go into a folder to look through; those
// that README and docs show are kept in the tree.
import { globSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { startBrowser } from './chromium.ts'
import { scenes } from './gallery-states.ts'
import { compare, joinShots, readPicture, writePicture, type Place, type Shot } from './picture.ts'
import { startViewServer, type ViewServer } from './view-server.ts'

const root = join(import.meta.dirname, '..', '..')
/** Not in the tree. */
export const galleryFolder = join(root, 'dist', 'gallery')
/** Of the pictures that documents show. */
export const keptFolder = join(root, 'docs', 'screens')

/** A phone has a finger and no hover; that is how the page knows that the payer's apps are here. */
const sizes = {
  360: { viewport: { width: 360, height: 740 }, deviceScaleFactor: 1.5, isMobile: true, hasTouch: true },
  1280: { viewport: { width: 1280, height: 760 } },
} as const satisfies Record<number, BrowserContextOptions>
type Width = keyof typeof sizes

const themes = ['light', 'dark'] as const

/** More pixels than this are a change. The smallest word of a page that moves by 8 px is some 300; softer letters are none. */
const changedPixels = 150

/** One picture: a scene on one width. Its file is called by both. */
export type Pictured = { readonly name: string; readonly width: Width }

/** Every picture that there can be. */
export function allPictured(): readonly Pictured[] {
  return scenes.flatMap(({ name }) => widthsOf(name).map((width) => ({ name, width })))
}

/** Names of the picture files that README and the pages of docs show, each once. */
export function shownFiles(): readonly string[] {
  const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: root })]
  const shown = pages.flatMap((page) => {
    const images = readFileSync(join(root, page), 'utf8').matchAll(
      /(?:!\[[^\]]*\]\(|<img [^>]*src=")([^)"]+)/g,
    )
    return Array.from(images, ([, path = '']) => join(root, dirname(page), path))
  })
  return [...new Set(shown.filter((path) => dirname(path) === keptFolder).map((path) => basename(path)))]
}

/**
 * Makes the pictures whose scenes have `part` in their name in the gallery's folder, and renews those of them that are kept
 * and have changed. Answers how many it made and the files that it renewed.
 */
export async function makeGallery(
  part: string,
): Promise<{ readonly made: number; readonly renewed: readonly string[] }> {
  const folder = join(galleryFolder, 'scenes')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await mkdir(keptFolder, { recursive: true })
  await using browser = await startBrowser()
  const shown = shownFiles()
  const wanted = allPictured().filter(({ name }) => name.includes(part))
  const renewed: string[] = []
  for (const each of wanted) {
    const shot = await shoot(browser, each)
    const file = fileOf(each)
    await writeFile(join(folder, file), writePicture(shot.picture))
    if (!shown.includes(file) || (await changeOf(file, shot)) === undefined) continue
    await writeFile(join(keptFolder, file), writePicture(shot.picture))
    renewed.push(file)
  }
  return { made: wanted.length, renewed }
}

/** Everything in the gallery's folder on one page. */
export async function writeIndex(): Promise<void> {
  const files = globSync('*/*.png', { cwd: galleryFolder }).toSorted()
  const figures = files.map(
    (file) => `<figure><figcaption>${file}</figcaption><img src="${file}" alt="" loading="lazy"></figure>`,
  )
  const style = 'body{font:16px system-ui;background:#888}img{max-width:100%}figure{margin:0 0 3em}'
  const page = `<!doctype html><meta charset="utf-8"><title>Gallery</title><style>${style}</style>${figures.join('\n')}\n`
  await writeFile(join(galleryFolder, 'index.html'), page)
}

export function fileOf({ name, width }: Pictured): string {
  return `${name}-${width}.png`
}

/**
 * What has changed since the picture of that name was kept, in a sentence that names a picture of the difference, written to
 * `folder`; undefined when nothing that an eye would see.
 */
export async function changeOf(
  file: string,
  shot: Shot,
  folder = join(galleryFolder, 'differences'),
): Promise<string | undefined> {
  const kept = await readFile(join(keptFolder, file)).catch(() => undefined)
  if (kept === undefined) return `${file} is not there yet`
  const { pixels, difference } = compare(readPicture(kept), shot)
  const path = join(folder, file)
  if (pixels <= changedPixels) {
    await rm(path, { force: true })
    return undefined
  }
  await mkdir(folder, { recursive: true })
  await writeFile(path, writePicture(difference))
  return `${file} differs in ${pixels} pixels: see ${path}`
}

/** Other languages are shown where room is scarce. */
function widthsOf(name: string): readonly Width[] {
  return /^(?:en|es)-/.test(name) ? [360] : [360, 1280]
}

/** `prepare`: what to do with the page before. */
export async function shoot(
  browser: Browser,
  { name, width }: Pictured,
  prepare?: (page: Page) => Promise<unknown>,
): Promise<Shot> {
  const scene = scenes.find((each) => each.name === name)
  if (scene === undefined) throw new Error(`no scene is called ${name}`)
  await using server = await startViewServer(scene.state, scene.style)
  const shots: Shot[] = []
  for (const colorScheme of themes) {
    const context = await browser.newContext({ ...sizes[width], colorScheme, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await openScene(page, server)
    await prepare?.(page)
    // A picture of more than the window would forget that this is a phone.
    const height = Number(await page.evaluate('document.documentElement.scrollHeight'))
    await page.setViewportSize({ width, height })
    shots.push({
      picture: readPicture(await page.screenshot({ animations: 'disabled', caret: 'hide' })),
      letters: await machineLetters(page),
    })
    await context.close()
  }
  // Light on the left, dark on the right on a phone; below each other on a desk.
  return joinShots(shots, width === 360 ? 'beside' : 'below')
}

/** Codes and addresses stand in whatever font of equal widths the machine has; the browser brings all other letters. */
function machineLetters(page: Page): Promise<readonly Place[]> {
  return page.evaluate(`[...document.querySelectorAll('#page *')]
    .filter((element) => /\\bmonospace$/.test(getComputedStyle(element).fontFamily))
    .map((element) => element.getBoundingClientRect())
    .map((box) => Object.fromEntries(
      ['x', 'y', 'width', 'height'].map((side) => [side, box[side] * devicePixelRatio])))`)
}

/** Opens the page with its clock standing still, so that a renewed picture differs only where the page does. */
export async function openScene(page: Page, server: ViewServer): Promise<void> {
  await page.clock.setFixedTime(new Date(server.state.now))
  await page.goto(server.url)
  if (server.state.panel?.method === 'CREDIT_CARD' && server.state.panel.frameUrl !== undefined)
    await page.locator('.frame[data-state="open"]').waitFor()
  await page.evaluate('document.fonts.ready.then(() => {})')
}
