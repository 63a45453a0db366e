// The type of a route. The server, the checks of keys and shapes, openapi.json and the tests are made from one table of routes.
import type { Readable } from 'node:stream'
import type { Static, TSchema } from 'typebox'
import type { Of } from '#/contract/record.ts'
import type { ProblemCode } from '#/kernel/error.ts'
import type { Scope } from '#/merchants/api-key.ts'
import type { Identity } from '#/merchants/authenticator.ts'
import type { By } from '#/people/audit-entry.ts'
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
    }
  | {
      /** Sent as it comes; its media type is one of `headers`. */
      readonly stream: Readable
    }
)

type About = {
  readonly method: Exclude<CallMethod, 'HEAD'>
  /** With `{id}` where the id stands. */
  readonly path: string
  /** Absent: every key may call it. */
  readonly scope?: Scope
  readonly operationId: string
  readonly summary: string
  readonly description: string
  /** The status of success, and the schema of its answer. */
  readonly status: 200 | 201 | 202
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
}

export type Route = About & {
  readonly query: TSchema | undefined
  readonly body: TSchema | undefined
  readonly handle: (deps: HttpDeps, call: Call<unknown, unknown>) => Promise<Answer>
}

/** A route of the table. The handler's query, body and answer have the types of their schemas. */
export function route<
  Answered extends TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
>(
  spec: Omit<About, 'answer'> & {
    readonly answer: Answered
    readonly query?: Query
    readonly body?: Body
    readonly handle: (
      deps: HttpDeps,
      call: Call<Static<Query>, Static<Body>>,
    ) => Promise<Answer<Of<NoInfer<Answered>>>>
  },
): Route {
  return {
    ...spec,
    query: spec.query,
    body: spec.body,
    // The server checks query and body against the two schemas before it calls a handler.
    handle: (deps, call) => spec.handle(deps, call as Call<Static<Query>, Static<Body>>),
  }
}
