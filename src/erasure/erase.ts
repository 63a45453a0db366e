// Erases the data of a payment's payer, in steps. Each step is a transaction under the head's lock, so that no batch writes an
// event with data that the step has erased. What is erased already is left out: running an interrupted erasure again continues
// it.
// audit/erasures.ts inspects what remains.
import type { Sql, Tx } from '#/db/client.ts'
import { readNow } from '#/db/due.ts'
import { eachPage } from '#/db/inspection.ts'
import { leastId } from '#/db/lists.ts'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { newId, type MerchantId, type PaymentId } from '#/kernel/id.ts'
import { parseJson, toJson } from '#/kernel/json.ts'
import { sha256 } from '#/kernel/secret.ts'
import { lockHead } from '#/ledger/queries.ts'
import type { Actor } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import * as queries from './queries.ts'
import type { Subject } from './queries.ts'
import {
  eraseAction,
  erasureDigest,
  type ErasedText,
  redactedBody,
  redactedPaymentRequest,
  redactedRefundRequest,
} from './redact.ts'

type ErasureDeps = {
  /** As the owner of the tables. */
  readonly sql: Sql
  readonly cell: string
  /** The most events, receipts or refunds of one step. */
  readonly pageRows?: number
}

/** A step of so many holds the head's lock for a moment only. */
const pageRows = 100

type ErasureOrder = queries.PaymentKey & { readonly by: Actor; readonly reason: string }

/** Texts that were erased, or would be, by what they are. */
export type ErasedCounts = Readonly<Record<CountedText, number>>
type CountedText = 'bodies' | 'evidence' | 'requests' | 'answers' | 'others'

const none = { bodies: 0, evidence: 0, requests: 0, answers: 0, others: 0 } satisfies ErasedCounts

/** `open`: why nothing more was erased. */
type ErasureVerdict =
  | { readonly kind: 'erased'; readonly counts: ErasedCounts }
  | { readonly kind: 'open'; readonly why: string; readonly counts: ErasedCounts }

/** Erases; does nothing where all is erased already. `onStep` is called after each step that was committed. */
export async function erasePayer(
  deps: ErasureDeps,
  order: ErasureOrder,
  onStep: (counts: ErasedCounts) => void = () => {},
): Promise<ErasureVerdict> {
  let counts: ErasedCounts = none
  for (const stepAfter of [eventStep, receiptStep, refundStep, recordStep]) {
    for (let after: string | undefined = start; after !== undefined;) {
      const {
        open,
        counts: ofStep,
        next,
      }: Done = await runStep(deps, order, stepAfter(after, deps.pageRows ?? pageRows))
      if (open !== undefined) return { kind: 'open', why: open, counts }
      counts = sum(counts, ofStep)
      if (isAny(ofStep)) onStep(counts)
      after = next
    }
  }
  return { kind: 'erased', counts }
}

/** Before the first event, receipt and refund. */
const start = ''

/** What a step does to the database. `next`: where the following page begins; absent after the last one. */
type Work = {
  readonly texts: readonly ErasedText[]
  readonly apply: () => Promise<Partial<ErasedCounts>>
  readonly next?: string | undefined
}
/** `open`: why nothing was done. */
type Done = { readonly open?: string; readonly counts: ErasedCounts; readonly next?: string | undefined }
type Step = (tx: Tx, order: ErasureOrder, subject: queries.Subject, at: Date) => Promise<Work>

async function runStep({ sql, cell }: ErasureDeps, order: ErasureOrder, step: Step): Promise<Done> {
  const { merchantId, paymentId, by, reason } = order
  return sql.begin(async (tx): Promise<Done> => {
    await lockHead(tx, cell)
    const subject = must(
      (await queries.selectSubjects(tx, merchantId, [paymentId]))[0],
      'the payment is there',
    )
    const why = whyOpen(subject)
    if (why !== undefined) return { open: why, counts: none }
    const at = await readNow(tx)
    const { texts, apply, next } = await step(tx, order, subject, at)
    const id = newId<'erasure'>()
    const digest = erasureDigest(id, texts)
    // Written before the texts change: the database allows a change of an event's body only if the erasure is recorded.
    if (texts.length > 0)
      await queries.insertErased(tx, { id, merchantId, paymentId, erasedBy: nameOf(by), at, digest }, texts)
    const counts = { ...none, ...(await apply()) }
    if (isAny(counts)) {
      const after = { ...counts, ...(texts.length > 0 && { erasure: id, digest: digest.toString('hex') }) }
      await writeAudit(tx, [
        { actor: by, reason, action: eraseAction, subject: `payment:${paymentId}`, merchantId, after },
      ])
    }
    return { counts, next }
  })
}

