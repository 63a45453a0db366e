// Money that comes for a closed sub-account: by every way on which money can come, it goes on to its parent's default wallet in the same
// transaction, both are told whose it was, and the second reading agrees.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { newId, type ConnectionId, type Id, type WithdrawalId } from '#/kernel/id.ts'
import { addMs, hourMs } from '#/kernel/time.ts'
import { changeSubAccount } from '#/merchants/sub-accounts.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Attempt } from '#/rails/attempt.ts'
import type { Receipt } from '#/rails/receipt.ts'
import type { Refund } from '#/refunds/refund.ts'
import { payoutKind } from '#/settlement/payout.ts'
import { resolveKind } from '#/settlement/resolve.ts'
import { settleKind } from '#/settlement/settle.ts'
import { decisionKind } from '#/withdrawals/decide.ts'
import { withdrawalKind } from '#/withdrawals/request.ts'
import { openCardWorld, type CardWorld } from '../../test/card-world.ts'
import { joinFamily, type Family } from '../../test/laws/debts-family.ts'
import { testPayoutRails } from '../../test/payout-rail.ts'
import { by } from '../../test/split-world.ts'
import { statementPage } from './statement.ts'
import { selectOwnTransfers } from './transfer-queries.ts'

const place = { pixKey: 'ana@example.com', pixKeyType: 'EMAIL' } as const
const payouts = 't1-payouts' as ConnectionId

type World = { readonly world: CardWorld; readonly family: Family }

