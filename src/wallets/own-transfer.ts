// The record of an own transfer: the merchant's request, its fingerprint, and what the API shows.
import type { Id, MerchantId, WalletId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Currency } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'

export type OwnTransferId = Id<'own-transfer'>

/** A merchant's request. Fields that were not sent are absent. */
export type OwnTransferRequest = {
  readonly fromWalletId: WalletId
  readonly toWalletId: WalletId
  /** Minor units. */
  readonly amount: number
  readonly description?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

export type OwnTransfer = {
  readonly merchantId: MerchantId
  readonly id: OwnTransferId
  readonly request: OwnTransferRequest
  readonly currency: Currency
  readonly createdAt: Date
}

/** SHA-256 of the canonical request: distinguishes a repetition from another request, and is the cause that the books keep. */
export function fingerprintOf(request: OwnTransferRequest): Buffer {
  return sha256(canonicalJson(request))
}

/** As the API shows it. */
export function ownTransferRecord(mode: Mode, transfer: OwnTransfer): Readonly<Record<string, unknown>> {
  const { id, request, currency, createdAt } = transfer
  const { fromWalletId, toWalletId, amount, description, metadata } = request
  return {
    id,
    mode,
    amount,
    currency,
    fromWalletId,
    toWalletId,
    ...(description === undefined ? {} : { description }),
    ...(metadata === undefined ? {} : { metadata }),
    // It never changes.
    version: 1,
    createdAt: createdAt.toISOString(),
  }
}