/** A page of the events of the payment, its refunds and disputes, with the answers to their deliveries. */
function eventStep(after: string, limit: number): Step {
  return async (tx, { merchantId, paymentId }, _subject, at) => {
    const page = { after: BigInt(after), limit }
    const events = await queries.selectEventsOf(tx, { merchantId, paymentId }, page)
    const bodies = redactedBodies(events, at)
    return {
      texts: bodies.map(({ key, before, text }) => textOf('event.body', key, sha256(before), text)),
      next: events.length < limit ? undefined : String(events.at(-1)?.sequence),
      apply: async () => {
        if (bodies.length > 0) await queries.updateBodies(tx, merchantId, bodies)
        if (events.length === 0) return {}
        const answers = await queries.clearAnswers(
          tx,
          merchantId,
          events.map(({ sequence }) => sequence),
        )
        const copies = await queries.deleteSandboxCopies(
          tx,
          bodies.map(({ id }) => id),
        )
        return { bodies: bodies.length, answers, others: copies }
      },
    }
  }
}

function receiptStep(after: string, limit: number): Step {
  return async (tx, { merchantId, paymentId }) => {
    const key = { merchantId, paymentId }
    const receipts = await queries.selectReceiptsOf(tx, key, { after: Number(after), limit })
    return {
      texts: receipts.map(({ ordinal, digest }) =>
        textOf('receipt.evidence', `${paymentId}/${ordinal}`, digest, ''),
      ),
      next: receipts.length < limit ? undefined : String(receipts.at(-1)?.ordinal),
      apply: async () => {
        if (receipts.length > 0)
          await queries.clearReceipts(
            tx,
            key,
            receipts.map(({ ordinal }) => ordinal),
          )
        return { evidence: receipts.length }
      },
    }
  }
}

function refundStep(after: string, limit: number): Step {
  return async (tx, { merchantId, paymentId }) => {
    const page = { after: after === start ? leastId : after, limit }
    const refunds = await queries.selectRefundsOf(tx, { merchantId, paymentId }, page)
    const requests = redactedRequests(refunds)
    return {
      texts: requests.map(({ key, before, text }) => textOf('refund.request', key, sha256(before), text)),
      next: refunds.length < limit ? undefined : refunds.at(-1)?.id,
      apply: async () => {
        if (requests.length > 0) await queries.updateRefundRequests(tx, merchantId, requests)
        return { requests: requests.length }
      },
    }
  }
}

/**
 * The last step: the records beside the books, and finally the payment itself, because until then the payment is found by its
 * payer's data.
 */
function recordStep(): Step {
  return async (tx, { merchantId, paymentId }, subject, at) => {
    const key = { merchantId, paymentId }
    const request = requestLeft(subject)
    const isChanged = request !== undefined || subject.hasPayer
    return {
      texts:
        request === undefined
          ? []
          : [textOf('payment.request', paymentId, sha256(subject.requestText), request)],
      apply: async () => {
        const others = (await queries.clearOthers(tx, key)) + (await queries.deleteIndexed(tx, key))
        if (isChanged) await queries.updatePayment(tx, key, { request: request ?? subject.requestText, at })
        return { requests: isChanged ? 1 : 0, others }
      },
    }
  }
}

function requestLeft({ requestText }: queries.Subject): string | undefined {
  const remaining = redactedPaymentRequest(parseJson(requestText) as queries.Fields)
  return remaining === undefined ? undefined : toJson(remaining)
}

export type ErasurePreview = queries.Subject & {
  /** Why nothing can be erased yet; absent: it can. */
  readonly why?: string
  readonly counts: ErasedCounts
}

