import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAnvil } from '../../test/anvil.ts'
import { eventually } from '../../test/eventually.ts'
import { secondMs, systemClock } from '#/kernel/time.ts'
import { createRpc } from '#/rails/crypto/client.ts'
import { keepMining } from './chain-miner.ts'

test('blocks tell the time that it is, also on a node whose clock began late', async () => {
  const nowSeconds = () => Math.floor(systemClock.now().getTime() / secondMs)
  const began = nowSeconds() - 60
  await using node = await startAnvil({ flags: ['--no-mining', '--timestamp', String(began)] })
  const rpc = createRpc(node.url, { timeoutMs: 5_000 })
  const first = await rpc.getBlockByNumber('latest')
  assert.ok(first !== undefined && Number(first.timestamp) <= began + 30)
  const stop = keepMining(rpc, 100)
  try {
    await eventually('a block of now', async () => {
      const before = nowSeconds()
      const head = await rpc.getBlockByNumber('latest')
      return head !== undefined && Number(head.timestamp) >= before - 1
    })
  } finally {
    await stop()
    rpc.close()
  }
})
