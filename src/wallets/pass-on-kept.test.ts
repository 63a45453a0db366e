// Money that a sub-account had kept before what comes for a closed one went on by itself: the operator moves it to the parent, and the second
// reading agrees with nothing else that says so.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { newId, type MerchantId } from '#/kernel/id.ts'
import type { Operator } from '#/operator/deps.ts'
import { beginFreeze, endFreeze } from '#/operator/freezes.ts'
import { passOnKept } from '#/operator/pass-on-kept.ts'
import { addMember } from '#/people/members.ts'
import { createUser } from '#/people/users.ts'
import { openCardWorld, type CardWorld } from '../../test/card-world.ts'
import { joinFamily, type Family } from '../../test/laws/debts-family.ts'
import { lowCost, site as people } from '../../test/people-world.ts'
import { createWalletKind } from './create.ts'
import { statementPage } from './statement.ts'
import { selectOwnTransfers } from './transfer-queries.ts'

type World = { readonly world: CardWorld; readonly family: Family } & AsyncDisposable

/** The merchant of the world is the sub-account. */
async function openWorld(): Promise<World> {
  const world = await openCardWorld()
  const family = await joinFamily(world, 'ana@example.com')
  return {
    world,
    family,
    async [Symbol.asyncDispose]() {
      await family[Symbol.asyncDispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}

const operator = (id = 'ana@test'): Operator => ({
  by: { actor: { kind: 'OPERATOR', id }, reason: 'unused' },
  name: id,
})

const moving = ({ world }: World, by = operator(), id?: MerchantId) => {
  const { sql, lane, merchant } = world.line
  return passOnKept({ sql, lane }, by, id ?? merchant.id, 'verify names it')
}

/** As an earlier release closed it: whatever it has. */
async function closeAsBefore({ world: { line } }: World): Promise<void> {
  await line.owner`update sub_account set state = 'CLOSED' where merchant_id = ${line.merchant.id}`
}

async function pay({ world }: World, ref = 'pi_1') {
  const { attempt } = await world.create()
  await world.settle(world.receipt(attempt, 'paid', ref))
}

test('all that a closed sub-account kept goes on to its parent, both are told, it is audited, and the books are right again', async () => {
  await using dashboard = await openWorld()
  const { world, family } = dashboard
  const { sql, merchant } = world.line
  await pay(dashboard)
  await closeAsBefore(dashboard)
  assert.deepEqual(
    (await world.line.verify()).faults.map(({ what }) => what),
    ['is closed, but 1000 is available in its wallets'],
  )
  const had = (await family.standings())[1].available
  const { transfers, remaining } = await moving(dashboard)
  assert.deepEqual(remaining, [])
  const [sub, platform] = await family.standings()
  assert.deepEqual([sub, platform.available - had], [{ available: 0n, owed: 0n, owes: 0n }, 1_000n])
  const [mine] = await selectOwnTransfers(sql, family.platform, { limit: 5 })
  const [theirs] = await selectOwnTransfers(sql, merchant.id, { limit: 5 })
  assert.deepEqual(
    transfers.map(({ id }) => id),
    [mine?.id],
  )
  assert.deepEqual(mine?.other, { merchantId: merchant.id, is: 'SUB_ACCOUNT', sourceId: merchant.id })
  assert.deepEqual(theirs?.other, { merchantId: family.platform, is: 'PARENT', sourceId: merchant.id })
  const told = await sql<{ merchantId: MerchantId }[]>`
    select merchant_id as "merchantId" from event where type = 'transfer.completed' and resource_id = ${String(mine?.id)}`
  assert.deepEqual(
    told.map(({ merchantId }) => merchantId).toSorted(),
    [merchant.id, family.platform].toSorted(),
  )
  for (const [id, amount] of [
    [family.platform, 1_000n],
    [merchant.id, -1_000n],
  ] as const) {
    const page = await statementPage(sql, { id, mode: 'SANDBOX' }, { kind: 'TRANSFER', limit: 5 })
    assert.ok(typeof page === 'object')
    assert.deepEqual(
      page.data.map((row) => row.amount),
      [amount],
    )
  }
  const audited = await sql<Record<string, unknown>[]>`
    select action, subject, actor_id as by, reason, merchant_id as of, after->>'amount' as amount from audit_log`
  assert.deepEqual(
    audited.filter(({ action }) => action === 'sub-account.pass-on'),
    [
      {
        action: 'sub-account.pass-on',
        subject: `transfer:${String(mine?.id)}`,
        by: 'ana@test',
        reason: 'verify names it',
        of: merchant.id,
        amount: '1000',
      },
    ],
  )
  assert.deepEqual((await world.line.verify()).faults, [])
  await assert.rejects(moving(dashboard), { code: 'invalid_state', message: /no money that is available/ })
})

test('it goes on from every wallet of the sub-account', async () => {
  await using dashboard = await openWorld()
  const { world, family } = dashboard
  const { lane, sql, merchant, owner } = world.line
  await pay(dashboard)
  const id = newId<'wallet'>()
  const request = { currency: 'EUR', walletType: 'SPENDABLE', label: 'other' } as const
  const made = await lane.submit(createWalletKind(), {
    merchantId: merchant.id,
    mode: 'SANDBOX',
    id,
    request,
  })
  assert.equal(made.kind, 'created')
  await owner`update wallet set is_default = false where merchant_id = ${merchant.id} and currency = 'EUR'`
  await owner`update wallet set is_default = true where id = ${id}`
  await pay(dashboard, 'pi_2')
  await closeAsBefore(dashboard)
  const { transfers } = await moving(dashboard)
  assert.deepEqual(
    transfers.map(({ request: { amount } }) => amount),
    [1_000, 1_000],
  )
  assert.equal(new Set(transfers.map(({ fromWalletId }) => fromWalletId)).size, 2)
  assert.equal((await family.standings())[0].available, 0n)
  assert.equal((await selectOwnTransfers(sql, merchant.id, { limit: 5 })).length, 2)
  assert.deepEqual((await world.line.verify()).faults, [])
})

test('nothing goes on from an account that is not closed, or frozen, or where the parent has no wallet, or by a member of the parent', async () => {
  await using dashboard = await openWorld()
  const { world, family } = dashboard
  const { sql, owner, merchant } = world.line
  await pay(dashboard)
  const before = await family.standings()
  await assert.rejects(moving(dashboard), { code: 'invalid_state', message: /It is ACTIVE/ })
  await assert.rejects(moving(dashboard, operator(), family.platform), { code: 'not_found' })
  await closeAsBefore(dashboard)
  for (const merchantId of [merchant.id, family.platform]) {
    const subject = { kind: 'FREEZE', merchantId, rail: null } as const
    await beginFreeze({ sql, cell: 't1' }, operator(), subject, 'looking')
    await assert.rejects(moving(dashboard), { code: 'invalid_state', message: /frozen/ })
    await endFreeze({ sql, cell: 't1' }, operator(), subject, 'looked')
  }
  const deps = { sql, key: randomBytes(32), site: people, passwordCost: lowCost }
  const member = await createUser(deps, operator().by, {
    email: 'bea@example.com',
    name: 'Bea',
    password: 'correct horse battery staple',
  })
  await addMember(deps, operator().by, { merchantId: family.platform, userId: member.id, role: 'OWNER' })
  const asMember: Operator = { by: { actor: { kind: 'USER', id: member.id } }, name: member.email }
  await assert.rejects(moving(dashboard, asMember), { code: 'forbidden' })
  await owner`update wallet set is_default = false where merchant_id = ${family.platform} and currency = 'EUR'`
  await assert.rejects(moving(dashboard), { code: 'invalid_state', message: /no wallet in EUR/ })
  assert.deepEqual(await family.standings(), before)
  assert.deepEqual(await selectOwnTransfers(sql, merchant.id, { limit: 5 }), [])
})

test('the second reading asks who moved it', async () => {
  await using dashboard = await openWorld()
  const { world } = dashboard
  await pay(dashboard)
  await closeAsBefore(dashboard)
  const { transfers } = await moving(dashboard)
  const { owner } = world.line
  const found = async () => (await world.line.verify(['settlement'])).faults.map(({ what }) => what)
  assert.deepEqual(await found(), [])
  await owner.unsafe(`
    alter table audit_log disable trigger user;
    update audit_log set subject = 'transfer:${newId()}' where subject = 'transfer:${String(transfers[0]?.id)}';
    alter table audit_log enable trigger user`)
  assert.deepEqual(
    await found(),
    Array(2).fill('went on to the parent, but nothing had come for a closed sub-account'),
  )
})
