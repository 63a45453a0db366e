// One checkout, open in several tabs: the payer chose a method in each, and pays by any number of them. CRYPTO on the
// chain of the line; cards, PIX and wallet app at providers that the test controls. Payments are in USD or BRL.
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { newId, type ConnectionId, type RefundId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { toDecimal } from '#/kernel/money.ts'
import { createPaymentCreator } from '#/payments/create.ts'
import { createPageOpener } from '#/payments/open.ts'
import type { Payment, PaymentRequest } from '#/payments/payment.ts'
import { listRails } from '#/rails/all.ts'
import { createCryptoRail } from '#/rails/crypto/rail.ts'
import type { Method } from '#/rails/method.ts'
import type { OpenedAttempt, Rail, Rails, Refunder } from '#/rails/rail.ts'
import type { Outcome, Receipt } from '#/rails/receipt.ts'
import type { RefundRequest } from '#/refunds/refund.ts'
import { refundKind, type RefundVerdict } from '#/refunds/request.ts'
import { releaseDue, releaseKind, type ReleaseKind } from '#/settlement/release.ts'
import { settleKind, type SettleKind, type SettleVerdict } from '#/settlement/settle.ts'
import { cent, openLine, type Line } from './line.ts'
import { pages } from './page-hosts.ts'
import { pageRail } from './page-rail.ts'

export type TabsWorld = AsyncDisposable & {
  readonly line: Line
  readonly rails: Rails
  readonly kinds: { readonly settle: SettleKind; readonly release: ReleaseKind }
  /** The settlement delay of cards. */
  delayMs: number
  /** A checkout with a tab for each of these methods, none of them paid. */
  open(
    currency: 'USD' | 'BRL',
    amount: number,
    methods: readonly Method[],
    more?: Partial<PaymentRequest>,
  ): Promise<{ readonly payment: Payment; readonly tabs: ReadonlyMap<Method, OpenedAttempt> }>
  /** A provider's receipt for a tab; the amount is in the tab's own currency. */
  receipt(tab: OpenedAttempt, outcome: Outcome, minor: bigint, more?: Partial<Receipt>): Receipt
  settle(...receipts: readonly Receipt[]): Promise<SettleVerdict>
  /** Coins for the payment, detected and then final. */
  payOnChain(payment: Payment, minor: bigint): Promise<void>
  /** The merchant requests a refund of the coins, or of the rest. Default amount: all there is. */
  refund(
    payment: Pick<Payment, 'id'>,
    amount?: number,
    of?: 'coins' | 'rest',
    more?: Pick<RefundRequest, 'coverShortfall'>,
  ): Promise<RefundVerdict>
  refundReceipt(
    tab: OpenedAttempt,
    refund: RefundId,
    outcome: 'refunded' | 'refund_failed',
    minor: bigint,
  ): Receipt
  /** Releases all unreleased money, whatever its delay. */
  release(): Promise<number>
  /** Every account of the books by its name without ids: currency and balance, summed over those of one name. */
  books(): Promise<Readonly<Record<string, bigint>>>
}

export async function openTabsWorld(): Promise<TabsWorld> {
  const line = await openLine()
  const { sql, lane, merchant, clock } = line
  const delay = { ms: 0 }
  const rails = listRails([
    await payRail(line, 'CREDIT_CARD', delay),
    await payRail(line, 'PIX'),
    await payRail(line, 'PARTNER_PAY'),
    createCryptoRail(() => [line.chain], onChain),
  ])
  // The start of a fee rule is set by the database's clock, which runs on as this one does.
  const made = { sql, rails, clock: clock.running, log: silentLog }
  const creator = createPaymentCreator({ ...made, pages, ledger: lane })
  const opener = createPageOpener({ ...made, lane })
  const kinds = { settle: settleKind(rails), release: releaseKind() }
  const refunding = refundKind(rails)
  const settle = (...receipts: readonly Receipt[]) => lane.submit(kinds.settle, { receipts })
  let names = 0
  return {
    line,
    rails,
    kinds,
    get delayMs() {
      return delay.ms
    },
    set delayMs(ms) {
      delay.ms = ms
    },
    async open(currency, amount, methods, more = {}) {
      const terms = { amount, currency, checkout: 'default', ...more }
      const { payment } = await creator.create(merchant, newId(), terms)
      const tabs = new Map<Method, OpenedAttempt>()
      for (const method of methods) {
        const { attempt } = await opener.openChosen(await line.payment(payment.id), { method }, {})
        tabs.set(method, must(attempt, `${method} can be opened`))
      }
      return { payment: await line.payment(payment.id), tabs }
    },
    receipt: ({ method, id, connection, amount }, outcome, minor, more = {}) => {
      const name = method === 'PIX' ? `E${newId().replaceAll('-', '').slice(-31)}` : `ref_${(names += 1)}`
      const providerRef = more.providerRef ?? name
      const happenedAt = clock.now()
      // As a bank reports it.
      const sent = {
        endToEndId: providerRef,
        txid: id.replaceAll('-', ''),
        valor: toDecimal({ ...amount, minor }),
        horario: happenedAt.toISOString(),
      }
      return {
        method,
        attempt: { id },
        connection,
        providerRef,
        outcome,
        occurrence: 1,
        amount: { ...amount, minor },
        happenedAt,
        evidence: Buffer.from(JSON.stringify({ ...sent, outcome })),
        ...more,
      }
    },
    settle,
    async payOnChain(payment, minor) {
      await line.mine([{ to: await line.addressOf(payment), units: minor * cent }])
      await line.finalize()
      await line.settleAll()
    },
    refund: ({ id }, amount, of = 'rest', more = {}) => {
      const item = { merchantId: merchant.id, mode: merchant.mode, paymentId: id, id: newId<'refund'>() }
      const request = {
        ...more,
        ...given({ amount }),
        ...(of === 'coins' ? { cryptoAddress: `0x${'5e'.repeat(20)}` } : {}),
      }
      return lane.submit(refunding, { ...item, request })
    },
    refundReceipt: ({ method, id, merchantId, paymentId, connection, amount }, refund, outcome, minor) => ({
      method,
      attempt: { id, merchantId, paymentId },
      connection,
      providerRef: `re_${refund}`,
      outcome,
      occurrence: 1,
      refund,
      amount: { ...amount, minor },
      happenedAt: clock.now(),
      evidence: Buffer.from(`${refund} ${outcome}`),
    }),
    async release() {
      await line.owner`update release set release_at = least(release_at, clock_timestamp() - interval '1 second')`
      return releaseDue({ sql, lane, kind: kinds.release, log: silentLog })
    },
    books: () => booksOf(line),
    async [Symbol.asyncDispose]() {
      await creator.close()
      await line[Symbol.asyncDispose]()
    },
  }
}

/** Refunds of coins are never sent here. */
const onChain: Refunder = {
  destination: ({ cryptoAddress }) => ({
    ok: true,
    fields: cryptoAddress === undefined ? {} : { cryptoAddress },
  }),
  send: async () => [],
}

async function payRail(line: Line, method: Method, delay?: { ms: number }): Promise<Rail> {
  const connection = `t1-${newId<'connection'>()}` as ConnectionId
  await line.owner`
    insert into connection (id, mode, method, provider, settings, created_at)
    values (${connection}, 'SANDBOX', ${method}, 'test', '{}', now())`
  return {
    ...pageRail({
      method,
      opens: method === 'PIX' ? 'REQUEST' : 'PAGE',
      currencies: method === 'PIX' ? ['BRL'] : ['USD', 'BRL'],
      connection,
      now: () => line.clock.now(),
    }),
    refunds: { send: async () => [] },
    ...(delay === undefined ? {} : { settlementDelayMs: () => delay.ms }),
  }
}

async function booksOf({ sql }: Line): Promise<Readonly<Record<string, bigint>>> {
  const rows = await sql<{ name: string; currency: string; minor: bigint }[]>`
    select name, account.currency, minor from account join balance on account_id = id`
  const sums: Record<string, bigint> = {}
  for (const { name, currency, minor } of rows) {
    const [kind, ...rest] = name.split(':')
    const key = kind === 'wallet' ? `${rest[1]} ${currency}` : `${kind} ${currency}`
    sums[key] = (sums[key] ?? 0n) + minor
  }
  return sums
}
