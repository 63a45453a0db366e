// What each report of a payout does in each state of its withdrawal: by the states of withdrawals and the recipes of the books.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import type { Sql } from '#/db/client.ts'
import type { WithdrawalId } from '#/kernel/id.ts'
import type { PayoutRail } from '#/rails/payout-rail.ts'
import type { PayoutNews } from '#/withdrawals/send.ts'
import { bareId, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { runOnRows, type RecordedBooks } from '../../test/kind-on-rows.ts'
import { payoutConnection, testPayoutRails } from '../../test/payout-rail.ts'
import { payoutKind, settlePayout, type PayoutItem } from './payout.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const at = new Date('2026-11-22T12:00:00.000Z')
const [merchant, id, wallet] = [bareId(1), bareId(2) as WithdrawalId, bareId(3)]
/** A withdrawal of 1.00 with a fee of 0.07, sent yesterday. */
const withdrawal = {
  merchant_id: merchant,
  id,
  type: 'PIX',
  status: 'PROCESSING',
  amount_minor: 100,
  fee_minor: 7,
  returned_minor: 0,
  currency: 'BRL',
  wallet_id: wallet,
  connection: 't1-bank',
  reference: 'w1',
  destination: { text: 'ana@example.com', fields: {} },
  request: { amount: 100 },
  review_required: false,
  version: 3,
  created_at: '2026-11-21T12:00:00.000Z',
}
const due = { merchant_id: merchant, withdrawal_id: id, sends: 2 }
const spent = { merchant_id: merchant, type: 'PIX', currency: 'BRL', day: '2026-11-21', minor: 500 }

const evidence = Buffer.from('{}')
const done: PayoutNews = { state: 'done', evidence, endToEndId: 'E1' }
const refused: PayoutNews = { state: 'refused', code: 'no', message: 'No.', evidence }
const sent: PayoutNews = { state: 'sent', evidence, providerRef: 'p1' }
const silent: PayoutNews = { state: 'silent' }
const back = (returned: bigint): PayoutNews => ({ state: 'returned', returned, evidence })

type Scene = {
  readonly rows?: BareRows
  readonly books?: Partial<RecordedBooks>
  readonly rail?: Partial<PayoutRail>
}

function tablesOf(change: Readonly<Record<string, unknown>>, rows: BareRows = {}): BareRows {
  return {
    merchant: [{ id: merchant, mode: 'SANDBOX' }],
    withdrawal: [{ ...withdrawal, ...change }],
    withdrawal_due: [due],
    withdrawal_spent: [spent],
    wallet: [{ id: wallet, merchant_id: merchant, currency: 'BRL' }],
    // Named in every scene: a prepared statement keeps the table that it found first.
    sub_account: [],
    audit_log: [],
    ...rows,
  }
}

/** What the reports did, one after the other in one batch, and what is left in the tables. */
function report(
  change: Readonly<Record<string, unknown>>,
  all: readonly (PayoutNews | Partial<PayoutItem>)[],
  { rows = {}, books = {}, rail = {} }: Scene = {},
) {
  return onRows(sql, tablesOf(change, rows), async (tx) => {
    await tx`alter table withdrawal_spent add primary key (merchant_id, type, currency, day)`
    const kind = payoutKind(testPayoutRails(undefined, rail))
    const items = all.map((each): PayoutItem =>
      'state' in each ? { id, news: each } : { id, news: done, ...each },
    )
    const { verdicts, events, posted } = await runOnRows(tx, kind, items, { at, ...books })
    const [row] = await tx<
      {
        status: string
        review: boolean
        version: number
        returned: bigint
        failure: unknown
        names: string
        note: string
      }[]
    >`select status, review_required as review, version, returned_minor as returned, failure, note,
             concat_ws(' ', provider_ref, end_to_end_id, tx_hash) as names from withdrawal`
    const [sums] = await tx<{ due: bigint; spent: bigint }[]>`
      select (select count(*) from withdrawal_due) as due, (select sum(minor)::bigint from withdrawal_spent) as spent`
    const audited = await tx<{ action: string }[]>`select action from audit_log`
    return {
      verdicts,
      events: events.map(({ type, data }) => `${type} ${String(data['status'])}`),
      posted,
      state: `${row?.status}${row?.review === true ? ' review' : ''} ${row?.version}`,
      row,
      audited: audited.map(({ action }) => action),
      ...sums,
    }
  })
}

const leaves = ['4.leave LEFT held>provider 100', '4.fee LEFT held>fees 7']
const frees = [
  '4.release WITHDRAWAL_RETURNED held>available 100',
  '4.release-fee WITHDRAWAL_FEE held>available 7',
]
const repays = '4.repay WITHDRAWAL_REPAID available>receivable 107'
const taken = [
  '4.take WITHDRAWAL available>provider 100',
  '4.owe OWED receivable>provider 100',
  '4.take-fee WITHDRAWAL_FEE available>fees 7',
  '4.owe-fee OWED receivable>fees 7',
]

test('each report does what the state of the withdrawal allows', async () => {
  for (const [status, news, verdict, state, posted, event] of [
    ['PROCESSING', sent, 'settled', 'PROCESSING 4', []],
    ['PROCESSING', done, 'settled', 'COMPLETED 4', leaves, 'withdrawal.completed COMPLETED'],
    ['PROCESSING', refused, 'settled', 'FAILED 4', [...frees, repays], 'withdrawal.failed FAILED'],
    ['PROCESSING', silent, 'settled', 'PROCESSING review 4', []],
    ['COMPLETED', sent, 'repeated', 'COMPLETED 3', []],
    ['COMPLETED', done, 'repeated', 'COMPLETED 3', []],
    ['COMPLETED', refused, 'noted', 'COMPLETED 3', []],
    ['COMPLETED', silent, 'repeated', 'COMPLETED 3', []],
    ['FAILED', sent, 'repeated', 'FAILED 3', []],
    ['FAILED', refused, 'repeated', 'FAILED 3', []],
    ['FAILED', done, 'reversed', 'COMPLETED 4', taken, 'withdrawal.completed COMPLETED'],
    ['CANCELED', done, 'reversed', 'COMPLETED 4', taken, 'withdrawal.completed COMPLETED'],
    ['CANCELED', refused, 'repeated', 'CANCELED 3', []],
    ['PENDING', done, 'noted', 'PENDING 3', []],
    ['PENDING', back(1n), 'noted', 'PENDING 3', []],
  ] as const) {
    const told = await report({ status }, [news])
    const name = `${status} ${news.state}`
    assert.deepEqual([told.verdicts, told.state], [[verdict], state], name)
    assert.deepEqual([told.posted, told.events], [posted, event === undefined ? [] : [event]], name)
  }
  const reviewed = await report({ review_required: true }, [silent])
  assert.deepEqual([reviewed.verdicts, reviewed.state], [['repeated'], 'PROCESSING review 3'])
  for (const news of [done, refused])
    assert.doesNotMatch((await report({ review_required: true }, [news])).state, /review/)
  const unknown = await report({ id: bareId(9) }, [done])
  assert.deepEqual([unknown.verdicts, unknown.state], [['noted'], 'PROCESSING 3'])
})

test('what comes back is credited by what it grew, at most the amount; a payout that came back was paid before', async () => {
  const credit = (minor: number, version = 4) => [
    `${version}.return WITHDRAWAL_RETURNED provider>available ${minor}`,
    `${version}.repay WITHDRAWAL_REPAID available>receivable ${minor}`,
  ]
  for (const [had, told, verdict, posted] of [
    [0, 40n, 'settled', credit(40)],
    [39, 40n, 'settled', credit(1)],
    [40, 40n, 'repeated', []],
    [41, 40n, 'repeated', []],
    [40, 101n, 'settled', credit(60)],
    [100, 101n, 'repeated', []],
  ] as const) {
    const {
      verdicts,
      posted: found,
      row,
    } = await report({ status: 'COMPLETED', returned_minor: had }, [back(told)])
    assert.deepEqual([verdicts, found], [[verdict], posted], `${had} ${told}`)
    assert.equal(row?.returned, verdict === 'repeated' ? BigInt(had) : told > 100n ? 100n : told)
  }
  const both = ['withdrawal.completed COMPLETED', 'withdrawal.returned COMPLETED']
  const unpaid = await report({}, [back(40n)])
  assert.deepEqual(
    [unpaid.verdicts, unpaid.state, unpaid.posted, unpaid.events],
    [['settled'], 'COMPLETED 5', [...leaves, ...credit(40, 5)], both],
  )
  const failed = await report({ status: 'FAILED' }, [back(40n)])
  assert.deepEqual(
    [failed.verdicts, failed.state, failed.posted, failed.events],
    [['reversed'], 'COMPLETED 5', [...taken, ...credit(40, 5)], both],
  )
})

test('reports of one batch follow one another', async () => {
  const { verdicts, state, posted, row } = await report({}, [sent, refused, done, { news: done, note: 'x' }])
  assert.deepEqual([verdicts, state], [['settled', 'settled', 'reversed', 'repeated'], 'COMPLETED 6'])
  assert.deepEqual(
    posted.slice(-4),
    taken.map((each) => each.replace('4.', '6.')),
  )
  assert.deepEqual([row?.names, row?.failure, row?.note], ['p1 E1', null, null])
})

test('what has ended is not due any more, and counts to the limit of its day unless it did not leave', async () => {
  for (const [status, news, dueAfter, spentAfter] of [
    ['PROCESSING', sent, 1n, 500n],
    ['PROCESSING', done, 0n, 500n],
    ['PROCESSING', refused, 0n, 400n],
    ['FAILED', done, 0n, 600n],
    ['CANCELED', done, 0n, 600n],
    ['COMPLETED', back(5n), 0n, 500n],
  ] as const) {
    const told = await report({ status }, [news])
    assert.deepEqual([told.due, told.spent], [dueAfter, spentAfter], `${status} ${news.state}`)
  }
})

test('a refusal of a worker that does not hold the withdrawal any more proves nothing while it is open', async () => {
  const claim = (number: number) => ({ id, number })
  const verdictOn = async (status: string, item: Partial<PayoutItem>) =>
    (await report({ status }, [item])).verdicts[0]
  assert.equal(await verdictOn('PROCESSING', { news: refused, claim: claim(2) }), 'settled')
  assert.equal(await verdictOn('PROCESSING', { news: refused, claim: claim(1) }), 'superseded')
  assert.equal(await verdictOn('PROCESSING', { news: refused }), 'settled')
  assert.equal(await verdictOn('PROCESSING', { news: done, claim: claim(1) }), 'settled')
  assert.equal(await verdictOn('COMPLETED', { news: refused, claim: claim(1) }), 'noted')
})

test('money that was released and left after all is taken from all wallets of the currency, that of the withdrawal first', async () => {
  const wallets = [5, 3, 4].map((number) => ({ id: bareId(number), merchant_id: merchant, currency: 'BRL' }))
  const rows = { wallet: [...wallets, { id: bareId(6), merchant_id: merchant, currency: 'EUR' }] }
  for (const news of [done, back(1n)]) {
    const asked: string[] = []
    const accepts: RecordedBooks['accepts'] = ({ key }) => asked.push(key) > 0
    await report({ status: 'FAILED', wallet_id: bareId(4) }, [news], { rows, books: { accepts } })
    const available = asked.filter((key) => key.includes(':available'))
    assert.deepEqual(
      available.map((key) => Number(/(\d+):available/.exec(key)?.[1])),
      [4, 4, 3, 5],
    )
  }
  const none = { accepts: ({ key }: { readonly key: string }) => !key.includes('fees:') }
  const { verdicts, posted } = await report({}, [done], { books: none })
  assert.deepEqual([verdicts, posted], [['noted'], []], 'an account is in another currency')
})

test('what a refused or returned payout leaves free repays the platform of a sub-account', async () => {
  const rows = {
    sub_account: [{ merchant_id: merchant, parent_id: bareId(8), state: 'ACTIVE' }],
    wallet: [
      { id: wallet, merchant_id: merchant, currency: 'BRL', is_default: true },
      { id: bareId(9), merchant_id: bareId(8), currency: 'BRL', is_default: true },
    ],
  }
  const balance: RecordedBooks['balance'] = ({ key }) => (/owes|available/.test(key) ? 30n : 0n)
  for (const [change, news, isRepaid] of [
    [{}, refused, true],
    [{ status: 'COMPLETED' }, back(40n), true],
    [{}, done, false],
  ] as const) {
    const { posted } = await report(change, [news], { rows, books: { balance } })
    assert.equal(posted.includes('4.repay-parent PARENT_REPAID available>available 30'), isRepaid)
  }
})

test('rails with units of their own deduct what has left, once, and of their own kind only', async () => {
  const left: (readonly string[])[] = []
  const rail = { units: { leave: async (_: unknown, ids: readonly string[]) => void left.push(ids) } }
  await report({}, [done, done], { rail })
  await report({}, [refused], { rail })
  assert.deepEqual(left, [[id]])
})

test('the person who ended a payout is in the audit log, and the reason stays with it', async () => {
  const audit = {
    actor: { kind: 'OPERATOR', id: 'ana' },
    action: 'withdrawal.resolve',
    subject: `withdrawal:${id}`,
  } as const
  const { row, audited } = await report({}, [{ news: refused, note: 'No trace at the bank.', audit }])
  assert.deepEqual([row?.note, audited], ['No trace at the bank.', ['withdrawal.resolve']])
})

test('an answer that contradicts the record is an alarm', async () => {
  const said = (status: string, news: PayoutNews, number?: number) =>
    onRows(sql, tablesOf({ status }), async (tx) => {
      await tx`alter table withdrawal_spent add primary key (merchant_id, type, currency, day)`
      const lines: string[] = []
      const log = pino(
        {},
        {
          write(line: string) {
            const { level, msg } = JSON.parse(line) as { level: number; msg: string }
            lines.push(`${level} ${msg}`)
          },
        },
      )
      const lane: Parameters<typeof settlePayout>[0]['lane'] = {
        async submit(kind, item) {
          const { verdicts } = await runOnRows(tx, kind, [item], { at })
          return verdicts[0] ?? assert.fail('one verdict')
        },
      }
      const claim = number === undefined ? undefined : { id, connection: payoutConnection, number }
      const kind = payoutKind(testPayoutRails())
      await settlePayout({ lane, kind, log }, { id, status: 'PROCESSING' }, news, claim)
      return lines.join()
    })
  assert.equal(await said('PROCESSING', done), '')
  assert.equal(await said('COMPLETED', done), '')
  assert.match(await said('PROCESSING', refused, 1), /^40 .*nothing was booked$/)
  assert.match(await said('COMPLETED', refused), /^50 .*another end than the recorded one$/)
  assert.match(await said('FAILED', done), /^50 .*its merchant was debited again$/)
})
