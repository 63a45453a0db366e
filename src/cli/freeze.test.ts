// The operator freezes and releases money: what is shown, what is stored, and what is written into the audit log.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { hostname, tmpdir } from 'node:os'
import { beforeEach, test } from 'node:test'
import { pino } from 'pino'
import { connect } from '#/db/client.ts'
import { given } from '#/kernel/given.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { systemClock } from '#/kernel/time.ts'
import { ensureHead } from '#/ledger/head.ts'
import { lockHead } from '#/ledger/queries.ts'
import { isFrozen } from '#/merchants/freeze.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import { isFrozenNow, selectFreezes } from '#/merchants/queries.ts'
import { methods } from '#/rails/methods.ts'
import { makeForTests, openForTests } from '../../test/open-for-tests.ts'
import { operatorOf } from '../../test/operator.ts'
import { testDatabase } from '../../test/postgres.ts'
import { usualLimits } from '../../test/usual-limits.ts'

let logged = ''

const database = openForTests(testDatabase)
const sql = openForTests(() => connect(database.appUrl, { max: 3 }))
const operator = makeForTests(() =>
  operatorOf(database.appUrl, pino({}, { write: (line: string) => (logged += line) })),
)
beforeEach(async () => {
  await sql`delete from money_freeze`
})

async function newMerchant(): Promise<MerchantId> {
  const deps = { sql, clock: systemClock, sealKey: Buffer.alloc(32), openWallets: async () => {} }
  return (await createMerchant(deps, { mode: 'SANDBOX', name: 'Padaria Ana' })).merchant.id
}

const shown = async () =>
  JSON.parse((await operator.run('freeze', 'list', '--json')).out) as readonly Readonly<
    Record<string, unknown>
  >[]

test('the list shows what is frozen, since when, by whom and why; each is ended by its own command', async () => {
  const id = await newMerchant()
  assert.match((await operator.run('freeze', 'list')).out, /Nothing is frozen/)
  await operator.freeze('merchant', id)
  await operator.freeze('rail', 'pix')
  await operator.freeze('all')
  await operator.suspend(id.toUpperCase())
  assert.deepEqual(
    (await shown()).map(({ kind, merchantId, rail, reason }) => [kind, merchantId, rail, reason]),
    [
      ['FREEZE', id, null, 'stolen key'],
      ['FREEZE', null, 'PIX', 'stolen key'],
      ['FREEZE', null, null, 'stolen key'],
      ['SUSPENSION', id, null, 'fraud'],
    ],
  )
  const { out } = await operator.run('freeze', 'list')
  for (const word of ['Padaria Ana', 'PIX', 'everything', 'suspended', 'stolen key', 'UTC', '@'])
    assert.ok(out.includes(word), word)
  // A repetition changes nothing, and the first one stays.
  assert.match(await operator.freeze('merchant', id), /already/)
  assert.equal((await shown()).length, 4)
  assert.match(await operator.resume(id), /Another freeze may still keep/)
  await operator.unfreeze('merchant', id)
  await operator.unfreeze('all')
  assert.doesNotMatch(await operator.unfreeze('rail', 'PIX'), /Another freeze may still keep/)
  assert.deepEqual(await shown(), [])
  const { code, err } = await operator.run('unfreeze', 'all', '--reason', 'x')
  assert.deepEqual([code, /is not frozen/.test(err)], [2, true])
})

test('each is written into the audit log, with the state before it, and logged', async () => {
  const id = await newMerchant()
  await operator.freeze('merchant', id)
  await operator.freeze('merchant', id)
  await operator.unfreeze('merchant', id)
  await operator.suspend(id)
  await operator.resume(id)
  type Row = Readonly<Record<string, unknown>>
  const rows = await sql<Row[]>`
    select action, subject, reason, actor_kind as "actorKind", before is not null as "hasBefore",
           after is not null as "hasAfter"
      from audit_log where merchant_id = ${id} order by at, id`
  assert.deepEqual(
    rows.map((row) => Object.values(row)),
    [
      ['money.freeze', `merchant:${id}`, 'stolen key', 'OPERATOR', false, true],
      ['money.unfreeze', `merchant:${id}`, 'new keys', 'OPERATOR', true, false],
      ['merchant.suspend', `merchant:${id}`, 'fraud', 'OPERATOR', false, true],
      ['merchant.resume', `merchant:${id}`, 'cleared', 'OPERATOR', true, false],
    ],
  )
  assert.ok(logged.includes(`merchant:${id}`) && logged.includes('stolen key'))
})

