// The inspection of events has its own lists of the states that a record can have after each event. This test compares the lists with
// the state tables, so that `verify` does not report a transition that was added to a table as a fault of the books.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { disputeNotifications } from '#/audit/disputes.ts'
import { paymentNotifications } from '#/audit/payments.ts'
import { refundNotifications } from '#/audit/refunds.ts'
import type { NotifiedKind } from '#/audit/settlement/notified.ts'
import { withdrawalNotifications } from '#/audit/withdrawals.ts'
import { disputeStates } from '#/disputes/dispute.ts'
import { paymentStates } from '#/payments/payment.ts'
import { refundStates } from '#/refunds/refund.ts'
import { withdrawalStates } from '#/withdrawals/withdrawal.ts'

type Table = Readonly<Record<string, Readonly<Record<string, string>>>>
/** The lists do not depend on it. */
const artifacts = {} as Parameters<typeof paymentNotifications>[0]

for (const [news, table] of [
  [paymentNotifications(artifacts), paymentStates],
  [refundNotifications, refundStates],
  [disputeNotifications, disputeStates],
  [withdrawalNotifications, withdrawalStates],
] as const) {
  test(`after each event a ${news.topic} can be in the states to which its table leads, and in no other`, () => {
    const after: NotifiedKind['after'] = news.after
    const rules = Object.entries(after)
    assert.ok(rules.length > 0)
    for (const [type, { notified, now }] of rules)
      assert.deepEqual(new Set(now), reachable(table as Table, notified), type)
  })
}

/** These states and all that can follow them. */
function reachable(table: Table, from: readonly string[]): ReadonlySet<string> {
  const found = new Set(from)
  for (const state of found) for (const next of Object.values(table[state] ?? {})) found.add(next)
  return found
}
