// The books alone: a database, lanes to it, and a kind of work that posts any postings.
import assert from 'node:assert/strict'
import { cutAt, ledgerInspections } from '#/audit/ledger.ts'
import { connect, type Sql } from '#/db/client.ts'
import { inspectAll, type Report } from '#/db/inspection.ts'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import type { Currency } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import type { Posting, Refusal } from '#/ledger/apply.ts'
import { fees, provider, receivable, walletAvailable, type AccountSpec } from '#/ledger/chart.ts'
import { runnable, type RunnableKind } from '#/ledger/kind.ts'
import { createLedgerLane, type LedgerLane, type LedgerLaneOptions } from '#/ledger/post.ts'
import { announce } from '#/webhooks/announce.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { worldClock, type WorldClock } from './clock.ts'
import { testDatabase } from './postgres.ts'

export const cell = 't1'
export const auditKey = sha256('the audit key of tests')

/** A connection and a merchant for accounts that need one. */
const connection = 't1-019a0000-0000-7000-8000-000000000001'
const merchant = '019a0000-0000-7000-8000-000000000002'

/** Some accounts of every type: floored and not, of both sides. */
export const accounts = {
  bank: (currency: Currency = 'BRL') => provider('SANDBOX', connection, currency),
  wallet: (name: number | string, currency: Currency = 'BRL') =>
    walletAvailable('SANDBOX', idOf(name), currency),
  owed: (currency: Currency = 'BRL') => receivable('SANDBOX', merchant, currency),
  fees: (currency: Currency = 'BRL') => fees('SANDBOX', currency),
}

/** A UUID that contains its number. */
function idOf(name: number | string): string {
  return `019a0000-0000-7000-8000-${String(name).padStart(12, '0')}`
}

/** A posting; fields that are left out are new. */
export function posting(
  debit: AccountSpec,
  credit: AccountSpec,
  minor: bigint | number,
  more: Partial<Posting> = {},
): Posting {
  const cause = sha256('a cause')
  return {
    subject: newId(),
    step: '1',
    kind: 'TRANSFER',
    debit,
    credit,
    minor: BigInt(minor),
    cause,
    ...more,
  }
}

export type Move = {
  readonly postings: readonly Posting[]
  readonly events?: readonly EventDraft[]
  /** Runs inside the transaction, after everything was decided. */
  readonly during?: (
    tx: Parameters<RunnableKind<Move, MoveVerdict, EventDraft>['run']>[0]['tx'],
  ) => Promise<unknown>
  /** Thrown while this item is decided. */
  readonly failure?: Error
}
export type MoveVerdict = { readonly ok: true } | { readonly ok: false; readonly refusal: Refusal }

/** Posts each item's postings as one group. */
export const move: RunnableKind<Move, MoveVerdict, EventDraft> = runnable<
  Move,
  null,
  Move,
  MoveVerdict,
  EventDraft
>({
  name: 'move',
  async load({ books }, items) {
    const postings = items.flatMap((item) => item.postings)
    await books.load(
      postings.flatMap(({ debit, credit }) => [debit, credit]),
      postings.map(({ subject }) => subject),
    )
    return null
  },
  decide(_view, item, { books }) {
    if (item.failure !== undefined) throw item.failure
    const verdict = books.post(item.postings)
    if (!verdict.ok) return { verdict }
    return { verdict, change: item, ...given({ events: item.events }) }
  },
  async write({ tx }, changes) {
    for (const { during } of changes) await during?.(tx)
  },
})

export type Books = AsyncDisposable & {
  /** As the application. */
  readonly sql: Sql
  /** As the owner of the tables. */
  readonly owner: Sql
  readonly appUrl: string
  readonly ownerUrl: string
  readonly clock: WorldClock
  /** Opens a lane; it is closed with the books. */
  openLane(more?: Partial<LedgerLaneOptions<EventDraft>>): Promise<LedgerLane<EventDraft>>
  /** The report of the ledger's own inspections. */
  verify(): Promise<Report>
}

export async function openBooks(): Promise<Books> {
  const database = await testDatabase()
  const sql = connect(database.appUrl, { max: 4 })
  const owner = connect(database.ownerUrl, { max: 2, applicationName: 'owner' })
  const clock = await worldClock(database)
  const lanes: LedgerLane<EventDraft>[] = []
  return {
    sql,
    owner,
    appUrl: database.appUrl,
    ownerUrl: database.ownerUrl,
    clock,
    async openLane(more = {}) {
      const lane = await createLedgerLane<EventDraft>({
        openSql: () => connect(database.appUrl, { max: 1 }),
        cell,
        auditKey,
        announce,
        clock: clock.running,
        log: silentLog,
        ...more,
      })
      lanes.push(lane)
      return lane
    },
    verify: async () => inspectAll(ledgerInspections(auditKey), { sql, cell, upTo: await cutAt(sql, cell) }),
    async [Symbol.asyncDispose]() {
      await Promise.all(lanes.map((lane) => lane.close()))
      await Promise.all([sql.end({ timeout: 1 }), owner.end({ timeout: 1 })])
      await database[Symbol.asyncDispose]()
    },
  }
}

/** Money from the bank to a wallet. */
export function deposit(name: number, minor: number, more: Partial<Move> = {}): Move {
  return { postings: [posting(accounts.bank(), accounts.wallet(name), minor)], ...more }
}

/** The number of transfers with the subject. */
export async function transfersOf({ sql }: Books, subject: string): Promise<number> {
  return (await sql`select from transfer where subject = ${subject}`).count
}

export const subjectOf = (item: Move): string => item.postings[0]?.subject ?? ''

/** Undefined while the wallet has no account. */
export async function balanceOf({ sql }: Books, name: number): Promise<bigint | undefined> {
  const [row] = await sql<{ minor: bigint }[]>`
    select balance.minor from account join balance on account_id = id where name = ${accounts.wallet(name).name}`
  return row?.minor
}

export async function assertSound(books: Books): Promise<void> {
  const { faults } = await books.verify()
  assert.deepEqual(faults, [])
}

export const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'unavailable'
