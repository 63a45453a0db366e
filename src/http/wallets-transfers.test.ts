// Transfers between own wallets, and what a merchant and the operator may change of a wallet.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { given } from '#/kernel/given.ts'
import { newId, type PaymentId, type WalletId } from '#/kernel/id.ts'
import { makeDefaultWallet } from '#/wallets/update.ts'
import { assertDocumented } from '../../test/contract/document.ts'
import {
  openApiWorld,
  paymentBody,
  type Answer,
  type Api,
  type ApiWorld,
  type Tenant,
} from '../../test/contract/world.ts'

type Row = Readonly<Record<string, unknown>>

let base: ApiWorld
let apis: readonly [Api, Api]
let tenant: Tenant

before(async () => {
  base = await openApiWorld()
  apis = [await base.openApi(), await base.openApi()]
  tenant = await base.openTenant()
})
after(() => base.close())

async function request(
  method: string,
  path: string,
  {
    id = '',
    query = '',
    body,
    key = tenant.key,
    nth = 0,
    headers = {},
  }: Readonly<{
    id?: string
    query?: string
    body?: unknown
    key?: string
    nth?: number
    headers?: Readonly<Record<string, string>>
  }> = {},
): Promise<Answer> {
  const api = apis[nth % 2] ?? apis[0]
  const answer = await api.ask(method, path.replace('{id}', id) + query, {
    key,
    headers,
    ...given({ body }),
  })
  assertDocumented(method, path, answer)
  return answer
}

async function openWallet(currency: string, walletType = 'SPENDABLE'): Promise<string> {
  const answer = await request('POST', '/v1/wallets', { body: { currency, walletType, label: 'Other' } })
  return String(answer.body['id'])
}

async function defaultOf(currency: string, key = tenant.key): Promise<string> {
  const { body } = await request('GET', '/v1/wallets', { key })
  const row = (body['data'] as readonly Row[]).find(
    (each) => each['currency'] === currency && each['isDefault'],
  )
  return String(row?.['id'])
}

async function fund(minor: bigint, currency: 'USDT' | 'EUR' | 'BRL'): Promise<void> {
  const created = await request('POST', '/v1/payments', { body: paymentBody({ amount: 1 }) })
  await base.settlePayment(tenant.id, String(created.body['id']) as PaymentId, minor, currency)
}

async function balanceOf(id: string): Promise<unknown> {
  return (await request('GET', '/v1/wallets/{id}', { id })).body['balance']
}

const transfer = (body: Row, more: { key?: string; nth?: number } = {}) =>
  request('POST', '/v1/transfers', { body, ...more })

function faultOf(answer: Answer): readonly unknown[] {
  const [fault] = (answer.body['errors'] ?? []) as readonly { readonly pointer: string }[]
  return [answer.status, answer.body['code'], fault?.pointer]
}

test('a transfer moves money at once, can be read again, and is in the statement of both sides', async () => {
  await fund(1_000n, 'USDT')
  const [from, to] = [await defaultOf('USDT'), await openWallet('USDT', 'RESERVE')]
  const body = {
    fromWalletId: from.toUpperCase(),
    toWalletId: to,
    amount: 300,
    description: '=SUM(A1)',
    metadata: { month: 11, note: 'é' },
  }
  const made = await transfer(body)
  assert.equal(made.status, 201)
  const { id, createdAt, ...rest } = made.body
  assert.deepEqual(rest, { ...body, fromWalletId: from, mode: 'SANDBOX', currency: 'USDT', version: 1 })
  assert.deepEqual([await balanceOf(from), await balanceOf(to)], [700, 300])
  assert.deepEqual((await request('GET', '/v1/transfers/{id}', { id: String(id) })).body, made.body)
  const { body: statement } = await request('GET', '/v1/wallets/statement')
  const rows = (statement['data'] as readonly Row[]).filter((row) => row['transferId'] === id)
  assert.deepEqual(
    rows
      .map((row) => [row['walletId'], row['amount'], row['balance'], row['description'], row['postedAt']])
      .sort(byNumber),
    [
      [from, -300, 700, '=SUM(A1)', createdAt],
      [to, 300, 300, '=SUM(A1)', createdAt],
    ].sort(byNumber),
  )
  const back = await transfer({ fromWalletId: to, toWalletId: from, amount: 300 })
  assert.equal(back.status, 201, 'a reserve pays back')
})

