import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test, type TestContext } from 'node:test'
import { connect, type Sql } from '#/db/client.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { fingerprintOf } from '#/kernel/secret.ts'
import { addMs, systemClock } from '#/kernel/time.ts'
import { stoppedClock } from '../../test/clock.ts'
import { eventually } from '../../test/eventually.ts'
import { testDatabase } from '../../test/postgres.ts'
import { digestApiKey, newApiKey } from './api-key.ts'
import { createAuthenticator, type Authenticator, type AuthenticatorOptions } from './authenticator.ts'
import { issueApiKey, revokeApiKey, type IssuedKey } from './keys.ts'
import { createMerchant } from './merchant.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
let sql: Sql
let merchantId: MerchantId
const pepper = randomBytes(32)
const base = { pepper, log: silentLog }
const mint = { ...base, clock: systemClock, cell: 'a1' }

before(async () => {
  database = await testDatabase()
  sql = connect(database.appUrl, { max: 2 })
  const deps = { sql, clock: systemClock, sealKey: randomBytes(32), openWallets: async () => {} }
  merchantId = (await createMerchant(deps, { mode: 'SANDBOX', name: 'Padaria' })).merchant.id
})
after(async () => {
  await sql.end({ timeout: 5 })
  await database[Symbol.asyncDispose]()
})

/** An authenticator that is closed after the test, also when the test fails. */
function open(
  t: TestContext,
  more: Pick<AuthenticatorOptions, 'sql'> & Partial<AuthenticatorOptions>,
): Authenticator {
  const authenticator = createAuthenticator({ ...base, ...more })
  t.after(() => authenticator.close())
  return authenticator
}

function issue(): Promise<IssuedKey> {
  return issueApiKey({ ...mint, sql }, { merchantId, name: 'test', scopes: ['payments:read'] })
}

/** The database, with a count of the statements sent to it. */
function countedSql() {
  let statements = 0
  const counted = new Proxy(sql, {
    apply(target, self, args): unknown {
      statements += 1
      return Reflect.apply(target, self, args)
    },
  })
  return { sql: counted, queries: () => statements }
}

/** A clock that moves only when the test moves it. */
function stopwatch() {
  let now = 0
  return {
    elapsedMs: () => now,
    pass(ms: number) {
      now += ms
    },
  }
}

test('a key identifies its merchant, mode and scopes; any other text identifies nothing', async (t) => {
  const authenticator = open(t, { sql, ...stopwatch() })
  const { id, key } = await issue()
  const identity = await authenticator.authenticate(key)
  assert.deepEqual(identity, {
    keyId: id,
    merchant: { id: merchantId, mode: 'SANDBOX' },
    scopes: new Set(['payments:read']),
  })
  assert.deepEqual(authenticator.recall(key), identity)
  for (const other of [newApiKey('SANDBOX', 'a1'), newApiKey('LIVE', 'a1'), 'nonsense', '']) {
    assert.equal(authenticator.recall(other), undefined)
    assert.equal(await authenticator.authenticate(other), undefined)
  }
})

test('a key made with another pepper is invalid', async (t) => {
  const authenticator = open(t, { sql, pepper: randomBytes(32) })
  assert.equal(await authenticator.authenticate((await issue()).key), undefined)
})

test('a live prefix on a sandbox key is invalid, even if its digest is stored', async (t) => {
  const key = newApiKey('LIVE', 'a1')
  const { id } = await issue()
  await sql`update api_key set digest = ${digestApiKey(pepper, key)} where id = ${id}`
  const authenticator = open(t, { sql })
  assert.equal(await authenticator.authenticate(key), undefined)
})

test('a key is valid until its expiry by the database’s clock, and invalid from then on, in memory and in the database', async (t) => {
  await using place = await testDatabase()
  const own = connect(place.appUrl, { max: 2 })
  t.after(() => own.end({ timeout: 1 }))
  // Years behind the clock of this process.
  const startAt = new Date('2020-01-01T00:00:00Z')
  const clock = await stoppedClock(place, startAt)
  const { merchant } = await createMerchant(
    { sql: own, clock, sealKey: randomBytes(32), openWallets: async () => {} },
    { mode: 'SANDBOX', name: 'Padaria' },
  )
  const { key } = await issueApiKey(
    { ...mint, clock, sql: own },
    {
      merchantId: merchant.id,
      name: 'short',
      scopes: ['payments:read'],
      expiresAt: addMs(startAt, 60_000),
    },
  )
  await clock.advance(59_500)
  const { elapsedMs, pass } = stopwatch()
  const authenticator = open(t, { sql: own, elapsedMs })
  assert.notEqual(await authenticator.authenticate(key), undefined)
  pass(499)
  assert.notEqual(authenticator.recall(key), undefined)
  pass(1)
  assert.equal(authenticator.recall(key), undefined)
  await clock.advance(500)
  pass(1_000)
  assert.equal(await authenticator.authenticate(key), undefined)
})

test('a key in use is refreshed in the background, and its revocation takes effect', async (t) => {
  const { elapsedMs, pass } = stopwatch()
  const authenticator = open(t, { sql, elapsedMs })
  const issued = await issue()
  await authenticator.authenticate(issued.key)
  for (let times = 0; times < 3; times += 1) {
    pass(800)
    // Too old in a moment, unless it is looked up now.
    await eventually('it is looked up again', () => {
      pass(200)
      const identity = authenticator.recall(issued.key)
      pass(-200)
      return identity !== undefined
    })
  }
  await revokeApiKey({ sql, clock: systemClock }, { merchantId, id: issued.id })
  await eventually('it is forgotten', () => authenticator.recall(issued.key) === undefined)
  assert.equal(await authenticator.authenticate(issued.key), undefined)
})

