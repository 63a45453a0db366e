// Users of the dashboard, and what operators did. Who is an operator is only shown here: a command makes one.
import { Type as T } from 'typebox'
import { pageSize, pageTo, paging, queryOf, readLastId, readSpan, span, pageAfter } from '#/http/query.ts'
import { AppError } from '#/kernel/error.ts'
import { given, withoutNulls } from '#/kernel/given.ts'
import type { UserId } from '#/kernel/id.ts'
import { instant, oneOf, uuid, count } from '#/kernel/schema.ts'
import { disableUser, fateOfUser } from '#/merchants/member-keys.ts'
import type { By } from '#/people/audit-entry.ts'
import { listAudit } from '#/people/audit-log.ts'
import { createReset } from '#/people/links.ts'
import { listMemberships } from '#/people/members.ts'
import { roles } from '#/people/roles.ts'
import { removeFactors } from '#/people/second-factor.ts'
import { selectFactors, type UserRow } from '#/people/user-queries.ts'
import { findUserByEmail, getUser, listUsers, requireUser, setDisabled } from '#/people/users.ts'
import { bodyOf, listed } from '../place.ts'
import { operatorRoute, type DashboardRoute } from '../route.ts'
import { anyReason, because, fields, merchantOf, mode } from './words.ts'

const userFields = {
  id: uuid(),
  email: T.String(),
  name: T.String(),
  language: T.String(),
  timeZone: T.String(),
  isOperator: T.Boolean(),
  createdAt: instant(),
  disabledAt: T.Optional(instant()),
}

const list = operatorRoute({
  route: 'GET /operator/users',
  operationId: 'listUsers',
  summary:
    'All users, those that came first; with `email` the one of this address, with `operators=1` those who operate',
  answer: listed(T.Object(userFields, { title: 'User' })),
  query: queryOf({
    ...paging,
    email: T.Optional(T.String({ minLength: 1, maxLength: 400 })),
    operators: T.Optional(oneOf('Yes', ['1'], 'Only operators.')),
  }),
  async handle({ people }, { query }) {
    const { email, operators } = query
    if (email !== undefined) {
      const user = await findUserByEmail(people, email)
      return { data: user === undefined ? [] : [withoutNulls(user)] }
    }
    const filter = given({ isOperator: operators && (true as const) })
    return pageAfter(query, (page) => listUsers(people, { ...filter, ...page }), withoutNulls)
  },
})

const get = operatorRoute({
  route: 'GET /operator/users/{id}',
  operationId: 'getUser',
  summary: 'One user, with their factors and memberships',
  answer: T.Object({
    ...userFields,
    isColleague: T.Boolean({
      description: 'Another operator: only a command gives them a new password or takes their factors.',
    }),
    factors: T.Object({ passkeys: count('How many.'), hasTotp: T.Boolean() }),
    memberships: T.Array(
      T.Object({
        merchantId: uuid(),
        merchantName: T.String(),
        mode,
        role: oneOf('Role', roles, 'What they may do there.'),
      }),
    ),
  }),
  async handle({ people }, { id, by }) {
    const user = requireUser(await getUser(people, id as UserId))
    const [factors, memberships] = await Promise.all([
      selectFactors(people.sql, user.id),
      listMemberships(people, user.id),
    ])
    return { ...withoutNulls(user), isColleague: isColleague(user, by), factors, memberships }
  },
})

const keys = operatorRoute({
  route: 'GET /operator/users/{id}/keys',
  operationId: 'listUserKeys',
  summary:
    'The API keys in force that a user holds at their merchants and sub-accounts, and who could hold them all: asked before the user is disabled',
  answer: T.Object({
    data: T.Array(
      T.Object({
        id: uuid(),
        merchantId: uuid('The merchant or sub-account whose key it is.'),
        name: T.String(),
        lastFour: T.String(),
        lastUsedAt: T.Optional(instant('Absent: never.')),
      }),
    ),
    heirs: T.Array(T.Object({ userId: uuid(), email: T.String(), name: T.String() }), {
      description:
        'Members of every merchant where the user holds a key. A role that allows less is refused.',
    }),
  }),
  async handle({ people: { sql } }, { id }) {
    const user = requireUser(await getUser({ sql }, id as UserId))
    const { keys: held, heirs } = await fateOfUser(sql, user.id)
    const data = held.map(({ id: keyId, merchantId, name, lastFour, lastUsedAt }) =>
      withoutNulls({ id: keyId, merchantId, name, lastFour, lastUsedAt }),
    )
    return { data, heirs }
  },
})

const reasoned = bodyOf({ reason: anyReason })

