// Sessions: what they say, when they end, and that what is revoked is refused at once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNow } from '#/db/due.ts'
import { minuteMs } from '#/kernel/time.ts'
import { removeMember } from '#/merchants/member-keys.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { home, operator, openPeopleWorld, refusedAs } from '../../test/people-world.ts'
import { createReset } from './links.ts'
import { isChallenge, newChallenge, takeChallenge } from './passkeys.ts'
import { digestOfToken, placeOf } from './secrets.ts'
import type { LockedSession } from './session-queries.ts'
import {
  deleteExpired,
  byUser,
  findEnded,
  findSession,
  hasFreshFactor,
  listSessions,
  lockComplete,
  permissionsFor,
  revokeOtherSessions,
  revokeSession,
} from './sessions.ts'
import { beginTotp } from './totp.ts'
import { setDisabled } from './users.ts'

const world = openForTests(() => openPeopleWorld())

test('a session says whose it is, and what they may do for which merchant', async () => {
  const [bakery, other] = [await world.merchant('Padaria', 'SANDBOX'), await world.merchant('Mercado')]
  const user = await world.member(bakery, 'SUPPORT')
  await world.member(other, 'OWNER')
  const { token } = await world.signIn(user)
  const session = await findSession(world.deps, token)
  assert.ok(session)
  assert.deepEqual(session.memberships, [
    {
      merchantId: bakery,
      merchantName: 'Padaria',
      mode: 'SANDBOX',
      role: 'SUPPORT',
      isSubAccount: false,
      accountState: null,
    },
  ])
  assert.ok(permissionsFor(session, bakery)?.includes('payments:write'))
  assert.equal(permissionsFor(session, other), undefined)
  assert.equal(session.secondFactorUntil, null)
  const { hasPassword, passkeys, hasTotp, recoveryCodes } = session
  assert.deepEqual(
    { hasPassword, passkeys, hasTotp, recoveryCodes },
    {
      hasPassword: true,
      passkeys: 0,
      hasTotp: false,
      recoveryCodes: 0,
    },
  )
})

test('the merchant of an archived sandbox is not listed', async () => {
  const merchantId = await world.merchant()
  const user = await world.member(merchantId, 'OWNER')
  await world.owner`insert into sandbox (merchant_id, name, archived_at) values (${merchantId}, 'old', now())`
  const { token } = await world.signIn(user)
  assert.deepEqual((await findSession(world.deps, token))?.memberships, [])
})

test('of factors only the user’s own count: an app that was confirmed, and codes that were not used', async () => {
  const [user, other] = [await world.user(), await world.user()]
  for (const [{ id }, confirmed] of [
    [user, null],
    [other, new Date()],
  ] as const) {
    await world.owner`insert into user_totp (user_id, secret, created_at, confirmed_at) values (${id}, '\\x01', now(), ${confirmed})`
    await world.owner`
      insert into recovery_code (user_id, digest, digest_key, used_at)
      select ${id}, sha256((i || ${id})::bytea), '\\x01', case when i = 1 then now() end from generate_series(1, 3) as i`
  }
  const { token, sessionId } = await world.signIn(user)
  const { hasTotp, recoveryCodes } = (await findSession(world.deps, token)) ?? assert.fail('it is open')
  assert.deepEqual([hasTotp, recoveryCodes], [false, 2])
  const locked = await world.deps.sql.begin((tx): Promise<LockedSession> => lockComplete(tx, sessionId))
  assert.equal(locked.hasTotp, false)
})

test('of very many merchants a session lists a thousand', async () => {
  const user = await world.user()
  await world.owner`
    with made as (
      insert into merchant (id, mode, name, webhook_secret, created_at)
      select gen_random_uuid(), 'LIVE', 'x', '\\x00', now() from generate_series(1, 1001) returning id)
    insert into membership (merchant_id, user_id, role, created_at) select id, ${user.id}, 'VIEWER', now() from made`
  const { token } = await world.signIn(user)
  assert.equal((await findSession(world.deps, token))?.memberships.length, 1_000)
})

test('only the digest of a token is stored, and a token that we did not make finds nothing', async () => {
  const { token } = await world.signIn(await world.user())
  assert.equal(Buffer.from(token, 'base64url').length, 32)
  const rows = await world.owner`select digest from user_session where digest = ${digestOfToken(token)}`
  assert.equal(rows.length, 1)
  for (const each of ['', 'x', token.slice(1), `${token}x`])
    assert.equal(await findSession(world.deps, each), undefined)
})

