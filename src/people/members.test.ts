// Memberships: nobody grants what they lack, and a merchant keeps an owner.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '#/kernel/given.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { changeRole, removeMember } from '#/merchants/member-keys.ts'
import { eventually } from '../../test/eventually.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { home, operator, openPeopleWorld, refusedAs, sorted } from '../../test/people-world.ts'
import { acceptLink } from './accept-link.ts'
import type { By } from './audit-entry.ts'
import { createInvitation, createReset, listInvitations, openLink } from './links.ts'
import { addMember, listMembers, listMemberships, roleOf } from './members.ts'
import type { Role } from './roles.ts'
import { findSession } from './sessions.ts'
import type { User, UserId } from './user.ts'
import {
  changeProfile,
  createUser,
  findUserByEmail,
  hasOperator,
  listUsers,
  setDisabled,
  setOperator,
} from './users.ts'

const world = openForTests(() => openPeopleWorld())

const as = (user: User): By => ({
  actor: { kind: 'USER', id: user.id },
  address: '203.0.113.7',
  requestId: 'r1',
})

test('members are listed by pages, with their roles', async () => {
  const merchantId = await world.merchant()
  const users = [await world.member(merchantId, 'OWNER'), await world.member(merchantId, 'VIEWER')]
  const [first] = await listMembers(world.deps, merchantId, { limit: 1 })
  assert.deepEqual([first?.userId, first?.role, first?.hasSecondFactor], [users[0]?.id, 'OWNER', false])
  assert.ok(first)
  const rest = await listMembers(world.deps, merchantId, { limit: 10, after: first.userId })
  assert.deepEqual(
    rest.map(({ userId, role }) => [userId, role]),
    [[users[1]?.id, 'VIEWER']],
  )
})

test('an admin changes every role but those of owners, and a viewer none', async () => {
  const merchantId = await world.merchant()
  const [owner, admin, viewer] = [
    await world.member(merchantId, 'OWNER'),
    await world.member(merchantId, 'ADMIN'),
    await world.member(merchantId, 'VIEWER'),
  ]
  const change = (by: User, user: User, role: Role) =>
    refusedAs(changeRole(world.deps, as(by), { merchantId, userId: user.id, role }))
  assert.equal(await change(admin, viewer, 'FINANCE'), undefined)
  assert.equal(await change(admin, viewer, 'OWNER'), 'more_than_own')
  assert.equal(await change(admin, admin, 'OWNER'), 'more_than_own')
  assert.equal(await change(admin, owner, 'VIEWER'), 'more_than_own')
  assert.equal(await change(viewer, admin, 'VIEWER'), 'more_than_own')
  assert.equal(await change(viewer, viewer, 'ADMIN'), 'more_than_own')
  assert.equal(
    await refusedAs(removeMember(world.deps, as(viewer), { merchantId, userId: admin.id })),
    'more_than_own',
  )
  assert.equal(await roleOf(world.deps, merchantId, viewer.id), 'FINANCE')
  const [row] = await world.owner`
    select actor_kind, actor_id, merchant_id, before, after, address, request_id from audit_log
     where action = 'member.change' and merchant_id = ${merchantId}`
  assert.deepEqual(
    { ...row },
    {
      actor_kind: 'USER',
      actor_id: admin.id,
      merchant_id: merchantId,
      before: { role: 'VIEWER' },
      after: { role: 'FINANCE' },
      address: '203.0.113.7',
      request_id: 'r1',
    },
  )
})

test('a person of another merchant finds no member here', async () => {
  const [here, there] = [await world.merchant(), await world.merchant()]
  const member = await world.member(here, 'VIEWER')
  const stranger = await world.member(there, 'OWNER')
  const target = { merchantId: here, userId: member.id }
  await assert.rejects(changeRole(world.deps, as(stranger), { ...target, role: 'VIEWER' }), {
    code: 'not_found',
  })
  await assert.rejects(removeMember(world.deps, as(stranger), target), { code: 'not_found' })
  await assert.rejects(removeMember(world.deps, { actor: { kind: 'API_KEY', id: 'x' } }, target), {
    code: 'not_found',
  })
})

test('a member is a user who exists, of a merchant who exists', async () => {
  const [merchantId, user] = [await world.merchant(), await world.user()]
  const add = (to: MerchantId, userId: UserId) =>
    addMember(world.deps, operator, { merchantId: to, userId, role: 'VIEWER' })
  await assert.rejects(add(merchantId, newId<'user'>()), { code: 'not_found' })
  await assert.rejects(add(newId<'merchant'>(), user.id), { code: 'not_found' })
})

