// All SQL of API keys.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueNow } from '#/db/due.ts'
import { newestIds } from '#/db/lists.ts'
import { must } from '#/kernel/check.ts'
import type { ApiKeyId, MerchantId, UserId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { statesWithoutKeys } from './account-state.ts'
import type { Scope } from './api-key.ts'

export type NewKey = {
  readonly merchantId: MerchantId
  readonly id: ApiKeyId
  /** The first key of those that it came of; the key itself, when a command made it. */
  readonly lineage: ApiKeyId
  readonly digest: Buffer
  /** The fingerprint of the key that made the digest. */
  readonly digestKey: Buffer
  readonly lastFour: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly allowedCidrs: readonly string[] | null
  /** The key that made it. */
  readonly madeByKey: ApiKeyId | null
  /** The operating-system user and machine of the command that made it. */
  readonly madeBy: string | null
  readonly person: string | null
  readonly rolledFrom: ApiKeyId | null
  readonly idempotencyKey: string | null
  readonly fingerprint: Buffer | null
}

export async function insertKey(sql: Sql | Tx, key: NewKey): Promise<void> {
  await sql`
    insert into api_key (merchant_id, id, lineage, digest, digest_key, last_four, name, scopes, created_at, expires_at,
                         allowed_cidrs, made_by_key, made_by, person, rolled_from, idempotency_key, fingerprint)
    values (${key.merchantId}, ${key.id}, ${key.lineage}, ${key.digest}, ${key.digestKey}, ${key.lastFour}, ${key.name},
            ${list(key.scopes)}, ${key.createdAt}, ${key.expiresAt}, ${key.allowedCidrs === null ? null : list(key.allowedCidrs)},
            ${key.madeByKey}, ${key.madeBy}, ${key.person}, ${key.rolledFrom}, ${key.idempotencyKey}, ${key.fingerprint})`
}

export type KeyRow = Omit<
  NewKey,
  'merchantId' | 'digest' | 'digestKey' | 'idempotencyKey' | 'fingerprint'
> & {
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
  /** The user who acts by it: it is a seat, not a key that a request can present (member-keys.ts). */
  readonly member: UserId | null
  /** The user whose seat made it. */
  readonly madeByMember: UserId | null
  /** Whether its expiry has passed by the database's clock. */
  readonly isExpired: boolean
}

export function selectKeys(sql: Sql, merchantId: MerchantId): Promise<readonly KeyRow[]> {
  return sql<KeyRow[]>`
    select ${keyColumns(sql)} from api_key where merchant_id = ${merchantId} and member is null order by id`
}

/** One page of a merchant's keys, newest first. */
export function listKeys(
  sql: Sql,
  merchantId: MerchantId,
  page: { readonly before?: ApiKeyId; readonly limit: number },
): Promise<readonly KeyRow[]> {
  const { limit } = page
  const ids = newestIds(sql, 'api_key', {
    merchantId,
    kinds: [],
    span: page,
    within: sql`and member is null`,
    limit,
  })
  return sql<KeyRow[]>`
    select ${keyColumns(sql)}
      from api_key
     where merchant_id = ${merchantId} and id in (${ids})
     order by id desc`
}

export async function selectKey(
  sql: Sql | Tx,
  merchantId: MerchantId,
  id: ApiKeyId,
): Promise<KeyRow | undefined> {
  const [row] = await sql<KeyRow[]>`
    select ${keyColumns(sql)} from api_key where merchant_id = ${merchantId} and id = ${id}`
  return row
}

/** The key that a request with this idempotency key made. */
export async function selectKeyOfRequest(
  sql: Sql | Tx,
  merchantId: MerchantId,
  idempotencyKey: string,
): Promise<(KeyRow & { readonly fingerprint: Buffer }) | undefined> {
  const [row] = await sql<(KeyRow & { readonly fingerprint: Buffer })[]>`
    select ${keyColumns(sql)}, fingerprint
      from api_key where merchant_id = ${merchantId} and idempotency_key = ${idempotencyKey}`
  return row
}

function keyColumns(sql: Sql | Tx) {
  return sql`id, coalesce(lineage, id) as lineage, name, last_four as "lastFour", scopes, created_at as "createdAt",
             expires_at as "expiresAt", allowed_cidrs as "allowedCidrs", made_by_key as "madeByKey", made_by as "madeBy",
             person, rolled_from as "rolledFrom", member, last_used_at as "lastUsedAt", revoked_at as "revokedAt",
             coalesce(expires_at <= ${dueNow(sql)}, false) as "isExpired",
             (select maker.member from api_key as maker
               where maker.merchant_id = api_key.merchant_id and maker.id = api_key.made_by_key) as "madeByMember"`
}

/** These keys of the merchant, locked until the end of the transaction, in the order in which `writeUses` locks. */
export function lockKeys(
  tx: Tx,
  merchantId: MerchantId,
  ids: readonly ApiKeyId[],
): Promise<readonly KeyRow[]> {
  return tx<KeyRow[]>`
    select ${keyColumns(tx)}
      from api_key where merchant_id = ${merchantId} and id = any (${list(ids)}::uuid[])
     order by id
       for update`
}

/** A key in force that somebody holds, at a merchant or at a sub-account of it. */
export type HeldKey = Pick<
  KeyRow,
  'id' | 'name' | 'lastFour' | 'scopes' | 'person' | 'lastUsedAt' | 'createdAt'
> & {
  readonly merchantId: MerchantId
  /** The user whose seat the first key of its lineage is. */
  readonly user: UserId | null
}

/** The keys in force of the merchant. */
export function selectHeldKeys(sql: Sql | Tx, merchantId: MerchantId): Promise<readonly HeldKey[]> {
  return sql<HeldKey[]>`${heldKeys(sql)} and api_key.merchant_id = ${merchantId} order by api_key.id`
}

/** The keys in force of other merchants that came of the keys of these lineages: those that were made for sub-accounts. */
export function selectKeysElsewhere(
  sql: Sql | Tx,
  merchantId: MerchantId,
  lineages: readonly ApiKeyId[],
): Promise<readonly HeldKey[]> {
  return sql<HeldKey[]>`
    ${heldKeys(sql)} and api_key.lineage = any (${list(lineages)}::uuid[]) and api_key.merchant_id <> ${merchantId}
     order by api_key.id`
}

function heldKeys(sql: Sql | Tx) {
  return sql`
    select api_key.merchant_id as "merchantId", api_key.id, api_key.name, api_key.last_four as "lastFour", api_key.scopes, api_key.person,
           api_key.last_used_at as "lastUsedAt", api_key.created_at as "createdAt", first.member as "user"
      from api_key left join api_key as first on first.id = coalesce(api_key.lineage, api_key.id)
     where api_key.revoked_at is null and api_key.member is null
       and coalesce(api_key.expires_at, 'infinity'::timestamptz) > ${dueNow(sql)}`
}

/** Revokes these keys, in the order in which `writeUses` locks them. */
export async function revokeHeld(tx: Tx, keys: readonly Pick<HeldKey, 'merchantId' | 'id'>[]): Promise<void> {
  await tx`
    update api_key set revoked_at = ${dueNow(tx)}
      from (select api_key.merchant_id, api_key.id from api_key
             where api_key.id = any (${list(keys.map(({ id }) => id))}::uuid[]) and api_key.revoked_at is null
             order by api_key.merchant_id, api_key.id for update) as held
     where api_key.merchant_id = held.merchant_id and api_key.id = held.id`
}

/** From now on this person holds these keys. */
export async function handKeys(
  tx: Tx,
  keys: readonly Pick<HeldKey, 'merchantId' | 'id'>[],
  person: string,
): Promise<void> {
  await tx`
    update api_key set person = ${person}, handed_at = ${dueNow(tx)}
      from (select api_key.merchant_id, api_key.id from api_key
             where api_key.id = any (${list(keys.map(({ id }) => id))}::uuid[])
             order by api_key.merchant_id, api_key.id for update) as held
     where api_key.merchant_id = held.merchant_id and api_key.id = held.id`
}

/** From now on the seat has these scopes: a call that is on its way makes no more keys by those that it had. */
export async function writeSeatScopes(
  tx: Tx,
  merchantId: MerchantId,
  userId: UserId,
  scopes: readonly Scope[],
): Promise<void> {
  await tx`
    update api_key set scopes = ${list(scopes)} where merchant_id = ${merchantId} and member = ${userId}`
}

/** The seat of a user at a merchant. */
export async function selectSeat(
  sql: Sql | Tx,
  merchantId: MerchantId,
  userId: UserId,
): Promise<Pick<KeyRow, 'id' | 'scopes' | 'person'> | undefined> {
  const [row] = await sql<Pick<KeyRow, 'id' | 'scopes' | 'person'>[]>`
    select id, scopes, person from api_key where merchant_id = ${merchantId} and member = ${userId}`
  return row
}

/** The seats of these users at the merchant. */
export function selectSeats(
  sql: Sql,
  merchantId: MerchantId,
  userIds: readonly UserId[],
): Promise<readonly { readonly id: ApiKeyId; readonly member: UserId }[]> {
  return sql<{ id: ApiKeyId; member: UserId }[]>`
    select id, member from api_key where merchant_id = ${merchantId} and member = any (${list(userIds)}::uuid[])`
}

/** Inserts a seat, or changes its scopes and person. Returns its id. */
export async function upsertSeat(
  sql: Sql | Tx,
  seat: Pick<NewKey, 'merchantId' | 'id' | 'digest' | 'name' | 'scopes' | 'person'> & {
    readonly member: UserId
  },
): Promise<ApiKeyId> {
  const [row] = await sql<{ id: ApiKeyId }[]>`
    insert into api_key (merchant_id, id, lineage, digest, last_four, name, scopes, created_at, person, member)
    values (${seat.merchantId}, ${seat.id}, ${seat.id}, ${seat.digest}, '', ${seat.name}, ${list(seat.scopes)}, ${dueNow(sql)},
            ${seat.person}, ${seat.member})
    on conflict (merchant_id, member) where member is not null
      do update set scopes = excluded.scopes, person = excluded.person
    returning id`
  return must(row, 'an upsert returns its row').id
}

/** Lets one transaction at a time change the merchant's keys by its keys. */
export async function lockKeysOf(tx: Tx, merchantId: MerchantId): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`keys/${merchantId}`}, 0))`
}

/** How many keys of the merchant are in force; counts no further than `max`. */
export async function countInForce(sql: Sql | Tx, merchantId: MerchantId, max: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count
      from (select from api_key
             where merchant_id = ${merchantId} and revoked_at is null and member is null
               and coalesce(expires_at, 'infinity'::timestamptz) > ${dueNow(sql)}
             limit ${max}) as found`
  return must(row, 'a count is one row').count
}

