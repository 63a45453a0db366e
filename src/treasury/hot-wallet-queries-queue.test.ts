// Which transactions get a nonce: those of the wallet's kind that wait, may leave and were never signed, under the fence of the lease alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import { secondMs } from '#/kernel/time.ts'
import { bareAddress, bareBytes, other, ours } from '../../test/bare-coins.ts'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import * as queries from './hot-wallet-queries.ts'
import type { ChainTxId } from './outgoing.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const chainTxId = (number: number) => bareId(number) as ChainTxId
const [first, second, third] = [chainTxId(1), chainTxId(2), chainTxId(3)] as const
const [free, frozen] = [bareId(71), bareId(72)]
const queue = { chain: ours, purpose: 'PAYOUT' } as const

const payout = {
  ...queue,
  id: first,
  subject: bareId(11),
  merchant_id: free,
  reference: 'payout/1',
  state: 'QUEUED',
  value: 0,
  gas: 100,
  units: 7,
}
/** The merchant whose money may not leave, and what was signed in a span that a restore lost. */
const held = {
  money_freeze: [{ merchant_id: frozen }],
  lost_signature: [{ reference: 'payout/lost', is_recorded: true }],
}
/** What gets no nonce, though it is of this chain and kind. */
const mayNotLeave = [{ merchant_id: frozen }, { reference: 'payout/lost' }, { state: 'RESERVED' }] as const
const elsewhere = [{ chain: other }, { purpose: 'SWEEP' }] as const

test('a page of the queue has the oldest that fit into a transfer, after the last page, and nothing that may not leave', async () => {
  const rows = [
    { ...payout, id: third, units: null },
    { ...payout, id: second, subject: bareId(12) },
    payout,
    ...beside(payout, ...mayNotLeave, ...elsewhere, { units: 8 }),
  ]
  const find = (
    page: { after?: ChainTxId; limit: number },
    tables: BareRows = held,
  ): Promise<readonly queries.QueuedTx[]> =>
    onRows(sql, { chain_tx: rows, ...tables }, (tx) =>
      queries.selectQueued(tx, queue, { unitsMax: 7n, ...page }),
    )
  assert.deepEqual(await find({ limit: 2 }), [
    { id: first, subject: bareId(11), value: 0n, gas: 100n, units: 7n },
    { id: second, subject: bareId(12), value: 0n, gas: 100n, units: 7n },
  ])
  assert.deepEqual(
    (await find({ after: first, limit: 9 })).map(({ id, units }) => [id, units]),
    [
      [second, 7n],
      [third, 0n],
    ],
  )
  assert.deepEqual(await find({ limit: 9 }, { ...held, money_freeze: [{ rail: 'CRYPTO' }] }), [])
})

const wallet = { chain: ours, address: bareBytes(1), fence: 5, next_nonce: 10 }
const sender = { chain: ours, address: bareAddress(1), fence: 5n }
/** Wallets under which this sender may change nothing. */
const foreign = [{ chain: other }, { address: bareBytes(2) }, { fence: 6 }] as const

test('nonces are bound in the order of ids, the next free one first, and only to what still waits and may leave', async () => {
  const tables = {
    ...held,
    hot_wallet: [wallet, ...beside(wallet, { chain: other }, { address: bareBytes(2) })],
    chain_tx: [
      { ...payout, id: third },
      payout,
      { ...payout, id: bareId(4) },
      ...beside({ ...payout, id: second }, ...mayNotLeave),
    ],
  }
  await onRows(sql, tables, async (tx) => {
    assert.equal(await queries.reserveNonces(tx, sender, [third, second, first]), 2)
    const bound = await tx`select id, nonce, wallet from chain_tx where nonce is not null order by nonce`
    const by = Buffer.from(bareBytes(1).slice(2), 'hex')
    assert.deepEqual(
      [...bound],
      [
        { id: first, nonce: 10n, wallet: by },
        { id: third, nonce: 11n, wallet: by },
      ],
    )
    const reserved = await tx`select 1 from chain_tx where state = 'RESERVED' and nonce is not null`
    assert.equal(reserved.length, 2)
    const next = await tx`select next_nonce as next from hot_wallet order by chain desc, address`
    assert.deepEqual(
      next.map((row) => row['next'] as bigint),
      [12n, 10n, 10n],
    )
  })
})

test('no nonce is bound under another wallet, under a fence that is outdated, or while the wallet is stopped', async () => {
  for (const changed of beside(wallet, ...foreign, { stopped: 'a stranger has the key' })) {
    const tables = { ...held, hot_wallet: [changed], chain_tx: [payout] }
    await onRows(sql, tables, async (tx) => {
      assert.equal(await queries.reserveNonces(tx, sender, [first]), 0, JSON.stringify(changed))
      const [next] = await tx`select next_nonce as next from hot_wallet`
      assert.equal(next?.['next'], 10n)
    })
  }
})

test('queued payouts above the limit for one transfer fail, and nothing else; none under another wallet or fence', async () => {
  const above = { ...payout, units: 8 }
  const fail = (hot_wallet: BareRows[string]) => {
    const signed = [{ ...above, reference: 'payout/lost' }]
    const others = beside(above, { units: 7 }, { state: 'RESERVED' }, ...elsewhere).concat(signed)
    const chain_tx = [above, ...others].map((row, index) => ({ ...row, id: bareId(index) }))
    return onRows(sql, { ...held, chain_tx, hot_wallet }, async (tx) => {
      const count = await queries.failAbove(tx, sender, 7n)
      const failed = await tx`
        select id from chain_tx
         where state = 'FAILED' and failure = 'amount_not_allowed' and final_at is not null`
      assert.equal(count, failed.length)
      return failed.map(({ id }) => id as string)
    })
  }
  assert.deepEqual(await fail([wallet]), [bareId(0)])
  for (const changed of beside(wallet, ...foreign)) assert.deepEqual(await fail([changed]), [])
})

test('the oldest in the queue is told, without what waits for something else than the wallet', async () => {
  const [waits, later] = [bareId(12), bareId(13)]
  const tables = {
    ...held,
    chain_tx: [
      { ...payout, id: bareId(9), subject: later },
      { ...payout, id: bareId(8), units: null },
      ...beside({ ...payout, id: first }, ...mayNotLeave, ...elsewhere, { subject: waits }),
    ],
  }
  const find = (ageSeconds: number, rows: BareRows = tables) =>
    onRows(sql, rows, async (tx) => {
      await tx`update chain_tx set created_at = clock_timestamp() - ${ageSeconds} * interval '1 second'`
      return queries.selectOldestQueued(tx, queue, { oldMs: 60 * secondMs, without: [waits] })
    })
  const old = await find(61)
  assert.deepEqual([old?.subject, old?.units, old?.value, old?.gas], [payout.subject, 0n, 0n, 100n])
  assert.equal(old?.isOld, true)
  assert.equal((await find(30))?.isOld, false)
  assert.equal(await find(61, { ...tables, chain_tx: [] }), undefined)
})
