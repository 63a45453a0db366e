import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hexOf, type Address } from '#/evm/address.ts'
import {
  newPayer,
  transferCall,
  transferEvent,
  transferEventOf,
  transferFromCall,
  word,
  type Action,
} from '../../../test/laws/watcher-chain.ts'
import { cent, openTill } from '../../../test/laws/watcher-till.ts'
import type { Payment } from '../../../test/laws/watcher-world.ts'
import { openForTests } from '../../../test/open-for-tests.ts'

const till = openForTests(openTill)

describe('transfers that are not money', () => {
  /** Runs these actions in one contract, and expects no money, at most strays. */
  async function comesToNothing(actions: (to: Payment) => readonly Action[]) {
    const scene = await till.newScene()
    const payment = await scene.newPayment(1_000n)
    const { hash } = await till.payByContract(actions(payment))
    await till.settle(scene)
    assert.deepEqual(await till.outcome(scene, payment), {
      status: 'WAITING_PAYMENT',
      amountReceived: 0,
      exceptions: [],
      events: [],
    })
    assert.deepEqual(await scene.balance(), { available: 0n, pending: 0n })
    assert.deepEqual((await scene.show(payment))['deposits'], [])
    const strays = await till.world.sql<
      { address: Buffer; token: Buffer; transfers: bigint; claimed: string; tx: Buffer }[]
    >`
      select address, token, transfers, claimed, first_tx as tx from stray where chain = ${scene.chain.key}`
    return {
      payment,
      hash,
      strays: strays.map((row) => ({
        address: hexOf(row.address),
        token: hexOf(row.token),
        transfers: row.transfers,
        claimed: BigInt(row.claimed),
        tx: hexOf(row.tx),
      })),
    }
  }

  test('a transfer of zero, which anyone can make the real token report for any address', async () => {
    const { strays } = await comesToNothing(({ address }) => [
      till.transferring({ to: address, value: 0n }),
      { call: till.token, data: transferFromCall(newPayer().address, address, 0n) },
    ])
    assert.deepEqual(strays, [])
  })

  test('another token with any amount; it is counted as a stray, one row for all of its transfers', async () => {
    const from = newPayer().address
    const said = await comesToNothing(({ address }) => [
      transferEventOf(from, address, 1_000n * cent),
      transferEventOf(from, address, 0n),
      transferEventOf(from, address, 7n),
    ])
    const { contractAddress } = (await till.chain.rpc.call('eth_getTransactionReceipt', [said.hash])) as {
      contractAddress: Address
    }
    assert.deepEqual(said.strays, [
      {
        address: said.payment.address,
        token: contractAddress,
        transfers: 2n,
        claimed: 1_000n * cent + 7n,
        tx: said.hash,
      },
    ])
  })

  test('the largest number there is, from a hostile token, twice', async () => {
    const from = newPayer().address
    const most = 2n ** 256n - 1n
    const { strays } = await comesToNothing(({ address }) => [
      transferEventOf(from, address, most),
      transferEventOf(from, address, most),
    ])
    assert.deepEqual(
      strays.map(({ transfers, claimed }) => ({ transfers, claimed })),
      [{ transfers: 2n, claimed: 10n ** 77n }],
    )
  })

  test('a non-fungible token: its event has the same name and four topics', async () => {
    const from = `0x${word(1n)}` as const
    const { strays } = await comesToNothing(({ address }) => [
      { topics: [transferEvent, from, `0x${word(BigInt(address))}`, `0x${word(9n)}`], data: '0x' },
    ])
    assert.deepEqual(strays, [])
  })

  test('events that only look like a transfer: short data, long data, dirty address words', async () => {
    const from = `0x${word(1n)}` as const
    const { strays } = await comesToNothing(({ address }) => {
      const to = `0x${word(BigInt(address))}` as const
      const dirty = `0x${'ff'.repeat(12)}${address.slice(2)}` as const
      return [
        { topics: [transferEvent, from, to], data: '0x' },
        { topics: [transferEvent, from, to], data: `0x${word(5n)}${word(5n)}` },
        { topics: [transferEvent, from, dirty], data: `0x${word(5n)}` },
        { topics: [transferEvent, from], data: `0x${word(5n)}` },
      ]
    })
    assert.deepEqual(strays, [])
  })

  test('a transfer from an address to itself', async () => {
    const scene = await till.newScene()
    const payment = await scene.newPayment(1_000n)
    await till.payAndSettle(scene, payment, 600n * cent)
    await till.chain.rpc.call('anvil_impersonateAccount', [payment.address])
    const data = transferCall(payment.address, 600n * cent)
    await till.chain.rpc.sendTransaction({
      from: payment.address,
      to: till.token,
      data,
      gas: 200_000n,
      gasPrice: 0n,
    })
    await till.settle(scene)
    assert.equal((await till.outcome(scene, payment)).amountReceived, 600)
  })

  test("the chain's native coin, which makes no event", async () => {
    const scene = await till.newScene()
    const payment = await scene.newPayment(1_000n)
    const payer = newPayer()
    await till.chain.rpc.call('anvil_setBalance', [payer.address, '0xde0b6b3a7640000'])
    await till.mineIn(await payer.sign({ to: payment.address, data: '0x', value: 10n ** 17n }))
    await till.settle(scene)
    assert.equal((await till.outcome(scene, payment)).amountReceived, 0)
    assert.equal((await till.world.sql`select 1 from stray where chain = ${scene.chain.key}`).length, 0)
  })

  test('a transaction that failed, at any step', async () => {
    const scene = await till.newScene()
    const payment = await scene.newPayment(1_000n)
    const poor = newPayer()
    const tx = await poor.transfer(till.token, { to: payment.address, value: 1_000n * cent })
    await till.chain.send(tx)
    await till.chain.mine()
    assert.equal((await till.chain.rpc.getTransactionReceipt(tx.hash))?.succeeded, false)
    await till.settle(scene)
    assert.equal((await till.outcome(scene, payment)).amountReceived, 0)
  })
})
