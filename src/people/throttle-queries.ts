// All SQL of counting guesses, and of addresses that are known.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import { minuteMs } from '#/kernel/time.ts'
import type { UserId } from './user.ts'

export type Limit = {
  readonly key: Buffer
  /** This many failures cost nothing. The next ones wait a second, two, four, … */
  readonly free: number
  /** … and at most this long. */
  readonly waitMaxMs: number
}

/** Failures are forgotten this long after the last one. */
const keptMs = 60 * minuteMs

/** Counts a guess as failed. False when it is not allowed yet: then nothing is counted. */
export async function countFailure(tx: Tx, { key, free, waitMaxMs }: Limit): Promise<boolean> {
  const failuresSoFar = () =>
    tx`case when failure.ends_at <= ${dueNow(tx)} then 1 else least(failure.failures + 1, 1000) end`
  // A free failure sets no time. With the time of its own transaction it would refuse a guess that began earlier and waited for the row.
  const next = (failures: ReturnType<typeof failuresSoFar>) => tx`
    case when ${failures} <= ${free} then '-infinity'
         else ${dueNow(tx)} + interval '1 millisecond'
           * least(${waitMaxMs}::double precision, 1000 * power(2, least(${failures} - ${free} - 1, 30))) end`
  const rows = await tx`
    insert into sign_in_failure as failure (key, failures, next_at, ends_at)
    values (${key}, 1, '-infinity', ${dueIn(tx, keptMs)})
    on conflict (key) do update
      set failures = ${failuresSoFar()}, next_at = ${next(failuresSoFar())}, ends_at = ${dueIn(tx, keptMs)}
      where failure.next_at <= ${dueNow(tx)} or failure.ends_at <= ${dueNow(tx)}
    returning key`
  return rows.length > 0
}

/** How long until the next guess is allowed. */
export async function waitOf(tx: Tx, key: Buffer): Promise<number> {
  const [row] = await tx<{ ms: number }[]>`
    select extract(epoch from next_at - ${dueNow(tx)})::double precision * 1000 as ms
      from sign_in_failure where key = ${key}`
  return Math.max(0, Math.ceil(row?.ms ?? 0))
}

/** For a right guess: deletes the counts that only this person's guesses are in. */
export async function forgetFailures(tx: Tx, keys: readonly Buffer[]): Promise<void> {
  await tx`delete from sign_in_failure where key = any (${list(keys)}::bytea[])`
}

/** For a right guess: takes one guess back from the counts that other people's guesses are in too. */
export async function takeBackFailure(tx: Tx, keys: readonly Buffer[]): Promise<void> {
  await tx`
    update sign_in_failure set failures = greatest(failures - 1, 0), next_at = '-infinity'
     where key = any (${list(keys)}::bytea[])`
}

const knownMs = 90 * 24 * 60 * minuteMs
const knownMax = 20

/** For this long a user without a known address counts as new: their first sign-in is no news to them. */
const newUserMs = 24 * 60 * minuteMs

/**
 * Whether to notify the user of a sign-in from this address: it is not a known address, and this is not the first sign-in of a user who was
 * made within a day. Call it before `rememberAddress`.
 */
export async function isNewAddress(tx: Tx, userId: UserId, addressKeys: readonly Buffer[]): Promise<boolean> {
  const hasKnown = (isThis: boolean) => tx`
    exists (select from known_address
             where user_id = app_user.id and ends_at > ${dueNow(tx)}
               and (address_key = any (${list(addressKeys)}::bytea[])) = ${isThis})`
  const rows = await tx`
    select from app_user
     where id = ${userId} and not ${hasKnown(true)} and (${hasKnown(false)} or created_at <= ${dueIn(tx, -newUserMs)})`
  return rows.length > 0
}

/** Remembers an address of a user: the newest ones, for some months. */
export async function rememberAddress(tx: Tx, userId: UserId, addressKey: Buffer): Promise<void> {
  await tx`
    insert into known_address (user_id, address_key, last_used_at, ends_at)
    values (${userId}, ${addressKey}, ${dueNow(tx)}, ${dueIn(tx, knownMs)})
    on conflict (user_id, address_key) do update
      set last_used_at = excluded.last_used_at, ends_at = excluded.ends_at`
  await tx`
    delete from known_address
     where user_id = ${userId} and address_key in (
       select address_key from known_address where user_id = ${userId}
        order by last_used_at desc, address_key offset ${knownMax})`
}

/** Whether the user signed in from this address before. */
export async function isKnownAddress(
  tx: Sql | Tx,
  userId: UserId,
  addressKeys: readonly Buffer[],
): Promise<boolean> {
  const rows = await tx`
    select from known_address
     where user_id = ${userId} and address_key = any (${list(addressKeys)}::bytea[]) and ends_at > ${dueNow(tx)}`
  return rows.length > 0
}

/** Forgets all known addresses of a user, after a reset, because somebody else may have signed in from one of them. */
export async function forgetAddresses(tx: Tx, userId: UserId): Promise<void> {
  await tx`delete from known_address where user_id = ${userId}`
}
