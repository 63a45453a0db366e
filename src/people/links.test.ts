// One-time links: invitations, resets and the link of `npm start`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateSync } from 'otplib'
import { AppError } from '#/kernel/error.ts'
import { newId } from '#/kernel/id.ts'
import { changeRole } from '#/merchants/member-keys.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { goodPassword, home, operator, openPeopleWorld, refusedAs, sorted } from '../../test/people-world.ts'
import { acceptLink, type Acceptance } from './accept-link.ts'
import type { By } from './audit-entry.ts'
import {
  createInvitation,
  createReset,
  createSignInLink,
  listInvitations,
  openLink,
  requestReset,
  revokeInvitation,
} from './links.ts'
import { addMember, roleOf } from './members.ts'
import { completeSignIn } from './second-factor.ts'
import { findSession } from './sessions.ts'
import { beginTotp, confirmTotp } from './totp.ts'
import type { User } from './user.ts'
import { findUserByEmail, setDisabled } from './users.ts'

const world = openForTests(() => openPeopleWorld())

const as = (user: User): By => ({ actor: { kind: 'USER', id: user.id } })
const accept = (token: string, more: Partial<Acceptance> = {}) =>
  acceptLink(world.deps, { ...home, token, isLoopback: false, ...more })
const newPerson = { name: 'Rita', password: 'nova frase secreta' }

test('an invitation makes a user and signs them in, once', async () => {
  const merchantId = await world.merchant('Padaria')
  const owner = await world.member(merchantId, 'OWNER')
  const made = await createInvitation(world.deps, as(owner), {
    merchantId,
    email: 'Rita@example.com',
    role: 'ADMIN',
  })
  const opened = await openLink(world.deps, made.token)
  const { kind, email, merchantName, role, hasUser, loopbackOnly } = opened
  assert.deepEqual(
    { kind, email, merchantName, role, hasUser, loopbackOnly },
    {
      kind: 'INVITATION',
      email: 'rita@example.com',
      merchantName: 'Padaria',
      role: 'ADMIN',
      hasUser: false,
      loopbackOnly: false,
    },
  )
  assert.equal(await refusedAs(accept(made.token, { name: 'Rita', password: 'short' })), 'bad_password')
  assert.equal(await refusedAs(accept(made.token, { name: 'Rita' })), 'bad_password')
  const own = { language: 'pt-BR', timeZone: 'America/Sao_Paulo' }
  const accepted = await accept(made.token, { ...newPerson, ...own })
  assert.equal(accepted.next, 'done')
  const session = 'token' in accepted ? await findSession(world.deps, accepted.token) : undefined
  assert.equal(session?.user.email, 'rita@example.com')
  assert.deepEqual([session.user.language, session.user.timeZone], Object.values(own))
  assert.equal(session.memberships[0]?.role, 'ADMIN')
  assert.equal(await refusedAs(openLink(world.deps, made.token)), 'link_used')
  assert.equal(await refusedAs(accept(made.token, newPerson)), 'link_used')
  assert.equal(await refusedAs(accept('x'.repeat(43), newPerson)), 'link_used')
})

test('of two acceptances at once one wins, also when two links invite one email', async () => {
  const [here, there] = [await world.merchant(), await world.merchant()]
  const invite = (merchantId: typeof here) =>
    createInvitation(world.deps, operator, { merchantId, email: 'twice@example.com', role: 'VIEWER' })
  const [first, second] = [await invite(here), await invite(there)]
  const outcomes = await Promise.all(
    [first, first, second].map(({ token }) =>
      accept(token, newPerson).then(
        ({ next }) => next,
        () => 'refused',
      ),
    ),
  )
  assert.deepEqual(sorted(outcomes), ['done', 'refused', 'sign_in'])
  const user = await findUserByEmail(world.deps, 'twice@example.com')
  assert.ok(user)
  assert.equal(await roleOf(world.deps, here, user.id), 'VIEWER')
  assert.equal(await roleOf(world.deps, there, user.id), 'VIEWER')
})

test('an invitation of a user joins them, and neither signs in nor changes their password', async () => {
  const merchantId = await world.merchant()
  const user = await world.user()
  const { token } = await createInvitation(world.deps, operator, {
    merchantId,
    email: user.email,
    role: 'FINANCE',
  })
  assert.equal((await openLink(world.deps, token)).hasUser, true)
  const accepted = await accept(token, newPerson)
  assert.deepEqual(accepted, { kind: 'INVITATION', userId: user.id, next: 'sign_in' })
  assert.equal((await world.signIn(user)).next, 'done')
  await assert.rejects(
    createInvitation(world.deps, operator, { merchantId, email: user.email, role: 'VIEWER' }),
    { code: 'invalid_state' },
  )
})