test('an API key, and a user with an id that is none, may grant nothing and change nobody, whatever their id says', async () => {
  const merchantId = await world.merchant()
  const [owner, viewer] = [await world.member(merchantId, 'OWNER'), await world.member(merchantId, 'VIEWER')]
  const target = { merchantId, userId: viewer.id }
  const role = 'VIEWER'
  const changes: readonly ((by: By) => Promise<unknown>)[] = [
    (by) => removeMember(world.deps, by, target),
    (by) => changeRole(world.deps, by, { ...target, role: 'ADMIN' }),
    async (by) => addMember(world.deps, by, { merchantId, userId: (await world.user()).id, role }),
    (by) => createInvitation(world.deps, by, { merchantId, email: 'eva@example.com', role }),
  ]
  // A key that has the id of an owner, or of the member, is still a key.
  for (const id of [owner.id, viewer.id, 'x'])
    for (const change of changes)
      await assert.rejects(change({ actor: { kind: 'API_KEY', id } }), { name: 'AppError' })
  for (const change of changes) await assert.rejects(change({ actor: { kind: 'USER', id: 'x' } }))
  const left = await listMembers(world.deps, merchantId, { limit: 10 })
  assert.deepEqual(
    left.map((each) => [each.userId, each.role]),
    [
      [owner.id, 'OWNER'],
      [viewer.id, 'VIEWER'],
    ],
  )
  assert.deepEqual(await listInvitations(world.deps, merchantId), [])
})

test('the last owner is neither removed nor demoted, also by two at once', async () => {
  const merchantId = await world.merchant()
  const [ana, rui] = [await world.member(merchantId, 'OWNER'), await world.member(merchantId, 'OWNER')]
  const outcomes = await Promise.all(
    [
      refusedAs(removeMember(world.deps, as(ana), { merchantId, userId: rui.id })),
      refusedAs(changeRole(world.deps, operator, { merchantId, userId: ana.id, role: 'VIEWER' })),
      refusedAs(removeMember(world.deps, operator, { merchantId, userId: ana.id })),
    ].map((each) => each.catch(() => 'not_found')),
  )
  const owners = (await listMembers(world.deps, merchantId, { limit: 10 })).filter(
    ({ role }) => role === 'OWNER',
  )
  assert.equal(owners.length, 1, outcomes.join())
  const [last] = owners
  assert.ok(last)
  assert.equal(
    await refusedAs(removeMember(world.deps, operator, { merchantId, userId: last.userId })),
    'last_owner',
  )
})

test('an owner whom an operator disabled is none who stays: the last one who can sign in neither leaves nor is demoted', async () => {
  const merchantId = await world.merchant()
  const [ana, rui] = [await world.member(merchantId, 'OWNER'), await world.member(merchantId, 'OWNER')]
  await setDisabled(world.deps, operator, rui.id, true)
  const own = { merchantId, userId: ana.id }
  assert.equal(await refusedAs(removeMember(world.deps, as(ana), own)), 'last_owner')
  assert.equal(await refusedAs(changeRole(world.deps, as(ana), { ...own, role: 'ADMIN' })), 'last_owner')
  await removeMember(world.deps, as(ana), { merchantId, userId: rui.id })
  assert.equal(await roleOf(world.deps, merchantId, rui.id), undefined)
})

test('of two owners who leave at the same time, one stays', async () => {
  for (let times = 0; times < 5; times += 1) {
    const merchantId = await world.merchant()
    const owners = [await world.member(merchantId, 'OWNER'), await world.member(merchantId, 'OWNER')]
    const outcomes = await Promise.all(
      owners.map((each) => refusedAs(removeMember(world.deps, as(each), { merchantId, userId: each.id }))),
    )
    assert.deepEqual(sorted(outcomes), ['last_owner', undefined])
  }
})

test('a member may leave, and an operator who is a user may do what commands do', async () => {
  const merchantId = await world.merchant()
  const viewer = await world.member(merchantId, 'VIEWER')
  await removeMember(world.deps, as(viewer), { merchantId, userId: viewer.id })
  assert.equal(await roleOf(world.deps, merchantId, viewer.id), undefined)
  assert.deepEqual(await world.actionsOf(viewer.id), ['user.create', 'member.add', 'member.remove'])
  const boss = await setOperator(world.deps, operator, (await world.user()).id, true)
  assert.equal(boss.isOperator, true)
  assert.equal(await hasOperator(world.deps), true)
  await addMember(world.deps, as(boss), { merchantId, userId: viewer.id, role: 'OWNER' })
  await assert.rejects(addMember(world.deps, as(boss), { merchantId, userId: viewer.id, role: 'ADMIN' }), {
    code: 'invalid_state',
  })
})

test('an operator who is a member too leaves a merchant its last owner', async () => {
  const merchantId = await world.merchant()
  const owner = await world.member(merchantId, 'OWNER')
  const boss = await setOperator(world.deps, operator, (await world.member(merchantId, 'VIEWER')).id, true)
  const removing = removeMember(world.deps, as(boss), { merchantId, userId: owner.id })
  assert.equal(await refusedAs(removing), 'last_owner')
})

