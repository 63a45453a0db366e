// A merchant as the overview meets it: payments, refunds, withdrawals and disputes of half a year, wallets with a history, webhook endpoints,
// money in suspense, and some of everything that waits for a person. The rows are written by statements over whole tables, with all
// constraints and indexes of the product.
import { connect, list, type Sql } from '#/db/client.ts'
import { bucketLimits } from '#/insights/buckets.ts'
import { must } from '#/kernel/check.ts'
import { newId } from '#/kernel/id.ts'
import { createLog } from '#/kernel/log.ts'
import { addMs, dayMs, systemClock } from '#/kernel/time.ts'
import { createLedgerLane } from '#/ledger/post.ts'
import { selectWallets } from '#/wallets/queries.ts'
import { tallyStep } from '#/wallets/tally.ts'
import { announce } from '#/webhooks/announce.ts'
import { plantMany } from '../movements.ts'
import { cell, type BenchSetup } from './place.ts'

const mode = 'SANDBOX'
/** Twice the longest span of a view. */
const historyDays = 180
const paymentsAtOnce = 100_000
/** The most entries of the ledger; each takes as much room as a payment. */
const transfersMost = 2_500_000

/** Plants this number of payments, and what comes with them. Returns how many rows of figures and of the ledger they are. */
export async function plantShop(
  { place, ownerUrl }: BenchSetup,
  payments: number,
): Promise<{ readonly figures: number; readonly entries: number }> {
  const lane = await createLedgerLane({
    openSql: () => connect(place.url, { max: 1 }),
    cell,
    auditKey: Buffer.from(place.auditKey),
    announce,
    log: createLog('warn', { role: 'bench', cell: 'a1' }),
  })
  await lane.close()
  const sql = connect(ownerUrl, { max: 2, transactionSeconds: 0 })
  const { merchantId } = place
  await plantIdFunction(sql)
  for (let first = 1; first <= payments; first += paymentsAtOnce)
    await plantPayments(sql, merchantId, {
      first,
      last: Math.min(payments, first + paymentsAtOnce - 1),
      payments,
    })
  await plantFigures(sql, merchantId)
  await plantBack(sql, merchantId, payments)
  await plantWaiting(sql, merchantId, payments)
  const transfers = Math.min(transfersMost, Math.ceil(payments / 2))
  await plantWallets(sql, merchantId, transfers)
  await sql`vacuum (analyze)`
  const [row] = await sql<{ figures: number }[]>`select count(*)::integer as figures from insight_day`
  await sql.end()
  return { figures: must(row, 'a count has a row').figures, entries: 2 * transfers }
}

/** Ids in the order of their instants, as ours are. */
async function plantIdFunction(sql: Sql): Promise<void> {
  await sql`
    create function bench_id(at timestamptz) returns uuid language sql volatile as
    $$ select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3)
               || '8' || substr(md5(random()::text), 1, 15))::uuid $$`
}

/**
 * Nine of ten payments are PAID. One in a hundred was paid in parts, and one in fifty of the unpaid ones received a part. The logarithm of
 * the time until PAID is normally distributed, with a median for each method.
 */
