// What the rebuild of a lost sandbox chain does at its node: the coins of the books and no others, from nonces that were never used.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Hex } from 'viem'
import { decodeFunctionData, encodeFunctionData } from 'viem/utils'
import { usdtAt } from '#/coins/networks.ts'
import type { Sql } from '#/db/client.ts'
import { bytesOf, type Address } from '#/evm/address.ts'
import { artifacts } from '#/evm/artifacts.ts'
import type { Rpc, UnlockedTx } from '#/evm/client.ts'
import { FencedOff } from '#/evm/fence.ts'
import { toQuantity, type TxReceipt } from '#/evm/wire.ts'
import { must } from '#/kernel/check.ts'
import { silentLog } from '#/kernel/log.ts'
import { fileDatabase } from '../../../test/file-database.ts'
import { partly } from '../../../test/partly.ts'
import { makeChain } from '../../../test/rails/made-chain.ts'
import { depositAddress, someone, token, watchingChain } from '../../../test/rails/watched-chain.ts'
import { seizeLease, type TreasuryOnNewChain } from './cursor.ts'
import { fundAccounts, rebuild, sandboxAccounts } from './rebuild.ts'

let sql: Sql
fileDatabase((owner) => (sql = owner))

const address = (digits: string): Address => `0x${digits.padStart(40, '0')}`
const [deployer, faucet, wallet, payer] = ['d1', 'd2', 'd3', 'd4'].map(address) as [
  Address,
  Address,
  Address,
  Address,
]
const { abi } = artifacts.SandboxToken
const mintCall = (units: Readonly<Record<Address, bigint>>): UnlockedTx => ({
  from: deployer,
  to: token,
  data: encodeFunctionData({
    abi,
    functionName: 'mintBatch',
    args: [Object.keys(units), Object.values(units)],
  }),
  gas: 1_000_000n,
})

/** A node in memory with four unlocked accounts and the token. What is sent waits until a block is mined. */
function makeNode(units: Readonly<Record<Address, bigint>> = {}, refuses = false) {
  const held = new Map<string, bigint>(Object.entries(units))
  const nonces = new Map<unknown, bigint>()
  const unlocked = new Set<unknown>([deployer, faucet, wallet, payer])
  const waiting: UnlockedTx[] = []
  const receipts = new Map<string, TxReceipt>()
  const mints: (readonly [Address, bigint])[] = []
  const burns: (readonly [Address, bigint])[] = []
  const dataOf = ({ data }: UnlockedTx) => must(data, 'a call of the token')
  const hashOf = (tx: UnlockedTx): Hex => `0x${Buffer.from(dataOf(tx).slice(-32)).toString('hex')}`
  const add = (to: Address, count: bigint) => void held.set(to, (held.get(to) ?? 0n) + count)
  const execute = (tx: UnlockedTx) => {
    const { functionName, args = [] } = decodeFunctionData({ abi, data: dataOf(tx) })
    if (functionName === 'burn') {
      const [count] = args as readonly [bigint]
      burns.push([tx.from, count])
      add(tx.from, -count)
    } else {
      assert.deepEqual([functionName, tx.from], ['mintBatch', deployer])
      const [to, counts] = args as readonly [readonly Address[], readonly bigint[]]
      for (const [index, one] of to.entries()) {
        const each = [one.toLowerCase() as Address, must(counts[index], 'each has units')] as const
        mints.push(each)
        add(...each)
      }
    }
  }
  const calls: Readonly<Record<string, (param: unknown, second: unknown) => unknown>> = {
    eth_accounts: () => [...unlocked],
    eth_getTransactionCount: (account) => toQuantity(nonces.get(account) ?? 0n),
    anvil_setNonce: (account, nonce) => nonces.set(account, BigInt(String(nonce))),
    anvil_impersonateAccount: (account) => unlocked.add(account),
    anvil_stopImpersonatingAccount: (account) => unlocked.delete(account),
    anvil_mine(count) {
      const blockNumber = made.head().number + 1n
      for (const tx of waiting.splice(0)) {
        if (!refuses) execute(tx)
        receipts.set(hashOf(tx), partly<TxReceipt>({ succeeded: !refuses, blockNumber }))
      }
      made.mineTo(Number(made.head().number + BigInt(String(count))))
    },
  }
  const alter: Partial<Rpc> = {
    call: async (method, [first, second]) => must(calls[method], method)(first, second),
    async ethCall(_to, data) {
      const { args = [] } = decodeFunctionData({ abi, data })
      return toQuantity(held.get(String(args[0]).toLowerCase()) ?? 0n)
    },
    async sendTransaction(tx) {
      assert.ok(unlocked.has(tx.from), 'the node signs for its accounts')
      const hasGas = [deployer, faucet, wallet, payer].includes(tx.from)
      assert.ok(hasGas || tx.gasPrice === 0n, 'other accounts have no gas')
      waiting.push(tx)
      return hashOf(tx)
    },
    getTransactionReceipt: async (hash) => receipts.get(hash),
  }
  const made = makeChain({ alter })
  made.mineTo(10)
  return { made, rpc: made.rpc, held, nonces, unlocked, receipts, mints, burns }
}

type Node = ReturnType<typeof makeNode>

