// What becomes of the API keys of a member who is removed, leaves or gets a role that allows less.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopes } from '#/contract/keys.ts'
import type { Scope } from '#/merchants/api-key.ts'
import { makeKey } from '#/merchants/managed-keys.ts'
import { seatOf } from '#/merchants/member-keys.ts'
import { addMember } from '#/people/members.ts'
import { permissionsOf, type Role } from '#/people/roles.ts'
import type { Tenant } from '../contract/world.ts'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { shownBy } from './shown.ts'
import { openDashboardWorld, type Person } from './world.ts'

type Row = Readonly<Record<string, unknown>>

const world = openForTests(() => openDashboardWorld({ shows: shownBy['member-keys.test.ts'] }))
const api = makeForTests(() => world.base.openApi())

type Key = { readonly key: string; readonly id: string }

async function openShop(role: Role = 'ADMIN') {
  const tenant = await world.base.openTenant()
  const owner = await world.person([{ merchantId: tenant.id, role: 'OWNER' }])
  const leaver = await world.person([{ merchantId: tenant.id, role }])
  const heir = await world.person([{ merchantId: tenant.id, role: 'ADMIN' }])
  return { tenant, owner, leaver, heir }
}

async function make(by: Person, { id }: Tenant, wanted: readonly Scope[]): Promise<Key> {
  const made = await by.ask('POST', `/api/m/${id}/keys`, { name: 'integration', scopes: wanted })
  assert.equal(made.status, 201, made.text)
  return { key: String(made.body['key']), id: String(made.body['id']) }
}

/** The state of a key by the database: what every process acts by within a second. */
async function isInForce({ id }: { readonly id: string }): Promise<boolean> {
  const [row] = await world.base.sql<{ revokedAt: Date | null }[]>`
    select revoked_at as "revokedAt" from api_key where id = ${id}`
  return row?.revokedAt === null
}

const states = async (keys: readonly { readonly id: string }[]) => Promise.all(keys.map(isInForce))
const emailOf = async ({ userId }: Person) => {
  const [row] = await world.base.sql<{ email: string }[]>`select email from app_user where id = ${userId}`
  return row?.email ?? ''
}

