// The figures of the overview: counted by a worker, and read.
import * as count from '#/insights/count-queries.ts'
import * as overview from '#/insights/overview-queries.ts'
import { addMs, dayMs } from '#/kernel/time.ts'
import { bounded, everything, type Registry, type World } from './registry.ts'

const middle = (w: World) => BigInt(w.some[0] ?? 1)
const daysOf = (w: World) => ({
  from: w.at(1),
  middle: addMs(w.at(1), 30 * dayMs),
  to: addMs(w.at(1), 60 * dayMs),
})

export const insightsRoom: Registry = {
  'insights/count-queries.ts': {
    selectMerchants: (w) => count.selectMerchants(w.sql, undefined, 1_000),
    insertWatermarks: (w) => count.insertWatermarks(w.sql, [w.merchantId]),
    lockWatermarks: (w) => count.lockWatermarks(w.sql, [w.merchantId]),
    countEvents: bounded(5_000, 'joins a hundred events with their payments, attempts and receipts', (w) =>
      count.countEvents(w.sql, [{ merchantId: w.merchantId, after: middle(w), upTo: middle(w) + 100n }]),
    ),
    countCreated: bounded(1_000, 'deletes a hundred notes and adds them up', (w) =>
      count.countCreated(w.sql, [w.merchantId], 100),
    ),
    selectToday: (w) => count.selectToday(w.sql),
    selectCreatedBack: bounded(1_000, 'goes back over a hundred payments', (w) =>
      count.selectCreatedBack(w.sql, w.merchantId, w.now, 100),
    ),
    recountCreated: everything('counts the payments of some days, once for each merchant', (w) =>
      count.recountCreated(w.sql, w.merchantId, { from: w.at(1), to: addMs(w.at(1), dayMs) }, true),
    ),
    forget: everything('deletes all figures of a merchant, to count them anew', (w) =>
      count.forget(w.sql, w.merchantId),
    ),
  },
  'insights/overview-queries.ts': {
    selectTotals: bounded(20_000, 'adds up the figures of two spans of days; no payment is read', (w) =>
      overview.selectTotals(w.sql, w.merchantId, daysOf(w)),
    ),
    selectDays: bounded(20_000, 'reads the days of a span, and leaves out the times', (w) =>
      overview.selectDays(w.sql, w.merchantId, daysOf(w)),
    ),
    selectTimes: bounded(20_000, 'leaves out what is no time', (w) =>
      overview.selectTimes(w.sql, w.merchantId, daysOf(w)),
    ),
    selectProgress: (w) => overview.selectProgress(w.sql, w.merchantId),
    selectMovedByMethod: bounded(
      200_000,
      'looks each movement of a month up, at most 100,000, and adds them up',
      (w) =>
        overview.selectMovedByMethod(w.sql, w.merchantId, [1n], {
          after: middle(w),
          upTo: middle(w) + 1_000n,
        }),
    ),
    selectBadEndpoints: bounded(
      1_000,
      'goes through the endpoints of a merchant, which has at most a hundred',
      (w) => overview.selectBadEndpoints(w.sql, w.merchantId, 101),
    ),
    selectWaitingWithdrawals: (w) => overview.selectWaitingWithdrawals(w.sql, w.merchantId, 101),
    selectWaitingRefunds: (w) => overview.selectWaitingRefunds(w.sql, w.merchantId, 101),
    selectOpenDisputes: bounded(10_000, 'looks through a limited number of open disputes', (w) =>
      overview.selectOpenDisputes(w.sql, w.merchantId, { limit: 101, readMost: 1_000 }),
    ),
    selectUnderpaid: bounded(1_000, 'looks through a hundred of each set of exceptions', (w) =>
      overview.selectUnderpaid(w.sql, w.merchantId, 101),
    ),
    selectSuspended: bounded(1_000, 'reads up to a hundred of each connection of a merchant', (w) =>
      overview.selectSuspended(w.sql, w.id('merchant', 7), 101),
    ),
  },
}
