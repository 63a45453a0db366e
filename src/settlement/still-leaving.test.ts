import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '#/kernel/time.ts'
import { cent, openCoinWorld } from '../../test/laws/coins-world.ts'
import { setSubAccount } from '../../test/set-sub-account.ts'

test('a withdrawal in the queue of the hot wallet gets no nonce while its sub-account is suspended, and is paid once when it goes on', async () => {
  await using coins = await openCoinWorld()
  const { world, scene, node } = coins
  await coins.pay(await scene.newPayment(10_000n), 10_000n * cent)
  await coins.rest()
  const id = await coins.withdraw(500n)
  await coins.work(['payouts'])
  const stateOf = async () => {
    const [row] = await world.sql<{ state: string }[]>`select state from chain_tx where subject = ${id}`
    return row?.state
  }
  assert.equal(await stateOf(), 'QUEUED')
  await setSubAccount(world.sql, scene.merchantId, { state: 'SUSPENDED', clock: systemClock })
  for (let round = 0; round < 6; round++) {
    await coins.work()
    await node.mine()
  }
  assert.equal(await stateOf(), 'QUEUED')
  assert.deepEqual([await coins.statusOf(id), (await coins.paidOf(id)).paid], ['PROCESSING', 0n])
  await setSubAccount(world.sql, scene.merchantId, { state: 'ACTIVE', clock: systemClock })
  await coins.rest()
  const { paid, requested } = await coins.paidOf(id)
  assert.deepEqual([await coins.statusOf(id), paid], ['COMPLETED', requested])
})

test('one that waits because its account is stopped can be canceled', async () => {
  await using coins = await openCoinWorld()
  const { world, scene, node } = coins
  await coins.pay(await scene.newPayment(10_000n), 10_000n * cent)
  await coins.rest()
  const id = await coins.withdraw(500n)
  await coins.work(['payouts'])
  await setSubAccount(world.sql, scene.merchantId, { state: 'SUSPENDED', clock: systemClock })
  await coins.work(['send'])
  await coins.cancel(id)
  for (let round = 0; round < 6; round++) {
    await coins.work()
    await node.mine()
  }
  assert.deepEqual([await coins.statusOf(id), (await coins.paidOf(id)).paid], ['CANCELED', 0n])
})
