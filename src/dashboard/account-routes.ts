// What users see and change of their own: profile, password, second factors, sessions.
import { Type as T } from 'typebox'
import { instant, uuid } from '#/kernel/schema.ts'
import { ends, none } from '#/people/concern.ts'
import { addPasskey, listPasskeys, passkeyCreation, removePasskey } from '#/people/passkeys.ts'
import { renewRecoveryCodes } from '#/people/recovery-codes.ts'
import { listSessions, revokeOtherSessions, revokeSession } from '#/people/sessions.ts'
import { changePassword } from '#/people/sign-in.ts'
import { beginTotp, confirmTotp, removeTotp } from '#/people/totp.ts'
import type { PasskeyId, SessionId } from '#/people/user.ts'
import { changeProfile } from '#/people/users.ts'
import { bodyOf, listed, placeOf } from './place.ts'
import { userRoute, type DashboardRoute } from './route.ts'
import { sessionCookie } from './session-cookie.ts'

// Shapes alone: src/people says how long a text may be, and the server how long a body.
const recoveryCodes = T.Optional(T.Array(T.String(), { description: 'Shown this once.' }))
const browserObject = T.Unsafe<object>({
  type: 'object',
  additionalProperties: true,
})

const change = userRoute({
  route: 'PATCH /me',
  concern: none('name, language and time zone'),
  operationId: 'changeProfile',
  summary: 'Changes the own name, language or time zone',
  body: bodyOf({
    name: T.Optional(T.String()),
    language: T.Optional(T.String()),
    timeZone: T.Optional(T.String()),
  }),
  handle: ({ people }, { visitor, by, body }) => changeProfile(people, by, visitor.user.id, body),
})

const password = userRoute({
  route: 'POST /me/password',
  concern: 'asks',
  operationId: 'changePassword',
  summary: 'Sets the own password; all other sessions end',
  body: bodyOf({ current: T.Optional(T.String()), password: T.String() }),
  async handle({ people, origin }, { visitor, request, reply, body }) {
    const { token } = await changePassword(people, placeOf(request), visitor, body)
    sessionCookie(origin).write(reply, token)
  },
})

const sessions = userRoute({
  route: 'GET /me/sessions',
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

const endSession = userRoute({
  route: 'DELETE /me/sessions/{id}',
  concern: ends,
  operationId: 'endSession',
  summary: 'Signs out somewhere',
  handle: ({ people }, { visitor, by, id }) => revokeSession(people, by, visitor.user.id, id as SessionId),
})

const endOthers = userRoute({
  route: 'DELETE /me/sessions',
  concern: ends,
  operationId: 'endOtherSessions',
  summary: 'Signs out everywhere else',
  handle: ({ people }, { visitor, by }) => revokeOtherSessions(people, by, visitor.user.id, visitor.id),
})

const passkeys = userRoute({
  route: 'GET /me/passkeys',
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

const passkeyOptions = userRoute({
  route: 'POST /me/passkeys/options',
  concern: 'asks',
  operationId: 'beginPasskey',
  summary: 'What the browser needs to make a passkey',
  unaudited: 'a challenge, which is not stored',
  answer: browserObject,
  handle: ({ people }, { visitor }) => passkeyCreation(people, visitor.id),
})

const newPasskey = userRoute({
  route: 'POST /me/passkeys',
  concern: 'asks',
  operationId: 'addPasskey',
  summary: 'Adds the passkey that the browser made',
  status: 201,
  answer: T.Object({ recoveryCodes }),
  body: bodyOf({ name: T.String(), response: browserObject }),
  async handle({ people }, { visitor, request, body }) {
    const { recoveryCodes: codes } = await addPasskey(people, placeOf(request), visitor.id, body)
    return codes === undefined ? {} : { recoveryCodes: codes }
  },
})

const dropPasskey = userRoute({
  route: 'DELETE /me/passkeys/{id}',
  concern: 'asks',
  operationId: 'removePasskey',
  summary: 'Removes a passkey',
  handle: ({ people }, { visitor, request, id }) =>
    removePasskey(people, placeOf(request), visitor.id, id as PasskeyId),
})

const totp = userRoute({
  route: 'POST /me/totp',
  concern: 'asks',
  operationId: 'beginTotp',
  summary: 'Begins an authenticator app',
  unaudited: 'it counts once it is confirmed, and that has its row',
  status: 201,
  answer: T.Object({ secret: T.String(), uri: T.String() }),
  handle: ({ people }, { visitor }) => beginTotp(people, visitor.id),
})

const confirm = userRoute({
  route: 'POST /me/totp/confirm',
  concern: 'asks',
  operationId: 'confirmTotp',
  summary: 'Ends the enrolment of an authenticator app with its first code',
  answer: T.Object({ recoveryCodes }),
  body: bodyOf({ code: T.String() }),
  handle: ({ people }, { visitor, request, body }) =>
    confirmTotp(people, placeOf(request), visitor.id, body.code),
})

const dropTotp = userRoute({
  route: 'DELETE /me/totp',
  concern: 'asks',
  operationId: 'removeTotp',
  summary: 'Removes the authenticator app',
  handle: ({ people }, { visitor, request }) => removeTotp(people, placeOf(request), visitor.id),
})

const codes = userRoute({
  route: 'POST /me/recovery-codes',
  concern: 'asks',
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