test('nobody invites to more than they may do themselves, nor who lost the right meanwhile', async () => {
  const merchantId = await world.merchant()
  const [admin, viewer] = [await world.member(merchantId, 'ADMIN'), await world.member(merchantId, 'VIEWER')]
  const stranger = await world.member(await world.merchant(), 'OWNER')
  const invite = (by: User, role: 'OWNER' | 'ADMIN' | 'VIEWER') =>
    createInvitation(world.deps, as(by), { merchantId, email: `${by.id}@example.com`, role })
  assert.equal(await refusedAs(invite(admin, 'OWNER')), 'more_than_own')
  assert.equal(await refusedAs(invite(viewer, 'VIEWER')), 'more_than_own')
  assert.equal(await refusedAs(invite(stranger, 'VIEWER')), 'more_than_own')
  const nowhere = { merchantId: newId<'merchant'>(), email: 'x@example.com', role: 'VIEWER' } as const
  await assert.rejects(createInvitation(world.deps, operator, nowhere), { code: 'not_found' })
  const { token } = await invite(admin, 'ADMIN')
  await changeRole(world.deps, operator, { merchantId, userId: admin.id, role: 'SUPPORT' })
  assert.equal(await refusedAs(accept(token, newPerson)), 'more_than_own')
  await changeRole(world.deps, operator, { merchantId, userId: admin.id, role: 'ADMIN' })
  await setDisabled(world.deps, operator, admin.id, true)
  assert.equal(await refusedAs(accept(token, newPerson)), 'more_than_own')
  await setDisabled(world.deps, operator, admin.id, false)
  assert.equal(await refusedAs(accept(token, newPerson)), undefined)
})

test('open invitations are listed and withdrawn, and a new one to the same email ends the earlier', async () => {
  const merchantId = await world.merchant()
  const invite = (email: string) =>
    createInvitation(world.deps, operator, { merchantId, email, role: 'VIEWER' })
  const [first, second, other] = [
    await invite('a@x.example'),
    await invite('a@x.example'),
    await invite('b@x.example'),
  ]
  assert.deepEqual(
    (await listInvitations(world.deps, merchantId)).map(({ id }) => id),
    [other.id, second.id],
  )
  assert.equal(await refusedAs(openLink(world.deps, first.token)), 'link_used')
  await revokeInvitation(world.deps, operator, { merchantId, id: other.id })
  assert.equal(await refusedAs(accept(other.token, newPerson)), 'link_used')
  const [entry] = await world.owner`
    select action, before from audit_log where subject = ${`invitation:${other.id}`} order by id desc limit 1`
  const before = { email: 'b@x.example', role: 'VIEWER' }
  assert.deepEqual({ ...entry }, { action: 'invitation.revoke', before })
  const away = await world.merchant()
  const elsewhere = { merchantId: away, id: second.id }
  await assert.rejects(revokeInvitation(world.deps, operator, elsewhere), { code: 'not_found' })
  // One to the same email at another merchant is another, and is listed there alone.
  await createInvitation(world.deps, operator, { merchantId: away, email: 'a@x.example', role: 'VIEWER' })
  assert.deepEqual(
    (await listInvitations(world.deps, merchantId)).map(({ id }) => id),
    [second.id],
  )
})

test('an invitation lasts seven days, and a link to a user’s account an hour', async () => {
  const [merchantId, user] = [await world.merchant(), await world.user()]
  const invited = { merchantId, email: 'days@x.example', role: 'VIEWER' } as const
  const made = [
    await createInvitation(world.deps, operator, invited),
    await createReset(world.deps, operator, user.id),
    await createSignInLink(world.deps, operator, user.id),
  ]
  const hours = await Promise.all(
    made.map(async ({ id, endsAt }) => {
      const [row] = await world.owner<{ hours: number; endsAt: Date }[]>`
        select extract(epoch from ends_at - created_at)::double precision / 3600 as hours, ends_at as "endsAt"
          from one_time_link where id = ${id}`
      assert.deepEqual(row?.endsAt, endsAt)
      return row.hours
    }),
  )
  assert.deepEqual(hours, [7 * 24, 1, 1])
})

