// Whether a process is ready for requests, as /health/ready answers.
import type { Sql } from './db/client.ts'
import { missingMigrations } from './db/migrate.ts'
import type { Drain } from './edge/drain.ts'
import type { ReadinessCheck } from './http/deps.ts'

/**
 * Whether the database answers and has this release's tables, and whether everything else works that the process needs. While the process
 * ends nothing else is checked, so that a load balancer gets its answer at once.
 */
export async function readinessOf(
  { sql, drain }: { readonly sql: Sql; readonly drain: Drain },
  more: () => Promise<readonly ReadinessCheck[]>,
): Promise<readonly ReadinessCheck[]> {
  if (drain.isDraining())
    return [{ name: 'end', ok: false, reason: 'It is ending: send requests elsewhere.' }]
  const [missing, others] = await Promise.all([missingMigrations(sql).catch(() => undefined), more()])
  return [
    { name: 'database', ok: missing !== undefined },
    { name: 'migrations', ok: missing?.length === 0 },
    ...others,
  ]
}
