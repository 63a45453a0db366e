// Payments, inspected: what was asked for is what the request says, and what merchants were told is what is true.
import { eachPage, type Inspection, type Inspector } from '#/db/inspection.ts'
import type { MerchantId, PaymentId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import { sha256 } from '#/kernel/secret.ts'
import { addMs, hourMs } from '#/kernel/time.ts'
import type { EventType } from '#/webhooks/event.ts'
import { ledgerCurrency, type PaymentStatus } from './payment.ts'
import * as queries from './verify-queries.ts'

export const paymentInspections: readonly Inspection[] = [
  { name: 'payments', inspect: inspectAsked },
  { name: 'what was told', inspect: inspectTold },
  { name: 'what had to be told', inspect: inspectEnded },
]

const pageRows = 1_000

/** Each payment is what its request asked for, and its attempts are attempts at that. */
async function inspectAsked({ sql, saw, fault }: Inspector): Promise<void> {
  await eachPage<queries.AskedRow>(
    (after) => queries.selectAsked(sql, after, pageRows),
    (payments) => {
      saw('payments', payments.length)
      for (const payment of payments)
        for (const what of faultsOfAsked(payment)) fault(`payment ${payment.id}`, what)
    },
  )
}

function faultsOfAsked(payment: queries.AskedRow): readonly string[] {
  const { request, amountMinor, currency, method, methods, attempts } = payment
  const faults: string[] = []
  if (!sha256(canonicalJson(request)).equals(payment.fingerprint))
    faults.push('has another fingerprint than its request makes')
  if (BigInt(request.amount) !== amountMinor)
    faults.push(`asks for ${amountMinor}, its request for ${request.amount}`)
  if (request.currency !== undefined && request.currency !== currency)
    faults.push(`is in ${currency}, its request in ${request.currency}`)
  if ((request.webhookUrl ?? null) !== payment.webhookUrl)
    faults.push('has another webhookUrl than its request')
  if (method !== null && !methods.includes(method)) faults.push(`takes ${method}, which it does not offer`)
  if (method !== null && attempts.length === 0) faults.push('has no attempt')
  for (const attempt of attempts) {
    const isSame =
      methods.includes(attempt.method) &&
      BigInt(attempt.amount) === amountMinor &&
      attempt.currency === ledgerCurrency(currency, attempt.method)
    if (!isSame) faults.push(`has attempt ${attempt.id} at something else`)
  }
  return faults
}

/** Which states a payment can be in that had this event, and which state the event told. */
const afterEvent: Readonly<
  Partial<
    Record<EventType, { readonly told: readonly PaymentStatus[]; readonly now: readonly PaymentStatus[] }>
  >
> = {
  'payment.waiting': {
    told: ['WAITING_PAYMENT'],
    now: ['WAITING_PAYMENT', 'APPROVED', 'PAID', 'EXPIRED', 'FAILED', 'CANCELED'],
  },
  'payment.approved': { told: ['APPROVED'], now: ['APPROVED', 'PAID', 'EXPIRED', 'CANCELED'] },
  'payment.completed': { told: ['PAID'], now: ['PAID'] },
  'payment.expired': { told: ['EXPIRED'], now: ['EXPIRED', 'PAID'] },
  'payment.failed': { told: ['FAILED'], now: ['FAILED', 'PAID'] },
  'payment.canceled': { told: ['CANCELED'], now: ['CANCELED'] },
  'payment.underpaid': {
    told: ['PENDING', 'WAITING_PAYMENT', 'APPROVED'],
    now: ['PENDING', 'WAITING_PAYMENT', 'APPROVED', 'PAID', 'EXPIRED', 'FAILED', 'CANCELED'],
  },
  'payment.received_after_close': {
    told: ['PAID', 'EXPIRED', 'FAILED', 'CANCELED'],
    now: ['PAID', 'EXPIRED', 'FAILED', 'CANCELED'],
  },
}

/** Each event of a payment told what was true, and the payment has not gone back behind it. */
async function inspectTold({ sql, saw, fault }: Inspector): Promise<void> {
  await eachPage<queries.ToldRow>(
    (after) => queries.selectTold(sql, after, pageRows),
    (events) => {
      saw('events', events.length)
      for (const event of events) {
        const row = `payment ${event.resourceId}`
        for (const what of faultsOfTold(event))
          fault(row, `${what} (event ${event.sequence} of merchant ${event.merchantId})`)
      }
    },
  )
}

type Told = Readonly<Record<string, unknown>> & { readonly version: number; readonly status: PaymentStatus }

function faultsOfTold(event: queries.ToldRow): readonly string[] {
  const { type, status, version } = event
  if (status === null) return [`is not there, but its merchant was told ${type}`]
  const told = toldBy(event)
  if (told === undefined) return ['was told in a body that is no JSON']
  const rule = afterEvent[type]
  const faults: string[] = []
  if (!rule?.told.includes(told.status)) faults.push(`was told as ${told.status} by ${type}`)
  if (!rule?.now.some((each) => each === status)) faults.push(`is ${status} after ${type}`)
  if (version < told.version)
    faults.push(`has version ${version}, older than the ${told.version} that was told`)
  const now = factsOf(event, version === told.version)
  for (const [name, value] of Object.entries(now)) {
    if (canonicalJson(told[name] ?? null) !== canonicalJson(value))
      faults.push(`has another ${name} than was told`)
  }
  if (type === 'payment.completed' && event.paidAt?.getTime() !== event.at.getTime()) {
    faults.push('was paid at another time than was told')
  }
  return faults
}

function toldBy({ body }: queries.ToldRow): Told | undefined {
  try {
    return (JSON.parse(body) as { data: Told }).data
  } catch {
    return undefined
  }
}

/** What an event must have told of the payment: what never changes, and the rest if nothing has changed since. */
function factsOf(event: queries.ToldRow, isPresent: boolean): Readonly<Record<string, unknown>> {
  const { request, type } = event
  return {
    id: event.resourceId,
    amount: numberOf(event.amountMinor),
    currency: event.currency,
    metadata: request.metadata ?? null,
    customerName: request.customerName ?? null,
    customerEmail: request.customerEmail ?? null,
    webhookUrl: event.webhookUrl,
    createdAt: event.createdAt.toISOString(),
    ...(type === 'payment.completed'
      ? { onchainTxHash: event.completingTx, paidAt: instant(event.paidAt) }
      : {}),
    ...(isPresent
      ? {
          status: event.status,
          amountReceived: numberOf(event.receivedMinor),
          amountRefunded: numberOf(event.refundedMinor),
          fee: numberOf(event.feeMinor),
          exceptions: event.exceptions,
          walletId: event.walletId,
          expiresAt: instant(event.expiresAt),
          paidAt: instant(event.paidAt),
        }
      : {}),
  }
}

/** As JSON has it: the text of the integer, read back. */
function numberOf(minor: bigint): unknown {
  return JSON.parse(minor.toString())
}

function instant(at: Date | null): string | null {
  return at === null ? null : at.toISOString()
}

/** The event that tells of each state that no creation answers. */
const eventOf: Readonly<Partial<Record<PaymentStatus, EventType>>> = {
  APPROVED: 'payment.approved',
  PAID: 'payment.completed',
  EXPIRED: 'payment.expired',
  FAILED: 'payment.failed',
  CANCELED: 'payment.canceled',
}

/** Payments whose events are looked for at once. */
const windowRows = 5_000
/** Payments are dated by our clock and events by the database's; they do not differ by more. */
const clockSlackMs = 24 * hourMs

/**
 * The present state of every payment was told. Payments come in the order of their creation and so, mostly, do their
 * events: for each window of payments the merchant's events are walked from its beginning until all were found.
 */
async function inspectEnded(inspector: Inspector): Promise<void> {
  const { sql, saw } = inspector
  await eachPage<queries.EndedRow>(
    (after) => queries.selectEnded(sql, Object.keys(eventOf), after, windowRows),
    async (payments) => {
      saw('payments', payments.length)
      for (const [merchantId, group] of Map.groupBy(payments, (payment) => payment.merchantId)) {
        await inspectWindow(inspector, merchantId, group)
      }
    },
  )
}

async function inspectWindow(
  { sql, fault }: Inspector,
  merchantId: MerchantId,
  payments: readonly queries.EndedRow[],
): Promise<void> {
  const untold = new Map<PaymentId, EventType | undefined>(
    payments.map(({ id, status }) => [id, eventOf[status as PaymentStatus]]),
  )
  const [oldest] = payments.map(({ createdAt }) => createdAt).sort((a, b) => (a < b ? -1 : 1))
  let after = oldest === undefined ? 0n : await sequenceBefore(sql, merchantId, addMs(oldest, -clockSlackMs))
  while (untold.size > 0) {
    const events = await queries.selectEventTypes(sql, merchantId, after, windowRows)
    const last = events.at(-1)
    if (last === undefined) break
    for (const { resourceId, type } of events) if (untold.get(resourceId) === type) untold.delete(resourceId)
    after = last.sequence
  }
  for (const { id, status } of payments) {
    if (untold.has(id))
      fault(`payment ${id}`, `is ${status}, but its merchant was never told ${untold.get(id)}`)
  }
}

/** A number before which all events of the merchant are older than `at`: by halving, since numbers and instants both grow. */
async function sequenceBefore(sql: Inspector['sql'], merchantId: MerchantId, at: Date): Promise<bigint> {
  let older = 0n
  let newer = (await queries.selectLastSequence(sql, merchantId)) + 1n
  while (newer - older > 1n) {
    const middle = (older + newer) / 2n
    const event = await queries.selectEventAt(sql, merchantId, middle)
    if (event === undefined || event.at >= at) newer = middle
    else older = middle
  }
  return older
}
