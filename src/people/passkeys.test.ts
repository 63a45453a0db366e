// Passkeys: what a browser is asked for and may answer, names, and what is left when one is removed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#/kernel/error.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { home, openPeopleWorld, refusedAs, site } from '../../test/people-world.ts'
import { softwareAuthenticator } from '../../test/software-authenticator.ts'
import {
  addPasskey,
  confirmOptions,
  listPasskeys,
  passkeyCreation,
  removePasskey,
  signInOptions,
} from './passkeys.ts'
import { findSession } from './sessions.ts'
import { signInWithPasskey } from './sign-in.ts'
import type { SessionId } from './user.ts'

const world = openForTests(() => openPeopleWorld())

/** A new passkey of the session's user, and the authenticator that has it. */
async function add(sessionId: SessionId, transports: readonly string[] = []) {
  const device = softwareAuthenticator(site.origin)
  const { response, ...made } = device.create(await passkeyCreation(world.deps, sessionId))
  const answer = { ...made, response: { ...response, transports } }
  return { device, ...(await addPasskey(world.deps, home, sessionId, { name: 'Phone', response: answer })) }
}

test('a passkey is asked for with ES256, RS256 or EdDSA', async () => {
  const { sessionId } = await world.signIn(await world.user())
  const { pubKeyCredParams } = await passkeyCreation(world.deps, sessionId)
  // Numbers of IANA's registry of COSE algorithms.
  assert.deepEqual(
    pubKeyCredParams.map(({ alg }) => alg),
    [-7, -257, -8],
  )
})

test('the name of a passkey has 1 to 100 characters, none of them broken', async () => {
  const { sessionId } = await world.signIn(await world.user())
  /** What is wrong: a name is looked at before the answer of the browser, which is none here. */
  const codeOf = async (name: string) => {
    try {
      await addPasskey(world.deps, home, sessionId, { name, response: {} })
    } catch (error) {
      return error instanceof AppError ? error.code : error
    }
  }
  for (const name of ['', ' ', 'x'.repeat(101), 'a\0b', 'a\ud800b'])
    assert.equal(await codeOf(name), 'invalid_request', JSON.stringify(name))
  for (const name of ['x', ' x ', 'x'.repeat(100), '🦊'.repeat(100)])
    assert.equal(await codeOf(name), 'sign_in_refused', name)
})

test('what is no answer of a browser registers nothing and signs nobody in', async () => {
  const { sessionId } = await world.signIn(await world.user())
  const answers: readonly unknown[] = [
    undefined,
    null,
    'x',
    {},
    { id: 'x' },
    { id: 'x', response: null },
    { id: 'x', response: 'x' },
    { id: 'x', response: {} },
    { id: 1, response: { authenticatorData: 'x', attestationObject: 'x' } },
    { id: 'x', response: { authenticatorData: 1, attestationObject: 1 } },
  ]
  for (const response of answers) {
    const adding = addPasskey(world.deps, home, sessionId, { name: 'x', response })
    assert.equal(await refusedAs(adding), 'wrong_second_factor', JSON.stringify(response))
    const signingIn = signInWithPasskey(world.deps, home, response)
    assert.equal(await refusedAs(signingIn), 'wrong_credentials', JSON.stringify(response))
  }
})

test('an answer may leave out whose the passkey is', async () => {
  const user = await world.user()
  const { device } = await add((await world.signIn(user)).sessionId)
  const { response, ...answer } = device.get(await signInOptions(world.deps))
  const { userHandle: _, ...rest } = response
  assert.equal((await signInWithPasskey(world.deps, home, { ...answer, response: rest })).userId, user.id)
})

test('of the ways to reach an authenticator the first ten that are words are kept', async () => {
  const user = await world.user()
  const { sessionId } = await world.signIn(user)
  const words = Array.from({ length: 11 }, (_, nth) => `way-${'x'.repeat(nth)}`)
  await add(sessionId, ['Not A Word', 'x'.repeat(21), ...words])
  const options = await confirmOptions(world.deps, { sessionId, userId: user.id })
  assert.deepEqual(options.allowCredentials?.[0]?.transports, words.slice(0, 10))
})

test('recovery codes come with the first passkey and go with the last one', async () => {
  const user = await world.user()
  const { sessionId, token } = await world.signIn(user)
  const codes = async () => (await findSession(world.deps, token))?.recoveryCodes
  const [first, second] = [await add(sessionId), await add(sessionId)]
  assert.deepEqual([first.recoveryCodes?.length, second.recoveryCodes], [10, undefined])
  await removePasskey(world.deps, home, sessionId, first.passkey.id)
  assert.equal(await codes(), 10)
  await removePasskey(world.deps, home, sessionId, second.passkey.id)
  assert.equal(await codes(), 0)
})

test('a passkey is removed with a fresh second factor alone', async () => {
  const user = await world.user()
  const { sessionId } = await world.signIn(user)
  const { passkey } = await add(sessionId)
  await world.owner`update user_session set second_factor_at = now() - interval '6 minutes' where id = ${sessionId}`
  const removing = removePasskey(world.deps, home, sessionId, passkey.id)
  assert.equal(await refusedAs(removing), 'second_factor_needed')
  assert.equal((await listPasskeys(world.deps, user.id)).length, 1)
})

test('a passkey that somebody has already is not registered again', async () => {
  const [first, second] = [await world.signIn(await world.user()), await world.signIn(await world.user())]
  const { passkey } = await add(first.sessionId)
  const response = softwareAuthenticator(site.origin).create(
    await passkeyCreation(world.deps, second.sessionId),
  )
  await world.owner`
    update passkey set credential_id = ${Buffer.from(response.id, 'base64url')} where id = ${passkey.id}`
  const adding = addPasskey(world.deps, home, second.sessionId, { name: 'x', response })
  await assert.rejects(adding, { code: 'invalid_state' })
})

test('the twenty-first passkey is refused, also when it was asked for before the twentieth was there', async () => {
  const { sessionId } = await world.signIn(await world.user())
  const { passkey } = await add(sessionId)
  const more = (count: number) => world.owner`
    insert into passkey (user_id, id, credential_id, public_key, counter, transports, name, created_at)
    select user_id, gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), public_key, 0, '{}', 'x', now()
      from passkey, generate_series(1, ${count}::integer) where id = ${passkey.id}`
  await more(18)
  const options = await passkeyCreation(world.deps, sessionId)
  await more(1)
  const response = softwareAuthenticator(site.origin).create(options)
  const adding = addPasskey(world.deps, home, sessionId, { name: 'x', response })
  await assert.rejects(adding, { code: 'limit_exceeded' })
})
