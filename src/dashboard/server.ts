// START HERE. The dashboard's server: its pages, its own JSON routes, and the routes of the API for members. It decides nothing about
// money and holds no key that could move it.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { registerCompression } from '#/checkout/compression.ts'
import type { Edge } from '#/edge/server.ts'
import { requireOpenAccount } from '#/http/account-acts.ts'
import { checkBodyType, createJsonServer } from '#/http/json-server.ts'
import { mountRoute } from '#/http/mount.ts'
import { queryOf, readQuery } from '#/http/query.ts'
import { routesServed } from '#/http/routes.ts'
import { withoutEmpty } from '#/http/without-empty.ts'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { isUuid } from '#/kernel/id.ts'
import { needsFactor } from '#/people/concern.ts'
import type { DashboardDeps } from './deps.ts'
import { serveLive } from './live.ts'
import {
  byOf,
  createMemberAuth,
  memberEntrance,
  type MerchantCaller,
  type MemberAuth,
} from './merchant-entrance.ts'
import { createOpenStreams, type OpenStreams } from './open-streams.ts'
import { pageUrls, servePages } from './pages.ts'
import { servePreviews } from './preview/serve.ts'
import { createResetLimit } from './reset-limit.ts'
import { statusOf, type DashboardRoute } from './route.ts'
import { dashboardRoutes } from './routes.ts'
import { requireSameOrigin } from './same-origin.ts'
import { requireFactor, requireFactorForLive, requireOperatorFactor } from './step-up.ts'
import {
  createFindVisitor,
  requirePermission,
  requireVisitor,
  signInFirst,
  type FindVisitor,
  type Visitor,
} from './visitor.ts'

/** Routes of the API that only make sense with a key. */
export const onlyForKeys = new Set(['getMe'])

/** Of parts of files. Only routes that read bytes accept it. */
const bytesType = 'application/octet-stream'

/** The dashboard's server, not listening yet. `checkEveryMs`: how often it checks whether another process has ended a session. */
export function createDashboardServer({
  checkEveryMs,
  ...options
}: Omit<DashboardDeps, 'resets'> & { readonly checkEveryMs?: number }): FastifyInstance {
  const deps: DashboardDeps = { ...options, resets: createResetLimit() }
  const { http, origin } = deps
  const { server, edge } = createJsonServer(http, 'dashboard')
  server.addContentTypeParser(bytesType, { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))
  server.addHook('onRequest', (request, _reply, done) => {
    try {
      if (!isPage(request)) requireSameOrigin(request, origin)
      done()
    } catch (error) {
      done(error as Error)
    }
  })
  registerCompression(server)
  const findVisitor = createFindVisitor(deps)
  const memberAuth = createMemberAuth(http, findVisitor)
  const entrance = memberEntrance(http, memberAuth)
  for (const route of routesServed(http)) {
    if (onlyForKeys.has(route.operationId)) continue
    const url = `/api/m/:merchant${route.path.slice('/v1'.length).replace('{id}', ':id')}`
    mountRoute(server, route, { url, edge, entrance })
  }
  const streams = createOpenStreams({ ...http, ...given({ checkEveryMs }) })
  const entrances = { findVisitor, memberAuth, edge, streams }
  for (const route of dashboardRoutes) mountDashboardRoute(server, deps, entrances, route)
  serveLive(server, deps, entrances)
  servePreviews(server, deps, memberAuth)
  servePages(server, deps, findVisitor)
  return server
}

/** The address of one of the dashboard's own routes. */
export function urlOf({ access, path }: Pick<DashboardRoute, 'access' | 'path'>): string {
  return `/api${access === 'member' ? '/m/:merchant' : ''}${path.replace('{id}', ':id')}`
}

/**
 * Whether a request is for a page, for one of its files, or for nothing that exists. Decided by the route, not by the text of the address:
 * the router finds `/api/session` at `/%61pi/session` too.
 */
function isPage({ is404, routeOptions }: FastifyRequest): boolean {
  return is404 || pageUrls.has(routeOptions.url ?? '')
}

type Entrances = {
  readonly findVisitor: FindVisitor
  readonly memberAuth: MemberAuth
  readonly edge: Edge
  readonly streams: OpenStreams
}

const noQuery = queryOf({})

function mountDashboardRoute(
  server: FastifyInstance,
  deps: DashboardDeps,
  entrances: Entrances,
  route: DashboardRoute,
): void {
  const query = route.query ?? noQuery
  server.route({
    method: route.method,
    url: urlOf(route),
    ...given({ bodyLimit: route.bodyBytesMax }),
    schema: {
      querystring: query,
      ...given({ body: route.body }),
      ...(route.answer === undefined ? {} : { response: { [statusOf(route)]: route.answer } }),
    },
    onRequest: async (request) => {
      request.setDecorator('caller', await admit(deps, entrances, route, request))
      checkBodyType(request, route.reads === 'bytes' ? bytesType : undefined)
    },
    preValidation: (request, _reply, done) => {
      request.query = readQuery(query, request.query as Readonly<Record<string, unknown>>)
      if (route.reads === 'api') request.body = withoutEmpty(route.body, request.body ?? {})
      done()
    },
    handler: async (request, reply) => {
      const { id: text } = request.params as { readonly id?: string }
      const id = text?.toLowerCase() ?? ''
      if (text !== undefined && !isUuid(id) && route.idForm !== 'text')
        throw new AppError('not_found', 'No id looks like this.')
      const known = request.getDecorator<Admitted>('caller')
      if (route.access === 'operator' && needsFactor(route))
        requireFactorForLive((known as { readonly visitor: Visitor }).visitor, request.body)
      const call = {
        query: request.query,
        body: request.body,
        id: route.idForm === 'text' ? (text ?? '') : id,
        request,
        reply,
        ...known,
      }
      const answer = await route.handle(deps, call as never)
      // The request may have ended a session or a membership: their streams are closed before the answer is sent.
      if (route.method !== 'GET') await entrances.streams.check()
      if (reply.sent) return reply
      reply.code(statusOf(route))
      return route.answer === undefined ? undefined : answer
    },
  })
}

type Admitted = object | { readonly visitor: Visitor | undefined } | { readonly caller: MerchantCaller }

/** Who calls, when they may call this route. */
async function admit(
  deps: DashboardDeps,
  { findVisitor, memberAuth }: Entrances,
  route: DashboardRoute,
  request: FastifyRequest,
): Promise<Admitted> {
  switch (route.access) {
    case 'anyone':
      return {}
    case 'session': {
      const visitor = await findVisitor(request)
      if (visitor === undefined) throw signInFirst()
      return { visitor }
    }
    case 'user': {
      const visitor = await requireVisitor(findVisitor, request)
      if (needsFactor(route)) requireFactor(visitor, undefined)
      return { visitor, by: byOf(visitor, request) }
    }
    case 'member': {
      const caller = await memberAuth.identify(request)
      requirePermission(caller.permissions, route.permission)
      requireOpenAccount(caller.accountState, route)
      if (needsFactor(route)) requireFactor(caller.visitor, caller.merchant.mode)
      return { caller, by: byOf(caller.visitor, request) }
    }
    case 'operator': {
      const visitor = await requireVisitor(findVisitor, request)
      // A merchant that is not theirs is answered like one that does not exist.
      if (!visitor.user.isOperator) throw new AppError('not_found', 'There is nothing at this address.')
      if (needsFactor(route)) await requireOperatorFactor(deps, visitor)
      return { visitor, by: byOf(visitor, request) }
    }
  }
}
