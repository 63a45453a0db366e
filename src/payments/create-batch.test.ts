// What one batch of creations writes, what a repeated one is answered, and what a payment is made with.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId, type PaymentLinkId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { addMs, hourMs } from '#/kernel/time.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { Attempt } from '#/rails/attempt.ts'
import type { Method } from '#/rails/method.ts'
import { defaultTemplates, type TemplateFinder } from '#/templates/store.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { at, bank } from '../../test/bare-attempts.ts'
import { railsThatOpen } from '../../test/bare-payments.ts'
import { fileDatabase } from '../../test/file-database.ts'
import { pages } from '../../test/page-hosts.ts'
import { partly } from '../../test/partly.ts'
import { createPaymentCreator, type PaymentCreator } from './create.ts'
import { unpaid, type Payment, type PaymentRequest } from './payment.ts'
import { selectPayments, writePayments } from './queries.ts'

let sql: Sql
fileDatabase((owner) => (sql = owner))

/** A merchant of this test alone. */
async function newMerchant() {
  const merchant = { id: newId<'merchant'>(), mode: 'SANDBOX' } as const
  await sql`
    insert into merchant (id, mode, name, webhook_secret, created_at) values (${merchant.id}, 'SANDBOX', 'Ana', '', now())`
  return merchant
}

const written: (readonly Attempt[])[] = []
const issued: string[] = []
const rails = railsThatOpen(
  { CREATION: { write: async (_tx, attempts) => void written.push(attempts) } },
  { route: () => ({ ok: true, connection: bank, currency: 'USD' }) },
)

function creator(templates: TemplateFinder = defaultTemplates): PaymentCreator {
  return createPaymentCreator({
    sql,
    rails,
    ledger: partly<LedgerLane<EventDraft>>({}),
    clock: { now: () => at },
    log: silentLog,
    pages,
    templates,
    issue: async ({ id }) => void issued.push(id),
  })
}

const request: PaymentRequest = { amount: 100, currency: 'USD', paymentMethods: ['CRYPTO'] }

test('a payment is made with its attempt, until the merchant’s end or that of its method', async () => {
  const merchant = await newMerchant()
  const key = newId()
  const { payment, replayed } = await creator().create(merchant, key, { ...request, expiresIn: 60 })
  assert.deepEqual([replayed, payment.version, payment.status], [false, 1, 'WAITING_PAYMENT'])
  assert.deepEqual(payment.expiresAt, addMs(at, 60_000))
  const [stored] = await selectPayments(sql, [{ merchantId: merchant.id, paymentId: payment.id }])
  const sumsOf = (of: Payment | undefined) =>
    Object.keys(unpaid).map((name) => [name, of?.[name as keyof Payment]])
  assert.deepEqual(sumsOf(payment), sumsOf(stored))
  const rows =
    await sql`select id, connection, amount_minor, currency, created_at from attempt where payment_id = ${payment.id}`
  const [attempt] = written.at(-1) ?? []
  assert.deepEqual(
    [...rows],
    [{ id: attempt?.id, connection: bank, amount_minor: 100n, currency: 'USDT', created_at: at }],
  )
  assert.equal(issued.at(-1), attempt?.id)
  const longer = await creator().create(merchant, newId(), request)
  assert.deepEqual(longer.payment.expiresAt, addMs(at, hourMs))
})

test('a repeated creation makes nothing, and another body under its key is a conflict that says what was there', async () => {
  const [merchant, other] = [await newMerchant(), await newMerchant()]
  const key = newId()
  const first = await creator().create(merchant, key, request)
  const again = await creator().create(merchant, key, request)
  assert.deepEqual([again.payment.id, again.replayed], [first.payment.id, true])
  assert.equal((await sql`select from attempt where merchant_id = ${merchant.id}`).count, 1)
  const theirs = await creator().create(other, key, request)
  assert.notEqual(theirs.payment.id, first.payment.id)
  await assert.rejects(creator().create(merchant, key, { ...request, amount: 200 }), (error) => {
    assert.ok(error instanceof AppError && error.code === 'idempotency_conflict')
    assert.deepEqual(error.faults, [{ pointer: '/amount', code: 'differs', message: 'was 100' }])
    return true
  })
})

test('a split is written with its payment, and not again', async () => {
  const [merchant, account] = [await newMerchant(), await newMerchant()]
  await sql`
    insert into sub_account (merchant_id, parent_id, state, created_at, activated_at)
    values (${account.id}, ${merchant.id}, 'ACTIVE', now(), now())`
  await sql`
    insert into wallet (merchant_id, id, currency, label, wallet_type, is_default, created_at)
    values (${account.id}, ${newId()}, 'USDT', '', 'SPENDABLE', true, now())`
  const key = newId()
  const splits = [{ subAccountId: account.id, percent: '40' }]
  const { payment } = await creator().create(merchant, key, { ...request, splits })
  assert.equal((await creator().create(merchant, key, { ...request, splits })).replayed, true)
  const rows = await sql`select payment_id from payment_split where merchant_id = ${merchant.id}`
  assert.deepEqual([...rows], [{ payment_id: payment.id }])
})

test('creations of one batch are one payment for each key', async () => {
  const merchant = await newMerchant()
  const [one, two] = [newId(), newId()]
  const of = creator()
  const made = await Promise.all([one, two, one].map((key) => of.create(merchant, key, request)))
  assert.deepEqual(
    made.map(({ replayed }) => replayed),
    [false, false, true],
  )
  assert.equal(made[0]?.payment.id, made[2]?.payment.id)
})

