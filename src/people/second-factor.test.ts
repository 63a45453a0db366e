// Second factors: authenticator apps, recovery codes, passkeys by a software authenticator, and when they are asked for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateSync } from 'otplib'
import { must } from '#/kernel/check.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import {
  goodPassword,
  home,
  operator,
  openPeopleWorld,
  refusedAs,
  sorted,
  site,
} from '../../test/people-world.ts'
import { softwareAuthenticator, type Faults } from '../../test/software-authenticator.ts'
import {
  newChallenge,
  addPasskey,
  confirmOptions,
  listPasskeys,
  passkeyCreation,
  removePasskey,
  signInOptions,
} from './passkeys.ts'
import { renewRecoveryCodes } from './recovery-codes.ts'
import { completeSignIn, removeFactors, stepUp } from './second-factor.ts'
import { findSession, hasFreshFactor } from './sessions.ts'
import { signInWithPasskey, signInWithPassword } from './sign-in.ts'
import { beginTotp, confirmTotp, removeTotp } from './totp.ts'
import type { SessionId, TellUser, User, UserNews } from './user.ts'
import { setDisabled } from './users.ts'

const world = openForTests(() => openPeopleWorld())

const stale = (id: SessionId) => world.owner`
  update user_session set second_factor_at = now() - interval '6 minutes', signed_in_at = now() - interval '6 minutes'
   where id = ${id}`
/** As if the last code had been used a while ago. */
const forgetStep = (user: User) => world.owner`update user_totp set last_step = 0 where user_id = ${user.id}`
const codeOf = (secret: string) => generateSync({ secret })

/** A user with an authenticator app, and a complete session whose second factor is fresh. */
async function withTotp() {
  const user = await world.user()
  const { sessionId } = await world.signIn(user)
  const { secret } = await beginTotp(world.deps, sessionId)
  const { recoveryCodes } = await confirmTotp(world.deps, home, sessionId, codeOf(secret))
  await forgetStep(user)
  return { user, sessionId, secret, recoveryCodes: must(recoveryCodes, 'the first factor comes with codes') }
}

/** A user with a passkey, and the authenticator that has it. */
async function withPasskey(settings: { isCounting?: boolean } = {}) {
  const user = await world.user()
  const { sessionId } = await world.signIn(user)
  const device = softwareAuthenticator(site.origin, settings)
  const response = device.create(await passkeyCreation(world.deps, sessionId))
  const added = await addPasskey(world.deps, home, sessionId, { name: 'Phone', response })
  return { user, sessionId, device, ...added }
}

const signInBy = async (device: ReturnType<typeof softwareAuthenticator>, faults?: Faults) =>
  signInWithPasskey(world.deps, home, device.get(await signInOptions(world.deps), faults))

test('an authenticator app counts once it was confirmed, and gives ten recovery codes', async () => {
  const user = await world.user()
  const { sessionId } = await world.signIn(user)
  const { secret, uri } = await beginTotp(world.deps, sessionId)
  assert.match(secret, /^[A-Z2-7]{32}$/)
  assert.match(uri, new RegExp(`^otpauth://totp/Vintem:.*secret=${secret}`))
  assert.equal((await world.signIn(user)).next, 'done')
  assert.equal(await refusedAs(confirmTotp(world.deps, home, sessionId, '000000')), 'wrong_second_factor')
  const { recoveryCodes } = await confirmTotp(world.deps, home, sessionId, codeOf(secret))
  assert.equal(new Set(recoveryCodes).size, 10)
  assert.ok(recoveryCodes?.every((code) => /^[2-9a-hj-np-z]{4}(-[2-9a-hj-np-z]{4}){2}$/.test(code)))
  assert.equal(await hasFreshFactor(world.deps, sessionId), true)
  const signedIn = await world.signIn(user)
  assert.deepEqual([signedIn.next, signedIn.methods], ['second_factor', ['totp', 'recovery_code']])
  // The secret is sealed, and the codes are digests.
  const [row] = await world.owner<{ text: string }[]>`
    select (select string_agg(user_totp::text, '') from user_totp) || (select string_agg(recovery_code::text, '') from recovery_code)
           || (select string_agg(audit_log::text, '') from audit_log) as text`
  for (const hidden of [secret, Buffer.from(secret).toString('hex'), ...(recoveryCodes ?? [])])
    assert.ok(!must(row, 'a row').text.includes(hidden))
})