test('a session ends twelve hours after its last use, and seven days after its begin', async () => {
  const { token, sessionId: id } = await world.signIn(await world.user())
  const move = (span: string) => world.owner`
    update user_session set seen_at = seen_at - ${span}::interval, ends_at = ends_at - ${span}::interval,
           created_at = created_at - ${span}::interval where id = ${id}`
  await move('11 hours 59 minutes')
  assert.ok(await findSession(world.deps, token))
  // It was seen now: another eleven hours do not end it.
  await move('11 hours')
  assert.ok(await findSession(world.deps, token))
  await move('12 hours 1 second')
  assert.equal(await findSession(world.deps, token), undefined)
  await world.owner`update user_session set seen_at = now() where id = ${id}`
  assert.ok(await findSession(world.deps, token))
  await world.owner`update user_session set ends_at = created_at + interval '7 days' - interval '7 days' where id = ${id}`
  assert.equal(await findSession(world.deps, token), undefined)
})

test('a new session ends after seven days, and its use is written once a minute', async () => {
  const { token, sessionId: id } = await world.signIn(await world.user())
  const read = async () => {
    const [row] = await world.owner<{ seenAt: Date; hours: number }[]>`
      select seen_at as "seenAt", extract(epoch from ends_at - created_at)::integer / 3600 as hours
        from user_session where id = ${id}`
    assert.ok(row)
    return row
  }
  const first = await read()
  assert.equal(first.hours, 168)
  await findSession(world.deps, token)
  assert.deepEqual((await read()).seenAt, first.seenAt)
  await world.owner`update user_session set seen_at = seen_at - interval '1 minute' where id = ${id}`
  const { seenAt } = await read()
  await findSession(world.deps, token)
  assert.ok((await read()).seenAt > seenAt)
  // Another session's use does not count.
  await world.owner`update user_session set seen_at = seen_at - interval '1 minute' where id = ${id}`
  const { seenAt: unseen } = await read()
  const other = await world.signIn(await world.user())
  await world.owner`update user_session set seen_at = seen_at - interval '1 minute' where id = ${other.sessionId}`
  await findSession(world.deps, other.token)
  assert.deepEqual((await read()).seenAt, unseen)
})

test('a revoked session is refused at the next look-up, and others go on', async () => {
  const user = await world.user()
  const [here, there, third] = [await world.signIn(user), await world.signIn(user), await world.signIn(user)]
  assert.equal((await listSessions(world.deps, user.id)).length, 3)
  const by = { actor: { kind: 'USER', id: user.id } } as const
  await revokeSession(world.deps, by, user.id, there.sessionId)
  const again = revokeSession(world.deps, by, user.id, there.sessionId)
  await assert.rejects(again, { code: 'not_found' })
  assert.equal(await findSession(world.deps, there.token), undefined)
  assert.equal(await revokeOtherSessions(world.deps, by, user.id, here.sessionId), 1)
  assert.equal(await findSession(world.deps, third.token), undefined)
  // Where no other session is left, none is revoked.
  assert.equal(await revokeOtherSessions(world.deps, by, user.id, here.sessionId), 0)
  const actions = (await world.actionsOf(user.id)).filter((each) => each.startsWith('session.revoke'))
  assert.deepEqual(actions, ['session.revoke', 'session.revoke-others'])
  assert.deepEqual(
    (await listSessions(world.deps, user.id)).map(({ id, address, userAgent }) => ({
      id,
      address,
      userAgent,
    })),
    [{ id: here.sessionId, address: home.address, userAgent: home.userAgent }],
  )
  const stranger = await world.user()
  await assert.rejects(revokeSession(world.deps, by, stranger.id, here.sessionId), { code: 'not_found' })
})

test('a disabled user has no session from then on, and none again when enabled', async () => {
  const user = await world.user()
  const { token } = await world.signIn(user)
  await setDisabled(world.deps, operator, user.id, true)
  assert.equal(await findSession(world.deps, token), undefined)
  await setDisabled(world.deps, operator, user.id, false)
  assert.equal(await findSession(world.deps, token), undefined)
  const again = await world.signIn(user)
  assert.ok(await findSession(world.deps, again.token))
  // The user decides, not what was done to their sessions.
  await world.owner`update app_user set disabled_at = now() where id = ${user.id}`
  assert.equal(await findSession(world.deps, again.token), undefined)
})

