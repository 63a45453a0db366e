import { test } from 'node:test'
import { newTally, playPayouts } from './payout-law.ts'
import { openPayoutWorld } from './payout-world.ts'
import { startTestChain } from './watcher-chain.ts'
test('zz', async () => {
  const chain = await startTestChain()
  const world = await openPayoutWorld(chain)
  try {
  for (let i = 0; i < 40; i++) await playPayouts(world, 1716772152 + (i % 3) * 7919, { payouts: 10, crashes: 8, tally: newTally() })
  } finally {
  await world[Symbol.asyncDispose]()
  await chain[Symbol.asyncDispose]()
  }
})
