// All SQL of passkeys, authenticator apps, recovery codes and used challenges.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import type { PasskeyId, UserId } from './user.ts'

export type PasskeyRow = {
  readonly id: PasskeyId
  readonly userId: UserId
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: bigint
  readonly transports: readonly string[]
  readonly name: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

const passkeyColumns = (tx: Sql | Tx) => tx`
  id, user_id as "userId", credential_id as "credentialId", public_key as "publicKey", counter, transports, name,
  created_at as "createdAt", last_used_at as "lastUsedAt"`

/** A user's passkeys, the oldest first. They are few. */
export function selectPasskeys(tx: Sql | Tx, userId: UserId): Promise<readonly PasskeyRow[]> {
  return tx<PasskeyRow[]>`
    select ${passkeyColumns(tx)} from passkey where user_id = ${userId} order by id`
}

/** Whose the credential is. */
export async function selectUserOfPasskey(tx: Tx, credentialId: Buffer): Promise<UserId | undefined> {
  const [row] = await tx<{ userId: UserId }[]>`
    select user_id as "userId" from passkey where credential_id = ${credentialId}`
  return row?.userId
}

/** The passkey of a credential, locked. */
export async function selectPasskey(tx: Tx, credentialId: Buffer): Promise<PasskeyRow | undefined> {
  const [row] = await tx<PasskeyRow[]>`
    select ${passkeyColumns(tx)} from passkey where credential_id = ${credentialId} for update`
  return row
}

export type NewPasskey = Omit<PasskeyRow, 'createdAt' | 'lastUsedAt'>

/** False when the credential is registered already. */
export async function insertPasskey(tx: Tx, passkey: NewPasskey): Promise<boolean> {
  const { id, userId, credentialId, publicKey, counter, transports, name } = passkey
  const rows = await tx`
    insert into passkey (user_id, id, credential_id, public_key, counter, transports, name, created_at)
    values (${userId}, ${id}, ${credentialId}, ${publicKey}, ${counter}, ${list(transports)}::text[], ${name}, ${dueNow(tx)})
    on conflict (credential_id) do nothing
    returning id`
  return rows.length > 0
}

export async function usePasskey(tx: Tx, userId: UserId, id: PasskeyId, counter: bigint): Promise<void> {
  await tx`
    update passkey set counter = ${counter}, last_used_at = ${dueNow(tx)}
     where user_id = ${userId} and id = ${id}`
}

/** The name of the passkey that was deleted; undefined when there is none. */
export async function deletePasskey(tx: Tx, userId: UserId, id: PasskeyId): Promise<string | undefined> {
  const [row] = await tx<{ name: string }[]>`
    delete from passkey where user_id = ${userId} and id = ${id} returning name`
  return row?.name
}

export async function deletePasskeys(tx: Tx, userId: UserId): Promise<number> {
  const rows = await tx`delete from passkey where user_id = ${userId} returning id`
  return rows.length
}

/** False when the challenge was used before. */
export async function insertUsedChallenge(tx: Tx, digest: Buffer, keptMs: number): Promise<boolean> {
  const rows = await tx`
    insert into used_challenge (digest, ends_at) values (${digest}, ${dueIn(tx, keptMs)})
    on conflict (digest) do nothing
    returning digest`
  return rows.length > 0
}

export type TotpRow = {
  readonly secret: Buffer
  readonly isConfirmed: boolean
  readonly lastStep: bigint
}

export async function selectTotp(tx: Tx, userId: UserId): Promise<TotpRow | undefined> {
  const [row] = await tx<TotpRow[]>`
    select secret, confirmed_at is not null as "isConfirmed", last_step as "lastStep"
      from user_totp where user_id = ${userId} for update`
  return row
}

/** A new secret, which is not confirmed yet, in place of one that never was. */
export async function writeTotp(tx: Tx, userId: UserId, secret: Buffer): Promise<void> {
  await tx`
    insert into user_totp (user_id, secret, created_at) values (${userId}, ${secret}, ${dueNow(tx)})
    on conflict (user_id) do update set secret = excluded.secret, created_at = excluded.created_at
      where user_totp.confirmed_at is null`
}

/** Takes a step of a code: it and earlier ones are not accepted again. False when it was taken. */
export async function takeStep(tx: Tx, userId: UserId, step: bigint): Promise<boolean> {
  const rows = await tx`
    update user_totp set last_step = ${step}, confirmed_at = coalesce(confirmed_at, ${dueNow(tx)})
     where user_id = ${userId} and last_step < ${step}
    returning user_id`
  return rows.length > 0
}

/** False when there was none. */
export async function deleteTotp(tx: Tx, userId: UserId): Promise<boolean> {
  const rows = await tx`
    delete from user_totp where user_id = ${userId} returning confirmed_at`
  return rows.length > 0
}

/** These recovery codes, in place of all others of the user. `digestKey`: the fingerprint of the key that made the digests. */
export async function replaceRecoveryCodes(
  tx: Tx,
  userId: UserId,
  digests: readonly Buffer[],
  digestKey: Buffer,
): Promise<void> {
  await deleteRecoveryCodes(tx, userId)
  await tx`
    insert into recovery_code (user_id, digest, digest_key)
    select ${userId}, unnest(${list(digests)}::bytea[]), ${digestKey}::bytea`
}

export async function deleteRecoveryCodes(tx: Tx, userId: UserId): Promise<void> {
  await tx`delete from recovery_code where user_id = ${userId}`
}

/** False when it is no code of the user, or was used. `digests`: of one code, under each key. */
export async function useRecoveryCode(tx: Tx, userId: UserId, digests: readonly Buffer[]): Promise<boolean> {
  const rows = await tx`
    update recovery_code set used_at = ${dueNow(tx)}
     where user_id = ${userId} and digest = any (${list(digests)}::bytea[]) and used_at is null
    returning user_id`
  return rows.length > 0
}

/** Whether the user has any recovery codes, used ones too. */
export async function hasRecoveryCodes(tx: Tx, userId: UserId): Promise<boolean> {
  const rows = await tx`select from recovery_code where user_id = ${userId} limit 1`
  return rows.length > 0
}
