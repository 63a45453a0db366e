// The dashboard's server over one installation, and the people who use it.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { generateSync } from 'otplib'
import type { CheckoutView } from '#/checkout/view.ts'
import type { DashboardDeps } from '#/dashboard/deps.ts'
import { createDashboardServer } from '#/dashboard/server.ts'
import type { HttpDeps } from '#/http/deps.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId, UserId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { deriveSealingPair } from '#/kernel/seal-to.ts'
import { createAuthenticator } from '#/merchants/authenticator.ts'
import { connectionKeys, workerKeyMac, openConnectionBook } from '#/merchants/connections.ts'
import { publishWorkerKey } from '#/merchants/worker-key.ts'
import { acceptLink } from '#/people/accept-link.ts'
import { createSignInLink } from '#/people/links.ts'
import { addMember } from '#/people/members.ts'
import type { PasswordCost } from '#/people/password.ts'
import type { Role } from '#/people/roles.ts'
import { createUser } from '#/people/users.ts'
import type { Rails } from '#/rails/rail.ts'
import { refundKind } from '#/refunds/request.ts'
import { refundDecisionKind } from '#/settlement/refund-decide.ts'
import { openTemplateStore } from '#/templates/store.ts'
import { openApiWorld, type Answer, type ApiWorld } from '../contract/world.ts'
import { lowCost } from '../people-world.ts'
import { freePort } from '../ports.ts'
import { requireShown, watchAnswers } from './answers.ts'
import { testOperatorDeps, type OperatorOptions } from './operator-deps.ts'

/** One person with one browser. */
export type Person = {
  readonly userId: UserId
  readonly email: string
  /** The header Cookie. */
  readonly cookie: string
  /** Calls the dashboard's API as its own pages do. */
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
}

export type DashboardWorld = Awaited<ReturnType<typeof openDashboardWorld>>

const by = { actor: { kind: 'SYSTEM', id: 'test' } } as const

/** What most tests need of the payer's pages: nothing. */
const noView: CheckoutView = { render: () => '', script: '', style: '', files: new Map() }

type WorldOptions = OperatorOptions & {
  /** Of the payer's pages, for previews. */
  readonly view?: CheckoutView
  /** Where browsers see the dashboard. Default: where it listens. */
  readonly origin?: string
  /** Proxies that are trusted to say the caller's address. */
  readonly trustProxy?: readonly string[]
  readonly pages?: DashboardDeps['pages']
  /** A world of its own instead of the site's: its database, books and clock, and what works on them. */
  readonly over?: Pick<HttpDeps, 'sql' | 'lane' | 'clock'> &
    Partial<Pick<HttpDeps, 'capturer' | 'settle' | 'endKind'>>
  /** How often it is checked whether another process has ended a session. */
  readonly checkEveryMs?: number
  /** Rails other than the site's, which gives nothing back. */
  readonly rails?: Rails
  /** Sends a letter. Absent: no mail server is set. */
  readonly post?: DashboardDeps['post']
  readonly passwordCost?: PasswordCost
  /** The address on which it listens. Default: the loopback one. */
  readonly host?: string
  /** The operations that the tests over this world show: `close` fails unless each was answered with success. */
  readonly shows?: readonly string[]
}

