// The first second factor of a user, wrong codes, and what the audit log says of factors.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateSync } from 'otplib'
import { newId } from '#/kernel/id.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { home, operator, openPeopleWorld, refusedAs, site } from '../../test/people-world.ts'
import { softwareAuthenticator } from '../../test/software-authenticator.ts'
import { addPasskey, passkeyCreation } from './passkeys.ts'
import { renewRecoveryCodes } from './recovery-codes.ts'
import { completeSignIn, removeFactors, stepUp } from './second-factor.ts'
import { findSession, hasFreshFactor } from './sessions.ts'
import { beginTotp, confirmTotp, removeTotp } from './totp.ts'
import type { UserNews } from './user.ts'

const world = openForTests(() => openPeopleWorld())

const codeOf = (secret: string) => generateSync({ secret })
/** As if the last code had been used a while ago. */
const forgetSteps = () => world.owner`update user_totp set last_step = 0`

/** A user with an authenticator app, and a complete session. */
async function withTotp() {
  const user = await world.user()
  const { sessionId } = await world.signIn(user)
  const { secret } = await beginTotp(world.deps, sessionId)
  await confirmTotp(world.deps, home, sessionId, codeOf(secret))
  return { user, sessionId, secret }
}

test('the first factor ends the sessions that were opened without one; a further factor ends none', async () => {
  for (const by of ['totp', 'passkey'] as const) {
    const user = await world.user()
    const old = await world.signIn(user)
    const own = await world.signIn(user)
    if (by === 'totp') {
      const { secret } = await beginTotp(world.deps, own.sessionId)
      await confirmTotp(world.deps, home, own.sessionId, codeOf(secret))
    } else {
      const response = softwareAuthenticator(site.origin).create(
        await passkeyCreation(world.deps, own.sessionId),
      )
      await addPasskey(world.deps, home, own.sessionId, { name: 'Phone', response })
    }
    assert.equal(await findSession(world.deps, old.token), undefined, by)
    assert.equal((await findSession(world.deps, own.token))?.isComplete, true, by)
    const [row] = await world.owner<{ after: { endedSessions: number } }[]>`
      select after from audit_log where subject = ${`user:${user.id}`} and action = ${`user.add-${by}`}`
    assert.equal(row?.after.endedSessions, 1, by)
  }
  const { user, sessionId, secret } = await withTotp()
  await forgetSteps()
  const second = await world.signIn(user)
  const session = { id: second.sessionId, userId: user.id }
  const { token } = await completeSignIn(world.deps, home, session, { totp: codeOf(secret) })
  const response = softwareAuthenticator(site.origin).create(await passkeyCreation(world.deps, sessionId))
  await addPasskey(world.deps, home, sessionId, { name: 'Phone', response })
  assert.notEqual(await findSession(world.deps, token), undefined)
})

test('a wrong code has a row in the audit log with its way and address, no code, and no more than the throttle lets through', async () => {
  const { user } = await withTotp()
  const { sessionId: id } = await world.signIn(user)
  const give = () => completeSignIn(world.deps, home, { id, userId: user.id }, { totp: '000000' })
  for (let guesses = 0; guesses < 20; guesses += 1) await refusedAs(give())
  const rows = await world.owner<{ actor: string; after: object; address: string; request: string }[]>`
    select actor_id as actor, after, address, request_id as request from audit_log
     where subject = ${`user:${user.id}`} and action = 'session.refuse'`
  assert.ok(rows.length >= 5 && rows.length < 10, String(rows.length))
  for (const row of rows)
    assert.deepEqual(
      { ...row },
      { actor: 'sign-in', after: { how: 'totp' }, address: home.address, request: home.requestId },
    )
})

test('a code of an authenticator app that was begun and never confirmed is no second factor, and confirms nothing', async () => {
  const user = await world.user()
  const { sessionId } = await world.signIn(user)
  const { secret } = await beginTotp(world.deps, sessionId)
  await world.owner`update user_session set second_factor_at = now() - interval '1 hour' where id = ${sessionId}`
  const proof = { totp: codeOf(secret) }
  assert.equal(
    await refusedAs(stepUp(world.deps, home, { id: sessionId, userId: user.id }, proof)),
    'wrong_second_factor',
  )
  assert.equal(await hasFreshFactor(world.deps, sessionId), false)
  // A sign-in after it asks for no second factor: there is none.
  assert.equal((await world.signIn(user)).next, 'done')
})

