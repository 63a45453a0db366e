// What becomes of the keys of a member who leaves, gets a lower role, or may sign in no more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#/kernel/error.ts'
import type { ApiKeyId, MerchantId } from '#/kernel/id.ts'
import { systemClock } from '#/kernel/time.ts'
import { addMember } from '#/people/members.ts'
import { permissionsOf } from '#/people/roles.ts'
import type { User } from '#/people/user.ts'
import { setDisabled } from '#/people/users.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { operator, openPeopleWorld } from '../../test/people-world.ts'
import type { Scope } from './api-key.ts'
import { selectSeat } from './key-queries.ts'
import { issueApiKey } from './keys.ts'
import {
  changeRole,
  disableUser,
  fateOfUser,
  keysOfMember,
  keysOfUser,
  removeMember,
  seatOf,
} from './member-keys.ts'

const world = openForTests(() => openPeopleWorld())

/** A merchant with an owner, somebody who leaves, and an heir. */
async function shop() {
  const merchantId = await world.merchant()
  const [owner, leaver, heir] = [
    await world.member(merchantId, 'OWNER'),
    await world.member(merchantId, 'ADMIN'),
    await world.member(merchantId, 'ADMIN'),
  ]
  return { merchantId, owner, leaver, heir }
}

const issue = async (
  merchantId: MerchantId,
  person: User | undefined,
  scopes: readonly Scope[] = ['payments:read'],
) =>
  (
    await issueApiKey(
      { sql: world.deps.sql, clock: systemClock, pepper: Buffer.alloc(32), cell: 'a1' },
      { merchantId, name: 'api', scopes, ...(person === undefined ? {} : { person: person.email }) },
    )
  ).id

/** Who holds the key; `revoked` when nobody does any more. */
async function holderOf(id: ApiKeyId): Promise<unknown> {
  const [row] = await world.owner<{ person: string | null; isOver: boolean }[]>`
    select person, revoked_at is not null as "isOver" from api_key where id = ${id}`
  return row?.isOver === true ? 'revoked' : row?.person
}
const auditOf = async (id: ApiKeyId) => [
  ...(await world.owner`
    select action, merchant_id as "merchantId", before, after, reason from audit_log where subject = ${`key:${id}`}`),
]

/** What is wrong with the heir; undefined when it was done. */
const refusalOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) =>
      error instanceof AppError ? [error.code, error.faults.map(({ pointer }) => pointer)] : String(error),
  )

test('the keys of a member who is removed are revoked, others go on, and the audit log says why', async () => {
  const { merchantId, leaver, heir } = await shop()
  const [theirs, others, nobodys] = [
    await issue(merchantId, leaver),
    await issue(merchantId, heir),
    await issue(merchantId, undefined),
  ]
  const seat = await seatOf(world.deps.sql, {
    merchantId,
    userId: leaver.id,
    email: leaver.email,
    permissions: new Set(permissionsOf('ADMIN')),
  })
  assert.ok(seat.scopes.size > 0)
  await removeMember(world.deps, operator, { merchantId, userId: leaver.id })
  assert.deepEqual(await Promise.all([theirs, others, nobodys].map(holderOf)), ['revoked', heir.email, null])
  // A call that is on its way makes no more keys by the seat.
  assert.deepEqual((await selectSeat(world.deps.sql, merchantId, leaver.id))?.scopes, [])
  assert.deepEqual(await auditOf(theirs), [
    {
      action: 'key.revoke',
      merchantId,
      before: { person: leaver.email },
      after: null,
      reason: 'its member was removed',
    },
  ])
})

test('keys are handed to another member, who holds them from then on', async () => {
  const { merchantId, leaver, heir } = await shop()
  const id = await issue(merchantId, leaver)
  await removeMember(world.deps, operator, { merchantId, userId: leaver.id, keysTo: heir.id })
  assert.equal(await holderOf(id), heir.email)
  assert.deepEqual(await auditOf(id), [
    {
      action: 'key.hand',
      merchantId,
      before: { person: leaver.email },
      after: { person: heir.email },
      reason: 'its member was removed',
    },
  ])
})

