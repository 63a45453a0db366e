// The creation lane: one payment for each key, with any number of concurrent calls, and whatever fails meanwhile.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connect } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { listRails } from '#/rails/all.ts'
import { createCryptoRail } from '#/rails/crypto/rail.ts'
import { openLine, type Line } from '../../test/line.ts'
import { pages } from '../../test/page-hosts.ts'
import { startTcpProxy } from '../../test/tcp-proxy.ts'
import { createPaymentCreator, type Created, type PaymentCreator } from './create.ts'
import type { PaymentRequest } from './payment.ts'
import { creationRecord } from './record.ts'

let line: Line
const open: (() => Promise<unknown>)[] = []

before(async () => {
  line = await openLine()
})

after(async () => {
  for (const close of open) await close()
  await line[Symbol.asyncDispose]()
})

/** A separate creator, as in another process. */
function openCreator(
  url = line.appUrl,
  more: { readonly itemsMax?: number; readonly queueMax?: number } = {},
): PaymentCreator {
  const sql = connect(url, { max: 2 })
  const rails = listRails([createCryptoRail(() => [line.chain])])
  const creator = createPaymentCreator({
    pages,
    sql,
    rails,
    ledger: line.lane,
    clock: line.clock,
    log: silentLog,
    ...more,
  })
  open.push(async () => {
    await creator.close()
    await sql.end({ timeout: 1 })
  })
  return creator
}

const request: PaymentRequest = {
  amount: 1_234,
  currency: 'USDT',
  paymentMethods: ['CRYPTO'],
  metadata: { orderId: 'A-1' },
}

async function paymentsOf(prefix: string): Promise<number> {
  return (await line.sql`select from payment where starts_with(idempotency_key, ${prefix})`).count
}

test('a hundred calls with one key, in two processes, make one payment and a hundred equal answers', async () => {
  const creators = [openCreator(), openCreator()]
  const key = newId()
  const all = await Promise.all(
    Array.from({ length: 100 }, (_, n) => creators[n % 2]?.create(line.merchant, key, request)),
  )
  const first = must(all[0], 'an answer')
  const recordOf = (each: Created | undefined) => creationRecord(must(each, 'an answer').payment)
  for (const each of all) assert.deepEqual(recordOf(each), recordOf(first))
  assert.equal(all.filter((each) => each?.replayed === false).length, 1)
  assert.equal(await paymentsOf(key), 1)
  const [attempts] = await line.sql<{ count: bigint }[]>`
    select count(*) from attempt join deposit_address on attempt_id = attempt.id where attempt.payment_id = ${first.payment.id}`
  assert.equal(attempts?.count, 1n)
})

test('processes with overlapping keys in any order neither deadlock nor disagree', async () => {
  const creators = [
    openCreator(undefined, { itemsMax: 40 }),
    openCreator(undefined, { itemsMax: 23 }),
    openCreator(undefined, { itemsMax: 7 }),
  ]
  const prefix = newId()
  const keys = Array.from({ length: 60 }, (_, n) => `${prefix} ${n}`)
  const orders = [
    keys,
    keys.toReversed(),
    keys.toSorted((a, b) => (a.length === b.length ? (a < b ? -1 : 1) : b.length - a.length)),
  ]
  const answers = await Promise.all(
    creators.map(async (creator, index) =>
      Promise.all(
        (orders[index] ?? []).map(
          async (key) => [key, (await creator.create(line.merchant, key, request)).payment.id] as const,
        ),
      ),
    ),
  )
  const [first, ...others] = answers.map((each) => Object.fromEntries(each))
  for (const other of others) assert.deepEqual(other, first)
  assert.equal(await paymentsOf(prefix), keys.length)
})

