// Which test files share a process, and in what order processes start. A small file spends most of its time loading and
// compiling modules, which the next file in the same process reuses. A journey spends it starting an installation or a browser.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export type Batch = {
  /** The module that the process runs: the file itself, or one that imports several files, each as a suite named by its path. */
  readonly entry: string
  /** Paths from the repository's root. */
  readonly files: readonly string[]
}

/**
 * The files of a group share an installation or a browser: see `test/share-in-process.ts`. Groups start in this order, and so do the files
 * of a group.
 * - `dashboard-first` needs the link that signs in, and hands its session on.
 * - `listen` and `crash` need a merchant without events.
 * - `sandbox-clock` moves the merchant's clock, and `usdt-payment` ends with a reset.
 */
const sharing: Readonly<Record<string, readonly string[]>> = {
  'journeys-money': [
    'journeys/card-payment',
    'journeys/partner-payment',
    'journeys/pix-payment',
    'journeys/withdrawal-pix',
    'journeys/withdrawal-usdt',
    'journeys/usdt-payment',
  ],
  'journeys-euro': ['journeys/local-payment', 'journeys/sepa-payment', 'journeys/keys-apart'],
  'journeys-away': ['journeys/crash', 'journeys/pix-away'],
  'journeys-tools': [
    'journeys/listen',
    'journeys/rehearse',
    'journeys/sandboxes',
    'journeys/trigger',
    'journeys/sdk',
    'journeys/medusa-provider',
    'journeys/mcp',
    'journeys/sandbox-clock',
  ],
  'browser-journeys': [
    'browser/dashboard-first',
    'browser/dashboard-finding',
    'browser/dashboard-templates',
    'browser/dashboard-drafts',
    'browser/dashboard-operator',
    'browser/dashboard-dispute',
    'browser/dashboard-factor',
  ],
  'browser-payers': [
    'browser/checkout-journey-guard',
    'browser/checkout-journey-pix',
    'browser/pay-card',
    'browser/pay-euro',
    'browser/pay-numbers',
    'browser/shop',
  ],
  'browser-every': ['browser/dashboard-every'],
  'browser-dashboard': [
    'browser/dashboard-developers',
    'browser/dashboard-money',
    'browser/dashboard-sepa',
    'browser/dashboard-shares',
    'browser/dashboard-modes',
    'browser/dashboard-navigation',
    'browser/dashboard-language',
    'browser/dashboard-shop',
    'browser/dashboard-new-payment',
    'browser/dashboard-dates',
    'browser/dashboard-layout',
    'browser/dashboard-setup',
  ],
  'browser-views': [
    'browser/kept-pictures',
    'browser/view-access',
    'browser/view-fit',
    'browser/view-markup',
  ],
  'browser-life': [
    'browser/checkout-frame',
    'browser/docs',
    'browser/reference',
    'browser/view-budget',
    'browser/view-bytes',
    'browser/view-items',
    'browser/view-live',
    'browser/welcome',
  ],
}
/** What `npm test` leaves to `npm run test:stories`: CONTRIBUTING.md says why. */
const stories: readonly RegExp[] = [
  /^test\/(?:browser|dashboard|docs|journeys|rails)\//,
  /^scripts\/(?:bundle-packages|install)\.test\.ts$/,
  /^src\/cli\/(?:audit|connection-reseal|connections|database-error|rekey|restored|roles|worker-key|wrong-keys)\.test\.ts$/,
  /^src\/(?:db\/(?:embedded|migrate-whole|primary)|sandbox\/(?:chain|chain-process)|signer\/serve|signer\/serve-kill|webhooks\/deliver-crash)\.test\.ts$/,
  /^simulators\/(?:[^/]+\/main|partner-wallet\/pay-page|pix-bank\/page)\.test\.ts$/,
  /^(?:contracts\/artifacts|test\/laws\/withdrawal-crash)\.test\.ts$/,
  /^test\/contract\/(?:events-wait|fuzz|keys|promises|rehearsals|rehearsals-run|sandbox-clock)\.test\.ts$/,
]
/** Folders whose files load nearly the same modules. */
const families: Readonly<Record<string, RegExp>> = {
  edge: /^src\/(?:checkout|db|edge|http|kernel|mail|reference|requests|webhooks)\//,
  line: /^src\/(?:audit|disputes|endpoints|explain|finding|insights|jobs|ledger|merchants|operator|operator-jobs|payments|people|refunds|rehearsals|sealing|settlement|templates|wallets|withdrawals)\//,
  rails: /^src\/(?:coins|evm|rails|treasury)\//,
  programs: /^src\/(?:cli|sandbox|signer)\//,
  simulators: /^simulators\//,
  rest: /^(?:contracts|examples|integrations|sdk|scripts|src\/[^/]+$|test\/(?:planted|size)\/)/,
}
/** These files are slow by themselves, or examine the whole process. */
const apart = [
  /^test\/(?:browser|docs|journeys)\//,
  /^src\/(?:cli\/roles|http\/wallets-csv|sandbox\/chain|signer\/serve|signer\/serve-kill)\.test\.ts$/,
  /^test\/laws\/network\.test\.ts$/,
  /^scripts\/(?:install|test-leftovers)\.test\.ts$/,
]
const maxFiles = { 'test/laws': 3, others: 20 } as const
/** What each file runs is recorded in this folder: see test/mutants/reach.ts. */
const reachFolder = process.env['VINTEM_REACH']
const isRecording = reachFolder !== undefined

