// Keys over HTTP: rolled by keys, used from their networks alone, and what they say of themselves.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { silentLog } from '#/kernel/log.ts'
import { addMs, hourMs, systemClock } from '#/kernel/time.ts'
import { createAuthenticator } from '#/merchants/authenticator.ts'
import { eventually } from '../eventually.ts'
import { codeOf, faultsOf, holder, openKeyWorld, type Holder, type Row } from '../key-world.ts'
import { openForTests } from '../open-for-tests.ts'
import { assertDocumented } from './document.ts'

const world = openForTests(openKeyWorld)

describe('rolling', { concurrency: true }, () => {
  test('makes a key with the same rights; the old one works until the overlap ends', async () => {
    const tenant = await world.base.openTenant()
    const old = holder(
      await world.make(tenant, { allowedCidrs: ['127.0.0.1'], scopes: ['wallets:read', 'sandbox'] }),
    )
    const rolled = await world.roll(tenant, old.id)
    assert.equal(rolled.status, 201)
    const before = await world.read(tenant, old.id)
    const fields = ['name', 'scopes', 'allowedCidrs', 'lineage'] as const
    assert.deepEqual(
      fields.map((name) => rolled.body[name]),
      fields.map((name) => before[name]),
    )
    assert.equal(rolled.body['rolledFrom'], old.id)
    assert.ok(!('expiresAt' in rolled.body))
    const [row] = await world.base.sql<{ hours: number }[]>`
      select extract(epoch from expires_at - clock_timestamp()) / 3600 as hours from api_key where id = ${old.id}`
    assert.ok(Math.abs(Number(row?.hours) - 24) < 0.01)
    assert.ok((await world.works(old)) && (await world.works(holder(rolled))))
    const shorter = await world.roll(tenant, old.id, { overlapHours: 0 })
    assert.equal(shorter.status, 201)
    await world.isOver(old)
    assert.ok(await world.works(holder(shorter)))
    assert.deepEqual(codeOf(await world.roll(tenant, old.id)), [409, 'invalid_state'])
    assert.equal((await world.read(tenant, old.id))['status'], 'EXPIRED')
    assert.deepEqual(
      (await world.auditOf(old.id)).map(({ action, actor }) => [action, actor]),
      [
        ['key.create', tenant.keyId],
        ['key.rotate', tenant.keyId],
        ['key.rotate', tenant.keyId],
      ],
    )
  })

  test('never makes a key last longer than the old one or the calling one, and never lengthens the old one', async () => {
    const { id } = await world.base.openTenant()
    const [hour, twoHours] = [1, 2].map((hours) => addMs(systemClock.now(), hours * hourMs))
    const by = await world.base.issue(id, ['keys:write', 'keys:read', 'wallets:read'], twoHours)
    const made = holder(await world.make(by, { expiresAt: hour?.toISOString() }))
    const rolled = await world.roll(by, made.id, { overlapHours: 168 })
    assert.equal(rolled.body['expiresAt'], hour?.toISOString())
    assert.equal((await world.read(by, made.id))['expiresAt'], hour?.toISOString())
    const longer = await world.roll(by, made.id, { expiresAt: twoHours?.toISOString() })
    assert.equal(longer.body['expiresAt'], twoHours?.toISOString())
    const tooLong = await world.roll(by, made.id, { expiresAt: '2090-01-01' })
    assert.deepEqual(
      [codeOf(tooLong), faultsOf(tooLong)],
      [[403, 'forbidden'], [['/expiresAt', 'too_large']]],
    )
    for (const overlapHours of [-1, 169, 1.5])
      assert.equal((await world.roll(by, made.id, { overlapHours })).status, 400)
  })

  test('of oneself ends oneself with the overlap', async () => {
    const { id } = await world.base.openTenant()
    const by = await world.base.issue(id, ['keys:write'])
    const rolled = await world.roll(by, by.id, { overlapHours: 0 })
    assert.deepEqual(rolled.body['createdBy'], { kind: 'API_KEY', keyId: by.id })
    await world.isOver(by)
    assert.ok(await world.works(holder(rolled)))
  })

  test('gives nobody the secret of a key that can do more, or that another person holds', async () => {
    const tenant = await world.base.openTenant()
    const weak = holder(await world.make(tenant, { scopes: ['keys:write', 'wallets:read'] }))
    const strong = holder(await world.make(tenant, { scopes: ['wallets:read', 'withdrawals:approve'] }))
    const refused = await world.roll(weak, strong.id)
    assert.deepEqual([codeOf(refused), faultsOf(refused)], [[403, 'forbidden'], [['/scopes/1', 'not_held']]])
    const narrow = holder(
      await world.make(tenant, { scopes: ['keys:write', 'wallets:read'], allowedCidrs: ['127.0.0.1'] }),
    )
    const wide = holder(await world.make(tenant, {}))
    assert.deepEqual(faultsOf(await world.roll(narrow, wide.id)), [['/allowedCidrs', 'too_wide']])
    const stranger = await world.base.issue(tenant.id, ['wallets:read'])
    assert.deepEqual(codeOf(await world.roll(tenant, stranger.id)), [403, 'forbidden'])
    const [ana, alsoAna] = await Promise.all(
      [['keys:write', 'wallets:read'] as const, ['wallets:read'] as const].map((held) =>
        world.base.issue(tenant.id, held, undefined, { person: 'ana@example.com' }),
      ),
    )
    assert.equal((await world.roll(ana ?? assert.fail(), alsoAna?.id)).status, 201)
    for (const { id } of [strong, wide, stranger]) assert.ok(!('expiresAt' in (await world.read(tenant, id))))
  })

  test('happens once for one idempotency key', async () => {
    const tenant = await world.base.openTenant()
    const old = holder(await world.make(tenant, {}))
    const other = holder(await world.make(tenant, {}))
    const body = { overlapHours: 0, idempotencyKey: 'roll' }
    const [first, second] = [await world.roll(tenant, old.id, body), await world.roll(tenant, old.id, body)]
    assert.deepEqual([second.status, second.body['id'], 'key' in second.body], [201, first.body['id'], false])
    assert.deepEqual(codeOf(await world.roll(tenant, other.id, body)), [409, 'idempotency_conflict'])
    assert.deepEqual(codeOf(await world.make(tenant, { idempotencyKey: 'roll' })), [
      409,
      'idempotency_conflict',
    ])
  })
})

