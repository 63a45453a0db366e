// The cache that a lane keeps from batch to batch: the books are the same at any size of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accounts, move, openBooks, posting } from '../../test/books.ts'

const { bank, wallet } = accounts

test('accounts that left the cache between batches, or while one waits for the database, are read again', async () => {
  await using books = await openBooks()
  const names = Array.from({ length: 12 }, (_, index) => index + 1)
  const balances = new Map(names.map((name) => [name, 0]))
  for (const accountsMax of [1, 2, 5, 8]) {
    const lane = await books.openLane({ accountsMax })
    // Batches of one to all accounts, alternating between both directions, so that each finds some accounts in the cache.
    for (let round = 1; round <= 2 * names.length; round++) {
      const some = names.filter((name) => (name * round) % names.length < round)
      const ordered = round % 2 === 0 ? some : some.toReversed()
      const postings = ordered.map((name) => posting(bank(), wallet(name), name))
      assert.deepEqual(await lane.submit(move, { postings }), { ok: true })
      for (const name of some) balances.set(name, (balances.get(name) ?? 0) + name)
    }
  }
  const rows = await books.sql<{ name: string; minor: bigint }[]>`
    select name, minor from account join balance on account_id = id`
  const minorOf = (name: string) => rows.find((row) => row.name === name)?.minor
  for (const [name, minor] of balances)
    assert.equal(minorOf(wallet(name).name), BigInt(minor), `wallet ${name}`)
  assert.deepEqual((await books.verify()).faults, [])
})
