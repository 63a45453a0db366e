// Transfers between a platform and its sub-account in the books: they repay debts like every credit. `verify` agrees with them,
// and finds whatever was changed.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { newId, type ApiKeyId, type MerchantId, type WalletId } from '#/kernel/id.ts'
import { changeSubAccount } from '#/merchants/sub-accounts.ts'
import {
  by,
  giveGrant,
  holdings,
  moveInFamily,
  newOwnKey,
  newSubAccount,
  walletOf,
  withdrawAll,
} from '../../test/split-world.ts'
import { openTabsWorld, type TabsWorld } from '../../test/tabs-world.ts'
import { createWalletKind } from './create.ts'
import { revokeGrantKind } from './give-grant.ts'
import { ownTransferKind } from './transfer.ts'

let world: TabsWorld
let sub: MerchantId
let keyId: ApiKeyId

before(async () => {
  world = await openTabsWorld()
})
beforeEach(async () => {
  sub = await newSubAccount(world.line)
  keyId = await newOwnKey(world.line, sub)
})
after(async () => {
  await using _ = world
  assert.deepEqual(await faults(), [])
})

async function faults(): Promise<readonly string[]> {
  const report = await world.line.verify()
  // The disputed card has no evidence of a bank's.
  return report.faults
    .filter(({ inspection }) => !inspection.startsWith('receipts of'))
    .map(({ row, what }) => `${row} ${what}`)
}

const platformId = () => world.line.merchant.id
const give = (amount: number) => moveInFamily(world.line, 'give', sub, amount)
const take = (amount: number, from?: WalletId) => moveInFamily(world.line, 'take', sub, amount, from)

async function grant() {
  const verdict = await giveGrant(world.line, { id: sub, keyId }, 100_000)
  assert.ok(verdict.kind === 'created', verdict.kind)
  return verdict.grant.id
}

/** A payment by card whose half is the sub-account's. */
async function paid(minor = 10_000n) {
  const splits = [{ subAccountId: sub, percent: '50' }]
  const { payment, tabs } = await world.open('BRL', Number(minor), ['CREDIT_CARD'], { splits })
  const tab = must(tabs.get('CREDIT_CARD'), 'there are cards')
  const receipt = world.receipt(tab, 'paid', minor)
  await world.settle(receipt)
  return { payment, tab, receipt }
}

/** The payer gets all of it back after the sub-account withdrew its half: the platform covered it. */
async function indebted(): Promise<void> {
  const { tab, receipt } = await paid()
  await withdrawAll(world.line, sub)
  await paid(30_000n)
  await withdrawAll(world.line, sub)
  await world.settle(
    world.receipt(tab, 'dispute_opened', 10_000n, {
      providerRef: `dp_${newId()}`,
      dispute: { paidRef: receipt.providerRef, kind: 'CHARGEBACK' },
    }),
  )
  assert.equal((await holdings(world.line, sub)).owesParent, 5_000n)
}

test('what a platform gives repays first what its sub-account owes it, and only the rest stays', async () => {
  await indebted()
  const before = (await holdings(world.line, platformId())).has
  assert.equal((await give(6_000)).kind, 'created')
  assert.deepEqual(await holdings(world.line, sub), { has: 1_000n, owes: 0n, owesParent: 0n })
  assert.equal(before - (await holdings(world.line, platformId())).has, 1_000n)
})

test('a part of a debt is repaid by what came, and the rest stays owed', async () => {
  await indebted()
  const before = (await holdings(world.line, platformId())).has
  assert.equal((await give(2_000)).kind, 'created')
  assert.deepEqual(await holdings(world.line, sub), { has: 0n, owes: 0n, owesParent: 3_000n })
  assert.equal((await holdings(world.line, platformId())).has, before)
})

test('money aside in another wallet goes before the platform pays, and nothing is taken from a sub-account in debt', async () => {
  const { payment } = await paid()
  await changeSubAccount(world.line.sql, { id: sub }, { state: 'ACTIVE' }, by)
  const { lane, merchant } = world.line
  const reserve = newId<'wallet'>()
  const request = { currency: 'BRL', walletType: 'RESERVE', label: 'Aside' } as const
  await lane.submit(createWalletKind(), { merchantId: sub, mode: merchant.mode, id: reserve, request })
  const aside = { fromWalletId: await walletOf(world.line, sub), toWalletId: reserve, amount: 3_000 }
  const moved = { merchantId: sub, mode: merchant.mode, id: newId<'own-transfer'>(), request: aside }
  assert.equal((await lane.submit(ownTransferKind, moved)).kind, 'created')
  await grant()
  assert.equal((await take(2_000)).kind, 'created')
  assert.equal((await world.refund(payment, 10_000, 'rest', { coverShortfall: true })).kind, 'created')
  assert.equal((await holdings(world.line, sub)).owesParent, 2_000n)
  assert.equal((await take(1, reserve)).kind, 'insufficient_funds')
  assert.equal((await take(1)).kind, 'insufficient_funds')
  assert.deepEqual(await faults(), [])
})

