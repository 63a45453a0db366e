// Coins of unknown origin that two people credit to a sub-account repay what it owes its platform.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verify } from '#/audit/verify.ts'
import { must } from '#/kernel/check.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { owed, owes } from '#/ledger/chart.ts'
import { changeSubAccount } from '#/merchants/sub-accounts.ts'
import { ownerProposals, proposeOwner } from '#/treasury/rescue.ts'
import { move, posting } from '../../test/books.ts'
import { cent, openCoinWorld } from '../../test/laws/coins-world.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { by, newSubAccount } from '../../test/split-world.ts'
import { ownerKind } from './credit-found-coins.ts'

const coins = openForTests(openCoinWorld)

/** In USDT: what is available in all wallets. */
async function available(merchantId: MerchantId): Promise<bigint> {
  const [row] = await coins.world.sql<{ minor: bigint }[]>`
    select coalesce(sum(balance.minor), 0)::bigint as minor
      from wallet
      join account on account.name = 'wallet:' || wallet.id || ':available'
      join balance on balance.account_id = account.id
     where wallet.merchant_id = ${merchantId} and wallet.currency = 'USDT'`
  return must(row, 'a sum is a row').minor
}

test('coins that are credited to a sub-account repay its platform first, and the audit agrees', async () => {
  const { world, scene, keys } = coins
  const { sql, lane, auditKey } = world
  const parent = { id: scene.merchantId, mode: 'SANDBOX' as const }
  const sub = await newSubAccount({ sql, merchant: parent })
  const [debt, claim] = [owes('SANDBOX', sub, 'USDT'), owed('SANDBOX', parent.id, 'USDT')]
  await lane.submit(move, { postings: [posting(debt, claim, 60n, { kind: 'SHARE_COVERED' })] })
  await coins.send(keys.treasury.address, 100n * cent)
  await coins.rest()
  const [found] = await sql<{ id: string }[]>`select id from coin_move where booked_as = 'FOUND'`
  const { id } = must(found, 'the coins are found')
  const proposal = { move: id, merchantId: sub, by: 'ana', note: undefined }
  await sql.begin((tx) => proposeOwner(tx, proposal, world.clock.now()))
  const claiming = ownerKind(ownerProposals)
  assert.equal((await lane.submit(claiming, { move: id, by: 'bia' })).kind, 'credited')
  assert.equal((await lane.submit(claiming, { move: id, by: 'bia' })).kind, 'already')
  assert.deepEqual([await available(sub), await available(parent.id)], [40n, 60n])
  const { faults } = await verify(sql, { cell: 'a1', auditKey, only: ['settlement', 'debts'] })
  // The debt itself was planted by this test.
  assert.deepEqual(
    faults.map(({ what }) => what).filter((what) => !what.endsWith('which is nothing that moves money')),
    [],
  )
})

test('coins that are credited to a closed sub-account are its parent’s', async () => {
  const { world, scene, keys } = coins
  const { sql, lane, auditKey } = world
  const parent = { id: scene.merchantId, mode: 'SANDBOX' as const }
  const sub = await newSubAccount({ sql, merchant: parent })
  const before = await available(parent.id)
  await coins.send(keys.treasury.address, 30n * cent)
  await coins.rest()
  const [found] = await sql<{ id: string }[]>`
    select id from coin_move as move
     where booked_as = 'FOUND' and not exists (select from coin_claim where coin_claim.move = move.id)`
  const { id } = must(found, 'the coins are found')
  await sql.begin((tx) =>
    proposeOwner(tx, { move: id, merchantId: sub, by: 'ana', note: undefined }, world.clock.now()),
  )
  // It was open when the first person said so.
  await changeSubAccount(sql, { id: sub }, { state: 'CLOSED' }, by)
  assert.equal((await lane.submit(ownerKind(ownerProposals), { move: id, by: 'bia' })).kind, 'credited')
  assert.deepEqual([await available(sub), (await available(parent.id)) - before], [0n, 30n])
  const only = ['closed sub-accounts', 'settlement']
  const { faults } = await verify(sql, { cell: 'a1', auditKey, only })
  assert.deepEqual(
    faults.map(({ what }) => what).filter((what) => !what.endsWith('which is nothing that moves money')),
    [],
  )
})
