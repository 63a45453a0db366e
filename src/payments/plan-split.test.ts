// Which splits are refused before a payment is created, and where the fault is; what a split is that is not, and what a batch reads of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql, Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { at, other, ours, wanted } from '../../test/bare-attempts.ts'
import { bareId, onRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { partly } from '../../test/partly.ts'
import { loadSplits } from './book-shares.ts'
import { unpaid, type Payment } from './payment.ts'
import { planSplit, ratePpmOf } from './plan-split.ts'
import { pieceName } from './shares.ts'
import { writeSplits } from './split-queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

test('a percentage has at most four decimals, is above zero and at most one hundred', () => {
  const cases: readonly (readonly [text: string, ppm: bigint | undefined])[] = [
    ['33.33', 333_300n],
    ['0.0001', 1n],
    ['0.0002', 2n],
    ['0', undefined],
    ['0.0000', undefined],
    ['100', 1_000_000n],
    ['100.0001', undefined],
    ['100.0002', undefined],
    ['999', undefined],
    ['1.00001', undefined],
    ['', undefined],
    ['.5', undefined],
    ['five', undefined],
  ]
  for (const [text, ppm] of cases) assert.equal(ratePpmOf(text), ppm, text)
})

const [one, two, suspended, stranger] = [bareId(31), bareId(32), bareId(33), bareId(34)] as const
const account = { parent_id: ours, state: 'ACTIVE' }
const wallet = { currency: 'BRL', is_default: true, is_active: true }
const rule = {
  merchant_id: ours,
  method: 'PIX',
  currency: 'BRL',
  fixed_minor: 0,
  rate_ppm: 0,
  valid_from: at,
}
const [named, inactive, dollars, ofTwo] = [bareId(43), bareId(44), bareId(45), bareId(42)]
const tables = {
  merchant: [one, two, suspended, stranger].map((id) => ({ id, mode: 'SANDBOX', name: 'A' })),
  sub_account: [
    { ...account, merchant_id: one },
    { ...account, merchant_id: two },
    { ...account, merchant_id: suspended, state: 'SUSPENDED' },
    { ...account, merchant_id: stranger, parent_id: bareId(9) },
  ],
  wallet: [
    { ...wallet, id: bareId(41), merchant_id: one },
    { ...wallet, id: ofTwo, merchant_id: two },
    { ...wallet, id: named, merchant_id: one, is_default: false },
    { ...wallet, id: inactive, merchant_id: one, is_default: false, is_active: false },
    { ...wallet, id: dollars, merchant_id: one, is_default: false, currency: 'USD' },
    { ...wallet, id: bareId(46), merchant_id: suspended },
    { ...wallet, id: bareId(47), merchant_id: stranger },
  ],
}

/** A payment of 10.00 BRL by Pix with this request and these changes. */
const asked = (request: Partial<Payment['request']>, more: Partial<Payment> = {}): Payment => ({
  ...unpaid,
  merchantId: ours,
  id: wanted,
  mode: 'SANDBOX',
  status: 'PENDING',
  request: { amount: 1_000, ...request },
  amountMinor: 1_000n,
  currency: 'BRL',
  methods: ['PIX'],
  version: 1,
  createdAt: new Date(at),
  ...more,
})

type Rules = readonly Readonly<Record<string, unknown>>[]
const plan = (payment: Payment, fee_rule: Rules = [rule]) =>
  onRows(sql, { ...tables, fee_rule }, (tx) => planSplit(tx as Tx & Sql, payment))

const faultsOf = async (payment: Payment, rules?: Rules) => {
  try {
    await plan(payment, rules)
    return []
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'split_refused', String(error))
    const [first] = error.faults ?? []
    assert.ok(first && error.message.includes(`${first.pointer} ${first.message}`), error.message)
    return (error.faults ?? []).map(({ pointer, code }) => `${pointer} ${code}`)
  }
}

const half = { subAccountId: one, percent: '50' }

