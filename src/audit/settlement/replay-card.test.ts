// Rows of authorised, waiting and disputed money that were changed outside of the books are named.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hourMs } from '#/kernel/time.ts'
import { openCardWorld, type CardWorld } from '../../../test/card-world.ts'

let world: CardWorld
before(async () => {
  world = await openCardWorld()
  world.provider.delayMs = hourMs
  const approved = await world.create({ captureMode: 'MANUAL' })
  await world.settle(world.receipt(approved.attempt, 'authorised', 'pi_1', { pendingRef: 'pi_1' }))
  const captured = await world.create({ captureMode: 'MANUAL' })
  const part = { ...captured.attempt.amount, minor: 600n }
  const more = { pendingRef: 'pi_2', authorised: captured.attempt.amount, amount: part }
  await world.settle(
    world.receipt(captured.attempt, 'authorised', 'pi_2', { pendingRef: 'pi_2' }),
    world.receipt(captured.attempt, 'paid', 'pi_2', more),
  )
  await world.release()
  const waiting = await world.create()
  await world.settle(world.receipt(waiting.attempt, 'paid', 'pi_3'))
  await world.refund(waiting.payment, 300)
  const dispute = { paidRef: 'pi_3', kind: 'CHARGEBACK', fee: 20n } as const
  const amount = { ...waiting.attempt.amount, minor: 100n }
  await world.settle(world.receipt(waiting.attempt, 'dispute_opened', 'dp_3', { dispute, amount }))
  assert.deepEqual((await world.line.verify()).faults, [])
})
after(() => world[Symbol.asyncDispose]())

for (const { what, change, undo } of [
  {
    what: 'a payment with too high an unreleased amount',
    change: `update payment set unreleased_minor = unreleased_minor + 1 where unreleased_minor > 0`,
    undo: `update payment set unreleased_minor = unreleased_minor - 1 where unreleased_minor > 0`,
  },
  {
    what: 'a release with another amount',
    change: `update release set minor = minor + 1 where released_at is null`,
    undo: `update release set minor = minor - 1 where released_at is null`,
  },
  {
    what: 'a release with a lower released amount',
    change: `update release set released_minor = released_minor - 1 where released_at is not null`,
    undo: `update release set released_minor = released_minor + 1 where released_at is not null`,
  },
  {
    what: 'a release with another time',
    change: `update release set released_at = released_at + interval '1 s' where released_at is not null`,
    undo: `update release set released_at = released_at - interval '1 s' where released_at is not null`,
  },
  {
    what: 'a refund with a lower unreleased amount',
    change: `update refund set unreleased_minor = unreleased_minor - 1`,
    undo: `update refund set unreleased_minor = unreleased_minor + 1`,
  },
  {
    what: 'a dispute with another fee',
    change: `update dispute set fee_minor = fee_minor + 1`,
    undo: `update dispute set fee_minor = fee_minor - 1`,
  },
  {
    what: 'an approved payment with another time of approval',
    change: `update payment set approved_at = approved_at + interval '1 s' where status = 'APPROVED'`,
    undo: `update payment set approved_at = approved_at - interval '1 s' where status = 'APPROVED'`,
  },
  {
    what: 'a partial capture that counts as a partial payment',
    change: `update receipt set authorised_minor = null where provider_ref = 'pi_2' and outcome = 'paid'`,
    undo: `update receipt set authorised_minor = 1000 where provider_ref = 'pi_2' and outcome = 'paid'`,
  },
])
  test(`${what} is named`, async () => {
    const { owner } = world.line
    await owner.unsafe(change)
    try {
      assert.notDeepEqual((await world.line.verify()).faults, [])
    } finally {
      await owner.unsafe(undo)
    }
    assert.deepEqual((await world.line.verify()).faults, [])
  })
