// What journals of signers say beside the restored books and the chain, case by case.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { JournalLine } from '#/signer/journal-copy.ts'
import { bareId, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { compareJournals, type SignedOfChain } from './signed.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [from, lastAt] = [new Date('2026-11-22T00:00:00Z'), new Date('2026-11-22T01:00:00Z')]
const earlier = new Date(from.getTime() - 1)
const [hot, foreign] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`] as const
const bytes = (hex: string) => `\\x${hex.slice(2)}`
const bank = 'bsc-wallet' as ConnectionId

const line = (nonce: bigint, more: Partial<JournalLine> = {}): JournalLine => ({
  at: lastAt,
  key: hot,
  chainId: 56n,
  nonce,
  reference: `payout/${nonce}`,
  gas: 21_000n,
  fees: { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n },
  pays: undefined,
  isCancel: false,
  ...more,
})

type Case = {
  readonly lines: readonly JournalLine[]
  /** What the books have. */
  readonly books?: BareRows
  /** How many nonces the chain has used, as far as the watcher has read, and up to now. */
  readonly read?: bigint
  readonly latest?: bigint
  /** By the hash of a transaction: the wallet and the nonce that it is of. */
  readonly sent?: Readonly<Record<string, readonly [account: `0x${string}`, nonce: bigint]>>
}

/** All that the comparison reads. Each case has all of them: the plan of a statement stays with the tables that it was made for. */
const none = Object.fromEntries(
  [
    'chain_tx',
    'chain_tx_attempt',
    'withdrawal',
    'refund',
    'coin_move',
    'coin_place',
    'unrecorded',
    'lost_signature',
  ].map((table) => [table, []]),
)

/** Compares one journal with the books of one hot wallet. */
async function compared({
  lines,
  books = {},
  read = 0n,
  latest = read,
  sent = {},
}: Case): Promise<SignedOfChain> {
  const tables = {
    ...none,
    chain: [{ key: 'bsc', chain_id: 56, final_number: 7 }],
    hot_wallet: [{ chain: 'bsc', address: bytes(hot), purpose: 'hot' }],
    connection: [{ id: bank, method: 'CRYPTO', settings: { chain: 'bsc' } }],
    ...books,
  }
  const nodeOf = () => ({
    used: (_account: string, block: bigint | 'latest') => Promise.resolve(block === 'latest' ? latest : read),
    sentBy: (hash: string) => {
      const found = sent[hash]
      return Promise.resolve(found && { account: found[0], nonce: found[1] })
    },
  })
  const deps = { journals: [{ path: 'journal.jsonl', lines, cut: 0 }], nodeOf }
  const found = await onRows(sql, tables, (tx) => compareJournals(tx, deps, { from, lastAt }))
  return found.get(bank) ?? assert.fail('the wallet has a connection')
}

test('a journal is refused that signed since the moment for another wallet, or only ever for others', async () => {
  const [own, oldOwn] = [line(0n), line(0n, { at: earlier })]
  const [since, old] = [line(0n, { key: foreign, at: from }), line(0n, { key: foreign, at: earlier })]
  const cases: readonly (readonly [lines: readonly JournalLine[], isOurs: boolean])[] = [
    [[], true],
    [[own], true],
    [[since, own], false],
    [[own, since], false],
    [[old, since, own], false],
    [[own, line(0n, { chainId: 1n })], false],
    [[old], false],
    [[old, own], true],
    [[oldOwn, old], true],
  ]
  for (const [index, [lines, isOurs]] of cases.entries())
    await (isOurs
      ? compared({ lines })
      : assert.rejects(compared({ lines }), /no wallet of these books/, String(index)))
})

test('a wallet continues behind the highest nonce, while the books or the journal have all that the chain has used', async () => {
  const given = { chain_tx: [{ chain: 'bsc', wallet: bytes(hot), nonce: 1, state: 'FINAL', reference: 'a' }] }
  const cases: readonly (readonly [Case, next: bigint | undefined, missing?: bigint])[] = [
    [{ lines: [] }, undefined],
    [{ lines: [], latest: 1n }, undefined, 0n],
    [{ lines: [line(0n)], latest: 1n }, 1n],
    [{ lines: [0n, 2n, 1n].map((nonce) => line(nonce)), latest: 3n }, 3n],
    [{ lines: [line(0n), line(2n)], latest: 3n }, undefined, 1n],
    [{ lines: [line(0n), line(2n)], latest: 2n }, undefined, 1n],
    [{ lines: [line(0n), line(2n)], latest: 1n }, 3n],
    [{ lines: [line(0n), line(2n)], latest: 3n, books: given }, 3n],
  ]
  for (const [index, [each, next, missing]] of cases.entries()) {
    const { next: found, why } = await compared(each)
    assert.deepEqual(
      found.map(({ nonce }) => nonce),
      next === undefined ? [] : [next],
      String(index),
    )
    const said = why.filter((text) => text.startsWith('no journal has'))
    const wanted = `no journal has nonce ${missing} of ${hot}, which the chain has used`
    assert.deepEqual(said, missing === undefined ? [] : [wanted], String(index))
  }
})

test('what was signed since the moment counts, and what has a nonce that the books had not signed', async () => {
  const books = {
    chain_tx: [
      { chain: 'bsc', wallet: bytes(hot), nonce: 4, id: bareId(4), state: 'FINAL', reference: 'payout/4' },
    ],
    chain_tx_attempt: [{ tx: bareId(4), signed_at: lastAt }],
  }
  const lines = [
    line(2n, { at: earlier }),
    line(3n, { at: from }),
    line(4n, { at: earlier }),
    line(5n, { at: earlier }),
  ]
  const { txs } = await compared({ lines, books })
  assert.deepEqual(
    txs.map(({ nonce }) => nonce),
    [3n, 5n],
  )
})

test('a nonce is of its first line, and canceled when a cancellation was signed for it later', async () => {
  const [pays, cancels] = [false, true]
  const cases: readonly (readonly [lines: readonly boolean[], isCanceled: boolean])[] = [
    [[pays], false],
    [[cancels], false],
    [[pays, pays], false],
    [[pays, cancels], true],
    [[pays, cancels, pays], true],
    [[cancels, cancels], false],
    [[cancels, pays], false],
  ]
  for (const [lines, isCanceled] of cases) {
    const { txs } = await compared({
      lines: lines.map((isCancel, index) => line(0n, { isCancel, reference: `payout/${index}` })),
    })
    assert.deepEqual(
      txs.map((tx) => [tx.reference, tx.isCanceled]),
      [['payout/0', isCanceled]],
      lines.join(),
    )
  }
})

test('the books know a transaction that ended there; a payout without an end they have in an earlier state', async () => {
  const lines = [line(0n)]
  const tx = { chain: 'bsc', reference: 'payout/0', wallet: bytes(hot), nonce: 0, merchant_id: bareId(1) }
  const payout = { reference: '0', connection: bank, merchant_id: bareId(2) }
  const ofTx = (state: string) => ({ chain_tx: [{ ...tx, state }] })
  const ofPayout = (status: string) => ({ withdrawal: [{ ...payout, status }] })
  const cases: readonly (readonly [books: BareRows, standing: string, merchant?: string])[] = [
    [{}, 'UNKNOWN'],
    [ofTx('FINAL'), 'KNOWN', bareId(1)],
    [ofTx('FAILED'), 'KNOWN', bareId(1)],
    [ofTx('MINED'), 'EARLIER', bareId(1)],
    [ofPayout('PENDING'), 'EARLIER', bareId(2)],
    [ofPayout('PROCESSING'), 'EARLIER', bareId(2)],
    [ofPayout('COMPLETED'), 'UNKNOWN', bareId(2)],
  ]
  for (const [books, standing, merchant] of cases) {
    const { txs } = await compared({ lines, books })
    assert.deepEqual(
      txs.map((each) => [each.books, each.merchantId, each.nonceOf]),
      [[standing, merchant, undefined]],
    )
  }
})

test('a signature is lost of a transaction that the books have earlier and whose nonce they gave to no other', async () => {
  const queued = { chain: 'bsc', state: 'QUEUED' }
  const books = {
    chain_tx: [
      { ...queued, reference: 'payout/0' },
      { ...queued, reference: 'payout/1' },
      { ...queued, reference: 'other', wallet: bytes(hot), nonce: 1 },
    ],
  }
  const fees = { maxFeePerGas: 9n, maxPriorityFeePerGas: 1n }
  const lines = [line(0n), line(0n, { fees }), line(1n), line(2n)]
  const { txs, lost } = await compared({ lines, books })
  assert.deepEqual(
    txs.map((tx) => [tx.nonce, tx.books, tx.nonceOf]),
    [
      [0n, 'EARLIER', undefined],
      [1n, 'EARLIER', 'other'],
      [2n, 'UNKNOWN', undefined],
    ],
  )
  const name = { chain: 'bsc', address: hot, nonce: 0n, reference: 'payout/0' }
  const rest = { isRecorded: false, gas: 21_000n, cancels: false }
  assert.deepEqual(lost, [
    { ...name, ...rest, fees: line(0n).fees },
    { ...name, ...rest, fees },
  ])
})

/** A movement that left the hot wallet, whose transaction has the hash of its number. */
const left = (number: number) => ({
  id: bareId(number),
  chain: 'bsc',
  sender: bytes(hot),
  tx_hash: bytes(hashOf(number)),
  log_index: 3,
  value: 1,
  booked_as: 'LEFT',
  state: 'FINAL',
  block_at: lastAt,
})
const hashOf = (number: number) => `0x${String(number).padStart(64, '0')}`
const coin_place = [{ chain: 'bsc', address: bytes(hot), place: 'hot' }]

test('a movement is of the signed transaction of the same wallet and nonce, also behind a full page', async () => {
  const full = 200
  const coin_move = Array.from({ length: full + 1 }, (_, index) => left(index + 1))
  const books = {
    coin_place,
    coin_move,
    chain_tx: [0, 1].map((nonce) => ({ chain: 'bsc', state: 'QUEUED', reference: `payout/${nonce}` })),
    unrecorded: [{ reference: `${hashOf(1)}:3`, move: bareId(1) }],
  }
  const sent = {
    [hashOf(1)]: [hot, 0n],
    [hashOf(2)]: [foreign, 1n],
    [hashOf(full)]: [hot, 2n],
    [hashOf(full + 1)]: [hot, 1n],
  } as const
  const lines = [line(0n), line(1n), line(2n)]
  const { txs, byMove, lost, why } = await compared({ lines, books, sent, read: 3n })
  assert.deepEqual(
    txs.map(({ move }) => move),
    [1, full + 1, full].map((number) => `${hashOf(number)}:3`),
  )
  assert.deepEqual(
    [...byMove].map(([id, { nonce }]) => [id, nonce]),
    [
      [bareId(1), 0n],
      [bareId(full), 2n],
      [bareId(full + 1), 1n],
    ],
  )
  assert.deepEqual(
    lost.map(({ nonce, isRecorded }) => [nonce, isRecorded]),
    [
      [0n, true],
      [1n, false],
    ],
  )
  assert.deepEqual(why, [])
  const one = await compared({
    lines,
    books: { ...books, chain_tx: books.chain_tx.slice(0, 1) },
    sent,
    read: 3n,
  })
  assert.deepEqual(
    one.lost.map(({ isRecorded }) => isRecorded),
    [true],
  )
})

test('nonces are mined, mined behind the watcher, or open; those that the books do not have are named, five of each', async () => {
  const lines = Array.from({ length: 12 }, (_, nonce) => line(BigInt(nonce)))
  const coin_move = [{ chain: 'bsc', state: 'FINAL' }]
  const { txs, why } = await compared({ lines, read: 1n, latest: 6n, books: { coin_move } })
  assert.deepEqual(
    txs.map(({ nonceIs }) => nonceIs),
    ['USED', ...Array<string>(5).fill('UNREAD'), ...Array<string>(6).fill('OPEN')],
  )
  const named = (nonces: readonly number[]) =>
    nonces.map((nonce) => `${nonce} of ${hot} (payout/${nonce})`).join(', ')
  assert.deepEqual(why, [
    '1 movements of coins wait to be booked: compare again',
    `signed and not mined, so these nonces may still be used: ${named([6, 7, 8, 9, 10])}, and 1 more`,
    `mined in blocks that the watcher has not read yet, compare again: ${named([1, 2, 3, 4, 5])}`,
  ])
})
