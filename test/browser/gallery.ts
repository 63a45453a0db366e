// Pictures of every scene: light beside dark, on a phone and on a desktop; and the first picture of README. All are written to a folder for
// review; those that README and docs show are kept in the tree.
import { globSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { startBrowser } from './chromium.ts'
import { coverName, shootCover } from './cover.ts'
import { scenes } from './gallery-states.ts'
import { compare, joinShots, readPicture, writePicture, type Place, type Shot } from './picture.ts'
import { openScene, startViewServer } from './view-server.ts'

const root = join(import.meta.dirname, '..', '..')
/** Not part of the tree. */
export const galleryFolder = join(root, 'dist', 'gallery')
/** The pictures that documents show. */
export const keptFolder = join(root, 'docs', 'screens')

/** A phone has touch and no hover: by that the page recognises that the payer's apps are on this device. */
const sizes = {
  360: { viewport: { width: 360, height: 740 }, deviceScaleFactor: 1.5, isMobile: true, hasTouch: true },
  1280: { viewport: { width: 1280, height: 760 } },
} as const satisfies Record<number, BrowserContextOptions>
type Width = keyof typeof sizes

const themes = ['light', 'dark'] as const

/** More different pixels are a change. A short word that moves by 8 px changes about 300; softer letters change none. */
const changedPixels = 150

/** One picture: a scene at one width, or the first picture of README. Its file is named after what it has of both. */
export type Pictured =
  | { readonly name: string; readonly width: Width }
  | { readonly name: typeof coverName; readonly width?: never }

/** All possible pictures. */
export function allPictured(): readonly Pictured[] {
  return [
    { name: coverName },
    ...scenes.flatMap(({ name }) => widthsOf(name).map((width) => ({ name, width }))),
  ]
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
 * Writes the pictures of all scenes with `part` in their name to the gallery's folder, and renews the kept ones that have
 * changed. Returns the number of written pictures and the renewed files.
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

/** Writes a page with all pictures in the gallery's folder. */
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
  return width === undefined ? `${name}.png` : `${name}-${width}.png`
}

/**
 * Compares a shot with the kept picture of that name. Returns a sentence that names a picture of the difference, which is
 * written to `folder`; undefined without a visible change.
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

/** Other languages are pictured only where space is small. */
function widthsOf(name: string): readonly Width[] {
  return /^(?:en|es)-/.test(name) ? [360] : [360, 1280]
}

/** `prepare`: called with the page of a scene before the shot. */
export async function shoot(
  browser: Browser,
  { name, width }: Pictured,
  prepare?: (page: Page) => Promise<unknown>,
): Promise<Shot> {
  if (width === undefined) return shootCover(browser)
  const scene = scenes.find((each) => each.name === name)
  if (scene === undefined) throw new Error(`no scene is called ${name}`)
  await using server = await startViewServer(scene.state, scene.style)
  const shots: Shot[] = []
  for (const colorScheme of themes) {
    const context = await browser.newContext({ ...sizes[width], colorScheme, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await openScene(page, server)
    await prepare?.(page)
    // A full-page screenshot would lose the phone's emulation, so the window gets the page's height.
    const height = Number(await page.evaluate('document.documentElement.scrollHeight'))
    await page.setViewportSize({ width, height })
    shots.push({
      picture: readPicture(await page.screenshot({ animations: 'disabled', caret: 'hide' })),
      letters: await machineLetters(page),
    })
    await context.close()
  }
  // On a phone light is left and dark is right; on a desktop dark is below light.
  return joinShots(shots, width === 360 ? 'beside' : 'below')
}

/** Codes and addresses use the machine's own monospace font; the browser brings the font of all other text. */
function machineLetters(page: Page): Promise<readonly Place[]> {
  return page.evaluate(`[...document.querySelectorAll('#page *')]
    .filter((element) => /\\bmonospace$/.test(getComputedStyle(element).fontFamily))
    .map((element) => element.getBoundingClientRect())
    .map((box) => Object.fromEntries(
      ['x', 'y', 'width', 'height'].map((side) => [side, box[side] * devicePixelRatio])))`)
}
