// Which payments, splits and shares each statement finds and changes: those of the key that it was given, and no row beside them.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  connection,
  idsOf,
  first,
  named,
  other,
  ours,
  past,
  second,
  theirs,
  third,
  wanted,
} from '../../test/attempt-rows.ts'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'
import { connect, type Sql, type Tx } from '#/db/client.ts'
import type { Id, MerchantId, PaymentId, PaymentLinkId, WalletId } from '#/kernel/id.ts'
import * as initiate from './initiate-queries.ts'
import * as links from './link-use-queries.ts'
import * as queries from './queries.ts'
import * as splits from './split-queries.ts'

let database: TestDatabase
let sql: Sql
before(async () => {
  database = await testDatabase()
  sql = connect(database.ownerUrl, { max: 2 })
})
after(async () => {
  await sql.end({ timeout: 1 })
  await database[Symbol.asyncDispose]()
})

const onPayments = <Answer>(tables: BareRows, ask: (tx: Tx & Sql) => Promise<Answer>) =>
  onRows(sql, { merchant: [ours, theirs].map((id) => ({ id, mode: 'SANDBOX' })), ...tables }, (tx) =>
    ask(tx as Tx & Sql),
  )

/** A row of the table `payment`. */
const payment = {
  merchant_id: ours,
  id: wanted,
  idempotency_key: 'key-1',
  status: 'PENDING',
  request: { amount: 1 },
  amount_minor: 2,
  currency: 'BRL',
  methods: ['PIX'],
  received_minor: 0,
  refunded_minor: 0,
  disputed_minor: 0,
  seen_minor: 0,
  unreleased_minor: 0,
  fee_minor: 0,
  exceptions: [],
  receipts: 0,
  version: 1,
  created_at: past,
  expires_at: past,
}
const ref = { merchantId: ours, paymentId: wanted }
const refTo = (number: number) => ({ merchantId: ours, paymentId: bareId(number) as PaymentId })
const idsIn = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id)

test('a payment is inserted unless its merchant is suspended, or is a sub-account in a state without payments', async () => {
  const merchants = [1, 2, 3, 4, 5].map((number) => bareId(number) as MerchantId)
  const tables = {
    merchant: merchants.map((id) => ({ id, mode: 'SANDBOX' })),
    payment: merchants.map((merchant_id, index) => ({ ...payment, merchant_id, id: bareId(61 + index) })),
    money_freeze: [
      { merchant_id: merchants[1], kind: 'SUSPENSION' },
      { merchant_id: merchants[2], kind: 'FREEZE' },
      { merchant_id: null, kind: 'SUSPENSION' },
    ],
    sub_account: [
      { merchant_id: merchants[3], state: 'CLOSED' },
      { merchant_id: merchants[4], state: 'ACTIVE' },
    ],
    metadata_key: [{ merchant_id: merchants[2] }],
  }
  await onPayments(tables, async (tx) => {
    const read = await queries.selectPayments(
      tx,
      merchants.map((merchantId, index) => ({ merchantId, paymentId: bareId(61 + index) as PaymentId })),
    )
    await tx`delete from payment`
    const made = read.map((each) => ({ ...each, idempotencyKey: each.id, fingerprint: Buffer.from('f') }))
    const inserted = await queries.insertPayments(tx, made)
    assert.deepEqual(
      inserted,
      new Map<string, boolean>([
        [bareId(61), false],
        [bareId(63), true],
        [bareId(65), false],
      ]),
    )
  })
})

test('a payment is found by its key, and by its id, under its merchant', async () => {
  const others = beside(payment, { merchant_id: theirs }, { id: other, idempotency_key: 'key-2' })
  const found = await onPayments({ payment: [...others, payment] }, async (tx) => [
    ...(await queries.selectByKeys(tx, [{ merchantId: ours, idempotencyKey: 'key-1' }])).map(
      (each) => each.payment,
    ),
    ...(await queries.selectPayments(tx, [ref])),
  ])
  assert.deepEqual(
    found.map(({ merchantId, id }) => [merchantId, id]),
    [
      [ours, wanted],
      [ours, wanted],
    ],
  )
})