test('each change of a transfer with a sub-account, its other row and its grant is named by the second reading', async () => {
  await paid()
  await changeSubAccount(world.line.sql, { id: sub }, { state: 'ACTIVE' }, by)
  await grant()
  const taken = await take(700)
  assert.ok(taken.kind === 'created')
  const { id } = taken.transfer
  const mirrorRow = `id = '${id}' and merchant_id = '${sub}'`
  const platformRow = `id = '${id}' and merchant_id = '${platformId()}'`
  const given = `merchant_id = '${sub}'`
  for (const [table, change, back, where, expected] of [
    [
      'own_transfer',
      'amount_minor = 701',
      'amount_minor = 700',
      mirrorRow,
      /has no equal row of the other merchant/,
    ],
    [
      'own_transfer',
      'is_mirror = false',
      'is_mirror = true',
      mirrorRow,
      /no equal row|no sub-account of the other/,
    ],
    [
      'own_transfer',
      'names_wallet = true',
      'names_wallet = false',
      platformRow,
      /not what its fingerprint says/,
    ],
    [
      'transfer_grant',
      'taken_minor = 600',
      'taken_minor = 700',
      given,
      /says 600 was taken, but the transfers make 700/,
    ],
    ['transfer_grant', 'max_minor = 701', 'max_minor = 100000', given, /not what its fingerprint says/],
    ['transfer_grant', 'version = 5', 'version = 2', given, /has version 5 after 1 changes/],
    [
      'transfer_grant',
      `given_by = '${newId()}'`,
      `given_by = '${keyId}'`,
      given,
      /no key of the sub-account’s own/,
    ],
    [
      'transfer_grant',
      "created_at = created_at + interval '1 hour'",
      "created_at = created_at - interval '1 hour'",
      given,
      /was taken without a grant in force/,
    ],
  ] as const) {
    await tamper(table, `update ${table} set ${change} where ${where}`)
    const found = await faults()
    assert.ok(
      found.some((each) => expected.test(each)),
      `${change}: ${found.join('; ')}`,
    )
    await tamper(table, `update ${table} set ${back} where ${where}`)
    assert.deepEqual(await faults(), [], change)
  }
})

test('a grant or a share of which a merchant was not told is named, and so is an event that says something else', async () => {
  await paid()
  const id = await grant()
  for (const [type, resource, reader] of [
    ['transfer_grant.created', id, sub],
    ['transfer_grant.created', id, platformId()],
    ['share.credited', undefined, sub],
  ] as const) {
    const where = `type = '${type}' and merchant_id = '${reader}' ${resource === undefined ? '' : `and resource_id = '${resource}'`}`
    await world.line.owner.unsafe(`create table kept as select * from event where ${where}`)
    await tamper('event', `delete from event where ${where}`)
    assert.match((await faults()).join('\n'), new RegExp(`never notified of ${type.replace('.', '\\.')}`))
    await tamper('event', 'insert into event select * from kept; drop table kept')
    assert.deepEqual(await faults(), [])
  }
  const credited = `type = 'share.credited' and merchant_id = '${sub}'`
  await tamper(
    'event',
    `update event set body = replace(body, '"amountCredited":5000', '"amountCredited":5001') where ${credited}`,
  )
  assert.match((await faults()).join('\n'), /has another amountCredited than was notified/)
  await tamper(
    'event',
    `update event set body = replace(body, '"amountCredited":5001', '"amountCredited":5000') where ${credited}`,
  )
})

async function tamper(table: string, statement: string): Promise<void> {
  await world.line.owner.unsafe(
    `begin; alter table ${table} disable trigger user; ${statement}; alter table ${table} enable trigger user; commit`,
  )
}

test('a revoked grant is not taken by, in whatever order the two come to the lane', async () => {
  await paid()
  await changeSubAccount(world.line.sql, { id: sub }, { state: 'ACTIVE' }, by)
  const id = await grant()
  assert.equal((await take(100)).kind, 'created')
  const revoke = { merchantId: sub, mode: world.line.merchant.mode, id, keyId }
  const [revoked, taken] = await Promise.all([world.line.lane.submit(revokeGrantKind, revoke), take(100)])
  assert.equal(revoked.kind, 'revoked')
  const { has } = await holdings(world.line, sub)
  assert.equal(has, taken.kind === 'created' ? 4_800n : 4_900n)
  assert.equal((await take(1)).kind, 'not_granted')
})
