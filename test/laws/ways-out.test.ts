// Every way out and every rule: the table of src/money-out/ways.ts, each cell of which is tried from outside. A cell that says that it refuses or
// waits and that nobody tries fails here, and so does a door that the table does not know (ways-out-doors.ts).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { scopes } from '#/contract/keys.ts'
import { acceptDispute } from '#/disputes/accept.ts'
import { AppError } from '#/kernel/error.ts'
import { newId, type DisputeId, type MerchantId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { accountRules, mayStart } from '#/merchants/account-state.ts'
import type { SubAccountState } from '#/merchants/sub-account.ts'
import { stopOf } from '#/money-out/gate.ts'
import type { Limit } from '#/money-out/limits.ts'
import { actOf, isAsked, rules, ways, type Cell, type Rule, type Way } from '#/money-out/ways.ts'
import { listRails } from '#/rails/all.ts'
import type { Rail } from '#/rails/rail.ts'
import { asId } from '../as-id.ts'
import { openForTests } from '../open-for-tests.ts'
import { doorsOut, foundDoors, unusedReasons, whyNothingLeaves } from './ways-out-doors.ts'
import { operatorAttempts } from './ways-out-operator.ts'
import {
  approve,
  bankRail,
  beyondRail,
  membersOf,
  openWaysOut,
  payingWays,
  refundBack,
  refundToPayer,
  start,
  unlistedPlace,
  oursPlace,
  type Asked,
  type Outcome,
  type PayingWay,
  type Scene,
} from './ways-out-world.ts'

const world = openForTests(openWaysOut)

/** Tries a cell once in each manner that there is. Each is a scene of its own. */
type Attempt = () => Promise<readonly Outcome[]>
type Attempts = { readonly [W in Way]?: { readonly [R in Rule]?: Attempt } }

const limit = (of: 'platform' | 'sub', more: Partial<Limit>) => (scene: Scene) =>
  world.dashboard.limit(scene[of], more)
const freezeAll = (scene: Scene) => world.freeze({ merchantId: scene.sub.id })

/** What changes a rule, so that it stands in the way of what would pass. */
const arranged: Readonly<Partial<Record<Rule, readonly ((scene: Scene) => Promise<unknown>)[]>>> = {
  freeze: [freezeAll],
  account: [(scene) => world.suspend(scene)],
  limits: [
    limit('sub', { eachMinor: 50n }),
    limit('platform', { eachMinor: 50n }),
    limit('platform', { dayMinor: 50n }),
  ],
  approval: [limit('sub', { approvalAboveMinor: 100n }), limit('platform', { approvalAboveMinor: 100n })],
}

async function each(
  arrangements: readonly ((scene: Scene) => Promise<unknown>)[],
  run: (scene: Scene) => Promise<Outcome>,
  way?: Way,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const arrange of arrangements) {
    const scene = await world.scene(way)
    await arrange(scene)
    outcomes.push(await run(scene))
  }
  return outcomes
}

const asking =
  (way: PayingWay, asked: Asked = {}) =>
  async (scene: Scene) =>
    (await start(world, scene, way, asked)).outcome

