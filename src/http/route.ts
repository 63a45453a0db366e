// The type of a route. The server, the checks of keys and shapes, the audit log, openapi.json and the tests are made from one table of routes.
import type { Readable } from 'node:stream'
import type { Static, TSchema } from 'typebox'
import type { Of, Sent } from '#/contract/record.ts'
import { emptyRequest } from '#/contract/words.ts'
import type { Sql, Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import type { ProblemCode } from '#/kernel/error.ts'
import type { AccountAct } from '#/merchants/account-state.ts'
import type { Scope } from '#/merchants/api-key.ts'
import type { Identity } from '#/merchants/authenticator.ts'
import type { AuditEntry, By } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import type { Concern } from '#/people/concern.ts'
import type { CallMethod } from '#/requests/call.ts'
import type { HttpDeps } from './deps.ts'

/** One request to a route that needs a key, already checked against the route's schemas. */
export type Call<Query, Body> = {
  readonly merchant: Identity['merchant']
  /** The key that calls, or the one by which a member acts. */
  readonly keyId: Identity['keyId']
  /** Who calls, for the audit log. */
  readonly origin: By
  /** The `{id}` of the path: a UUID in lower case, or empty when the path has none. */
  readonly id: string
  readonly query: Query
  readonly body: Body
  /** The header Idempotency-Key, without the quotes that its draft standard puts around it. */
  readonly idempotencyKey: string | undefined
  /** The header Accept-Language. */
  readonly acceptLanguage: string | undefined
  /** Calls the listener once, when the answer was sent or the caller has hung up. */
  readonly whenGone: (listener: () => void) => void
}

/** Who calls: what a call has of its caller. */
export type Caller = Pick<Call<unknown, unknown>, 'merchant' | 'keyId'>

export type Answer<Answered = unknown> = { readonly headers?: Readonly<Record<string, string>> } & (
  | {
      /** What the route's schema describes. A field beyond it that the compiler cannot see is left out of the answer. */
      readonly record: Answered
      /** The idempotency key made it before; the header `idempotent-replayed` says so. */
      readonly isReplayed?: boolean
    }
  | {
      /** Sent as it comes; its media type is one of `headers`. */
      readonly stream: Readable
    }
)

/** What a route reads needs a scope, or none: then every key may call it. */
type Reading = {
  /** Its method, and its path with `{id}` where the id stands. */
  readonly route: `GET ${string}`
  readonly scope?: Scope
  readonly audit?: never
  readonly starts?: never
  readonly concern?: never
}

type Changing<Made> = {
  readonly route: `${Exclude<CallMethod, 'GET' | 'HEAD'>} ${string}`
  readonly scope: Scope
  readonly audit: Audit<Made>
  /** What it does for the account that calls: what the account's state may not start is refused. */
  readonly starts: AccountAct
  /** What needs a second factor of a member, and where not, why. */
  readonly concern: Concern
}

/**
 * How a change by the route comes into the audit log, in the transaction of the change. A call that is refused writes no row.
 * - `ITSELF`: the code behind the route writes the row, for keys as for members.
 * - `action`: the handler passes on what writes the row of a member (`Audited`); calls by keys are in the request log. A change that a
 *   provider makes has no transaction of ours: the row is written after all our checks and before the provider is called.
 */
type Audit<Made> = 'ITSELF' | AuditedAct<Made>

type AuditedAct<Made> = {
  /** As the audit log names it. */
  readonly action: string
  /** The record that the call is about, by what the transaction made. */
  readonly subjectOf: (
    call: Pick<Call<unknown, unknown>, 'id' | 'merchant'>,
    made: Made,
  ) => `${string}:${string}` | undefined
}

/** `beside`: what the handler passes to the transaction of the change, which says there what it made. Absent: there is no row. */
export type Audited<Made = unknown> = {
  readonly beside?: unknown extends Made
    ? (tx: Sql | Tx) => Promise<void>
    : (tx: Sql | Tx, made: Made) => Promise<void>
}

type About = {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  /** The schema of the answer of success. */
  readonly answer: TSchema
  /** The media type of a stream that a caller may request instead of `answer`, and a description of its content. */
  readonly streams?: { readonly type: string; readonly description: string }
  /** Another media type of the body, and how its bytes become the value that `body` describes. */
  readonly reads?: {
    readonly type: string
    readonly description: string
    readonly example: string
    read(bytes: Buffer): unknown
  }
  /** The largest body, in bytes. Default: 64 KiB. */
  readonly bodyBytesMax?: number
  /** Response headers that mean something to a caller, by name. */
  readonly headers?: Readonly<Record<string, string>>
  /** Problems of this route besides those that every route has. */
  readonly problems?: readonly ProblemCode[]
  /** Whether an answer may come later than others, when the query has `wait`. */
  readonly mayWait?: true
  /** Whether the body may be left out; it is then the empty object. */
  readonly bodyOptional?: true
  /**
   * The operation of the dashboard that says what a call would come to: see dashboard/review-routes.ts. The handler must write through the lane
   * or in transactions of `deps.sql`, and read nothing that it has just written.
   */
  readonly reviewedAs?: string
}

/** A body has an example. */
type ExampleOf<Body extends TSchema> = TSchema extends Body
  ? { readonly exampleBody?: never }
  : { readonly exampleBody: Sent<Body> }

/** A route as the table has it, with what its type has inferred made plain. */
export type Route = Omit<About, 'answer'> & {
  readonly method: Exclude<CallMethod, 'HEAD'>
  readonly path: string
  readonly scope?: Scope | undefined
  readonly audit?: Audit<never> | undefined
  readonly starts?: AccountAct | undefined
  readonly concern?: Concern | undefined
  readonly status: 200 | 201 | 202
  readonly answer: TSchema
  readonly example: unknown
  readonly query: TSchema | undefined
  readonly body: TSchema | undefined
  readonly exampleBody?: unknown
  readonly handle: (deps: HttpDeps, call: Call<unknown, unknown>) => Promise<Answer>
}

/**
 * A route of the table. The handler's query, body and answer have the types of their schemas, and so have the examples; what it passes on for
 * the audit log has the type of what the transaction makes.
 */
export function route<
  Answered extends TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Made = unknown,
>(
  spec: (Reading | Changing<Made>) &
    ExampleOf<Body> &
    Omit<About, 'answer'> & {
      /** The status of success. Default: 200. */
      readonly status?: 201 | 202
      readonly answer: Answered
      /** In openapi.json. Undefined: it is that of another route. */
      readonly example: Of<NoInfer<Answered>> | undefined
      readonly query?: Query
      /** Default of a POST: the empty object, or none. */
      readonly body?: Body
      readonly handle: (
        deps: HttpDeps,
        call: Call<Static<Query>, Static<Body>>,
        audited: Audited<Made>,
      ) => Promise<Answer<Of<NoInfer<Answered>>>>
    },
): Route {
  const [method = '', path = ''] = spec.route.split(' ')
  const isWithoutBody = method === 'POST' && spec.body === undefined
  const { operationId } = spec
  const title = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`
  return {
    ...spec,
    method: method as Route['method'],
    path,
    status: spec.status ?? 200,
    query: spec.query,
    body: isWithoutBody ? emptyRequest(title) : spec.body,
    ...(isWithoutBody && { bodyOptional: true }),
    // The server checks query and body against the two schemas before it calls a handler.
    handle: (deps, call) =>
      spec.handle(deps, call as Call<Static<Query>, Static<Body>>, auditedBy(spec.audit, call)),
  }
}

function auditedBy<Made>(
  audit: Audit<Made> | undefined,
  { origin, merchant, id, body }: Call<unknown, unknown>,
): Audited<Made> {
  if (audit === undefined || audit === 'ITSELF' || origin.actor.kind !== 'USER') return {}
  const { action, subjectOf } = audit
  const beside = (tx: Sql | Tx, made: Made) => {
    const subject = must(subjectOf({ id, merchant }, made), `the subject of ${action}`)
    return writeAudit(tx, [{ ...origin, action, subject, merchantId: merchant.id, ...afterOf(body) }])
  }
  return { beside } as Audited<Made>
}

/** What was requested. Bodies of the API hold no secrets. */
function afterOf(body: unknown): Pick<AuditEntry, 'after'> {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  return isObject && Object.keys(body).length > 0 ? { after: body as Readonly<Record<string, unknown>> } : {}
}
