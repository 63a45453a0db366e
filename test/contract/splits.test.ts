// Splits over the wire: what is refused and where, what is echoed, part of the key's fingerprint, and what each side sees.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId, type MerchantId, type PaymentId } from '#/kernel/id.ts'
import { writeFeeRule } from '#/merchants/queries.ts'
import { selectDefaultWallets } from '#/wallets/queries.ts'
import { assertDocumented } from './document.ts'
import { openApiWorld, paymentBody, type Answer, type Api, type ApiWorld, type Tenant } from './world.ts'

let base: ApiWorld
let api: Api
let tenant: Tenant
let subs: readonly [MerchantId, MerchantId]

before(async () => {
  base = await openApiWorld()
  api = await base.openApi()
  tenant = await base.openTenant()
  subs = [await newSubAccount(), await newSubAccount()]
})
after(() => base.close())

async function newSubAccount(key = tenant.key): Promise<MerchantId> {
  const answer = await api.ask('POST', '/v1/sub-accounts', { key, body: { name: 'Bea' } })
  return answer.body['id'] as MerchantId
}

const create = (splits: unknown, more: Readonly<Record<string, unknown>> = {}) =>
  api.ask('POST', '/v1/payments', { key: tenant.key, body: paymentBody({ splits, ...more }) })
const get = (path: string, as?: MerchantId) =>
  api.ask('GET', path, { key: tenant.key, ...(as === undefined ? {} : { headers: { 'sub-account': as } }) })
const errorsOf = ({ body }: Answer) =>
  (body['errors'] as readonly { pointer: string; code: string }[]).map(({ pointer, code }) => [pointer, code])

test('a split is echoed, and its shares are shown as they are booked', async () => {
  const splits = [
    { subAccountId: subs[0], percent: '33.33', label: 'Book 1' },
    { subAccountId: subs[1], amount: 100 },
  ]
  const created = await create(splits)
  assert.equal(created.status, 201, created.text)
  assertDocumented('POST', '/v1/payments', created)
  const id = created.body['id'] as PaymentId
  const shown = await get(`/v1/payments/${id}`)
  assertDocumented('GET', '/v1/payments/{id}', shown)
  assert.deepEqual(shown.body['splits'], splits)
  await base.settlePayment(tenant.id, id, 1_234n)
  const shares = await get(`/v1/payments/${id}/shares`)
  assertDocumented('GET', '/v1/payments/{id}/shares', shares)
  const data = shares.body['data'] as readonly Readonly<Record<string, unknown>>[]
  assert.deepEqual(
    data.map((each) => [each['subAccountId'], each['percent'], each['amount'], each['amountCredited']]),
    [
      [subs[0], '33.33', undefined, 411],
      [subs[1], undefined, 100, 100],
    ],
  )
  assert.deepEqual(
    data.map((each) => [each['amountReturned'], each['amountCovered']]),
    [
      [0, 0],
      [0, 0],
    ],
  )
})

test('a sub-account sees its share and label, never the payment or the payer', async () => {
  const sub = await newSubAccount()
  const splits = [{ subAccountId: sub, percent: '50', label: 'Book 7' }]
  const created = await create(splits, { customerName: 'Ana Payer', customerEmail: 'ana@payer.example' })
  const id = String(created.body['id'])
  await base.settlePayment(tenant.id, id as PaymentId, 1_234n)
  const own = await get('/v1/shares', sub)
  assertDocumented('GET', '/v1/shares', own)
  const [share] = own.body['data'] as readonly Readonly<Record<string, unknown>>[]
  assert.deepEqual(
    [share?.['label'], share?.['amountCredited'], share?.['currency']],
    ['Book 7', 617, 'USDT'],
  )
  const statement = await get('/v1/wallets/statement', sub)
  assertDocumented('GET', '/v1/wallets/statement', statement)
  const [row] = statement.body['data'] as readonly Readonly<Record<string, unknown>>[]
  assert.deepEqual([row?.['kind'], row?.['amount'], row?.['label']], ['SHARE', 617, 'Book 7'])
  const platform = await get('/v1/wallets/statement')
  const [given] = platform.body['data'] as readonly Readonly<Record<string, unknown>>[]
  assert.deepEqual([given?.['kind'], given?.['amount'], given?.['label']], ['SHARE', -617, 'Book 7'])
  for (const answer of [own, statement]) {
    assert.ok(!answer.text.includes('payer.example') && !answer.text.includes('Ana Payer'))
    assert.ok(!answer.text.includes(id))
  }
  assert.equal((await get(`/v1/payments/${id}`, sub)).status, 404)
  assert.equal((await get(`/v1/payments/${id}/shares`, sub)).status, 404)
  assert.deepEqual((await get('/v1/shares')).body['data'], [])
})