const byNumber = (a: readonly unknown[], b: readonly unknown[]) => Number(a[1]) - Number(b[1])

test('lists hold what their filters request for, newest first', async () => {
  await fund(1_000n, 'EUR')
  const [from, to] = [await defaultOf('EUR'), await openWallet('EUR')]
  const ids: unknown[] = []
  for (let nth = 0; nth < 5; nth += 1) {
    ids.unshift((await transfer({ fromWalletId: from, toWalletId: to, amount: 1 + nth })).body['id'])
    await wait(2)
  }
  const found: unknown[] = []
  for (let query = '?currency=EUR&limit=2'; ;) {
    const answer = await apis[0].ask('GET', `/v1/transfers${query}`, { key: tenant.key })
    found.push(...(answer.body['data'] as readonly Row[]).map((row) => row['id']))
    const next = answer.body['nextCursor']
    if (typeof next !== 'string') break
    query = `?currency=EUR&limit=2&cursor=${next}`
  }
  assert.deepEqual(found, ids)
  const third = await request('GET', '/v1/transfers/{id}', { id: String(ids[2]) })
  const since = await apis[0].ask(
    'GET',
    `/v1/transfers?walletId=${to}&from=${String(third.body['createdAt'])}`,
    {
      key: tenant.key,
    },
  )
  assert.deepEqual(
    (since.body['data'] as readonly Row[]).map((row) => row['id']),
    ids.slice(0, 3),
  )
})

test('an invalid transfer is refused with the place of its fault, and moves nothing', async () => {
  const [usdt, eur, second] = [await defaultOf('USDT'), await defaultOf('EUR'), await openWallet('USDT')]
  const other = await base.openTenant()
  const foreign = await defaultOf('USDT', other.key)
  const before = [await balanceOf(usdt), await balanceOf(second)]
  const cases = [
    [{ toWalletId: usdt }, [400, 'invalid_request', '/toWalletId']],
    [{ toWalletId: foreign }, [404, 'not_found', '/toWalletId']],
    [{ fromWalletId: foreign }, [404, 'not_found', '/fromWalletId']],
    [{ fromWalletId: newId() }, [404, 'not_found', '/fromWalletId']],
    [{ toWalletId: eur }, [422, 'currency_not_supported', '/toWalletId']],
    [{ amount: Number.MAX_SAFE_INTEGER }, [422, 'insufficient_funds', '/amount']],
    [{ amount: 0 }, [400, 'invalid_request', '/amount']],
    [{ metadata: { a: 'x'.repeat(9_000) } }, [400, 'invalid_request', '/metadata']],
    [{ fromWalletId: 'x' }, [400, 'invalid_request', '/fromWalletId']],
  ] as const
  for (const [more, expected] of cases) {
    const answer = await transfer({ fromWalletId: usdt, toWalletId: second, amount: 1, ...more })
    assert.deepEqual(faultOf(answer), expected)
  }
  assert.deepEqual([await balanceOf(usdt), await balanceOf(second)], before)
})

test('twenty calls at once with one key move once; another body is a conflict that says what differs', async () => {
  await fund(500n, 'USDT')
  const [from, to] = [await defaultOf('USDT'), await openWallet('USDT')]
  const body = {
    fromWalletId: from,
    toWalletId: to,
    amount: 7,
    metadata: { a: 1, b: 2 },
    idempotencyKey: 'once',
  }
  const answers = await Promise.all(Array.from({ length: 20 }, (_, nth) => transfer(body, { nth })))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1)
  assert.equal(await balanceOf(to), 7)
  const turned = await request('POST', '/v1/transfers', {
    body: { amount: 7, toWalletId: to, fromWalletId: from, metadata: { b: 2, a: 1 } },
    headers: { 'idempotency-key': 'once' },
  })
  assert.equal(turned.headers.get('idempotent-replayed'), 'true')
  const conflict = await transfer({ ...body, amount: 8 })
  assert.deepEqual(faultOf(conflict), [409, 'idempotency_conflict', '/amount'])
  // A refusal leaves its key free.
  const poor = { ...body, idempotencyKey: 'later', amount: 9_000_000 }
  assert.equal((await transfer(poor)).status, 422)
  assert.equal((await transfer({ ...poor, amount: 1 })).status, 201)
})

