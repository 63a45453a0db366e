// The request log: what a call leaves in it, who reads it, how many are kept, and that it never stands in the way of a call.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connect } from '#/db/client.ts'
import type { Log } from '#/kernel/log.ts'
import { silentLog } from '#/kernel/log.ts'
import { createRequestLog, type RequestLog, type RequestLogOptions } from '#/requests/log.ts'
import { eventually } from '../eventually.ts'
import { startTcpProxy } from '../tcp-proxy.ts'
import { assertDocumented } from './document.ts'
import { openApiWorld, paymentBody, type Api, type ApiWorld, type Tenant } from './world.ts'

type Entry = Readonly<Record<string, unknown>>

let base: ApiWorld
let api: Api
let requestLog: RequestLog
const opened: RequestLog[] = []

before(async () => {
  base = await openApiWorld()
  requestLog = openLog()
  api = await base.openApi({ requestLog })
})
after(async () => {
  for (const each of opened) await each.close()
  await base.close()
})

function openLog(more: Partial<RequestLogOptions> = {}): RequestLog {
  const openSql = () => connect(base.appUrl, { max: 1 })
  const log = createRequestLog({ openSql, log: silentLog, keep: 10_000, waitMs: 10, ...more })
  opened.push(log)
  return log
}

async function read(key: string, query = '', at: Api = api) {
  const answer = await at.ask('GET', `/v1/requests${query}`, { key })
  assert.equal(answer.status, 200, answer.text)
  assertDocumented('GET', '/v1/requests', answer)
  const { data, nextCursor } = answer.body as { data: readonly Entry[]; nextCursor?: string }
  return { data, nextCursor }
}

/** Reads with a key whose own calls are not in the list, until as many calls are there. */
async function settled(tenant: Tenant, calls: number, at: Api = api): Promise<readonly Entry[]> {
  const reader = await base.issue(tenant.id, ['requests:read'])
  return eventually(`${calls} calls`, async () => {
    const { data } = await read(reader.key, `?keyId=${tenant.keyId}&limit=100`, at)
    return data.length >= calls && data
  })
}

test('an entry names method, path, status, problem, time, key and request, and nothing of bodies, queries or headers', async () => {
  const tenant = await base.openTenant()
  const startedAt = Date.now()
  const created = await api.ask('POST', '/v1/payments', {
    key: tenant.key,
    body: paymentBody({ customerEmail: 'ana@example.com' }),
    headers: { 'x-request-id': 'shop-1' },
  })
  const { id } = created.body as { id: string }
  await api.ask('GET', `/v1/payments/${id.toUpperCase()}`, { key: tenant.key })
  await api.ask('HEAD', '/v1/payments?limit=7', { key: tenant.key })
  await api.ask('GET', '/v1/payments/ana@example.com', { key: tenant.key })
  await api.ask('POST', '/v1/payments', { key: tenant.key, body: paymentBody({ amount: -1 }) })
  await api.ask('POST', '/v1/payments', { key: tenant.key, raw: 'secret-body{' })
  const entries = (await settled(tenant, 6)).toReversed()
  assert.deepEqual(
    entries.map((entry) => [entry['method'], entry['path'], entry['status'], entry['code']]),
    [
      ['POST', '/v1/payments', 201, undefined],
      ['GET', `/v1/payments/${id}`, 200, undefined],
      ['HEAD', '/v1/payments', 200, undefined],
      ['GET', '/v1/payments/{id}', 404, 'not_found'],
      ['POST', '/v1/payments', 400, 'invalid_request'],
      ['POST', '/v1/payments', 400, 'invalid_request'],
    ],
  )
  const [first = {}] = entries
  assert.deepEqual(Object.keys(first).sort(), [
    'durationMs',
    'keyId',
    'method',
    'path',
    'receivedAt',
    'requestId',
    'status',
  ])
  assert.equal(first['requestId'], 'shop-1')
  const receivedAt = Date.parse(String(first['receivedAt']))
  assert.ok(receivedAt >= startedAt - 60_000 && receivedAt <= Date.now() + 60_000)
  for (const entry of entries) assert.equal(entry['keyId'], tenant.keyId)
  const [row] = await base.sql<{ text: string }[]>`
    select string_agg(lines, '') as text from request_chunk where merchant_id = ${tenant.id}`
  for (const absent of ['ana@', 'secret-body', 'limit', tenant.key])
    assert.ok(!row?.text.includes(absent), absent)
})

