// All SQL of users and their passwords.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueNow } from '#/db/due.ts'
import { must } from '#/kernel/check.ts'
import type { Chosen, User, UserId } from './user.ts'

export type UserRow = User & { readonly disabledAt: Date | null }

const columns = (tx: Sql | Tx) => tx`
  id, email, name, language, time_zone as "timeZone", is_operator as "isOperator", created_at as "createdAt",
  disabled_at as "disabledAt"`

export async function selectUser(tx: Sql | Tx, id: UserId): Promise<UserRow | undefined> {
  const [row] = await tx<UserRow[]>`select ${columns(tx)} from app_user where id = ${id}`
  return row
}

export async function selectUserByEmail(tx: Sql | Tx, email: string): Promise<UserRow | undefined> {
  const [row] = await tx<UserRow[]>`select ${columns(tx)} from app_user where email = ${email}`
  return row
}

/** The user, locked: changes of one user come one after another. */
export async function lockUser(tx: Tx, id: UserId): Promise<UserRow | undefined> {
  const [row] = await tx<UserRow[]>`
    select ${columns(tx)} from app_user where id = ${id} for no key update`
  return row
}

/** The user, locked, while nobody has chosen their language or their time zone; undefined afterwards, without waiting for a lock. */
export async function lockUnchosen(tx: Tx, id: UserId): Promise<(UserRow & Chosen) | undefined> {
  const [row] = await tx<(UserRow & Chosen)[]>`
    select ${columns(tx)}, language_chosen as "languageChosen", time_zone_chosen as "timeZoneChosen"
      from app_user
     where id = ${id} and not (language_chosen and time_zone_chosen)
       for no key update`
  return row
}

/** The users of the installation, or its operators, by id: those that came first. */
export function selectUsers(
  sql: Sql,
  page: { readonly after: string; readonly limit: number; readonly isOperator?: true },
): Promise<readonly UserRow[]> {
  const { after, limit, isOperator } = page
  return sql<UserRow[]>`
    select ${columns(sql)} from app_user
     where id > ${after} ${isOperator === true ? sql`and is_operator` : sql``}
     order by id
     limit ${limit}`
}

/** Whether there is any operator among the users. */
export async function hasOperator(sql: Sql | Tx): Promise<boolean> {
  const rows = await sql`select from app_user where is_operator limit 1`
  return rows.length > 0
}

/** False when a user has this email already. */
export async function insertUser(tx: Tx, user: Omit<User, 'createdAt'> & Chosen): Promise<boolean> {
  const { id, email, name, language, timeZone, isOperator, languageChosen, timeZoneChosen } = user
  const rows = await tx`
    insert into app_user (id, email, name, language, time_zone, is_operator, language_chosen, time_zone_chosen, created_at)
    values (${id}, ${email}, ${name}, ${language}, ${timeZone}, ${isOperator}, ${languageChosen}, ${timeZoneChosen},
            ${dueNow(tx)})
    on conflict (email) do nothing
    returning id`
  return rows.length > 0
}

/** A language or time zone that differs from the one before was chosen. */
export async function writeUser(
  tx: Tx,
  { id, name, language, timeZone, isOperator }: Omit<User, 'createdAt' | 'email'>,
): Promise<void> {
  await tx`
    update app_user
       set name = ${name}, language = ${language}, time_zone = ${timeZone}, is_operator = ${isOperator},
           language_chosen = language_chosen or language <> ${language},
           time_zone_chosen = time_zone_chosen or time_zone <> ${timeZone}
     where id = ${id}`
}

/** These were chosen, also when they are what the defaults were. */
export async function writeChosen(
  tx: Tx,
  {
    id,
    language,
    timeZone,
    languageChosen,
    timeZoneChosen,
  }: Pick<User, 'id' | 'language' | 'timeZone'> & Chosen,
): Promise<void> {
  await tx`
    update app_user
       set language = ${language}, time_zone = ${timeZone}, language_chosen = ${languageChosen},
           time_zone_chosen = ${timeZoneChosen}
     where id = ${id}`
}

export async function writeDisabled(tx: Tx, id: UserId, isDisabled: boolean): Promise<void> {
  await tx`
    update app_user set disabled_at = ${isDisabled ? dueNow(tx) : tx`null`} where id = ${id}`
}

/** Everything that a sign-in by password needs, in one query. */
export type SignInRow = {
  readonly userId: UserId
  readonly name: string
  readonly isDisabled: boolean
  readonly hash: string | null
  readonly isKnownAddress: boolean
}

export async function selectForSignIn(
  sql: Sql | Tx,
  email: string,
  addressKeys: readonly Buffer[],
): Promise<SignInRow | undefined> {
  const [row] = await sql<SignInRow[]>`
    select app_user.id as "userId", app_user.name, disabled_at is not null as "isDisabled",
           (select hash from user_password where user_id = app_user.id) as hash,
           exists (select from known_address
                    where user_id = app_user.id and address_key = any (${list(addressKeys)}::bytea[])
                      and ends_at > ${dueNow(sql)}) as "isKnownAddress"
      from app_user
     where email = ${email}`
  return row
}

/** Which factors a user has. */
export async function selectFactors(
  tx: Sql | Tx,
  userId: UserId,
): Promise<{ readonly passkeys: number; readonly hasTotp: boolean }> {
  const [row] = await tx<{ passkeys: number; hasTotp: boolean }[]>`
    select (select count(*)::integer from passkey where user_id = ${userId}) as passkeys,
           exists (select from user_totp where user_id = ${userId} and confirmed_at is not null) as "hasTotp"`
  return must(row, 'a select without a table has a row')
}

export async function selectHash(tx: Sql | Tx, userId: UserId): Promise<string | undefined> {
  const [row] = await tx<{ hash: string }[]>`select hash from user_password where user_id = ${userId}`
  return row?.hash
}

export async function writePassword(tx: Tx, userId: UserId, hash: string): Promise<void> {
  await tx`
    insert into user_password (user_id, hash, changed_at) values (${userId}, ${hash}, ${dueNow(tx)})
    on conflict (user_id) do update set hash = excluded.hash, changed_at = excluded.changed_at`
}

/** Stores the same password under newer parameters, unless it was changed in the meantime. */
export async function rewriteHash(tx: Tx, userId: UserId, from: string, to: string): Promise<void> {
  await tx`update user_password set hash = ${to} where user_id = ${userId} and hash = ${from}`
}

// The SQL of which user a person is.

type CommandUser = { readonly userId: UserId; readonly email: string }

/** The user of this id or address, or whose account at the command line this is. */
export async function selectCommandUser(
  sql: Sql | Tx,
  by: { readonly userId: string } | { readonly email: string } | { readonly account: string },
): Promise<CommandUser | undefined> {
  const [row] =
    'account' in by
      ? await sql<CommandUser[]>`
          select app_user.id as "userId", app_user.email
            from command_account join app_user on app_user.id = command_account.user_id
           where command_account.account = ${by.account}`
      : await sql<CommandUser[]>`
          select id as "userId", email from app_user
           where ${'userId' in by ? sql`id = ${by.userId}` : sql`email = ${by.email}`}`
  return row
}
