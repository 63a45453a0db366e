// What the rails add to the records of payments and to their events, from their own tables or from the attempts.
import { shownMax, type RailFields } from '#/contract/payment-rail-fields.ts'
import type { Sql, Tx } from '#/db/client.ts'
import { given } from '#/kernel/given.ts'
import type { PaymentId, RefundId } from '#/kernel/id.ts'
import { amountToJson } from '#/kernel/money.ts'
import type { PaymentRef, ShownAttempt } from '#/rails/attempt.ts'
import type { Method } from '#/rails/method.ts'
import { type Rail, type Rails, shownBy } from '#/rails/rail.ts'
import { type DescribedRef } from '#/rails/shown.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import * as queries from './attempt-queries.ts'
import type { Payment } from './payment.ts'
import { selectPendingRefunds, type PendingRefund } from './queries.ts'
import { paymentEventRecord, type Described } from './record.ts'

/** How much is shown: `full` for a payment's own GET, `brief` for lists and events. */
export type Shown = 'full' | 'brief'

type Means = NonNullable<ShownAttempt['means']>

/** The fields that rails add to each of these payments, and the amount of pending refunds. */
export type Descriptions = {
  of(payment: Payment): Described
  /** A refund as decided in the same batch. */
  setRefund(refund: PendingRefund & { readonly isPending: boolean }): void
  /** Money that came in the same batch. */
  addPaid(paymentId: PaymentId, attempt: Pick<ShownAttempt, 'id'>, paidRef: string): void
  /** What the payer paid or authorised it with. */
  addMeans(paymentId: PaymentId, attempt: Pick<ShownAttempt, 'id'>, means: Means): void
}

/** Reads what the rails add to the records of these payments. */
export async function describePayments(
  sql: Sql | Tx,
  rails: Rails,
  payments: readonly Payment[],
  shown: Shown,
): Promise<Descriptions> {
  const ofTables = new Map<string, RailFields>()
  const kept = new Map<PaymentId, PaymentRef>()
  for (const rail of rails.values()) {
    const group = payments.filter((payment) => mayShow(payment, rail.method))
    const refs = group.map(describedRef)
    if (rail.record?.from === 'ATTEMPTS') for (const ref of refs) kept.set(ref.paymentId, ref)
    if (rail.record?.from !== 'TABLES' || refs.length === 0) continue
    for (const [id, fields] of await rail.record.describe(sql, refs))
      ofTables.set(`${id}/${rail.method}`, fields)
  }
  const attempts = await keptAttempts(sql, [...kept.values()])
  const pending = await pendingRefunds(sql, payments)
  const change = (
    paymentId: PaymentId,
    id: ShownAttempt['id'],
    changed: (attempt: MethodAttempt) => MethodAttempt,
  ) => {
    const after = (attempts.get(paymentId) ?? []).map((each) => (each.id === id ? changed(each) : each))
    attempts.set(paymentId, after)
  }
  return {
    of: (payment) => ({
      ...(ofTables.get(`${payment.id}/${payment.method}`) ??
        fieldsOf(rails, payment, attempts.get(payment.id) ?? [], shown)),
      ...refundFields(payment, pending),
    }),
    setRefund({ isPending, ...refund }) {
      if (isPending) pending.set(refund.id, refund)
      else pending.delete(refund.id)
    },
    addPaid: (paymentId, { id }, paidRef) =>
      change(paymentId, id, (attempt) => ({ ...attempt, paidRefs: [...attempt.paidRefs, paidRef] })),
    addMeans: (paymentId, { id }, means) => change(paymentId, id, (attempt) => ({ ...attempt, means })),
  }
}

/** By refund. Most payments have none, and need no query. */
async function pendingRefunds(
  sql: Sql | Tx,
  payments: readonly Payment[],
): Promise<Map<RefundId, PendingRefund>> {
  const refs = payments.filter(({ refundedMinor }) => refundedMinor > 0n).map(describedRef)
  const found = refs.length === 0 ? [] : await selectPendingRefunds(sql, refs)
  return new Map(found.map((refund) => [refund.id, refund]))
}

