// Sign-in by password: what it answers, and how guesses are slowed down without locking anyone out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { eventually } from '../../test/eventually.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { goodPassword, home, operator, openPeopleWorld, refusedAs } from '../../test/people-world.ts'
import { findSession } from './sessions.ts'
import { changePassword, signInWithPassword, signOut } from './sign-in.ts'
import { setDisabled } from './users.ts'

const world = openForTests(() => openPeopleWorld())

/** An address that no test used before. */
let addresses = 0
const elsewhere = () => {
  addresses += 1
  return { ...home, address: `198.51.${Math.floor(addresses / 250)}.${1 + (addresses % 250)}` }
}
const guess = (email: string, origin = elsewhere(), password = 'a wrong password') =>
  signInWithPassword(world.deps, { ...origin, email, password })
const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => assert.fail('it was not refused'),
    (error: unknown) => error as AppError,
  )
/** As if the counted failures were old. */
const waitOut = () => world.owner`update sign_in_failure set next_at = now() - interval '1 second'`
const forget = () => world.owner`delete from sign_in_failure`

test('the right password opens a session, whatever the letters of the email', async () => {
  const user = await world.user()
  const signedIn = await signInWithPassword(world.deps, {
    ...home,
    email: ` ${user.email.toUpperCase()} `,
    password: goodPassword,
  })
  assert.equal(signedIn.next, 'done')
  const session = await findSession(world.deps, signedIn.token)
  assert.deepEqual(session?.user, user)
  assert.equal(session.isComplete, true)
  assert.equal(session.isFactorFresh, false)
  assert.equal(session.isSignInFresh, true)
  assert.deepEqual(await world.actionsOf(user.id), ['user.create', 'session.open'])
})

test('an unknown account, a wrong password and a disabled user get the same answer after the same work', async () => {
  const [known, disabled, without] = [await world.user(), await world.user(), await world.user()]
  await setDisabled(world.deps, operator, disabled.id, true)
  await world.owner`delete from user_password where user_id = ${without.id}`
  const rowsBefore = await world.owner`select count(*)::integer as count from sign_in_failure`
  const errors = [
    await errorOf(guess('nobody@example.com')),
    await errorOf(guess(known.email)),
    await errorOf(guess(disabled.email, elsewhere(), goodPassword)),
    await errorOf(guess(without.email)),
    await errorOf(guess(known.email, elsewhere(), 'x'.repeat(100_000))),
  ]
  const refusals = errors.map(({ code, message, extra, faults }) => ({ code, message, extra, faults }))
  for (const each of refusals) assert.deepEqual(each, refusals[0])
  assert.equal(refusals[0]?.extra['reason'], 'wrong_credentials')
  for (const { id } of [known, disabled, without])
    assert.ok((await world.actionsOf(id)).includes('session.refuse'))
  // Each was counted for its account, known or not, and for its address.
  const rowsAfter = await world.owner`select count(*)::integer as count from sign_in_failure`
  assert.equal(Number(rowsAfter[0]?.['count']) - Number(rowsBefore[0]?.['count']), 4 + 5)
})

test('a wrong password has a row in the audit log; an email without a user has none, and no row holds a password', async () => {
  const user = await world.user()
  const place = elsewhere()
  await errorOf(guess(user.email, place, 'the secret that somebody tried'))
  assert.deepEqual(await world.actionsOf(user.id), ['user.create', 'session.refuse'])
  const [row] = await world.owner<{ text: string; address: string }[]>`
    select audit_log::text as text, address from audit_log
     where action = 'session.refuse' and subject = ${`user:${user.id}`}`
  assert.equal(row?.address, place.address)
  assert.doesNotMatch(row.text, /secret that somebody/)
  const before = await world.owner`select count(*)::integer as n from audit_log`
  await errorOf(guess('nobody-in-the-log@example.com'))
  assert.deepEqual(await world.owner`select count(*)::integer as n from audit_log`, before)
  // What comes too early is not checked, and has no row.
  for (let guesses = 0; guesses < 30; guesses += 1) await errorOf(guess(user.email))
  const rows = await world.actionsOf(user.id)
  assert.ok(rows.length >= 10 && rows.length <= 16, String(rows.length))
})

test('what is no email is an unknown account', async () => {
  for (const email of ['', 'x', 'a\0@example.com', '\ud800@example.com', `${'x'.repeat(70)}@example.com`])
    assert.equal(await refusedAs(guess(email)), 'wrong_credentials')
})

