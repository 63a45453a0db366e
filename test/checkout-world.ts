// The hosted pages over HTTP, with a database and rails whose providers the test controls. Payments are written straight into
// the tables: the pages only read them.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import type { CheckoutDeps } from '#/checkout/deps.ts'
import type { PageState } from '#/checkout/page-state.ts'
import { createCheckoutServer } from '#/checkout/server.ts'
import { pageTemplateOf, type PageTemplate } from '#/checkout/template.ts'
import type { CheckoutView } from '#/checkout/view.ts'
import { connect, type Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId, type ConnectionId, type MerchantId } from '#/kernel/id.ts'
import { sha256 } from '#/kernel/secret.ts'
import { addMs, hourMs } from '#/kernel/time.ts'
import { createLedgerLane } from '#/ledger/post.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import { useLink } from '#/payment-links/pay.ts'
import { insertAttempts } from '#/payments/attempt-queries.ts'
import { createPaymentCreator, type CreatorOptions } from '#/payments/create.ts'
import { endKind } from '#/payments/end.ts'
import { createPageOpener } from '#/payments/open.ts'
import { createRestPayer } from '#/payments/pay-rest.ts'
import { newPageLink, type Payment, unpaid } from '#/payments/payment.ts'
import * as queries from '#/payments/queries.ts'
import { listRails } from '#/rails/all.ts'
import type { Opening, Presentation, Rail } from '#/rails/rail.ts'
import { defaultRevision } from '#/templates/template.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import { announce } from '#/webhooks/announce.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { escape } from '../web/live/markup.ts'
import { worldClock, type WorldClock } from './clock.ts'
import { pages } from './page-hosts.ts'
import { testDatabase } from './postgres.ts'
import { soon } from './soon.ts'

export type Deposit = {
  readonly txHash: string
  readonly amount: string
  readonly confirmations: number
  readonly final: boolean
}

/** The providers' behaviour, and the calls that they got. */
export type Providers = {
  /** How long an opening takes, and whether it succeeds. */
  openMs: number
  isAway: boolean
  /** Refuses every call. */
  isRefusing: boolean
  readonly openings: Opening[]
  checks: number
  /** What a check finds out: a change of the payment. */
  onCheck: (() => Promise<unknown>) | undefined
  readonly deposits: Deposit[]
  /** Where the card's provider is, when a browser is to go there. */
  origin: string | undefined
  /** Where its own page is, when that is elsewhere. */
  hostedOrigin: string | undefined
}

export type CheckoutWorld = AsyncDisposable & {
  readonly url: string
  readonly sql: Sql
  readonly clock: WorldClock
  readonly server: FastifyInstance
  readonly providers: Providers
  readonly merchantId: MerchantId
  /** For a second process that makes payments. */
  readonly creatorOptions: CreatorOptions
  /** Lines of the log, as text. */
  readonly logged: readonly string[]
  /** Changed by a test before it requests a page. */
  template: PageTemplate
  /** `isUnchosen`: its payer has chosen no method. */
  newPayment(more?: Partial<Payment> & { readonly isUnchosen?: true }): Promise<Payment>
  /** The payment as it is, with these changes and a new version. */
  change(payment: Payment, more: Partial<Payment>): Promise<Payment>
  payment(payment: Payment): Promise<Payment>
  path(payment: Payment): string
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>
  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>
  state(payment: Payment, query?: string): Promise<PageState>
}

const fakeView: CheckoutView = {
  render: ({ headline, message, merchant }) =>
    `<h1>${escape(headline)}</h1><p>${escape(message)}</p><p>${escape(merchant.name)}</p>`,
  script: 'checkout-abc.js',
  style: 'style-abc.css',
  files: new Map([
    ['checkout-abc.js', { type: 'text/javascript; charset=utf-8', body: Buffer.from('export {}') }],
    ['style-abc.css', { type: 'text/css; charset=utf-8', body: Buffer.from(':root {}') }],
  ]),
}

export const merchantName = 'Livraria & Café <Ana>'
export const clientSecret = 'cs_secret_</script><script>alert(1)'

const cell = 't1'
const auditKey = sha256('the audit key of tests')
const connection = `${cell}-${newId()}` as ConnectionId