/** A draft of a payment's event, with what rails add to the record. */
export function paymentEvent(
  type: EventDraft['type'],
  payment: Payment,
  described: Pick<Descriptions, 'of'>,
): EventDraft {
  const { merchantId, mode, id: resourceId, request } = payment
  const data = paymentEventRecord(payment, described.of(payment))
  return { merchantId, mode, type, resourceId, data, ...given({ webhookUrl: request.webhookUrl }) }
}

function refundFields({ id }: Payment, pending: ReadonlyMap<RefundId, PendingRefund>): Described {
  let sum = 0n
  for (const { paymentId, minor } of pending.values()) if (paymentId === id) sum += minor
  return sum === 0n ? {} : { amountRefundPending: amountToJson(sum) }
}

function describedRef({ merchantId, id, completingRef, completingTx }: Payment): DescribedRef {
  const completing = completingRef ?? completingTx
  return { merchantId, paymentId: id, ...given({ completing }) }
}

/** Whether the payment's record has the fields of this method, or may get them in the same batch. */
function mayShow({ method, methods, request }: Payment, shown: Method): boolean {
  return request.checkout === undefined ? method === shown : methods.includes(shown)
}

type MethodAttempt = ShownAttempt & Pick<queries.KeptAttempt, 'paymentId' | 'method'>

function fieldsOf(
  rails: Rails,
  { method, request, completingRef }: Payment,
  attempts: readonly MethodAttempt[],
  shown: Shown,
): RailFields {
  const rail: Rail | undefined = method === undefined ? undefined : rails.get(method)
  const ofMethod = withNewestRefs(
    attempts.filter((attempt) => attempt.method === method),
    completingRef,
  )
  return shownBy(rail, request.checkout === undefined ? ofMethod : ofMethod.map(withoutArtifacts), shown)
}

/** Limits the names of money as the deposits are: to the newest ones, and the one that completed the sum. */
function withNewestRefs(
  attempts: readonly MethodAttempt[],
  completing: string | undefined,
): readonly MethodAttempt[] {
  const all = attempts.flatMap(({ paidRefs }) => paidRefs)
  if (all.length <= shownMax) return attempts
  const kept = new Set(all.slice(-shownMax))
  if (completing !== undefined && all.includes(completing) && !kept.has(completing)) {
    kept.delete(all.at(-shownMax) ?? '')
    kept.add(completing)
  }
  return attempts.map((attempt) => ({
    ...attempt,
    paidRefs: attempt.paidRefs.filter((ref) => kept.has(ref)),
  }))
}

/** The payer of a checkout finds the artifacts on its page only (interface §2.1). */
function withoutArtifacts(attempt: MethodAttempt): MethodAttempt {
  const shown: { -readonly [Name in keyof MethodAttempt]: MethodAttempt[Name] } = { ...attempt }
  delete shown.artifacts
  return shown
}

async function keptAttempts(
  sql: Sql | Tx,
  refs: readonly PaymentRef[],
): Promise<Map<PaymentId, readonly MethodAttempt[]>> {
  if (refs.length === 0) return new Map()
  const [rows, paidRefs] = await Promise.all([
    queries.selectAttempts(sql, refs),
    queries.selectPaidRefs(sql, refs),
  ])
  const refsOf = Map.groupBy(paidRefs, (each) => each.attemptId)
  const attempts = rows.map(({ id, paymentId, method, artifacts }) => {
    const ownRefs = refsOf.get(id) ?? []
    const means = ownRefs.findLast((each) => each.means !== null)?.means ?? null
    return {
      id,
      paymentId,
      method,
      ...(artifacts === null ? {} : { artifacts }),
      ...(means === null ? {} : { means }),
      paidRefs: ownRefs.filter(({ outcome }) => outcome === 'paid').map((each) => each.providerRef),
    }
  })
  return Map.groupBy(attempts, (attempt) => attempt.paymentId)
}
