// Money that is asked for at one moment, so that one batch of the ledger lane decides about all of it: each counts what the ones before it took
// of the day, whatever the ways, of the merchant's own limit and of its parent's.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { withdrawalTerms } from '#/withdrawals/terms.ts'
import { eventually } from '../eventually.ts'
import {
  makeSchedule,
  openWaysOut,
  payingWays,
  start,
  type PayingWay,
  type Scene,
  type World,
} from './ways-out-world.ts'

let world: World
/** Whose withdrawals keep the lane at work. */
let other: Scene
before(async () => {
  world = await openWaysOut()
  other = await world.scene()
})
after(() => world.close())

/** Starts both while nothing can be decided, and lets them be decided together. Returns what left or waits to leave. */
async function together(
  ways: readonly [PayingWay, PayingWay],
  scenes: readonly [Scene, Scene],
): Promise<bigint> {
  for (const [place, way] of ways.entries())
    if (way === 'SCHEDULE') await makeSchedule(world, scenes[place] as Scene)
  const asked: Promise<unknown>[] = []
  await world.sql.begin(async (tx) => {
    await tx`select 1 from head for update`
    // It keeps the lane at work, so that the next ones wait for each other.
    asked.push(start(world, other, 'WITHDRAWAL'))
    await eventually('the lane waits for the head', async () => {
      const waiting = await world.sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length > 0
    })
    for (const [place, way] of ways.entries()) {
      const scene = scenes[place] as Scene
      asked.push(way === 'SCHEDULE' ? world.runSchedules(scene) : start(world, scene, way))
    }
    await eventually('both wait', () => world.lane.depth() >= 2)
  })
  await Promise.all(asked)
  const ids = [...new Set(scenes.map(({ sub }) => sub.id))]
  const [row] = await world.sql<{ minor: bigint }[]>`
    select (select coalesce(sum(amount_minor), 0)::bigint from withdrawal where merchant_id = any (${ids}::uuid[]))
           + (select coalesce(sum(amount_minor), 0)::bigint from refund
               where merchant_id = any (${ids}::uuid[]) and payout_type is not null) as minor`
  return row?.minor ?? 0n
}

for (const first of payingWays)
  for (const second of payingWays) {
    test(`${first} and ${second} of one moment: two sub-accounts share their platform's day`, async () => {
      const scene = await world.scene(first)
      const sister = await world.scene(second, scene.platform)
      await world.dashboard.limit(scene.platform, { dayMinor: 200n })
      const left = await together([first, second], [scene, sister])
      assert.ok(left > 0n && left <= 200n, `${left}`)
    })
    if (first === 'SCHEDULE' && second === 'SCHEDULE') continue
    test(`${first} and ${second} of one moment share their merchant's day`, async () => {
      const scene = await world.scene(first === 'REFUND_SENT' ? first : second)
      await world.dashboard.limit(scene.sub, { dayMinor: 200n })
      const left = await together([first, second], [scene, scene])
      assert.ok(left > 0n && left <= 200n, `${left}`)
    })
  }

test('what a person sees before a withdrawal is the stricter of the own and the parent’s limit, and nothing of the sisters', async () => {
  const scene = await world.scene()
  const sister = await world.scene('WITHDRAWAL', scene.platform)
  await world.dashboard.limit(scene.platform, { eachMinor: 150n, dayMinor: 300n, approvalAboveMinor: 100n })
  const terms = () =>
    withdrawalTerms(
      world.sql,
      { id: scene.sub.id, mode: 'SANDBOX' },
      { type: 'CRYPTO', currency: 'USDT', amountMinor: 120n },
    )
  assert.equal((await start(world, sister, 'WITHDRAWAL')).outcome, 'waits')
  const first = await terms()
  assert.equal(first.needsApproval, true)
  assert.deepEqual(
    [first.limit?.eachMinor, first.limit?.dayMinor, first.limit?.spentMinor, first.limit?.approvalAboveMinor],
    [150n, 180n, 0n, 100n],
  )
  await world.dashboard.limit(scene.sub, { eachMinor: 200n, dayMinor: 100n, listedOnly: true })
  const { limit } = await terms()
  assert.deepEqual(
    [limit?.eachMinor, limit?.dayMinor, limit?.approvalAboveMinor, limit?.listedOnly],
    [150n, 100n, 100n, true],
  )
})
