// A transfer grant: a sub-account lets its parent take money from it by transfer, in one currency, up to an amount, until a time, or both.
import type { ApiKeyId, Id, MerchantId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import type { Mode } from '#/kernel/mode.ts'
import { amountToJson, type Currency } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'

export type TransferGrantId = Id<'transfer-grant'>

/**
 * - ACTIVE: the parent may take by it.
 * - USED_UP: all that it allows was taken.
 * - EXPIRED: its time is over.
 * - REVOKED: the sub-account ended it, or the operator did, when closing the sub-account.
 */
export const grantStatuses = ['ACTIVE', 'USED_UP', 'EXPIRED', 'REVOKED'] as const
export type GrantStatus = (typeof grantStatuses)[number]

/** What a sub-account sends. At least one of `maxAmount` and `expiresAt`. */
export type GrantRequest = {
  readonly currency: Currency
  /** Minor units, of all transfers together. */
  readonly maxAmount?: number
  readonly expiresAt?: string
  readonly description?: string
}

export type TransferGrant = {
  /** The sub-account. */
  readonly merchantId: MerchantId
  readonly id: TransferGrantId
  readonly parentId: MerchantId
  readonly mode: Mode
  readonly currency: Currency
  readonly maxMinor: bigint | null
  readonly takenMinor: bigint
  readonly expiresAt: Date | null
  readonly description: string | null
  readonly givenBy: ApiKeyId
  readonly version: number
  readonly createdAt: Date
  readonly revokedAt: Date | null
}

/** SHA-256 of the canonical request. */
export function grantFingerprint(request: GrantRequest): Buffer {
  return sha256(canonicalJson(request))
}

/** `now`: by the database's clock. */
export function grantStatus(
  {
    maxMinor,
    takenMinor,
    expiresAt,
    revokedAt,
  }: Pick<TransferGrant, 'maxMinor' | 'takenMinor' | 'expiresAt' | 'revokedAt'>,
  now: Date,
): GrantStatus {
  if (revokedAt !== null) return 'REVOKED'
  if (maxMinor !== null && takenMinor >= maxMinor) return 'USED_UP'
  return expiresAt !== null && expiresAt <= now ? 'EXPIRED' : 'ACTIVE'
}

/** The grant as the API shows it. The parent's view also says which sub-account gave it. */
export function grantRecord(
  grant: TransferGrant,
  to: 'SUB_ACCOUNT' | 'PARENT',
  now: Date,
): Readonly<Record<string, unknown>> {
  const { id, merchantId, mode, currency, maxMinor, takenMinor, expiresAt, description } = grant
  return {
    id,
    mode,
    ...(to === 'PARENT' ? { subAccountId: merchantId } : {}),
    status: grantStatus(grant, now),
    currency,
    ...(maxMinor === null ? {} : { maxAmount: amountToJson(maxMinor) }),
    amountTaken: amountToJson(takenMinor),
    ...(expiresAt === null ? {} : { expiresAt: expiresAt.toISOString() }),
    ...(description === null ? {} : { description }),
    createdAt: grant.createdAt.toISOString(),
    ...(grant.revokedAt === null ? {} : { revokedAt: grant.revokedAt.toISOString() }),
    version: grant.version,
  }
}
