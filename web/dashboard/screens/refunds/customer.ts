import type { Payment } from '../../api/records.ts'

/** Who paid, as a person knows them; the end of the payment's id where nothing is known. */
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
