// Two cells in two schemas beside each other, and what has to hold for both.
import assert from 'node:assert/strict'
import { connect } from '#/db/client.ts'
import { StartError } from '#/db/failure.ts'
import { migrate } from '#/db/migrate.ts'
import { silentLog } from '#/kernel/log.ts'
import { createLedgerLane } from '#/ledger/post.ts'
import { announce } from '#/webhooks/announce.ts'
import { accounts, auditKey, deposit, move } from './books.ts'

const { wallet } = accounts

/** The same database, with `schema` in place of the usual one. */
function inSchema(url: string, schema: string): string {
  const cellUrl = new URL(url)
  cellUrl.searchParams.set('search_path', schema)
  return cellUrl.href
}

export type Place = {
  /** Of the tables. */
  readonly ownerUrl: string
  /** Of the application's role. */
  readonly appUrl: string
}

export type Cell = Awaited<ReturnType<typeof openCell>>

/** A new cell in a schema of its own. */
export async function makeCell(place: Place, cell: string): Promise<Place> {
  const sql = connect(place.ownerUrl, { max: 1 })
  try {
    await sql`create schema ${sql(cell)}`
  } finally {
    await sql.end({ timeout: 1 })
  }
  const [ownerUrl, appUrl] = [inSchema(place.ownerUrl, cell), inSchema(place.appUrl, cell)]
  await migrate(ownerUrl, { appRole: decodeURIComponent(new URL(appUrl).username) })
  return { ownerUrl, appUrl }
}

/** Connections to a cell. `code`: what its processes call it. */
export async function openCell({ ownerUrl, appUrl }: Place, code: string) {
  const [owner, sql] = [connect(ownerUrl, { max: 1 }), connect(appUrl, { max: 2 })]
  const openSql = () => connect(appUrl, { max: 1 })
  const openLane = (name = code) =>
    createLedgerLane({ openSql, cell: name, auditKey, announce, log: silentLog })
  const standing = async () => {
    const [head] = await sql<{ batch: bigint }[]>`select batch from head`
    const [held] = await sql<{ minor: bigint }[]>`
      select minor from balance join account on account.id = balance.account_id where account.name = ${wallet(1).name}`
    return { batch: head?.batch ?? 0n, minor: held?.minor ?? 0n }
  }
  return {
    code,
    owner,
    sql,
    openLane,
    standing,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([owner.end({ timeout: 1 }), sql.end({ timeout: 1 })])
    },
  }
}

/** What holds for two cells, whatever was written in them before. */
export async function holdsForBoth(first: Cell, second: Cell): Promise<void> {
  const before = [await first.standing(), await second.standing()] as const
  const [one, two] = [await first.openLane(), await second.openLane()]
  await Promise.all([one.submit(move, deposit(1, 100)), two.submit(move, deposit(1, 7))])
  await one.submit(move, deposit(1, 1))
  // A batch of one cell waits for no other cell.
  await second.sql.begin(async (tx) => {
    await tx`select from head for update`
    await tx`select from turn for update`
    await one.submit(move, deposit(2, 5))
  })
  for (const [cell, was, batches, minor] of [
    [first, before[0], 3n, 101n],
    [second, before[1], 1n, 7n],
  ] as const) {
    assert.deepEqual(await cell.standing(), { batch: was.batch + batches, minor: was.minor + minor })
    assert.deepEqual([...(await cell.sql`select cell from head`)], [{ cell: cell.code }])
    for (const table of ['entry', 'transfer', 'batch']) {
      const statement = `delete from ${table}`
      await assert.rejects(cell.sql.unsafe(statement), /permission denied/, `${statement}, the application`)
      await assert.rejects(
        cell.owner.unsafe(statement),
        /append-only|never|change/,
        `${statement}, the owner`,
      )
    }
  }
  await assert.rejects(first.openLane(second.code), StartError)
  await Promise.all([one.close(), two.close()])
}
