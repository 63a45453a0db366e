// Who is let in: by the origin of a page, the cookie of a session, a second factor and a permission. And what routes answer.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import type { HttpDeps } from '#/http/deps.ts'
import { AppError } from '#/kernel/error.ts'
import type { Method } from '#/people/sessions.ts'
import { partly } from '../../test/partly.ts'
import { accountRoutes } from './account-routes.ts'
import { memberRoutes } from './member-routes.ts'
import { statusOf } from './route.ts'
import { requireSameOrigin } from './same-origin.ts'
import { sessionCookie } from './session-cookie.ts'
import { sessionRoutes } from './session-routes.ts'
import { requireFactor, requireFactorForLive, requireOperatorFactor } from './step-up.ts'
import { requirePermission } from './visitor.ts'

const origin = 'https://pay.example'
/** By the scheme and port of the dashboard's origin: the name of its cookie. */
const names = {
  [origin]: '__Host-vintem_session',
  'http://localhost:8084': 'vintem_session_8084',
  'http://localhost': 'vintem_session_80',
} as const
const token = 'a'.repeat(43)

let app: FastifyInstance
before(() => {
  app = Fastify()
  app.route({
    method: ['GET', 'HEAD', 'POST'],
    url: '/same-origin',
    handler: async (request, reply) => {
      try {
        requireSameOrigin(request, origin)
        return await reply.code(204).send()
      } catch (error) {
        return reply.code(error instanceof AppError && error.code === 'cross_site' ? 403 : 500).send()
      }
    },
  })
  for (const [nth, of] of Object.keys(names).entries()) {
    const cookie = sessionCookie(of)
    app.get(`/read/${nth}`, (request) => ({ token: cookie.read(request) ?? null }))
    app.get(`/write/${nth}`, (_, reply) => {
      cookie.write(reply, token)
      return {}
    })
    app.get(`/clear/${nth}`, (_, reply) => {
      cookie.clear(reply)
      return {}
    })
  }
})
after(() => app.close())

test('a page of this very origin may call, and must say its origin where it changes something', async () => {
  const own = { 'sec-fetch-site': 'same-origin' }
  const cases: readonly (readonly ['GET' | 'HEAD' | 'POST', Record<string, string>, number])[] = [
    ['GET', own, 204],
    ['HEAD', own, 204],
    ['POST', own, 403],
    ['POST', { ...own, origin }, 204],
    ['POST', { ...own, origin: 'https://pay.example:8443' }, 403],
    ['POST', { origin }, 403],
    ['GET', {}, 403],
    ['HEAD', {}, 403],
    ['GET', { 'sec-fetch-site': 'same-site' }, 403],
    ['GET', { 'sec-fetch-site': 'none' }, 403],
  ]
  for (const [method, headers, status] of cases) {
    const { statusCode } = await app.inject({ method, url: '/same-origin', headers })
    assert.equal(statusCode, status, `${method} ${JSON.stringify(headers)}`)
  }
})

test('the cookie of a session has a name of its origin, and is none when it is there twice', async () => {
  for (const [nth, name] of Object.values(names).entries()) {
    const read = async (cookie?: string) => {
      const headers = cookie === undefined ? {} : { cookie }
      return (await app.inject({ method: 'GET', url: `/read/${nth}`, headers })).json<{ token: unknown }>()
        .token
    }
    assert.equal(await read(`other=x; ${name}=${token}`), token)
    assert.equal(await read(), null)
    assert.equal(await read(`other=${token}`), null)
    assert.equal(await read(`${name}=${token}; ${name}=${'b'.repeat(43)}`), null)
    assert.equal(await read(`${name}=${token}; ${name}=${token}`), null)
    assert.equal(await read(`${name}=short`), null)
  }
})