test('a code completes the sign-in with a new token, and the one from before is never valid again', async () => {
  const { user, secret } = await withTotp()
  const first = await world.signIn(user)
  const incomplete = await findSession(world.deps, first.token)
  assert.equal(incomplete?.isComplete, false)
  assert.equal(await refusedAs(beginTotp(world.deps, first.sessionId)), 'no_session')
  const session = { id: first.sessionId, userId: user.id }
  assert.equal(await refusedAs(stepUp(world.deps, home, session, { totp: codeOf(secret) })), 'no_session')
  const done = await completeSignIn(world.deps, home, session, { totp: codeOf(secret) })
  assert.notEqual(done.token, first.token)
  assert.equal(await findSession(world.deps, first.token), undefined)
  const complete = await findSession(world.deps, done.token)
  assert.equal(complete?.isComplete, true)
  assert.equal(complete.isFactorFresh, true)
  assert.equal(
    await refusedAs(completeSignIn(world.deps, home, session, { totp: codeOf(secret) })),
    'no_session',
  )
})

test('an incomplete sign-in ends after ten minutes', async () => {
  const { user, secret } = await withTotp()
  const { token, sessionId: id } = await world.signIn(user)
  await world.owner`update user_session set ends_at = ends_at - interval '10 minutes 1 second' where id = ${id}`
  assert.equal(await findSession(world.deps, token), undefined)
  const proof = { totp: codeOf(secret) }
  assert.equal(
    await refusedAs(completeSignIn(world.deps, home, { id, userId: user.id }, proof)),
    'no_session',
  )
})

test('of one code given twice at once, one is accepted', async () => {
  // A person for each kind of code: the wrong guesses of one kind are not counted against the other.
  const [{ user, secret }, another] = [await withTotp(), await withTotp()]
  const attempts = async (of: typeof user, proof: { totp: string } | { recoveryCode: string }) => {
    const sessions = await Promise.all([1, 2, 3].map(() => world.signIn(of)))
    return Promise.all(
      sessions.map(({ sessionId: id }) =>
        refusedAs(completeSignIn(world.deps, home, { id, userId: of.id }, proof)),
      ),
    )
  }
  const oneAccepted = ['wrong_second_factor', 'wrong_second_factor', undefined]
  assert.deepEqual(sorted(await attempts(user, { totp: codeOf(secret) })), oneAccepted)
  const recoveryCode = must(another.recoveryCodes[0], 'a code')
  assert.deepEqual(sorted(await attempts(another.user, { recoveryCode })), oneAccepted)
})

test('a recovery code is accepted once, however it is typed, and only its user’s', async () => {
  const [{ user, recoveryCodes, sessionId: id }, other] = [await withTotp(), await withTotp()]
  const give = (recoveryCode: string) => stepUp(world.deps, home, { id, userId: user.id }, { recoveryCode })
  const code = must(recoveryCodes[3], 'a code')
  assert.equal(await refusedAs(give(must(other.recoveryCodes[0], 'a code'))), 'wrong_second_factor')
  await give(` ${code.toUpperCase().replaceAll('-', ' ')}`)
  assert.equal(await refusedAs(give(code)), 'wrong_second_factor')
  const renewed = await renewRecoveryCodes(world.deps, home, id)
  assert.equal(await refusedAs(give(must(recoveryCodes[4], 'a code'))), 'wrong_second_factor')
  await give(must(renewed[4], 'a code'))
})