test('the splits are part of what a key stands for', async () => {
  const splits = [{ subAccountId: subs[0], percent: '10' }]
  const body = paymentBody({ splits })
  const first = await api.ask('POST', '/v1/payments', { key: tenant.key, body })
  const again = await api.ask('POST', '/v1/payments', { key: tenant.key, body })
  assert.deepEqual([again.status, again.body['id']], [201, first.body['id']])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  const other = { ...body, splits: [{ subAccountId: subs[0], percent: '11' }] }
  const refused = await api.ask('POST', '/v1/payments', { key: tenant.key, body: other })
  assert.equal(refused.status, 409)
  assert.deepEqual(errorsOf(refused), [['/splits', 'differs']])
  // After its sub-account was suspended the payment is still the answer to its key.
  const sub = await newSubAccount()
  const kept = paymentBody({ splits: [{ subAccountId: sub, percent: '10' }] })
  const made = await api.ask('POST', '/v1/payments', { key: tenant.key, body: kept })
  await api.ask('PATCH', `/v1/sub-accounts/${sub}`, { key: tenant.key, body: { state: 'SUSPENDED' } })
  const replayed = await api.ask('POST', '/v1/payments', { key: tenant.key, body: kept })
  assert.deepEqual([replayed.status, replayed.body['id']], [201, made.body['id']])
  const late = await create([{ subAccountId: sub, percent: '10' }])
  assert.deepEqual([late.status, errorsOf(late)], [422, [['/splits/0/subAccountId', 'not_active']]])
})

test('what cannot be split is refused with a pointer at each fault', async () => {
  const stranger = await base.openTenant()
  const theirs = await newSubAccount(stranger.key)
  const [own] = await base.sql.begin((tx) =>
    selectDefaultWallets(tx, [{ merchantId: tenant.id, currency: 'USDT' }]),
  )
  const [euros] = await base.sql.begin((tx) =>
    selectDefaultWallets(tx, [{ merchantId: subs[0], currency: 'EUR' }]),
  )
  const [one, other] = subs
  for (const [splits, expected] of [
    [[{ subAccountId: theirs, percent: '1' }], [['/splits/0/subAccountId', 'not_found']]],
    [[{ subAccountId: tenant.id, percent: '1' }], [['/splits/0/subAccountId', 'not_found']]],
    [
      [
        { subAccountId: one, percent: '1' },
        { subAccountId: one, percent: '1' },
      ],
      [['/splits/1/subAccountId', 'repeated']],
    ],
    [[{ subAccountId: one, walletId: own?.id, percent: '1' }], [['/splits/0/walletId', 'not_found']]],
    [[{ subAccountId: one, walletId: euros?.id, percent: '1' }], [['/splits/0/walletId', 'other_currency']]],
    [[{ subAccountId: one, walletId: newId(), percent: '1' }], [['/splits/0/walletId', 'not_found']]],
    [[{ subAccountId: one, percent: '0.0001' }], [['/splits/0', 'too_small']]],
    [
      [
        { subAccountId: one, percent: '60' },
        { subAccountId: other, amount: 494 },
      ],
      [['/splits', 'too_large']],
    ],
  ] as const) {
    const refused = await create(splits)
    assert.deepEqual([refused.status, refused.body['code']], [422, 'split_refused'], refused.text)
    assert.deepEqual(errorsOf(refused), expected)
    assertDocumented('POST', '/v1/payments', refused)
  }
  const payer = await create([{ subAccountId: one, percent: '1' }], { feePayer: other })
  assert.deepEqual(errorsOf(payer), [['/feePayer', 'not_allowed']])
  // All of it may be shared, to the cent.
  assert.equal(
    (
      await create([
        { subAccountId: one, percent: '50' },
        { subAccountId: other, amount: 617 },
      ])
    ).status,
    201,
  )
})

