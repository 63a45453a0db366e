import { hourMs } from '#/kernel/time.ts'
import { describe } from '#/rails/descriptor.ts'

export const partnerPay = describe({
  method: 'PARTNER_PAY',
  currencies: ['USDT'],
  namesCurrency: true,
  lifetimeMaxMs: hourMs,
  refunds: 'PART',
  mark: 'wallet',
  label: ['Carteira digital', 'Wallet app', 'Billetera digital'],
  merchantLabel: ['Carteira parceira', 'Partner wallet', 'Billetera asociada'],
  by: ['app de carteira', 'wallet app', 'app de billetera'],
  who: ['O app de carteira', 'The wallet app', 'La app de billetera'],
  hint: [
    'Confirme no app da carteira.',
    'Confirm in your wallet app.',
    'Confirme en la app de su billetera.',
  ],
  /** `confirm`: pays the order. `refuse`: cancels it, which the payment's `lastError` shows. */
  sandbox: { scenarios: ['confirm', 'refuse'], meaning: 'confirm, refuse.' },
  audit: 'PAGE',
  docs: 'partner-wallet.md',
})
