// `rekey` as a process that is killed in the middle, again and again; then everything opens with the new keys alone.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { openCore, type Core } from '#/app/core.ts'
import { verify } from '#/audit/verify.ts'
import { readConfig } from '#/config.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { deriveKey, seal, unseal, type KeyRing } from '#/kernel/secret.ts'
import { openLetter, writeLetter } from '#/mail/letter.ts'
import type { LetterId } from '#/mail/queries.ts'
import { createAuthenticator } from '#/merchants/authenticator.ts'
import { connectionKeys, addConnection } from '#/merchants/connections.ts'
import { issueApiKey } from '#/merchants/keys.ts'
import { createMerchant, rotateWebhookSecret, webhookSecretsOf } from '#/merchants/merchant.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { totpKey, totpPlace } from '#/people/totp.ts'
import type { UserId } from '#/people/user.ts'
import { putAuditKeyInForce, putMasterInForce } from '#/rekey/fit.ts'
import { createSealer } from '#/sealing/seal.ts'
import { eventually } from '../../test/eventually.ts'
import { testDatabase } from '../../test/postgres.ts'
import { publishAtStart } from './worker-key.ts'

const main = new URL('../main.ts', import.meta.url).pathname
const dataDir = mkdtempSync(path.join(tmpdir(), 'vintem-rekey-'))
after(() => rmSync(dataDir, { recursive: true, force: true }))

const old = { master: 'a1'.repeat(32), worker: 'b1'.repeat(32), audit: 'c1'.repeat(32) }
/** As those, changed once more. */
const another = { master: 'a2'.repeat(32), worker: 'b2'.repeat(32), audit: 'c3'.repeat(32) }
const fresh = { master: 'a2'.repeat(32), worker: 'b2'.repeat(32), audit: 'c2'.repeat(32) }
type Names = typeof old
const keyOf = (text: string) => Buffer.from(text, 'hex')

function settings(present: Names, previous?: Names): Record<string, string> {
  return {
    VINTEM_SANDBOX: 'off',
    VINTEM_DATA_DIR: dataDir,
    VINTEM_LOG_LEVEL: 'silent',
    VINTEM_MASTER_KEY: present.master,
    VINTEM_WORKER_KEY: present.worker,
    VINTEM_AUDIT_KEY: present.audit,
    ...(previous === undefined
      ? {}
      : {
          VINTEM_MASTER_KEY_PREVIOUS: previous.master,
          VINTEM_WORKER_KEY_PREVIOUS: previous.worker,
          VINTEM_AUDIT_KEY_PREVIOUS: previous.audit,
        }),
    ...(process.env['NODE_COMPILE_CACHE'] === undefined
      ? {}
      : { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }),
  }
}

const ring = (present: string, previous?: string): KeyRing =>
  previous === undefined ? keyOf(present) : [keyOf(present), keyOf(previous)]

async function coreWith(url: string, present: Names, previous?: Names): Promise<Core> {
  const config = readConfig(settings(present, previous))
  const workerKey = ring(present.worker, previous?.worker)
  const masterKey = ring(present.master, previous?.master)
  const core = await openCore({
    config,
    databaseUrl: url,
    masterKey,
    auditKey: ring(present.audit, previous?.audit),
    workerKey,
    log: silentLog,
  })
  await publishAtStart(core.sql, config, { masterKey, workerKey })
  return core
}

/** More than two batches of the command for the first column alone. */
const merchantsCount = 230

