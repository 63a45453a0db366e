// A Medusa shop over its own HTTP: the admin's API, and that of its shop pages.
import assert from 'node:assert/strict'
import { eventually } from '../../eventually.ts'

type Json = Readonly<Record<string, unknown>>

/** What the journey reads of a payment session. */
export type Session = {
  readonly id: string
  readonly status: string
  readonly data: {
    readonly id: string
    readonly status: string
    readonly amount: number
    readonly checkoutUrl: string
  }
}

/** What the journey reads of an order's payment. Amounts are decimals, as in Medusa. */
export type ShopPayment = {
  readonly id: string
  readonly amount: number
  readonly captured_at: string | null
  readonly captures: readonly { readonly amount: number }[]
  readonly refunds: readonly { readonly amount: number }[]
  readonly data: { readonly id: string; readonly refundIds: readonly string[] }
}

export type Order = {
  readonly id: string
  readonly email: string
  readonly status: string
  readonly payment_status: string
  readonly payment_collections: readonly {
    readonly status: string
    readonly payments: readonly ShopPayment[]
  }[]
}

export type Answer = { readonly status: number; readonly body: Json }

/** A shop with one region and one product for it. */
export type Shop = {
  /** A cart with `quantity` of the product, whose payer has this address. */
  cart(email: string, quantity: number): Promise<string>
  /** Another quantity in the cart. */
  changeCart(cart: string, quantity: number): Promise<Answer>
  /** Begins the payment by the provider. `data` is what a shop page may send along. */
  pay(cart: string, provider: string, data?: Json): Promise<Answer>
  /** The cart's sessions, the newest last. */
  sessions(cart: string): Promise<readonly Session[]>
  /** What a shop page calls when the payer is back. */
  complete(cart: string): Promise<Answer>
  /** The order of this payer; undefined while there is none. */
  order(email: string): Promise<Order | undefined>
  /** Waits for the order of this payer with a payment status. */
  orderWith(email: string, paymentStatus: string): Promise<Order>
  readonly admin: (path: string, body?: Json) => Promise<Answer>
  readonly hook: (
    provider: string,
    body: string,
    headers: Readonly<Record<string, string>>,
  ) => Promise<number>
}

export type Terms = {
  readonly url: string
  readonly login: { readonly email: string; readonly password: string }
  readonly currency: string
  readonly country: string
  readonly providers: readonly string[]
  /** The price of the product, as an administrator types it. */
  readonly price: number
}

/** Sets the shop up as its administrator would. */
export async function openShop({ url, login, currency, country, providers, price }: Terms): Promise<Shop> {
  const token = await must(call(`${url}/auth/user/emailpass`, {}, login))
  const bearer = { authorization: `Bearer ${String(token['token'])}` }
  const admin = (path: string, body?: Json) => call(`${url}/admin/${path}`, bearer, body)
  const first = async (path: string) =>
    Object.values(await must(admin(path))).find(Array.isArray)?.[0] as Json

  const [store, channel, key] = [
    await first('stores'),
    await first('sales-channels'),
    await first('api-keys'),
  ]
  const currencies = { supported_currencies: [{ currency_code: currency, is_default: true }] }
  await must(admin(`stores/${String(store['id'])}`, currencies))
  const { region } = await must(
    admin('regions', {
      name: currency,
      currency_code: currency,
      countries: [country],
      payment_providers: providers,
    }),
  )
  const { product } = await must(
    // Without a shipping profile nothing has to be sent.
    admin('products', {
      title: `A book, in ${currency}`,
      status: 'published',
      sales_channels: [{ id: channel['id'] }],
      options: [{ title: 'Format', values: ['PDF'] }],
      variants: [
        {
          title: 'PDF',
          manage_inventory: false,
          options: { Format: 'PDF' },
          prices: [{ currency_code: currency, amount: price }],
        },
      ],
    }),
  )
  const variant = (product as { readonly variants: readonly [{ readonly id: string }] }).variants[0].id
  const publishable = { 'x-publishable-api-key': String(key['token']) }
  const pages = (path: string, body?: Json) => call(`${url}/store/${path}`, publishable, body)
  const collections = new Map<string, string>()

  async function order(email: string): Promise<Order | undefined> {
    const fields =
      'id,email,status,payment_status,*payment_collections,*payment_collections.payments,*payment_collections.payments.captures,*payment_collections.payments.refunds'
    const { orders } = await must(admin(`orders?limit=100&fields=${fields}`))
    const found = (orders as readonly Order[]).filter((each) => each.email === email)
    assert.ok(found.length < 2, `one order of ${email}, not ${found.length}`)
    return found[0]
  }

  return {
    admin,
    order,
    async cart(email, quantity) {
      const body = {
        region_id: (region as Json)['id'],
        email,
        items: [{ variant_id: variant, quantity }],
      }
      const { cart } = await must(pages('carts', body))
      return String((cart as Json)['id'])
    },
    async changeCart(cart, quantity) {
      const { cart: found } = await must(pages(`carts/${cart}`))
      const { items } = found as { readonly items: readonly [{ readonly id: string }] }
      return pages(`carts/${cart}/line-items/${items[0].id}`, { quantity })
    },
    async pay(cart, provider, data = {}) {
      if (!collections.has(cart)) {
        const { payment_collection: made } = await must(pages('payment-collections', { cart_id: cart }))
        collections.set(cart, String((made as Json)['id']))
      }
      const path = `payment-collections/${collections.get(cart)}/payment-sessions`
      return pages(path, { provider_id: provider, data })
    },
    async sessions(cart) {
      const { cart: found } = await must(
        pages(`carts/${cart}?fields=id,*payment_collection.payment_sessions`),
      )
      const { payment_collection: made } = found as {
        readonly payment_collection?: { readonly payment_sessions?: readonly Session[] }
      }
      return made?.payment_sessions ?? []
    },
    complete: (cart) => pages(`carts/${cart}/complete`, {}),
    orderWith: (email, status) => {
      let last = 'no order'
      return eventually(
        () => `an order of ${email} that is ${status}, not ${last}`,
        async () => {
          const found = await order(email)
          last = found?.payment_status ?? last
          return last === status ? found : undefined
        },
      )
    },
    async hook(provider, body, headers) {
      const answer = await fetch(`${url}/hooks/payment/${provider}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      })
      await answer.arrayBuffer()
      return answer.status
    },
  }
}

/** The one payment of an order. */
export function paymentIn(order: Order): ShopPayment {
  const payments = order.payment_collections.flatMap(({ payments: each }) => each)
  assert.equal(payments.length, 1, 'an order has one payment')
  return payments[0] as ShopPayment
}

/** The body of an answer that has to be good. */
export async function must(answer: Promise<Answer>): Promise<Json> {
  const { status, body } = await answer
  assert.ok(status < 300, `Medusa answered ${status}: ${JSON.stringify(body)}`)
  return body
}

async function call(url: string, headers: Readonly<Record<string, string>>, body?: Json): Promise<Answer> {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Json }
}
