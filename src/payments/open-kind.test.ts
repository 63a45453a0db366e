// What a provider's answer to an opening changes: of the attempt, of its payment, and which other attempts are closed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RailFields } from '#/contract/payment-rail-fields.ts'
import type { Sql } from '#/db/client.ts'
import { given } from '#/kernel/given.ts'
import type { AttemptId } from '#/kernel/id.ts'
import { addMs, minuteMs } from '#/kernel/time.ts'
import type { Opened } from '#/rails/rail.ts'
import { at, earlier, ours } from '../../test/bare-attempts.ts'
import {
  attemptOf,
  attemptRows,
  numberOf,
  paymentOf,
  paymentRow,
  paymentTables,
  railsThatOpen,
} from '../../test/bare-payments.ts'
import { onRows, type RowsTx } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { runOnRows } from '../../test/kind-on-rows.ts'
import { openKind, type OpenItem } from './open-kind.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

type Row = Readonly<Record<string, unknown>>

const artifacts = { id: 'A' }
const accepted: Opened = { ok: true, artifacts }
const refusal = { code: 'payer_refused', message: 'no' }
const refused: Opened = { ok: false, ...refusal }
const itemOf = (number: number, change: Partial<OpenItem> = {}): OpenItem => ({
  merchantId: ours,
  paymentId: paymentOf(number),
  attemptId: attemptOf(number, 1),
  method: 'CREDIT_CARD',
  opened: accepted,
  isAnswered: false,
  ...change,
})

/** Payments of which `describe` read what their rail adds. */
const described: string[] = []
const rails = railsThatOpen(
  {},
  {
    record: {
      from: 'TABLES',
      async describe(_sql, refs) {
        described.push(...refs.map(({ paymentId }) => paymentId))
        return new Map(refs.map(({ paymentId }) => [paymentId, { described: true } as RailFields]))
      },
      deposits: async () => ({ data: [] }),
      findByTx: async () => [],
    },
  },
)

const numbers = (rows: readonly { readonly id: AttemptId }[]) => rows.map(({ id }) => numberOf(id))

/** Opens one attempt, or some, of the payment 0, which has these attempts. */
async function open(
  payment: Row,
  items: readonly Partial<OpenItem>[] = [{}],
  { attempts = [{}], receipt = [] }: { attempts?: readonly Row[]; receipt?: readonly Row[] } = {},
  also: (tx: RowsTx) => Promise<void> = async () => {},
) {
  const queues = { attempt_closing: [], attempt_check: [] }
  const tables = {
    ...paymentTables([paymentRow(0, payment)], attemptRows(0, attempts)),
    ...queues,
    receipt: receipt.map((row) => ({ merchant_id: ours, payment_id: paymentOf(0), ordinal: 1, ...row })),
  }
  return onRows(sql, tables, async (tx) => {
    const asked = items.map((item) => itemOf(0, item))
    const { verdicts, events } = await runOnRows(tx, openKind(rails), asked, { at })
    await also(tx)
    const [row] = await tx<Row[]>`select status, version, method, expires_at, last_error from payment`
    const ids = (table: string) =>
      tx<{ id: AttemptId }[]>`select attempt_id as id from ${tx(table)} order by 1`
    return {
      row,
      verdicts,
      events,
      types: events.map(({ type }) => type as string),
      closed: numbers(await ids('attempt_closing')),
      checked: numbers(await ids('attempt_check')),
      kept: numbers(await tx`select id from attempt where artifacts is not null order by 1`),
    }
  })
}

const checkout = { request: { amount: 100, checkout: 'shop' }, methods: ['CREDIT_CARD', 'PIX'] }
const pending = { status: 'PENDING' }

test('an opening makes a pending payment wait, which is news unless the creation’s answer says so', async () => {
  const first = await open(pending)
  assert.deepEqual([first.row?.['status'], first.row?.['version']], ['WAITING_PAYMENT', 2])
  assert.deepEqual([first.kept, first.checked, first.closed], [[1], [1], []])
  assert.deepEqual(
    first.events.map(({ type, data }) => [type, data['status'], data['described']]),
    [['payment.waiting', 'WAITING_PAYMENT', true]],
  )
  const answered = await open(pending, [{ isAnswered: true }])
  assert.deepEqual([answered.row?.['status'], answered.types], ['WAITING_PAYMENT', []])
  const again = await open({})
  assert.deepEqual([again.row?.['version'], again.types, again.kept, again.closed], [1, [], [1], []])
})

