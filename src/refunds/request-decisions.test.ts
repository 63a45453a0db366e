// What a batch of requests for refunds decides, posts and writes, on a test's own rows: each request counts for those after it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { MerchantId, PaymentId, RefundId } from '#/kernel/id.ts'
import { minorMax } from '#/kernel/money.ts'
import type { Rail, Rails, Refunder } from '#/rails/rail.ts'
import { bareId, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { runOnRows, type RecordedBooks } from '../../test/kind-on-rows.ts'
import { partly } from '../../test/partly.ts'
import type { RefundRequest } from './refund.ts'
import { refundKind, type RefundVerdict } from './request.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const at = new Date('2026-11-22T12:00:00Z')
const [ours, recipient] = [bareId(1), bareId(2)] as MerchantId[] as [MerchantId, MerchantId]
const paymentId = bareId(3) as PaymentId
const [wallet, share, pix, sepa, cash] = [4, 5, 6, 7, 8].map(bareId)
const iban = 'DE89370400440532013000'

/** 10.00 that came by Pix. */
const receipt = {
  merchant_id: ours,
  payment_id: paymentId,
  attempt_id: pix,
  connection: 'bank',
  provider_ref: 'e1',
  outcome: 'paid',
  ordinal: 1,
  booked_minor: 1_000,
  currency: 'BRL',
  happened_at: '2026-11-22T10:00:00Z',
  recorded_at: '2026-11-22T10:00:00Z',
  is_duplicate: false,
}
const payment = {
  merchant_id: ours,
  id: paymentId,
  request: { amount: 1_000 },
  status: 'PAID',
  amount_minor: 1_000,
  currency: 'BRL',
  methods: ['PIX'],
  method: 'PIX',
  received_minor: 1_000,
  refunded_minor: 0,
  disputed_minor: 0,
  seen_minor: 0,
  unreleased_minor: 0,
  fee_minor: 0,
  money: [{ currency: 'BRL', walletId: wallet, methods: [{ method: 'PIX' }] }],
  exceptions: [],
  receipts: 1,
  version: 3,
  created_at: '2026-11-22T09:00:00Z',
}
const tables: BareRows = {
  merchant: [ours, recipient].map((id) => ({ id, mode: 'SANDBOX' })),
  attempt: [
    { merchant_id: ours, id: pix, payment_id: paymentId, method: 'PIX' },
    { merchant_id: ours, id: sepa, payment_id: paymentId, method: 'SEPA_TRANSFER' },
    { merchant_id: ours, id: cash, payment_id: paymentId, method: 'BOLETO' },
  ],
  receipt: [receipt],
  refund: [],
  refund_due: [],
  dispute: [],
  wallet: [],
  sub_account: [],
  payment_split: [],
  payment_share: [],
  release: [],
  withdrawal_limit: [],
  withdrawal_spent: [],
  withdrawal_destination: [],
  money_freeze: [],
}
/** The provider of Pix gives money back; of SEPA we send it; of BOLETO nobody does. */
const rails: Rails = new Map([
  ['PIX', partly<Rail>({ refunds: partly<Refunder>({}) })],
  [
    'SEPA_TRANSFER',
    partly<Rail>({
      refunds: partly<Refunder>({
        paysOutBy: 'SEPA',
        destination: (request) => ({ ok: true, fields: { iban: request.iban ?? '' } }),
        sendersOf: async () => new Map([['of the payer', { text: iban, fields: {} }]]),
      }),
    }),
  ],
  ['BOLETO', partly<Rail>({})],
])

type Scene = {
  readonly paid?: Readonly<Record<string, unknown>>
  readonly rows?: BareRows
  readonly books?: Partial<RecordedBooks>
  /** Requests of an earlier batch. */
  readonly before?: readonly RefundRequest[]
  readonly keys?: readonly string[]
}

/** What a batch of these requests for one payment did, and what was kept. */
function ask(
  requests: readonly RefundRequest[],
  { paid = {}, rows = {}, books = {}, before = [], keys = [] }: Scene = {},
) {
  const itemsOf = (of: readonly RefundRequest[], from: number) =>
    of.map((request, index) => {
      const key = keys[index]
      const named = key === undefined ? {} : { idempotencyKey: key }
      const id = bareId(from + index) as RefundId
      return { merchantId: ours, mode: 'SANDBOX' as const, paymentId, id, request, ...named }
    })
  return onRows(sql, { ...tables, payment: [{ ...payment, ...paid }], ...rows }, async (tx) => {
    await tx`alter table withdrawal_spent add primary key (merchant_id, type, currency, day)`
    const kind = refundKind(rails)
    if (before.length > 0) await runOnRows(tx, kind, itemsOf(before, 5_000), { at, ...books })
    const ran = await runOnRows(tx, kind, itemsOf(requests, 1_000), { at, ...books })
    const [counts] = await tx<{ refunds: number; due: number; spent: bigint | null }[]>`
      select (select count(*)::integer from refund) as refunds, (select count(*)::integer from refund_due) as due,
             (select sum(minor)::bigint from withdrawal_spent) as spent`
    const [kept] = await tx<{ refunded: bigint; unreleased: bigint; version: number }[]>`
      select refunded_minor as refunded, unreleased_minor as unreleased, version from payment`
    const shares = await tx<{ booked: bigint }[]>`select booked_minor as booked from payment_share`
    return { ...ran, counts, kept, shares: shares.map(({ booked }) => booked) }
  })
}

const kindsOf = ({ verdicts }: { readonly verdicts: readonly RefundVerdict[] }) =>
  verdicts.map((each) =>
    each.kind === 'created' ? `created ${each.refund.amountMinor} ${each.refund.version}` : each.kind,
  )

test('each refund of a batch is what those before it left, and is due, with its payment', async () => {
  const found = await ask([{ amount: 400 }, { amount: 700 }, {}, { amount: 1 }])
  assert.deepEqual(kindsOf(found), ['created 400 1', 'exceeds', 'created 600 1', 'exceeds'])
  assert.deepEqual(found.posted, ['1.hold REFUND available>held 400', '1.hold REFUND available>held 600'])
  assert.deepEqual(found.counts, { refunds: 2, due: 2, spent: null })
  assert.deepEqual(found.kept, { refunded: 1_000n, unreleased: 0n, version: 5 })
  const alone = await ask([{ amount: 400 }])
  assert.deepEqual(alone.counts, { refunds: 1, due: 1, spent: null })
  assert.deepEqual(alone.kept, { refunded: 400n, unreleased: 0n, version: 4 })
})

test('unreleased money goes back first, also a single cent of it', async () => {
  const cases = [
    [1, ['1.hold-unreleased REFUND pending>held 1', '1.hold REFUND available>held 399'], 0n],
    [500, ['1.hold-unreleased REFUND pending>held 400'], 100n],
  ] as const
  for (const [unreleased, posted, left] of cases) {
    const found = await ask([{ amount: 400 }], { paid: { unreleased_minor: unreleased } })
    assert.deepEqual([found.posted, found.kept?.unreleased], [posted, left])
  }
})

test('a wallet holds at most what the API can show', async () => {
  const holding = (minor: bigint) =>
    ask([{ amount: 400 }], {
      books: { balance: ({ key }) => (key.includes(':held') ? minor : 0n) },
    })
  assert.deepEqual(kindsOf(await holding(minorMax - 400n)), ['created 400 1'])
  const [verdict] = (await holding(minorMax - 399n)).verdicts
  assert.deepEqual(verdict, { kind: 'too_much', roomMinor: 399n })
})

test('a payment has at most a thousand refunds, those of the same batch included', async () => {
  const requests = Array.from({ length: 1_001 }, () => ({ amount: 1 }))
  const found = kindsOf(await ask(requests, { rows: { receipt: [{ ...receipt, booked_minor: 2_000 }] } }))
  assert.deepEqual([found.lastIndexOf('created 1 1'), found.indexOf('too_many')], [999, 1_000])
})

test('a key makes one refund, in one batch or two', async () => {
  const keys = ['k', 'k', 'k']
  const found = await ask([{ amount: 400 }, { amount: 400 }, { amount: 1 }], { keys })
  assert.deepEqual(kindsOf(found), ['created 400 1', 'replayed', 'conflict'])
  const later = await ask([{ amount: 400 }], { keys: ['k'], before: [{ amount: 400 }] })
  assert.deepEqual([kindsOf(later), later.counts?.refunds], [['replayed'], 1])
})

test('whether money can go back is asked of the methods by which it came, and without money of the payment’s own', async () => {
  const boleto = { ...receipt, attempt_id: cash }
  const cases = [
    [{ paid: { method: 'BOLETO' } }, 'created 1 1'],
    [{ paid: { method: 'PIX' }, rows: { receipt: [boleto] } }, 'not_refundable'],
    [{ paid: { method: 'PIX' }, rows: { receipt: [] } }, 'exceeds'],
    [{ paid: { method: 'BOLETO' }, rows: { receipt: [] } }, 'not_refundable'],
    [{ paid: { method: null }, rows: { receipt: [] } }, 'not_refundable'],
  ] as const
  for (const [index, [scene, kind]] of cases.entries())
    assert.deepEqual(kindsOf(await ask([{ amount: 1 }], scene)), [kind], `case ${index}`)
})

/** 10.00 that came by SEPA. */
const bySepa = { ...receipt, attempt_id: sepa, currency: 'EUR' }
const sentBySepa = {
  paid: {
    currency: 'EUR',
    methods: ['SEPA_TRANSFER'],
    method: 'SEPA_TRANSFER',
    money: [{ currency: 'EUR', walletId: wallet, methods: [{ method: 'SEPA_TRANSFER' }] }],
  },
  rows: { receipt: [bySepa] },
} satisfies Scene

test('what we send ourselves waits for a person, unless its place is listed or the payer’s, and counts to its day’s limit', async () => {
  const limit = { merchant_id: ours, type: 'SEPA', currency: 'EUR', day_minor: 500, listed_only: false }
  const [listed, ofPayer] = [
    { withdrawal_destination: [{ merchant_id: ours, type: 'SEPA', destination: iban }] },
    { receipt: [{ ...bySepa, provider_ref: 'of the payer' }] },
  ]
  const send = (amounts: readonly number[], rows: BareRows = {}) =>
    ask(
      amounts.map((amount) => ({ amount, iban })),
      { ...sentBySepa, rows: { ...sentBySepa.rows, withdrawal_limit: [limit], ...rows } },
    )
  const waiting = await send([300, 300, 200])
  assert.deepEqual(kindsOf(waiting), ['created 300 1', 'limited', 'created 200 1'])
  assert.deepEqual(waiting.counts, { refunds: 2, due: 0, spent: 500n })
  for (const rows of [listed, ofPayer])
    assert.deepEqual((await send([500], rows)).counts, { refunds: 1, due: 1, spent: 500n })
  assert.deepEqual((await send([500])).counts, { refunds: 1, due: 0, spent: 500n })
})

test('what we send ourselves is refused while its way out is frozen, or its account may not pay out', async () => {
  const stops: readonly BareRows[] = [
    { money_freeze: [{ kind: 'OPERATOR', rail: 'SEPA' }] },
    { sub_account: [{ merchant_id: ours, parent_id: recipient, state: 'SUSPENDED' }] },
  ]
  for (const rows of stops) {
    const scene = { ...sentBySepa, rows: { ...sentBySepa.rows, ...rows } }
    assert.deepEqual(kindsOf(await ask([{ amount: 1, iban }], scene)), ['frozen'])
  }
})

test('of a split payment the shares go back in turn, and the split is kept', async () => {
  const of = { merchant_id: ours, payment_id: paymentId, created_at: '2026-11-22T09:00:00Z' }
  const split = { ...of, id: bareId(9), currency: 'BRL', duplicate_minor: 0, waiting_minor: 0, version: 1 }
  const part = {
    ...of,
    ordinal: 1,
    id: bareId(10),
    sub_account_id: recipient,
    wallet_id: share,
    rate_ppm: 400_000,
    booked_minor: 400,
    unreleased_minor: 0,
    kept_minor: 0,
    fee_minor: 0,
  }
  const rows = {
    payment_split: [split],
    payment_share: [part],
    wallet: [{ merchant_id: recipient, id: share, currency: 'BRL' }],
    sub_account: [{ merchant_id: recipient, parent_id: ours, state: 'ACTIVE' }],
  }
  const splits = { paid: { request: { amount: 1_000, splits: [] } }, rows }
  const found = await ask([{ amount: 500 }, { amount: 250 }], splits)
  assert.deepEqual(kindsOf(found), ['created 500 1', 'created 250 1'])
  assert.deepEqual(
    found.posted.filter((each) => each.includes('SHARE_RETURNED')),
    ['1.1.back SHARE_RETURNED available>available 200', '2.1.back SHARE_RETURNED available>available 100'],
  )
  assert.deepEqual(found.shares, [100n])
  const one = await ask([{ amount: 500 }], splits)
  assert.deepEqual(one.shares, [200n])
})
