// Everything of a card payment except its provider: the test chooses the provider's reports, and reads the calls that it got.
import assert from 'node:assert/strict'
import { must } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId, type ConnectionId, type RefundId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { hourMs } from '#/kernel/time.ts'
import { selectAttempts, toAttempt } from '#/payments/attempt-queries.ts'
import { authorisationKind } from '#/payments/capture-kind.ts'
import { createCapturer, type Capturer } from '#/payments/capture.ts'
import { createPaymentCreator } from '#/payments/create.ts'
import { describePayments } from '#/payments/describe.ts'
import { endKind, type EndVerdict } from '#/payments/end.ts'
import { createPageOpener } from '#/payments/open.ts'
import type { Payment, PaymentRequest } from '#/payments/payment.ts'
import { selectPayments } from '#/payments/queries.ts'
import { paymentRecord } from '#/payments/record.ts'
import { listRails } from '#/rails/all.ts'
import type { Attempt } from '#/rails/attempt.ts'
import type { DisputeOrder } from '#/rails/disputes.ts'
import type { Checked, OpenedAttempt, Rail, Rails } from '#/rails/rail.ts'
import type { Outcome, Receipt } from '#/rails/receipt.ts'
import { refundKind, type RefundVerdict } from '#/refunds/request.ts'
import { releaseDue, releaseKind } from '#/settlement/release.ts'
import { settleKind, type SettleVerdict } from '#/settlement/settle.ts'
import { openLine, type Line } from './line.ts'
import { pages } from './page-hosts.ts'
import { sumsOfAccounts } from './sums-of-accounts.ts'

/** The provider's behaviour: it answers with this, refuses, or is away. */
export type Does = (() => readonly Receipt[] | Promise<readonly Receipt[]>) | 'refuses' | 'is away'

export type CardProvider = {
  /** The settlement delay of its connection. */
  delayMs: number
  /** The calls that it got, in order. */
  readonly requests: { readonly what: string; readonly attempt: Attempt['id']; readonly minor?: bigint }[]
  capture: Does
  void: Does
  accept: Does
  /** Its answer when an attempt is checked. */
  check: (() => Checked) | 'is away'
}

export type CardWorld = AsyncDisposable & {
  readonly line: Line
  readonly rails: Rails
  readonly rail: Rail
  readonly connection: ConnectionId
  readonly provider: CardProvider
  readonly capturer: Capturer
  /** Another process with the same provider. */
  newCapturer(): Capturer
  /** A payment; default: 10.00 EUR. */
  create(request?: Partial<PaymentRequest>): Promise<{ readonly payment: Payment; readonly attempt: Attempt }>
  /** Opens the payer's page, and with it the attempt at the provider. */
  openPage(payment: Payment, presentation?: 'HOSTED'): Promise<OpenedAttempt>
  /** A receipt of an attempt, as the provider reports it; default: the attempt's amount. */
  receipt(attempt: Attempt, outcome: Outcome, ref: string, more?: Partial<Receipt>): Receipt
  settle(...receipts: readonly Receipt[]): Promise<SettleVerdict>
  payment(id: Payment['id']): Promise<Payment>
  /** As its GET shows it. */
  shown(id: Payment['id']): Promise<Readonly<Record<string, unknown>>>
  eventsOf(resourceId: string): Promise<readonly string[]>
  close(payment: Payment, event: 'expired' | 'canceled'): Promise<EndVerdict>
  requestRefund(payment: Pick<Payment, 'id'>, amount: number): Promise<RefundVerdict>
  /** The same; the test fails unless it is accepted. */
  refund(payment: Pick<Payment, 'id'>, amount: number): Promise<RefundVerdict & { readonly kind: 'created' }>
  refundReceipt(
    attempt: Attempt,
    refund: RefundId,
    outcome: 'refunded' | 'refund_failed',
    minor: bigint,
  ): Receipt
  /** Releases all unreleased money, whatever its delay. */
  release(): Promise<number>
  balances(): Promise<CardBalances>
}

export type CardBalances = Readonly<
  Record<'available' | 'pending' | 'held' | 'provider' | 'suspense' | 'owed' | 'fees', bigint>
>

