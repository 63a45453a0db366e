// The state of a payer's page for a payment that a test makes up, without a server or a database.
import type { Means } from '#/checkout/means.ts'
import type { PageState } from '#/checkout/page-state.ts'
import { buildPageState, type StateInput } from '#/checkout/state.ts'
import { pageTemplateOf } from '#/checkout/template.ts'
import { newId } from '#/kernel/id.ts'
import { type Payment, unpaid } from '#/payments/payment.ts'
import type { Coin } from '#/rails/rail.ts'
import { defaultRevision } from '#/templates/template.ts'

/** Without the blanks that keep words together. */
export const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')
export const now = new Date('2026-11-21T15:00:00.000Z')
export const template = pageTemplateOf(defaultRevision, { name: 'Loja da Ana' })
export const token = `a1${'x'.repeat(32)}`

export const usual: Payment = {
  merchantId: newId(),
  id: newId(),
  mode: 'LIVE',
  request: { amount: 1_000 },
  status: 'WAITING_PAYMENT',
  amountMinor: 1_000n,
  currency: 'USDT',
  methods: ['CRYPTO'],
  method: 'CRYPTO',
  ...unpaid,
  version: 3,
  createdAt: now,
  expiresAt: new Date('2026-11-21T18:40:00.000Z'),
}

export const address = '0x1111111111111111111111111111111111111111'
export const coin: Coin = {
  chainId: 56n,
  contract: '0x55d398326f99059fF775485246999027B3197955',
  currency: 'USDT',
  network: 'BSC',
  decimals: 18,
  confirmations: 3,
}
export const toAddress: Means = {
  fields: { cryptoAddress: address, cryptoNetwork: 'BSC', deposits: [] },
  coin,
}
export const framed = (clientSecret: string): Means => ({
  fields: {},
  presentation: {
    kind: 'FRAME',
    scriptUrl: 'https://js.example/s.js',
    publishableKey: 'pk',
    clientSecret,
    origins: [],
  },
})
export const frame = framed('cs')

/** With these changes of the payment, and of the page's other parts. */
export function stateOf(changes: Partial<Payment> = {}, more: Partial<StateInput> = {}): PageState {
  const payment = { ...usual, ...changes }
  return buildPageState({
    payment,
    means: toAddress,
    opened: 0,
    template,
    locale: 'pt-BR',
    now,
    token,
    ...more,
  })
}
