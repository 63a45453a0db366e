// Signing in and out: by password and second factor, by passkey, by a one-time link.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type as T } from 'typebox'
import { isFromThisMachine } from '#/edge/server.ts'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { instant, oneOf, uuid } from '#/kernel/schema.ts'
import { acceptLink, type Acceptance } from '#/people/accept-link.ts'
import { ends, signsIn } from '#/people/concern.ts'
import { openLink } from '#/people/links.ts'
import { confirmOptions, signInOptions } from '#/people/passkeys.ts'
import { operatorPermissionsOf, permissionsOf, roles } from '#/people/roles.ts'
import { completeSignIn, stepUp, type Proof } from '#/people/second-factor.ts'
import type { SignedIn } from '#/people/sessions.ts'
import { signInWithPasskey, signInWithPassword, signOut } from '#/people/sign-in.ts'
import { emailOf } from '#/people/users.ts'
import type { DashboardDeps } from './deps.ts'
import { bodyOf, placeOf } from './place.ts'
import { anyonesRoute, sessionRoute, userRoute, type DashboardRoute } from './route.ts'
import { sessionCookie } from './session-cookie.ts'

// Shapes alone: src/people says how long a text may be, and the server how long a body.
const browserObject = T.Unsafe<object>({
  type: 'object',
  additionalProperties: true,
})
const method = oneOf(
  'FactorMethod',
  ['totp', 'passkey', 'recovery_code'] as const,
  'A way to give the second factor.',
)

const next = T.Object(
  {
    next: oneOf('NextStep', ['done', 'second_factor', 'sign_in'] as const, 'What is left to do.'),
    methods: T.Optional(T.Array(method)),
  },
  { title: 'SignInStep' },
)

/** One of the three, and nothing else: `proofOf` refuses others. */
const proof = T.Object(
  { totp: T.Optional(T.String()), recoveryCode: T.Optional(T.String()), passkey: T.Optional(browserObject) },
  { additionalProperties: false, title: 'SecondFactor' },
)

/** What the browser says of its reader. It counts at the first sign-in; what we do not know of it is ignored. */
const reader = {
  language: T.Optional(T.String({ description: 'Of the browser, such as pt-BR.' })),
  timeZone: T.Optional(T.String({ description: 'Of the browser, such as America/Sao_Paulo.' })),
}

const get = userRoute({
  route: 'GET /session',
  operationId: 'getSession',
  summary: 'Who is signed in, and for which merchants they may do what',
  answer: T.Object({
    user: T.Object({
      id: uuid(),
      email: T.String(),
      name: T.String(),
      language: T.String(),
      timeZone: T.String(),
      isOperator: T.Boolean(),
    }),
    merchants: T.Array(
      T.Object({
        id: uuid(),
        name: T.String(),
        mode: oneOf('Mode', ['LIVE', 'SANDBOX'] as const, 'Whether its money is real.'),
        role: oneOf('Role', roles, 'What the person may do for this merchant.'),
        permissions: T.Array(T.String()),
        isSubAccount: T.Boolean({ description: 'Whether it has a parent.' }),
      }),
    ),
    operatorPermissions: T.Array(T.String()),
    factors: T.Object({
      hasPassword: T.Boolean(),
      passkeys: T.Integer(),
      hasTotp: T.Boolean(),
      recoveryCodes: T.Integer({ description: 'How many are left.' }),
    }),
    secondFactorUntil: T.Union([instant(), T.Null()]),
    isSandboxHere: T.Boolean(),
  }),
  async handle({ isSandboxHere }, { visitor }) {
    const { memberships, hasPassword, passkeys, hasTotp, recoveryCodes, secondFactorUntil } = visitor
    const { createdAt: _, ...user } = visitor.user
    return {
      user,
      merchants: memberships.map(({ merchantId, merchantName, mode, role, isSubAccount }) => ({
        id: merchantId,
        name: merchantName,
        mode,
        role,
        permissions: permissionsOf(role),
        isSubAccount,
      })),
      operatorPermissions: operatorPermissionsOf(user),
      factors: { hasPassword, passkeys, hasTotp, recoveryCodes },
      secondFactorUntil,
      isSandboxHere,
    }
  },
})

