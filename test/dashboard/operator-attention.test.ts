// The first screen of the console and its lists: what waits for a person, certificates, providers that fail, refills, and who did
// something.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { addCalls } from '#/merchants/connection-queries.ts'
import { expiringConnections } from '#/operator/expiry.ts'
import certificates from '../rails/pix/certificates.json' with { type: 'json' }
import { dataOf, newMerchant, newStray, ok, openOperators, type Row } from './operator-world.ts'
import { shownBy } from './shown.ts'
import type { DashboardWorld, Person } from './world.ts'

let dashboard: DashboardWorld
let ana: Person
let bea: Person
before(async () => {
  ;({ dashboard, ana, bea } = await openOperators({ shows: shownBy['operator-attention.test.ts'] }))
})
after(() => dashboard.close())

const countsNow = async () =>
  (await ok(ana, 'GET', 'attention'))['counts'] as Readonly<Record<string, number>>

test('what waits for a person is counted, and is gone when it is decided', async () => {
  const before = await countsNow()
  const [small, large] = [await newStray(dashboard, 500n), await newStray(dashboard, 200_000n)]
  const merchantId = await newMerchant(ana)
  const decision = { resolution: 'CREDITED', merchantId, reason: 'the payer sent a receipt' }
  await ok(ana, 'POST', `suspense/${large}/resolve`, decision)
  const during = await countsNow()
  assert.deepEqual(
    [during['suspense'], during['approvals']],
    [(before['suspense'] ?? 0) + 2, (before['approvals'] ?? 0) + 1],
  )
  await ok(ana, 'POST', `suspense/${small}/resolve`, decision)
  const [waiting] = dataOf(await ok(bea, 'GET', 'approvals'))
  await ok(bea, 'POST', `approvals/${String(waiting?.['id'])}/approve`, {})
  const after = await countsNow()
  assert.deepEqual([after['suspense'], after['approvals']], [before['suspense'], before['approvals']])
})

test('the list of connections shows when a certificate ends and that the last call failed, until one works again', async () => {
  const body = {
    type: 'pix',
    mode: 'SANDBOX',
    provider: 'bacen',
    settings: {
      baseUrl: 'https://pix.example/v2',
      tokenUrl: 'https://pix.example/oauth/token',
      pixKey: 'loja@example.com',
      receiverName: 'LOJA',
      receiverCity: 'SAO PAULO',
      ca: certificates.ca,
    },
    secrets: {
      clientId: 'a',
      clientSecret: 'b',
      certificate: certificates.clientCert,
      privateKey: certificates.clientKey,
    },
  }
  const { id } = await ok(ana, 'POST', 'connections', body, 201)
  const listed = async () =>
    dataOf(await ok(ana, 'GET', 'connections')).find((each) => each['id'] === id) ??
    assert.fail('it is listed')
  const endsAt = new Date(String((await listed())['endsAt']))
  assert.ok(endsAt.getUTCFullYear() > 2100, String(endsAt))

  // It ends in a hundred years, so the day of the notice is moved, not the certificate.
  const { sql } = dashboard.base
  const days = (count: number) => new Date(endsAt.getTime() + count * 86_400_000)
  const soonAt = async (before: Date) => {
    const { expiring } = await expiringConnections(sql, { opened: dashboard.opened }, before)
    return expiring.map(({ connection }) => connection.id as string)
  }
  assert.deepEqual(await soonAt(days(1)), [id])
  assert.deepEqual(await soonAt(days(-1)), [])
  await ok(ana, 'PATCH', `connections/${String(id)}`, { isActive: false })
  assert.deepEqual(await soonAt(days(1)), [], 'one that is off needs nothing')

  const call = { connection: id as ConnectionId, calls: 1, errors: 1, totalMs: 5, longestMs: 5 }
  await addCalls(sql, [{ ...call, lastError: 'HTTP 503' }])
  const failing = async () => (await ok(ana, 'GET', 'attention'))['failing'] as readonly Row[]
  assert.deepEqual(
    (await failing()).map((each) => [each['connection'], each['lastError']]),
    [[id, 'HTTP 503']],
  )
  assert.equal((await listed())['lastError'], 'HTTP 503')
  await addCalls(sql, [{ ...call, errors: 0 }])
  assert.deepEqual(await failing(), [])
  assert.ok(String((await listed())['lastGoodAt']) > String((await listed())['lastBadAt']))
})

test('refills of the wallet that pays out are listed, newest first', async () => {
  const [old, open] = [newId(), newId()]
  await dashboard.base.sql`
    insert into refill (id, chain, units, created_at, ended_at)
    values (${old}, 'test', 50000000000000000000, now(), now()), (${open}, 'test', 20000000000000000000, now(), null)`
  const rows = dataOf(await ok(ana, 'GET', 'refills'))
  assert.deepEqual(
    rows.map((each) => [each['id'], each['units'], each['isByHand'], 'endedAt' in each]),
    [
      [open, '20000000000000000000', true, false],
      [old, '50000000000000000000', true, true],
    ],
  )
})

test('the log is filtered by person and action, and operators are listed for it', async () => {
  const { userId: owner } = await dashboard.person([], {})
  const operators = dataOf(await ok(ana, 'GET', 'users?operators=1')).map(({ id }) => id)
  assert.ok(operators.includes(ana.userId) && operators.includes(bea.userId))
  assert.ok(!operators.includes(owner))
  await newMerchant(bea, 'Of Bea')
  const made = dataOf(await ok(ana, 'GET', `audit?actor=${bea.userId}&action=merchant.create`))
  assert.deepEqual(
    made.map((each) => [each['actorId'], each['action']]),
    [[bea.userId, 'merchant.create']],
  )
})