test('a merchant has a hundred open invitations at most, and one to a person who has one takes its place', async () => {
  const merchantId = await world.merchant()
  const invite = (email: string) =>
    createInvitation(world.deps, operator, { merchantId, email, role: 'VIEWER' })
  const { id } = await invite('n0@x.example')
  await world.owner`
    insert into one_time_link (id, digest, kind, made_by_kind, made_by, email, merchant_id, role, created_at, ends_at)
    select gen_random_uuid(), sha256((i || id::text)::bytea), kind, made_by_kind, made_by, 'n' || i || '@x.example',
           merchant_id, role, created_at, ends_at
      from one_time_link, generate_series(1, 98) as i where id = ${id}`
  const last = await invite('n99@x.example')
  await assert.rejects(invite('n100@x.example'), { code: 'limit_exceeded' })
  await invite('n99@x.example')
  const listed = await listInvitations(world.deps, merchantId)
  assert.deepEqual([listed.length, listed.some((each) => each.id === last.id)], [100, false])
})

test('nobody withdraws an invitation to more than they may do themselves', async () => {
  const merchantId = await world.merchant()
  const [owner, admin] = [await world.member(merchantId, 'OWNER'), await world.member(merchantId, 'ADMIN')]
  const invite = (role: 'OWNER' | 'ADMIN') =>
    createInvitation(world.deps, as(owner), { merchantId, email: `${role}@x.example`, role })
  const [toOwner, toAdmin] = [await invite('OWNER'), await invite('ADMIN')]
  const revoke = (by: User, { id }: typeof toOwner) =>
    refusedAs(revokeInvitation(world.deps, as(by), { merchantId, id }))
  assert.equal(await revoke(admin, toOwner), 'more_than_own')
  assert.equal(await refusedAs(openLink(world.deps, toOwner.token)), undefined)
  assert.equal(await revoke(admin, toAdmin), undefined)
  assert.equal(await revoke(owner, toOwner), undefined)
})

test('a member invites one email a few times and many emails, then waits, also who withdraws each invitation', async () => {
  const [merchantId, elsewhere] = [await world.merchant(), await world.merchant()]
  const owner = await world.member(merchantId, 'OWNER')
  await addMember(world.deps, operator, { merchantId: elsewhere, userId: owner.id, role: 'OWNER' })
  const invite = async (email: string, to = merchantId, by = as(owner)) => {
    const { id } = await createInvitation(world.deps, by, { merchantId: to, email, role: 'VIEWER' })
    await revokeInvitation(world.deps, by, { merchantId: to, id })
  }
  /** How many are made before one is refused. */
  const untilRefused = async (emailOf: (nth: number) => string, most: number) => {
    for (let nth = 0; nth < most; nth += 1) {
      const refused = await invite(emailOf(nth)).then(
        () => undefined,
        (error: unknown) => error,
      )
      if (refused === undefined) continue
      assert.ok(refused instanceof AppError)
      assert.deepEqual([refused.code, Number(refused.retryAfterMs) > 0], ['rate_limited', true])
      return nth
    }
    return most
  }
  const ofOne = await untilRefused(() => 'same@x.example', 30)
  assert.ok(ofOne >= 5 && ofOne < 30, `${ofOne} invitations of one email`)
  await invite('other@x.example')
  await invite('same@x.example', elsewhere)
  // A command is an operator's.
  await invite('same@x.example', merchantId, operator)
  const ofAll = await untilRefused((nth) => `n${nth}@x.example`, 150)
  assert.ok(ofAll >= 80 && ofAll < 150, `${ofAll} invitations of one merchant`)
  await invite('one-more@x.example', elsewhere)
})

