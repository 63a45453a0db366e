// The seat of a member: opened once, and changed only when the role or the address is another one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { MerchantId, UserId } from '#/kernel/id.ts'
import { bareId, onRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { seatOf } from './member-keys.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const ana = { merchantId: bareId(1) as MerchantId, userId: bareId(2) as UserId, email: 'ana@example.com' }
const permissions = new Set(['payments:read', 'wallets:read', 'members:write'])

test('a seat has the scopes of the role and is written again only for another role or address', async () => {
  await onRows(sql, { api_key: [] }, async (tx) => {
    await tx`create unique index on api_key (merchant_id, member) where member is not null`
    const seat = await seatOf(tx, { ...ana, permissions })
    assert.deepEqual(seat.scopes, new Set(['payments:read', 'wallets:read']))
    const [row] = await tx<{ bytes: number }[]>`select length(digest)::integer as bytes from api_key`
    assert.equal(row?.bytes, 32)
    /** Whether the same member with these changes has the same seat, and whether its row was written. */
    const again = async (change: { readonly email?: string; readonly permissions?: ReadonlySet<string> }) => {
      // In another order than the scopes of the role.
      await tx`update api_key set scopes = '{wallets:read,payments:read}', person = ${ana.email}`
      const version = async () => (await tx<{ at: string }[]>`select ctid::text as at from api_key`)[0]?.at
      const before = await version()
      const { keyId } = await seatOf(tx, { ...ana, permissions, ...change })
      return [keyId === seat.keyId, (await version()) !== before]
    }
    assert.deepEqual(await again({}), [true, false])
    assert.deepEqual(await again({ email: 'ana@example.org' }), [true, true])
    assert.deepEqual(await again({ permissions: new Set(['payments:read']) }), [true, true])
    assert.deepEqual(await again({ permissions: new Set(['payments:read', 'keys:read']) }), [true, true])
    assert.deepEqual(await again({ permissions: new Set([...permissions, 'keys:read']) }), [true, true])
  })
})