test('a call that is refused for its scope or its rate is there; one without a valid key, or to no route, is not', async () => {
  const log = openLog()
  const limited = await base.openApi({ requestLog: log, rateLimit: { perSecond: 0.001, burst: 2 } })
  const tenant = await base.openTenant()
  const narrow = await base.issue(tenant.id, ['wallets:read'])
  const ask = (path: string) => limited.ask('GET', path, { key: narrow.key })
  assert.equal((await ask('/v1/payments')).status, 403)
  assert.equal((await limited.ask('GET', '/v1/payments', { key: `${narrow.key}x` })).status, 401)
  assert.equal((await limited.ask('GET', '/v1/payments')).status, 401)
  assert.equal((await ask('/v1/nothing')).status, 404)
  assert.equal((await ask('/v1/wallets')).status, 200)
  assert.equal((await ask('/v1/wallets')).status, 429)
  const entries = await settled({ ...tenant, keyId: narrow.id }, 3)
  assert.deepEqual(
    entries.map((entry) => [entry['status'], entry['code']]),
    [
      [429, 'rate_limited'],
      [200, undefined],
      [403, 'forbidden'],
    ],
  )
  assert.equal((await limited.ask('GET', '/v1/requests', { key: tenant.key })).status, 200)
  const refused = await api.ask('GET', '/v1/requests', { key: narrow.key })
  assert.deepEqual([refused.status, refused.body['scope']], [403, 'requests:read'])
})

test('a call whose caller went away before the answer has no status', async () => {
  const tenant = await base.openTenant()
  await base.sql.begin(async (tx) => {
    await tx`select 1 from head for update`
    const leaving = AbortSignal.timeout(300)
    const posting = fetch(`${api.url}/v1/withdrawals`, {
      method: 'POST',
      headers: { apikey: tenant.key, 'content-type': 'application/json' },
      body: JSON.stringify({
        type: 'PIX',
        amount: 1,
        currency: 'BRL',
        pixKey: 'a@b.com',
        pixKeyType: 'EMAIL',
      }),
      signal: leaving,
    })
    await assert.rejects(posting, { name: 'TimeoutError' })
  })
  const [entry] = await settled(tenant, 1)
  assert.deepEqual(
    [entry?.['path'], entry?.['status'], entry?.['code']],
    ['/v1/withdrawals', undefined, undefined],
  )
})

test('another merchant’s calls are in another log', async () => {
  const [one, other] = [await base.openTenant(), await base.openTenant()]
  await api.ask('GET', '/v1/wallets', { key: one.key })
  await api.ask('GET', '/v1/me', { key: other.key })
  assert.deepEqual(
    (await settled(one, 1)).map((entry) => entry['path']),
    ['/v1/wallets'],
  )
  assert.deepEqual(
    (await settled(other, 1)).map((entry) => entry['path']),
    ['/v1/me'],
  )
  assert.deepEqual((await read(one.key, `?keyId=${other.keyId}`)).data, [])
})

test('filters narrow the list by status, problem, method, key and span, and pages hold each call once', async () => {
  const tenant = await base.openTenant()
  const second = await base.issue(tenant.id, ['wallets:read'])
  for (let nth = 0; nth < 5; nth += 1) await api.ask('GET', '/v1/wallets', { key: tenant.key })
  await api.ask('HEAD', '/v1/wallets', { key: tenant.key })
  await api.ask('GET', '/v1/wallets?limit=0', { key: tenant.key })
  await api.ask('GET', `/v1/payments/${tenant.id}`, { key: tenant.key })
  await api.ask('GET', '/v1/wallets', { key: second.key })
  const all = await settled(tenant, 8)
  await settled({ ...tenant, keyId: second.id }, 1)
  const of = (query: string) => read(tenant.key, `?keyId=${tenant.keyId}&limit=100&${query}`)
  const paths = async (query: string) => (await of(query)).data.map((entry) => entry['path'])
  assert.deepEqual(await paths('code=not_found'), [`/v1/payments/${tenant.id}`])
  assert.deepEqual((await paths('statusClass=4XX')).length, 2)
  assert.deepEqual(await paths('statusClass=5XX'), [])
  assert.deepEqual(await paths('method=HEAD'), ['/v1/wallets'])
  assert.equal((await read(tenant.key, `?keyId=${second.id.toUpperCase()}`)).data.length, 1)

  const instants = all.map((entry) => String(entry['receivedAt']))
  assert.deepEqual(instants, instants.toSorted().toReversed(), 'newest first')
  const [newest = '', oldest = ''] = [instants[0], instants.at(-1)]
  const within = await of(`statusClass=2XX&from=${oldest}&to=${newest}`)
  assert.deepEqual(
    within.data.map((entry) => entry['receivedAt']),
    all
      .filter((entry) => Number(entry['status']) < 300)
      .map((entry) => entry['receivedAt'])
      .filter((at) => String(at) < newest),
  )
  const paged: Entry[] = []
  let cursor = ''
  do {
    const page = await read(tenant.key, `?keyId=${tenant.keyId}&to=${newest}&limit=2${cursor}`)
    assert.ok(page.data.length <= 2)
    paged.push(...page.data)
    cursor = page.nextCursor === undefined ? '' : `&cursor=${page.nextCursor}`
  } while (cursor !== '')
  assert.deepEqual(
    paged,
    all.filter((entry) => String(entry['receivedAt']) < newest),
  )

  for (const wrong of [
    'cursor=x',
    'statusClass=4',
    'code=none',
    'method=TRACE',
    'keyId=x',
    'from=x',
    'status=200',
  ])
    assert.equal((await api.ask('GET', `/v1/requests?${wrong}`, { key: tenant.key })).status, 400, wrong)
})