/** Writes what a key may change of a key. */
export async function writeKey(
  tx: Tx,
  merchantId: MerchantId,
  id: ApiKeyId,
  { name, scopes, allowedCidrs }: Pick<KeyRow, 'name' | 'scopes' | 'allowedCidrs'>,
): Promise<void> {
  await tx`
    update api_key
       set name = ${name}, scopes = ${list(scopes)}, allowed_cidrs = ${allowedCidrs === null ? null : list(allowedCidrs)}
     where merchant_id = ${merchantId} and id = ${id}`
}

/** How long ago a key was used. */
export type KeyUse = { readonly merchantId: MerchantId; readonly id: ApiKeyId; readonly agoMs: number }

/**
 * Writes when these keys were used, except for those whose written time is less than `leastMs` older, so that many processes write it
 * as often as one.
 */
export async function writeUses(sql: Sql | Tx, uses: readonly KeyUse[], leastMs: number): Promise<void> {
  await sql`
    update api_key set last_used_at = used.at
      from (select api_key.merchant_id, api_key.id, use.at
              from (select merchant_id, id, ${dueNow(sql)} - ago_ms * interval '1 millisecond' as at
                      from unnest(${list(uses.map((each) => each.merchantId))}::uuid[],
                                  ${list(uses.map((each) => each.id))}::uuid[],
                                  ${list(uses.map((each) => each.agoMs))}::double precision[])
                           as given (merchant_id, id, ago_ms)) as use
              join api_key on api_key.merchant_id = use.merchant_id and api_key.id = use.id
             where coalesce(api_key.last_used_at, '-infinity'::timestamptz) <= use.at - ${leastMs}::double precision * interval '1 millisecond'
             order by api_key.merchant_id, api_key.id
               for no key update of api_key) as used
     where api_key.merchant_id = used.merchant_id and api_key.id = used.id`
}

