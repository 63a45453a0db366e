// The people of a merchant, and what they did.
import { Type as T } from 'typebox'
import { pageOf, pageTo, pageSize, paging, queryOf, readLastId, readSpan, span } from '#/http/query.ts'
import { given, withoutNulls } from '#/kernel/given.ts'
import type { UserId } from '#/kernel/id.ts'
import { localeOf } from '#/kernel/language.ts'
import { instant, oneOf, uuid } from '#/kernel/schema.ts'
import { selectSeats } from '#/merchants/key-queries.ts'
import { changeRole, keysOfMember, removeMember } from '#/merchants/member-keys.ts'
import { listAudit } from '#/people/audit-log.ts'
import { ends } from '#/people/concern.ts'
import { createInvitation, listInvitations, revokeInvitation } from '#/people/links.ts'
import { listMembers, roleOf } from '#/people/members.ts'
import { unknown } from '#/people/refusal.ts'
import { roles } from '#/people/roles.ts'
import type { LinkId } from '#/people/user.ts'
import { bodyOf, listed } from './place.ts'
import { memberRoute, type DashboardRoute } from './route.ts'

const role = oneOf('Role', roles, 'What the person may do for this merchant.')

const member = T.Object(
  {
    userId: uuid(),
    email: T.String(),
    name: T.String(),
    role,
    createdAt: instant('Since when.'),
    isDisabled: T.Boolean(),
    hasSecondFactor: T.Boolean(),
    keyId: T.Optional(uuid('By which id records name this person: `requestedBy`, `decidedBy`.')),
  },
  { title: 'Member' },
)

const list = memberRoute({
  route: 'GET /members',
  permission: 'members:read',
  operationId: 'listMembers',
  summary: 'The members of the merchant',
  answer: listed(member),
  query: queryOf(paging),
  async handle({ people, http }, { caller, query }) {
    const { cursor, limit = pageSize } = query
    const after = readLastId(cursor)
    const found = await listMembers(people, caller.merchant.id, {
      ...given({ after }),
      limit: limit + 1,
    })
    const seats = await selectSeats(
      http.sql,
      caller.merchant.id,
      found.map((each) => each.userId),
    )
    const keys = new Map(seats.map(({ member: userId, id }) => [userId, id]))
    const rows = found.map((each) => ({ ...each, id: each.userId }))
    return pageOf(rows, limit, ({ id: userId, ...each }) => {
      const keyId = keys.get(userId)
      return { ...each, ...given({ keyId }) }
    })
  },
})

const heir = uuid('The member who holds their keys from now on. Absent: the keys are revoked.')

function heirOf({ keysTo }: { readonly keysTo?: string }): { readonly keysTo?: UserId } {
  return keysTo === undefined ? {} : { keysTo: keysTo.toLowerCase() as UserId }
}

const keys = memberRoute({
  route: 'GET /members/{id}/keys',
  permission: 'members:read',
  operationId: 'listMemberKeys',
  summary:
    'The API keys in force that a member holds, here and at sub-accounts: what becomes of them is decided when the member leaves',
  answer: T.Object({
    data: T.Array(
      T.Object(
        {
          id: uuid(),
          name: T.String(),
          lastFour: T.String(),
          scopes: T.Array(T.String()),
          createdAt: instant(),
          lastUsedAt: T.Optional(instant('Absent: never.')),
          subAccount: T.Optional(uuid('The sub-account for which it was made.')),
        },
        { title: 'MemberKey' },
      ),
    ),
  }),
  query: queryOf({ role: T.Optional(oneOf('Role', roles, 'Only keys that can do more than this role.')) }),
  async handle({ http: { sql } }, { caller, id, query }) {
    const { id: merchantId } = caller.merchant
    const userId = id as UserId
    if ((await roleOf({ sql }, merchantId, userId)) === undefined) throw unknown('member')
    const found = await keysOfMember(sql, { merchantId, userId }, query.role)
    const data = found.map(({ merchantId: of, person: _person, user: _user, ...shown }) => ({
      ...withoutNulls(shown),
      ...(of === merchantId ? {} : { subAccount: of }),
    }))
    return { data }
  },
})

const change = memberRoute({
  route: 'PATCH /members/{id}',
  permission: 'members:write',
  starts: 'setting',
  concern: 'people',
  operationId: 'changeMember',
  summary:
    'Gives a member another role. Their API keys that can do more than it are revoked, or handed to the member `keysTo`',
  body: bodyOf({ role, keysTo: T.Optional(heir) }),
  handle: ({ people }, { caller, id, body, by }) =>
    changeRole(people, by, {
      merchantId: caller.merchant.id,
      userId: id as UserId,
      role: body.role,
      ...heirOf(body),
    }),
})