test('no wallet goes below zero and nothing is lost, however many transfers race', async () => {
  await fund(100n, 'BRL')
  const [main, other] = [await defaultOf('BRL'), await openWallet('BRL')]
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, nth) => {
      const [fromWalletId, toWalletId] = nth % 3 === 2 ? [other, main] : [main, other]
      return transfer({ fromWalletId, toWalletId, amount: 17 }, { nth })
    }),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201, 422]))
  const [a, b] = [Number(await balanceOf(main)), Number(await balanceOf(other))]
  assert.ok(a >= 0 && b >= 0)
  assert.equal(a + b, 100)
})

test('a balance at an instant in the past stays what it was, however much is being posted', async () => {
  await fund(1_000n, 'EUR')
  const [from, to] = [await defaultOf('EUR'), await openWallet('EUR')]
  const over = new AbortController()
  const posting = Promise.all(
    Array.from({ length: 4 }, async (_, nth) => {
      while (!over.signal.aborted) await transfer({ fromWalletId: from, toWalletId: to, amount: 1 }, { nth })
    }),
  )
  const answers: { readonly at: string; readonly balance: unknown }[] = []
  const readOften = async () => {
    for (let nth = 0; nth < 15; nth += 1) {
      const { body } = await request('GET', '/v1/wallets/balance')
      const at = String(body['asOf'])
      const { body: then } = await apis[0].ask('GET', `/v1/wallets/${to}?at=${at}`, { key: tenant.key })
      answers.push({ at, balance: then['balance'] })
    }
  }
  await Promise.all([readOften(), readOften(), readOften(), readOften()])
  over.abort()
  await posting
  assert.ok(new Set(answers.map(({ balance }) => balance)).size > 3, 'something moved meanwhile')
  for (const { at, balance } of answers) {
    const { body } = await apis[1].ask('GET', `/v1/wallets/${to}?at=${at}`, { key: tenant.key })
    assert.equal(body['balance'], balance, at)
  }
})

test('a wallet is renamed; an inactive one pays nothing and still receives', async () => {
  await fund(50n, 'USDT')
  const [main, id] = [await defaultOf('USDT'), await openWallet('USDT')]
  await transfer({ fromWalletId: main, toWalletId: id, amount: 10 })
  const change = (body: Row, of = id) => request('PATCH', '/v1/wallets/{id}', { id: of, body })
  const renamed = await change({ label: 'Rent' })
  assert.deepEqual([renamed.status, renamed.body['label'], renamed.body['isActive']], [200, 'Rent', true])
  const closed = await change({ isActive: false })
  assert.deepEqual(
    [closed.body['label'], closed.body['isActive'], closed.body['balance']],
    ['Rent', false, 10],
  )
  const refused = await transfer({ fromWalletId: id, toWalletId: main, amount: 1 })
  assert.deepEqual(faultOf(refused), [422, 'wallet_not_spendable', '/fromWalletId'])
  assert.equal((await transfer({ fromWalletId: main, toWalletId: id, amount: 5 })).status, 201)
  assert.equal((await change({ isActive: true })).body['balance'], 15)
  assert.equal((await transfer({ fromWalletId: id, toWalletId: main, amount: 15 })).status, 201)
  assert.deepEqual((await change({})).body['label'], 'Rent')
  assert.deepEqual(faultOf(await change({ isActive: false }, main)), [409, 'invalid_state', '/isActive'])
  assert.deepEqual(faultOf(await change({ isDefault: true })).slice(0, 2), [400, 'invalid_request'])
  assert.equal((await change({ label: 'x' }, newId())).status, 404)
})

