// The type of the dashboard's own routes. Its server, the checks of rights and shapes, and the tests are made from one table of them.
// The routes of the API are served besides, as they are: merchant-entrance.ts.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { AccountAct } from '#/merchants/account-state.ts'
import type { By } from '#/people/audit-entry.ts'
import type { Concern } from '#/people/concern.ts'
import type { OperatorPermission, Permission } from '#/people/roles.ts'
import type { CallMethod } from '#/requests/call.ts'
import type { DashboardDeps } from './deps.ts'
import type { MerchantCaller } from './merchant-entrance.ts'
import type { Visitor } from './visitor.ts'

type Request<Query, Body> = {
  readonly query: Query
  readonly body: Body
  /** The `{id}` of the path, in lower case. */
  readonly id: string
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

type Shape = {
  readonly operationId: string
  readonly summary: string
  /** Default: 200, and 204 without an answer. */
  readonly status?: 201 | 202
  readonly answer?: TSchema
  /** The id of the path: default: a UUID. */
  readonly idForm?: 'text'
  /** The largest body, in bytes. Default: 64 KiB. */
  readonly bodyBytesMax?: number
  /**
   * `bytes`: the body is a part of a file, as `application/octet-stream`. `api`: it is read as the API reads its bodies, without what was sent
   * only because a field had no value.
   */
  readonly reads?: 'bytes' | 'api'
}

/** What a route is given besides the request, by who may call it. */
type Access = {
  readonly anyone: object
  readonly session: { readonly visitor: Visitor }
  readonly user: { readonly visitor: Visitor; readonly by: By }
  readonly member: { readonly caller: MerchantCaller; readonly by: By }
  readonly operator: { readonly visitor: Visitor; readonly by: By }
}

/** What a member or an operator needs. */
type Rights = { readonly member: Permission; readonly operator: OperatorPermission }

type Reading<Kind extends keyof Access> = {
  /** Its method, and its path below `/api`; of a member's route, below `/api/m/{merchant}`. */
  readonly route: `GET ${string}`
  /** Default for an operator: `operator:read`. */
  readonly permission?: Kind extends keyof Rights ? Rights[Kind] : never
  readonly concern?: never
  readonly starts?: never
  readonly unaudited?: never
}

type Changing<Kind extends keyof Access> = {
  readonly route: `${Exclude<CallMethod, 'GET' | 'HEAD'>} ${string}`
  /** What needs a second factor, and where not, why. */
  readonly concern: Concern
  /** Why it leaves no row in the audit log. Each other change leaves one, which the code behind the route writes. */
  readonly unaudited?: string
} & (Kind extends keyof Rights ? { readonly permission: Rights[Kind] } : { readonly permission?: never }) &
  // What it does for the merchant: what the state of a sub-account may not start is refused.
  (Kind extends 'member' ? { readonly starts: AccountAct } : { readonly starts?: never })

type RouteOf<Kind extends keyof Access> = Shape & {
  readonly access: Kind
  readonly method: Exclude<CallMethod, 'HEAD'>
  readonly path: string
  readonly concern?: Concern
  readonly starts?: AccountAct
  readonly unaudited?: string
  readonly query: TSchema | undefined
  readonly body: TSchema | undefined
  readonly handle: (deps: DashboardDeps, call: Request<unknown, unknown> & Access[Kind]) => Promise<unknown>
} & (Kind extends 'operator'
    ? { readonly permission: OperatorPermission }
    : Kind extends 'member'
      ? { readonly permission?: Permission }
      : object)

export type DashboardRoute = { [Kind in keyof Access]: RouteOf<Kind> }[keyof Access]

/** What the route answers when it did what was asked. */
export function statusOf({ status, answer }: Pick<Shape, 'status' | 'answer'>): number {
  return status ?? (answer === undefined ? 204 : 200)
}

/** What a handler returns for a schema: `toJson` writes the digits of a bigint, and an instant as a text. */
type Shown<Value> = Value extends number
  ? number | bigint
  : Value extends string
    ? Value | (string extends Value ? Date : never)
    : Value extends readonly (infer Item)[]
      ? readonly Shown<Item>[]
      : Value extends object
        ? {
            readonly [Name in keyof Value]:
              | Shown<Value[Name]>
              | (undefined extends Value[Name] ? undefined : never)
          }
        : Value

/** Makes the routes of those who may call them. A handler's query, body and answer have the types of their schemas. */
function routesFor<Kind extends keyof Access>(access: Kind) {
  return <Query extends TSchema = TSchema, Body extends TSchema = TSchema, Answer extends TSchema = TSchema>(
    spec: (Reading<Kind> | Changing<Kind>) &
      Omit<Shape, 'answer'> & {
        readonly query?: Query
        readonly body?: Body
        readonly answer?: Answer
        readonly handle: (
          deps: DashboardDeps,
          call: Request<Static<Query>, Static<Body>> & Access[Kind],
        ) => Promise<Shown<Static<NoInfer<Answer>>>>
      },
  ): DashboardRoute => {
    const [method, path] = spec.route.split(' ')
    const made = {
      ...(access === 'operator' && { permission: 'operator:read' }),
      ...spec,
      access,
      method,
      path,
      query: spec.query,
      body: spec.body,
      // The server checks query and body against the two schemas, and who calls, before it calls a handler.
      handle: (deps: DashboardDeps, call: Request<unknown, unknown> & Access[Kind]) =>
        spec.handle(deps, call as Request<Static<Query>, Static<Body>> & Access[Kind]),
    }
    // Which rights a route has depends on its access: that they fit is checked where the spec is given.
    const route: object = made
    return route as DashboardRoute
  }
}

/** Of anyone, also without a session: signing in. */
export const anyonesRoute = routesFor('anyone')
/** Of whoever has a session, also one whose sign-in is not complete. */
export const sessionRoute = routesFor('session')
export const userRoute = routesFor('user')
export const memberRoute = routesFor('member')
export const operatorRoute = routesFor('operator')
