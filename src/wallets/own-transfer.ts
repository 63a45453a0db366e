// The record of a transfer between own wallets, or between a platform and its sub-account: the merchant's request, its fingerprint, and
// what the API shows.
import { recordOf, type Of } from '#/contract/record.ts'
import type { transfer as shown } from '#/contract/transfers.ts'
import type { Id, MerchantId, WalletId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Currency } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import type { TransferGrantId } from './transfer-grant.ts'

export type OwnTransferId = Id<'own-transfer'>

/**
 * A merchant's request. Fields that were not sent are absent. A side has a wallet of the merchant's own, or a sub-account with
 * or without one of its wallets. At least one side is the merchant's own.
 */
export type OwnTransferRequest = {
  readonly fromWalletId?: WalletId
  readonly fromSubAccountId?: MerchantId
  readonly toWalletId?: WalletId
  readonly toSubAccountId?: MerchantId
  /** Minor units. */
  readonly amount: number
  readonly description?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** The other side of a transfer that is not between own wallets. */
export type OtherSide = {
  /** Of the platform's transfer: its sub-account. Of the sub-account's: its parent. */
  readonly merchantId: MerchantId
  readonly is: 'SUB_ACCOUNT' | 'PARENT'
  /** The grant by which the platform took it. */
  readonly grantId?: TransferGrantId
  /**
   * The record whose money it was, when it came for a closed sub-account and went on to its parent; the sub-account itself, when the
   * operator moved what it still had. Without this and a grant the platform gave it.
   */
  readonly sourceId?: string
}

export type OwnTransfer = {
  readonly merchantId: MerchantId
  readonly id: OwnTransferId
  readonly request: OwnTransferRequest
  readonly fromWalletId: WalletId
  readonly toWalletId: WalletId
  readonly currency: Currency
  /** Absent: both wallets are the merchant's. */
  readonly other?: OtherSide
  readonly createdAt: Date
}

/** SHA-256 of the canonical request: distinguishes a repetition from another request, and is the cause that the books keep. */
export function fingerprintOf(request: OwnTransferRequest): Buffer {
  return sha256(canonicalJson(request))
}

/** How a transfer is stored, besides what was requested as it is. */
export type StoredSides = {
  readonly fromWalletId: WalletId
  readonly toWalletId: WalletId
  readonly otherId: MerchantId | null
  readonly grantId: TransferGrantId | null
  readonly sourceId: string | null
  /** The sub-account's own row, which nobody requested. */
  readonly isMirror: boolean
  readonly namesWallet: boolean
}

/** The sides as they were requested. */
export function requestedSides(stored: StoredSides): Omit<OwnTransferRequest, 'amount'> {
  const { fromWalletId, toWalletId, otherId, isMirror, namesWallet } = stored
  if (otherId === null || isMirror) return { fromWalletId, toWalletId }
  return comesFromSubAccount(stored)
    ? { fromSubAccountId: otherId, ...(namesWallet ? { fromWalletId } : {}), toWalletId }
    : { fromWalletId, toSubAccountId: otherId, ...(namesWallet ? { toWalletId } : {}) }
}

/** Whether the platform received it: it took it by a grant, or the sub-account is closed. */
export function comesFromSubAccount({
  grantId,
  sourceId,
}: Pick<StoredSides, 'grantId' | 'sourceId'>): boolean {
  return grantId !== null || sourceId !== null
}

/** As the API shows it to its merchant. A sub-account does not see which wallet of its parent's it was. */
export function ownTransferRecord(mode: Mode, transfer: OwnTransfer): Of<typeof shown> {
  const { request, other } = transfer
  const { fromWalletId, toWalletId } = transfer
  const isFromSub = comesFromSubAccount({
    grantId: other?.grantId ?? null,
    sourceId: other?.sourceId ?? null,
  })
  const isOfParent = other?.is === 'PARENT'
  const subAccountId = isOfParent ? undefined : other?.merchantId
  return recordOf<typeof shown>({
    id: transfer.id,
    mode,
    amount: request.amount,
    currency: transfer.currency,
    fromWalletId: isOfParent && !isFromSub ? undefined : fromWalletId,
    toWalletId: isOfParent && isFromSub ? undefined : toWalletId,
    fromSubAccountId: isFromSub ? subAccountId : undefined,
    toSubAccountId: isFromSub ? undefined : subAccountId,
    fromParent: (isOfParent && !isFromSub) || undefined,
    toParent: (isOfParent && isFromSub) || undefined,
    grantId: other?.grantId,
    sourceId: other?.sourceId,
    description: request.description,
    metadata: request.metadata,
    // It never changes.
    version: 1,
    createdAt: transfer.createdAt.toISOString(),
  })
}

/** The one event of a transfer for each merchant, which never changes. No URL belongs to it. */
export function transferCompleted(mode: Mode, transfer: OwnTransfer): EventDraft {
  const { merchantId, id } = transfer
  const data = ownTransferRecord(mode, transfer)
  return { merchantId, mode, type: 'transfer.completed', resourceId: id, data }
}