async function plantPayments(
  sql: Sql,
  merchantId: string,
  { first, last, payments }: { readonly first: number; readonly last: number; readonly payments: number },
): Promise<void> {
  await sql`
    with made as materialized (
      select nth, clock_timestamp() - interval '1 day' * ${historyDays}::float8 * (1 - nth::float8 / ${payments}::float8) as at,
             (array['PIX', 'CREDIT_CARD', 'CRYPTO', 'PARTNER_PAY'])[1 + floor(random() * 4)] as method,
             (array['BRL', 'EUR', 'USDT'])[1 + floor(random() * 3)] as currency,
             (100 + random() * 100000)::bigint as minor, random() as fate, random() as luck, random_normal() as normal
        from generate_series(${first}::bigint, ${last}::bigint) as nth
    ), ended as (
      select *, case when fate < 0.9 then 'PAID' when fate < 0.98 then 'EXPIRED' when fate < 0.99 then 'FAILED' else 'CANCELED' end as status,
             luck < case when fate < 0.9 then 0.01 else 0.02 end as is_under
        from made
    )
    insert into payment (merchant_id, id, idempotency_key, fingerprint, request, status, amount_minor, currency, methods, method,
                         received_minor, exceptions, receipts, created_at, expires_at, paid_at)
    select ${merchantId}::uuid, bench_id(at), 'order-' || nth, ''::bytea,
           json_build_object('amount', minor, 'currency', currency, 'customerEmail', 'p' || nth % 100000 || '@example.com'),
           status, minor, currency, array[method], method,
           case when status = 'PAID' then minor when is_under then minor / 3 else 0 end,
           case when is_under then array['UNDERPAID'] else '{}'::text[] end, 1, at, at + interval '1 hour',
           case when status = 'PAID' then at + interval '1 second' * exp(3.5 + length(method) / 8.0 + normal * 1.2) end
      from ended`
}

/** The figures that a worker would have counted from them. */
async function plantFigures(sql: Sql, merchantId: string): Promise<void> {
  await sql`
    with fact as materialized (
      select created_at::date as created, coalesce(paid_at, expires_at)::date as ended, method, currency, amount_minor as minor,
             status = 'PAID' as is_paid,
             width_bucket((extract(epoch from paid_at - created_at) * 1000)::bigint, ${list(bucketLimits)}::bigint[]) as bucket
        from payment where merchant_id = ${merchantId}
    ), figure as (
      select created as day, 'CREATED' as figure, '' as method, currency, 0 as minor from fact
      union all select ended, 'PAID', method, currency, minor from fact where is_paid
      union all select ended, 'ENDED', method, '', 0 from fact
      union all select ended, 'SUCCEEDED', method, '', 0 from fact where is_paid
    ), timed as (
      select ended as day, method, bucket, count(*) from fact where is_paid group by 1, 2, 3
    )
    insert into insight_day (merchant_id, day, figure, method, currency, count, minor, times)
    select ${merchantId}::uuid, day, figure, method, currency, count(*), sum(minor), null::bigint[]
      from figure group by 2, 3, 4, 5
    union all
    select ${merchantId}::uuid, key.day, 'TIME', key.method, '', sum(timed.count), 0,
           array_agg(coalesce(timed.count, 0)::bigint order by place.bucket)
      from (select distinct day, method from timed) as key
     cross join generate_series(0, ${bucketLimits.length}) as place (bucket)
      left join timed on timed.day = key.day and timed.method = key.method and timed.bucket = place.bucket
     group by 2, 4`
  await sql`delete from insight_created where merchant_id = ${merchantId}`
  await sql`insert into insight_watermark (merchant_id, is_whole) values (${merchantId}, true)`
}