describe('networks', () => {
  test('a key works from its networks alone, by the address that the trusted proxy names', async () => {
    const lines: Row[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line) as Row) })
    const behind = await world.base.openApi({ trustProxy: ['127.0.0.1'], log })
    const tenant = await world.base.openTenant()
    const made = holder(await world.make(tenant, { allowedCidrs: ['203.0.113.0/24', '2001:db8::/32'] }))
    const from = (address: string, where = behind) =>
      where.ask('GET', '/v1/wallets', { key: made.key, headers: { 'x-forwarded-for': address } })
    for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '::ffff:cb00:7109', '2001:db8::7'])
      assert.equal((await from(address)).status, 200, address)
    for (const address of ['203.0.114.1', '2001:db9::1', '::1', '::ffff:203.0.114.1', 'unknown']) {
      const refused = await from(address)
      assert.deepEqual(codeOf(refused), [403, 'address_not_allowed'], address)
      assertDocumented('GET', '/v1/wallets', refused)
    }
    // Without a trusted proxy the header of the caller counts for nothing.
    const direct = await from('203.0.113.9', world.api)
    assert.deepEqual([...codeOf(direct), direct.body['address']], [403, 'address_not_allowed', '127.0.0.1'])
    await from('203.0.114.1')
    const logged = lines.filter(({ keyId }) => keyId === made.id)
    assert.deepEqual(logged.map(({ address, refused }) => [address, refused]).slice(0, 2), [
      ['203.0.114.1', 1],
      ['2001:db9::1', 1],
    ])
    assert.equal(logged.filter(({ address }) => address === '203.0.114.1').length, 1, 'once a minute')
    await world.change(tenant, made.id, { allowedCidrs: ['127.0.0.1'] })
    await wait(1_000)
    assert.equal((await from('203.0.113.9')).status, 403)
    assert.equal((await from('203.0.113.9', world.api)).status, 200)
  })
})

describe('what a key says of itself', () => {
  test('GET /v1/me has its networks, its maker and its end', async () => {
    const tenant = await world.base.openTenant()
    const made = await world.make(tenant, { allowedCidrs: ['127.0.0.0/8'], expiresAt: '2090-01-01' })
    const { key, ...record } = made.body
    const { body } = await world.ask({ key: String(key) }, 'GET', '/v1/me')
    assert.deepEqual(body['key'], record)
  })

  test('its last use is written in the background, at most once in each span, and not for refused calls', async (t) => {
    const authenticator = createAuthenticator({
      sql: world.base.sql,
      pepper: world.base.pepper,
      log: silentLog,
      usesEveryMs: 400,
    })
    t.after(() => authenticator.close())
    const own = await world.base.openApi({ authenticator })
    const tenant = await world.base.openTenant()
    const [used, stranger] = [
      holder(await world.make(tenant, {})),
      holder(await world.make(tenant, { allowedCidrs: ['10.0.0.1'] })),
    ]
    const use = ({ key }: Holder) => own.ask('GET', '/v1/wallets', { key })
    const lastUse = async ({ id }: { readonly id: string }) => (await world.read(tenant, id))['lastUsedAt']
    assert.equal(await lastUse(used), undefined)
    const since = Date.now()
    await Promise.all([use(used), use(stranger)])
    await eventually('the use is written', async () => (await lastUse(used)) !== undefined)
    const first = String(await lastUse(used))
    assert.ok(Date.parse(first) >= since - 1_000 && Date.parse(first) <= Date.now() + 1_000, first)
    assert.equal(await lastUse(stranger), undefined)
    const written = new Set([first])
    for (const until = Date.now() + 900; Date.now() < until;) {
      await use(used)
      written.add(String(await lastUse(used)))
    }
    assert.ok(written.size >= 2 && written.size <= 4, `${written.size} writes in 0.9 s`)
  })
})
