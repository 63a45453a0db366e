// Keys that keys make, over HTTP: never beyond the rights of the calling key, shown once, and over within a second when they end.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { addMs, hourMs, systemClock } from '#/kernel/time.ts'
import { silentLog } from '#/kernel/log.ts'
import { createAuthenticator } from '#/merchants/authenticator.ts'
import { scopes, usualScopes } from '#/merchants/api-key.ts'
import { keysMax } from '#/merchants/managed-keys.ts'
import { eventually } from '../eventually.ts'
import { assertDocumented, at } from './document.ts'
import { openSite, type Answer, type Api, type Site, type Tenant } from './site.ts'

type Row = Readonly<Record<string, unknown>>
type Holder = Pick<Tenant, 'key'>

let site: Site
let api: Api
before(async () => {
  site = await openSite()
  api = await site.openApi()
})
after(() => site.close())

async function ask(
  { key }: Holder,
  method: string,
  path: string,
  more: {
    readonly id?: unknown
    readonly body?: unknown
    readonly headers?: Readonly<Record<string, string>>
  } = {},
): Promise<Answer> {
  const { id, ...rest } = more
  const answer = await api.ask(method, path.replace('{id}', String(id)), { key, ...rest })
  assertDocumented(method, path.split('?')[0] ?? path, answer)
  return answer
}

const make = (by: Holder, body: Row, headers = {}) =>
  ask(by, 'POST', '/v1/keys', { body: { name: 'shop', scopes: ['wallets:read'], ...body }, headers })
const read = async (by: Holder, id: unknown) => (await ask(by, 'GET', '/v1/keys/{id}', { id })).body
const change = (by: Holder, id: unknown, body: Row) => ask(by, 'PATCH', '/v1/keys/{id}', { id, body })
const roll = (by: Holder, id: unknown, body?: Row) =>
  ask(by, 'POST', '/v1/keys/{id}/roll', { id, ...(body === undefined ? {} : { body }) })
const revoke = (by: Holder, id: unknown) => ask(by, 'POST', '/v1/keys/{id}/revoke', { id })

const codeOf = ({ status, body }: Answer) => [status, body['code']]
const faultsOf = ({ body }: Answer) =>
  (body['errors'] as readonly Row[]).map(({ pointer, code }) => [pointer, code])
const holder = ({ body }: Answer): Holder & { readonly id: string } => ({
  key: String(body['key']),
  id: String(body['id']),
})
const works = async ({ key }: Holder) => (await api.ask('GET', '/v1/me', { key })).status === 200

/** Fails unless the key is refused within a second from now. */
async function isOver(each: Holder): Promise<void> {
  await wait(1_000)
  assert.deepEqual(codeOf(await api.ask('GET', '/v1/me', { key: each.key })), [401, 'unauthenticated'])
}

async function auditOf(id: unknown): Promise<readonly Row[]> {
  return site.sql<Row[]>`
    select action, actor_kind as kind, actor_id as actor, before, after from audit_log
     where subject = ${`key:${String(id)}`} order by id`
}