export async function openCheckoutWorld(more: Partial<CheckoutDeps> = {}): Promise<CheckoutWorld> {
  const database = await testDatabase()
  const clock = await worldClock(database, soon())
  const logged: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => logged.push(line) })
  const sql = connect(database.appUrl, { max: 4 })
  const providers: Providers = {
    openMs: 0,
    isAway: false,
    isRefusing: false,
    openings: [],
    checks: 0,
    onCheck: undefined,
    deposits: [],
    origin: undefined,
    hostedOrigin: undefined,
  }
  const rails = listRails([
    payerRail(providers, 'CREDIT_CARD'),
    payerRail(providers, 'PARTNER_PAY'),
    pixRail(providers),
    cryptoRail(providers),
  ])
  const lane = await createLedgerLane<EventDraft>({
    openSql: () => connect(database.appUrl, { max: 1 }),
    cell,
    auditKey,
    announce,
    clock: clock.running,
    log,
  })
  const opener = createPageOpener({ sql, rails, lane, clock, log })
  const closing = endKind(rails)
  const { merchant } = await createMerchant(
    { sql, clock, sealKey: randomBytes(32), openWallets: openStartingWallets },
    { mode: 'SANDBOX', name: merchantName },
  )
  const creatorOptions = { pages: { ...pages, cell }, sql, rails, ledger: lane, clock, log }
  const creator = createPaymentCreator(creatorOptions)
  const onChange = new Set<() => void>()
  const server = createCheckoutServer({
    sql,
    rails,
    clock,
    log,
    view: fakeView,
    templateOf: async () => world.template,
    openPage: opener.openPage,
    choose: (payment, { method, customer, locale }) =>
      opener.openChosen(
        payment,
        { method, ...given({ locale }) },
        customer === undefined ? {} : { payer: customer },
      ),
    payRest: createRestPayer({ sql, rails, log, opener, settle: async () => {} }).payRest,
    cancel: ({ merchantId, id }) => lane.submit(closing, { merchantId, paymentId: id, event: 'canceled' }),
    check: async () => {
      providers.checks += 1
      await providers.onCheck?.()
    },
    onChange,
    links: { templateOf: async () => world.template, use: (link, use) => useLink(creator, link, use) },
    linkLimit: { perMinute: 60_000, burst: 10_000 },
    limit: { perMinute: 60_000, burst: 10_000 },
    tickMs: 250,
    ...more,
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const address = server.server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`

  const world: CheckoutWorld = {
    url,
    sql,
    clock,
    server,
    providers,
    merchantId: merchant.id,
    creatorOptions,
    logged,
    template: pageTemplateOf(defaultRevision, { name: merchantName }),
    async newPayment(given = {}) {
      const payment = newPayment(merchant.id, clock, given)
      await sql.begin(async (tx) => {
        await queries.insertPayments(tx, [
          { ...payment, idempotencyKey: payment.id, fingerprint: randomBytes(32) },
        ])
        if (payment.method !== undefined) {
          const amount = { minor: payment.amountMinor, currency: payment.currency }
          const { merchantId, id: paymentId, method } = payment
          const attempt = { id: newId<'attempt'>(), merchantId, paymentId, method, connection, amount }
          await insertAttempts(tx, [{ attempt, createdAt: clock.now() }])
        }
        await queries.writePayments(tx, [payment])
      })
      return payment
    },
    async change(payment, changes) {
      const changed = { ...(await world.payment(payment)), ...changes }
      const next = { ...changed, version: changed.version + 1 }
      await sql.begin((tx) => queries.writePayments(tx, [next]))
      for (const wake of onChange) wake()
      return next
    },
    async payment({ merchantId, id }) {
      const [found] = await queries.selectPayments(sql, [{ merchantId, paymentId: id }])
      return must(found, 'the payment is there')
    },
    path: (payment) => `/c/${must(payment.page, 'it has a page').token}`,
    get: (path, headers = {}) => fetch(url + path, { headers, redirect: 'manual' }),
    post: (path, fields, headers = {}) =>
      fetch(url + path, { method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' }),
    async state(payment, query = '') {
      const answer = await world.get(`${world.path(payment)}/state${query}`)
      return (await answer.json()) as PageState
    },
    async [Symbol.asyncDispose]() {
      await server.close()
      await creator.close()
      await lane.close()
      await sql.end({ timeout: 1 })
      await database[Symbol.asyncDispose]()
    },
  }
  return world
}

function newPayment(
  merchantId: Payment['merchantId'],
  clock: WorldClock,
  { isUnchosen, method = 'CREDIT_CARD', ...rest }: Partial<Payment> & { readonly isUnchosen?: true },
): Payment {
  const createdAt = clock.now()
  return {
    merchantId,
    id: newId(),
    mode: 'SANDBOX',
    request: { amount: 1_000 },
    status: 'WAITING_PAYMENT',
    amountMinor: 1_000n,
    currency: 'BRL',
    methods: [method],
    ...(isUnchosen ? {} : { method }),
    page: newPageLink({ ...pages, cell }, 'CHECKOUT'),
    ...unpaid,
    version: 1,
    createdAt,
    expiresAt: addMs(createdAt, hourMs),
    ...rest,
  }
}

const usual = {
  lifetimeMs: hourMs,
  read: () => [],
  arrival: () => ({ at: 'PROVIDER' }) as const,
  route: () => ({ ok: true, connection, currency: 'BRL' }) as const,
}

/** With the provider's own text, which no answer may contain. */
const refusal = { ok: false, code: 'invalid_request', message: 'planted words of the provider' } as const

/** A rail whose attempts are opened at the provider together with the page. */
function payerRail(providers: Providers, method: 'CREDIT_CARD' | 'PARTNER_PAY'): Rail {
  return {
    ...usual,
    method,
    opens: {
      at: 'PAGE',
      page: method === 'PARTNER_PAY' ? 'PARTNER' : 'CHECKOUT',
      async open(opening) {
        providers.openings.push(opening)
        await new Promise((resolve) => setTimeout(resolve, providers.openMs))
        if (providers.isAway) throw new ProviderError('unknown', 'the provider does not answer')
        if (providers.isRefusing) return refusal
        const { presentation } = opening
        return {
          ok: true,
          artifacts: { session: opening.id, ...given({ presentation }) },
        }
      },
      cancel: async () => {},
      check: async () => ({ receipts: [], isOver: false }),
      present: ({ artifacts, id }): Presentation => {
        if (method === 'PARTNER_PAY') {
          const expiresAt = new Date('2026-11-21T16:00:00.000Z')
          return {
            kind: 'APP',
            code: `https://app.example/q/${id}`,
            appUrl: 'https://app.example/pay',
            expiresAt,
          }
        }
        const { origin, hostedOrigin } = providers
        if (artifacts['presentation'] === 'HOSTED')
          return { kind: 'HOSTED', url: `${hostedOrigin ?? origin ?? 'https://pay.example'}/${id}` }
        if (origin !== undefined) return frameOf(`${origin}/script.js`, [origin])
        return frameOf('https://js.provider.example/v1/script.js', [
          'https://js.provider.example',
          'https://hooks.provider.example/x',
          'javascript:alert(1)',
        ])
      },
    },
  }
}

