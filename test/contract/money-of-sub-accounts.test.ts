// A platform cannot take its sub-account's money by a refund, and its limits count for whatever way its sub-account pays out.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { scopes } from '#/contract/keys.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { deleteDestination, insertDestination } from '#/money-out/queries.ts'
import { activateSubAccount } from '#/operator/merchants.ts'
import { runDueSchedules, scheduleKind } from '#/withdrawals/schedule-run.ts'
import { testPayoutRails } from '../payout-rail.ts'
import { openRefundWorld, payer, stranger, type RefundWorld, type Row } from '../refund-world.ts'
import { openWorld, type World } from '../withdrawal-world.ts'
import { withdrawalBody, type Answer, type ApiWorld, type Tenant } from './world.ts'

const operator = { by: { actor: { kind: 'OPERATOR', id: 'ana@test' } }, name: 'ana' } as const
const codeOf = ({ status, body }: Answer) => [status, body['code']]
const as = (id: MerchantId) => ({ 'sub-account': id })

type Asking = {
  ask(tenant: Pick<Tenant, 'key'>, method: string, path: string, more?: object): Promise<Answer>
}

/** A sub-account of the platform, with a key of its own and one that the platform made. */
async function subAccount(base: ApiWorld, dashboard: Asking, platform: Tenant, { isActive = true } = {}) {
  const made = await dashboard.ask(platform, 'POST', '/v1/sub-accounts', { body: { name: 'Bea' } })
  const id = made.body['id'] as MerchantId
  if (isActive) await activateSubAccount(base.sql, operator, id, 'papers seen')
  const { key, id: keyId } = await base.issue(id, scopes)
  const second = await base.issue(id, ['withdrawals:approve'])
  const body = { name: 'AK', scopes: ['payments:write', 'withdrawals:write', 'withdrawals:approve'] }
  const given = await dashboard.ask(platform, 'POST', '/v1/sub-accounts/{id}/keys', { id, body })
  assert.equal(given.status, 201, given.text)
  return { id, mode: 'SANDBOX' as const, key, keyId, second, made: { key: String(given.body['key']) } }
}
type Sub = Awaited<ReturnType<typeof subAccount>>