test('a second factor is fresh for five minutes by the database’s clock', async () => {
  const { token, sessionId: id } = await world.signIn(await world.user())
  assert.equal(await hasFreshFactor(world.deps, id), false)
  await world.owner`update user_session set second_factor_at = now() - interval '4 minutes 50 seconds' where id = ${id}`
  assert.equal(await hasFreshFactor(world.deps, id), true)
  const session = await findSession(world.deps, token)
  assert.equal(session?.isFactorFresh, true)
  assert.ok(session.secondFactorUntil)
  await world.owner`update user_session set is_complete = false where id = ${id}`
  assert.equal(await hasFreshFactor(world.deps, id), false)
  await world.owner`update user_session set is_complete = true where id = ${id}`
  await world.owner`update user_session set second_factor_at = now() - interval '5 minutes 1 second' where id = ${id}`
  assert.equal(await hasFreshFactor(world.deps, id), false)
  assert.equal((await findSession(world.deps, token))?.isFactorFresh, false)
})

test('a session that is not there, over or not complete changes nothing of how its user signs in', async () => {
  const { sessionId: id } = await world.signIn(await world.user())
  const begin = () => refusedAs(beginTotp(world.deps, id))
  await world.owner`update user_session set is_complete = false where id = ${id}`
  assert.equal(await begin(), 'no_session')
  await world.owner`update user_session set is_complete = true, revoked_at = now() where id = ${id}`
  assert.equal(await begin(), 'no_session')
  await world.owner`delete from user_session where id = ${id}`
  assert.equal(await begin(), 'no_session')
})

test('what a user does is noted with their address and request as far as these are known', async () => {
  const { id } = await world.user()
  const actor = { kind: 'USER', id }
  assert.deepEqual(byUser(id, {}), { actor })
  assert.deepEqual(byUser(id, home), { actor, address: home.address, requestId: home.requestId })
})

test('without a factor, a sign-in older than five minutes adds none', async () => {
  const { sessionId: id } = await world.signIn(await world.user())
  await world.owner`update user_session set signed_in_at = now() - interval '5 minutes 1 second' where id = ${id}`
  assert.equal(await refusedAs(beginTotp(world.deps, id)), 'sign_in_again')
})

test('a user agent is cut, and the oldest of very many sessions end', async () => {
  const user = await world.user()
  const { sessionId: first } = await world.signIn(user, { ...home, userAgent: `${'é'.repeat(300)}\0` })
  const [row] = await world.owner`select user_agent from user_session where id = ${first}`
  assert.equal(row?.['user_agent'], 'é'.repeat(200))
  await world.owner`
    insert into user_session (id, user_id, digest, created_at, signed_in_at, seen_at, ends_at, address, user_agent, is_complete)
    select gen_random_uuid(), user_id, sha256(i::text::bytea), now() + i * interval '1 second', now(), now(), ends_at, '', '', i > 0
      from user_session, generate_series(-2, 60) as i where id = ${first}`
  await world.signIn(user)
  const left = await world.owner`select from user_session where user_id = ${user.id}`
  // Those whose sign-in is not complete are counted apart.
  assert.equal(left.length, 50 + 3)
  assert.equal((await world.owner`select from user_session where id = ${first}`).length, 0)
})

test('what has ended is deleted, a bounded number at a time, and the rest stays', async () => {
  const user = await world.user()
  const { token, sessionId: id } = await world.signIn(user)
  await world.owner`
    insert into user_session (id, user_id, digest, created_at, signed_in_at, seen_at, ends_at, address, user_agent, is_complete)
    select gen_random_uuid(), user_id, sha256(('old' || i)::bytea), now(), now(), now(), now() - interval '1 day', '', '', true
      from user_session, generate_series(1, 1500) as i where id = ${id}`
  await world.owner`insert into used_challenge values ('\\x01', now() - interval '1 minute'), ('\\x02', now() + interval '1 hour')`
  await world.owner`insert into known_address values (${user.id}, '\\x01', now(), now() - interval '1 minute')`
  await world.owner`insert into sign_in_failure values ('\\x01', 1, now(), now() - interval '1 minute')`
  let deleted = 0
  for (;;) {
    const some = await deleteExpired(world.deps)
    assert.ok(some <= 5_000)
    if (some === 0) break
    deleted += some
  }
  assert.ok(deleted >= 1_503)
  assert.ok(await findSession(world.deps, token))
  assert.equal((await world.owner`select from used_challenge`).length, 1)
})