test('metadata is found by the keys that the merchant declared', async () => {
  const [merchant, other] = [await newMerchant(), await newMerchant()]
  await sql`
    insert into metadata_key (merchant_id, resource, name, status, changed_at, connection, due_at)
    values (${merchant.id}, 'PAYMENT', 'order', 'READY', now(), '', now())`
  const indexed = async (by: typeof merchant, metadata: PaymentRequest['metadata']) => {
    const { payment } = await creator().create(by, newId(), {
      ...request,
      ...given({ metadata }),
    })
    return (await sql`select from metadata_value where record_id = ${payment.id}`).count
  }
  assert.equal(await indexed(merchant, { order: 'A-1' }), 1)
  assert.equal(await indexed(merchant, { other: 'A-1' }), 0)
  assert.equal(await indexed(merchant, undefined), 0)
  assert.equal(await indexed(other, { order: 'A-1' }), 0)
})

test('what belongs to a payment is written with it, and not again', async () => {
  const merchant = await newMerchant()
  const key = newId()
  const beside: string[] = []
  const extras = { beside: async (_tx: unknown, { id }: { readonly id: string }) => void beside.push(id) }
  const { payment } = await creator().create(merchant, key, request, extras)
  await creator().create(merchant, key, request, extras)
  assert.deepEqual(beside, [payment.id])
})

test('a payment that its link refuses is not made, and leaves its key free', async () => {
  const merchant = await newMerchant()
  const key = newId()
  const linkId = newId() as PaymentLinkId
  const code = (error: unknown) => error instanceof AppError && error.code === 'invalid_state'
  await assert.rejects(creator().create(merchant, key, request, { linkId }), code)
  assert.equal((await creator().create(merchant, key, request)).replayed, false)
})

test('a checkout that is not known is looked for once more, and nothing else is', async () => {
  const merchant = await newMerchant()
  let [isKnown, refreshed] = [false, 0]
  const templates: TemplateFinder = {
    find: (key) => (isKnown ? defaultTemplates.find({ ...key, slug: 'default' }) : undefined),
    async refresh() {
      refreshed += 1
      isKnown = refreshed === 2
    },
  }
  const shop = { amount: 100, currency: 'USD', checkout: 'shop' }
  const code = (expected: string) => (error: unknown) => error instanceof AppError && error.code === expected
  await assert.rejects(creator(templates).create(merchant, newId(), shop), code('checkout_not_found'))
  const { payment } = await creator(templates).create(merchant, newId(), shop)
  assert.deepEqual([payment.status, refreshed], ['PENDING', 2])
  assert.equal((await sql`select from payment_split where payment_id = ${payment.id}`).count, 0)
  const cash = { ...request, paymentMethods: ['CASH' as string as Method] }
  await assert.rejects(creator(templates).create(merchant, newId(), cash), code('method_not_available'))
  assert.equal(refreshed, 2)
})

test('whether a creation is possible is said without writing anything', async () => {
  const merchant = await newMerchant()
  let refreshed = 0
  const templates: TemplateFinder = { find: () => undefined, refresh: async () => void (refreshed += 1) }
  const code = (expected: string) => (error: unknown) => error instanceof AppError && error.code === expected
  const shop = { amount: 100, currency: 'USD', checkout: 'shop' }
  await assert.rejects(creator(templates).assertPossible(merchant, shop), code('checkout_not_found'))
  assert.equal(refreshed, 1)
  const cash = { ...request, paymentMethods: ['CASH' as string as Method] }
  await assert.rejects(creator(templates).assertPossible(merchant, cash), code('method_not_available'))
  assert.equal(refreshed, 1)
  const count = (await sql`select from payment`).count
  await creator().assertPossible(merchant, request)
  assert.equal((await sql`select from payment`).count, count)
})

test('a merchant that is suspended starts nothing, and one whose money is frozen does', async () => {
  const [suspended, frozen] = [await newMerchant(), await newMerchant()]
  await sql`
    insert into money_freeze (id, kind, merchant_id, reason, decided_by)
    values (gen_random_uuid(), 'SUSPENSION', ${suspended.id}, 'a test', 'ana'),
           (gen_random_uuid(), 'FREEZE', ${frozen.id}, 'a test', 'ana')`
  const code = (error: unknown) => error instanceof AppError && error.code === 'merchant_suspended'
  await assert.rejects(creator().create(suspended, newId(), request), code)
  assert.equal((await creator().create(frozen, newId(), request)).replayed, false)
})

test('a sub-account starts payments while it is ACTIVE', async () => {
  const parent = await newMerchant()
  const startAs = async (state: string, by: string | null) => {
    const account = await newMerchant()
    await sql`
      insert into sub_account (merchant_id, parent_id, state, suspended_by, created_at, activated_at)
      values (${account.id}, ${parent.id}, ${state}, ${by}, now(), now())`
    return creator().create(account, newId(), request)
  }
  assert.equal((await startAs('ACTIVE', null)).replayed, false)
  await assert.rejects(startAs('SUSPENDED', 'PARENT'), AppError)
})

test('a change of a payment that is not there is an error', async () => {
  const { payment } = await creator().create(await newMerchant(), newId(), request)
  const write = (changed: Payment) => sql.begin((tx) => writePayments(tx, [payment, changed]))
  await assert.rejects(write({ ...payment, id: newId<'payment'>() }), /every payment that changed is there/)
  await write({ ...payment, version: 2 })
})
