// A rehearsal's life: who may begin it, how it ends, and what becomes of it when its worker dies.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { claimRehearsals, endRehearsal, renewRehearsal } from '#/rehearsals/queries.ts'
import type { RehearsalId } from '#/rehearsals/rehearsal.ts'
import { eventually } from '../eventually.ts'
import { startReceiver } from '../receiver.ts'
import { openShop, type Shop } from '../rehearsal-shop.ts'
import {
  all,
  casesOf,
  openRehearsalWorld,
  rehearsalPath,
  secret,
  statusesOf,
  type RehearsalWorld,
  type Row,
} from '../rehearsal-world.ts'
import type { Answer, Tenant } from './world.ts'

let world: RehearsalWorld
before(async () => {
  world = await openRehearsalWorld()
})
after(() => world.close())

const ask: RehearsalWorld['ask'] = (...call) => world.ask(...call)
const ended: RehearsalWorld['ended'] = (...call) => world.ended(...call)

describe('a rehearsal', () => {
  /** A server that never answers. */
  const hanging = () => startReceiver(() => undefined)
  const pointers = ({ body }: Answer) => (body['errors'] as readonly Row[]).map(({ pointer }) => pointer)

  test('is for the sandbox, for URLs that may be called, and for cases that there are', async () => {
    const [live, tenant] = [await world.base.openTenant('LIVE'), await world.base.openTenant()]
    const url = 'https://shop.example.com/hook'
    const refused = await ask(live, 'POST', '', { url })
    assert.deepEqual([refused.status, refused.body['code']], [403, 'forbidden'])
    for (const bad of [
      'https://10.0.0.1/',
      'ftp://shop.example.com/',
      'nonsense',
      'https://169.254.169.254/x',
    ])
      for (const [body, pointer] of [
        [{ url: bad }, '/url'],
        [{ url, stateUrl: bad }, '/stateUrl'],
      ] as const) {
        const answer = await ask(tenant, 'POST', '', body)
        assert.deepEqual([answer.status, pointers(answer)], [400, [pointer]], bad)
      }
    for (const [body, pointer] of [
      [{ url, cases: ['GOOD'] }, '/cases/0'],
      [{ url, cases: [] }, '/cases'],
      [{ url, seed: -1 }, '/seed'],
      [{ url, seed: 2 ** 32 }, '/seed'],
      [{}, '/url'],
      [{ url, secret: 'x' }, '/secret'],
    ] as const) {
      const answer = await ask(tenant, 'POST', '', body)
      assert.deepEqual([answer.status, pointers(answer)], [400, [pointer]], JSON.stringify(body))
    }
    assert.deepEqual((await ask(tenant, 'GET')).body, { data: [] })
  })

  test('a policy without loopback refuses this machine', async () => {
    await using shop = await openShop(secret)
    const strict = { allowHttp: true, allowLoopback: false }
    const other = await world.base.openApi({ webhookPolicy: { LIVE: strict, SANDBOX: strict } })
    const tenant = await world.base.openTenant()
    const refused = await other.ask('POST', rehearsalPath, { key: tenant.key, body: { url: shop.url } })
    assert.deepEqual([refused.status, pointers(refused)], [400, ['/url']])
    assert.equal(shop.received.length, 0)
  })

  test('is one at a time for each merchant, and another merchant’s is not there', async () => {
    await using receiver = await hanging()
    const [tenant, other] = [await world.base.openTenant(), await world.base.openTenant()]
    const body = { url: receiver.origin }
    const answers = await Promise.all([1, 2, 3].map(() => ask(tenant, 'POST', '', body)))
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [202, 409, 409],
    )
    const id = String(answers.find(({ status }) => status === 202)?.body['id'])
    for (const { status, body: problem } of answers)
      if (status === 409) assert.deepEqual([problem['code'], problem['rehearsalId']], ['invalid_state', id])
    for (const [method, under] of [
      ['GET', `/${id}`],
      ['POST', `/${id}/cancel`],
    ] as const)
      assert.equal((await ask(other, method, under)).status, 404)
    assert.deepEqual((await ask(other, 'GET')).body, { data: [] })
    await ask(tenant, 'POST', `/${id}/cancel`)
  })

  test('is canceled between two requests; once more is the same; one that has ended is refused', async () => {
    await using receiver = await startReceiver(async () => {
      await pause(100)
      return { status: 204 }
    })
    const tenant = await world.base.openTenant()
    const { body: started } = await ask(tenant, 'POST', '', { url: receiver.origin })
    const id = String(started['id'])
    await eventually('it is under way', () => receiver.calls.length > 0)
    const canceled = await ask(tenant, 'POST', `/${id}/cancel`)
    assert.deepEqual([canceled.status, canceled.body['status']], [200, 'CANCELED'])
    assert.deepEqual((await ask(tenant, 'POST', `/${id}/cancel`, {})).body, canceled.body)
    await pause(300)
    const sent = receiver.calls.length
    assert.ok(sent <= 3, `${sent} were sent`)
    await pause(300)
    assert.equal(receiver.calls.length, sent)
    assert.equal(casesOf(canceled.body).at(-1)?.['status'], 'SKIPPED')
    const rest = await ask(tenant, 'POST', '', {
      url: receiver.origin,
      cases: ['GOOD_DELIVERY', 'GOOD_DELIVERY'],
    })
    assert.deepEqual(statusesOf(await ended(tenant, rest)), { GOOD_DELIVERY: 'PASSED' })
    const late = await ask(tenant, 'POST', `/${String(rest.body['id'])}/cancel`)
    assert.deepEqual([late.status, late.body['code']], [409, 'invalid_state'])
    const { body: list } = await ask(tenant, 'GET', '?limit=1')
    assert.deepEqual(
      (list['data'] as readonly Row[]).map((each) => [each['id'], each['status'], each['cases']]),
      [[rest.body['id'], 'PASSED', undefined]],
    )
    const { body: next } = await ask(tenant, 'GET', `?limit=1&cursor=${String(list['nextCursor'])}`)
    assert.deepEqual([(next['data'] as readonly Row[])[0]?.['id'], next['nextCursor']], [id, undefined])
  })

  test('a hanging server holds neither the worker nor other merchants', async () => {
    await using receiver = await hanging()
    await using shop = await openShop(secret)
    const [slow, quick] = await Promise.all([
      world.rehearse(
        { url: receiver.origin, stateUrl: receiver.origin },
        {
          cases: ['DUPLICATED_DELIVERY', 'PAID_TWICE'],
        },
      ),
      world.rehearse(shop, { cases: ['GOOD_DELIVERY'] }),
    ])
    assert.deepEqual(statusesOf(slow), { DUPLICATED_DELIVERY: 'FAILED', PAID_TWICE: 'FAILED' })
    // After a request without an answer no more is sent in the case.
    assert.equal(receiver.calls.length, 2)
    assert.equal(quick['status'], 'PASSED')
  })
})