describe('a key that a key makes', () => {
  test('is shown once, works, and says who made it', async () => {
    const tenant = await site.openTenant()
    const made = await make(tenant, { scopes: ['wallets:read', 'wallets:read'] })
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
    assert.deepEqual(await read(tenant, record['id']), record)
    assert.equal((await api.ask('GET', '/v1/wallets', { key: String(key) })).status, 200)
    assert.equal((await api.ask('GET', '/v1/payments', { key: String(key) })).status, 403)
    const [entry] = await auditOf(record['id'])
    assert.deepEqual(entry, {
      action: 'key.create',
      kind: 'API_KEY',
      actor: tenant.keyId,
      before: null,
      after: { name: 'shop', scopes: ['wallets:read'] },
    })
    const stored = await site.sql<{ text: string }[]>`
      select (select string_agg(api_key::text, '') from api_key) || (select string_agg(audit_log::text, '') from audit_log) as text`
    assert.ok(!stored[0]?.text.includes(String(key).slice(11, 30)))
    assert.deepEqual((await read(tenant, tenant.keyId))['createdBy'], { kind: 'OPERATOR' })
  })

  test('has no scope, no time and no network that the calling key lacks', async () => {
    const { id } = await site.openTenant()
    const ends = addMs(systemClock.now(), hourMs)
    const by = await site.issue(id, ['keys:write', 'wallets:read'], ends, {
      allowedCidrs: ['127.0.0.0/8', '2001:db8::/32'],
    })
    const refused = await make(by, {
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
    const usual = await make(by, {})
    assert.deepEqual(
      [usual.body['expiresAt'], usual.body['allowedCidrs']],
      [ends.toISOString(), ['127.0.0.0/8', '2001:db8::/32']],
    )
    const narrow = await make(by, {
      allowedCidrs: ['127.0.0.1', '2001:DB8:0::/48'],
      expiresAt: ends.toISOString(),
    })
    assert.deepEqual(narrow.body['allowedCidrs'], ['127.0.0.1/32', '2001:db8::/48'])
  })

  test('needs the scope for it, a time to come and readable networks; nothing is made otherwise', async () => {
    const tenant = await site.openTenant()
    const without = await site.issue(
      tenant.id,
      scopes.filter((scope) => scope !== 'keys:write'),
    )
    assert.deepEqual(codeOf(await make(without, {})), [403, 'forbidden'])
    const over = await make(tenant, { expiresAt: '2020-01-01' })
    assert.deepEqual(
      [codeOf(over), faultsOf(over)],
      [[400, 'invalid_request'], [['/expiresAt', 'too_small']]],
    )
    const networks = await make(tenant, {
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
      assert.equal((await make(tenant, body)).status, 400, JSON.stringify(body))
    const { body } = await ask(tenant, 'GET', '/v1/keys')
    assert.equal((body['data'] as readonly Row[]).length, 2)
  })

  test('is made once for one idempotency key, however many calls come at once, and shown to one of them', async () => {
    const tenant = await site.openTenant()
    const body = { idempotencyKey: 'one', expiresAt: '2090-01-01' }
    const answers = await Promise.all([1, 2, 3, 4].map(() => make(tenant, body)))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
    assert.equal(new Set(answers.map(({ body: made }) => made['id'])).size, 1)
    const shown = answers.filter(({ body: made }) => 'key' in made)
    assert.equal(shown.length, 1)
    for (const answer of answers)
      assert.equal(answer.headers.get('idempotent-replayed'), shown.includes(answer) ? null : 'true')
    const byHeader = await make(tenant, { expiresAt: '2090-01-01' }, { 'idempotency-key': 'one' })
    assert.equal(byHeader.body['id'], answers[0]?.body['id'])
    assert.deepEqual(codeOf(await make(tenant, { ...body, name: 'other' })), [409, 'idempotency_conflict'])
    assert.deepEqual(codeOf(await make(tenant, { ...body, expiresAt: '2091-01-01' })), [
      409,
      'idempotency_conflict',
    ])
    const other = await site.openTenant()
    assert.notEqual((await make(other, body)).body['id'], answers[0]?.body['id'])
  })

  test('is one of at most a hundred in force; one that is over makes room', async () => {
    const tenant = await site.openTenant()
    await site.sql`
      insert into api_key (merchant_id, id, lineage, digest, last_four, name, scopes, created_at)
      select ${tenant.id}, id, id, decode(md5(id::text), 'hex'), 'xxxx', 'x', '{}', now()
        from (select gen_random_uuid() as id from generate_series(1, ${keysMax - 2})) as made`
    const answers = await Promise.all([1, 2, 3].map(() => make(tenant, {})))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422])
    const full = await roll(tenant, tenant.keyId)
    assert.deepEqual(codeOf(full), [422, 'limit_exceeded'])
    const last = holder(answers.find(({ status }) => status === 201) ?? assert.fail())
    assert.equal((await revoke(tenant, last.id)).status, 200)
    assert.equal((await make(tenant, {})).status, 201)
  })
})

describe('the list', () => {
  test('pages newest first, with keys that are over, and never another merchant’s', async () => {
    const tenant = await site.openTenant()
    const other = await site.openTenant()
    const made: unknown[] = [tenant.keyId]
    for (let nth = 0; nth < 4; nth += 1) made.unshift((await make(tenant, {})).body['id'])
    await revoke(tenant, made[0])
    const found: unknown[] = []
    let path = '/v1/keys?limit=2'
    for (let page = 0; page < 3; page += 1) {
      const { body } = await ask(tenant, 'GET', path)
      found.push(...(body['data'] as readonly Row[]).map(({ id }) => id))
      path = `/v1/keys?limit=2&cursor=${String(body['nextCursor'])}`
      assert.equal('nextCursor' in body, page < 2)
    }
    assert.deepEqual(found, made)
    for (const [method, more] of [
      ['GET', {}],
      ['PATCH', { body: { name: 'x' } }],
    ] as const)
      assert.equal((await ask(other, method, '/v1/keys/{id}', { id: made[0], ...more })).status, 404)
    for (const act of [roll, revoke]) assert.equal((await act(other, made[1])).status, 404)
    assert.equal((await read(tenant, made[1]))['status'], 'ACTIVE')
  })
})

describe('rolling', { concurrency: true }, () => {
  test('makes a key with the same rights; the old one works until the overlap ends', async () => {
    const tenant = await site.openTenant()
    const old = holder(
      await make(tenant, { allowedCidrs: ['127.0.0.1'], scopes: ['wallets:read', 'sandbox'] }),
    )
    const rolled = await roll(tenant, old.id)
    assert.equal(rolled.status, 201)
    const before = await read(tenant, old.id)
    const fields = ['name', 'scopes', 'allowedCidrs', 'lineage'] as const
    assert.deepEqual(
      fields.map((name) => rolled.body[name]),
      fields.map((name) => before[name]),
    )
    assert.equal(rolled.body['rolledFrom'], old.id)
    assert.ok(!('expiresAt' in rolled.body))
    const [row] = await site.sql<{ hours: number }[]>`
      select extract(epoch from expires_at - clock_timestamp()) / 3600 as hours from api_key where id = ${old.id}`
    assert.ok(Math.abs(Number(row?.hours) - 24) < 0.01)
    assert.ok((await works(old)) && (await works(holder(rolled))))
    const shorter = await roll(tenant, old.id, { overlapHours: 0 })
    assert.equal(shorter.status, 201)
    await isOver(old)
    assert.ok(await works(holder(shorter)))
    assert.deepEqual(codeOf(await roll(tenant, old.id)), [409, 'invalid_state'])
    assert.equal((await read(tenant, old.id))['status'], 'EXPIRED')
    assert.deepEqual(
      (await auditOf(old.id)).map(({ action, actor }) => [action, actor]),
      [
        ['key.create', tenant.keyId],
        ['key.rotate', tenant.keyId],
        ['key.rotate', tenant.keyId],
      ],
    )
  })

  test('never makes a key last longer than the old one or the calling one, and never lengthens the old one', async () => {
    const { id } = await site.openTenant()
    const [hour, twoHours] = [1, 2].map((hours) => addMs(systemClock.now(), hours * hourMs))
    const by = await site.issue(id, ['keys:write', 'keys:read', 'wallets:read'], twoHours)
    const made = holder(await make(by, { expiresAt: hour?.toISOString() }))
    const rolled = await roll(by, made.id, { overlapHours: 168 })
    assert.equal(rolled.body['expiresAt'], hour?.toISOString())
    assert.equal((await read(by, made.id))['expiresAt'], hour?.toISOString())
    const longer = await roll(by, made.id, { expiresAt: twoHours?.toISOString() })
    assert.equal(longer.body['expiresAt'], twoHours?.toISOString())
    const tooLong = await roll(by, made.id, { expiresAt: '2090-01-01' })
    assert.deepEqual(
      [codeOf(tooLong), faultsOf(tooLong)],
      [[403, 'forbidden'], [['/expiresAt', 'too_large']]],
    )
    for (const overlapHours of [-1, 169, 1.5])
      assert.equal((await roll(by, made.id, { overlapHours })).status, 400)
  })

  test('of oneself ends oneself with the overlap', async () => {
    const { id } = await site.openTenant()
    const by = await site.issue(id, ['keys:write'])
    const rolled = await roll(by, by.id, { overlapHours: 0 })
    assert.deepEqual(rolled.body['createdBy'], { kind: 'API_KEY', keyId: by.id })
    await isOver(by)
    assert.ok(await works(holder(rolled)))
  })

  test('gives nobody the secret of a key that can do more, or that another person holds', async () => {
    const tenant = await site.openTenant()
    const weak = holder(await make(tenant, { scopes: ['keys:write', 'wallets:read'] }))
    const strong = holder(await make(tenant, { scopes: ['wallets:read', 'withdrawals:approve'] }))
    const refused = await roll(weak, strong.id)
    assert.deepEqual([codeOf(refused), faultsOf(refused)], [[403, 'forbidden'], [['/scopes/1', 'not_held']]])
    const narrow = holder(
      await make(tenant, { scopes: ['keys:write', 'wallets:read'], allowedCidrs: ['127.0.0.1'] }),
    )
    const wide = holder(await make(tenant, {}))
    assert.deepEqual(faultsOf(await roll(narrow, wide.id)), [['/allowedCidrs', 'too_wide']])
    const stranger = await site.issue(tenant.id, ['wallets:read'])
    assert.deepEqual(codeOf(await roll(tenant, stranger.id)), [403, 'forbidden'])
    const [ana, alsoAna] = await Promise.all(
      [['keys:write', 'wallets:read'] as const, ['wallets:read'] as const].map((held) =>
        site.issue(tenant.id, held, undefined, { person: 'ana@example.com' }),
      ),
    )
    assert.equal((await roll(ana ?? assert.fail(), alsoAna?.id)).status, 201)
    for (const { id } of [strong, wide, stranger]) assert.ok(!('expiresAt' in (await read(tenant, id))))
  })

  test('happens once for one idempotency key', async () => {
    const tenant = await site.openTenant()
    const old = holder(await make(tenant, {}))
    const other = holder(await make(tenant, {}))
    const body = { overlapHours: 0, idempotencyKey: 'roll' }
    const [first, second] = [await roll(tenant, old.id, body), await roll(tenant, old.id, body)]
    assert.deepEqual([second.status, second.body['id'], 'key' in second.body], [201, first.body['id'], false])
    assert.deepEqual(codeOf(await roll(tenant, other.id, body)), [409, 'idempotency_conflict'])
    assert.deepEqual(codeOf(await make(tenant, { idempotencyKey: 'roll' })), [409, 'idempotency_conflict'])
  })
})

describe('a change', () => {
  test('takes scopes away within a second, and never gives one', async () => {
    const tenant = await site.openTenant()
    const made = holder(await make(tenant, { scopes: ['wallets:read', 'payments:read'] }))
    assert.equal((await api.ask('GET', '/v1/payments', { key: made.key })).status, 200)
    const changed = await change(tenant, made.id, { name: 'less', scopes: ['wallets:read'] })
    assert.deepEqual([changed.body['name'], changed.body['scopes']], ['less', ['wallets:read']])
    assert.deepEqual(await read(tenant, made.id), changed.body)
    await wait(1_000)
    assert.equal((await api.ask('GET', '/v1/payments', { key: made.key })).status, 403)
    const more = await change(tenant, made.id, { scopes: ['wallets:read', 'payments:read'] })
    assert.deepEqual([codeOf(more), faultsOf(more)], [[403, 'forbidden'], [['/scopes/1', 'not_held']]])
    await change(tenant, made.id, { name: 'less' })
    assert.deepEqual(
      (await auditOf(made.id)).map(({ action, before, after: then }) => [action, before, then]).slice(1),
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
    const tenant = await site.openTenant()
    const weak = holder(await make(tenant, { scopes: ['keys:write', 'wallets:read'] }))
    assert.deepEqual(codeOf(await change(weak, tenant.keyId, { name: 'mine' })), [403, 'forbidden'])
    const narrow = holder(await make(tenant, { scopes: ['keys:write'], allowedCidrs: ['127.0.0.1'] }))
    const wider = await change(narrow, narrow.id, { allowedCidrs: ['0.0.0.0/0', '::/0'] })
    assert.deepEqual(faultsOf(wider), [
      ['/allowedCidrs/0', 'too_wide'],
      ['/allowedCidrs/1', 'too_wide'],
    ])
    await revoke(tenant, weak.id)
    assert.deepEqual(codeOf(await change(tenant, weak.id, { name: 'x' })), [409, 'invalid_state'])
  })
})

describe('a revoked key', { concurrency: true }, () => {
  test('is refused within a second, also when it revoked itself; what it made works on', async () => {
    const tenant = await site.openTenant()
    const by = holder(await make(tenant, { scopes: ['keys:write', 'keys:read', 'wallets:read'] }))
    const child = holder(await make(by, {}))
    const revoked = await revoke(by, by.id)
    assert.deepEqual([revoked.status, revoked.body['status']], [200, 'REVOKED'])
    await isOver(by)
    assert.ok(await works(child))
    const again = await revoke(tenant, by.id)
    assert.deepEqual([again.status, again.body['revokedAt']], [200, revoked.body['revokedAt']])
    assert.equal((await auditOf(by.id)).filter(({ action }) => action === 'key.revoke').length, 1)
  })

  test('makes no key any more, even while a process still remembers it', async () => {
    const tenant = await site.openTenant()
    const by = holder(await make(tenant, { scopes: ['keys:write', 'wallets:read'] }))
    await site.sql`update api_key set revoked_at = now() where id = ${by.id}`
    for (const answer of [await make(by, {}), await roll(by, by.id), await revoke(by, tenant.keyId)])
      assert.deepEqual(codeOf(answer), [401, 'unauthenticated'])
    assert.equal((await read(tenant, tenant.keyId))['status'], 'ACTIVE')
  })

  test('may be one that can do more: whoever sees a leak ends it', async () => {
    const tenant = await site.openTenant()
    const weak = await site.issue(tenant.id, ['keys:write'])
    const leaked = await site.issue(tenant.id, ['withdrawals:write', 'withdrawals:approve'])
    assert.equal((await revoke(weak, leaked.id)).status, 200)
    await isOver(leaked)
  })
})

describe('networks', () => {
  test('a key works from its networks alone, by the address that the trusted proxy names', async () => {
    const lines: Row[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line) as Row) })
    const behind = await site.openApi({ trustProxy: ['127.0.0.1'], log })
    const tenant = await site.openTenant()
    const made = holder(await make(tenant, { allowedCidrs: ['203.0.113.0/24', '2001:db8::/32'] }))
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
    const direct = await from('203.0.113.9', api)
    assert.deepEqual([...codeOf(direct), direct.body['address']], [403, 'address_not_allowed', '127.0.0.1'])
    await from('203.0.114.1')
    const logged = lines.filter(({ keyId }) => keyId === made.id)
    assert.deepEqual(logged.map(({ address, refused }) => [address, refused]).slice(0, 2), [
      ['203.0.114.1', 1],
      ['2001:db9::1', 1],
    ])
    assert.equal(logged.filter(({ address }) => address === '203.0.114.1').length, 1, 'once a minute')
    await change(tenant, made.id, { allowedCidrs: ['127.0.0.1'] })
    await wait(1_000)
    assert.equal((await from('203.0.113.9')).status, 403)
    assert.equal((await from('203.0.113.9', api)).status, 200)
  })
})

