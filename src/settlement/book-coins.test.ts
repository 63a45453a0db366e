// What of our own coins is booked, and to whom coins of unknown origin are credited, on a test's own rows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import type { CoinFact, CoinFactSource } from '#/coins/fact.ts'
import type { Sql } from '#/db/client.ts'
import type { ConnectionId, MerchantId } from '#/kernel/id.ts'
import { bareId, onRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { runOnRows, type RecordedBooks } from '../../test/kind-on-rows.ts'
import { bookCoins, coinKind } from './book-coins.ts'
import { ownerKind, type OwnerConfirmation, type OwnerProposal } from './credit-found-coins.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const at = new Date('2026-11-22T12:00:00.000Z')
const bank = 't1-bank' as ConnectionId
const [merchant, other, live, parent] = [1, 2, 3, 4].map(bareId) as MerchantId[] as [
  MerchantId,
  MerchantId,
  MerchantId,
  MerchantId,
]
const evidence = Buffer.from('{}')
const audit = { actor: { kind: 'OPERATOR', id: 'bia' }, action: 'coins.confirm', subject: 'move:1' } as const
const wallet = { id: bareId(5), merchant_id: merchant, currency: 'USDT', is_default: true }
/** A sub-account with a wallet and its platform, a merchant without one, and one of the other mode. */
const tables = {
  merchant: [merchant, other, live].map((id) => ({ id, mode: id === live ? 'LIVE' : 'SANDBOX' })),
  wallet: [
    wallet,
    { ...wallet, id: bareId(6), is_default: false },
    { ...wallet, id: bareId(7), merchant_id: parent },
  ],
  sub_account: [{ merchant_id: merchant, parent_id: parent, state: 'ACTIVE' }],
  audit_log: [],
}

const proposal: OwnerProposal = {
  move: bareId(11),
  mode: 'SANDBOX',
  connection: bank,
  minor: 500n,
  merchantId: merchant,
  proposedBy: 'ana',
  confirmedBy: null,
}
const own = (
  items: readonly Partial<OwnerConfirmation>[],
  change: Partial<OwnerProposal> = {},
  books: Partial<RecordedBooks> = {},
) => {
  const saved: string[] = []
  const kind = ownerKind({
    load: async () => [{ ...proposal, ...change }],
    save: async (_tx, confirmed) =>
      void saved.push(...confirmed.map((each) => `${each.by} ${each.walletId}`)),
  })
  const all = items.map((item) => ({ move: proposal.move, by: 'bia', ...item }))
  return onRows(sql, tables, async (tx) => {
    const { verdicts, posted } = await runOnRows(tx, kind, all, { at, ...books })
    const audited = await tx<{ action: string }[]>`select action from audit_log`
    return {
      kinds: verdicts.map((each) => each.kind),
      posted,
      saved,
      audited: audited.map(({ action }) => action),
    }
  })
}

test('found coins are credited when another person of the same place confirms, once, and repay the debts', async () => {
  const owing: Partial<RecordedBooks> = { balance: ({ key }) => (/owes|available/.test(key) ? 30n : 0n) }
  const told = await own([{ audit }, {}], {}, owing)
  assert.deepEqual(
    [told.kinds, told.saved, told.audited],
    [['credited', 'already'], [`bia ${wallet.id}`], ['coins.confirm']],
  )
  assert.deepEqual(told.posted.slice(0, 3), [
    '2.repay REPAID suspense>receivable 500',
    '2.credit ADJUSTMENT suspense>available 500',
    '2.repay-parent PARENT_REPAID available>available 30',
  ])
})

test('found coins are not credited by one person alone, nor to a merchant who cannot have them', async () => {
  const refusing: Partial<RecordedBooks> = { accepts: ({ key }) => !key.includes('suspense') }
  const judged = (isOnePerson: boolean, proposedBy = 'ana') => ({ judged: { isOnePerson, proposedBy } })
  for (const [item, change, verdict, books] of [
    [{ move: bareId(99) }, {}, 'not_proposed'],
    [{}, { confirmedBy: 'eva' }, 'already'],
    [{ by: 'ana' }, {}, 'same_person'],
    [judged(true), {}, 'same_person'],
    [judged(false, 'eva'), {}, 'same_person'],
    [judged(false), {}, 'credited'],
    [{ by: 'user:bia' }, {}, 'other_place'],
    [{}, { merchantId: bareId(98) as MerchantId }, 'unknown_merchant'],
    [{}, { merchantId: live }, 'other_mode'],
    [{}, { merchantId: other }, 'no_wallet'],
    [{}, {}, 'unbookable', refusing],
  ] as const) {
    const told = await own([item], change, books)
    assert.deepEqual([told.kinds, told.posted.length > 0], [[verdict], verdict === 'credited'])
  }
})

test('our own coins are booked between their places, once, and what nothing explains is an alarm', async () => {
  const base = { mode: 'SANDBOX', connection: bank, chain: 'bsc', minor: 500n, evidence } as const
  const facts: readonly CoinFact[] = [
    { ...base, id: 'a', what: 'MOVED', from: 'deposit', to: 'treasury' },
    { ...base, id: 'b', what: 'MOVED', from: 'hot', to: 'hot' },
    { ...base, id: 'c', what: 'FOUND', at: 'treasury' },
    { ...base, id: 'd', what: 'LEFT' },
    { ...base, id: 'e', what: 'PAID' },
    { ...base, id: 'f', what: 'GAS', wallet: '0x1' },
    { ...base, id: 'g', what: 'GAS_BOUGHT', wallet: '0x1' },
  ]
  let saved = 0
  const book = (ids: readonly string[]): CoinFactSource => ({
    due: async () => [ids],
    load: async () => ({
      facts,
      consume: (id) => facts.find((each) => each.id === id),
      save: async () => void (saved += 1),
    }),
  })
  const lines: string[] = []
  const log = pino(
    {},
    { write: (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg) },
  )
  const posted: string[] = []
  const booking = (ids: readonly string[]) =>
    onRows(sql, {}, (tx) => {
      const lane: Parameters<typeof bookCoins>[0]['lane'] = {
        async submit(kind, item) {
          const { verdicts, posted: moves } = await runOnRows(tx, kind, [item], { at })
          posted.push(...moves)
          return verdicts[0] ?? assert.fail('one verdict')
        },
      }
      return bookCoins({ sql, lane, book: book(ids), kind: coinKind(book(ids)), log })
    })
  assert.equal(await booking(facts.map(({ id }) => id)), 7)
  assert.deepEqual(posted, [
    '1.coins COINS coins>coins 500',
    '1.suspend SUSPENSE coins>suspense 500',
    '1.gas GAS cost>gas 500',
    '1.fill GAS_BOUGHT gas>equity 500',
  ])
  assert.deepEqual(lines, [
    'coins came to us and nothing here explains them',
    'coins left us and nothing here explains it',
  ])
  assert.equal(saved, 1)
  assert.deepEqual([await booking(['z']), saved], [0, 1])
})
