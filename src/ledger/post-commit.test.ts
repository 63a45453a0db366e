// COMMIT, whose answer is lost or an error: the money moves once, and the answer is true.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '#/db/client.ts'
import { FailedAlone } from '#/db/persist.ts'
import {
  accounts,
  assertSound,
  balanceOf,
  deposit,
  isUnavailable,
  move,
  openBooks,
  posting,
  subjectOf,
  transfersOf,
  type Books,
} from '../../test/books.ts'
import { startTcpProxy, type Fate } from '../../test/tcp-proxy.ts'

const { wallet } = accounts

const fates = {
  lost: 'is lost before it arrived',
  'answer lost': 'is lost with its answer',
  'wait cut': 'did not wait for the synchronous standby',
} as const satisfies Partial<Record<Extract<Fate, string>, string>>

for (const [fate, what] of Object.entries(fates) as [keyof typeof fates, string][]) {
  test(`a COMMIT that ${what} moves the money once`, async () => {
    await using books = await openBooks()
    await using proxy = await startTcpProxy(books.appUrl)
    const lane = await books.openLane({ openSql: () => connect(proxy.url, { max: 1 }) })
    // Three rounds, because the server prepares the statement after its first use.
    for (let round = 1; round <= 3; round++) {
      const struck = proxy.strike(/^commit$/, fate)
      const items = [deposit(1, 10), deposit(2, 5), { postings: [posting(wallet(9), wallet(1), 1)] }]
      const verdicts = await Promise.all(items.map((item) => lane.submit(move, item)))
      await struck
      assert.deepEqual(
        verdicts.map(({ ok }) => ok),
        [true, true, false],
      )
      assert.deepEqual(await Promise.all([1, 2].map((name) => balanceOf(books, name))), [
        BigInt(round * 10),
        BigInt(round * 5),
      ])
      const [head] = await books.sql<{ batch: bigint }[]>`select batch from head`
      assert.equal(head?.batch, BigInt(round))
    }
    await assertSound(books)
  })
}

/** Of each kind that `failure.ts` knows, and the codes of a pooler, a migration and a failing disk. */
const codes = '0A000 23505 25006 25P02 26000 40001 42P05 57014 58030 58P01 XX000 XX001'.split(' ')

for (const code of codes) {
  test(`a COMMIT that is answered with ${code} although it succeeded moves the money once`, async () => {
    await using books = await openBooks()
    await using proxy = await startTcpProxy(books.appUrl)
    const lane = await books.openLane({ openSql: () => connect(proxy.url, { max: 1 }) })
    for (let round = 1n; round <= 3n; round++) {
      const struck = proxy.strike(/^commit$/, { answeredWith: code })
      assert.deepEqual(await lane.submit(move, deposit(1, 10)), { ok: true })
      await struck
      assert.equal(await balanceOf(books, 1), round * 10n)
      const [head] = await books.sql<{ batch: bigint }[]>`select batch from head`
      assert.equal(head?.batch, round)
    }
    await assertSound(books)
  })
}

/** From now on the COMMIT of a batch that opens the account fails with XX000: always, or as many times. */
async function failCommits(
  { owner }: Books,
  { name }: { readonly name: string },
  times = 1e6,
): Promise<void> {
  // A sequence keeps its value when the transaction ends badly.
  await owner.unsafe(`
    create sequence failed_commits;
    create function fail_commit() returns trigger language plpgsql security definer as $$
      begin
        if nextval('failed_commits') > ${times} then return null; end if;
        raise exception 'on purpose' using errcode = 'XX000';
      end $$;
    create constraint trigger fails_late after insert on account deferrable initially deferred
      for each row when (new.name = '${name}') execute function fail_commit()`)
}

test('a batch whose COMMIT fails is tried again three times: the last try commits it whole', async () => {
  await using books = await openBooks()
  const lane = await books.openLane()
  await failCommits(books, wallet(7), 3)
  assert.deepEqual(await lane.submit(move, deposit(7, 10)), { ok: true })
  assert.equal(await balanceOf(books, 7), 10n)
  await assertSound(books)
})

test('an item with which every COMMIT fails is found, and all others of its batch are committed', async () => {
  await using books = await openBooks()
  const lane = await books.openLane()
  await failCommits(books, wallet(7))
  const names = [1, 2, 7, 3, 4]
  const settled = await Promise.allSettled(names.map((name) => lane.submit(move, deposit(name, 10))))
  for (const [nth, name] of names.entries())
    assert.equal(settled[nth]?.status, name === 7 ? 'rejected' : 'fulfilled', `wallet ${name}`)
  const failed = settled[2]
  assert.ok(failed?.status === 'rejected' && failed.reason instanceof FailedAlone)
  assert.deepEqual(await Promise.all(names.map((name) => balanceOf(books, name))), [
    10n,
    10n,
    undefined,
    10n,
    10n,
  ])
  await assertSound(books)
})

test('when it cannot be found out whether a COMMIT succeeded, the answer is 503 and the same item can be sent again', async () => {
  for (const fate of ['lost', 'answer lost'] as const) {
    await using books = await openBooks()
    await using proxy = await startTcpProxy(books.appUrl)
    const lane = await books.openLane({ openSql: () => connect(proxy.url, { max: 1 }), patienceMs: 80 })
    const item = deposit(1, 10)
    const struck = proxy.strike(/^commit$/, fate).then(() => proxy.greet('by closing'))
    await assert.rejects(lane.submit(move, item), isUnavailable)
    await struck
    assert.equal(await transfersOf(books, subjectOf(item)), fate === 'lost' ? 0 : 1)
    proxy.greet('well')
    assert.deepEqual(await lane.submit(move, item), { ok: true })
    assert.equal(await transfersOf(books, subjectOf(item)), 1)
    await assertSound(books)
  }
})