test('guesses at codes are slowed down, and a passkey still gets in', async () => {
  const { user, device } = await withPasskey()
  const { sessionId: id } = await world.signIn(user, { ...home, address: '192.0.2.99' })
  const session = { id, userId: user.id }
  const origin = { ...home, address: '192.0.2.99' }
  const guess = () => refusedAs(completeSignIn(world.deps, origin, session, { totp: '123456' }))
  for (let failures = 0; failures < 6; failures += 1) assert.equal(await guess(), 'wrong_second_factor')
  assert.equal(await guess(), 'too_many_guesses')
  const options = await confirmOptions(world.deps, { sessionId: id, userId: user.id })
  const done = await completeSignIn(world.deps, origin, session, { passkey: device.get(options) })
  assert.equal(done.next, 'done')
})

test('changing factors needs a fresh second factor, which a code or a passkey renews', async () => {
  const { user, sessionId: id, secret, recoveryCodes } = await withTotp()
  await stale(id)
  const refusals = await Promise.all([
    refusedAs(passkeyCreation(world.deps, id)),
    refusedAs(addPasskey(world.deps, home, id, { name: 'x', response: {} })),
    refusedAs(removeTotp(world.deps, home, id)),
    refusedAs(beginTotp(world.deps, id)),
    refusedAs(renewRecoveryCodes(world.deps, home, id)),
  ])
  assert.deepEqual(new Set(refusals), new Set(['second_factor_needed']))
  const { secondFactorUntil } = await stepUp(
    world.deps,
    home,
    { id, userId: user.id },
    { totp: codeOf(secret) },
  )
  const [row] = await world.owner<{ ms: number }[]>`
    select extract(epoch from ${secondFactorUntil}::timestamptz - now())::double precision * 1000 as ms`
  assert.ok(row && row.ms > 290_000 && row.ms <= 300_000)
  await removeTotp(world.deps, home, id)
  // Without a factor there are no recovery codes either.
  assert.equal((await world.signIn(user)).next, 'done')
  const proof = { recoveryCode: must(recoveryCodes[0], 'a code') }
  assert.equal(
    await refusedAs(stepUp(world.deps, home, { id, userId: user.id }, proof)),
    'wrong_second_factor',
  )
})

test('a passkey signs in alone, and is both factors', async () => {
  const { user, device, passkey, recoveryCodes } = await withPasskey()
  assert.equal(recoveryCodes?.length, 10)
  const { next, token } = await signInBy(device)
  assert.equal(next, 'done')
  const session = await findSession(world.deps, token)
  assert.equal(session?.user.id, user.id)
  assert.equal(session.isFactorFresh, true)
  assert.equal(session.passkeys, 1)
  const [listed] = await listPasskeys(world.deps, user.id)
  assert.equal(listed?.id, passkey.id)
  assert.ok(listed.lastUsedAt)
  assert.deepEqual((await world.signIn(user)).methods, ['passkey', 'recovery_code'])
})

test('a passkey whose counter stays zero signs in again and again', async () => {
  const { device } = await withPasskey({ isCounting: false })
  for (let times = 0; times < 3; times += 1) assert.equal((await signInBy(device)).next, 'done')
})

test('every wrong answer of a passkey is refused as a wrong password is', async () => {
  const { user, device } = await withPasskey()
  const faults: readonly Faults[] = [
    { origin: 'http://localhost:9999' },
    { rpId: 'example.com' },
    { isUserVerified: false },
    { isForged: true },
    { type: 'webauthn.create' },
    { challenge: Buffer.alloc(56).toString('base64url') },
    { challenge: '' },
    { userHandle: Buffer.alloc(16).toString('base64url') },
  ]
  for (const each of faults) assert.equal(await refusedAs(signInBy(device, each)), 'wrong_credentials')
  const stranger = softwareAuthenticator(site.origin)
  stranger.create({ challenge: 'x', rp: { id: 'localhost' }, user: { id: 'x' } })
  assert.equal(await refusedAs(signInBy(stranger)), 'wrong_credentials')
  for (const each of [undefined, null, {}, { id: 'x', response: {} }, { id: 1 }])
    assert.equal(await refusedAs(signInWithPasskey(world.deps, home, each)), 'wrong_credentials')
  await setDisabled(world.deps, operator, user.id, true)
  assert.equal(await refusedAs(signInBy(device)), 'wrong_credentials')
})