test('killed at any point, and run again until it ends: everything opens with the new keys alone', async () => {
  await using database = await testDatabase()
  await using stack = new AsyncDisposableStack()
  const before = await coreWith(database.appUrl, old)
  const filled = await fill(before)
  await seals(before)
  await before.close()

  // Two processes that have both keys run through all of it.
  const running = await coreWith(database.appUrl, fresh, old)
  stack.defer(() => running.close())
  const launch = (...args: readonly string[]) => {
    const child = spawn(process.execPath, [main, 'rekey', '--json', ...args], {
      env: { ...settings(fresh, old), DATABASE_URL: database.appUrl },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    stack.defer(async () => void child.kill('SIGKILL'))
    return child
  }
  const resealed = async () => {
    const key = deriveKey(keyOf(fresh.master), 'webhook secrets')
    const rows = await running.sql<{ id: string; secret: Buffer }[]>`
      select id, webhook_secret as secret from merchant`
    return rows.filter(({ id, secret }) => opens(key, `merchant/webhook_secret/${id}`, secret)).length
  }
  for (let round = 0; round < 3; round += 1) {
    const already = await resealed()
    const killed = launch()
    const ended = once(killed, 'close')
    await eventually('some are sealed again', async () => {
      return killed.exitCode !== null || (await resealed()) > already || already === merchantsCount
    })
    await new Promise((resolve) => setTimeout(resolve, randomInt(30)))
    killed.kill('SIGKILL')
    await ended
    // What happens in the meantime opens with both keys.
    await assertOpens(running, filled)
    await seals(running)
  }
  const last = launch()
  const output = once(last.stdout, 'data')
  const [code] = (await once(last, 'close')) as [number]
  assert.equal(code, 0)
  const report = JSON.parse(String((await output)[0])) as { unrenewed: { keys: { id: string }[] } }
  assert.deepEqual(
    report.unrenewed.keys.map(({ id }) => id),
    [filled.apiKey.id],
  )
  await seals(running)
  const entries = await running.sql<{ action: string }[]>`
    select action from audit_log where action like '%.change' order by action`
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['audit-key.change', 'master-key.change'],
  )

  const cell = 'a1'
  const after = await coreWith(database.appUrl, fresh)
  stack.defer(() => after.close())
  await assertOpens(after, filled)
  const both = await verify(after.sql, { cell, auditKey: ring(fresh.audit, old.audit) })
  assert.deepEqual(both.faults, [])
  const alone = await verify(after.sql, { cell, auditKey: keyOf(fresh.audit), only: ['chain'] })
  assert.match(alone.faults.map(({ what }) => what).join(), /^made batches 1 to \d+ and is not given/)
  const [first] = alone.faults
  assert.match(first?.row ?? '', /^audit key [0-9a-f]{16}$/)
  // Whoever has the earlier key cannot pass it off as the one in force.
  const swapped = await verify(after.sql, { cell, auditKey: ring(old.audit, fresh.audit), only: ['chain'] })
  assert.match(swapped.faults.map(({ what }) => what).join(), /in force is an earlier one/)
})

test('a digest of an API key is renewed when the key is used, and not before the key is in force', async () => {
  await using database = await testDatabase()
  await using stack = new AsyncDisposableStack()
  const core = await coreWith(database.appUrl, old)
  stack.defer(() => core.close())
  const { apiKey } = await fill(core, 1)
  const [oldPepper, newPepper] = [old, fresh].map(({ master }) => deriveKey(keyOf(master), 'api keys'))
  assert.ok(oldPepper !== undefined && newPepper !== undefined)
  const authenticatorOf = (pepper: KeyRing) => {
    const authenticator = createAuthenticator({ sql: core.sql, pepper, log: silentLog })
    stack.defer(() => authenticator.close())
    return authenticator
  }
  const digest = async () => {
    const [row] = await core.sql<{ digest: Buffer }[]>`select digest from api_key where id = ${apiKey.id}`
    return row?.digest.toString('hex')
  }
  const made = await digest()
  const coming = authenticatorOf([oldPepper, newPepper])
  const changing = authenticatorOf([newPepper, oldPepper])
  for (const each of [coming, changing]) assert.ok(await each.authenticate(apiKey.key))
  await new Promise((resolve) => setTimeout(resolve, 700))
  assert.equal(await digest(), made)

  const masterKey = ring(fresh.master, old.master)
  await putMasterInForce({ sql: core.sql, masterKey, by: { kind: 'SYSTEM', id: 'test' } })
  const again = authenticatorOf([newPepper, oldPepper])
  assert.ok(await again.authenticate(apiKey.key))
  await eventually('the digest is renewed', async () => (await digest()) !== made)
  const renewed = await digest()
  assert.ok(await authenticatorOf(newPepper).authenticate(apiKey.key))
  assert.equal(await authenticatorOf(oldPepper).authenticate(apiKey.key), undefined)
  // A process that still has the keys in the other order does not change it back.
  assert.ok(await coming.authenticate(apiKey.key))
  assert.ok(await authenticatorOf([oldPepper, newPepper]).authenticate(apiKey.key))
  await new Promise((resolve) => setTimeout(resolve, 700))
  assert.equal(await digest(), renewed)
})

test('a process without the audit key in force writes nothing, and the others go on', async () => {
  await using database = await testDatabase()
  await using stack = new AsyncDisposableStack()
  const single = await coreWith(database.appUrl, old)
  stack.defer(() => single.close())
  await seals(single)
  const both = await coreWith(database.appUrl, fresh, old)
  stack.defer(() => both.close())
  await seals(both)
  await seals(single)
  const by = { kind: 'SYSTEM', id: 'test' } as const
  const change = { sql: both.sql, cell: 'a1', auditKey: both.auditKey, by, isLost: false }
  assert.equal(await putAuditKeyInForce({ ...change, auditKey: keyOf(fresh.audit) }), 'missing')
  assert.equal(await putAuditKeyInForce(change), 'changed')
  assert.equal(await putAuditKeyInForce(change), 'unchanged')
  const early = await verify(both.sql, { cell: 'a1', auditKey: both.auditKey, only: ['end of the chain'] })
  assert.match(early.faults.map(({ what }) => what).join(), /has made no batch yet/)
  await assert.rejects(seals(single), /does not have the audit key in force/)
  await seals(both)
  const { faults } = await verify(both.sql, { cell: 'a1', auditKey: both.auditKey })
  assert.deepEqual(faults, [])
})

test('a key that was lost before it made a batch is followed by another, and by the one before it', async () => {
  await using database = await testDatabase()
  await using stack = new AsyncDisposableStack()
  const first = await coreWith(database.appUrl, old)
  stack.defer(() => first.close())
  await seals(first)
  const third = await coreWith(database.appUrl, another, old)
  stack.defer(() => third.close())
  const by = { kind: 'SYSTEM', id: 'test' } as const
  const change = { sql: first.sql, cell: 'a1', by, isLost: true }
  assert.equal(await putAuditKeyInForce({ ...change, auditKey: keyOf(fresh.audit) }), 'changed')
  // Nothing was written with it, and it is gone.
  assert.equal(await putAuditKeyInForce({ ...change, auditKey: first.auditKey }), 'changed')
  await seals(first)
  assert.equal(await putAuditKeyInForce({ ...change, auditKey: keyOf(fresh.audit) }), 'changed')
  assert.equal(await putAuditKeyInForce({ ...change, auditKey: third.auditKey }), 'changed')
  await seals(third)
  const { faults } = await verify(third.sql, { cell: 'a1', auditKey: third.auditKey })
  assert.deepEqual(faults, [])
  const alone = await verify(third.sql, { cell: 'a1', auditKey: keyOf(another.audit), only: ['chain'] })
  assert.match(alone.faults.map(({ what }) => what).join(), /^made batches 1 to \d+ and is not given/)
})

type Filled = Awaited<ReturnType<typeof fill>>

/** Something of everything that is sealed, and a key. */
async function fill(core: Core, merchants = merchantsCount) {
  const { sql, clock, masterKey } = core
  const deps = { sql, clock, sealKey: deriveKey(masterKey, 'webhook secrets'), openWallets: async () => {} }
  const secrets = new Map<MerchantId, string>()
  for (let nth = 0; nth < merchants; nth += 1) {
    const { merchant, webhookSecret } = await createMerchant(deps, { mode: 'SANDBOX', name: `shop ${nth}` })
    secrets.set(merchant.id, webhookSecret.toString('hex'))
  }
  const [merchantId] = secrets.keys()
  assert.ok(merchantId !== undefined)
  const rotated = await sql.begin((tx) => rotateWebhookSecret({ ...deps, sql: tx }, merchantId))
  const keys = connectionKeys(masterKey, keyOf(old.worker))
  const terms = { mode: 'SANDBOX', method: 'PIX', provider: 'bacen', settings: {} } as const
  const connection = await sql.begin((tx) =>
    addConnection(
      { sql: tx, cell: 'a1', keys },
      { ...terms, secrets: { clientSecret: 'in' }, refundSecrets: { clientSecret: 'out' } },
    ),
  )
  const userId = newId<'user'>() as UserId
  const secret = seal(totpKey(deriveKey(masterKey, 'people')), totpPlace(userId), Buffer.from('JBSWY3DP'))
  await sql`insert into app_user (id, email, name, language, time_zone, is_operator, created_at)
            values (${userId}, 'ana@example.com', 'Ana', 'en', 'UTC', false, now())`
  await sql`insert into user_totp (user_id, secret, created_at) values (${userId}, ${secret}, now())`
  await writeLetter(sql, masterKey, { kind: 'RESET_REQUEST', email: 'ana@example.com' })
  const pepper = deriveKey(masterKey, 'api keys')
  const apiKey = await sql.begin((tx) =>
    issueApiKey({ sql: tx, clock, pepper, cell: 'a1' }, { merchantId, name: 'shop' }),
  )
  return { merchantId, secrets, rotated, connection, userId, apiKey }
}

async function assertOpens(core: Core, filled: Filled): Promise<void> {
  const { sql, masterKey } = core
  const sealKey = deriveKey(masterKey, 'webhook secrets')
  for (const [id, secret] of filled.secrets) {
    const [newest, previous] = await webhookSecretsOf({ sql, sealKey }, id)
    const rotated = id === filled.merchantId
    assert.equal((rotated ? previous : newest)?.toString('hex'), secret)
    if (rotated) assert.deepEqual(newest, filled.rotated)
  }
  await core.connections.refresh()
  const connection = core.connections.find(filled.connection)
  assert.equal(connection?.secrets['clientSecret'], 'in')
  assert.equal(connection.refundSecrets?.['clientSecret'], 'out')
  const [totp] = await sql<
    { secret: Buffer }[]
  >`select secret from user_totp where user_id = ${filled.userId}`
  assert.ok(totp !== undefined)
  const key = totpKey(deriveKey(masterKey, 'people'))
  assert.equal(unseal(key, totpPlace(filled.userId), totp.secret).toString(), 'JBSWY3DP')
  const [letter] = await sql<{ id: LetterId; sealed: Buffer }[]>`select id, sealed from letter`
  assert.ok(letter !== undefined)
  assert.equal(openLetter(masterKey, letter.id, letter.sealed).kind, 'RESET_REQUEST')
}

/** Makes a batch. */
async function seals({ sql, lane }: Core): Promise<void> {
  await writeAudit(sql, [{ actor: { kind: 'SYSTEM', id: 'test' }, action: 'a.b', subject: 'c:1' }])
  await createSealer({ sql, lane }).poll()
}

function opens(key: Buffer, place: string, sealed: Buffer): boolean {
  try {
    unseal(key, place, sealed)
    return true
  } catch {
    return false
  }
}
