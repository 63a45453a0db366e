// The glance, on a table of durable work in a real database.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { connect } from '#/db/client.ts'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { fc } from '../../test/chance.ts'
import { count } from '../../test/counts.ts'
import { eventually } from '../../test/eventually.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { testDatabase } from '../../test/postgres.ts'
import { chosen, selectDueNow, someDue, type DueTable } from './due-queries.ts'
import { openGlance } from './glance.ts'

const database = openForTests(testDatabase)
const sql = openForTests(() => connect(database.appUrl, { max: 4 }))
beforeEach(() => sql`delete from attempt_closing`)

/** A row that was due so many seconds ago; negative: that will be. */
async function keep(connection: string, dueSecondsAgo: number): Promise<void> {
  await sql`
    insert into attempt_closing (merchant_id, attempt_id, connection, due_at)
    values (${newId()}, ${newId()}, ${connection}, now() - ${dueSecondsAgo} * interval '1 second')`
}

const tableOf = (connections: string): DueTable => ({
  name: 'attempt_closing',
  isListed: (any) => any`due.connection like ${connections}`,
})

/** A room of a glance, and how often it was woken. */
function room(name: string, isDue = someDue(tableOf(`${name}%`))) {
  const woken = { times: 0 }
  return { name, isDue, woken, wake: () => void (woken.times += 1) }
}

test('a room is woken while something of it is due by the database’s clock, and no other room', async () => {
  const [a, b, c] = [room('a'), room('b'), room('c')]
  const glance = openGlance({ sql, log: silentLog })
  await keep('a1', 10)
  await keep('b1', -3600)
  for (const each of [a, b, c]) glance.watch(each)
  await eventually('the room with a due row is woken twice', () => a.woken.times >= 2)
  assert.deepEqual([b.woken.times, c.woken.times], [0, 0])
  await sql`update attempt_closing set due_at = now() - interval '1 second' where connection = 'b1'`
  await eventually('the other is woken when its row is due', () => b.woken.times >= 1)
  assert.equal(c.woken.times, 0)
  await glance.close()
})

test('a room that comes later is looked at too, and after the end nobody is woken', async () => {
  const [a, b] = [room('a'), room('b')]
  const glance = openGlance({ sql, log: silentLog })
  glance.watch(a)
  await keep('a1', 10)
  await keep('b1', 10)
  await eventually('the first is woken', () => a.woken.times >= 1)
  glance.watch(b)
  await eventually('the second is woken', () => b.woken.times >= 1)
  await glance.close()
  const before = [a.woken.times, b.woken.times]
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual([a.woken.times, b.woken.times], before)
})

test('a look that fails wakes every room, and is reported', async () => {
  const warnings: unknown[] = []
  const warn = (about: unknown) => void warnings.push(about)
  const a = room('a')
  const bad = room('bad', (any) => any`(select due_at from attempt_closing_of_nobody)`)
  const glance = openGlance({ sql, log: { ...silentLog, warn } })
  glance.watch(a)
  glance.watch(bad)
  await eventually('both are woken', () => a.woken.times >= 1 && bad.woken.times >= 1)
  await glance.close()
  assert.deepEqual(warnings[0], { error: 'relation "attempt_closing_of_nobody" does not exist' })
})

test('what a worker would claim is always seen, and what is due later is not', async () => {
  const rows = fc.array(fc.record({ connection: fc.constantFrom('a1', 'a2', 'b1'), isDue: fc.boolean() }), {
    maxLength: 8,
  })
  const agrees = fc.asyncProperty(rows, async (all) => {
    await sql`delete from attempt_closing`
    for (const { connection, isDue } of all) await keep(connection, isDue ? 10 : -3600)
    const table = tableOf('a%')
    const slots = { total: 10, each: 1, byConnection: [] }
    const [seen] = await selectDueNow(sql, [someDue(table)])
    const claimed = await sql`with recursive ${chosen(sql, table, slots)} select from chosen`
    assert.equal(seen, claimed.length > 0)
    assert.equal(
      seen,
      all.some(({ connection, isDue }) => isDue && connection.startsWith('a')),
    )
  })
  await fc.assert(agrees, { numRuns: count({ quick: 25, soak: 2_000 }) })
})
