// Unix sockets that only one process can hold: for serving, and as the lock of a folder. The system releases such a lock when its
// holder is killed.
import { randomBytes } from 'node:crypto'
import { chmodSync, linkSync, lstatSync, renameSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { isCode } from './private-files.ts'
import { SignerStartError } from './start-error.ts'

/** The shortest of the systems' limits is 104, and the name for moving a stale socket aside must fit too. */
const pathMax = 90

/**
 * Makes `server` listen at `path` with this mode. Replaces a socket that a killed process left there; throws
 * SignerStartError when a process listens on it.
 */
export async function listenAt(server: Server, path: string, mode: number): Promise<void> {
  if (Buffer.byteLength(path) > pathMax)
    throw new SignerStartError(`${path} is too long for a socket.`, `Use at most ${pathMax} bytes.`)
  for (;;) {
    if (await bind(server, path, mode)) return
    if (!isSocket(path)) continue
    if (await isAnswered(path))
      throw new SignerStartError(
        `A signer already runs at ${path}.`,
        'Stop it first: one journal has one signer.',
      )
    await removeStale(path)
  }
}

/** Keeps every other process from claiming `path` until this one ends or releases it. */
export async function claim(path: string): Promise<{ release(): Promise<void> }> {
  const server = createServer((socket) => void socket.destroy())
  await listenAt(server, path, 0o600)
  return { release: () => new Promise((resolve) => void server.close(() => resolve())) }
}

/** Returns false when there is something at the path already. */
function bind(server: Server, path: string, mode: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error) => {
      server.off('listening', done)
      if (isCode(error, 'EADDRINUSE')) resolve(false)
      else reject(error)
    }
    const done = () => {
      server.off('error', failed)
      chmodSync(path, mode)
      resolve(true)
    }
    server.once('error', failed)
    server.once('listening', done)
    // The socket is made within this call, so it never has another mode.
    const before = process.umask(0o777 & ~mode)
    try {
      server.listen(path)
    } finally {
      process.umask(before)
    }
  })
}

function isSocket(path: string): boolean {
  const about = lstatSync(path, { throwIfNoEntry: false })
  if (about !== undefined && !about.isSocket())
    throw new SignerStartError(`${path} is not a socket.`, 'Move it away, or name another path.')
  return about !== undefined
}

/** Another process may do the same at the same moment: only a socket without a listening process is removed. */
async function removeStale(path: string): Promise<void> {
  const aside = `${path}.${randomBytes(4).toString('hex')}`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return
    throw error
  }
  if (await isAnswered(aside)) {
    try {
      linkSync(aside, path)
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
    }
  }
  rmSync(aside, { force: true })
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path)
    probe.once('connect', () => {
      probe.destroy()
      resolve(true)
    })
    // Any other error, such as a full queue, comes from a living process.
    probe.once('error', (error) => resolve(!isCode(error, 'ECONNREFUSED') && !isCode(error, 'ENOENT')))
  })
}