test('a link is kept for seven days after its end', async () => {
  const links = [0, 1].map(async () => createReset(world.deps, operator, (await world.user()).id))
  const [old, kept] = await Promise.all(links)
  assert.ok(old && kept)
  const endedBefore = (id: string, span: string) =>
    world.owner`update one_time_link set ends_at = now() - ${span}::interval where id = ${id}`
  await endedBefore(old.id, '7 days 1 minute')
  await endedBefore(kept.id, '6 days 23 hours 59 minutes')
  await deleteExpired(world.deps)
  const left = await world.owner`select id from one_time_link where id in (${old.id}, ${kept.id})`
  assert.deepEqual([...left], [{ id: kept.id }])
})

test('a challenge has random bytes, ends at its instant, and what answered it is kept for twice its life', async () => {
  const { sql, key } = world.deps
  const before = await readNow(sql)
  const [first, second] = [await newChallenge(sql, key, 'sign-in'), await newChallenge(sql, key, 'sign-in')]
  const after = await readNow(sql)
  assert.notDeepEqual(first.slice(0, 16), second.slice(0, 16))
  const text = Buffer.from(first).toString('base64url')
  const endsAtMs = Number(Buffer.from(first).readBigUInt64BE(16))
  const lifeMs = 5 * minuteMs
  assert.ok(before.getTime() + lifeMs <= endsAtMs && endsAtMs <= after.getTime() + lifeMs)
  const isGood = (atMs: number) => isChallenge(key, 'sign-in', text, new Date(atMs))
  assert.deepEqual([isGood(endsAtMs - 1), isGood(endsAtMs)], [true, false])
  assert.equal(isChallenge(key, 'sign-in', text.slice(0, 31), new Date(0)), false)
  const minutes = await sql.begin(async (tx): Promise<number | undefined> => {
    await takeChallenge(tx, text)
    const [row] = await tx<{ minutes: number }[]>`
      select round(extract(epoch from ends_at - now()) / 60)::integer as minutes
        from used_challenge where ends_at < now() + interval '30 minutes' order by ends_at desc limit 1`
    return row?.minutes
  })
  assert.equal(minutes, 10)
})

test('an address is counted as itself, and one of IPv6 as its network of 64 bits', () => {
  assert.equal(placeOf('203.0.113.7'), '203.0.113.7')
  assert.equal(placeOf('::ffff:203.0.113.7'), '203.0.113.7')
  assert.equal(placeOf('2001:0DB8:0001:0002:3:4:5:6'), '2001:db8:1:2::/64')
  assert.equal(placeOf('2001:db8:1:2::9'), '2001:db8:1:2::/64')
  assert.equal(placeOf('2001:db8::9'), '2001:db8:0:0::/64')
  assert.equal(placeOf('fe80::1%eth0'), 'fe80:0:0:0::/64')
  assert.equal(placeOf('::1'), '0:0:0:0::/64')
  assert.equal(placeOf('1:2:3::'), '1:2:3:0::/64')
  // As many zeros as are left out.
  assert.equal(placeOf('1::2:3:4:5:6:7'), '1:0:2:3::/64')
  assert.equal(placeOf('1:2:3:4:5:6:7::'), '1:2:3:4::/64')
})

test('of what is watched, what has ended is found: a session, a membership, a user, each alone', async () => {
  const [bakery, other] = [await world.merchant('Padaria'), await world.merchant('Mercado')]
  const people = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const user = await world.member(bakery, 'VIEWER')
      return { user, sessionId: (await world.signIn(user)).sessionId, merchantId: bakery }
    }),
  )
  const [going, revoked, removed, disabled, idle] = people
  assert.ok(going && revoked && removed && disabled && idle)
  const foreign = { ...going, merchantId: other }
  const endedOf = async () => new Set(await findEnded(world.deps, [...people, foreign]))
  assert.deepEqual(await endedOf(), new Set([foreign]))
  await revokeSession(world.deps, operator, revoked.user.id, revoked.sessionId)
  await removeMember(world.deps, operator, { merchantId: bakery, userId: removed.user.id })
  await setDisabled(world.deps, operator, disabled.user.id, true)
  await world.owner`update user_session set seen_at = seen_at - interval '12 hours 1 second' where id = ${idle.sessionId}`
  assert.deepEqual(await endedOf(), new Set([foreign, revoked, removed, disabled, idle]))
  await world.owner`update user_session set is_complete = false where id = ${going.sessionId}`
  assert.deepEqual(await endedOf(), new Set([...people, foreign]))
  assert.equal((await listSessions(world.deps, going.user.id)).length, 0)
  await world.owner`update user_session set is_complete = true where id = ${going.sessionId}`
  await world.owner`insert into sandbox (merchant_id, name, archived_at) values (${bakery}, 'gone', now())`
  assert.deepEqual(await endedOf(), new Set([...people, foreign]))
})
