// What a key learns about itself: its merchant, its scopes, its limits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopes } from '#/contract/keys.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { addMs, hourMs, systemClock } from '#/kernel/time.ts'
import { addSpent, writeLimit } from '#/money-out/queries.ts'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { assertDocumented } from './document.ts'
import { openApiWorld, type Api } from './world.ts'

type Row = Readonly<Record<string, unknown>>

const world = openForTests(openApiWorld)
const api = makeForTests(() => world.openApi())

async function me(key: string, at: Api = api): Promise<Row> {
  const answer = await at.ask('GET', '/v1/me', { key })
  assert.equal(answer.status, 200)
  assertDocumented('GET', '/v1/me', answer)
  return answer.body
}

const keyOf = (body: Row) => body['key'] as Row
const limitsOf = (body: Row) =>
  body['limits'] as { readonly requests?: Row; readonly withdrawals: readonly Row[] }

test('a key with any one scope learns whose it is and what it may do', async () => {
  const tenant = await world.openTenant()
  for (const scope of scopes) {
    const issued = await world.issue(tenant.id, [scope])
    const body = await me(issued.key)
    assert.deepEqual(
      [(body['merchant'] as Row)['id'], keyOf(body)['id'], keyOf(body)['scopes'], keyOf(body)['lastFour']],
      [tenant.id, issued.id, [scope], issued.key.slice(-4)],
    )
    assert.ok(!('expiresAt' in keyOf(body)))
    assert.ok(!JSON.stringify(body).includes(issued.key))
  }
})

test('a key that ends says when', async () => {
  const tenant = await world.openTenant()
  const expiresAt = addMs(systemClock.now(), hourMs)
  const issued = await world.issue(tenant.id, ['sandbox'], expiresAt)
  assert.equal(keyOf(await me(issued.key))['expiresAt'], expiresAt.toISOString())
})

test('limits are the merchant’s own, with what was accepted today and not on other days', async () => {
  const [tenant, other] = [await world.openTenant(), await world.openTenant()]
  assert.deepEqual(limitsOf(await me(tenant.key)).withdrawals, [])
  const limit = {
    type: 'PIX',
    eachMinor: null,
    dayMinor: null,
    approvalAboveMinor: null,
    listedOnly: false,
  } as const
  const set = (merchantId: MerchantId, more: Partial<Parameters<typeof writeLimit>[1]>) =>
    writeLimit(world.sql, { ...limit, merchantId, currency: 'BRL', ...more })
  await set(tenant.id, { eachMinor: 500n, dayMinor: 900n, approvalAboveMinor: 0n, listedOnly: true })
  await set(tenant.id, { type: 'CRYPTO', currency: 'USDT', dayMinor: 2n ** 53n + 1n })
  await set(other.id, { eachMinor: 7n })
  const [days] = await world.sql<{ today: string; before: string; after: string }[]>`
    select day::text as today, (day - 1)::text as before, (day + 1)::text as after
      from (select (statement_timestamp() at time zone 'UTC')::date as day) as now`
  const spent = { merchantId: tenant.id, type: 'PIX', currency: 'BRL' } as const
  await addSpent(world.sql, [{ ...spent, day: days?.before ?? '', minor: 300n }])
  const crypto = { type: 'CRYPTO', currency: 'USDT', day: 2n ** 53n + 1n, spentToday: 0, listedOnly: false }
  const chosen = { approvalAbove: 0, approvalChoice: 'AMOUNT' }
  const pix = { type: 'PIX', currency: 'BRL', each: 500, day: 900, ...chosen, listedOnly: true }
  const shown = async () => limitsOf(await me(tenant.key)).withdrawals
  assert.deepEqual((await shown()).map(readable), [crypto, { ...pix, spentToday: 0 }].map(readable))
  await addSpent(world.sql, [
    { ...spent, day: days?.today ?? '', minor: 120n },
    { ...spent, day: days?.after ?? '', minor: 40n },
  ])
  assert.deepEqual((await shown()).map(readable), [crypto, { ...pix, spentToday: 120 }].map(readable))
})

/** Amounts above 2^53 lose digits in the reader of this test, not in the answer. */
const readable = (row: Row) => ({ ...row, day: row['day'] === undefined ? undefined : Number(row['day']) })

test('the limit of requests is there when the operator has set one', async () => {
  const tenant = await world.openTenant()
  assert.ok(!('requests' in limitsOf(await me(tenant.key))))
  const limited = await world.openApi({ rateLimit: { perSecond: 50, burst: 80 } })
  assert.deepEqual(limitsOf(await me(tenant.key, limited)).requests, { perSecond: 50, burst: 80 })
})
