// Balances at an instant, summaries and histories against a list of movements that the test keeps itself.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { given } from '#/kernel/given.ts'
import { newId } from '#/kernel/id.ts'
import { insertWallets } from '#/wallets/queries.ts'
import { tallyStep } from '#/wallets/tally.ts'
import { fc } from '../../test/chance.ts'
import { assertDocumented } from '../../test/contract/document.ts'
import { openApiWorld, type Answer, type Api, type ApiWorld, type Tenant } from '../../test/contract/world.ts'
import { count } from '../../test/counts.ts'
import { plantMovements, type Movement } from '../../test/movements.ts'

type Row = Readonly<Record<string, unknown>>
type Moved = Movement & { readonly currency: 'BRL' | 'EUR' }

const zones = ['America/Sao_Paulo', 'Europe/Lisbon', 'Asia/Kathmandu', 'UTC', 'Pacific/Chatham'] as const

let base: ApiWorld
let api: Api
let tenant: Tenant
let wallets: Readonly<Record<'main' | 'savings' | 'euro', string>>
/** In the order of time. Both sides of a transfer between wallets are in it. */
let moved: readonly Moved[]

/**
 * Two days around each change of the clock, and days around a leap day; most of it is in Sao Paulo's 2018. Some instants are
 * the very starts and ends of local days.
 */
const moments = fc.oneof(
  fc.integer({ min: Date.UTC(2018, 1, 16), max: Date.UTC(2018, 1, 20) }),
  fc.integer({ min: Date.UTC(2018, 2, 24), max: Date.UTC(2018, 2, 27) }),
  fc.integer({ min: Date.UTC(2018, 9, 27), max: Date.UTC(2018, 10, 6) }),
  fc.constantFrom(
    ...[
      '2018-11-04T03:00:00Z',
      '2018-11-05T02:00:00Z',
      '2018-02-18T03:00:00Z',
      '2018-10-28T18:15:00Z',
    ].flatMap((text) => [Date.parse(text), Date.parse(text) - 1]),
  ),
  fc.integer({ min: Date.UTC(2020, 1, 27), max: Date.UTC(2020, 2, 2) }),
)

const draft = fc.record({
  at: moments,
  wallet: fc.constantFrom('main', 'main', 'savings', 'euro'),
  minor: fc.bigInt({ min: 1n, max: 5_000n }),
  what: fc.constantFrom('PAYMENT', 'PAYMENT', 'FEE', 'REFUND', 'WITHDRAWAL', 'TRANSFER', 'DISPUTE_WON'),
})

/** The movements that come of the drafts when no wallet goes below zero. */
function planOf(
  drafts: readonly (typeof draft extends fc.Arbitrary<infer Draft> ? Draft : never)[],
): readonly Moved[] {
  const balances = { main: 0n, savings: 0n, euro: 0n }
  return drafts
    .toSorted((a, b) => a.at - b.at)
    .flatMap(({ at, wallet, minor, what }): Moved[] => {
      const isCredit = what === 'PAYMENT' || what === 'DISPUTE_WON'
      if (!isCredit && balances[wallet] < minor) return []
      const currency = wallet === 'euro' ? ('EUR' as const) : ('BRL' as const)
      const base = { at: new Date(at), walletId: wallets[wallet], currency, kind: what }
      if (what !== 'TRANSFER' || wallet === 'euro') {
        const kind = what === 'TRANSFER' ? 'WITHDRAWAL' : what
        balances[wallet] += isCredit ? minor : -minor
        return [{ ...base, kind, minor: isCredit ? minor : -minor }]
      }
      const other = wallet === 'main' ? 'savings' : 'main'
      balances[wallet] -= minor
      balances[other] += minor
      return [{ ...base, minor: -minor, other: wallets[other] }]
    })
}

