// Sub-accounts over the wire: made by their parent, kept apart like any two merchants, activated by the operator alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '#/kernel/given.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { owed, owes, provider, receivable } from '#/ledger/chart.ts'
import { deleteDestination, insertDestination } from '#/money-out/queries.ts'
import { activateSubAccount } from '#/operator/merchants.ts'
import { selectDefaultWallets } from '#/wallets/queries.ts'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { assertDocumented } from './document.ts'
import { openApiWorld, paymentBody, withdrawalBody, type Answer } from './world.ts'

const world = openForTests(openApiWorld)
const api = makeForTests(() => world.openApi())
const tenant = makeForTests(() => world.openTenant())

async function ask(method: string, path: string, body?: unknown, more: { key?: string; as?: string } = {}) {
  const { key = tenant.key, as } = more
  const answer = await api.ask(method, path, {
    key,
    ...given({ body }),
    ...(as === undefined ? {} : { headers: { 'sub-account': as } }),
  })
  return answer
}

async function made(name = 'Livraria Bea'): Promise<MerchantId> {
  const answer = await ask('POST', '/v1/sub-accounts', { name })
  assert.equal(answer.status, 201, answer.text)
  return answer.body['id'] as MerchantId
}

const sub = (id: MerchantId) => ({ id, mode: 'SANDBOX' as const })
const operator = { by: { actor: { kind: 'OPERATOR', id: 'ana@test' } }, name: 'ana' } as const
const activate = (id: MerchantId) => activateSubAccount(world.sql, operator, id, 'papers seen')
/** The operator lists where the sub-account is paid: its parent withdraws for it to there alone. */
const listDestination = (merchantId: MerchantId) =>
  world.sql.begin((tx) =>
    insertDestination(tx, {
      merchantId,
      type: 'PIX',
      destination: String(withdrawalBody()['pixKey']),
      note: null,
    }),
  )
const errorsOf = ({ body }: Answer) =>
  (body['errors'] as readonly { pointer: string; code: string }[]).map(({ pointer, code }) => [pointer, code])

test('a sub-account is made once for each key, with a secret that is shown once', async () => {
  const body = { name: 'Bea', taxId: '11222333000181', reference: 'seller-1', idempotencyKey: newId() }
  const first = await ask('POST', '/v1/sub-accounts', body)
  assertDocumented('POST', '/v1/sub-accounts', first)
  const { webhookSecret, ...record } = first.body
  assert.match(String(webhookSecret), /^whsec_/)
  assert.deepEqual([record['state'], record['mode'], record['version']], ['PENDING', 'SANDBOX', 1])
  const again = await ask('POST', '/v1/sub-accounts', body)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(again.body, record)
  assert.equal((await ask('POST', '/v1/sub-accounts', { ...body, name: 'Caio' })).status, 409)
  const got = await ask('GET', `/v1/sub-accounts/${String(record['id'])}`)
  assertDocumented('GET', '/v1/sub-accounts/{id}', got)
  assert.deepEqual(got.body, record)
})

test('ten requests with one key at once make one sub-account', async () => {
  const body = { name: 'Once', idempotencyKey: newId() }
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask('POST', '/v1/sub-accounts', body)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  assert.equal(new Set(answers.map(({ body: { id } }) => id)).size, 1)
  assert.equal(answers.filter(({ body: { webhookSecret } }) => webhookSecret !== undefined).length, 1)
})

test('the list has all of them, newest first, in pages', async () => {
  const own = await world.openTenant()
  const ids: unknown[] = []
  for (const name of ['a', 'b', 'c'])
    ids.unshift((await ask('POST', '/v1/sub-accounts', { name }, own)).body['id'])
  const page = await ask('GET', '/v1/sub-accounts?limit=2', undefined, own)
  assertDocumented('GET', '/v1/sub-accounts', page)
  const rest = await ask('GET', `/v1/sub-accounts?cursor=${String(page.body['nextCursor'])}`, undefined, own)
  const data = [page, rest].flatMap(({ body }) => body['data'] as readonly { readonly id: string }[])
  assert.deepEqual(
    data.map(({ id }) => id),
    ids,
  )
})

