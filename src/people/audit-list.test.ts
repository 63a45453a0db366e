// Reading the audit log: by merchant and by the operator, filtered, page by page.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { peopleDesk, type PeopleDesk } from '../../test/people-desk.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { sleep } from '#/kernel/time.ts'
import { listAudit, writeAudit } from './audit-log.ts'
import type { AuditFilter } from './queries.ts'

let desk: PeopleDesk
let merchantId: MerchantId
let other: MerchantId
before(async () => {
  desk = await peopleDesk()
  merchantId = await desk.merchant()
  other = await desk.merchant()
})
after(() => desk[Symbol.asyncDispose]())

/** All subjects of the pages of this size. */
async function subjects(filter: AuditFilter, limit = 2): Promise<readonly string[]> {
  const found: string[] = []
  let before: string | undefined
  for (;;) {
    const page = await listAudit(desk.deps.sql, filter, { limit, ...(before !== undefined && { before }) })
    found.push(...page.entries.map(({ subject }) => subject))
    if (page.next === undefined) return found
    before = page.next
  }
}

test('entries are listed newest first, by any filter, and never those of another merchant', async () => {
  const user = await desk.user({ name: 'Ana' })
  const by = { actor: { kind: 'USER', id: user.id }, address: '2001:db8::1', requestId: 'r7' } as const
  const machine = { actor: { kind: 'SYSTEM', id: 'expiry' } } as const
  for (const [nth, each] of [by, machine, by, machine, by].entries()) {
    // A span is given in milliseconds.
    await sleep(3)
    await writeAudit(desk.deps.sql, [
      { ...each, merchantId, action: nth < 3 ? 'key.create' : 'key.revoke', subject: `key:${nth}` },
      { ...each, merchantId: other, action: 'key.create', subject: `foreign:${nth}` },
    ])
  }
  assert.deepEqual(await subjects({ merchantId }), ['key:4', 'key:3', 'key:2', 'key:1', 'key:0'])
  assert.deepEqual(await subjects({ merchantId, actorId: user.id }), ['key:4', 'key:2', 'key:0'])
  assert.deepEqual(await subjects({ merchantId, action: 'key.create' }), ['key:2', 'key:1', 'key:0'])
  assert.deepEqual(await subjects({ merchantId, action: 'key.create', actorId: 'expiry' }), ['key:1'])
  assert.deepEqual(await subjects({ merchantId, subject: 'key:3' }), ['key:3'])
  assert.deepEqual(await subjects({ merchantId, subject: 'foreign:3' }), [])
  assert.deepEqual(await subjects({ actorId: 'expiry' }, 3), ['foreign:3', 'key:3', 'foreign:1', 'key:1'])
  assert.ok((await subjects({}, 3)).includes(`user:${user.id}`))
  const [first] = (await listAudit(desk.deps.sql, { merchantId }, { limit: 1 })).entries
  assert.ok(first)
  const { actorKind, actorName, address, requestId } = first
  assert.deepEqual([actorKind, actorName, address, requestId], ['USER', 'Ana', '2001:db8::1', 'r7'])
  assert.deepEqual(await subjects({ merchantId, to: first.at }), ['key:3', 'key:2', 'key:1', 'key:0'])
  assert.deepEqual(await subjects({ merchantId, from: first.at }), ['key:4'])
})

test('a page looks at a thousand entries at most, and the next one goes on', async () => {
  const few = await desk.merchant()
  const entry = { actor: { kind: 'SYSTEM', id: 'few' }, merchantId: few, action: 'a.b' } as const
  await writeAudit(desk.deps.sql, [{ ...entry, actor: { kind: 'SYSTEM', id: 'rare' }, subject: 'the:first' }])
  await writeAudit(
    desk.deps.sql,
    Array.from({ length: 1_000 }, (_, nth) => ({ ...entry, subject: `x:${nth}` })),
  )
  const filter = { merchantId: few, action: 'a.b', actorId: 'rare' }
  const page = await listAudit(desk.deps.sql, filter, { limit: 10 })
  assert.equal(page.entries.length, 0)
  assert.ok(page.next)
  assert.deepEqual(await subjects(filter), ['the:first'])
})
