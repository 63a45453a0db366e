// Puts the configuration of HAProxy into its folder, and makes a running HAProxy use it. The file is replaced in one step, and
// the maps of each state are in a folder of their own, so that a HAProxy that starts at any moment reads files that belong
// together.
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { minuteMs, monotonicMs, secondMs, sleep, type Clock } from '#/kernel/time.ts'
import { listCells, type Directory } from './directory.ts'
import { type ProxyFiles, proxyFiles, type ProxySites } from './proxy-config.ts'

/** The result of new files. `ABSENT`: no HAProxy runs here, and it reads them at its start. */
export type Taken = 'TAKEN' | 'REFUSED' | 'ABSENT'

export type ProxyPlace = {
  readonly folder: string
  /** The socket of HAProxy's master process, given to it with `-S`. */
  readonly socket: string
  readonly clock: Clock
}

const configurationName = 'haproxy.cfg'
/** A new worker is there after a tenth of a second; a machine that does other things may need longer. */
const takeoverMs = 20 * secondMs
const askMs = 2 * secondMs
/** No process needs longer than this to write the files or to start with them. */
const leftMs = 10 * minuteMs
const pollMs = 25

/**
 * Writes the files and reloads HAProxy, if one of the two does not have this state yet. Open connections stay with the worker
 * that has them. When HAProxy refuses the files, the previous files are restored and it continues as before.
 */
export async function applyFiles(place: ProxyPlace, files: ProxyFiles): Promise<Taken> {
  const path = join(place.folder, configurationName)
  const before = await readFile(path, 'utf8').catch(() => undefined)
  if (before !== files.configuration) await writeFiles(place, files)
  const taken = await reload(place, files.id)
  if (taken === 'REFUSED' && before !== undefined) await replaceFile(path, before)
  if (taken !== 'REFUSED') await removeOthers(place, files)
  return taken
}

async function writeFiles({ folder }: ProxyPlace, { id, maps, configuration }: ProxyFiles): Promise<void> {
  const mapFolder = join(folder, `maps-${id}`)
  await mkdir(mapFolder, { recursive: true })
  for (const [name, text] of Object.entries(maps)) await replaceFile(join(mapFolder, `${name}.map`), text)
  await replaceFile(join(folder, configurationName), configuration)
}

/** A reader gets either all of the old text or all of the new one. */
async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.draft`
  await writeFile(draft, text, { flush: true, mode: 0o640 })
  await rename(draft, path)
}

/**
 * Removes maps of earlier states, which nobody reads any more, and drafts of a process that was killed. Another process may be
 * writing newer ones.
 */
async function removeOthers({ folder, clock }: ProxyPlace, { id }: ProxyFiles): Promise<void> {
  const others = (await readdir(folder)).filter(
    (name) => (/^maps-[0-9a-f]{16}$/.test(name) && name !== `maps-${id}`) || name.endsWith('.draft'),
  )
  for (const name of others) {
    const path = join(folder, name)
    const changedMs = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Infinity,
    )
    if (clock.now().getTime() - changedMs > leftMs) await rm(path, { recursive: true, force: true })
  }
}

async function reload({ socket }: ProxyPlace, id: string): Promise<Taken> {
  const state = await stateOf(socket)
  if (state === undefined) return 'ABSENT'
  if (state.running === id) return 'TAKEN'
  // The master ends all connections when it reloads, this one too.
  await ask(socket, 'reload').catch(() => '')
  const endMs = monotonicMs() + takeoverMs
  while (monotonicMs() < endMs) {
    const now = await stateOf(socket)
    if (now?.running === id) return 'TAKEN'
    if (now !== undefined && now.failures > state.failures) return 'REFUSED'
    await sleep(pollMs)
  }
  return 'REFUSED'
}

/** The state whose files the present worker read, and how many reloads failed. Undefined: no master answers. */
async function stateOf(
  socket: string,
): Promise<{ readonly running: string | undefined; readonly failures: number } | undefined> {
  try {
    const processes = await ask(socket, 'show proc')
    const info = await ask(socket, '@1 show info')
    return {
      running: /^description: vintem-([0-9a-f]{16})$/m.exec(info)?.[1],
      failures: Number(/\[failed: (\d+)\]/.exec(processes)?.[1] ?? 0),
    }
  } catch {
    return undefined
  }
}

/** Queries HAProxy's master (management guide, "Master CLI"). Rejects when it cannot be reached. */
function ask(socket: string, command: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const connection = createConnection(socket)
  let answer = ''
  connection.setEncoding('utf8')
  connection.setTimeout(askMs, () => connection.destroy(new Error('HAProxy does not answer')))
  connection.on('error', reject)
  connection.on('data', (part: string) => (answer += part))
  connection.on('close', () => resolve(answer))
  connection.end(`${command}\n`)
  return promise
}

// Keeps the files of an HAProxy equal to the state of the directory.

type Deps = {
  readonly directory: Pick<Directory, 'sql'>
  readonly sites: ProxySites
  readonly place: ProxyPlace
}

/** How often the directory is read: a change is in force within a second. */
const readMs = secondMs / 4
/** How often HAProxy is queried whether it has the files, also when nothing changed: it may have been started meanwhile. */
const askAgainMs = 5 * secondMs
/** How often files that HAProxy refused are tried again: the certificate may exist by then. */
const refusedMs = 30 * secondMs

/**
 * Writes the state of the directory to the files and makes HAProxy use them. Reads the directory again afterwards, so that of
 * two changes at once the earlier does not overwrite the later. Undefined: there is no cell yet, and nothing is written.
 */
export async function bringUp({ directory, sites, place }: Deps): Promise<Taken | undefined> {
  const read = async () => {
    const cells = await listCells(directory)
    return cells.length === 0 ? undefined : proxyFiles(cells, sites)
  }
  for (let files = await read(); ;) {
    if (files === undefined) return undefined
    const taken = await applyFiles(place, files)
    const next = await read()
    if (next?.id === files.id) return taken
    files = next
  }
}

/** Applies every change until the signal. While the directory cannot be read, HAProxy continues as before. */
export async function keepProxy(
  deps: Deps & { readonly log: Log; readonly onChange?: (id: string, taken: Taken) => void },
  signal: AbortSignal,
): Promise<void> {
  let last: { readonly id: string; readonly taken: Taken; readonly atMs: number } | undefined
  const isDue = (id: string) => {
    if (last?.id !== id) return true
    return monotonicMs() - last.atMs >= (last.taken === 'REFUSED' ? refusedMs : askAgainMs)
  }
  while (!signal.aborted) {
    try {
      const cells = await listCells(deps.directory)
      const files = cells.length === 0 ? undefined : proxyFiles(cells, deps.sites)
      if (files !== undefined && isDue(files.id)) {
        const taken = await applyFiles(deps.place, files)
        if (taken === 'REFUSED')
          deps.log.error({ files: files.id }, 'HAProxy refused its configuration: its own log says why')
        if (last?.id !== files.id || last.taken !== taken) deps.onChange?.(files.id, taken)
        last = { id: files.id, taken, atMs: monotonicMs() }
      }
    } catch (error) {
      deps.log.error(
        { error: messageOf(error) },
        'the state of the directory of cells cannot be given to HAProxy',
      )
    }
    await sleep(readMs, signal)
  }
}
