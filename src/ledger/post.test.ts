// The lane's rules on a real database: one order of all money, and a true answer after any failure.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import pino from 'pino'
import { connect } from '#/db/client.ts'
import { InvariantError } from '#/kernel/check.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { sha256 } from '#/kernel/secret.ts'
import {
  accounts,
  assertSound,
  balanceOf,
  deposit,
  isUnavailable,
  transfersOf,
  auditKey,
  cell,
  move,
  openBooks,
  posting,
  type Move,
} from '../../test/books.ts'
import { startTcpProxy } from '../../test/tcp-proxy.ts'
import { usualLimits } from '../../test/usual-limits.ts'

const { bank, wallet } = accounts

test('items that arrive together are one batch, and everything is numbered without gaps', async () => {
  await using books = await openBooks()
  const lane = await books.openLane()
  await lane.submit(move, deposit(1, 100))
  const verdicts = await Promise.all([1, 2, 3, 2, 1].map((name) => lane.submit(move, deposit(name, 10))))
  assert.deepEqual(
    verdicts,
    Array.from({ length: 5 }, () => ({ ok: true })),
  )
  const batches =
    await books.sql`select number, transfer_from, transfer_to, account_from, account_to from batch order by 1`
  assert.deepEqual(
    [...batches].map((row) => Object.values<unknown>(row)),
    [
      [1n, 0n, 1n, 0n, 2n],
      [2n, 1n, 6n, 2n, 4n],
    ],
  )
  assert.deepEqual(await Promise.all([1, 2, 3].map((name) => balanceOf(books, name))), [120n, 20n, 10n])
  await assertSound(books)
})

test('a refused item changes nothing and the others of its batch are committed; a batch of refusals writes nothing', async () => {
  await using books = await openBooks()
  const lane = await books.openLane()
  const tooMuch: Move = { postings: [posting(bank(), wallet(1), 5), posting(wallet(1), wallet(2), 500)] }
  const [first, refused, last] = await Promise.all(
    [deposit(1, 10), tooMuch, deposit(1, 10)].map((item) => lane.submit(move, item)),
  )
  assert.deepEqual([first, last], [{ ok: true }, { ok: true }])
  assert.ok(refused?.ok === false && refused.refusal.reason === 'insufficient_funds')
  assert.equal(await balanceOf(books, 1), 20n)
  assert.equal((await lane.submit(move, tooMuch)).ok, false)
  const [head] = await books.sql`select batch, transfer from head`
  assert.deepEqual({ ...head }, { batch: 1n, transfer: 2n })
  await assertSound(books)
})

test('the connection may die at any statement: the whole batch is run again', async () => {
  await using books = await openBooks()
  await using proxy = await startTcpProxy(books.appUrl)
  const lane = await books.openLane({ openSql: () => connect(proxy.url, { max: 1 }) })
  await lane.submit(move, deposit(1, 1))
  const statements = [
    /^begin/,
    /set local lock_timeout/,
    /join balance on balance\.account_id/,
    /insert into transfer/,
    /insert into entry/,
    /update balance/,
    /update head/,
  ]
  let expected = 1n
  for (const statement of statements) {
    for (const fate of ['lost', 'answer lost'] as const) {
      const struck = proxy.strike(statement, fate)
      // Two wallets, one of them not in the lane's cache, so that balances are read.
      const items = [deposit(1, 1), deposit(Number(expected) + 10, 1)]
      assert.deepEqual(await Promise.all(items.map((item) => lane.submit(move, item))), [
        { ok: true },
        { ok: true },
      ])
      await struck
      expected += 1n
    }
  }
  assert.equal(await balanceOf(books, 1), expected)
  await assertSound(books)
})

test('an item that cannot be written fails alone, with any error', async () => {
  await using books = await openBooks()
  const lane = await books.openLane()
  const during = (statement: string): Partial<Move> => ({ during: (tx) => tx.unsafe(statement) })
  const bad: readonly Move[] = [
    deposit(1, 1, { failure: new TypeError('a bug') }),
    deposit(1, 1, { failure: new InvariantError('a broken promise') }),
    deposit(1, 1, during(`select 'x'::text::integer`)),
    deposit(1, 1, during(`select 1 / 0`)),
    deposit(1, 1, during(`insert into head select * from head`)),
    { postings: [posting(bank(), wallet(1), 1, { kind: 'NUL \0' })] },
    { postings: [posting(bank(), wallet(1), 1, { subject: 'no uuid' })] },
    { postings: [posting(bank(), wallet(1, 'EUR'), 1)] },
    deposit(1, 1, {
      events: [
        {
          merchantId: newId<'merchant'>(),
          mode: 'SANDBOX',
          type: 'payment.unheard' as 'payment.waiting',
          resourceId: newId(),
          data: {},
        },
      ],
    }),
  ]
  const good = Array.from({ length: bad.length * 3 }, () => deposit(1, 1))
  const mixed = good.flatMap((item, index) =>
    index % 3 === 1 ? [item, bad[(index - 1) / 3] ?? item] : [item],
  )
  const settled = await Promise.allSettled(mixed.map((item) => lane.submit(move, item)))
  for (const [index, { status }] of settled.entries()) {
    const item = mixed[index]
    assert.equal(status, item !== undefined && bad.includes(item) ? 'rejected' : 'fulfilled')
  }
  assert.equal(await balanceOf(books, 1), BigInt(good.length))
  await assertSound(books)
})

