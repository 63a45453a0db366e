// What a worker does over time: it retries, requests a review, and checks again when a report arrives.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { list } from '#/db/client.ts'
import type { WithdrawalId } from '#/kernel/id.ts'
import { minuteMs, secondMs } from '#/kernel/time.ts'
import { openBooks, type Books } from '../../test/books.ts'
import { openWorld, type Fate } from '../../test/laws/withdrawal-world.ts'
import { claimDue, hastenDue } from './due-queries.ts'
import { selectByReferences } from './queries.ts'

let books: Books
let lanes: Parameters<typeof openWorld>[1]
before(async () => {
  books = await openBooks()
  const lane = await books.openLane()
  lanes = [lane, lane]
})
after(() => books[Symbol.asyncDispose]())

async function one(...fates: readonly Fate[]) {
  const world = await openWorld(books, lanes)
  const ownFates = [...fates]
  world.fated(() => ownFates.shift() ?? 'clean')
  await world.ask(0, 100)
  const [id] = world.ids
  return {
    ...world,
    id: id ?? assert.fail('it was accepted'),
    async now() {
      const [found] = await world.all()
      return found ?? assert.fail('it is there')
    },
    /** Calls for it that reached the bank. Others of this database may be handled in the same round. */
    async calls() {
      const [found] = await world.all()
      return world.heard.get(found?.reference ?? '') ?? 0
    },
  }
}

test('after an hour without an end a withdrawal requires a review, is still looked up, and ends when the bank reports it', async () => {
  const world = await one()
  await world.work(0)
  for (let passed = 0; passed < 59; passed += 10) {
    await world.tick(9 * minuteMs)
    await world.work(0)
    assert.equal((await world.now()).reviewRequired, false, `${passed}`)
  }
  await world.tick(10 * minuteMs)
  await world.work(0)
  const { status, reviewRequired } = await world.now()
  assert.deepEqual([status, reviewRequired], ['PROCESSING', true])
  world.end(() => true)
  await world.tick(10 * minuteMs)
  await world.work(0)
  assert.deepEqual(await world.now().then((each) => [each.status, each.reviewRequired]), ['COMPLETED', false])
  assert.equal(await world.calls(), 1)
})

test('the hour counts from the first call, not from the request', async () => {
  const world = await one()
  await world.tick(90 * minuteMs)
  await world.work(0)
  assert.equal((await world.now()).reviewRequired, false)
})

test('due withdrawals are claimed in the order of their creation, wherever their rows lie', async () => {
  const world = await openWorld(books, lanes)
  for (let i = 0; i < 5; i++) await world.ask(0, 100)
  const created = [...world.ids].sort()
  assert.equal(created.length, 5)
  // One after another to the end of the table: the first one created lies last.
  for (const id of created.toReversed())
    await books.sql`update withdrawal_due set due_at = '2020-01-01' where withdrawal_id = ${id}`
  const claimed = await claimDue(books.sql, { total: 100, each: 100, byConnection: [] }, minuteMs)
  const ours = claimed.map(({ withdrawal }) => withdrawal.id).filter((id) => created.includes(id))
  assert.deepEqual(ours, created)
})

test('one that had left before a restore took it back is looked up before it is sent', async () => {
  const world = await openWorld(books, lanes)
  await world.ask(0, 100)
  const [id = assert.fail('it was created')] = world.ids
  await books.sql`update withdrawal_due set due_at = '2020-01-01' where withdrawal_id = ${id}`
  await books.sql`update withdrawal set left_before_restore = true where id = ${id}`
  const claimed = await claimDue(books.sql, { total: 100, each: 100, byConnection: [] }, minuteMs)
  const ours = claimed.find(({ withdrawal }) => withdrawal.id === id)
  assert.ok(ours?.lastSentAt instanceof Date)
})

test('after a refused call it is sent again as the first time; after a cut connection only after a while', async () => {
  const away = await one('away')
  await away.work(0)
  await away.tick(2 * secondMs)
  await away.work(0)
  assert.equal(await away.calls(), 1)
  // Cut off and nothing at the bank: looked up, and sent again when the first call cannot be on its way any more.
  const cut = await one('late')
  await cut.work(0)
  for (let passed = 0; passed < 36; passed += 4) {
    await cut.tick(4 * secondMs)
    await cut.work(0)
    assert.equal(await cut.calls(), 0)
  }
  await cut.tick(2 * minuteMs)
  await cut.work(0)
  assert.equal(await cut.calls(), 1, 'the first call has arrived, and there is no second one')
})

