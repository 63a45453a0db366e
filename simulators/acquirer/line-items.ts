// What a session sells: kept with it, and returned only on request.
import type { KeptSession } from './acquirer.ts'
import { pageOf } from './lists.ts'
import type { Params } from './params.ts'
import type { LineItem } from './wire.ts'

/** GET /v1/checkout/sessions/{id}/line_items, one page of it. */
export function lineItemsOf(session: KeptSession, params: Params) {
  return pageOf(itemsOf(session), params, pathOf(session))
}

/** The field `line_items` of an expanded session: the first page. */
export function expandedItems(session: KeptSession) {
  return pageOf(itemsOf(session), { fields: {}, at: '' }, pathOf(session))
}

function pathOf({ wire }: KeptSession): string {
  return `/v1/checkout/sessions/${wire.id}/line_items`
}

/** In the order of the request. A session from an older journal has none. */
function itemsOf({ items = [], wire }: KeptSession): readonly LineItem[] {
  return items.map(({ currency, unitAmount, name, quantity, ids }) => ({
    id: ids.item,
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: unitAmount * quantity,
    amount_tax: 0,
    amount_total: unitAmount * quantity,
    currency,
    description: name,
    metadata: {},
    price: {
      id: ids.price,
      object: 'price',
      active: false,
      billing_scheme: 'per_unit',
      created: wire.created,
      currency,
      custom_unit_amount: null,
      livemode: false,
      lookup_key: null,
      metadata: {},
      nickname: null,
      product: ids.product,
      recurring: null,
      tax_behavior: 'unspecified',
      tiers_mode: null,
      transform_quantity: null,
      type: 'one_time',
      unit_amount: unitAmount,
      unit_amount_decimal: String(unitAmount),
    },
    quantity,
  }))
}
