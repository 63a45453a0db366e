// Wires the documentation site: built in a process beside the server, and read when it is there.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { readPackedFiles } from '#/edge/packed-file.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import type { DocsSite } from '#/reference/site.ts'
import type { DocsManifest } from '../../web/build-docs.ts'
import { buildBeside } from './build.ts'

const root = path.resolve(import.meta.dirname, '..', '..')

export type DocsSiteBuild = {
  /** The files that can be served now, or the state of the build. */
  readonly site: () => DocsSite
  /** Builds it where it is stale, and reads it. */
  readonly begin: () => void
  readonly close: () => Promise<void>
}

/** The site of a server. Until `begin` was called and the site was read, its state is that it is being built. */
export function openDocsSite(log: Log): DocsSiteBuild {
  let site: DocsSite = { state: 'building' }
  const building = new AbortController()
  let built: Promise<void> | undefined
  const begin = async () => {
    try {
      site = await build(building.signal)
    } catch (error) {
      site = { state: 'failed' }
      if (!building.signal.aborted)
        log.warn({ error: messageOf(error) }, 'the documentation site is not built')
    }
  }
  return {
    site: () => site,
    begin: () => {
      built ??= begin()
    },
    close: async () => {
      building.abort()
      await built
    },
  }
}

async function build(signal: AbortSignal): Promise<DocsSite> {
  const isStale = () => import('../../web/build-docs.ts').then(({ isDocsStale }) => isDocsStale(root))
  await buildBeside('docs', isStale, signal)
  const dist = path.join(root, 'web', 'dist-docs')
  const { files } = JSON.parse(await readFile(path.join(dist, 'manifest.json'), 'utf8')) as DocsManifest
  const screens = path.join(root, 'docs', 'screens')
  const [texts, pictures] = await Promise.all([
    readPackedFiles(path.join(dist, 'site'), files),
    readPackedFiles(screens, await readdir(screens)),
  ])
  const shown = [...pictures].map(([name, file]) => [`screens/${name}`, file] as const)
  return { state: 'built', files: new Map([...texts, ...shown]) }
}
