// Transfers between a platform and its sub-accounts over HTTP: the platform can give money at any time, and take money only by a grant that
// the sub-account itself gave.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopes } from '#/contract/keys.ts'
import { must } from '#/kernel/check.ts'
import { newId, type MerchantId, type WalletId } from '#/kernel/id.ts'
import { activateSubAccount } from '#/operator/merchants.ts'
import { selectDefaultWallets } from '#/wallets/queries.ts'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { assertDocumented } from './document.ts'
import { openApiWorld, type Answer, type Tenant } from './world.ts'

const base = openForTests(openApiWorld)
const api = makeForTests(() => base.openApi())

type Row = Readonly<Record<string, unknown>>
type Seller = { readonly id: MerchantId; readonly wallet: WalletId; readonly key: string }

const operator = { by: { actor: { kind: 'OPERATOR', id: 'ana@test' } }, name: 'ana' } as const

async function walletOf(merchantId: MerchantId, currency: 'BRL' | 'EUR' = 'BRL'): Promise<WalletId> {
  const [wallet] = await base.sql.begin((tx) => selectDefaultWallets(tx, [{ merchantId, currency }]))
  return must(wallet, 'every merchant has one').id
}

/** A sub-account with a key of its own, which its parent did not make. */
async function seller(platform: Tenant, { isActive = true } = {}): Promise<Seller> {
  const made = await api.ask('POST', '/v1/sub-accounts', { key: platform.key, body: { name: 'Bea' } })
  const id = made.body['id'] as MerchantId
  if (isActive) await activateSubAccount(base.sql, operator, id, 'papers seen')
  return { id, wallet: await walletOf(id), key: (await base.issue(id, scopes)).key }
}

async function world(more: { readonly isActive?: boolean } = {}) {
  const platform = await base.openTenant()
  return { platform, sub: await seller(platform, more), wallet: await walletOf(platform.id) }
}

async function post(path: string, key: string, body: Row = {}, as?: string): Promise<Answer> {
  const answer = await api.ask('POST', path, {
    key,
    body,
    ...(as === undefined ? {} : { headers: { 'sub-account': as } }),
  })
  assertDocumented('POST', path.replace(/[0-9a-f-]{36}/, '{id}'), answer)
  return answer
}
async function get(path: string, key: string): Promise<Answer> {
  const answer = await api.ask('GET', path, { key })
  assertDocumented('GET', path.replace(/[0-9a-f-]{36}/, '{id}').replace(/\?.*/, ''), answer)
  return answer
}
const transfer = (key: string, body: Row) => post('/v1/transfers', key, body)
const give = (key: string, body: Row = {}) =>
  post('/v1/transfer-grants', key, { currency: 'BRL', maxAmount: 1_000, ...body })
const rows = ({ body }: Answer) => body['data'] as readonly Row[]
const refusal = ({ status, body }: Answer) => [status, body['code']]
const faults = ({ body }: Answer) =>
  (body['errors'] as readonly { pointer: string; code: string }[]).map(({ pointer, code }) => [pointer, code])

async function balance(key: string): Promise<unknown> {
  return rows(await get('/v1/wallets', key)).find(({ currency }) => currency === 'BRL')?.['balance']
}
const eventsOf = async (key: string, types: string) => rows(await get(`/v1/events?types=${types}`, key))

test('a platform gives money to its sub-account at once, and both see it without the other’s secrets', async () => {
  const { platform, sub, wallet } = await world({ isActive: false })
  await base.fund(platform, 500n)
  const body = {
    fromWalletId: wallet,
    toSubAccountId: sub.id,
    amount: 300,
    description: 'Bonus',
    metadata: { note: 'internal' },
    idempotencyKey: newId(),
  }
  const made = await transfer(platform.key, body)
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(
    [made.body['fromWalletId'], made.body['toWalletId'], made.body['toSubAccountId'], made.body['grantId']],
    [wallet, sub.wallet, sub.id, undefined],
  )
  const again = await transfer(platform.key, body)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(again.body, made.body)
  // The wallet that the default named before is part of the request when it is named.
  assert.equal((await transfer(platform.key, { ...body, toWalletId: sub.wallet })).status, 409)
  assert.deepEqual([await balance(platform.key), await balance(sub.key)], [200, 300])

  const path = `/v1/transfers/${String(made.body['id'])}`
  assert.deepEqual((await get(path, platform.key)).body, made.body)
  const theirs = await get(path, sub.key)
  assert.deepEqual(
    [theirs.body['fromParent'], theirs.body['toWalletId'], theirs.body['description'], theirs.body['amount']],
    [true, sub.wallet, 'Bonus', 300],
  )
  for (const secret of [wallet, platform.id, 'internal', sub.id]) assert.ok(!theirs.text.includes(secret))
  const [row] = rows(await get('/v1/wallets/statement', sub.key))
  assert.deepEqual(
    [row?.['kind'], row?.['amount'], row?.['description'], row?.['transferId']],
    ['TRANSFER', 300, 'Bonus', made.body['id']],
  )
  const [paid] = rows(await get('/v1/wallets/statement', platform.key))
  assert.deepEqual(
    [paid?.['kind'], paid?.['amount'], paid?.['transferId']],
    ['TRANSFER', -300, made.body['id']],
  )
  for (const [key, record] of [
    [platform.key, made.body],
    [sub.key, theirs.body],
  ] as const)
    assert.deepEqual(
      (await eventsOf(key, 'transfer.completed')).map(({ data }) => data),
      [record],
    )
  assert.deepEqual(rows(await get(`/v1/transfers?walletId=${sub.wallet}`, sub.key)), [theirs.body])
})

