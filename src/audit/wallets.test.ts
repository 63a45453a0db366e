// The inspection of own transfers: sound books have no fault, and each change is named.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { newId, type WalletId } from '#/kernel/id.ts'
import { createWalletKind } from '#/wallets/create.ts'
import type { OwnTransferId } from '#/wallets/own-transfer.ts'
import { selectWallets } from '#/wallets/queries.ts'
import { ownTransferKind } from '#/wallets/transfer.ts'
import { cent, openLine, type Line } from '../../test/line.ts'

let line: Line
let moved: OwnTransferId

before(async () => {
  line = await openLine()
  const payment = await line.create()
  await line.mine([{ to: await line.addressOf(payment), units: 1_000n * cent }])
  await line.finalize()
  await line.settleAll()
  const { id: merchantId, mode } = line.merchant
  const id = newId<'wallet'>()
  const request = { currency: 'USDT', walletType: 'RESERVE', label: 'Taxes' } as const
  await line.lane.submit(createWalletKind(), { merchantId, mode, id, request })
  const [main] = await selectWallets(line.sql, merchantId, { currency: 'USDT' })
  const base = { fromWalletId: must(main, 'a wallet').id, toWalletId: id, amount: 300 }
  for (const more of [{ description: 'Taxes', metadata: { a: [1, 'é'], b: -0.5 } }, {}]) {
    moved = newId<'own-transfer'>()
    const item = { merchantId, mode, id: moved, request: { ...base, ...more } }
    assert.equal((await line.lane.submit(ownTransferKind, item)).kind, 'created')
  }
})
after(() => line[Symbol.asyncDispose]())

async function tamper(table: string, statement: string): Promise<void> {
  await line.owner.unsafe(
    `begin; alter table ${table} disable trigger user; ${statement}; alter table ${table} enable trigger user; commit`,
  )
}

async function faults(): Promise<readonly string[]> {
  return (await line.verify()).faults.map(({ row, what }) => `${row} ${what}`)
}

test('sound books with own transfers have no fault', async () => {
  const report = await line.verify()
  assert.deepEqual(report.faults, [])
  assert.equal(report.checked.find(({ what }) => what === 'own transfers')?.count, 2)
})

test('each changed column of an own transfer is named', async () => {
  const changes: readonly (readonly [string, string, RegExp])[] = [
    ['amount_minor = 301', 'amount_minor = 300', /is not what its fingerprint says/],
    ["description = 'x'", 'description = null', /is not what its fingerprint says/],
    [`to_wallet_id = '${newId() as WalletId}'`, '', /is not between two wallets of its merchant/],
    [
      "created_at = created_at + interval '1 ms'",
      "created_at = created_at - interval '1 ms'",
      /has another time/,
    ],
    ["fingerprint = '\\x00'", '', /is not what its fingerprint says/],
  ]
  for (const [change, back, expected] of changes) {
    await line.owner`create table kept as select * from own_transfer where id = ${moved}`
    await tamper('own_transfer', `update own_transfer set ${change} where id = '${moved}'`)
    const found = await faults()
    assert.ok(
      found.some((each) => each.startsWith(`own transfer ${moved}`) && expected.test(each)),
      found.join('\n'),
    )
    if (back !== '') await tamper('own_transfer', `update own_transfer set ${back} where id = '${moved}'`)
    else {
      await tamper(
        'own_transfer',
        `delete from own_transfer where id = '${moved}'; insert into own_transfer select * from kept`,
      )
    }
    await line.owner`drop table kept`
    assert.deepEqual(await faults(), [])
  }
})

test('an own transfer without its event, and an event without or beside its transfer, are named', async () => {
  const event = `type = 'transfer.completed' and resource_id = '${moved}'`
  const counted = /own transfers of merchant \S+ are 2 with an event, but events \d/
  await line.owner`create table kept as select * from event where type = 'transfer.completed' and resource_id = ${moved}`
  await tamper('event', `delete from event where ${event}`)
  const missing = (await faults()).join('\n')
  assert.match(
    missing,
    new RegExp(`transfer ${moved} is made, but its merchant was never notified of transfer.completed`),
  )
  assert.match(missing, counted)
  await tamper('event', 'insert into event select * from kept')
  assert.deepEqual(await faults(), [])
  await tamper(
    'event',
    `update kept set sequence = 1000, id = '${newId()}'; insert into event select * from kept`,
  )
  assert.match((await faults()).join('\n'), counted, 'a second event of one transfer')
  await tamper('event', `delete from event where ${event} and sequence = 1000`)
  await tamper(
    'event',
    `update event set body = replace(body, '"amount":300', '"amount":301') where ${event}`,
  )
  assert.match(
    (await faults()).join('\n'),
    new RegExp(`transfer ${moved} has another amount than was notified`),
  )
  await tamper(
    'event',
    `update event set body = replace(body, '"amount":301', '"amount":300') where ${event}`,
  )
  await line.owner`drop table kept`
  assert.deepEqual(await faults(), [])
})

test('an own transfer of an earlier release has no event, and none is missed', async () => {
  const event = `type = 'transfer.completed' and resource_id = '${moved}'`
  await tamper('own_transfer', `update own_transfer set is_notified = false where id = '${moved}'`)
  assert.match((await faults()).join('\n'), /are 1 with an event, but events 2/)
  await line.owner`create table kept as select * from event where type = 'transfer.completed' and resource_id = ${moved}`
  await tamper('event', `delete from event where ${event}`)
  assert.doesNotMatch((await faults()).join('\n'), /transfer\.completed|with an event/)
  await tamper('event', 'insert into event select * from kept')
  await tamper('own_transfer', `update own_transfer set is_notified = true where id = '${moved}'`)
  await line.owner`drop table kept`
  assert.deepEqual(await faults(), [])
})

test('the transfer of a deleted own transfer is named, and so is an own transfer without a transfer', async () => {
  await line.owner`create table kept as select * from own_transfer where id = ${moved}`
  await tamper('own_transfer', `delete from own_transfer where id = '${moved}'`)
  assert.match((await faults()).join('\n'), new RegExp(`transfer \\d+ belongs to ${moved}, which is nothing`))
  const invented = newId()
  await tamper(
    'own_transfer',
    `insert into own_transfer select * from kept; update kept set id = '${invented}'; insert into own_transfer select * from kept`,
  )
  assert.match((await faults()).join('\n'), new RegExp(`own transfer ${invented} moved nothing in the books`))
  await tamper('own_transfer', `delete from own_transfer where id = '${invented}'`)
  await line.owner`drop table kept`
  assert.deepEqual(await faults(), [])
})