export async function openDashboardWorld({ view = noView, ...options }: WorldOptions = {}) {
  const base: ApiWorld = await openApiWorld()
  const { sql } = options.over ?? base
  const port = await freePort()
  const origin = options.origin ?? `http://localhost:${port}`
  const people = {
    sql,
    key: randomBytes(32),
    site: { name: 'Vintem', rpId: 'localhost', origin },
    passwordCost: options.passwordCost ?? lowCost,
  }
  const authenticator = createAuthenticator({ sql, pepper: base.pepper, log: silentLog })
  const templates = await openTemplateStore({ sql, log: silentLog })
  const masterKey = randomBytes(32)
  // The worker is another process: this one knows its public half, from the database.
  const workerKey = randomBytes(32)
  await publishWorkerKey({
    sql,
    macKey: workerKeyMac(masterKey),
    publicKey: deriveSealingPair(workerKey).publicKey,
    origin: 'OPERATOR',
    by: by.actor,
  })
  const connections = await openConnectionBook({
    sql,
    keys: connectionKeys(masterKey, undefined),
    log: silentLog,
  })
  const operator = testOperatorDeps({ masterKey, connections }, options)
  const server = createDashboardServer({
    operator,
    http: {
      ...base.depsWith(authenticator),
      ...options.over,
      ...(options.rails === undefined ? {} : ofRails(options.rails)),
      ...given({ trustProxy: options.trustProxy }),
    },
    people,
    templates,
    view,
    origin,
    isSandboxHere: true,
    pages: options.pages ?? (() => ({ state: 'building' })),
    ...given({ post: options.post, checkEveryMs: options.checkEveryMs }),
  })
  const watch = watchAnswers(server)
  await server.listen({ host: options.host ?? '127.0.0.1', port })

  async function ask(
    method: string,
    path: string,
    {
      body,
      headers = {},
    }: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<Answer> {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const isStream = response.headers.get('content-type') === 'text/event-stream'
    if (isStream) await response.body?.cancel()
    const text = isStream ? '' : await response.text()
    assert.deepEqual(watch.takeFaults(), [], `${method} ${path}`)
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? (JSON.parse(text) as Answer['body']) : {},
    }
  }
  const ownPage = { 'sec-fetch-site': 'same-origin', origin }

  /** A new browser of this user, signed in. */
  async function signIn(userId: UserId, email: string): Promise<Person> {
    const { token } = await createSignInLink(people, by, userId)
    const place = { address: '127.0.0.1', userAgent: 'test', isLoopback: true }
    const accepted = await acceptLink(people, { token, ...place })
    const cookie = 'token' in accepted ? `vintem_session_${port}=${accepted.token}` : ''
    return {
      userId,
      email,
      cookie,
      ask: (method, path, body, headers = {}) =>
        ask(method, path, { body, headers: { ...ownPage, cookie, ...headers } }),
    }
  }

  return {
    base,
    origin,
    port,
    people,
    /** What a worker has, and the server has not. */
    workerKeys: connectionKeys(masterKey, workerKey),
    /** A connection as the server opens it. */
    opened: connections.find,
    ask,
    ownPage,
    signIn,
    /** Every route of the server, as `GET /api/session`. */
    routes: () => routesIn(server.printRoutes({ commonPrefix: false })),
    /** A new person, a member with this role at each of the merchants, signed in. */
    async person(
      memberships: readonly { readonly merchantId: MerchantId; readonly role: Role }[],
      { isOperator = false } = {},
    ): Promise<Person> {
      const email = `${randomBytes(6).toString('hex')}@example.com`
      const { id } = await createUser(people, by, { email, name: 'Person', isOperator })
      for (const each of memberships) await addMember(people, by, { ...each, userId: id })
      return signIn(id, email)
    },
    /** Gives the person an authenticator app, and so a fresh second factor. Returns the code of a later step each time. */
    async enrol(person: Person): Promise<() => string> {
      const started = await person.ask('POST', '/api/me/totp')
      const secret = String(started.body['secret'])
      let step = 0
      // Codes of the step before, the present one and the next are accepted, each once.
      const next = () => generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + 30 * (step++ - 1) })
      const confirm = () => person.ask('POST', '/api/me/totp/confirm', { code: next() })
      const first = await confirm()
      // A step that begins during the call makes the first code two steps old. The second code is then that of the present step.
      const { status, text } = first.body['reason'] === 'wrong_second_factor' ? await confirm() : first
      if (status !== 200) throw new Error(text)
      return next
    },
    async close(): Promise<void> {
      await server.close()
      try {
        await requireShown(sql, watch, options.shows ?? [])
      } finally {
        connections.close()
        await authenticator.close()
        templates.close()
        await base.close()
      }
    },
  }
}

/** The routes that a printed tree of a Fastify server names. */
function routesIn(tree: string): readonly string[] {
  const above: string[] = []
  return tree.split('\n').flatMap((line) => {
    const found = /^((?:│ {3}| {4})*)(?:├|└)── (\S+)(?: \(([A-Z, ]+)\))?$/.exec(line)
    if (found === null) return []
    const [, indent = '', part = '', methods = ''] = found
    above.splice(indent.length / 4, Infinity, part)
    return methods.split(', ').flatMap((method) => (method === '' ? [] : [`${method} ${above.join('')}`]))
  })
}

function ofRails(rails: Rails) {
  return { rails, refundKind: refundKind(rails), refundDecisionKind: refundDecisionKind(rails) }
}

/** The pair of the cookie that an answer sets. */
export function cookieIn({ headers, text }: Answer): string {
  const cookie = headers.get('set-cookie')
  if (cookie === null) throw new Error(`no cookie: ${text}`)
  return cookie.split(';')[0] ?? ''
}
