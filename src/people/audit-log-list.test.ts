// Reading the audit log: by merchant and by the operator, filtered, page by page.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { given } from '#/kernel/given.ts'
import { timeOfId, type MerchantId } from '#/kernel/id.ts'
import { addMs, sleep } from '#/kernel/time.ts'
import { bareId, onRows } from '../../test/bare-rows.ts'
import { openPeopleWorld, type PeopleWorld } from '../../test/people-world.ts'
import { listAudit, writeAudit } from './audit-log.ts'
import { selectAuditEntries, type AuditFilter } from './queries.ts'

let world: PeopleWorld
let merchantId: MerchantId
let other: MerchantId
before(async () => {
  world = await openPeopleWorld()
  merchantId = await world.merchant()
  other = await world.merchant()
})
after(() => world[Symbol.asyncDispose]())

/** All subjects of the pages of this size. */
async function subjects(filter: AuditFilter, limit = 2): Promise<readonly string[]> {
  const found: string[] = []
  let before: string | undefined
  for (;;) {
    const page = await listAudit(world.deps.sql, filter, { limit, ...given({ before }) })
    found.push(...page.entries.map(({ subject }) => subject))
    if (page.next === undefined) return found
    before = page.next
  }
}

test('entries are listed newest first, by any filter, and never those of another merchant', async () => {
  const user = await world.user({ name: 'Ana' })
  const by = { actor: { kind: 'USER', id: user.id }, address: '2001:db8::1', requestId: 'r7' } as const
  const machine = { actor: { kind: 'SYSTEM', id: 'expiry' } } as const
  for (const [nth, each] of [by, machine, by, machine, by].entries()) {
    // A span is given in milliseconds.
    await sleep(3)
    await writeAudit(world.deps.sql, [
      { ...each, merchantId, action: nth < 3 ? 'key.create' : 'key.revoke', subject: `key:${nth}` },
      { ...each, merchantId: other, action: 'key.create', subject: `foreign:${nth}` },
    ])
  }
  assert.deepEqual(await subjects({ merchantId }), ['key:4', 'key:3', 'key:2', 'key:1', 'key:0'])
  // Five are all: there is no page behind them.
  assert.equal((await listAudit(world.deps.sql, { merchantId }, { limit: 5 })).next, undefined)
  assert.deepEqual(await subjects({ merchantId, actorId: user.id }), ['key:4', 'key:2', 'key:0'])
  assert.deepEqual(await subjects({ merchantId, action: 'key.create' }), ['key:2', 'key:1', 'key:0'])
  assert.deepEqual(await subjects({ merchantId, action: 'key.create', actorId: 'expiry' }), ['key:1'])
  assert.deepEqual(await subjects({ merchantId, subject: 'key:3' }), ['key:3'])
  assert.deepEqual(await subjects({ merchantId, subject: 'foreign:3' }), [])
  assert.deepEqual(await subjects({ actorId: 'expiry' }, 3), ['foreign:3', 'key:3', 'foreign:1', 'key:1'])
  assert.ok((await subjects({}, 3)).includes(`user:${user.id}`))
  const [first] = (await listAudit(world.deps.sql, { merchantId }, { limit: 1 })).entries
  assert.ok(first)
  const { actorKind, actorName, address, requestId } = first
  assert.deepEqual([actorKind, actorName, address, requestId], ['USER', 'Ana', '2001:db8::1', 'r7'])
  assert.deepEqual(await subjects({ merchantId, to: first.at }), ['key:3', 'key:2', 'key:1', 'key:0'])
  assert.deepEqual(await subjects({ merchantId, from: first.at }), ['key:4'])
})

test('a page looks at a thousand entries at most, and the next one goes on', async () => {
  const few = await world.merchant()
  const entry = { actor: { kind: 'SYSTEM', id: 'few' }, merchantId: few, action: 'a.b' } as const
  const rare = { ...entry, actor: { kind: 'SYSTEM', id: 'rare' } } as const
  await writeAudit(world.deps.sql, [{ ...rare, subject: 'the:first' }])
  await writeAudit(world.deps.sql, [{ ...rare, subject: 'the:second' }])
  await writeAudit(
    world.deps.sql,
    Array.from({ length: 999 }, (_, nth) => ({ ...entry, subject: `x:${nth}` })),
  )
  const filter = { merchantId: few, action: 'a.b', actorId: 'rare' }
  const page = await listAudit(world.deps.sql, filter, { limit: 10 })
  // The last entry that was looked at fits, and is listed once.
  assert.equal(page.entries.length, 1)
  assert.ok(page.next)
  assert.deepEqual(await subjects(filter, 10), ['the:second', 'the:first'])
})

