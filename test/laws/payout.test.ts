// The law of payouts: each order is paid exactly once, also when processes die and the chain drops blocks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneAtATime } from '#/rails/crypto/sandbox.ts'
import { sandboxPolicy } from '#/signer/new-policy.ts'
import type { Signer } from '#/treasury/outgoing.ts'
import { fc } from '../chance.ts'
import { count } from '../counts.ts'
import { openForTests } from '../open-for-tests.ts'
import { makeSignerHome } from '../real-signer.ts'
import { newTally, playPayouts } from './payout-law.ts'
import { openPayoutWorld } from './payout-world.ts'
import { startTestChain } from './watcher-chain.ts'

const chain = openForTests(startTestChain)
const world = openForTests(() => openPayoutWorld(chain))

test('senders that die at any step pay every order exactly once', async (t) => {
  const tally = newTally()
  const each = { payouts: 10, crashes: 8, tally }
  const runs = count({ quick: 1, soak: 50 })
  const law = fc.asyncProperty(fc.integer({ min: 1 }), (seed) => playPayouts(world, seed, each))
  await fc.assert(law, { numRuns: runs, endOnFailure: true })
  t.diagnostic(JSON.stringify(tally))
  assert.ok(tally.crashes >= 7 * runs, 'senders did die')
  assert.ok(tally.reorgs > 0 && tally.wipes > 0, 'the chain did move')
})

test('the same holds with the signer in its own process, which dies too', async (t) => {
  const { factory, implementation, token } = chain.contracts
  using home = makeSignerHome((keys) =>
    sandboxPolicy({ chainId: 31_337n, token, factory, implementation, keys }),
  )
  let running = await home.start()
  const client = home.client()
  const inTurn = oneAtATime()
  let deaths = 0
  let requests = 0
  const dying: Signer = {
    status: () => client.status(),
    async sign(request) {
      requests += 1
      if (requests % 3 !== 0) return client.sign(request)
      deaths += 1
      // Sometimes before it gets the request, sometimes while it signs.
      const answer = deaths % 2 === 0 ? client.sign(request) : undefined
      answer?.catch(() => {})
      await inTurn(async () => {
        await running.kill()
        running = await home.start()
      })
      return answer ?? client.sign(request)
    },
  }
  const tally = newTally()
  const each = {
    payouts: count({ quick: 6, soak: 60 }),
    crashes: count({ quick: 3, soak: 30 }),
    tally,
    till: { address: home.keys.hot, signer: () => dying },
  }
  try {
    await playPayouts(world, 20_260_101, each)
  } catch (error) {
    t.diagnostic(home.output().slice(-2_000))
    throw error
  } finally {
    client.close()
    await running.kill()
  }
  t.diagnostic(JSON.stringify({ ...tally, deaths }))
  assert.ok(deaths > 0, 'the signer did die')
})