/** The attempts at a way on which somebody names a place. */
function paying(way: PayingWay): { readonly [R in Rule]?: Attempt } {
  const asked = asking(way)
  const tries: typeof each = (arrangements, run) => each(arrangements, run, way)
  const isSchedule = way === 'SCHEDULE'
  const parentFrozen = (scene: Scene) => world.freeze({ merchantId: scene.platform.id })
  return {
    freeze: () => tries(arranged.freeze ?? [], asked),
    account: async () => [
      ...(await tries(arranged.account ?? [], asked)),
      ...(await tries([parentFrozen], asking(way, { by: 'header' }))),
      ...(await tries([parentFrozen], asking(way, { by: 'made' }))),
    ],
    restore: async () => {
      const scene = await world.scene(way)
      return [await world.restoring(() => asked(scene))]
    },
    limits: () => tries(arranged.limits ?? [], asked),
    approval: () => tries(arranged.approval ?? [], asked),
    list: async () => {
      if (isSchedule) return [await unlistedRun()]
      const listedOnly = limit('sub', { listedOnly: true })
      return tries(
        [way === 'REFUND_SENT' ? async () => {} : listedOnly],
        asking(way, { place: unlistedPlace }),
      )
    },
    ours: () => tries([async () => {}], asking(way, { place: oursPlace })),
    ...(isSchedule
      ? {}
      : {
          asker: async () => [
            ...(await tries([async () => {}], asking(way, { by: 'header', place: unlistedPlace }))),
            ...(await tries([async () => {}], asking(way, { by: 'made', place: unlistedPlace }))),
          ],
          bounds: () => tries([async () => {}], (scene) => beyondRail(world, scene, way)),
        }),
    decider: async () => {
      const deciding = async (scene: Scene, by: (of: Scene) => string) => {
        const { id, outcome } = await start(world, scene, way)
        assert.deepEqual(outcome, 'waits')
        return approve(world, way, String(id), by(scene))
      }
      const own = await tries([limit('sub', { approvalAboveMinor: 100n })], (scene) =>
        deciding(scene, ({ sub }) => sub.key),
      )
      const made = await tries([limit('sub', { approvalAboveMinor: 100n })], (scene) =>
        deciding(scene, (of) => of.made),
      )
      return [...own, ...made]
    },
  }
}

/** A schedule whose destination is taken off the list after it was made. */
async function unlistedRun(): Promise<Outcome> {
  const scene = await world.scene()
  const first = await start(world, scene, 'SCHEDULE')
  assert.equal(first.outcome, 'passes')
  await world.unlist(scene.sub.id)
  await world.base.fund(scene.sub, 10_000n, 'USDT')
  await world.runSchedules(scene)
  const rows = await world.sql`select from withdrawal where merchant_id = ${scene.sub.id}`
  return rows.length === 1 ? 'refused' : 'passes'
}

async function take({ platform, sub }: Scene): Promise<Outcome> {
  const [from, to] = [sub.id, await world.walletOf(platform.id)]
  return moved(
    await world.post(platform.key, '/v1/transfers', { fromSubAccountId: from, toWalletId: to, amount: 100 }),
  )
}

/** Who has a key of the sub-account's own and one of its platform gives the grant with the first and takes with the second. */
async function takeByOnePerson(scene: Scene): Promise<Outcome> {
  const keyAt = async (id: MerchantId) =>
    (await world.base.issue(id, scopes, undefined, { person: 'rui@example.com' })).key
  const sub = { ...scene.sub, key: await keyAt(scene.sub.id) }
  const platform = { ...scene.platform, key: await keyAt(scene.platform.id) }
  assert.equal(await grant({ ...scene, sub }, 'own'), 'passes')
  const outcome = await take({ ...scene, platform })
  assert.equal(await take(scene), 'passes', 'another person takes')
  return outcome
}

async function give({ platform, sub }: Scene): Promise<Outcome> {
  const from = await world.walletOf(platform.id)
  return moved(
    await world.post(platform.key, '/v1/transfers', {
      fromWalletId: from,
      toSubAccountId: sub.id,
      amount: 100,
    }),
  )
}

function moved({ status, text }: { readonly status: number; readonly text: string }): Outcome {
  if (status === 201) return 'passes'
  assert.ok([403, 409, 422].includes(status), text)
  return 'refused'
}

const grant = async ({ sub, platform, made }: Scene, by: 'own' | 'header' | 'made'): Promise<Outcome> => {
  const key = { own: sub.key, header: platform.key, made }[by]
  const body = { currency: 'USDT', maxAmount: 1_000 }
  return moved(await world.post(key, '/v1/transfer-grants', body, by === 'header' ? sub.id : undefined))
}

const granted = async (scene: Scene) => assert.equal(await grant(scene, 'own'), 'passes')
const first =
  (...steps: readonly ((scene: Scene) => Promise<unknown>)[]) =>
  async (scene: Scene) => {
    for (const step of steps) await step(scene)
  }
const restoring =
  (run: (scene: Scene) => Promise<Outcome>, way: Way, prepare?: (scene: Scene) => Promise<unknown>) =>
  async () => {
    const scene = await world.scene(way)
    await prepare?.(scene)
    return [await world.restoring(() => run(scene))]
  }

