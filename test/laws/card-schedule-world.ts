// The world of the card schedules: everything except the API. The acquirer is a process of its own, and the test decides
// when the worker's jobs run.
import type { Sql } from '#/db/client.ts'
import type { Report } from '#/db/inspection.ts'
import type { PaymentId } from '#/kernel/id.ts'
import { hourMs } from '#/kernel/time.ts'
import { authorisationKind } from '#/payments/capture-kind.ts'
import { createCapturer, type Capturer } from '#/payments/capture.ts'
import { checkDue } from '#/payments/check.ts'
import { createPageOpener, type PageOpener } from '#/payments/open.ts'
import { createCardRail } from '#/rails/acquirer/rail.ts'
import { sendDueRefunds } from '#/refunds/send.ts'
import { drainOnce } from '#/settlement/inbox.ts'
import { reconcileDue } from '#/settlement/reconcile.ts'
import { startTestAcquirer, type TestAcquirer } from '../rails/acquirer/acquirer.ts'
import { allowAway, openScheduleWorld, type ScheduleWorld, type Shop } from './schedule-world.ts'

export type CardSchedule = AsyncDisposable & {
  readonly sql: Sql
  readonly acquirer: TestAcquirer
  /** A merchant with an account of its own at the acquirer. */
  openShop(): Promise<CardShop>
  verify(): Promise<Report>
}

export type CardShop = Pick<Shop, 'payment' | 'refund' | 'isQuiet' | 'balances'> & {
  create(isManual: boolean): Promise<PaymentId>
  /** Acts as the payer: opens the page, and types a card in if there is a form. */
  pay(id: PaymentId, card: string): Promise<void>
  capture(id: PaymentId, minor: bigint): Promise<void>
  cancel(id: PaymentId): Promise<void>
  /** Runs everything that is due for a worker; with `isLate`, also what is not due yet. */
  work(what: Work, isLate?: boolean): Promise<void>
  /** The acquirer's records of this merchant. */
  state(): Promise<AcquirerState>
}

type Named = { readonly id: string; readonly status: string; readonly amount: number }
type Metadata = Readonly<Record<string, string>>
type OfIntent = Named & { readonly payment_intent: string }

/** Objects as the acquirer shows them. */
export type AcquirerState = {
  readonly paymentIntents: readonly (Named & {
    readonly amount_received: number
    readonly metadata: Metadata
  })[]
  readonly refunds: readonly (OfIntent & { readonly metadata: Metadata })[]
  /** For a dispute that was won and then lost, the acquirer has taken the money and its fee twice. */
  readonly disputes: readonly (OfIntent & {
    readonly balance_transactions: readonly { readonly fee: number }[]
  })[]
  readonly sessions: readonly { readonly metadata: Metadata }[]
  readonly webhooks: { readonly waiting: number }
}

export const works = ['inbox', 'checks', 'reconciliation', 'refunds', 'captures'] as const
export type Work = (typeof works)[number]

const amount = 2_000

type Parts = {
  readonly world: ScheduleWorld
  readonly acquirer: TestAcquirer
  readonly opener: PageOpener
  readonly capturer: Capturer
  readonly doing: Readonly<Record<Work, () => Promise<unknown>>>
}

export async function openCardSchedule(): Promise<CardSchedule> {
  // The real rail, with shorter timeouts.
  const timeouts = { connectMs: 1_000, totalMs: 1_000 }
  const [world, acquirer] = await Promise.all([
    openScheduleWorld((deps) => createCardRail({ ...deps, timeouts })),
    startTestAcquirer(),
  ])
  const { shared, connections, kinds, settle } = world
  const opener = createPageOpener(shared)
  const capturer = createCapturer({ ...shared, kind: authorisationKind(), settle })
  const doing: Parts['doing'] = {
    inbox: () => drainOnce({ ...shared, kind: kinds.settle }),
    checks: () => checkDue({ ...shared, settle }),
    reconciliation: () => reconcileDue({ ...shared, connections, periodMs: hourMs, settle }),
    refunds: () => sendDueRefunds({ ...shared, settle }),
    captures: () => capturer.sendDue(),
  }
  return {
    sql: shared.sql,
    acquirer,
    openShop: () => openShop({ world, acquirer, opener, capturer, doing }),
    verify: world.verify,
    async [Symbol.asyncDispose]() {
      // Stopped first, because it would go on calling back.
      await acquirer.stop()
      await world[Symbol.asyncDispose]()
    },
  }
}

async function openShop({ world, acquirer, opener, capturer, doing }: Parts): Promise<CardShop> {
  const made = (await acquirer.control('accounts', { name: 'Loja' })) as Readonly<Record<string, string>>
  const { accountId = '', secretKey, refundKey, publishableKey, webhookSecret } = made
  const { apiUrl } = acquirer
  const shop = await world.openShop({
    currency: 'EUR',
    provider: 'stripe',
    settings: { apiUrl, scriptUrl: `${apiUrl}/endive/stripe.js`, publishableKey, currencies: ['EUR'] },
    secrets: { secretKey, webhookSecrets: [webhookSecret] },
    refundSecrets: { secretKey: refundKey },
  })
  await acquirer.control(`accounts/${accountId}/webhook`, { url: shop.callbackUrl })
  const { merchantId } = shop
  return {
    ...shop,
    create: (isManual) => shop.create(isManual ? { amount, captureMode: 'MANUAL' } : { amount }),
    async pay(id, card) {
      const opened = await allowAway(opener.openPage(await shop.payment(id), { method: 'CREDIT_CARD' }))
      const session = opened?.attempt?.artifacts['sessionId']
      if (session === undefined) return
      // The session is complete or expired, or the acquirer is away: then no payer pays.
      await acquirer.control('pay', { session, card }).catch(() => undefined)
    },
    async capture(paymentId, minor) {
      await allowAway(capturer.capture({ merchantId, paymentId }, minor))
    },
    async cancel(paymentId) {
      await allowAway(capturer.cancel({ merchantId, paymentId }))
    },
    async work(what, isLate = false) {
      if (isLate) await shop.bringForward(what)
      await doing[what]()
    },
    state: () => acquirer.state<AcquirerState>(accountId),
  }
}
