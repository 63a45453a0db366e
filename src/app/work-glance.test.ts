// Which rows wake which part of the worker: for each part a row that is due, and the same row when nothing is to be done about it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coinParts } from '#/cli/chain-parts.ts'
import type { Sql } from '#/db/client.ts'
import type { IsDue } from '#/db/due.ts'
import { selectDueNow } from '#/jobs/due-queries.ts'
import type { Room } from '#/jobs/glance.ts'
import { isWalletDue } from '#/treasury/hot-wallet-queries.ts'
import { isSweepDue } from '#/treasury/sweep-queries.ts'
import { openAuditWorld, pixConnection } from '../../test/audit-world.ts'
import { bareId, onRows, type BareRows } from '../../test/bare-rows.ts'
import { fileDatabase } from '../../test/file-database.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { workerParts } from './work.ts'

const world = openForTests(openAuditWorld)
let sql: Sql
fileDatabase((given) => (sql = given))

const [past, later] = ['2026-01-01T00:00:00Z', '2126-01-01T00:00:00Z']
const id = bareId(1)
const address = String.raw`\x0101010101010101010101010101010101010101`

type Row = Readonly<Record<string, unknown>>
type Case = { readonly due: readonly BareRows[]; readonly not: readonly BareRows[] }

/** A table whose rows are due by `due_at`, as long as they are `open`. */
function durable(table: string, open: Row = {}, over: Row = {}): Case {
  const row = { connection: 'c', ...open }
  const overRows = Object.keys(over).length === 0 ? [] : [{ [table]: [{ ...row, due_at: past, ...over }] }]
  return {
    due: [
      { [table]: [{ ...row, due_at: past }] },
      {
        [table]: [
          { ...row, due_at: later },
          { ...row, due_at: past },
        ],
      },
    ],
    not: [{ [table]: [] }, { [table]: [{ ...row, due_at: later }] }, ...overRows],
  }
}

/** A table with one row, which is due as the first and not as the others. */
function single(table: string, due: Row, ...not: readonly Row[]): Case {
  return { due: [{ [table]: [due] }], not: [{ [table]: [] }, ...not.map((row) => ({ [table]: [row] }))] }
}

const looks = ['recent', 'day', 'week', 'returned']
const passes = (due_at: string) => looks.map((look) => ({ connection: pixConnection, look, due_at }))
const reconciled: Case = {
  due: [
    { reconciliation: [], connection: [] },
    { reconciliation: passes(later).slice(1), connection: [] },
    { reconciliation: [...passes(later).slice(1), ...passes(past).slice(0, 1)], connection: [] },
    { reconciliation: passes(past), connection: [{ id: pixConnection, polled_until: later }] },
  ],
  not: [
    { reconciliation: passes(later), connection: [] },
    { reconciliation: passes(past), connection: [{ id: pixConnection, polled_until: past }] },
  ],
}

const counted = {
  merchant: [{ id }],
  event_counter: [{ merchant_id: id, sequence: 7 }],
  insight_watermark: [{ merchant_id: id, sequence: 7, is_whole: true }],
  insight_created: [],
}
const unsealed = { audit_unsealed: [{ id }], audit_log: [{ id }], audit_seal: [] }
const noFiles = { sepa_batch: [], sepa_payout: [] }
const noCoins = { coin_move: [], chain_tx: [], deposit_address: [], chain: [{ key: 'bsc' }] }
const move = { id, chain: 'bsc', sender: address, value: 5, state: 'FINAL' }

const cases: Readonly<Record<string, Case>> = {
  inbox: {
    due: [false, true].map((crowded) => ({
      inbox: [{ connection: 'c', parked: false, crowded, due_at: past }],
    })),
    not: [true, false].map((parked) => ({
      inbox: [{ connection: 'c', parked, crowded: false, due_at: parked ? past : later }],
    })),
  },
  deliveries: single('delivery_due', { merchant_id: id, due_at: later }),
  rehearsals: durable('rehearsal', { status: 'RUNNING' }, { status: 'DONE' }),
  tally: {
    due: [{ head: [{ transfer: 100 }], tally_watermark: [{ transfer: 68 }] }],
    not: [
      { head: [{ transfer: 100 }], tally_watermark: [{ transfer: 69 }] },
      { head: [], tally_watermark: [{ transfer: 0 }] },
    ],
  },
  'figures of the overview': {
    due: [
      { ...counted, event_counter: [{ merchant_id: id, sequence: 8 }] },
      { ...counted, insight_watermark: [] },
      { ...counted, insight_watermark: [{ merchant_id: id, sequence: 7, is_whole: false }] },
      { ...counted, insight_created: [{ merchant_id: id, id: 1 }] },
    ],
    not: [counted],
  },
  'metadata keys': durable('metadata_key', { status: 'FILLING' }, { status: 'READY' }),
  expiry: single(
    'payment',
    { status: 'PENDING', expires_at: past },
    { status: 'PENDING', expires_at: later },
    { status: 'PAID', expires_at: past },
  ),
  releases: single(
    'release',
    { release_at: past },
    { release_at: later },
    { release_at: past, released_at: past },
  ),
  'failing endpoints': single('webhook_endpoint_failing', { disable_at: past }, { disable_at: later }, {}),
  'enabled endpoints': single('webhook_endpoint', { status: 'STARTING' }, { status: 'ENABLED' }),
  'deleted endpoints': single(
    'webhook_endpoint',
    { status: 'DELETED', is_cleared: false },
    { status: 'DELETED', is_cleared: true },
    { status: 'ENABLED', is_cleared: false },
  ),
  'webhook recoveries': single(
    'webhook_recovery',
    { status: 'RUNNING', due_at: past },
    { status: 'RUNNING', due_at: later },
    { status: 'DONE', due_at: past },
  ),
  'seals of the audit log': {
    due: [unsealed],
    not: [
      { ...unsealed, audit_unsealed: [] },
      { ...unsealed, audit_seal: [{ id }] },
      { ...unsealed, audit_log: [] },
    ],
  },
  withdrawals: durable('withdrawal_due'),
  'payout schedules': single('payout_schedule', { next_run_at: past }, { next_run_at: later }, {}),
  refunds: durable('refund_due'),
  cancellations: durable('attempt_closing'),
  'lost charges': durable('lost_closing', {}, { ended_at: past }),
  captures: durable('authorisation_order', {}, { ended_at: past }),
  checks: durable('attempt_check'),
  evidence: durable('dispute_evidence_due'),
  reconciliation: reconciled,
  'jobs of operators': durable('operator_job', { status: 'QUEUED' }, { status: 'DONE' }),
  'files of payments': {
    due: [
      { ...noFiles, sepa_batch: [{ id }] },
      { ...noFiles, sepa_payout: [{ state: 'WAITING' }] },
    ],
    not: [noFiles, { sepa_batch: [{ id, taken_at: past }], sepa_payout: [{ state: 'BATCHED' }] }],
  },
  'clocks of sandboxes': durable('clock_advance'),
  coins: {
    due: [
      { ...noCoins, coin_move: [move] },
      { ...noCoins, coin_move: [move], deposit_address: [{ chain: 'bsc', address, held: 5 }] },
      { ...noCoins, chain_tx: [{ id, chain: 'bsc', gas_gwei: 1, gas_booked: false }] },
    ],
    not: [
      noCoins,
      { ...noCoins, coin_move: [{ ...move, state: 'SEEN' }] },
      { ...noCoins, coin_move: [{ ...move, booked_as: 'MOVED' }] },
      { ...noCoins, coin_move: [move], deposit_address: [{ chain: 'bsc', address, held: 4 }] },
      { ...noCoins, chain_tx: [{ id, chain: 'bsc', gas_gwei: 1, gas_booked: true }] },
    ],
  },
}

