// API keys as the API shows them.
import type { apiKey } from '#/contract/keys.ts'
import { recordOf, type Of } from '#/contract/record.ts'
import type { KeyRow } from './key-queries.ts'

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