test('a serialisation failure, a deadlock and a lock timeout are tried again', async () => {
  await using books = await openBooks()
  const lane = await books.openLane()
  for (const code of ['40001', '40P01', '55P03']) {
    let tries = 0
    const item = deposit(1, 1, {
      during: async (tx) => {
        if (++tries === 1)
          await tx.unsafe(`do $$ begin raise exception 'later' using errcode = '${code}'; end $$`)
      },
    })
    assert.deepEqual(await lane.submit(move, item), { ok: true })
    assert.equal(tries, 2)
  }
  assert.equal(await balanceOf(books, 1), 3n)
  await assertSound(books)
})

test('while another transaction holds the head the lane waits, in short transactions', async () => {
  await using books = await openBooks()
  const lane = await books.openLane()
  let verdict: Promise<unknown> | undefined
  await books.owner.begin(async (tx) => {
    await tx`select from head for update`
    verdict = lane.submit(move, deposit(1, 1))
    // Longer than the lane's lock timeout of two seconds.
    await wait(2_200)
    const [oldest] = await tx<{ seconds: string }[]>`
      select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::text as seconds
        from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`
    assert.ok(Number(oldest?.seconds) < 2.2)
  })
  assert.deepEqual(await verdict, { ok: true })
  await assertSound(books)
})

test('a batch that stays idle inside its transaction is ended by the server, and run again', async () => {
  using _usual = usualLimits()
  await using books = await openBooks()
  const lane = await books.openLane()
  let tries = 0
  const item = deposit(1, 1, { during: async () => (++tries === 1 ? wait(1_300) : undefined) })
  assert.deepEqual(await lane.submit(move, item), { ok: true })
  assert.equal(tries, 2)
  assert.equal(await balanceOf(books, 1), 1n)
})

test('a head that is not where the batch found it aborts the batch', async () => {
  await using books = await openBooks()
  const lane = await books.openLane()
  await lane.submit(move, deposit(1, 1))
  const moveHead = deposit(1, 1, { during: (tx) => tx`update head set batch = batch + 1` })
  await assert.rejects(lane.submit(move, moveHead), InvariantError)
  const rehash = deposit(1, 1, { during: (tx) => tx`update head set hash = sha256(hash)` })
  await assert.rejects(lane.submit(move, rehash), InvariantError)
  assert.equal(await balanceOf(books, 1), 1n)
  await lane.submit(move, deposit(1, 1))
  await assertSound(books)
})

test('two lanes make one order: numbers without gaps, one chain, and each reads what the other wrote', async () => {
  await using books = await openBooks()
  const lanes = [await books.openLane({ itemsMax: 7 }), await books.openLane({ itemsMax: 3 })]
  const merchantId = newId<'merchant'>()
  const announcing = (name: number): Partial<Move> => ({
    events: [{ merchantId, mode: 'SANDBOX', type: 'wallet.created', resourceId: newId(), data: { name } }],
  })
  await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      lanes[n % 2]?.submit(move, n % 5 === 0 ? deposit(n % 4, 10, announcing(n)) : deposit(n % 4, 10)),
    ),
  )
  // Each empties a wallet that the other filled last.
  const drained = await Promise.all(
    [0, 1, 2, 3].map((name) =>
      lanes[(name + 1) % 2]?.submit(move, { postings: [posting(wallet(name), bank(), 500)] }),
    ),
  )
  assert.deepEqual(
    drained,
    Array.from({ length: 4 }, () => ({ ok: true })),
  )
  const [sequence] = await books.sql`
    select count(*) as count, min(sequence) as first, max(sequence) as last from event where merchant_id = ${merchantId}`
  assert.deepEqual({ ...sequence }, { count: 40n, first: 1n, last: 40n })
  const { faults, checked } = await books.verify()
  assert.deepEqual(faults, [])
  assert.equal(
    checked.find(({ inspection, what }) => inspection === 'chain' && what === 'transfers')?.count,
    204,
  )
})

