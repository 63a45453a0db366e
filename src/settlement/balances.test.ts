// What providers hold beside what the books say, and which differences need a person: docs/operating.md. The providers are stand-ins.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql, Tx } from '#/db/client.ts'
import { ProviderError } from '#/kernel/error.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Currency, Money } from '#/kernel/money.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import type { PayoutRail } from '#/rails/payout-rail.ts'
import { bareId, onRows, type BareRows } from '../../test/bare-rows.ts'
import { testRail } from '../../test/contract/rail.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { testPayoutRails } from '../../test/payout-rail.ts'
import { balanceRecord, compareBalances, isDifference } from './balances.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

/** The account at the provider, and the connection that only pays from it. */
const [bank, payer] = ['t1-bank', 't1-payer'] as ConnectionId[] as [ConnectionId, ConnectionId]
const brl = (minor: bigint): Money => ({ minor, currency: 'BRL' })

type Scene = {
  /** What the books say the provider holds, by account and currency. */
  readonly booked?: readonly (readonly [connection: ConnectionId, currency: Currency, minor: bigint])[]
  /** What the provider answers for the account. Absent: it reports no balance. */
  readonly held?: readonly Money[] | Error
  /** What it answers to the connection that pays out. Absent: that reports no balance. */
  readonly heldByPayer?: readonly Money[] | Error
  readonly source?: PayoutRail['source']
  readonly ownFunds?: unknown
  /** What was sent and has no end yet. */
  readonly sent?: readonly (readonly [connection: ConnectionId, currency: Currency, minor: bigint])[]
}

const connectionOf = (id: ConnectionId, method: string, ownFunds: unknown): ProviderConnection => ({
  id,
  mode: 'SANDBOX',
  method,
  provider: 'bacen',
  settings: ownFunds === undefined ? {} : { ownFunds },
  secrets: {},
})
const answering = (answer: readonly Money[] | Error | undefined) =>
  answer === undefined
    ? {}
    : {
        balance: async () => {
          if (answer instanceof Error) throw answer
          return answer
        },
      }

function compared({ booked = [], held, heldByPayer, source, ownFunds, sent = [] }: Scene) {
  const accounts = booked.map(([connection, currency, minor], index) => ({
    id: index + 1,
    mode: 'SANDBOX',
    name: `provider:${connection}:${currency}`,
    currency,
    minor,
  }))
  const rows: BareRows = {
    account: accounts,
    balance: accounts.map(({ id, minor }) => ({ account_id: id, minor })),
    withdrawal: sent.map(([connection, currency, amount_minor]) => ({
      id: bareId(1),
      connection,
      currency,
      amount_minor,
      status: 'PROCESSING',
    })),
    refund: [],
  }
  const book = [connectionOf(bank, 'PIX', ownFunds), connectionOf(payer, 'PIX_PAYOUT', undefined)]
  return onRows(sql, rows, (tx) =>
    compareBalances({
      sql: tx as Tx & Sql,
      rails: new Map([['PIX', { ...testRail(), method: 'PIX', ...answering(held) }]]),
      payoutRails: testPayoutRails(undefined, {
        connectionMethod: 'PIX_PAYOUT',
        source: source ?? (() => ({ at: 'PROVIDER', account: bank })),
        ...answering(heldByPayer),
      }),
      connections: {
        of: () => [],
        find: () => undefined,
        all: (method) => book.filter((each) => each.method === method),
      },
    }),
  )
}

test('a difference needs a person unless money under way can be all of it; what the provider holds too much never is', async () => {
  for (const [held, booked, sent, verdict, isForPerson] of [
    [100n, 100n, 0n, 'agrees', false],
    [100n, 100n, 50n, 'agrees', false],
    [70n, 100n, 30n, 'explained', false],
    [71n, 100n, 30n, 'explained', false],
    [69n, 100n, 30n, 'differs', true],
    [99n, 100n, 0n, 'differs', true],
    [101n, 100n, 0n, 'differs', true],
    [101n, 100n, 30n, 'differs', true],
  ] as const) {
    const [row, ...more] = await compared({
      booked: [[bank, 'BRL', booked]],
      held: [brl(held)],
      sent: sent === 0n ? [] : [[bank, 'BRL', sent]],
    })
    assert.ok(row !== undefined && more.length === 0)
    assert.deepEqual(
      [row.verdict, row.differenceMinor, row.underWayMinor, isDifference(row)],
      [verdict, held - booked, sent, isForPerson],
    )
  }
})

