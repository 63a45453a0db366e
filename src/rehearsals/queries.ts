// The SQL of rehearsals.
import type { Sql, Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import { newestIds } from '#/db/lists.ts'
import type { Claim } from '#/jobs/claim.ts'
import { chosen, type DueTable, someDue } from '#/jobs/due-queries.ts'
import type { Slots } from '#/jobs/slots.ts'
import type { MerchantId } from '#/kernel/id.ts'
import {
  endOf,
  skipRest,
  timeOver,
  type CaseResult,
  type Rehearsal,
  type RehearsalId,
  type RehearsalStatus,
} from './rehearsal.ts'

export type RehearsalKey = { readonly merchantId: MerchantId; readonly id: RehearsalId }

export type NewRehearsal = Pick<Rehearsal, 'merchantId' | 'id' | 'url' | 'stateUrl' | 'seed' | 'cases'>

/** Rehearsals that a worker goes on with. */
const rehearsalDue: DueTable = {
  name: 'rehearsal',
  isListed: (sql) => sql`due.status = 'RUNNING'`,
}

export const isRehearsalDue = someDue(rehearsalDue)

/** Stores it as RUNNING and due now. False while another one of the merchant is RUNNING. */
export async function insertRehearsal(
  tx: Tx,
  rehearsal: NewRehearsal,
  { longestMs }: { readonly longestMs: number },
): Promise<boolean> {
  const { merchantId, id, url, stateUrl, seed, cases } = rehearsal
  const result = await tx`
    insert into rehearsal (merchant_id, id, status, url, state_url, seed, cases, created_at, last_at, connection, due_at)
    values (${merchantId}, ${id}, 'RUNNING', ${url}, ${stateUrl}, ${seed}, ${JSON.stringify(cases)}::text::json,
            ${dueNow(tx)}, ${dueIn(tx, longestMs)}, ${merchantId}, ${dueNow(tx)})
        on conflict (merchant_id) where status = 'RUNNING' do nothing`
  return result.count === 1
}

/** Deletes all but the newest `kept` of a merchant. */
export async function deleteOldRehearsals(tx: Tx, merchantId: MerchantId, kept: number): Promise<void> {
  await tx`
    delete from rehearsal
     where merchant_id = ${merchantId} and status <> 'RUNNING'
       and id <= (select id from rehearsal where merchant_id = ${merchantId} order by id desc offset ${kept} limit 1)`
}

type Row = Omit<Rehearsal, 'seed'> & {
  readonly seed: bigint
  readonly isOver: boolean
  readonly lastAt: Date
}

/** One whose time is over has ended, although no worker has written it yet. */
function toRehearsal({ isOver, lastAt, ...rehearsal }: Row): Rehearsal {
  const shown = { ...rehearsal, seed: Number(rehearsal.seed) }
  if (rehearsal.status !== 'RUNNING' || !isOver) return shown
  const cases = skipRest(rehearsal.cases, timeOver)
  return { ...shown, cases, status: endOf(cases), endedAt: lastAt }
}

export async function selectRehearsal(
  sql: Sql | Tx,
  { merchantId, id }: RehearsalKey,
): Promise<Rehearsal | undefined> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)} from rehearsal where merchant_id = ${merchantId} and id = ${id}`
  return row === undefined ? undefined : toRehearsal(row)
}

/** The merchant's rehearsal that is stored as RUNNING, locked: its status here is another one when its time is over. */
export async function lockRunning(tx: Tx, merchantId: MerchantId): Promise<Rehearsal | undefined> {
  const [row] = await tx<Row[]>`
    select ${columns(tx)} from rehearsal where merchant_id = ${merchantId} and status = 'RUNNING' for update`
  return row === undefined ? undefined : toRehearsal(row)
}

/** One page of a merchant's rehearsals, newest first. */
export async function listRehearsals(
  sql: Sql,
  merchantId: MerchantId,
  page: { readonly before?: RehearsalId; readonly limit: number },
): Promise<readonly Rehearsal[]> {
  const { limit } = page
  const ids = newestIds(sql, 'rehearsal', { merchantId, kinds: [], span: page, within: sql``, limit })
  const rows = await sql<Row[]>`
    select ${columns(sql)}
      from (${ids}) as page
      join rehearsal using (id)
     where merchant_id = ${merchantId}
     order by id desc`
  return rows.map(toRehearsal)
}

/** Ends one that is RUNNING. `claim`: only while no other worker has claimed it since. */
export async function endRehearsal(
  sql: Sql | Tx,
  { merchantId, id }: RehearsalKey,
  end: {
    readonly status: Exclude<RehearsalStatus, 'RUNNING'>
    readonly cases?: readonly CaseResult[]
    readonly claim?: Claim
  },
): Promise<boolean> {
  const { status, cases, claim } = end
  const { count } = await sql`
    update rehearsal
       set status = ${status}, ended_at = ${dueNow(sql)}
           ${cases === undefined ? sql`` : sql`, cases = ${JSON.stringify(cases)}::text::json`}
     where merchant_id = ${merchantId} and id = ${id} and status = 'RUNNING'
           ${claim === undefined ? sql`` : sql`and takes = ${claim.number}`}`
  return count > 0
}

export type DueRehearsal = { readonly rehearsal: Rehearsal; readonly claim: Claim }

/** Claims due rehearsals for `leaseMs`. */
export async function claimRehearsals(
  sql: Sql,
  slots: Slots,
  leaseMs: number,
): Promise<readonly DueRehearsal[]> {
  const rows = await sql<(Row & { readonly takes: number; readonly lane: string })[]>`
    with recursive ${chosen(sql, rehearsalDue, slots)}
    update rehearsal
       set due_at = ${dueIn(sql, leaseMs)}, takes = takes + 1
     where ctid = any (array(select ctid from chosen))
    returning ${columns(sql)}, takes, connection as lane`
  return rows.map(({ takes, lane, isOver: _isOver, lastAt: _lastAt, ...rehearsal }) => ({
    rehearsal: { ...rehearsal, seed: Number(rehearsal.seed) },
    claim: { id: rehearsal.id, connection: lane, number: takes },
  }))
}

/**
 * Prolongs a claim. `lost`: it was canceled, or another worker has claimed it since. `over`: the time of the rehearsal is over.
 * `cases`: the results so far, stored with it.
 */
export async function renewRehearsal(
  sql: Sql,
  { rehearsal: { merchantId, id }, claim }: DueRehearsal,
  leaseMs: number,
  cases?: readonly CaseResult[],
): Promise<'ours' | 'over' | 'lost'> {
  const [row] = await sql<{ isOver: boolean }[]>`
    update rehearsal
       set due_at = ${dueIn(sql, leaseMs)}
           ${cases === undefined ? sql`` : sql`, cases = ${JSON.stringify(cases)}::text::json`}
     where merchant_id = ${merchantId} and id = ${id} and status = 'RUNNING' and takes = ${claim.number}
    returning last_at <= ${dueNow(sql)} as "isOver"`
  if (row === undefined) return 'lost'
  return row.isOver ? 'over' : 'ours'
}

/** Makes it due in `waitMs`. False when it has ended, or another worker has claimed it since. */
export async function postponeRehearsal(
  sql: Sql,
  { rehearsal: { merchantId, id }, claim }: DueRehearsal,
  waitMs: number,
): Promise<boolean> {
  const result = await sql`
    update rehearsal set due_at = ${dueIn(sql, waitMs)}
     where merchant_id = ${merchantId} and id = ${id} and status = 'RUNNING' and takes = ${claim.number}`
  return result.count === 1
}

function columns(sql: Sql | Tx) {
  return sql`merchant_id as "merchantId", id, status, url, state_url as "stateUrl", seed, cases, created_at as "createdAt",
             ended_at as "endedAt", last_at as "lastAt", last_at <= ${dueNow(sql)} as "isOver"`
}
