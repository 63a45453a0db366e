// The operator issues, rolls and revokes API keys. What keys do to keys is in managed-keys.ts.
import type { apiKey } from '#/contract/keys.ts'
import { recordOf, type Of } from '#/contract/record.ts'
import type { Sql, Tx } from '#/db/client.ts'
import { readNow } from '#/db/due.ts'
import { AppError } from '#/kernel/error.ts'
import { newId, type ApiKeyId, type MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { fingerprintOf, firstKey, type KeyRing } from '#/kernel/secret.ts'
import { addMs, hourMs, type Clock } from '#/kernel/time.ts'
import { requireStart } from './account-state.ts'
import { digestApiKey, newApiKey, usualScopes, type Scope } from './api-key.ts'
import * as keyQueries from './key-queries.ts'
import type { KeyRow } from './key-queries.ts'
import { isArchived, selectMerchant } from './queries.ts'
import { lockState } from './sub-account-queries.ts'

/** What every new key needs. */
export type KeyMint = {
  /** A key only for digests of API keys; see digestApiKey. */
  readonly pepper: KeyRing
  /** The two characters of the cell that holds the merchant. */
  readonly cell: string
}

export type KeyDeps = KeyMint & { readonly sql: Sql; readonly clock: Clock }

/** The only place where the key itself is shown. */
export type IssuedKey = { readonly id: ApiKeyId; readonly key: string }

/** How long the old key of a rotation still works beside the new one. */
const overlapMs = 24 * hourMs

/**
 * A new key of the merchant; default: with the usual scopes. 404 when there is no such merchant, 409 for an archived sandbox and a
 * closed sub-account.
 */
export async function issueApiKey(
  deps: Omit<KeyDeps, 'sql'> & { readonly sql: Tx },
  request: {
    readonly merchantId: MerchantId
    readonly name: string
    readonly scopes?: readonly Scope[]
    readonly expiresAt?: Date
    readonly allowedCidrs?: readonly string[]
    /** Who holds it; see isSamePerson. */
    readonly person?: string
    /** The operating-system user and machine of the command. */
    readonly madeBy?: string
  },
): Promise<IssuedKey> {
  const { merchantId, name, scopes = usualScopes } = request
  const merchant = await selectMerchant(deps.sql, merchantId)
  if (merchant === undefined) throw new AppError('not_found', 'There is no such merchant.')
  if (await isArchived(deps.sql, merchant.id))
    throw new AppError('invalid_state', 'The sandbox is archived: it gets no new keys.')
  requireStart(await lockState(deps.sql, merchant.id), 'key')
  const { row, key } = mintKey(deps, merchant.mode, {
    merchantId,
    name,
    scopes,
    createdAt: deps.clock.now(),
    expiresAt: request.expiresAt ?? null,
    allowedCidrs: request.allowedCidrs ?? null,
    person: request.person?.toLowerCase() ?? null,
    madeBy: request.madeBy ?? null,
  })
  await keyQueries.insertKey(deps.sql, row)
  return { id: row.id, key }
}

/**
 * A new key with the old key's name, scopes, networks, person and lineage; the old key works for 24 hours more, or until its own
 * expiry, by the database's clock. `also` runs in the same transaction.
 */
export async function rotateApiKey(
  deps: KeyDeps,
  request: {
    readonly merchantId: MerchantId
    readonly id: ApiKeyId
    readonly expiresAt?: Date
    readonly madeBy?: string
  },
  also?: (tx: Tx, issued: ApiKeyId) => Promise<void>,
): Promise<IssuedKey> {
  const { merchantId } = request
  const merchant = await selectMerchant(deps.sql, merchantId)
  if (merchant === undefined) throw new AppError('not_found', 'There is no such merchant.')
  return deps.sql.begin(async (tx) => {
    const [old] = await keyQueries.lockKeys(tx, merchantId, [request.id])
    requireStart(await lockState(tx, merchantId), 'key')
    const now = await readNow(tx)
    if (old === undefined) throw new AppError('not_found', 'The merchant has no such key.')
    if (old.revokedAt !== null || (old.expiresAt !== null && old.expiresAt <= now)) {
      throw new AppError('invalid_state', 'The key is over already: issue a new one instead.')
    }
    const overlapEnd = addMs(now, overlapMs)
    if (old.expiresAt === null || old.expiresAt > overlapEnd) {
      await keyQueries.writeExpiry(tx, merchantId, old.id, overlapEnd)
    }
    const { row, key } = mintKey(deps, merchant.mode, {
      merchantId,
      lineage: old.lineage,
      name: old.name,
      scopes: old.scopes,
      createdAt: now,
      expiresAt: request.expiresAt ?? null,
      allowedCidrs: old.allowedCidrs,
      person: old.person,
      madeBy: request.madeBy ?? null,
      rolledFrom: old.id,
    })
    await keyQueries.insertKey(tx, row)
    await also?.(tx, row.id)
    return { id: row.id, key }
  })
}

/** Ends a key. Every process refuses it within a second. 404 when the merchant has no such key. */
export async function revokeApiKey(
  { sql, clock }: Pick<KeyDeps, 'clock'> & { readonly sql: Tx },
  { merchantId, id }: { readonly merchantId: MerchantId; readonly id: ApiKeyId },
): Promise<void> {
  const revoked = await keyQueries.writeRevocation(sql, merchantId, id, clock.now())
  if (!revoked) throw new AppError('not_found', 'The merchant has no such key.')
}

type Minted = Pick<
  keyQueries.NewKey,
  'merchantId' | 'name' | 'scopes' | 'createdAt' | 'expiresAt' | 'allowedCidrs' | 'person'
> &
  Partial<keyQueries.NewKey>

/** A new key, and its row. Without a lineage it begins one. */
export function mintKey(
  { pepper, cell }: KeyMint,
  mode: Mode,
  given: Minted,
): { readonly row: keyQueries.NewKey; readonly key: string } {
  const key = newApiKey(mode, cell)
  const id = newId<'api-key'>()
  const row = {
    id,
    lineage: id,
    digest: digestApiKey(firstKey(pepper), key),
    digestKey: fingerprintOf(firstKey(pepper)),
    lastFour: key.slice(-4),
    madeByKey: null,
    madeBy: null,
    rolledFrom: null,
    idempotencyKey: null,
    fingerprint: null,
    ...given,
  }
  return { row, key }
}

// API keys as the API shows them.

/** The key as the API shows it, without the key itself. */
export function keyRecord(row: KeyRow): Of<typeof apiKey> {
  return recordOf<typeof apiKey>({
    id: row.id,
    name: row.name,
    lastFour: row.lastFour,
    status: row.revokedAt !== null ? 'REVOKED' : row.isExpired ? 'EXPIRED' : 'ACTIVE',
    scopes: row.scopes,
    createdAt: row.createdAt.toISOString(),
    createdBy: makerOf(row),
    lineage: row.lineage,
    allowedCidrs: row.allowedCidrs,
    rolledFrom: row.rolledFrom,
    person: row.person,
    expiresAt: row.expiresAt?.toISOString(),
    revokedAt: row.revokedAt?.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString(),
  })
}

function makerOf({ madeByKey, madeByMember }: KeyRow): Of<typeof apiKey>['createdBy'] {
  if (madeByKey === null) return { kind: 'OPERATOR' }
  return madeByMember === null
    ? { kind: 'API_KEY', keyId: madeByKey }
    : { kind: 'USER', userId: madeByMember }
}
