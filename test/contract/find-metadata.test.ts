// Lists find records by keys of metadata that a merchant has declared, once earlier records are filled in.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openForTests } from '../open-for-tests.ts'
import { openFinding } from './finding.ts'

const finding = openForTests(openFinding)

describe('metadata', () => {
  test('a key that is not declared is refused with what to do; one that is filled in is refused for the time', async () => {
    const tenant = await finding.base.openTenant()
    assert.deepEqual(await finding.refused(tenant, { 'metadata[orderId]': 'A-1' }), [
      400,
      '/metadata',
      'not_declared',
    ])
    const answer = await finding.get(tenant, '/v1/payments', { 'metadata[orderId]': 'A-1' })
    assert.match(String(answer.body['detail']), /PUT \/v1\/metadata-keys/)
    await finding.declare(tenant, 'orderId')
    const filling = await finding.get(tenant, '/v1/payments', { 'metadata[orderId]': 'A-1' })
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
      assert.equal(
        (await finding.api.ask('GET', `/v1/payments?${query}`, { key: tenant.key })).status,
        400,
        query,
      )
  })

  test('payments from before and after the declaration are found: texts, numbers as written, booleans; of this merchant', async () => {
    const [tenant, other] = [await finding.base.openTenant(), await finding.base.openTenant()]
    const bodies = [
      { orderId: 'A-1', n: 10.5 },
      { orderId: 'A-1', n: '10.5', ok: true },
      { orderId: 'A-2', ok: 'true' },
    ]
    const earlier = await Promise.all(bodies.map((metadata) => finding.create(tenant, { metadata })))
    await finding.create(tenant, {
      metadata: { orderId: null, n: [10.5], ok: { deep: true }, deep: { orderId: 'A-1' } },
    })
    await finding.create(other, { metadata: { orderId: 'A-1' } })
    await finding.ready(other, 'orderId')
    await finding.ready(tenant, 'orderId', 'n', 'ok')
    const later = [
      await finding.create(tenant, { metadata: { orderId: 'A-1', ok: true } }),
      await finding.create(tenant),
    ]
    const find = async (query: Readonly<Record<string, string>>) =>
      new Set(await finding.idsOf(tenant, query))
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
    const paged = await finding.listed(tenant, '/v1/payments', { 'metadata[orderId]': 'A-1', limit: '1' })
    assert.deepEqual(paged.ids, [...paged.ids].sort().reverse())
    assert.equal(new Set(paged.ids).size, 4)
  })

  test('keys are at most five, each once and of bounded length; the same list again changes nothing', async () => {
    const tenant = await finding.base.openTenant()
    assert.equal((await finding.declare(tenant, '1', '2', '3', '4', '5', '6')).status, 400)
    assert.equal((await finding.declare(tenant, 'a', 'a')).status, 400)
    assert.equal((await finding.declare(tenant, '')).status, 400)
    assert.equal((await finding.declare(tenant, 'x'.repeat(65))).status, 400)
    assert.deepEqual(await finding.keysOf(tenant), [])
    await finding.ready(tenant, 'b', 'a]"\\', 'ü')
    const before = (await finding.get(tenant, '/v1/metadata-keys')).text
    assert.equal((await finding.declare(tenant, 'ü', 'a]"\\', 'b')).status, 200)
    assert.equal((await finding.get(tenant, '/v1/metadata-keys')).text, before)
    const id = await finding.create(tenant, { metadata: { 'a]"\\': 'x' } })
    assert.deepEqual(await finding.idsOf(tenant, { 'metadata[a]"\\]': 'x' }), [id])
  })

  test('a key that is taken from the list is refused at once, its values are cleared away, and it can be declared anew', async () => {
    const tenant = await finding.base.openTenant()
    const id = await finding.create(tenant, { metadata: { orderId: 'A-9', keep: 'k' } })
    await finding.ready(tenant, 'orderId', 'keep')
    await finding.declare(tenant, 'keep')
    assert.deepEqual(await finding.refused(tenant, { 'metadata[orderId]': 'A-9' }), [
      400,
      '/metadata',
      'not_declared',
    ])
    assert.deepEqual(await finding.idsOf(tenant, { 'metadata[keep]': 'k' }), [id])
    const values = async () => {
      const [row] = await finding.base.sql<{ count: number }[]>`
        select count(*)::integer as count from metadata_value where merchant_id = ${tenant.id}`
      return row?.count
    }
    // It waits for transactions that know the key, and then it is due.
    assert.equal(await finding.filler().once(), 0)
    assert.equal(await values(), 2)
    await finding.base
      .sql`update metadata_key set due_at = now() - interval '1 second' where merchant_id = ${tenant.id} and status = 'REMOVING'`
    await finding.ready(tenant, 'keep', 'orderId')
    assert.equal(await values(), 2)
    assert.deepEqual(await finding.idsOf(tenant, { 'metadata[orderId]': 'A-9' }), [id])
    const left = await finding.base
      .sql`select from metadata_key where merchant_id = ${tenant.id} and status = 'REMOVING'`
    assert.equal(left.length, 0)
  })

  test('taking keys from the list again and again is refused until the values of earlier ones are cleared away', async () => {
    const tenant = await finding.base.openTenant()
    const statuses: number[] = []
    for (let n = 0; n < 12; n += 1) statuses.push((await finding.declare(tenant, `key-${n}`)).status)
    assert.deepEqual(statuses, [...Array.from({ length: 11 }, () => 200), 409])
    assert.deepEqual(await finding.keysOf(tenant), [['key-10', 'FILLING']])
  })

  test('a key with the scope of reading alone lists the keys, and declares none', async () => {
    const tenant = await finding.base.openTenant()
    const { key } = await finding.base.issue(tenant.id, ['payments:read'])
    assert.equal((await finding.api.ask('GET', '/v1/metadata-keys', { key })).status, 200)
    assert.equal(
      (await finding.api.ask('PUT', '/v1/metadata-keys', { key, body: { keys: ['a'] } })).status,
      403,
    )
  })
})