before(async () => {
  base = await openApiWorld()
  api = await base.openApi()
  tenant = await base.openTenant()
  const { body } = await api.ask('GET', '/v1/wallets', { key: tenant.key })
  const idOf = (currency: string) =>
    String((body['data'] as readonly Row[]).find((row) => row['currency'] === currency)?.['id'])
  const savings = newId<'wallet'>()
  await insertWallets(base.sql, [
    {
      merchantId: tenant.id,
      id: savings,
      currency: 'BRL',
      label: 'Savings',
      walletType: 'RESERVE',
      isDefault: false,
      isActive: true,
      version: 1,
      createdAt: new Date(),
      idempotencyKey: undefined,
      fingerprint: undefined,
    },
  ])
  wallets = { main: idOf('BRL'), savings, euro: idOf('EUR') }
  const planned = planOf(fc.sample(draft, { numRuns: 500, seed: 20_181_104 }))
  await plantMovements(base.sql, tenant.mode, planned)
  moved = planned.flatMap((each) =>
    each.other === undefined ? [each] : [each, { ...each, walletId: each.other, minor: -each.minor }],
  )
})
after(() => base.close())

async function request(path: string, query: Readonly<Record<string, string>>): Promise<Answer> {
  const search = new URLSearchParams(query).toString()
  const answer = await api.ask('GET', `${path}?${search}`, { key: tenant.key })
  assertDocumented('GET', path, answer)
  return answer
}

async function rowsOf(path: string, query: Readonly<Record<string, string>>): Promise<readonly Row[]> {
  const answer = await request(path, query)
  assert.equal(answer.status, 200, answer.text)
  return answer.body['data'] as readonly Row[]
}

const sumOf = (some: readonly Movement[]) => Number(some.reduce((sum, { minor }) => sum + minor, 0n))
const inOf = (some: readonly Movement[]) => sumOf(some.filter(({ minor }) => minor > 0n))
const outOf = (some: readonly Movement[]) =>
  sumOf(some.filter(({ minor }) => minor < 0n).map((each) => ({ ...each, minor: -each.minor })))

async function checkSummary(from: Date, to: Date): Promise<void> {
  const span = { from: from.toISOString(), to: to.toISOString() }
  const rows = await rowsOf('/v1/wallets/summary', span)
  for (const currency of ['BRL', 'EUR'] as const) {
    const movements = moved.filter((each) => each.currency === currency)
    const during = movements.filter(({ at }) => at >= from && at < to)
    const outside = during.filter(({ kind }) => kind !== 'TRANSFER')
    const byKind = [...Map.groupBy(during, ({ kind }) => kind)].map(([kind, some]) => ({
      kind,
      count: some.length,
      inflow: inOf(some),
      outflow: outOf(some),
    }))
    const { byKind: kinds, ...row } = rows.find((each) => each['currency'] === currency) ?? {}
    assert.deepEqual(row, {
      currency,
      openingBalance: sumOf(movements.filter(({ at }) => at < from)),
      inflow: inOf(outside),
      outflow: outOf(outside),
      net: sumOf(during),
      closingBalance: sumOf(movements.filter(({ at }) => at < to)),
    })
    const byName = (a: Row, b: Row) => String(a['kind']).localeCompare(String(b['kind']))
    assert.deepEqual([...(kinds as readonly Row[])].sort(byName), byKind.sort(byName))
  }
}

async function checkBalances(at: Date): Promise<void> {
  const upTo = moved.filter((each) => each.at <= at)
  const rows = await rowsOf('/v1/wallets/balance', { at: at.toISOString() })
  for (const currency of ['BRL', 'EUR', 'USDT'])
    assert.equal(
      rows.find((row) => row['currency'] === currency)?.['balance'],
      sumOf(upTo.filter((each) => each.currency === currency)),
    )
  for (const walletId of Object.values(wallets)) {
    const answer = await api.ask('GET', `/v1/wallets/${walletId}?at=${at.toISOString()}`, { key: tenant.key })
    assert.equal(answer.body['balance'], sumOf(upTo.filter((each) => each.walletId === walletId)))
    assert.equal(answer.body['asOf'], at.toISOString())
  }
}

/** The local day of an instant, by another calendar of the platform. */
function localDate(at: Date, zone: string): string {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' })
  formats.set(zone, format)
  return format.format(at)
}
const formats = new Map<string, Intl.DateTimeFormat>()

function firstDayOf(interval: string, date: string): string {
  const day = new Date(`${date}T00:00:00Z`)
  if (interval === 'WEEK') day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7))
  if (interval === 'MONTH') day.setUTCDate(1)
  return day.toISOString().slice(0, 10)
}