test('a key that is looked up again because its entry is too old counts as used', async (t) => {
  const { elapsedMs, pass } = stopwatch()
  const authenticator = open(t, { sql, elapsedMs })
  const { key } = await issue()
  await authenticator.authenticate(key)
  for (let times = 0; times < 2; times += 1) {
    pass(4_000)
    await authenticator.authenticate(key)
  }
  pass(4_000)
  await eventually('it is kept fresh', () => authenticator.recall(key) !== undefined)
})

test('while the pepper is being changed, a key in use gets its digest under the new one', async (t) => {
  const fresh = randomBytes(32)
  const { id, key } = await issue()
  await sql`
    insert into key_in_force (purpose, fingerprint, since) values ('API_KEYS', ${fingerprintOf(fresh)}, now())
        on conflict (purpose) do update set fingerprint = excluded.fingerprint`
  const authenticator = open(t, { sql, pepper: [fresh, pepper] })
  assert.equal((await authenticator.authenticate(key))?.keyId, id)
  await eventually('the digest is another', async () => {
    const [row] = await sql<{ digest: Buffer }[]>`select digest from api_key where id = ${id}`
    return row?.digest.equals(digestApiKey(fresh, key)) === true
  })
  assert.equal((await open(t, { sql, pepper: fresh }).authenticate(key))?.keyId, id)
})

test('when it closes, the last uses are written, of the key at its own merchant', async () => {
  const authenticator = createAuthenticator({ ...base, sql })
  const { id, key } = await issue()
  const identity = await authenticator.authenticate(key)
  assert.ok(identity !== undefined)
  // As when the key acts for a sub-account.
  const other = { ...identity.merchant, id: newId<'merchant'>() }
  authenticator.noteUse({ ...identity, merchant: other, parentId: merchantId })
  await authenticator.close()
  const [row] = await sql<
    { used: boolean }[]
  >`select last_used_at is not null as used from api_key where id = ${id}`
  assert.equal(row?.used, true)
})

test('a wrong key costs at most one query a second, and none when its checksum is wrong', async (t) => {
  const { sql: counting, queries } = countedSql()
  const { elapsedMs, pass } = stopwatch()
  const authenticator = open(t, { sql: counting, elapsedMs })
  const wrong = newApiKey('SANDBOX', 'a1')
  const mistyped = `${wrong.slice(0, -1)}${wrong.endsWith('0') ? '1' : '0'}`
  for (let tries = 0; tries < 10; tries += 1)
    assert.equal(await authenticator.authenticate(mistyped), undefined)
  assert.equal(queries(), 0)
  for (let tries = 0; tries < 10; tries += 1) assert.equal(await authenticator.authenticate(wrong), undefined)
  assert.equal(queries(), 1)
  pass(1_000)
  assert.equal(await authenticator.authenticate(wrong), undefined)
  assert.equal(queries(), 2)
})

test('memory is bounded: the key unused for longest is forgotten first', async (t) => {
  const authenticator = open(t, { sql, keysMax: 3, ...stopwatch() })
  const [a, b, c] = await Promise.all([issue(), issue(), issue()])
  await authenticator.authenticate(a.key)
  await authenticator.authenticate(b.key)
  authenticator.recall(a.key)
  await authenticator.authenticate(c.key)
  assert.deepEqual(
    [a, b, c].map(({ key }) => authenticator.recall(key) !== undefined),
    [true, false, true],
  )
})

test('the number of wrong keys in memory is limited, however many are tried', async (t) => {
  const { sql: counting, queries } = countedSql()
  const authenticator = open(t, { sql: counting, keysMax: 10, ...stopwatch() })
  const wrong = Array.from({ length: 11 }, () => newApiKey('SANDBOX', 'a1'))
  for (const key of wrong) assert.equal(await authenticator.authenticate(key), undefined)
  assert.equal(queries(), 11)
  assert.equal(await authenticator.authenticate(wrong[10] ?? ''), undefined)
  assert.equal(queries(), 11, 'the last one is remembered')
  assert.equal(await authenticator.authenticate(wrong[0] ?? ''), undefined)
  assert.equal(queries(), 12, 'the first one is not')
})

test('without the database a key is accepted for a second and then refused', async (t) => {
  const endedSql = connect(database.appUrl, { max: 1 })
  const { elapsedMs, pass } = stopwatch()
  const authenticator = open(t, { sql: endedSql, elapsedMs })
  const { key } = await issue()
  await authenticator.authenticate(key)
  await endedSql.end({ timeout: 0 })
  pass(900)
  assert.ok(authenticator.recall(key) !== undefined)
  // What is older could be used for more than a second, with the time of its query.
  pass(1)
  assert.equal(authenticator.recall(key), undefined)
  await assert.rejects(authenticator.authenticate(key), { code: 'unavailable' })
})

test('a process without the keys of its database calls no key invalid', async (t) => {
  let isFit = false
  const authenticator = open(t, { sql, isFit: async () => isFit })
  const { key } = await issue()
  const others = open(t, { sql, pepper: randomBytes(32), isFit: async () => isFit })
  // Twice: the second time the key is in memory as one that was not found.
  for (let time = 0; time < 2; time += 1)
    await assert.rejects(others.authenticate(key), { code: 'unavailable' })
  assert.equal((await authenticator.authenticate(key))?.merchant.id, merchantId)
  isFit = true
  assert.equal(await others.authenticate(key), undefined)
})