test('without a reason, or for an unknown subject, nothing is done', async () => {
  const id = await newMerchant()
  for (const [group, ...args] of [
    ['freeze', 'all'],
    ['freeze', 'all', '--reason', ' '],
    ['freeze', 'merchant', newId(), '--reason', 'x'],
    ['freeze', 'rail', 'SEPA', '--reason', 'x'],
    ['merchant', 'suspend', id],
    ['merchant', 'resume', id, '--reason', 'x'],
  ] as const)
    assert.equal((await operator.run(group, ...args)).code, 2, args.join(' '))
  assert.deepEqual(await shown(), [])
  const rows = await sql`select 1 from audit_log where subject = ${`merchant:${id}`}`
  assert.equal(rows.length, 0)
})

/** A batch that has started and waits to be released. */
async function beginBatch() {
  await ensureHead(sql, 'a1', systemClock)
  const started = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  let isBatchOver = false
  const batch = sql
    .begin(async (tx) => {
      await lockHead(tx, 'a1')
      await tx`set local idle_in_transaction_session_timeout = 0`
      started.resolve()
      await go.promise
    })
    .then(() => (isBatchOver = true))
  await started.promise
  return {
    isOver: () => isBatchOver,
    async end() {
      go.resolve()
      await batch
    },
  }
}

test('a freeze returns after every batch that had started before it', async () => {
  const batch = await beginBatch()
  const freezing = operator.freeze('all').then(() => batch.isOver())
  await new Promise((resolve) => setTimeout(resolve, 300))
  await batch.end()
  assert.equal(await freezing, true)
})

test('a freeze takes effect although the books are blocked, and reports that', async () => {
  using _usual = usualLimits()
  const batch = await beginBatch()
  assert.match(await operator.freeze('all'), /The books are busy/)
  assert.equal(batch.isOver(), false)
  assert.equal((await shown()).length, 1)
  await batch.end()
})

test('the database and the program agree for every merchant and rail', async () => {
  const [one, two] = [await newMerchant(), await newMerchant()]
  const what = [['merchant', one], ['rail', 'PIX'], ['rail', 'CRYPTO'], ['all']] as const
  for (let some = 0; some < 2 ** what.length; some++) {
    await sql`delete from money_freeze`
    for (const [bit, each] of what.entries()) if ((some >> bit) % 2 === 1) await operator.freeze(...each)
    const freezes = await selectFreezes(sql, [one, two])
    for (const merchantId of [one, two])
      for (const rail of methods) {
        const isAllowed = [merchantId === one, rail === 'PIX', rail === 'CRYPTO', true]
        const expected = isAllowed.some((meant, bit) => meant && (some >> bit) % 2 === 1)
        const scope = { merchantId, rail }
        assert.equal(isFrozen(freezes, scope), expected)
        assert.equal(await isFrozenNow(sql, scope), expected)
      }
  }
})

test('the log line of a decision names the command, its cell, host and process, like every other line', async () => {
  await using ofCell = await testDatabase()
  const main = new URL('../main.ts', import.meta.url).pathname
  const { NODE_COMPILE_CACHE: cache } = process.env
  const { status, stderr } = spawnSync(
    process.execPath,
    [main, 'freeze', 'all', '--reason', 'stolen key', '--json'],
    {
      encoding: 'utf8',
      env: {
        ...given({ NODE_COMPILE_CACHE: cache }),
        DATABASE_URL: ofCell.appUrl,
        VINTEM_CELL: 'b7',
        VINTEM_DATA_DIR: tmpdir(),
        VINTEM_LOG_LEVEL: 'error',
      },
    },
  )
  assert.equal(status, 0, stderr)
  const line = JSON.parse(stderr) as Readonly<Record<string, unknown>>
  assert.partialDeepStrictEqual(line, {
    role: 'command',
    cell: 'b7',
    host: hostname(),
    msg: 'a person froze money',
    why: 'stolen key',
  })
  assert.ok(typeof line['pid'] === 'number' && line['pid'] !== process.pid)
})