const password = anyonesRoute({
  route: 'POST /session/password',
  concern: signsIn,
  operationId: 'signInWithPassword',
  summary: 'Signs in by email and password',
  answer: next,
  body: bodyOf({ email: T.String(), password: T.String(), ...reader }),
  async handle(deps, { request, reply, body }) {
    return sendSession(deps, reply, await signInWithPassword(deps.people, { ...placeOf(request), ...body }))
  },
})

const secondFactor = sessionRoute({
  route: 'POST /session/second-factor',
  concern: signsIn,
  operationId: 'giveSecondFactor',
  summary: 'Completes a sign-in',
  answer: next,
  body: proof,
  async handle(deps, { visitor, request, reply, body }) {
    const session = { id: visitor.id, userId: visitor.user.id }
    return sendSession(
      deps,
      reply,
      await completeSignIn(deps.people, placeOf(request), session, proofOf(body)),
    )
  },
})

const secondFactorOptions = sessionRoute({
  route: 'POST /session/second-factor/options',
  concern: signsIn,
  operationId: 'beginSecondFactor',
  summary: 'What the browser needs to give a passkey as second factor',
  unaudited: 'a challenge, which is not stored',
  answer: browserObject,
  handle: ({ people }, { visitor }) =>
    confirmOptions(people, { sessionId: visitor.id, userId: visitor.user.id }),
})

const passkeyOptions = anyonesRoute({
  route: 'POST /session/passkey/options',
  concern: signsIn,
  operationId: 'beginPasskeySignIn',
  summary: 'What the browser needs to sign in by passkey',
  unaudited: 'a challenge, which is not stored',
  answer: browserObject,
  handle: ({ people }) => signInOptions(people),
})

const passkey = anyonesRoute({
  route: 'POST /session/passkey',
  concern: signsIn,
  operationId: 'signInWithPasskey',
  summary: 'Signs in by passkey alone',
  answer: next,
  body: bodyOf({ response: browserObject, ...reader }),
  async handle(deps, { request, reply, body: { response, ...from } }) {
    const origin = { ...placeOf(request), ...from }
    return sendSession(deps, reply, await signInWithPasskey(deps.people, origin, response))
  },
})

const link = anyonesRoute({
  route: 'POST /session/link',
  concern: signsIn,
  operationId: 'signInWithLink',
  summary: 'Signs in by the one-time link of a start, from the machine of the server',
  answer: next,
  body: bodyOf({ token: T.String(), ...reader }),
  async handle(deps, { request, reply, body }) {
    const opened = await openLink(deps.people, body.token)
    if (opened.kind !== 'SIGN_IN') throw new AppError('link_used', 'This link does not sign anyone in.')
    return accept(deps, request, reply, body)
  },
})

const site = anyonesRoute({
  route: 'GET /site',
  operationId: 'getSite',
  summary: 'What the sign-in page offers here',
  answer: T.Object({
    hasMail: T.Boolean({ description: 'Whether a link to a new password can be sent.' }),
    isSandboxHere: T.Boolean(),
  }),
  handle: async ({ post, isSandboxHere }) => ({ hasMail: post !== undefined, isSandboxHere }),
})

/** The answer is the same and takes the same time, whether there is such a user or not: a worker looks the user up. */
const askReset = anyonesRoute({
  route: 'POST /session/reset',
  concern: signsIn,
  operationId: 'askNewPassword',
  summary: 'Sends a link to a new password to this email, if a user has it',
  unaudited: 'a worker makes the link, and its row',
  status: 202,
  answer: T.Object({}),
  body: bodyOf({ email: T.String() }),
  async handle({ post, resets }, { request, body }) {
    if (post === undefined)
      throw new AppError(
        'invalid_state',
        'No mail is sent here: ask the operator for a link to a new password.',
      )
    const email = emailOf(body.email)
    resets.spend(request.ip)
    await post({ kind: 'RESET_REQUEST', email })
    return {}
  },
})

