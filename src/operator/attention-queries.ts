// The SQL of what waits for an operator, for the first screen of the console: of each kind it counts up to a limit.
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'

export type Attention = {
  /** Requests of one person that another one decides. */
  readonly approvals: number
  readonly suspense: number
  readonly parked: number
  readonly typos: number
  /** Movements on bank accounts that have the name of another one. */
  readonly held: number
  /** Money on bank accounts in currencies that the books do not have. */
  readonly foreign: number
  /** Files of payments that nobody has taken. */
  readonly paymentFiles: number
  /** Withdrawals whose end a person has to find out. */
  readonly withdrawals: number
  /** Wallets of ours that send nothing more. */
  readonly wallets: number
}

export async function selectAttention(sql: Sql, most: number): Promise<Attention> {
  const [row] = await sql<Attention[]>`
    select (select count(*) from (select from operator_proposal where status = 'OPEN' limit ${most}) as each)::integer as approvals,
           (select count(*)
              from (select from unmatched where resolved_at is null and outcome = 'paid' and amount_minor > 0 limit ${most}) as each)::integer as suspense,
           (select count(*) from (select from inbox where parked limit ${most}) as each)::integer as parked,
           (select count(*) from (select from sepa_entry where kind = 'PROPOSED' limit ${most}) as each)::integer as typos,
           (select count(*) from (select from sepa_entry where kind = 'HELD' limit ${most}) as each)::integer as held,
           (select count(*) from (select from sepa_foreign where decided_at is null limit ${most}) as each)::integer as "foreign",
           (select count(*) from (select from sepa_batch where taken_at is null limit ${most}) as each)::integer as "paymentFiles",
           (select count(*) from (select from withdrawal where review_required limit ${most}) as each)::integer as withdrawals,
           (select count(*) from hot_wallet where stopped is not null)::integer as wallets`
  return must(row, 'counts are one row')
}
