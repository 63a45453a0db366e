// What an operator lets go on, or drops for good: wallets and chains that were stopped, signals that nobody could settle.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { Rpc } from '#/evm/client.ts'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { poolOn } from '../../test/bare-lane.ts'
import { bareId, onRows, type BareRows, type RowsTx } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { partly } from '../../test/partly.ts'
import type { Operator } from './deps.ts'
import { addDestination, changeLimit } from './limits.ts'
import { dropSignal, liftChain, retrySignal } from './parked.ts'
import { liftWallet } from './wallets.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [ours, user] = [bareId(1) as MerchantId, bareId(2)]
const operator: Operator = { by: { actor: { kind: 'USER', id: user } }, name: 'ana@example.com' }
const ownMerchant: BareRows = {
  app_user: [{ id: user, email: 'ana@example.com', is_operator: true }],
  membership: [{ merchant_id: ours, user_id: user }],
}
const world: BareRows = Object.fromEntries(
  ['hot_wallet', 'chain_tx', 'chain', 'inbox', 'connection', 'sub_account', 'membership', 'app_user']
    .concat(['command_account', 'audit_log', 'withdrawal_limit', 'withdrawal_destination'])
    .map((table) => [table, []]),
)

/** Acts on these rows. Answers with what was answered or the code of the refusal, what `look` sees, and the audit log. */
async function after<Answer>(
  tables: BareRows,
  act: (db: Sql, tx: RowsTx) => Promise<Answer>,
  look: string,
): Promise<readonly unknown[]> {
  return onRows(sql, { ...world, ...tables }, async (tx) => {
    const answer = await act(poolOn(tx), tx).catch((error: unknown) => {
      assert.ok(error instanceof AppError, String(error))
      return error.code
    })
    const seen = await tx.unsafe<{ seen: string }[]>(look)
    const rows = await tx<{ said: string }[]>`
      select concat_ws(' ', action, subject, reason) as said from audit_log`
    return [answer, seen.map((each) => each.seen), rows.map(({ said }) => said)]
  })
}

test('a stopped wallet goes on from its next nonce, if it is stopped for the reason that was read', async () => {
  const [address, other] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`] as const
  const wallet = { chain: 'base', purpose: 'hot', address: `\\x${address.slice(2)}`, next_nonce: 4 }
  const stoppedBeside = [
    { ...wallet, chain: 'arbitrum', stopped: 'another chain' },
    { ...wallet, address: `\\x${other.slice(2)}`, purpose: 'gas', stopped: 'another wallet' },
  ]
  const look = `select concat_ws(' ', next_nonce, stopped) as seen from hot_wallet where chain = 'base' and purpose = 'hot'`
  const lift = (stopped: string | null, read?: string, meanwhile?: string) => {
    const tables = { hot_wallet: [...stoppedBeside, { ...wallet, stopped }] }
    return after(
      tables,
      async (db, tx) => {
        const rpc = partly<Rpc>({
          async call() {
            if (meanwhile !== undefined)
              await tx`update hot_wallet set stopped = ${meanwhile} where chain = 'base' and purpose = 'hot'`
            return '0x9'
          },
        })
        const order = { address, reason: 'it is paid', ...given({ stopped: read }) }
        return (await liftWallet(db, operator, { chain: 'base', rpc }, order)).nextNonce
      },
      look,
    )
  }
  const lifted = [9n, ['9'], [`coins.lift coin-wallet:base/${address} it is paid`]]
  assert.deepEqual(await lift('no gas'), lifted)
  assert.deepEqual(await lift('no gas', 'no gas'), lifted)
  const refused = (seen: string) => ['invalid_state', [seen], []]
  assert.deepEqual(await lift('no gas', 'a strange transaction'), refused('4 no gas'))
  assert.deepEqual(
    await lift('no gas', 'no gas', 'a strange transaction'),
    refused('4 a strange transaction'),
  )
  assert.deepEqual(await lift(null), refused('4'))
})

test('a halted chain is followed again, if it is halted for the reason that was read', async () => {
  const chain = [{ key: 'base', halted: 'a reorganisation' }]
  const look = `select coalesce(halted, 'followed') as seen from chain`
  const lift = (key: string, halted: string, tables: BareRows = { chain }) =>
    after(tables, async (db) => liftChain(db, operator, { key, halted, reason: 'it is one' }), look)
  assert.deepEqual(await lift('base', 'a reorganisation'), [
    undefined,
    ['followed'],
    ['chain.lift chain:base it is one'],
  ])
  assert.deepEqual(await lift('base', 'another'), ['invalid_state', ['a reorganisation'], []])
  assert.deepEqual(await lift('bsc', 'a reorganisation'), ['not_found', ['a reorganisation'], []])
  const followed = { chain: [{ key: 'base', halted: null }] }
  assert.deepEqual(await lift('base', 'a reorganisation', followed), ['invalid_state', ['followed'], []])
})

test('a signal that waits for a person is tried again, or dropped by somebody who is no member of its merchant', async () => {
  const signal = { id: 7, method: 'PIX', connection: 'bank', body: '\\x00', parked: true, tries: 5 }
  const tables: BareRows = {
    inbox: [signal, { ...signal, id: 8, parked: false }],
    connection: [{ id: 'bank', merchant_id: ours }],
  }
  const look = `select concat_ws(' ', id, case when parked then 'waits' end, tries) as seen from inbox order by id`
  const retry = (id: bigint) => after(tables, (db) => retrySignal(db, operator, id, 'it is known now'), look)
  assert.deepEqual(await retry(7n), [true, ['7 0', '8 5'], ['inbox.retry signal:7 it is known now']])
  assert.deepEqual(await retry(8n), [false, ['7 waits 5', '8 5'], []])
  const drop = (id: bigint, more: BareRows = {}) =>
    after({ ...tables, ...more }, async (db) => (await dropSignal(db, operator, id, 'nobody’s'))?.id, look)
  assert.deepEqual(await drop(7n), [7n, ['8 5'], ['inbox.drop signal:7 nobody’s']])
  assert.deepEqual(await drop(8n), [undefined, ['7 waits 5', '8 5'], []])
  const [code, , audited] = await drop(7n, ownMerchant)
  assert.deepEqual([code, audited], ['forbidden', []])
})

test('what limits held back is tried again at once when a limit or a destination changes', async () => {
  const held = { merchant_id: ours, id: bareId(11), type: 'PIX', status: 'PENDING', review_required: true }
  const tables: BareRows = {
    withdrawal: [held],
    withdrawal_due: [{ merchant_id: ours, withdrawal_id: held.id, due_at: '2999-01-01T00:00:00Z' }],
  }
  const place = { merchantId: ours, type: 'PIX' } as const
  const acts: readonly ((db: Sql, tx: RowsTx) => Promise<void>)[] = [
    async (db, tx) => {
      await tx`create unique index on withdrawal_limit (merchant_id, type, currency)`
      await changeLimit(db, operator, { ...place, dayMinor: null })
    },
    (db) => addDestination(db, operator, { ...place, destination: 'ana@example.com' }, undefined),
  ]
  for (const act of acts) {
    const [, seen] = await after(
      tables,
      act,
      `select case when due_at <= statement_timestamp() then 'now' else 'later' end as seen from withdrawal_due`,
    )
    assert.deepEqual(seen, ['now'])
  }
})
