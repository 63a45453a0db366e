// How many failures of each kind cost nothing, how long the next ones wait at most, and when an address is known.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#/kernel/id.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { openPeopleWorld } from '../../test/people-world.ts'
import { isKnownAddress, isNewAddress, rememberAddress, waitOf } from './throttle-queries.ts'
import {
  addressKeysOf,
  countFactorGuess,
  countInvitation,
  countPasswordGuess,
  countRefusedUpload,
  countResetRequest,
} from './throttle.ts'

const world = openForTests(() => openPeopleWorld())

/** Whether it was counted: a refusal is an answer, whatever its words. */
async function isCounted(counting: Promise<unknown>): Promise<boolean> {
  try {
    return (await counting) !== false
  } catch (error) {
    assert.equal((error as { readonly code?: unknown }).code, 'rate_limited')
    return false
  }
}

test('of each kind so many failures cost nothing, one more sets a wait, and a wait is at most so long', async () => {
  const { sql, key } = world.deps
  const address = '203.0.113.9'
  const userId = newId<'user'>()
  const merchantId = newId<'merchant'>()
  for (const [name, free, waitMinutes, count] of [
    [
      'account',
      10,
      15,
      (nth) =>
        countPasswordGuess(sql, key, { at: 'a@b.example', address: `198.51.100.${nth}`, isKnown: false }),
    ],
    [
      'address',
      30,
      15,
      (nth) => countPasswordGuess(sql, key, { at: `${nth}@b.example`, address, isKnown: false }),
    ],
    ['pair', 10, 1, () => countPasswordGuess(sql, key, { at: 'a@b.example', address, isKnown: true })],
    ['factor', 5, 15, () => countFactorGuess(sql, key, { at: 'user', address, isKnown: false })],
    ['factor-pair', 5, 2, () => countFactorGuess(sql, key, { at: 'user', address, isKnown: true })],
    ['reset', 3, 5, () => countResetRequest(sql, key, 'a@b.example')],
    ['upload', 10, 15, () => countRefusedUpload(sql, key, userId)],
    ['invitation', 5, 15, () => countInvitation(sql, key, { merchantId, email: 'a@b.example' })],
    ['invitations', 100, 15, (nth) => countInvitation(sql, key, { merchantId, email: `${nth}@b.example` })],
  ] as readonly (readonly [string, number, number, (nth: number) => Promise<unknown>])[]) {
    await world.owner`delete from sign_in_failure`
    assert.equal(await isCounted(count(0)), true, name)
    // The last but one that costs nothing was counted: the last one, and the one that sets a wait, are.
    await world.owner`update sign_in_failure set failures = ${free - 1}`
    let counted = 0
    while (counted < 9 && (await isCounted(count(counted + 1)))) counted += 1
    assert.equal(counted, 2, name)
    await world.owner`update sign_in_failure set failures = 900, next_at = '-infinity'`
    assert.equal(await isCounted(count(9)), true, name)
    // Both times were set by one statement, so neither depends on how fast this test is.
    const rows = await world.owner<{ wait: number }[]>`
      select 60 - extract(epoch from ends_at - next_at)::double precision / 60 as wait
        from sign_in_failure where next_at > '-infinity'`
    assert.deepEqual(new Set(rows.map(({ wait }) => wait)), new Set([waitMinutes]), name)
  }
  await world.owner`delete from sign_in_failure`
})

test('what was never counted, and what may be tried again, waits no time', async () => {
  const { sql, key } = world.deps
  const counted = addressKeysOf(key, 'counted')[0] ?? assert.fail('a key')
  await world.owner`insert into sign_in_failure values (${counted}, 1, now() - interval '1 second', now() + interval '1 hour')`
  const waits = await sql.begin(async (tx): Promise<readonly number[]> => [
    await waitOf(tx, addressKeysOf(key, 'never')[0] ?? assert.fail('a key')),
    await waitOf(tx, counted),
  ])
  assert.deepEqual(waits, [0, 0])
})

test('an address is known for ninety days after its last use, and a user has twenty of them: the newest', async () => {
  const { sql, key } = world.deps
  const [user, other] = [await world.user(), await world.user()]
  const keysOf = (nth: number) => addressKeysOf(key, `198.51.100.${nth}`)
  await sql.begin((tx) => rememberAddress(tx, other.id, keysOf(0)[0] ?? assert.fail('a key')))
  for (let nth = 0; nth <= 20; nth += 1) {
    await sql.begin((tx) => rememberAddress(tx, user.id, keysOf(nth)[0] ?? assert.fail('a key')))
    await world.owner`update known_address set last_used_at = last_used_at - interval '1 minute'`
  }
  const known = await Promise.all(
    Array.from({ length: 21 }, (_, nth) => isKnownAddress(sql, user.id, keysOf(nth))),
  )
  assert.deepEqual(known, [false, ...Array.from({ length: 20 }, () => true)])
  // What one user has no more, another one keeps.
  assert.equal(await isKnownAddress(sql, other.id, keysOf(0)), true)
  await sql.begin((tx) => rememberAddress(tx, user.id, keysOf(20)[0] ?? assert.fail('a key')))
  const [kept] = await world.owner<{ days: number }[]>`
    select extract(epoch from ends_at - last_used_at)::double precision / 86400 as days
      from known_address order by last_used_at desc limit 1`
  assert.equal(kept?.days, 90)
  await world.owner`update known_address set ends_at = clock_timestamp() - interval '1 second'`
  assert.equal(await isKnownAddress(sql, user.id, keysOf(20)), false)
})

test('a sign-in from a new address is news, but not the first one of a user who was made within a day', async () => {
  const { sql, key } = world.deps
  const [user, other] = [await world.user(), await world.user()]
  const [home, away] = [addressKeysOf(key, '198.51.100.1'), addressKeysOf(key, '198.51.100.2')]
  const isNews = (keys = away) => sql.begin((tx): Promise<boolean> => isNewAddress(tx, user.id, keys))
  const remember = (id = user.id, [first] = home) =>
    sql.begin((tx) => rememberAddress(tx, id, first ?? assert.fail('a key')))
  const madeBefore = (minutes: number) =>
    world.owner`update app_user set created_at = clock_timestamp() - ${minutes}::integer * interval '1 minute' where id = ${user.id}`
  await remember(other.id)
  await madeBefore(24 * 60 - 1)
  assert.equal(await isNews(), false)
  await madeBefore(24 * 60 + 1)
  assert.equal(await isNews(), true)
  await madeBefore(1)
  await remember()
  assert.deepEqual([await isNews(home), await isNews()], [false, true])
  await remember(user.id, away)
  assert.deepEqual([await isNews(home), await isNews()], [false, false], 'both are known')
  // What is known no more is new, and makes nothing else news.
  await world.owner`update known_address set ends_at = clock_timestamp() - interval '1 second' where user_id = ${user.id}`
  assert.deepEqual([await isNews(home), await isNews()], [false, false])
  await madeBefore(24 * 60 + 1)
  assert.equal(await isNews(home), true)
})
