// The lock of the sandbox of a data directory: one process runs it. Others touch nothing there.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { acquireLock } from '#/db/embedded-process.ts'
import { StartError } from '#/db/failure.ts'

/**
 * Locks the sandbox of `dataDir`, which exists, for this process. Returns the function that releases it. Throws a StartError while
 * another living process holds it.
 */
export function holdSandbox(dataDir: string): () => void {
  const file = path.join(dataDir, 'start.lock')
  const holder = acquireLock(file)
  if (holder === undefined) return () => rmSync(file, { force: true })
  const remedy = 'Stop it first, or set VINTEM_DATA_DIR and PORT to run a second one beside it.'
  throw new StartError(
    `Vintem is already running with the data in ${dataDir} (process ${holder.pid}).`,
    remedy,
  )
}