/** Whether the file is a whole story that `npm test` leaves to `npm run test:stories`. */
export function isStory(file: string): boolean {
  return stories.some((pattern) => pattern.test(file))
}

/** Every file in a process of its own. Modules of processes are written to `folder`. */
export function alone(files: readonly string[], root: string, folder: string): readonly Batch[] {
  return files.map((file, nth) => batchOf([file], `alone-${nth + 1}`, root, folder))
}

/**
 * Groups files that are neighbours or share an installation or a browser, and writes the modules of the processes to `folder`.
 * Processes that mostly wait and processes that mostly compute start in turn.
 */
export function together(files: readonly string[], root: string, folder: string): readonly Batch[] {
  // Long ones first: if a long one started last, the other core would have no work.
  const rooms = [...Map.groupBy(files, roomOf)]
    .map(([room, all]) => [room, inOrder(room, all)] as const)
    .toSorted(([a], [b]) => rankOf(a) - rankOf(b))
  const begin = (waits: boolean) =>
    rooms.flatMap(([room, all]) => (isWaiting(all) === waits ? batchesOf(room, all, root, folder) : []))
  const [waiting, working] = [begin(true), begin(false)]
  const longest = Math.max(waiting.length, working.length)
  return Array.from({ length: longest }, (_, nth) => [waiting[nth], working[nth]])
    .flat()
    .filter((each) => each !== undefined)
}

function roomOf(file: string): string {
  const shared = Object.keys(sharing).find((group) => placeIn(group, file) >= 0)
  if (shared !== undefined) return shared
  if (apart.some((pattern) => pattern.test(file))) return file
  const family = Object.entries(families).find(([, pattern]) => pattern.test(file))
  return family === undefined ? file.split('/').slice(0, 2).join('/') : family[0]
}

/** The place of a file in a group that shares, from 0; -1 when it is not in it. */
function placeIn(group: string, file: string): number {
  return (sharing[group] ?? []).findIndex((name) => file === `test/${name}.test.ts`)
}

function inOrder(room: string, files: readonly string[]): readonly string[] {
  return room in sharing ? files.toSorted((a, b) => placeIn(room, a) - placeIn(room, b)) : files
}

/** Rooms of a low rank are slow, and start early. */
function rankOf(room: string): number {
  const groups = Object.keys(sharing)
  if (room in sharing) return groups.indexOf(room)
  return room.startsWith('test/laws') || room.endsWith('.test.ts') ? groups.length : groups.length + 1
}

/** Whether the files mostly wait: for pages, processes and clocks. */
function isWaiting(files: readonly string[]): boolean {
  return files.some((file) => /^test\/(?:browser|docs|journeys)\//.test(file))
}

function batchesOf(room: string, all: readonly string[], root: string, folder: string): readonly Batch[] {
  const most = room === 'test/laws' ? maxFiles[room] : room in sharing ? all.length : maxFiles.others
  const count = Math.ceil(all.length / most)
  return Array.from({ length: count }, (_, nth) => {
    const some = all.filter((__, index) => index % count === nth)
    return batchOf(some, `${room.replaceAll('/', '-')}-${nth + 1}`, root, folder)
  })
}

function batchOf(files: readonly string[], name: string, root: string, folder: string): Batch {
  const [only = ''] = files
  // In a suite the hooks of a file run before what the process shares is closed.
  const isSharing = Object.keys(sharing).some((group) => placeIn(group, only) >= 0)
  if (files.length === 1 && !isSharing && !isRecording) return { entry: join(root, only), files }
  const entry = join(folder, `${name}.mjs`)
  writeFileSync(entry, moduleOf(files, root))
  return { entry, files }
}

/**
 * Each file waits for a promise of its own, made in its own suite, and files load one after another. So each module is evaluated in the
 * suite of its file, its tests belong to that suite, and its hooks run before the next file starts. If modules were loaded at once, one
 * might be evaluated in another file's suite.
 */
export function moduleOf(files: readonly string[], root: string): string {
  const urlOf = (file: string) => pathToFileURL(join(root, file)).href
  const urls = files.map((file) => [file, urlOf(file)])
  return `import { suite${isRecording ? ', after' : ''} } from 'node:test'
import '${urlOf('test/share-in-process.ts')}'
${isRecording ? `import { recordReach } from '${urlOf('test/mutants/record-reach.ts')}'` : ''}
const turns = []
const next = () => turns.shift()?.()
for (const [file, url] of ${JSON.stringify(urls, null, 2)})
  suite(file, () => new Promise((go) => turns.push(go)).then(() => ${isRecording ? 'recorded(file, url)' : 'import(url)'}).finally(next))
next()
${isRecording ? recording : ''}`
}

/** The last hook of a file's suite. */
const recording = `
async function recorded(file, url) {
  const startedAt = performance.now()
  await import(url)
  after(() => recordReach(file, performance.now() - startedAt, ${JSON.stringify(reachFolder)}))
}
`
