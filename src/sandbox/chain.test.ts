import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { encodeFunctionData } from 'viem/utils'
import { mainToken } from '#/coins/chain.ts'
import { hexOf, type Address } from '#/evm/address.ts'
import { artifacts } from '#/evm/artifacts.ts'
import { selfCheck } from '#/evm/deploy.ts'
import { transferGas } from '#/evm/erc20.ts'
import { silentLog } from '#/kernel/log.ts'
import { selectChainPlaces, selectFollowedChain } from '#/rails/crypto/queries.ts'
import { isLost } from '#/rails/crypto/rebuild.ts'
import { createWatcher } from '#/rails/crypto/watch.ts'
import { count } from '../../test/counts.ts'
import { eventually } from '../../test/eventually.ts'
import { newPayer, transferCall } from '../../test/laws/watcher-chain.ts'
import { keepChain, lie, type KeptChain } from '../../test/laws/watcher-node.ts'
import { openWorld, type Payment, type Scene, type World } from '../../test/laws/watcher-world.ts'
import { prepareSandboxChain, type ReadyChain, type SandboxChainDeps } from './chain.ts'

const cent = 10n ** 16n
const kills = count({ quick: 2, soak: 150 })
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

let chain: KeptChain
let world: World
let ready: ReadyChain
let scene: Scene
const announced: string[] = []
let watching: AsyncDisposable

