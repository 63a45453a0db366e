// Keys that keys make, over HTTP: never beyond the rights of the calling key, shown once, and over within a second when they end.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { scopes } from '#/contract/keys.ts'
import { addMs, hourMs, systemClock } from '#/kernel/time.ts'
import { usualScopes } from '#/merchants/api-key.ts'
import { keysMax } from '#/merchants/managed-keys.ts'
import { codeOf, faultsOf, holder, openKeyWorld, type Holder, type Row } from '../key-world.ts'
import { openForTests } from '../open-for-tests.ts'
import { at } from './document.ts'
import { paymentBody } from './world.ts'

const world = openForTests(openKeyWorld)

describe('a key that a key makes', () => {
  test('is shown once, works, and says who made it', async () => {
    const tenant = await world.base.openTenant()
    const made = await world.make(tenant, { scopes: ['wallets:read', 'wallets:read'] })
    assert.equal(made.status, 201)
    const { key, ...record } = made.body
    assert.match(String(key), /^vtm_test_a1/)
    assert.deepEqual(
      [record['status'], record['scopes'], record['createdBy'], record['lineage'], record['lastFour']],
      [
        'ACTIVE',
        ['wallets:read'],
        { kind: 'API_KEY', keyId: tenant.keyId },
        tenant.keyId,
        String(key).slice(-4),
      ],
    )
    assert.ok(!('expiresAt' in record) && !('allowedCidrs' in record))
    assert.deepEqual(await world.read(tenant, record['id']), record)
    assert.equal((await world.api.ask('GET', '/v1/wallets', { key: String(key) })).status, 200)
    assert.equal((await world.api.ask('GET', '/v1/payments', { key: String(key) })).status, 403)
    const [entry] = await world.auditOf(record['id'])
    assert.deepEqual(entry, {
      action: 'key.create',
      kind: 'API_KEY',
      actor: tenant.keyId,
      before: null,
      after: { name: 'shop', scopes: ['wallets:read'] },
    })
    const stored = await world.base.sql<{ text: string }[]>`
      select (select string_agg(api_key::text, '') from api_key) || (select string_agg(audit_log::text, '') from audit_log) as text`
    assert.ok(!stored[0]?.text.includes(String(key).slice(11, 30)))
    assert.deepEqual((await world.read(tenant, tenant.keyId))['createdBy'], { kind: 'OPERATOR' })
  })

  test('has no scope, no time and no network that the calling key lacks', async () => {
    const { id } = await world.base.openTenant()
    const ends = addMs(systemClock.now(), hourMs)
    const by = await world.base.issue(id, ['keys:write', 'wallets:read'], ends, {
      allowedCidrs: ['127.0.0.0/8', '2001:db8::/32'],
    })
    const refused = await world.make(by, {
      scopes: ['wallets:read', 'payments:read', 'withdrawals:approve'],
      expiresAt: addMs(ends, 1).toISOString(),
      allowedCidrs: ['127.0.0.1', '0.0.0.0/0', '2001:db8::/31'],
    })
    assert.deepEqual(codeOf(refused), [403, 'forbidden'])
    assert.deepEqual(faultsOf(refused), [
      ['/scopes/1', 'not_held'],
      ['/scopes/2', 'not_held'],
      ['/expiresAt', 'too_large'],
      ['/allowedCidrs/1', 'too_wide'],
      ['/allowedCidrs/2', 'too_wide'],
    ])
    const usual = await world.make(by, {})
    assert.deepEqual(
      [usual.body['expiresAt'], usual.body['allowedCidrs']],
      [ends.toISOString(), ['127.0.0.0/8', '2001:db8::/32']],
    )
    const narrow = await world.make(by, {
      allowedCidrs: ['127.0.0.1', '2001:DB8:0::/48'],
      expiresAt: ends.toISOString(),
    })
    assert.deepEqual(narrow.body['allowedCidrs'], ['127.0.0.1/32', '2001:db8::/48'])
  })

  test('needs the scope for it, a time to come and readable networks; nothing is made otherwise', async () => {
    const tenant = await world.base.openTenant()
    const without = await world.base.issue(
      tenant.id,
      scopes.filter((scope) => scope !== 'keys:write'),
    )
    assert.deepEqual(codeOf(await world.make(without, {})), [403, 'forbidden'])
    const over = await world.make(tenant, { expiresAt: '2020-01-01' })
    assert.deepEqual(
      [codeOf(over), faultsOf(over)],
      [[400, 'invalid_request'], [['/expiresAt', 'too_small']]],
    )
    const networks = await world.make(tenant, {
      allowedCidrs: ['10.0.0.0/8', '10.0.0.1/8', 'home', '::ffff:10.0.0.1'],
    })
    assert.deepEqual(faultsOf(networks), [
      ['/allowedCidrs/1', 'malformed'],
      ['/allowedCidrs/2', 'malformed'],
      ['/allowedCidrs/3', 'malformed'],
    ])
    for (const body of [
      { scopes: [] },
      { scopes: ['all'] },
      { name: '' },
      { allowedCidrs: [] },
      { person: 'x' },
    ])
      assert.equal((await world.make(tenant, body)).status, 400, JSON.stringify(body))
    const { body } = await world.ask(tenant, 'GET', '/v1/keys')
    assert.equal((body['data'] as readonly Row[]).length, 2)
  })

  test('is made once for one idempotency key, however many calls come at once, and shown to one of them', async () => {
    const tenant = await world.base.openTenant()
    const body = { idempotencyKey: 'one', expiresAt: '2090-01-01' }
    const answers = await Promise.all([1, 2, 3, 4].map(() => world.make(tenant, body)))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
    assert.equal(new Set(answers.map(({ body: made }) => made['id'])).size, 1)
    const shown = answers.filter(({ body: made }) => 'key' in made)
    assert.equal(shown.length, 1)
    for (const answer of answers)
      assert.equal(answer.headers.get('idempotent-replayed'), shown.includes(answer) ? null : 'true')
    const byHeader = await world.make(tenant, { expiresAt: '2090-01-01' }, { 'idempotency-key': 'one' })
    assert.equal(byHeader.body['id'], answers[0]?.body['id'])
    assert.deepEqual(codeOf(await world.make(tenant, { ...body, name: 'other' })), [
      409,
      'idempotency_conflict',
    ])
    assert.deepEqual(codeOf(await world.make(tenant, { ...body, expiresAt: '2091-01-01' })), [
      409,
      'idempotency_conflict',
    ])
    const other = await world.base.openTenant()
    assert.notEqual((await world.make(other, body)).body['id'], answers[0]?.body['id'])
  })

  test('is one of at most a hundred in force; one that is over makes room', async () => {
    const tenant = await world.base.openTenant()
    await world.base.sql`
      insert into api_key (merchant_id, id, lineage, digest, last_four, name, scopes, created_at)
      select ${tenant.id}, id, id, decode(md5(id::text), 'hex'), 'xxxx', 'x', '{}', now()
        from (select gen_random_uuid() as id from generate_series(1, ${keysMax - 2})) as made`
    const answers = await Promise.all([1, 2, 3].map(() => world.make(tenant, {})))
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 422, 422],
    )
    const full = await world.roll(tenant, tenant.keyId)
    assert.deepEqual(codeOf(full), [422, 'limit_exceeded'])
    const last = holder(answers.find(({ status }) => status === 201) ?? assert.fail())
    assert.equal((await world.revoke(tenant, last.id)).status, 200)
    assert.equal((await world.make(tenant, {})).status, 201)
  })
})

