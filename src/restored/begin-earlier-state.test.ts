// After a restore: what had left, and the books have in an earlier state. It is not paid again, and nobody gets it back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesOf } from '#/evm/address.ts'
import { must } from '#/kernel/check.ts'
import { stopPayout } from '#/treasury/payout.ts'
import { cent, newAddress } from '../../test/laws/coins-world.ts'
import { openLostSpan, person } from '../../test/lost-span.ts'
import { makeForTests, openForTests } from '../../test/open-for-tests.ts'
import { beginRepair } from './begin.ts'
import { compareMoneyOut } from './money-out.ts'
import { insertReview, selectRestore } from './queries.ts'

const span = openForTests(openLostSpan)
const coins = makeForTests(() => span.coins)

test('what the books have in an earlier state is not paid again: its wallet follows what was signed', async () => {
  const { world, wallets } = coins
  const { sql } = world
  const queued = await coins.withdraw(80n)
  await coins.work(['payouts'])
  // No worker had claimed these two at the restored moment, and the second one never left.
  const [accepted, unsent] = [await coins.withdraw(40n), await coins.withdraw(30n)]
  await beginRepair(world, { ...person, reason: 'disk lost', eventJump: 1_000n })
  await span.mine(await span.sign(1n, 'payout/lost', newAddress(), 700n))
  const references = [await span.pay(queued, 2n, 80n), await span.pay(accepted, 3n, 40n)]
  const compared = await span.compare()
  assert.deepEqual(compared.signed.slice(1), [
    [2, references[0], 'EARLIER', 'USED', true],
    [3, references[1], 'EARLIER', 'USED', true],
  ])
  assert.deepEqual([compared.recorded, compared.behind, compared.why], [[700n], 2, undefined])
  // The wallet will follow both, so nobody records them as lost, also without the journal and before a worker has queued the second one.
  assert.deepEqual((await compareMoneyOut(span.deps(), person)).recorded, [])
  const cancel = async () => {
    for (const id of [queued, accepted]) await coins.cancel(id)
    return [await coins.statusOf(queued), await coins.statusOf(accepted)]
  }
  const cancelUnsent = async () => {
    await coins.cancel(unsent)
    return coins.statusOf(unsent)
  }
  assert.deepEqual([...(await cancel()), await cancelUnsent()], ['PROCESSING', 'PENDING', 'PENDING'])
  // Once it is known what left, the rest can be canceled again.
  const { number } = must(await selectRestore(sql), 'it is being repaired')
  await sql.begin((tx) => insertReview(tx, number, { subject: 'MONEY_OUT', reviewedBy: 'bia', note: null }))
  assert.deepEqual([...(await cancel()), await cancelUnsent()], ['PROCESSING', 'PENDING', 'CANCELED'])
  assert.equal(
    await sql.begin((tx) => stopPayout(tx, queued, world.clock.now())),
    false,
    'nor by the operator',
  )
  await sql`delete from money_freeze where kind = 'RESTORE'`
  assert.deepEqual(await cancel(), ['PROCESSING', 'PENDING'])

  const later = await coins.withdraw(60n)
  await coins.rest()
  const ended = await Promise.all(
    [queued, accepted, later].map(async (id) => [await coins.statusOf(id), (await coins.paidOf(id)).paid]),
  )
  assert.deepEqual(ended, [
    ['COMPLETED', 80n * cent],
    ['COMPLETED', 40n * cent],
    ['COMPLETED', 60n * cent],
  ])
  const nonces = await sql<{ nonce: bigint; subject: string }[]>`
    select nonce, subject from chain_tx where wallet = ${bytesOf(wallets.hot)} order by nonce`
  assert.deepEqual(
    nonces.slice(1).map(({ nonce, subject }) => [Number(nonce), subject]),
    [
      [2, queued],
      [3, accepted],
      [4, later],
    ],
  )
  const left = await sql<{ nonce: bigint }[]>`select nonce from lost_signature`
  const [hot] = await sql<{ stopped: string | null }[]>`
    select stopped from hot_wallet where address = ${bytesOf(wallets.hot)}`
  assert.deepEqual([left.length, hot?.stopped], [0, null])
  const { behind, repeated, why } = await span.compare()
  assert.deepEqual([behind, repeated, why], [0, 1, undefined])
  assert.deepEqual(await span.faults(), [])
})

test('what two people decide about gets no nonce, blocks no other payout, and can be stopped', async () => {
  const { world, wallets } = coins
  const { sql, clock } = world
  const decided = await coins.withdraw(20n)
  const reference = await span.pay(decided, 5n, 20n)
  // Without the journal nobody knows whose the movement is.
  assert.deepEqual(
    (await compareMoneyOut(span.deps(), person)).recorded.map(({ amountMinor }) => amountMinor),
    [20n],
  )
  const { signed, recorded } = await span.compare()
  assert.deepEqual([signed.at(-1), recorded], [[5, reference, 'EARLIER', 'USED', true], []])
  const later = await coins.withdraw(10n)
  for (let pass = 0; pass < 12; pass += 1) {
    await coins.work()
    await coins.node.mine()
  }
  const standing = await sql<{ state: string; nonce: bigint | null }[]>`
    select state, nonce from chain_tx where subject = any (${[decided, later]}::uuid[]) order by subject`
  assert.deepEqual(
    standing.map(({ state, nonce }) => [state, nonce]),
    [
      ['QUEUED', null],
      ['FINAL', 6n],
    ],
  )
  await coins.cancel(decided)
  assert.equal(await coins.statusOf(decided), 'PROCESSING', 'its merchant cannot')
  assert.equal(await sql.begin((tx) => stopPayout(tx, decided, clock.now())), true)
  await coins.rest()
  assert.deepEqual(
    [await coins.statusOf(decided), (await coins.paidOf(decided)).paid],
    ['FAILED', 20n * cent],
  )
  assert.deepEqual(await span.faults(), [])
  const [hot] = await sql<{ stopped: string | null }[]>`
    select stopped from hot_wallet where address = ${bytesOf(wallets.hot)}`
  assert.equal(hot?.stopped, null)
})
