// The live streams of the dashboard: what they tell, and that they end with their session or membership.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { MerchantId } from '#/kernel/id.ts'
import { hourMs } from '#/kernel/time.ts'
import { withdrawalBody } from '../contract/world.ts'
import { eventually } from '../eventually.ts'
import { shownBy } from './shown.ts'
import { openDashboardWorld, type DashboardWorld, type Person } from './world.ts'

type Row = Readonly<Record<string, unknown>>

/** Looks so seldom that only what tells it of an end can end a stream. */
let world: DashboardWorld
before(async () => {
  world = await openDashboardWorld({ checkEveryMs: hourMs, shows: shownBy['live.test.ts'] })
})
after(() => world.close())

async function openStream(at: DashboardWorld, { cookie }: Person, merchantId: MerchantId) {
  const answer = await fetch(`http://127.0.0.1:${at.port}/api/m/${merchantId}/live`, {
    headers: { ...at.ownPage, cookie },
  })
  assert.equal(answer.status, 200)
  const reader: ReadableStreamDefaultReader<Uint8Array> = (answer.body ?? assert.fail('a body')).getReader()
  let text = ''
  let isOver = false
  void (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read())
      text += new TextDecoder().decode(part.value)
    isOver = true
  })()
  return { text: () => text, isOver: () => isOver, leave: () => reader.cancel() }
}

async function openShop(at: DashboardWorld) {
  const tenant = await at.base.openTenant()
  await at.base.fund(tenant, 10_000n)
  const { id } = tenant
  const [owner, other] = await Promise.all(
    (['OWNER', 'ADMIN'] as const).map((role) => at.person([{ merchantId: id, role }])),
  )
  assert.ok(owner !== undefined && other !== undefined)
  return { id, owner, other }
}

test('a stream says what changed', async () => {
  const { id, owner } = await openShop(world)
  const stream = await openStream(world, owner, id)
  const made = await owner.ask('POST', `/api/m/${id}/withdrawals`, withdrawalBody())
  const subject = `"subject":{"kind":"withdrawal","id":"${String(made.body['id'])}"}`
  await eventually('the event came', () => stream.text().includes(subject))
  await stream.leave()
})

test('a stream also says what changed just before it was opened: its page may have read the state before', async () => {
  const { id, owner } = await openShop(world)
  const made = await owner.ask('POST', `/api/m/${id}/withdrawals`, withdrawalBody())
  const stream = await openStream(world, owner, id)
  await eventually('the event came', () => stream.text().includes(String(made.body['id'])))
  await stream.leave()
})

test('a session that is ended elsewhere ends its streams without a look, and no other', async () => {
  const { id, owner, other } = await openShop(world)
  const elsewhere = await world.signIn(owner.userId, owner.email)
  const [theirs, kept, others] = await Promise.all([
    openStream(world, owner, id),
    openStream(world, elsewhere, id),
    openStream(world, other, id),
  ])
  const listed = await elsewhere.ask('GET', '/api/me/sessions')
  const row = (listed.body['data'] as readonly Row[]).find((each) => each['isCurrent'] === false)
  assert.equal((await elsewhere.ask('DELETE', `/api/me/sessions/${String(row?.['id'])}`)).status, 204)
  assert.equal((await owner.ask('GET', '/api/session')).status, 401)
  await eventually('the stream has ended', theirs.isOver)
  assert.equal((await elsewhere.ask('DELETE', '/api/session')).status, 204)
  await eventually('the stream of who signed out has ended', kept.isOver)
  assert.equal(others.isOver(), false)
  await others.leave()
})

test('a member who is removed has no stream any more', async () => {
  const { id, owner, other } = await openShop(world)
  const stream = await openStream(world, other, id)
  assert.equal((await owner.ask('DELETE', `/api/m/${id}/members/${other.userId}`)).status, 204)
  await eventually('the stream has ended', stream.isOver)
  assert.equal((await other.ask('GET', `/api/m/${id}/payments`)).status, 404)
})

test('what another process ends, ends a stream at the next look', async () => {
  await using stack = new AsyncDisposableStack()
  const often = await openDashboardWorld({ checkEveryMs: 50 })
  stack.defer(() => often.close())
  const { id, owner, other } = await openShop(often)
  const [theirs, others] = await Promise.all([openStream(often, owner, id), openStream(often, other, id)])
  await often.base.sql`update user_session set revoked_at = now() where user_id = ${owner.userId}`
  await eventually('the stream has ended', theirs.isOver)
  assert.equal(others.isOver(), false)
  await often.base.sql`delete from membership where user_id = ${other.userId}`
  await eventually('the stream of who is no member has ended', others.isOver)
})

test('a stream ends with the server', async () => {
  const own = await openDashboardWorld({ checkEveryMs: hourMs })
  const { id, owner } = await openShop(own)
  const stream = await openStream(own, owner, id)
  await own.close()
  await eventually('the stream has ended', stream.isOver)
})
