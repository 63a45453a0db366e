// The steps of an erasure on a test's own rows: pages of any size erase the same, each step says what it did, and a second run does nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId, PaymentId } from '#/kernel/id.ts'
import { poolOn } from '../../test/bare-lane.ts'
import { bareId, onRows, type BareRows, type RowsTx } from '../../test/bare-rows.ts'
import { fileDatabase } from '../../test/file-database.ts'
import { erasePayer, previewErasure, type ErasedCounts } from './erase.ts'

let sql: Sql
fileDatabase((owner) => (sql = owner))

const [merchantId, paymentId] = [bareId(1) as MerchantId, bareId(2) as PaymentId]
const of = { merchant_id: merchantId, payment_id: paymentId }
const payment = {
  merchant_id: merchantId,
  id: paymentId,
  status: 'PAID',
  amount_minor: 100,
  currency: 'BRL',
  created_at: '2027-01-01T00:00:00Z',
  request: { amount: 100, customerName: 'Zélia' } as object,
  payer: { name: 'Zélia' } as object | null,
  seen_minor: 0,
  unreleased_minor: 0,
}
const body = (data: object) => JSON.stringify({ data })
const event = { merchant_id: merchantId, resource_id: paymentId, type: 'payment.completed' }
const named = body({ id: paymentId, customerName: 'Zélia' })

const tables = {
  head: [{ cell: 't1', batch: 0 }],
  turn: [{}],
  payment: [payment],
  attempt: [{ ...of, id: bareId(3), method: 'PIX', asked: { name: 'Zélia' } }],
  event: [
    { ...event, sequence: 1, id: bareId(11), body: named },
    { ...event, sequence: 2, id: bareId(12), body: body({ id: paymentId }) },
    { ...event, sequence: 3, id: bareId(13), body: named },
  ],
  delivery: [1, 2].map((sequence) => ({
    merchant_id: merchantId,
    id: bareId(20 + sequence),
    event_sequence: sequence,
  })),
  delivery_attempt: [21, 22].map((id) => ({
    merchant_id: merchantId,
    delivery_id: bareId(id),
    response_body: 'Zélia',
  })),
  sandbox_inbox: [{ headers: { 'webhook-id': bareId(11) } }, { headers: { 'webhook-id': bareId(99) } }],
  receipt: [1, 2, 3].map((ordinal) => ({ ...of, ordinal, attempt_id: bareId(3), evidence: '\\x01' })),
  refund: [31, 32].map((id) => ({
    ...of,
    id: bareId(id),
    status: 'COMPLETED',
    request: { reason: 'Zélia' },
  })),
  dispute: [],
  dispute_evidence: [],
  dispute_evidence_file: [],
  metadata_key: [],
  metadata_value: [],
  erasure: [],
  erased: [],
  audit_log: [],
} satisfies BareRows

const nothing: ErasedCounts = { bodies: 0, evidence: 0, requests: 0, answers: 0, others: 0 }
const order = {
  merchantId,
  paymentId,
  by: { kind: 'OPERATOR', id: 'ana' },
  reason: 'asked',
} as const

async function auditedIn(tx: RowsTx): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const rows = await tx<
    { after: Readonly<Record<string, unknown>> }[]
  >`select after from audit_log order by id`
  return rows.map(({ after }) => after)
}

/** Erases, and reads what was told and written. */
async function erase(tx: RowsTx, pageRows?: number) {
  const steps: ErasedCounts[] = []
  const deps = { sql: poolOn(tx), cell: 't1', ...given({ pageRows }) }
  const verdict = await erasePayer(deps, order, (counts) => steps.push(counts))
  return { verdict, steps }
}

