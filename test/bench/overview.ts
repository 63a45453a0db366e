// The overview of a merchant with few payments and with very many, each on a PostgreSQL of its own. It reads figures, not payments
// (test/size/room-insights.ts holds each of its queries to that on tables of a million rows), so the figures that these payments would leave are
// planted here instead of the payments: random ones over 180 days, by method, currency, outcome and time.
import { connect, list, type Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { overviewOf, type OverviewSpan } from '#/insights/overview.ts'
import { bucketLimits } from '#/insights/buckets.ts'
import { openPlace, type Site } from './place.ts'
import { drive } from './process.ts'
import { table } from './report.ts'
import { takeTurns, type Contender, type Pace } from './rounds.ts'

const mode = 'SANDBOX'
const spans = ['today', '30d', '90d'] as const satisfies readonly OverviewSpan[]

/** `payments`: of the large merchant. Time of a view there at most 1.5 times that of the small one. */
export async function measureOverview(pace: Pace, payments: number): Promise<string> {
  const few = 10_000
  await using small = await openPlace()
  await using large = await openPlace()
  const rowsOfSmall = await plant(small, few)
  const rowsOfLarge = await plant(large, payments)
  const [sqlOfSmall, sqlOfLarge] = [small, large].map(({ place }) => connect(place.url, { max: 10 }))
  const of = await takeTurns(
    spans.flatMap((span) => [
      contender(`${span}, few`, must(sqlOfSmall, 'a client'), small, span),
      contender(`${span}, many`, must(sqlOfLarge, 'a client'), large, span),
    ]),
    { rounds: pace.rounds * 3, spanMs: pace.spanMs / 3 },
  )
  await Promise.all([sqlOfSmall?.end(), sqlOfLarge?.end()])
  const counted = (count: number) => count.toLocaleString('en-US')
  return table(
    `The overview, ${counted(few)} and ${counted(payments)} payments (${counted(rowsOfSmall)} and ${counted(rowsOfLarge)} rows of figures)`,
    spans.flatMap((span) => [
      { what: `${span}: few payments`, samples: of(`${span}, few`) },
      {
        what: `**${span}: many payments**`,
        samples: of(`${span}, many`),
        aims: [
          {
            than: 'of the one with few',
            samples: of(`${span}, few`),
            atLeast: 1 / 1.5,
            as: 'percent' as const,
          },
          ...(span === '90d' ? [{ perSecondAtLeast: 5 }] : []),
        ],
      },
    ]),
  )
}

function contender(name: string, sql: Sql, { place }: Site, span: OverviewSpan): Contender {
  const owner = { id: place.merchantId, mode } as const
  return {
    name,
    run: (spanMs) => drive(1, spanMs, () => overviewOf(sql, owner, span)),
    close: async () => {},
  }
}

/** Plants the figures of this number of payments. Returns how many rows they are. */
async function plant({ place, ownerUrl }: Site, payments: number): Promise<number> {
  const sql = connect(ownerUrl, { max: 2, transactionSeconds: 0 })
  // Nine of ten are PAID. The logarithm of the time is normally distributed, with a middle and a width for each method.
  await sql`
    with payment as materialized (
      select current_date - (random() * 180)::integer as day, (array['PIX', 'CREDIT_CARD', 'CRYPTO', 'PARTNER_PAY'])[1 + floor(random() * 4)] as method,
             (array['BRL', 'EUR', 'USDT'])[1 + floor(random() * 3)] as currency, random() < 0.9 as is_paid, random() < 0.03 as is_refunded,
             (100 + random() * 100000)::bigint as minor, random_normal() as normal
        from generate_series(1, ${payments})
    ), figure as (
      select day, 'CREATED' as figure, '' as method, currency, 0 as minor from payment
      union all select day, 'PAID', method, currency, minor from payment where is_paid
      union all select day, 'ENDED', method, '', 0 from payment
      union all select day, 'SUCCEEDED', method, '', 0 from payment where is_paid
      union all select day, 'REFUNDED', method, currency, minor from payment where is_refunded
    ), timed as (
      select day, method, count(*),
             width_bucket((1000 * exp(3.5 + length(method) / 8.0 + normal * 1.2))::bigint, ${list(bucketLimits)}::bigint[]) as bucket
        from payment where is_paid group by 1, 2, 4
    )
    insert into insight_day (merchant_id, day, figure, method, currency, count, minor, times)
    select ${place.merchantId}::uuid, day, figure, method, currency, count(*), sum(minor), null::bigint[]
      from figure group by 2, 3, 4, 5
    union all
    select ${place.merchantId}::uuid, key.day, 'TIME', key.method, '', sum(timed.count), 0,
           array_agg(coalesce(timed.count, 0)::bigint order by place.bucket)
      from (select distinct day, method from timed) as key
     cross join generate_series(0, ${bucketLimits.length}) as place (bucket)
      left join timed on timed.day = key.day and timed.method = key.method and timed.bucket = place.bucket
     group by 2, 4`
  await sql`insert into insight_watermark (merchant_id, is_whole) values (${place.merchantId}, true)`
  await sql`vacuum (analyze) insight_day`
  const [row] = await sql<{ rows: number }[]>`select count(*)::integer as rows from insight_day`
  await sql.end()
  return must(row, 'a count has a row').rows
}
