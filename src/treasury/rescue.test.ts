import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { mainToken } from '#/coins/chain.ts'
import {
  sandboxTokenCreation,
  deploymentData,
  deterministicDeployer,
  sandboxTokenAddress,
  type Address,
} from '#/evm/address.ts'
import { createRpc, type Rpc } from '#/evm/client.ts'
import { transferCall } from '#/evm/erc20.ts'
import { must } from '#/kernel/check.ts'
import { silentLog } from '#/kernel/log.ts'
import { startAnvil, richAccount, type Anvil } from '../../test/anvil.ts'
import { bnb, openCoinWorld, type CoinWorld } from '../../test/laws/coins-world.ts'
import { newPayer } from '../../test/laws/watcher-chain.ts'
import type { Payment } from '../../test/laws/watcher-world.ts'
import { makeSignerHome, type RealSigner, type SignerHome } from '../../test/real-signer.ts'
import { selectKnownChains } from './compare-queries.ts'
import { balancesOf } from './compare.ts'
import { balanceAt } from './gas.ts'
import { selectStrays } from './rescue-queries.ts'
import {
  factoryDeployment,
  findLost,
  nativeCoin,
  rescueElsewhere,
  rescueHere,
  type ElsewhereRequest,
} from './rescue.ts'

let coins: CoinWorld
let home: SignerHome
let signer: RealSigner
before(async () => {
  coins = await openCoinWorld()
  home = makeSignerHome(policyFor([1_337n, 1_338n]))
  signer = await home.start()
})
after(async () => {
  await signer.kill()
  home[Symbol.dispose]()
  await coins[Symbol.asyncDispose]()
})

/** What an operator writes into the signer's policy before a rescue on another network: exactly what the command requires. */
function policyFor(chainIds: readonly bigint[]) {
  const { to, dataHash } = factoryDeployment(coins.keys.treasury.address)
  const calls = [
    { call: 'exact', contract: to, dataHash },
    { call: 'sweep', contract: coins.scene.chain.factory },
  ]
  const limits = { maxGas: '2000000', maxFeePerGas: String(10n ** 11n) }
  return ({ gas }: SignerHome['keys']) => ({
    version: 1,
    keys: [
      {
        address: gas,
        purpose: 'gas',
        chains: chainIds.map((chainId) => ({ ...limits, chainId: String(chainId), calls })),
      },
    ],
  })
}

async function homeOf() {
  const chains = await selectKnownChains(coins.world.sql)
  return must(
    chains.find(({ key }) => key === coins.scene.chain.key),
    'the chain is known',
  )
}

/** The second account of every node: the owner of another token of the same make. */
const otherOwner: Address = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

async function otherToken(rpc: Rpc, mine: () => Promise<unknown>): Promise<Address> {
  const data = deploymentData(sandboxTokenCreation(otherOwner))
  await rpc.sendTransaction({ from: richAccount, to: deterministicDeployer, data, gas: 5_000_000n })
  await mine()
  return sandboxTokenAddress(otherOwner)
}

async function mint(
  rpc: Rpc,
  token: Address,
  to: Address,
  units: bigint,
  mine: () => Promise<unknown>,
): Promise<void> {
  const data = `0x40c10f19${to.slice(2).padStart(64, '0')}${units.toString(16).padStart(64, '0')}` as const
  await rpc.sendTransaction({ from: otherOwner, to: token, data, gas: 200_000n })
  await mine()
}

test('another token and native coin at an address go to the treasury', async () => {
  const { node, scene, world, keys } = coins
  const payment = await scene.newPayment(100n)
  const mine = () => node.mine()
  const token = await otherToken(node.rpc, mine)
  const payer = newPayer()
  await mint(node.rpc, token, payer.address, 500n, mine)
  await node.send(await payer.sign({ to: token, data: transferCall(payment.address, { raw: 500n }) }))
  await node.rpc.call('anvil_setBalance', [payment.address, '0x64'])
  await node.mine(4)
  await coins.work(['watch'])
  const [stray] = await selectStrays(world.sql, scene.chain.key)
  assert.equal(stray?.address, payment.address)
  assert.equal(stray.token, token)
  assert.deepEqual(await findLost(world.sql, node.rpc, scene.chain.key, [nativeCoin]), [
    { address: payment.address, paymentId: payment.id, token: nativeCoin, units: 100n },
  ])
  const request = {
    sql: world.sql,
    clock: world.clock,
    rpc: node.rpc,
    home: await homeOf(),
    address: payment.address,
    by: 'ana',
  }
  const queued = await rescueHere({ ...request, token })
  assert.equal((await rescueHere({ ...request, token })).id, queued.id, 'the same rescue is queued once')
  await rescueHere({ ...request, token: nativeCoin })
  await assert.rejects(rescueHere({ ...request, token: mainToken(scene.chain).address }), /token of payments/)
  await assert.rejects(rescueHere({ ...request, token, address: payer.address }), /no deposit address/)
  const before = await balanceAt(node.rpc, keys.treasury.address, 'latest')
  await coins.rest()
  assert.deepEqual(await balancesOf(node.rpc, token, 'latest', [keys.treasury.address, payment.address]), [
    { raw: 500n },
    { raw: 0n },
  ])
  assert.equal((await balanceAt(node.rpc, keys.treasury.address, 'latest')) - before, 100n)
  await assert.rejects(rescueHere({ ...request, token }), /Nothing of/)
  assert.deepEqual((await coins.compare()).differences, [])
})

