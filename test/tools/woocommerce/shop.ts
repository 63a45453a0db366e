// The test's shop as its customers see it, over the shop's own pages and the API of its checkout block; and as its administrator does, by calls of
// `acts.php`.
import assert from 'node:assert/strict'
import { eventually } from '../../eventually.ts'
import type { Running } from './start.ts'

export type Json = Readonly<Record<string, unknown>>

/** What the stories read of an order. */
export type Order = {
  readonly id: number
  readonly key: string
  readonly status: string
  readonly total: string
  readonly method: string
  readonly transaction: string
  readonly isPaid: boolean
  readonly record: {
    readonly attempts: readonly { readonly n: number; readonly paymentId?: string }[]
    readonly refunds: readonly { readonly state: string; readonly amount: number }[]
  } | null
  /** Without those that WooCommerce writes about its own e-mails. */
  readonly notes: readonly string[]
  readonly refunds: readonly string[]
  readonly inOwnTables: boolean
}

export type Paid = {
  readonly result: string
  readonly redirect?: string
  readonly message?: string
}

export type Shop = {
  readonly running: Running
  act<Answer = Json>(act: string, more?: Json): Promise<Answer>
  order(id: number): Promise<Order>
  /** Waits for the order in a status. */
  orderIn(id: number, status: string): Promise<Order>
  /** Waits for a note of the order. */
  noted(id: number, note: RegExp): Promise<Order>
  /** An order that an administrator made, with `quantity` of the product at 0.29. */
  make(quantity: number, more?: Json): Promise<Order>
  pay(id: number): Promise<Paid>
  /** An order whose payment was started, with the payment's id. */
  begin(
    quantity: number,
    more?: Json,
  ): Promise<{ readonly order: Order; readonly paymentId: string; readonly page: string }>
  hook(body: string, headers: Readonly<Record<string, string>>): Promise<number>
  browser(): Visitor
}

/** A customer with the cookies of the shop. */
export type Visitor = {
  get(path: string): Promise<{ readonly status: number; readonly text: string; readonly headers: Headers }>
  post(
    path: string,
    body: URLSearchParams | Json,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly text: string; readonly headers: Headers }>
}

export function openShop(running: Running): Shop {
  const { url, token } = running

  async function act<Answer = Json>(name: string, more: Json = {}): Promise<Answer> {
    const answer = await fetch(`${url}/?shop-test=${token}`, {
      method: 'POST',
      body: JSON.stringify({ act: name, ...more }),
    })
    const text = await answer.text()
    assert.equal(answer.status, 200, `${name}: ${text.slice(0, 2_000)}`)
    return JSON.parse(text) as Answer
  }
  const order = (id: number) => act<Order>('order', { id })
  async function orderWith(what: string, id: number, holds: (order: Order) => boolean): Promise<Order> {
    let last: Order | undefined
    return eventually(
      () => `order ${id} ${what}; it is ${JSON.stringify(last)}`,
      async () => {
        last = await order(id)
        return holds(last) && last
      },
    )
  }

  const shop: Shop = {
    running,
    act,
    order,
    orderIn: (id, status) => orderWith(`is ${status}`, id, (each) => each.status === status),
    noted: (id, note) =>
      orderWith(`has the note ${note}`, id, ({ notes }) => notes.some((each) => note.test(each))),
    make: (quantity, more = {}) => act<Order>('make', { quantity, ...more }),
    pay: (id) => act<Paid>('pay', { id }),
    async begin(quantity, more = {}) {
      const { id } = await shop.make(quantity, more)
      const { result, redirect = '', message = '' } = await shop.pay(id)
      assert.equal(result, 'success', message)
      const begun = await order(id)
      return { order: begun, paymentId: paymentIdOf(begun), page: redirect }
    },
    async hook(body, headers) {
      const answer = await fetch(`${url}/?wc-api=vintem_webhook`, { method: 'POST', headers, body })
      await answer.arrayBuffer()
      return answer.status
    },
    browser: () => visitorOf(url),
  }
  return shop
}

/** The payment of the order's last attempt. */
export function paymentIdOf({ record }: Order): string {
  return record?.attempts.at(-1)?.paymentId ?? assert.fail('the order has no payment')
}

type Sent = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | URLSearchParams
}

function visitorOf(url: string): Visitor {
  const cookies = new Map<string, string>()
  async function call(path: string, init: Sent) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...init.headers, cookie }
    const answer = await fetch(path.startsWith('http') ? path : `${url}${path}`, {
      ...init,
      headers,
      redirect: 'manual',
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (name !== undefined && value !== undefined) cookies.set(name, value)
    }
    return { status: answer.status, text: await answer.text(), headers: answer.headers }
  }
  return {
    get: (path) => call(path, {}),
    post: (path, body, headers = {}) =>
      body instanceof URLSearchParams
        ? call(path, { method: 'POST', headers, body })
        : call(path, {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...headers },
            body: JSON.stringify(body),
          }),
  }
}
