// Which payments, names, splits and uses of links the statements of payments find and change: each condition on rows that it alone tells apart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { ConnectionId, MerchantId, PaymentLinkId, WalletId } from '#/kernel/id.ts'
import { secondMs } from '#/kernel/time.ts'
import { at, earlier, idsOf, later, other, ours, ref, theirs, wanted } from '../../test/bare-attempts.ts'
import { bareId, beside, onRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import * as finding from './find-queries.ts'
import * as payments from './queries.ts'
import type { ShareId, SplitId } from './shares.ts'
import * as splits from './split-queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const payment = {
  merchant_id: ours,
  id: wanted,
  idempotency_key: 'key',
  fingerprint: '\\x01',
  request: {},
  status: 'PENDING',
  amount_minor: 100,
  currency: 'BRL',
  methods: ['PIX'],
  page_token: 'token',
  received_minor: 0,
  refunded_minor: 0,
  disputed_minor: 0,
  seen_minor: 0,
  unreleased_minor: 0,
  fee_minor: 0,
  exceptions: [],
  receipts: 0,
  version: 1,
  created_at: earlier,
  expires_at: at,
}
const merchant = [ours, theirs].map((id) => ({ id, mode: 'LIVE' }))

test('payments are found by key, id and page of their merchant', async () => {
  const rows = [
    payment,
    ...beside(
      payment,
      { id: other, idempotency_key: 'later', page_token: 'later' },
      { merchant_id: theirs, page_token: 'theirs' },
    ),
  ]
  await onRows(sql, { payment: rows, merchant }, async (tx) => {
    const byKey = await payments.selectByKeys(tx, [{ merchantId: ours, idempotencyKey: 'later' }])
    assert.deepEqual(
      byKey.map(({ key, payment: found }) => [key, found.merchantId, found.id]),
      [['later', ours, other]],
    )
    const byId = await payments.selectPayments(tx, [ref])
    assert.deepEqual(
      byId.map(({ merchantId, id }) => [merchantId, id]),
      [[ours, wanted]],
    )
    assert.deepEqual(await finding.selectIdByPage(tx, ours, 'token'), [wanted])
    assert.deepEqual(await finding.selectIdByPage(tx, ours, 'theirs'), [])
  })
})

test('the list of payments holds what its filters ask for, newest first', async () => {
  const rows = [
    payment,
    ...beside(payment, { id: other, methods: ['CARD', 'BOLETO'], status: 'PAID' }, { merchant_id: theirs }),
  ]
  await onRows(sql, { payment: rows, merchant }, async (tx) => {
    const listed = async (filter: Omit<payments.PaymentFilter, 'limit'>, limit = 10) =>
      (await payments.listPayments(tx, ours, { ...filter, limit })).map((each) => [each.merchantId, each.id])
    assert.deepEqual(await listed({}), [
      [ours, other],
      [ours, wanted],
    ])
    assert.deepEqual(await listed({}, 1), [[ours, other]])
    assert.deepEqual(await listed({ method: 'BOLETO' }), [[ours, other]])
    assert.deepEqual(await listed({ status: 'PENDING' }), [[ours, wanted]])
    assert.deepEqual(await listed({ before: other }), [[ours, wanted]])
  })
})

test('money from before payments kept it by currency is in the currency of its one wallet', async () => {
  const wallet = { merchant_id: ours, id: bareId(31), currency: 'USDT' }
  const rows = { ...payment, wallet_id: wallet.id, received_minor: 100, method: 'CRYPTO' }
  const kept = [{ currency: 'BRL', walletId: wallet.id, methods: [{ method: 'PIX' }] }]
  const tables = {
    payment: [rows, { ...rows, id: other, money: kept }],
    merchant,
    wallet: [
      wallet,
      ...beside(wallet, { merchant_id: theirs, currency: 'EUR' }, { id: bareId(32), currency: 'BRL' }),
    ],
  }
  const found = await onRows(sql, tables, (tx) =>
    payments.selectPayments(tx, [ref, { ...ref, paymentId: other }]),
  )
  const currencies = found.map(({ id, money }) => [id, money.map(({ currency }) => currency)] as const)
  assert.deepEqual(
    new Map(currencies),
    new Map([
      [wanted, ['USDT']],
      [other, ['BRL']],
    ]),
  )
})

