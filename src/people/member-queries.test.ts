// Which rows the statements of members, links and users find and change: of one merchant, of one person, and those that still count.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql, Tx } from '#/db/client.ts'
import { readNow } from '#/db/due.ts'
import { leastId } from '#/db/lists.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { addMs, minuteMs } from '#/kernel/time.ts'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import * as links from './link-queries.ts'
import * as members from './member-queries.ts'
import * as users from './user-queries.ts'
import type { LinkId, UserId } from './user.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [ours, theirs] = [bareId(1) as MerchantId, bareId(2) as MerchantId]
const [ana, rui] = [bareId(11) as UserId, bareId(12) as UserId]
const [here, there] = [bareId(21) as LinkId, bareId(22) as LinkId]
const someTime = '2026-11-22T00:00:00Z'
const membership = { merchant_id: ours, user_id: ana, role: 'VIEWER' }
const user = { id: ana, name: 'Ana', email: 'ana@example.com', is_operator: false }
const people = [user, { ...user, id: rui, name: 'Rui', email: 'rui@example.com' }]

/** What this column of a table has after the statement, in one order. */
async function left(tx: Tx, table: string, column: string): Promise<readonly unknown[]> {
  const rows = await tx`select ${tx(column)} as value from ${tx(table)} order by 1 nulls first`
  return rows.map(({ value }) => value as unknown)
}

test('members of one merchant are listed after a user, each with whether a factor of theirs counts', async () => {
  const list = (tables: BareRows, after: string = leastId, limit = 9) =>
    onRows(
      sql,
      {
        app_user: people,
        membership: [{ ...membership, user_id: rui }, membership, { ...membership, merchant_id: theirs }],
        user_totp: [],
        passkey: [],
        ...tables,
      },
      async (tx) =>
        (await members.selectMembers(tx, ours, { after, limit })).map((each) => [
          each.name,
          each.hasSecondFactor,
        ]),
    )
  assert.deepEqual(await list({}), [
    ['Ana', false],
    ['Rui', false],
  ])
  assert.deepEqual(await list({}, ana), [['Rui', false]])
  assert.deepEqual(await list({}, leastId, 1), [['Ana', false]])
  const ofRui = [
    ['Ana', false],
    ['Rui', true],
  ]
  const totp = { user_id: rui, confirmed_at: someTime }
  assert.deepEqual(await list({ user_totp: [totp, { user_id: ana }] }), ofRui)
  assert.deepEqual(await list({ passkey: [{ user_id: rui }] }), ofRui)
})

test('members of all of some merchants are those who may sign in and lack none of them', async () => {
  const list = (tables: BareRows, of = [ours, theirs], limit = 9) =>
    onRows(sql, { app_user: people, ...tables }, async (tx) =>
      (await members.selectMembersOfAll(tx, of, limit)).map(({ name }) => name),
    )
  const both = [membership, { ...membership, merchant_id: theirs }]
  const ofRui = both.map((each) => ({ ...each, user_id: rui }))
  assert.deepEqual(await list({ membership: [...ofRui, ...both] }), ['Ana', 'Rui'])
  assert.deepEqual(await list({ membership: [...ofRui, ...both] }, [ours], 1), ['Ana'])
  assert.deepEqual(await list({ membership: [...both, { ...membership, user_id: rui }] }), ['Ana'])
  assert.deepEqual(await list({ membership: [{ ...membership, merchant_id: theirs }] }, [ours]), [])
  assert.deepEqual(await list({ membership: both }, []), [])
  const disabled = [{ ...user, disabled_at: someTime }]
  assert.deepEqual(await list({ membership: both, app_user: disabled }), [])
})

test('a role is one person’s at one merchant, to be read, locked, changed and removed', async () => {
  const others = beside(membership, { merchant_id: theirs, role: 'ADMIN' }, { user_id: rui, role: 'SUPPORT' })
  const tables = { app_user: people, membership: [...others, membership] }
  await onRows(sql, tables, async (tx) => {
    assert.equal(await members.selectRole(tx, ours, ana), 'VIEWER')
    assert.deepEqual(await members.selectGranter(tx, ours, ana), { isOperator: false, role: 'VIEWER' })
    await members.writeRole(tx, ours, ana, 'FINANCE')
    assert.deepEqual(await left(tx, 'membership', 'role'), ['ADMIN', 'FINANCE', 'SUPPORT'])
    await members.deleteMembership(tx, ours, ana)
    assert.deepEqual(await left(tx, 'membership', 'role'), ['ADMIN', 'SUPPORT'])
    assert.deepEqual(await members.selectGranter(tx, ours, ana), { isOperator: false, role: null })
    assert.equal(await members.selectGranter(tx, ours, bareId(13)), undefined)
  })
  const disabled = { ...tables, app_user: [{ ...user, disabled_at: someTime }] }
  assert.equal(await onRows(sql, disabled, (tx) => members.selectGranter(tx, ours, ana)), undefined)
})

