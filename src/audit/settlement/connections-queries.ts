// The SQL of the inspection of connections.
import type { Sql } from '#/db/client.ts'

export type ConnectionRow = {
  readonly id: string
  readonly mode: string
  readonly merchantId: string | null
  /** Null when there is no such merchant. */
  readonly merchantMode: string | null
}

export function selectConnections(
  sql: Sql,
  after: ConnectionRow | undefined,
  limit: number,
): Promise<readonly ConnectionRow[]> {
  return sql<ConnectionRow[]>`
    select connection.id, connection.mode, connection.merchant_id as "merchantId", merchant.mode as "merchantMode"
      from connection
      left join merchant on merchant.id = connection.merchant_id
     where connection.id > ${after?.id ?? ''}
     order by connection.id
     limit ${limit}`
}

export type PassRow = { readonly connection: string; readonly pass: string; readonly isConnected: boolean }

/** The next page of reconciliation passes, with whether the connection of each exists. */
export function selectPasses(
  sql: Sql,
  after: PassRow | undefined,
  limit: number,
): Promise<readonly PassRow[]> {
  const { connection = '', pass = '' } = after ?? {}
  return sql<PassRow[]>`
    select reconciliation.connection, reconciliation.look as pass, connection.id is not null as "isConnected"
      from reconciliation
      left join connection on connection.id = reconciliation.connection
     where (reconciliation.connection, reconciliation.look) > (${connection}, ${pass})
     order by reconciliation.connection, reconciliation.look
     limit ${limit}`
}
