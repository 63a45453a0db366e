// Refunds over HTTP: of which money, where it goes, and who must approve it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ProviderError } from '#/kernel/error.ts'
import type { PaymentId } from '#/kernel/id.ts'
import { hourMs } from '#/kernel/time.ts'
import { insertDestination, deleteDestination } from '#/money-out/queries.ts'
import type { RefundOrder } from '#/rails/rail.ts'
import { asId } from '../../test/as-id.ts'
import type { Tenant } from '../../test/contract/world.ts'
import { makeForTests, openForTests } from '../../test/open-for-tests.ts'
import {
  doneReceipt,
  openRefundWorld,
  payer,
  stranger,
  type RefundWorld,
  type Row,
} from '../../test/refund-world.ts'

const world = openForTests(openRefundWorld)
const tenant = makeForTests(() => world.base.openTenant())

type Piece = Parameters<RefundWorld['arrive']>[2]

/** A payment that received these pieces, in this order. */
async function paid(...pieces: readonly Piece[]): Promise<{ id: PaymentId; refs: readonly string[] }> {
  const id = await world.payment(tenant)
  const refs: string[] = []
  for (const piece of pieces) refs.push(await world.arrive(tenant, id, piece))
  return { id, refs }
}

const byPartner = (minor: bigint, agoMs = 0): Piece => ({ by: 'PARTNER_PAY', minor, agoMs })
const byCrypto = (minor: bigint, agoMs = 0): Piece => ({ by: 'CRYPTO', minor, agoMs })

describe('money that came by two methods', () => {
  for (const [what, pieces] of [
    ['the wallet app, and again on the chain', [byPartner(1_234n), byCrypto(1_234n)]],
    ['the chain, and again by the wallet app', [byCrypto(1_234n), byPartner(1_234n)]],
  ] as const) {
    test(`by ${what}: with an address what came on the chain is refunded, without one the other`, async () => {
      const { id, refs } = await paid(...pieces)
      const of = (method: string) => refs[pieces.findIndex(({ by }) => by === method)]
      const there = await world.refund(tenant, id, { amount: 1_234, cryptoAddress: payer })
      assert.equal(there.status, 201, there.text)
      assert.equal(there.body['cryptoAddress'], payer)
      const onChain = await world.storedOf(there.body['id'])
      assert.deepEqual([onChain.method, onChain.paidRef], ['CRYPTO', of('CRYPTO')])
      assert.equal(onChain.destination?.['cryptoAddress'], payer)
      const back = await world.refund(tenant, id, { amount: 1_234 })
      assert.equal(back.status, 201, back.text)
      assert.ok(!('cryptoAddress' in back.body))
      const byApp = await world.storedOf(back.body['id'])
      assert.deepEqual(
        [byApp.method, byApp.paidRef, byApp.destination],
        ['PARTNER_PAY', of('PARTNER_PAY'), null],
      )
    })
  }

  test('when nothing is left of the money that is meant, the answer says what is left and how to refund it', async () => {
    const { id } = await paid(byPartner(1_234n), byCrypto(1_000n), byCrypto(500n))
    assert.equal((await world.refund(tenant, id)).status, 201)
    const nothing = await world.refund(tenant, id)
    assert.deepEqual([nothing.status, nothing.body['code']], [422, 'refund_exceeds_payment'])
    assert.deepEqual([nothing.body['refundable'], nothing.body['refundableAtOnce']], [0, 0])
    assert.deepEqual(nothing.body['left'], [
      { paymentMethod: 'CRYPTO', refundable: 1_500, refundableAtOnce: 1_000, cryptoAddress: 'required' },
    ])
    assert.deepEqual(
      (nothing.body['errors'] as Row[]).map(({ pointer, code }) => [pointer, code]),
      [['/cryptoAddress', 'required']],
    )
    for (const amount of [1_000, 500])
      assert.equal((await world.refund(tenant, id, { amount, cryptoAddress: payer })).status, 201)
    const atAll = await world.refund(tenant, id, { cryptoAddress: payer })
    assert.equal(atAll.status, 422)
    assert.deepEqual(atAll.body['left'], [])
  })

  test('an address for money that came by another method is refused, with what is left', async () => {
    const { id } = await paid(byPartner(1_234n))
    const refused = await world.refund(tenant, id, { cryptoAddress: payer })
    assert.deepEqual([refused.status, refused.body['code']], [422, 'refund_exceeds_payment'])
    assert.deepEqual(refused.body['left'], [
      {
        paymentMethod: 'PARTNER_PAY',
        refundable: 1_234,
        refundableAtOnce: 1_234,
        cryptoAddress: 'not_allowed',
      },
    ])
  })

  test('the window is that of the money, not of the method that paid', async () => {
    const { id } = await paid(byCrypto(1_234n, 2 * hourMs), byPartner(1_234n, 2 * hourMs))
    const late = await world.refund(tenant, id, { amount: 1 })
    assert.deepEqual([late.status, late.body['refundable']], [422, 0])
    assert.equal((await world.refund(tenant, id, { amount: 1, cryptoAddress: payer })).status, 201)
  })

  test('a piece that came twice is refunded first, and then the newest', async () => {
    const hours = (n: number) => n * hourMs
    // Underpaid twice, completed by the third; then one more, which is older by the chain's clock.
    const { id, refs } = await paid(
      byCrypto(600n, hours(3)),
      byCrypto(600n, hours(2)),
      byCrypto(600n, hours(1)),
      byCrypto(600n, hours(4)),
    )
    const order: (string | undefined)[] = []
    for (let n = 0; n < 4; n++) {
      const { body } = await world.refund(tenant, id, { amount: 600, cryptoAddress: payer })
      order.push((await world.storedOf(body['id'])).paidRef)
    }
    assert.deepEqual(order, [refs[3], refs[2], refs[1], refs[0]])
  })
})