test('a reset sets the password, ends all sessions, and still asks for the second factor', async () => {
  const user = await world.user()
  const { sessionId, token: session } = await world.signIn(user)
  const { secret } = await beginTotp(world.deps, sessionId)
  await confirmTotp(world.deps, home, sessionId, generateSync({ secret }))
  await world.owner`update user_totp set last_step = 0`
  const earlier = await createReset(world.deps, operator, user.id)
  const made = await requestReset(world.deps, {}, ` ${user.email.toUpperCase()}`)
  assert.ok(made)
  assert.equal((await openLink(world.deps, earlier.token)).kind, 'RESET')
  for (const password of ['short', `${user.name} ${user.name}`])
    assert.equal(await refusedAs(accept(made.token, { password })), 'bad_password', password)
  const outcomes = await Promise.all(
    [1, 2].map(() => refusedAs(accept(made.token, { password: 'nova frase secreta' }))),
  )
  assert.deepEqual(sorted(outcomes), ['link_used', undefined])
  // Somebody else may have signed in from an address that was known.
  assert.equal((await world.owner`select from known_address where user_id = ${user.id}`).length, 0)
  assert.ok((await world.actionsOf(user.id)).includes('user.reset-password'))
  // The others end with the one that was used.
  assert.equal(await refusedAs(openLink(world.deps, earlier.token)), 'link_used')
  assert.equal(await findSession(world.deps, session), undefined)
  assert.equal(await refusedAs(world.signIn(user)), 'wrong_credentials')
  const again = await createReset(world.deps, operator, user.id)
  const reset = () => accept(again.token, { password: 'outra frase secreta' })
  await world.owner`update app_user set disabled_at = now() where id = ${user.id}`
  assert.equal(await refusedAs(reset()), 'link_used')
  await world.owner`update app_user set disabled_at = null where id = ${user.id}`
  const accepted = await reset()
  assert.equal(accepted.next, 'second_factor')
  assert.ok('token' in accepted)
  assert.equal((await findSession(world.deps, accepted.token))?.isComplete, false)
  const proof = { totp: generateSync({ secret }) }
  const done = await completeSignIn(world.deps, home, { id: accepted.sessionId, userId: user.id }, proof)
  assert.equal(done.next, 'done')
})

test('a link that an operator makes ends the one before it, of its kind alone', async () => {
  const user = await world.user()
  const signIn = await createSignInLink(world.deps, operator, user.id)
  const [first, second] = [
    await createReset(world.deps, operator, user.id),
    await createReset(world.deps, operator, user.id),
  ]
  const opened = await Promise.all(
    [first, second, signIn].map(({ token }) => refusedAs(openLink(world.deps, token))),
  )
  assert.deepEqual(opened, ['link_used', undefined, undefined])
  const made = (await world.actionsOf(user.id)).filter((each) => each.startsWith('link.'))
  assert.deepEqual(made, ['link.create-sign-in', 'link.create-reset', 'link.create-reset'])
})

test('a reset for an unknown email or a disabled user makes nothing, and requests are limited', async () => {
  assert.equal(await requestReset(world.deps, {}, 'nobody@example.com'), undefined)
  const user = await world.user()
  const link = await createReset(world.deps, operator, user.id)
  await setDisabled(world.deps, operator, user.id, true)
  assert.equal(await requestReset(world.deps, {}, user.email), undefined)
  assert.equal(await refusedAs(accept(link.token, { password: 'nova frase secreta' })), 'link_used')
  for (const email of ['nobody@example.com', user.email]) {
    let requests = 1
    while ((await refusedAs(requestReset(world.deps, {}, email))) === undefined) requests += 1
    assert.equal(requests, 4)
  }
})

test('the link of npm start signs in once, within an hour, and from this machine alone', async () => {
  const user = await world.user()
  const made = await createSignInLink(world.deps, operator, user.id)
  assert.equal((await openLink(world.deps, made.token)).loopbackOnly, true)
  assert.equal(await refusedAs(accept(made.token)), 'not_from_here')
  const outcomes = await Promise.all([1, 2, 3].map(() => refusedAs(accept(made.token, { isLoopback: true }))))
  assert.deepEqual(sorted(outcomes), ['link_used', 'link_used', undefined])
  const late = await createSignInLink(world.deps, operator, user.id)
  await world.owner`update one_time_link set ends_at = ends_at - interval '1 hour 1 second' where id = ${late.id}`
  assert.equal(await refusedAs(accept(late.token, { isLoopback: true })), 'link_used')
})

test('a link’s token is stored as a digest alone, and is in no audit row', async () => {
  const user = await world.user()
  const { token } = await createReset(world.deps, operator, user.id)
  const [row] = await world.owner<{ text: string }[]>`
    select (select string_agg(one_time_link::text, '') from one_time_link)
           || (select string_agg(audit_log::text, '') from audit_log) as text`
  for (const hidden of [
    token,
    Buffer.from(token, 'base64url').toString('hex'),
    goodPassword,
    newPerson.password,
  ])
    assert.ok(row && !row.text.includes(hidden))
})