test('a parent acts for its sub-account by the header, another merchant never', async () => {
  const id = await made()
  const wallets = await ask('GET', '/v1/wallets', undefined, { as: id })
  assert.equal(wallets.status, 200)
  const mine = await ask('GET', '/v1/wallets')
  const walletsOf = ({ body }: Answer) => (body['data'] as readonly { id: string }[]).map((each) => each.id)
  assert.deepEqual(
    walletsOf(wallets).filter((each) => walletsOf(mine).includes(each)),
    [],
  )
  const stranger = await world.openTenant()
  const { key } = stranger
  assert.equal((await ask('GET', '/v1/wallets', undefined, { key, as: id })).status, 404)
  assert.equal((await ask('GET', `/v1/sub-accounts/${id}`, undefined, { key })).status, 404)
  assert.equal((await ask('PATCH', `/v1/sub-accounts/${id}`, { name: 'x' }, { key })).status, 404)
  // The parent itself is no sub-account, and neither is a text that is no id.
  assert.equal((await ask('GET', '/v1/wallets', undefined, { as: tenant.id })).status, 404)
  assert.equal((await ask('GET', '/v1/wallets', undefined, { as: 'x' })).status, 404)
  const without = await world.issue(tenant.id, ['wallets:read'])
  const refused = await ask('GET', '/v1/wallets', undefined, { key: without.key, as: id })
  assert.deepEqual([refused.status, refused.body['scope']], [403, 'subaccounts:act'])
})

test('who acts for a sub-account approves nothing there and makes no keys', async () => {
  const id = await made()
  for (const [method, path, body] of [
    ['POST', `/v1/withdrawals/${newId()}/approve`, {}],
    ['POST', '/v1/keys', { name: 'x', scopes: ['wallets:read'] }],
    ['POST', '/v1/sub-accounts', { name: 'x' }],
  ] as const)
    assert.equal((await ask(method, path, body, { as: id })).status, 403, path)
})

test('what a sub-account has is seen by neither its parent nor its sibling', async () => {
  const [one, other] = [await made(), await made()]
  const key = await ask('POST', `/v1/sub-accounts/${one}/keys`, {
    name: 'seller',
    scopes: ['payments:read', 'payments:write', 'wallets:read'],
  })
  assertDocumented('POST', '/v1/sub-accounts/{id}/keys', key)
  const own = { key: String(key.body['key']) }
  const payment = await ask('POST', '/v1/payments', paymentBody(), own)
  assert.equal(payment.status, 201, payment.text)
  const path = `/v1/payments/${String(payment.body['id'])}`
  assert.equal((await ask('GET', path, undefined, own)).status, 200)
  assert.equal((await ask('GET', path)).status, 404)
  assert.equal((await ask('GET', path, undefined, { as: other })).status, 404)
  assert.equal((await ask('GET', path, undefined, { as: one })).status, 200)
  // A sub-account has none of its own, and no key of it acts for another.
  assert.equal((await ask('GET', '/v1/wallets', undefined, { ...own, as: other })).status, 403)
})

test('a key for a sub-account has at most the rights of the calling key', async () => {
  const id = await made()
  const weak = await world.issue(tenant.id, ['subaccounts:write', 'wallets:read'])
  const body = { name: 'x', scopes: ['wallets:read', 'payments:write'] }
  const refused = await ask('POST', `/v1/sub-accounts/${id}/keys`, body, { key: weak.key })
  assert.equal(refused.status, 403)
  assert.deepEqual(errorsOf(refused), [['/scopes/1', 'not_held']])
})

test('its parent reads what it has and owes, and its keys; no other merchant does', async () => {
  const id = await made()
  await world.fund(sub(id), 1_234n)
  const key = await ask('POST', `/v1/sub-accounts/${id}/keys`, { name: 'seller', scopes: ['wallets:read'] })
  assert.equal(key.status, 201, key.text)
  const balance = await ask('GET', `/v1/sub-accounts/${id}/balance`)
  assertDocumented('GET', '/v1/sub-accounts/{id}/balance', balance)
  const sums = balance.body['data'] as readonly Readonly<Record<string, unknown>>[]
  assert.equal(sums.find(({ currency }) => currency === 'BRL')?.['balance'], 1_234)
  const keys = await ask('GET', `/v1/sub-accounts/${id}/keys`)
  assertDocumented('GET', '/v1/sub-accounts/{id}/keys', keys)
  const [listed, ...others] = keys.body['data'] as readonly Readonly<Record<string, unknown>>[]
  assert.deepEqual([listed?.['name'], listed?.['key'], others.length], ['seller', undefined, 0])
  const stranger = await world.openTenant()
  for (const what of ['balance', 'keys'])
    assert.equal((await ask('GET', `/v1/sub-accounts/${id}/${what}`, undefined, stranger)).status, 404)
})

