// The routes of the operator's acts: bodies from their arguments, the person at the console, and what is answered.
import { Type as T, type TProperties } from 'typebox'
import { must } from '#/kernel/check.ts'
import { askedOf, isRequested, type Act, type Arguments, type BookDeps } from '#/operator/acts/act.ts'
import type { Proposal } from '#/operator/proposal-queries.ts'
import type { DashboardDeps } from '../deps.ts'
import { bodyOf } from '../place.ts'
import { operatorRoute, type DashboardRoute } from '../route.ts'
import type { Visitor } from '../visitor.ts'
import { proposalRecord, proposalShape } from './proposal-shape.ts'
import { operatorOf } from './words.ts'

/** What is known when a route answers: what was done, or requested. */
type Answered<Done> = {
  readonly deps: DashboardDeps
  readonly visitor: Visitor
  readonly done: Done | undefined
  readonly requested?: Proposal
  readonly args: Arguments
}

type Answering<Done> = {
  readonly answer: TProperties
  readonly recordOf: (answered: Answered<Done>) => object | undefined | Promise<object | undefined>
}

/** The route of an act. An act that another person may have to approve answers a `proposal` then. */
export function routeOf<Done>(act: Act<Done>, answering?: Answering<Done>): DashboardRoute {
  const { status, wakes = [], ...door } = must(act.console, 'an act of the console has a route')
  const { id, ...others } = act.args
  const isNamed = door.route.includes('{id}')
  const proposals = {
    always: { proposal: proposalShape },
    sometimes: { proposal: T.Optional(proposalShape) },
    never: {},
  } as const
  const answer = { ...answering?.answer, ...proposals[act.secondPerson ?? 'never'] }
  const isText = isNamed && id !== undefined && askedOf(id).idOf === undefined
  return operatorRoute({
    concern: 'money',
    ...door,
    ...(isText && { idForm: 'text' as const }),
    summary: act.summary,
    ...(status && { status }),
    ...(Object.keys(answer).length > 0 && { answer: T.Object(answer) }),
    body: bodyOf(consoleArgs(isNamed ? others : act.args)),
    async handle(deps, { id: named, body, visitor, by }) {
      const args = argumentsOf(body, isNamed ? { id: named } : {})
      const done = await act.carryOut(actDeps(deps), operatorOf({ visitor, by }), args)
      if (isRequested(done)) {
        const { requested } = done
        const record = await answering?.recordOf({ deps, visitor, done: undefined, requested, args })
        return { ...record, proposal: proposalRecord(requested, visitor.user.id) }
      }
      for (const wake of wakes)
        if (wake === 'onRefund') deps.http.onRefund?.()
        else deps.operator[wake]?.()
      return (await answering?.recordOf({ deps, visitor, done, args })) ?? {}
    },
  })
}

function consoleArgs(args: TProperties): TProperties {
  return Object.fromEntries(
    Object.entries(args).map(([name, schema]) => [name, askedOf(schema).inConsole ?? schema]),
  )
}

function argumentsOf(body: unknown, more: Arguments): Arguments {
  const args = { ...(body as Arguments), ...more }
  const { reason } = args as { readonly reason?: string }
  return reason === undefined ? args : { ...args, reason: reason.trim() }
}

/** What acts need, of the parts of this process. */
function actDeps({ http, operator }: DashboardDeps): BookDeps {
  const { sql, clock, lane, rails, refundDecisionKind, withdrawals } = http
  const { cell, hasOwnKeys, aloneMax, connections, stillLeaving, keepSignals: keep } = operator
  const settings = { cell, hasOwnKeys, aloneMax }
  const parts = { connections, stillLeaving, keep, payoutRails: withdrawals.rails, refundDecisionKind }
  return { sql, clock, lane, rails, ...parts, ...settings }
}