export async function writeExpiry(
  tx: Tx,
  merchantId: MerchantId,
  id: ApiKeyId,
  expiresAt: Date,
): Promise<void> {
  await tx`update api_key set expires_at = ${expiresAt} where merchant_id = ${merchantId} and id = ${id}`
}

/** Returns false when the merchant has no such key. A key that was revoked before keeps its first time. */
export async function writeRevocation(
  sql: Tx,
  merchantId: MerchantId,
  id: ApiKeyId,
  at: Date,
): Promise<boolean> {
  const result = await sql`
    update api_key set revoked_at = coalesce(revoked_at, ${at}) where merchant_id = ${merchantId} and id = ${id}`
  return result.count === 1
}

/** Revokes all keys of the merchant, in the order in which `writeUses` locks them. Those revoked before keep their first time. */
export async function revokeKeys(tx: Tx, merchantId: MerchantId, at: Date): Promise<void> {
  await tx`
    update api_key set revoked_at = ${at}
      from (select id from api_key where merchant_id = ${merchantId} and revoked_at is null order by id for update) as held
     where api_key.merchant_id = ${merchantId} and api_key.id = held.id`
}

/** A key whose digest is made again. */
export type Renewal = { readonly merchantId: MerchantId; readonly id: ApiKeyId } & {
  readonly before: Buffer
  readonly digest: Buffer
}

