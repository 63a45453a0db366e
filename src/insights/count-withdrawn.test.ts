// Withdrawals in the figures of the overview: each counts when its recipient has the money, whatever was reported before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figuresKept, recounted } from '../../test/insight-recount.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { done, openWorld, refused } from '../../test/withdrawal-world.ts'
import { countRound } from './count.ts'
import { overviewOf } from './overview.ts'

const world = openForTests(openWorld)

test('withdrawals count when they are completed, each once, for their own merchant', async () => {
  const { sql } = world.base
  const [ana, eva] = [await world.funded(5_000n), await world.funded(5_000n)]
  const counted = async () => {
    while (await countRound({ sql, limits: { events: 1 } }));
    for (const { id } of [ana, eva]) assert.deepEqual(await figuresKept(sql, id), await recounted(sql, id))
    const { present } = await overviewOf(sql, { id: ana.id, mode: 'SANDBOX' }, 'today')
    return present.withdrawn
  }
  await world.create(ana, { amount: 700 })
  await world.create(eva, { amount: 300 })
  assert.deepEqual(await counted(), [])
  await world.work(done)
  assert.deepEqual(await counted(), [{ method: 'PIX', currency: 'BRL', count: 1n, minor: 700n }])
  await world.create(ana, { amount: 200 })
  await world.work(refused)
  assert.deepEqual(await counted(), [{ method: 'PIX', currency: 'BRL', count: 1n, minor: 700n }])
})
