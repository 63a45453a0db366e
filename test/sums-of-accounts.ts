// Sums of accounts by their names.
import type { Sql } from '#/db/client.ts'

/** Returns the sum of all accounts whose name fits, in minor units. */
export async function sumsOfAccounts(sql: Sql): Promise<(name: RegExp) => bigint> {
  const rows = await sql<{ name: string; minor: bigint }[]>`
    select name, minor from account join balance on account_id = id`
  return (pattern) =>
    rows.filter(({ name }) => pattern.test(name)).reduce((total, { minor }) => total + minor, 0n)
}