test('the cookie of a session lasts seven days, for this host alone and out of reach of scripts', async () => {
  const headerOf = async (url: string) =>
    String((await app.inject({ method: 'GET', url })).headers['set-cookie'])
  const lasting = 'Path=/; HttpOnly; SameSite=Strict'
  assert.equal(
    await headerOf('/write/0'),
    `__Host-vintem_session=${token}; Max-Age=604800; ${lasting}; Secure`,
  )
  assert.equal(await headerOf('/write/1'), `vintem_session_8084=${token}; Max-Age=604800; ${lasting}`)
  assert.equal(await headerOf('/clear/0'), `__Host-vintem_session=; Max-Age=0; ${lasting}; Secure`)
})

/** What is asked for: undefined when nothing is. */
function asked(ask: () => void): string | undefined {
  try {
    ask()
    return undefined
  } catch (error) {
    assert.ok(error instanceof AppError)
    return `${error.code}: ${error.message}`
  }
}

const none: readonly Method[] = []
const totp: readonly Method[] = ['totp', 'recovery_code']
const [add, confirm] = [/^second_factor_needed: Add a passkey/, /^second_factor_needed: Confirm/]

test('a second factor is asked for unless it is fresh, and in a sandbox of whoever has one', () => {
  const cases: readonly (readonly [boolean, readonly Method[], 'LIVE' | 'SANDBOX' | undefined, RegExp])[] = [
    [true, totp, 'LIVE', /^nothing$/],
    [true, totp, 'SANDBOX', /^nothing$/],
    [false, totp, 'LIVE', confirm],
    [false, totp, 'SANDBOX', confirm],
    // A single way would be asked for too.
    [false, ['passkey'], 'SANDBOX', confirm],
    [false, none, 'LIVE', add],
    [false, none, undefined, add],
    [false, none, 'SANDBOX', /^nothing$/],
  ]
  for (const [isFactorFresh, factors, mode, expected] of cases) {
    const found = asked(() => requireFactor({ isFactorFresh, factors }, mode))
    assert.match(found ?? 'nothing', expected, JSON.stringify([isFactorFresh, factors, mode]))
  }
})

test('an operator needs a second factor that is fresh where no sandbox is on', async () => {
  // Nothing is read: where no sandbox is on, the installation is none.
  const here = { http: partly<HttpDeps>({}), isSandboxHere: false }
  for (const factors of [none, totp]) {
    await requireOperatorFactor(here, { isFactorFresh: true, factors })
    await assert.rejects(requireOperatorFactor(here, { isFactorFresh: false, factors }), {
      code: 'second_factor_needed',
    })
  }
})

test('a body that makes something LIVE, or of a mode that nobody knows, needs a second factor', () => {
  const ask = (body: unknown, isFactorFresh = false) =>
    asked(() => requireFactorForLive({ isFactorFresh, factors: none }, body))
  for (const body of [undefined, null, {}, { mode: undefined }, { mode: 'SANDBOX' }])
    assert.equal(ask(body), undefined, JSON.stringify(body))
  for (const body of [{ mode: 'LIVE' }, { mode: 'live' }, { mode: null }])
    assert.match(ask(body) ?? 'nothing', add, JSON.stringify(body))
  assert.equal(ask({ mode: 'LIVE' }, true), undefined)
})

test('a permission is needed where a route names one', () => {
  const own = new Set(['payments:read'])
  assert.equal(
    asked(() => requirePermission(own, undefined)),
    undefined,
  )
  assert.equal(
    asked(() => requirePermission(own, 'payments:read')),
    undefined,
  )
  assert.match(
    asked(() => requirePermission(own, 'payments:write')) ?? 'nothing',
    /^forbidden: .*payments:write/,
  )
})

test('what is made is answered with 201, what is only taken with 202, and what answers nothing with 204', () => {
  const statuses = new Map(
    [...accountRoutes, ...memberRoutes, ...sessionRoutes].map((each) => [each.operationId, statusOf(each)]),
  )
  for (const made of ['addPasskey', 'beginTotp', 'renewRecoveryCodes', 'createInvitation'])
    assert.equal(statuses.get(made), 201, made)
  assert.equal(statuses.get('askNewPassword'), 202)
  assert.equal(statuses.get('signOut'), 204)
  assert.equal(statuses.get('listSessions'), 200)
})