describe('the list', () => {
  test('pages newest first, with keys that are over, and never another merchant’s', async () => {
    const tenant = await world.base.openTenant()
    const other = await world.base.openTenant()
    const made: unknown[] = [tenant.keyId]
    for (let nth = 0; nth < 4; nth += 1) made.unshift((await world.make(tenant, {})).body['id'])
    await world.revoke(tenant, made[0])
    const found: unknown[] = []
    let path = '/v1/keys?limit=2'
    for (let page = 0; page < 3; page += 1) {
      const { body } = await world.ask(tenant, 'GET', path)
      found.push(...(body['data'] as readonly Row[]).map(({ id }) => id))
      path = `/v1/keys?limit=2&cursor=${String(body['nextCursor'])}`
      assert.equal('nextCursor' in body, page < 2)
    }
    assert.deepEqual(found, made)
    for (const [method, more] of [
      ['GET', {}],
      ['PATCH', { body: { name: 'x' } }],
    ] as const)
      assert.equal((await world.ask(other, method, '/v1/keys/{id}', { id: made[0], ...more })).status, 404)
    for (const act of [world.roll, world.revoke]) assert.equal((await act(other, made[1])).status, 404)
    assert.equal((await world.read(tenant, made[1]))['status'], 'ACTIVE')
  })
})

