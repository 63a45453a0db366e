// A frozen merchant: no money leaves from that moment, not even what a worker has claimed already. A suspended merchant also gets no new
// payments. What was allowed when it was accepted is checked again before it leaves.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newId, type PaymentId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import { insertFreeze } from '#/merchants/queries.ts'
import { insertSubAccount } from '#/merchants/sub-account-queries.ts'
import { changeSubAccount } from '#/merchants/sub-accounts.ts'
import { deleteDestination, hastenHeldBack, insertDestination } from '#/money-out/queries.ts'
import type { PayoutOrder, PayoutResult } from '#/rails/payout-rail.ts'
import { requireLeave } from '#/rails/rail.ts'
import { payoutKind, settlePayout } from '#/settlement/payout.ts'
import { decisionKind } from '#/withdrawals/decide.ts'
import { sendDueWithdrawals } from '#/withdrawals/send.ts'
import { paymentBody, type Tenant } from '../../test/contract/world.ts'
import { makeForTests, openForTests } from '../../test/open-for-tests.ts'
import { operatorOf } from '../../test/operator.ts'
import { testPayoutRails } from '../../test/payout-rail.ts'
import { codeOf, done, openWorld } from '../../test/withdrawal-world.ts'

const world = openForTests(openWorld)
const operator = makeForTests(() => operatorOf(world.base.appUrl))

type Send = (order: PayoutOrder, again: boolean) => Promise<PayoutResult>

/** Processes once everything that is due. */
async function round(send: Send): Promise<number> {
  const { sql, lane } = world.base
  const rails = testPayoutRails(send)
  const kind = payoutKind(rails)
  return sendDueWithdrawals({
    sql,
    rails,
    lane,
    decisionKind: decisionKind(rails),
    clock: systemClock,
    log: silentLog,
    settle: (withdrawal, news, sends) =>
      settlePayout({ lane, kind, log: silentLog }, withdrawal, news, sends),
  })
}

const statusOf = async (tenant: Tenant, id: unknown) => (await world.read(tenant, id))['status']
const pay = (tenant: Pick<Tenant, 'key'>, body = paymentBody()) =>
  world.ask(tenant, 'POST', '/v1/payments', { body })

test('after a restore nothing is canceled or rejected before it is known what had left', async () => {
  const { sql } = world.base
  const tenant = await world.funded()
  await world.limit(tenant, { approvalAboveMinor: 200n })
  const [plain, unapproved] = [await world.create(tenant), await world.create(tenant, { amount: 201 })]
  const approver = await world.base.issue(tenant.id, ['withdrawals:approve'])
  const restored = {
    kind: 'RESTORE',
    merchantId: null,
    rail: null,
    reason: 'a disk',
    decidedBy: 'ana',
  } as const
  await sql.begin((tx) => insertFreeze(tx, { id: newId<'freeze'>(), ...restored }))
  assert.deepEqual(codeOf(await world.act(tenant, 'cancel', plain.body['id'])), [403, 'frozen'])
  assert.deepEqual(codeOf(await world.act(approver, 'reject', unapproved.body['id'])), [403, 'frozen'])
  await sql`delete from money_freeze where kind = 'RESTORE'`
  assert.equal((await world.act(tenant, 'cancel', plain.body['id'])).status, 200)
  assert.equal((await world.act(approver, 'reject', unapproved.body['id'])).status, 200)
})

