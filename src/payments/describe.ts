// What the rails add to the records of payments: out of their own tables, or out of what is kept of every attempt.
import type { Sql, Tx } from '#/db/client.ts'
import type { PaymentId } from '#/kernel/id.ts'
import type { PaymentRef, Rail, Rails, ShownAttempt } from '#/rails/rail.ts'
import type { Payment } from './payment.ts'
import * as queries from './attempt-queries.ts'
import type { RailFields } from './record.ts'

/** How much is shown: `full` for a payment's own GET, `brief` for lists and events. */
export type Shown = 'full' | 'brief'

/** The fields that rails add to each of these payments. */
export type Descriptions = {
  of(payment: Payment): RailFields
  /** Money that came while they were being decided about. */
  addPaid(paymentId: PaymentId, attempt: Pick<ShownAttempt, 'id'>, paidRef: string): void
}

/** Reads what the rails add to the records of these payments. */
export async function describePayments(
  sql: Sql | Tx,
  rails: Rails,
  payments: readonly Payment[],
  shown: Shown,
): Promise<Descriptions> {
  const own = new Map<PaymentId, RailFields>()
  const kept: PaymentRef[] = []
  for (const [method, group] of Map.groupBy(payments, (payment) => payment.method)) {
    const rail = method === undefined ? undefined : rails.get(method)
    const refs = group.map(({ merchantId, id }) => ({ merchantId, paymentId: id }))
    if (rail?.show !== undefined) kept.push(...refs)
    for (const [id, fields] of (await rail?.describe?.(sql, refs)) ?? []) own.set(id, fields)
  }
  const attempts: Map<PaymentId, readonly MethodAttempt[]> =
    kept.length === 0 ? new Map<PaymentId, readonly MethodAttempt[]>() : await keptAttempts(sql, kept)
  return {
    of: (payment) => own.get(payment.id) ?? fieldsOf(rails, payment, attempts.get(payment.id) ?? [], shown),
    addPaid(paymentId, { id }, paidRef) {
      const known = attempts.get(paymentId) ?? []
      const next = known.map((each) =>
        each.id === id ? { ...each, paidRefs: [...each.paidRefs, paidRef] } : each,
      )
      attempts.set(paymentId, next)
    },
  }
}

type MethodAttempt = ShownAttempt & Pick<queries.KeptAttempt, 'paymentId' | 'method'>

function fieldsOf(
  rails: Rails,
  { method }: Payment,
  attempts: readonly MethodAttempt[],
  shown: Shown,
): RailFields {
  const rail: Rail | undefined = method === undefined ? undefined : rails.get(method)
  const own = attempts.filter((attempt) => attempt.method === method)
  return rail?.show?.(own, shown) ?? {}
}

async function keptAttempts(
  sql: Sql | Tx,
  refs: readonly PaymentRef[],
): Promise<Map<PaymentId, readonly MethodAttempt[]>> {
  const [rows, paid] = await Promise.all([
    queries.selectAttempts(sql, refs),
    queries.selectPaidRefs(sql, refs),
  ])
  const refsOf = Map.groupBy(paid, (each) => each.attemptId)
  const attempts = rows.map(({ id, paymentId, method, artifacts }) => ({
    id,
    paymentId,
    method,
    ...(artifacts === null ? {} : { artifacts }),
    paidRefs: refsOf.get(id)?.map((each) => each.providerRef) ?? [],
  }))
  return Map.groupBy(attempts, (attempt) => attempt.paymentId)
}
