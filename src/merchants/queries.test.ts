// Which rows the statements about merchants, sub-accounts, freezes and connections find and change. Each row beside the wanted one differs in one
// column.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql, Tx } from '#/db/client.ts'
import type { ApiKeyId, ConnectionId, Id, MerchantId } from '#/kernel/id.ts'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import * as connections from './connection-queries.ts'
import { selectHolders, selectParentsKeys } from './queries.ts'
import * as queries from './queries.ts'
import * as accounts from './sub-account-queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [ours, theirs, third] = [bareId(1) as MerchantId, bareId(2) as MerchantId, bareId(3) as MerchantId]
const [one, two] = [bareId(11), bareId(12)] as const
const day = (number: number) => `2026-01-${String(number).padStart(2, '0')}T00:00:00Z`
const future = '2100-01-01T00:00:00Z'

const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)

test('the rule of fees at an instant is the last that began before it, of the merchant, method and currency', async () => {
  const rule = { merchant_id: ours, method: 'PIX', currency: 'BRL', rate_ppm: 0, fixed_minor: 5 }
  const past = { ...rule, valid_from: day(1), valid_to: day(9) }
  const fee_rule_past = [
    ...beside(
      { ...past, valid_from: day(2), fixed_minor: 6 },
      { merchant_id: theirs },
      { method: 'CRYPTO' },
      { currency: 'USD' },
      { valid_from: day(6) },
    ),
    { ...past, valid_from: day(0 + 1), fixed_minor: 5 },
  ]
  const find = (at: string) =>
    onRows(sql, { fee_rule_past }, async (tx) =>
      (
        await queries.selectPastFeeRules(tx, [
          { merchantId: ours, method: 'PIX', currency: 'BRL', at: new Date(at) },
        ])
      ).map(({ fixedMinor }) => fixedMinor),
    )
  assert.deepEqual(await find(day(5)), [5n])
  assert.deepEqual(await find(day(6)), [6n])
  assert.deepEqual(await find(day(9)), [])
})

/** Sets the rule PIX in BRL, beside rules that differ in one column, and returns what is kept of rules before and what is in force. */
async function setRule(validFrom: string, fixedMinor: bigint) {
  const rule = { merchant_id: ours, method: 'PIX', currency: 'BRL', fixed_minor: 5, rate_ppm: 0 }
  const fee_rule = [
    { ...rule, valid_from: validFrom },
    ...beside(
      { ...rule, valid_from: day(1) },
      { merchant_id: theirs },
      { method: 'CRYPTO' },
      { currency: 'USD' },
    ),
  ]
  return onRows(sql, { fee_rule, fee_rule_past: [] }, async (tx) => {
    await tx`create unique index on fee_rule (merchant_id, method, currency)`
    await queries.writeFeeRule(tx, {
      merchantId: ours,
      method: 'PIX',
      currency: 'BRL',
      fixedMinor,
      ratePpm: 0n,
    })
    const kept = await tx<{ fixedMinor: bigint }[]>`select fixed_minor as "fixedMinor" from fee_rule_past`
    const inForce = await tx<{ fixedMinor: bigint }[]>`
      select fixed_minor as "fixedMinor" from fee_rule order by fixed_minor desc`
    return [kept, inForce].map((rows) => rows.map((each) => each.fixedMinor))
  })
}

test('a new rule of fees replaces one rule, which is kept when it was in force for a time', async () => {
  assert.deepEqual(await setRule(day(1), 7n), [[5n], [7n, 5n, 5n, 5n]])
  assert.deepEqual(await setRule(day(1), 5n), [[], [5n, 5n, 5n, 5n]], 'the same rule again')
  assert.deepEqual(await setRule(future, 7n), [[], [7n, 5n, 5n, 5n]], 'replaced in its own millisecond')
})

test('a sandbox is archived when its own row says so', async () => {
  const archived = (rows: BareRows[string]) =>
    onRows(sql, { sandbox: rows }, (tx) => queries.isArchived(tx, ours))
  const row = { merchant_id: ours, archived_at: day(1) }
  assert.equal(await archived([row]), true)
  assert.equal(await archived(beside(row, { merchant_id: theirs }, { archived_at: null })), false)
})

test('a webhook secret is replaced at a merchant that is there', async () => {
  await onRows(sql, { merchant: [{ id: ours, webhook_secret: '\\x01' }] }, async (tx) => {
    assert.equal(await queries.replaceWebhookSecret(tx, ours, Buffer.from([2])), true)
    assert.equal(await queries.replaceWebhookSecret(tx, theirs, Buffer.from([2])), false)
  })
})

const account = { merchant_id: ours, parent_id: theirs, state: 'PENDING', version: 1, created_at: day(1) }
const merchant = [ours, theirs, third].map((id) => ({ id, mode: 'LIVE', name: 'Padaria' }))