test('a sub-account makes no sub-accounts', async () => {
  const id = await made()
  const key = await world.issue(id, ['subaccounts:write'])
  const refused = await ask('POST', '/v1/sub-accounts', { name: 'x' }, { key: key.key })
  assert.equal(refused.status, 409)
})

test('the operator alone makes it ACTIVE, and only then it withdraws', async () => {
  const id = await made()
  const refused = await ask('PATCH', `/v1/sub-accounts/${id}`, { state: 'ACTIVE' })
  assert.equal(refused.status, 403)
  assertDocumented('PATCH', '/v1/sub-accounts/{id}', refused)
  await world.fund(sub(id), 10_000n)
  const withdraw = () => ask('POST', '/v1/withdrawals', withdrawalBody(), { as: id })
  const early = await withdraw()
  assert.deepEqual([early.status, early.body['code']], [403, 'frozen'])
  await activate(id)
  const unlisted = await withdraw()
  assert.deepEqual([unlisted.status, unlisted.body['code']], [422, 'destination_not_allowed'])
  await listDestination(id)
  assert.equal((await withdraw()).status, 201)
  const suspended = await ask('PATCH', `/v1/sub-accounts/${id}`, { state: 'SUSPENDED' })
  assert.deepEqual([suspended.body['state'], suspended.body['suspendedBy']], ['SUSPENDED', 'PARENT'])
  assert.equal((await withdraw()).status, 403)
  const resumed = await ask('PATCH', `/v1/sub-accounts/${id}`, { state: 'PENDING' })
  assert.equal(resumed.body['state'], 'PENDING')
  assert.equal((await withdraw()).status, 403)
})

test('a parent pays out for its sub-account to listed destinations alone; the sub-account itself to any', async () => {
  const id = await made()
  await activate(id)
  await world.fund(sub(id), 5_000n)
  const key = await ask('POST', `/v1/sub-accounts/${id}/keys`, { name: 'x', scopes: ['withdrawals:write'] })
  const byParent = [
    () => ask('POST', '/v1/withdrawals', withdrawalBody(), { as: id }),
    () => ask('POST', '/v1/withdrawals', withdrawalBody(), { key: String(key.body['key']) }),
    () =>
      ask(
        'POST',
        '/v1/withdrawal-batches',
        { withdrawals: [withdrawalBody()], idempotencyKey: newId() },
        { as: id },
      ),
  ]
  for (const each of byParent) {
    const refused = await each()
    assert.equal(refused.status, 422, refused.text)
    assert.match(refused.text, /destination_not_allowed/)
  }
  const own = await world.issue(id, ['withdrawals:write'])
  assert.equal((await ask('POST', '/v1/withdrawals', withdrawalBody(), own)).status, 201)
  await listDestination(tenant.id)
  assert.equal((await byParent[0]?.())?.status, 422, 'its own list is not the sub-account’s')
  await listDestination(id)
  for (const each of byParent) assert.equal((await each()).status, 201)
})

test('what a parent requested does not leave after its destination was taken off the list', async () => {
  const id = await made()
  await activate(id)
  await world.fund(sub(id), 5_000n)
  await listDestination(id)
  await world.sql`
    insert into withdrawal_limit (merchant_id, type, currency, approval_above_minor, listed_only)
    values (${id}, 'PIX', 'BRL', 0, false)`
  const [first, second] = [
    await ask('POST', '/v1/withdrawals', withdrawalBody(), { as: id }),
    await ask('POST', '/v1/withdrawals', withdrawalBody(), { as: id }),
  ]
  const own = await world.issue(id, ['withdrawals:approve'])
  const approve = (each: Answer) => ask('POST', `/v1/withdrawals/${String(each.body['id'])}/approve`, {}, own)
  assert.equal((await approve(first)).status, 200)
  const { pixKey } = withdrawalBody()
  const listed = { merchantId: id, type: 'PIX', destination: String(pixKey) } as const
  await world.sql.begin((tx) => deleteDestination(tx, listed))
  const refused = await approve(second)
  assert.deepEqual([refused.status, refused.body['code']], [422, 'destination_not_allowed'])
})

