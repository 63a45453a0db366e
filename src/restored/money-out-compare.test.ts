// What providers list as gone beside the restored books, case by case: what agrees, what is behind, what is recorded, and what is named as missed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import type { Sql } from '#/db/client.ts'
import type { AttemptId, ConnectionId, RefundId } from '#/kernel/id.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import type { Method } from '#/rails/method.ts'
import type { ListedPayout, PayoutRail, PayoutResult, PayoutType } from '#/rails/payout-rail.ts'
import type { ListedSpan, Rail, Refunder } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import type { SentItem, SentVerdict } from '#/settlement/unrecorded.ts'
import { fieldOf, poolOn } from '../../test/bare-lane.ts'
import { bareId, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { partly } from '../../test/partly.ts'
import { compareMoneyOut, type Counts, type MoneyOutDeps } from './money-out.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [ours, refundId, attemptId] = [bareId(1), bareId(11), bareId(21)]
const lastAt = new Date('2026-11-22T01:00:00Z')
const [payer, bank] = ['payer' as ConnectionId, 'bank' as ConnectionId]
const person = { by: { actor: { kind: 'OPERATOR', id: 'ana' } as const }, name: 'ana' }
const hot = `\\x${'aa'.repeat(20)}`
const evidence = Buffer.from('{}')

type Listing<Item> = readonly (readonly Item[])[] | Error
type Given = {
  readonly payouts?: Listing<ListedPayout>
  readonly refunds?: Listing<Receipt>
  readonly books?: BareRows
  /** What the books say of each thing that is to be recorded. */
  readonly verdict?: 'recorded' | 'repeated' | 'differs' | 'booked' | 'unbookable'
  readonly since?: Date
}

async function* pagesOf<Item>(listing: Listing<Item>): AsyncGenerator<readonly Item[]> {
  if (listing instanceof Error) throw listing
  yield* listing
}

/** Compares the lists of one connection that pays out and one that refunds. */
async function compared({ payouts = [], refunds = [], books = {}, verdict = 'recorded', since }: Given) {
  const [items, logged]: [SentItem[], string[]] = [[], []]
  const spans: ListedSpan[] = []
  const deps = {
    rails: new Map<Method, Rail>([
      [
        'PIX',
        partly<Rail>({
          method: 'PIX',
          refunds: partly<Refunder>({ windowMs: 1_000 }),
          list: (_connection, span) => {
            spans.push(span)
            return pagesOf(refunds)
          },
        }),
      ],
      ['CREDIT_CARD', partly<Rail>({ method: 'CREDIT_CARD' })],
      ['CRYPTO', partly<Rail>({ method: 'CRYPTO', refunds: partly<Refunder>({ paysOutBy: 'CRYPTO' }) })],
    ]),
    payoutRails: new Map<PayoutType, PayoutRail>([
      [
        'PIX',
        partly<PayoutRail>({
          type: 'PIX',
          connectionMethod: 'PIX_PAYOUT',
          source: () => ({ at: 'PROVIDER', account: bank }),
          list: () => pagesOf(payouts),
        }),
      ],
      [
        'CRYPTO',
        partly<PayoutRail>({ type: 'CRYPTO', source: () => ({ at: 'CHAIN', chain: 'bsc', token: 'USDT' }) }),
      ],
      [
        'SEPA',
        partly<PayoutRail>({
          type: 'SEPA',
          listsHere: true,
          list: () => pagesOf([]),
          source: () => ({ at: 'PROVIDER' }),
        }),
      ],
    ]),
    connections: {
      find: (id: ConnectionId) => (id === 'closed' ? undefined : partly<ProviderConnection>({ id })),
    },
    log: pino({ level: 'warn' }, { write: (line: string) => void logged.push(fieldOf(line, 'error')) }),
    record: (item: SentItem) => {
      items.push(item)
      const unrecorded = { reference: item.reference, amountMinor: 1n }
      return Promise.resolve({ kind: verdict, unrecorded } as SentVerdict)
    },
  }
  const tables = {
    epoch: [
      {
        number: 2,
        id: bareId(31),
        last_batch: 1,
        last_hash: '\\x00',
        last_at: lastAt,
        event_jump: 1,
        at: lastAt,
      },
    ],
    restore: [{ epoch: 2, told_at: lastAt }],
    connection: [
      { id: bank, method: 'PIX' },
      { id: payer, method: 'PIX_PAYOUT' },
      { id: 'closed', method: 'PIX_PAYOUT' },
      { id: 'file', method: 'SEPA' },
      { id: 'card', method: 'CARD' },
      { id: 'chain', method: 'CRYPTO' },
    ],
    withdrawal: [],
    refund: [],
    refund_due: [],
    attempt: [{ id: attemptId, connection: bank, merchant_id: ours, payment_id: bareId(41) }],
    money_out_comparison: [],
    coin_move: [],
    chain_tx: [],
    coin_place: [{ chain: 'bsc', address: hot, place: 'hot' }],
    audit_log: [],
    ...books,
  }
  return onRows(sql, tables, async (tx) => {
    const all = partly<MoneyOutDeps>({ ...deps, sql: poolOn(tx) })
    const { sources, recorded } = await compareMoneyOut(all, person, since === undefined ? {} : { since })
    const [kept] = await tx`select complete, compared_by as by, since, incomplete from money_out_comparison`
    const [audited] = await tx`select action, after from audit_log`
    const gone = await tx<{ name: string }[]>`
      select reference as name from withdrawal where left_before_restore
       union all select id::text from refund where left_before_restore`
    const of = (kind: string, connection: string) =>
      sources.find((each) => each.kind === kind && each.connection === connection)
    return {
      names: sources.map(({ kind, connection }) => `${kind} ${connection}`),
      paid: of('WITHDRAWAL', payer) ?? assert.fail('it is compared'),
      refunded: of('REFUND', bank) ?? assert.fail('it is compared'),
      behindOf: (kind: string, connection: string) => of(kind, connection)?.counts.behind,
      whyOf: (kind: string, connection: string) => of(kind, connection)?.why,
      items,
      logged,
      spans,
      kept,
      audited,
      recorded: recorded.map(({ reference }) => reference),
      gone: gone.map(({ name }) => name),
    }
  })
}

const none: Counts = { agreeing: 0, behind: 0, underWay: 0, ofUnknown: 0, recorded: 0, repeated: 0 }
const resultOf = (state: PayoutResult['state'], returned: bigint): PayoutResult => {
  if (state === 'returned') return { state, returned, evidence }
  return state === 'refused' ? { state, code: 'x', message: 'x', evidence } : { state, evidence }
}
const payout = (state: PayoutResult['state'], returned = 0n, minor = 100n): ListedPayout => ({
  reference: 'w1',
  amount: { minor, currency: 'BRL' },
  result: resultOf(state, returned),
})
const withdrawal = (status: string, amount = 100): BareRows => ({
  withdrawal: [
    {
      merchant_id: ours,
      connection: payer,
      reference: 'w1',
      status,
      amount_minor: amount,
      left_before_restore: false,
    },
  ],
})

test('a payout agrees with the books, is behind in them, or is recorded with what of it stayed away', async () => {
  const cases: readonly (readonly [
    Given,
    counts: Partial<Counts>,
    recorded?: bigint | undefined,
    why?: RegExp | undefined,
    gone?: string,
  ])[] = [
    [{ payouts: [] }, {}],
    [{ payouts: [[]] }, {}],
    [{ payouts: [[payout('done')]], books: withdrawal('COMPLETED') }, { agreeing: 1 }],
    [{ payouts: [[payout('returned', 40n)]], books: withdrawal('COMPLETED') }, { agreeing: 1 }],
    [{ payouts: [[payout('sent')]], books: withdrawal('PROCESSING') }, { agreeing: 1 }],
    [
      { payouts: [[payout('done')]], books: withdrawal('PROCESSING') },
      { behind: 1 },
      undefined,
      undefined,
      'w1',
    ],
    [{ payouts: [[payout('done', 0n, 99n)]], books: withdrawal('COMPLETED') }, { agreeing: 1 }],
    [{ payouts: [[payout('done', 0n, 101n)]], books: withdrawal('COMPLETED') }, { recorded: 1 }, 101n],
    [{ payouts: [[payout('refused')]] }, {}],
    [{ payouts: [[payout('sent')]] }, { underWay: 1 }, undefined, /^1 unknown here are under way/],
    [{ payouts: [[payout('done')], [payout('done')]] }, { recorded: 2 }, 100n],
    [{ payouts: [[payout('returned', 40n)]] }, { recorded: 1 }, 60n],
    [{ payouts: [[payout('done')]], verdict: 'repeated' }, { repeated: 1 }, 100n],
    [{ payouts: [[payout('done')]], verdict: 'booked' }, { agreeing: 1 }, 100n],
    // The whole amount came back: nothing left.
    [{ payouts: [[payout('returned', 100n)]], verdict: 'booked' }, {}, 0n],
    [{ payouts: [[payout('done')]], verdict: 'differs' }, {}, 100n, /^w1 is recorded with 1, and/],
    [{ payouts: [[payout('done')]], verdict: 'unbookable' }, {}, 100n, /cannot be booked/],
    [{ payouts: new Error('no bank') }, {}, undefined, /^no bank$/],
  ]
  for (const [index, [given, counts, amount, why, gone]] of cases.entries()) {
    const found = await compared(given)
    const about = `case ${index}`
    assert.deepEqual(found.paid.counts, { ...none, ...counts }, about)
    assert.match(found.paid.why ?? 'complete', why ?? /^complete$/, about)
    assert.deepEqual(found.items[0]?.amount.minor, amount, about)
    assert.equal(found.recorded.length, counts.recorded ?? 0, about)
    assert.deepEqual(found.gone, gone === undefined ? [] : [gone], about)
    assert.deepEqual(found.logged, given.payouts instanceof Error ? ['no bank'] : [], about)
    for (const { account, connection } of found.items) assert.deepEqual([account, connection], [bank, payer])
  }
})

const refunded: Receipt = {
  method: 'PIX',
  connection: bank,
  providerRef: 'r1',
  outcome: 'refunded',
  occurrence: 1,
  amount: { minor: 30n, currency: 'BRL' },
  attempt: { id: attemptId as AttemptId },
  refund: refundId as RefundId,
  happenedAt: lastAt,
  evidence,
}
const of = (change: object): Receipt => ({ ...refunded, ...change })

test('a refund is recorded for its payment; one of a payment that the books do not have waits for that payment', async () => {
  const { refund: _, ...unnamed } = refunded
  const { attempt: __, ...loose } = refunded
  const row = {
    id: refundId,
    connection: bank,
    status: 'PENDING',
    amount_minor: 30,
    left_before_restore: false,
  }
  const cases: readonly (readonly [Given, counts: Partial<Counts>])[] = [
    [{ refunds: [[refunded]] }, { recorded: 1 }],
    [{ refunds: [[of({ outcome: 'paid' }), of({ outcome: 'refund_failed', refund: bareId(12) })]] }, {}],
    [{ refunds: [[unnamed]] }, {}],
    [{ refunds: [[refunded, of({ outcome: 'refund_failed' })]] }, {}],
    [{ refunds: [[loose]] }, { ofUnknown: 1 }],
    [{ refunds: [[of({ attempt: { id: bareId(22) } })]] }, { ofUnknown: 1 }],
    [{ refunds: [[refunded]], books: { refund: [row] } }, { behind: 1 }],
    [{ refunds: [[refunded]], books: { refund: [{ ...row, status: 'COMPLETED' }] } }, { agreeing: 1 }],
  ]
  for (const [index, [given, counts]] of cases.entries()) {
    const found = await compared(given)
    assert.deepEqual(found.refunded.counts, { ...none, ...counts }, `case ${index}`)
    assert.deepEqual(found.gone, counts.behind === undefined ? [] : [refundId], `case ${index}`)
    for (const item of found.items)
      assert.deepEqual([item.of, item.amount.minor], [{ merchantId: ours, paymentId: bareId(41) }, 30n])
    // They went back within the window of the rail, of money that came before.
    const [span] = found.spans
    assert.deepEqual([span?.onlyReturned, span?.from], [true, new Date('2026-11-21T23:59:59Z')])
  }
})

test('each movement of coins that left is recorded once, also behind a full page, unless it may be a payout', async () => {
  const full = 200
  const move = {
    chain: 'bsc',
    sender: hot,
    log_index: 3,
    value: 10 ** 16,
    booked_as: 'LEFT',
    block_at: lastAt,
    log: '\\x00',
  }
  const coin_move = Array.from({ length: full + 1 }, (_, index) => ({
    ...move,
    id: bareId(index + 1),
    tx_hash: `\\x${String(index).padStart(64, '0')}`,
    recipient: index === 0 ? hot : '\\x00',
  }))
  const queued = { chain: 'bsc', purpose: 'PAYOUT', state: 'QUEUED', recipient: hot, units: 10 ** 16 }
  const found = await compared({ books: { coin_move, chain_tx: [queued] } })
  assert.equal(new Set(found.items.map(({ reference }) => reference)).size, full)
  assert.deepEqual([...new Set(found.items.map(({ amount }) => amount.minor))], [1n])
  assert.equal(found.items.length, full)
  assert.equal(found.behindOf('WITHDRAWAL', 'chain'), 1)
  assert.match(found.whyOf('WITHDRAWAL', 'chain') ?? '', /^a chain is read as far as its watcher has/)
})

test('every list that was not read is named and kept, and the moment is not after the restored one', async () => {
  const found = await compared({})
  assert.deepEqual(found.names, [
    'WITHDRAWAL closed',
    'WITHDRAWAL payer',
    'WITHDRAWAL chain',
    'WITHDRAWAL file',
    'REFUND bank',
  ])
  assert.match(found.whyOf('WITHDRAWAL', 'closed') ?? '', /no key/)
  assert.match(found.whyOf('WITHDRAWAL', 'file') ?? '', /lists no payouts/)
  const { incomplete, ...kept } = found.kept ?? {}
  assert.deepEqual(kept, { complete: 2, by: 'ana', since: new Date('2026-11-22T00:00:00Z') })
  assert.equal((incomplete as unknown[]).length, 3)
  const { comparison: _, ...counts } = (found.audited?.['after'] ?? {}) as Readonly<Record<string, unknown>>
  assert.equal(found.audited?.['action'], 'restore.compare')
  assert.deepEqual(counts, { complete: 2, incomplete: 3, recorded: 0, journals: 0 })
  assert.deepEqual((await compared({ since: lastAt })).kept?.['since'], lastAt)
  const later = new Date(lastAt.getTime() + 1)
  await assert.rejects(compared({ since: later }), { code: 'invalid_request' })
  for (const restore of [[{ epoch: 2 }], [{ epoch: 2, told_at: lastAt, opened_at: lastAt }]])
    await assert.rejects(compared({ books: { restore } }), { code: 'invalid_state' })
})
