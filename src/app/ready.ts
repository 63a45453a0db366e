// Whether a process is ready for requests, as /health/ready answers.
import type { Sql } from '#/db/client.ts'
import { missingMigrations } from '#/db/migrate.ts'
import { createDiskCheck, type DiskCheck } from '#/edge/disk.ts'
import type { Drain } from '#/edge/drain.ts'
import type { ReadinessCheck } from '#/http/deps.ts'
import { createFit, type OwnKeys, type WrongKey } from '#/rekey/fit.ts'

export type ReadinessDeps = {
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
