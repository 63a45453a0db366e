// Keys that a sandbox makes for itself, each in a file that only its owner may read.
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isCode } from '#/db/embedded-process.ts'
import { invariant, must } from '#/kernel/check.ts'

/** The 32-byte key stored as `name` in the data directory; created at the first call. */
export async function keepKey(dataDir: string, name: string): Promise<Buffer> {
  const folder = path.join(dataDir, 'keys')
  const file = path.join(folder, name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Exclusive: of two first starts at once one creates the key and both read it.
  await writeFile(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' }).catch(
    ignoreExisting,
  )
  return must(await keptKey(dataDir, name), `${file} was written`)
}

/** The key stored as `name` in the data directory; undefined when no start has created it. */
export async function keptKey(dataDir: string, name: string): Promise<Buffer | undefined> {
  const file = path.join(dataDir, 'keys', name)
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  })
  if (text === undefined) return undefined
  const key = Buffer.from(text.trim(), 'hex')
  invariant(key.length === 32, `${file} does not hold a key of 32 bytes`)
  return key
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