before(async () => {
  chain = await keepChain(60)
  world = await openWorld(() => assert.fail('there is no other chain'))
  ready = await prepare()
  scene = await world.sceneOn(ready.chain)
  watching = watch()
})
after(async () => {
  await watching[Symbol.asyncDispose]()
  await chain[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

function prepare(rpc = chain.rpc): Promise<ReadyChain> {
  const deps: SandboxChainDeps = {
    sql: world.sql,
    clock: world.clock,
    log: silentLog,
    rpc,
    cell: 'a1',
    keep: world.keep,
    announce: (text) => void announced.push(text),
  }
  return prepareSandboxChain(deps)
}

/** The product's watcher: it has a lost chain rebuilt. Nothing else reports the loss to it. */
function watch(): AsyncDisposable {
  const stop = new AbortController()
  const onViolation = async () => void (await prepare())
  const running = createWatcher(scene.watching(chain.rpc, { pollMs: 20, onViolation })).run(stop.signal)
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await running
    },
  }
}

async function send(to: Address, units: bigint, from = ready.accounts.payer) {
  return chain.rpc.sendTransaction({
    from,
    to: mainToken(ready.chain).address,
    data: transferCall(to, units),
    gas: transferGas,
  })
}

async function receivedBy(payment: Payment): Promise<number> {
  await world.drainAll()
  return Number((await scene.show(payment))['amountReceived'])
}

async function payUntilCredited(payment: Payment, cents: bigint): Promise<void> {
  const before = await receivedBy(payment)
  await send(payment.address, cents * cent)
  await eventually('it is credited', async () => (await receivedBy(payment)) === before + Number(cents))
}

async function newPayments<Minor extends readonly bigint[]>(
  ...minors: Minor
): Promise<{ [Index in keyof Minor]: Payment }> {
  const made = await Promise.all(minors.map((minor) => scene.newPayment(minor)))
  return made as { [Index in keyof Minor]: Payment }
}

/** Whether the watcher has recorded transfers to all of these in this state. */
async function hasTransfers(state: 'SEEN' | 'FINAL', ...payments: readonly Payment[]): Promise<boolean> {
  const rows = await world.sql<{ address: Buffer }[]>`
    select distinct address from chain_transfer where chain = 'sandbox' and state = ${state}`
  const found = new Set(rows.map(({ address }) => hexOf(address)))
  return payments.every(({ address }) => found.has(address))
}

/** Whether the block of this transaction is final for the watcher. */
async function isFinal(hash: `0x${string}`): Promise<boolean> {
  const [receipt, known] = await Promise.all([
    chain.rpc.getTransactionReceipt(hash),
    selectFollowedChain(world.sql, 'sandbox'),
  ])
  return receipt !== undefined && known !== undefined && known.final.number >= receipt.blockNumber
}

async function generation(): Promise<number> {
  const [row] = await world.sql<{ generation: number }[]>`select generation from chain where key = 'sandbox'`
  return row?.generation ?? 0
}

async function rebuiltAfter(what: () => Promise<void>): Promise<void> {
  const before = await generation()
  await what()
  await eventually('it is rebuilt', async () => (await generation()) > before)
}

async function unitsAt(address: Address): Promise<bigint> {
  const data = encodeFunctionData({
    abi: artifacts.SandboxToken.abi,
    functionName: 'balanceOf',
    args: [address],
  })
  return BigInt(await chain.rpc.ethCall(mainToken(ready.chain).address, data))
}

/** Checks that the coins at each place are exactly those in the books. */
async function coinsAreWhereTheBooksHaveThem(): Promise<void> {
  const places = await selectChainPlaces(world.sql, 'sandbox')
  for (const { address, units } of places) assert.equal(await unitsAt(address), units, address)
}

/** A node that dies and is replaced right after the rebuild has made its coins. */
function replacedAfterCoins(): typeof chain.rpc {
  let step: 'before' | 'rebuild' | 'coins' | 'replaced' = 'before'
  return {
    ...chain.rpc,
    call(method, params) {
      if (step === 'before' && method === 'anvil_setNonce') step = 'rebuild'
      return chain.rpc.call(method, params)
    },
    async getTransactionReceipt(hash) {
      const receipt = await chain.rpc.getTransactionReceipt(hash)
      if (step === 'rebuild' && receipt !== undefined) step = 'coins'
      return receipt
    },
    async getBlockByNumber(block) {
      if (step === 'coins' && block === 'latest') {
        step = 'replaced'
        await chain.kill()
        await chain.back()
      }
      return chain.rpc.getBlockByNumber(block)
    },
  }
}

describe('a sandbox chain', () => {
  test('is prepared once; a second preparation changes nothing', async () => {
    assert.deepEqual(await selfCheck(chain.rpc, { ...ready.chain, token: mainToken(ready.chain) }), [])
    for (const purse of [ready.accounts.faucet, ready.accounts.payer])
      assert.equal(await unitsAt(purse), 10n ** 27n)
    assert.equal(new Set(Object.values(ready.accounts)).size, 4)
    assert.deepEqual(await Promise.all([prepare(), prepare()]), [ready, ready])
    for (const purse of [ready.accounts.faucet, ready.accounts.payer])
      assert.equal(await unitsAt(purse), 10n ** 27n)
    assert.deepEqual([await generation(), announced], [1, []])
  })

  test('that is lost is rebuilt at the same addresses with every recorded coin, and goes on', async () => {
    const [paid, fractions, waiting, unseen] = await newPayments(1_000n, 500n, 300n, 200n)
    await payUntilCredited(paid, 1_000n)
    await send(fractions.address, 7n)
    // Final, but not settled yet when the node is lost.
    await send(waiting.address, 300n * cent + 3n)
    await eventually('they are final', () => hasTransfers('FINAL', waiting, fractions))
    await chain.pause()
    await send(unseen.address, 200n * cent)
    await chain.rpc.call('evm_mine', [])
    await eventually('it is detected', () => hasTransfers('SEEN', unseen))
    await rebuiltAfter(async () => {
      await chain.kill()
      chain.resume()
    })

    await coinsAreWhereTheBooksHaveThem()
    assert.equal(await unitsAt(waiting.address), 300n * cent + 3n)
    assert.equal(await unitsAt(unseen.address), 0n)
    await world.drainAll()
    assert.deepEqual(await scene.balance(), { available: 1_300n, pending: 0n })
    assert.equal((await scene.show(waiting))['status'], 'PAID')
    assert.deepEqual((await scene.show(unseen))['deposits'], [])
    assert.equal(
      announced.at(-1),
      `The sandbox chain is a new one: contracts at the same addresses, 3 deposit addresses have their coins again. Balances are as before.`,
    )

    await payUntilCredited(unseen, 200n)
    await payUntilCredited(paid, 5n)
    assert.deepEqual(await scene.balance(), { available: 1_505n, pending: 0n })
    await coinsAreWhereTheBooksHaveThem()
  })

  test('that is lost again and again, also while it is being rebuilt, recovers by itself', async (t) => {
    const [payment] = await newPayments(100n)
    await payUntilCredited(payment, 100n)
    const balance = await scene.balance()
    const started = await generation()
    for (let round = 0; round < kills; round++) {
      await chain.kill()
      // As the product does when the node is back, besides the watcher. It may fail; the next one will not.
      const preparing =
        round % 3 === 0
          ? undefined
          : chain
              .back()
              .then(() => prepare())
              .catch(() => {})
      // At moments from before the loss is noticed, through contracts, purses and coins, to after the cursor has moved.
      await chain.back()
      await wait((round * 79) % 460)
      if (round === kills - 1) await preparing
    }
    const isWhole = () =>
      isLost({ sql: world.sql }, 'sandbox', chain.rpc).then(
        (lost) => !lost,
        () => false,
      )
    await eventually('it goes on', isWhole)
    await payUntilCredited(payment, 1n)
    assert.deepEqual(await scene.balance(), { available: balance.available + 1n, pending: 0n })
    await coinsAreWhereTheBooksHaveThem()
    t.diagnostic(`${kills} kills, rebuilt to the end ${(await generation()) - started} times`)
  })

  test('whose loss two processes notice at once is rebuilt with every coin once', async () => {
    const [payment] = await newPayments(100n)
    await payUntilCredited(payment, 100n)
    await watching[Symbol.asyncDispose]()
    await chain.kill()
    await chain.back()
    await Promise.all([prepare(), prepare(), prepare()])
    watching = watch()
    await coinsAreWhereTheBooksHaveThem()
    await payUntilCredited(payment, 1n)
  })

  test('that is replaced right after its coins were made is rebuilt once more', async () => {
    const [payment] = await newPayments(100n)
    await payUntilCredited(payment, 100n)
    await watching[Symbol.asyncDispose]()
    await chain.kill()
    await chain.back()
    await prepare(replacedAfterCoins())
    watching = watch()
    await coinsAreWhereTheBooksHaveThem()
    await payUntilCredited(payment, 1n)
  })

  test('gets the coins of many addresses back', async (t) => {
    // More than are minted at once.
    const addresses = count({ quick: 160, soak: 650 })
    const many = await newPayments(...Array.from({ length: addresses }, () => 10n))
    // A mint by the token\'s owner is a transfer like any other.
    for (let from = 0; from < many.length; from += 250) {
      const to = many.slice(from, from + 250).map(({ address }) => address)
      const args = [to, to.map((_, index) => 10n * cent + BigInt(index))]
      const data = encodeFunctionData({ abi: artifacts.SandboxToken.abi, functionName: 'mintBatch', args })
      await chain.rpc.sendTransaction({
        from: ready.accounts.deployer,
        to: mainToken(ready.chain).address,
        data,
        gas: 15_000_000n,
      })
    }
    await eventually('they are final', () => hasTransfers('FINAL', ...many))
    await world.drainAll()
    const startedAt = performance.now()
    await rebuiltAfter(() => chain.kill())
    t.diagnostic(
      `killed, started and rebuilt with ${many.length} addresses in ${Math.round(performance.now() - startedAt)} ms`,
    )
    await coinsAreWhereTheBooksHaveThem()
  })

  test('whose final history a developer changed is rebuilt in place: missing coins are made, excess coins burned', async () => {
    const [paid, unseen] = await newPayments(100n, 70n)
    await payUntilCredited(paid, 100n)
    await watching[Symbol.asyncDispose]()
    const snapshot = await chain.rpc.call('evm_snapshot', [])
    await send(paid.address, 20n * cent)
    watching = watch()
    await eventually('it is credited', async () => (await receivedBy(paid)) === 120)
    await watching[Symbol.asyncDispose]()
    await chain.whileStill(() => chain.rpc.call('evm_revert', [snapshot]))
    await send(unseen.address, 70n * cent)
    await eventually('it is mined', async () => (await unitsAt(unseen.address)) === 70n * cent)
    assert.equal(await unitsAt(paid.address), 100n * cent)
    await rebuiltAfter(async () => void (watching = watch()))
    await coinsAreWhereTheBooksHaveThem()
    assert.equal(await unitsAt(paid.address), 120n * cent)
    await payUntilCredited(unseen, 70n)
  })

  test('whose node lacks a block in its history is rebuilt above it', async () => {
    const [paid, unseen] = await newPayments(100n, 70n)
    await payUntilCredited(paid, 100n)
    const head = await chain.rpc.blockNumber()
    const hole = new Set([head + 3n, head + 4n])
    chain.front.alter = lie('eth_getBlockByNumber', (block, { params: [at] }) =>
      String(at).startsWith('0x') && hole.has(BigInt(String(at))) ? null : block,
    )
    try {
      await rebuiltAfter(async () => {})
      await send(unseen.address, 70n * cent)
      await eventually('it is credited', async () => (await receivedBy(unseen)) === 70)
    } finally {
      chain.front.alter = undefined
    }
    await coinsAreWhereTheBooksHaveThem()
    await payUntilCredited(paid, 1n)
  })

  test('credits no money twice when an old transaction is sent again on the new chain', async () => {
    const [payment] = await newPayments(100n)
    const payer = newPayer()
    const tx = await payer.transfer(mainToken(ready.chain).address, {
      to: payment.address,
      value: 100n * cent,
    })
    for (const credited of [100, 100]) {
      await send(payer.address, 100n * cent)
      await eventually('there is something to pay with', async () => (await unitsAt(payer.address)) > 0n)
      const hash = await chain.rpc.sendRawTransaction(tx.raw)
      await eventually('it is final', () => isFinal(hash))
      assert.equal(await receivedBy(payment), credited)
      await rebuiltAfter(() => chain.kill())
    }
    assert.deepEqual((await scene.balance()).pending, 0n)
    // The same amount to the same address by the node's own account is another transaction.
    await payUntilCredited(payment, 100n)
  })
})
