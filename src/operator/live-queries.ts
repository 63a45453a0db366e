// Whether an installation has real money.
import type { Sql, Tx } from '#/db/client.ts'

/** Whether there is a LIVE merchant, or a LIVE connection. */
export async function selectHasLive(sql: Sql | Tx): Promise<boolean> {
  const [row] = await sql<{ hasLive: boolean }[]>`
    select exists (select from merchant where mode = 'LIVE') or exists (select from connection where mode = 'LIVE') as "hasLive"`
  return row?.hasLive !== false
}

/**
 * Whether the installation is a sandbox as a whole: VINTEM_SANDBOX is on, and nothing is LIVE. Whoever starts it is its operator and the owner of
 * its merchant, and no money is real. What two people or a second factor protect elsewhere asks here, and never who somebody is.
 */
export async function isSandboxAsWhole(
  sql: Sql | Tx,
  { isSandboxHere = false }: { readonly isSandboxHere?: boolean },
): Promise<boolean> {
  return isSandboxHere && !(await selectHasLive(sql))
}