describe('while a merchant is frozen', () => {
  test('nothing is accepted, approved or sent; reads, cancellations and payments go on; then all leaves once', async () => {
    const [tenant, other] = [await world.funded(), await world.funded()]
    await world.limit(tenant, { approvalAboveMinor: 200n })
    const keyed = await world.create(tenant, { idempotencyKey: 'before' })
    const waiting = [keyed.body['id'], (await world.create(tenant)).body['id']]
    const unapproved = (await world.create(tenant, { amount: 201 })).body['id']
    const others = (await world.create(other)).body['id']
    const approver = await world.base.issue(tenant.id, ['withdrawals:approve'])
    await operator.freeze('merchant', tenant.id)

    assert.deepEqual(codeOf(await world.create(tenant)), [403, 'frozen'])
    assert.deepEqual(codeOf(await world.act(approver, 'approve', unapproved)), [403, 'frozen'])
    const again = await world.create(tenant, { idempotencyKey: 'before' })
    assert.deepEqual([again.status, again.body['id']], [201, keyed.body['id']])
    for (let i = 0; i < 3; i++) await world.work(done)
    for (const id of waiting) assert.equal(await statusOf(tenant, id), 'PENDING')
    assert.equal(await statusOf(other, others), 'COMPLETED')
    const acceptedStatus = (await world.create(other, { amount: 50 })).status
    assert.equal(acceptedStatus, 201)
    assert.equal((await world.act(approver, 'reject', unapproved)).status, 200)
    const payment = await pay(tenant)
    assert.equal(payment.status, 201)
    await world.base.settlePayment(tenant.id, payment.body['id'] as PaymentId, 1234n)
    const paid = await world.ask(tenant, 'GET', '/v1/payments/{id}', { id: String(payment.body['id']) })
    assert.equal(paid.body['status'], 'PAID')

    await operator.unfreeze('merchant', tenant.id)
    const sent: string[] = []
    const send: Send = async ({ merchantId, id }) => {
      if (merchantId === tenant.id) sent.push(id)
      return done
    }
    for (let i = 0; i < 3; i++) await round(send)
    assert.deepEqual(sent.toSorted(), waiting.map(String).toSorted())
    for (const id of waiting) assert.equal(await statusOf(tenant, id), 'COMPLETED')
  })

  test('what a worker had claimed before is not sent, and leaves as soon as the freeze is lifted', async () => {
    const tenant = await world.funded()
    const id = (await world.create(tenant)).body['id']
    let calls = 0
    await round(async (order) => {
      await operator.freeze('rail', 'pix')
      await requireLeave(order)
      calls += 1
      return done
    })
    assert.equal(calls, 0)
    // No worker holds it, and none claims it.
    assert.equal(await round(async () => assert.fail('it is frozen')), 0)
    await operator.unfreeze('rail', 'PIX')
    assert.equal(
      await round(async (order, again) => {
        assert.equal(again, false)
        await requireLeave(order)
        calls += 1
        return done
      }),
      1,
    )
    assert.equal(calls, 1)
    assert.equal(await statusOf(tenant, id), 'COMPLETED')
  })

  test('what may be on its way is looked up and not sent again', async () => {
    const tenant = await world.funded()
    const [lost, arrived] = [(await world.create(tenant)).body['id'], (await world.create(tenant)).body['id']]
    await round(async () => {
      throw new Error('no answer')
    })
    await operator.freeze('all')
    const soon = () => world.base.sql`update withdrawal_due set due_at = now() - interval '1 second'`
    await soon()
    const lookUps = new Map<unknown, boolean>()
    const processed = await round(async (order, again) => {
      lookUps.set(order.id, again)
      if (order.id === arrived) return done
      await requireLeave(order)
      return assert.fail('it may not be sent')
    })
    assert.equal(processed, 2)
    assert.deepEqual([lookUps.get(lost), lookUps.get(arrived)], [true, true])
    assert.deepEqual(
      [await statusOf(tenant, lost), await statusOf(tenant, arrived)],
      ['PROCESSING', 'COMPLETED'],
    )
    // The provider does not have it, so it was certainly not sent, and waits like any other.
    assert.equal(await round(async () => assert.fail('it is frozen')), 0)
    await operator.unfreeze('all')
    assert.equal(await round(async () => done), 1)
    assert.equal(await statusOf(tenant, lost), 'COMPLETED')
  })
})

