// The bounds of what acts are given, which hold at both doors: the command reads options by these schemas, and the console's server bodies.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Value } from 'typebox/value'
import type { Act } from './act.ts'
import { acts } from './all.ts'
import * as bankFiles from './bank-files.ts'
import * as inbox from './inbox.ts'
import * as payouts from './payouts.ts'
import * as terms from './terms.ts'

const largest = Number.MAX_SAFE_INTEGER

/** Whether the argument of the act may be this. */
function may({ args }: { readonly args: Act['args'] }, name: string, value: unknown): boolean {
  const schema = args[name]
  assert.ok(schema, name)
  return Value.Check(schema, value)
}

test('amounts and rates of terms have the least and the most that books and percents have', () => {
  for (const [act, name, least, most] of [
    [terms.setFeeAct, 'fixed', 0, largest],
    [terms.setFeeAct, 'ratePpm', 0, 1_000_000],
    [terms.changeLimitsAct, 'each', 1, largest],
    [terms.changeLimitsAct, 'day', 1, largest],
    [terms.changeLimitsAct, 'approvalAbove', 0, largest],
  ] as const) {
    assert.deepEqual(
      [least - 1, least, most, most + 1, least + 0.5].map((value) => may(act, name, value)),
      [false, true, true, false, false],
      name,
    )
  }
  for (const name of ['each', 'day', 'approvalAbove'])
    assert.ok(may(terms.changeLimitsAct, name, 'none'), `${name} is taken away`)
  assert.ok(!may(terms.setFeeAct, 'fixed', 'none'))
})

test('texts are not empty and have a most', () => {
  for (const [act, name, most] of [
    [payouts.endRefundAct, 'proof', 500],
    [bankFiles.correctStatement, 'connection', 100],
    [bankFiles.decideHeldMovement, 'connection', 100],
    [bankFiles.decideHeldMovement, 'entry', 200],
    [bankFiles.sayRecalled, 'credit', 200],
    [bankFiles.makeFile, 'connectionId', 100],
    [terms.allowDestinationAct, 'destination', 200],
    [inbox.retryParkedSignal, 'id', 18],
  ] as const) {
    assert.deepEqual(
      ['', '1', '1'.repeat(most), '1'.repeat(most + 1)].map((value) => may(act, name, value)),
      [false, true, true, false],
      name,
    )
  }
})

test('every reason is a text of five hundred characters at most that is more than spaces', () => {
  const reasons = acts.filter(({ args }) => args['reason'] !== undefined)
  assert.ok(reasons.length > 20)
  for (const act of reasons)
    assert.deepEqual(
      ['', ' ', 'x', 'x'.repeat(500), 'x'.repeat(501)].map((value) => may(act, 'reason', value)),
      [false, false, true, true, false],
      act.summary,
    )
})