test('keys are handed to nobody but another member who may sign in and whose role allows what they do', async () => {
  const { merchantId, leaver, heir } = await shop()
  const viewer = await world.member(merchantId, 'VIEWER')
  const disabled = await world.member(merchantId, 'ADMIN')
  await setDisabled(world.deps, operator, disabled.id, true)
  const remove = (to: User) =>
    refusalOf(removeMember(world.deps, operator, { merchantId, userId: leaver.id, keysTo: to.id }))
  const stranger = ['invalid_request', ['/keysTo']]
  const heirs = [leaver, await world.user(), disabled]
  // Also when there is no key to hand on.
  for (const each of heirs) assert.deepEqual(await remove(each), stranger)
  const id = await issue(merchantId, leaver, ['payments:write'])
  for (const each of heirs) assert.deepEqual(await remove(each), stranger)
  assert.deepEqual(await remove(viewer), ['forbidden', ['/keysTo']])
  assert.equal(await holderOf(id), leaver.email)
  assert.equal(await remove(heir), undefined)
})

test('with a lower role the keys that can do more end, and the others go on', async () => {
  const { merchantId, leaver } = await shop()
  const [more, less] = [await issue(merchantId, leaver, ['payments:write']), await issue(merchantId, leaver)]
  const lower = { merchantId, userId: leaver.id, role: 'VIEWER' } as const
  const toThemselves = changeRole(world.deps, operator, { ...lower, keysTo: leaver.id })
  assert.deepEqual(await refusalOf(toThemselves), ['invalid_request', ['/keysTo']])
  await changeRole(world.deps, operator, lower)
  assert.deepEqual(await Promise.all([more, less].map(holderOf)), ['revoked', leaver.email])
  const [{ reason } = assert.fail('it was noted')] = await auditOf(more)
  assert.equal(reason, 'its member is VIEWER now')
})

test('a user who is disabled holds no keys at any of their merchants; they are revoked or handed on', async () => {
  const [one, two] = [await shop(), await shop()]
  const [user, heir] = [one.leaver, two.heir]
  await addMember(world.deps, operator, { merchantId: two.merchantId, userId: user.id, role: 'ADMIN' })
  await addMember(world.deps, operator, { merchantId: one.merchantId, userId: heir.id, role: 'ADMIN' })
  const keys = [await issue(one.merchantId, user), await issue(two.merchantId, user)]
  const held = await keysOfUser(world.deps.sql, user.id)
  assert.deepEqual(held.map(({ id }) => id).toSorted(), keys.toSorted())
  // Those who are members of both, without the user.
  const fate = await fateOfUser(world.deps.sql, user.id)
  assert.deepEqual([fate.keys.length, fate.heirs.map(({ userId }) => userId)], [2, [heir.id]])
  await disableUser(world.deps, operator, { userId: user.id, keysTo: heir.id })
  assert.deepEqual(await Promise.all(keys.map(holderOf)), [heir.email, heir.email])
  await disableUser(world.deps, operator, { userId: heir.id })
  assert.deepEqual(await Promise.all(keys.map(holderOf)), ['revoked', 'revoked'])
  const [, { reason } = assert.fail('it was noted')] = await auditOf(keys[0] ?? assert.fail())
  assert.equal(reason, 'its user was disabled')
})

test('where a user holds no key, nobody has to be an heir', async () => {
  const [one, two] = [await shop(), await shop()]
  await addMember(world.deps, operator, { merchantId: two.merchantId, userId: one.leaver.id, role: 'ADMIN' })
  assert.deepEqual(await fateOfUser(world.deps.sql, one.leaver.id), { keys: [], heirs: [] })
  await issue(one.merchantId, one.leaver)
  const { heirs } = await fateOfUser(world.deps.sql, one.leaver.id)
  assert.deepEqual(heirs.map(({ userId }) => userId).toSorted(), [one.owner.id, one.heir.id].toSorted())
})

test('a key is a member’s by the name that it has, else by the seat that its lineage began with', async () => {
  const { merchantId, leaver, heir } = await shop()
  const seat = await seatOf(world.deps.sql, {
    merchantId,
    userId: leaver.id,
    email: leaver.email,
    permissions: new Set(permissionsOf('ADMIN')),
  })
  const [named, ofSeat, handedOn] = [
    await issue(merchantId, leaver),
    await issue(merchantId, undefined),
    await issue(merchantId, heir),
  ]
  await world.owner`update api_key set lineage = ${seat.keyId} where id in (${ofSeat}, ${handedOn})`
  const held = await keysOfMember(world.deps.sql, { merchantId, userId: leaver.id })
  assert.deepEqual(held.map(({ id }) => id).toSorted(), [named, ofSeat].toSorted())
})
