// All SQL of attempts: what each payment tried, what its provider gave, and which providers are still to be told of an end.
import type { Attempt, Method, PaymentRef } from '#/rails/words.ts'
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import { chosen, type DueTable } from '#/jobs/due-queries.ts'
import type { Slots } from '#/jobs/slots.ts'
import type { Claim } from '#/jobs/claim.ts'
import type { AttemptId, ConnectionId, MerchantId, PaymentId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import type { OpenedAttempt } from '#/rails/rail.ts'

export async function insertAttempts(
  tx: Tx,
  attempts: readonly Attempt[],
  createdAt: readonly Date[],
): Promise<void> {
  await tx`
    insert into attempt (merchant_id, id, payment_id, method, connection, amount_minor, currency, created_at)
    select unnest(${list(attempts.map((each) => each.merchantId))}::uuid[]), unnest(${list(attempts.map((each) => each.id))}::uuid[]),
           unnest(${list(attempts.map((each) => each.paymentId))}::uuid[]), unnest(${list(attempts.map((each) => each.method))}::text[]),
           unnest(${list(attempts.map((each) => each.connection))}::text[]),
           unnest(${list(attempts.map((each) => each.amount.minor))}::bigint[]),
           unnest(${list(attempts.map((each) => each.amount.currency))}::text[]), unnest(${list(createdAt)}::timestamptz[])`
}

/** An attempt, and what its opening gave; null until the provider answered. */
export type KeptAttempt = {
  readonly id: AttemptId
  readonly merchantId: MerchantId
  readonly paymentId: PaymentId
  readonly method: Method
  readonly connection: ConnectionId
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly artifacts: Readonly<Record<string, unknown>> | null
}

/** The attempts of these payments, oldest first. */
export function selectAttempts(sql: Sql | Tx, refs: readonly PaymentRef[]): Promise<readonly KeptAttempt[]> {
  return sql<KeptAttempt[]>`
    select ${columns(sql)}
      from unnest(${list(refs.map((each) => each.merchantId))}::uuid[], ${list(refs.map((each) => each.paymentId))}::uuid[])
           as wanted (merchant_id, payment_id)
      join attempt using (merchant_id, payment_id)
     order by attempt.id`
}

/** The attempts that have these ids at these connections: a provider names nothing else. */
export function selectAttemptsById(
  tx: Tx,
  wanted: readonly { readonly id: AttemptId; readonly connection: ConnectionId }[],
): Promise<readonly KeptAttempt[]> {
  return tx<KeptAttempt[]>`
    select ${columns(tx)}
      from unnest(${list(wanted.map((each) => each.id))}::uuid[], ${list(wanted.map((each) => each.connection))}::text[])
           as wanted (id, connection)
      join attempt on attempt.id = wanted.id and attempt.connection = wanted.connection
     where attempt.method <> 'CRYPTO'`
}

function columns(sql: Sql | Tx) {
  return sql`attempt.id, attempt.merchant_id as "merchantId", attempt.payment_id as "paymentId", attempt.method,
             attempt.connection, attempt.amount_minor as "amountMinor", attempt.currency, attempt.artifacts`
}

/** The attempt as it is kept before its provider has answered. */
export function toKept({ amount, ...attempt }: Attempt): KeptAttempt {
  return { ...attempt, amountMinor: amount.minor, currency: amount.currency, artifacts: null }
}

/** The attempt as rails know it. */
export function toAttempt({ amountMinor, currency, ...kept }: KeptAttempt): Attempt {
  const { id, merchantId, paymentId, method, connection } = kept
  return { id, merchantId, paymentId, method, connection, amount: { minor: amountMinor, currency } }
}

export type AttemptArtifacts = {
  readonly merchantId: MerchantId
  readonly attemptId: AttemptId
  readonly artifacts: Readonly<Record<string, unknown>>
}

export async function writeArtifacts(tx: Tx, opened: readonly AttemptArtifacts[]): Promise<void> {
  await tx`
    update attempt
       set artifacts = new.artifacts
      from unnest(${list(opened.map((each) => each.merchantId))}::uuid[], ${list(opened.map((each) => each.attemptId))}::uuid[],
                  ${list(opened.map((each) => JSON.stringify(each.artifacts)))}::text[]::json[])
           as new (merchant_id, id, artifacts)
     where attempt.merchant_id = new.merchant_id and attempt.id = new.id`
}

export type PaidRef = {
  readonly attemptId: AttemptId
  readonly providerRef: string
  readonly outcome: 'paid' | 'authorised'
  /** What the payer paid with, where the provider says so. */
  readonly means: Readonly<Record<string, unknown>> | null
}

/** So many receipts of a payment are looked at from its first on, and so many from its last back. */
const receiptsLookedAt = 200

/**
 * The provider's names of the final money of these payments, and of what was authorised, in the order it was booked: among
 * their first and their last receipts, however many there are between.
 */
export function selectPaidRefs(sql: Sql | Tx, refs: readonly PaymentRef[]): Promise<readonly PaidRef[]> {
  const some = (order: ReturnType<typeof sql>) => sql`
    (select attempt_id, provider_ref, outcome, means::text, ordinal
       from receipt
      where receipt.merchant_id = wanted.merchant_id and receipt.payment_id = wanted.payment_id
      order by ${order} limit ${receiptsLookedAt})`
  return sql<PaidRef[]>`
    select seen.attempt_id as "attemptId", seen.provider_ref as "providerRef", seen.outcome, seen.means::json
      from unnest(${list(refs.map((each) => each.merchantId))}::uuid[], ${list(refs.map((each) => each.paymentId))}::uuid[])
           as wanted (merchant_id, payment_id)
     cross join lateral (${some(sql`ordinal`)} union ${some(sql`ordinal desc`)}) as seen
     where seen.outcome in ('paid', 'authorised')
     order by seen.ordinal`
}

/** Notes that the attempts of these payments are to be canceled at their providers. */
export function insertClosings(
  tx: Tx,
  refs: readonly PaymentRef[],
  methods: readonly Method[],
): Promise<void> {
  return insertClosingsWhere(tx, refs, methods, anyAttempt(tx))
}

/** The same for the attempts of these payments that are still open beside the one that was paid or authorised. */
export function insertOtherClosings(
  tx: Tx,
  refs: readonly PaymentRef[],
  methods: readonly Method[],
): Promise<void> {
  const isOther = tx`
    attempt.artifacts is not null and attempt.over_at is null
    and not exists (
          select from receipt
           where receipt.merchant_id = attempt.merchant_id and receipt.payment_id = attempt.payment_id
             and receipt.attempt_id = attempt.id and receipt.outcome in ('paid', 'authorised'))`
  return insertClosingsWhere(tx, refs, methods, isOther)
}

const anyAttempt = (tx: Tx) => tx`true`

async function insertClosingsWhere(
  tx: Tx,
  refs: readonly PaymentRef[],
  methods: readonly Method[],
  condition: ReturnType<typeof anyAttempt>,
): Promise<void> {
  await tx`
    insert into attempt_closing (merchant_id, attempt_id, connection, due_at)
    select attempt.merchant_id, attempt.id, attempt.connection, ${dueNow(tx)}
      from unnest(${list(refs.map((each) => each.merchantId))}::uuid[], ${list(refs.map((each) => each.paymentId))}::uuid[])
           as wanted (merchant_id, payment_id)
      join attempt using (merchant_id, payment_id)
     where attempt.method = any (${list(methods)}::text[]) and ${condition}
        on conflict do nothing`
}

/** Attempts whose providers are still to be told of an end, each with when. */
const closingDue: DueTable = { name: 'attempt_closing' }

/** What its opening gave goes with it: a provider may know the attempt by a name that it gave itself. */
export type Closing = {
  readonly attempt: Attempt & Partial<Pick<OpenedAttempt, 'artifacts'>>
  readonly claim: Claim
}

/** Takes closings that are due, for so long. */
export async function claimClosings(sql: Sql, slots: Slots, leaseMs: number): Promise<readonly Closing[]> {
  const rows = await sql<(KeptAttempt & { lane: string; tries: number })[]>`
    with recursive ${chosen(sql, closingDue, slots)}, taken as (
      update attempt_closing
         set due_at = ${dueIn(sql, leaseMs)}, tries = tries + 1
       where ctid = any (array(select ctid from chosen))
      returning merchant_id, attempt_id, connection as lane, tries
    )
    select ${columns(sql)}, taken.lane, taken.tries
      from taken
      join attempt on attempt.merchant_id = taken.merchant_id and attempt.id = taken.attempt_id`
  return rows.map(({ lane, tries, ...kept }) => ({
    attempt: { ...toAttempt(kept), ...(kept.artifacts === null ? {} : { artifacts: kept.artifacts }) },
    claim: { id: kept.id, connection: lane, number: tries },
  }))
}

/** Tells it again in `waitMs`. False when another worker has taken it since, or it was told. */
export async function postponeClosing(
  sql: Sql,
  { attempt: { merchantId, id }, claim }: Closing,
  waitMs: number,
): Promise<boolean> {
  const result = await sql`
    update attempt_closing set due_at = ${dueIn(sql, waitMs)}
     where merchant_id = ${merchantId} and attempt_id = ${id} and tries = ${claim.number}`
  return result.count === 1
}

/** The provider was told, or is told no more. Stays when another worker has taken it since. */
export async function deleteClosing(
  sql: Sql,
  { attempt: { merchantId, id }, claim }: Closing,
): Promise<void> {
  await sql`
    delete from attempt_closing where merchant_id = ${merchantId} and attempt_id = ${id} and tries = ${claim.number}`
}