/** Rebuilds at this node a chain that was followed at another one. */
async function rebuilding(node: Node, treasury: Partial<TreasuryOnNewChain> = {}) {
  const followed = makeChain()
  followed.mineTo(20)
  const watcher = await watchingChain(sql, followed)
  await watcher.begin()
  const { key } = watcher.deps.chain
  await sql`
    insert into chain_transfer (chain, block_hash, log_index, block_number, block_at, tx_hash, ordinal, address, sender, value, state, log)
    values (${key}, '\\x01', 0, 12, now(), '\\x02', 0, ${bytesOf(depositAddress)}, ${bytesOf(someone)}, 7, 'FINAL', '{}')`
  const deps = {
    ...watcher.deps,
    log: silentLog,
    treasury: {
      sendingWallets: async () => [],
      restoreWallets: async () => [],
      forgetEnded: async () => {},
      ...treasury,
    },
  }
  const row = async () => {
    const [found] = await sql`select number, final_number, hash, generation from chain where key = ${key}`
    return must(found, 'a chain')
  }
  return { deps, row, run: () => rebuild(deps, node.rpc, deployer) }
}

describe('the accounts of a new node', () => {
  test('they are its unlocked accounts, in its order', async () => {
    const accounts = await sandboxAccounts(makeNode().rpc)
    assert.deepEqual(accounts, { deployer, faucet, treasury: wallet, payer })
  })

  test('faucet and payer get a thousand million USDT where they have none', async () => {
    const thousandMillion = 1_000_000_000n * 10n ** 18n
    const accounts = { deployer, faucet, treasury: wallet, payer }
    const node = makeNode({ [faucet]: 1n })
    await fundAccounts(node.rpc, usdtAt(token), accounts)
    assert.deepEqual(node.mints, [[payer, thousandMillion]])
    await fundAccounts(node.rpc, usdtAt(token), accounts)
    assert.equal(node.mints.length, 1)
    const empty = makeNode()
    await fundAccounts(empty.rpc, usdtAt(token), accounts)
    assert.deepEqual(Object.fromEntries(empty.mints), { [faucet]: thousandMillion, [payer]: thousandMillion })
  })
})

describe('the rebuild', () => {
  test('each place has what the books say: what is missing is minted, and what is too much is burned', async () => {
    const places = { e1: 5n, e2: 1n, e3: 4n, e4: 6n, e5: 0n, e6: 0n }
    const own = Object.entries(places).map(([digits, units]) => ({ address: address(digits), units }))
    const node = makeNode({
      [address('e1')]: 2n,
      [address('e3')]: 9n,
      [address('e4')]: 6n,
      [address('e5')]: 1n,
      [address('e7')]: 8n,
    })
    const { run, row } = await rebuilding(node, { restoreWallets: async () => own })
    assert.deepEqual(await run(), { places: 5 }, 'with the deposit address')
    assert.deepEqual(Object.fromEntries(node.mints), {
      [depositAddress]: 7n,
      [address('e1')]: 3n,
      [address('e2')]: 1n,
    })
    assert.deepEqual(Object.fromEntries(node.burns), { [address('e3')]: 5n, [address('e5')]: 1n })
    assert.deepEqual([...node.unlocked], [deployer, faucet, wallet, payer], 'nobody else can send any more')
    const head = node.made.head()
    const { number, final_number: final, hash, generation } = await row()
    assert.deepEqual([number, final, generation], [head.number, head.number, 2])
    assert.equal(`0x${(hash as Buffer).toString('hex')}`, head.hash)
    const finalized = must(await node.rpc.getBlockByNumber('finalized'), 'a final block')
    for (const { blockNumber } of node.receipts.values())
      assert.ok(blockNumber <= finalized.number, 'coins are final')
  })

  test('one missing coin is one call, and no place is none', async () => {
    const node = makeNode()
    const { run } = await rebuilding(node)
    await run()
    assert.deepEqual(node.mints, [[depositAddress, 7n]])
    await run()
    assert.equal(node.mints.length, 1)
  })

  test('what an earlier attempt has sent counts before coins are missed', async () => {
    const node = makeNode()
    await node.rpc.sendTransaction(mintCall({ [depositAddress]: 7n }))
    const { run } = await rebuilding(node)
    await run()
    assert.equal(node.held.get(depositAddress), 7n)
  })

  test('accounts go on with nonces that the lost chain never used, but a wallet that sends keeps its own', async () => {
    const eachChain = 4_294_967_296n
    const node = makeNode()
    for (const [account, nonce] of [
      [faucet, eachChain - 1n],
      [wallet, 3n],
      [payer, eachChain + 9n],
    ] as const)
      node.nonces.set(account, nonce)
    const { run } = await rebuilding(node, { sendingWallets: async () => [{ address: wallet }] })
    await run()
    const noncesNow = [deployer, faucet, wallet, payer].map((account) => node.nonces.get(account))
    assert.deepEqual(noncesNow, [eachChain, eachChain, 3n, eachChain + 9n])
    await run()
    assert.equal(node.nonces.get(deployer), 2n * eachChain)
  })

  test('when another rebuild has begun, this one adds no coins', async () => {
    const node = makeNode()
    const { run, deps } = await rebuilding(node, {
      async restoreWallets() {
        await seizeLease(deps)
        return []
      },
    })
    await assert.rejects(run(), FencedOff)
    assert.deepEqual(node.mints, [])
  })

  test('coins that the token refuses to mint or to burn end it, and the cursor stays', async () => {
    for (const own of [[], [{ address: address('e3'), units: 0n }]]) {
      const node = makeNode({ [address('e3')]: 9n, [depositAddress]: own.length === 0 ? 0n : 7n }, true)
      const { run, row } = await rebuilding(node, { restoreWallets: async () => own })
      await assert.rejects(run(), /accepts the call of its owner/)
      assert.equal((await row())['generation'], 1)
    }
  })
})
