// What the lane writes of what kinds of work decide, and whom it tells.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '#/db/client.ts'
import { newId } from '#/kernel/id.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import {
  accounts,
  assertSound,
  balanceOf,
  deposit,
  isUnavailable,
  move,
  openBooks,
  posting,
  transfersOf,
} from '../../test/books.ts'
import { eventually } from '../../test/eventually.ts'
import { startTcpProxy } from '../../test/tcp-proxy.ts'
import { fees } from './chart.ts'
import { runnable } from './kind.ts'

const { bank, wallet } = accounts

type Part = 'change' | 'event' | 'posting'

/** Decides to do the parts that the item names, and no more. */
const doing = runnable<readonly Part[], null, 'change', 'done', EventDraft>({
  name: 'doing',
  async load({ books }) {
    await books.load([bank(), wallet(1)])
    return null
  },
  decide(_view, parts, { books }) {
    if (parts.includes('posting')) assert.ok(books.post([posting(bank(), wallet(1), 1)]).ok)
    return {
      verdict: 'done',
      ...(parts.includes('change') ? { change: 'change' } : {}),
      ...(parts.includes('event') ? { events: [walletCreated()] } : {}),
    }
  },
  write: () => Promise.resolve(),
})

function walletCreated(): EventDraft {
  return { merchantId: newId(), mode: 'SANDBOX', type: 'wallet.created', resourceId: newId(), data: {} }
}

test('a batch is written for a change, an event or a posting alone; an act is noted beside a change or an event, and listeners hear of events', async () => {
  await using books = await openBooks()
  let heard = 0
  const lane = await books.openLane({ onEvents: () => void heard++ })
  const rows: readonly (readonly [readonly Part[], noted: boolean])[] = [
    [[], false],
    [['posting'], false],
    [['change'], true],
    [['event'], true],
    [['change', 'event'], true],
  ]
  const batchOf = async () => (await books.sql<{ batch: bigint }[]>`select batch from head`)[0]?.batch ?? 0n
  for (const [parts, noted] of rows) {
    const [before, heardBefore] = [await batchOf(), heard]
    let notes = 0
    const beside = () => Promise.resolve(void notes++)
    assert.equal(await lane.submit(doing, parts, { beside }), 'done')
    assert.equal(await batchOf(), before + (parts.length === 0 ? 0n : 1n), parts.join())
    assert.equal(notes, noted ? 1 : 0, parts.join())
    assert.equal(heard - heardBefore, parts.includes('event') ? 1 : 0, parts.join())
  }
  assert.equal((await books.sql`select from event`).count, 2)
  await assertSound(books)
})

test('listeners hear of the events of a batch whose COMMIT had no answer, and of no batch without', async () => {
  await using books = await openBooks()
  await using proxy = await startTcpProxy(books.appUrl)
  let heard = 0
  const openSql = () => connect(proxy.url, { max: 1 })
  const lane = await books.openLane({ openSql, onEvents: () => void heard++ })
  for (const parts of [['change'], ['event'], ['posting']] as const) {
    const struck = proxy.strike(/^commit$/, 'answer lost')
    assert.equal(await lane.submit(doing, parts), 'done')
    await struck
    assert.equal(heard, parts[0] === 'change' ? 0 : 1, parts[0])
  }
})

test('a lane knows the end that it wrote, and writes nothing to books that end before the newest it knows', async () => {
  await using books = await openBooks()
  const lane = await books.openLane()
  await lane.submit(move, deposit(1, 1))
  await lane.submit(move, deposit(1, 1))
  const [head] = await books.sql<
    { epoch: number; batch: bigint; hash: Buffer }[]
  >`select epoch, batch, hash from head`
  assert.deepEqual({ ...lane.fence.newest() }, { ...head })
  lane.fence.note({ epoch: 1, batch: 9n, hash: Buffer.alloc(32) })
  await assert.rejects(lane.submit(move, deposit(1, 1)), isUnavailable)
  assert.equal(await balanceOf(books, 1), 2n)
})

test('one (subject, step) twice in one batch moves once, and with other content it is a conflict', async () => {
  await using books = await openBooks()
  const lane = await books.openLane()
  const one = posting(bank(), wallet(1), 10)
  const verdicts = await Promise.all(
    [one, one, { ...one, minor: 11n }].map((each) => lane.submit(move, { postings: [each] })),
  )
  assert.deepEqual(
    verdicts.map(({ ok }) => ok),
    [true, true, false],
  )
  assert.equal(await transfersOf(books, one.subject), 1)
  assert.equal(await balanceOf(books, 1), 10n)
  assert.equal((await books.sql`select from batch`).count, 1)
})

test('accounts of one name in both modes are two accounts, also when one is read from the database', async () => {
  await using books = await openBooks()
  const [sandbox, live] = [fees('SANDBOX', 'BRL'), fees('LIVE', 'BRL')]
  const liveBank = { ...bank(), mode: 'LIVE' as const, key: `LIVE/${bank().name}` }
  for (const minor of [3, 5]) {
    const lane = await books.openLane()
    await lane.submit(move, { postings: [posting(bank(), sandbox, minor)] })
    await lane.submit(move, { postings: [posting(liveBank, live, 2 * minor)] })
  }
  const rows = await books.sql<{ mode: string; minor: bigint }[]>`
    select mode, minor from account join balance on account_id = id where name = ${sandbox.name} order by mode`
  assert.deepEqual(
    rows.map(({ mode, minor }) => [mode, minor]),
    [
      ['LIVE', 16n],
      ['SANDBOX', 8n],
    ],
  )
  await assertSound(books)
})

test('a lane holds one connection, and none when it is closed', async () => {
  await using books = await openBooks()
  const lane = await books.openLane({
    openSql: () => connect(books.appUrl, { max: 1, applicationName: 'the lane' }),
  })
  const held = async () =>
    (
      await books.sql`
        select from pg_stat_activity where datname = current_database() and application_name = 'the lane'`
    ).count
  await lane.submit(move, deposit(1, 1))
  await eventually('one connection', async () => (await held()) === 1)
  await lane.close()
  await eventually('no connection', async () => (await held()) === 0)
})