/** A new tenant with the key that approves, and a payment of 12.34 USDT on the chain. */
async function shop(...pieces: readonly Piece[]) {
  const owner = await world.base.openTenant()
  const second = await world.base.issue(owner.id, ['withdrawals:approve', 'payments:read'])
  const id = await world.payment(owner)
  for (const piece of pieces.length > 0 ? pieces : [byCrypto(1_234n)]) await world.arrive(owner, id, piece)
  const refund = async (amount: number, cryptoAddress: string = payer) =>
    world.refund(owner, id, { amount, cryptoAddress })
  return { owner, second, id, refund }
}

const listing = (merchantId: Tenant['id'], destination: string) =>
  ({ merchantId, type: 'CRYPTO', destination, note: null }) as const
const spentOf = async (merchantId: Tenant['id']) => {
  const [row] = await world.base.sql<{ minor: bigint }[]>`
    select sum(minor)::bigint as minor from withdrawal_spent where merchant_id = ${merchantId}`
  return row?.minor ?? 0n
}
const audited = (id: unknown) => world.base.sql<
  { action: string; actorKind: string; actorId: string; reason: string | null }[]
>`
  select action, actor_kind as "actorKind", actor_id as "actorId", reason from audit_log
   where subject = ${`refund:${String(id)}`} order by id`
const codeOf = ({ status, body }: { status: number; body: Row }) => [status, body['code']]

