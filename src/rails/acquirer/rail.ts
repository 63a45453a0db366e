// Cards: a Checkout Session at a provider that speaks Stripe's API, shown as a frame in the payer's page or as the provider's own
// page. Every object that is created there contains the attempt's id, so a payment names its attempt. Card numbers go directly
// from the payer to the provider.
import type { Log } from '#/kernel/log.ts'
import { isCurrency } from '#/kernel/money.ts'
import { hourMs, secondMs, type Clock } from '#/kernel/time.ts'
import type { Attempt } from '#/rails/attempt.ts'
import type { ConnectionBook, WatchCalls } from '#/rails/connection.ts'
import type {
  Checked,
  OpenedAttempt,
  OpensWithPage,
  Rail,
  RecordOfAttempts,
  SignedCallbacks,
} from '#/rails/rail.ts'
import { beyondLimits, type Routing, type RoutingRequest } from '#/rails/routing.ts'
import { keptSessionIdOf, presentationOf } from './artifacts.ts'
import { createCardAuthorisations, createDisputeAcceptor } from './authorisation.ts'
import { CardError, type Timeouts } from './client.ts'
import { openConnections, type OpenConnections } from './connections.ts'
import { createEvidenceSender } from './evidence.ts'
import { attemptReceipts, createLister, readSignal } from './follow.ts'
import { openSession } from './open.ts'
import { createCardRefunder } from './refund.ts'
import { verifySignature } from './signature.ts'

export type CardRailOptions = {
  readonly connections: ConnectionBook
  readonly clock: Clock
  readonly log: Log
  /** Counts the calls of each connection. */
  readonly watchCalls?: WatchCalls
  /** The time limits of calls. Default: those of the client. */
  readonly timeouts?: Timeouts
  /** The clients of the connections, shared with the local methods. Absent: its own. */
  readonly open?: OpenConnections
}

export type CardRail = Rail & {
  readonly opens: OpensWithPage
  readonly callbacks: SignedCallbacks
  readonly record: RecordOfAttempts
  /** Waits for calls under way, then ends the connections to all providers. */
  stop(): Promise<void>
}

/** The rail over the card connections of the book. */
export function createCardRail(options: CardRailOptions): CardRail {
  const { connections, clock, log } = options
  const open = options.open ?? openConnections(options)
  const deps = { open, clock, log }
  return {
    method: 'CREDIT_CARD',
    lifetimeMs: 24 * hourMs,
    amounts: 'EXACT',
    settlementDelayMs: (id) => open.collecting(id).settings.settlementDelaySeconds * secondMs,
    route: (request) => route(connections, open, request),
    opens: {
      at: 'PAGE',
      page: 'CHECKOUT',
      open: (opening) => openSession(deps, opening),
      namedBy: 'sessionId',
      cancel: (attempt) => expire(open, attempt),
      check: (attempt) => check(deps, attempt),
      present: (attempt) => presentationOf(open.collecting(attempt.connection).settings, attempt),
    },
    read: (signal) => readSignal(deps, signal),
    list: createLister(deps),
    callbacks: {
      by: 'SIGNATURE',
      verify: async (callback) =>
        verifySignature(callback, open.collecting(callback.connection).webhookSecrets),
    },
    refunds: createCardRefunder({ ...deps, method: 'CREDIT_CARD' }),
    authorisations: createCardAuthorisations(deps),
    disputes: { ...createDisputeAcceptor(deps), evidence: createEvidenceSender(deps) },
    arrival: () => ({ at: 'PROVIDER' }),
    record: {
      from: 'ATTEMPTS',
      show: (attempts) => {
        const means = attempts.findLast((attempt) => attempt.means !== undefined)?.means
        return means === undefined ? {} : { card: means }
      },
    },
    stop: open.close,
  }
}

/**
 * The provider's published limits: at least 0.50 and at most eight digits. They are the same for BRL, EUR and USD, the currencies
 * that we accept by card (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). If the provider settles in
 * another currency, its minimum may be higher; then it refuses the payment.
 */
const limits = { min: 50n, max: 99_999_999n }

/** Returns the first connection that accepts the currency, the merchant's own before the shared ones. */
function route(connections: ConnectionBook, open: OpenConnections, request: RoutingRequest): Routing {
  const { mode, merchantId, currency, amountMinor } = request
  const all = connections.of({ method: 'CREDIT_CARD', mode, merchantId })
  if (all.length === 0)
    return { ok: false, code: 'method_not_available', detail: 'No card account is connected.' }
  const accepting = all.map((connection) => ({
    connection,
    currencies: open.of(connection).settings.currencies,
  }))
  const found =
    currency === undefined ? accepting[0] : accepting.find(({ currencies }) => currencies.includes(currency))
  const chosen = currency ?? found?.currencies[0]
  if (found !== undefined && chosen !== undefined && isCurrency(chosen)) {
    const routing: Routing = { ok: true, connection: found.connection.id, currency: chosen }
    return (
      beyondLimits('CREDIT_CARD', limits, { minor: amountMinor ?? limits.min, currency: chosen }) ?? routing
    )
  }
  const named = [...new Set(accepting.flatMap(({ currencies }) => currencies))].join(', ')
  const detail = `Cards are taken in ${named}, not in ${currency}.`
  return { ok: false, code: 'currency_not_supported', detail, pointer: '/currency' }
}

/** Expires the session, so that nobody can pay it. A session that was never stored was shown to no payer. */
async function expire(open: OpenConnections, attempt: Attempt): Promise<void> {
  const id = keptSessionIdOf(attempt)
  if (id === undefined) return
  const { client } = open.collecting(attempt.connection)
  try {
    await client.expireSession(id)
  } catch (error) {
    if (!(error instanceof CardError) || error.outcome !== 'refused') throw error
    // A session that is over cannot be expired; if it is still open, the refusal is real.
    if ((await client.getSession(id))?.value.status === 'open') throw error
  }
}

/** `isOver`: the session is expired, or complete and its payment is not `processing`. An authorisation ends the payer's part. */
async function check(
  deps: { readonly open: OpenConnections; readonly clock: Clock },
  attempt: OpenedAttempt,
): Promise<Checked> {
  const { session, intent, receipts } = await attemptReceipts(deps, attempt)
  const isUnderWay = intent?.status === 'processing'
  return { receipts, isOver: session.status !== 'open' && !isUnderWay }
}