const openLinkRoute = anyonesRoute({
  route: 'POST /links/open',
  concern: signsIn,
  operationId: 'openLink',
  summary: 'What a one-time link is for; it can still be used afterwards',
  unaudited: 'it reads',
  answer: T.Object({
    kind: oneOf('LinkKind', ['INVITATION', 'RESET', 'SIGN_IN'] as const, 'What it does.'),
    email: T.String(),
    merchantName: T.Optional(T.String()),
    role: T.Optional(T.String()),
    hasUser: T.Boolean({ description: 'The email has a user already, who joins without a password.' }),
    endsAt: instant(),
  }),
  body: bodyOf({ token: T.String() }),
  async handle({ people }, { body }) {
    const { loopbackOnly: _, ...opened } = await openLink(people, body.token)
    return opened
  },
})

const acceptLinkRoute = anyonesRoute({
  route: 'POST /links/accept',
  concern: signsIn,
  operationId: 'acceptLink',
  summary: 'Joins a merchant, or sets a new password; once',
  answer: next,
  body: bodyOf({
    token: T.String(),
    name: T.Optional(T.String()),
    ...reader,
    password: T.Optional(T.String()),
  }),
  handle: (deps, { request, reply, body }) => accept(deps, request, reply, body),
})

const stepUpOptions = userRoute({
  route: 'POST /step-up/options',
  concern: signsIn,
  operationId: 'beginStepUp',
  summary: 'What the browser needs to give a passkey again',
  unaudited: 'a challenge, which is not stored',
  answer: browserObject,
  handle: ({ people }, { visitor }) =>
    confirmOptions(people, { sessionId: visitor.id, userId: visitor.user.id }),
})

const stepUpRoute = userRoute({
  route: 'POST /step-up',
  concern: signsIn,
  operationId: 'stepUp',
  summary: 'Gives the second factor again; it counts for five minutes',
  unaudited: 'it grants nothing that the session did not have',
  answer: T.Object({ secondFactorUntil: instant() }),
  body: proof,
  handle: ({ people }, { visitor, request, body }) =>
    stepUp(people, placeOf(request), { id: visitor.id, userId: visitor.user.id }, proofOf(body)),
})

const end = sessionRoute({
  route: 'DELETE /session',
  concern: ends,
  operationId: 'signOut',
  summary: 'Signs out',
  async handle({ people, origin }, { visitor, request, reply }) {
    await signOut(people, placeOf(request), { id: visitor.id, userId: visitor.user.id })
    sessionCookie(origin).clear(reply)
  },
})

async function accept(
  deps: DashboardDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Omit<Acceptance, 'isLoopback' | 'address' | 'userAgent'>,
) {
  const place = { ...placeOf(request), isLoopback: isFromThisMachine(request) }
  const accepted = await acceptLink(deps.people, { ...body, ...place })
  return accepted.next === 'sign_in' ? { next: accepted.next } : sendSession(deps, reply, accepted)
}

/** Sends the cookie of a session that was opened, or that has a new token. */
function sendSession({ origin }: DashboardDeps, reply: FastifyReply, signedIn: SignedIn) {
  sessionCookie(origin).write(reply, signedIn.token)
  const { methods } = signedIn
  return { next: signedIn.next, ...given({ methods }) }
}

function proofOf({ totp, recoveryCode, passkey: response }: Readonly<Record<string, unknown>>): Proof {
  const given = [totp, recoveryCode, response].filter((each) => each !== undefined)
  if (given.length !== 1) throw new AppError('invalid_request', 'Send one of totp, recoveryCode and passkey.')
  if (typeof totp === 'string') return { totp }
  return typeof recoveryCode === 'string' ? { recoveryCode } : { passkey: response }
}

export const sessionRoutes: readonly DashboardRoute[] = [
  get,
  password,
  secondFactor,
  secondFactorOptions,
  passkeyOptions,
  passkey,
  link,
  site,
  askReset,
  openLinkRoute,
  acceptLinkRoute,
  stepUpOptions,
  stepUpRoute,
  end,
]
