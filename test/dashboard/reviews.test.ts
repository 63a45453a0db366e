// Reviews of what moves money: each refuses what its call refuses, says what the call then does, asks for no second factor, and writes nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dashboardRoutes } from '#/dashboard/routes.ts'
import { routes } from '#/http/routes.ts'
import { newId, type PaymentId } from '#/kernel/id.ts'
import { insertDestination, writeLimit } from '#/money-out/queries.ts'
import { listRails } from '#/rails/all.ts'
import { testRail } from '../contract/rail.ts'
import { paymentBody, withdrawalBody, type Answer, type Tenant } from '../contract/world.ts'
import { openForTests } from '../open-for-tests.ts'
import { shownBy } from './shown.ts'
import { openDashboardWorld, type Person } from './world.ts'

type Row = Readonly<Record<string, unknown>>

/** What a provider was called with. */
const sent: unknown[] = []

const world = openForTests(() => {
  const destination = ({ cryptoAddress = '' }) => ({ ok: true, fields: { cryptoAddress } }) as const
  const send = (refund: unknown) => {
    sent.push(refund)
    return Promise.resolve([])
  }
  return openDashboardWorld({
    shows: shownBy['reviews.test.ts'],
    rails: listRails([{ ...testRail(), refunds: { paysOutBy: 'CRYPTO', destination, send } }]),
  })
})

const address = `0x${'1'.repeat(40)}`
const below = ({ id }: Tenant, path: string) => `/api/m/${id}/${path}`

type Shop = {
  readonly tenant: Tenant
  readonly walletId: string
  readonly owner: Person
  readonly paymentId: PaymentId
}

/** A live account with 100.00 BRL and a paid payment. Whoever acts has no second factor yet. */
async function openShop(): Promise<Shop> {
  const tenant = await world.base.openTenant('LIVE')
  const walletId = await world.base.fund(tenant, 10_000n)
  const owner = await world.person([{ merchantId: tenant.id, role: 'OWNER' }])
  const made = await owner.ask('POST', below(tenant, 'payments'), paymentBody({ amount: 500 }))
  assert.equal(made.status, 201, made.text)
  const paymentId = made.body['id'] as PaymentId
  await world.base.settlePayment(tenant.id, paymentId, 500n)
  return { tenant, walletId, owner, paymentId }
}

/** The content of every table, as one digest for each. */
async function digests(): Promise<Readonly<Record<string, string>>> {
  const { sql } = world.base
  const tables = await sql<{ name: string }[]>`
    select quote_ident(relname) as name from pg_class
     where relkind = 'r' and relnamespace = current_schema()::regnamespace and has_table_privilege(oid, 'select')
     order by 1`
  assert.ok(tables.length > 80, `${tables.length} tables`)
  const found: Record<string, string> = {}
  for (const { name } of tables) {
    const [row] = await sql.unsafe<{ digest: string }[]>(
      `select md5(coalesce(string_agg(each::text, '|' order by each::text), '')) as digest from ${name} as each`,
    )
    found[name] = row?.digest ?? ''
  }
  return found
}

const calls = ({
  walletId,
  paymentId,
}: Pick<Shop, 'walletId' | 'paymentId'>): Readonly<Record<string, readonly [string, Row]>> => ({
  createWithdrawal: ['withdrawals', withdrawalBody({ amount: 1_000 })],
  createWithdrawalBatch: [
    'withdrawal-batches',
    { withdrawals: [withdrawalBody({ amount: 700 }), withdrawalBody({ amount: 300 })] },
  ],
  createRefund: [`payments/${paymentId}/refunds`, { amount: 200, cryptoAddress: address }],
  createPayoutSchedule: [
    'payout-schedules',
    { ...withoutAmount(), walletId, rhythm: 'DAILY', time: '06:00', timeZone: 'America/Sao_Paulo' },
  ],
})

function withoutAmount(): Row {
  const { amount: _amount, ...rest } = withdrawalBody()
  return rest
}

