// Inspects payments: each must match its request, and its attempts must match the payment. Also has the rules for the events of
// payments.
// Inspects what payments/create.ts decides.
import type { Sql, Tx } from '#/db/client.ts'
import { eachPage, type Inspection, type Inspector } from '#/db/inspection.ts'
import { given } from '#/kernel/given.ts'
import { canonicalJson } from '#/kernel/json.ts'
import { sha256 } from '#/kernel/secret.ts'
import { ledgerCurrency, type PaymentRequest, type PaymentStatus } from '#/payments/payment.ts'
import type { Method } from '#/rails/method.ts'
import type { EventType } from '#/webhooks/event.ts'
import * as queries from './payments-queries.ts'

type Fields = Readonly<Record<string, unknown>>

/** The rules of a method whose provider returns artifacts when an attempt is opened. */
export type ArtifactRules = {
  /** What is wrong with them for an attempt at this amount, in minor units, as a sentence without its subject. */
  fault(artifacts: Fields, amountMinor: bigint): string | undefined
  /** The fields of a payment's record that show them. */
  shown(artifacts: Fields): Fields
  /** The attempt is opened only when the payer opens the page; the payment is WAITING_PAYMENT before that. */
  readonly opensWithPage?: true
  /** The method of its connections, where that is not its own: an acquirer's account has several methods. */
  readonly connectedAs?: string
}

/** Artifacts that only the page uses: no record shows them. */
export const pageArtifacts: ArtifactRules = {
  fault: () => undefined,
  shown: () => ({}),
  opensWithPage: true,
}

/** By method. A method without rules keeps no artifacts. */
export type ArtifactRulesByMethod = ReadonlyMap<Method, ArtifactRules>

export function paymentInspections(artifacts: ArtifactRulesByMethod): readonly Inspection[] {
  return [
    { name: 'payments', inspect: (inspector) => inspectRequested(inspector, artifacts) },
    { name: 'closings', inspect: inspectClosings },
  ]
}

const pageRows = 1_000

/** Each payment matches its request, and its attempts match the payment. */
async function inspectRequested(
  { sql, inspected, fault }: Inspector,
  artifacts: ArtifactRulesByMethod,
): Promise<void> {
  const connected = [...artifacts].flatMap(([method, { connectedAs }]) =>
    connectedAs === undefined ? [] : [{ method, connectedAs }],
  )
  await eachPage<queries.RequestedPayment>(
    (after) => queries.selectRequested(sql, after, { limit: pageRows, connected }),
    (payments) => {
      inspected('payments', payments.length)
      for (const payment of payments) {
        const faults = [...faultsOfRequest(payment), ...faultsOfOpening(payment, artifacts)]
        for (const what of faults) fault(`payment ${payment.id}`, what)
      }
    },
  )
}

function faultsOfRequest(payment: queries.RequestedPayment): readonly string[] {
  const { request, amountMinor, currency, method, methods, attempts } = payment
  const faults: string[] = []
  // What was erased, and what stands there now, is inspected in erasures.ts.
  if (!payment.isErased && !sha256(canonicalJson(request)).equals(payment.fingerprint))
    faults.push('has another fingerprint than its request makes')
  if (BigInt(request.amount) !== amountMinor)
    faults.push(`asks for ${amountMinor}, its request for ${request.amount}`)
  const itemSum = request.items?.reduce((sum, each) => sum + BigInt(each.quantity) * BigInt(each.amount), 0n)
  if (itemSum !== undefined && itemSum !== amountMinor)
    faults.push(`asks for ${amountMinor}, its items for ${itemSum}`)
  if (request.currency !== undefined && request.currency !== currency)
    faults.push(`is in ${currency}, its request in ${request.currency}`)
  if ((request.webhookUrl ?? null) !== payment.webhookUrl)
    faults.push('has another webhookUrl than its request')
  if (method !== null && !methods.includes(method)) faults.push(`takes ${method}, which it does not offer`)
  if (method !== null && attempts.length === 0) faults.push('has no attempt')
  for (const attempt of attempts) {
    const isSame =
      methods.includes(attempt.method) &&
      BigInt(attempt.amount) === requestedBy(attempt, amountMinor) &&
      attempt.currency === ledgerCurrency(currency, attempt.method)
    if (!isSame) faults.push(`has attempt ${attempt.id} at something else`)
    if (!attempt.isConnected)
      faults.push(`has attempt ${attempt.id} at a connection that is not there for it`)
  }
  return [...faults, ...faultsOfRest(payment)]
}