describe('a refund of a sub-account', () => {
  let dashboard: RefundWorld
  let platform: Tenant
  before(async () => {
    dashboard = await openRefundWorld()
    platform = await dashboard.base.openTenant()
  })
  after(async () => {
    const faults = await dashboard.faults()
    await dashboard.close()
    assert.deepEqual(faults, [])
  })

  async function paid(more: { readonly isActive?: boolean } = {}) {
    const sub = await subAccount(dashboard.base, dashboard, platform, more)
    const payment = await dashboard.payment(sub)
    await dashboard.arrive(sub, payment, { by: 'CRYPTO', minor: 1_234n })
    return { sub, payment }
  }
  const listPlace = (merchantId: MerchantId, destination: string) =>
    dashboard.base.sql.begin((tx) =>
      insertDestination(tx, { merchantId, type: 'CRYPTO', destination, note: null }),
    )
  const suspend = ({ id }: Sub) =>
    dashboard.ask(platform, 'PATCH', '/v1/sub-accounts/{id}', { id, body: { state: 'SUSPENDED' } })

  test('never goes to an address that the parent names: by its header, or by a key that it made', async () => {
    const { sub, payment } = await paid()
    const byParent = [
      () => dashboard.refund(platform, payment, { amount: 10, cryptoAddress: stranger }, as(sub.id)),
      () => dashboard.refund(sub.made, payment, { amount: 10, cryptoAddress: stranger }),
    ]
    for (const each of byParent) assert.deepEqual(codeOf(await each()), [422, 'destination_not_allowed'])
    // The platform's own list is not the sub-account's.
    await listPlace(platform.id, stranger)
    for (const each of byParent) assert.deepEqual(codeOf(await each()), [422, 'destination_not_allowed'])
    await listPlace(sub.id, stranger)
    for (const each of byParent) {
      const { status, body } = await each()
      assert.deepEqual([status, body['approvalRequired']], [201, undefined])
    }
    for (const by of [platform, sub.made]) {
      const headers = by === platform ? as(sub.id) : {}
      const back = await dashboard.refund(by, payment, { amount: 10, cryptoAddress: payer }, headers)
      assert.deepEqual([back.status, back.body['approvalRequired']], [201, undefined])
    }
  })

  test('is approved by no key that the parent made, and by another person of the sub-account', async () => {
    const { sub, payment } = await paid()
    const asked = await dashboard.refund(sub, payment, { amount: 10, cryptoAddress: stranger })
    assert.deepEqual([asked.status, asked.body['approvalRequired']], [201, true])
    for (const verb of ['approve', 'reject'] as const)
      assert.deepEqual(codeOf(await dashboard.act(sub.made, verb, asked.body['id'])), [403, 'forbidden'])
    assert.equal((await dashboard.act(sub.second, 'approve', asked.body['id'])).status, 200)
  })

  test('waits and can be rejected only, when the address that the parent named was taken off the list', async () => {
    const { sub, payment } = await paid()
    await listPlace(sub.id, stranger)
    const asked = await dashboard.refund(
      platform,
      payment,
      { amount: 10, cryptoAddress: stranger },
      as(sub.id),
    )
    assert.equal(asked.status, 201)
    await dashboard.base.sql.begin((tx) =>
      deleteDestination(tx, {
        merchantId: sub.id,
        type: 'CRYPTO',
        destination: stranger,
      }),
    )
    const sent: string[] = []
    dashboard.sending.crypto = async ({ id }) => {
      sent.push(id)
      return []
    }
    await dashboard.work()
    assert.ok(!sent.includes(String(asked.body['id'])))
    assert.equal((await dashboard.read(sub, asked.body['id']))['approvalRequired'], true)
    const approved = await dashboard.act(sub.second, 'approve', asked.body['id'])
    assert.deepEqual(codeOf(approved), [422, 'destination_not_allowed'])
    assert.equal((await dashboard.act(sub.second, 'reject', asked.body['id'])).status, 200)
  })

  test('goes back to the payer while the account is PENDING or SUSPENDED, and nowhere else', async () => {
    const { sub, payment } = await paid({ isActive: false })
    await listPlace(sub.id, stranger)
    const elsewhere = () => dashboard.refund(sub, payment, { amount: 10, cryptoAddress: stranger })
    const back = () => dashboard.refund(sub, payment, { amount: 10, cryptoAddress: payer })
    assert.deepEqual(codeOf(await elsewhere()), [403, 'frozen'])
    assert.equal((await back()).status, 201)
    await activateSubAccount(dashboard.base.sql, operator, sub.id, 'papers seen')
    const accepted = await elsewhere()
    assert.equal(accepted.status, 201)
    await suspend(sub)
    assert.deepEqual(codeOf(await elsewhere()), [403, 'frozen'])
    assert.equal((await back()).status, 201)
    const sent: string[] = []
    dashboard.sending.crypto = async ({ id }) => {
      sent.push(id)
      return []
    }
    await dashboard.work()
    assert.ok(!sent.includes(String(accepted.body['id'])), 'it was accepted before the suspension')
    assert.ok(sent.length >= 2, 'what goes back to payers is sent')
    assert.deepEqual(codeOf(await dashboard.act(sub.second, 'approve', accepted.body['id'])), [403, 'frozen'])
  })
})

