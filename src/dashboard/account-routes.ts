// What users see and change of their own: profile, password, second factors, sessions.
import { Type as T } from 'typebox'
import { instant, uuid } from '#/kernel/schema.ts'
import { addPasskey, listPasskeys, passkeyCreation, removePasskey } from '#/people/passkeys.ts'
import { renewRecoveryCodes } from '#/people/recovery-codes.ts'
import { listSessions, revokeOtherSessions, revokeSession } from '#/people/sessions.ts'
import { changePassword } from '#/people/sign-in.ts'
import { beginTotp, confirmTotp, removeTotp } from '#/people/totp.ts'
import type { PasskeyId, SessionId } from '#/people/user.ts'
import { changeProfile } from '#/people/users.ts'
import { listed, placeOf } from './place.ts'
import { route, type DashboardRoute } from './route.ts'
import { sessionCookie } from './session-cookie.ts'

/** Shapes alone: src/people says how long a text may be, and the server how long a body. */
const strict = { additionalProperties: false } as const
const recoveryCodes = T.Optional(T.Array(T.String(), { description: 'Shown this once.' }))
const browserObject = T.Unsafe<object>({
  type: 'object',
  additionalProperties: true,
})

const change = route({
  method: 'PATCH',
  path: '/me',
  access: 'user',
  operationId: 'changeProfile',
  summary: 'Changes the own name, language or time zone',
  body: T.Object(
    {
      name: T.Optional(T.String()),
      language: T.Optional(T.String()),
      timeZone: T.Optional(T.String()),
    },
    strict,
  ),
  handle: ({ people }, { visitor, by, body }) => changeProfile(people, by, visitor.user.id, body),
})

const password = route({
  method: 'POST',
  path: '/me/password',
  access: 'user',
  operationId: 'changePassword',
  summary: 'Sets the own password; all other sessions end',
  body: T.Object({ current: T.Optional(T.String()), password: T.String() }, strict),
  async handle({ people, origin }, { visitor, request, reply, body }) {
    const { token } = await changePassword(people, placeOf(request), visitor, body)
    sessionCookie(origin).write(reply, token)
  },
})

const sessions = route({
  method: 'GET',
  path: '/me/sessions',
  access: 'user',
  operationId: 'listSessions',
  summary: 'Where the user is signed in',
  answer: listed(
    T.Object({
      id: uuid(),
      createdAt: instant(),
      seenAt: instant(),
      endsAt: instant(),
      address: T.String(),
      userAgent: T.String(),
      isCurrent: T.Boolean(),
    }),
  ),
  async handle({ people }, { visitor }) {
    const found = await listSessions(people, visitor.user.id)
    return { data: found.map((each) => ({ ...each, isCurrent: each.id === visitor.id })) }
  },
})

const endSession = route({
  method: 'DELETE',
  path: '/me/sessions/{id}',
  access: 'user',
  operationId: 'endSession',
  summary: 'Signs out somewhere',
  handle: ({ people }, { visitor, by, id }) => revokeSession(people, by, visitor.user.id, id as SessionId),
})

const endOthers = route({
  method: 'DELETE',
  path: '/me/sessions',
  access: 'user',
  operationId: 'endOtherSessions',
  summary: 'Signs out everywhere else',
  handle: ({ people }, { visitor, by }) => revokeOtherSessions(people, by, visitor.user.id, visitor.id),
})

const passkeys = route({
  method: 'GET',
  path: '/me/passkeys',
  access: 'user',
  operationId: 'listPasskeys',
  summary: 'The own passkeys',
  answer: listed(
    T.Object({
      id: uuid(),
      name: T.String(),
      createdAt: instant(),
      lastUsedAt: T.Union([instant(), T.Null()]),
    }),
  ),
  handle: async ({ people }, { visitor }) => ({ data: await listPasskeys(people, visitor.user.id) }),
})

const passkeyOptions = route({
  method: 'POST',
  path: '/me/passkeys/options',
  access: 'user',
  operationId: 'beginPasskey',
  summary: 'What the browser needs to make a passkey',
  unaudited: 'a challenge, which is not stored',
  answer: browserObject,
  handle: ({ people }, { visitor }) => passkeyCreation(people, visitor.id),
})

const newPasskey = route({
  method: 'POST',
  path: '/me/passkeys',
  access: 'user',
  operationId: 'addPasskey',
  summary: 'Adds the passkey that the browser made',
  status: 201,
  answer: T.Object({ recoveryCodes }),
  body: T.Object({ name: T.String(), response: browserObject }, strict),
  async handle({ people }, { visitor, request, body }) {
    const { recoveryCodes: codes } = await addPasskey(people, placeOf(request), visitor.id, body)
    return codes === undefined ? {} : { recoveryCodes: codes }
  },
})

const dropPasskey = route({
  method: 'DELETE',
  path: '/me/passkeys/{id}',
  access: 'user',
  operationId: 'removePasskey',
  summary: 'Removes a passkey',
  handle: ({ people }, { visitor, request, id }) =>
    removePasskey(people, placeOf(request), visitor.id, id as PasskeyId),
})

const totp = route({
  method: 'POST',
  path: '/me/totp',
  access: 'user',
  operationId: 'beginTotp',
  summary: 'Begins an authenticator app',
  unaudited: 'it counts once it is confirmed, and that has its row',
  status: 201,
  answer: T.Object({ secret: T.String(), uri: T.String() }),
  handle: ({ people }, { visitor }) => beginTotp(people, visitor.id),
})

const confirm = route({
  method: 'POST',
  path: '/me/totp/confirm',
  access: 'user',
  operationId: 'confirmTotp',
  summary: 'Ends the enrolment of an authenticator app with its first code',
  answer: T.Object({ recoveryCodes }),
  body: T.Object({ code: T.String() }, strict),
  handle: ({ people }, { visitor, request, body }) =>
    confirmTotp(people, placeOf(request), visitor.id, body.code),
})

const dropTotp = route({
  method: 'DELETE',
  path: '/me/totp',
  access: 'user',
  operationId: 'removeTotp',
  summary: 'Removes the authenticator app',
  handle: ({ people }, { visitor, request }) => removeTotp(people, placeOf(request), visitor.id),
})

const codes = route({
  method: 'POST',
  path: '/me/recovery-codes',
  access: 'user',
  operationId: 'renewRecoveryCodes',
  summary: 'New recovery codes in place of all others',
  status: 201,
  answer: T.Object({ recoveryCodes: T.Array(T.String()) }),
  handle: async ({ people }, { visitor, request }) => ({
    recoveryCodes: await renewRecoveryCodes(people, placeOf(request), visitor.id),
  }),
})

export const accountRoutes: readonly DashboardRoute[] = [
  change,
  password,
  sessions,
  endSession,
  endOthers,
  passkeys,
  passkeyOptions,
  newPasskey,
  dropPasskey,
  totp,
  confirm,
  dropTotp,
  codes,
]
