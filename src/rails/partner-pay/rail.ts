// PARTNER_PAY: the payer confirms in a wallet provider's app (Binance Pay Merchant API v3). The order's merchantTradeNo is the
// attempt's id without hyphens, so a payment names its attempt, and an attempt has one order.
import { must } from '#/kernel/check.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { parseInstant, type Clock } from '#/kernel/time.ts'
import type { ConnectionBook, WatchCalls } from '#/rails/connection.ts'
import type {
  Checked,
  OpenedAttempt,
  OpensWithPage,
  Presentation,
  Rail,
  SignedCallbacks,
} from '#/rails/rail.ts'
import type { Receipt, Signal } from '#/rails/receipt.ts'
import type { Routing, RoutingRequest } from '#/rails/routing.ts'
import { createPartnerCallbacks } from './callbacks.ts'
import { defaultTimeouts, type Answered, type Timeouts } from './client.ts'
import { openConnections, type OpenConnections } from './connections.ts'
import { partnerPay } from './method.ts'
import { endOrder, openOrder } from './open.ts'
import { isOpen, receiptsOfOrder, receiptsOfRefund, toReference } from './receipts.ts'
import { createPartnerRefunder } from './refund.ts'
import { nonsense, parseHint, type Hint, type Order } from './wire.ts'

export type PartnerPayRailOptions = {
  readonly connections: ConnectionBook
  readonly clock: Clock
  readonly log: Log
  /** Counts the calls of each connection. */
  readonly watchCalls?: WatchCalls
  /** The time limits of calls. Default: those of the client. */
  readonly timeouts?: Timeouts
}

export type PartnerPayRail = Rail & {
  readonly opens: OpensWithPage
  readonly callbacks: SignedCallbacks
  /** Waits for calls under way, then ends the connections to all providers. */
  stop(): Promise<void>
}

type Deps = { readonly open: OpenConnections; readonly clock: Clock; readonly log: Log }

/**
 * The rail over the PARTNER_PAY connections of the book. The provider has no list of payments: `check` finds the money of lost
 * callbacks, as long as the attempt is checked.
 */
export function createPartnerPayRail(options: PartnerPayRailOptions): PartnerPayRail {
  const { connections, clock, log, watchCalls, timeouts = defaultTimeouts } = options
  const open = openConnections({ connections, clock, timeouts, watchCalls })
  const deps: Deps = { open, clock, log }
  return {
    method: 'PARTNER_PAY',
    brand: 'Binance Pay',
    lifetimeMs: partnerPay.lifetimeMaxMs,
    lifetimeMaxMs: partnerPay.lifetimeMaxMs,
    amounts: 'EXACT',
    route: (request) => route(connections, request),
    opens: {
      at: 'PAGE',
      page: 'PARTNER',
      open: (opening) => openOrder(open.collecting(opening.connection), opening, { clock, timeouts }),
      async cancel({ id, connection }) {
        await endOrder(open.collecting(connection).client, { tradeNo: toReference(id) })
      },
      check: (attempt) => check(deps, attempt),
      present,
    },
    read: (signal) => readSignal(deps, signal),
    callbacks: createPartnerCallbacks(deps),
    refunds: createPartnerRefunder(deps),
    arrival: () => ({ at: 'PROVIDER' }),
    stop: open.close,
  }
}

function route(connections: ConnectionBook, { mode, merchantId, currency }: RoutingRequest): Routing {
  if (currency !== undefined && currency !== 'USDT') {
    const detail = `PARTNER_PAY takes USDT, not ${currency}.`
    return { ok: false, code: 'currency_not_supported', detail, pointer: '/currency' }
  }
  const [first] = connections.of({ method: 'PARTNER_PAY', mode, merchantId })
  if (first === undefined)
    return { ok: false, code: 'method_not_available', detail: 'PARTNER_PAY is not connected.' }
  return { ok: true, connection: first.id, currency: 'USDT' }
}

/** Expects an attempt that has not expired: one whose links were lost has expired from the beginning. */
function present({ artifacts }: OpenedAttempt): Presentation {
  const text = (field: string) => {
    const value = artifacts[field]
    return must(typeof value === 'string' ? value : undefined, `an order that is shown has ${field}`)
  }
  const expiresAt = must(parseInstant(text('expiresAt')), 'an order expires at an instant')
  return { kind: 'APP', code: text('code'), appUrl: text('appUrl'), expiresAt }
}

async function check({ open, log }: Deps, { id, connection }: OpenedAttempt): Promise<Checked> {
  const tradeNo = toReference(id)
  const found = await open.collecting(connection).client.findOrder({ tradeNo })
  if (found === undefined) {
    log.warn({ attempt: id }, 'the wallet provider does not know an order of ours any more')
    return { receipts: [], isOver: true }
  }
  if (found.value.tradeNo !== tradeNo) throw nonsense('order', 'is another one')
  return { receipts: receiptsIn(connection, found), isOver: !isOpen(found.value) }
}

function receiptsIn(connection: ConnectionId, { value, raw }: Answered<Order>): readonly Receipt[] {
  return receiptsOfOrder(connection, value, raw)
}

async function readSignal(deps: Deps, { connection, body }: Signal): Promise<readonly Receipt[]> {
  const hint = parseHint(body)
  if (hint?.bizType === 'PAY') return readPayment(deps, connection, hint)
  if (hint?.bizType === 'PAY_REFUND') return readRefund(deps, connection, hint)
  deps.log.info(
    { connection, type: hint?.bizType },
    'a callback of the wallet provider that is not about orders',
  )
  return []
}

/** Returns the current state of the order that a callback names. An unpaid order has no receipt. */
async function readPayment(
  { open, log }: Deps,
  connection: ConnectionId,
  { bizId, tradeNo }: Pick<Hint, 'bizId' | 'tradeNo'>,
): Promise<readonly Receipt[]> {
  const { client } = open.collecting(connection)
  const found =
    (await client.findOrder({ prepayId: bizId })) ??
    (tradeNo === undefined ? undefined : await client.findOrder({ tradeNo }))
  if (found !== undefined) return receiptsIn(connection, found)
  log.warn({ connection, order: bizId }, 'a callback names an order that the wallet provider does not know')
  return []
}

/**
 * Returns how a refund of ours ended, with the receipts of its order. Returns nothing when the refund cannot be read: the worker
 * that sends refunds queries it too.
 */
async function readRefund(
  { open, clock, log }: Deps,
  connection: ConnectionId,
  { refundRequestId }: Hint,
): Promise<readonly Receipt[]> {
  if (refundRequestId === undefined) return []
  const found = await findRefund(open, connection, refundRequestId)
  if (found === undefined) {
    log.info({ connection, refund: refundRequestId }, 'a callback names a refund that cannot be looked up')
    return []
  }
  const paid = await readPayment({ open, clock, log }, connection, { bizId: found.value.prepayId })
  const answer = { at: clock.now(), evidence: found.raw }
  return [...paid, ...paid.flatMap((receipt) => receiptsOfRefund(receipt, found.value, answer))]
}

/** Uses the credentials for refunds: the others may not be allowed to read refunds. A process without them finds nothing. */
async function findRefund(open: OpenConnections, connection: ConnectionId, requestId: string) {
  const connected = open.canRefund(connection) ? open.refunding(connection) : undefined
  return connected?.client.findRefund(requestId)
}
