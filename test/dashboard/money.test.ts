// What the dashboard's pages about money ask of its server besides the routes of the API: a month's report, and the terms of a withdrawal.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeLimit } from '#/money-out/queries.ts'
import { paymentBody, withdrawalBody, type Tenant } from '../contract/world.ts'
import { openForTests } from '../open-for-tests.ts'
import { shownBy } from './shown.ts'
import { openDashboardWorld } from './world.ts'

type Row = Readonly<Record<string, unknown>>

const world = openForTests(() => openDashboardWorld({ shows: shownBy['money.test.ts'] }))

const below = ({ id }: Tenant, path: string) => `/api/m/${id}/${path}`

async function openShop() {
  const tenant = await world.base.openTenant()
  const walletId = await world.base.fund(tenant, 10_000n)
  return { tenant, walletId, owner: await world.person([{ merchantId: tenant.id, role: 'OWNER' }]) }
}

test('a month’s report adds up to the statement, wallet by wallet', async () => {
  const { tenant, walletId, owner } = await openShop()
  const reserve = await owner.ask('POST', below(tenant, 'wallets'), {
    currency: 'BRL',
    walletType: 'RESERVE',
    label: 'Reserve',
  })
  const moved = await owner.ask('POST', below(tenant, 'transfers'), {
    fromWalletId: walletId,
    toWalletId: reserve.body['id'],
    amount: 2_500,
  })
  assert.equal(moved.status, 201, moved.text)
  const made = await owner.ask('POST', below(tenant, 'withdrawals'), withdrawalBody({ amount: 1_000 }))
  assert.equal(made.status, 201, made.text)

  const month = new Date().toISOString().slice(0, 7)
  const report = await owner.ask('GET', below(tenant, `report?month=${month}`))
  assert.equal(report.status, 200, report.text)
  const wallets = report.body['wallets'] as readonly Row[]
  const statement = await owner.ask('GET', below(tenant, 'wallets/statement?limit=100'))
  const entries = statement.body['data'] as readonly Row[]
  assert.equal(entries.length, 4)
  for (const wallet of wallets) {
    const own = entries.filter((entry) => entry['walletId'] === wallet['walletId'])
    const byKind = wallet['byKind'] as readonly Row[]
    for (const { kind, count, inflow, outflow } of byKind) {
      const rows = own.filter((entry) => entry['kind'] === kind)
      assert.equal(count, rows.length)
      assert.equal(
        Number(inflow) - Number(outflow),
        rows.reduce((sum, row) => sum + Number(row['amount']), 0),
      )
    }
    const change = byKind.reduce((sum, each) => sum + Number(each['inflow']) - Number(each['outflow']), 0)
    assert.equal(Number(wallet['openingBalance']) + change, wallet['closingBalance'])
    const byMethod = wallet['byMethod'] as readonly Row[]
    for (const { kind, count, inflow, outflow } of byKind)
      for (const [name, whole] of Object.entries({ count, inflow, outflow })) {
        const same = byMethod.filter((each) => each['kind'] === kind)
        const sum = same.reduce((total, each) => total + Number(each[name]), 0)
        assert.equal(sum, whole, `${String(kind)} ${name}`)
      }
    assert.equal(
      byKind.reduce((sum, each) => sum + Number(each['count']), 0),
      own.length,
    )
  }
  const closing = (id: unknown) => wallets.find((each) => each['walletId'] === id)?.['closingBalance']
  assert.deepEqual([closing(walletId), closing(reserve.body['id'])], [6_500, 2_500])
  // What was funded and what moved between own wallets has no method.
  const methodsOf = (id: unknown) => {
    const rows = wallets.find((each) => each['walletId'] === id)?.['byMethod'] as readonly Row[]
    return rows.map(({ kind, method }) => [kind, method])
  }
  assert.deepEqual(methodsOf(walletId), [
    ['ADJUSTMENT', undefined],
    ['TRANSFER', undefined],
    ['WITHDRAWAL', 'PIX'],
  ])
  assert.deepEqual(methodsOf(reserve.body['id']), [['TRANSFER', undefined]])

  const before = await owner.ask('GET', below(tenant, 'report?month=2001-01&timeZone=America/Sao_Paulo'))
  assert.deepEqual(
    (before.body['wallets'] as readonly Row[]).map(({ openingBalance, closingBalance, byKind }) => [
      openingBalance,
      closingBalance,
      byKind,
    ]),
    wallets.map(() => [0, 0, []]),
  )
  assert.equal(before.body['from'], '2001-01-01T02:00:00.000Z')
})

