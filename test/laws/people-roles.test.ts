// Laws of roles in random worlds, one after another and at once: a merchant never loses its last owner, nobody gives, changes or takes a role
// that may do more than their own, and each change has its row in the audit log.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { changeRole, removeMember } from '#/merchants/member-keys.ts'
import { acceptLink } from '#/people/accept-link.ts'
import type { By } from '#/people/audit-entry.ts'
import { createInvitation } from '#/people/links.ts'
import { addMember } from '#/people/members.ts'
import { permissionsOf, roles, type Role } from '#/people/roles.ts'
import type { User, UserId } from '#/people/user.ts'
import { setDisabled } from '#/people/users.ts'
import { fc } from '../chance.ts'
import { count } from '../counts.ts'
import { openForTests } from '../open-for-tests.ts'
import { home, operator, openPeopleWorld } from '../people-world.ts'

const dashboard = openForTests(() => openPeopleWorld())

type Step = {
  readonly kind: 'add' | 'invite' | 'change' | 'remove' | 'disable' | 'enable'
  /** Who does it, and to whom: places among the people. */
  readonly actor: number
  readonly target: number
  readonly role: Role
  /** At the same time as the step before. */
  readonly atOnce: boolean
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    ...(['add', 'invite', 'change', 'change', 'change', 'remove', 'remove', 'disable', 'enable'] as const),
  ),
  // Mostly those who may do something at first.
  actor: fc.constantFrom(0, 0, 1, 1, 2, 2, 3, 4),
  target: fc.nat(4),
  role: fc.constantFrom(...roles, 'OWNER' as const),
  atOnce: fc.boolean(),
})

type World = { readonly merchantId: MerchantId; readonly users: readonly User[] }

/** What a step of a member does. Who is disabled is an operator's matter. */
async function carryOut({ merchantId, users }: World, { kind, actor, target, role }: Step): Promise<void> {
  const [from, to] = [users[actor], users[target]]
  assert.ok(from !== undefined && to !== undefined)
  const by: By = { actor: { kind: 'USER', id: from.id } }
  const membership = { merchantId, userId: to.id, role }
  switch (kind) {
    case 'add':
      return addMember(dashboard.deps, by, membership)
    case 'invite': {
      const { token } = await createInvitation(dashboard.deps, by, { merchantId, email: to.email, role })
      await acceptLink(dashboard.deps, { ...home, token, isLoopback: false })
      return
    }
    case 'change':
      return changeRole(dashboard.deps, by, membership)
    case 'remove':
      return removeMember(dashboard.deps, by, membership)
    case 'disable':
    case 'enable':
      await setDisabled(dashboard.deps, operator, to.id, kind === 'disable')
  }
}

type Standing = { readonly roles: ReadonlyMap<UserId, Role>; readonly disabled: ReadonlySet<UserId> }

async function standingOf({ merchantId, users }: World): Promise<Standing> {
  const rows = await dashboard.owner<{ userId: UserId; role: Role }[]>`
    select user_id as "userId", role from membership where merchant_id = ${merchantId}`
  const disabled = await dashboard.owner<{ id: UserId }[]>`
    select id from app_user where disabled_at is not null and id = any (${users.map(({ id }) => id)}::uuid[])`
  return {
    roles: new Map(rows.map(({ userId, role }) => [userId, role])),
    disabled: new Set(disabled.map(({ id }) => id)),
  }
}

type Change = {
  readonly action: string
  readonly actorId: UserId
  readonly subject: string
  readonly before: { readonly role: Role } | null
  readonly after: { readonly role: Role } | null
}

/** The changes of members that the log has after this entry, and the last entry. */
async function changesSince({ merchantId }: World, last: string) {
  const rows = await dashboard.owner<(Change & { readonly id: string })[]>`
    select id, action, actor_id as "actorId", subject, before, after from audit_log
     where merchant_id = ${merchantId} and action like 'member.%' and id > ${last} order by id`
  return { changes: [...rows], last: rows.at(-1)?.id ?? last }
}

/** The roles that a person had before the steps, or got by one of them. */
function rolesIn(userId: UserId, { roles: before }: Standing, changes: readonly Change[]): readonly Role[] {
  const got = changes.flatMap(({ subject, after }) =>
    subject === `user:${userId}` && after !== null ? [after.role] : [],
  )
  const had = before.get(userId)
  return had === undefined ? got : [had, ...got]
}