test('of two concurrent bodies under one key one is the payment and the other a conflict', async () => {
  const creators = [openCreator(), openCreator()]
  for (let round = 0; round < 5; round++) {
    const key = newId()
    const settled = await Promise.allSettled(
      creators.map((creator, n) => creator.create(line.merchant, key, { ...request, amount: 1_000 + n })),
    )
    assert.deepEqual(settled.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    const refused = settled.find((each) => each.status === 'rejected')
    assert.ok(refused?.reason instanceof AppError && refused.reason.code === 'idempotency_conflict')
    assert.deepEqual(
      refused.reason.faults.map(({ pointer }) => pointer),
      ['/amount'],
    )
    assert.equal(await paymentsOf(key), 1)
  }
})

test('a body with its keys in another order is the same, any other difference is a conflict', async () => {
  const creator = openCreator()
  const key = newId()
  const made = await creator.create(line.merchant, key, {
    ...request,
    metadata: { a: 1, b: { c: 2, d: [1, 2] } },
  })
  const { amount, currency, paymentMethods } = request
  const turned = {
    metadata: { b: { d: [1, 2], c: 2 }, a: 1 },
    paymentMethods,
    currency,
    amount,
  } as PaymentRequest
  const same = await creator.create(line.merchant, key, turned)
  assert.deepEqual([same.replayed, same.payment.id], [true, made.payment.id])
  for (const other of [
    { metadata: { a: 1, b: { c: 2, d: [2, 1] } } },
    { metadata: { a: '1' } },
    { customerName: 'Ana' },
  ]) {
    await assert.rejects(creator.create(line.merchant, key, { ...request, ...other }), {
      code: 'idempotency_conflict',
    })
  }
})

test('another merchant’s key is another key', async () => {
  const creator = openCreator()
  const key = newId()
  const other = { id: newId<'merchant'>(), mode: 'SANDBOX' as const }
  await line.owner`
    insert into merchant (id, mode, name, webhook_secret, created_at) values (${other.id}, 'SANDBOX', 'Eva', '', now())`
  const [mine, theirs] = await Promise.all([
    creator.create(line.merchant, key, request),
    creator.create(other, key, { ...request, amount: 1 }),
  ])
  assert.notEqual(mine.payment.id, theirs.payment.id)
})

test('a refused call leaves its key free, but a key that is in use is compared first', async () => {
  const creator = openCreator()
  const key = newId()
  const refused = { ...request, currency: 'BRL' }
  await assert.rejects(creator.create(line.merchant, key, refused), { code: 'currency_not_supported' })
  const made = await creator.create(line.merchant, key, request)
  assert.equal(made.replayed, false)
  await assert.rejects(creator.create(line.merchant, key, refused), { code: 'idempotency_conflict' })
})

for (const fate of ['lost', 'answer lost'] as const) {
  test(`a COMMIT that is lost (${fate === 'lost' ? 'before it arrived' : 'with its answer'}) makes the payment once, and answers that it is new`, async () => {
    await using proxy = await startTcpProxy(line.appUrl)
    const creator = openCreator(proxy.url)
    for (const round of [1, 2]) {
      const prefix = newId()
      const struck = proxy.strike(/^commit$/, fate)
      const answers = await Promise.all(
        [1, 2, 3, 1].map((n) => creator.create(line.merchant, `${prefix} ${n}`, request)),
      )
      await struck
      assert.deepEqual(
        answers.map(({ replayed }) => replayed),
        [false, false, false, true],
        `round ${round}`,
      )
      assert.equal(answers[3]?.payment.id, answers[0]?.payment.id)
      assert.equal(await paymentsOf(prefix), 3)
    }
  })
}

test('a process that dies between the payment and its attempt leaves neither, and the same key makes both', async () => {
  await using proxy = await startTcpProxy(line.appUrl)
  const dying = openCreator(proxy.url)
  const key = newId()
  const struck = proxy.strike(/insert into attempt/, 'answer lost').then(() => proxy.greet('by closing'))
  const lost = dying.create(line.merchant, key, request)
  await struck
  assert.equal(await paymentsOf(key), 0)
  const made = await openCreator().create(line.merchant, key, request)
  assert.equal(made.replayed, false)
  proxy.greet('well')
  // The dying process was still trying.
  assert.equal((await lost).payment.id, made.payment.id)
  const whole = await line.sql`
    select from payment join attempt on payment_id = payment.id join deposit_address on attempt_id = attempt.id
     where payment.id = ${made.payment.id}`
  assert.equal(whole.count, 1)
})

test('above the limit of waiting creations the answer is 503', async () => {
  const creator = openCreator(undefined, { queueMax: 5 })
  const settled = await Promise.allSettled(
    Array.from({ length: 20 }, () => creator.create(line.merchant, newId(), request)),
  )
  const refused = settled.filter((each) => each.status === 'rejected')
  assert.ok(refused.length > 0)
  for (const { reason } of refused) assert.ok(reason instanceof AppError && reason.code === 'unavailable')
})

test('the audit finds no faults', async () => {
  assert.deepEqual((await line.verify()).faults, [])
})