test('a split names its shares in order, each with the named wallet or the default one, and nothing booked', async () => {
  const request = {
    splits: [
      { ...half, walletId: named },
      { subAccountId: two.toUpperCase(), amount: 500, label: 'L' },
    ],
    feePayer: two.toUpperCase(),
  }
  const split = await plan(asked(request))
  const none = { bookedMinor: 0n, unreleasedMinor: 0n, keptMinor: 0n, feeMinor: 0n, isClosed: false }
  const { id: _id, shares, ...others } = split
  assert.deepEqual(others, {
    merchantId: ours,
    paymentId: wanted,
    currency: 'BRL',
    feePayer: two,
    duplicateMinor: 0n,
    waitingMinor: 0n,
    version: 1,
    createdAt: new Date(at),
  })
  assert.deepEqual(
    shares.map(({ id: _share, ...share }) => share),
    [
      {
        ...none,
        ordinal: 1,
        subAccountId: one,
        walletId: named,
        amountMinor: null,
        ratePpm: 500_000n,
        label: null,
      },
      {
        ...none,
        ordinal: 2,
        subAccountId: two,
        walletId: ofTwo,
        amountMinor: 500n,
        ratePpm: null,
        label: 'L',
      },
    ],
  )
})

test('every fault of a split is told with its place', async () => {
  const cent = { subAccountId: one, percent: '0.1' }
  const both = { currency: 'USD', methods: ['CRYPTO', 'CREDIT_CARD'] } as const
  const cases: readonly (readonly [
    request: Payment['request'],
    faults: readonly string[],
    more: Partial<Payment>,
  ])[] = (
    [
      [[half], []],
      [[{ ...half, subAccountId: stranger }], ['/splits/0/subAccountId not_found']],
      [[{ ...half, subAccountId: bareId(99), walletId: ofTwo }], ['/splits/0/subAccountId not_found']],
      [[half, { ...half, subAccountId: suspended }], ['/splits/1/subAccountId not_active']],
      [[half, { ...half }], ['/splits/1/subAccountId repeated']],
      [[{ ...half, walletId: ofTwo }], ['/splits/0/walletId not_found']],
      [[{ ...half, walletId: inactive }], ['/splits/0/walletId not_found']],
      [[{ ...half, walletId: dollars }], ['/splits/0/walletId other_currency']],
      [[cent], []],
      [[{ ...cent, percent: '0.0999' }], ['/splits/0 too_small']],
      [[{ ...half, percent: '100' }], []],
      [[half, { subAccountId: two, amount: 501 }], ['/splits too_large']],
      [[half], ['/splits mixed_currencies'], both],
    ] as const
  ).map(([splits, faults, more = {}]) => [{ amount: 1_000, splits }, faults, more])
  for (const [request, faults, more] of cases)
    assert.deepEqual(await faultsOf(asked(request, more)), faults, JSON.stringify(request))
  assert.deepEqual(await faultsOf(asked({ splits: [half], feePayer: two })), ['/feePayer not_allowed'])
})

test('our fee is at most what its payer keeps of the full amount, by the rule of the method and the currency', async () => {
  const fixed = (minor: number, more: object = {}) => ({ ...rule, fixed_minor: minor, ...more })
  const rest = asked({ splits: [{ ...half, percent: '90' }] })
  const payer = asked({ splits: [half, { subAccountId: two, percent: '10' }], feePayer: two })
  const tooSmall = ['/feePayer too_small']
  const cases: readonly (readonly [payment: Payment, rules: Rules, faults: readonly string[]])[] = [
    [rest, [fixed(100)], []],
    [rest, [fixed(101)], tooSmall],
    [payer, [fixed(100)], []],
    [payer, [fixed(101)], tooSmall],
    [rest, [fixed(101, { method: 'CREDIT_CARD' }), fixed(0)], []],
    [rest, [fixed(101, { currency: 'USD' }), fixed(0)], []],
    [rest, [{ ...rule, rate_ppm: 100_000 }], []],
    [rest, [{ ...rule, rate_ppm: 100_999 }], []],
    [rest, [{ ...rule, rate_ppm: 101_000 }], tooSmall],
  ]
  for (const [payment, rules, faults] of cases)
    assert.deepEqual(await faultsOf(payment, rules), faults, JSON.stringify(rules))
  const other = asked({ splits: [{ ...half, percent: '90' }, { ...half }] })
  assert.deepEqual(
    await faultsOf(other, [fixed(999)]),
    ['/splits/1/subAccountId repeated', '/splits too_large'],
    'the fee is not judged where the split is wrong',
  )
})

