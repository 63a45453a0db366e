import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { connect } from '#/db/client.ts'
import { hourMs, testClock } from '#/kernel/time.ts'
import { stoppedClock } from '../../test/clock.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { testDatabase } from '../../test/postgres.ts'
import { createMerchant, rotateWebhookSecret, webhookSecretsOf } from './merchant.ts'
import { selectMerchants } from './queries.ts'

const clock = testClock(new Date('2026-11-21T00:00:00Z'))
const sealKey = randomBytes(32)

const database = openForTests(testDatabase)
const sql = openForTests(() => connect(database.appUrl, { max: 2 }))

test('a webhook secret is stored sealed and read again as it was', async () => {
  const deps = { sql, clock, sealKey, openWallets: async () => {} }
  const { merchant, webhookSecret } = await createMerchant(deps, { mode: 'LIVE', name: 'Padaria' })
  assert.equal(webhookSecret.length, 24)
  assert.deepEqual(await webhookSecretsOf(deps, merchant.id), [webhookSecret])
  const [row] = await sql<
    { sealed: Buffer }[]
  >`select webhook_secret as sealed from merchant where id = ${merchant.id}`
  assert.ok(row !== undefined && !row.sealed.includes(webhookSecret))
  await assert.rejects(webhookSecretsOf({ ...deps, sealKey: randomBytes(32) }, merchant.id))
})

test('after a rotation both secrets sign for a day of the database’s clock, the new one first', async (t) => {
  await using place = await testDatabase()
  const own = connect(place.appUrl, { max: 1 })
  t.after(() => own.end({ timeout: 1 }))
  const stopped = await stoppedClock(place, new Date('2020-01-01T00:00:00Z'))
  // The clock of this process is years ahead.
  const deps = { sql: own, clock, sealKey, openWallets: async () => {} }
  const { merchant, webhookSecret } = await createMerchant(deps, { mode: 'SANDBOX', name: 'Padaria' })
  const next = await rotateWebhookSecret(deps, merchant.id)
  assert.deepEqual(await webhookSecretsOf(deps, merchant.id), [next, webhookSecret])
  await stopped.advance(24 * hourMs - 1)
  assert.equal((await webhookSecretsOf(deps, merchant.id)).length, 2)
  await stopped.advance(1)
  assert.deepEqual(await webhookSecretsOf(deps, merchant.id), [next])
})

test("one merchant's sealed secret is not decrypted as another's", async () => {
  const deps = { sql, clock, sealKey, openWallets: async () => {} }
  const [one, two] = await Promise.all(
    ['A', 'B'].map((name) => createMerchant(deps, { mode: 'SANDBOX', name })),
  )
  assert.ok(one !== undefined && two !== undefined)
  await sql`update merchant set webhook_secret = (select webhook_secret from merchant where id = ${one.merchant.id})
             where id = ${two.merchant.id}`
  await assert.rejects(webhookSecretsOf(deps, two.merchant.id))
})

test('a merchant whose wallets cannot be created is not created', async () => {
  const count = (await selectMerchants(sql)).length
  const deps = { sql, clock, sealKey, openWallets: () => Promise.reject(new Error('no')) }
  await assert.rejects(createMerchant(deps, { mode: 'SANDBOX', name: 'Half' }))
  assert.equal((await selectMerchants(sql)).length, count)
})