describe('what a key says of itself', () => {
  test('GET /v1/me has its networks, its maker and its end', async () => {
    const tenant = await site.openTenant()
    const made = await make(tenant, { allowedCidrs: ['127.0.0.0/8'], expiresAt: '2090-01-01' })
    const { key, ...record } = made.body
    const { body } = await ask({ key: String(key) }, 'GET', '/v1/me')
    assert.deepEqual(body['key'], record)
  })

  test('its last use is written in the background, at most once in each span, and not for refused calls', async (t) => {
    const authenticator = createAuthenticator({
      sql: site.sql,
      pepper: site.pepper,
      clock: systemClock,
      log: silentLog,
      usesEveryMs: 400,
    })
    t.after(() => authenticator.close())
    const own = await site.openApi({ authenticator })
    const tenant = await site.openTenant()
    const [used, stranger] = [
      holder(await make(tenant, {})),
      holder(await make(tenant, { allowedCidrs: ['10.0.0.1'] })),
    ]
    const use = ({ key }: Holder) => own.ask('GET', '/v1/wallets', { key })
    const lastUse = async ({ id }: { readonly id: string }) => (await read(tenant, id))['lastUsedAt']
    assert.equal(await lastUse(used), undefined)
    const since = Date.now()
    await Promise.all([use(used), use(stranger)])
    await eventually('the use is written', async () => (await lastUse(used)) !== undefined)
    const first = String(await lastUse(used))
    assert.ok(Date.parse(first) >= since - 1_000 && Date.parse(first) <= Date.now() + 1_000, first)
    assert.equal(await lastUse(stranger), undefined)
    const seen = new Set([first])
    for (const until = Date.now() + 900; Date.now() < until;) {
      await use(used)
      seen.add(String(await lastUse(used)))
    }
    assert.ok(seen.size >= 2 && seen.size <= 4, `${seen.size} writes in 0.9 s`)
  })
})

test('a scope to make keys is not among the usual ones, and no call gives it', async () => {
  const tenant = await site.openTenant()
  const usual = await site.issue(tenant.id, usualScopes)
  assert.deepEqual(codeOf(await make(usual, { scopes: ['keys:write'] })), [403, 'forbidden'])
  assert.equal(at((await ask(usual, 'GET', '/v1/keys')).body, 'data', '0', 'id'), usual.id)
})