test('a refund without an end is pending, of its payment', async () => {
  const refund = { merchant_id: ours, id: bareId(41), payment_id: wanted, status: 'PENDING', amount_minor: 7 }
  const rows = [
    refund,
    ...beside(
      refund,
      { id: bareId(42), status: 'COMPLETED' },
      { id: bareId(43), payment_id: other },
      { id: bareId(44), merchant_id: theirs },
    ),
  ]
  const found = await onRows(sql, { refund: rows }, (tx) => payments.selectPendingRefunds(tx, [ref]))
  assert.deepEqual([...found], [{ id: bareId(41), paymentId: wanted, minor: 7n }])
})

test('a payment is due to expire when its time has come, its amount is not on its way, and its attempts were checked since', async () => {
  const [attempt, check] = [
    { merchant_id: ours, id: bareId(51), payment_id: wanted },
    { merchant_id: ours, attempt_id: bareId(51), checked_at: earlier },
  ]
  const isDue = (change: object, checks: readonly object[] = [], silenceMs: number = secondMs) =>
    onRows(
      sql,
      {
        payment: [{ ...payment, ...change }],
        attempt: [attempt],
        attempt_check: checks.map((each) => ({ ...check, ...each })),
      },
      async (tx) => (await payments.selectDue(tx, silenceMs, 10)).length === 1,
    )
  // So that the provider's silence lasts longer than any test: since the year 2020.
  const long = 1_000_000_000 * secondMs
  assert.equal(await isDue({}), true)
  assert.equal(await isDue({ status: 'WAITING_PAYMENT' }), true)
  assert.equal(await isDue({ status: 'APPROVED' }), false)
  assert.equal(await isDue({ expires_at: '2999-01-01T00:00:00Z' }), false)
  assert.equal(await isDue({ seen_minor: 60, received_minor: 39 }), true)
  assert.equal(await isDue({ seen_minor: 60, received_minor: 40 }), false)
  assert.equal(await isDue({ seen_minor: 60, received_minor: 50, refunded_minor: 11 }), true)
  assert.equal(await isDue({}, [{}], long), false)
  assert.equal(await isDue({}, [{ checked_at: null }], long), false)
  assert.equal(await isDue({}, [{ checked_at: at }], long), true)
  assert.equal(await isDue({}, [{ checked_at: later }], long), true)
  // Of another attempt, or of another merchant.
  assert.equal(await isDue({}, [{ attempt_id: bareId(52) }], long), true)
  assert.equal(await isDue({}, [{ merchant_id: theirs }], long), true)
  assert.equal(await isDue({ id: other }, [{}], long), true)
  // The provider has been silent for so long.
  assert.equal(await isDue({}, [{}], secondMs), true)
})

const receipt = {
  merchant_id: ours,
  payment_id: wanted,
  connection: 'own',
  provider_ref: 'E1',
  outcome: 'paid',
  ordinal: 1,
  booked_minor: 100,
  is_duplicate: true,
}
const connection = { id: 'own', merchant_id: ours, method: 'PIX' }
const connections = [
  connection,
  ...beside(
    connection,
    { id: 'shared', merchant_id: null },
    { id: 'theirs', merchant_id: theirs },
    { id: 'card', method: 'CARD' },
  ),
]
/** What the payment of each of these receipts is called: each differs in one thing. */
const [shared, foreign, byCard, pending, named, alien] = [61, 62, 63, 64, 65, 66].map(bareId)
const receipts = [
  receipt,
  ...beside(
    receipt,
    { payment_id: shared, connection: 'shared' },
    { payment_id: foreign, connection: 'theirs' },
    { payment_id: byCard, connection: 'card' },
    { payment_id: pending, outcome: 'pending' },
    { payment_id: named, provider_ref: 'E2' },
    { payment_id: alien, merchant_id: theirs },
  ),
]

