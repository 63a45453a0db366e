import type { Payment } from '../../api/generated.ts'
/** The payer's name or email; the end of the payment's id where neither is known. */
export function customerOf({
  payment,
  paymentId = '',
}: {
  readonly payment?: Payment
  readonly paymentId?: string
}): string {
  return (
    payment?.customerName ??
    payment?.customerEmail ??
    payment?.description ??
    (payment?.id ?? paymentId).slice(-12)
  )
}
