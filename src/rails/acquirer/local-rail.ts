// The rails of local methods: each table of methods/ over the connections of the acquirer. They share the card rail's callbacks, its
// scan of events, its refunds and its disputes; only opening, checking and routing are their own.
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import type { Log } from '#/kernel/log.ts'
import { secondMs, type Clock } from '#/kernel/time.ts'
import type { Attempt } from '#/rails/attempt.ts'
import type { ConnectionBook } from '#/rails/connection.ts'
import type { Voucher } from '#/rails/method.ts'
import type { Checked, OpenedAttempt, Presentation, Rail } from '#/rails/rail.ts'
import { beyondLimits, type Routing, type RoutingRequest } from '#/rails/routing.ts'
import { keptIntentIdOf, textOf } from './artifacts.ts'
import { createDisputeAcceptor } from './authorisation.ts'
import { CardError } from './client.ts'
import type { OpenConnections } from './connections.ts'
import { NonsenseError } from './fields.ts'
import { readSignal, toSource } from './follow.ts'
import { openIntent } from './local-open.ts'
import { localMethods, type LocalName } from './methods/all.ts'
import type { LocalMethod } from './methods/method.ts'
import { receiptsOfIntent } from './receipts.ts'
import { createCardRefunder } from './refund.ts'

export type LocalRailDeps = {
  readonly connections: ConnectionBook
  readonly open: OpenConnections
  readonly clock: Clock
  readonly log: Log
}

/** One rail for each local method. The clients are those of `open`, which its owner closes. */
export function createLocalRails(deps: LocalRailDeps): readonly Rail[] {
  return localMethods.map((method) => createLocalRail(deps, method))
}

function createLocalRail(deps: LocalRailDeps, local: LocalMethod<LocalName>): Rail {
  const { open, clock } = deps
  const { method, needs, countries, lifetimeMs, lifetimeMaxMs } = local
  return {
    method,
    needs,
    countries,
    lifetimeMs,
    ...given({ lifetimeMaxMs }),
    amounts: 'EXACT',
    settlementDelayMs: (id) => open.collecting(id).settings.settlementDelaySeconds * secondMs,
    route: (request) => route(deps, local, request),
    opens: {
      at: 'PAGE',
      page: 'CHECKOUT',
      ...(local.flow === 'DEBIT' ? { onlyChosen: true } : {}),
      ...(local.flow === 'VOUCHER' ? { atOnce: true } : {}),
      open: (opening) => openIntent(open, local, opening),
      namedBy: 'intentId',
      cancel: (attempt) => cancel(open, attempt),
      check: (attempt) => check(open, clock, local, attempt),
      present: (attempt) => presentationOf(local, attempt),
    },
    read: (signal) => readSignal(deps, signal),
    ...(local.refunds === 'NONE' ? {} : { refunds: createCardRefunder({ ...deps, method }) }),
    disputes: createDisputeAcceptor(deps),
    arrival: () => ({ at: 'PROVIDER' }),
    record: {
      from: 'ATTEMPTS',
      show: (attempts) => {
        const shown = attempts.findLast(({ artifacts }) => voucherIn(artifacts) !== undefined)
        const voucher = voucherIn(shown?.artifacts)
        if (voucher === undefined) return {}
        const expiresAt = textOf(shown?.artifacts ?? {}, 'expiresAt')
        return { voucher: { ...voucher, ...given({ expiresAt }) } }
      },
    },
  }
}

/** Returns the first connection whose account has enabled the method, the merchant's own before the shared ones. */
function route(
  { connections, open }: LocalRailDeps,
  local: LocalMethod<LocalName>,
  request: RoutingRequest,
): Routing {
  const { method, currency: methodCurrency, limits } = local
  const { mode, merchantId, currency = methodCurrency, amountMinor = limits.min } = request
  if (currency !== methodCurrency) {
    const detail = `${method} is paid in ${methodCurrency}, not in ${currency}.`
    return { ok: false, code: 'currency_not_supported', detail, pointer: '/currency' }
  }
  const found = connections
    .of({ method: 'CREDIT_CARD', mode, merchantId })
    .find((connection) => open.of(connection).settings.methods.includes(method))
  if (found === undefined) {
    const where = local.accountIn === undefined ? '' : ' in Brazil'
    const detail = `No account${where} with ${method} enabled is connected.`
    return { ok: false, code: 'method_not_available', detail }
  }
  const beyond = beyondLimits(method, limits, { minor: amountMinor, currency: methodCurrency })
  return beyond ?? { ok: true, connection: found.id, currency: methodCurrency }
}

/** An intent that was paid, or whose money is on its way, cannot be canceled: its money is credited. */
async function cancel(open: OpenConnections, attempt: Attempt): Promise<void> {
  const id = keptIntentIdOf(attempt)
  if (id === undefined) return
  const { client } = open.collecting(attempt.connection)
  try {
    await client.cancelIntent(id)
  } catch (error) {
    if (!(error instanceof CardError) || error.outcome !== 'refused') throw error
    const now = (await client.getIntent(id))?.value.status
    if (now === undefined || now.startsWith('requires_')) throw error
  }
}

/**
 * A failed try ends the attempt, so that the page can open another one. PUSH is different: only the payer can have the phone asked
 * again. So the first attempt stays open, for the page to show, until the payment ends.
 */
async function check(
  open: OpenConnections,
  clock: Clock,
  { flow }: LocalMethod,
  attempt: OpenedAttempt,
): Promise<Checked> {
  const connection = open.collecting(attempt.connection)
  const id = must(keptIntentIdOf(attempt), `attempt ${attempt.id} has an intent`)
  const found = await connection.client.getIntent(id)
  if (found?.value.attempt !== attempt.id) throw new NonsenseError('payment_intent', 'is of another attempt')
  const { value: intent, raw } = found
  const receipts = receiptsOfIntent(toSource(connection, clock, raw), intent)
  const staysShown = flow === 'PUSH' && attempt.artifacts['isAgain'] !== true
  const isFailed = intent.status === 'requires_payment_method' && !staysShown
  return { receipts, isOver: isFailed || intent.status === 'succeeded' || intent.status === 'canceled' }
}

/** An attempt that was over when it was opened has nothing to show: the payer goes back to the page, which opens another attempt. */
function presentationOf({ flow }: LocalMethod, { artifacts }: OpenedAttempt): Presentation {
  if (flow === 'PUSH') return { kind: 'PUSH', phoneEnd: textOf(artifacts, 'phoneEnd') ?? '' }
  if (flow === 'DEBIT') return { kind: 'DEBIT', ibanEnd: textOf(artifacts, 'ibanEnd') ?? '' }
  if (flow === 'REDIRECT') return { kind: 'HOSTED', url: textOf(artifacts, 'url') ?? '' }
  return { kind: 'VOUCHER', voucher: voucherIn(artifacts) ?? {} }
}

function voucherIn(artifacts: OpenedAttempt['artifacts'] | undefined): Voucher | undefined {
  const voucher = artifacts?.['voucher']
  return typeof voucher === 'object' && voucher !== null ? voucher : undefined
}