async function judge(isDue: IsDue, { due, not }: Case): Promise<void> {
  for (const [rows, expected] of [
    ...due.map((each) => [each, true] as const),
    ...not.map((each) => [each, false] as const),
  ]) {
    const [seen] = await onRows(sql, rows, (tx) => selectDueNow(tx, [isDue]))
    assert.equal(seen, expected, JSON.stringify(rows))
  }
}

/** The parts of a worker that the glance wakes. */
function rooms(): readonly Room[] {
  const watched: Room[] = []
  const glance = { watch: (room: Room) => watched.push(room), close: () => Promise.resolve() }
  const core = { ...world.core, glance }
  const bank = () => Promise.reject(new Error('no bank is called here'))
  workerParts(core, { simulators: () => Promise.resolve([]), sepaBank: bank })
  coinParts(core)
  return watched
}

test('each part that the glance wakes has its rows here', () => {
  const names = new Set(rooms().map(({ name }) => name))
  names.delete('payout reconciliation')
  assert.deepEqual([...names].sort(), Object.keys(cases).sort())
})

for (const [name, rows] of Object.entries(cases))
  test(`${name}: woken while there is something to do, and not otherwise`, async () => {
    const found = rooms().find((room) => room.name === name)
    assert.ok(found)
    await judge(found.isDue, rows)
  })

test('a sweep: woken while one is under way, and while an address holds enough and is free', async () => {
  const held = { chain: 'bsc', address, held: 100 }
  const none = { sweep: [], deposit_address: [held], coin_move: [] }
  await judge(isSweepDue('bsc', 100n), {
    due: [
      none,
      { ...none, sweep: [{ chain: 'bsc', address, due_at: past }] },
      { ...none, deposit_address: [], sweep: [{ chain: 'bsc', address, tx: id }] },
    ],
    not: [
      { ...none, deposit_address: [{ ...held, held: 99 }] },
      { ...none, deposit_address: [{ ...held, chain: 'other' }] },
      { ...none, sweep: [{ chain: 'bsc', address, due_at: later }] },
      { ...none, coin_move: [{ chain: 'bsc', sender: address }] },
    ],
  })
})

test('a wallet: woken while it has something to send or to follow, or a reason to wait', async () => {
  const wallet = { chain: 'bsc', address }
  const none = { hot_wallet: [wallet], chain_tx: [], lost_signature: [] }
  const tx = { id, chain: 'bsc', purpose: 'SWEEP', wallet: address }
  await judge(isWalletDue({ chain: 'bsc', address: `0x${'01'.repeat(20)}` }, 'SWEEP'), {
    due: [
      { ...none, hot_wallet: [{ ...wallet, waiting: 'GAS' }] },
      { ...none, chain_tx: [{ ...tx, state: 'QUEUED', wallet: null }] },
      ...['RESERVED', 'SIGNED', 'BROADCAST', 'MINED'].map((state) => ({
        ...none,
        chain_tx: [{ ...tx, state }],
      })),
      { ...none, lost_signature: [{ chain: 'bsc', wallet: address, is_recorded: false }] },
    ],
    not: [
      none,
      { ...none, chain_tx: [{ ...tx, state: 'FINAL' }] },
      { ...none, chain_tx: [{ ...tx, state: 'QUEUED', purpose: 'REFILL' }] },
      { ...none, chain_tx: [{ ...tx, state: 'QUEUED', chain: 'other' }] },
      { ...none, lost_signature: [{ chain: 'bsc', wallet: address, is_recorded: true }] },
    ],
  })
})
