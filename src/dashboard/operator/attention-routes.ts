// What needs an operator now: the first screen of the console. Chains, queues and jobs have lists of their own.
import { Type as T } from 'typebox'
import { withoutNulls } from '#/kernel/given.ts'
import { count, instant } from '#/kernel/schema.ts'
import { hourMs } from '#/kernel/time.ts'
import { selectFailing } from '#/merchants/connection-queries.ts'
import { expiringConnections } from '#/operator/expiry.ts'
import { selectAttention } from '#/operator/queries.ts'
import { operatorRoute, type DashboardRoute } from '../route.ts'

/** Of each kind at most this many are counted. */
const countedMax = 100
/** How long before the end of a certificate it is reported: a bank may take weeks to issue a new one. */
const soonMs = 30 * 24 * hourMs
/** Two hours of a thousand connections. */
const healthRowsMax = 2_000
const shownMax = 100

const attention = operatorRoute({
  route: 'GET /operator/attention',
  operationId: 'getAttention',
  summary:
    'How much waits for an operator, certificates that end within 30 days, and connections whose last call failed',
  answer: T.Object({
    countedMax: count('More of a kind are not counted.'),
    counts: T.Object({
      approvals: count('Requests that wait for a second person.'),
      suspense: count('Sums that fit no payment.'),
      parked: count('Signals that could not be settled.'),
      typos: count('Transfers whose reference has a typo.'),
      held: count('Movements on bank accounts that have the name of another one.'),
      foreign: count('Sums on bank accounts in currencies that the books do not have.'),
      paymentFiles: count('Files of payments that nobody has taken.'),
      withdrawals: count('Withdrawals whose end a person has to find out.'),
      wallets: count('Wallets that are stopped.'),
    }),
    certificates: T.Array(
      T.Object({
        connection: T.String(),
        method: T.String(),
        provider: T.String(),
        merchantName: T.Optional(T.String()),
        endsAt: instant(),
      }),
    ),
    isWhole: T.Boolean({ description: 'False: there are more connections than were looked at.' }),
    failing: T.Array(
      T.Object({
        connection: T.String(),
        lastBadAt: T.Optional(instant()),
        lastGoodAt: T.Optional(instant()),
        lastError: T.Optional(T.String()),
      }),
    ),
  }),
  async handle({ http: { sql, clock }, operator: { connectionTypes } }) {
    const counts = await selectAttention(sql, countedMax)
    const before = new Date(clock.now().getTime() + soonMs)
    const { expiring, isWhole } = await expiringConnections(sql, connectionTypes, before)
    const failing = await selectFailing(sql, healthRowsMax)
    return {
      countedMax,
      counts,
      certificates: expiring.slice(0, shownMax).map(({ connection, endsAt }) => ({
        connection: connection.id,
        ...withoutNulls({
          method: connection.method,
          provider: connection.provider,
          merchantName: connection.merchantName,
        }),
        endsAt,
      })),
      isWhole,
      failing: failing.slice(0, shownMax).map(withoutNulls),
    }
  },
})

export const attentionRoutes: readonly DashboardRoute[] = [attention]
