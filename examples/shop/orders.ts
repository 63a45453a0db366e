// The shop's own database. Only `apply` changes an order, wherever an event came from: a webhook, the same webhook again, an older one, or
// the loop that reads events. So an order is fulfilled exactly once.
import { DatabaseSync } from 'node:sqlite'
import type { Payment, Refund, WebhookEvent } from '@vintem/sdk'
import { totalOf, type Line } from './goods.ts'

export type Order = {
  readonly id: string
  readonly paymentId: string | null
  readonly status: string
  readonly total: number
  readonly refunded: number
  /** Refunds that have ended, completed or failed: a later refund is a new one. */
  readonly refundsEnded: number
  /** When the goods were sent; null until then. */
  readonly fulfilledAt: string | null
}

export type Orders = {
  readonly putInCart: (cart: string, sku: string, quantity: number) => void
  readonly linesOf: (cart: string) => readonly Line[]
  /** Makes an order of the cart, which is empty then. Undefined when it was empty. */
  readonly place: (cart: string) => Order | undefined
  readonly setPayment: (orderId: string, paymentId: string) => void
  readonly find: (orderId: string) => Order | undefined
  readonly newest: () => readonly Order[]
  readonly apply: (event: WebhookEvent) => void
  readonly position: () => number
  /** Applies events and stores the position behind them, in one transaction. */
  readonly applyAll: (events: readonly WebhookEvent[], readTo: number) => void
}

const tables = `
  pragma journal_mode = wal;
  pragma busy_timeout = 5000;
  create table if not exists cart_line (cart text, sku text, quantity integer not null, primary key (cart, sku));
  create table if not exists orders (
    id text primary key, payment_id text unique, status text not null default 'NEW', total integer not null,
    version integer not null default 0, created_at text not null default (datetime('now', 'subsec'))
  );
  create table if not exists fulfilment (order_id text primary key references orders, at text not null default current_timestamp);
  create table if not exists refund (id text primary key, payment_id text not null, amount integer not null, status text not null, version integer not null);
  create table if not exists reader (one integer primary key check (one = 1), read_to integer not null);
  insert or ignore into reader values (1, 0);
`

const orderColumns = `
  select id, payment_id as paymentId, status, total, at as fulfilledAt,
    (select coalesce(sum(amount), 0) from refund where refund.payment_id = orders.payment_id and refund.status = 'COMPLETED') as refunded,
    (select count(*) from refund where refund.payment_id = orders.payment_id and refund.status in ('COMPLETED', 'FAILED')) as refundsEnded
  from orders left join fulfilment on order_id = id`

/** Opens the database at a path, or `:memory:`. */
export function openOrders(path: string): Orders {
  const db = new DatabaseSync(path)
  db.exec(tables)
  const one = db.prepare(`${orderColumns} where id = ?`)
  const newest = db.prepare(`${orderColumns} order by created_at desc, id limit 50`)
  const cart = db.prepare('select sku, quantity from cart_line where cart = ? order by sku')
  const put = db.prepare(`insert into cart_line values (?, ?, ?)
    on conflict do update set quantity = max(0, quantity + excluded.quantity)`)
  const linesOf = (id: string) => (cart.all(id) as unknown as Line[]).filter(({ quantity }) => quantity > 0)
  const find = (id: string) => one.get(id) as Order | undefined

  function together<Result>(work: () => Result): Result {
    db.exec('begin immediate')
    try {
      const result = work()
      db.exec('commit')
      return result
    } catch (error) {
      db.exec('rollback')
      throw error
    }
  }

  function place(id: string): Order | undefined {
    const lines = linesOf(id)
    if (lines.length === 0) return undefined
    const orderId = crypto.randomUUID()
    db.prepare('insert into orders (id, total) values (?, ?)').run(orderId, totalOf(lines))
    db.prepare('delete from cart_line where cart = ?').run(id)
    return find(orderId)
  }

  return {
    putInCart: (id, sku, quantity) => void put.run(id, sku, quantity),
    linesOf,
    place: (id) => together(() => place(id)),
    setPayment: (orderId, paymentId) =>
      void db.prepare('update orders set payment_id = ? where id = ?').run(paymentId, orderId),
    find,
    newest: () => newest.all() as unknown as readonly Order[],
    apply: (event) => together(() => apply(db, event)),
    position: () => Number(db.prepare('select read_to from reader').get()?.['read_to']),
    applyAll: (events, readTo) =>
      together(() => {
        for (const event of events) apply(db, event)
        db.prepare('update reader set read_to = max(read_to, ?)').run(readTo)
      }),
  }
}

/** What comes twice, late or out of order changes nothing: only a version above the stored one counts. */
function apply(db: DatabaseSync, event: WebhookEvent): void {
  if (event.type.startsWith('payment.')) applyPayment(db, event.data as Payment)
  if (event.type.startsWith('refund.')) applyRefund(db, event.data as Refund)
}

/** The order is found by what we put into `metadata`: so it is found even if we died before we had stored the payment's id. */
function applyPayment(db: DatabaseSync, { id, status, version, metadata }: Payment): void {
  const orderId = String(metadata?.['orderId'])
  const order = db.prepare('select version from orders where id = ?').get(orderId)
  if (order === undefined || version <= Number(order['version'])) return
  db.prepare('update orders set status = ?, version = ?, payment_id = ? where id = ?').run(
    status,
    version,
    id,
    orderId,
  )
  // The primary key is the second line of defence: an order has one fulfilment.
  if (status === 'PAID') db.prepare('insert or ignore into fulfilment (order_id) values (?)').run(orderId)
}

function applyRefund(db: DatabaseSync, { id, paymentId, amount, status, version }: Refund): void {
  db.prepare(
    `insert into refund values (?, ?, ?, ?, ?) on conflict do update
      set status = excluded.status, version = excluded.version where excluded.version > refund.version`,
  ).run(id, paymentId, amount, status, version)
}