describe('a suspended merchant', () => {
  test('makes no payments from that moment, reads everything, and gets earlier answers with their keys', async () => {
    const tenant = await world.funded()
    const body = paymentBody()
    const before = await pay(tenant, body)
    const queued = (await world.create(tenant)).body['id']
    await operator.suspend(tenant.id)
    assert.deepEqual(codeOf(await pay(tenant)), [403, 'merchant_suspended'])
    const replayed = await pay(tenant, body)
    assert.deepEqual([replayed.status, replayed.body['id']], [201, before.body['id']])
    assert.deepEqual(codeOf(await pay(tenant, { ...body, amount: 7 })), [409, 'idempotency_conflict'])
    assert.deepEqual(codeOf(await world.create(tenant)), [403, 'frozen'])
    for (const path of ['/v1/payments', '/v1/withdrawals', '/v1/wallets', '/v1/events', '/v1/refunds'])
      assert.equal((await world.ask(tenant, 'GET', path)).status, 200)
    await world.base.settlePayment(tenant.id, before.body['id'] as PaymentId, 1234n)
    assert.equal((await pay(tenant, body)).body['status'], 'PAID')
    await world.work(done)
    assert.equal(await statusOf(tenant, queued), 'PENDING')
    await operator.resume(tenant.id)
    assert.equal((await pay(tenant)).status, 201)
    await world.work(done)
    assert.equal(await statusOf(tenant, queued), 'COMPLETED')
  })

  test('does not stop others from making payments at the same moment', async () => {
    const [tenant, other] = [await world.funded(), await world.funded()]
    await operator.suspend(tenant.id)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        pay(nth % 2 === 0 ? tenant : other).then(({ status }) => status),
      ),
    )
    assert.deepEqual(
      answers,
      Array.from({ length: 20 }, (_, nth) => (nth % 2 === 0 ? 403 : 201)),
    )
  })
})

/** The tenant becomes an ACTIVE sub-account of the parent. */
async function makeChild(parent: Tenant, { id }: Tenant): Promise<void> {
  await world.base.sql.begin((tx) =>
    insertSubAccount(tx, {
      id,
      parentId: parent.id,
      taxId: null,
      reference: null,
      createdAt: new Date(),
      idempotencyKey: null,
      fingerprint: null,
    }),
  )
  const by = { actor: { kind: 'SYSTEM', id: 'test' } } as const
  await changeSubAccount(world.base.sql, { id }, { state: 'ACTIVE' }, by)
}

