// Reviews of what moves money: what a call of the API would come to, before the member gives a second factor for it. The route of the API
// itself is called, over a lane and a database on which nothing is written, so that a review refuses what the call will refuse.
import { Type as T } from 'typebox'
import { rolledBack } from '#/db/rolled-back.ts'
import type { HttpDeps } from '#/http/deps.ts'
import { idempotencyKeyOf } from '#/http/mount.ts'
import type { Route } from '#/http/route.ts'
import { routes } from '#/http/routes.ts'
import { tryOut } from '#/ledger/trial.ts'
import { none } from '#/people/concern.ts'
import { selectOtherMembers } from '#/people/member-queries.ts'
import { roles, roleMay } from '#/people/roles.ts'
import type { DashboardDeps } from './deps.ts'
import type { MerchantCaller } from './merchant-entrance.ts'
import { memberRoute, type DashboardRoute } from './route.ts'

/** At most this many are named. */
const approversMax = 20

function reviewOf(route: Route, operationId: string): DashboardRoute {
  const title = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Answer`
  return memberRoute({
    route: `POST ${route.path.slice('/v1'.length)}/review`,
    permission: route.scope as NonNullable<Route['scope']>,
    starts: route.starts as NonNullable<Route['starts']>,
    concern: none('nothing is written'),
    unaudited: 'nothing is written',
    operationId,
    summary: `What it would come to: ${route.summary.charAt(0).toLowerCase()}${route.summary.slice(1)}`,
    reads: 'api',
    ...(route.bodyBytesMax === undefined ? {} : { bodyBytesMax: route.bodyBytesMax }),
    ...(route.body === undefined ? {} : { body: route.body }),
    answer: T.Object(
      {
        outcome: route.answer,
        isMade: T.Optional(
          T.Literal(true, {
            description: 'The idempotency key made it before: the call answers with that record.',
          }),
        ),
        approvers: T.Optional(
          T.Array(T.String(), {
            description: `Who else of the team may approve it, by name; at most ${approversMax}. Absent: it needs no approval.`,
          }),
        ),
      },
      { title },
    ),
    async handle(deps, { caller, by, body, id, request }) {
      const answer = await route.handle(triedOut(deps.http), {
        merchant: caller.merchant,
        keyId: caller.keyId,
        origin: by,
        id,
        query: {},
        body,
        idempotencyKey: idempotencyKeyOf(request),
        acceptLanguage: undefined,
        whenGone: () => undefined,
      })
      const outcome = 'record' in answer ? (answer.record as Outcome) : {}
      return {
        outcome,
        ...('isReplayed' in answer && answer.isReplayed ? { isMade: true as const } : {}),
        ...(needsApproval(outcome) ? { approvers: await approversOf(deps, caller) } : {}),
      }
    },
  })
}

/** Of each resource the part that says whether it waits. */
type Outcome = { readonly status?: string; readonly approvalRequired?: boolean }

function needsApproval({ status, approvalRequired }: Outcome): boolean {
  return status === 'PENDING_APPROVAL' || approvalRequired === true
}

/** The other members whose role may approve. */
async function approversOf(
  { http: { sql } }: DashboardDeps,
  { merchant, visitor }: MerchantCaller,
): Promise<readonly string[]> {
  const approving = roles.filter((role) => roleMay(role, 'withdrawals:approve'))
  const found = await selectOtherMembers(sql, merchant.id, visitor.user.id, approving, approversMax)
  return found.map(({ name, email }) => (name === '' ? email : name))
}

/** The same dependencies, on which nothing is written, sent or woken. */
function triedOut(deps: HttpDeps): HttpDeps {
  const { onRefund: _onRefund, withdrawals, ...rest } = deps
  const { onReady: _onReady, ...withdrawalsQuiet } = withdrawals
  return {
    ...rest,
    withdrawals: withdrawalsQuiet,
    sql: rolledBack(deps.sql),
    lane: { ...deps.lane, submit: (kind, item) => tryOut(deps.sql, kind, item) },
  }
}

export const reviewRoutes: readonly DashboardRoute[] = routes.flatMap((route) =>
  route.reviewedAs === undefined ? [] : [reviewOf(route, route.reviewedAs)],
)
