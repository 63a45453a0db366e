// PIX out: a payout to a PIX key, in the shape of Efí's API, since the standard has none. Our reference is the PSP's own
// idempotency key (`idEnvio`): the PSP pays once per reference. A call without an answer is looked up until its end is known.
import { pixKeyTypes } from '#/contract/withdrawals.ts'
import { must } from '#/kernel/check.ts'
import { messageOf, ProviderError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import type { Money } from '#/kernel/money.ts'
import { addMs, secondMs, type Clock } from '#/kernel/time.ts'
import type { ConnectionBook, WatchCalls } from '#/rails/connection.ts'
import { cut } from '#/rails/kit/cut.ts'
import type {
  ListedPayout,
  PayoutRouting,
  PayoutOrder,
  PayoutRail,
  PayoutResult,
  PayoutRequest,
} from '#/rails/payout-rail.ts'
import { requireLeave } from '#/rails/rail.ts'
import { PixError, type Answered } from './client.ts'
import type { NewPayout, PayoutClient } from './payout-client.ts'
import { openPayingConnections, type PayingConnections } from './payout-connections.ts'
import { failureOf, refusalOf } from './payout-failure.ts'
import { isReference, parsePayoutHints, type Payout } from './payout-wire.ts'
import { parsePixKey } from './pix-key.ts'
import { isObject, jsonOf } from './wire.ts'

export type PixPayoutRailOptions = {
  readonly connections: ConnectionBook
  readonly clock: Clock
  readonly log: Log
  /** Counts the calls of each connection. */
  readonly watchCalls?: WatchCalls
  /** For tests: how long an earlier call may still be under way. */
  readonly quietMs?: number
}

export type PixPayoutRail = PayoutRail & {
  readonly connectionMethod: string
  check(order: PayoutOrder): Promise<PayoutResult | undefined>
  balance(connection: ConnectionId): Promise<readonly Money[]>
  /** Waits for calls under way, then ends the connections to all PSPs. */
  stop(): Promise<void>
}

/** Connections of this method send, and receive nothing. */
export const payoutMethod = 'PIX_PAYOUT'

/**
 * How long an earlier call may still be under way. This is longer than the time from a worker's claim of a payout to the last byte
 * of its call: 30 s until its turn, and then twice the time for a token and the call itself. After that the earlier call has
 * arrived, or never will.
 */
const defaultQuietMs = 90 * secondMs

type Deps = PixPayoutRailOptions & { readonly open: PayingConnections }

/** The payout rail over the connections of the book that send by PIX. */
export function createPixPayoutRail(options: PixPayoutRailOptions): PixPayoutRail {
  const { connections } = options
  const open = openPayingConnections(options)
  const deps: Deps = { ...options, open }
  return {
    type: 'PIX',
    connectionMethod: payoutMethod,
    route: (request) => route(connections, request),
    send: (order, again) => send(deps, order, again),
    check: (order) => checkPayout(open.sending(order.connection), order),
    list: (connection, span) => listResults(deps, connection, span),
    hints: ({ body }) => parsePayoutHints(body),
    source(id) {
      const { account } = must(connections.find(id), `no connection ${id}`).settings
      return { at: 'PROVIDER', ...(typeof account === 'string' ? { account: account as ConnectionId } : {}) }
    },
    balance: async (id) => [{ minor: await open.sending(id).client.balance(), currency: 'BRL' }],
    stop: open.close,
  }
}

function route(connections: ConnectionBook, request: PayoutRequest): PayoutRouting {
  const { mode, merchantId, currency, pixKey = '' } = request
  if (currency !== 'BRL') {
    const detail = `PIX pays out BRL, not ${currency}.`
    return { ok: false, code: 'currency_not_supported', detail, pointer: '/currency' }
  }
  const type = pixKeyTypes.find((each) => each === request.pixKeyType)
  if (type === undefined) {
    const detail = `The type of a PIX key can be ${pixKeyTypes.join(', ')}.`
    return { ok: false, code: 'invalid_request', detail, pointer: '/pixKeyType' }
  }
  const parsed = parsePixKey(type, pixKey)
  if (!parsed.ok)
    return {
      ok: false,
      code: 'invalid_request',
      detail: `The PIX key ${parsed.message}.`,
      pointer: '/pixKey',
    }
  const [first] = connections.of({ method: payoutMethod, mode, merchantId })
  if (first === undefined)
    return {
      ok: false,
      code: 'method_not_available',
      detail: 'Sending by PIX is not connected.',
      pointer: '/type',
    }
  const destination = { text: parsed.key, fields: { pixKey: parsed.key, pixKeyType: type } }
  return { ok: true, connection: first.id, currency: 'BRL', destination }
}

async function send(
  { open, clock, quietMs }: Deps,
  order: PayoutOrder,
  again: boolean,
): Promise<PayoutResult> {
  const { client, settings, inTurn } = open.sending(order.connection)
  const quiet = quietMs === undefined ? {} : { quietMs }
  return inTurn(() => sendPayout({ client, clock, from: settings.pixKey, ...quiet }, order, again))
}

export type PayoutSender = {
  readonly client: Pick<PayoutClient, 'put' | 'find'>
  readonly clock: Clock
  /** How long an earlier call may still be under way. */
  readonly quietMs?: number
  /** The key that pays. */
  readonly from: string
}

/** Sends one payout at one PSP, as a payout rail does. */
export async function sendPayout(
  { client, clock, quietMs = defaultQuietMs, from }: PayoutSender,
  order: PayoutOrder,
  again: boolean,
): Promise<PayoutResult> {
  if (again) {
    const existing = await lookUp(client, order)
    if (existing !== undefined) return resultOf(order, existing)
    // If the payout were sent again now, the PSP could refuse it and still accept the earlier call afterwards.
    if (order.lastSentAt !== undefined && addMs(order.lastSentAt, quietMs) > clock.now())
      throw new ProviderError(
        'unavailable',
        'the PSP does not have it, and an earlier call may still be under way',
      )
  }
  await requireLeave(order)
  // The last check before the call, because the worker may have been stopped for a while.
  if (order.sendBefore !== undefined && order.sendBefore <= clock.now())
    throw new ProviderError('unavailable', 'the time in which this payout may be sent is over')
  return place(client, order, payoutOf(order, from))
}

/** Looks a payout up at its PSP, without sending. Undefined when the PSP does not have it. */
export async function checkPayout(
  { client }: { readonly client: Pick<PayoutClient, 'find'> },
  order: PayoutOrder,
): Promise<PayoutResult | undefined> {
  const existing = await lookUp(client, order)
  return existing === undefined ? undefined : resultOf(order, existing)
}

/** A look-up that fails has sent nothing. */
async function lookUp(
  client: Pick<PayoutClient, 'find'>,
  { reference }: PayoutOrder,
): Promise<Answered<Payout> | undefined> {
  try {
    return await client.find(reference)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    throw new ProviderError('unavailable', messageOf(error), error)
  }
}

const noteMax = 140

function payoutOf({ reference, amount, destination, description }: PayoutOrder, from: string): NewPayout {
  const note = cut(description?.trim() ?? '', noteMax)
  return {
    reference,
    amount: amount.minor,
    from,
    to: must(destination['pixKey'], 'a payout by PIX has a key'),
    ...(note === '' ? {} : { note }),
  }
}

/**
 * Returns the payout as the PSP has it now, or the PSP's refusal. After a failed call the PSP's record decides. A refusal counts
 * only when it is clear and the PSP has no such payout.
 */
async function place(
  client: PayoutSender['client'],
  order: PayoutOrder,
  payout: NewPayout,
): Promise<PayoutResult> {
  try {
    return resultOf(order, await client.put(payout))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (wasNotSent(error)) throw new ProviderError('unavailable', messageOf(error), error)
    const kept = await client.find(order.reference).catch((thrown: unknown) => {
      if (!(thrown instanceof ProviderError)) throw thrown
      throw new ProviderError('unknown', `${messageOf(error)}; looked up: ${messageOf(thrown)}`, error)
    })
    if (kept !== undefined) return resultOf(order, kept)
    if (error instanceof PixError && isClearRefusal(error)) return refused(error)
    throw new ProviderError('unknown', messageOf(error), error)
  }
}

/** The request was not sent, or the gateway refused it. A 503 does not count: it may come from a server behind the gateway. */
function wasNotSent(error: ProviderError): boolean {
  if (error.outcome !== 'unavailable') return false
  return !(error instanceof PixError) || [401, 403, 429].includes(error.status)
}

/** 400, 404 for the recipient's key, or 422, with a reason. The error page of a proxy has none. */
function isClearRefusal({ status, raw }: PixError): boolean {
  return [400, 404, 422].includes(status) && isObject(jsonOf(raw))
}

function refused(error: PixError): PayoutResult {
  const sent = jsonOf(error.raw)
  const name = isObject(sent) ? sent['nome'] : undefined
  const failure = refusalOf(typeof name === 'string' ? name : undefined)
  return { state: 'refused', ...failure, evidence: error.raw }
}

function resultOf(order: PayoutOrder, { value, raw }: Answered<Payout>): PayoutResult {
  if (value.reference !== order.reference || value.amount !== order.amount.minor)
    throw new ProviderError('unknown', "the PSP's answer makes no sense: it is about another payout")
  return resultFrom(value, raw)
}

function resultFrom(payout: Payout, evidence: Buffer): PayoutResult {
  const { reference, endToEndId, status, returned } = payout
  const base = {
    ...given({ providerRef: reference, endToEndId }),
    evidence,
  }
  if (status === 'NAO_REALIZADO') return { state: 'refused', ...failureOf(payout.code), ...base }
  if (status !== 'REALIZADO') return { state: 'sent', ...base }
  return returned > 0n ? { state: 'returned', returned, ...base } : { state: 'done', ...base }
}

async function* listResults(
  { open, log }: Deps,
  connection: ConnectionId,
  span: { readonly from: Date; readonly to: Date },
): AsyncGenerator<readonly ListedPayout[]> {
  for await (const { payouts, unread } of open.sending(connection).client.list(span)) {
    if (unread.length > 0) log.error({ connection, unread }, 'a PSP reports a payout that cannot be read')
    yield payouts.flatMap((payout) => {
      const { reference, sent, requestedAt } = payout
      // The same account also sends by other means: the PSP's own app, another program.
      if (reference === undefined || !isReference(reference)) return []
      return [
        {
          reference,
          amount: { minor: payout.amount, currency: 'BRL' as const },
          result: resultFrom(payout, Buffer.from(JSON.stringify(sent))),
          ...given({ requestedAt }),
        },
      ]
    })
  }
}
