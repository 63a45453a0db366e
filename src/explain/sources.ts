// What the books hold of a record, as sources of its timeline.
import type { Sql, Tx } from '#/db/client.ts'
import { hexOfUuid, type MerchantId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import { causesOfEvent, shownIn, type Shown } from './event-cause.ts'
import { ledgerStep } from './ledger-cause.ts'
import * as queries from './queries.ts'
import { causeOfReceipt } from './receipt-cause.ts'
import { tell, type Changed, type Related, type Step, type CauseWithFacts } from './step.ts'
import type { Happening, Source } from './timeline.ts'

/** The explained record, or one of its refunds and disputes. */
export type Subject = {
  readonly id: string
  readonly kind: 'payment' | 'refund' | 'dispute' | 'withdrawal'
  readonly related: Related
  /** Of a dispute: the provider's name of it. */
  readonly providerRef?: string
}

export type Reading = {
  readonly tx: Sql | Tx
  readonly merchantId: MerchantId
}

/** Something that happened once, at the beginning. */
export function once(at: Date, cause: CauseWithFacts): Source {
  return async (after) => (after === undefined ? [{ at, position: 'done', steps: [{ at, ...cause }] }] : [])
}

/** The methods that were chosen for a payment. */
export function attemptSource({ tx, merchantId }: Reading, paymentId: string): Source {
  return async (after, limit) => {
    const rows = await queries.selectAttempts(tx, merchantId, paymentId, { after, limit })
    return rows.map(({ id, at, method, amountMinor, currency }) => {
      const amount = { minor: amountMinor, currency }
      const steps = [{ at, ...tell('STATE_CHANGE', 'METHOD_CHOSEN', { amount, method }) }]
      return { at, position: id, steps }
    })
  }
}

/** The steps in the books that carry the number of a receipt, other than those of its release. */
const stepsOfReceipt = ['pending', 'unpending', 'credit', 'fee', 'repay', 'repay-parent'] as const
const stepsOfRelease = ['release', 'release-repay', 'release-repay-parent'] as const

/** The receipts of a payment, each with the transfers of the payment that it caused. */
export function receiptSource(
  reading: Reading,
  paymentId: string,
  subjects: readonly Subject[],
  only: { readonly goingBack?: boolean; readonly about?: Subject } = {},
): Source {
  const { tx, merchantId } = reading
  return async (after, limit) => {
    const page = { after: numberOf(after), limit }
    const rows = await queries.selectReceipts(tx, merchantId, paymentId, {
      ...page,
      ...(only.goingBack === true ? { goingBack: true } : {}),
    })
    const [relatedTo, lines] = await Promise.all([
      relatedOf(reading, subjects, rows),
      linesOf(reading, paymentId, rows, stepsOfReceipt),
    ])
    return rows.map((row) => {
      const related = relatedTo(row)
      // In the explanation of a refund, reports about another refund are left out.
      const isAnother = only.about !== undefined && related.id !== only.about.id
      const reported = isAnother ? undefined : causeOfReceipt(row, related.related)
      const booked = isAnother ? [] : (lines.get(row.ordinal) ?? [])
      return {
        at: row.at,
        position: String(row.ordinal),
        steps: [...(reported === undefined ? [] : [{ at: row.at, ...reported }]), ...booked],
      }
    })
  }
}

/** The releases of a payment's money, each with its transfers. */
export function releaseSource(reading: Reading, paymentId: string): Source {
  return async (after, limit) => {
    const page = { after: numberOf(after), limit }
    const rows = await queries.selectReleases(reading.tx, reading.merchantId, paymentId, page)
    const lines = await linesOf(reading, paymentId, rows, stepsOfRelease)
    return rows.map(({ at, ordinal }) => ({
      at,
      position: String(ordinal),
      steps: lines.get(ordinal) ?? [],
    }))
  }
}

/** The transfers of refunds, disputes or a withdrawal. */
export function transferSource({ tx }: Reading, subjects: readonly Subject[]): Source {
  const byId = new Map(subjects.map((each) => [each.id, each]))
  const ids = [...byId.keys()]
  return async (after, limit) => {
    if (ids.length === 0) return []
    const rows = await queries.selectTransfersOf(tx, ids, { after: BigInt(after ?? 0), limit })
    return rows.map((row) => ({
      at: row.at,
      position: String(row.number),
      steps: [ledgerStep(row, byId.get(row.subject)?.related ?? {})],
    }))
  }
}

/** So many deliveries of an event are shown; its record lists all of them. */
const deliveriesShown = 10

/** The events of the records, each with its deliveries. */
export function eventSource(
  { tx, merchantId }: Reading,
  subjects: readonly Subject[],
  more: Pick<Shown, 'rejectedBy' | 'isEndedByHand'> = {},
): Source {
  const byId = new Map(subjects.map((each) => [each.id, each]))
  return async (after, limit) => {
    const page = { after: BigInt(after ?? 0), limit }
    const rows = await queries.selectEvents(tx, merchantId, [...byId.keys()], page)
    const sequences = rows.map(({ sequence }) => sequence)
    const sent = await queries.selectDeliveries(tx, merchantId, sequences, deliveriesShown)
    const deliveries = Map.groupBy(sent, ({ sequence }) => sequence)
    return rows.map((row): Happening => {
      const { id, at, type, body, before, resourceId } = row
      const related = byId.get(resourceId)?.related ?? {}
      const causes = causesOfEvent(type, { id, data: shownIn(body), before, related, ...more })
      const changes = causes.map((each) => ({ at, ...each }))
      const sends = (deliveries.get(row.sequence) ?? []).map((each) => deliveryStep(row, each))
      return { at, position: String(row.sequence), steps: [...changes, ...sends] }
    })
  }
}

const deliveryCauses = {
  PENDING: 'DELIVERY_PENDING',
  DELIVERED: 'DELIVERED',
  EXHAUSTED: 'DELIVERY_EXHAUSTED',
  CANCELED: 'DELIVERY_CANCELED',
} as const

/** How a delivery of an event stands: at its last attempt, or at the event before the first. */
function deliveryStep(event: queries.EventRow, sent: queries.DeliveryRow): Step {
  const { id, url, status, endpointId, attempts, attemptAt, responseStatus, error } = sent
  const delivery = {
    id,
    url,
    status,
    ...(endpointId === null ? {} : { endpointId }),
    attempts,
    ...(responseStatus === null ? {} : { responseStatus }),
    ...(error === null ? {} : { error }),
  }
  const facts = { eventId: event.id, eventType: event.type, delivery }
  return { at: attemptAt ?? event.at, ...tell('DELIVERY', deliveryCauses[status], facts) }
}

/** Decisions by people, and by the rules that people set. Decisions that end a record are left out: its event narrates them. */
export function decisionSource(
  { tx }: Reading,
  subjects: readonly Subject[],
  amountOf: (id: string) => { readonly minor: bigint; readonly currency: Currency } | undefined,
): Source {
  const byName = new Map(
    subjects.flatMap((each) => [`${each.kind}:${each.id}`, `payout:${each.id}`].map((name) => [name, each])),
  )
  return async (after, limit) => {
    if (byName.size === 0) return []
    const rows = await queries.selectDecisions(tx, [...byName.keys()], { after, limit })
    return rows.map((row) => {
      const { id, at, action, actorKind, actorId } = row
      const subject = byName.get(row.subject)
      const amount = subject && amountOf(subject.id)
      const key = actorKind === 'API_KEY' ? { keyId: actorId } : {}
      const cause = amount && causeOfDecision(action, { ...subject.related, amount, ...key })
      return { at, position: id, steps: cause === undefined ? [] : [{ at, ...cause }] }
    })
  }
}

/** By the audited action of a decision. An action that is absent here is narrated by the event of the record's end. */
export const decisionCauses: Readonly<Record<string, (facts: Changed) => CauseWithFacts>> = {
  'refund.hold': (facts) => tell('STATE_CHANGE', 'REFUND_HELD_FOR_APPROVAL', facts),
  'refund.approve': (facts) => tell('STATE_CHANGE', 'REFUND_APPROVED', facts),
  'dispute_evidence.submit': (facts) => tell('STATE_CHANGE', 'EVIDENCE_SUBMITTED', facts),
  'withdrawal.approve': (facts) => tell('STATE_CHANGE', 'WITHDRAWAL_APPROVED', facts),
  'withdrawal.resolve': (facts) => tell('STATE_CHANGE', 'WITHDRAWAL_RESOLVED_BY_OPERATOR', facts),
  'withdrawal.stop': (facts) => tell('STATE_CHANGE', 'WITHDRAWAL_STOPPED_BY_OPERATOR', facts),
}

/** Decisions that end a record: the record's event narrates them. */
export const narratedByEvents: readonly string[] = [
  'refund.create',
  'refund.reject',
  'refund.end',
  'withdrawal.create',
  'withdrawal.cancel',
  'withdrawal.reject',
]

/** Changes of a draft, which nobody outside has seen: only the audit log has them. */
export const neverNarrated: readonly string[] = ['dispute_evidence.change', 'dispute_evidence.add_file']

function causeOfDecision(action: string, facts: Changed): CauseWithFacts | undefined {
  return decisionCauses[action]?.(facts)
}

/** The transfers of a payment by the number of the receipt that their steps carry. */
async function linesOf(
  { tx }: Reading,
  paymentId: string,
  rows: readonly { readonly ordinal: number }[],
  names: readonly string[],
): Promise<ReadonlyMap<number, readonly Step[]>> {
  const steps = rows.flatMap(({ ordinal }) => names.map((name) => `${ordinal}.${name}`))
  const transfers = steps.length === 0 ? [] : await queries.selectStepsOf(tx, paymentId, steps)
  const byOrdinal = Map.groupBy(transfers, ({ step }) => Number.parseInt(step, 10))
  return new Map(
    [...byOrdinal].map(([ordinal, booked]) => [ordinal, booked.map((each) => ledgerStep(each, {}))]),
  )
}

/** Which refund or dispute a receipt is about: by the transfers that it caused, or by the name that its provider gave it. */
async function relatedOf(
  { tx }: Reading,
  subjects: readonly Subject[],
  rows: readonly queries.ReceiptRow[],
): Promise<(row: queries.ReceiptRow) => { readonly id?: string; readonly related: Related }> {
  const goingBack = rows.filter(({ outcome }) => /^(?:refund|dispute)/.test(outcome))
  const caused =
    goingBack.length === 0 || subjects.length === 0
      ? []
      : await queries.selectCaused(
          tx,
          subjects.map(({ id }) => id),
          goingBack.map(({ cause }) => cause),
        )
  const byCause = Map.groupBy(caused, ({ cause }) => cause.toString('hex'))
  return (row) => {
    const kind = row.outcome.startsWith('dispute')
      ? 'dispute'
      : row.outcome.startsWith('refund')
        ? 'refund'
        : ''
    const ofKind = subjects.filter((each) => each.kind === kind)
    const ids = new Set((byCause.get(row.cause.toString('hex')) ?? []).map(({ subject }) => subject))
    // A dispute also moves the money of refunds that it holds back.
    const found =
      ofKind.find((each) => isNamedIn(row, each)) ??
      ofKind.find(({ id }) => ids.has(id)) ??
      subjects.find(({ id }) => ids.has(id))
    return found === undefined ? { related: {} } : { id: found.id, related: found.related }
  }
}

/**
 * Whether the receipt's reference names this record. A provider's reference of our refund contains our id, with hyphens or without; the
 * reference of a dispute is stored as it is.
 */
function isNamedIn({ providerRef }: queries.ReceiptRow, { id, providerRef: name }: Subject): boolean {
  if (name !== undefined) return providerRef === name
  return providerRef.includes(id) || providerRef.includes(hexOfUuid(id))
}

function numberOf(position: string | undefined): number {
  return position === undefined ? 0 : Number.parseInt(position, 10)
}