test('of a merchant no more than the last calls are kept, however they were written', async () => {
  const log = openLog({ keep: 5, waitMs: 1 })
  const small = await base.openApi({ requestLog: log })
  const tenant = await base.openTenant()
  for (let nth = 0; nth < 12; nth += 1) {
    await small.ask('GET', '/v1/wallets', { key: tenant.key, headers: { 'x-request-id': `call-${nth}` } })
    // Each call is written before the next one, so each has a chunk of its own.
    if (nth < 8) await eventually('it is written', async () => (await written(tenant)) === BigInt(nth + 1))
  }
  await eventually('all are written', async () => (await written(tenant)) === 12n)
  const reader = await base.issue(tenant.id, ['requests:read'])
  const { data } = await read(reader.key, '', small)
  const last = ['call-11', 'call-10', 'call-9', 'call-8', 'call-7']
  assert.deepEqual(
    data.map((entry) => entry['requestId']),
    last,
  )
  const [kept] = await base.sql<{ chunks: bigint; calls: bigint }[]>`
    select count(*) as chunks, sum(calls) as calls from request_chunk where merchant_id = ${tenant.id}`
  assert.ok(Number(kept?.chunks) <= 5, 'chunks without one of the last calls are gone')
})

async function written({ id }: Tenant): Promise<bigint> {
  const [row] = await base.sql<{ written: bigint }[]>`
    select written from request_count where merchant_id = ${id}`
  return row?.written ?? 0n
}

test('several processes write at a time, and every call is in the list once', async () => {
  const apis = await Promise.all([1, 2, 3].map(() => base.openApi({ requestLog: openLog({ waitMs: 2 }) })))
  const tenants = [await base.openTenant(), await base.openTenant()]
  const ids = Array.from({ length: 90 }, (_none, nth) => `call-${nth}`)
  await Promise.all(
    ids.map((requestId, nth) =>
      apis[nth % 3]?.ask('GET', '/v1/me', {
        key: tenants[nth % 2]?.key ?? '',
        headers: { 'x-request-id': requestId },
      }),
    ),
  )
  for (const [which, tenant] of tenants.entries()) {
    const entries = await settled(tenant, 45)
    const wanted = ids.filter((_id, nth) => nth % 2 === which).toSorted()
    assert.deepEqual(entries.map((entry) => String(entry['requestId'])).toSorted(), wanted)
    const [kept] = await base.sql<{ calls: bigint; written: bigint }[]>`
      select sum(calls) as calls, (select written from request_count where merchant_id = ${tenant.id}) as written
        from request_chunk where merchant_id = ${tenant.id}`
    assert.equal(kept?.calls, kept?.written)
  }
})

for (const greeting of ['by closing', 'with silence'] as const) {
  test(`with a database that answers ${greeting}, calls are answered as ever, and their entries are dropped`, async () => {
    await using proxy = await startTcpProxy(base.appUrl)
    const warnings: { readonly calls: number }[] = []
    const warn: Log['warn'] = (fields: unknown) => void warnings.push(fields as { calls: number })
    const log = { ...silentLog, warn }
    const away = openLog({
      openSql: () => connect(proxy.url, { max: 1, transactionSeconds: 1, connectTimeoutSeconds: 1 }),
      log,
      bytesMax: 2_000,
    })
    const at = await base.openApi({ requestLog: away })
    const tenant = await base.openTenant()
    proxy.greet(greeting)
    let calls = 0
    const call = async () => {
      calls += 1
      assert.equal((await at.ask('GET', '/v1/me', { key: tenant.key })).status, 200)
    }
    for (let nth = 0; nth < 60; nth += 1) await call()
    await eventually('a warning', () => warnings.length > 0)
    assert.equal(await written(tenant), 0n)
    proxy.greet('well')
    proxy.cutAll()
    await eventually('it is written again', async () => {
      await call()
      return (await written(tenant)) > 0n
    })
    await away.close()
    const missing = warnings.reduce((sum, each) => sum + each.calls, 0)
    assert.ok(missing > 0)
    assert.equal(Number(await written(tenant)), calls - missing, 'each is written, or counted as missing')
  })
}

test('what waits is written when the process ends', async () => {
  const log = openLog({ waitMs: 3_600_000 })
  const at = await base.openApi({ requestLog: log })
  const tenant = await base.openTenant()
  await at.ask('GET', '/v1/wallets', { key: tenant.key })
  await log.close()
  assert.deepEqual(
    (await settled(tenant, 1)).map((entry) => entry['path']),
    ['/v1/wallets'],
  )
})

test('without a request log the list is empty', async () => {
  const without = await base.openApi()
  const tenant = await base.openTenant()
  await without.ask('GET', '/v1/wallets', { key: tenant.key })
  assert.deepEqual((await read(tenant.key, '', without)).data, [])
})
