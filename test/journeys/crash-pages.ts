// The crash journey's payments on pages, by card, by iDEAL and in the partner's wallet app: payers and a merchant who continue through
// every crash, and what must be true in the end at both providers and in our books.
import assert from 'node:assert/strict'
import { sleep } from '#/kernel/time.ts'
import { isSoak } from '../counts.ts'
import { eventually } from '../eventually.ts'
import { betweenPaymentsMs, eventuallyEnded, inDatabase, listAll } from './crash-pix.ts'
import type { LoadedInstallation } from './installation.ts'
import { call, type Answer, type Json, type WebhookServer } from './merchant.ts'
import { controlOf } from './shop.ts'

const currencies = { CREDIT_CARD: 'EUR', IDEAL: 'EUR', PARTNER_PAY: 'USDT' } as const
export type PageMethod = keyof typeof currencies
/** The sandbox's word for a payer who pays. */
const scenarios = { CREDIT_CARD: 'success', IDEAL: 'approve', PARTNER_PAY: 'confirm' } as const

/** What we acknowledged to the merchant: a 201 or 202 is a promise. */
type Promised = {
  readonly id: string
  readonly method: PageMethod
  readonly amount: number
  /** The part that the merchant captures; absent: the provider captures all at once. */
  readonly capture?: number
}

/** A payer of an installation without `start`. Resolves to false while the provider has not been asked for the payment, true when it is paid. */
export type PagePayer = (payment: {
  readonly id: string
  readonly method: PageMethod
  readonly page: string
}) => Promise<boolean>

export type PagesLoad = {
  readonly promised: readonly Promised[]
  /** Payments for which the payer got the answer that they are paid. */
  readonly paid: ReadonlySet<string>
  readonly captured: ReadonlySet<string>
  readonly refunds: readonly string[]
  failures(): number
  stop(): Promise<void>
  /** To be called at the end: the merchant requests every capture without an answer once more. */
  finish(): Promise<void>
}

/**
 * What happens to the providers' webhooks. The acquirer may drop webhooks, because we can list what we missed there. The app can only be
 * queried for each payment, at growing intervals, so only the soak drops the app's webhooks.
 */
const modes = {
  acquirer: ['normal', 'drop', 'duplicate', 'reorder'],
  partnerWallet: isSoak ? ['normal', 'drop', 'duplicate', 'reorder'] : ['normal', 'duplicate'],
} as const

