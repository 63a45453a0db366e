// Whether a process is ready for requests, as /health/ready answers.
import { mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Sql } from '#/db/client.ts'
import { missingMigrations } from '#/db/migrate.ts'
import type { Drain } from '#/edge/drain.ts'
import type { ReadinessCheck } from '#/http/deps.ts'
import { messageOf } from '#/kernel/error.ts'
import { monotonicMs, secondMs } from '#/kernel/time.ts'
import { createFit, type OwnKeys, type WrongKey } from '#/rekey/fit.ts'

type ReadinessDeps = {
  readonly sql: Sql
  readonly drain: Drain
  /** The key of this process that is not the database's. */
  readonly fit: () => Promise<WrongKey | undefined>
  readonly disk: DiskCheck
}

/**
 * Whether the database answers and has this release's tables, whether this process has its keys and can write to its disk, and whether
 * everything else works that the process needs. While the process ends nothing else is checked, so that a load balancer gets its answer at
 * once.
 */
export async function readinessOf(
  { sql, drain, fit, disk }: ReadinessDeps,
  more: () => Promise<readonly ReadinessCheck[]>,
): Promise<readonly ReadinessCheck[]> {
  if (drain.isDraining())
    return [{ name: 'end', ok: false, reason: 'It is ending: send requests elsewhere.' }]
  const [missing, wrong, full, others] = await Promise.all([
    missingMigrations(sql).catch(() => undefined),
    // Without the database nothing is known of the keys, and that is said once.
    fit().catch(() => undefined),
    disk(),
    more(),
  ])
  return [
    { name: 'database', ok: missing !== undefined },
    { name: 'migrations', ok: missing?.length === 0 },
    { name: 'keys', ok: wrong === undefined, ...(wrong && { reason: `${wrong.name} ${wrong.why}.` }) },
    { name: 'disk', ok: full === undefined, ...(full && { reason: full }) },
    ...others,
  ]
}

/** Whether this process has the keys of its database, and can write to its disk. */
export function standingOf(
  { sql, ...keys }: OwnKeys & { readonly sql: Sql },
  { cell, folders }: { readonly cell: string; readonly folders: readonly string[] },
) {
  const fit = createFit(sql, cell, keys)
  return {
    fit,
    isFit: async () => (await fit()) === undefined,
    disk: createDiskCheck(folders.filter((each) => each !== '')),
  }
}

// Whether this process can write where it has to: its data directory, and the folder of the issuance log. A full disk lets most requests
// work until one of them has to write.

/** Why something cannot be written in one of the folders; undefined: it can, in all of them. */
type DiskCheck = () => Promise<string | undefined>

/** For so long an answer is used again, so that no caller of /health/ready can keep the disk busy. */
const freshMs = 2 * secondMs
/** A block: a full disk may still have room for the rest of one. */
const block = Buffer.alloc(4_096, 0x2e)

/** Writes a block in each folder, and removes it again. */
function createDiskCheck(folders: readonly string[]): DiskCheck {
  let last: { readonly atMs: number; readonly answer: Promise<string | undefined> } | undefined
  return () => {
    if (last === undefined || monotonicMs() - last.atMs > freshMs)
      last = { atMs: monotonicMs(), answer: faultOf(folders) }
    return last.answer
  }
}

async function faultOf(folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const fault = await write(folder).catch((error: unknown) => messageOf(error))
    if (fault !== undefined) return `${folder} cannot be written: ${fault}`
  }
  return undefined
}

async function write(folder: string): Promise<undefined> {
  const file = path.join(folder, 'write-test')
  await mkdir(folder, { recursive: true })
  const handle = await open(file, 'w', 0o600)
  try {
    await handle.writeFile(block)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rm(file, { force: true })
}