test('guesses at an account are slowed down, from everywhere, also when there is no such account', async () => {
  const user = await world.user()
  for (const email of [user.email, 'nobody-at-all@example.com']) {
    for (let failures = 0; failures < 11; failures += 1)
      assert.equal(await refusedAs(guess(email)), 'wrong_credentials')
    const error = await errorOf(guess(email))
    assert.equal(error.code, 'rate_limited')
    assert.ok(error.retryAfterMs !== undefined && error.retryAfterMs <= 1_000)
    await waitOut()
    assert.equal(await refusedAs(guess(email)), 'wrong_credentials')
    const longer = await errorOf(guess(email))
    assert.ok(
      longer.retryAfterMs !== undefined && longer.retryAfterMs > 1_000 && longer.retryAfterMs <= 2_000,
    )
  }
})

test('many guesses at once are counted as one after another', async () => {
  const user = await world.user()
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => refusedAs(guess(user.email))))
  assert.equal(outcomes.filter((each) => each === 'wrong_credentials').length, 11)
  assert.equal(outcomes.filter((each) => each === 'too_many_guesses').length, 9)
})

test('a person at an address from which they signed in gets in while others guess', async () => {
  const user = await world.user()
  const office = elsewhere()
  await world.signIn(user, office)
  for (let failures = 0; failures < 11; failures += 1) await refusedAs(guess(user.email))
  assert.equal(await refusedAs(guess(user.email, elsewhere(), goodPassword)), 'too_many_guesses')
  assert.equal((await world.signIn(user, office)).next, 'done')
})

test('guesses from an address of the person are counted apart, and wait a minute at most', async () => {
  const user = await world.user()
  const office = elsewhere()
  await world.signIn(user, office)
  for (let failures = 0; failures < 11; failures += 1)
    assert.equal(await refusedAs(guess(user.email, office)), 'wrong_credentials')
  assert.equal(await refusedAs(guess(user.email, office)), 'too_many_guesses')
  await world.owner`update sign_in_failure set failures = 500, next_at = now() - interval '1 second'`
  await refusedAs(guess(user.email, office))
  const { retryAfterMs = 0 } = await errorOf(guess(user.email, office))
  assert.ok(retryAfterMs > 50_000 && retryAfterMs <= 60_000)
  await forget()
})

test('an address that guesses at many accounts is slowed down, and a network of IPv6 is one address', async () => {
  const origin = (nth: number) => ({ ...home, address: `2001:db8:1:2::${nth.toString(16)}` })
  for (let failures = 0; failures < 31; failures += 1)
    assert.equal(
      await refusedAs(guess(`guess${failures}@example.com`, origin(failures))),
      'wrong_credentials',
    )
  assert.equal(await refusedAs(guess('another@example.com', origin(99))), 'too_many_guesses')
  assert.equal(
    await refusedAs(guess('another@example.com', { ...home, address: '2001:db8:1:3::1' })),
    'wrong_credentials',
  )
  // A refused guess is counted nowhere: the account it was for has one failure.
  const rows = await world.owner`select failures from sign_in_failure order by failures desc limit 1`
  assert.equal(rows[0]?.['failures'], 31)
  await forget()
})

test('a right password forgives the failures of the account, and one of the address', async () => {
  const user = await world.user()
  const origin = elsewhere()
  for (let failures = 0; failures < 5; failures += 1) await refusedAs(guess(user.email, origin))
  await world.signIn(user, origin)
  const rows = await world.owner`select failures from sign_in_failure`
  assert.deepEqual(
    rows.map(({ failures }) => Number(failures)),
    [5],
  )
  await forget()
})

test('a hash with older parameters is replaced at the next sign-in', async () => {
  const user = await world.user()
  const { passwordCost: _, ...usual } = world.deps
  const signIn = (password: string) => signInWithPassword(usual, { ...home, email: user.email, password })
  const hash = async () =>
    String((await world.owner`select hash from user_password where user_id = ${user.id}`)[0]?.['hash'])
  assert.match(await hash(), /m=8,t=1,p=1/)
  assert.equal(await refusedAs(signIn('a wrong password')), 'wrong_credentials')
  assert.match(await hash(), /m=8,t=1,p=1/)
  await signIn(goodPassword)
  assert.match(await hash(), /m=19456,t=2,p=1/)
  await signIn(goodPassword)
  await world.owner`update user_password set hash = replace(hash, 'm=19456', 'm=64') where user_id = ${user.id}`
  assert.equal(await refusedAs(signIn(goodPassword)), 'wrong_credentials')
})