/** A call without an answer is sent again with the same key. The webhook modes of both providers change all the time. */
export function startPagesLoad(
  installation: LoadedInstallation,
  hooks: WebhookServer,
  payer?: PagePayer,
): PagesLoad {
  const promised: Promised[] = []
  const paid = new Set<string>()
  const captured = new Set<string>()
  const refunds: string[] = []
  const ending = new AbortController()
  let failures = 0
  let keys = 0

  /** Repeats the call until an answer other than 503 comes. */
  async function ask(method: string, path: string, body?: unknown): Promise<Answer | undefined> {
    while (!ending.signal.aborted) {
      const answer = await call(installation.sandbox(), method, path, body).catch(() => undefined)
      if (answer !== undefined && answer.status !== 503) return answer
      failures += 1
      await sleep(50)
    }
    return undefined
  }

  async function work(method: PageMethod): Promise<void> {
    while (!ending.signal.aborted) {
      const nth = keys++
      const amount = 1_000 + (nth % 500)
      const isManual = method === 'CREDIT_CARD' && nth % 3 === 0
      const created = await ask('POST', '/v1/payments', {
        amount,
        currency: currencies[method],
        paymentMethods: [method],
        idempotencyKey: `crash-page-${nth}`,
        webhookUrl: hooks.url,
        ...(isManual ? { captureMode: 'MANUAL' } : {}),
      })
      if (created === undefined) return
      assert.equal(created.status, 201, JSON.stringify(created.body))
      const wanted = isManual ? { capture: amount - (nth % 2) * 100 } : {}
      const payment = { id: String(created.body['id']), method, amount, ...wanted }
      promised.push(payment)
      await setWebhooks(nth)
      await pay(payment, String(created.body['cardRedirectUrl']))
      if (payment.capture !== undefined) await capture(payment.id, payment.capture)
      if (nth % 2 === 0) await refund(payment, nth)
      await sleep(betweenPaymentsMs)
    }
  }

  /** A simulator that is down at this moment keeps its earlier mode. */
  async function setWebhooks(nth: number): Promise<void> {
    for (const simulator of ['acquirer', 'partnerWallet'] as const) {
      const mode = modes[simulator][nth % modes[simulator].length]
      await controlOf(installation, simulator, 'POST', '/webhooks', { mode }).catch(() => undefined)
    }
  }

  /** If the answer to a payer was lost, the repeated call says that nothing is left to pay. */
  async function pay({ id, method }: Promised, page: string): Promise<void> {
    if (payer !== undefined) return payBy(payer, { id, method, page })
    const scenario = scenarios[method]
    const answer = await ask('POST', `/v1/sandbox/payments/${id}/pay`, { scenario })
    if (answer === undefined) return
    assert.ok(answer.status === 202 || answer.status === 409, JSON.stringify(answer.body))
    if (answer.status === 202) paid.add(id)
  }

  async function payBy(pays: PagePayer, payment: Parameters<PagePayer>[0]): Promise<void> {
    while (!ending.signal.aborted) {
      if (await pays(payment)) return void paid.add(payment.id)
      await sleep(500, ending.signal)
    }
  }

  /** Captures the payment as soon as it is authorised. */
  async function capture(id: string, amount: number): Promise<void> {
    while (!ending.signal.aborted) {
      const answer = await ask('POST', `/v1/payments/${id}/capture`, { amount })
      if (answer?.status === 200) return void captured.add(id)
      if (answer !== undefined)
        assert.equal(answer.body['code'], 'invalid_state', JSON.stringify(answer.body))
      await sleep(100)
    }
  }

  /** Refunds a part as soon as the money is credited; gives up after some tries. */
  async function refund({ id }: Promised, nth: number): Promise<void> {
    const body = { amount: 1 + (nth % 400), idempotencyKey: `crash-page-refund-${nth}` }
    for (let tries = 0; tries < 10 && !ending.signal.aborted; tries++) {
      const answer = await ask('POST', `/v1/payments/${id}/refunds`, body)
      if (answer?.status === 201) return void refunds.push(String(answer.body['id']))
      if (answer !== undefined)
        assert.equal(answer.body['code'], 'refund_exceeds_payment', JSON.stringify(answer.body))
      await sleep(100)
    }
  }

  const workers = [work('CREDIT_CARD'), work('CREDIT_CARD'), work('IDEAL'), work('PARTNER_PAY')]
  return {
    promised,
    paid,
    captured,
    refunds,
    failures: () => failures,
    stop: async () => {
      ending.abort()
      await Promise.all(workers)
      await setWebhooks(0)
    },
    async finish() {
      for (const { id, capture: amount } of promised.filter((each) => each.capture !== undefined)) {
        if (captured.has(id)) continue
        const final = await eventually(`there is an answer about ${id}`, async () => {
          const path = `/v1/payments/${id}/capture`
          const answer = await call(installation.sandbox(), 'POST', path, { amount })
          return answer.status !== 503 && answer
        })
        if (final.status === 200) captured.add(id)
        else assert.equal(final.body['code'], 'invalid_state', JSON.stringify(final.body))
      }
    },
  }
}

/** A provider's report of one payment: the money received, and the refunds by our ids. */
type Report = { readonly received: number; readonly refunds: ReadonlyMap<string, number> }

/**
 * Checks that both providers and our books hold everything that we acknowledged about cards, iDEAL and the app. `further`: the cents of
 * other methods in the wallet in euro.
 */
