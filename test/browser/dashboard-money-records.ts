// Records about money that a test’s installation does not make by itself, as the API shows them.
export const refund = {
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
export const story = {
  id: refund.id,
  kind: 'REFUND',
  status: 'PENDING',
  language: 'en',
  summary: 'It waits.',
  steps: [],
}

/** A payment in EUR, as the API shows it. */
export const inEuro = {
  id: '01a20acf-2bda-76b0-a4c7-a6d7cb573d20',
  mode: 'SANDBOX',
  status: 'PAID',
  amount: 4_500,
  currency: 'EUR',
  paymentMethods: ['SEPA_TRANSFER'],
  paymentMethod: 'SEPA_TRANSFER',
  amountReceived: 4_500,
  amountRefunded: 0,
  amountRefundPending: 0,
  refundStatus: 'NONE',
  exceptions: [],
  fee: 0,
  netAmount: 4_500,
  createdAt: new Date().toISOString(),
  paidAt: new Date().toISOString(),
  version: 3,
}
