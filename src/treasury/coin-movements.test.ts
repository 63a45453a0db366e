import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { encodeFunctionData } from 'viem/utils'
import { mainToken } from '#/coins/chain.ts'
import { depositSalt } from '#/evm/address.ts'
import { artifacts } from '#/evm/artifacts.ts'
import { must } from '#/kernel/check.ts'
import { cent, newAddress, openCoinWorld } from '../../test/laws/coins-world.ts'
import { newPayer } from '../../test/laws/watcher-chain.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { knownChains } from './compare.ts'
import { openRefill, prepareRefill, refillsItself, unitsToRefill, refillTransfer } from './refill.ts'
import { waitingSweeps } from './sweep.ts'

const coins = openForTests(openCoinWorld)

async function units(): Promise<Readonly<Record<string, bigint>>> {
  const { places, residue, differences } = await coins.compare()
  assert.deepEqual(differences, [])
  return { ...Object.fromEntries(places.map((each) => [each.place, each.units])), residue }
}

async function accounts() {
  return (await coins.compare()).accounts
}

describe('a payment’s coins', () => {
  test('go to the treasury and from there to the wallet that pays out, to the base unit', async () => {
    const payment = await coins.scene.newPayment(10_000n)
    await coins.pay(payment, 10_000n * cent + 7n)
    await coins.rest()
    // Up to the high watermark, in whole cents.
    assert.deepEqual(await units(), {
      deposit: 0n,
      treasury: 5_000n * cent + 7n,
      hot: 5_000n * cent,
      residue: 7n,
    })
    assert.deepEqual(await accounts(), { deposit: 0n, treasury: 5_000n, hot: 5_000n })
  })

  test('pay a withdrawal, and the wallet is refilled before it falls below its low watermark', async () => {
    const id = await coins.withdraw(4_500n)
    await coins.rest()
    assert.equal(await coins.statusOf(id), 'COMPLETED')
    assert.deepEqual(await units(), {
      deposit: 0n,
      treasury: 500n * cent + 7n,
      hot: 5_000n * cent,
      residue: 7n,
    })
  })

  test('wait while the wallet is short; what is owed is added to the watermark', async () => {
    const payment = await coins.scene.newPayment(10_000n)
    await coins.pay(payment, 10_000n * cent)
    const id = await coins.withdraw(5_400n)
    await coins.work(['payouts', 'send'])
    assert.notEqual(await coins.statusOf(id), 'COMPLETED')
    await coins.rest()
    assert.equal(await coins.statusOf(id), 'COMPLETED')
    assert.equal((await units())['hot'], 5_000n * cent)
  })

  test('of fractions of a cent add up at the treasury, and nothing is lost or made', async () => {
    const before = await accounts()
    const payments = [await coins.scene.newPayment(100n), await coins.scene.newPayment(100n)]
    for (const [index, payment] of payments.entries()) await coins.pay(payment, cent / 2n + BigInt(index))
    await coins.rest()
    assert.deepEqual(await accounts(), before)
    for (const payment of payments) await coins.pay(payment, cent / 2n)
    await coins.rest()
    const now = await accounts()
    assert.equal(now.treasury + now.hot - before.treasury - before.hot, 2n)
    assert.equal((await units())['residue'], 8n)
  })
})

describe('a sweep', () => {
  test('empties many addresses in one transaction; one that fails stops no other', async () => {
    const payments = await Promise.all([1, 2, 3].map(() => coins.scene.newPayment(300n)))
    const [bad] = payments
    const address = must(bad, 'a payment').address
    for (const payment of payments) await coins.pay(payment, 300n * cent)
    // Something else lies at one of the addresses, and refuses.
    await coins.node.rpc.call('anvil_setCode', [address, '0xfe'])
    await coins.work()
    await coins.rest()
    const [waiting, ...others] = await waitingSweeps(coins.world.sql, coins.scene.chain.key)
    assert.deepEqual(others, [])
    assert.equal(waiting?.address, address)
    assert.equal(waiting.reason, 'the token refused the transfer')
    assert.equal((await units())['deposit'], 300n * cent)
    await coins.node.rpc.call('anvil_setCode', [address, '0x'])
    await coins.rest()
    assert.equal((await units())['deposit'], 300n * cent, 'it waits before it is tried again')
    await coins.world.clock.advance(61_000)
    await coins.rest()
    assert.equal((await units())['deposit'], 0n)
    assert.deepEqual(await waitingSweeps(coins.world.sql, coins.scene.chain.key), [])
  })

  test('that another party paid for is booked like our own', async () => {
    const payment = await coins.scene.newPayment(250n)
    await coins.pay(payment, 250n * cent)
    await coins.work(['watch'])
    const data = encodeFunctionData({
      abi: artifacts.ForwarderFactory.abi,
      functionName: 'sweep',
      args: [mainToken(coins.scene.chain).address, [depositSalt(coins.scene.chain.chainId, payment.id)]],
    })
    await coins.node.send(await newPayer().sign({ to: coins.scene.chain.factory, data }))
    await coins.node.mine(4)
    await coins.work(['watch'])
    await coins.work(['book'])
    assert.equal((await units())['deposit'], 0n, 'it is not booked before the payment is')
    await coins.rest()
    assert.equal((await units())['deposit'], 0n)
  })
})