test('an id or the link of a page leads to the record that it is of, where the role may see it, and only at its own merchant', async () => {
  const { tenant, walletId, owner } = await openShop()
  const support = await world.person([{ merchantId: tenant.id, role: 'SUPPORT' }])
  const made = await owner.ask('POST', below(tenant, 'withdrawals'), withdrawalBody({ amount: 1_000 }))
  const payment = await owner.ask('POST', below(tenant, 'payments'), paymentBody({ checkout: 'default' }))
  const link = await owner.ask('POST', below(tenant, 'payment-links'), {
    name: 'Coffee',
    amount: 100,
    currency: 'USDT',
    idempotencyKey: 'coffee',
  })
  assert.deepEqual([made.status, payment.status, link.status], [201, 201, 201], link.text)
  const find = async (name: unknown, person = owner, of = tenant) => {
    const answer = await person.ask('GET', below(of, `records?name=${encodeURIComponent(String(name))}`))
    assert.equal(answer.status, 200, answer.text)
    return answer.body['data']
  }
  const { id: withdrawalId } = made.body
  const [ofWithdrawal, ofPayment, ofLink] = [
    { kind: 'WITHDRAWAL', id: withdrawalId, by: 'ID' },
    { kind: 'PAYMENT', id: payment.body['id'], by: 'ID' },
    { kind: 'PAYMENT_LINK', id: link.body['id'], by: 'ID' },
  ]
  const byLink = (record: object) => [{ ...record, by: 'LINK' }]
  assert.deepEqual(await find(withdrawalId), [ofWithdrawal])
  assert.deepEqual(await find(String(withdrawalId).toUpperCase()), [ofWithdrawal])
  assert.deepEqual(await find(walletId), [{ kind: 'WALLET', id: walletId, by: 'ID' }])
  const url = String(payment.body['checkoutUrl'])
  assert.deepEqual([await find(payment.body['id']), await find(link.body['id'])], [[ofPayment], [ofLink]])
  for (const name of [url, `${url}?lang=en`, url.split('/').at(-1)])
    assert.deepEqual(await find(name), byLink(ofPayment), String(name))
  assert.deepEqual(await find(link.body['url']), byLink(ofLink))
  for (const name of ['nothing', 'https://example.com/c/x', tenant.id]) assert.deepEqual(await find(name), [])
  // Support does not see withdrawals and wallets.
  assert.deepEqual([await find(withdrawalId, support), await find(walletId, support)], [[], []])
  assert.deepEqual(await find(payment.body['id'], support), [ofPayment])
  const other = await openShop()
  for (const name of [withdrawalId, url, link.body['url']])
    assert.deepEqual(await find(name, other.owner, other.tenant), [])
})

test('a report of no month or no time zone is refused with its field', async () => {
  const { tenant, owner } = await openShop()
  for (const [query, pointer] of [
    ['month=2026-13', '/month'],
    ['month=2026', '/month'],
    ['month=2026-01&timeZone=Mars/North', '/timeZone'],
  ] as const) {
    const answer = await owner.ask('GET', below(tenant, `report?${query}`))
    assert.equal(answer.status, 400, answer.text)
    assert.match(answer.text, new RegExp(`"${pointer}"`))
  }
})