/** What an erasure of these payments would do. Changes nothing. */
export async function previewErasure(
  sql: Sql,
  merchantId: MerchantId,
  ids: readonly PaymentId[],
): Promise<readonly ErasurePreview[]> {
  const previews: ErasurePreview[] = []
  for (const subject of await queries.selectSubjects(sql, merchantId, ids)) {
    const why = whyOpen(subject)
    const counts = await countTexts(sql, { merchantId, paymentId: subject.id }, subject)
    previews.push({ ...subject, ...given({ why }), counts })
  }
  return previews
}

async function countTexts(
  sql: Sql,
  key: queries.PaymentKey,
  subject: queries.Subject,
): Promise<ErasedCounts> {
  const counts = { ...none }
  await eachPage<queries.EventOf>(
    (last) => queries.selectEventsOf(sql, key, { after: last?.sequence ?? 0n, limit: pageRows }),
    async (events) => {
      const bodies = redactedBodies(events, subject.createdAt)
      counts.bodies += bodies.length
      counts.others += await queries.countSandboxCopies(
        sql,
        bodies.map(({ id }) => id),
      )
      const sequences = events.map(({ sequence }) => sequence)
      counts.answers += await queries.countAnswers(sql, key.merchantId, sequences)
    },
  )
  await eachPage<queries.ReceiptOf>(
    (last) => queries.selectReceiptsOf(sql, key, { after: last?.ordinal ?? 0, limit: pageRows }),
    (receipts) => {
      counts.evidence += receipts.length
    },
  )
  await eachPage<queries.RefundOf>(
    (last) => queries.selectRefundsOf(sql, key, { after: last?.id ?? leastId, limit: pageRows }),
    (refunds) => {
      counts.requests += redactedRequests(refunds).length
    },
  )
  counts.requests += requestLeft(subject) !== undefined || subject.hasPayer ? 1 : 0
  counts.others += await queries.countOthers(sql, key)
  return counts
}

type Redacted = { readonly key: string; readonly before: string; readonly text: string }

function redactedBodies(
  events: readonly queries.EventOf[],
  at: Date,
): readonly (Redacted & { readonly id: string })[] {
  return events.flatMap(({ id, sequence, type, body, isErased }) => {
    const remaining = isErased ? undefined : redactedBody(type, parseJson(body) as queries.Fields, at)
    return remaining === undefined
      ? []
      : [{ id, key: String(sequence), before: body, text: toJson(remaining) }]
  })
}

function redactedRequests(refunds: readonly queries.RefundOf[]): readonly Redacted[] {
  return refunds.flatMap(({ id, requestText, isErased }) => {
    const remaining = isErased ? undefined : redactedRefundRequest(parseJson(requestText) as queries.Fields)
    return remaining === undefined ? [] : [{ key: id, before: requestText, text: toJson(remaining) }]
  })
}

function textOf(place: ErasedText['place'], key: string, beforeDigest: Buffer, text: string): ErasedText {
  return { place, key, beforeDigest, afterDigest: sha256(text) }
}

function sum(a: ErasedCounts, b: ErasedCounts): ErasedCounts {
  const names = Object.keys(none) as CountedText[]
  return Object.fromEntries(names.map((name) => [name, a[name] + b[name]])) as ErasedCounts
}

/** Whether there is anything at all. */
export function isAny(counts: ErasedCounts): boolean {
  return Object.values(counts).some((count) => count > 0)
}

function nameOf({ kind, id }: Actor): string {
  return `${kind} ${id}`
}

// Whether a payment has ended so far that nobody needs its payer's data any more.

const ended: readonly string[] = ['PAID', 'EXPIRED', 'FAILED', 'CANCELED']

/** Why nothing of it may be erased yet, as a sentence without its subject. Undefined: it may. */
export function whyOpen(subject: Subject): string | undefined {
  const { status, isMoneyOnItsWay, pendingRefunds, openDisputes, isQueryDue, isEvidenceSent } = subject
  if (!ended.includes(status)) return `is ${status}: it can still be paid or canceled`
  if (isMoneyOnItsWay) return 'has money that is not final or not released'
  if (pendingRefunds > 0) return 'has a refund without an end'
  if (openDisputes > 0) return 'has an open dispute'
  if (isEvidenceSent) return 'has evidence that is being sent to a provider'
  if (isQueryDue) return 'has a provider that still has to be queried, for up to seven days'
  return undefined
}
