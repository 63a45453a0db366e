// The clock of a sandbox: its advances, and the statements that reach every table with a date.
import type { ClockAdvanceId } from '#/kernel/id.ts'
import * as moved from '#/merchants/queries.ts'
import type { DueAdvance } from '#/sandbox/clock/queries.ts'
import * as clocks from '#/sandbox/clock/queries.ts'
import * as steps from '#/sandbox/clock/step-queries.ts'
import { partly } from '../partly.ts'
import {
  bounded,
  claimOf,
  everything,
  leaseMs,
  notRun,
  slots,
  type Registry,
  type World,
} from './registry.ts'

/** The one merchant of the sandbox; the large one is live. */
const sandbox = (w: World) => w.id('merchant', 3)
const advanceOf = (w: World) => ({
  merchantId: w.merchantId,
  id: w.id('clock_advance', w.some[0] ?? 1) as ClockAdvanceId,
})
const dueOf = (w: World) => {
  const advance = advanceOf(w)
  return partly<DueAdvance>({ advance: partly<DueAdvance['advance']>(advance), claim: claimOf(advance.id) })
}
const idOf = (w: World) => String(w.id('payment', 9))
const stuck = [{ work: 'DELIVERY', count: 1 }] as const

export const sandboxRoom: Registry = {
  'merchants/queries.ts': {
    selectMoved: (w) => moved.selectMoved(w.sql, w.merchantId),
    selectMovedSince: (w) =>
      moved.selectMovedSince(w.sql, [{ merchantId: w.merchantId, id: idOf(w), since: w.at(40) }]),
  },
  'sandbox/clock/dates-queries.ts': { sandboxMerchant: notRun('a part of other statements') },
  'sandbox/clock/step-queries.ts': {
    selectAhead: bounded(
      20_100,
      'every date ahead of a merchant is counted, up to 10,001 in each table',
      (w) => steps.selectAhead(w.sql, sandbox(w), { at: w.at(1), most: 10_001 }),
      (w) => steps.selectAhead(w.sql, w.merchantId, { at: w.at(1), most: 10_001 }),
    ),
    selectWaiting: (w) => steps.selectWaiting(w.sql, sandbox(w), 1_000),
    moveDates: bounded(
      40_000,
      'every date ahead of a merchant is moved, without returning it; a step is refused when there are more than 10,000 in a table',
      (w) => steps.moveDates(w.sql, sandbox(w), { at: w.at(1), byMs: 1_000 }),
      (w) => steps.moveDates(w.sql, w.merchantId, { at: w.at(1), byMs: 1_000 }),
    ),
    insertStep: (w) =>
      steps.insertStep(w.sql, { merchantId: sandbox(w), advanceId: advanceOf(w).id, at: w.now, byMs: 1 }),
  },
  'sandbox/clock/queries.ts': {
    lockClock: (w) => clocks.lockClock(w.sql, w.merchantId),
    selectAdvanceByKey: (w) => clocks.selectAdvanceByKey(w.sql, w.merchantId, 'key7'),
    selectOpen: (w) => clocks.selectOpen(w.sql, w.merchantId),
    listAdvances: (w) => clocks.listAdvances(w.sql, w.merchantId, 20),
    claimAdvances: (w) => clocks.claimAdvances(w.sql, slots, leaseMs),
    postponeAdvance: (w) => clocks.postponeAdvance(w.sql, dueOf(w), 1_000),
    postponeNotifying: (w) => clocks.postponeNotifying(w.sql, dueOf(w)),
    dropAdvance: (w) => clocks.dropAdvance(w.sql, dueOf(w)),
    lockAdvance: (w) => clocks.lockAdvance(w.sql, advanceOf(w)),
    writeMoved: (w) => clocks.writeMoved(w.sql, advanceOf(w), 0),
    endAdvance: (w) => clocks.endAdvance(w.sql, advanceOf(w), stuck),
    writeStuck: (w) => clocks.writeStuck(w.sql, advanceOf(w), stuck),
    selectPendingSteps: (w) => clocks.selectPendingSteps(w.sql, w.merchantId, 64),
    writeNotified: (w) =>
      clocks.writeNotified(w.sql, w.merchantId, { number: w.some[0] ?? 1, notified: ['bank'], behind: [] }),
    isAloneAt: everything('an installation has few merchants of the sandbox', (w) =>
      clocks.isAloneAt(w.sql, w.merchantId, 'PIX'),
    ),
  },
}
