// Which test files share a process, and in what order processes begin. Most of what a small file costs is loading and compiling
// what it tests, which the next one in the same process finds done; a journey's is the start of an installation or a browser.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export type Batch = {
  /** What the process runs: the file itself, or a module that imports several, each as a suite with its path for a name. */
  readonly entry: string
  /** Paths from the repository's root. */
  readonly files: readonly string[]
}

/** These use one installation, or one browser, after another: see `test/share-in-process.ts`. They begin in this order. */
const sharing: Readonly<Record<string, RegExp>> = {
  'journeys-out': /^test\/journeys\/(?:keys-apart|partner-payment|withdrawal-pix|withdrawal-usdt)\.test\.ts$/,
  'browser-journeys': /^test\/browser\/(?:checkout-journey-(?:guard|pix)|pay-card|pay-numbers)\.test\.ts$/,
  'journeys-in': /^test\/journeys\/(?:card|pix)-payment\.test\.ts$/,
  'browser-looks': /^test\/browser\/(?:kept-pictures|view-(?:fit|look|markup))\.test\.ts$/,
  'journeys-away': /^test\/journeys\/(?:crypto-rail|pix-away)\.test\.ts$/,
  'browser-life': /^test\/browser\/(?:checkout-frame|view-(?:budget|bytes|live)|welcome)\.test\.ts$/,
}
/** Rooms whose files load nearly the same modules. */
const families: Readonly<Record<string, RegExp>> = {
  edge: /^src\/(?:checkout|db|edge|http|kernel|webhooks)\//,
  line: /^src\/(?:audit|disputes|jobs|ledger|merchants|payments|people|refunds|settlement|templates|wallets|withdrawals)\//,
  rails: /^src\/(?:coins|evm|rails|treasury)\//,
  programs: /^src\/(?:cli|sandbox|signer)\//,
  simulators: /^simulators\//,
  rest: /^(?:contracts|scripts|src\/[^/]+$|test\/(?:planted|size)\/)/,
}
/** They take long by themselves, or look at the whole process. */
const apart = [
  /^test\/(?:browser|docs|journeys)\//,
  /^src\/(?:cli\/roles|http\/wallets-csv|sandbox\/chain|signer\/serve|signer\/serve-kill)\.test\.ts$/,
  /^test\/laws\/network\.test\.ts$/,
  /^scripts\/(?:install|test-leftovers)\.test\.ts$/,
]
const filesAtMost = { 'test/laws': 3, others: 20 } as const

/** Every file in a process of its own. */
export function alone(files: readonly string[], root: string): readonly Batch[] {
  return files.map((file) => ({ entry: join(root, file), files: [file] }))
}

/**
 * Neighbours together, and those that use the same thing. What the processes run is written to `folder`. Those that wait more
 * than they work, and those that work more than they wait, begin in turn.
 */
export function together(files: readonly string[], root: string, folder: string): readonly Batch[] {
  // Long ones first: what begins late is to be short, or two cores wait for one process.
  const rooms = [...Map.groupBy(files, roomOf)].toSorted(([a], [b]) => rankOf(a) - rankOf(b))
  const begin = (waits: boolean) =>
    rooms.flatMap(([room, all]) => (isWaiting(all) === waits ? batchesOf(room, all, root, folder) : []))
  const [waiting, working] = [begin(true), begin(false)]
  const longest = Math.max(waiting.length, working.length)
  return Array.from({ length: longest }, (_, nth) => [waiting[nth], working[nth]])
    .flat()
    .filter((each) => each !== undefined)
}

function roomOf(file: string): string {
  const shared = Object.entries(sharing).find(([, pattern]) => pattern.test(file))
  if (shared !== undefined) return shared[0]
  if (apart.some((pattern) => pattern.test(file))) return file
  const family = Object.entries(families).find(([, pattern]) => pattern.test(file))
  return family === undefined ? file.split('/').slice(0, 2).join('/') : family[0]
}

/** A room of a low rank takes long, and begins early. */
function rankOf(room: string): number {
  const groups = Object.keys(sharing)
  if (room in sharing) return groups.indexOf(room)
  return room.startsWith('test/laws') || room.endsWith('.test.ts') ? groups.length : groups.length + 1
}

/** For pages, processes and clocks. */
function isWaiting(files: readonly string[]): boolean {
  return files.some((file) => /^test\/(?:browser|docs|journeys)\//.test(file))
}

function batchesOf(room: string, all: readonly string[], root: string, folder: string): readonly Batch[] {
  const most = room === 'test/laws' ? filesAtMost[room] : room in sharing ? all.length : filesAtMost.others
  const count = Math.ceil(all.length / most)
  return Array.from({ length: count }, (_, nth) => {
    const some = all.filter((__, index) => index % count === nth)
    const [only = ''] = some
    if (some.length === 1) return { entry: join(root, only), files: some }
    const entry = join(folder, `${room.replaceAll('/', '-')}-${nth + 1}.mjs`)
    writeFileSync(entry, moduleOf(some, root))
    return { entry, files: some }
  })
}

/**
 * Hooks of a file are those of its suite, so nothing of one file is left when the next one begins. They load one after the
 * other: of modules that load at once one may be evaluated on behalf of another, and its tests are in the other's suite then.
 * For the same reason each waits for a promise of its own, made in its own suite.
 */
function moduleOf(files: readonly string[], root: string): string {
  const urlOf = (file: string) => pathToFileURL(join(root, file)).href
  const urls = files.map((file) => [file, urlOf(file)])
  return `import { suite } from 'node:test'
import '${urlOf('test/share-in-process.ts')}'

const turns = []
const next = () => turns.shift()?.()
for (const [file, url] of ${JSON.stringify(urls, null, 2)})
  suite(file, () => new Promise((go) => turns.push(go)).then(() => import(url)).finally(next))
next()
`
}
