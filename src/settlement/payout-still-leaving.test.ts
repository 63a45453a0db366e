import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '#/kernel/time.ts'
import { writeLimit } from '#/money-out/queries.ts'
import { cent, openCoinWorld, type CoinWorld } from '../../test/laws/coins-world.ts'
import { setSubAccount } from '../../test/set-sub-account.ts'

/** A withdrawal in the queue of the hot wallet: accepted, and without a nonce. */
async function queued({ world, scene, pay, rest, withdraw, work }: CoinWorld) {
  await pay(await scene.newPayment(10_000n), 10_000n * cent)
  await rest()
  const id = await withdraw(500n)
  await work(['payouts'])
  const state = async () => {
    const [row] = await world.sql<{ state: string }[]>`select state from chain_tx where subject = ${id}`
    return row?.state
  }
  assert.equal(await state(), 'QUEUED')
  return { id, state }
}

/** Time for a nonce, and for the transaction to be final. */
async function goOn({ work, node }: CoinWorld): Promise<void> {
  for (let round = 0; round < 6; round++) {
    await work()
    await node.mine()
  }
}

test('a withdrawal in the queue of the hot wallet gets no nonce while its sub-account is suspended, and is paid once when it goes on', async () => {
  await using coins = await openCoinWorld()
  const { world, scene } = coins
  const { id, state } = await queued(coins)
  const setState = (to: 'SUSPENDED' | 'ACTIVE') =>
    setSubAccount(world.sql, scene.merchantId, { state: to, clock: systemClock })
  await setState('SUSPENDED')
  await goOn(coins)
  assert.equal(await state(), 'QUEUED')
  assert.deepEqual([await coins.statusOf(id), (await coins.paidOf(id)).paid], ['PROCESSING', 0n])
  await setState('ACTIVE')
  await coins.rest()
  const { paid, requested } = await coins.paidOf(id)
  assert.deepEqual([await coins.statusOf(id), paid], ['COMPLETED', requested])
})

test('nor while a limit that was set since asks for a second person, and nobody has approved it', async () => {
  await using coins = await openCoinWorld()
  const { world, scene } = coins
  const { id, state } = await queued(coins)
  const approvalAbove = (approvalAboveMinor: bigint) => {
    const { merchantId } = scene
    const open = { eachMinor: null, dayMinor: null, listedOnly: false }
    const of = { merchantId, type: 'CRYPTO', currency: 'USDT' } as const
    return world.sql.begin((tx) => writeLimit(tx, { ...of, ...open, approvalAboveMinor }))
  }
  await approvalAbove(499n)
  await goOn(coins)
  assert.deepEqual([await state(), (await coins.paidOf(id)).paid], ['QUEUED', 0n])
  await approvalAbove(500n)
  await coins.rest()
  assert.equal(await coins.statusOf(id), 'COMPLETED')
})

test('one that waits because its account is stopped can be canceled', async () => {
  await using coins = await openCoinWorld()
  const { world, scene } = coins
  const { id } = await queued(coins)
  await setSubAccount(world.sql, scene.merchantId, { state: 'SUSPENDED', clock: systemClock })
  await coins.work(['send'])
  await coins.cancel(id)
  await goOn(coins)
  assert.deepEqual([await coins.statusOf(id), (await coins.paidOf(id)).paid], ['CANCELED', 0n])
})
