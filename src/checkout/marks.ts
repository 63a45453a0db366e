// What payers look for: the marks of methods, cards and wallets, and the names that they know them by.
import type { Means } from './means.ts'
import type { Method } from '#/rails/words.ts'
import type { Currency } from '#/kernel/money.ts'
import type { Mark } from './page-state.ts'
import type { Sentences } from './sentences/en.ts'

/** Who reads a state: what its wallet app is called, where the rail says so. */
export type Naming = { readonly sentences: Sentences; readonly walletName: string | undefined }

/** The wallet app goes by its own name. */
export function labelOf(method: Method, { sentences, walletName }: Naming): string {
  return method === 'PARTNER_PAY' && walletName !== undefined ? walletName : sentences.methods[method].label
}

const walletMarks: ReadonlyMap<string, Mark> = new Map([['Binance Pay', 'binance']])

export function markOf(method: Method, walletName: string | undefined): Mark {
  switch (method) {
    case 'PIX':
      return 'pix'
    case 'CREDIT_CARD':
      return 'card'
    case 'CRYPTO':
      return 'usdt'
    case 'PARTNER_PAY':
      return walletMarks.get(walletName ?? '') ?? 'wallet'
    default:
      return method satisfies never
  }
}

/** Schemes that card accounts of a currency take as a rule. The provider's form has the last word. */
export function acceptedCards(method: Method, currency: Currency): readonly Mark[] {
  if (method !== 'CREDIT_CARD') return []
  return currency === 'BRL' ? ['visa', 'mastercard', 'elo'] : ['visa', 'mastercard', 'amex']
}

/** By the names that Stripe's API gives them (https://docs.stripe.com/api/charges/object, `card.brand`). */
const cards: ReadonlyMap<unknown, { readonly name: string; readonly mark: Mark }> = new Map(
  Object.entries({
    visa: { name: 'Visa', mark: 'visa' },
    mastercard: { name: 'Mastercard', mark: 'mastercard' },
    elo: { name: 'Elo', mark: 'elo' },
    amex: { name: 'American Express', mark: 'amex' },
    hipercard: { name: 'Hipercard', mark: 'card' },
    diners: { name: 'Diners Club', mark: 'card' },
    discover: { name: 'Discover', mark: 'card' },
    jcb: { name: 'JCB', mark: 'card' },
    unionpay: { name: 'UnionPay', mark: 'card' },
  }),
)

/** What was paid with: a card by its brand and its last digits, as it is printed on it. */
export function paidWith(
  method: Method,
  { fields }: Means,
  naming: Naming,
): { readonly value: string; readonly mark: Mark } {
  const value = labelOf(method, naming)
  const mark = markOf(method, naming.walletName)
  if (method !== 'CREDIT_CARD') return { value, mark }
  const { brand, last4 } = (fields['card'] ?? {}) as { readonly brand?: unknown; readonly last4?: unknown }
  const known = cards.get(brand) ?? { name: value, mark }
  const digits = typeof last4 === 'string' && /^\d{1,4}$/.test(last4) ? `\u00a0•••• ${last4}` : ''
  return { value: `${known.name}${digits}`, mark: known.mark }
}

const networks: ReadonlyMap<string, string> = new Map([['BSC', 'BNB Smart Chain (BEP20)']])

/** As exchanges label it where a withdrawal's network is chosen. */
export function networkLabel(network: string): string {
  return networks.get(network) ?? network
}