test('a report about a completed one is checked, and it is never sent again', async () => {
  const world = await one()
  await world.work(0)
  world.end(() => true)
  await world.tick(2 * secondMs)
  await world.work(0)
  const { reference, status } = await world.now()
  assert.equal(status, 'COMPLETED')
  world.giveBack(reference)
  for (let i = 0; i < 3; i++) {
    await world.hasten(world.id)
    await world.tick(secondMs)
    await world.work(0)
  }
  assert.equal((await world.now()).returnedMinor, 100n)
  assert.equal(await world.calls(), 1)
  const due = await books.sql`select 1 from withdrawal_due where withdrawal_id = ${world.id}`
  assert.equal(due.length, 0)
})

test('a report makes due what it names, of its type: what may be at the provider, and what has ended there', async () => {
  const world = await openWorld(books, lanes)
  const states = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELED'] as const
  for (let i = 0; i < 2 * states.length; i++) await world.ask(0, 10 + i)
  const { sql } = books
  const of = async (from: number) => {
    const rows = await Promise.all(
      states.map(async (status, nth) => {
        const id = world.ids[from + nth] ?? assert.fail('it was accepted')
        await sql`update withdrawal set status = ${status} where id = ${id}`
        if (status !== 'PENDING' && status !== 'PROCESSING')
          await sql`delete from withdrawal_due where withdrawal_id = ${id}`
        return { id, status }
      }),
    )
    const all = await world.all()
    return rows.map((row) => ({ ...row, reference: all.find(({ id }) => id === row.id)?.reference ?? '' }))
  }
  const [named] = [await of(0), await of(states.length)]
  await sql`update withdrawal_due set due_at = now() + interval '1 day'`
  const references = named.map(({ reference }) => reference)
  const due = async () => {
    const rows = await sql<{ id: WithdrawalId }[]>`
      select withdrawal_id as id from withdrawal_due where due_at <= ${world.clock.now()} and withdrawal_id = any (${list(world.ids)}::uuid[])`
    return rows.map(({ id }) => String(named.find((each) => each.id === id)?.status)).toSorted()
  }
  assert.equal(await hastenDue(sql, 'SEPA', references), 0)
  assert.deepEqual(await due(), [])
  assert.equal(await hastenDue(sql, 'PIX', references), 3)
  assert.deepEqual(await due(), ['COMPLETED', 'FAILED', 'PROCESSING'])
  const found = await selectByReferences(sql, 'PIX', references.slice(0, 1))
  assert.deepEqual(
    found.map(({ id }) => id),
    world.ids.slice(0, 1),
  )
  assert.deepEqual(await selectByReferences(sql, 'SEPA', references), [])
  await sql`delete from withdrawal_due where withdrawal_id = any (${list(world.ids)}::uuid[])`
})

test('a wake-up during the call to the bank is not lost', async () => {
  const world = await one()
  let calls = 0
  world.fated(() => {
    // It is hastened in the middle of the call.
    if (calls++ === 0) void world.hasten(world.id)
    return 'clean'
  })
  await world.work(0)
  await new Promise((resolve) => setTimeout(resolve, 50))
  world.end(() => true)
  // Less than a second has passed: only the wake-up makes it due.
  await world.work(0)
  assert.equal((await world.now()).status, 'COMPLETED')
})

test('a withdrawal approved and canceled at the same moment is not due any more', async () => {
  for (let times = 0; times < 5; times++) {
    const world = await openWorld(books, lanes)
    await world.ask(0, 600)
    const [id] = world.ids
    assert.ok(id !== undefined)
    // While the lane is busy with the first, the others wait for one batch.
    await Promise.all([world.ask(0, 1), world.decide(0, id, 'approved'), world.decide(0, id, 'canceled')])
    const found = (await world.all()).find((each) => each.id === id)
    assert.equal(found?.status, 'CANCELED')
    assert.deepEqual(await world.due(), world.ids.slice(1))
  }
})