test('a name at a provider leads to the merchant’s payments at its own and at shared connections', async () => {
  const attempt = { merchant_id: ours, id: bareId(51), payment_id: other }
  const attempts = [
    attempt,
    ...beside(attempt, { merchant_id: theirs, payment_id: alien }, { id: bareId(52) }),
  ]
  await onRows(sql, { connection: connections, receipt: receipts, attempt: attempts }, async (tx) => {
    const sorted = (ids: readonly string[]) => ids.toSorted((a, b) => a.localeCompare(b))
    assert.deepEqual(sorted(await finding.selectByEndToEndId(tx, ours, 'E1')), [wanted, shared])
    assert.deepEqual(sorted(await finding.selectByReference(tx, ours, 'E1')), [
      wanted,
      shared,
      byCard,
      pending,
    ])
    const [hyphens, none] = [bareId(51), bareId(51).replaceAll('-', '')]
    assert.deepEqual(await finding.selectByReference(tx, ours, hyphens), [other])
    assert.deepEqual(await finding.selectByReference(tx, ours, none.toUpperCase()), [other])
    assert.deepEqual(await finding.selectByReference(tx, ours, `${none}0`), [])
  })
})

test('which pieces came when their payment was paid already', async () => {
  const rows = [
    receipt,
    ...beside(
      receipt,
      { provider_ref: 'E2', outcome: 'failed' },
      { provider_ref: 'E3', is_duplicate: false },
      { connection: 'other' },
    ),
  ]
  const pieces = ['E1', 'E2', 'E3'].map((paidRef) => ({ connection: 'own' as ConnectionId, paidRef }))
  const found = await onRows(sql, { receipt: rows }, (tx) => splits.selectDuplicates(tx, pieces))
  assert.deepEqual([...found], [{ paymentId: wanted, connection: 'own', providerRef: 'E1' }])
})

test('money of shares that is not released is withheld, by share', async () => {
  const release = { merchant_id: ours, payment_id: wanted, ordinal: 1, share_minors: ['{30,20}'] }
  const releases = [
    { ...release, share_minors: '{30,20}' },
    { ...release, ordinal: 2, share_minors: '{5,6}' },
    { ...release, ordinal: 3, share_minors: null },
    { ...release, ordinal: 4, share_minors: '{7,8}', released_at: at },
    { ...release, payment_id: other, share_minors: '{9,9}' },
  ]
  const came = [1, 2, 3, 4].flatMap((ordinal) => [
    { ...receipt, ordinal },
    { ...receipt, ordinal, payment_id: other },
  ])
  const found = await onRows(sql, { release: releases, receipt: came }, (tx) =>
    splits.selectWithheldShares(tx, [ref]),
  )
  assert.deepEqual(
    found
      .map(({ paymentId, ordinal, minor }) => [paymentId, ordinal, minor])
      .toSorted(([, a], [, b]) => Number(a) - Number(b)),
    [
      [wanted, 0, 100n],
      [wanted, 1, 35n],
      [wanted, 2, 26n],
    ],
  )
})

const split = {
  merchant_id: ours,
  payment_id: wanted,
  id: bareId(71),
  currency: 'BRL',
  duplicate_minor: 0,
  waiting_minor: 0,
  version: 1,
  created_at: earlier,
}
const recipient = bareId(3) as MerchantId
const share = {
  merchant_id: ours,
  payment_id: wanted,
  ordinal: 1,
  id: bareId(81),
  sub_account_id: recipient,
  booked_minor: 0,
  unreleased_minor: 0,
  kept_minor: 0,
  fee_minor: 0,
  created_at: earlier,
}

test('a split is read with its shares, which say whose recipient is closed, and written as the last version has it', async () => {
  const rows = {
    payment_split: [split, ...beside(split, { payment_id: other }, { merchant_id: theirs })],
    payment_share: [
      ...beside(share, { ordinal: 2, sub_account_id: bareId(4) }),
      share,
      ...beside(share, { payment_id: other }, { merchant_id: theirs }),
    ],
    sub_account: [
      { merchant_id: recipient, state: 'ACTIVE' },
      { merchant_id: bareId(4), state: 'CLOSED' },
    ],
  }
  await onRows(sql, rows, async (tx) => {
    const [found] = await splits.selectSplits(tx, [ref])
    assert.deepEqual(
      found?.shares.map(({ ordinal, isClosed }) => [ordinal, isClosed]),
      [
        [1, false],
        [2, true],
      ],
    )
    assert.ok(found !== undefined)
    const paid = found.shares.map((each) => (each.ordinal === 2 ? { ...each, bookedMinor: 9n } : each))
    await splits.writeSplits(tx, [
      { ...found, version: 2 },
      { ...found, version: 3, shares: paid },
    ])
    const changed = await tx`select merchant_id, payment_id, version from payment_split where version <> 1`
    assert.deepEqual([...changed], [{ merchant_id: ours, payment_id: wanted, version: 3 }])
    const booked =
      await tx`select merchant_id, payment_id, ordinal from payment_share where booked_minor <> 0`
    assert.deepEqual([...booked], [{ merchant_id: ours, payment_id: wanted, ordinal: 2 }])
  })
})