test('it counts as money that came in or went out, unlike a transfer between own wallets', async () => {
  const { platform, sub, wallet } = await world()
  await base.fund(platform, 500n)
  await transfer(platform.key, { fromWalletId: wallet, toSubAccountId: sub.id, amount: 300 })
  const span = 'from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z'
  const summed = async (key: string) => {
    const found = rows(await get(`/v1/wallets/summary?${span}`, key)).find(
      ({ currency }) => currency === 'BRL',
    )
    return [found?.['inflow'], found?.['outflow'], found?.['closingBalance']]
  }
  assert.deepEqual(await summed(sub.key), [300, 0, 300])
  assert.deepEqual(await summed(platform.key), [500, 300, 200])
})

test('a platform takes only by a grant that stands, and no more than it allows', async () => {
  const { platform, sub, wallet } = await world()
  await base.fund({ id: sub.id, mode: 'SANDBOX' }, 5_000n)
  const take = (amount: number, more: Row = {}) =>
    transfer(platform.key, { fromSubAccountId: sub.id, toWalletId: wallet, amount, ...more })
  const without = await take(100)
  assert.deepEqual(refusal(without), [422, 'transfer_not_granted'])
  assert.deepEqual(faults(without), [['/fromSubAccountId', 'not_granted']])

  const grant = await give(sub.key, { description: 'Rent' })
  assert.equal(grant.status, 201, grant.text)
  assert.deepEqual([grant.body['status'], grant.body['amountTaken']], ['ACTIVE', 0])
  const key = newId()
  const taken = await take(400, { idempotencyKey: key })
  assert.equal(taken.status, 201, taken.text)
  assert.deepEqual([taken.body['fromSubAccountId'], taken.body['grantId']], [sub.id, grant.body['id']])
  assert.deepEqual((await take(400, { idempotencyKey: key })).body, taken.body)
  const beyond = await take(601)
  assert.deepEqual([...refusal(beyond), beyond.body['left']], [422, 'transfer_not_granted', 600])
  assert.deepEqual(faults(beyond), [['/amount', 'too_large']])
  assert.equal((await take(600)).status, 201)
  assert.deepEqual(refusal(await take(1)), [422, 'transfer_not_granted'])
  assert.deepEqual([await balance(platform.key), await balance(sub.key)], [1_000, 4_000])

  const shown = await get(`/v1/transfer-grants/${String(grant.body['id'])}`, platform.key)
  assert.deepEqual(
    [shown.body['status'], shown.body['amountTaken'], shown.body['subAccountId']],
    ['USED_UP', 1_000, sub.id],
  )
  const received = await get(`/v1/transfers/${String(taken.body['id'])}`, sub.key)
  assert.deepEqual([received.body['fromWalletId'], received.body['toParent']], [sub.wallet, true])
  assert.ok(!received.text.includes(wallet))
  // One that is used up is over: the next may be given.
  assert.equal((await give(sub.key)).status, 201)
})

test('fifty takes at once take no more than the grant allows', async () => {
  const { platform, sub, wallet } = await world()
  await base.fund({ id: sub.id, mode: 'SANDBOX' }, 5_000n)
  await give(sub.key, { maxAmount: 1_000 })
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      transfer(platform.key, { fromSubAccountId: sub.id, toWalletId: wallet, amount: 70 }),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 14)
  assert.deepEqual([await balance(platform.key), await balance(sub.key)], [980, 4_020])
})

