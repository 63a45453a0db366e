// What a payment is for: its items, as the merchant sent them. They are part of the request and never change.
import type { FieldFault } from '#/kernel/error.ts'
import { amountFromJson } from '#/kernel/money.ts'

/** `amount`: the price of one unit, in minor units. A discount is an item with a negative one. */
export type PaymentItem = { readonly name: string; readonly quantity: number; readonly amount: number }

/** Each webhook and each row of a list carries all items, so their size is limited as that of metadata is. */
const itemsBytesMax = 16_384

/** The price of all units of the item. */
export function itemMinor({ quantity, amount }: Pick<PaymentItem, 'quantity' | 'amount'>): bigint {
  return BigInt(quantity) * amountFromJson(amount)
}

/** What is wrong with the items of a payment of `amount`, beyond the shape of each. No items have no faults. */
export function itemFaults(items: readonly PaymentItem[] | undefined, amount: number): readonly FieldFault[] {
  if (items === undefined) return []
  if (Buffer.byteLength(JSON.stringify(items)) > itemsBytesMax)
    return [{ pointer: '/items', code: 'too_large', message: 'have more than 16 KiB' }]
  const sum = items.reduce((all, item) => all + itemMinor(item), 0n)
  if (sum === amountFromJson(amount)) return []
  const message = `add up to ${sum}, and amount is ${amount}`
  return [{ pointer: '/items', code: 'differs', message }]
}