test('shares of a sub-account are listed newest first, and what went back of a split by share', async () => {
  const shares = [share, ...beside(share, { id: bareId(82) }, { id: bareId(83), sub_account_id: bareId(4) })]
  await onRows(sql, { payment_split: [split], payment_share: shares }, async (tx) => {
    const listed = async (page: { readonly before?: ShareId }, limit = 10) =>
      idsOf(await splits.listShares(tx, recipient, { ...page, limit }))
    assert.deepEqual(await listed({}), [bareId(82), bareId(81)])
    assert.deepEqual(await listed({}, 1), [bareId(82)])
    assert.deepEqual(await listed({ before: bareId(82) as ShareId }), [bareId(81)])
  })
  const transfer = { subject: split.id, step: '1.1.x', kind: 'SHARE_RETURNED', minor: 5 }
  const transfers = [
    transfer,
    ...beside(
      transfer,
      { step: '1.1.cover', kind: 'SHARE_COVERED', minor: 3 },
      { kind: 'SHARE', minor: 100 },
      { subject: bareId(72), minor: 100 },
    ),
  ]
  const back = await onRows(sql, { transfer: transfers }, (tx) =>
    splits.selectSharesBack(tx, bareId(71) as SplitId),
  )
  assert.deepEqual([...back], [{ ordinal: 1, returnedMinor: 8n, coveredMinor: 3n }])
})

test('wallets of recipients are found by currency, and currencies by wallet', async () => {
  const wallet = {
    merchant_id: recipient,
    id: bareId(31),
    currency: 'BRL',
    is_default: true,
    is_active: true,
  }
  const rows = [
    wallet,
    ...beside(wallet, { id: bareId(32), currency: 'EUR' }, { merchant_id: theirs, currency: 'EUR' }),
  ]
  await onRows(sql, { wallet: rows }, async (tx) => {
    const found = await splits.selectRecipientWallets(tx, [{ merchantId: recipient, currency: 'BRL' }])
    assert.deepEqual(idsOf(found), [bareId(31)])
    const currencies = await splits.selectWalletCurrencies(tx, [
      { merchantId: recipient, id: bareId(31) as WalletId },
    ])
    assert.deepEqual([...currencies], [{ merchantId: recipient, id: bareId(31), currency: 'BRL' }])
  })
})

test('a link is used by payments that are paid or can still be, counted up to its limit', async () => {
  const link = bareId(91) as PaymentLinkId
  const used = { merchant_id: ours, link_id: link, status: 'PENDING', idempotency_key: 'made' }
  const rows = [
    used,
    ...beside(
      used,
      { status: 'WAITING_PAYMENT' },
      { status: 'APPROVED' },
      { status: 'PAID' },
      { status: 'EXPIRED', idempotency_key: 'expired' },
      { link_id: bareId(92) },
      { merchant_id: theirs, idempotency_key: 'theirs' },
    ),
  ]
  await onRows(sql, { payment: rows }, async (tx) => {
    const taken = async (usesMax: number) => [
      ...(await payments.countTaken(tx, [{ merchantId: ours, id: link, usesMax, isOver: false }])),
    ]
    assert.deepEqual(await taken(10), [[link, 4]])
    assert.deepEqual(await taken(3), [[link, 3]])
    const made = await payments.selectMade(
      tx,
      ['made', 'theirs'].map((idempotencyKey) => ({ merchantId: ours, idempotencyKey })),
    )
    assert.deepEqual([...made], ['made'])
  })
})