describe('what was allowed when it was accepted', () => {
  const ana = { type: 'PIX', destination: 'ana@example.com' } as const

  test('is checked again when it is approved: it stays as it is, with the reason', async () => {
    const tenant = await world.funded()
    await insertDestination(world.base.sql, { merchantId: tenant.id, ...ana, note: null })
    await world.limit(tenant, { approvalAboveMinor: 0n, listedOnly: true })
    const id = (await world.create(tenant, { amount: 300 })).body['id']
    const approver = await world.base.issue(tenant.id, ['withdrawals:approve'])
    await deleteDestination(world.base.sql, { merchantId: tenant.id, ...ana })
    assert.deepEqual(codeOf(await world.act(approver, 'approve', id)), [422, 'destination_not_allowed'])
    await insertDestination(world.base.sql, { merchantId: tenant.id, ...ana, note: null })
    await world.limit(tenant, { approvalAboveMinor: 0n, eachMinor: 299n })
    assert.deepEqual(codeOf(await world.act(approver, 'approve', id)), [422, 'limit_exceeded'])
    await world.limit(tenant, { approvalAboveMinor: 0n, dayMinor: 299n })
    assert.deepEqual(codeOf(await world.act(approver, 'approve', id)), [422, 'limit_exceeded'])
    assert.equal(await statusOf(tenant, id), 'PENDING_APPROVAL')
    await world.limit(tenant, { approvalAboveMinor: 0n, dayMinor: 300n })
    assert.equal((await world.act(approver, 'approve', id)).status, 200)
    await world.work(done)
    assert.equal(await statusOf(tenant, id), 'COMPLETED')
  })

  test('is checked again before it is sent: it waits for a person, and goes on when it is allowed again', async () => {
    const tenant = await world.funded()
    await insertDestination(world.base.sql, { merchantId: tenant.id, ...ana, note: null })
    await world.limit(tenant, { listedOnly: true })
    const [id, canceled] = [(await world.create(tenant)).body['id'], (await world.create(tenant)).body['id']]
    await deleteDestination(world.base.sql, { merchantId: tenant.id, ...ana })
    for (let i = 0; i < 2; i++) await world.work(done)
    const held = await world.read(tenant, id)
    assert.deepEqual([held['status'], held['reviewRequired']], ['PENDING', true])
    const answer = await world.act(tenant, 'cancel', canceled)
    assert.deepEqual([answer.body['status'], answer.body['reviewRequired']], ['CANCELED', undefined])
    await insertDestination(world.base.sql, { merchantId: tenant.id, ...ana, note: null })
    await hastenHeldBack(world.base.sql, tenant.id)
    assert.equal(await round(async () => done), 1)
    const sent = await world.read(tenant, id)
    assert.deepEqual([sent['status'], sent['reviewRequired']], ['COMPLETED', undefined])
  })

  test('a limit of the parent holds a sub-account’s withdrawal, and lets it go when it is lifted', async () => {
    const [parent, tenant] = [await world.funded(), await world.funded()]
    await makeChild(parent, tenant)
    const { sql } = world.base
    const own = (await world.create(parent)).body['id']
    const id = (await world.create(tenant)).body['id']
    // Both count to the day: neither is within it any more.
    await world.limit(parent, { dayMinor: 199n })
    for (let i = 0; i < 2; i++) await world.work(done)
    for (const [of, each] of [
      [parent, own],
      [tenant, id],
    ] as const) {
      const held = await world.read(of, each)
      assert.deepEqual([held['status'], held['reviewRequired']], ['PENDING', true])
    }
    await world.limit(parent, { dayMinor: 300n })
    // Neither one that nothing held back, nor one that may have been sent, nor another merchant's becomes due.
    const unheld = (await world.create(parent, { amount: 40 })).body['id']
    const asked = (await world.create(parent, { amount: 41 })).body['id']
    const others = (await world.create(await world.funded())).body['id']
    await sql`update withdrawal set review_required = true where id in (${String(asked)}, ${String(others)})`
    await sql`update withdrawal_due set asked_at = now() where withdrawal_id = ${String(asked)}`
    await sql`
      update withdrawal_due set due_at = now() + interval '1 day'
       where withdrawal_id in (${String(unheld)}, ${String(asked)}, ${String(others)})`
    await hastenHeldBack(sql, parent.id)
    assert.equal(await round(async () => done), 2)
    assert.equal(await statusOf(tenant, id), 'COMPLETED')
    await sql`delete from withdrawal_due`
  })

  test('what waits for the state of its account is not claimed again at once, as what is frozen may be', async () => {
    const [parent, tenant] = [await world.funded(), await world.funded()]
    await makeChild(parent, tenant)
    const id = String((await world.create(tenant)).body['id'])
    const { sql } = world.base
    await sql`
      update sub_account set state = 'SUSPENDED', suspended_by = 'OPERATOR' where merchant_id = ${tenant.id}`
    const [start] = await sql<{ at: Date }[]>`select now() as at`
    assert.equal(await round(async () => assert.fail('it may pay out nothing')), 1)
    const [row] = await sql<{ waits: boolean }[]>`
      select due_at > ${start?.at ?? null}::timestamptz + interval '900 milliseconds' and asked_at is null as waits
        from withdrawal_due where withdrawal_id = ${id}`
    assert.equal(row?.waits, true)
    await sql`delete from withdrawal_due`
  })

  test('is checked again too when it could not be sent at first', async () => {
    const tenant = await world.funded()
    const id = (await world.create(tenant)).body['id']
    await round((order) => requireLeave({ ...order, mayLeave: async () => false }).then(() => done))
    assert.equal(await statusOf(tenant, id), 'PROCESSING')
    await world.limit(tenant, { eachMinor: 99n })
    await world.work(done)
    const held = await world.read(tenant, id)
    assert.deepEqual([held['status'], held['reviewRequired']], ['PROCESSING', true])
    await world.limit(tenant, {})
    await world.work(done)
    assert.equal(await statusOf(tenant, id), 'COMPLETED')
  })

  test('an amount that has come to need a second person waits for one', async () => {
    const tenant = await world.funded()
    const id = (await world.create(tenant)).body['id']
    await world.limit(tenant, { approvalAboveMinor: 99n })
    for (let i = 0; i < 2; i++) await world.work(done)
    assert.equal(await statusOf(tenant, id), 'PENDING_APPROVAL')
    const due = await world.base.sql`select 1 from withdrawal_due where withdrawal_id = ${String(id)}`
    assert.equal(due.length, 0, 'no worker claims it')
    assert.deepEqual(await world.eventsOf(tenant, id), ['withdrawal.created', 'withdrawal.approval_required'])
    const approver = await world.base.issue(tenant.id, ['withdrawals:approve'])
    assert.equal((await world.act(approver, 'approve', id)).status, 200)
    await world.work(done)
    assert.equal(await statusOf(tenant, id), 'COMPLETED')
  })
})