test('pages of any size erase the same, each under the lock of the books', async () => {
  for (const pageRows of [1, 2, 3, undefined])
    await onRows(sql, tables, async (tx) => {
      const counts = { bodies: 2, evidence: 3, requests: 3, answers: 2, others: 2 }
      const { verdict, steps } = await erase(tx, pageRows)
      assert.deepEqual(verdict, { kind: 'erased', counts })
      assert.deepEqual(steps.at(-1), counts)
      const left = await tx<{ text: string }[]>`
        select event.body as text from event union all select response_body from delivery_attempt
        union all select refund.request::text from refund union all select encode(evidence, 'hex') from receipt
        union all select payment.request::text || coalesce(payer::text, '') from payment
        union all select asked::text from attempt`
      assert.ok(
        left.every(({ text }) => !/Zélia|01$/.test(text ?? '')),
        JSON.stringify(left),
      )
      const places =
        await tx`select place || ' ' || count(*) as text from erased group by place order by place`
      assert.deepEqual(
        places.map((row) => row['text'] as unknown),
        ['event.body 2', 'payment.request 1', 'receipt.evidence 3', 'refund.request 2'],
      )
      assert.equal((await tx`select from sandbox_inbox`).length, 1)
      const [head] = await tx`select xmax::text <> '0' as held from head`
      assert.equal(head?.['held'], true)
    })
})

test('each step that erased something has its entry in the audit log, with the digest of its texts where there are any', async () => {
  const rows = { ...tables, payment: [{ ...payment, request: { amount: 100 } }] }
  await onRows(sql, rows, async (tx) => {
    const { steps } = await erase(tx, 1)
    const audited = await auditedIn(tx)
    assert.deepEqual(
      audited.map(({ erasure, digest, ...counts }) => [counts, erasure !== undefined, digest !== undefined]),
      [
        [{ ...nothing, bodies: 1, answers: 1, others: 1 }, true, true],
        [{ ...nothing, answers: 1 }, false, false],
        [{ ...nothing, bodies: 1 }, true, true],
        ...[1, 2, 3].map(() => [{ ...nothing, evidence: 1 }, true, true]),
        ...[1, 2].map(() => [{ ...nothing, requests: 1 }, true, true]),
        // The payer goes, and the request has nothing of the payer.
        [{ ...nothing, requests: 1, others: 1 }, false, false],
      ],
    )
    assert.equal(steps.length, audited.length)
    assert.equal((await tx`select from erasure`).length, 7)
  })
})

test('what is erased is not erased again', async () => {
  await onRows(sql, tables, async (tx) => {
    await erase(tx)
    const before = await auditedIn(tx)
    assert.deepEqual(await erase(tx), { verdict: { kind: 'erased', counts: nothing }, steps: [] })
    assert.deepEqual(await auditedIn(tx), before)
  })
})

test('an open payment is left as it is, and why is said', async () => {
  const rows = { ...tables, payment: [{ ...payment, status: 'WAITING_PAYMENT' }] }
  await onRows(sql, rows, async (tx) => {
    const { verdict, steps } = await erase(tx)
    const why = 'is WAITING_PAYMENT: it can still be paid or canceled'
    assert.deepEqual([verdict, steps], [{ kind: 'open', why, counts: nothing }, []])
    const [found] = await previewErasure(poolOn(tx), merchantId, [paymentId])
    assert.equal(found?.why, why)
  })
})

test('a preview counts what an erasure would erase of the records, and changes nothing', async () => {
  const counted = { bodies: 2, evidence: 3, requests: 3, answers: 2, others: 2 }
  const cases: readonly (readonly [change: object, requests: number])[] = [
    [{}, 3],
    [{ payer: null }, 3],
    [{ request: { amount: 100 } }, 3],
    [{ request: { amount: 100 }, payer: null }, 2],
  ]
  for (const [change, requests] of cases)
    await onRows(sql, { ...tables, payment: [{ ...payment, ...change }] }, async (tx) => {
      const [found] = await previewErasure(poolOn(tx), merchantId, [paymentId])
      assert.ok(found !== undefined && !('why' in found))
      assert.deepEqual(found.counts, { ...counted, requests })
      const { verdict } = await erase(tx)
      assert.deepEqual(verdict.counts, { ...counted, requests })
    })
})