test('the instant of a batch is never before an earlier one’s, even when the clock goes back', async () => {
  await using books = await openBooks()
  const lane = await books.openLane()
  await lane.submit(move, deposit(1, 1))
  const ahead = new Date('2999-01-01T00:00:00.123Z')
  await books.owner`update head set at = ${ahead}`
  await lane.submit(move, deposit(1, 1))
  const [last] = await books.sql<{ at: Date }[]>`select at from batch order by number desc limit 1`
  assert.equal(last?.at.toISOString(), ahead.toISOString())
})

test('with too many waiting items the lane answers 503', async () => {
  await using books = await openBooks()
  const lane = await books.openLane({ queueMax: 10 })
  const settled = await Promise.allSettled(Array.from({ length: 30 }, () => lane.submit(move, deposit(1, 1))))
  const refused = settled.filter((each) => each.status === 'rejected')
  assert.ok(refused.length > 0 && refused.every(({ reason }) => isUnavailable(reason)))
  assert.equal(await balanceOf(books, 1), BigInt(30 - refused.length))
})

test('the same content under one (subject, step) moves once, other content is a conflict, also over restarts', async () => {
  await using books = await openBooks()
  const first = await books.openLane()
  const one = posting(bank(), wallet(1), 10)
  const post = (lane: typeof first, more: object = {}) =>
    lane.submit(move, { postings: [{ ...one, ...more }] })
  assert.deepEqual(await post(first), { ok: true })
  assert.deepEqual(await post(first), { ok: true })
  const second = await books.openLane()
  assert.deepEqual(await post(second), { ok: true })
  for (const other of [
    { minor: 11n },
    { credit: wallet(2) },
    { kind: 'FEE' },
    { cause: sha256('other bytes') },
  ]) {
    for (const lane of [first, second]) {
      const verdict = await post(lane, other)
      assert.deepEqual(verdict, {
        ok: false,
        refusal: { reason: 'conflict', subject: one.subject, step: one.step },
      })
    }
  }
  assert.equal(await transfersOf(books, one.subject), 1)
  await assertSound(books)
})

test('a listener to events that fails does not undo what was committed', async () => {
  await using books = await openBooks()
  const logged: string[] = []
  const lane = await books.openLane({
    onEvents: () => {
      throw new Error('deaf')
    },
    log: pino({ level: 'error' }, { write: (line: string) => void logged.push(line) }),
  })
  const merchantId: MerchantId = newId()
  const events = [
    { merchantId, mode: 'SANDBOX', type: 'wallet.created', resourceId: newId(), data: {} },
  ] as const
  assert.deepEqual(await lane.submit(move, deposit(1, 1, { events })), { ok: true })
  assert.equal(await balanceOf(books, 1), 1n)
  assert.match(logged.join(''), /a listener to events failed/)
})

test('a closing lane finishes waiting items and accepts no new ones', async () => {
  await using books = await openBooks()
  const lane = await books.openLane({ itemsMax: 1 })
  const waiting = Promise.all([1, 2, 3].map(() => lane.submit(move, deposit(1, 1))))
  await lane.close()
  await waiting
  await assert.rejects(lane.submit(move, deposit(1, 1)), isUnavailable)
  assert.equal(await balanceOf(books, 1), 3n)
})

test('a process that dies in the middle leaves whole batches only, and the next one goes on', async () => {
  await using books = await openBooks()
  await using proxy = await startTcpProxy(books.appUrl)
  const dying = await books.openLane({
    openSql: () => connect(proxy.url, { max: 1 }),
    patienceMs: 1,
    itemsMax: 5,
  })
  const items = Array.from({ length: 60 }, () => deposit(1, 1))
  const struck = proxy.strike(/insert into entry/, 'answer lost').then(() => proxy.greet('by closing'))
  const outcomes = await Promise.allSettled(items.map((item) => dying.submit(move, item)))
  await struck
  assert.ok(outcomes.some(({ status }) => status === 'rejected'))
  await assertSound(books)
  const next = await books.openLane()
  for (const item of items) assert.deepEqual(await next.submit(move, item), { ok: true })
  assert.equal(await balanceOf(books, 1), 60n)
  await assertSound(books)
})

test('a lane refuses to start in a cell whose name could be SQL', async () => {
  await using books = await openBooks()
  await assert.rejects(books.openLane({ cell: `${cell}'; drop table head; --` }), InvariantError)
  assert.equal(auditKey.length, 32)
})
