// A transfer grant: a sub-account lets its parent take money from it by transfer, in one currency, up to an amount, until a time, or both.
import { recordOf, type Of, type Sent } from '#/contract/record.ts'
import type { grantStatuses, transferGrant, transferGrantRequest } from '#/contract/transfers.ts'
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
export type GrantStatus = (typeof grantStatuses)[number]

/** What a sub-account sends. At least one of `maxAmount` and `expiresAt`. */
export type GrantRequest = Omit<Sent<typeof transferGrantRequest>, 'idempotencyKey' | 'currency'> & {
  readonly currency: Currency
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
): Of<typeof transferGrant> {
  const { maxMinor } = grant
  return recordOf<typeof transferGrant>({
    id: grant.id,
    mode: grant.mode,
    subAccountId: to === 'PARENT' ? grant.merchantId : undefined,
    status: grantStatus(grant, now),
    currency: grant.currency,
    maxAmount: maxMinor === null ? undefined : amountToJson(maxMinor),
    amountTaken: amountToJson(grant.takenMinor),
    expiresAt: grant.expiresAt?.toISOString(),
    description: grant.description,
    createdAt: grant.createdAt.toISOString(),
    revokedAt: grant.revokedAt?.toISOString(),
    version: grant.version,
  })
}
