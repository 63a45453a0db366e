// What the payment is for, as the payer reads it: in the summary while it is to be paid, then in the receipt.
import { amountFromJson } from '#/kernel/money.ts'
import { itemMinor, type Payment } from '#/payments/payment.ts'
import type { Format } from './format.ts'
import type { PageItems } from './page-state.ts'
import type { Sentences } from './sentences.ts'

/** More lines than this are folded, so that the way to pay stays on the first screen. */
const openMax = 4

/** The lines in the merchant's order; undefined for a payment without items. */
export function pageItemsOf(
  { request: { items }, currency }: Pick<Payment, 'request' | 'currency'>,
  format: Format,
  { items: words }: Pick<Sentences, 'items'>,
): PageItems | undefined {
  if (items === undefined) return undefined
  const isFolded = items.length > openMax
  return {
    label: isFolded ? words.count(format.count(items.length)) : words.label,
    isFolded,
    lines: items.map((item) => {
      const { name, quantity, amount } = item
      const price = format.money(amountFromJson(amount), currency).text
      return {
        name,
        ...(quantity === 1 ? {} : { each: `${format.count(quantity)} × ${price}` }),
        total: format.money(itemMinor(item), currency).text,
      }
    }),
  }
}
