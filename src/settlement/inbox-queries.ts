// All SQL of the inbox: raw signals that wait until their receipts are in the ledger.
import { list, pack, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow, type IsDue } from '#/db/due.ts'
import type { Claim } from '#/jobs/claim.ts'
import { chosen, type DueTable, someDue } from '#/jobs/due-queries.ts'
import type { Slots } from '#/jobs/slots.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Method } from '#/rails/method.ts'

export type InboxRow = {
  readonly id: bigint
  readonly method: Method
  readonly connection: ConnectionId
  readonly body: Buffer
  readonly receivedAt: Date
  readonly tries: number
  readonly claim: Claim
  /** By the database's clock. */
  readonly claimedAt: Date
}

export type NewSignal = {
  readonly method: Method
  readonly connection: ConnectionId
  readonly body: Buffer
  /** Many signals of the same kind came at the same time: it waits behind signals that came alone. */
  readonly isCrowded?: boolean
  /** How much later it is due. Default: at once. */
  readonly waitMs?: number
}

/** Keeps raw signals. */
export async function insertSignals(
  tx: Sql | Tx,
  signals: readonly NewSignal[],
  receivedAt: Date,
): Promise<void> {
  const bodies = pack(signals.map((each) => each.body))
  await tx`
    insert into inbox (method, connection, body, crowded, received_at, due_at)
    select method, connection, substring(${bodies.bytes}::bytea from start for length), crowded, ${receivedAt}::timestamptz,
           ${dueNow(tx)} + wait_ms * interval '1 millisecond'
      from unnest(${list(signals.map((each) => each.method))}::text[], ${list(signals.map((each) => each.connection))}::text[],
                  ${bodies.starts}::integer[], ${bodies.lengths}::integer[],
                  ${list(signals.map((each) => each.isCrowded === true))}::boolean[],
                  ${list(signals.map((each) => each.waitMs ?? 0))}::integer[])
           as new (method, connection, start, length, crowded, wait_ms)`
}

/**
 * Deletes crowded signals whose bodies, as JSON, contain one of these, because a later signal replaces them. Only signals that
 * are not due yet and that no worker has claimed: there may be very many due ones.
 */
export async function withdrawSignals(
  tx: Tx,
  connection: ConnectionId,
  containing: readonly Readonly<Record<string, string>>[],
): Promise<void> {
  await tx`
    delete from inbox
     where connection = ${connection} and not parked and crowded and takes = 0 and due_at > ${dueNow(tx)}
       and convert_from(body, 'UTF8')::jsonb @> any (${list(containing.map((each) => JSON.stringify(each)))}::text[]::jsonb[])`
}

/**
 * Signals that are neither parked nor crowded; `crowdedInbox` has the crowded ones. A claimed signal keeps its place in the
 * index and is skipped while its lease holds. There are never more claimed signals than workers have slots.
 */
const inbox: DueTable = {
  name: 'inbox',
  isListed: (sql) => sql`(not due.parked and not due.crowded)`,
  isClaimable: (sql) => sql`due.lease_until <= ${dueNow(sql)}`,
  tie: 'id',
}
const crowdedInbox: DueTable = { ...inbox, isListed: (sql) => sql`(not due.parked and due.crowded)` }

/** Of the signals that one worker claims. */
export function isSignalDue(isCrowded: boolean): IsDue {
  return someDue(isCrowded ? crowdedInbox : inbox)
}

/**
 * Claims due signals for `leaseMs`, in the order of their arrival. If the worker dies, another worker claims them after the
 * lease. Crowded signals are claimed separately, so that neither group waits for the other.
 */
export async function claimSignals(
  sql: Sql,
  slots: Slots,
  { leaseMs, isCrowded }: { readonly leaseMs: number; readonly isCrowded: boolean },
): Promise<readonly InboxRow[]> {
  const rows = await sql<(Omit<InboxRow, 'claim'> & { readonly takes: number })[]>`
    with recursive ${chosen(sql, isCrowded ? crowdedInbox : inbox, slots)}, claimed as (
      update inbox
         set lease_until = ${dueIn(sql, leaseMs)}, tries = tries + 1, takes = takes + 1
       where ctid = any (array(select ctid from chosen))
      returning id, method, connection, body, received_at as "receivedAt", tries, takes,
                ${dueNow(sql)} as "claimedAt"
    )
    select * from claimed order by id`
  return rows.map(({ takes, ...row }) => ({
    ...row,
    claim: { id: String(row.id), connection: row.connection, number: takes },
  }))
}

/** A signal that could not be settled: due again in `waitMs`, or parked for a person. False when another worker has claimed it since. */
export async function postponeSignal(
  sql: Sql,
  { id, claim }: Pick<InboxRow, 'id' | 'claim'>,
  outcome: {
    readonly tries: number
    readonly waitMs: number
    readonly parked: boolean
    readonly error: string
  },
): Promise<boolean> {
  const result = await sql`
    update inbox
       set tries = ${outcome.tries}, due_at = ${dueIn(sql, outcome.waitMs)}, lease_until = ${dueNow(sql)},
           parked = ${outcome.parked}, last_error = ${outcome.error}
     where id = ${id} and takes = ${claim.number}`
  return result.count === 1
}

export async function deleteSignals(sql: Sql | Tx, ids: readonly bigint[]): Promise<void> {
  if (ids.length > 0) await sql`delete from inbox where id = any (${list(ids)}::bigint[])`
}

// The SQL of parked signals: list them, try them again, drop them.

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
