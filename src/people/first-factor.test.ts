// The first second factor of a user, and wrong codes in the audit log.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { generateSync } from 'otplib'
import { home, peopleDesk, refusedAs, site, type PeopleDesk } from '../../test/people-desk.ts'
import { softwareAuthenticator } from '../../test/software-authenticator.ts'
import { addPasskey, passkeyCreation } from './passkeys.ts'
import { completeSignIn, stepUp } from './second-factor.ts'
import { findSession, hasFreshFactor } from './sessions.ts'
import { beginTotp, confirmTotp } from './totp.ts'

let desk: PeopleDesk
before(async () => {
  desk = await peopleDesk()
})
after(() => desk[Symbol.asyncDispose]())

const codeOf = (secret: string) => generateSync({ secret })

/** A user with an authenticator app, and a complete session. */
async function withTotp() {
  const user = await desk.user()
  const { sessionId } = await desk.signIn(user)
  const { secret } = await beginTotp(desk.deps, sessionId)
  await confirmTotp(desk.deps, home, sessionId, codeOf(secret))
  return { user, sessionId, secret }
}

test('the first factor ends the sessions that were opened without one; a further factor ends none', async () => {
  for (const by of ['totp', 'passkey'] as const) {
    const user = await desk.user()
    const old = await desk.signIn(user)
    const own = await desk.signIn(user)
    if (by === 'totp') {
      const { secret } = await beginTotp(desk.deps, own.sessionId)
      await confirmTotp(desk.deps, home, own.sessionId, codeOf(secret))
    } else {
      const response = softwareAuthenticator(site.origin).create(
        await passkeyCreation(desk.deps, own.sessionId),
      )
      await addPasskey(desk.deps, home, own.sessionId, { name: 'Phone', response })
    }
    assert.equal(await findSession(desk.deps, old.token), undefined, by)
    assert.equal((await findSession(desk.deps, own.token))?.isComplete, true, by)
    const [row] = await desk.owner<{ after: { endedSessions: number } }[]>`
      select after from audit_log where subject = ${`user:${user.id}`} and action = ${`user.add-${by}`}`
    assert.equal(row?.after.endedSessions, 1, by)
  }
  const { user, sessionId, secret } = await withTotp()
  await desk.owner`update user_totp set last_step = 0 where user_id = ${user.id}`
  const second = await desk.signIn(user)
  const session = { id: second.sessionId, userId: user.id }
  const { token } = await completeSignIn(desk.deps, home, session, { totp: codeOf(secret) })
  const response = softwareAuthenticator(site.origin).create(await passkeyCreation(desk.deps, sessionId))
  await addPasskey(desk.deps, home, sessionId, { name: 'Phone', response })
  assert.notEqual(await findSession(desk.deps, token), undefined)
})

test('a wrong code has a row in the audit log with its way and address, no code, and no more than the throttle lets through', async () => {
  const { user } = await withTotp()
  const { sessionId: id } = await desk.signIn(user)
  const give = () => completeSignIn(desk.deps, home, { id, userId: user.id }, { totp: '000000' })
  for (let guesses = 0; guesses < 20; guesses += 1) await refusedAs(give())
  const rows = await desk.owner<{ actor: string; after: object; address: string }[]>`
    select actor_id as actor, after, address from audit_log
     where subject = ${`user:${user.id}`} and action = 'session.refuse'`
  assert.ok(rows.length >= 5 && rows.length < 10, String(rows.length))
  for (const row of rows)
    assert.deepEqual({ ...row }, { actor: 'sign-in', after: { how: 'totp' }, address: home.address })
})

test('a code of an authenticator app that was begun and never confirmed is no second factor, and confirms nothing', async () => {
  const user = await desk.user()
  const { sessionId } = await desk.signIn(user)
  const { secret } = await beginTotp(desk.deps, sessionId)
  await desk.owner`update user_session set second_factor_at = now() - interval '1 hour' where id = ${sessionId}`
  const proof = { totp: codeOf(secret) }
  assert.equal(
    await refusedAs(stepUp(desk.deps, home, { id: sessionId, userId: user.id }, proof)),
    'wrong_second_factor',
  )
  assert.equal(await hasFreshFactor(desk.deps, sessionId), false)
  // A sign-in after it asks for no second factor: there is none.
  assert.equal((await desk.signIn(user)).next, 'done')
})
