// The world of the partner-pay schedules: everything except the API. The wallet app is a process of its own, payers pay only
// what their page showed, and the test decides when the worker's jobs run.
import type { Sql } from '#/db/client.ts'
import type { Report } from '#/db/inspection.ts'
import { must } from '#/kernel/check.ts'
import { newId, type PaymentId } from '#/kernel/id.ts'
import { cancelDue, checkDue } from '#/payments/check.ts'
import { endKind, expireDue, type EndKind } from '#/payments/end.ts'
import { createPageOpener, type PageOpener } from '#/payments/open.ts'
import { createPartnerPayRail } from '#/rails/partner-pay/rail.ts'
import { sendDueRefunds } from '#/refunds/send.ts'
import { drainOnce } from '#/settlement/inbox.ts'
import { startTestWallet, type TestWallet } from '../rails/partner-pay/wallet.ts'
import { allowAway, openScheduleWorld, type ScheduleWorld, type Shop } from './schedule-world.ts'

export type PartnerSchedule = AsyncDisposable & {
  readonly sql: Sql
  readonly app: TestWallet
  /** A merchant with an account of its own at the app. */
  openShop(): Promise<PartnerShop>
  verify(): Promise<Report>
}

export type PartnerShop = Pick<Shop, 'payment' | 'refund' | 'balances'> & {
  create(): Promise<PaymentId>
  /** Acts as the payer: opens the page, in one of two processes, and keeps the link to the order that it shows. */
  open(id: PaymentId, door: number): Promise<void>
  /** The orders that payers were ever shown, by the app's names. Only these can be paid. */
  shown(id: PaymentId): readonly string[]
  /** Acts in the app, by one of the links that were shown. */
  act(id: PaymentId, which: number, action: PayerAction): Promise<void>
  cancel(id: PaymentId): Promise<void>
  /** Whether the merchant's cancellation was accepted. */
  isCanceled(id: PaymentId): boolean
  /** Lets the payment expire now. */
  end(id: PaymentId): Promise<void>
  /** Sends a callback about something that did not happen. Returns the status of the answer. */
  lie(id: PaymentId, lie: Lie): Promise<number | undefined>
  suspend(isSuspended: boolean): Promise<void>
  /** Runs everything that is due for a worker; with `isLate`, also what is not due yet. */
  work(what: Work, isLate?: boolean): Promise<void>
  /** Whether a worker has nothing left to do but to repeat its checks. */
  isQuiet(): Promise<boolean>
  /** How many signals are parked for a person. */
  parked(): Promise<number>
  /** The app's records of this merchant. */
  state(): Promise<AppState>
  /** The payment of each attempt, by the reference that the attempt's order has at the app. */
  attempts(): Promise<ReadonlyMap<string, PaymentId>>
}

export const payerActions = ['begin', 'confirm', 'refuse', 'expire', 'insufficient'] as const
type PayerAction = (typeof payerActions)[number]

export const lies = ['PAY_SUCCESS', 'PAY_CLOSED', 'REFUND_SUCCESS', 'REFUND_REJECTED'] as const
export type Lie = {
  readonly says: (typeof lies)[number]
  readonly which: number
  readonly by: 'app' | 'stranger'
}

/** Objects as the app shows them. */
export type AppState = {
  readonly orders: readonly {
    readonly prepayId: string
    readonly merchantTradeNo: string
    readonly status: string
    /** `12.34000000` */
    readonly amount: string
    /** Only of a paid order. */
    readonly transactionId?: string
    readonly refunds: readonly {
      readonly refundRequestId: string
      readonly amount: string
      readonly status: string
    }[]
  }[]
  /** What the app holds for the merchant. */
  readonly balance: string
  /** Webhooks that the app has yet to send. */
  readonly waiting: number
}

export const works = ['inbox', 'checks', 'refunds', 'expiry', 'cancellations'] as const
export type Work = (typeof works)[number]

type Parts = {
  readonly world: ScheduleWorld
  readonly app: TestWallet
  readonly openers: readonly PageOpener[]
  readonly endKind: EndKind
  readonly doing: Readonly<Record<Work, () => Promise<unknown>>>
}

export async function openPartnerSchedule(): Promise<PartnerSchedule> {
  // The real rail, with shorter timeouts.
  const timeouts = { connectMs: 500, totalMs: 500 }
  const [world, app] = await Promise.all([
    openScheduleWorld((deps) => createPartnerPayRail({ ...deps, timeouts })),
    startTestWallet(),
  ])
  const { shared, kinds, settle } = world
  const endingKind = endKind(shared.rails)
  const doing: Parts['doing'] = {
    inbox: () => drainOnce({ ...shared, kind: kinds.settle }),
    checks: () => checkDue({ ...shared, settle }),
    refunds: () => sendDueRefunds({ ...shared, settle }),
    expiry: () => expireDue({ ...shared, kind: endingKind }),
    cancellations: () => cancelDue(shared),
  }
  const openers = [createPageOpener(shared), createPageOpener(shared)]
  return {
    sql: shared.sql,
    app,
    openShop: () => openShop({ world, app, openers, endKind: endingKind, doing }),
    verify: world.verify,
    async [Symbol.asyncDispose]() {
      // Stopped first, because it would go on calling back.
      await app.stop()
      await world[Symbol.asyncDispose]()
    },
  }
}

