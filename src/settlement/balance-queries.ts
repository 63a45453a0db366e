// The SQL that compares what providers hold with the books.
import { list, type Sql } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Currency } from '#/kernel/money.ts'

export type BookedBalance = {
  readonly mode: Mode
  readonly connection: ConnectionId
  readonly currency: Currency
  readonly minor: bigint
}

/** What providers hold for us by the books, for every connection that ever held something. */
export function selectBooked(sql: Sql): Promise<readonly BookedBalance[]> {
  return sql<BookedBalance[]>`
    select account.mode, split_part(account.name, ':', 2) as connection, account.currency, balance.minor
      from account
      join balance on balance.account_id = account.id
     where account.name like 'provider:%'
     order by account.mode, account.name`
}

export type UnderWay = {
  readonly connection: ConnectionId
  readonly currency: Currency
  readonly minor: bigint
  readonly count: number
}

/** Withdrawals and refunds that were sent or may have been, and whose end is not known, by connection. */
export function selectUnderWay(sql: Sql, connections: readonly ConnectionId[]): Promise<readonly UnderWay[]> {
  return sql<UnderWay[]>`
    select connection, currency, sum(amount_minor)::bigint as minor, count(*)::integer as count
      from (select connection, currency, amount_minor from withdrawal
             where status = 'PROCESSING' and connection = any (${list(connections)}::text[])
             union all
            select connection, currency, amount_minor from refund
             where status = 'PENDING' and connection = any (${list(connections)}::text[])) as leaving
     group by connection, currency`
}
