// All SQL of the issuance log, and of the lost attempts that are recorded from it after a restore.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import { leastId } from '#/db/lists.ts'
import { rowsOf, valuesOf } from '#/db/rows.ts'
import type { Claim } from '#/jobs/claim.ts'
import { chosen, type DueTable, someDue } from '#/jobs/due-queries.ts'
import type { Slots } from '#/jobs/slots.ts'
import { must } from '#/kernel/check.ts'
import type { AttemptId, ConnectionId, Id, MerchantId, PaymentId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import type { Attempt } from '#/rails/attempt.ts'
import type { Method } from '#/rails/method.ts'
import type { Books, Issued } from './line.ts'

/** Undefined: there is no merchant yet, so nothing can have been given to a payer. */
export async function selectBooks(sql: Sql): Promise<Books | undefined> {
  const [row] = await sql<Books[]>`
    select head.cell, merchant.id as first from head cross join merchant order by merchant.id limit 1`
  return row
}

// ---- Lost attempts

/** The last restore: its number, the last instant that was restored, and when its repair began. */
export type LastRestore = { readonly epoch: number; readonly lastAt: Date; readonly at: Date }

export async function selectLastRestore(sql: Sql): Promise<LastRestore | undefined> {
  const [row] = await sql<LastRestore[]>`
    select number as epoch, last_at as "lastAt", at from epoch order by number desc limit 1`
  return row
}

/** Those of these attempts that the books have. `locals`: the methods of which a payment has one attempt, whatever its id. */
export async function selectInBooks(
  sql: Sql | Tx,
  attempts: readonly Attempt[],
  locals: readonly Method[],
): Promise<ReadonlySet<AttemptId>> {
  const rows = await sql<{ id: AttemptId }[]>`
    select wanted.id
      from ${rowsOf(sql, 'wanted', attempts, { merchant_id: 'uuid', id: 'uuid', payment_id: 'uuid', method: 'text' })}
     where exists (select from attempt where attempt.merchant_id = wanted.merchant_id and attempt.id = wanted.id)
        or (wanted.method = any (${list(locals)}::text[])
            and exists (select from attempt
                         where attempt.merchant_id = wanted.merchant_id and attempt.payment_id = wanted.payment_id
                           and attempt.method = wanted.method))`
  return new Set(rows.map(({ id }) => id))
}

export type Lost = Issued & { readonly epoch: number; readonly pageId: Id<'lost-page'> }

/** Inserts those that are not there. Returns the inserted attempts. */
export async function insertLost(tx: Tx, lost: readonly Lost[]): Promise<ReadonlySet<AttemptId>> {
  const attempts = lost.map(({ attempt, ...each }) => ({ ...attempt, ...each }))
  const rows = await tx<{ id: AttemptId }[]>`
    insert into lost_issuance ${valuesOf(tx, attempts, {
      merchant_id: 'uuid',
      attempt_id: ['uuid', (each) => each.id],
      payment_id: 'uuid',
      epoch: 'integer',
      method: 'text',
      connection: 'text',
      amount_minor: ['bigint', (each) => each.amount.minor],
      currency: ['text', (each) => each.amount.currency],
      name: 'text',
      issued_at: ['timestamptz', (each) => each.at],
      page_id: 'uuid',
    })}
    on conflict do nothing
    returning attempt_id as id`
  return new Set(rows.map(({ id }) => id))
}

/** Sets the names of lost attempts that have none. */
export async function nameLost(tx: Tx, issued: readonly Issued[]): Promise<void> {
  const named = issued.flatMap(({ attempt, name }) => (name === undefined ? [] : [{ ...attempt, name }]))
  if (named.length === 0) return
  await tx`
    update lost_issuance set name = named.name
      from ${rowsOf(tx, 'named', named, { merchant_id: 'uuid', id: 'uuid', name: 'text' })}
     where lost_issuance.merchant_id = named.merchant_id and lost_issuance.attempt_id = named.id
       and lost_issuance.name is null`
}

/** Schedules these attempts to be ended at their providers, once each, where the connection is known. */
export async function insertClosings(tx: Tx, attempts: readonly Attempt[]): Promise<void> {
  await tx`
    insert into lost_closing (merchant_id, attempt_id, connection, due_at)
    select wanted.merchant_id, wanted.id, connection.id, ${dueNow(tx)}
      from ${rowsOf(tx, 'wanted', attempts, { merchant_id: 'uuid', id: 'uuid', connection: 'text' })}
      join connection on connection.id = wanted.connection
        on conflict do nothing`
}

export type ClosingOutcome = 'CLOSED' | 'PAID' | 'GIVEN_UP'

export type LostRow = {
  readonly merchantId: MerchantId
  readonly paymentId: PaymentId
  readonly attemptId: AttemptId
  readonly epoch: number
  readonly method: Method
  readonly connection: ConnectionId
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly name: string | null
  readonly issuedAt: Date
  /** Null: it is not to be ended at a provider, or has not ended. */
  readonly outcome: ClosingOutcome | null
  /** How often its provider was queried; null: no provider has to end it. */
  readonly tries: number | null
  readonly said: string | null
}

/** A page of what was lost, in the order of merchants and attempts. */
export function selectLostPage(
  sql: Sql | Tx,
  after: Pick<LostRow, 'merchantId' | 'attemptId'> | undefined,
  limit: number,
): Promise<readonly LostRow[]> {
  return sql<LostRow[]>`
    select lost.merchant_id as "merchantId", lost.payment_id as "paymentId", lost.attempt_id as "attemptId", lost.epoch,
           lost.method, lost.connection, lost.amount_minor as "amountMinor", lost.currency, lost.name,
           lost.issued_at as "issuedAt", closing.outcome, closing.tries, closing.said
      from (select * from lost_issuance
             where (merchant_id, attempt_id) > (${after?.merchantId ?? leastId}::uuid, ${after?.attemptId ?? leastId}::uuid)
             order by merchant_id, attempt_id limit ${limit}) as lost
      left join lost_closing as closing using (merchant_id, attempt_id)
     order by lost.merchant_id, lost.attempt_id`
}

export type LostCount = {
  readonly lost: number
  readonly open: number
  readonly closed: number
  readonly paid: number
  readonly givenUp: number
}

/** How many lost attempts are recorded, and their results at their providers. */
export async function countLost(sql: Sql | Tx, epoch: number): Promise<LostCount> {
  const [row] = await sql<LostCount[]>`
    select count(*)::integer as lost,
           (count(*) filter (where closing.attempt_id is not null and outcome is null))::integer as open,
           (count(*) filter (where outcome = 'CLOSED'))::integer as closed,
           (count(*) filter (where outcome = 'PAID'))::integer as paid,
           (count(*) filter (where outcome = 'GIVEN_UP'))::integer as "givenUp"
      from lost_issuance as lost
      left join lost_closing as closing using (merchant_id, attempt_id)
     where lost.epoch = ${epoch}`
  return must(row, 'counts are one row')
}

// ---- Ended at their providers

const closingDue: DueTable = { name: 'lost_closing', isListed: (sql) => sql`due.ended_at is null` }

export const isClosingDue = someDue(closingDue)

export type DueClosing = {
  readonly attempt: Attempt
  readonly name: string | null
  readonly claim: Claim
}

/** Claims due closings for `leaseMs`. */
export async function claimClosings(
  sql: Sql | Tx,
  slots: Slots,
  leaseMs: number,
): Promise<readonly DueClosing[]> {
  type Row = LostRow & { readonly tries: number }
  const rows = await sql<Row[]>`
    with recursive ${chosen(sql, closingDue, slots)}, claimed as (
      update lost_closing
         set due_at = ${dueIn(sql, leaseMs)}, lease_until = ${dueIn(sql, leaseMs)}, tries = tries + 1
       where ctid = any (array(select ctid from chosen))
      returning merchant_id, attempt_id, tries
    )
    select lost.merchant_id as "merchantId", lost.payment_id as "paymentId", lost.attempt_id as "attemptId", lost.method,
           lost.connection, lost.amount_minor as "amountMinor", lost.currency, lost.name, claimed.tries
      from claimed
      join lost_issuance as lost using (merchant_id, attempt_id)`
  return rows.map(
    ({ merchantId, paymentId, attemptId: id, method, connection, amountMinor: minor, currency, ...row }) => ({
      attempt: { id, merchantId, paymentId, method, connection, amount: { minor, currency } },
      name: row.name,
      claim: { id, connection, number: row.tries },
    }),
  )
}

/** Tries again in `waitMs`. False when another worker has claimed it since. */
export async function postponeClosing(
  sql: Sql | Tx,
  { attempt: { merchantId, id }, claim }: DueClosing,
  waitMs: number,
): Promise<boolean> {
  const result = await sql`
    update lost_closing set due_at = ${dueIn(sql, waitMs)}
     where merchant_id = ${merchantId} and attempt_id = ${id} and tries = ${claim.number} and ended_at is null`
  return result.count === 1
}

/** Notes why a try did not end it. */
export async function writeSaid(
  sql: Sql | Tx,
  { attempt: { merchantId, id }, claim }: DueClosing,
  said: string,
): Promise<void> {
  await sql`
    update lost_closing set said = ${said}
     where merchant_id = ${merchantId} and attempt_id = ${id} and tries = ${claim.number} and ended_at is null`
}

/** Records the end. Changes nothing when another worker has claimed it since: that worker ends it. */
export async function endClosing(
  sql: Sql | Tx,
  { attempt: { merchantId, id }, claim }: DueClosing,
  outcome: ClosingOutcome,
): Promise<void> {
  await sql`
    update lost_closing
       set outcome = ${outcome}, ended_at = ${dueNow(sql)}, said = case when ${outcome} = 'GIVEN_UP' then said end
     where merchant_id = ${merchantId} and attempt_id = ${id} and tries = ${claim.number} and ended_at is null`
}