function frameOf(scriptUrl: string, origins: readonly string[]): Presentation {
  return { kind: 'FRAME', scriptUrl, publishableKey: 'pk_test_1', clientSecret, origins }
}

function pixRail(providers: Providers): Rail {
  return {
    ...usual,
    method: 'PIX',
    opens: {
      at: 'REQUEST',
      async open(opening) {
        providers.openings.push(opening)
        if (providers.isAway) throw new ProviderError('unknown', 'the provider does not answer')
        if (providers.isRefusing) return refusal
        return { ok: true, artifacts: { copyPaste: '00020101021226' } }
      },
      cancel: async () => {},
      close: async () => ({ receipts: [], isOver: true }),
    },
    record: {
      from: 'ATTEMPTS',
      show: (attempts) => {
        const code = attempts.findLast(({ artifacts }) => artifacts !== undefined)?.artifacts?.['copyPaste']
        return typeof code === 'string' ? { pixCopyPaste: code } : {}
      },
    },
  }
}

const depositAddress = '0x1111111111111111111111111111111111111111'
const token = '0x55d398326f99059fF775485246999027B3197955'

function cryptoRail(providers: Providers): Rail {
  return {
    ...usual,
    method: 'CRYPTO',
    opens: { at: 'CREATION' },
    coins: {
      units: { load: () => assert.fail('nothing is settled here') },
      coin: () => ({
        chainId: 56n,
        contract: token,
        currency: 'USDT',
        network: 'BSC',
        decimals: 18,
        confirmations: 3,
      }),
    },
    record: {
      from: 'TABLES',
      describe: async (_sql, refs) =>
        new Map(
          refs.map(({ paymentId }) => [
            paymentId,
            {
              cryptoAddress: depositAddress,
              cryptoNetwork: 'BSC',
              deposits: providers.deposits.map((each) => ({ ...each, at: '2026-11-21T18:00:00.000Z' })),
            },
          ]),
        ),
      deposits: async () => ({ data: [] }),
      findByTx: async () => [],
    },
  }
}