const shapeOf = ({ status, body: { requestId: _id, instance: _instance, ...rest } }: Answer) => [status, rest]

test('every call that takes or gives back money has a review, and a review of each is walked here', () => {
  const reviewed = routes.flatMap(({ operationId, reviewedAs }) =>
    reviewedAs === undefined ? [] : [operationId],
  )
  const walked = calls({ walletId: '', paymentId: newId<'payment'>() })
  assert.deepEqual(reviewed.toSorted(), Object.keys(walked).toSorted())
  assert.equal(dashboardRoutes.filter(({ path }) => path.endsWith('/review')).length, reviewed.length)
})

test('a review says what its call then does; it needs no second factor, spends no key, and changes no row', async () => {
  const shop = await openShop()
  const { tenant, owner } = shop
  const { sql } = world.base
  await sql`
    insert into fee_rule (merchant_id, method, currency, fixed_minor, rate_ppm, valid_from)
    values (${tenant.id}, 'PIX_WITHDRAWAL', 'BRL', 25, 10000, now())`
  await sql.begin((tx) =>
    insertDestination(tx, {
      merchantId: tenant.id,
      type: 'PIX',
      destination: String(withdrawalBody()['pixKey']),
      note: null,
    }),
  )
  const all = Object.entries(calls(shop)).map(([name, [path, body]]) => {
    const headers = { 'idempotency-key': newId() }
    return { name, headers, path: below(tenant, path), body }
  })
  // The first request of a member makes their seat.
  await owner.ask('GET', below(tenant, 'withdrawals'))
  const before = await digests()
  const reviews: Row[] = []
  for (const { path, body, headers, name } of all)
    for (const round of [1, 2]) {
      const review = await owner.ask('POST', `${path}/review`, body, headers)
      assert.equal(review.status, 200, `${name}: ${review.text}`)
      assert.equal(review.body['isMade'], undefined, name)
      if (round === 2) reviews.push(review.body['outcome'] as Row)
    }
  assert.deepEqual(await digests(), before)
  assert.deepEqual(sent, [])
  const own = new Set(['id', 'createdAt', 'nextRunAt', 'idempotencyKey'])
  const kept = (row: Row) => Object.fromEntries(Object.entries(row).filter(([name]) => !own.has(name)))
  const refused = await owner.ask('POST', all[0]?.path ?? '', all[0]?.body, all[0]?.headers)
  assert.equal(refused.body['code'], 'second_factor_needed', 'the call itself asks for the factor')
  await world.enrol(owner)
  for (const [index, { path, body, headers, name }] of all.entries()) {
    const made = await owner.ask('POST', path, body, headers)
    assert.equal(made.status, 201, `${name}: ${made.text}`)
    assert.deepEqual(kept(reviews[index] ?? {}), kept(made.body), name)
    // After an answer that was lost, the review says that it is done, although the money for another is not there.
    const again = await owner.ask('POST', `${path}/review`, body, headers)
    assert.deepEqual([again.status, again.body['isMade']], [200, true], again.text)
    assert.equal((again.body['outcome'] as Row)['id'], made.body['id'], name)
  }
})