export async function pagesHold(
  installation: LoadedInstallation,
  load: PagesLoad,
  further: number,
): Promise<string> {
  await load.finish()
  const ids = new Set(load.promised.map(({ id }) => id))
  const refunds = await eventuallyEnded(installation, 'every refund by card or app has ended', async () => {
    const all = await listAll(installation, '/v1/refunds?limit=100')
    const own = all.filter(({ paymentId }) => ids.has(String(paymentId)))
    return own.every(({ status }) => status !== 'PENDING') && own
  })
  const reports = new Map([
    ...(await reportedByAcquirer(installation)),
    ...(await reportedByApp(installation)),
  ])
  for (const payment of load.promised)
    await paymentHolds(installation, load, payment, reports.get(payment.id))
  const atProviders = [...reports.values()].flatMap((each) => [...each.refunds])
  const ours = refunds.map(({ id, amount, status }) => [id, amount, status])
  const sorted = (rows: readonly (readonly unknown[])[]) => rows.map(String).toSorted()
  assert.deepEqual(sorted(ours), sorted(atProviders.map((each) => [...each, 'COMPLETED'])))
  const names = new Set(ours.map(([id]) => id))
  for (const id of load.refunds) assert.ok(names.has(id), `refund ${id} is there`)
  await completedOnce(installation, load, reports)
  const { body } = await call(installation.sandbox(), 'GET', '/v1/wallets/balance')
  const euro = (body['data'] as readonly Json[]).find(({ currency }) => currency === 'EUR')
  const left = keptOf(load, 'EUR', reports) + further
  assert.deepEqual([euro?.['balance'], euro?.['heldBalance'], euro?.['owed']], [left, 0, 0])
  const of = (method: PageMethod) => load.promised.filter((each) => each.method === method).length
  return `pages: ${of('CREDIT_CARD')} payments by card, ${of('IDEAL')} by iDEAL, ${of('PARTNER_PAY')} in the app, ${load.captured.size} captures and ${load.refunds.length} refunds acknowledged, ${load.paid.size} paid, ${load.failures()} calls without an answer`
}

/** What the app's payments leave in the wallet of their currency, as the app reports it. */
export async function keptByApp(installation: LoadedInstallation, load: PagesLoad): Promise<number> {
  return keptOf(load, 'USDT', await reportedByApp(installation))
}

function keptOf(
  { promised }: PagesLoad,
  currency: 'EUR' | 'USDT',
  reports: ReadonlyMap<string, Report>,
): number {
  return promised
    .filter((each) => currencies[each.method] === currency)
    .map(({ id }) => reports.get(id))
    .reduce((sum, each) => (each === undefined ? sum : sum + each.received - sumOf(each)), 0)
}

function sumOf({ refunds }: Report): number {
  return [...refunds.values()].reduce((sum, each) => sum + each, 0)
}

/** Checks that our payment agrees with its provider's report. */
async function paymentHolds(
  installation: LoadedInstallation,
  load: PagesLoad,
  { id, amount, capture }: Promised,
  report: Report = { received: 0, refunds: new Map() },
): Promise<void> {
  const { received } = report
  const payment = await eventually(`what was paid for ${id} is credited`, async () => {
    const { body } = await call(installation.sandbox(), 'GET', `/v1/payments/${id}`)
    return Number(body['amountReceived']) >= received && body
  })
  assert.deepEqual(
    [payment['amount'], payment['amountReceived'], payment['amountRefunded'], payment['exceptions']],
    [amount, received, sumOf(report), []],
    id,
  )
  const status = String(payment['status'])
  assert.equal(status === 'PAID', received > 0, `${id} is ${status}`)
  // A capture without an answer may or may not have been done.
  const isUncertain = received === 0 && capture !== undefined && !load.captured.has(id)
  if (load.paid.has(id)) assert.ok(isUncertain || received === (capture ?? amount), `${id} has ${received}`)
}