test('money from before its column is that of the one wallet; money in the column stays as it is', async () => {
  const [wallet, unknown] = [bareId(71), bareId(72)]
  const came = { ...payment, method: 'PIX', wallet_id: wallet, received_minor: 2, fee_minor: 1 }
  const column = [{ currency: 'USD', walletId: unknown, methods: [{ method: 'PIX' }] }]
  const rows = [
    { ...came, id: bareId(61) },
    { ...came, id: bareId(62), money: column },
    { ...came, id: bareId(63), wallet_id: null },
    { ...came, id: bareId(64), wallet_id: unknown },
    { ...came, id: bareId(65), method: null },
    { ...came, id: bareId(66), wallet_id: null, money: column },
  ]
  const tables = {
    payment: rows,
    wallet: [
      { merchant_id: ours, id: wallet, currency: 'BRL' },
      { merchant_id: ours, id: bareId(73), currency: 'EUR' },
    ],
  }
  const moneyOf = async (numbers: readonly number[]) => {
    const found = await onPayments(tables, (tx) => queries.selectPayments(tx, numbers.map(refTo)))
    return new Map(found.map(({ id, money }) => [id as string, money]))
  }
  const sums = { unreleasedMinor: 0n, refundedMinor: 0n }
  const methods = [{ method: 'PIX', receivedMinor: 2n, feeMinor: 1n }]
  const earlier = { currency: 'BRL', walletId: wallet, ...sums, methods }
  const kept = { currency: 'USD', walletId: unknown, ...sums, methods }
  assert.deepEqual(
    await moneyOf([61, 62, 63, 64, 65, 66]),
    new Map<string, unknown>([
      [bareId(61), [earlier]],
      [bareId(62), [kept]],
      [bareId(63), []],
      [bareId(64), []],
      [bareId(65), [{ ...earlier, methods: [] }]],
      [bareId(66), [kept]],
    ]),
  )
  assert.deepEqual(await moneyOf([61]), new Map([[bareId(61), [earlier]]]))
  assert.deepEqual(await moneyOf([62]), new Map([[bareId(62), [kept]]]))
})

test('a payment has a page when it has a token and an address', async () => {
  const [page_token, page_url] = ['token', 'https://pay.example/token']
  const rows = [{ page_token, page_url }, { page_token }, { page_url }].map((each, index) => ({
    ...payment,
    ...each,
    id: bareId(61 + index),
  }))
  const found = await onPayments({ payment: rows }, (tx) =>
    queries.selectPayments(tx, [61, 62, 63].map(refTo)),
  )
  assert.deepEqual(
    found.toSorted((a, b) => a.id.localeCompare(b.id)).map(({ page }) => page),
    [{ token: page_token, url: page_url }, undefined, undefined],
  )
})

test("a list has the merchant's own payments, and of one method those that can be paid by it", async () => {
  const rows = [payment, ...beside(payment, { id: other, methods: ['CRYPTO'] }, { merchant_id: theirs })]
  const listed = (filter: object) =>
    onPayments({ payment: rows }, async (tx) =>
      (await queries.listPayments(tx, ours, { limit: 9, ...filter })).map(({ id, merchantId }) =>
        named(merchantId, id),
      ),
    )
  assert.deepEqual(await listed({}), [named(ours, other), named(ours, wanted)])
  assert.deepEqual(await listed({ method: 'PIX' }), [named(ours, wanted)])
})

const yearsMs = 100 * 366 * 86_400_000

test('a payment expires whose amount is not on its way, when its attempts were checked since or are silent for long', async () => {
  const rows = [
    { id: 61 },
    { id: 62, status: 'WAITING_PAYMENT', expires_at: '2019-01-01T00:00:00Z' },
    { id: 63, received_minor: 2, refunded_minor: 1 },
    { id: 64 },
    { id: 65 },
    { id: 66 },
    { id: 67, status: 'PAID' },
    { id: 68, expires_at: '2999-01-01T00:00:00Z' },
    { id: 69, received_minor: 1, seen_minor: 1 },
    { id: 70 },
  ]
  const attempted = [64, 65, 66, 70]
  const check = { merchant_id: ours }
  const tables = {
    payment: rows.map((each) => ({ ...payment, ...each, id: bareId(each.id) })),
    attempt: attempted.map((number) => ({
      merchant_id: ours,
      id: bareId(100 + number),
      payment_id: bareId(number),
    })),
    attempt_check: [
      { ...check, attempt_id: bareId(164) },
      { ...check, attempt_id: bareId(165), checked_at: '2019-12-31T23:59:59Z' },
      { ...check, attempt_id: bareId(166), checked_at: past },
    ],
  }
  const due = async (silenceMs: number, limit: number) =>
    (await onPayments(tables, (tx) => queries.selectDue(tx, silenceMs, limit))).map(({ paymentId }) =>
      Number(paymentId.slice(-3)),
    )
  const [oldest, ...others] = await due(yearsMs, 99)
  assert.deepEqual([oldest, new Set(others)], [62, new Set([61, 63, 66, 70])])
  assert.deepEqual(new Set(await due(0, 99)), new Set([61, 62, 63, 64, 65, 66, 70]))
  assert.deepEqual(await due(yearsMs, 1), [62])
})

