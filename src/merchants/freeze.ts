// Freezes: the operator freezes a merchant, a rail or all, or suspends a merchant, and until that is lifted no money leaves. Each
// freeze is a row, read where money is about to leave.
import { AppError } from '#/kernel/error.ts'
import type { Id, MerchantId } from '#/kernel/id.ts'

/** `SUSPENSION`: frozen, and no new payments either. `RESTORE`: everything, until the repair after a restore is done. */
export type FreezeKind = 'FREEZE' | 'SUSPENSION' | 'RESTORE'

/** One merchant, one rail (a payment method, and the payouts by it), or, when both are null, everything. */
export type FreezeScope = { readonly merchantId: MerchantId | null; readonly rail: string | null }

export type Freeze = FreezeScope & {
  readonly id: Id<'freeze'>
  readonly kind: FreezeKind
  readonly reason: string
  /** The operating-system user and machine. */
  readonly decidedBy: string
  readonly at: Date
}

/** Types of payouts that have another name than the payment method of the same accounts. */
const methodOfPayouts: Readonly<Record<string, string>> = { SEPA: 'SEPA_TRANSFER' }

/** Whether money of this merchant may not leave by this rail. The function `is_frozen` of the database decides the same. */
export function isFrozen(
  freezes: readonly FreezeScope[],
  { merchantId, rail }: { readonly merchantId: MerchantId; readonly rail: string },
): boolean {
  return freezes.some(
    (freeze) =>
      freeze.merchantId === merchantId ||
      freeze.rail === rail ||
      (freeze.rail !== null && freeze.rail === methodOfPayouts[rail]) ||
      (freeze.merchantId === null && freeze.rail === null),
  )
}

/** Whether no money of this merchant may leave by any way: for what leaves by no rail. */
export function isFrozenAltogether(freezes: readonly FreezeScope[], merchantId: MerchantId): boolean {
  return freezes.some(
    (freeze) => freeze.merchantId === merchantId || (freeze.merchantId === null && freeze.rail === null),
  )
}

/** The answer to a merchant whose money may not leave: 403 `frozen`. The reason stays between the operator and the merchant. */
export function moneyIsFrozen(): AppError {
  return new AppError('frozen', 'The operator lets no money out here now. Nothing was changed.')
}