async function completedOnce(
  installation: LoadedInstallation,
  load: PagesLoad,
  reports: ReadonlyMap<string, Report>,
): Promise<void> {
  const completed: string[] = []
  for (let after = 0; ;) {
    const { body } = await call(installation.sandbox(), 'GET', `/v1/events?after=${after}&limit=100`)
    const events = body['data'] as readonly (Json & { readonly data: Json })[]
    if (events.length === 0) break
    completed.push(
      ...events.filter(({ type }) => type === 'payment.completed').map(({ data }) => String(data['id'])),
    )
    after = Number(events.at(-1)?.['sequence'])
  }
  for (const { id } of load.promised) {
    const times = completed.filter((each) => each === id).length
    assert.equal(times, (reports.get(id)?.received ?? 0) > 0 ? 1 : 0, `${id} is notified once`)
  }
}

type Named = { readonly metadata: Json; readonly status: string; readonly amount: number }

async function reportedByAcquirer(installation: LoadedInstallation): Promise<ReadonlyMap<string, Report>> {
  const state = await controlOf(installation, 'acquirer', 'GET', '/state')
  const sessions = state['sessions'] as readonly Named[]
  const attempts = sessions.map(({ metadata }) => metadata['attempt_id'])
  assert.equal(new Set(attempts).size, attempts.length, 'no attempt has two sessions')
  type Intent = Named & { readonly id: string; readonly amount_received: number }
  const intents = state['paymentIntents'] as readonly Intent[]
  const refunds = state['refunds'] as readonly (Named & { readonly payment_intent: string })[]
  const paid = intents.filter((intent) => intent.amount_received > 0)
  const reports = paid.map(({ id, metadata, amount_received: received }) => {
    const own = refunds.filter((each) => each.payment_intent === id && each.status === 'succeeded')
    const named = own.map((each) => [String(each.metadata['refund_id']), each.amount] as const)
    assert.equal(new Set(named.map(([name]) => name)).size, named.length, 'no refund is sent twice')
    return [String(metadata['payment_id']), { received, refunds: new Map(named) }] as const
  })
  assert.equal(new Set(reports.map(([id]) => id)).size, reports.length, 'no payment is paid twice')
  return new Map(reports)
}

async function reportedByApp(installation: LoadedInstallation): Promise<ReadonlyMap<string, Report>> {
  const state = await controlOf(installation, 'partnerWallet', 'GET', '/state?limit=100000')
  type Refund = { readonly refundRequestId: string; readonly amount: string; readonly status: string }
  type Order = {
    readonly merchantTradeNo: string
    readonly amount: string
    readonly transactionId?: string
    readonly refunds: readonly Refund[]
  }
  const orders = (state['orders'] as readonly Order[]).filter((each) => each.transactionId !== undefined)
  const payments = await inDatabase(installation, async (sql) => {
    const rows = await sql<{ name: string; paymentId: string }[]>`
      select replace(id::text, '-', '') as name, payment_id as "paymentId" from attempt`
    return new Map(rows.map((row) => [row.name, row.paymentId]))
  })
  const reports = orders.map(({ merchantTradeNo, amount, refunds }) => {
    const done = refunds.filter(({ status }) => status === 'REFUND_SUCCESS')
    const named = done.map((each) => [hyphened(each.refundRequestId), centsOf(each.amount)] as const)
    const id = payments.get(merchantTradeNo) ?? assert.fail('it is an order of ours')
    return [id, { received: centsOf(amount), refunds: new Map(named) }] as const
  })
  assert.equal(new Set(reports.map(([id]) => id)).size, reports.length, 'no payment is paid twice')
  return new Map(reports)
}

/** `12.34000000` in cents. */
function centsOf(amount: string): number {
  return Math.round(Number(amount) * 100)
}

function hyphened(id: string): string {
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
