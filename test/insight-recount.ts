// What the figures of the overview must be: counted from the records themselves, without the worker's SQL.
import type { Sql } from '#/db/client.ts'
import { bucketLimits } from '#/insights/buckets.ts'
import type { MerchantId } from '#/kernel/id.ts'

/** `day figure method currency bucket`, with `count minor`. */
export type Figures = ReadonlyMap<string, string>

/** As they are kept, in order. Figures that were taken back are none. */
export async function figuresKept(sql: Sql, merchantId: MerchantId): Promise<Figures> {
  const rows = await sql<{ key: string; value: string }[]>`
    select concat_ws(' ', day, figure, method, currency, 0) as key, concat_ws(' ', count, minor) as value
      from insight_day
     where merchant_id = ${merchantId} and (count <> 0 or minor <> 0) and figure <> 'TIME'
    union all
    select concat_ws(' ', day, figure, method, currency, place.bucket - 1), concat_ws(' ', place.count, minor)
      from insight_day cross join unnest(times) with ordinality as place (count, bucket)
     where merchant_id = ${merchantId} and place.count <> 0`
  return sorted(rows.map(({ key, value }) => [key, value]))
}

type Kept = { count: bigint; minor: bigint }

export async function recounted(sql: Sql, merchantId: MerchantId): Promise<Figures> {
  const sums = new Map<string, Kept>()
  const add = (
    at: Date,
    figure: string,
    method: string,
    currency: string,
    more: { minor?: bigint; bucket?: number; count?: bigint } = {},
  ) => {
    const key = [at.toISOString().slice(0, 10), figure, method, currency, more.bucket ?? 0].join(' ')
    const kept = sums.get(key) ?? { count: 0n, minor: 0n }
    sums.set(key, { count: kept.count + (more.count ?? 1n), minor: kept.minor + (more.minor ?? 0n) })
  }
  await addPayments(sql, merchantId, add)
  const refunds = await sql<{ method: string; currency: string; minor: bigint; at: Date }[]>`
    select method, currency, amount_minor as minor, completed_at as at from refund
     where merchant_id = ${merchantId} and status = 'COMPLETED'`
  for (const { at, method, currency, minor } of refunds) add(at, 'REFUNDED', method, currency, { minor })
  const disputes = await sql<
    { status: string; currency: string; minor: bigint; createdAt: Date; closedAt: Date | null }[]
  >`
    select status, currency, amount_minor as minor, created_at as "createdAt", closed_at as "closedAt" from dispute
     where merchant_id = ${merchantId}`
  for (const { status, currency, minor, createdAt, closedAt } of disputes) {
    add(createdAt, 'DISPUTED', '', currency, { minor })
    if (closedAt !== null) add(closedAt, `DISPUTE_${status}`, '', currency, { minor })
  }
  const withdrawals = await sql<{ type: string; currency: string; minor: bigint; at: Date }[]>`
    select type, currency, amount_minor as minor, completed_at as at from withdrawal
     where merchant_id = ${merchantId} and status = 'COMPLETED'`
  for (const { at, type, currency, minor } of withdrawals) add(at, 'WITHDRAWN', type, currency, { minor })
  return sorted([...sums].map(([key, { count, minor }]) => [key, `${count} ${minor}`]))
}

type Add = (
  at: Date,
  figure: string,
  method: string,
  currency: string,
  more?: { minor?: bigint; bucket?: number; count?: bigint },
) => void

async function addPayments(sql: Sql, merchantId: MerchantId, add: Add): Promise<void> {
  const payments = await sql<
    {
      id: string
      status: string
      currency: string
      method: string
      createdAt: Date
      paidAt: Date | null
      endedAt: Date | null
    }[]
  >`
    select id, status, currency, method, created_at as "createdAt", paid_at as "paidAt",
           (select max(at) from event where event.resource_id = payment.id
               and type in ('payment.completed', 'payment.expired', 'payment.failed', 'payment.canceled')) as "endedAt"
      from payment where merchant_id = ${merchantId}`
  const attempts = await sql<{ id: string; paymentId: string; method: string }[]>`
    select id, payment_id as "paymentId", method from attempt where merchant_id = ${merchantId}`
  const receipts = await sql<{ attemptId: string; currency: string; minor: bigint; ordinal: number }[]>`
    select attempt_id as "attemptId", currency, booked_minor as minor, ordinal from receipt
     where merchant_id = ${merchantId} and outcome = 'paid' and is_duplicate = false and booked_minor > 0 order by ordinal`
  const attemptsOf = Map.groupBy(attempts, ({ paymentId }) => paymentId)
  const receiptsOf = Map.groupBy(receipts, ({ attemptId }) => attemptId)
  for (const { id, status, currency, method, createdAt, paidAt, endedAt } of payments) {
    add(createdAt, 'CREATED', '', currency)
    const own = attemptsOf.get(id) ?? []
    const isEnded = ['PAID', 'EXPIRED', 'FAILED', 'CANCELED'].includes(status)
    if (isEnded && endedAt !== null) for (const each of own) add(endedAt, 'ENDED', each.method, '')
    if (status !== 'PAID' || paidAt === null) continue
    const pieces = own
      .flatMap((attempt) => (receiptsOf.get(attempt.id) ?? []).map((receipt) => ({ attempt, receipt })))
      .toSorted((a, b) => a.receipt.ordinal - b.receipt.ordinal)
    for (const { attempt, receipt } of pieces)
      add(paidAt, 'PAID', attempt.method, receipt.currency, {
        minor: receipt.minor,
        count: receipt === pieces.at(-1)?.receipt ? 1n : 0n,
      })
    for (const each of new Set(pieces.map(({ attempt }) => attempt)))
      add(paidAt, 'SUCCEEDED', each.method, '')
    const took = BigInt(paidAt.getTime() - createdAt.getTime())
    add(paidAt, 'TIME', method, '', { bucket: bucketLimits.filter((limit) => limit <= took).length })
  }
}

function sorted(entries: readonly (readonly [string, string])[]): Figures {
  return new Map(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