async function openShop({ world, app, openers, endKind: kind, doing }: Parts): Promise<PartnerShop> {
  const { sql, lane } = world.shared
  const access = await app.merchant()
  const shop = await world.openShop({ currency: 'USDT', provider: 'binance', ...access })
  const { merchantId, connection, callbackUrl } = shop
  const ofMerchant = `/merchants/${access.secrets.apiKey}`
  await app.control('POST', `${ofMerchant}/webhook`, { url: callbackUrl })
  const links = new Map<PaymentId, readonly string[]>()
  const canceled = new Set<PaymentId>()
  const shown = (id: PaymentId) => links.get(id) ?? []
  const linkOf = (id: PaymentId, which: number) => shown(id)[which % Math.max(shown(id).length, 1)]
  return {
    ...shop,
    create: () => shop.create({ amount: 2_000 }),
    async open(id, door) {
      const opener = must(openers[door], 'there are two processes')
      const opened = await allowAway(opener.openPage(await shop.payment(id), { method: 'PARTNER_PAY' }))
      const { prepayId, code } = opened?.attempt?.artifacts ?? {}
      // Without its code an order cannot be shown to a payer.
      if (code !== undefined) links.set(id, [...new Set([...shown(id), String(prepayId)])])
    },
    shown,
    async act(id, which, action) {
      const link = linkOf(id, which)
      // The order is over, or the app is away: then nothing happens.
      if (link !== undefined) await app.control('POST', `/orders/${link}`, { action }).catch(() => undefined)
    },
    async cancel(paymentId) {
      const verdict = await lane.submit(kind, { merchantId, paymentId, event: 'canceled' })
      if (verdict.kind === 'closed') canceled.add(paymentId)
    },
    isCanceled: (id) => canceled.has(id),
    async end(id) {
      await sql`
        update payment set expires_at = now() - interval '1 second'
         where merchant_id = ${merchantId} and id = ${id} and status in ('PENDING', 'WAITING_PAYMENT')`
    },
    async lie(id, { says, which, by }) {
      const order = linkOf(id, which)
      if (order === undefined) return undefined
      const refunds = await sql<{ id: string }[]>`select id from refund where payment_id = ${id} order by id`
      const refund = refunds[which % Math.max(refunds.length, 1)]?.id ?? newId()
      const body = bodyOf(says, order, refund)
      const answer = await fetch(callbackUrl, { method: 'POST', headers: app.signed(body, by), body })
      await answer.arrayBuffer()
      return answer.status
    },
    async suspend(suspended) {
      await app.control('POST', ofMerchant, { suspended })
    },
    async work(what, isLate = false) {
      if (isLate) await shop.bringForward(what)
      await doing[what]()
    },
    isQuiet: async () => (await shop.isQuiet()) && (await isSettled(sql, shop)),
    async parked() {
      const found = await sql`select id from inbox where connection = ${connection} and parked`
      return found.length
    },
    state: () => stateOf(app, ofMerchant),
    async attempts() {
      const rows = await sql<{ name: string; paymentId: PaymentId }[]>`
        select replace(id::text, '-', '') as name, payment_id as "paymentId" from attempt
         where merchant_id = ${merchantId}`
      return new Map(rows.map((row) => [row.name, row.paymentId]))
    },
  }
}

/** Whether no payment is due to expire, and every order to be canceled was canceled at the app. */
async function isSettled(sql: Sql, { merchantId }: Shop): Promise<boolean> {
  const [open] = await sql<{ count: number }[]>`
    select ((select count(*) from attempt_closing where merchant_id = ${merchantId})
          + (select count(*) from payment
              where merchant_id = ${merchantId} and status in ('PENDING', 'WAITING_PAYMENT')
                and expires_at <= now()))::integer as count`
  return open?.count === 0
}

async function stateOf(app: TestWallet, ofMerchant: string): Promise<AppState> {
  type Order = AppState['orders'][number] & { readonly merchantId: number }
  // An empty update changes nothing and returns the merchant's id and balance at the app.
  const { merchantId, balance } = await app.control('POST', ofMerchant, {})
  const { orders, waiting } = await app.control('GET', '/state')
  const ownOrders = (orders as readonly Order[]).filter((each) => each.merchantId === merchantId)
  return { orders: ownOrders, balance: String(balance), waiting: Number(waiting) }
}

/** As the app writes it: with a number that no double can hold, and JSON inside a string. */
function bodyOf(says: Lie['says'], order: string, refund: string): string {
  const isRefund = says.startsWith('REFUND')
  const refundInfo = { refundRequestId: refund.replaceAll('-', ''), refundAmount: '19.99000000' }
  const data = JSON.stringify({ totalFee: 20, ...(isRefund ? { refundInfo } : {}) })
  const rest = JSON.stringify({ bizIdStr: order, bizStatus: says, data }).slice(1)
  return `{"bizType":"${isRefund ? 'PAY_REFUND' : 'PAY'}","bizId":${order},${rest}`
}