test('a new password ends the other sessions, and gives this one a new token', async () => {
  const user = await world.user()
  const [here, there] = [await world.signIn(user), await world.signIn(user)]
  const session = await findSession(world.deps, here.token)
  assert.ok(session)
  const change = (request: { current?: string; password: string }) =>
    changePassword(world.deps, home, session, request)
  assert.equal(await refusedAs(change({ password: 'another good phrase' })), 'present_password')
  assert.equal(
    await refusedAs(change({ current: 'a wrong password', password: 'another good phrase' })),
    'present_password',
  )
  assert.equal(await refusedAs(change({ current: goodPassword, password: 'too short' })), 'bad_password')
  assert.equal(await findSession(world.deps, there.token).then((each) => each?.id), there.sessionId)
  // The present password shows who it is; without one, a sign-in of the last five minutes does.
  await world.owner`update user_session set signed_in_at = now() - interval '5 minutes 1 second' where id = ${session.id}`
  const { token } = await change({ current: goodPassword, password: 'another good phrase' })
  assert.equal(await findSession(world.deps, here.token), undefined)
  assert.equal(await findSession(world.deps, there.token), undefined)
  assert.equal((await findSession(world.deps, token))?.id, session.id)
  assert.equal(await refusedAs(world.signIn(user)), 'wrong_credentials')
  await signInWithPassword(world.deps, { ...home, email: user.email, password: 'another good phrase' })
  assert.ok((await world.actionsOf(user.id)).includes('user.change-password'))
})

test('whoever has no password sets one soon after the sign-in alone, and with a factor the present one is not enough', async () => {
  const [bare, guarded] = [await world.user(), await world.user()]
  const password = 'another good phrase'
  for (const user of [bare, guarded]) {
    const { token, sessionId } = await world.signIn(user)
    const session = (await findSession(world.deps, token)) ?? assert.fail('it is open')
    const change = (current?: string) =>
      refusedAs(
        changePassword(world.deps, home, session, {
          password,
          ...given({ current }),
        }),
      )
    await world.owner`update user_session set signed_in_at = now() - interval '5 minutes 1 second' where id = ${sessionId}`
    if (user === bare) {
      await world.owner`delete from user_password where user_id = ${user.id}`
      assert.equal(await change(), 'sign_in_again')
      await world.owner`update user_session set signed_in_at = now() where id = ${sessionId}`
      assert.equal(await change(), undefined)
    } else {
      await world.owner`
        insert into passkey (user_id, id, credential_id, public_key, counter, transports, name, created_at)
        values (${user.id}, gen_random_uuid(), '\\x01', '\\x01', 0, '{}', 'x', now())`
      for (const given of [undefined, goodPassword]) assert.equal(await change(given), 'second_factor_needed')
      await world.owner`update user_session set second_factor_at = now() where id = ${sessionId}`
      assert.equal(await change(), undefined)
    }
  }
})

test('the right present password is no guess, however often it is given', async () => {
  const user = await world.user()
  const { token } = await world.signIn(user)
  const session = (await findSession(world.deps, token)) ?? assert.fail('it is open')
  const other = 'another good phrase'
  // One more than costs nothing, and one that would wait.
  for (let changes = 0; changes < 12; changes += 1) {
    const [current, password] = changes % 2 === 0 ? [goodPassword, other] : [other, goodPassword]
    await changePassword(world.deps, home, session, { current, password })
  }
})

test('a user who is disabled while their password is compared is not signed in', async () => {
  const user = await world.user()
  let signingIn: Promise<string | undefined> = Promise.resolve(undefined)
  await world.owner.begin(async (tx) => {
    await tx`update app_user set disabled_at = now() where id = ${user.id}`
    signingIn = refusedAs(world.signIn(user))
    await eventually('the sign-in waits for the change', async () => {
      const [row] = await world.owner<{ waiting: number }[]>`
        select count(*)::int as waiting from pg_stat_activity
         where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
      return row?.waiting === 1
    })
  })
  assert.equal(await signingIn, 'wrong_credentials')
})

test('signing out ends the session, and does no harm twice', async () => {
  const user = await world.user()
  const { token, sessionId: id } = await world.signIn(user)
  await signOut(world.deps, home, { id, userId: user.id })
  await signOut(world.deps, home, { id, userId: user.id })
  assert.equal(await findSession(world.deps, token), undefined)
  assert.deepEqual(await world.actionsOf(user.id), ['user.create', 'session.open', 'session.end'])
})

test('no password, token or code is in the audit log', async () => {
  const rows = await world.owner<{ text: string }[]>`select audit_log::text as text from audit_log`
  assert.ok(rows.length > 20)
  for (const { text } of rows) assert.doesNotMatch(text, /argon2|correct horse|another good phrase/)
})