describe('a refund that we send ourselves', () => {
  test('is sent at once to the address that the money came from, in any spelling', async () => {
    const { owner, refund } = await shop()
    for (const address of [payer, payer.toLowerCase()]) {
      const { body } = await refund(100, address)
      assert.deepEqual([body['status'], body['approvalRequired']], ['PENDING', undefined])
    }
    assert.equal(await world.dueOf(owner), 2)
    assert.equal(await spentOf(owner.id), 200n)
  })

  test('is sent to a listed address without approval; to any other it is held until a second person approves', async () => {
    const { owner, second, refund } = await shop()
    await insertDestination(world.base.sql, listing(owner.id, stranger))
    assert.equal((await refund(100, stranger)).body['approvalRequired'], undefined)
    await world.work()
    await deleteDestination(world.base.sql, listing(owner.id, stranger))
    const { body } = await refund(100, stranger)
    assert.deepEqual([body['status'], body['approvalRequired']], ['PENDING', true])
    assert.deepEqual(await world.balanceOf(owner), { balance: 1_034, held: 200 })
    const sent: unknown[] = []
    world.sending.crypto = async ({ id }) => (sent.push(id), [])
    await world.work()
    assert.ok(!sent.includes(body['id']))
    const [created] = await world.eventsOf(owner, body['id'])
    assert.ok(created)
    assert.equal((created['data'] as Row)['approvalRequired'], true)
    const byRequester = await world.act(owner, 'approve', body['id'])
    assert.deepEqual(codeOf(byRequester), [403, 'forbidden'])
    const stranger2 = await world.base.openTenant()
    assert.equal((await world.act(stranger2, 'approve', body['id'])).status, 404)
    const approved = await world.act(second, 'approve', body['id'])
    assert.deepEqual(
      [approved.status, approved.body['approvalRequired'], approved.body['version']],
      [200, undefined, 2],
    )
    assert.deepEqual((await world.act(second, 'approve', body['id'])).body, approved.body)
    assert.deepEqual(codeOf(await world.act(second, 'reject', body['id'])), [409, 'invalid_state'])
    world.sending.crypto = async (order) => (sent.push(order.id), [doneReceipt(order)])
    await world.work()
    assert.equal((await world.read(owner, body['id']))['status'], 'COMPLETED')
    assert.deepEqual(
      (await audited(body['id'])).map(({ action, actorKind, actorId }) => [action, actorKind, actorId]),
      [['refund.approve', 'API_KEY', second.id]],
    )
    delete world.sending.crypto
  })

  test('a cent from an address does not allow the money of another sender to go there', async () => {
    const { refund } = await shop(byCrypto(1_234n), { by: 'CRYPTO', minor: 1n, from: stranger })
    const { body } = await refund(1_000, stranger)
    assert.equal(body['approvalRequired'], true)
    assert.equal((await refund(1, stranger)).body['approvalRequired'], undefined)
  })

  test('to an unknown sender needs a second person', async () => {
    const { id, refund } = await shop()
    world.senders.clear()
    assert.equal((await refund(100)).body['approvalRequired'], true)
    assert.ok(id)
  })

  test('fails when it is rejected: its money, and its part of the day, are available again', async () => {
    const { owner, second, refund } = await shop()
    const { body } = await refund(100, stranger)
    assert.equal(await spentOf(owner.id), 100n)
    await world.base
      .sql`insert into money_freeze (id, kind, reason, decided_by) values (gen_random_uuid(), 'RESTORE', 'a disk', 'ana')`
    assert.deepEqual(codeOf(await world.act(second, 'reject', body['id'])), [403, 'frozen'])
    await world.base.sql`delete from money_freeze where kind = 'RESTORE'`
    const rejected = await world.act(second, 'reject', body['id'])
    const { status, failureCode, approvalRequired } = rejected.body
    assert.deepEqual([status, failureCode, approvalRequired], ['FAILED', 'rejected', undefined])
    assert.deepEqual(await world.balanceOf(owner), { balance: 1_234, held: 0 })
    assert.equal(await spentOf(owner.id), 0n)
    assert.deepEqual(
      (await world.eventsOf(owner, body['id'])).map(({ type }) => type),
      ['refund.created', 'refund.failed'],
    )
    assert.deepEqual((await world.act(second, 'reject', body['id'])).body, rejected.body)
    assert.deepEqual(codeOf(await world.act(second, 'approve', body['id'])), [409, 'invalid_state'])
    assert.equal((await refund(1_234)).status, 201)
  })

  test('counts to the day of the withdrawals of CRYPTO, and is refused beyond their limits', async () => {
    const { owner, refund } = await shop()
    await world.limit(owner, { dayMinor: 500n, eachMinor: 400n, approvalAboveMinor: 200n })
    const each = await refund(401)
    assert.deepEqual([...codeOf(each), each.body['left']], [422, 'limit_exceeded', 400])
    assert.equal((await refund(200)).body['approvalRequired'], undefined)
    assert.equal((await refund(201)).body['approvalRequired'], true)
    const day = await refund(100)
    assert.deepEqual([...codeOf(day), day.body['left']], [422, 'limit_exceeded', 99])
    assert.equal((await refund(99)).status, 201)
    assert.equal(await spentOf(owner.id), 500n)
    assert.deepEqual(await world.balanceOf(owner), { balance: 734, held: 500 })
    // A refund by a provider is not a withdrawal.
    const other = await world.payment(owner)
    await world.arrive(owner, other, byPartner(1_234n))
    assert.equal((await world.refund(owner, other)).status, 201)
    assert.equal(await spentOf(owner.id), 500n)
  })

  test('is limited by what the day has left, also when many come at once', async () => {
    const { owner, refund } = await shop()
    await world.limit(owner, { dayMinor: 500n })
    const answers = await Promise.all(Array.from({ length: 12 }, () => refund(100)))
    assert.equal(answers.filter(({ status }) => status === 201).length, 5)
    assert.equal(await spentOf(owner.id), 500n)
  })

  test('is not approved while the limits forbid it, and may be approved when they allow it', async () => {
    const { owner, second, refund } = await shop()
    const { body } = await refund(300, stranger)
    await world.limit(owner, { eachMinor: 200n })
    assert.deepEqual(codeOf(await world.act(second, 'approve', body['id'])), [422, 'limit_exceeded'])
    assert.equal((await world.read(owner, body['id']))['approvalRequired'], true)
    await world.limit(owner, { eachMinor: 300n, dayMinor: 300n })
    assert.equal((await world.act(second, 'approve', body['id'])).status, 200)
  })

  test('waits for a second person when it is not allowed any more at the time of sending', async () => {
    const { owner, second, refund } = await shop()
    await insertDestination(world.base.sql, listing(owner.id, stranger))
    const { body } = await refund(300, stranger)
    await deleteDestination(world.base.sql, listing(owner.id, stranger))
    const sent: unknown[] = []
    world.sending.crypto = async (order) => (sent.push(order.id), [])
    await world.work()
    assert.ok(!sent.includes(body['id']))
    const held = await world.read(owner, body['id'])
    assert.deepEqual([held['approvalRequired'], held['version']], [true, 2])
    assert.equal((await world.act(second, 'approve', body['id'])).status, 200)
    // The person approved the address, not a limit that is set later.
    await world.limit(owner, { dayMinor: 299n })
    await world.work()
    assert.equal((await world.read(owner, body['id']))['approvalRequired'], true)
    await world.limit(owner, {})
    await world.act(second, 'approve', body['id'])
    await world.work()
    assert.ok(sent.includes(body['id']))
    // A refund that may be under way is looked up, even if the limits forbid it by then.
    await world.limit(owner, { dayMinor: 1n })
    world.sending.crypto = async (order) => [doneReceipt(order)]
    await world.work()
    assert.equal((await world.read(owner, body['id']))['status'], 'COMPLETED')
    assert.deepEqual(
      (await audited(body['id'])).map(({ action }) => action),
      ['refund.hold', 'refund.approve', 'refund.hold', 'refund.approve'],
    )
    delete world.sending.crypto
  })

  test('that failed and was done after all counts to its day again', async () => {
    const { owner, refund } = await shop()
    const { body } = await refund(300)
    let sent: RefundOrder | undefined
    world.sending.crypto = async (order) => {
      if (order.id === body['id']) sent = order
      const failure = { code: 'reverted', message: 'No.' }
      return [{ ...doneReceipt(order), outcome: 'refund_failed', failure }]
    }
    await world.work()
    assert.equal(await spentOf(owner.id), 0n)
    assert.ok(sent)
    await world.settle([doneReceipt(sent)])
    assert.equal((await world.read(owner, body['id']))['status'], 'COMPLETED')
    assert.equal(await spentOf(owner.id), 300n)
    delete world.sending.crypto
  })
})