test('the columns of a payment that can change are written to it alone; one that is not there is refused', async () => {
  const rows = [payment, ...beside(payment, { id: other })]
  const lastError = { code: 'declined', message: 'The bank declined it.' }
  await onPayments({ payment: rows }, async (tx) => {
    const [read] = await queries.selectPayments(tx, [ref])
    assert.ok(read)
    await queries.writePayments(tx, [read, { ...read, lastError, version: 2 }])
    const [changed, same] = await tx`select version, last_error as error from payment order by id`
    assert.deepEqual(
      [changed, same],
      [
        { version: 2, error: lastError },
        { version: 1, error: null },
      ],
    )
    await queries.writePayments(tx, [read])
    assert.equal((await tx`select 1 from payment where last_error is null`).length, 2)
    await assert.rejects(
      queries.writePayments(tx, [{ ...read, id: third as string as PaymentId }]),
      /every payment that changed is there/,
    )
  })
})

test('terms, refusals and the data of a payer are written to their own attempt or payment', async () => {
  const attempt = { merchant_id: ours, id: first, payment_id: wanted }
  const tables = {
    attempt: [attempt, ...beside(attempt, { id: second })],
    payment: [payment, ...beside(payment, { id: other, payer: { name: 'Eva' } })],
  }
  const key = { merchantId: ours, attemptId: first }
  await onPayments(tables, async (tx) => {
    await initiate.writeTerms(tx, [{ ...key, terms: { expiresAt: past } }])
    await initiate.writeRefusals(tx, [
      { ...key, refusal: { code: 'PROVIDER_REFUSED', message: 'No.', at: past } },
    ])
    for (const column of ['asked', 'refusal'])
      assert.deepEqual(await idsOf(tx, 'attempt', `${column} is not null`), [named(ours, first)])
    const [read] = await queries.selectPayments(tx, [ref])
    assert.ok(read)
    const payers = async () =>
      (await tx`select payer from payment order by id`).map(({ payer }) => payer as unknown)
    await initiate.writePayers(tx, [{ ...read, payer: { name: 'Ana' } }])
    assert.deepEqual(await payers(), [{ name: 'Ana' }, { name: 'Eva' }])
    await initiate.writePayers(tx, [read])
    assert.deepEqual(await payers(), [null, { name: 'Eva' }])
  })
})

test('uses of a link are its payments that are PAID or can still be, counted up to its limit', async () => {
  const [link, another] = [bareId(81) as PaymentLinkId, bareId(82)]
  const statuses = ['PENDING', 'WAITING_PAYMENT', 'APPROVED', 'PAID', 'EXPIRED', 'FAILED', 'CANCELED']
  const rows = [
    ...statuses.map((status, index) => ({ ...payment, id: bareId(61 + index), link_id: link, status })),
    { ...payment, id: bareId(70), link_id: another },
  ]
  const taken = (usesMax: number) =>
    onPayments({ payment: rows }, async (tx) =>
      (await links.countTaken(tx, [{ merchantId: ours, id: link, usesMax, isOver: false }])).get(link),
    )
  assert.equal(await taken(99), 4)
  assert.equal(await taken(3), 3)
  const made = await onPayments({ payment: [payment, { ...payment, idempotency_key: 'key-2' }] }, (tx) =>
    links.selectMade(tx, [{ merchantId: ours, idempotencyKey: 'key-1' }]),
  )
  assert.deepEqual(made, new Set(['key-1']))
})

const split = {
  merchant_id: ours,
  payment_id: wanted,
  id: bareId(91),
  currency: 'BRL',
  version: 1,
  created_at: past,
}
const share = {
  merchant_id: ours,
  payment_id: wanted,
  ordinal: 1,
  id: bareId(92),
  sub_account_id: bareId(93),
  booked_minor: 1,
}