function mayDo(granter: Role, role: Role): boolean {
  const own = permissionsOf(granter)
  return (
    own.includes('members:write') &&
    permissionsOf(role).every((permission) => own.includes(permission)) &&
    (role !== 'OWNER' || granter === 'OWNER')
  )
}

/** `invitersOf`: who invited this person in these steps. A person who accepts joins by their own act. */
function checkGrants(
  standing: Standing,
  changes: readonly Change[],
  invitersOf: (id: UserId) => readonly UserId[],
): void {
  for (const { action, actorId, subject, before, after } of changes) {
    const isOwn = subject === `user:${actorId}`
    if (action === 'member.remove' && isOwn) continue
    const granting = action === 'member.add' && isOwn ? invitersOf(actorId) : [actorId]
    assert.ok(
      granting.some((id) => !standing.disabled.has(id)),
      `${action} by a disabled user`,
    )
    const granters = granting.flatMap((id) => rolesIn(id, standing, changes))
    for (const role of [before?.role, after?.role])
      assert.ok(
        role === undefined || granters.some((granter) => mayDo(granter, role)),
        `${action} of ${role} by ${granters.join(' or ')}`,
      )
  }
}

/** The steps in groups: those of one group at once. */
function groupsOf(steps: readonly Step[]): readonly (readonly Step[])[] {
  const groups: Step[][] = []
  for (const each of steps) {
    // Whoever is disabled at the same time may do something before or after it: which one is unknown.
    const isAlone = each.kind === 'disable' || each.kind === 'enable'
    const present = groups.at(-1)
    const joins = each.atOnce && !isAlone && present !== undefined && present.length < 4
    if (joins && present.every(({ kind }) => kind !== 'disable' && kind !== 'enable')) present.push(each)
    else groups.push([each])
  }
  return groups
}

test('no sequence of changes leaves a merchant without an owner, or gives, changes or takes more than who does it has', async () => {
  let changed = 0
  const runs = count({ quick: 6, soak: 400 })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25 }), async (steps) => {
      const merchantId = await dashboard.merchant()
      const members = (['OWNER', 'OWNER', 'ADMIN', 'DEVELOPER'] as const).map((role) =>
        dashboard.member(merchantId, role),
      )
      const world: World = { merchantId, users: await Promise.all([...members, dashboard.user()]) }
      let standing = await standingOf(world)
      let { last } = await changesSince(world, newId<'audit-entry'>().replace(/^.{8}/, '00000000'))
      for (const group of groupsOf(steps)) {
        const outcomes = await Promise.allSettled(group.map((each) => carryOut(world, each)))
        for (const outcome of outcomes)
          if (outcome.status === 'rejected')
            assert.ok('code' in (outcome.reason as object), `not a refusal: ${String(outcome.reason)}`)
        const since = await changesSince(world, last)
        last = since.last
        changed += since.changes.length
        checkGrants(standing, since.changes, (id) =>
          group.flatMap(({ kind, actor, target }) => {
            const inviter = world.users[actor]
            return kind === 'invite' && world.users[target]?.id === id && inviter !== undefined
              ? [inviter.id]
              : []
          }),
        )
        const next = await standingOf(world)
        const owners = [...next.roles].filter(([, role]) => role === 'OWNER').map(([id]) => id)
        assert.ok(owners.length > 0, 'the merchant has an owner')
        const couldAct = (id: UserId) => !next.disabled.has(id)
        const isDisabling = group.some(({ kind }) => kind === 'disable')
        const hadActing = [...standing.roles].some(([id, role]) => role === 'OWNER' && couldAct(id))
        assert.ok(isDisabling || !hadActing || owners.some(couldAct), 'one of the owners can sign in')
        // What changed is in the log: nothing moves without its row.
        for (const { id } of world.users)
          if (standing.roles.get(id) !== next.roles.get(id))
            assert.ok(
              since.changes.some(({ subject }) => subject === `user:${id}`),
              'the change has a row',
            )
        standing = next
      }
    }),
    { numRuns: runs },
  )
  // Most steps are refused, and how many are not is by chance.
  assert.ok(changed > runs / 2, `${changed} changes`)
})