test('a sub-account is found by its parent and its id, or the key that made it', async () => {
  const made = { ...account, idempotency_key: 'a', fingerprint: '\\x01' }
  const others = beside(made, { parent_id: third }, { merchant_id: third, idempotency_key: 'b' })
  const find = <Answer>(rows: BareRows[string], ask: (tx: Tx) => Promise<Answer>) =>
    onRows(sql, { merchant, sub_account: rows }, ask)
  const byKey = (tx: Tx) => accounts.selectByKey(tx, theirs, 'a')
  assert.equal((await find([...others, made], byKey))?.id, ours)
  assert.equal(await find(others, byKey), undefined)
  const among = (tx: Tx) => accounts.selectSubAccounts(tx, theirs, [ours])
  assert.deepEqual(ids(await find([...others, made], among)), [ours])
  assert.deepEqual(ids(await find(others, among)), [])
})

test('a page of sub-accounts is of one parent, newest first, before its cursor', async () => {
  const sub_account = [
    ...[ours, third].map((id) => ({ ...account, merchant_id: id })),
    { ...account, merchant_id: theirs, parent_id: third },
  ]
  const page = (more: { readonly before?: MerchantId; readonly limit: number }) =>
    onRows(sql, { merchant, sub_account }, async (tx) =>
      ids(await accounts.listSubAccounts(tx, theirs, more)),
    )
  assert.deepEqual(await page({ limit: 9 }), [third, ours])
  assert.deepEqual(await page({ limit: 1 }), [third])
  assert.deepEqual(await page({ limit: 9, before: third }), [ours])
})

test('a change of a sub-account is of it alone, with its name', async () => {
  const tables = { merchant, sub_account: [account, { ...account, merchant_id: third }] }
  const change = {
    name: 'Mercado',
    taxId: null,
    reference: 'new',
    state: 'ACTIVE',
    suspendedBy: null,
    isActivated: true,
  } as const
  const written = await onRows(sql, tables, async (tx) => {
    await accounts.writeSubAccount(tx, ours, change)
    return tx<{ name: string; state: string }[]>`
      select name, state from sub_account join merchant on id = merchant_id order by id`
  })
  assert.deepEqual(
    [...written],
    [
      { name: 'Mercado', state: 'ACTIVE' },
      { name: 'Padaria', state: 'PENDING' },
    ],
  )
})

test('parents are told of closed sub-accounts that are asked for, and of others among them', async () => {
  const closed = { ...account, state: 'CLOSED' }
  const [open, apart] = [bareId(4) as MerchantId, bareId(5) as MerchantId]
  const sub_account = [
    closed,
    { ...account, merchant_id: third },
    { ...account, merchant_id: open },
    { ...closed, merchant_id: apart },
  ]
  const found = await onRows(sql, { sub_account }, (tx) =>
    accounts.selectParentsOf(tx, [ours, third, open], [third]),
  )
  assert.deepEqual(ids(found).toSorted(), [ours, third])
})

test('a sub-account owes its parent by the balance of its own account, in its mode', async () => {
  const name = `owes:${ours}:BRL`
  const rows = {
    merchant,
    sub_account: [account],
    account: [
      { id: 1, mode: 'LIVE', name },
      { id: 2, mode: 'SANDBOX', name },
      { id: 3, mode: 'LIVE', name: `owes:${theirs}:BRL` },
    ],
  }
  for (const [id, minor, isIndebted] of [
    [1, 1, true],
    [1, 0, false],
    [2, 1, false],
    [3, 1, false],
  ] as const) {
    const balance = [{ account_id: id, minor }]
    const out = await onRows(sql, { ...rows, balance }, (tx) => accounts.selectAccountsOut(tx, [ours]))
    assert.deepEqual([...out], [{ id: ours, state: 'PENDING', isIndebted }], `${id}: ${minor}`)
  }
})

test('a freeze is ended by its kind, merchant and rail, also where it has none', async () => {
  const at = day(1)
  const rows = [
    [ours, null],
    [null, null],
    [null, 'PIX'],
    [theirs, null],
    [null, 'CRYPTO'],
  ].flatMap(([merchant_id, rail], index) =>
    ['FREEZE', 'SUSPENSION'].map((kind, nth) => ({
      id: bareId(20 + 2 * index + nth),
      kind,
      merchant_id,
      rail,
      at,
    })),
  )
  for (const { id, ...scope } of rows)
    await onRows(sql, { money_freeze: rows }, async (tx) => {
      const { merchant_id: merchantId, rail } = scope as {
        merchant_id: MerchantId | null
        rail: string | null
      }
      const kind = scope.kind as 'FREEZE' | 'SUSPENSION'
      assert.equal((await queries.deleteFreeze(tx, { kind, merchantId, rail }))?.id, id)
      assert.equal((await tx`select from money_freeze`).length, rows.length - 1)
    })
})

test('a freeze is stored once', async () => {
  const freeze = {
    id: bareId(31) as Id<'freeze'>,
    kind: 'FREEZE',
    merchantId: null,
    rail: null,
    reason: 'a test',
    decidedBy: 'ana',
  } as const
  await onRows(sql, { money_freeze: [] }, async (tx) => {
    await tx`create unique index on money_freeze (id)`
    assert.equal(await queries.insertFreeze(tx, freeze), true)
    assert.equal(await queries.insertFreeze(tx, freeze), false)
  })
})