test('the roles that are locked are those of the owners and of the named, at this merchant', async () => {
  const eva = bareId(13)
  const tables = {
    app_user: [...people, { ...user, id: eva }],
    membership: [
      { ...membership, user_id: rui, role: 'OWNER' },
      membership,
      { ...membership, user_id: eva },
      ...beside({ ...membership, merchant_id: theirs }, {}, { user_id: eva, role: 'OWNER' }),
    ],
  }
  const lock = (ids: readonly UserId[]) =>
    onRows(sql, tables, async (tx) =>
      (await members.lockRoles(tx, ours, ids)).map(({ userId, role }) => [userId, role]),
    )
  assert.deepEqual(await lock([ana]), [
    [ana, 'VIEWER'],
    [rui, 'OWNER'],
  ])
  assert.deepEqual(await lock([]), [[rui, 'OWNER']])
})

test('a link is used, listed, withdrawn and replaced while it is unused, not withdrawn and not over', async () => {
  const now = await readNow(sql)
  const digest = Buffer.alloc(32, 1)
  const link = {
    id: here,
    digest: '\\x' + digest.toString('hex'),
    kind: 'INVITATION',
    email: 'eva@example.com',
    merchant_id: ours,
    role: 'VIEWER',
    ends_at: addMs(now, minuteMs),
  }
  const ended = [{ used_at: someTime }, { revoked_at: someTime }, { ends_at: addMs(now, -1) }] as const
  const tables = (...rows: readonly object[]) => ({
    merchant: [],
    one_time_link: rows.map((each) => ({ ...each })),
  })
  const doors: readonly (readonly [name: string, ask: (tx: Tx) => Promise<LinkId | undefined>])[] = [
    ['open', async (tx) => (await links.selectLink(tx, digest))?.id],
    ['take', async (tx) => (await links.takeLink(tx, digest))?.id],
    ['list', async (tx) => (await links.selectInvitations(tx, ours, 9))[0]?.id],
    ['revoke', async (tx) => (await links.revokeInvitation(tx, ours, here)) && here],
  ]
  for (const [name, ask] of doors) {
    assert.equal(await onRows(sql, tables(link), ask), here, name)
    for (const row of beside(link, ...ended))
      assert.equal(await onRows(sql, tables(row), ask), undefined, `${name} ${JSON.stringify(row)}`)
  }
  const elsewhere = { id: there, digest: '\\x02', merchant_id: theirs, email: 'x@example.com' }
  await onRows(sql, tables({ ...link, ...elsewhere }, link), async (tx) => {
    assert.deepEqual(
      (await links.selectInvitations(tx, ours, 9)).map(({ id }) => id),
      [here],
    )
    assert.equal((await links.selectLink(tx, digest))?.id, here)
    await links.takeLink(tx, digest)
    const used = await tx`select id from one_time_link where used_at is not null`
    assert.deepEqual([...used], [{ id: here }])
  })
  const newer = { ...link, id: there }
  const listed = await onRows(sql, tables(link, newer), (tx) => links.selectInvitations(tx, ours, 1))
  assert.deepEqual(
    listed.map(({ id }) => id),
    [there],
  )
})

test('an invitation is withdrawn by its own merchant and id, and replaced by its merchant and email while it is open', async () => {
  const now = await readNow(sql)
  const link = { id: here, email: 'eva@example.com', merchant_id: ours, ends_at: addMs(now, minuteMs) }
  const others = beside(link, { id: there, role: 'ADMIN' }, { merchant_id: theirs, role: 'SUPPORT' })
  await onRows(sql, { one_time_link: [...others, { ...link, role: 'VIEWER' }] }, async (tx) => {
    await links.revokeInvitation(tx, ours, here)
    const rows = await tx`select role from one_time_link where revoked_at is not null`
    assert.deepEqual([...rows], [{ role: 'VIEWER' }])
  })
  // One that is over is replaced too.
  const kept = beside(
    link,
    { merchant_id: theirs, role: 'a' },
    { email: 'x@example.com', role: 'b' },
    { used_at: someTime, role: 'c' },
    { revoked_at: someTime, role: 'd' },
  )
  const over = { ...link, ends_at: addMs(now, -1) }
  await onRows(sql, { one_time_link: [...kept, link, over] }, async (tx) => {
    await links.deleteInvitationsTo(tx, ours, link.email)
    assert.deepEqual(await left(tx, 'one_time_link', 'role'), ['a', 'b', 'c', 'd'])
  })
})

