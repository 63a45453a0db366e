// Shared by the builds of pages. A build is made again only when a source has changed, and a new build replaces the old one as a whole.
import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packFile } from '../src/checkout/compression.ts'

/** The pages have to be built, and Vite is not installed. */
export class NoBuilder extends Error {
  override name = 'NoBuilder'
}

export type Build = {
  /** The folder of the result, from the root. */
  readonly place: string
  /** The files and folders that it is made of, from the root. */
  readonly sources: readonly string[]
  /** The packages whose other version makes another result. */
  readonly makers: readonly string[]
  /** Writes the result into the folder, which does not exist yet. */
  readonly make: (folder: string) => Promise<void>
}

/** How often to try to replace the present build: each try fails only when another process replaces it at that moment. */
const triesMax = 20

/**
 * Makes the build unless it exists and matches the present sources. It replaces the folder as a whole, so that processes that start at the
 * same time never read half a build; a process that serves the build reads it once.
 */
export async function buildIfStale(root: string, build: Build): Promise<void> {
  const expected = await fingerprint(root, build)
  const place = join(root, build.place)
  if ((await builtFrom(place)) === expected) return
  await removeAbandoned(join(root, 'web'))
  const fresh = join(root, 'web', `dist-${randomUUID()}`)
  try {
    await build.make(fresh)
    await writeFile(join(fresh, 'built-from'), expected)
    await putInPlace(place, fresh, expected)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

/** Whether the build is not there, or its sources have changed since. */
export async function isStale(root: string, build: Omit<Build, 'make'>): Promise<boolean> {
  return (await builtFrom(join(root, build.place))) !== (await fingerprint(root, build))
}

/** Vite, which is imported only where it is needed: it takes a while to load. Throws NoBuilder where it is not installed, as in production. */
export function loadVite() {
  return import('vite').catch((cause: unknown) => {
    throw new NoBuilder('Vite is not installed', { cause })
  })
}

/** Compresses each file with brotli and gzip in advance, so that no request waits for that. */
export async function packAll(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const { br, gzip } = packFile(await readFile(join(folder, name)))
    await writeFile(join(folder, `${name}.br`), br)
    await writeFile(join(folder, `${name}.gz`), gzip)
  }
}

/** A build that was killed leaves its folder, which nobody reads. No build takes an hour. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/^dist-[0-9a-f]{8}-[0-9a-f-]+(?:-old)?$/.test(name)) continue
    const path = join(folder, name)
    const { mtimeMs = Date.now() } = (await stat(path).catch(() => undefined)) ?? {}
    if (Date.now() - mtimeMs > 3_600_000) await rm(path, { recursive: true, force: true })
  }
}

async function fingerprint(root: string, { sources, makers }: Omit<Build, 'make'>): Promise<string> {
  const hash = createHash('sha256')
  // As package.json pins them: the build tools are not installed where the pages are only served.
  const { dependencies, devDependencies } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  ) as Readonly<Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>>
  const pinned = { ...dependencies, ...devDependencies }
  for (const maker of makers) hash.update(`${maker} ${pinned[maker] ?? ''}\n`)
  for (const source of sources) {
    for (const path of await filesUnder(root, source)) {
      const text = await readFile(join(root, path))
      hash.update(`${path} ${text.length}\n`).update(text)
    }
  }
  return hash.digest('hex')
}

/** The file itself, or the files below the folder, in a fixed order. */
async function filesUnder(root: string, path: string): Promise<readonly string[]> {
  if (path.includes('.')) return [path]
  const entries = await readdir(join(root, path), { withFileTypes: true })
  const found: string[] = []
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isFile()) found.push(`${path}/${entry.name}`)
    else found.push(...(await filesUnder(root, `${path}/${entry.name}`)))
  }
  return found
}

function builtFrom(place: string): Promise<string | undefined> {
  return readFile(join(place, 'built-from'), 'utf8').catch(() => undefined)
}

/** Another process may have put a build in place before or between these steps: that build is as good. */
async function putInPlace(place: string, fresh: string, expected: string): Promise<void> {
  const old = `${fresh}-old`
  for (let tries = 1; (await builtFrom(place)) !== expected; tries += 1) {
    await rename(place, old).catch(() => undefined)
    try {
      return await rename(fresh, place)
    } catch (error) {
      if (tries === triesMax) throw error
    } finally {
      await rm(old, { recursive: true, force: true })
    }
  }
}