test('a counter that does not grow is refused: the passkey may have been copied', async () => {
  const { device } = await withPasskey()
  await signInBy(device)
  device.counter = 0
  assert.equal(await refusedAs(signInBy(device)), 'wrong_credentials')
  device.counter = 5
  assert.equal((await signInBy(device)).next, 'done')
})

test('a challenge is accepted once, for five minutes, and for its purpose', async () => {
  const { user, sessionId, device } = await withPasskey({ isCounting: false })
  const answer = device.get(await signInOptions(world.deps))
  const outcomes = await Promise.all(
    [1, 2, 3].map(() => refusedAs(signInWithPasskey(world.deps, home, answer))),
  )
  assert.deepEqual(sorted(outcomes), ['wrong_credentials', 'wrong_credentials', undefined])
  // One for a session does not sign in, and one for signing in does not confirm a session.
  const confirm = device.get(await confirmOptions(world.deps, { sessionId, userId: user.id }))
  assert.equal(await refusedAs(signInWithPasskey(world.deps, home, confirm)), 'wrong_credentials')
  const passkey = device.get(await signInOptions(world.deps))
  const session = { id: sessionId, userId: user.id }
  assert.equal(await refusedAs(stepUp(world.deps, home, session, { passkey })), 'wrong_second_factor')
  assert.ok(await stepUp(world.deps, home, session, { passkey: confirm }))
  // An old one, made while the database's clock was six minutes behind.
  await world.owner.unsafe(
    `create or replace function clock_shift() returns interval language sql stable as $$ select interval '-6 minutes' $$`,
  )
  const challenge = Buffer.from(await newChallenge(world.deps.sql, world.deps.key, 'sign-in')).toString(
    'base64url',
  )
  await world.owner.unsafe(
    `create or replace function clock_shift() returns interval language sql stable as $$ select interval '0' $$`,
  )
  assert.equal(
    await refusedAs(signInWithPasskey(world.deps, home, device.get({ challenge }))),
    'wrong_credentials',
  )
})

test('a passkey of another user confirms no session', async () => {
  const [mine, other] = [await withPasskey(), await withPasskey()]
  const options = await confirmOptions(world.deps, { sessionId: mine.sessionId, userId: mine.user.id })
  const proof = { passkey: other.device.get(options) }
  const session = { id: mine.sessionId, userId: mine.user.id }
  assert.equal(await refusedAs(stepUp(world.deps, home, session, proof)), 'wrong_second_factor')
})

test('a wrong registration is refused, and a passkey is registered once', async () => {
  const { sessionId } = await world.signIn(await world.user())
  const device = softwareAuthenticator(site.origin)
  const faults: readonly Faults[] = [
    { origin: 'http://localhost:9999' },
    { rpId: 'example.com' },
    { isUserVerified: false },
    { challenge: 'AAAA' },
    { type: 'webauthn.get' },
  ]
  for (const each of faults) {
    const response = device.create(await passkeyCreation(world.deps, sessionId), each)
    const adding = addPasskey(world.deps, home, sessionId, { name: 'x', response })
    assert.equal(await refusedAs(adding), 'wrong_second_factor')
  }
  const response = device.create(await passkeyCreation(world.deps, sessionId))
  const add = () => refusedAs(addPasskey(world.deps, home, sessionId, { name: 'Key', response }))
  assert.deepEqual(sorted(await Promise.all([add(), add()])), ['wrong_second_factor', undefined])
  const options = await passkeyCreation(world.deps, sessionId)
  assert.deepEqual(
    options.excludeCredentials?.map(({ id }) => id),
    [response.id],
  )
})