test('it is unknown what left after a restore, until that is reviewed in the present epoch', async () => {
  const restore = { id: one, kind: 'RESTORE' }
  const epoch = [{ number: 1 }, { number: 2 }]
  const review = { epoch: 2, subject: 'MONEY_OUT' }
  const unknown = (money_freeze: BareRows[string], restore_review: BareRows[string]) =>
    onRows(sql, { money_freeze, restore_review, epoch }, (tx) => queries.isMoneyOutUnknown(tx))
  assert.equal(await unknown([restore], beside(review, { epoch: 1 }, { subject: 'CHAIN' })), true)
  assert.equal(await unknown([restore], [review]), false)
  assert.equal(await unknown([{ ...restore, kind: 'FREEZE' }], []), false)
})

const connection = { id: 'a1-one', merchant_id: ours, is_active: true, sealed_refunds: '\\x01' }
const archived = { archived_at: day(1) }

test('a connection is switched by its id, an archived one no more', async () => {
  const rows = [connection, { ...connection, id: 'a1-two' }, { ...connection, ...archived, id: 'a1-old' }]
  await onRows(sql, { connection: rows }, async (tx) => {
    assert.equal(await connections.setActive(tx, 'a1-one' as ConnectionId, false), true)
    assert.equal(await connections.setActive(tx, 'a1-old' as ConnectionId, false), false)
    assert.deepEqual(ids(await tx<{ id: string }[]>`select id from connection where not is_active`), [
      'a1-one',
    ])
  })
})

test('the connections of a merchant are archived once, and no others', async () => {
  const rows = [
    connection,
    { ...connection, id: 'a1-two', merchant_id: theirs },
    { ...connection, ...archived, id: 'a1-old' },
  ]
  await onRows(sql, { connection: rows }, async (tx) => {
    await connections.archiveConnections(tx, ours, new Date(future))
    const polled = await tx<{ id: string }[]>`select id from connection where polled_until is not null`
    assert.deepEqual(ids(polled), ['a1-one'])
  })
})

test('credentials are sealed again where they are as they were opened', async () => {
  const rows = [
    connection,
    { ...connection, id: 'a1-two' },
    { ...connection, id: 'a1-new', sealed_refunds: '\\x03' },
  ]
  const resealed = ['a1-one', 'a1-new'].map((id) => ({
    id: id as ConnectionId,
    before: Buffer.from([1]),
    sealed: Buffer.from([2]),
  }))
  const changed = await onRows(sql, { connection: rows }, (tx) =>
    connections.updateSealedRefunds(tx, resealed),
  )
  assert.deepEqual([...changed], ['a1-one'])
})

test('the public key of the worker is inserted once and replaced while it is the one that was read', async () => {
  const row = (byte: number) => ({
    publicKey: Buffer.from([byte]),
    origin: 'OPERATOR' as const,
    mac: Buffer.from([byte]),
  })
  const other = { id: 2, public_key: '\\x01', origin: 'OPERATOR', mac: '\\x01' }
  await onRows(sql, { worker_public_key: [other] }, async (tx) => {
    await tx`create unique index on worker_public_key (id)`
    assert.equal(await connections.insertPublicKey(tx, row(1)), true)
    assert.equal(await connections.insertPublicKey(tx, row(2)), false)
    assert.equal(
      await connections.updatePublicKey(tx, { ...row(1), publicKey: Buffer.from([2]) }, row(3)),
      false,
    )
    assert.equal(await connections.updatePublicKey(tx, { ...row(1), mac: Buffer.from([2]) }, row(3)), false)
    assert.equal(await connections.updatePublicKey(tx, row(1), row(3)), true)
    assert.deepEqual(await connections.selectPublicKey(tx), row(3))
  })
})

test('who holds a key is told of the keys that are asked for, by their first key', async () => {
  const key = { merchant_id: ours, id: one, lineage: two, person: null }
  const first = { ...key, merchant_id: theirs, id: two, lineage: two }
  const api_key = [key, first, { ...key, id: bareId(13), lineage: bareId(14) }]
  const [asked, own] = [one as ApiKeyId, two as ApiKeyId]
  await onRows(sql, { api_key }, async (tx) => {
    const holders = await selectHolders(tx, [asked, asked])
    assert.deepEqual([...holders], [[asked, { lineage: two, begunAt: theirs, user: null, person: null }]])
    const parents = await selectParentsKeys(tx, [
      { merchantId: ours, id: asked },
      { merchantId: theirs, id: own },
    ])
    assert.deepEqual([...parents], [asked])
  })
})

test('a key of which the merchant has neither row nor first key belongs to its parent', async () => {
  const key = (id: string, lineage: string | null) => ({ merchant_id: ours, id, lineage })
  const api_key = [key(one, null), key(two, bareId(15)), key(bareId(13), one)]
  const keys = [one, two, bareId(13), bareId(16)].map((id) => ({ merchantId: ours, id: id as ApiKeyId }))
  const parents = await onRows(sql, { api_key }, (tx) => selectParentsKeys(tx, keys))
  assert.deepEqual([...parents], [two, bareId(16)])
})