test('the terms of a withdrawal are what it then costs, and whether it waits', async () => {
  const { tenant, owner } = await openShop()
  await world.base.sql`
    insert into fee_rule (merchant_id, method, currency, fixed_minor, rate_ppm, valid_from)
    values (${tenant.id}, 'PIX_WITHDRAWAL', 'BRL', 25, 10000, now())`
  await writeLimit(world.base.sql, {
    merchantId: tenant.id,
    type: 'PIX',
    currency: 'BRL',
    eachMinor: 5_000n,
    dayMinor: null,
    approvalAboveMinor: 1_000n,
    listedOnly: false,
  })
  for (const amount of [1_000, 1_001]) {
    const terms = await owner.ask(
      'GET',
      below(tenant, `withdrawal-terms?type=PIX&currency=BRL&amount=${amount}`),
    )
    assert.equal(terms.status, 200, terms.text)
    const made = await owner.ask('POST', below(tenant, 'withdrawals'), withdrawalBody({ amount }))
    assert.equal(made.status, 201, made.text)
    assert.equal(terms.body['fee'], made.body['fee'])
    assert.equal(terms.body['needsApproval'], made.body['status'] === 'PENDING_APPROVAL')
    assert.equal(terms.body['needsApproval'], amount > 1_000)
    assert.equal((terms.body['limit'] as Row)['each'], 5_000)
  }
  const none = await owner.ask('GET', below(tenant, 'withdrawal-terms?type=CRYPTO&currency=USDT&amount=500'))
  assert.deepEqual(none.body, { fee: 0, needsApproval: false })
})

test('the limits show what was requested today, sub-accounts included, and the destinations that the operator listed', async () => {
  const { tenant, owner } = await openShop()
  const empty = await owner.ask('GET', below(tenant, 'withdrawal-limits'))
  assert.deepEqual(empty.body, { limits: [], destinations: [], hasMore: false })
  await writeLimit(world.base.sql, {
    merchantId: tenant.id,
    type: 'PIX',
    currency: 'BRL',
    eachMinor: null,
    dayMinor: 9_000n,
    approvalAboveMinor: null,
    listedOnly: true,
  })
  const destination = String(withdrawalBody()['pixKey'])
  const other = await world.base.openTenant()
  await world.base.sql`
    insert into withdrawal_destination (merchant_id, type, destination, note, created_at)
    values (${tenant.id}, 'PIX', ${destination}, 'said by phone', now()), (${other.id}, 'PIX', 'another@example.com', null, now())`
  const made = await owner.ask('POST', below(tenant, 'withdrawals'), withdrawalBody({ amount: 1_000 }))
  assert.equal(made.status, 201, made.text)
  const sub = await owner.ask('POST', below(tenant, 'sub-accounts'), { name: 'Bea' })
  assert.equal(sub.status, 201, sub.text)
  await world.base.sql`
    insert into withdrawal_spent (merchant_id, type, currency, day, minor)
    values (${String(sub.body['id'])}, 'PIX', 'BRL', (now() at time zone 'UTC')::date, 500),
           (${tenant.id}, 'PIX', 'BRL', (now() at time zone 'UTC')::date - 1, 7000)`
  const viewer = await world.person([{ merchantId: tenant.id, role: 'VIEWER' }])
  for (const person of [owner, viewer]) {
    const { status, body } = await person.ask('GET', below(tenant, 'withdrawal-limits'))
    assert.equal(status, 200)
    assert.deepEqual(body, {
      limits: [{ type: 'PIX', currency: 'BRL', day: 9_000, spentToday: 1_500, listedOnly: true }],
      destinations: [{ type: 'PIX', destination }],
      hasMore: false,
    })
  }
  const support = await world.person([{ merchantId: tenant.id, role: 'SUPPORT' }])
  assert.equal((await support.ask('GET', below(tenant, 'withdrawal-limits'))).status, 403)
})

test('a payment that nobody has paid has no senders', async () => {
  const { tenant, owner } = await openShop()
  const made = await owner.ask('POST', below(tenant, 'payments'), paymentBody())
  assert.equal(made.status, 201, made.text)
  const answer = await owner.ask('GET', below(tenant, `payments/${String(made.body['id'])}/senders`))
  assert.deepEqual([answer.status, answer.body], [200, { senders: [] }])
})