test('a user has at most twenty passkeys, and removes their own only', async () => {
  const { user, sessionId, passkey } = await withPasskey()
  const other = await withPasskey()
  await assert.rejects(removePasskey(world.deps, home, other.sessionId, passkey.id), { code: 'not_found' })
  await world.owner`
    insert into passkey (user_id, id, credential_id, public_key, counter, transports, name, created_at)
    select ${user.id}, gen_random_uuid(), sha256(i::text::bytea), public_key, 0, '{}', 'x', now()
      from passkey, generate_series(1, 19) as i where id = ${passkey.id}`
  await assert.rejects(passkeyCreation(world.deps, sessionId), { code: 'limit_exceeded' })
  await removePasskey(world.deps, home, sessionId, passkey.id)
  assert.equal((await listPasskeys(world.deps, user.id)).length, 19)
  assert.ok((await world.actionsOf(user.id)).includes('user.remove-passkey'))
})

test('an operator removes the factors of a person who lost them, which ends their sessions', async () => {
  const { user, sessionId } = await withTotp()
  await removeFactors(world.deps, operator, user.id)
  assert.equal(await hasFreshFactor(world.deps, sessionId), false)
  assert.equal((await world.signIn(user)).next, 'done')
})

/** Dependencies that note the notifications to users. */
function listening() {
  const news: UserNews[] = []
  const tell: TellUser = async (_, each) => void news.push(each)
  return { deps: { ...world.deps, tell }, news }
}

test('a user is told when a factor is added or removed, by whomever', async () => {
  const { deps, news } = listening()
  const user = await world.user()
  const { sessionId } = await world.signIn(user)
  const { secret } = await beginTotp(deps, sessionId)
  await assert.rejects(confirmTotp(deps, home, sessionId, '000000'))
  assert.deepEqual(news, [], 'nothing was added yet')
  await confirmTotp(deps, home, sessionId, codeOf(secret))
  await removeTotp(deps, home, sessionId)
  const device = softwareAuthenticator(site.origin)
  const { passkey } = await addPasskey(deps, home, sessionId, {
    name: 'Phone',
    response: device.create(await passkeyCreation(deps, sessionId)),
  })
  await removePasskey(deps, home, sessionId, passkey.id)
  await removeFactors(deps, operator, user.id)
  assert.deepEqual(
    news.map(({ userId, what }) => [userId === user.id, what]),
    [
      [true, 'FACTOR_ADDED'],
      [true, 'FACTOR_REMOVED'],
      [true, 'FACTOR_ADDED'],
      [true, 'FACTOR_REMOVED'],
    ],
    'an operator removed none: there was none',
  )
})

test('a user is told of a completed sign-in from a new address, but not of their first one', async () => {
  const { deps, news } = listening()
  const { user, secret } = await withTotp()
  const abroad = { ...home, address: '198.51.100.9' }
  const signIn = async (origin: typeof home) => {
    const { sessionId, userId } = await signInWithPassword(deps, {
      ...origin,
      email: user.email,
      password: goodPassword,
    })
    return { id: sessionId, userId }
  }
  await completeSignIn(deps, home, await signIn(home), { totp: codeOf(secret) })
  await forgetStep(user)
  assert.deepEqual(news, [], 'the address is known')
  const session = await signIn(abroad)
  assert.deepEqual(news, [], 'a password alone is no sign-in')
  await completeSignIn(deps, abroad, session, { totp: codeOf(secret) })
  await forgetStep(user)
  await completeSignIn(deps, abroad, await signIn(abroad), { totp: codeOf(secret) })
  assert.deepEqual(news, [{ userId: user.id, what: 'NEW_ADDRESS', address: abroad.address }])

  const first = await world.user()
  const enter = () => signInWithPassword(deps, { ...home, email: first.email, password: goodPassword })
  await enter()
  assert.equal(news.length, 1, 'a first sign-in is no news')
  // As after a reset: no address is known any more.
  await world.owner`delete from known_address where user_id = ${first.id}`
  await world.owner`update app_user set created_at = now() - interval '2 days' where id = ${first.id}`
  await enter()
  assert.deepEqual(news.at(-1), { userId: first.id, what: 'NEW_ADDRESS', address: home.address })
})