test('an authenticator app is confirmed while the sign-in is fresh', async () => {
  const { sessionId } = await world.signIn(await world.user())
  const { secret } = await beginTotp(world.deps, sessionId)
  await world.owner`update user_session set signed_in_at = now() - interval '6 minutes' where id = ${sessionId}`
  assert.equal(await refusedAs(confirmTotp(world.deps, home, sessionId, codeOf(secret))), 'sign_in_again')
})

test('who has no factor gets no recovery codes', async () => {
  const { sessionId } = await world.signIn(await world.user())
  assert.equal(await refusedAs(renewRecoveryCodes(world.deps, home, sessionId)), 'second_factor_needed')
})

test('each change and use of a factor has a row in the audit log', async () => {
  const { user, sessionId, secret } = await withTotp()
  await forgetSteps()
  await stepUp(world.deps, home, { id: sessionId, userId: user.id }, { totp: codeOf(secret) })
  await renewRecoveryCodes(world.deps, home, sessionId)
  await forgetSteps()
  const { sessionId: id } = await world.signIn(user)
  await completeSignIn(world.deps, home, { id, userId: user.id }, { totp: codeOf(secret) })
  await removeTotp(world.deps, home, sessionId)
  await removeFactors(world.deps, operator, user.id)
  assert.deepEqual((await world.actionsOf(user.id)).slice(1), [
    'session.open',
    'user.add-totp',
    'session.step-up',
    'user.renew-recovery-codes',
    'session.open',
    'session.complete',
    'user.remove-totp',
    'user.remove-factors',
  ])
})

test('only a wrong code is a refused sign-in: no session that has ended, and no passkey', async () => {
  const { user, sessionId, secret } = await withTotp()
  const prove = (id: typeof sessionId, proof: Parameters<typeof stepUp>[3]) =>
    refusedAs(stepUp(world.deps, home, { id, userId: user.id }, proof))
  assert.equal(await prove(newId<'session'>(), { totp: codeOf(secret) }), 'no_session')
  assert.equal(await prove(sessionId, { passkey: {} }), 'wrong_second_factor')
  assert.ok(!(await world.actionsOf(user.id)).includes('session.refuse'))
  assert.equal(await prove(sessionId, { totp: '000000' }), 'wrong_second_factor')
  assert.ok((await world.actionsOf(user.id)).includes('session.refuse'))
})

test('a right code takes the wrong guesses before it back', async () => {
  const { user, sessionId: id, secret } = await withTotp()
  const give = (totp: string) => refusedAs(stepUp(world.deps, home, { id, userId: user.id }, { totp }))
  // Five wrong ones cost nothing, and the sixth sets a wait.
  for (let times = 0; times < 2; times += 1) {
    for (let guess = 0; guess < 4; guess += 1) assert.equal(await give('000000'), 'wrong_second_factor')
    await forgetSteps()
    assert.equal(await give(codeOf(secret)), undefined)
  }
})

test('a completed sign-in leaves a user fifty sessions: the newest', async () => {
  const { user, sessionId, secret } = await withTotp()
  await forgetSteps()
  await world.owner`
    insert into user_session (id, user_id, digest, created_at, signed_in_at, seen_at, ends_at, address, user_agent, is_complete)
    select gen_random_uuid(), user_id, sha256((id::text || i)::bytea), now() - interval '1 minute', now(), now(), ends_at, '', '', true
      from user_session, generate_series(1, 50) as i where id = ${sessionId}`
  const { sessionId: id } = await world.signIn(user)
  await completeSignIn(world.deps, home, { id, userId: user.id }, { totp: codeOf(secret) })
  const left = await world.owner`select from user_session where user_id = ${user.id}`
  assert.equal(left.length, 50)
})

test('an operator removes the factors of a user who exists, with their codes; who had one is told', async () => {
  const news: UserNews[] = []
  const deps = { ...world.deps, tell: async (_: unknown, each: UserNews) => void news.push(each) }
  const [{ user: first }, second] = [await withTotp(), await world.user()]
  const { sessionId } = await world.signIn(second)
  const response = softwareAuthenticator(site.origin).create(await passkeyCreation(world.deps, sessionId))
  await addPasskey(world.deps, home, sessionId, { name: 'Phone', response })
  for (const { id } of [first, second]) await removeFactors(deps, operator, id)
  assert.deepEqual(
    news.map(({ userId, what }) => [userId, what]),
    [first, second].map(({ id }) => [id, 'FACTOR_REMOVED']),
  )
  const codes = await world.owner`select from recovery_code where user_id in (${first.id}, ${second.id})`
  assert.equal(codes.length, 0)
  await assert.rejects(removeFactors(deps, operator, newId<'user'>()), { code: 'not_found' })
})