/** A refund for each hundredth payment, a dispute for each 500th, a withdrawal for each 200th; of each some wait. */
async function plantBack(sql: Sql, merchantId: string, payments: number): Promise<void> {
  await sql`
    insert into refund (merchant_id, id, payment_id, attempt_id, method, connection, paid_ref, wallet_id, amount_minor, currency, status,
                        fingerprint, request, created_at, completed_at, approval_required)
    select merchant_id, bench_id(paid_at), id, gen_random_uuid(), method, 'a1-bench', 'x', gen_random_uuid(), amount_minor, currency,
           case when is_waiting then 'PENDING' else 'COMPLETED' end, ''::bytea, '{}', paid_at,
           case when not is_waiting then paid_at end, is_waiting
      from (select *, random() < 0.002 as is_waiting from payment
             where merchant_id = ${merchantId} and status = 'PAID' and random() < 0.01) as refunded`
  await sql`
    insert into dispute (merchant_id, id, payment_id, connection, provider_ref, paid_ref, wallet_id, kind, status, amount_minor, currency,
                         evidence_due_at, created_at)
    select merchant_id, bench_id(paid_at), id, 'a1-bench', 'dp_' || id, 'x', gen_random_uuid(), 'CHARGEBACK',
           (array['WON', 'LOST'])[1 + floor(random() * 2)], amount_minor, currency, paid_at + interval '20 days', paid_at
      from payment where merchant_id = ${merchantId} and status = 'PAID' and random() < 0.002`
  await sql`
    update dispute set status = 'OPEN', evidence_due_at = clock_timestamp() + (1 + random() * 5) * interval '1 day'
     where merchant_id = ${merchantId}
       and (created_at > clock_timestamp() - interval '20 days' or id = (select id from dispute order by id desc limit 1))`
  await sql`
    insert into withdrawal (merchant_id, id, type, status, amount_minor, fee_minor, currency, wallet_id, connection, reference, destination,
                            request, fingerprint, requested_by, created_at)
    select ${merchantId}::uuid, bench_id(at), 'PIX', case when random() < 0.003 then 'PENDING_APPROVAL' else 'COMPLETED' end, 1000, 0, 'BRL',
           gen_random_uuid(), 'a1-bench', gen_random_uuid()::text, '{"text":"ana@example.com"}', '{}', ''::bytea, gen_random_uuid(), at
      from (select clock_timestamp() - random() * interval '1 day' * ${historyDays}::float8 as at
              from generate_series(1, ${Math.ceil(payments / 200)}::bigint)) as made`
}

/** Sixteen endpoints, of which two fail and one was disabled; and for each 10,000th payment money in suspense, a fifth of it open. */
async function plantWaiting(sql: Sql, merchantId: string, payments: number): Promise<void> {
  const endpoints = await sql<{ id: string }[]>`
    insert into webhook_endpoint (merchant_id, id, url, event_types_since, status, disabled_reason, disabled_at, secret, created_at)
    select ${merchantId}::uuid, bench_id(clock_timestamp()), 'https://shop.example.com/' || nth, now(),
           case when nth = 1 then 'DISABLED' else 'ENABLED' end, case when nth = 1 then 'FAILING' end, case when nth = 1 then now() end,
           ''::bytea, now()
      from generate_series(1, 16) as nth
    returning id`
  for (const { id } of endpoints.slice(-2))
    await sql`
      insert into webhook_endpoint_failing (merchant_id, endpoint_id, since, attempts, is_gone)
      values (${merchantId}, ${id}, now() - interval '1 hour', 10, false)`
  const connection = `a1-${newId()}`
  await sql`
    insert into connection (id, mode, method, provider, settings, created_at, merchant_id)
    values (${connection}, ${mode}, 'PIX', 'bacen', '{}', now(), ${merchantId})`
  await sql`
    insert into unmatched (id, mode, connection, provider_ref, outcome, occurrence, reason, amount_minor, currency, evidence, happened_at,
                           recorded_at, resolved_at, resolution)
    select bench_id(at), ${mode}, ${connection}, 'E' || nth, 'paid', 1, 'unknown_attempt', 300, 'BRL', ''::bytea, at, at,
           case when nth % 5 > 0 then at end, case when nth % 5 > 0 then 'RETURNED' end
      from (select nth, clock_timestamp() - random() * interval '1 day' * ${historyDays}::float8 as at
              from generate_series(0, ${Math.ceil(payments / 10_000)}::bigint) as nth) as made`
}

/** A month of each of the three wallets, one after another: 90 days that the view draws. */
async function plantWallets(
  sql: Sql,
  merchantId: BenchSetup['place']['merchantId'],
  transfers: number,
): Promise<void> {
  const now = systemClock.now()
  for (const [nth, currency] of (['BRL', 'EUR', 'USDT'] as const).entries()) {
    const [wallet] = await selectWallets(sql, merchantId, { currency })
    const from = addMs(now, (30 * nth - 90) * dayMs)
    await plantMany(
      sql,
      { mode, walletId: must(wallet, 'a merchant has a wallet').id, currency },
      { count: Math.ceil(transfers / 3), from, to: addMs(from, 30 * dayMs) },
    )
  }
  while (await tallyStep({ sql }));
}
