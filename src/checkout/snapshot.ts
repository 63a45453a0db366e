// The data of payments whose pages are open, read for all of them at once.
import { shownMax, type RailFields } from '#/contract/payment-rail-fields.ts'
import type { Sql } from '#/db/client.ts'
import { given } from '#/kernel/given.ts'
import type { PaymentId } from '#/kernel/id.ts'
import type { Clock } from '#/kernel/time.ts'
import {
  selectPaidRefs,
  selectTried,
  toAttempt,
  type PaidRef,
  type TriedAttempt,
} from '#/payments/attempt-queries.ts'
import { fits, isForRest } from '#/payments/attempt-state.ts'
import type { Payment } from '#/payments/payment.ts'
import { selectByPageToken, selectPayments } from '#/payments/queries.ts'
import type { PaymentRef } from '#/rails/attempt.ts'
import { type OpenedAttempt, type Rails, pageOf, shownBy } from '#/rails/rail.ts'
import type { Means, Proof } from './means.ts'
import { methodOf } from './methods/all.ts'

/** A payment, and what it can be paid with. */
export type Snapshot = {
  readonly payment: Payment
  readonly means: Means
  /** How many attempts were opened, refused or ended. */
  readonly opened: number
  /** The latest attempts that their providers know: the payer may pay by any of them, whatever the page shows. */
  readonly attempts: readonly OpenedAttempt[]
}

/** More attempts than this, left by a payer who changes the method often, are not checked. */
const attemptsMax = 4

export type SnapshotDeps = { readonly sql: Sql; readonly rails: Rails; readonly clock: Clock }

export async function findSnapshot(deps: SnapshotDeps, token: string): Promise<Snapshot | undefined> {
  const payment = await selectByPageToken(deps.sql, token)
  if (payment === undefined) return undefined
  const snapshots = await snapshotsOf(deps, [payment])
  return snapshots.get(payment.id)
}

/** These payments as they are now. */
export async function readSnapshots(
  deps: SnapshotDeps,
  refs: readonly PaymentRef[],
): Promise<ReadonlyMap<PaymentId, Snapshot>> {
  return snapshotsOf(deps, await selectPayments(deps.sql, refs))
}

async function snapshotsOf(
  { sql, rails, clock }: SnapshotDeps,
  payments: readonly Payment[],
): Promise<ReadonlyMap<PaymentId, Snapshot>> {
  const chosen = payments.filter(({ method }) => method !== undefined)
  const paid = chosen.filter(({ receivedMinor, status }) => receivedMinor > 0n || status === 'APPROVED')
  const [tried, described, paidRefs] = await Promise.all([
    chosen.length === 0 ? [] : selectTried(sql, chosen.map(refOf)),
    describe(sql, rails, chosen),
    paid.length === 0 ? [] : selectPaidRefs(sql, paid.map(refOf)),
  ])
  const attempts = Map.groupBy(tried, ({ paymentId }) => paymentId)
  const now = clock.now()
  return new Map(
    payments.map((payment) => {
      const ofPayment = attempts.get(payment.id) ?? []
      const fields = described.get(payment.id) ?? paidFields(rails, payment, ofPayment, paidRefs)
      const proof = proofOf(rails, payment, ofPayment, paidRefs)
      const snapshot = snapshotOf(rails, payment, ofPayment, fields, now)
      return [payment.id, { ...snapshot, means: { ...snapshot.means, ...given({ proof }) } }]
    }),
  )
}

/** The fields that rails read from their own tables, for all payments of one method at once. */
async function describe(
  sql: Sql,
  rails: Rails,
  payments: readonly Payment[],
): Promise<ReadonlyMap<PaymentId, RailFields>> {
  const described = new Map<PaymentId, RailFields>()
  for (const [method, group] of Map.groupBy(payments, (payment) => payment.method)) {
    const rail = method === undefined ? undefined : rails.get(method)
    if (rail?.record?.from !== 'TABLES') continue
    for (const [id, fields] of await rail.record.describe(sql, group.map(refOf))) described.set(id, fields)
  }
  return described
}

