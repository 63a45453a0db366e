// Verify finds every change to refunds, disputes, money in suspense or withdrawals that was made behind their back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFilledPixWorld } from '../filled-pix-world.ts'
import { openForTests } from '../open-for-tests.ts'
import { assertFound, textOf } from '../tampering.ts'
import { disputes, refunds } from '../tamperings-refunds.ts'
import { openings, suspense, withdrawals } from '../tamperings-withdrawals.ts'

const world = openForTests(openFilledPixWorld)

test('untouched records pass, and every inspection has read something', async () => {
  const { faults, checked } = await world.verify()
  assert.deepEqual(faults.map(textOf), [])
  const counted = new Map(checked.map(({ inspection, what, count }) => [`${inspection}: ${what}`, count]))
  const [rows] = await world.sql<Record<string, bigint>[]>`
    select (select count(*) from refund) as "settlement: refunds", (select count(*) from refund) as "refunds: refunds",
           (select count(*) from refund_due) as "refunds: due", (select count(*) from dispute) as "settlement: disputes",
           (select count(*) from dispute) as "disputes: disputes",
           (select count(*) from unmatched) as "settlement: receipts without a payment",
           (select count(*) from withdrawal) as "settlement: withdrawals",
           (select count(*) from withdrawal) as "withdrawals: withdrawals",
           (select count(*) from withdrawal_due) as "withdrawals: due",
           (select count(*) from withdrawal_spent) as "daily sums: days",
           (select count(*) from wallet) as "held money: wallets", (select count(*) from connection) as "suspense: connections",
           (select count(*) from receipt) + (select count(*) from unmatched) as "receipts of pix: receipts",
           (select count(*) from attempt_closing) as "closings: closings",
           (select count(*) from refund) as "missing events: refunds",
           (select count(*) from dispute) as "missing events: disputes",
           (select count(*) from withdrawal) as "missing events: withdrawals"`
  for (const [what, count] of Object.entries(rows ?? {})) {
    assert.equal(BigInt(counted.get(what) ?? -1), count, what)
    assert.ok(count > 0n, what)
  }
})

for (const tampering of [...refunds, ...disputes, ...suspense, ...openings, ...withdrawals]) {
  test(`verify finds: ${tampering.name}`, () => assertFound(world, tampering))
}