export async function openCardWorld(): Promise<CardWorld> {
  const line = await openLine()
  const { sql, lane, merchant, clock } = line
  const connection = `t1-${newId()}` as ConnectionId
  await line.owner`
    insert into connection (id, mode, method, provider, settings, created_at)
    values (${connection}, 'SANDBOX', 'CREDIT_CARD', 'stripe', '{}', clock_timestamp())`
  const provider: CardProvider = {
    delayMs: 0,
    requests: [],
    capture: 'is away',
    void: 'is away',
    accept: 'is away',
    check: 'is away',
  }
  const rail = cardRail(connection, provider)
  const rails = listRails([rail])
  const kinds = { settle: settleKind(rails), refund: refundKind(rails), close: endKind(rails) }
  const creator = createPaymentCreator({ pages, sql, rails, ledger: lane, clock, log: silentLog })
  const opener = createPageOpener({ sql, rails, lane, clock, log: silentLog })
  const settle = (...receipts: readonly Receipt[]) => lane.submit(kinds.settle, { receipts })
  const newCapturer = () =>
    createCapturer({
      sql,
      rails,
      lane,
      log: silentLog,
      kind: authorisationKind(),
      settle: (receipts) => settle(...receipts),
    })
  const refOf = ({ merchantId, id }: Payment) => ({ merchantId, paymentId: id })
  const payment = async (id: Payment['id']) => {
    const [found] = await selectPayments(sql, [{ merchantId: merchant.id, paymentId: id }])
    return must(found, 'the payment is there')
  }
  const requestRefund = ({ id }: Pick<Payment, 'id'>, amount: number) => {
    const item = { merchantId: merchant.id, mode: merchant.mode, paymentId: id, id: newId<'refund'>() }
    return lane.submit(kinds.refund, { ...item, request: { amount } })
  }
  return {
    line,
    rails,
    rail,
    connection,
    provider,
    capturer: newCapturer(),
    newCapturer,
    async create(request = {}) {
      const terms = { amount: 1_000, currency: 'EUR', paymentMethods: ['CREDIT_CARD'] as const, ...request }
      const created = await creator.create(merchant, newId(), terms)
      const [kept] = await selectAttempts(sql, [refOf(created.payment)])
      return { payment: created.payment, attempt: toAttempt(must(kept, 'it has an attempt')) }
    },
    async openPage(opened, presentation) {
      const given = presentation === undefined ? {} : { presentation }
      const { attempt } = await opener.openPage(opened, { method: 'CREDIT_CARD', ...given })
      return must(attempt, 'it can be paid')
    },
    receipt: ({ id, amount }, outcome, ref, more = {}) => ({
      method: 'CREDIT_CARD',
      attempt: { id },
      connection,
      providerRef: ref,
      outcome,
      occurrence: 1,
      amount,
      happenedAt: clock.now(),
      evidence: Buffer.from(`${ref} ${outcome}`),
      ...more,
    }),
    settle,
    payment,
    async shown(id) {
      const found = await payment(id)
      return paymentRecord(found, (await describePayments(sql, rails, [found], 'full')).of(found))
    },
    async eventsOf(id) {
      const rows = await sql<{ type: string }[]>`
        select type from event where resource_id = ${id} order by sequence`
      return rows.map(({ type }) => type)
    },
    close: (closed, event) => lane.submit(kinds.close, { ...refOf(closed), event }),
    requestRefund,
    async refund(paid, amount) {
      const verdict = await requestRefund(paid, amount)
      if (verdict.kind !== 'created') throw new Error(`the refund was ${verdict.kind}`)
      return verdict
    },
    refundReceipt: ({ id, amount }, refund, outcome, minor) => ({
      method: 'CREDIT_CARD',
      attempt: { id },
      connection,
      providerRef: `re_${refund}`,
      outcome,
      occurrence: 1,
      refund,
      amount: {
        ...amount,
        minor,
      },
      happenedAt: clock.now(),
      evidence: Buffer.from(`${refund} ${outcome}`),
    }),
    async release() {
      await line.owner`update release set release_at = least(release_at, clock_timestamp() - interval '1 second')`
      return releaseDue({ sql, lane, kind: releaseKind(), log: silentLog })
    },
    balances: () => balancesOf(line),
    async [Symbol.asyncDispose]() {
      await creator.close()
      await line[Symbol.asyncDispose]()
    },
  }
}

function cardRail(connection: ConnectionId, provider: CardProvider): Rail {
  const call = async (what: 'capture' | 'void' | 'accept', attempt: Attempt['id'], minor?: bigint) => {
    provider.requests.push({ what, attempt, ...given({ minor }) })
    const does = provider[what]
    if (does === 'is away') throw new ProviderError('unavailable', 'the provider is away')
    if (does === 'refuses') throw new ProviderError('refused', 'it refuses')
    return does()
  }
  return {
    method: 'CREDIT_CARD',
    lifetimeMs: hourMs,
    opens: {
      at: 'PAGE',
      page: 'CHECKOUT',
      open: async ({ presentation }) => ({
        ok: true,
        artifacts: { session: 's', ...given({ presentation }) },
      }),
      cancel: async () => {},
      async check() {
        const { check } = provider
        if (check === 'is away') throw new ProviderError('unavailable', 'the provider is away')
        return check()
      },
      present: () => assert.fail('no page is shown'),
    },
    amounts: 'EXACT',
    settlementDelayMs: () => provider.delayMs,
    route: () => ({ ok: true, connection, currency: 'EUR' }),
    read: () => [],
    refunds: { send: async () => [] },
    authorisations: {
      capture: ({ attempt, amount }) => call('capture', attempt.id, amount.minor),
      void: ({ attempt }) => call('void', attempt.id),
    },
    disputes: { accept: ({ attempt }: DisputeOrder) => call('accept', attempt.id) },
    callbacks: {
      by: 'SIGNATURE',
      async verify({ body, headers }) {
        if (headers['x-signature'] === 'unknown') throw new ProviderError('unavailable', 'no keys')
        if (headers['x-signature'] !== 'right') return { ok: false, reason: 'it is forged' }
        return { ok: true, eventId: body.toString('utf8') }
      },
      answer: '{"received":true}',
    },
    arrival: () => ({ at: 'PROVIDER' }),
    record: {
      from: 'ATTEMPTS',
      show: (attempts) => {
        const means = attempts.findLast((attempt) => attempt.means !== undefined)?.means
        return means === undefined ? {} : { card: means }
      },
    },
  }
}

async function balancesOf({ sql }: Line): Promise<CardBalances> {
  const sum = await sumsOfAccounts(sql)
  return {
    available: sum(/:available$/),
    pending: sum(/:pending$/),
    held: sum(/:held$/),
    provider: sum(/^provider:/),
    suspense: sum(/^suspense:/),
    owed: sum(/^receivable:/),
    fees: sum(/^fees:/),
  }
}
