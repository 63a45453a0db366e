// What `listen` keeps between two runs, for each merchant and URL: the last event that is done, and the secret that it made. The file
// is written whole or not at all, and one process at a time uses it.
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { acquireLock } from '#/db/embedded-process.ts'
import { given } from '#/kernel/given.ts'
import { sha256 } from '#/kernel/secret.ts'
import { UsageError } from './command.ts'

export type Place = {
  /** Undefined at the first run. */
  readonly cursor: () => number | undefined
  /** The secret that an earlier run made. */
  readonly secret: () => string | undefined
  save(kept: { readonly cursor: number; readonly secret?: string }): Promise<void>
  release(): Promise<void>
}

type Kept = {
  readonly url: string
  readonly merchantId: string
  readonly cursor: number
  readonly secret?: string
}

/** Takes the place for this process. Throws while another one has it. */
export async function takePlace(
  dataDir: string,
  { apiUrl, merchantId, url }: { readonly apiUrl: string; readonly merchantId: string; readonly url: string },
): Promise<Place> {
  const folder = path.join(dataDir, 'listen')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const name = sha256(JSON.stringify([apiUrl, merchantId, url]))
    .toString('hex')
    .slice(0, 20)
  const file = path.join(folder, `${name}.json`)
  const lock = path.join(folder, `${name}.lock`)
  const holder = acquireLock(lock)
  if (holder !== undefined)
    throw new UsageError(`Process ${holder.pid} already forwards these events to ${url}.`, 'Stop it first.')
  const text = await readFile(file, 'utf8').catch(() => undefined)
  let kept = text === undefined ? undefined : (JSON.parse(text) as Kept)
  return {
    cursor: () => kept?.cursor,
    secret: () => kept?.secret,
    async save({ cursor, secret }) {
      kept = { url, merchantId, cursor, ...given({ secret }) }
      await writeFile(`${file}.new`, `${JSON.stringify(kept)}\n`, { mode: 0o600 })
      await rename(`${file}.new`, file)
    },
    release: () => rm(lock, { force: true }),
  }
}