describe('a refund that the operator ends', () => {
  const by = 'ana@office'
  const end = (id: unknown, more: { proof?: string } = {}) =>
    world.decide({ id: asId(id), event: 'ended', by, reason: 'the provider is gone', ...more })

  test('that was never sent has failed, with the reason, and its money is available again', async () => {
    const { owner, refund } = await shop()
    const { body } = await refund(300)
    assert.equal((await end(body['id'])).kind, 'decided')
    const ended = await world.read(owner, body['id'])
    assert.deepEqual(
      [ended['status'], ended['failureCode'], ended['failureMessage']],
      ['FAILED', 'ended_by_operator', 'the provider is gone'],
    )
    assert.deepEqual(await world.balanceOf(owner), { balance: 1_234, held: 0 })
    assert.equal(await spentOf(owner.id), 0n)
    assert.deepEqual(
      (await audited(body['id'])).map((each) => ({ ...each })),
      [{ action: 'refund.end', actorKind: 'OPERATOR', actorId: by, reason: 'the provider is gone' }],
    )
    assert.equal((await end(body['id'])).kind, 'refused')
    assert.equal((await audited(body['id'])).length, 1)
    assert.equal(await world.dueOf(owner), 0)
  })

  test('that waits for a second person can be ended too', async () => {
    const { owner, refund } = await shop()
    const { body } = await refund(300, stranger)
    assert.equal((await end(body['id'])).kind, 'decided')
    const ended = await world.read(owner, body['id'])
    assert.deepEqual([ended['status'], ended['approvalRequired']], ['FAILED', undefined])
  })

  test('that may have been sent is ended only with an answer of the provider', async () => {
    const { owner, refund } = await shop()
    const { body } = await refund(300)
    world.sending.crypto = async () => {
      throw new ProviderError('unavailable', 'nothing was sent')
    }
    await world.work()
    world.sending.crypto = async () => {
      throw new ProviderError('unknown', 'cut off')
    }
    await world.work()
    // This call sends nothing either; that does not show what the call before did.
    world.sending.crypto = async () => {
      throw new ProviderError('unavailable', 'nothing was sent')
    }
    await world.work()
    const verdict = await end(body['id'])
    assert.deepEqual([verdict.kind, 'isQueued' in verdict && verdict.isQueued], ['may_be_sent', false])
    assert.equal((await world.read(owner, body['id']))['status'], 'PENDING')
    assert.equal((await end(body['id'], { proof: 'mail of the provider, 2026-11-20' })).kind, 'decided')
    assert.deepEqual(await world.balanceOf(owner), { balance: 1_234, held: 0 })
    delete world.sending.crypto
  })

  test('that a worker has claimed may have been sent; once its call ended with nothing sent it can be ended', async () => {
    const { refund } = await shop()
    const { body } = await refund(300)
    const [called, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    world.sending.crypto = async () => {
      called.resolve()
      await go.promise
      throw new ProviderError('unavailable', 'nothing was sent')
    }
    const round = world.work()
    await called.promise
    assert.equal((await end(body['id'])).kind, 'may_be_sent')
    go.resolve()
    await round
    assert.equal((await end(body['id'])).kind, 'decided')
    delete world.sending.crypto
  })
})

test('and all of it is on the books', async () => {
  assert.deepEqual(await world.faults(), [])
})
