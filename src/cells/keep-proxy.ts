// Keeps the files of an HAProxy equal to the state of the directory.
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { monotonicMs, secondMs, sleep } from '#/kernel/time.ts'
import { listCells, type Directory } from './directory.ts'
import { proxyFiles, type ProxySites } from './proxy-config.ts'
import { applyFiles, type ProxyPlace, type Taken } from './proxy.ts'

type Deps = {
  readonly directory: Pick<Directory, 'sql'>
  readonly sites: ProxySites
  readonly place: ProxyPlace
}

/** How often the directory is read: a change is in force within a second. */
const readMs = secondMs / 4
/** How often HAProxy is queried whether it has the files, also when nothing changed: it may have been started meanwhile. */
const askMs = 5 * secondMs
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
    return monotonicMs() - last.atMs >= (last.taken === 'REFUSED' ? refusedMs : askMs)
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