/** The merchant of the world is the sub-account. */
async function openWorld(): Promise<World & AsyncDisposable> {
  const world = await openCardWorld()
  await world.line.owner`
    insert into connection (id, mode, method, provider, settings, created_at)
    values (${payouts}, 'SANDBOX', 'PIX_PAYOUT', 'efi', '{}', clock_timestamp())`
  const family = await joinFamily(world, place.pixKey)
  return {
    world,
    family,
    async [Symbol.asyncDispose]() {
      await family[Symbol.asyncDispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}

type Paid = { readonly payment: Payment; readonly attempt: Attempt; readonly receipt: Receipt }

async function paid({ world }: World): Promise<Paid> {
  const { payment, attempt } = await world.create()
  const receipt = world.receipt(attempt, 'paid', `pi_${payment.id}`)
  await world.settle(receipt)
  return { payment, attempt, receipt }
}

async function withdrawn({ world: { line } }: World, amount: number): Promise<WithdrawalId> {
  const id = newId<'withdrawal'>()
  const routing = {
    ok: true,
    connection: payouts,
    currency: 'EUR',
    destination: { text: place.pixKey, fields: place },
  } as const
  const verdict = await line.lane.submit(withdrawalKind(), {
    merchantId: line.merchant.id,
    mode: 'SANDBOX',
    id,
    request: { type: 'PIX', amount, currency: 'EUR', ...place },
    requestedBy: newId<'api-key'>(),
    routing,
  })
  assert.equal(verdict.kind, 'created')
  await line.lane.submit(decisionKind(testPayoutRails()), { id, event: 'sending' })
  await tell(line, id, { state: 'done' })
  return id
}

function tell(
  { lane }: CardWorld['line'],
  id: WithdrawalId,
  news: { readonly state: 'done' } | { readonly state: 'returned'; readonly returned: bigint },
) {
  const evidence = Buffer.from(`${id} ${news.state}`)
  return lane.submit(payoutKind(testPayoutRails()), { id, news: { ...news, evidence } })
}

async function suspended({ world }: World): Promise<Id<'unmatched'>> {
  const { attempt } = await world.create()
  const ref = `pi_${attempt.id}`
  await world.settle(world.receipt(attempt, 'paid', ref, { amount: { minor: 77n, currency: 'EUR' } }))
  const [row] = await world.line.sql<{ id: Id<'unmatched'> }[]>`
    select id from unmatched where provider_ref = ${ref}`
  await world.close(must(await world.payment(attempt.paymentId), 'it is there'), 'canceled')
  return must(row, 'it lies in suspense').id
}

function dispute(
  { world }: World,
  { attempt, receipt }: Paid,
  outcome: 'dispute_opened' | 'dispute_won' | 'dispute_lost',
) {
  const about = { paidRef: receipt.providerRef, kind: 'CHARGEBACK' as const }
  const said = world.receipt(attempt, outcome, `dp_${attempt.id}`, { dispute: about })
  return world.settle(said)
}

/** Something was done before it was closed; then money comes. Returns the record whose money it is. */
type Way = {
  readonly minor: bigint
  readonly before: (dashboard: World) => Promise<(dashboard: World) => Promise<string>>
}

const ways: Readonly<Record<string, Way>> = {
  'a payment that was canceled is paid late': {
    minor: 1_000n,
    async before({ world }) {
      const { payment, attempt } = await world.create()
      await world.close(payment, 'canceled')
      return async () => {
        await world.settle(world.receipt(attempt, 'paid', 'pi_late'))
        return payment.id
      }
    },
  },
  'a payment is paid a second time, and waits for its settlement delay': {
    minor: 1_000n,
    async before(dashboard) {
      const { payment, attempt } = await paid(dashboard)
      return async ({ world }) => {
        world.provider.delayMs = hourMs
        await world.settle(world.receipt(attempt, 'paid', 'pi_again'))
        assert.equal(await world.release(), 1)
        return payment.id
      }
    },
  },
  'a payout comes back': {
    minor: 300n,
    async before(dashboard) {
      await paid(dashboard)
      const id = await withdrawn(dashboard, 300)
      return async ({ world }) => {
        await tell(world.line, id, { state: 'returned', returned: 300n })
        return id
      }
    },
  },
  'a dispute that was lost is won after all': {
    minor: 1_000n,
    async before(dashboard) {
      const lost = await paid(dashboard)
      await dispute(dashboard, lost, 'dispute_opened')
      await dispute(dashboard, lost, 'dispute_lost')
      return async () => {
        await dispute(dashboard, lost, 'dispute_won')
        return lost.payment.id
      }
    },
  },
  'a refund that was completed failed after all': {
    minor: 400n,
    async before(dashboard) {
      const { payment, attempt } = await paid(dashboard)
      const { world } = dashboard
      const { refund }: { readonly refund: Refund } = await world.refund(payment, 400)
      await world.settle(world.refundReceipt(attempt, refund.id, 'refunded', 400n))
      return async () => {
        // The provider was asked again after it had said the opposite.
        const inquiry = { at: addMs(world.line.clock.now(), hourMs) }
        const receipts = [world.refundReceipt(attempt, refund.id, 'refund_failed', 400n)]
        await world.line.lane.submit(settleKind(world.rails), { receipts, inquiry })
        return payment.id
      }
    },
  },
  'money in suspense is said to be its': {
    minor: 77n,
    async before(dashboard) {
      const id = await suspended(dashboard)
      return async ({ world }) => {
        const { lane, merchant } = world.line
        const verdict = await lane.submit(resolveKind(world.rails), { id, merchantId: merchant.id })
        assert.equal(verdict.kind, 'resolved')
        return id
      }
    },
  },
}

async function close(dashboard: World): Promise<void> {
  const [{ available }] = await dashboard.family.standings()
  if (available > 0n) await withdrawn(dashboard, Number(available))
  const { sql, merchant } = dashboard.world.line
  const closed = await changeSubAccount(sql, { id: merchant.id }, { state: 'CLOSED' }, by)
  assert.equal(closed.state, 'CLOSED')
}

for (const [what, { minor, before }] of Object.entries(ways))
  test(`of a closed sub-account: ${what}, and the money is its parent’s`, async () => {
    await using dashboard = await openWorld()
    const { world, family } = dashboard
    const comes = await before(dashboard)
    await close(dashboard)
    const had = (await family.standings())[1].available
    const sourceId = await comes(dashboard)
    const [sub, platform] = await family.standings()
    assert.deepEqual(sub, { available: 0n, owed: 0n, owes: 0n })
    assert.equal(platform.available - had, minor)
    await assertTold(dashboard, sourceId, minor)
    assert.deepEqual((await world.line.verify()).faults, [])
  })

/** Both have the transfer, an event and a row of the statement, and the parent’s says whose money it was. */
async function assertTold({ world, family }: World, sourceId: string, minor: bigint): Promise<void> {
  const { sql, merchant } = world.line
  const transferOf = async (id: typeof merchant.id) => {
    const [transfer, ...more] = await selectOwnTransfers(sql, id, { limit: 5 })
    assert.deepEqual(more, [])
    return must(transfer, 'there is one transfer')
  }
  const [ours, theirs] = [await transferOf(family.platform), await transferOf(merchant.id)]
  assert.deepEqual(ours.other, { merchantId: merchant.id, is: 'SUB_ACCOUNT', sourceId })
  assert.deepEqual(theirs.other, { merchantId: family.platform, is: 'PARENT', sourceId })
  const events = await sql<{ merchantId: string; body: string }[]>`
    select merchant_id as "merchantId", body from event where type = 'transfer.completed'`
  const dataOf = (id: string) => {
    const found = events.filter(({ merchantId }) => merchantId === id)
    assert.equal(found.length, 1)
    return (JSON.parse(String(found[0]?.body)) as { readonly data: Readonly<Record<string, unknown>> }).data
  }
  const [toParent, toSub] = [dataOf(family.platform), dataOf(merchant.id)]
  assert.deepEqual(
    [toParent['fromSubAccountId'], toParent['sourceId'], toParent['amount']],
    [merchant.id, sourceId, Number(minor)],
  )
  assert.deepEqual([toSub['toParent'], toSub['sourceId'], toSub['toWalletId']], [true, sourceId, undefined])
  for (const [id, amount] of [
    [family.platform, minor],
    [merchant.id, -minor],
  ] as const) {
    const page = await statementPage(sql, { id, mode: 'SANDBOX' }, { kind: 'TRANSFER', limit: 5 })
    assert.ok(typeof page === 'object')
    assert.deepEqual(
      page.data.map((row) => [row.amount, row.transferId]),
      [[amount, ours.id]],
    )
  }
}

test('what it still owes is repaid first, and the rest goes on', async () => {
  await using dashboard = await openWorld()
  const { world, family } = dashboard
  const { sql, merchant } = world.line
  const shared = await family.share()
  await world.settle(world.receipt(shared.attempt, 'paid', 'pi_shared'))
  const late = await world.create()
  await world.close(late.payment, 'canceled')
  await close(dashboard)
  // The platform covers the share of the closed sub-account, which owes it from then on.
  assert.equal((await family.refund(shared.payment, 1_000)).kind, 'created')
  assert.equal((await family.standings())[0].owes, 500n)
  const had = (await family.standings())[1].available
  await world.settle(world.receipt(late.attempt, 'paid', 'pi_late'))
  const [sub, platform] = await family.standings()
  assert.deepEqual(sub, { available: 0n, owed: 0n, owes: 0n })
  assert.equal(platform.available - had, 1_000n)
  const [transfer] = await selectOwnTransfers(sql, merchant.id, { limit: 5 })
  assert.equal(transfer?.request.amount, 500)
  assert.deepEqual((await world.line.verify()).faults, [])
})

test('a dispute that is opened after closing and finds no money is a debt of the closed account, and later money repays it first', async () => {
  await using dashboard = await openWorld()
  const { world, family } = dashboard
  const { sql, merchant } = world.line
  const disputed = await paid(dashboard)
  const [small, large] = [await world.create({ amount: 400 }), await world.create()]
  await world.close(small.payment, 'canceled')
  await world.close(large.payment, 'canceled')
  await close(dashboard)
  const had = (await family.standings())[1].available
  const came = async () => (await family.standings())[1].available - had
  await dispute(dashboard, disputed, 'dispute_opened')
  assert.deepEqual((await family.standings())[0], { available: 0n, owed: 1_000n, owes: 0n })
  // Nobody else bears it: the parent has what it had.
  assert.equal(await came(), 0n)
  assert.deepEqual((await world.line.verify()).faults, [])
  await world.settle(
    world.receipt(small.attempt, 'paid', 'pi_small', { amount: { minor: 400n, currency: 'EUR' } }),
  )
  assert.deepEqual((await family.standings())[0], { available: 0n, owed: 600n, owes: 0n })
  assert.deepEqual(await selectOwnTransfers(sql, merchant.id, { limit: 5 }), [])
  await world.settle(world.receipt(large.attempt, 'paid', 'pi_large'))
  assert.deepEqual((await family.standings())[0], { available: 0n, owed: 0n, owes: 0n })
  assert.equal(await came(), 400n)
  await dispute(dashboard, disputed, 'dispute_lost')
  assert.deepEqual((await family.standings())[0], { available: 0n, owed: 0n, owes: 0n })
  assert.deepEqual((await world.line.verify()).faults, [])
})

test('the second reading names money that stayed in a closed account, or went on without having come', async () => {
  await using dashboard = await openWorld()
  const { world } = dashboard
  const late = await world.create()
  await world.close(late.payment, 'canceled')
  await close(dashboard)
  await world.settle(world.receipt(late.attempt, 'paid', 'pi_late'))
  const { owner, merchant } = world.line
  const found = async (change: string) => {
    await owner.unsafe(`
      begin; set constraints all deferred; alter table own_transfer disable trigger user; alter table balance disable trigger user;
      ${change}; alter table own_transfer enable trigger user; alter table balance enable trigger user; commit`)
    return (await world.line.verify(['settlement', 'closed sub-accounts'])).faults
      .map(({ what }) => what)
      .join('\n')
  }
  assert.match(
    await found(`
      update balance set minor = 5 where account_id = (
        select account.id from account join wallet on account.name = 'wallet:' || wallet.id || ':available'
         where wallet.merchant_id = '${merchant.id}' and wallet.currency = 'EUR' limit 1)`),
    /is closed, but 5 is available in its wallets/,
  )
  // Nothing of this record came for it.
  assert.match(
    await found(`update own_transfer set source_id = '${newId()}'`),
    /went on to the parent, but nothing had come for a closed sub-account/,
  )
})
