// Files and folders that only their owner may access. What others could have read or replaced is not used.
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { SignerStartError } from './start-error.ts'

/** Creates the folder (0700) if it is missing. Throws SignerStartError when others may enter it or it is another user's. */
export function preparePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const about = lstatSync(path)
  if (!about.isDirectory()) throw new SignerStartError(`${path} is not a folder.`, 'Move it away.')
  checkOwner(path, about.uid)
  if ((about.mode & 0o077) !== 0)
    throw new SignerStartError(`Others may enter ${path}.`, `Check who did, then: chmod 700 ${path}`)
}

/** The bytes of a private file (0600 or less). Throws SignerStartError when it is missing or others may read or write it. */
export function readPrivateFile(path: string): Buffer {
  if (!existsSync(path))
    throw new SignerStartError(`${path} is not there.`, 'Make it, or restore it from a backup.')
  const about = lstatSync(path)
  if (!about.isFile()) throw new SignerStartError(`${path} is not an ordinary file.`, 'Put a file there.')
  checkOwner(path, about.uid)
  if ((about.mode & 0o077) !== 0)
    throw new SignerStartError(`Others may read or write ${path}.`, `Check who did, then: chmod 600 ${path}`)
  return readFileSync(path)
}

/** A secret in a private file, without the line break at its end. At least 16 bytes. The caller wipes it. */
export function readSecretFile(path: string): Buffer {
  const content = readPrivateFile(path)
  let end = content.length
  while (end > 0 && (content[end - 1] === 0x0a || content[end - 1] === 0x0d)) end -= 1
  if (end < 16)
    throw new SignerStartError(`${path} holds less than 16 bytes.`, 'Fill it with: openssl rand -hex 32')
  const secret = Buffer.alloc(end)
  content.copy(secret, 0, 0, end)
  content.fill(0)
  return secret
}

/**
 * Writes a private file atomically and durably: after a crash or a power cut it exists whole or not at all.
 * Returns false and changes nothing where it exists and `replace` is not set.
 */
export function writePrivateFile(
  path: string,
  content: Buffer | string,
  options: { replace: boolean },
): boolean {
  const draft = `${path}.${randomBytes(6).toString('hex')}.new`
  const file = openSync(draft, 'wx', 0o600)
  try {
    fchmodSync(file, 0o600)
    const whole = Buffer.from(content)
    for (let done = 0; done < whole.length;) done += writeSync(file, whole, done)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  try {
    if (options.replace) renameSync(draft, path)
    else linkSync(draft, path)
    syncFolder(dirname(path))
    return true
  } catch (error) {
    if (!options.replace && isCode(error, 'EEXIST')) return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Whether a system call failed with this code, such as ENOENT. */
export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

function checkOwner(path: string, uid: number): void {
  if (process.getuid !== undefined && uid !== process.getuid())
    throw new SignerStartError(
      `${path} belongs to another user.`,
      'Run the signer as the owner of its files.',
    )
}
