// What waits in the queue of a wallet that sends, and what passes it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mainToken } from '#/coins/chain.ts'
import { must } from '#/kernel/check.ts'
import { silentLog } from '#/kernel/log.ts'
import { SignerError } from '#/signer/client.ts'
import { begin, bnb, cent, openPayoutWorld, type Till } from '../../test/laws/payout-world.ts'
import { startTestChain } from '../../test/laws/watcher-chain.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { step } from './hot-wallet.ts'
import { stopPayout } from './payout.ts'

const node = openForTests(startTestChain)
const world = openForTests(() => openPayoutWorld(node))

describe('a shortage', () => {
  for (const { of, units, wei } of [
    { of: 'TOKENS', units: 500n * cent, wei: bnb },
    { of: 'GAS', units: 10_000n * cent, wei: 1_000n },
  ]) {
    test(`${of}: payouts wait in the queue, and go as soon as there is enough`, async () => {
      const till = await world.newTill({ units, wei })
      const deps = till.sending()
      const held = await begin(deps)
      const order = till.order(501n)
      await till.rail.send(order, false)
      const [waits] = await world.settle(till, deps, held, [order])
      assert.equal(waits?.state, 'sent')
      assert.deepEqual([(await world.stateOf(till)).waiting, (await world.stateOf(till)).queued], [of, 1])
      await world.mint(till.address, cent)
      await world.setNative(till.address, bnb)
      const [done] = await world.settle(till, deps, held, [order])
      assert.equal(done?.state, 'done')
      assert.equal((await world.stateOf(till)).waiting, null)
    })
  }

  test('what is under way is counted before more is promised', async () => {
    const till = await world.newTill({ units: 500n * cent })
    const deps = till.sending()
    const held = await begin(deps)
    const orders = [till.order(300n), till.order(300n)]
    for (const order of orders) await till.rail.send(order, false)
    const results = await world.settle(till, deps, held, orders)
    assert.deepEqual(
      results.map(({ state }) => state),
      ['done', 'sent'],
    )
  })
})