type Attempt = queries.RequestedPayment['attempts'][number]

/** The whole amount, or for the rest what was missing. */
function requestedBy({ rest }: Attempt, amountMinor: bigint): bigint {
  return rest === null ? amountMinor : amountMinor - BigInt(rest.received) + BigInt(rest.refunded)
}

/** The rest follows from the receipts before it. It has one attempt at a time: every other one is over. */
function faultsOfRest({ attempts }: queries.RequestedPayment): readonly string[] {
  const ofRest = attempts.flatMap(({ id, rest }) => (rest === null ? [] : [{ id, ...rest }]))
  const faults = ofRest
    .filter(({ received, booked }) => received !== booked)
    .map(
      ({ id, received, booked }) => `has attempt ${id} for the rest of ${received}, but received ${booked}`,
    )
  const open = attempts.filter(({ isOpen }) => isOpen)
  if (ofRest.length > 0 && open.length > 1)
    faults.push(`has ${open.length} attempts that can be paid, one of them for the rest`)
  return faults
}

/** Artifacts exist when the payer can pay with them, and not before. */
function faultsOfOpening(
  { status, method, attempts }: queries.RequestedPayment,
  rules: ArtifactRulesByMethod,
): readonly string[] {
  const faults: string[] = []
  for (const { id, method: tried, amount, artifacts } of attempts) {
    const rule = rules.get(tried)
    if (artifacts !== null) {
      const what =
        rule === undefined
          ? 'keeps artifacts, which its method does not have'
          : rule.fault(artifacts, BigInt(amount))
      if (what !== undefined) faults.push(`has attempt ${id}, which ${what}`)
    }
    if (tried === method && artifacts !== null && status === 'PENDING')
      faults.push(`is PENDING, but attempt ${id} was opened`)
  }
  const rule = method === null ? undefined : rules.get(method)
  const opens = rule !== undefined && rule.opensWithPage !== true
  const isPayable = attempts.some((attempt) => attempt.method === method && attempt.artifacts !== null)
  if (opens && !isPayable && (status === 'WAITING_PAYMENT' || status === 'APPROVED'))
    faults.push(`is ${status}, but nothing was opened to pay with`)
  return faults
}

/** An attempt is canceled at its provider only when its payment is over, paid or authorised, or when its own time is over. */
async function inspectClosings({ sql, inspected, fault }: Inspector): Promise<void> {
  await eachPage(
    (after: Awaited<ReturnType<typeof queries.selectClosings>>[number] | undefined) =>
      queries.selectClosings(sql, after, pageRows),
    (closings) => {
      inspected('closings', closings.length)
      for (const { attemptId, status, isOver } of closings) {
        if (status === null) fault(`closing of attempt ${attemptId}`, 'belongs to no attempt')
        else if (isWaiting(status) && !isOver)
          fault(`closing of attempt ${attemptId}`, `is due, but its payment is ${status}`)
      }
    },
  )
}

function isWaiting(status: PaymentStatus): boolean {
  return status === 'PENDING' || status === 'WAITING_PAYMENT'
}

/** For each event: the states that it can report, and the states in which the payment can be afterwards. */
const afterEvent: Readonly<
  Partial<
    Record<EventType, { readonly notified: readonly PaymentStatus[]; readonly now: readonly PaymentStatus[] }>
  >
> = {
  'payment.waiting': {
    notified: ['WAITING_PAYMENT'],
    now: ['WAITING_PAYMENT', 'APPROVED', 'PAID', 'EXPIRED', 'FAILED', 'CANCELED'],
  },
  'payment.approved': { notified: ['APPROVED'], now: ['APPROVED', 'PAID', 'EXPIRED', 'CANCELED'] },
  'payment.completed': { notified: ['PAID'], now: ['PAID'] },
  'payment.expired': { notified: ['EXPIRED'], now: ['EXPIRED', 'PAID'] },
  'payment.failed': { notified: ['FAILED'], now: ['FAILED', 'PAID'] },
  'payment.canceled': { notified: ['CANCELED'], now: ['CANCELED'] },
  'payment.underpaid': {
    notified: ['PENDING', 'WAITING_PAYMENT', 'APPROVED'],
    now: ['PENDING', 'WAITING_PAYMENT', 'APPROVED', 'PAID', 'EXPIRED', 'FAILED', 'CANCELED'],
  },
  'payment.received_after_close': {
    notified: ['PAID', 'EXPIRED', 'FAILED', 'CANCELED'],
    now: ['PAID', 'EXPIRED', 'FAILED', 'CANCELED'],
  },
}

