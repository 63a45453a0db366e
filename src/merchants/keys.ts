// Issuing, rotating and revoking API keys.
import type { Sql, Tx } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import { newId, type ApiKeyId, type MerchantId } from '#/kernel/id.ts'
import { addMs, hourMs, type Clock } from '#/kernel/time.ts'
import { digestApiKey, newApiKey, scopes, type Scope } from './api-key.ts'
import * as keyQueries from './key-queries.ts'
import { selectMerchant } from './queries.ts'

export type KeyDeps = {
  readonly sql: Sql
  readonly clock: Clock
  /** Used for nothing else; see digestApiKey. */
  readonly pepper: Buffer
  /** The two characters of the cell that holds the merchant. */
  readonly cell: string
}

/** The only place where the key itself is shown. */
export type IssuedKey = { readonly id: ApiKeyId; readonly key: string }

/** How long the old key of a rotation still works beside the new one. */
const overlapMs = 24 * hourMs

/** A new key of the merchant; default: with all scopes. 404 when there is no such merchant. */
export async function issueApiKey(
  deps: Omit<KeyDeps, 'sql'> & { readonly sql: Tx },
  request: {
    readonly merchantId: MerchantId
    readonly name: string
    readonly scopes?: readonly Scope[]
    readonly expiresAt?: Date
  },
): Promise<IssuedKey> {
  const merchant = await selectMerchant(deps.sql, request.merchantId)
  if (merchant === undefined) throw new AppError('not_found', 'There is no such merchant.')
  const key = newApiKey(merchant.mode, deps.cell)
  const row = newRow(deps, key, {
    ...request,
    scopes: request.scopes ?? scopes,
    expiresAt: request.expiresAt ?? null,
  })
  await keyQueries.insertKey(deps.sql, row)
  return { id: row.id, key }
}

/**
 * A new key with the old key's name, scopes and lineage; the old key works for 24 hours more, or until its own expiry. `also` runs in
 * the same transaction.
 */
export async function rotateApiKey(
  deps: KeyDeps,
  request: { readonly merchantId: MerchantId; readonly id: ApiKeyId; readonly expiresAt?: Date },
  also?: (tx: Tx, issued: ApiKeyId) => Promise<void>,
): Promise<IssuedKey> {
  const merchant = await selectMerchant(deps.sql, request.merchantId)
  if (merchant === undefined) throw new AppError('not_found', 'There is no such merchant.')
  const key = newApiKey(merchant.mode, deps.cell)
  const now = deps.clock.now()
  return deps.sql.begin(async (tx) => {
    const old = await keyQueries.lockKey(tx, request.merchantId, request.id)
    if (old === undefined) throw new AppError('not_found', 'The merchant has no such key.')
    if (old.revokedAt !== null || (old.expiresAt !== null && old.expiresAt <= now)) {
      throw new AppError('invalid_state', 'The key is over already: issue a new one instead.')
    }
    const overlapEnd = addMs(now, overlapMs)
    if (old.expiresAt === null || old.expiresAt > overlapEnd) {
      await keyQueries.writeExpiry(tx, request.merchantId, old.id, overlapEnd)
    }
    const { merchantId } = request
    const row = newRow(deps, key, { ...old, merchantId, expiresAt: request.expiresAt ?? null })
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

function newRow(
  { pepper, clock }: Pick<KeyDeps, 'pepper' | 'clock'>,
  key: string,
  request: Pick<keyQueries.NewKey, 'merchantId' | 'name' | 'scopes' | 'expiresAt'> & {
    readonly lineage?: ApiKeyId
  },
): keyQueries.NewKey {
  const { merchantId, name, scopes, expiresAt } = request
  const digest = digestApiKey(pepper, key)
  const id = newId<'api-key'>()
  return {
    merchantId,
    id,
    lineage: request.lineage ?? id,
    digest,
    lastFour: key.slice(-4),
    name,
    scopes,
    createdAt: clock.now(),
    expiresAt,
  }
}
