import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Abi, Hex } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import { artifacts } from '#/evm/artifacts.ts'
import { ensureContracts } from '#/evm/deploy.ts'
import { must } from '#/kernel/check.ts'
import { compileFolder, type CompiledContract } from '../scripts/contracts.ts'
import { richAccount } from '../test/anvil.ts'
import {
  balanceOf,
  failedSalts,
  native,
  startTestChain,
  stranger,
  sweep,
  treasury,
  txGasMax,
  type Contract,
  type TestChain,
} from './test/chain.ts'

let chain: TestChain
let oddToken: CompiledContract

before(async () => {
  oddToken = must(compileFolder(join(import.meta.dirname, 'test')).contracts['OddToken'], 'the odd token')
  chain = await startTestChain()
})
after(() => chain.stop())

const answers = { True: 0, Nothing: 1, False: 2, Short: 3, Two: 4 }
const faults = { None: 0, Revert: 1, BurnGas: 2, LongRevert: 3, Reenter: 4 }

let oddTokens = 0
/** A new misbehaving token. */
async function newOddToken(answer: keyof typeof answers, feePercent = 0): Promise<Contract> {
  const creation = oddToken.creationCode as Hex
  const address = await chain.deploy(
    creation,
    ['uint8', 'uint256', 'uint256'],
    [answers[answer], feePercent, ++oddTokens],
  )
  return { address, abi: oddToken.abi as Abi }
}

async function pay(token: Contract, to: Hex, amount: bigint): Promise<void> {
  assert.ok((await chain.call(token, 'mint', [to, amount])).succeeded)
}

test('a deposit address is the same computed here, asked of the factory, and where the clone comes to lie', async () => {
  for (let i = 0; i < 3; i++) {
    const { salt, address } = chain.newDeposit()
    assert.equal(
      await chain.ask(chain.factory, 'addressOf', [salt]),
      `0x${'0'.repeat(24)}${address.slice(2)}`,
    )
    assert.equal(await chain.rpc.getCode(address), '0x')
    await sweep(chain, native, [salt])
    // The minimal proxy, byte for byte as EIP-1167 prints it.
    const proxy = `0x363d3d373d3d3d363d73${chain.implementation.slice(2)}5af43d82803e903d91602b57fd5bf3`
    assert.equal(await chain.rpc.getCode(address), proxy)
  }
})

test('whoever sweeps, everything goes to the treasury and nothing to the sweeper', async () => {
  const { salt, address } = chain.newDeposit()
  await pay(chain.token, address, 5n * 10n ** 18n)
  const had = await balanceOf(chain, chain.token, treasury)
  await sweep(chain, chain.token.address, [salt])
  assert.equal(await balanceOf(chain, chain.token, treasury), had + 5n * 10n ** 18n)
  assert.equal(await balanceOf(chain, chain.token, address), 0n)
  assert.equal(await balanceOf(chain, chain.token, stranger), 0n)
})

test('a deposit after the sweep is swept too, by the factory or at the address itself', async () => {
  const { salt, address } = chain.newDeposit()
  const forwarder = { address, abi: artifacts.DepositForwarder.abi }
  for (const again of [1n, 2n, 3n]) {
    await pay(chain.token, address, again)
    const had = await balanceOf(chain, chain.token, treasury)
    if (again === 3n)
      assert.ok((await chain.call(forwarder, 'sweep', [chain.token.address], stranger)).succeeded)
    else await sweep(chain, chain.token.address, [salt])
    assert.equal(await balanceOf(chain, chain.token, treasury), had + again)
  }
})

test('sweeping what is empty changes nothing and is no failure', async () => {
  const { salt } = chain.newDeposit()
  const had = await balanceOf(chain, chain.token, treasury)
  const receipt = await sweep(chain, chain.token.address, [salt, salt])
  assert.deepEqual(failedSalts(chain, receipt), [])
  assert.equal(await balanceOf(chain, chain.token, treasury), had)
})

test('native coin that was sent to an address is swept, before and after the clone is there', async () => {
  const { salt, address } = chain.newDeposit()
  const had = await chain.nativeOf(treasury)
  for (const value of [7n, 8n]) {
    assert.ok((await chain.send(address, '0x', { value })).succeeded)
    assert.deepEqual(failedSalts(chain, await sweep(chain, native, [salt])), [])
    assert.equal(await chain.nativeOf(address), 0n)
  }
  assert.equal(await chain.nativeOf(treasury), had + 15n)
})

test('a wrong token is swept, whether its transfer answers true, nothing, or keeps a fee', async () => {
  for (const [answer, fee, arrives] of [
    ['True', 0, 100n],
    ['Nothing', 0, 100n],
    ['True', 10, 90n],
  ] as const) {
    const token = await newOddToken(answer, fee)
    const { salt, address } = chain.newDeposit()
    await pay(token, address, 100n)
    assert.deepEqual(failedSalts(chain, await sweep(chain, token.address, [salt])), [])
    assert.equal(await balanceOf(chain, token, treasury), arrives)
    assert.equal(await balanceOf(chain, token, address), 0n)
  }
})

