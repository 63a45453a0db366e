// What comes back to life in a restored state: people, limits and destinations that had been removed since. Each list shows them, and a
// step is confirmed only by the number that its list shows.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { openCore } from '#/app/core.ts'
import { readConfig } from '#/config.ts'
import { connect, type Sql } from '#/db/client.ts'
import type { MerchantId, UserId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { deriveKey } from '#/kernel/secret.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { removeMember } from '#/merchants/member-keys.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import { addDestination, changeLimit, removeDestination } from '#/operator/limits.ts'
import { addMember } from '#/people/members.ts'
import { createUser, setOperator } from '#/people/users.ts'
import {
  selectDestinationsInForce,
  selectLimitsInForce,
  selectRolesInForce,
  type InForce,
} from '#/restored/queries.ts'
import { asUser } from '../../test/as-user.ts'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'
import { restoredCommand } from './restored.ts'

const keys = { master: 'a2'.repeat(32), worker: 'b2'.repeat(32), audit: 'c2'.repeat(32) }
const by = { actor: { kind: 'OPERATOR', id: 'test' } } as const
const deciding = { by, name: 'test' }
const addresses = ['0x52908400098527886E0F7030069857D2E4169EE7', '0x8617E340B3D01FA5F11F306F4090FD50E238070D']

type Names = { readonly merchantIds: readonly MerchantId[]; readonly users: readonly UserId[] }

/** Two merchants. One person is an operator and a member, another one is a member, a third is disabled, a fourth is nothing. */
async function grant(sql: Sql, dataDir: string, database: TestDatabase): Promise<Names> {
  const core = await openCore({
    config: readConfig(settingsOf(database, dataDir)),
    databaseUrl: database.appUrl,
    masterKey: Buffer.from(keys.master, 'hex'),
    auditKey: Buffer.from(keys.audit, 'hex'),
    log: silentLog,
  })
  try {
    const sealKey = deriveKey(Buffer.from(keys.master, 'hex'), 'webhook secrets')
    const deps = { sql, clock: core.clock, sealKey, openWallets: async () => {} }
    const merchantIds: MerchantId[] = []
    for (const name of ['first', 'second'])
      merchantIds.push((await createMerchant(deps, { mode: 'SANDBOX', name })).merchant.id)
    merchantIds.sort()
    const users: UserId[] = []
    for (const name of ['ana', 'bia', 'caio', 'dora']) {
      const isOperator = name === 'ana'
      users.push((await createUser({ sql }, by, { email: `${name}@example.com`, name, isOperator })).id)
    }
    const [ana, bia, caio] = users
    const [first, second] = merchantIds
    assert.ok(ana !== undefined && bia !== undefined && caio !== undefined)
    assert.ok(first !== undefined && second !== undefined)
    await addMember({ sql }, by, { merchantId: first, userId: ana, role: 'OWNER' })
    await addMember({ sql }, by, { merchantId: first, userId: bia, role: 'FINANCE' })
    await addMember({ sql }, by, { merchantId: second, userId: bia, role: 'OWNER' })
    await addMember({ sql }, by, { merchantId: second, userId: caio, role: 'VIEWER' })
    await sql`update app_user set disabled_at = clock_timestamp() where id = ${caio}`
    await changeLimit(sql, deciding, { merchantId: first, type: 'PIX', eachMinor: 5_000n, listedOnly: true })
    await changeLimit(sql, deciding, { merchantId: second, type: 'CRYPTO', dayMinor: 90_000n })
    for (const [nth, destination] of addresses.entries())
      await addDestination(
        sql,
        deciding,
        { merchantId: second, type: 'CRYPTO', destination },
        nth === 0 ? 'cold wallet' : undefined,
      )
    return { merchantIds, users }
  } finally {
    await core.close()
  }
}

const settingsOf = ({ appUrl }: TestDatabase, dataDir: string) => ({
  DATABASE_URL: appUrl,
  VINTEM_SANDBOX: 'off',
  VINTEM_DATA_DIR: dataDir,
  VINTEM_LOG_LEVEL: 'silent',
  VINTEM_MASTER_KEY: keys.master,
  VINTEM_WORKER_KEY: keys.worker,
  VINTEM_AUDIT_KEY: keys.audit,
})

/** All that was granted is taken back. */
async function takeBack(sql: Sql, { merchantIds: [first, second], users: [ana, bia] }: Names): Promise<void> {
  assert.ok(first !== undefined && second !== undefined && ana !== undefined && bia !== undefined)
  await removeMember({ sql }, by, { merchantId: first, userId: bia })
  await setOperator({ sql }, by, ana, false)
  await changeLimit(sql, deciding, { merchantId: first, type: 'PIX', eachMinor: 100n })
  await changeLimit(sql, deciding, { merchantId: second, type: 'CRYPTO', dayMinor: 1n })
  for (const destination of addresses)
    assert.ok(await removeDestination(sql, deciding, { merchantId: second, type: 'CRYPTO', destination }))
}

test('a restore brings back operators, members, limits and destinations, and each list shows all of them', async (t) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'vintem-lists-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  await using whole = await testDatabase()
  const before = connect(whole.appUrl, { max: 2 })
  const names = await grant(before, dataDir, whole)
  await before.end({ timeout: 1 })
  await using past = await testDatabase(whole)
  const since = connect(whole.appUrl, { max: 2 })
  await takeBack(since, names)

  const run = async (database: TestDatabase, ...args: readonly string[]) => {
    const printed = { out: '', err: '' }
    const stdout = { write: (text: string) => (printed.out += text) }
    const stderr = { write: (text: string) => (printed.err += text) }
    const deps = {
      config: () => readConfig(settingsOf(database, dataDir)),
      open: () => assert.fail('no office is needed'),
    }
    const terminal = createTerminal({ stdout, stderr }, { LANG: 'C' })
    const code = await asUser('bia', () => restoredCommand(args, terminal, deps, silentLog))
    return { code, ...printed }
  }
  const listed = async (database: TestDatabase, subject: string) => {
    const { code, out, err } = await run(database, 'list', subject, '--json')
    assert.equal(code, 0, err)
    const rows = JSON.parse(out) as readonly Readonly<Record<string, unknown>>[]
    // When they were granted is the database's clock; that it is there is what a person needs.
    for (const { since: at } of rows) assert.equal(at === null, subject === 'limits', subject)
    return rows.map(({ merchantId, name, what }) => ({ merchantId, name, what }))
  }

  const [first, second] = names.merchantIds
  const revived = {
    roles: [
      { merchantId: null, name: 'ana@example.com', what: 'operator' },
      { merchantId: first, name: 'ana@example.com', what: 'OWNER' },
      { merchantId: first, name: 'bia@example.com', what: 'FINANCE' },
      { merchantId: second, name: 'bia@example.com', what: 'OWNER' },
    ],
    limits: [
      { merchantId: first, name: 'PIX BRL', what: 'each 5000, listed only' },
      { merchantId: second, name: 'CRYPTO USDT', what: 'day 90000' },
    ],
    destinations: [
      { merchantId: second, name: `CRYPTO ${addresses[0]}`, what: 'cold wallet' },
      { merchantId: second, name: `CRYPTO ${addresses[1]}`, what: '' },
    ],
  }
  for (const [subject, rows] of Object.entries(revived))
    assert.deepEqual(await listed(past, subject), rows, subject)

  // Where they were taken back, they are not in force.
  assert.deepEqual(
    (await listed(whole, 'roles')).map(({ merchantId, what }) => [merchantId, what]),
    [
      [first, 'OWNER'],
      [second, 'OWNER'],
    ],
  )
  assert.deepEqual(
    (await listed(whole, 'limits')).map(({ what }) => what),
    ['each 100, listed only', 'day 1'],
  )
  assert.deepEqual(await listed(whole, 'destinations'), [])
  await since.end({ timeout: 1 })

  // A page begins after the last row of the page before: in pages of one row nothing is left out, and nothing comes twice.
  const sql = connect(past.appUrl, { max: 1 })
  for (const [select, rows] of [
    [selectRolesInForce, revived.roles],
    [selectLimitsInForce, revived.limits],
    [selectDestinationsInForce, revived.destinations],
  ] as const) {
    const paged: InForce[] = []
    for (
      let page = await select(sql, undefined, 1);
      page.length > 0;
      page = await select(sql, paged.at(-1), 1)
    )
      paged.push(...page)
    assert.deepEqual(
      paged.map(({ merchantId, name, what }) => ({ merchantId, name, what })),
      rows,
    )
  }
  await sql.end({ timeout: 1 })

  const begun = await run(past, 'begin', '--reason', 'disk lost', '--jump', '1000', '--anyway')
  assert.equal(begun.code, 0, begun.err)
  assert.equal((await run(past, 'confirm', 'keys', '--seen', '0', '--note', 'none were made')).code, 0)
  for (const [subject, { length }] of Object.entries(revived)) {
    const wrong = await run(past, 'confirm', subject, '--seen', '0', '--note', 'not read')
    assert.equal(wrong.code, 1)
    assert.match(wrong.err, new RegExp(`There are ${length} of these, not 0`))
    const right = await run(
      past,
      'confirm',
      subject,
      '--seen',
      String(length),
      '--note',
      'the log of the day',
    )
    assert.equal(right.code, 0, right.err)
  }
})