test('of the links to a user’s account all are withdrawn, or those of one kind, and the instants of earlier ends stay', async () => {
  const link = { user_id: ana, kind: 'RESET' }
  const rows = [
    { ...link, role: 'reset' },
    { ...link, kind: 'SIGN_IN', role: 'sign-in' },
    { ...link, user_id: rui, role: 'another' },
    { ...link, used_at: someTime, role: 'used' },
    { ...link, revoked_at: someTime, role: 'withdrawn' },
  ]
  const withdrawn = (kind?: links.LinkKind) =>
    onRows(sql, { one_time_link: rows }, async (tx) => {
      await links.revokeLinksOf(tx, ana, kind)
      const found = await tx`select role from one_time_link where revoked_at > ${someTime} order by role`
      return found.map(({ role }) => role as string)
    })
  assert.deepEqual(await withdrawn(), ['reset', 'sign-in'])
  assert.deepEqual(await withdrawn('RESET'), ['reset'])
})

test('users are listed after an id, and operators alone', async () => {
  const tables = {
    app_user: [
      { ...user, id: bareId(13), is_operator: true },
      ...people,
      { ...user, id: bareId(14), is_operator: true },
    ],
  }
  const list = (page: Parameters<typeof users.selectUsers>[1]) =>
    onRows(sql, tables, async (tx) => (await users.selectUsers(tx, page)).map(({ id }) => id))
  assert.deepEqual(await list({ after: ana, limit: 2 }), [rui, bareId(13)])
  assert.deepEqual(await list({ after: leastId, limit: 9, isOperator: true }), [bareId(13), bareId(14)])
  assert.equal(await onRows(sql, tables, (tx) => users.hasOperator(tx)), true)
  assert.equal(await onRows(sql, { app_user: people }, (tx) => users.hasOperator(tx)), false)
})

test('a sign-in finds the password of its user, and whether the address is known to them now', async () => {
  const now = await readNow(sql)
  const known = { user_id: ana, address_key: '\\x01', ends_at: addMs(now, minuteMs) }
  const find = async (known_address: BareRows[string]) => {
    const tables = {
      app_user: people,
      user_password: [
        { user_id: rui, hash: 'b' },
        { user_id: ana, hash: 'a' },
      ],
      known_address,
    }
    const keys = [Buffer.of(1), Buffer.of(9)]
    return onRows(sql, tables, async (tx) => {
      const row = await users.selectForSignIn(tx, user.email, keys)
      return [row?.userId, row?.hash, row?.isKnownAddress]
    })
  }
  assert.deepEqual(await find([known]), [ana, 'a', true])
  const others = beside(known, { user_id: rui }, { address_key: '\\x02' }, { ends_at: addMs(now, -1) })
  assert.deepEqual(await find(others), [ana, 'a', false])
})

test('factors are the user’s own passkeys, and an app that was confirmed', async () => {
  const factors = (user_totp: BareRows[string]) =>
    onRows(sql, { passkey: [{ user_id: ana }, { user_id: rui }, { user_id: rui }], user_totp }, (tx) =>
      users.selectFactors(tx, ana),
    )
  const totp = { user_id: ana, confirmed_at: someTime }
  assert.deepEqual({ ...(await factors([totp])) }, { passkeys: 1, hasTotp: true })
  const others = beside(totp, { user_id: rui }, { confirmed_at: null })
  assert.deepEqual({ ...(await factors(others)) }, { passkeys: 1, hasTotp: false })
})

test('a hash under newer parameters replaces the user’s own, and only the one that it was made from', async () => {
  const rows = [
    { user_id: ana, hash: 'old' },
    { user_id: rui, hash: 'old' },
  ]
  const rewritten = (from: string) =>
    onRows(sql, { user_password: rows }, async (tx) => {
      await users.rewriteHash(tx, ana, from, 'new')
      return left(tx, 'user_password', 'hash')
    })
  assert.deepEqual(await rewritten('old'), ['new', 'old'])
  assert.deepEqual(await rewritten('another'), ['old', 'old'])
})
