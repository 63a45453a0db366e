// A database that takes files of banks, and nothing else: accounts by their IBAN, and the signals that it would settle.
import { connect, type Sql, type Tx } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { ConnectionBook, ProviderConnection } from '#/rails/connection.ts'
import type { KeepSignals } from '#/rails/rail.ts'
import { importFile, type HandedIn, type Imported } from '#/rails/sepa/import.ts'
import { lockAccount } from '#/rails/sepa/statement-queries.ts'
import { testDatabase } from './postgres.ts'
import { notificationFile, statementFile, type Transfer } from './rails/sepa-files.ts'

export type SepaInbox = AsyncDisposable & {
  readonly sql: Sql
  readonly deps: { readonly sql: Sql; readonly connections: ConnectionBook; readonly keep: KeepSignals }
  /** Each call of the keeper: its signals. */
  readonly kept: readonly (readonly string[])[]
  /** Connects an account: its own IBAN, or this one. */
  connect(iban?: string): SepaAccount
  hand(bytes: Buffer, more?: Partial<HandedIn>): Promise<Imported>
}

export type SepaAccount = { readonly id: ConnectionId; readonly iban: string }

export async function openSepaInbox(): Promise<SepaInbox> {
  const database = await testDatabase()
  const sql = connect(database.ownerUrl, { max: 4 })
  const accounts: ProviderConnection[] = []
  const kept: string[][] = []
  const deps = {
    sql,
    connections: {
      of: () => [],
      find: (id: ConnectionId) => accounts.find((each) => each.id === id),
      all: () => accounts,
    },
    keep: async (...[, , , bodies]: Parameters<KeepSignals>) => {
      kept.push(bodies.map((body) => body.toString()))
    },
  }
  return {
    sql,
    deps,
    kept,
    connect(iban = `PT50${String(accounts.length).padStart(21, '0')}`) {
      const id = `bank-${accounts.length}` as ConnectionId
      const of = { mode: 'SANDBOX', method: 'SEPA_TRANSFER', provider: 'camt', secrets: {} } as const
      accounts.push({ ...of, id, settings: { iban } })
      return { id, iban }
    },
    hand: (bytes, more = {}) => importFile(deps, { bytes, name: 'a.xml', by: 'ana', ...more }),
    async [Symbol.asyncDispose]() {
      await sql.end({ timeout: 1 })
      await database[Symbol.asyncDispose]()
    },
  }
}

/** A database whose transactions are this one's. */
export function beginningBy(sql: Sql, begin: (work: (tx: Tx) => Promise<unknown>) => Promise<unknown>): Sql {
  return new Proxy(sql, {
    get: (of, name): unknown => (name === 'begin' ? begin : Reflect.get(of, name)),
  })
}

/** Whether another transaction holds the account now, as an import does until it ends. */
export async function isHeld(sql: Sql, { id }: Pick<SepaAccount, 'id'>): Promise<boolean> {
  try {
    await sql.begin(async (tx) => {
      await tx`set local lock_timeout = '1ms'`
      await lockAccount(tx, id)
    })
    return false
  } catch (error) {
    // PostgreSQL: lock_not_available.
    if (error instanceof Error && 'code' in error && error.code === '55P03') return true
    throw error
  }
}

export const [firstDay, secondDay, thirdDay] = ['2026-01-01', '2026-01-02', '2026-01-03'] as const

/** A statement of one day. */
export function statementOf(
  { iban }: SepaAccount,
  id: string,
  transfers: readonly Transfer[],
  { opening = 0, day = firstDay, closing }: { opening?: number; day?: string; closing?: number } = {},
): Buffer {
  const dated = transfers.map((each) => ({ day, ...each }))
  const base = { iban, id, opening, day, transfers: dated }
  return statementFile(closing === undefined ? base : { ...base, closing })
}

/** A notification of the first day. */
export function notificationOf({ iban }: SepaAccount, ...transfers: readonly Transfer[]): Buffer {
  return notificationFile({ iban, id: 'N', transfers: transfers.map((each) => ({ day: firstDay, ...each })) })
}

/** One file with the statements of all of these. */
export function inOneFile(...[first, ...more]: readonly [Buffer, ...Buffer[]]): Buffer {
  const statements = more.map((each) => /<Stmt>.*<\/Stmt>/s.exec(each.toString())?.[0] ?? '')
  return Buffer.from(first.toString().replace('</Stmt>', `</Stmt>${statements.join('')}`))
}