test('the fee payer’s part has to cover our fee', async () => {
  const own = await base.openTenant()
  const sub = await newSubAccount(own.key)
  const rule = {
    merchantId: own.id,
    method: 'CRYPTO',
    currency: 'USDT',
    fixedMinor: 100n,
    ratePpm: 0n,
  } as const
  await base.sql.begin((tx) => writeFeeRule(tx, rule))
  const ask = (percent: string, more = {}) =>
    api.ask('POST', '/v1/payments', {
      key: own.key,
      body: paymentBody({ splits: [{ subAccountId: sub, percent }], ...more }),
    })
  const greedy = await ask('95')
  assert.deepEqual([greedy.status, errorsOf(greedy)], [422, [['/feePayer', 'too_small']]])
  assert.equal((await ask('95', { feePayer: sub })).status, 201)
  assert.equal((await ask('90')).status, 201)
  assert.deepEqual(errorsOf(await ask('5', { feePayer: sub })), [['/feePayer', 'too_small']])
})

test('the fee that the fee payer covers is that of the payment’s currency', async () => {
  const own = await base.openTenant()
  const sub = await newSubAccount(own.key)
  const ruleOf = (currency: 'USDT' | 'BRL', fixedMinor: bigint) =>
    base.sql.begin((tx) =>
      writeFeeRule(tx, {
        merchantId: own.id,
        method: 'CRYPTO',
        currency,
        fixedMinor,
        ratePpm: 0n,
      }),
    )
  const ask = () =>
    api.ask('POST', '/v1/payments', {
      key: own.key,
      body: paymentBody({ splits: [{ subAccountId: sub, percent: '50' }], feePayer: sub }),
    })
  await ruleOf('BRL', 1_000_000n)
  assert.equal((await ask()).status, 201)
  await ruleOf('USDT', 1_000_000n)
  await ruleOf('BRL', 1n)
  assert.deepEqual(errorsOf(await ask()), [['/feePayer', 'too_small']])
})

test('a share has one of amount and percent, and there are at most 20', async () => {
  const [subAccountId] = subs
  for (const splits of [
    [],
    [{ subAccountId }],
    [{ subAccountId, amount: 1, percent: '1' }],
    [{ subAccountId, percent: '33.33333' }],
    [{ subAccountId, percent: '0' }],
    [{ subAccountId, percent: '101' }],
    [{ subAccountId, amount: 0 }],
    [{ subAccountId: 'x', percent: '1' }],
    Array.from({ length: 21 }, () => ({ subAccountId: newId(), percent: '1' })),
  ])
    assert.equal((await create(splits)).status, 400, JSON.stringify(splits))
  assert.equal((await create(undefined, { feePayer: subAccountId })).status, 400)
})

test('a payment in USD by CRYPTO is shared in USDT: its wallets, its shares and the sub-account’s say so', async () => {
  const sub = await newSubAccount()
  const [tether] = await base.sql.begin((tx) =>
    selectDefaultWallets(tx, [{ merchantId: sub, currency: 'USDT' }]),
  )
  const usd = { currency: 'USD', amount: 1_000, paymentMethods: ['CRYPTO'] }
  const created = await create([{ subAccountId: sub, walletId: tether?.id, percent: '25' }], usd)
  assert.deepEqual([created.status, created.body['currency']], [201, 'USD'], created.text)
  const id = created.body['id'] as PaymentId
  await base.settlePayment(tenant.id, id, 1_000n)
  for (const answer of [await get(`/v1/payments/${id}/shares`), await get('/v1/shares', sub)]) {
    const [share] = answer.body['data'] as readonly Readonly<Record<string, unknown>>[]
    assert.deepEqual(
      [share?.['currency'], share?.['amountCredited'], share?.['walletId']],
      ['USDT', 250, tether?.id],
    )
  }
  const shown = await get(`/v1/payments/${id}`)
  assert.deepEqual([shown.body['currency'], shown.body['status']], ['USD', 'PAID'])
})
