// Which test files share a process. Most of what a small file costs is loading and compiling what it tests, which the next
// one in the same process finds done.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export type Batch = {
  /** What the process runs: the file itself, or a module that imports several, each as a suite with its path for a name. */
  readonly entry: string
  /** Paths from the repository's root. */
  readonly files: readonly string[]
}

/** They take long by themselves, or look at the whole process. */
const apart = [
  /^test\/(?:browser|docs|journeys)\//,
  /^src\/(?:cli\/roles|http\/wallets-csv|sandbox\/chain|signer\/serve|signer\/serve-kill)\.test\.ts$/,
  /^test\/laws\/network\.test\.ts$/,
]
const filesAtMost = { 'test/laws': 3, others: 8 } as const

/** Every file in a process of its own. */
export function alone(files: readonly string[], root: string): readonly Batch[] {
  return files.map((file) => ({ entry: join(root, file), files: [file] }))
}

/** Neighbours together. What the processes run is written to `folder`. */
export function together(files: readonly string[], root: string, folder: string): readonly Batch[] {
  const rooms = Map.groupBy(files, (file) =>
    apart.some((pattern) => pattern.test(file)) ? file : file.split('/').slice(0, 2).join('/'),
  )
  return [...rooms].flatMap(([room, all]) => {
    const most = room === 'test/laws' ? filesAtMost[room] : filesAtMost.others
    const count = Math.ceil(all.length / most)
    return Array.from({ length: count }, (_, nth) => {
      const some = all.filter((__, index) => index % count === nth)
      const [only = ''] = some
      if (some.length === 1) return { entry: join(root, only), files: some }
      const entry = join(folder, `${room.replaceAll('/', '-')}-${nth + 1}.mjs`)
      writeFileSync(entry, moduleOf(some, root))
      return { entry, files: some }
    })
  })
}

/**
 * Hooks of a file are those of its suite, so nothing of one file is left when the next one begins. They load one after the
 * other: of modules that load at once one may be evaluated on behalf of another, and its tests are in the other's suite then.
 * For the same reason each waits for a promise of its own, made in its own suite.
 */
function moduleOf(files: readonly string[], root: string): string {
  const urls = files.map((file) => [file, pathToFileURL(join(root, file)).href])
  return `import { suite } from 'node:test'

const turns = []
const next = () => turns.shift()?.()
for (const [file, url] of ${JSON.stringify(urls, null, 2)})
  suite(file, () => new Promise((go) => turns.push(go)).then(() => import(url)).finally(next))
next()
`
}