describe('a change', () => {
  test('takes scopes away within a second, and never gives one', async () => {
    const tenant = await world.base.openTenant()
    const made = holder(await world.make(tenant, { scopes: ['wallets:read', 'payments:read'] }))
    assert.equal((await world.api.ask('GET', '/v1/payments', { key: made.key })).status, 200)
    const changed = await world.change(tenant, made.id, { name: 'less', scopes: ['wallets:read'] })
    assert.deepEqual([changed.body['name'], changed.body['scopes']], ['less', ['wallets:read']])
    assert.deepEqual(await world.read(tenant, made.id), changed.body)
    await wait(1_000)
    assert.equal((await world.api.ask('GET', '/v1/payments', { key: made.key })).status, 403)
    const more = await world.change(tenant, made.id, { scopes: ['wallets:read', 'payments:read'] })
    assert.deepEqual([codeOf(more), faultsOf(more)], [[403, 'forbidden'], [['/scopes/1', 'not_held']]])
    await world.change(tenant, made.id, { name: 'less' })
    assert.deepEqual(
      (await world.auditOf(made.id))
        .map(({ action, before, after: then }) => [action, before, then])
        .slice(1),
      [
        [
          'key.change',
          { name: 'shop', scopes: ['wallets:read', 'payments:read'] },
          { name: 'less', scopes: ['wallets:read'] },
        ],
      ],
    )
  })

  test('of a key that can do more, or that is over, is refused', async () => {
    const tenant = await world.base.openTenant()
    const weak = holder(await world.make(tenant, { scopes: ['keys:write', 'wallets:read'] }))
    assert.deepEqual(codeOf(await world.change(weak, tenant.keyId, { name: 'mine' })), [403, 'forbidden'])
    const narrow = holder(await world.make(tenant, { scopes: ['keys:write'], allowedCidrs: ['127.0.0.1'] }))
    const wider = await world.change(narrow, narrow.id, { allowedCidrs: ['0.0.0.0/0', '::/0'] })
    assert.deepEqual(faultsOf(wider), [
      ['/allowedCidrs/0', 'too_wide'],
      ['/allowedCidrs/1', 'too_wide'],
    ])
    await world.revoke(tenant, weak.id)
    assert.deepEqual(codeOf(await world.change(tenant, weak.id, { name: 'x' })), [409, 'invalid_state'])
  })
})

describe('a revoked key', { concurrency: true }, () => {
  test('is refused within a second, also when it revoked itself; what it made works on', async () => {
    const tenant = await world.base.openTenant()
    const by = holder(await world.make(tenant, { scopes: ['keys:write', 'keys:read', 'wallets:read'] }))
    const child = holder(await world.make(by, {}))
    const revoked = await world.revoke(by, by.id)
    assert.deepEqual([revoked.status, revoked.body['status']], [200, 'REVOKED'])
    await world.isOver(by)
    assert.ok(await world.works(child))
    const again = await world.revoke(tenant, by.id)
    assert.deepEqual([again.status, again.body['revokedAt']], [200, revoked.body['revokedAt']])
    assert.equal((await world.auditOf(by.id)).filter(({ action }) => action === 'key.revoke').length, 1)
  })

  test('makes no key any more, even while a process still remembers it', async () => {
    const tenant = await world.base.openTenant()
    const by = holder(await world.make(tenant, { scopes: ['keys:write', 'wallets:read'] }))
    await world.base.sql`update api_key set revoked_at = now() where id = ${by.id}`
    for (const answer of [
      await world.make(by, {}),
      await world.roll(by, by.id),
      await world.revoke(by, tenant.keyId),
    ])
      assert.deepEqual(codeOf(answer), [401, 'unauthenticated'])
    const narrowed = holder(await world.make(tenant, { scopes: ['keys:write', 'wallets:read'] }))
    await world.make(narrowed, {})
    await world.base.sql`update api_key set scopes = '{wallets:read}' where id = ${narrowed.id}`
    for (const answer of [
      await world.make(narrowed, {}),
      await world.roll(narrowed, narrowed.id),
      await world.change(narrowed, narrowed.id, { name: 'x' }),
      await world.revoke(narrowed, tenant.keyId),
    ])
      assert.deepEqual(codeOf(answer), [403, 'forbidden'])
    assert.equal((await world.read(tenant, tenant.keyId))['status'], 'ACTIVE')
  })

  test('reads no event that comes after its end, though its request was waiting for one', async () => {
    const tenant = await world.base.openTenant()
    const reader = await world.base.issue(tenant.id, ['webhooks:read'])
    const waiting = ({ key }: Holder) => world.api.ask('GET', '/v1/events?after=0&wait=20', { key })
    const [kept, ended] = [waiting(tenant), waiting(reader)]
    await wait(300)
    await world.revoke(tenant, reader.id)
    await wait(1_000)
    const created = await world.api.ask('POST', '/v1/payments', { key: tenant.key, body: paymentBody() })
    await world.api.ask('POST', `/v1/payments/${String(created.body['id'])}/cancel`, { key: tenant.key })
    assert.equal((await kept).status, 200)
    assert.deepEqual(codeOf(await ended), [401, 'unauthenticated'])
  })

  test('may be one that can do more: whoever sees a leak ends it', async () => {
    const tenant = await world.base.openTenant()
    const weak = await world.base.issue(tenant.id, ['keys:write'])
    const leaked = await world.base.issue(tenant.id, ['withdrawals:write', 'withdrawals:approve'])
    assert.equal((await world.revoke(weak, leaked.id)).status, 200)
    await world.isOver(leaked)
  })
})

test('a scope to make keys is not among the usual ones, and no call gives it', async () => {
  const tenant = await world.base.openTenant()
  const usual = await world.base.issue(tenant.id, usualScopes)
  assert.deepEqual(codeOf(await world.make(usual, { scopes: ['keys:write'] })), [403, 'forbidden'])
  assert.equal(at((await world.ask(usual, 'GET', '/v1/keys')).body, 'data', '0', 'id'), usual.id)
})