async function shownKeys(by: Person, { id }: Tenant, of: Person, query = ''): Promise<readonly Row[]> {
  const answer = await by.ask('GET', `/api/m/${id}/members/${of.userId}/keys${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body['data'] as readonly Row[]
}

test('the keys of a member who is removed are shown with their last use and revoked, and no others', async () => {
  const { tenant, owner, leaver, heir } = await openShop()
  const made = await make(leaver, tenant, ['payments:read', 'keys:write'])
  const ofMade = await api.ask('POST', '/v1/keys', {
    key: made.key,
    body: { name: 'next', scopes: ['payments:read'] },
  })
  assert.equal(ofMade.status, 201, ofMade.text)
  const email = await emailOf(leaver)
  const named = await world.base.issue(tenant.id, ['payments:read'], undefined, {
    person: ` ${email.toUpperCase()} `,
  })
  const others = [
    await make(heir, tenant, ['payments:read']),
    await world.base.issue(tenant.id, ['payments:read']),
    { id: tenant.keyId },
  ]
  const shown = await shownKeys(owner, tenant, leaver)
  const theirs = [made, { id: String(ofMade.body['id']) }, named]
  assert.deepEqual(
    shown.map(({ id }) => id).toSorted((a, b) => (String(a) < String(b) ? -1 : 1)),
    theirs.map(({ id }) => id).toSorted(),
  )
  assert.deepEqual(
    Object.keys(shown[0] ?? {}).filter((name) => name === 'key' || name === 'digest'),
    [],
  )
  await world.base.sql`update api_key set last_used_at = now() where id = ${made.id}`
  const used = (await shownKeys(owner, tenant, leaver)).find(({ id }) => id === made.id)
  assert.equal(typeof used?.['lastUsedAt'], 'string')
  const removed = await owner.ask('DELETE', `/api/m/${tenant.id}/members/${leaver.userId}`)
  assert.equal(removed.status, 204, removed.text)
  assert.deepEqual(await states(theirs), [false, false, false])
  assert.deepEqual(await states(others), [true, true, true])
  const log = await owner.ask('GET', `/api/m/${tenant.id}/audit?action=key.revoke`)
  assert.deepEqual(
    (log.body['data'] as readonly Row[])
      .map(({ subject, actorId }) => [subject, actorId])
      .toSorted((a, b) => (String(a) < String(b) ? -1 : 1)),
    theirs.map(({ id }) => [`key:${id}`, owner.userId]).toSorted((a, b) => (String(a) < String(b) ? -1 : 1)),
  )
})

test('a key that a member’s key made for a sub-account ends with the member', async () => {
  const { tenant, owner, leaver } = await openShop()
  const made = await make(leaver, tenant, ['payments:read', 'subaccounts:write', 'keys:write'])
  const account = await api.ask('POST', '/v1/sub-accounts', { key: made.key, body: { name: 'Bea' } })
  assert.equal(account.status, 201, account.text)
  const path = `/v1/sub-accounts/${String(account.body['id'])}/keys`
  const own = await api.ask('POST', path, { key: made.key, body: { name: 'x', scopes: ['payments:read'] } })
  assert.equal(own.status, 201, own.text)
  const shown = await shownKeys(owner, tenant, leaver)
  assert.deepEqual(shown.map((each) => each['subAccount']).filter(Boolean), [account.body['id']])
  await owner.ask('DELETE', `/api/m/${tenant.id}/members/${leaver.userId}`)
  assert.equal(await isInForce({ id: String(own.body['id']) }), false)
})

test('keys are handed to a named member, who holds them from then on and decides nothing that they requested', async () => {
  const { tenant, owner, leaver, heir } = await openShop()
  const made = await make(leaver, tenant, ['payments:read'])
  const outsider = await world.person([])
  const viewer = await world.person([{ merchantId: tenant.id, role: 'VIEWER' }])
  const wide = await make(leaver, tenant, ['payments:write'])
  const remove = (to: Person) =>
    owner.ask('DELETE', `/api/m/${tenant.id}/members/${leaver.userId}?keysTo=${to.userId}`)
  for (const [to, code] of [
    [outsider, 'invalid_request'],
    [leaver, 'invalid_request'],
    [viewer, 'forbidden'],
  ] as const)
    assert.equal((await remove(to)).body['code'], code)
  assert.deepEqual(await states([made, wide]), [true, true])
  assert.equal((await shownKeys(owner, tenant, leaver)).length, 2, 'a refusal changes nothing')
  assert.equal((await remove(heir)).status, 204)
  assert.deepEqual(await states([made, wide]), [true, true])
  const theirs = await shownKeys(owner, tenant, heir)
  assert.deepEqual(
    theirs.map(({ id }) => id).toSorted((a, b) => (String(a) < String(b) ? -1 : 1)),
    [made.id, wide.id].toSorted(),
  )
  const log = await owner.ask('GET', `/api/m/${tenant.id}/audit?action=key.hand`)
  assert.equal((log.body['data'] as readonly Row[]).length, 2)
  await owner.ask('DELETE', `/api/m/${tenant.id}/members/${heir.userId}`)
  assert.deepEqual(await states([made, wide]), [false, false])
})

test('with a lower role the keys that can do more than it end, and the others go on', async () => {
  const { tenant, owner, leaver, heir } = await openShop()
  const narrow = await make(leaver, tenant, ['payments:read'])
  const wide = await make(leaver, tenant, ['payments:read', 'withdrawals:write'])
  const change = (body: Row) => owner.ask('PATCH', `/api/m/${tenant.id}/members/${leaver.userId}`, body)
  const shown = await shownKeys(owner, tenant, leaver, '?role=SUPPORT')
  assert.deepEqual(
    shown.map(({ id }) => id),
    [wide.id],
  )
  assert.equal((await change({ role: 'SUPPORT' })).status, 204)
  assert.deepEqual(await states([narrow, wide]), [true, false])
  assert.equal((await change({ role: 'ADMIN' })).status, 204)
  const again = await make(leaver, tenant, ['withdrawals:write'])
  assert.equal((await change({ role: 'SUPPORT', keysTo: heir.userId })).status, 204)
  assert.deepEqual(await states([narrow, again]), [true, true])
  const theirs = await shownKeys(owner, tenant, heir)
  assert.deepEqual(
    theirs.map(({ id }) => id),
    [again.id],
  )
})

test('a member who leaves ends their own keys, and a call that is on its way makes no more', async () => {
  const { tenant, leaver } = await openShop('DEVELOPER')
  const made = await make(leaver, tenant, ['payments:read'])
  const { sql, pepper } = world.base
  const [email, permissions] = [await emailOf(leaver), new Set<string>(permissionsOf('DEVELOPER'))]
  const membership = { merchantId: tenant.id, userId: leaver.userId }
  const { keyId } = await seatOf(sql, { ...membership, email, permissions })
  const left = await leaver.ask('DELETE', `/api/m/${tenant.id}/members/${leaver.userId}`)
  assert.equal(left.status, 204, left.text)
  assert.equal(await isInForce(made), false)
  const caller = { merchant: { id: tenant.id, mode: tenant.mode }, keyId }
  await assert.rejects(
    makeKey({ sql, mint: { pepper, cell: 'a1' } }, caller, { name: 'late', scopes: ['payments:read'] }),
    { code: 'forbidden' },
  )
  // Who is a member again has the scopes of the role again.
  await addMember({ sql }, { actor: { kind: 'OPERATOR', id: 'root' } }, { ...membership, role: 'DEVELOPER' })
  const back = await seatOf(sql, { ...membership, email, permissions })
  assert.deepEqual(
    [...back.scopes].toSorted((a, b) => (a < b ? -1 : 1)),
    scopes.filter((scope) => permissions.has(scope)).toSorted(),
  )
  assert.equal(
    (await makeKey({ sql, mint: { pepper, cell: 'a1' } }, caller, { name: 'x', scopes: ['payments:read'] }))
      .row.name,
    'x',
  )
})

test('the keys of a user whom the operator disables are revoked at all their merchants, or handed on, and they make no more', async () => {
  const [first, second] = [await openShop(), await openShop()]
  const operator = await world.person([], { isOperator: true })
  await world.enrol(operator)
  const { sql } = world.base
  await addMember(
    { sql },
    { actor: { kind: 'OPERATOR', id: 'root' } },
    { merchantId: second.tenant.id, userId: first.leaver.userId, role: 'ADMIN' },
  )
  const theirs = [
    await make(first.leaver, first.tenant, ['payments:read']),
    await make(first.leaver, second.tenant, ['payments:read']),
  ]
  const others = [await make(first.heir, first.tenant, ['payments:read'])]
  const disable = (body: Row) =>
    operator.ask('POST', `/api/operator/users/${first.leaver.userId}/disable`, body)
  const fate = async (userId: string) => {
    const answer = await operator.ask('GET', `/api/operator/users/${userId}/keys`)
    assert.equal(answer.status, 200, answer.text)
    const { data, heirs } = answer.body as { readonly data: readonly Row[]; readonly heirs: readonly Row[] }
    return {
      keys: data.map(({ id, merchantId }) => [id, merchantId] as const),
      heirs: heirs.map((each) => each['userId']),
    }
  }
  const asked = await fate(first.leaver.userId)
  assert.deepEqual(
    new Map(asked.keys),
    new Map(theirs.map(({ id }, at) => [id, [first, second][at]?.tenant.id])),
  )
  assert.deepEqual(asked.heirs, [], 'nobody else is a member of both')
  assert.deepEqual((await fate(first.owner.userId)).keys, [])
  // A member of one of the two merchants is no heir of the other's keys, and then nothing is changed.
  const refused = await disable({ keysTo: first.heir.userId })
  assert.deepEqual([refused.status, refused.body['code']], [400, 'invalid_request'], refused.text)
  assert.deepEqual(await states(theirs), [true, true])
  const done = await disable({ reason: 'left the company' })
  assert.equal(done.status, 204, done.text)
  assert.deepEqual(await states([...theirs, ...others]), [false, false, true])
  const seats = await sql<{ scopes: readonly string[] }[]>`
    select scopes from api_key where member = ${first.leaver.userId}`
  assert.deepEqual(
    seats.map((seat) => seat.scopes),
    [[], []],
  )
  const handed = [await make(second.leaver, second.tenant, ['payments:read'])]
  assert.deepEqual(
    new Set((await fate(second.leaver.userId)).heirs),
    // Not the user who was disabled.
    new Set([second.owner.userId, second.heir.userId]),
  )
  const answer = await operator.ask('POST', `/api/operator/users/${second.leaver.userId}/disable`, {
    keysTo: second.heir.userId,
  })
  assert.equal(answer.status, 204, answer.text)
  assert.deepEqual(await states(handed), [true])
  const [row] = await sql<
    { person: string }[]
  >`select person from api_key where id = ${String(handed[0]?.id)}`
  assert.equal(row?.person, await emailOf(second.heir))
})