function nextDay(interval: string, date: string): string {
  const day = new Date(`${date}T00:00:00Z`)
  if (interval === 'MONTH') day.setUTCMonth(day.getUTCMonth() + 1)
  else day.setUTCDate(day.getUTCDate() + (interval === 'WEEK' ? 7 : 1))
  return day.toISOString().slice(0, 10)
}

async function checkHistory(
  interval: string,
  zone: string,
  days: { readonly from: string; readonly to: string },
  walletId?: string,
): Promise<void> {
  const movements = moved
    .filter((each) => (walletId === undefined ? each.currency === 'BRL' : each.walletId === walletId))
    .map((each) => ({ ...each, date: firstDayOf(interval, localDate(each.at, zone)) }))
  const counted = movements.filter(({ kind }) => walletId !== undefined || kind !== 'TRANSFER')
  const expected: Row[] = []
  for (let date = firstDayOf(interval, days.from); date < days.to; date = nextDay(interval, date)) {
    const during = counted.filter((each) => each.date === date)
    expected.push({
      date,
      currency: 'BRL',
      ...given({ walletId }),
      openingBalance: sumOf(movements.filter((each) => each.date < date)),
      inflow: inOf(during),
      outflow: outOf(during),
      closingBalance: sumOf(movements.filter((each) => each.date <= date)),
    })
  }
  const scope: Readonly<Record<string, string>> = walletId === undefined ? { currency: 'BRL' } : { walletId }
  const rows = await rowsOf('/v1/wallets/balance-history', { interval, timeZone: zone, ...days, ...scope })
  assert.deepEqual(rows, expected, `${interval} ${zone} ${JSON.stringify(days)}`)
}

/** Every report of random spans. */
async function checkReports(numRuns: number): Promise<void> {
  const instants = fc.oneof(
    moments.map((at) => new Date(at)),
    fc.constantFrom(...moved.flatMap(({ at }) => [at, new Date(at.getTime() + 1)])),
  )
  await fc.assert(
    fc.asyncProperty(instants, instants, async (one, other) => {
      const [from, to] = one < other ? [one, other] : [other, one]
      await checkBalances(one)
      await checkSummary(from, to)
    }),
    { numRuns },
  )
  const windows = fc.constantFrom(
    { from: '2018-02-14', to: '2018-02-22' },
    { from: '2018-03-23', to: '2018-03-29' },
    { from: '2018-10-25', to: '2018-11-08' },
    { from: '2020-02-26', to: '2020-03-03' },
    { from: '2018-01-10', to: '2018-12-20' },
  )
  await fc.assert(
    fc.asyncProperty(
      windows,
      fc.constantFrom(...zones),
      fc.constantFrom('DAY', 'WEEK', 'MONTH'),
      fc.constantFrom(undefined, wallets.main, wallets.savings),
      (days, zone, interval, walletId) => checkHistory(interval, zone, days, walletId),
    ),
    { numRuns },
  )
}

test('the statement is the list of movements', async () => {
  const rows: Row[] = []
  for (let cursor = ''; ;) {
    const { body } = await api.ask('GET', `/v1/wallets/statement?limit=100${cursor}`, { key: tenant.key })
    rows.push(...(body['data'] as readonly Row[]))
    const next = body['nextCursor']
    if (typeof next !== 'string') break
    cursor = `&cursor=${next}`
  }
  const shown = rows.map((row) => [row['postedAt'], row['walletId'], row['kind'], row['amount']].join(' '))
  const planned = moved.map((each) => [each.at.toISOString(), each.walletId, each.kind, each.minor].join(' '))
  assert.deepEqual(shown.sort(), planned.sort())
  assert.ok(moved.length > 400 && moved.some(({ kind }) => kind === 'TRANSFER'))
})

test('reports are exact without a tally, half way through it, and when it is done', async () => {
  await checkReports(count({ quick: 10, soak: 300 }))
  const tally = { sql: base.sql, every: 3, stepTransfers: 100n }
  await tallyStep(tally)
  await checkReports(count({ quick: 10, soak: 300 }))
  while (await tallyStep(tally));
  const [marks] = await base.sql<{ count: bigint }[]>`select count(*) as count from tally`
  assert.ok((marks?.count ?? 0n) > 300n, `${marks?.count} marks`)
  await checkReports(count({ quick: 25, soak: 2_000 }))
})