describe('a worker', () => {
  // From here on each test has its own workers.
  before(() => world.stop())

  const keyOf = (tenant: Tenant, { body }: Answer) => ({
    merchantId: tenant.id,
    id: String(body['id']) as RehearsalId,
  })
  const free = { total: 10, each: 10, byConnection: [] }

  async function begin(shop: Pick<Shop, 'url'> & Partial<Shop>, more: Row = {}) {
    const tenant = await world.base.openTenant()
    const started = await ask(tenant, 'POST', '', { url: shop.url, stateUrl: shop.stateUrl, ...more })
    return { tenant, started, read: () => ended(tenant, started) }
  }

  test('that was superseded writes no more', async () => {
    await using shop = await openShop(secret)
    const { tenant, started, read } = await begin(shop)
    const [dead] = await claimRehearsals(world.base.sql, free, 60_000)
    assert.ok(dead !== undefined)
    const half = dead.rehearsal.cases.map((each, nth) =>
      nth === 0
        ? { ...each, status: 'PASSED' as const }
        : nth === 1
          ? { ...each, status: 'RUNNING' as const }
          : each,
    )
    assert.equal(await renewRehearsal(world.base.sql, dead, 60_000, half), 'ours')
    assert.equal(await world.openRehearser().once(), 0, 'its lease has not ended')
    await world.base
      .sql`update rehearsal set due_at = now() - interval '1 second' where merchant_id = ${tenant.id}`
    assert.equal(await world.openRehearser().once(), 1)
    const rehearsal = await read()
    assert.deepEqual(statusesOf(rehearsal), all('PASSED'))
    assert.deepEqual(casesOf(rehearsal)[0]?.['deliveries'], [])
    assert.equal(await renewRehearsal(world.base.sql, dead, 60_000, half), 'lost')
    await endRehearsal(world.base.sql, keyOf(tenant, started), {
      status: 'FAILED',
      cases: [],
      claim: dead.claim,
    })
    assert.deepEqual(await read(), rehearsal)
  })

  test('that is killed in the middle of a case: the next one plays that case again, with other ids', async () => {
    let isAnswered = false
    // Answers the first case, and hangs in the second one.
    await using receiver = await startReceiver((_call, count) =>
      isAnswered || count === 1 ? { status: 204 } : undefined,
    )
    const cases = ['GOOD_DELIVERY', 'NEW_TYPE', 'NEW_FIELD']
    const { tenant, read } = await begin({ url: receiver.origin }, { cases })
    const env = {
      ...process.env,
      REHEARSAL_DATABASE: world.base.appUrl,
      REHEARSAL_SECRET: secret.toString('hex'),
    }
    const execArgv = process.execArgv.filter((each) => !each.startsWith('--test'))
    const worker = fork(fileURLToPath(new URL('../rehearsal-worker.ts', import.meta.url)), { env, execArgv })
    const gone = once(worker, 'exit')
    await receiver.until((calls) => calls.length === 2)
    worker.kill('SIGKILL')
    await gone
    const during = (await ask(tenant, 'GET')).body['data'] as readonly Row[]
    assert.deepEqual(
      during.map(({ status, passed }) => [status, passed]),
      [['RUNNING', 1]],
    )
    isAnswered = true
    assert.equal(await world.openRehearser().once(), 0, 'its lease has not ended')
    await world.base
      .sql`update rehearsal set due_at = now() - interval '1 second' where merchant_id = ${tenant.id}`
    assert.equal(await world.openRehearser().once(), 1)
    const rehearsal = await read()
    assert.deepEqual(statusesOf(rehearsal), Object.fromEntries(cases.map((name) => [name, 'PASSED'])))
    const ids = receiver.calls.map(({ headers }) => headers['webhook-id'])
    assert.deepEqual([ids.length, new Set(ids).size], [4, 4])
  })

  test('that is superseded in the middle of a case leaves it to the other one', async () => {
    let isAnswered = false
    await using receiver = await startReceiver(() => (isAnswered ? { status: 204 } : undefined))
    const { tenant, read } = await begin({ url: receiver.origin }, { cases: ['GOOD_DELIVERY', 'NEW_TYPE'] })
    const first = world.openRehearser().once()
    await receiver.until((calls) => calls.length === 1)
    isAnswered = true
    await world.base
      .sql`update rehearsal set due_at = now() - interval '1 second' where merchant_id = ${tenant.id}`
    assert.equal(await world.openRehearser().once(), 1)
    assert.equal(await first, 1)
    assert.deepEqual(statusesOf(await read()), { GOOD_DELIVERY: 'PASSED', NEW_TYPE: 'PASSED' })
  })

  test('that is asked to stop breaks off at once, and the next one goes on', async () => {
    let isAnswered = false
    await using receiver = await startReceiver(() => (isAnswered ? { status: 204 } : undefined))
    const { tenant, read } = await begin({ url: receiver.origin }, { cases: ['GOOD_DELIVERY'] })
    const stop = new AbortController()
    const run = world.openRehearser().run(stop.signal)
    await receiver.until((calls) => calls.length === 1)
    stop.abort()
    await run
    const [row] = await world.base.sql`
      select status, due_at <= now() as "isDue" from rehearsal where merchant_id = ${tenant.id}`
    assert.deepEqual(row, { status: 'RUNNING', isDue: true })
    isAnswered = true
    assert.equal(await world.openRehearser().once(), 1)
    const [only] = casesOf(await read())
    assert.ok(only !== undefined)
    assert.deepEqual([only['status'], (only['deliveries'] as readonly Row[]).length], ['PASSED', 1])
  })

  test('is not needed for an end: when the time is over, the rehearsal has ended', async () => {
    await using shop = await openShop(secret)
    const { tenant, started, read } = await begin(shop)
    const late = () =>
      world.base
        .sql`update rehearsal set last_at = now() - interval '1 second' where merchant_id = ${tenant.id} and status = 'RUNNING'`
    await late()
    const over = await read()
    assert.deepEqual([over['status'], statusesOf(over)], ['INCOMPLETE', all('SKIPPED')])
    assert.ok(typeof over['endedAt'] === 'string')
    const again = await ask(tenant, 'POST', '', { url: shop.url })
    assert.equal(again.status, 202)
    const statuses = async () =>
      ((await ask(tenant, 'GET')).body['data'] as readonly Row[]).map(({ status }) => status)
    assert.deepEqual(await statuses(), ['RUNNING', 'INCOMPLETE'])
    await late()
    assert.equal(await world.openRehearser().once(), 1)
    assert.deepEqual(await statuses(), ['INCOMPLETE', 'INCOMPLETE'])
    const rows = await world.base.sql`select distinct status from rehearsal where merchant_id = ${tenant.id}`
    assert.deepEqual(
      rows.map(({ status }) => status as unknown),
      ['INCOMPLETE'],
    )
    assert.equal(shop.received.length, 0)
    assert.notEqual(again.body['id'], started.body['id'])
  })

  test('calls no address that the policy forbids, whatever the call accepted', async () => {
    await using shop = await openShop(secret)
    const { read } = await begin(shop)
    const strict = world.openRehearser({ allowHttp: true, allowLoopback: false })
    assert.equal(await strict.once(), 1)
    const rehearsal = await read()
    assert.match(String(casesOf(rehearsal)[0]?.['observed']), /no answer \(address_not_allowed\)/)
    assert.equal(shop.received.length, 0)
  })

  test('keeps the newest hundred of a merchant', async () => {
    const tenant = await world.base.openTenant()
    await world.base.sql`
      insert into rehearsal (merchant_id, id, status, url, seed, cases, created_at, last_at, ended_at, connection, due_at)
      select ${tenant.id}, ('00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 'PASSED', 'https://x', 1, '[]',
             now(), now(), now(), 'x', now() from generate_series(1, 150) as i`
    const started = await ask(tenant, 'POST', '', { url: 'http://127.0.0.1:9/' })
    const [row] = await world.base.sql`
      select count(*)::integer as count, min(id::text) as oldest from rehearsal where merchant_id = ${tenant.id}`
    assert.deepEqual(row, { count: 100, oldest: '00000000-0000-7000-8000-000000000034' })
    await ask(tenant, 'POST', `/${String(started.body['id'])}/cancel`)
  })
})
