// API keys that make, change, roll and revoke API keys.
// - A key never gets more than the calling key has.
// - A key of another person is never rolled, because its new secret would let one person act as two.
// - Each change writes its audit row in its own transaction.
// - All changes of one merchant's keys run one after another, and each reads the calling key again, because it may have been changed or
//   revoked a moment ago.
import type { Sql, Tx } from '#/db/client.ts'
import { readNow } from '#/db/due.ts'
import { AppError, type FieldFault } from '#/kernel/error.ts'
import type { ApiKeyId, MerchantId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import type { Mode } from '#/kernel/mode.ts'
import { sha256 } from '#/kernel/secret.ts'
import { addMs, hourMs } from '#/kernel/time.ts'
import { originOf, type By } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { requireStart } from './account-state.ts'
import { notValid, type Scope } from './api-key.ts'
import * as queries from './key-queries.ts'
import type { KeyRow, NewKey } from './key-queries.ts'
import { cidrTexts, requireScopesOf, requireWithin, type Rights } from './key-rights.ts'
import { mintKey, type KeyMint } from './keys.ts'
import { isSameHolder } from './lineage.ts'
import { lockState } from './sub-account-queries.ts'

/** The most keys of a merchant that are in force, when a key makes another. */
export const keysMax = 100

export type ManagedKeyDeps = { readonly sql: Sql; readonly mint: KeyMint }

/** The key that calls. */
export type CallingKey = {
  readonly merchant: { readonly id: MerchantId; readonly mode: Mode }
  readonly keyId: ApiKeyId
  readonly origin?: By
}

/** `key`: the key itself, shown this once. Absent when the same request made it before. */
export type MadeKey = { readonly row: KeyRow; readonly key?: string }

export type KeyRequest = {
  readonly name: string
  readonly scopes: readonly Scope[]
  /** Absent: when the calling key ends. */
  readonly expiresAt?: Date
  /** Absent: the list of the calling key. */
  readonly allowedCidrs?: readonly string[]
  readonly idempotencyKey?: string
}

/** A key of the calling key's lineage. 403 when it would have more than the calling key. */
export function makeKey(deps: ManagedKeyDeps, caller: CallingKey, request: KeyRequest): Promise<MadeKey> {
  const { idempotencyKey, ...body } = request
  const scopes = [...new Set(request.scopes)]
  const allowedCidrs = request.allowedCidrs === undefined ? undefined : cidrTexts(request.allowedCidrs)
  return once(deps, caller, { idempotencyKey, body }, async ({ tx, calling, now, origin }) => {
    const rights: Rights = {
      scopes,
      expiresAt: request.expiresAt ?? calling.expiresAt,
      allowedCidrs: allowedCidrs ?? calling.allowedCidrs,
    }
    requireLater(rights.expiresAt, now)
    requireWithin(calling, rights)
    const { id: merchantId, mode } = caller.merchant
    const { lineage, person } = calling
    const given = { merchantId, ...rights, ...origin, name: request.name, createdAt: now, lineage, person }
    const { row, key } = mintKey(deps.mint, mode, given)
    await queries.insertKey(tx, row)
    await note(tx, caller, { action: 'key.create', id: row.id, after: factsOf(row) })
    return { row, key }
  })
}

export type RollRequest = {
  readonly id: ApiKeyId
  /** How long the old key works on. */
  readonly overlapHours: number
  /** Absent: when the old key ends. */
  readonly expiresAt?: Date
  readonly idempotencyKey?: string
}

/**
 * Makes a key in place of another, with the same name, scopes, networks and lineage. The old one works until the overlap ends or it
 * expires. 403 when the old key can do more than the calling key, or belongs to another person.
 */
export function rollKey(deps: ManagedKeyDeps, caller: CallingKey, request: RollRequest): Promise<MadeKey> {
  const { id, idempotencyKey, ...body } = request
  const { id: merchantId, mode } = caller.merchant
  const idempotent = { idempotencyKey, body: { ...body, rolled: id }, rolled: id }
  return once(deps, caller, idempotent, async ({ tx, calling, target, now, origin }) => {
    const old = requireInForce(target)
    const { name, scopes, allowedCidrs } = old
    // A member rolls any key, and holds the new one.
    const { lineage, person } = calling.member === null ? old : calling
    if (calling.member === null && !isSameHolder(calling, old))
      throw new AppError('forbidden', 'A key rolls no key of another person: that key can roll itself.')
    const rights: Rights = { scopes, allowedCidrs, expiresAt: request.expiresAt ?? old.expiresAt }
    requireLater(rights.expiresAt, now)
    requireWithin(calling, rights)
    const overlapEnd = addMs(now, request.overlapHours * hourMs)
    const oldEnds = old.expiresAt !== null && old.expiresAt < overlapEnd ? old.expiresAt : overlapEnd
    await queries.writeExpiry(tx, merchantId, id, oldEnds)
    const given = { merchantId, name, ...rights, ...origin, createdAt: now, lineage, person, rolledFrom: id }
    const { row, key } = mintKey(deps.mint, mode, given)
    await queries.insertKey(tx, row)
    const before = { expiresAt: old.expiresAt ?? undefined }
    const after = { issued: row.id, expiresAt: oldEnds, issuedExpiresAt: row.expiresAt ?? undefined }
    await note(tx, caller, { action: 'key.rotate', id, before, after })
    return { row, key }
  })
}

export type KeyChange = {
  readonly name?: string
  /** Some of those that it has. */
  readonly scopes?: readonly Scope[]
  readonly allowedCidrs?: readonly string[]
}

/** Changes a key. 403 when the key can do more than the calling key, or would get more than it had or than the calling key has. */
export function changeKey(
  { sql }: Pick<ManagedKeyDeps, 'sql'>,
  caller: CallingKey,
  id: ApiKeyId,
  change: KeyChange,
): Promise<KeyRow> {
  const { id: merchantId } = caller.merchant
  const given = change.allowedCidrs === undefined ? undefined : cidrTexts(change.allowedCidrs)
  return sql.begin(async (tx): Promise<KeyRow> => {
    const { calling, target } = await lockBoth(tx, caller, id)
    const old = requireInForce(target)
    requireScopesOf(calling, old)
    const { name = old.name, scopes = old.scopes } = change
    requireNarrower(old, scopes)
    const changed = { name, scopes: [...new Set(scopes)], allowedCidrs: given ?? old.allowedCidrs }
    if (given !== undefined)
      requireWithin(calling, { scopes: [], expiresAt: calling.expiresAt, allowedCidrs: given })
    const before = changeableOf(old)
    const after = changeableOf(changed)
    if (canonicalJson(before) === canonicalJson(after)) return old
    await queries.writeKey(tx, merchantId, id, changed)
    await note(tx, caller, { action: 'key.change', id, before, after })
    return { ...old, ...changed }
  })
}

/** Revokes a key, even one that can do more than the calling key, or the calling key itself. Every process refuses it within a second. */
export function revokeKey(
  { sql }: Pick<ManagedKeyDeps, 'sql'>,
  caller: CallingKey,
  id: ApiKeyId,
): Promise<KeyRow> {
  const { id: merchantId } = caller.merchant
  return sql.begin(async (tx): Promise<KeyRow> => {
    const { target } = await lockBoth(tx, caller, id)
    if (target === undefined) throw unknownKey()
    if (target.revokedAt !== null) return target
    const revokedAt = await readNow(tx)
    await queries.writeRevocation(tx, merchantId, id, revokedAt)
    await note(tx, caller, { action: 'key.revoke', id })
    return { ...target, revokedAt }
  })
}

/** The answer to an id that is no key's of the merchant. */
export function unknownKey(): AppError {
  return new AppError('not_found', 'There is no such key.')
}

type IdempotentRequest = {
  readonly idempotencyKey: string | undefined
  readonly body: object
  /** The key that is to be rolled. */
  readonly rolled?: ApiKeyId
}

/** What a new key is made from: the calling key and the rolled one, locked, and the facts of the request. */
type Making = {
  readonly tx: Tx
  readonly calling: KeyRow
  readonly target: KeyRow | undefined
  /** The database's clock. */
  readonly now: Date
  readonly origin: Pick<NewKey, 'madeByKey' | 'idempotencyKey' | 'fingerprint'>
}

/** Makes a key by `make`, unless a request with this idempotency key made one before. */
function once(
  { sql }: ManagedKeyDeps,
  caller: CallingKey,
  { idempotencyKey, body, rolled = caller.keyId }: IdempotentRequest,
  make: (making: Making) => Promise<{ readonly row: NewKey; readonly key: string }>,
): Promise<MadeKey> {
  // Dates become texts.
  const fingerprint = sha256(canonicalJson(JSON.parse(JSON.stringify(body))))
  const { id: merchantId } = caller.merchant
  return sql.begin(async (tx): Promise<MadeKey> => {
    const { calling, target } = await lockBoth(tx, caller, rolled)
    const earlier =
      idempotencyKey === undefined
        ? undefined
        : await queries.selectKeyOfRequest(tx, merchantId, idempotencyKey)
    if (earlier !== undefined) {
      if (earlier.fingerprint.equals(fingerprint)) return { row: earlier }
      const detail = `This idempotency key made the key ${earlier.id} with another body.`
      throw new AppError('idempotency_conflict', detail)
    }
    requireStart(await lockState(tx, merchantId), 'key')
    if ((await queries.countInForce(tx, merchantId, keysMax)) >= keysMax) {
      const detail = `A merchant has at most ${keysMax} keys in force: revoke one first.`
      throw new AppError('limit_exceeded', detail)
    }
    const now = await readNow(tx)
    const origin = { madeByKey: calling.id, idempotencyKey: idempotencyKey ?? null, fingerprint }
    const { row, key } = await make({ tx, calling, target, now, origin })
    const madeByMember = calling.member
    return {
      row: { ...row, lastUsedAt: null, revokedAt: null, isExpired: false, member: null, madeByMember },
      key,
    }
  })
}

/** The calling key and another as they are now, locked; the merchant's other changes of keys by keys wait. */
async function lockBoth(
  tx: Tx,
  { merchant, keyId }: CallingKey,
  id: ApiKeyId,
): Promise<{ readonly calling: KeyRow; readonly target: KeyRow | undefined }> {
  await queries.lockKeysOf(tx, merchant.id)
  const keys = await queries.lockKeys(tx, merchant.id, [keyId, id])
  const calling = keys.find((each) => each.id === keyId)
  if (calling === undefined || calling.revokedAt !== null || calling.isExpired)
    throw new AppError('unauthenticated', notValid)
  if (!calling.scopes.includes('keys:write')) {
    const extra = { scope: 'keys:write' }
    throw new AppError('forbidden', 'This key does not have the scope keys:write.', { extra })
  }
  // A member's seat is no key that another could change, roll or end.
  return { calling, target: keys.find((each) => each.id === id && each.member === null) }
}

function requireInForce(key: KeyRow | undefined): KeyRow {
  if (key === undefined) throw unknownKey()
  if (key.revokedAt !== null || key.isExpired)
    throw new AppError('invalid_state', 'The key is over already: make a new one instead.')
  return key
}

function requireLater(expiresAt: Date | null, now: Date): void {
  if (expiresAt === null || expiresAt > now) return
  const fault = { pointer: '/expiresAt', code: 'too_small', message: 'must be in the future' }
  throw new AppError('invalid_request', 'The key would be over already.', { faults: [fault] })
}

function requireNarrower(old: Pick<KeyRow, 'scopes'>, scopes: readonly Scope[]): void {
  const faults = scopes.flatMap((scope, index): readonly FieldFault[] =>
    old.scopes.includes(scope)
      ? []
      : [{ pointer: `/scopes/${index}`, code: 'not_held', message: `is ${scope}, which the key lacks` }],
  )
  if (faults.length > 0)
    throw new AppError('forbidden', 'A key gets no more scopes: make another one.', { faults })
}

function changeableOf({ name, scopes, allowedCidrs }: Pick<KeyRow, 'name' | 'scopes' | 'allowedCidrs'>) {
  return { name, scopes, ...(allowedCidrs === null ? {} : { allowedCidrs }) }
}

function factsOf(row: NewKey) {
  return { ...changeableOf(row), ...(row.expiresAt === null ? {} : { expiresAt: row.expiresAt }) }
}

async function note(
  tx: Tx,
  { merchant, keyId, origin }: CallingKey,
  {
    id,
    ...entry
  }: {
    readonly action: string
    readonly id: ApiKeyId
    readonly before?: Readonly<Record<string, unknown>>
    readonly after?: Readonly<Record<string, unknown>>
  },
): Promise<void> {
  const subject = `key:${id}`
  await writeAudit(tx, [{ ...originOf(keyId, origin), subject, merchantId: merchant.id, ...entry }])
}