test('what a provider opens for a payment that ended is kept, and nobody is to pay it any more', async () => {
  const attempts = [{}, {}, { method: 'PIX' }]
  for (const status of ['EXPIRED', 'FAILED', 'CANCELED']) {
    const { row, types, kept, closed } = await open({ status }, [{}], { attempts })
    assert.deepEqual([row?.['status'], types, kept, closed], [status, [], [1], [1, 2]])
  }
})

test('an attempt that opens while another one was paid or authorised is closed, and the paid one is not', async () => {
  const attempts = [{}, { artifacts }, {}]
  for (const [status, outcome] of [
    ['PAID', 'paid'],
    ['APPROVED', 'authorised'],
  ]) {
    const receipt = [{ attempt_id: attemptOf(0, 2), outcome }]
    const { row, kept, closed } = await open({ status }, [{}], { attempts, receipt })
    assert.deepEqual([row?.['status'], kept, closed], [status, [1, 2], [1]])
  }
})

test('only the first opening of an attempt counts', async () => {
  const { verdicts, row, kept } = await open({}, [{ opened: refused }], { attempts: [{ artifacts }] })
  assert.deepEqual(verdicts[0]?.attempt, { id: attemptOf(0, 1), artifacts })
  assert.deepEqual([row?.['version'], row?.['last_error'], kept], [1, null, [1]])
  const other: Opened = { ok: true, artifacts: { id: 'B' } }
  const both = await open(pending, [{}, { opened: other }])
  assert.deepEqual(
    both.verdicts.map(({ payment, attempt }) => [payment.status, attempt?.artifacts]),
    [
      ['WAITING_PAYMENT', artifacts],
      ['WAITING_PAYMENT', artifacts],
    ],
  )
  assert.deepEqual([both.types, both.row?.['version']], [['payment.waiting'], 2])
})

test('two attempts that open together make the payment wait once', async () => {
  const { types, row, kept } = await open(pending, [{}, { attemptId: attemptOf(0, 2) }], {
    attempts: [{}, {}],
  })
  assert.deepEqual([types, row?.['version'], kept], [['payment.waiting'], 2, [1, 2]])
})

test('an attempt without a provider is open with its row', async () => {
  const { opened: _none, ...item } = itemOf(0, { method: 'CRYPTO' })
  await onRows(sql, paymentTables([paymentRow(0, pending)], attemptRows(0, [{}])), async (tx) => {
    const { verdicts } = await runOnRows(tx, openKind(rails), [item], { at })
    assert.deepEqual(
      verdicts.map(({ payment, attempt }) => [payment.status, attempt]),
      [['WAITING_PAYMENT', { id: attemptOf(0, 1), artifacts: {} }]],
    )
    assert.deepEqual(
      [...(await tx`select artifacts, refusal from attempt`)],
      [{ artifacts: null, refusal: null }],
    )
  })
})

test('the payer’s choice counts while the payment can be paid and no other choice was made since', async () => {
  const end = addMs(at, minuteMs)
  const chosen = { before: 'CREDIT_CARD', end } as const
  const [byPix, byCard] = [
    ['PIX', end],
    ['CREDIT_CARD', addMs(at, 1_000)],
  ] as const
  const cases: readonly (readonly [payment: Row, chosen: OpenItem['chosen'], ends: readonly unknown[]])[] = [
    [{}, chosen, byPix],
    [pending, chosen, byPix],
    [{}, { end, before: undefined }, byCard],
    [{ status: 'EXPIRED' }, chosen, byCard],
    [{ status: 'PAID' }, chosen, byCard],
    [{}, undefined, byCard],
  ]
  for (const [payment, choice, ends] of cases) {
    const item = { method: 'PIX', ...given({ chosen: choice }) } as const
    const { row } = await open({ ...checkout, ...payment }, [item])
    assert.deepEqual([row?.['method'], row?.['expires_at']], ends, JSON.stringify([payment, choice]))
  }
})

