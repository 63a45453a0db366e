import { describe } from '#/rails/descriptor.ts'

export const partnerPay = describe({
  method: 'PARTNER_PAY',
  currencies: ['USDT'],
  namesCurrency: true,
  refunds: 'PART',
  mark: 'wallet',
  label: { en: 'Wallet app', 'pt-BR': 'Carteira digital', es: 'Billetera digital' },
  merchantLabel: { en: 'Partner wallet', 'pt-BR': 'Carteira parceira', es: 'Billetera asociada' },
  by: { en: 'the wallet app', 'pt-BR': 'app de carteira', es: 'app de pagos' },
  who: { en: 'The wallet app', 'pt-BR': 'O app de carteira', es: 'La app de pagos' },
  hint: {
    en: 'Confirm in your wallet app.',
    'pt-BR': 'Confirme no app da carteira.',
    es: 'Confirme en la app de su billetera.',
  },
  /** `confirm`: pays the order. `refuse`: cancels it, which the payment's `lastError` shows. */
  sandbox: { scenarios: ['confirm', 'refuse'], meaning: 'confirm, refuse.' },
  audit: 'PAGE',
  docs: 'partner-wallet.md',
})