/** A member without `members:write` may remove themselves: the domain decides. */
const remove = memberRoute({
  route: 'DELETE /members/{id}',
  permission: 'members:read',
  starts: 'ending',
  concern: 'people',
  operationId: 'removeMember',
  summary: 'Removes a member, or leaves. Their API keys are revoked, or handed to the member `keysTo`',
  query: queryOf({ keysTo: T.Optional(heir) }),
  handle: ({ people }, { caller, id, by, query }) =>
    removeMember(people, by, { merchantId: caller.merchant.id, userId: id as UserId, ...heirOf(query) }),
})

const invitation = T.Object(
  { id: uuid(), email: T.String(), role, createdAt: instant(), endsAt: instant() },
  { title: 'Invitation' },
)

const invitations = memberRoute({
  route: 'GET /invitations',
  permission: 'members:read',
  operationId: 'listInvitations',
  summary: 'The open invitations of the merchant',
  answer: listed(invitation),
  async handle({ people }, { caller }) {
    const found = await listInvitations(people, caller.merchant.id)
    const data = found.map(({ id, email, role: offered, createdAt, endsAt }) => ({
      id,
      email,
      role: offered,
      createdAt,
      endsAt,
    }))
    return { data }
  },
})

const invite = memberRoute({
  route: 'POST /invitations',
  permission: 'members:write',
  starts: 'setting',
  concern: 'people',
  operationId: 'createInvitation',
  summary: 'Invites a person: the answer holds the link, shown this once',
  status: 201,
  answer: T.Object({
    id: uuid(),
    email: T.String(),
    endsAt: instant(),
    url: T.String(),
    isSent: T.Boolean({ description: 'Whether it is also sent by mail.' }),
  }),
  body: bodyOf({ email: T.String(), role }),
  async handle({ people, origin, post }, { caller, by, body }) {
    const { merchant, visitor } = caller
    const { token, ...made } = await createInvitation(people, by, { merchantId: merchant.id, ...body })
    // In the fragment: no server and no log of a proxy ever sees it.
    const url = `${origin}/open#${token}`
    const language = localeOf(visitor.user.language) ?? 'en'
    const letter = { kind: 'INVITATION', to: made.email, language, merchantName: merchant.name } as const
    await post?.({ ...letter, inviter: visitor.user.name, url })
    return { ...made, url, isSent: post !== undefined }
  },
})

const withdraw = memberRoute({
  route: 'DELETE /invitations/{id}',
  permission: 'members:write',
  starts: 'ending',
  concern: ends,
  operationId: 'revokeInvitation',
  summary: 'Withdraws an open invitation',
  handle: ({ people }, { caller, by, id }) =>
    revokeInvitation(people, by, { merchantId: caller.merchant.id, id: id as LinkId }),
})

const auditEntry = T.Object(
  {
    id: uuid(),
    at: instant(),
    actorKind: oneOf('ActorKind', ['OPERATOR', 'USER', 'API_KEY', 'SYSTEM'] as const, 'What did it.'),
    actorId: T.String(),
    actorName: T.Union([T.String(), T.Null()]),
    action: T.String(),
    subject: T.String(),
    before: T.Unknown(),
    after: T.Unknown(),
    reason: T.Union([T.String(), T.Null()]),
    address: T.Union([T.String(), T.Null()]),
    requestId: T.Union([T.String(), T.Null()]),
  },
  { title: 'AuditEntry' },
)

const audit = memberRoute({
  route: 'GET /audit',
  permission: 'audit:read',
  operationId: 'listAudit',
  summary: 'Who changed what, newest first',
  answer: listed(auditEntry),
  query: queryOf({
    ...paging,
    ...span,
    actorId: T.Optional(T.String()),
    action: T.Optional(T.String()),
    subject: T.Optional(T.String()),
  }),
  async handle({ http }, { caller, query }) {
    const { cursor, limit = pageSize, actorId, action, subject } = query
    const before = readLastId(cursor)
    const filter = {
      merchantId: caller.merchant.id,
      ...given({ actorId, action, subject }),
      ...readSpan(query),
    }
    const { entries, next } = await listAudit(http.sql, filter, {
      limit,
      ...given({ before }),
    })
    return pageTo({ rows: entries, next }, (entry) => {
      const { merchantId: _ofTheAccount, ...shown } = entry
      return shown
    })
  },
})

export const memberRoutes: readonly DashboardRoute[] = [
  list,
  keys,
  change,
  remove,
  invitations,
  invite,
  withdraw,
  audit,
]
