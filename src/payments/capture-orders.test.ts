// How an order to end an authorisation is carried out, and what becomes of it after each answer of its provider, on a test's own rows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import type { Sql } from '#/db/client.ts'
import type { Inquiry } from '#/jobs/claim.ts'
import { must } from '#/kernel/check.ts'
import { AppError, ProviderError } from '#/kernel/error.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { Receipt } from '#/rails/receipt.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { at, bank, ours } from '../../test/bare-attempts.ts'
import {
  attemptOf,
  attemptRows,
  paymentOf,
  paymentRow,
  paymentTables,
  railsThatOpen,
} from '../../test/bare-payments.ts'
import { onRows, type RowsTx } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { runOnRows } from '../../test/kind-on-rows.ts'
import { partly } from '../../test/partly.ts'
import { authorisationKind } from './capture-kind.ts'
import { createCapturer, type Capturer } from './capture.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

type Row = Readonly<Record<string, unknown>>

const ref = { merchantId: ours, paymentId: paymentOf(0) }
const authorised = {
  merchant_id: ours,
  payment_id: ref.paymentId,
  attempt_id: attemptOf(0, 1),
  connection: bank,
  outcome: 'authorised',
  booked_minor: 100,
  ordinal: 1,
}
/** An order that is due, and that nobody has sent. */
const order = {
  merchant_id: ours,
  payment_id: ref.paymentId,
  attempt_id: attemptOf(0, 1),
  connection: bank,
  kind: 'CAPTURE',
  amount_minor: 70,
  authorised_minor: 100,
  is_asked: true,
  sends: 0,
  created_at: at,
  due_at: at,
}
const receipt = partly<Receipt>({ outcome: 'paid' })

type Provider = (tx: RowsTx) => Promise<readonly Receipt[]>
const says: Provider = async () => [receipt]
const fails = (outcome: 'unavailable' | 'refused') => async () => {
  throw new ProviderError(outcome, 'no')
}
/** Another process has claimed the order since, and the provider refuses what this one asked for. */
const overtaken: Provider = async (tx) => {
  await tx`update authorisation_order set sends = sends + 1`
  throw new ProviderError('refused', 'no')
}

/** Asks with this provider. `status`: what settling its answer makes of the payment. */
async function ask(
  by: (capturer: Capturer) => Promise<unknown>,
  provider: Provider,
  {
    status = 'APPROVED',
    before = 'APPROVED',
    orders = [],
  }: { status?: string; before?: string; orders?: readonly Row[] } = {},
) {
  const tables = {
    ...paymentTables([paymentRow(0, { status: before })], attemptRows(0, [{ artifacts: {} }])),
    receipt: [authorised],
    authorisation_order: orders,
  }
  return onRows(sql, tables, async (tx) => {
    await tx`alter table pg_temp.authorisation_order alter column sends set default 0`
    const [calls, settled, logged]: [string[], (Inquiry | undefined)[], number[]] = [[], [], []]
    const call = (what: string) => {
      calls.push(what)
      return provider(tx)
    }
    const authorisations = {
      capture: ({ amount }: { readonly amount: { readonly minor: bigint } }) =>
        call(`capture ${amount.minor}`),
      void: () => call('void'),
    }
    const submit: LedgerLane<EventDraft>['submit'] = async (kind, item) => {
      const { verdicts } = await runOnRows(tx, kind, [item], { at })
      return must(verdicts[0], 'a verdict')
    }
    const capturer = createCapturer({
      sql: tx,
      rails: railsThatOpen({}, { authorisations }),
      lane: partly<LedgerLane<EventDraft>>({ submit }),
      kind: authorisationKind(),
      log: pino(
        {},
        { write: (line: string) => void logged.push((JSON.parse(line) as { level: number }).level) },
      ),
      async settle(receipts, inquiry) {
        assert.deepEqual(receipts, [receipt])
        settled.push(inquiry)
        await tx`update payment set status = ${status}`
      },
    })
    const answer = await by(capturer).catch((error: unknown) => {
      assert.ok(error instanceof AppError, String(error))
      return error
    })
    const [left] = await tx<{ sends: number; waits: number }[]>`
      select sends, extract(epoch from due_at - statement_timestamp())::float8 as waits from authorisation_order`
    return { answer, calls, settled, logged, left }
  })
}

const capture = (capturer: Capturer) => capturer.capture(ref, 70n)
const cancel = (capturer: Capturer) => capturer.cancel(ref)
const worker = (capturer: Capturer) => capturer.sendDue()
const codeOf = (answer: unknown) => (answer instanceof AppError ? answer.code : answer)
const [warning, fault] = [40, 50]