test('what came to an address on another network is found there and brought to the treasury', async () => {
  await using away = await startAway(1_337)
  const { scene, world, keys } = coins
  const payment = await scene.newPayment(100n)
  const token = await otherToken(away.rpc, away.mine)
  await mint(away.rpc, token, payment.address, 12_000_000n, away.mine)
  assert.deepEqual(await findLost(world.sql, away.rpc, scene.chain.key, [token]), [
    { address: payment.address, paymentId: payment.id, token, units: 12_000_000n },
  ])

  const request = await requestOf(away.rpc, payment, token)
  const messages: string[] = []
  const rescue = await away.mining(() =>
    rescueElsewhere({ ...request, report: (text) => messages.push(text) }),
  )
  assert.equal(rescue.state, 'FINAL')
  assert.equal(rescue.chainId, 1_337n)
  assert.deepEqual(await balancesOf(away.rpc, token, 'latest', [keys.treasury.address, payment.address]), [
    { raw: 12_000_000n },
    { raw: 0n },
  ])
  assert.equal(messages.length, 2, 'the factory was deployed first')

  // A second time the factory is there, and our own books know nothing of all that.
  await mint(away.rpc, token, payment.address, 5n, away.mine)
  await away.mining(() => rescueElsewhere({ ...request, report: (text) => messages.push(text) }))
  assert.equal(messages.length, 3)
  await coins.rest()
  assert.deepEqual((await coins.compare()).differences, [])
})

test('an interrupted rescue on another network continues', async () => {
  await using away = await startAway(1_338)
  const payment = await coins.scene.newPayment(100n)
  const token = await otherToken(away.rpc, away.mine)
  await mint(away.rpc, token, payment.address, 9n, away.mine)
  const request = await requestOf(away.rpc, payment, token)
  const broken = { ...request, patienceMs: 0 }
  await assert.rejects(
    away.mining(() => rescueElsewhere(broken)),
    /not final yet/,
  )
  await assert.rejects(
    away.mining(() => rescueElsewhere(broken)),
    /not final yet/,
  )
  assert.equal((await away.mining(() => rescueElsewhere(request))).state, 'FINAL')
  assert.deepEqual(await balancesOf(away.rpc, token, 'latest', [coins.keys.treasury.address]), [{ raw: 9n }])
})

async function requestOf(rpc: Rpc, { address }: Payment, token: Address): Promise<ElsewhereRequest> {
  const { world } = coins
  await rpc.call('anvil_setBalance', [home.keys.gas, `0x${bnb.toString(16)}`])
  await rpc.call('anvil_mine', ['0x4'])
  return {
    sql: world.sql,
    clock: world.clock,
    rpc,
    home: await homeOf(),
    address,
    token,
    by: 'ana',
    gas: home.keys.gas,
    signer: home.client(),
    fees: { floor: 1n, cap: 10n ** 11n },
    log: silentLog,
    pollMs: 20,
    patienceMs: 60_000,
    report: () => {},
  }
}

type Away = AsyncDisposable & {
  readonly rpc: Rpc
  /** The node answers a transaction before its block exists. */
  readonly mine: () => Promise<unknown>
  /** Mines blocks while the work runs. */
  mining<Result>(work: () => Promise<Result>): Promise<Result>
}

/** Another network: a node with another chain id, on which nothing of ours was ever deployed. */
async function startAway(chainId: number): Promise<Away> {
  const node: Anvil = await startAnvil({ chainId, flags: ['--hardfork', 'cancun'] })
  const rpc = createRpc(node.url, { timeoutMs: 10_000 })
  const mine = () => rpc.call('anvil_mine', ['0x1'])
  return {
    rpc,
    mine,
    async mining(work) {
      const ticking = setInterval(() => void mine().catch(() => {}), 30)
      try {
        return await work()
      } finally {
        clearInterval(ticking)
      }
    },
    async [Symbol.asyncDispose]() {
      rpc.close()
      await node.stop()
    },
  }
}
