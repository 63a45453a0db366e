// Records about money that a test's installation does not make by itself, as the API shows them, and pages that are answered with them.
import type { Page } from 'playwright-core'

export const dispute = {
  id: '01a20acf-0d11-7622-b233-56008a0ef732',
  paymentId: '01a20acf-2bda-76b0-a4c7-a6d7cb573d1f',
  reason: 'product_not_received',
  mode: 'SANDBOX',
  status: 'OPEN',
  kind: 'CHARGEBACK',
  amount: 4_990,
  currency: 'BRL',
  fee: 1_500,
  createdAt: new Date().toISOString(),
  evidenceDueAt: new Date(Date.now() + 3.5 * 86_400_000).toISOString(),
  version: 1,
}
export const evidence = {
  disputeId: dispute.id,
  status: 'DRAFT',
  canChange: true,
  texts: { productDescription: 'Coffee, 1 kg' } as Record<string, string>,
  files: [] as unknown[],
  version: 1,
}
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

export async function answerWith(page: Page): Promise<void> {
  const json = (body: unknown) => JSON.stringify(body)
  for (const [kind, record] of [
    ['disputes', dispute],
    ['refunds', refund],
  ] as const) {
    await page.route(new RegExp(`/api/m/[^/]+/${kind}\\?`), (route) =>
      route.fulfill({ contentType: 'application/json', body: json({ data: [record] }) }),
    )
    await page.route(`**/${kind}/${record.id}`, (route, request) =>
      request.url().includes('/api/')
        ? route.fulfill({ contentType: 'application/json', body: json(record) })
        : route.continue(),
    )
  }
  await page.route(`**/disputes/${dispute.id}/evidence`, (route) =>
    route.fulfill({ contentType: 'application/json', body: json(evidence) }),
  )
  await page.route(`**/payments/${dispute.paymentId}/explain?*`, (route) =>
    route.fulfill({ contentType: 'application/json', body: json(story) }),
  )
  await page.route(`**/refunds/${refund.id}/explain?*`, (route) =>
    route.fulfill({ contentType: 'application/json', body: json(story) }),
  )
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
