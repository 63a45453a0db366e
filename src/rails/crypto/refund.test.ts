// The data that decide a refund on a chain: who sent the money, and whether a transaction of ours may still pay it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import {
  newId,
  type AttemptId,
  type ConnectionId,
  type MerchantId,
  type PaymentId,
  type RefundId,
} from '#/kernel/id.ts'
import { systemClock, testClock } from '#/kernel/time.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import type { PayoutResult } from '#/rails/payout-rail.ts'
import type { RefundOrder } from '#/rails/rail.ts'
import { createCryptoPayouts } from '#/treasury/payout.ts'
import { bareId } from '../../../test/bare-rows.ts'
import { openForTests } from '../../../test/open-for-tests.ts'
import { partly } from '../../../test/partly.ts'
import { testDatabase } from '../../../test/postgres.ts'
import { createCryptoRefunder } from './refund.ts'

const connection = 'a1-chain' as ConnectionId
const sender = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

const database = openForTests(testDatabase)
const sql = openForTests(() => connect(database.appUrl, { max: 1 }))

/** Refunds of a chain that is not ready: its records count nevertheless. */
function refunder() {
  const found = partly<ProviderConnection>({ id: connection, settings: { chain: 'bsc' } })
  const connections = { find: (id: ConnectionId) => (id === connection ? found : undefined) }
  return createCryptoRefunder(
    createCryptoPayouts({ sql, chains: () => [], connections, clock: systemClock }),
    systemClock,
  )
}

const hashOf = (digit: string) => `0x${digit.repeat(64)}`

async function transfer(
  chain: string,
  txHash: string,
  ordinal: number,
  state: string,
  block: string,
): Promise<void> {
  const bytes = (hex: string) => Buffer.from(hex.slice(2), 'hex')
  await sql`
    insert into chain_transfer (chain, block_hash, log_index, block_number, block_at, tx_hash, ordinal, address, sender, value,
                                state, log)
    values (${chain}, ${bytes(hashOf(block))}, ${ordinal}, 1, now(), ${bytes(txHash)}, ${ordinal}, '\\x01',
            ${bytes(sender)}, 1, ${state}, '{}')`
}

test('the sender of a piece is the one of its own final transfer, on its own chain', async () => {
  await transfer('bsc', hashOf('a'), 0, 'FINAL', '1')
  await transfer('bsc', hashOf('b'), 0, 'SEEN', '2')
  await transfer('other', hashOf('c'), 0, 'FINAL', '3')
  const sendersOf = must(refunder().sendersOf, 'a chain knows senders')
  const paidRefs = [`${hashOf('a')}:0`, `${hashOf('a')}:1`, `${hashOf('b')}:0`, `${hashOf('c')}:0`, 'E123']
  const found = await sendersOf(
    sql,
    paidRefs.map((paidRef) => ({ connection, paidRef })),
  )
  assert.deepEqual([...found], [[`${hashOf('a')}:0`, { text: sender, fields: { cryptoAddress: sender } }]])
})

test('a transaction of ours may still pay a refund until it has failed', async () => {
  const states = ['QUEUED', 'FAILED', 'FINAL'] as const
  const ids = new Map<string, RefundId>()
  for (const state of states) {
    const id = newId<'refund'>()
    ids.set(state, id)
    await sql`
      insert into chain_tx (id, chain, purpose, subject, reference, target, value, data, gas, recipient, units, state, wallet,
                            nonce, failure, created_at, final_at)
      values (${newId()}, 'bsc', 'PAYOUT', ${id}, ${`payout/${id}`}, '\\x01', 0, '\\x', 1, '\\x02', 1, ${state},
              ${state === 'FINAL' ? Buffer.from('03', 'hex') : null}, ${state === 'FINAL' ? 1 : null},
              ${state === 'FAILED' ? 'canceled' : null}, now(), ${state === 'QUEUED' ? null : new Date()})`
  }
  const mayStillPay = must(refunder().mayStillPay, 'a chain knows its transactions')
  const found = await mayStillPay(sql, [...ids.values(), newId<'refund'>()])
  const expected = new Set([ids.get('QUEUED'), ids.get('FINAL')])
  assert.deepEqual(found, expected)
})

/** A refunder whose payouts have this source, or end in this way. */
function refunderBy(payouts: Partial<Parameters<typeof createCryptoRefunder>[0]>) {
  return createCryptoRefunder(
    { route: none, send: none, source: none, networkOf: none, units: { leave: none }, ...payouts },
    testClock(new Date('2026-11-22T00:00:00Z')),
  )
}
const none = () => assert.fail('nobody asks for that')

test('only a transfer on a chain has a sender', async () => {
  await transfer('bsc', hashOf('d'), 0, 'FINAL', '4')
  const paidRef = `${hashOf('d')}:0`
  for (const [source, found] of [
    [{ at: 'CHAIN', chain: 'bsc', token: 'USDT' }, 1],
    [{ at: 'PROVIDER' }, 0],
  ] as const) {
    const sendersOf = must(refunderBy({ source: () => source }).sendersOf, 'a chain knows senders')
    assert.equal((await sendersOf(sql, [{ connection, paidRef }])).size, found, source.at)
  }
})

test('a refund is told when its payout is done or refused, and not before', async () => {
  const order: RefundOrder = {
    id: bareId(1) as RefundId,
    attempt: {
      id: bareId(2) as AttemptId,
      merchantId: bareId(3) as MerchantId,
      paymentId: bareId(4) as PaymentId,
    },
    connection,
    paidRef: `${hashOf('d')}:0`,
    amount: { currency: 'USDT', minor: 5n },
    destination: { cryptoAddress: sender },
  }
  const evidence = Buffer.from('01', 'hex')
  const tell = (result: PayoutResult) => refunderBy({ send: async () => result }).send(order, false)
  assert.deepEqual(await tell({ state: 'sent', evidence }), [])
  const [done, ...more] = await tell({ state: 'done', evidence, txHash: hashOf('e') })
  assert.deepEqual(more, [])
  // A refund is paid once: this is the first and only report of it.
  assert.deepEqual(
    [done?.outcome, done?.refund, done?.occurrence, done?.amount, done?.txHash],
    ['refunded', order.id, 1, order.amount, hashOf('e')],
  )
  const [refused] = await tell({ state: 'refused', evidence, code: 'canceled', message: 'A person did.' })
  assert.deepEqual(
    [refused?.outcome, refused?.failure],
    ['refund_failed', { code: 'canceled', message: 'A person did.' }],
  )
})