const splitPayment = (id: Payment['id'], splits?: Payment['request']['splits']) =>
  partly<Payment>({
    merchantId: ours,
    id,
    request: { amount: 1_000, ...given({ splits }) },
  })
const of = { merchant_id: ours, payment_id: wanted }
const share = {
  ...of,
  id: bareId(51),
  ordinal: 1,
  sub_account_id: one,
  wallet_id: bareId(41),
  rate_ppm: 400_000,
  booked_minor: 100,
  unreleased_minor: 0,
  kept_minor: 0,
  fee_minor: 0,
}
const receipt = {
  ...of,
  connection: 'bank',
  provider_ref: 'E1',
  outcome: 'paid',
  is_duplicate: true,
  ordinal: 1,
  booked_minor: 700,
}
const booked = {
  payment_split: [
    {
      ...of,
      id: bareId(61),
      currency: 'BRL',
      duplicate_minor: 0,
      waiting_minor: 0,
      version: 1,
      created_at: at,
    },
  ],
  payment_share: [share],
  sub_account: [],
  wallet: [
    { id: bareId(41), merchant_id: one, currency: 'BRL' },
    { id: bareId(42), merchant_id: one, currency: 'BRL' },
    { id: bareId(43), merchant_id: one, currency: 'USD' },
    { id: bareId(44), merchant_id: two, currency: 'BRL' },
  ],
  receipt: [receipt, { ...receipt, provider_ref: 'E2', ordinal: 2, is_duplicate: false }],
  release: [
    { ...of, ordinal: 1, share_minors: [30] },
    { ...of, ordinal: 2, share_minors: null },
  ],
}
const split = splitPayment(wanted, [{ subAccountId: one, percent: '40' }])
const [connection, paidRef] = ['bank' as ConnectionId, 'E1']

test('a split is read with all wallets of its recipients in its currency, oldest first', async () => {
  const splits = await onRows(sql, booked, (tx) => loadSplits(tx, [split, splitPayment(other)], []))
  assert.deepEqual([...splits.keys()], [wanted])
  const view = splits.get(wanted)
  assert.deepEqual(
    view?.split.shares.map(({ bookedMinor }) => bookedMinor),
    [100n],
  )
  assert.deepEqual([...(view?.wallets ?? [])], [[one, [bareId(41), bareId(42)]]])
  // Nothing goes back, so nothing is read of what came.
  assert.deepEqual([...(view?.duplicates ?? [])], [])
  assert.deepEqual(view?.withheld, { unsharedMinor: 0n, shareMinors: [0n] })
})

test('where money may go back, duplicates and what is still to be released are read, of shares and of what is not shared', async () => {
  const pieces = [{ connection, paidRef }]
  const view = await onRows(sql, booked, async (tx) => (await loadSplits(tx, [split], pieces)).get(wanted))
  assert.deepEqual([...(view?.duplicates ?? [])], [pieceName(connection, paidRef)])
  assert.deepEqual(view?.withheld, { unsharedMinor: 700n, shareMinors: [30n] })
  const released = { ...booked, release: [] }
  const none = await onRows(sql, released, async (tx) => (await loadSplits(tx, [split], pieces)).get(wanted))
  assert.deepEqual(none?.withheld, { unsharedMinor: 0n, shareMinors: [0n] })
})

test('payments without a split need no statement', async () => {
  // No statement can be sent on it.
  const noStatement = partly<Tx>({})
  assert.equal((await loadSplits(noStatement, [splitPayment(wanted)], [{ connection, paidRef }])).size, 0)
})

test('a split is written with its own shares, and must be there', async () => {
  const tables = { ...booked, payment_share: [share, { ...share, payment_id: other, id: bareId(52) }] }
  await onRows(sql, tables, async (tx) => {
    const view = must((await loadSplits(tx, [split], [])).get(wanted), 'the split')
    const shares = view.split.shares.map((each) => ({ ...each, bookedMinor: 7n }))
    await writeSplits(tx, [{ ...view.split, shares }])
    const rows = await tx<{ minor: bigint }[]>`select booked_minor as minor from payment_share order by id`
    assert.deepEqual(
      rows.map(({ minor }) => minor),
      [7n, 100n],
    )
    const absent = { ...view.split, paymentId: other }
    await assert.rejects(writeSplits(tx, [absent]), /every split that changed is there/)
  })
})