const disable = operatorRoute({
  route: 'POST /operator/users/{id}/disable',
  permission: 'operator:write',
  concern: 'people',
  operationId: 'disableUser',
  summary:
    'Lets a user sign in no more; their sessions and links end. Their API keys are revoked, or handed to `keysTo`',
  body: bodyOf({
    reason: anyReason,
    keysTo: T.Optional(
      uuid('The member who holds their API keys from now on. Absent: the keys are revoked.'),
    ),
  }),
  handle: async ({ people }, { id, by, body }) => {
    if (by.actor.id === id) throw new AppError('forbidden', 'Nobody disables themselves.')
    const { keysTo } = body
    const fate = keysTo === undefined ? {} : { keysTo: keysTo.toLowerCase() as UserId }
    await disableUser(people, { ...by, ...because(body.reason) }, { userId: id as UserId, ...fate })
  },
})

const enable = operatorRoute({
  route: 'POST /operator/users/{id}/enable',
  permission: 'operator:write',
  concern: 'people',
  operationId: 'enableUser',
  summary: 'Lets a user sign in again',
  body: reasoned,
  handle: ({ people }, { id, by, body }) =>
    setDisabled(people, { ...by, ...because(body.reason) }, id as UserId, false),
})

const withoutFactors = operatorRoute({
  route: 'POST /operator/users/{id}/remove-factors',
  permission: 'operator:write',
  concern: 'people',
  operationId: 'removeUserFactors',
  summary: 'Removes all second factors of a user who lost them; their sessions end',
  body: reasoned,
  async handle({ people }, { id, by, body }) {
    await requireNoColleague(people, by, id as UserId)
    await removeFactors(people, { ...by, ...because(body.reason) }, id as UserId)
  },
})

/**
 * Whether the user is another operator: whoever gets them a password or takes their factors can sign in as them, and would be both of the two
 * people who decide.
 */
function isColleague({ id, isOperator }: UserRow, { actor }: By): boolean {
  return isOperator && actor.id !== id
}

/** Throws AppError `forbidden` for a colleague. */
async function requireNoColleague(people: Parameters<typeof getUser>[0], by: By, id: UserId): Promise<void> {
  if (isColleague(requireUser(await getUser(people, id)), by))
    throw new AppError(
      'forbidden',
      'This user is an operator: only a command gives one a new password or takes their factors.',
      { extra: { reason: 'colleague' } },
    )
}

const reset = operatorRoute({
  route: 'POST /operator/users/{id}/reset-link',
  permission: 'operator:write',
  concern: 'people',
  operationId: 'createResetLink',
  summary: 'A link to a new password: hand it to the person whom you know. Shown this once',
  status: 201,
  answer: T.Object({ id: uuid(), email: T.String(), endsAt: instant(), url: T.String() }),
  body: reasoned,
  async handle({ people, origin }, { id, by, body }) {
    await requireNoColleague(people, by, id as UserId)
    const { token, ...made } = await createReset(people, { ...by, ...because(body.reason) }, id as UserId)
    // In the fragment: no server and no log of a proxy ever sees it.
    return { ...made, url: `${origin}/open#${token}` }
  },
})

const auditEntry = T.Object(
  {
    id: uuid(),
    at: instant(),
    actorKind: T.String(),
    actorId: T.String(),
    actorName: T.Optional(T.String()),
    action: T.String(),
    subject: T.String(),
    merchantId: T.Optional(uuid('Absent: the operator’s own.')),
    before: T.Optional(fields),
    after: T.Optional(fields),
    reason: T.Optional(T.String()),
    address: T.Optional(T.String()),
    requestId: T.Optional(T.String()),
  },
  { title: 'OperatorAuditEntry' },
)

const textFilter = T.Optional(T.String({ minLength: 1, maxLength: 300 }))

const audit = operatorRoute({
  route: 'GET /operator/audit',
  operationId: 'listOperatorAudit',
  summary:
    'The audit log of all merchants and of the operator. A page may be short, even empty, and have a next one',
  answer: listed(auditEntry),
  query: queryOf({
    ...paging,
    ...span,
    merchant: textFilter,
    actor: textFilter,
    action: textFilter,
    subject: textFilter,
  }),
  async handle({ http: { sql } }, { query }) {
    const { cursor, limit = pageSize, merchant, actor, action, subject } = query
    const before = readLastId(cursor)
    const filter = {
      ...readSpan(query),
      ...(merchant === undefined ? {} : { merchantId: merchantOf(merchant) }),
      ...given({ actorId: actor, action, subject }),
    }
    const { entries, next } = await listAudit(sql, filter, { limit, ...(before && { before }) })
    return pageTo({ rows: entries, next }, withoutNulls)
  },
})

export const userRoutes: readonly DashboardRoute[] = [
  list,
  get,
  keys,
  disable,
  enable,
  withoutFactors,
  reset,
  audit,
]