test('only what is under way from this account in this currency counts, also by the connection that pays out', async () => {
  const sent = [
    [bank, 'BRL', 1n],
    [payer, 'BRL', 20n],
    [bank, 'EUR', 300n],
    ['t9-other' as ConnectionId, 'BRL', 4_000n],
  ] as const
  const booked = [
    [bank, 'BRL', 100n],
    ['t9-other' as ConnectionId, 'BRL', 5n],
  ] as const
  const rows = await compared({ booked, held: [brl(79n)], heldByPayer: [brl(79n)], sent })
  assert.deepEqual(
    rows.map(({ connection, bookedMinor, underWayMinor, verdict }) => [
      connection,
      bookedMinor,
      underWayMinor,
      verdict,
    ]),
    [
      [bank, 100n, 21n, 'explained'],
      ['t9-other', 5n, 4_000n, 'not_reported'],
    ],
  )
})

test('an account shows what it holds in each currency, booked or not; nothing of a booked currency is zero', async () => {
  const rows = await compared({
    booked: [
      [bank, 'BRL', 100n],
      [bank, 'USD', 7n],
    ],
    held: [brl(100n), { minor: 3n, currency: 'EUR' }],
  })
  assert.deepEqual(
    rows.map(({ currency, heldMinor, bookedMinor, verdict }) => [currency, heldMinor, bookedMinor, verdict]),
    [
      ['BRL', 100n, 100n, 'agrees'],
      ['USD', 0n, 7n, 'differs'],
      ['EUR', 3n, 0n, 'differs'],
    ],
  )
})

test('a connection that pays out has its own account, or another’s, or none at a provider', async () => {
  const of = async (source: PayoutRail['source']) => {
    const rows = await compared({ heldByPayer: [brl(1n)], source })
    return rows.map(({ connection }) => connection)
  }
  assert.deepEqual(await of(() => ({ at: 'PROVIDER' })), [payer])
  assert.deepEqual(await of(() => ({ at: 'PROVIDER', account: bank })), [bank])
  assert.deepEqual(await of(() => ({ at: 'CHAIN', chain: 'bsc', token: 'USDT' })), [payer])
})

test('a provider without an answer is silent, and says why; one answer of two is enough; another error is ours', async () => {
  const booked = [[bank, 'BRL', 100n]] as const
  const away = new ProviderError('unavailable', 'the bank is away')
  const [silent] = await compared({ booked, held: away, heldByPayer: away })
  assert.ok(silent)
  assert.deepEqual([silent.verdict, silent.why, silent.heldMinor], ['silent', 'the bank is away', undefined])
  assert.equal(isDifference(silent), true)
  for (const answers of [
    { held: away, heldByPayer: [brl(100n)] },
    { held: [brl(100n)], heldByPayer: away },
  ])
    assert.deepEqual(
      (await compared({ booked, ...answers })).map(({ verdict }) => verdict),
      ['agrees'],
    )
  const [none] = await compared({ booked })
  assert.ok(none)
  assert.deepEqual([none.verdict, isDifference(none)], ['not_reported', false])
  await assert.rejects(compared({ booked, held: new Error('a bug') }), /a bug/)
})

test('the operator’s own money at the provider is no difference; a setting that holds no number of it counts as none', async () => {
  for (const [ownFunds, own] of [
    [{ BRL: 30, EUR: 7 }, 30n],
    [{ EUR: 7 }, 0n],
    [{ BRL: 1.5 }, 0n],
    [{ BRL: '30' }, 0n],
    [null, 0n],
    ['BRL', 0n],
    [undefined, 0n],
  ] as const) {
    const [row] = await compared({ booked: [[bank, 'BRL', 100n]], held: [brl(130n)], ownFunds })
    assert.deepEqual([row?.ownMinor, row?.differenceMinor], [own, 30n - own])
  }
})

test('commands and jobs show amounts as decimal numbers, and only what is known', async () => {
  const booked = [[bank, 'BRL', 12_345n]] as const
  const [row] = await compared({
    booked,
    held: [brl(12_400n)],
    ownFunds: { BRL: 50 },
    sent: [[bank, 'BRL', 7n]],
  })
  const base = { connection: bank, mode: 'SANDBOX', currency: 'BRL', booked: '123.45' }
  assert.deepEqual(row && balanceRecord(row), {
    ...base,
    held: '124.00',
    own: '0.50',
    underWay: '0.07',
    difference: '0.05',
    verdict: 'differs',
  })
  const [silent] = await compared({ booked, held: new ProviderError('unknown', 'no') })
  assert.deepEqual(silent && balanceRecord(silent), {
    ...base,
    own: '0.00',
    underWay: '0.00',
    why: 'no',
    verdict: 'silent',
  })
})