/** Accepts a dispute of a payment by card. */
async function dispute({ sub, payment }: Scene): Promise<Outcome> {
  const paidRef = await world.dashboard.arrive(sub, payment, { by: 'PARTNER_PAY', minor: 300n })
  const [attempt] = await world.sql<{ id: string; connection: string }[]>`
    select id, connection from attempt where payment_id = ${payment} and method = 'PARTNER_PAY'`
  await world.dashboard.settle([
    {
      method: 'PARTNER_PAY',
      attempt: { merchantId: sub.id, paymentId: payment, id: asId(attempt?.id) },
      connection: asId(attempt?.connection),
      providerRef: `dp_${paidRef}`,
      outcome: 'dispute_opened',
      occurrence: 1,
      amount: { minor: 300n, currency: 'USDT' },
      happenedAt: new Date(),
      evidence: Buffer.from(paidRef),
      dispute: { paidRef, kind: 'CHARGEBACK', reason: 'fraudulent' },
    },
  ])
  const [row] = await world.sql<{ id: string }[]>`select id from dispute where payment_id = ${payment}`
  const rail: Rail = { ...bankRail(), method: 'PARTNER_PAY', disputes: { accept: async () => [] } }
  const rails = listRails([rail])
  const deps = { sql: world.sql, rails, log: silentLog, settle: async () => {} }
  try {
    await acceptDispute(deps, sub.id, String(row?.id) as DisputeId)
    return 'passes'
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'frozen', String(error))
    return 'refused'
  }
}

const attempts: Attempts = {
  ...(Object.fromEntries(payingWays.map((way) => [way, paying(way)])) as Attempts),
  REFUND_BACK: {
    freeze: () => each([freezeAll], (scene) => refundBack(world, scene), 'REFUND_BACK'),
    restore: restoring((scene) => refundBack(world, scene), 'REFUND_BACK'),
  },
  DISPUTE: { freeze: () => each([freezeAll], dispute, 'DISPUTE'), restore: restoring(dispute, 'DISPUTE') },
  TAKEN: {
    freeze: () => each([first(granted, freezeAll)], take),
    account: () => each([first(granted, (scene) => world.suspend(scene))], take),
    restore: restoring(take, 'TAKEN', granted),
    asker: () => each([async () => {}], take),
    decider: () => each([async () => {}], takeByOnePerson),
  },
  GIVEN: {
    account: () => each([(scene) => world.suspend(scene)], give),
    freeze: () => each([(scene) => world.freeze({ merchantId: scene.platform.id })], give),
    restore: restoring(give, 'GIVEN'),
  },
  GRANT: {
    account: () => each([(scene) => world.suspend(scene)], (scene) => grant(scene, 'own')),
    asker: async () => [
      ...(await each([async () => {}], (scene) => grant(scene, 'header'))),
      ...(await each([async () => {}], (scene) => grant(scene, 'made'))),
    ],
  },
  ...operatorAttempts(() => world),
}

for (const way of Object.keys(ways) as Way[]) {
  describe(way, () => {
    for (const rule of rules.filter((each) => isAsked(way, each))) {
      test(`${rule} is asked`, async () => {
        const attempt = attempts[way]?.[rule]
        assert.ok(attempt !== undefined, 'somebody tries it')
        const outcomes = await attempt()
        assert.ok(outcomes.length > 0)
        assert.deepEqual(new Set(outcomes), new Set([ways[way][rule]]))
      })
    }
    test('what does not apply has a reason, and nobody tries it', () => {
      const others = rules.filter((each) => !isAsked(way, each))
      for (const rule of others) {
        const cell: Cell = ways[way][rule]
        assert.ok(typeof cell === 'object' && cell.because.length > 10, `${way} ${rule}`)
        assert.equal(attempts[way]?.[rule], undefined, `${way} ${rule}`)
      }
    })
  })
}