/** Stores these digests, if their key is the one in force since the last `./vintem rekey`. `digestKey`: its fingerprint. */
export async function renewDigests(
  sql: Sql,
  renewals: readonly Renewal[],
  digestKey: Buffer,
): Promise<number> {
  const result = await sql`
    update api_key set digest = renewed.digest, digest_key = ${digestKey}
      from (select api_key.merchant_id, api_key.id, given.digest
              from unnest(${list(renewals.map(({ merchantId }) => merchantId))}::uuid[],
                          ${list(renewals.map(({ id }) => id))}::uuid[],
                          ${list(renewals.map(({ before }) => before))}::text[]::bytea[],
                          ${list(renewals.map(({ digest }) => digest))}::text[]::bytea[])
                   as given (merchant_id, id, before, digest)
              join api_key on api_key.merchant_id = given.merchant_id and api_key.id = given.id and api_key.digest = given.before
             where exists (select from key_in_force where purpose = 'API_KEYS' and fingerprint = ${digestKey})
             order by api_key.merchant_id, api_key.id
               for no key update of api_key) as renewed
     where api_key.merchant_id = renewed.merchant_id and api_key.id = renewed.id`
  return result.count
}

export type KnownKey = {
  readonly digest: Buffer
  /** The fingerprint of the key that made the digest; null: it was not written down. */
  readonly digestKey: Buffer | null
  readonly keyId: ApiKeyId
  readonly merchantId: MerchantId
  readonly mode: Mode
  readonly scopes: readonly Scope[]
  /** How long it is valid yet, by the database's clock. */
  readonly expiresInMs: number | null
  readonly allowedCidrs: readonly string[] | null
}

/** The keys with these digests that are not revoked, and whose merchant is no archived sandbox and no closed sub-account. */
export function selectByDigests(sql: Sql, digests: readonly Buffer[]): Promise<readonly KnownKey[]> {
  return sql<KnownKey[]>`
    select api_key.digest, api_key.digest_key as "digestKey", api_key.id as "keyId", api_key.merchant_id as "merchantId", merchant.mode, api_key.scopes,
           extract(epoch from api_key.expires_at - statement_timestamp())::float8 * 1000 as "expiresInMs",
           api_key.allowed_cidrs as "allowedCidrs"
      from unnest(${list(digests)}::text[]::bytea[]) as wanted (digest)
      join api_key on api_key.digest = wanted.digest
      join merchant on merchant.id = api_key.merchant_id
     where api_key.revoked_at is null and api_key.member is null
       and not exists (select from sandbox where sandbox.merchant_id = api_key.merchant_id and sandbox.archived_at is not null)
       and not exists (select from sub_account
                        where sub_account.merchant_id = api_key.merchant_id
                          and sub_account.state = any (${list(statesWithoutKeys)}::text[]))`
}