test('a transfer that answers false, or something that is no boolean, moves nothing and is reported', async () => {
  for (const answer of ['False', 'Short', 'Two'] as const) {
    const token = await newOddToken(answer)
    const { salt, address } = chain.newDeposit()
    await pay(token, address, 100n)
    assert.deepEqual(failedSalts(chain, await sweep(chain, token.address, [salt])), [salt])
    assert.equal(await balanceOf(chain, token, address), 100n)
  }
})

test('an address that is no token is reported', async () => {
  const { salt } = chain.newDeposit()
  assert.deepEqual(failedSalts(chain, await sweep(chain, stranger, [salt])), [salt])
})

test('an address that reverts, burns its gas, answers endlessly or reenters does not stop the others', async () => {
  const token = await newOddToken('True')
  const bad = (['Revert', 'BurnGas', 'LongRevert', 'Reenter'] as const).map((fault) => ({
    fault,
    ...chain.newDeposit(),
  }))
  const good = [chain.newDeposit(), chain.newDeposit(), chain.newDeposit()]
  for (const { address } of [...bad, ...good]) await pay(token, address, 10n)
  for (const { fault, address } of bad) await chain.call(token, 'setFault', [address, faults[fault]])

  const mixed = [...bad.slice(0, 2), ...good.slice(0, 1), ...bad.slice(2), ...good.slice(1)]
  const receipt = await sweep(
    chain,
    token.address,
    mixed.map(({ salt }) => salt),
  )
  assert.deepEqual(
    failedSalts(chain, receipt),
    bad.map(({ salt }) => salt),
  )
  assert.equal(await balanceOf(chain, token, treasury), 30n)

  for (const { address } of bad) {
    assert.equal(await balanceOf(chain, token, address), 10n)
    await chain.call(token, 'setFault', [address, faults.None])
  }
  assert.deepEqual(
    failedSalts(
      chain,
      await sweep(
        chain,
        token.address,
        bad.map(({ salt }) => salt),
      ),
    ),
    [],
  )
  assert.equal(await balanceOf(chain, token, treasury), 70n)
})

test('a treasury that refuses native coin costs nobody anything: it stays at its address and is reported', async () => {
  // The sandbox token takes no native coin.
  const { factory } = await ensureContracts(chain.rpc, {
    deployer: richAccount,
    treasury: chain.token.address,
  })
  const other = { ...chain, factory: { ...chain.factory, address: factory } }
  const { salt } = chain.newDeposit()
  const address: Hex = `0x${(await chain.ask(other.factory, 'addressOf', [salt])).slice(26)}`
  await chain.send(address, '0x', { value: 9n })
  assert.deepEqual(failedSalts(other, await sweep(other, native, [salt])), [salt])
  assert.equal(await chain.nativeOf(address), 9n)
})

test('a factory without a treasury cannot be made', async () => {
  const { creationCode } = artifacts.ForwarderFactory
  await assert.rejects(chain.deploy(creationCode, ['address'], [native]), /the deployment failed/)
  assert.match(await chain.deploy(creationCode, ['address'], [stranger]), /^0x/)
})

test('a batch with too little gas does nothing, rather than to report failures that are none', async () => {
  const { salt, address } = chain.newDeposit()
  await pay(chain.token, address, 1n)
  const data = encodeFunctionData({
    abi: chain.factory.abi,
    functionName: 'sweep',
    args: [chain.token.address, [salt]],
  })
  const receipt = await chain.send(chain.factory.address, data, { gas: 610_000n })
  assert.deepEqual([receipt.succeeded, receipt.logs.length], [false, 0])
  assert.equal(await balanceOf(chain, chain.token, address), 1n)
})

test('200 addresses are swept in one transaction, far below the gas limit of a transaction', async (t) => {
  const deposits = Array.from({ length: 200 }, () => chain.newDeposit())
  const addresses = deposits.map(({ address }) => address)
  const salts = deposits.map(({ salt }) => salt)
  for (const [round, most] of [
    ['first', 12_000_000n],
    ['second', 4_000_000n],
  ] as const) {
    const minted = await chain.call(chain.token, 'mintBatch', [addresses, addresses.map(() => 10n ** 18n)])
    assert.ok(minted.succeeded)
    const had = await balanceOf(chain, chain.token, treasury)
    const receipt = await sweep(chain, chain.token.address, salts)
    assert.deepEqual(failedSalts(chain, receipt), [])
    assert.equal(await balanceOf(chain, chain.token, treasury), had + 200n * 10n ** 18n)
    assert.ok(receipt.gasUsed < most && most < txGasMax)
    t.diagnostic(`${round} sweep of 200: ${receipt.gasUsed} gas; their mintBatch: ${minted.gasUsed}`)
  }
})
