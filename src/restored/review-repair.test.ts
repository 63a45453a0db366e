// The steps of a repair, on a test's own rows: it begins once, reaches every merchant, and is opened when two people have reviewed everything.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql, Tx } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { laneOn, poolOn } from '../../test/bare-lane.ts'
import { bareId, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { recordingBooks } from '../../test/settlement-view.ts'
import { beginRepair, usualJump } from './begin.ts'
import { subjects } from './restore.ts'
import { confirm, eachInForce, open, type Confirmation } from './review.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const at = new Date('2026-11-22T10:00:00Z')
const person = (id: string) => ({ by: { actor: { kind: 'OPERATOR', id } as const }, name: id })
const [ana, bia] = [person('ana'), person('bia')]
const bank = 'bank' as ConnectionId

/** All that a repair reads and writes. */
const none: BareRows = Object.fromEntries(
  [
    'epoch',
    'restore',
    'restore_review',
    'money_freeze',
    'audit_log',
    'merchant',
    'event_counter',
    'event_gap',
  ]
    .concat([
      'user_session',
      'one_time_link',
      'money_out_comparison',
      'unrecorded',
      'command_account',
      'app_user',
    ])
    .concat(['api_key', 'membership', 'withdrawal_limit', 'withdrawal_destination'])
    .map((table) => [table, []]),
)

function onRepair<Answer>(tables: BareRows, ask: (tx: Tx) => Promise<Answer>): Promise<Answer> {
  const head = [{ batch: 7, hash: '\\x01', at, epoch: 3 }]
  return onRows(sql, { ...none, head, ...tables }, async (tx) => {
    await tx`create unique index on event_counter (merchant_id)`
    return ask(tx)
  })
}

const auditOf = async (tx: Tx) =>
  (await tx`select action from audit_log`).map(({ action }) => action as string)

test('a repair begins once, ends all sessions, and every merchant jumps and is told once', async () => {
  assert.equal(usualJump, 1_000_000n)
  // One more than a page, of which the first has had five events.
  const full = 200
  const merchant = Array.from({ length: full + 1 }, (_, index) => ({ id: bareId(index + 1), mode: 'LIVE' }))
  const tables = {
    merchant,
    event_counter: [{ merchant_id: bareId(1), sequence: 5 }],
    user_session: [{ id: bareId(1) }],
  }
  await onRepair(tables, async (tx) => {
    const lane = laneOn<EventDraft>({ tx, books: recordingBooks().books, at, now: at, number: 8n }, 2)
    const opening = { ...ana, reason: 'disk lost', eventJump: 100n }
    const reached: number[] = []
    const begin = () => beginRepair({ sql: poolOn(tx), lane }, opening, (count) => reached.push(count))
    assert.deepEqual(await begin(), { kind: 'started', number: 4 })
    assert.deepEqual(reached, [full, full + 1, full, full + 1])
    assert.deepEqual(
      lane.events.map(({ type, merchantId }) => `${type} ${merchantId}`),
      merchant.map(({ id }) => `service.restored ${id}`),
    )
    const gaps =
      await tx`select last_number as last, first_number as first from event_gap order by merchant_id limit 2`
    assert.deepEqual(
      [...gaps],
      [
        { last: 5n, first: 106n },
        { last: 0n, first: 101n },
      ],
    )
    assert.equal((await tx`select 1 from event_gap`).length, full + 1)
    assert.equal((await tx`select 1 from user_session where revoked_at is null`).length, 0)
    const freezes = await tx`select kind, decided_by as by, reason from money_freeze`
    assert.deepEqual([...freezes], [{ kind: 'RESTORE', by: 'ana', reason: 'disk lost' }])
    const [epoch] = await tx`select number, last_batch as "lastBatch", event_jump as "eventJump" from epoch`
    assert.deepEqual(epoch, { number: 4, lastBatch: 7n, eventJump: 100n })
    assert.deepEqual(await auditOf(tx), ['books.restore'])

    // Run again it continues, and there is nothing left; after it was opened, another restore is another epoch.
    await tx`update restore set jumped_at = ${at}, told_at = ${at}`
    assert.deepEqual(await begin(), { kind: 'running', number: 4 })
    assert.deepEqual([lane.events.length, reached.length], [full + 1, 4])
    assert.deepEqual([...(await tx`select jumped_at as a, told_at as b from restore`)], [{ a: at, b: at }])
    await tx`update restore set opened_at = ${at}`
    assert.deepEqual(await begin(), { kind: 'started', number: 5 })
    assert.equal((await tx`select 1 from event_gap`).length, 2 * (full + 1))
  })
})

test('all that is in force is visited page by page, and counted', async () => {
  const limit = { merchant_id: bareId(1), type: 'PIX', listed_only: false }
  for (const [count, pages] of [
    [0, []],
    [1, [1]],
    [1_001, [1_000, 1]],
  ] as const) {
    const withdrawal_limit = Array.from({ length: count }, (_, index) => ({
      ...limit,
      currency: `C${index}`,
    }))
    await onRepair({ withdrawal_limit }, async (tx) => {
      const visited: number[] = []
      assert.equal(await eachInForce(poolOn(tx), 'LIMITS', (rows) => visited.push(rows.length)), count)
      assert.deepEqual(visited, pages)
    })
  }
})

const epoch = [
  { number: 4, id: bareId(31), last_batch: 7, last_hash: '\\x01', last_at: at, event_jump: 100, at },
]
const [restore] = [{ epoch: 4, jumped_at: at, told_at: at }]
const begun = {
  epoch,
  restore: [restore],
  money_freeze: [
    { kind: 'RESTORE', decided_by: 'ana', id: bareId(32) },
    { kind: 'OPERATOR', id: bareId(33) },
  ],
}
const comparison = {
  id: bareId(34),
  epoch: 4,
  at,
  compared_by: 'ana',
  since: at,
  complete: 1,
  incomplete: [],
}
const missing = { ...comparison, incomplete: [{ kind: 'REFUND', connection: bank, why: 'no list' }] }

test('a person confirms what they have read; money out is confirmed by another one, when all was compared and decided', async () => {
  const moneyOut = { subject: 'MONEY_OUT', note: 'compared' } as const
  const limits = { subject: 'LIMITS', note: 'read' } as const
  const without = [bank]
  const refused = (message: RegExp, code = 'invalid_state') => ({ message, code })
  const cases: readonly (readonly [
    tables: BareRows,
    by: typeof ana,
    Confirmation,
    expected: ReturnType<typeof refused> | undefined,
  ])[] = [
    [{ ...begun, restore: [] }, bia, limits, refused(/No repair is under way/)],
    [{ ...begun, restore: [{ ...restore, opened_at: at }] }, bia, limits, refused(/No repair is under way/)],
    [
      { ...begun, restore: [{ ...restore, told_at: null }] },
      bia,
      limits,
      refused(/first steps are not done/),
    ],
    [begun, ana, { ...limits, reviewedCount: 0 }, undefined],
    [begun, ana, { ...limits, reviewedCount: 1 }, refused(/There are 0 of these, not 1/)],
    [begun, ana, limits, refused(/There are 0 of these, not 0/)],
    [
      { ...begun, money_out_comparison: [comparison] },
      ana,
      moneyOut,
      refused(/You began this repair/, 'forbidden'),
    ],
    [begun, bia, moneyOut, refused(/Nothing was compared/)],
    [{ ...begun, money_out_comparison: [missing] }, bia, moneyOut, refused(/missed bank \(no list\)/)],
    [
      { ...begun, money_out_comparison: [comparison] },
      bia,
      { ...moneyOut, without },
      refused(/missed nothing of bank/),
    ],
    [
      { ...begun, money_out_comparison: [comparison], unrecorded: [{ id: bareId(35) }] },
      bia,
      moneyOut,
      refused(/1 still wait for two people/),
    ],
    [{ ...begun, money_out_comparison: [comparison] }, bia, moneyOut, undefined],
    [{ ...begun, money_out_comparison: [missing] }, bia, { ...moneyOut, without }, undefined],
  ]
  for (const [index, [tables, by, confirmation, expected]] of cases.entries())
    await onRepair(tables, async (tx) => {
      const confirming = confirm(poolOn(tx), by, confirmation)
      if (expected === undefined) assert.equal(await confirming, true, `case ${index}`)
      else await assert.rejects(confirming, expected, `case ${index}`)
      const rows = await tx`select reviewed_by as by, note from restore_review`
      assert.deepEqual([...rows], expected === undefined ? [{ by: by.name, note: confirmation.note }] : [])
      assert.deepEqual(await auditOf(tx), expected === undefined ? ['restore.confirm'] : [])
      if (expected !== undefined) return
      const [entry] = await tx`select after from audit_log`
      const named = confirmation.without === undefined ? {} : { without: confirmation.without }
      const seen = confirmation.reviewedCount === undefined ? {} : { seen: confirmation.reviewedCount }
      assert.deepEqual(entry?.['after'], { subject: confirmation.subject, ...seen, ...named })
    })
})

test('money leaves again when all steps are done, by another person, and the other freezes stay', async () => {
  const restore_review = subjects.map((subject) => ({ epoch: 4, subject, at, reviewed_by: 'ana' }))
  const reviewed = { ...begun, restore_review }
  const cases = [
    [{ ...begun, restore_review: restore_review.slice(1) }, bia, /step before is not done: keys/],
    [reviewed, ana, /You began this repair/],
    [{ ...reviewed, unrecorded: [{ id: bareId(35) }] }, bia, /still wait for two people/],
    [reviewed, bia, undefined],
  ] as const
  for (const [tables, by, message] of cases)
    await onRepair(tables, async (tx) => {
      const opening = open(poolOn(tx), by, 'all reviewed')
      if (message === undefined) await opening
      else await assert.rejects(opening, { message })
      const kinds = (await tx`select kind from money_freeze order by kind`).map(({ kind }) => kind as string)
      assert.deepEqual(kinds, message === undefined ? ['OPERATOR'] : ['OPERATOR', 'RESTORE'])
      assert.equal(
        (await tx`select 1 from restore where opened_at is not null`).length,
        message === undefined ? 1 : 0,
      )
      assert.deepEqual(await auditOf(tx), message === undefined ? ['restore.open'] : [])
    })
})