test('a merchant has five hundred members at most, and a hundred merchants of a user are shown', async () => {
  const merchantId = await world.merchant()
  const [last, over] = [await world.user(), await world.user()]
  await world.owner`
    with made as (
      insert into app_user (id, email, name, language, time_zone, is_operator, created_at)
      select gen_random_uuid(), 'many' || i || '@example.com', 'x', 'en', 'UTC', false, now() from generate_series(1, 499) as i
      returning id)
    insert into membership (merchant_id, user_id, role, created_at) select ${merchantId}, id, 'VIEWER', now() from made`
  const add = (user: User) => addMember(world.deps, operator, { merchantId, userId: user.id, role: 'VIEWER' })
  await add(last)
  await assert.rejects(add(over), { code: 'limit_exceeded' })
  await world.owner`
    with made as (
      insert into merchant (id, mode, name, webhook_secret, created_at)
      select gen_random_uuid(), 'LIVE', 'x', '\\x00', now() from generate_series(1, 101) returning id)
    insert into membership (merchant_id, user_id, role, created_at) select id, ${over.id}, 'VIEWER', now() from made`
  assert.equal((await listMemberships(world.deps, over.id)).length, 100)
})

test('an email is one user, in any letters; a profile is checked', async () => {
  const user = await createUser(world.deps, operator, { email: 'Rita@Example.com ', name: ' Rita ' })
  assert.deepEqual([user.email, user.name], ['rita@example.com', 'Rita'])
  const again = createUser(world.deps, operator, { email: 'rita@EXAMPLE.com', name: 'Rita' })
  await assert.rejects(again, { code: 'invalid_state' })
  assert.equal((await findUserByEmail(world.deps, 'RITA@example.com'))?.id, user.id)
  for (const email of ['', 'rita', 'rita@', '@x', 'ri ta@example.com', 'rita@exa_mple', '<b>@x.y', 'é@x.y'])
    await assert.rejects(createUser(world.deps, operator, { email, name: 'x' }), { code: 'invalid_request' })
  const changed = await changeProfile(world.deps, as(user), user.id, {
    language: 'pt-BR',
    timeZone: 'America/Sao_Paulo',
  })
  assert.deepEqual([changed.name, changed.language, changed.timeZone], ['Rita', 'pt-BR', 'America/Sao_Paulo'])
  for (const change of [
    { language: 'xx' },
    { timeZone: 'Mars/Olympus' },
    { name: ' ' },
    { name: 'x'.repeat(201) },
    { name: 'a\0b' },
    { name: 'a\ud800b' },
  ])
    await assert.rejects(changeProfile(world.deps, as(user), user.id, change), { code: 'invalid_request' })
  const long = await changeProfile(world.deps, as(user), user.id, { name: '🦊'.repeat(200), timeZone: 'UTC' })
  assert.deepEqual([Array.from(long.name).length, long.timeZone], [200, 'UTC'])
  assert.deepEqual(await world.actionsOf(user.id), ['user.create', 'user.change', 'user.change'])
  const all = await listUsers(world.deps, { limit: 100 })
  assert.ok(all.some(({ id }) => id === user.id))
})

test('a disabled user has no session and no link left, also when enabled again, and both are noted once', async () => {
  const user = await world.user()
  const { token } = await world.signIn(user)
  const link = await createReset(world.deps, operator, user.id)
  let ended = 0
  const disable = (isDisabled: boolean) =>
    setDisabled(world.deps, operator, user.id, isDisabled, async () => void (ended += 1))
  await disable(true)
  await disable(true)
  await disable(false)
  await disable(false)
  assert.equal(ended, 1)
  assert.equal(await findSession(world.deps, token), undefined)
  assert.equal(await refusedAs(openLink(world.deps, link.token)), 'link_used')
  const actions = await world.actionsOf(user.id)
  assert.deepEqual(actions.slice(-3), ['link.create-reset', 'user.disable', 'user.enable'])
})

test('a user is made with a good password or none', async () => {
  const make = (email: string, password?: string) =>
    refusedAs(createUser(world.deps, operator, { email, name: 'Eva', ...given({ password }) }))
  assert.equal(await make('eva1@example.com', 'too short'), 'bad_password')
  assert.equal(await make('eva1@example.com'), undefined)
})

test('who is being removed at the same time brings nobody back in: not by adding, not by an invitation that they made', async () => {
  const merchantId = await world.merchant()
  const leaving = await world.member(merchantId, 'OWNER')
  await world.member(merchantId, 'OWNER')
  const friend = await world.user()
  const invited = await createInvitation(world.deps, as(leaving), {
    merchantId,
    email: friend.email,
    role: 'ADMIN',
  })
  const accept = (token: string) => refusedAs(acceptLink(world.deps, { ...home, token, isLoopback: false }))
  let tries: readonly Promise<string | undefined>[] = []
  await world.owner.begin(async (tx) => {
    await tx`delete from membership where merchant_id = ${merchantId} and user_id = ${leaving.id}`
    tries = [
      refusedAs(addMember(world.deps, as(leaving), { merchantId, userId: leaving.id, role: 'OWNER' })),
      accept(invited.token),
    ]
    await eventually('all of them wait for the removal', async () => {
      const [row] = await world.owner<{ waiting: number }[]>`
        select count(*)::int as waiting from pg_stat_activity
         where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
      return row?.waiting === tries.length
    })
  })
  assert.deepEqual(await Promise.all(tries), ['more_than_own', 'more_than_own'])
  assert.equal(await roleOf(world.deps, merchantId, leaving.id), undefined)
  assert.equal(await roleOf(world.deps, merchantId, friend.id), undefined)
})