/** Entries by their numbers, all at the instant of their ids: whose, by whom, what was done and to what. */
const [ours, theirs] = [bareId(91) as MerchantId, bareId(92) as MerchantId]
const at = timeOfId(bareId(1))
const entries = [
  { id: bareId(1), merchant_id: ours, actor_id: 'x', action: 'a', subject: 's' },
  { id: bareId(2), merchant_id: ours, actor_id: 'x', action: 'b', subject: 't' },
  { id: bareId(3), merchant_id: ours, actor_id: 'y', action: 'a', subject: 't' },
  { id: bareId(4), merchant_id: theirs, actor_id: 'x', action: 'a', subject: 't' },
  { id: bareId(5), merchant_id: theirs, actor_id: 'y', action: 'b', subject: 's' },
].map((entry) => ({ ...entry, at, actor_kind: 'SYSTEM' }))

test('a page scans the entries of the narrowest column, the newest first, and says which fit the whole filter', async () => {
  const scan = async (filter: AuditFilter, page: { before?: string; window: number } = { window: 9 }) => {
    const rows = await onRows(world.owner, { audit_log: entries }, (tx) =>
      selectAuditEntries(tx, filter, page),
    )
    const numbers = (of: typeof rows) => of.map(({ id }) => Number(id.slice(-3))).join()
    return [numbers(rows), numbers(rows.filter(({ matches }) => matches))]
  }
  const cases: readonly (readonly [AuditFilter, scanned: string, fitting: string])[] = [
    [{}, '5,4,3,2,1', '5,4,3,2,1'],
    [{ subject: 's' }, '5,1', '5,1'],
    [{ subject: 's', merchantId: ours }, '5,1', '1'],
    [{ subject: 't', merchantId: ours, action: 'a', actorId: 'x' }, '4,3,2', ''],
    [{ merchantId: ours, action: 'a' }, '3,1', '3,1'],
    [{ merchantId: ours, action: 'a', actorId: 'x' }, '3,1', '1'],
    [{ merchantId: ours }, '3,2,1', '3,2,1'],
    [{ merchantId: ours, actorId: 'x' }, '4,2,1', '2,1'],
    [{ actorId: 'x' }, '4,2,1', '4,2,1'],
    [{ actorId: 'x', action: 'b' }, '4,2,1', '2'],
    [{ action: 'a' }, '5,4,3,2,1', '4,3,1'],
  ]
  for (const [filter, ...found] of cases) assert.deepEqual(await scan(filter), found, JSON.stringify(filter))
  assert.deepEqual(await scan({}, { window: 2 }), ['5,4', '5,4'])
  assert.deepEqual(await scan({}, { window: 9, before: bareId(3) }), ['2,1', '2,1'])
})

test('an entry is in a span from its first instant until before its last, and ids of other times are not scanned', async () => {
  const entry = { ...entries[0], merchant_id: null }
  const rows = [
    { ...entry, at: addMs(at, -1) },
    { ...entry, id: bareId(2) },
    { ...entry, id: bareId(3), at: addMs(at, 1) },
    { ...entry, id: '01990000-0000-7000-8000-000000000008' },
    { ...entry, id: '019b0000-0000-7000-8000-000000000009' },
  ]
  const scan = async (filter: AuditFilter) =>
    (
      await onRows(world.owner, { audit_log: rows }, (tx) => selectAuditEntries(tx, filter, { window: 9 }))
    ).map(({ id, matches }) => [Number(id.slice(-1)), matches])
  assert.deepEqual(await scan({ from: at }), [
    [9, true],
    [3, true],
    [2, true],
    [1, false],
  ])
  assert.deepEqual(await scan({ to: at }), [
    [3, false],
    [2, false],
    [1, true],
    [8, false],
  ])
})

test('an entry has the name of its user alone: not of another actor with such an id, nor of an id that is none', async () => {
  const user = { id: bareId(7), name: 'Ana' }
  const actors = [
    { id: bareId(1), actor_kind: 'USER', actor_id: user.id },
    { id: bareId(2), actor_kind: 'API_KEY', actor_id: user.id },
    { id: bareId(3), actor_kind: 'USER', actor_id: 'ana' },
  ]
  const tables = { app_user: [user], audit_log: actors.map((actor) => ({ ...entries[0], ...actor })) }
  const rows = await onRows(world.owner, tables, (tx) => selectAuditEntries(tx, {}, { window: 9 }))
  assert.deepEqual(
    rows.map(({ actorName }) => actorName),
    [null, null, 'Ana'],
  )
})