test('one that has money stays open; an empty one is closed for good', async () => {
  const id = await made()
  await world.fund(sub(id), 1n)
  assert.equal((await ask('PATCH', `/v1/sub-accounts/${id}`, { state: 'CLOSED' })).status, 409)
  const empty = await made()
  assert.equal((await ask('PATCH', `/v1/sub-accounts/${empty}`, { state: 'CLOSED' })).body['state'], 'CLOSED')
  for (const state of ['PENDING', 'SUSPENDED', 'CLOSED'])
    assert.equal((await ask('PATCH', `/v1/sub-accounts/${empty}`, { state })).status, 409)
  await assert.rejects(activate(empty), { code: 'invalid_state' })
})

test('one that owes the operator or its parent anything stays open until that is repaid', async () => {
  const chartOf = (id: MerchantId) => ({
    receivable: [receivable('SANDBOX', id, 'BRL'), provider('SANDBOX', 'a1-debts', 'BRL')] as const,
    owes: [owes('SANDBOX', id, 'EUR'), owed('SANDBOX', tenant.id, 'EUR')] as const,
  })
  for (const debt of ['receivable', 'owes'] as const) {
    const id = await made()
    const [debtor, creditor] = chartOf(id)[debt]
    await world.book(debtor, creditor, 1n)
    const refused = await ask('PATCH', `/v1/sub-accounts/${id}`, { state: 'CLOSED' })
    assert.deepEqual([refused.status, refused.body['code']], [409, 'invalid_state'], debt)
    assertDocumented('PATCH', '/v1/sub-accounts/{id}', refused)
    await world.book(creditor, debtor, 1n)
    const closed = await ask('PATCH', `/v1/sub-accounts/${id}`, { state: 'CLOSED' })
    assert.deepEqual([closed.status, closed.body['state']], [200, 'CLOSED'], debt)
  }
})

test('its name, tax id and own reference are changed each by itself; what is read is what was answered', async () => {
  const { webhookSecret: _secret, ...first } = (
    await ask('POST', '/v1/sub-accounts', { name: 'Bea', taxId: '11222333000181', reference: 'seller-2' })
  ).body
  const path = `/v1/sub-accounts/${String(first['id'])}`
  let record: Readonly<Record<string, unknown>> = first
  for (const change of [
    { name: 'Livraria da Bea' },
    { taxId: '11444777000161' },
    { reference: 'seller-3' },
    { name: 'Bea e Rui', taxId: '11222333000181', reference: 'seller-4' },
  ]) {
    const answer = await ask('PATCH', path, change)
    assertDocumented('PATCH', '/v1/sub-accounts/{id}', answer)
    assert.equal(answer.status, 200, answer.text)
    // All else is as it was.
    assert.deepEqual(answer.body, { ...record, ...change, version: Number(record['version']) + 1 })
    assert.deepEqual((await ask('GET', path)).body, answer.body)
    record = answer.body
  }
})

test('withdrawals of sub-accounts count to the limits of their parent', async () => {
  const own = await world.openTenant()
  const parent = { key: own.key }
  const subs: MerchantId[] = []
  for (const name of ['a', 'b']) {
    const id = (await ask('POST', '/v1/sub-accounts', { name }, parent)).body['id'] as MerchantId
    await activate(id)
    await listDestination(id)
    await world.fund(sub(id), 10_000n)
    subs.push(id)
  }
  await world.sql`
    insert into withdrawal_limit (merchant_id, type, currency, day_minor, listed_only)
    values (${own.id}, 'PIX', 'BRL', 250, false)`
  const [one, other] = subs
  const take = (as: string | undefined) =>
    ask('POST', '/v1/withdrawals', withdrawalBody({ amount: 100 }), {
      ...parent,
      ...given({ as }),
    })
  assert.equal((await take(one)).status, 201)
  assert.equal((await take(other)).status, 201)
  const beyond = await take(one)
  assert.deepEqual([beyond.status, beyond.body['code']], [422, 'limit_exceeded'])
  await world.fund(own, 10_000n)
  assert.equal((await take(undefined)).status, 422)
})

test('its wallets are those of every merchant', async () => {
  const id = await made()
  const wallets = await selectDefaultWallets(
    world.sql,
    (['BRL', 'EUR', 'USDT'] as const).map((currency) => ({ merchantId: id, currency })),
  )
  assert.equal(wallets.length, 3)
})