test('a review refuses with the very answer of its call: form, digits, balance, wallet, limits, list, own places, frozen', async () => {
  const shop = await openShop()
  const { tenant, owner, paymentId, walletId } = shop
  await world.enrol(owner)
  const limit = { merchantId: tenant.id, type: 'PIX', currency: 'BRL', dayMinor: 9_000n } as const
  await writeLimit(world.base.sql, {
    ...limit,
    eachMinor: 5_000n,
    approvalAboveMinor: null,
    listedOnly: false,
  })
  const codes: unknown[] = []
  const compare = async (path: string, body: Row) => {
    const headers = { 'idempotency-key': newId() }
    const review = await owner.ask('POST', below(tenant, `${path}/review`), body, headers)
    const made = await owner.ask('POST', below(tenant, path), body, headers)
    assert.deepEqual(shapeOf(review), shapeOf(made), JSON.stringify(body))
    assert.ok(made.status >= 400, made.text)
    codes.push(made.body['code'])
  }
  const schedule = calls(shop)['createPayoutSchedule']?.[1] ?? {}
  await compare('withdrawals', withdrawalBody({ pixKeyType: 'CPF', pixKey: '11111111111' }))
  await compare('withdrawals', withdrawalBody({ metadata: { long: 'x'.repeat(9_000) } }))
  await compare('withdrawals', withdrawalBody({ amount: 10_001 }))
  await compare('withdrawals', withdrawalBody({ amount: 5_001 }))
  await compare('withdrawals', withdrawalBody({ walletId: newId() }))
  await compare('withdrawals', withdrawalBody({ unknown: 1 }))
  await compare('withdrawal-batches', {
    withdrawals: [withdrawalBody({ amount: 5_000 }), withdrawalBody({ amount: 5_000 })],
  })
  await compare(`payments/${paymentId}/refunds`, { amount: 501, cryptoAddress: address })
  await compare(`payments/${paymentId}/refunds`, { amount: 100 })
  await compare(`payments/${newId()}/refunds`, { amount: 100, cryptoAddress: address })
  await compare('payout-schedules', schedule)
  await compare('payout-schedules', { ...schedule, time: '25:00' })
  await compare('payout-schedules', { ...schedule, walletId: newId() })
  await writeLimit(world.base.sql, { ...limit, eachMinor: null, approvalAboveMinor: null, listedOnly: true })
  await compare('withdrawals', withdrawalBody({ walletId }))
  await world.base.sql`
    insert into money_freeze (id, kind, merchant_id, reason, decided_by)
    values (${newId()}, 'FREEZE', ${tenant.id}, 'test', 'test')`
  await compare('withdrawals', withdrawalBody())
  assert.ok(new Set(codes).size > 5, codes.join(' '))
})

test('a review says that it would wait, and who of the team may approve', async () => {
  const { tenant, owner, paymentId } = await openShop()
  await writeLimit(world.base.sql, {
    merchantId: tenant.id,
    type: 'PIX',
    currency: 'BRL',
    eachMinor: null,
    dayMinor: null,
    approvalAboveMinor: 1_000n,
    listedOnly: false,
  })
  const review = async (path: string, body: Row) => {
    const headers = { 'idempotency-key': newId() }
    const answer = await owner.ask('POST', below(tenant, `${path}/review`), body, headers)
    assert.equal(answer.status, 200, answer.text)
    return answer.body['approvers']
  }
  assert.equal(await review('withdrawals', withdrawalBody({ amount: 1_000 })), undefined)
  assert.deepEqual(await review('withdrawals', withdrawalBody({ amount: 1_001 })), [])
  await world.person([{ merchantId: tenant.id, role: 'VIEWER' }])
  await world.person([{ merchantId: tenant.id, role: 'FINANCE' }])
  assert.deepEqual(await review('withdrawals', withdrawalBody({ amount: 1_001 })), ['Person'])
  const two = [withdrawalBody({ amount: 600 }), withdrawalBody({ amount: 600 })]
  assert.deepEqual(await review('withdrawal-batches', { withdrawals: two }), ['Person'])
  // A place that is not listed waits too.
  const refund = { amount: 100, cryptoAddress: address }
  assert.deepEqual(await review(`payments/${paymentId}/refunds`, refund), ['Person'])
})

test('a role that may not request may not review', async () => {
  const { tenant } = await openShop()
  const viewer = await world.person([{ merchantId: tenant.id, role: 'VIEWER' }])
  const answer = await viewer.ask('POST', below(tenant, 'withdrawals/review'), withdrawalBody())
  assert.deepEqual([answer.status, answer.body['permission']], [403, 'withdrawals:write'])
})
