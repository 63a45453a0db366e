import type { PageHosts } from '#/payments/payment.ts'

/** The hosts of payers' pages. No server listens there. */
export const pages: PageHosts = {
  cell: 'a1',
  checkout: 'http://127.0.0.1:4001',
  partner: 'http://127.0.0.1:4002',
}