describe('a payout that does not fit', () => {
  test('a payout that the wallet cannot cover delays no other, and goes first once there is enough', async () => {
    const till = await world.newTill({ units: 500n * cent })
    const deps = till.sending({ inFlightMax: 2 })
    const held = await begin(deps)
    const big = [till.order(501n), till.order(600n), till.order(700n)]
    const small = [till.order(100n), till.order(100n), till.order(100n)]
    for (const order of [...big, ...small]) await till.rail.send(order, false)
    const paid = await world.settle(till, deps, held, small)
    assert.deepEqual(
      paid.map(({ state }) => state),
      ['done', 'done', 'done'],
    )
    assert.deepEqual([(await world.stateOf(till)).waiting, (await world.stateOf(till)).queued], ['TOKENS', 3])
    await world.mint(till.address, 301n * cent)
    const [first] = await world.settle(till, deps, held, big.slice(0, 1))
    assert.equal(first?.state, 'done')
    assert.equal((await world.stateOf(till)).queued, 2)
  })

  test('when what waited for coins is canceled, the wallet does not say any more that it waits', async () => {
    const till = await world.newTill({ units: 100n * cent })
    const deps = till.sending()
    const held = await begin(deps)
    const order = till.order(400n)
    await till.rail.send(order, false)
    await step(deps, held)
    assert.equal((await world.stateOf(till)).waiting, 'TOKENS')
    await world.sql.begin((tx) => stopPayout(tx, order.id, world.clock.now()))
    await step(deps, held)
    assert.equal((await world.stateOf(till)).waiting, null)
    assert.equal(await step(deps, held), false)
  })

  test('of those that fit one by one and not together, the later and smaller ones go in the same pass', async () => {
    const till = await world.newTill({ units: 500n * cent })
    const deps = till.sending()
    const held = await begin(deps)
    const orders = [till.order(400n), till.order(300n), till.order(90n)]
    for (const order of orders) await till.rail.send(order, false)
    await step(deps, held)
    const rows = await world.sql<{ state: string }[]>`
      select state from chain_tx where chain = ${till.chain.key} order by id`
    assert.deepEqual(
      rows.map(({ state }) => state),
      ['BROADCAST', 'QUEUED', 'BROADCAST'],
    )
  })

  test('a payout above the caps of the signer gets no nonce, and one within them goes', async () => {
    let left = 250n * cent
    const till: Till = await world.newTill({
      signer: (local) => ({
        async sign(request) {
          const amount = BigInt(`0x${request.data.slice(-64)}`)
          if (amount > left) throw new SignerError('refused', 'over the cap', 'daily_cap_exceeded')
          left -= amount
          return local.sign(request)
        },
        status: async () => [
          {
            key: till.address,
            chainId: till.chain.chainId,
            caps: [
              {
                what: mainToken(till.chain).address,
                spent: 600n * cent - left,
                cap: 600n * cent,
                each: 1_000n * cent,
              },
            ],
          },
        ],
      }),
    })
    const deps = till.sending({ inFlightMax: 2 })
    const held = await begin(deps)
    const [never, ...over] = [1_001n, 251n, 260n, 270n].map((minor) => till.order(minor))
    const fitting = [till.order(100n), till.order(150n)]
    for (const order of [must(never, 'an order'), ...over, ...fitting]) await till.rail.send(order, false)
    const results = await world.settle(till, deps, held, fitting)
    assert.deepEqual(
      results.map(({ state }) => state),
      ['done', 'done'],
    )
    const rows = await world.sql<{ state: string; nonce: bigint | null; failure: string | null }[]>`
      select state, nonce, failure from chain_tx where chain = ${till.chain.key} order by id`
    assert.deepEqual(
      rows.map(({ state, nonce, failure }) => [state, nonce, failure]),
      [
        ['FAILED', null, 'amount_not_allowed'],
        ['QUEUED', null, null],
        ['QUEUED', null, null],
        ['QUEUED', null, null],
        ['FINAL', 0n, null],
        ['FINAL', 1n, null],
      ],
    )
    assert.match((await world.stateOf(till)).waiting ?? '', /^SIGNER: .* daily cap/)
    // The next day.
    left = 600n * cent
    const [after] = await world.settle(till, deps, held, over.slice(0, 1))
    assert.equal(after?.state, 'done')
  })

  test('while the signer does not answer, no payout gets a nonce', async () => {
    let isAway = true
    const till = await world.newTill({
      signer: (local) => ({
        ...local,
        status: () =>
          isAway ? Promise.reject(new SignerError('unavailable', 'no signer')) : Promise.resolve([]),
      }),
    })
    const deps = till.sending()
    const held = await begin(deps)
    const order = till.order(5n)
    await till.rail.send(order, false)
    await world.settle(till, deps, held, [order])
    assert.deepEqual(
      [(await world.stateOf(till)).waiting, (await world.stateOf(till)).nextNonce],
      ['SIGNER: no signer', 0n],
    )
    isAway = false
    const [done] = await world.settle(till, deps, held, [order])
    assert.equal(done?.state, 'done')
  })

  test('a payout that waits too long raises an alarm that names it, at most once in ten minutes', async () => {
    const till = await world.newTill({ units: 500n * cent })
    const lines: Readonly<Record<string, unknown>>[] = []
    const log = { ...silentLog, error: (line: Readonly<Record<string, unknown>>) => void lines.push(line) }
    const deps = till.sending({ log: log as typeof silentLog })
    const held = await begin(deps)
    const order = till.order(501n)
    await till.rail.send(order, false)
    await step(deps, held)
    assert.deepEqual(lines, [])
    await world.sql`
      update chain_tx set created_at = created_at - interval '11 minutes' where subject = ${order.id}`
    for (let passes = 0; passes < 3; passes++) await step(deps, held)
    assert.deepEqual(
      lines.map(({ subject, units, waiting }) => ({ subject, units, waiting })),
      [{ subject: order.id, units: (501n * cent).toString(), waiting: 'TOKENS' }],
    )
  })
})