test('an order is carried out at once, and its answer is settled as of its claim', async () => {
  const captured = await ask(capture, says, { status: 'PAID' })
  assert.deepEqual([captured.calls, captured.left?.sends], [['capture 70'], 1])
  assert.ok(captured.settled[0]?.at instanceof Date)
  assert.ok(!(captured.answer instanceof Error))
  assert.deepEqual((await ask(cancel, says, { status: 'CANCELED' })).calls, ['void'])
})

test('concurrent calls for one authorisation are one request', async () => {
  const { calls } = await ask((capturer) => Promise.all([capture(capturer), capture(capturer)]), says)
  assert.deepEqual(calls, ['capture 70'])
})

test('a payment that stays APPROVED is the answer, and one that ended otherwise is an error', async () => {
  assert.ok(!((await ask(capture, says)).answer instanceof Error))
  assert.equal(codeOf((await ask(capture, says, { status: 'EXPIRED' })).answer), 'invalid_state')
  assert.equal(codeOf((await ask(cancel, says, { status: 'PAID' })).answer), 'invalid_state')
})

test('a provider that does not answer is asked again by the next worker', async () => {
  const { answer, calls, logged, left } = await ask(capture, fails('unavailable'))
  assert.ok(answer instanceof AppError && answer.code === 'provider_unavailable')
  assert.deepEqual([answer.retryAfterMs, answer.extra['paymentId']], [2_000, ref.paymentId])
  assert.deepEqual([calls.length, logged], [1, [warning]])
  assert.ok(left !== undefined && left.waits <= 0)
})

test('an order that its provider refuses is dropped, unless another process has claimed it since', async () => {
  const refused = await ask(capture, fails('refused'))
  assert.deepEqual(
    [codeOf(refused.answer), refused.left, refused.logged],
    ['invalid_state', undefined, [warning]],
  )
  const late = await ask(capture, overtaken)
  assert.deepEqual(
    [codeOf(late.answer), late.left?.sends, late.logged],
    ['provider_unavailable', 2, [warning, warning]],
  )
})

test('a worker asks for what is due, and again later until the provider is done', async () => {
  const again = await ask(worker, says, { orders: [{ ...order, sends: 4 }] })
  assert.deepEqual([again.answer, again.calls, again.settled.length], [1, ['capture 70'], 1])
  // 16 s after the fifth claim, and not the minute of a lease.
  assert.ok(again.left !== undefined && again.left.waits > 0 && again.left.waits <= 16)
  const silent = await ask(worker, fails('unavailable'), { orders: [order] })
  assert.deepEqual([silent.calls.length, silent.left?.sends, silent.logged], [1, 1, [warning]])
  const broken = await ask(worker, async () => assert.fail('broken'), { orders: [order] })
  assert.deepEqual([broken.left?.sends, broken.logged], [1, [warning]])
})

test('a worker drops what its provider refuses, which a person should know', async () => {
  const { left, logged } = await ask(worker, fails('refused'), { orders: [order] })
  assert.deepEqual([left, logged], [undefined, [fault]])
  const late = await ask(worker, overtaken, { orders: [order] })
  assert.deepEqual([late.left?.sends, late.logged], [2, [fault, warning]])
})

test('the answer says why there is no authorisation to end', async () => {
  const whyNot = async (by: typeof capture, before: string, orders: readonly Row[] = []) => {
    const { answer, calls } = await ask(by, says, { before, orders })
    assert.ok(answer instanceof AppError && answer.code === 'invalid_state')
    assert.deepEqual([calls, answer.extra['paymentStatus']], [[], before])
    return answer.message
  }
  const voiding = { ...order, kind: 'VOID', amount_minor: null }
  assert.match(await whyNot(capture, 'PAID'), /captured already\.$/)
  assert.match(await whyNot(cancel, 'PAID'), /A refund returns the money/)
  assert.match(await whyNot(capture, 'EXPIRED'), /It is EXPIRED\.$/)
  assert.match(await whyNot(cancel, 'APPROVED', [order]), /70 of it is being captured/)
  assert.match(await whyNot(capture, 'APPROVED', [voiding]), /being voided/)
  assert.match(await whyNot(capture, 'CANCELED', [{ ...voiding, ended_at: at }]), /It is CANCELED\.$/)
})

test('more than is authorised, and another payment, are refused without a request', async () => {
  const more = await ask((capturer) => capturer.capture(ref, 101n), says)
  assert.deepEqual([codeOf(more.answer), more.calls], ['limit_exceeded', []])
  const other = await ask((capturer) => capturer.capture({ ...ref, paymentId: paymentOf(9) }), says)
  assert.deepEqual([codeOf(other.answer), other.calls], ['not_found', []])
})
