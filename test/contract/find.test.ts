// Lists find records by what a merchant knows of them: each filter alone, combined, over pages, and only the merchant's own.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { PaymentId } from '#/kernel/id.ts'
import { createMetadataFiller } from '#/finding/fill.ts'
import { silentLog } from '#/kernel/log.ts'
import { assertDocumented } from './document.ts'
import {
  openSite,
  paymentBody,
  withdrawalBody,
  type Answer,
  type Api,
  type Site,
  type Tenant,
} from './site.ts'

type Row = Readonly<Record<string, unknown>>

let site: Site
let api: Api

before(async () => {
  site = await openSite()
  api = await site.openApi()
})
after(() => site.close())

async function create(tenant: Tenant, more: Row = {}): Promise<string> {
  const answer = await api.ask('POST', '/v1/payments', { key: tenant.key, body: paymentBody(more) })
  assert.equal(answer.status, 201, answer.text)
  return String(answer.body['id'])
}

async function get(
  tenant: Tenant,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const search = new URLSearchParams(query).toString()
  const answer = await api.ask('GET', `${path}?${search}`, { key: tenant.key })
  assertDocumented('GET', path, answer)
  return answer
}

/** The ids of the whole list, page by page, and how many rows each page had. */
async function listed(
  tenant: Tenant,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<{ readonly ids: readonly string[]; readonly pages: readonly number[] }> {
  const ids: string[] = []
  const pages: number[] = []
  for (let cursor: string | undefined; ;) {
    const answer = await get(tenant, path, { ...query, ...(cursor === undefined ? {} : { cursor }) })
    assert.equal(answer.status, 200, answer.text)
    const rows = answer.body['data'] as readonly Row[]
    ids.push(...rows.map(({ id }) => String(id)))
    pages.push(rows.length)
    cursor = answer.body['nextCursor'] as string | undefined
    if (cursor === undefined) return { ids, pages }
  }
}

async function idsOf(tenant: Tenant, query: Readonly<Record<string, string>>, path = '/v1/payments') {
  return (await listed(tenant, path, query)).ids
}

async function refused(tenant: Tenant, query: Readonly<Record<string, string>>, path = '/v1/payments') {
  const answer = await get(tenant, path, query)
  const [fault] = (answer.body['errors'] ?? []) as readonly { pointer: string; code: string }[]
  return [answer.status, fault?.pointer, fault?.code]
}

async function declare(tenant: Tenant, ...keys: readonly string[]): Promise<Answer> {
  const answer = await api.ask('PUT', '/v1/metadata-keys', { key: tenant.key, body: { keys } })
  assertDocumented('PUT', '/v1/metadata-keys', answer)
  return answer
}

async function keysOf(tenant: Tenant): Promise<readonly (readonly [string, string])[]> {
  const answer = await get(tenant, '/v1/metadata-keys')
  return (answer.body['data'] as readonly { key: string; status: string }[]).map(({ key, status }) => [
    key,
    status,
  ])
}

const filler = (batch = 500) => createMetadataFiller({ sql: site.sql, log: silentLog, batch, settledMs: 0 })

/** Declares keys and fills them in. */
async function ready(tenant: Tenant, ...keys: readonly string[]): Promise<void> {
  assert.equal((await declare(tenant, ...keys)).status, 200)
  while ((await filler().once()) > 0);
  assert.ok((await keysOf(tenant)).every(([, status]) => status === 'READY'))
}

describe('payments', () => {
  test('are found by the customer’s e-mail address, whatever its capitals, and not by another’s', async () => {
    const [tenant, other] = [await site.openTenant(), await site.openTenant()]
    const first = await create(tenant, { customerEmail: 'Ana.Silva@Example.com' })
    const second = await create(tenant, { customerEmail: 'ana.silva@example.com' })
    await create(tenant, { customerEmail: 'bia@example.com' })
    await create(tenant)
    await create(other, { customerEmail: 'ana.silva@example.com' })
    assert.deepEqual(await idsOf(tenant, { customerEmail: 'ANA.SILVA@example.com' }), [second, first])
    assert.deepEqual(await idsOf(tenant, { customerEmail: 'nobody@example.com' }), [])
    for (const customerEmail of ['', 'ana', 'a b@c', `${'x'.repeat(300)}@y`])
      assert.deepEqual((await refused(tenant, { customerEmail })).slice(0, 2), [400, '/customerEmail'])
  })

  test('are found by the customer’s tax id, with or without its mask, also one with letters', async () => {
    const tenant = await site.openTenant()
    const person = await create(tenant, { customerTaxId: '529.982.247-25' })
    const company = await create(tenant, { customerTaxId: '12.ABC.345/01DE-35' })
    for (const customerTaxId of ['52998224725', '529.982.247-25'])
      assert.deepEqual(await idsOf(tenant, { customerTaxId }), [person])
    for (const customerTaxId of ['12abc34501de35', '12.ABC.345/01DE-35'])
      assert.deepEqual(await idsOf(tenant, { customerTaxId }), [company])
    assert.deepEqual(await refused(tenant, { customerTaxId: '529.982.247-26' }), [
      400,
      '/customerTaxId',
      'malformed',
    ])
    assert.deepEqual((await refused(tenant, { customerTaxId: '5299' }))[0], 400)
  })

  test('are found by what the payer of a checkout entered, where the merchant gave nothing', async () => {
    const tenant = await site.openTenant()
    const [entered, both] = [
      await create(tenant),
      await create(tenant, { customerEmail: 'shop@example.com' }),
    ]
    const payer = JSON.stringify({ email: 'Payer@Example.com', taxId: '52998224725' })
    await site.sql`update payment set payer = ${payer}::text::json where merchant_id = ${tenant.id}`
    assert.deepEqual(await idsOf(tenant, { customerEmail: 'payer@example.com' }), [entered])
    assert.deepEqual(await idsOf(tenant, { customerEmail: 'shop@example.com' }), [both])
    assert.deepEqual(await idsOf(tenant, { customerTaxId: '52998224725' }), [both, entered])
  })

  test('are found by their exact amount', async () => {
    const tenant = await site.openTenant()
    const [small, large] = [
      await create(tenant, { amount: 999 }),
      await create(tenant, { amount: 9_007_199_254_740_991 }),
    ]
    assert.deepEqual(await idsOf(tenant, { amount: '999' }), [small])
    assert.deepEqual(await idsOf(tenant, { amount: '9007199254740991' }), [large])
    assert.deepEqual(await idsOf(tenant, { amount: '998' }), [])
    for (const amount of ['0', '-1', '1.5', '9007199254740992', 'ten', ''])
      assert.deepEqual((await refused(tenant, { amount })).slice(0, 2), [400, '/amount'], amount)
  })

  test('are found by each exception, by several, and by one among many others', async () => {
    const tenant = await site.openTenant()
    const under = await create(tenant)
    const over = await create(tenant)
    const twice = await create(tenant)
    await create(tenant)
    await site.settlePayment(tenant.id, under as PaymentId, 1n)
    await site.settlePayment(tenant.id, over as PaymentId, 5_000n)
    await site.settlePayment(tenant.id, twice as PaymentId, 5_000n)
    await site.settlePayment(tenant.id, twice as PaymentId, 1_234n)
    const shown = (await get(tenant, '/v1/payments')).body['data'] as readonly Row[]
    for (const exception of [
      'UNDERPAID',
      'OVERPAID',
      'LATE',
      'DUPLICATE',
      'LATE,UNDERPAID',
      'DUPLICATE,OVERPAID,LATE',
    ]) {
      const wanted = exception.split(',')
      const expected = shown.filter(({ exceptions }) =>
        (exceptions as string[]).some((each) => wanted.includes(each)),
      )
      assert.deepEqual(
        await idsOf(tenant, { exception }),
        expected.map(({ id }) => id),
        exception,
      )
    }
    assert.deepEqual(await idsOf(tenant, { exception: 'OVERPAID' }), [twice, over])
    assert.deepEqual(await idsOf(tenant, { exception: 'DUPLICATE' }), [twice])
    assert.deepEqual(await refused(tenant, { exception: 'EARLY' }), [400, '/exception', 'not_allowed'])
    assert.equal((await refused(tenant, { exception: 'LATE,' }))[0], 400)
  })

  test('a transaction and an end-to-end id of the wrong shape are refused, and unknown ones find nothing', async () => {
    const tenant = await site.openTenant()
    assert.deepEqual(await idsOf(tenant, { txHash: `0x${'aB'.repeat(32)}` }), [])
    assert.deepEqual(await idsOf(tenant, { endToEndId: 'E00038166201907261559y6j6mt9l0pi' }), [])
    for (const txHash of ['', 'ab'.repeat(32), `0x${'ab'.repeat(31)}`, `0x${'xy'.repeat(32)}`])
      assert.deepEqual((await refused(tenant, { txHash })).slice(0, 2), [400, '/txHash'], txHash)
    for (const endToEndId of ['', 'E1 2', 'E'.repeat(41)])
      assert.deepEqual((await refused(tenant, { endToEndId })).slice(0, 2), [400, '/endToEndId'], endToEndId)
  })

  test('filters combine with each other, with state, currency and time, and over pages without gaps or repeats', async () => {
    const tenant = await site.openTenant()
    const customerEmail = 'many@example.com'
    const ids: string[] = []
    for (let n = 0; n < 23; n += 1)
      ids.push(
        await create(tenant, {
          amount: 100 + (n % 2),
          currency: n % 3 === 0 ? 'USD' : 'USDT',
          ...(n % 5 === 4 ? {} : { customerEmail }),
        }),
      )
    for (const id of ids.filter((_, n) => n % 4 === 0))
      await api.ask('POST', `/v1/payments/${id}/cancel`, { key: tenant.key })
    const all: readonly Row[] = (await get(tenant, '/v1/payments', { limit: '100' })).body[
      'data'
    ] as readonly Row[]
    const middle = String(all[10]?.['createdAt'])
    for (const [query, fits] of [
      [{ customerEmail }, (row: Row) => row['customerEmail'] === customerEmail],
      [{ amount: '101' }, (row: Row) => row['amount'] === 101],
      [
        { customerEmail, amount: '101' },
        (row: Row) => row['customerEmail'] === customerEmail && row['amount'] === 101,
      ],
      [
        { customerEmail, status: 'CANCELED' },
        (row: Row) => row['customerEmail'] === customerEmail && row['status'] === 'CANCELED',
      ],
      [
        { customerEmail, currency: 'USD', method: 'CRYPTO', amount: '100' },
        (row: Row) =>
          row['customerEmail'] === customerEmail && row['currency'] === 'USD' && row['amount'] === 100,
      ],
      [{ customerEmail, method: 'PIX' }, () => false],
      [
        { amount: '100', from: middle },
        (row: Row) => row['amount'] === 100 && String(row['createdAt']) >= middle,
      ],
      [
        { amount: '100', to: middle },
        (row: Row) => row['amount'] === 100 && String(row['createdAt']) < middle,
      ],
    ] as const) {
      const expected = all.filter(fits).map(({ id }) => id)
      for (const limit of ['1', '3', '100'])
        assert.deepEqual(
          await idsOf(tenant, { ...query, limit }),
          expected,
          JSON.stringify({ ...query, limit }),
        )
    }
  })

  test('when few of many candidates fit, pages are short or empty and go on, and nothing is missed', async () => {
    const tenant = await site.openTenant()
    const rare = await create(tenant, { amount: 777 })
    await api.ask('POST', `/v1/payments/${rare}/cancel`, { key: tenant.key })
    await site.sql`
      insert into payment (merchant_id, id, idempotency_key, fingerprint, request, status, amount_minor, currency, methods, created_at)
      select merchant_id, gen_random_uuid(), 'k' || n, fingerprint, request, 'PAID', amount_minor, currency, methods, created_at
        from payment, generate_series(1, 1200) as n where id = ${rare}`
    // Random ids are of later times than ours, so these are the newer ones.
    await site.sql`
      update payment set id = ('ffff' || substr(id::text, 5))::uuid where merchant_id = ${tenant.id} and status = 'PAID'`
    const { ids, pages } = await listed(tenant, '/v1/payments', { amount: '777', status: 'CANCELED' })
    assert.deepEqual(ids, [rare])
    assert.deepEqual(pages, [0, 0, 1])
  })
})

describe('metadata', () => {
  test('a key that is not declared is refused with what to do; one that is filled in is refused for the time', async () => {
    const tenant = await site.openTenant()
    assert.deepEqual(await refused(tenant, { 'metadata[orderId]': 'A-1' }), [
      400,
      '/metadata',
      'not_declared',
    ])
    const answer = await get(tenant, '/v1/payments', { 'metadata[orderId]': 'A-1' })
    assert.match(String(answer.body['detail']), /PUT \/v1\/metadata-keys/)
    await declare(tenant, 'orderId')
    const filling = await get(tenant, '/v1/payments', { 'metadata[orderId]': 'A-1' })
    assert.deepEqual(
      [filling.status, filling.body['code'], filling.body['metadataKey']],
      [409, 'invalid_state', 'orderId'],
    )
    for (const query of [
      'metadata=x',
      'metadata[a]=1&metadata[a]=2',
      'metadata[]=1',
      'metadata[a]=1&metadata=1',
      'metadata[a]=%00',
    ])
      assert.equal((await api.ask('GET', `/v1/payments?${query}`, { key: tenant.key })).status, 400, query)
  })

  test('payments from before and after the declaration are found: texts, numbers as written, booleans; of this merchant', async () => {
    const [tenant, other] = [await site.openTenant(), await site.openTenant()]
    const bodies = [
      { orderId: 'A-1', n: 10.5 },
      { orderId: 'A-1', n: '10.5', ok: true },
      { orderId: 'A-2', ok: 'true' },
    ]
    const earlier = await Promise.all(bodies.map((metadata) => create(tenant, { metadata })))
    await create(tenant, {
      metadata: { orderId: null, n: [10.5], ok: { deep: true }, deep: { orderId: 'A-1' } },
    })
    await create(other, { metadata: { orderId: 'A-1' } })
    await ready(other, 'orderId')
    await ready(tenant, 'orderId', 'n', 'ok')
    const later = [await create(tenant, { metadata: { orderId: 'A-1', ok: true } }), await create(tenant)]
    const find = async (query: Readonly<Record<string, string>>) => new Set(await idsOf(tenant, query))
    // The default metadata of a payment has this order too.
    assert.deepEqual(await find({ 'metadata[orderId]': 'A-1' }), new Set([earlier[0], earlier[1], ...later]))
    assert.deepEqual(await find({ 'metadata[orderId]': 'A-2' }), new Set([earlier[2]]))
    assert.deepEqual(await find({ 'metadata[orderId]': 'a-1' }), new Set())
    assert.deepEqual(await find({ 'metadata[n]': '10.5' }), new Set([earlier[0], earlier[1]]))
    assert.deepEqual(await find({ 'metadata[n]': '10.50' }), new Set())
    assert.deepEqual(await find({ 'metadata[ok]': 'true' }), new Set([earlier[1], earlier[2], later[0]]))
    assert.deepEqual(
      await find({ 'metadata[ok]': 'true', 'metadata[orderId]': 'A-1' }),
      new Set([earlier[1], later[0]]),
    )
    assert.equal((await find({ 'metadata[orderId]': 'A-1', amount: '1234' })).size, 4)
    assert.equal((await find({ 'metadata[orderId]': 'A-1', status: 'PAID' })).size, 0)
    const paged = await listed(tenant, '/v1/payments', { 'metadata[orderId]': 'A-1', limit: '1' })
    assert.deepEqual(paged.ids, [...paged.ids].sort().reverse())
    assert.equal(new Set(paged.ids).size, 4)
  })

  test('keys are at most five, each once and of bounded length; the same list again changes nothing', async () => {
    const tenant = await site.openTenant()
    assert.equal((await declare(tenant, '1', '2', '3', '4', '5', '6')).status, 400)
    assert.equal((await declare(tenant, 'a', 'a')).status, 400)
    assert.equal((await declare(tenant, '')).status, 400)
    assert.equal((await declare(tenant, 'x'.repeat(65))).status, 400)
    assert.deepEqual(await keysOf(tenant), [])
    await ready(tenant, 'b', 'a]"\\', 'ü')
    const before = (await get(tenant, '/v1/metadata-keys')).text
    assert.equal((await declare(tenant, 'ü', 'a]"\\', 'b')).status, 200)
    assert.equal((await get(tenant, '/v1/metadata-keys')).text, before)
    const id = await create(tenant, { metadata: { 'a]"\\': 'x' } })
    assert.deepEqual(await idsOf(tenant, { 'metadata[a]"\\]': 'x' }), [id])
  })

  test('a key that is taken from the list is refused at once, its values are cleared away, and it can be declared anew', async () => {
    const tenant = await site.openTenant()
    const id = await create(tenant, { metadata: { orderId: 'A-9', keep: 'k' } })
    await ready(tenant, 'orderId', 'keep')
    await declare(tenant, 'keep')
    assert.deepEqual(await refused(tenant, { 'metadata[orderId]': 'A-9' }), [
      400,
      '/metadata',
      'not_declared',
    ])
    assert.deepEqual(await idsOf(tenant, { 'metadata[keep]': 'k' }), [id])
    const values = async () => {
      const [row] = await site.sql<{ count: number }[]>`
        select count(*)::integer as count from metadata_value where merchant_id = ${tenant.id}`
      return row?.count
    }
    // It waits for transactions that know the key, and then it is due.
    assert.equal(await filler().once(), 0)
    assert.equal(await values(), 2)
    await site.sql`update metadata_key set due_at = now() where merchant_id = ${tenant.id} and status = 'REMOVING'`
    await ready(tenant, 'keep', 'orderId')
    assert.equal(await values(), 2)
    assert.deepEqual(await idsOf(tenant, { 'metadata[orderId]': 'A-9' }), [id])
    const left =
      await site.sql`select from metadata_key where merchant_id = ${tenant.id} and status = 'REMOVING'`
    assert.equal(left.length, 0)
  })

  test('taking keys from the list again and again is refused until the values of earlier ones are cleared away', async () => {
    const tenant = await site.openTenant()
    const statuses: number[] = []
    for (let n = 0; n < 12; n += 1) statuses.push((await declare(tenant, `key-${n}`)).status)
    assert.deepEqual(statuses, [...Array.from({ length: 11 }, () => 200), 409])
    assert.deepEqual(await keysOf(tenant), [['key-10', 'FILLING']])
  })

  test('a key with the scope of reading alone lists the keys, and declares none', async () => {
    const tenant = await site.openTenant()
    const { key } = await site.issue(tenant.id, ['payments:read'])
    assert.equal((await api.ask('GET', '/v1/metadata-keys', { key })).status, 200)
    assert.equal((await api.ask('PUT', '/v1/metadata-keys', { key, body: { keys: ['a'] } })).status, 403)
  })
})

describe('withdrawals', () => {
  test('are found by metadata, amount, destination, end-to-end id and transaction', async () => {
    const [tenant, other] = [await site.openTenant(), await site.openTenant()]
    for (const each of [tenant, other]) await site.fund(each, 100_000n)
    const withdraw = async (of: Tenant, more: Row) => {
      const answer = await api.ask('POST', '/v1/withdrawals', { key: of.key, body: withdrawalBody(more) })
      assert.equal(answer.status, 201, answer.text)
      return String(answer.body['id'])
    }
    const mail = await withdraw(tenant, { metadata: { invoice: 77 } })
    await ready(tenant, 'invoice')
    const phone = await withdraw(tenant, {
      amount: 250,
      pixKey: '+5511987654321',
      pixKeyType: 'PHONE',
      metadata: { invoice: '77' },
    })
    const person = await withdraw(tenant, { amount: 250, pixKey: '529.982.247-25', pixKeyType: 'CPF' })
    await withdraw(other, { amount: 250, metadata: { invoice: '77' } })
    const find = (query: Readonly<Record<string, string>>) => idsOf(tenant, query, '/v1/withdrawals')
    assert.deepEqual(await find({ 'metadata[invoice]': '77' }), [phone, mail])
    assert.deepEqual(await find({ 'metadata[invoice]': '77', amount: '250' }), [phone])
    assert.deepEqual(await find({ amount: '250' }), [person, phone])
    assert.deepEqual(await find({ amount: '250', limit: '1' }), [person, phone])
    assert.deepEqual(await find({ amount: '250', status: 'PENDING', currency: 'BRL', type: 'PIX' }), [
      person,
      phone,
    ])
    assert.deepEqual(await find({ amount: '250', status: 'FAILED' }), [])
    assert.deepEqual(await find({ pixKey: 'ANA@example.com' }), [mail])
    assert.deepEqual(await find({ pixKey: '(11) 98765-4321' }), [phone])
    assert.deepEqual(await find({ pixKey: '52998224725' }), [person])
    assert.deepEqual(await find({ pixKey: 'bia@example.com' }), [])
    const address = '0x52908400098527886E0F7030069857D2E4169EE7'
    assert.deepEqual(await find({ cryptoAddress: address.toLowerCase().replace('0x', '0x') }), [])
    const txHash = `0x${'ab'.repeat(32)}`
    await site.sql`update withdrawal set end_to_end_id = 'E123' where id in (${mail}, ${phone})`
    await site.sql`
      update withdrawal set tx_hash = ${txHash}, destination = ${JSON.stringify({ text: address })}::text::json where id = ${person}`
    assert.deepEqual(await find({ endToEndId: 'E123' }), [phone, mail])
    assert.deepEqual(await find({ endToEndId: 'e123' }), [])
    assert.deepEqual(await find({ txHash: txHash.toUpperCase().replace('0X', '0x') }), [person])
    assert.deepEqual(await find({ cryptoAddress: address.toLowerCase() }), [person])
    assert.deepEqual(await find({ txHash, amount: '100' }), [])
    const bad = async (query: Readonly<Record<string, string>>) =>
      (await refused(tenant, query, '/v1/withdrawals')).slice(0, 2)
    assert.deepEqual(await bad({ pixKey: 'ana' }), [400, '/pixKey'])
    assert.deepEqual(await bad({ cryptoAddress: '0x12' }), [400, '/cryptoAddress'])
    assert.deepEqual(await bad({ 'metadata[orderId]': 'x' }), [400, '/metadata'])
  })
})