/** The event that reports each state in which no payment is created. */
const eventOf: Readonly<Partial<Record<PaymentStatus, EventType>>> = {
  APPROVED: 'payment.approved',
  PAID: 'payment.completed',
  EXPIRED: 'payment.expired',
  FAILED: 'payment.failed',
  CANCELED: 'payment.canceled',
}

/** The events of payments. */
export function paymentNotifications(artifacts: ArtifactRulesByMethod) {
  return {
    topic: 'payment',
    after: afterEvent,
    async load(tx: Tx, keys: readonly queries.Key[]) {
      const rows = await queries.selectNotified(tx, keys)
      return rows.map((row) => presentOf(row, artifacts))
    },
    async owed(sql: Sql, after: queries.Key | undefined, limit: number) {
      const rows = await queries.selectStates(sql, Object.keys(eventOf), after, limit)
      return rows.map((row) => {
        const type = row.wasRefused ? undefined : eventOf[row.status]
        return { ...row, types: type === undefined ? [] : [type] }
      })
    },
  }
}

function presentOf(row: queries.NotifiedRow, rules: ArtifactRulesByMethod) {
  const { merchantId, id, status, version, webhookUrl, request, method, artifacts } = row
  const rule = method === null ? undefined : rules.get(method)
  return {
    merchantId,
    id,
    status,
    version,
    webhookUrl,
    always: {
      id,
      amount: row.amountMinor,
      currency: row.currency,
      metadata: request.metadata ?? null,
      items: request.items ?? null,
      ...requestedPayer(request),
      description: request.description ?? null,
      captureMode: request.captureMode ?? null,
      returnUrl: request.returnUrl ?? null,
      cancelUrl: request.cancelUrl ?? null,
      webhookUrl,
      createdAt: row.createdAt.toISOString(),
    },
    now: {
      amountReceived: row.receivedMinor,
      amountRefunded: row.refundedMinor,
      fee: row.feeMinor,
      exceptions: row.exceptions,
      walletId: row.walletId,
      expiresAt: instant(row.expiresAt),
      approvedAt: instant(row.approvedAt),
      paidAt: instant(row.paidAt),
      ...payerFields(row),
    },
    // An attempt may be opened after its payment ended.
    ifNotified: { ...rule?.shown(artifacts ?? {}), ...reachedBy(request) },
    of: {
      'payment.approved': { facts: { approvedAt: instant(row.approvedAt) }, at: row.approvedAt },
      'payment.completed': {
        facts: { onchainTxHash: row.completingTx, paidAt: instant(row.paidAt) },
        at: row.paidAt,
      },
    },
  }
}

/** The payer's fields in the request; on a checkout page the payer may add others. */
function requestedPayer({ checkout, customerName, customerEmail, customerTaxId }: PaymentRequest): Fields {
  const fields = { customerName, customerEmail, customerTaxId }
  const always = Object.entries(fields).filter(([, value]) => checkout === undefined || value !== undefined)
  return Object.fromEntries(always.map(([name, value]) => [name, value ?? null]))
}

function payerFields({ request, payer }: queries.NotifiedRow): Fields {
  const own = { customerPhone: payer?.phone ?? null, customerAddress: payer?.address ?? null }
  const entered = Object.entries(own).filter(([name]) => !(name in reachedBy(request)))
  if (request.checkout === undefined) return Object.fromEntries(entered)
  return {
    customerName: request.customerName ?? payer?.name ?? null,
    customerEmail: request.customerEmail ?? payer?.email ?? null,
    customerTaxId: request.customerTaxId ?? payer?.taxId ?? null,
    ...Object.fromEntries(entered),
  }
}

/** What the request says of where its payer is. Events did not always have it. */
function reachedBy({ customerPhone, customerAddress }: PaymentRequest): Fields {
  return given({ customerPhone, customerAddress })
}

function instant(at: Date | null): string | null {
  return at === null ? null : at.toISOString()
}
