import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRpc } from '#/evm/client.ts'
import { secondMs, sleep, systemClock } from '#/kernel/time.ts'
import { startAnvil } from '../../test/anvil.ts'
import { eventually } from '../../test/eventually.ts'
import { keepMining } from './chain-miner.ts'

test('blocks have the current time, even on a node whose clock started late', async () => {
  const nowSeconds = () => Math.floor(systemClock.now().getTime() / secondMs)
  const startedAt = nowSeconds() - 60
  await using node = await startAnvil({ flags: ['--no-mining', '--timestamp', String(startedAt)] })
  const rpc = createRpc(node.url, { timeoutMs: 60_000 })
  const first = await rpc.getBlockByNumber('latest')
  assert.ok(first !== undefined && Number(first.timestamp) <= startedAt + 30)
  const miner = keepMining(rpc, 100)
  try {
    await eventually('a block of now', async () => {
      const before = nowSeconds()
      const head = await rpc.getBlockByNumber('latest')
      return head !== undefined && Number(head.timestamp) >= before - 1
    })
  } finally {
    await miner.stop()
    rpc.close()
  }
})

test('no block is made while other work needs the chain to stand still', async () => {
  await using node = await startAnvil({ flags: ['--no-mining'] })
  const rpc = createRpc(node.url, { timeoutMs: 60_000 })
  const miner = keepMining(rpc, 20)
  try {
    await eventually('blocks are made', async () => (await rpc.blockNumber()) > 3n)
    const still = await miner.whileStill(async () => {
      const before = await rpc.blockNumber()
      await sleep(300)
      assert.equal(await rpc.blockNumber(), before)
      return before
    })
    await eventually('blocks are made again', async () => (await rpc.blockNumber()) > still + 3n)
  } finally {
    await miner.stop()
    rpc.close()
  }
})