/** The means of payment as the rail shows it: the brand of a card. */
function paidFields(
  rails: Rails,
  { method }: Payment,
  tried: readonly TriedAttempt[],
  paidRefs: readonly PaidRef[],
): RailFields | undefined {
  const ids = new Set(tried.filter((attempt) => attempt.method === method).map(({ id }) => id))
  const last = paidRefs.findLast(({ attemptId, means }) => ids.has(attemptId) && means !== null)
  const rail = method === undefined ? undefined : rails.get(method)
  if (last === undefined || last.means === null) return undefined
  return shownBy(rail, [{ id: last.attemptId, paidRefs: [], means: last.means }], 'brief')
}

/** What came by the payment's method: what the provider calls it, and what was shown to be paid. */
function proofOf(
  rails: Rails,
  { method }: Payment,
  tried: readonly TriedAttempt[],
  paidRefs: readonly PaidRef[],
): Proof | undefined {
  const ofMethod = tried.filter((attempt) => attempt.method === method)
  const paid = paidRefs.filter(
    ({ attemptId, outcome }) => outcome === 'paid' && ofMethod.some(({ id }) => id === attemptId),
  )
  if (method === undefined || paid.length === 0) return undefined
  const shown = ofMethod
    .filter(({ id }) => paid.some(({ attemptId }) => attemptId === id))
    .map(({ id, artifacts }) => ({ id, paidRefs: [], ...given({ artifacts: artifacts ?? undefined }) }))
  const refs = [...new Set(paid.map(({ providerRef }) => providerRef))].slice(-shownMax)
  return { fields: shownBy(rails.get(method), shown, 'brief'), refs }
}

function snapshotOf(
  rails: Rails,
  payment: Payment,
  tried: readonly TriedAttempt[],
  described: RailFields | undefined,
  now: Date,
): Snapshot {
  const rail = payment.method === undefined ? undefined : rails.get(payment.method)
  const ofMethod = tried.filter(({ method }) => method === payment.method)
  const last = ofMethod.at(-1)
  // A charge is paid once: after a part came, only one for exactly the rest can be paid.
  const isPaidOnce = rail?.opens.at === 'REQUEST' && rail.opens.takesMore !== true
  const isRest = isPaidOnce && payment.receivedMinor > 0n
  const kept = ofMethod.findLast(
    (attempt) => fits(attempt, undefined, now) && (!isRest || isForRest(attempt, payment)),
  )
  const [attempt] = kept === undefined ? [] : openedOf(kept)
  const coin = last === undefined ? undefined : rail?.coins?.coin(last.connection)
  const presentation = attempt === undefined ? undefined : pageOf(rail)?.present(attempt)
  const shown = attempt === undefined ? {} : shownBy(rail, [{ ...attempt, paidRefs: [] }], 'brief')
  return {
    payment,
    means: {
      fields: described ?? shown,
      ...given({ coin, presentation }),
      ...(kept !== undefined && isRest ? { isForRest: true } : {}),
      ...(kept === undefined && last !== undefined && last.refusal !== null ? { isRefused: true } : {}),
    },
    // An opening and an end change the page.
    opened:
      tried.filter(({ artifacts, refusal }) => artifacts !== null || refusal !== null).length +
      tried.filter(({ overAt }) => overAt !== null).length,
    attempts: tried
      .filter(({ overAt }) => overAt === null)
      .flatMap(openedOf)
      .slice(-attemptsMax),
  }
}

function openedOf(attempt: TriedAttempt): readonly OpenedAttempt[] {
  const { artifacts } = attempt
  return artifacts === null ? [] : [{ ...toAttempt(attempt), artifacts }]
}

/** Whether new blocks change the page while the payment stays the same. */
export function isRestless({ payment, means }: Snapshot): boolean {
  return methodOf(payment)?.progress?.(means).isOngoing === true
}

export function refOf({ merchantId, id }: Payment): PaymentRef {
  return { merchantId, paymentId: id }
}