test('the state of an account refuses a way exactly where the table of states refuses its act', () => {
  const living = (Object.keys(accountRules) as SubAccountState[]).filter((state) => state !== 'CLOSED')
  for (const way of Object.keys(ways) as Way[]) {
    const act = actOf[way]
    const refusing = act === undefined ? [] : living.filter((state) => !mayStart(state, act))
    assert.equal(isAsked(way, 'account'), refusing.length > 0, way)
    for (const account of living) {
      const stop = stopOf({ freezes: [] }, { way, merchantId: newId<'merchant'>(), account })
      assert.equal(stop?.reason, refusing.includes(account) ? 'account' : undefined, `${way} ${account}`)
    }
  }
})

test('without an obstacle money leaves by each of these ways', async () => {
  for (const way of payingWays) {
    for (const by of way === 'SCHEDULE' ? (['own'] as const) : (['own', 'header', 'made'] as const))
      assert.equal(await asking(way, { by })(await world.scene(way)), 'passes', `${way} ${by}`)
  }
  const scene = await world.scene('DISPUTE')
  assert.equal(await refundBack(world, scene), 'passes')
  assert.equal(await dispute(scene), 'passes')
  await granted(scene)
  assert.deepEqual([await take(scene), await give(scene)], ['passes', 'passes'])
})

test('what goes back to the payer itself passes, whatever the state of the account and whoever asks', async () => {
  const scene = await world.scene('REFUND_SENT')
  await world.suspend(scene)
  for (const by of ['own', 'header', 'made'] as const)
    assert.equal(await refundToPayer(world, scene, by), 'passes', by)
  assert.equal(await refundBack(world, scene), 'passes')
})

describe('what was accepted before is asked again', () => {
  const later = ['freeze', 'account', 'limits', 'approval', 'list'] as const
  const steps = {
    ...arranged,
    list: [first(limit('sub', { listedOnly: true }), (scene) => world.unlist(scene.sub.id))],
  }
  for (const way of payingWays) {
    for (const rule of later) {
      // A payer is on no list: where a refund waits for that, nobody has to look twice.
      if (way === 'REFUND_SENT' && rule === 'list') continue
      test(`${way}: ${rule} stops it when it is approved, and when it is about to be sent`, async () => {
        for (const arrange of steps[rule] ?? []) {
          const scene = await world.scene(way)
          const ready = await start(world, scene, way)
          assert.equal(ready.outcome, 'passes')
          await arrange(scene)
          await world.send()
          const members = await membersOf(world, way, String(ready.id))
          assert.ok(members.length > 0 && members.every((id) => !world.sent.has(id)), 'nothing was sent')
          if (rule === 'approval') continue
          const other = await world.scene(way)
          await limit('sub', { approvalAboveMinor: 100n })(other)
          const waiting = await start(world, other, way)
          assert.equal(waiting.outcome, 'waits')
          await limit('sub', {})(other)
          await arrange(other)
          assert.equal(await approve(world, way, String(waiting.id), other.second), 'refused')
        }
      })
    }
    test(`${way}: is sent and approved where nothing has changed`, async () => {
      const scene = await world.scene(way)
      const ready = await start(world, scene, way)
      await world.send()
      const members = await membersOf(world, way, String(ready.id))
      assert.ok(members.length > 0 && members.every((id) => world.sent.has(id)), 'it was sent')
      const other = await world.scene(way)
      await limit('sub', { approvalAboveMinor: 100n })(other)
      const waiting = await start(world, other, way)
      assert.equal(await approve(world, way, String(waiting.id), other.second), 'passes')
    })
  }
})

test('every door is in the table: each kind of the lane, each route and each act of the operator', () => {
  const doors = foundDoors()
  assert.deepEqual(
    doors.filter((door) => !doorsOut.has(door) && whyNothingLeaves(door) === undefined),
    [],
    'doors that are in no list: say which way out they are, or why nothing leaves by them',
  )
  assert.deepEqual(
    [...doorsOut.keys()].filter((door) => !doors.includes(door) || whyNothingLeaves(door) !== undefined),
    [],
    'doors that are gone, or that are in both lists',
  )
  assert.deepEqual(unusedReasons(doors), [])
  const used = new Set([...doorsOut.values()].flat())
  assert.deepEqual(
    (Object.keys(ways) as Way[]).filter((way) => !used.has(way)),
    [],
    'ways without a door',
  )
})