test('a share is closed with its own sub-account', async () => {
  const closed = { merchant_id: bareId(94), state: 'CLOSED' }
  for (const [accounts, isClosed] of [
    [[closed, { merchant_id: bareId(93), state: 'ACTIVE' }], false],
    [[{ ...closed, merchant_id: bareId(93) }], true],
  ] as const) {
    const tables = { payment_split: [split], payment_share: [share], sub_account: accounts }
    const [found] = await onPayments(tables, (tx) => splits.selectSplits(tx, [ref]))
    assert.equal(found?.shares[0]?.isClosed, isClosed)
  }
})

test('what changes of a split is written to it and its shares alone; one that is not there is refused', async () => {
  const tables = {
    payment_split: [split, ...beside(split, { payment_id: other })],
    payment_share: [share, ...beside(share, { payment_id: other }, { ordinal: 2 })],
    sub_account: [],
  }
  await onPayments(tables, async (tx) => {
    const [read] = await splits.selectSplits(tx, [ref])
    assert.ok(read)
    const [own] = read.shares
    assert.ok(own)
    const changed = { ...read, version: 2, shares: [{ ...own, bookedMinor: 5n }] }
    await splits.writeSplits(tx, [changed])
    const versions = await tx`select payment_id as id from payment_split where version = 2`
    const booked = await tx`select payment_id as id, ordinal from payment_share where booked_minor = 5`
    assert.deepEqual([[...versions], [...booked]], [[{ id: wanted }], [{ id: wanted, ordinal: 1 }]])
    await assert.rejects(
      splits.writeSplits(tx, [{ ...changed, paymentId: refTo(13).paymentId }]),
      /every split that changed is there/,
    )
  })
})

test('a piece is a duplicate when its receipt was paid and says so', async () => {
  const receipt = { payment_id: wanted, connection, provider_ref: 'ref', outcome: 'paid', is_duplicate: true }
  for (const [change, count] of [
    [{}, 1],
    [{ outcome: 'refunded' }, 0],
    [{ is_duplicate: false }, 0],
  ] as const) {
    const found = await onPayments({ receipt: [{ ...receipt, ...change }] }, (tx) =>
      splits.selectDuplicates(tx, [{ ...ref, connection, paidRef: 'ref' }]),
    )
    assert.equal(found.length, count, JSON.stringify(change))
  }
})

test("wallets are found by their ids, a sub-account's shares before a share, and what went back by the split", async () => {
  const [wallet, another] = [bareId(71) as WalletId, bareId(72)]
  const transfer = { subject: split.id, step: 'share.1', kind: 'SHARE_RETURNED', minor: 3 }
  const tables = {
    wallet: [wallet, another].map((id) => ({ merchant_id: ours, id, currency: 'BRL' })),
    payment_split: [split],
    payment_share: [share, ...beside(share, { id: bareId(96), ordinal: 2 }, { id: bareId(97), ordinal: 3 })],
    transfer: [
      transfer,
      ...beside(
        transfer,
        { kind: 'SHARE_COVERED', step: 'share.1.cover', minor: 4 },
        { kind: 'SHARE_BOOKED', minor: 8 },
        { subject: bareId(98), minor: 16 },
      ),
    ],
  }
  await onPayments(tables, async (tx) => {
    const found = await splits.selectWalletCurrencies(tx, [{ merchantId: ours, id: wallet }])
    assert.deepEqual(idsIn(found), [wallet])
    const page = { before: bareId(97) as Id<'payment-share'>, limit: 9 }
    const listed = (some: Parameters<typeof splits.listShares>[2]) =>
      splits.listShares(tx, bareId(93) as MerchantId, some).then(idsIn)
    assert.deepEqual(await listed({ limit: 9 }), [bareId(97), bareId(96), bareId(92)])
    assert.deepEqual(await listed(page), [bareId(96), bareId(92)])
    assert.deepEqual(await listed({ ...page, limit: 1 }), [bareId(96)])
    const back = await splits.selectSharesBack(tx, split.id as Id<'payment-split'>)
    assert.deepEqual([...back], [{ ordinal: 1, returnedMinor: 7n, coveredMinor: 4n }])
  })
})
