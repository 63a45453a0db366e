// What the glance asks, each condition alone.
import type { IsDue } from '#/db/due.ts'
import * as disputes from '#/disputes/evidence-queries.ts'
import * as endpoints from '#/endpoints/queries.ts'
import * as recoveries from '#/endpoints/recovery-queries.ts'
import * as finding from '#/finding/queries.ts'
import * as figures from '#/insights/count-queries.ts'
import * as issuance from '#/issuance/queries.ts'
import { selectDueNow } from '#/jobs/due-queries.ts'
import * as letters from '#/mail/queries.ts'
import * as operatorJobs from '#/operator-jobs/queries.ts'
import * as attempts from '#/payments/attempt-queries.ts'
import * as captures from '#/payments/capture-queries.ts'
import * as checks from '#/payments/check-queries.ts'
import * as payments from '#/payments/queries.ts'
import * as sepa from '#/rails/sepa/payout-queries.ts'
import * as refunds from '#/refunds/due-queries.ts'
import * as rehearsals from '#/rehearsals/queries.ts'
import * as clocks from '#/sandbox/clock/queries.ts'
import * as seals from '#/sealing/queries.ts'
import * as inbox from '#/settlement/inbox-queries.ts'
import * as passes from '#/settlement/reconcile-queries.ts'
import * as releases from '#/settlement/release-queries.ts'
import * as coins from '#/treasury/coin-movements-queries.ts'
import * as wallets from '#/treasury/hot-wallet-queries.ts'
import * as sweeps from '#/treasury/sweep-queries.ts'
import * as tally from '#/wallets/tally-queries.ts'
import * as deliveries from '#/webhooks/due/queries.ts'
import * as withdrawals from '#/withdrawals/due-queries.ts'
import * as schedules from '#/withdrawals/schedule-queries.ts'
import { asId } from '../as-id.ts'
import { bounded, everything, type Call, type Registry } from './registry.ts'

const address = `0x${'01'.repeat(20)}` as const
const connections = ['c1', 'c2', 'c3'].map((each) => asId<'connection'>(each))
const alone =
  (isDue: IsDue): Call =>
  (w) =>
    selectDueNow(w.sql, [isDue])

/** They read one row for each connection or kind, and the first that is due. */
const byIndex: readonly IsDue[] = [
  inbox.isSignalDue(false),
  inbox.isSignalDue(true),
  deliveries.isAnyPending,
  rehearsals.isRehearsalDue,
  tally.isTallyDue(32),
  finding.isKeyDue,
  payments.isExpiryDue,
  releases.isReleaseDue,
  endpoints.isDisablingDue,
  endpoints.isAnyStarting,
  endpoints.isAnyToClear,
  recoveries.isRecoveryDue,
  seals.isSealDue,
  withdrawals.isWithdrawalDue,
  schedules.isScheduleDue,
  refunds.isRefundDue,
  attempts.isCancellationDue,
  issuance.isClosingDue,
  captures.isOrderDue,
  checks.isCheckDue,
  disputes.isEvidenceDue,
  passes.isPassDue(connections, ['recent', 'day', 'week', 'returned']),
  operatorJobs.isJobDue,
  sepa.isAnyFileDue,
  clocks.isAdvanceDue,
  letters.isLetterDue('people'),
  letters.isLetterDue('merchants'),
  coins.isAnyToBook,
  sweeps.isSweepDue('bsc', 1n),
  wallets.isWalletDue({ chain: 'bsc', address }, 'PAYOUT'),
]

export const jobsRoom: Registry = {
  'jobs/due-queries.ts': {
    selectDueNow: [
      bounded(2_000, 'looks at one row of each connection', ...byIndex.map(alone)),
      everything('goes through the merchants until one has something to count', alone(figures.isCountDue)),
    ],
  },
}