test('there is one active default at any moment, whatever the merchant and the operator do at the same time', async () => {
  const [first, second] = [await defaultOf('EUR'), await openWallet('EUR')]
  const violations: unknown[] = []
  const over = new AbortController()
  const watching = (async () => {
    while (!over.signal.aborted) {
      const rows = await base.sql<{ id: string; active: boolean }[]>`
        select id, is_active as active from wallet where merchant_id = ${tenant.id} and currency = 'EUR' and is_default`
      violations.push(...(rows.length === 1 && rows[0]?.active === true ? [] : [rows]))
    }
  })()
  for (let nth = 0; nth < 12; nth += 1) {
    const id = (nth % 2 === 0 ? second : first) as WalletId
    const [made] = await Promise.all([
      makeDefaultWallet(base.sql, id),
      request('PATCH', '/v1/wallets/{id}', { id, body: { isActive: false } }),
    ])
    assert.ok(made.kind === 'changed' || made.kind === 'refused' || made.kind === 'already', made.kind)
    await request('PATCH', '/v1/wallets/{id}', { id, body: { isActive: true } })
  }
  over.abort()
  await watching
  assert.deepEqual(violations, [])
})

test('a transfer announces one event, which shows it as its own GET does; a repeated call and a refused one announce none', async () => {
  await fund(500n, 'BRL')
  const [from, to] = [await defaultOf('BRL'), await openWallet('BRL')]
  const body = {
    fromWalletId: from,
    toWalletId: to,
    amount: 120,
    metadata: { a: [1] },
    idempotencyKey: 'one-event',
  }
  const [before] = await base.sql<{ last: bigint }[]>`
    select max(sequence) as last from event where merchant_id = ${tenant.id}`
  const made = await transfer(body)
  assert.equal((await transfer(body, { nth: 1 })).body['id'], made.body['id'])
  assert.equal((await transfer({ ...body, idempotencyKey: 'no-event', amount: 9_000 })).status, 422)
  const { body: listed } = await request('GET', '/v1/events', {
    query: `?types=transfer.completed&after=${before?.last}`,
  })
  const events = (listed['data'] as readonly Row[]).filter(
    (each) => (each['data'] as Row)['toWalletId'] === to,
  )
  assert.deepEqual(
    events.map((each) => each['data']),
    [made.body],
  )
  assert.equal(events[0]?.['timestamp'], made.body['createdAt'])
  const { body: sent } = await request('GET', '/v1/events/{id}/deliveries', { id: String(events[0]?.['id']) })
  assert.deepEqual(sent['data'], [], 'no URL belongs to it')
})

test('the version of a wallet counts its changes without gaps, and nothing else', async () => {
  const id = await openWallet('USDT')
  const versionOf = async () => (await request('GET', '/v1/wallets/{id}', { id })).body['version']
  const change = async (body: Row) =>
    (await request('PATCH', '/v1/wallets/{id}', { id, body })).body['version']
  const { body: listed } = await request('GET', '/v1/events', { query: '?types=wallet.created&limit=100' })
  const created = (listed['data'] as readonly Row[]).map((each) => each['data'] as Row)
  assert.equal(created.find((each) => each['id'] === id)?.['version'], 1)
  assert.equal(await change({ label: 'Renamed' }), 2)
  assert.equal(await change({ label: 'Renamed' }), 2, 'nothing changed')
  assert.equal(await change({ label: 'Again', isActive: false }), 3)
  assert.equal(await change({ isActive: true }), 4)
  const was = await defaultOf('USDT')
  assert.equal((await makeDefaultWallet(base.sql, id as WalletId)).kind, 'changed')
  assert.equal(await versionOf(), 5)
  assert.equal((await makeDefaultWallet(base.sql, was as WalletId)).kind, 'changed')
  assert.equal(await versionOf(), 6)
  await fund(50n, 'USDT')
  await transfer({ fromWalletId: was, toWalletId: id, amount: 50 })
  assert.equal(await versionOf(), 6, 'balances change without it')
})