test('a payment fails when its last way to be paid is refused, which is news unless the creation’s answer says so', async () => {
  for (const status of ['PENDING', 'WAITING_PAYMENT']) {
    const { row, types, events } = await open({ status }, [{ opened: refused }])
    const error = { ...refusal, method: 'CREDIT_CARD' }
    assert.deepEqual([row?.['status'], row?.['version'], row?.['last_error']], ['FAILED', 2, error])
    assert.deepEqual([types, events[0]?.data['described']], [['payment.failed'], true])
  }
  const answered = await open(pending, [{ opened: refused, isAnswered: true }])
  assert.deepEqual([answered.row?.['status'], answered.types], ['FAILED', []])
  const ended = await open({ status: 'EXPIRED' }, [{ opened: refused }])
  assert.deepEqual([ended.row?.['status'], ended.row?.['version'], ended.types], ['EXPIRED', 1, []])
})

test('a refusal is kept with the attempt, with its moment', async () => {
  const said = { said: 'Nao autorizado', isOfPayer: true } as const
  for (const more of [{}, said])
    await open(
      { status: 'EXPIRED' },
      [{ opened: { ok: false, ...refusal, ...more } }],
      { attempts: [{}, {}] },
      async (tx) => {
        const rows = await tx`select refusal from attempt order by id`
        assert.deepEqual(
          rows.map(({ refusal: kept }) => kept as unknown),
          [{ ...refusal, at: at.toISOString(), ...more }, null],
        )
      },
    )
})

test('a refused payment goes on while money came, an attempt is open, or the payer has another method or other data', async () => {
  /** Before the refused one. */
  const older = { id: attemptOf(0, 0) }
  const [pix, before] = [{ method: 'PIX' }, { ...refusal, at: earlier.toISOString() }]
  const ofPayer: Opened = { ok: false, ...refusal, isOfPayer: true }
  const hosted = { artifacts: { presentation: 'HOSTED' }, asked: { presentation: 'HOSTED' } }
  const past = { artifacts: { ...artifacts, expiresAt: at.toISOString() } }
  const cases: readonly (readonly [
    what: string,
    status: string,
    payment: Row,
    attempts?: readonly Row[],
    answer?: Opened,
  ])[] = [
    ['a cent came', 'WAITING_PAYMENT', { received_minor: 1 }],
    ['a cent is seen', 'WAITING_PAYMENT', { seen_minor: 1 }],
    ['another attempt is open', 'WAITING_PAYMENT', {}, [{}, { ...older, artifacts }]],
    ['another attempt is open on its own page', 'WAITING_PAYMENT', {}, [{}, { ...older, ...hosted }]],
    ['another attempt was open', 'FAILED', {}, [{}, { ...older, ...past }]],
    ['a method was not tried', 'WAITING_PAYMENT', checkout],
    ['a method has not answered', 'WAITING_PAYMENT', checkout, [{}, pix]],
    ['all methods were refused', 'FAILED', checkout, [{}, { ...pix, refusal: before }]],
    ['other data may do', 'WAITING_PAYMENT', { ...checkout, methods: ['CREDIT_CARD'] }, [{}], ofPayer],
    ['no page asks for other data', 'FAILED', {}, [{}], ofPayer],
  ]
  for (const [what, status, payment, attempts = [{}], answer = refused] of cases) {
    const { row, types } = await open(payment, [{ opened: answer }], { attempts })
    assert.deepEqual([row?.['status'], types.length], [status, status === 'FAILED' ? 1 : 0], what)
  }
})

test('refusals of one batch follow each other', async () => {
  const items = [{}, { attemptId: attemptOf(0, 2), method: 'PIX' } as const]
  const { row, types } = await open(
    checkout,
    items.map((item) => ({ ...item, opened: refused })),
    { attempts: [{}, { method: 'PIX' }] },
  )
  assert.deepEqual([row?.['status'], row?.['version'], types], ['FAILED', 3, ['payment.failed']])
})

test('only payments that may get an event are described', async () => {
  const describedOf = async (payment: Row, item: Partial<OpenItem>) => {
    described.length = 0
    await open(payment, [item])
    return described.length
  }
  assert.equal(await describedOf(pending, {}), 1)
  assert.equal(await describedOf({}, {}), 0)
  assert.equal(await describedOf({}, { opened: refused }), 1)
  assert.equal(await describedOf(pending, { isAnswered: true }), 0)
  assert.equal(await describedOf({}, { opened: refused, isAnswered: true }), 0)
})
