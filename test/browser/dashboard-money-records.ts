// Records about money that a test’s installation does not make by itself, as the API shows them.
import type { Explanation, Payment, PaymentMethod, Refund } from '../../web/dashboard/api/generated.ts'

type Paid = Pick<Payment, 'id' | 'mode' | 'currency' | 'createdAt' | 'paidAt' | 'customerName'> & {
  readonly amount: number
  readonly method: PaymentMethod
  readonly fee?: number
}

/** A payment that was paid in one piece. */
export function paidPayment({ method, amount, fee = 0, ...rest }: Paid): Payment {
  return {
    ...rest,
    status: 'PAID',
    amount,
    paymentMethods: [method],
    paymentMethod: method,
    amountReceived: amount,
    amountRefunded: 0,
    amountRefundPending: 0,
    refundStatus: 'NONE',
    exceptions: [],
    fee,
    netAmount: amount - fee,
    version: 3,
  }
}

export const refund: Refund = {
  id: '01a20acf-2c3c-741e-ba1c-7d82b7db2c71',
  mode: 'SANDBOX',
  paymentId: '01a20acf-2bda-76b0-a4c7-a6d7cb573d1f',
  status: 'PENDING',
  amount: 1_000,
  currency: 'BRL',
  approvalRequired: true,
  createdAt: new Date().toISOString(),
  version: 1,
}
export const story: Explanation = {
  id: refund.id,
  kind: 'REFUND',
  status: 'PENDING',
  language: 'en',
  summary: 'It waits.',
  steps: [],
}

/** A payment in EUR, as the API shows it. */
export const inEuro = paidPayment({
  id: '01a20acf-2bda-76b0-a4c7-a6d7cb573d20',
  mode: 'SANDBOX',
  amount: 4_500,
  currency: 'EUR',
  method: 'SEPA_TRANSFER',
  createdAt: new Date().toISOString(),
  paidAt: new Date().toISOString(),
})