describe('the limits of a platform count for its sub-account', () => {
  let dashboard: World
  before(async () => {
    dashboard = await openWorld()
  })
  after(() => dashboard.base.close())

  const listPlace = (merchantId: MerchantId) =>
    dashboard.base.sql.begin((tx) =>
      insertDestination(tx, {
        merchantId,
        type: 'PIX',
        destination: String(withdrawalBody()['pixKey']),
        note: null,
      }),
    )
  const batch = (by: Pick<Tenant, 'key'>, withdrawals: readonly Row[], headers = {}) =>
    dashboard.ask(by, 'POST', '/v1/withdrawal-batches', {
      body: { idempotencyKey: newId(), withdrawals: withdrawals.map((each) => withdrawalBody(each)) },
      headers,
    })
  const family = async () => {
    const platform = await dashboard.base.openTenant()
    const sub = await subAccount(dashboard.base, dashboard, platform)
    await listPlace(sub.id)
    await dashboard.base.fund(sub, 100_000n)
    return { platform, sub }
  }
  const statusesOf = ({ body }: Answer) => (body['progress'] as readonly Row[]).map(({ status }) => status)

  test('a batch waits when it comes to more than the parent’s amount of approval, as one withdrawal does', async () => {
    const { platform, sub } = await family()
    await dashboard.limit(platform, { approvalAboveMinor: 10_000n })
    const three = [{ amount: 4_000 }, { amount: 4_000 }, { amount: 4_000 }]
    assert.deepEqual(statusesOf(await batch(sub, three)), ['PENDING_APPROVAL'])
    assert.deepEqual(statusesOf(await batch(platform, three, as(sub.id))), ['PENDING_APPROVAL'])
    assert.deepEqual(statusesOf(await batch(sub, three.slice(1))), ['PENDING'])
    // The stricter amount decides, whoever's it is.
    await dashboard.limit(sub, { approvalAboveMinor: 5_000n })
    assert.deepEqual(statusesOf(await batch(sub, three.slice(1))), ['PENDING_APPROVAL'])
  })

  test('a batch that was accepted waits before it is sent, when the amount of approval was lowered since', async () => {
    const { platform, sub } = await family()
    const made = await batch(sub, [{ amount: 4_000 }, { amount: 4_000 }])
    assert.deepEqual(statusesOf(made), ['PENDING'])
    await dashboard.limit(platform, { approvalAboveMinor: 5_000n })
    await dashboard.work({ state: 'sent', evidence: Buffer.from('sent') })
    const read = await dashboard.ask(sub, 'GET', '/v1/withdrawal-batches/{id}', {
      id: String(made.body['id']),
    })
    assert.deepEqual(statusesOf(read), ['PENDING_APPROVAL'])
  })

  test('a schedule pays what the limits of both allow, for one and for the day', async () => {
    const { platform, sub } = await family()
    const wallets = await dashboard.ask(sub, 'GET', '/v1/wallets')
    const walletId = (wallets.body['data'] as readonly Row[]).find(({ currency }) => currency === 'BRL')?.[
      'id'
    ]
    const { amount: _amount, ...order } = withdrawalBody()
    const body = { ...order, walletId, rhythm: 'DAILY', time: '06:00', timeZone: 'UTC' }
    const made = await dashboard.ask(sub, 'POST', '/v1/payout-schedules', { body })
    assert.equal(made.status, 201, made.text)
    const run = async () => {
      const { sql, lane } = dashboard.base
      await sql`update payout_schedule set next_run_at = now() - interval '1 second' where merchant_id = ${sub.id}`
      await runDueSchedules({ sql, lane, log: silentLog, kind: scheduleKind(testPayoutRails()) })
      const { body: after } = await dashboard.ask(sub, 'GET', '/v1/payout-schedules/{id}', {
        id: String(made.body['id']),
      })
      return after['lastOutcome']
    }
    const amounts = async () => {
      const { body: page } = await dashboard.ask(sub, 'GET', '/v1/withdrawals')
      return (page['data'] as readonly Row[]).map(({ amount }) => amount)
    }
    await dashboard.limit(platform, { eachMinor: 3_000n, dayMinor: 7_000n })
    await dashboard.limit(sub, { eachMinor: 5_000n })
    assert.equal(await run(), 'REQUESTED')
    assert.deepEqual(await amounts(), [3_000])
    await dashboard.limit(sub, { eachMinor: 2_500n })
    assert.equal(await run(), 'REQUESTED')
    assert.equal(await run(), 'REQUESTED')
    // 7,000 of the day less 3,000 and 2,500.
    assert.deepEqual(await amounts(), [1_500, 2_500, 3_000])
    assert.equal(await run(), 'NOTHING_TO_PAY')
    assert.equal((await amounts()).length, 3)
  })
})
