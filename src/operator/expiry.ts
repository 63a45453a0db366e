// When certificates of connections end, as far as this process can read them: those of credentials that send money out only a worker opens.
import type { Sql, Tx } from '#/db/client.ts'
import { given } from '#/kernel/given.ts'
import { certificatesOf, type ConnectionTypes } from './connections.ts'
import { selectConnectionPage, type ListedConnection } from './queries.ts'

type Opened = Pick<ConnectionTypes, 'opened'>

/** The end of the certificate of a connection that ends first. Undefined: it has none that can be read here. */
export function firstEnd({ opened }: Opened, { id }: Pick<ListedConnection, 'id'>): Date | undefined {
  const connection = opened(id)
  if (connection === undefined) return undefined
  const ends = certificatesOf(connection).flatMap(({ endsAt }) => (endsAt === undefined ? [] : [endsAt]))
  return ends.toSorted((one, other) => one.getTime() - other.getTime())[0]
}

export type Expiring = { readonly connection: ListedConnection; readonly endsAt: Date }

const pageRows = 100
/** The most connections that are scanned: reading a certificate takes a tenth of a millisecond. */
const scannedMax = 1_000

/** The connections in use with a certificate that ends before `before`, the earliest end first. `isWhole`: all connections were scanned. */
export async function expiringConnections(
  sql: Sql | Tx,
  types: Opened,
  before: Date,
): Promise<{ readonly expiring: readonly Expiring[]; readonly isWhole: boolean }> {
  const expiring: Expiring[] = []
  let after: string | undefined
  for (let scanned = 0; scanned < scannedMax; scanned += pageRows) {
    const page = await selectConnectionPage(sql, {
      ...given({ after }),
      limit: pageRows,
    })
    for (const connection of page) {
      const endsAt =
        connection.isActive && connection.archivedAt === null ? firstEnd(types, connection) : undefined
      if (endsAt !== undefined && endsAt < before) expiring.push({ connection, endsAt })
    }
    if (page.length < pageRows)
      return {
        expiring: expiring.toSorted((one, other) => one.endsAt.getTime() - other.endsAt.getTime()),
        isWhole: true,
      }
    after = page.at(-1)?.id
  }
  return { expiring, isWhole: false }
}