test('days of 23 and 25 hours hold what happened in them', async () => {
  for (const zone of zones) {
    for (const days of [
      { from: '2018-02-15', to: '2018-02-21' },
      { from: '2018-03-23', to: '2018-03-28' },
      { from: '2018-10-26', to: '2018-11-07' },
    ])
      for (const walletId of [undefined, wallets.main]) await checkHistory('DAY', zone, days, walletId)
  }
})

test('without a span: the last 30 days, weeks and months until now, with the newest movements', async () => {
  const history = async (query: Readonly<Record<string, string>>) =>
    rowsOf('/v1/wallets/balance-history', { currency: 'BRL', ...query })
  const closing = sumOf(moved.filter(({ currency }) => currency === 'BRL'))
  for (const [interval, rows] of [
    ['DAY', 30],
    ['WEEK', 13],
    ['MONTH', 12],
  ] as const) {
    const found = await history({ interval, timeZone: 'Asia/Kathmandu' })
    assert.equal(found.length, rows)
    assert.equal(found.at(-1)?.['date'], firstDayOf(interval, localDate(new Date(), 'Asia/Kathmandu')))
    assert.equal(found.at(-1)?.['closingBalance'], closing)
  }
  const summary = await request('/v1/wallets/summary', {})
  const { from, to } = summary.body as { from: string; to: string }
  assert.equal(Date.parse(to) - Date.parse(from), 30 * 24 * 3_600_000)
})

test('intervals in the future are left out, and those before the first movement are empty', async () => {
  const rows = await rowsOf('/v1/wallets/balance-history', { from: '2999-01-01', to: '2999-02-01' })
  assert.deepEqual(rows, [])
  const early = await rowsOf('/v1/wallets/balance-history', {
    from: '0001-01-01',
    to: '0001-01-03',
    currency: 'EUR',
  })
  assert.deepEqual(
    early.map((row) => [row['date'], row['openingBalance'], row['closingBalance']]),
    [
      ['0001-01-01', 0, 0],
      ['0001-01-02', 0, 0],
    ],
  )
  const none = await rowsOf('/v1/wallets/balance-history', {
    from: '2018-01-01',
    to: '2018-01-05',
    currency: 'USD',
  })
  assert.deepEqual(none, [])
})

test('an invalid query is refused with the place of its fault', async () => {
  const cases: readonly (readonly [string, Readonly<Record<string, string>>, number, string | undefined])[] =
    [
      ['/v1/wallets/balance', { at: '2999-01-01' }, 400, '/at'],
      ['/v1/wallets/balance', { at: 'yesterday' }, 400, '/at'],
      ['/v1/wallets/summary', { from: '2018-02-02', to: '2018-02-01' }, 400, '/to'],
      ['/v1/wallets/balance-history', { from: '2018-02-02', to: '2018-02-01' }, 400, '/to'],
      ['/v1/wallets/balance-history', { currency: 'XYZ' }, 400, '/currency'],
      ['/v1/wallets/balance-history', { timeZone: 'Mars/Base' }, 400, '/timeZone'],
      ['/v1/wallets/balance-history', { timeZone: '+03:00' }, 400, '/timeZone'],
      ['/v1/wallets/balance-history', { from: '2018-02-30' }, 400, '/from'],
      ['/v1/wallets/balance-history', { interval: 'HOUR' }, 400, '/interval'],
      [
        '/v1/wallets/balance-history',
        { from: '2018-01-01', to: '2019-02-10', currency: 'BRL' },
        400,
        '/from',
      ],
      ['/v1/wallets/balance-history', { from: '0001-01-01' }, 400, '/from'],
      ['/v1/wallets/balance-history', { walletId: newId() }, 404, undefined],
    ]
  for (const [path, query, status, pointer] of cases) {
    const answer = await request(path, query)
    assert.equal(answer.status, status, JSON.stringify(query))
    const [fault] = (answer.body['errors'] ?? []) as readonly { readonly pointer: string }[]
    assert.equal(fault?.pointer, pointer)
  }
  const most = await rowsOf('/v1/wallets/balance-history', {
    from: '2018-01-01',
    to: '2019-02-05',
    currency: 'BRL',
  })
  assert.equal(most.length, 400)
  const other = await base.openTenant()
  const foreign = await api.ask('GET', `/v1/wallets/balance-history?walletId=${wallets.main}`, {
    key: other.key,
  })
  assert.equal(foreign.status, 404)
})
