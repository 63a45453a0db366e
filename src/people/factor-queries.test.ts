// Which rows the statements of factors and addresses find and change: each user's own, and each code once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql, Tx } from '#/db/client.ts'
import { readNow } from '#/db/due.ts'
import { addMs, minuteMs } from '#/kernel/time.ts'
import { bareId, beside, onRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import * as queries from './factor-queries.ts'
import { isKnownAddress } from './throttle-queries.ts'
import type { PasskeyId, UserId } from './user.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [ana, rui] = [bareId(11) as UserId, bareId(12) as UserId]
const someTime = '2026-11-22T00:00:00Z'

/** The names or numbers of a column that a table still has. */
async function left(tx: Tx, table: string, column: string): Promise<readonly unknown[]> {
  const rows = await tx`select ${tx(column)} as value from ${tx(table)} order by 1`
  return rows.map(({ value }) => value as unknown)
}

test('a passkey is used and removed by its user and id', async () => {
  const id = bareId(21) as PasskeyId
  const passkey = { user_id: ana, id, name: 'wanted', counter: 1 }
  const others = beside(passkey, { user_id: rui, name: 'of Rui' }, { id: bareId(22), name: 'another' })
  await onRows(sql, { passkey: [...others, passkey] }, async (tx) => {
    await queries.usePasskey(tx, ana, id, 7n)
    const used = await tx`select name, counter from passkey where last_used_at is not null`
    assert.deepEqual([...used], [{ name: 'wanted', counter: 7n }])
    assert.equal(await queries.deletePasskey(tx, ana, id), 'wanted')
    assert.equal(await queries.deletePasskey(tx, ana, id), undefined)
    assert.deepEqual(await left(tx, 'passkey', 'name'), ['another', 'of Rui'])
    assert.equal(await queries.deletePasskeys(tx, ana), 1)
    assert.deepEqual(await left(tx, 'passkey', 'name'), ['of Rui'])
  })
})

test('a step of a code is taken once, of the user’s own app, and none before it', async () => {
  const totp = { user_id: ana, last_step: 5, created_at: someTime }
  await onRows(sql, { user_totp: [{ ...totp, user_id: rui, last_step: 1 }, totp] }, async (tx) => {
    const taken = [5n, 4n, 6n, 6n].map((step) => () => queries.takeStep(tx, ana, step))
    for (const [nth, take] of taken.entries()) assert.equal(await take(), nth === 2)
    assert.deepEqual(await left(tx, 'user_totp', 'last_step'), [1n, 6n])
    assert.equal(await queries.deleteTotp(tx, ana), true)
    assert.equal(await queries.deleteTotp(tx, ana), false)
    assert.deepEqual(await left(tx, 'user_totp', 'user_id'), [rui])
  })
})

test('a recovery code is used once, by its own user and digest, under any key', async () => {
  const code = { user_id: ana, digest: '\\x01' }
  const others = beside(code, { user_id: rui }, { digest: '\\x02' })
  const digests = [Buffer.of(9), Buffer.of(1)]
  await onRows(sql, { recovery_code: [...others, code] }, async (tx) => {
    assert.equal(await queries.useRecoveryCode(tx, ana, digests), true)
    const used = await tx`select user_id as id, digest from recovery_code where used_at is not null`
    assert.deepEqual([...used], [{ id: ana, digest: Buffer.of(1) }])
    assert.equal(await queries.useRecoveryCode(tx, ana, digests), false)
  })
})

test('new recovery codes replace the user’s own, and used ones are codes too', async () => {
  const code = { user_id: ana, digest: '\\x01', used_at: someTime }
  await onRows(sql, { recovery_code: [code, { ...code, user_id: rui, digest: '\\x02' }] }, async (tx) => {
    assert.equal(await queries.hasRecoveryCodes(tx, ana), true)
    await queries.replaceRecoveryCodes(tx, ana, [Buffer.of(3), Buffer.of(4)], Buffer.of(7))
    assert.deepEqual(await left(tx, 'recovery_code', 'digest'), [Buffer.of(2), Buffer.of(3), Buffer.of(4)])
    await queries.deleteRecoveryCodes(tx, ana)
    assert.equal(await queries.hasRecoveryCodes(tx, ana), false)
    assert.equal(await queries.hasRecoveryCodes(tx, rui), true)
  })
})

test('an address is known to the user who signed in from it, until it ends', async () => {
  const now = await readNow(sql)
  const known = { user_id: ana, address_key: '\\x01', ends_at: addMs(now, minuteMs) }
  const isKnown = (rows: readonly Readonly<Record<string, unknown>>[]) =>
    onRows(sql, { known_address: rows }, (tx) => isKnownAddress(tx, ana, [Buffer.of(9), Buffer.of(1)]))
  assert.equal(await isKnown([known]), true)
  const others = beside(known, { user_id: rui }, { address_key: '\\x02' }, { ends_at: addMs(now, -1) })
  assert.equal(await isKnown(others), false)
})
