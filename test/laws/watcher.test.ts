// The watcher's law: whatever a chain and its node do, the books agree with the chain.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FinalityViolation } from '#/rails/crypto/watch.ts'
import { fc } from '../chance.ts'
import { count } from '../counts.ts'
import { openForTests } from '../open-for-tests.ts'
import { startTestChain } from './watcher-chain.ts'
import { comeToRest, histories, poll, newTally, openStage, perform, play, type Stage } from './watcher-law.ts'
import { compareWithChain, depthMax } from './watcher-oracle.ts'
import { openWorld } from './watcher-world.ts'

const chain = openForTests(startTestChain)
const world = openForTests(() => openWorld(() => chain))

for (const { watchers, confirmations, quick, soak } of [
  { watchers: 1, confirmations: 1, quick: 4, soak: 125 },
  { watchers: 1, confirmations: 6, quick: 4, soak: 125 },
  { watchers: 2, confirmations: 3, quick: 4, soak: 120 },
]) {
  const who = watchers === 1 ? 'one watcher' : `${watchers} watchers side by side`
  test(`${who}, ${confirmations} confirmations: the books agree with the chain`, async (t) => {
    const tally = newTally()
    const options = { watchers, confirmations, tally }
    const law = fc.asyncProperty(histories(watchers, confirmations), (history) =>
      play(world, history, options),
    )
    await fc.assert(law, { numRuns: count({ quick, soak }), endOnFailure: true })
    t.diagnostic(JSON.stringify(tally))
  })
}

test('a reorganisation below what is final halts the chain, and nothing more is credited', async (t) => {
  const tally = newTally()
  const confirmations = 4
  const law = fc.asyncProperty(
    histories(1, confirmations),
    fc.integer({ min: 1, max: 3 }),
    async (history, beyond) => {
      const stage = await openStage(world, history, { watchers: 1, confirmations, tally })
      for (const happening of history) await perform(stage, happening)
      await chain.mine(depthMax(confirmations) + beyond)
      await comeToRest(stage)
      const before = await compareWithChain(stage)
      await chain.reorg(depthMax(confirmations) + beyond)
      await assert.rejects(pollOften(stage), FinalityViolation)
      await world.drainAll()
      const credited =
        await world.sql`select 1 from receipt where connection = ${stage.scene.chain.connection} and outcome = 'paid'`
      assert.equal(credited.length, before)
      tally.histories += 1
    },
  )
  await fc.assert(law, { numRuns: count({ quick: 2, soak: 60 }), endOnFailure: true })
  t.diagnostic(JSON.stringify(tally))
})

async function pollOften(stage: Stage): Promise<void> {
  for (let polls = 0; polls < 30; polls++) await poll(stage, 0)
}