test('a grant ends when it is revoked, and by the clock', async () => {
  const { platform, sub, wallet } = await world()
  await base.fund({ id: sub.id, mode: 'SANDBOX' }, 5_000n)
  const take = () => transfer(platform.key, { fromSubAccountId: sub.id, toWalletId: wallet, amount: 10 })
  const first = await give(sub.key)
  const path = `/v1/transfer-grants/${String(first.body['id'])}`
  assert.equal((await take()).status, 201)
  const revoked = await post(`${path}/revoke`, sub.key)
  assert.deepEqual(
    [revoked.status, revoked.body['status'], revoked.body['amountTaken']],
    [200, 'REVOKED', 10],
  )
  assert.deepEqual((await post(`${path}/revoke`, sub.key)).body, revoked.body)
  assert.deepEqual(refusal(await take()), [422, 'transfer_not_granted'])

  const { body: timed } = await give(sub.key, {
    maxAmount: undefined,
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  })
  assert.equal(timed['maxAmount'], undefined)
  assert.equal((await take()).status, 201)
  await base.sql`update transfer_grant set expires_at = statement_timestamp() - interval '1 second' where id = ${String(timed['id'])}`
  assert.deepEqual(refusal(await take()), [422, 'transfer_not_granted'])
  assert.equal((await get(`/v1/transfer-grants/${String(timed['id'])}`, sub.key)).body['status'], 'EXPIRED')
})

test('only the sub-account gives and revokes: not its parent’s key, nor a key that its parent made', async () => {
  const { platform, sub } = await world()
  const own = await give(sub.key)
  const revoke = `/v1/transfer-grants/${String(own.body['id'])}/revoke`
  const made = await post(`/v1/sub-accounts/${sub.id}/keys`, platform.key, {
    name: 'seller',
    scopes: ['withdrawals:write', 'keys:write', 'wallets:read'],
  })
  const second = await post('/v1/keys', String(made.body['key']), {
    name: 'of that one',
    scopes: ['withdrawals:write'],
  })
  const terms = { currency: 'EUR', maxAmount: 1 }
  for (const key of [made, second]) {
    const grown = String(key.body['key'])
    assert.deepEqual(refusal(await post('/v1/transfer-grants', grown, terms)), [403, 'forbidden'])
    assert.deepEqual(refusal(await post(revoke, grown)), [403, 'forbidden'])
  }
  assert.deepEqual(refusal(await post('/v1/transfer-grants', platform.key, terms, sub.id)), [
    403,
    'forbidden',
  ])
  assert.deepEqual(refusal(await post(revoke, platform.key, {}, sub.id)), [403, 'forbidden'])
  // A merchant without a parent has nobody to give one to.
  assert.deepEqual(refusal(await post('/v1/transfer-grants', platform.key, terms)), [409, 'invalid_state'])
  assert.deepEqual(refusal(await post(revoke, platform.key)), [404, 'not_found'])
  const stranger = await base.openTenant()
  assert.deepEqual(refusal(await post(revoke, stranger.key)), [404, 'not_found'])
  assert.equal((await get(`/v1/transfer-grants/${String(own.body['id'])}`, stranger.key)).status, 404)
  const audited = await base.sql<{ action: string; actor: string }[]>`
    select action, actor_kind as actor from audit_log where merchant_id = ${sub.id} and action like 'transfer-grant.%'`
  assert.deepEqual([...audited], [{ action: 'transfer-grant.give', actor: 'API_KEY' }])
})

test('a grant has an end, a currency of wallets, and is the only one that stands in it', async () => {
  const { platform, sub } = await world()
  const key = newId()
  const first = await give(sub.key, { idempotencyKey: key })
  assert.deepEqual((await give(sub.key, { idempotencyKey: key })).body, first.body)
  assert.equal((await give(sub.key, { idempotencyKey: key, maxAmount: 5 })).status, 409)
  const second = await give(sub.key)
  assert.deepEqual([...refusal(second), second.body['grantId']], [409, 'invalid_state', first.body['id']])
  const euros = await give(sub.key, { currency: 'EUR' })
  for (const [body, status, code] of [
    [{ currency: 'USDT', maxAmount: undefined }, 400, 'invalid_request'],
    [{ currency: 'USDT', expiresAt: '2020-01-01T00:00:00Z' }, 400, 'invalid_request'],
    [{ currency: 'USDT', expiresAt: 'soon' }, 400, 'invalid_request'],
    [{ currency: 'BNB' }, 422, 'currency_not_supported'],
    [{ currency: 'brl' }, 422, 'currency_not_supported'],
  ] as const)
    assert.deepEqual(refusal(await give(sub.key, body)), [status, code], JSON.stringify(body))
  const ids = [euros.body['id'], first.body['id']]
  assert.deepEqual(
    rows(await get('/v1/transfer-grants', sub.key)).map(({ id }) => id),
    ids,
  )
  assert.deepEqual(
    rows(await get(`/v1/transfer-grants?subAccountId=${sub.id}`, platform.key)).map(({ id }) => id),
    ids,
  )
  const other = await seller(platform)
  assert.deepEqual(rows(await get('/v1/transfer-grants', other.key)), [])
  assert.deepEqual(rows(await get(`/v1/transfer-grants?subAccountId=${sub.id}`, other.key)), [])
  for (const [reader, whose] of [
    [sub.key, undefined],
    [platform.key, sub.id],
  ] as const) {
    const events = await eventsOf(reader, 'transfer_grant.created')
    // Events come oldest first, grants newest first.
    assert.deepEqual(
      events.map(({ data }) => [(data as Row)['id'], (data as Row)['subAccountId']]),
      ids.toReversed().map((id) => [id, whose]),
    )
  }
})