describe('unexplained coins', () => {
  test('lie in suspense, and make no difference', async () => {
    const before = await accounts()
    await coins.send(coins.keys.treasury.address, 77n * cent + 5n)
    await coins.send(coins.keys.hot.address, 11n * cent)
    await coins.rest()
    const { strange, differences } = await coins.compare()
    assert.deepEqual(differences, [])
    assert.deepEqual(
      new Map(strange.map(({ bookedAs, units: found }) => [found, bookedAs])),
      new Map([
        [77n * cent + 5n, 'FOUND'],
        [11n * cent, 'FOUND'],
      ]),
    )
    const now = await accounts()
    assert.equal(now.treasury + now.hot - before.treasury - before.hot, 88n)
  })

  test('that leave a place are a difference, and the transaction is named', async () => {
    const { rpc } = coins.node
    const { hot } = coins.wallets
    const thief = newAddress()
    const data = encodeFunctionData({
      abi: artifacts.SandboxToken.abi,
      functionName: 'transfer',
      args: [thief, 3n],
    })
    await rpc.call('anvil_impersonateAccount', [hot])
    const nonce = await rpc.call('eth_getTransactionCount', [hot, 'latest'])
    const hash = await rpc.sendTransaction({
      from: hot,
      to: mainToken(coins.scene.chain).address,
      data,
      gas: 100_000n,
      gasPrice: 0n,
    })
    await coins.node.mine(4)
    await rpc.call('anvil_setNonce', [hot, nonce])
    await coins.work(['watch', 'book'])
    const { differences } = await coins.compare()
    const found = differences.find(({ where }) => where === `hot ${hot}`)
    assert.match(found?.what ?? '', new RegExp(`3 too few; 3 left for ${thief} in ${hash}`))
  })
})

test('the arrival of its amount completes a refill that the operator signs', async () => {
  await using live = await openCoinWorld(undefined, { holdsTreasury: false })
  const payment = await live.scene.newPayment(2_000n)
  await live.pay(payment, 2_000n * cent)
  await live.rest()
  const { sql, clock } = live.world
  const chain = must(
    (await knownChains(sql)).find(({ key }) => key === live.scene.chain.key),
    'the chain is known',
  )
  assert.equal(await refillsItself(sql, chain), false)
  const { hot } = live.wallets
  const wanted = (low: bigint, high: bigint) =>
    unitsToRefill(sql, chain, { hot, watermarks: { low: low * cent, high: high * cent } })
  assert.deepEqual(await wanted(0n, 1_500n), { ok: false, reason: 'enough' })
  const units = 1_500n * cent
  assert.deepEqual(await wanted(1n, 1_500n), { ok: true, units })
  const prepare = () =>
    sql.begin(async (tx) => ({ id: await prepareRefill(tx, chain.key, units, clock.now()) }))
  const { id } = await prepare()
  assert.deepEqual(await prepare(), { id: undefined }, 'one at a time')
  const open = await openRefill(sql, chain.key)
  assert.deepEqual([open?.id, open?.units], [id, units])
  const { to, data } = refillTransfer(chain.token, hot, units)
  await live.node.rpc.call('anvil_impersonateAccount', [chain.treasury])
  await live.node.rpc.sendTransaction({ from: chain.treasury, to, data, gas: 100_000n, gasPrice: 0n })
  await live.rest()
  assert.equal(await openRefill(sql, chain.key), undefined)
  const { accounts: now, differences } = await live.compare()
  assert.deepEqual(now, { deposit: 0n, treasury: 500n, hot: 1_500n })
  assert.deepEqual(differences, [])
})
