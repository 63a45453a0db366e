// The SQL of parked signals: list them, try them again, drop them.
import type { Sql, Tx } from '#/db/client.ts'
import { dueNow } from '#/db/due.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Method } from '#/rails/method.ts'

export type ParkedSignal = {
  readonly id: bigint
  readonly method: Method
  readonly connection: ConnectionId
  readonly receivedAt: Date
  readonly tries: number
  readonly lastError: string | null
  readonly body: Buffer
}

function columns(sql: Tx) {
  return sql`id, method, connection, received_at as "receivedAt", tries, last_error as "lastError", body`
}

/** In the order of their arrival. */
export function selectParked(sql: Sql): Promise<readonly ParkedSignal[]> {
  return sql<ParkedSignal[]>`select ${columns(sql)} from inbox where parked order by id`
}

/** One page, in the order of their arrival. `after`: the last one of the page before. */
export function selectParkedPage(
  sql: Sql,
  page: { readonly after?: bigint; readonly limit: number },
): Promise<readonly ParkedSignal[]> {
  return sql<ParkedSignal[]>`
    select ${columns(sql)}
      from inbox
     where parked ${page.after === undefined ? sql`` : sql`and id > ${page.after}`}
     order by id
     limit ${page.limit}`
}

/** Makes the signal due now, with all its tries. False when no such signal is parked. */
export async function retryParked(sql: Tx, id: bigint): Promise<boolean> {
  const result = await sql`
    update inbox set parked = false, tries = 0, due_at = ${dueNow(sql)} where id = ${id} and parked`
  return result.count === 1
}

/** Returns the dropped signal; undefined when no such signal is parked. */
export async function dropParked(sql: Tx, id: bigint): Promise<ParkedSignal | undefined> {
  const [row] = await sql<
    ParkedSignal[]
  >`delete from inbox where id = ${id} and parked returning ${columns(sql)}`
  return row
}