test('state and freezes: what may not withdraw is not taken from, and what may not receive is not given to', async () => {
  const { platform, sub, wallet } = await world({ isActive: false })
  await base.fund(platform, 500n)
  await base.fund({ id: sub.id, mode: 'SANDBOX' }, 500n)
  await give(sub.key)
  const take = () => transfer(platform.key, { fromSubAccountId: sub.id, toWalletId: wallet, amount: 10 })
  const pay = () => transfer(platform.key, { fromWalletId: wallet, toSubAccountId: sub.id, amount: 10 })
  const early = await take()
  assert.deepEqual(
    [...refusal(early), ...faults(early)],
    [409, 'invalid_state', ['/fromSubAccountId', 'not_active']],
  )
  assert.equal((await pay()).status, 201)
  await activateSubAccount(base.sql, operator, sub.id, 'papers seen')
  assert.equal((await take()).status, 201)
  const freeze = async (id: MerchantId, work: () => Promise<void>) => {
    await base.sql`
      insert into money_freeze (id, kind, merchant_id, rail, reason, decided_by)
      values (${newId()}, 'FREEZE', ${id}, null, 'x', 'ana')`
    await work()
    await base.sql`delete from money_freeze where merchant_id = ${id}`
  }
  await freeze(sub.id, async () => {
    assert.deepEqual(refusal(await take()), [403, 'frozen'])
    assert.equal((await pay()).status, 201, 'it still receives')
  })
  // Else a frozen platform could pay out by its sub-account.
  await freeze(platform.id, async () => {
    assert.deepEqual(refusal(await pay()), [403, 'frozen'])
    assert.equal((await take()).status, 201)
  })
  await api.ask('PATCH', `/v1/sub-accounts/${sub.id}`, { key: platform.key, body: { state: 'SUSPENDED' } })
  for (const answer of [await take(), await pay()]) assert.deepEqual(refusal(answer), [409, 'invalid_state'])
})

test('another merchant’s sub-account and wallets are not found, and the sides have to fit', async () => {
  const { platform, sub, wallet } = await world()
  const stranger = await world()
  const sibling = await seller(platform)
  await base.fund(platform, 500n)
  await give(stranger.sub.key)
  for (const [body, pointer] of [
    [{ fromSubAccountId: stranger.sub.id, toWalletId: wallet }, '/fromSubAccountId'],
    [{ fromWalletId: wallet, toSubAccountId: stranger.sub.id }, '/toSubAccountId'],
    [{ fromWalletId: wallet, toSubAccountId: platform.id }, '/toSubAccountId'],
    [{ fromWalletId: wallet, toSubAccountId: sub.id, toWalletId: sibling.wallet }, '/toWalletId'],
    [{ fromWalletId: wallet, toWalletId: sub.wallet }, '/toWalletId'],
    [{ fromWalletId: sub.wallet, toSubAccountId: sub.id }, '/fromWalletId'],
    [{ fromSubAccountId: sub.id, toWalletId: sub.wallet }, '/toWalletId'],
  ] as const) {
    const refused = await transfer(platform.key, { ...body, amount: 10 })
    assert.equal(refused.status, 404, refused.text)
    assert.deepEqual(faults(refused), [[pointer, 'not_found']])
  }
  for (const body of [
    { fromSubAccountId: sub.id, toSubAccountId: sibling.id },
    { fromSubAccountId: sub.id },
    { toSubAccountId: sub.id },
    {},
  ])
    assert.equal((await transfer(platform.key, { ...body, amount: 10 })).status, 400)
  const euros = await walletOf(sub.id, 'EUR')
  const other = await transfer(platform.key, {
    fromWalletId: wallet,
    toSubAccountId: sub.id,
    toWalletId: euros,
    amount: 10,
  })
  assert.deepEqual(refusal(other), [422, 'currency_not_supported'])
  // A sub-account gives to no other and has none of its own, whoever acts for it.
  const acting = await post(
    '/v1/transfers',
    platform.key,
    { fromWalletId: sub.wallet, toSubAccountId: sibling.id, amount: 10 },
    sub.id,
  )
  assert.equal(acting.status, 404)
})
