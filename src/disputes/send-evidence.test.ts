// What becomes of evidence that is due: by its provider's answer, and how much of it is sent at a time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import type { Sql } from '#/db/client.ts'
import { ProviderError } from '#/kernel/error.ts'
import type { EvidenceSender } from '#/rails/disputes.ts'
import type { Rail, Rails } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { fieldOf } from '../../test/bare-lane.ts'
import { bareId, onRows, type BareRows, type RowsTx } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { partly } from '../../test/partly.ts'
import { createEvidenceWorker } from './send-evidence.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [merchant, payment, attempt] = [1, 2, 3].map(bareId)
const past = '2026-11-22T00:00:00Z'

/** So many disputes with submitted evidence that is due, which was claimed `takes` times before. */
function rowsOf(count: number, takes = 0): BareRows {
  const numbers = Array.from({ length: count }, (_, index) => index + 11)
  const of = numbers.map((number) => ({ merchant_id: merchant, dispute_id: bareId(number) }))
  return {
    merchant: [{ id: merchant, mode: 'LIVE' }],
    attempt: [{ merchant_id: merchant, id: attempt, payment_id: payment, method: 'CREDIT_CARD' }],
    dispute: numbers.map((number) => ({
      merchant_id: merchant,
      id: bareId(number),
      payment_id: payment,
      connection: 'bank',
      provider_ref: `d${number}`,
      status: 'OPEN',
      currency: 'EUR',
    })),
    receipt: numbers.map((number) => ({
      merchant_id: merchant,
      payment_id: payment,
      attempt_id: attempt,
      connection: 'bank',
      provider_ref: `d${number}`,
    })),
    dispute_evidence: of.map((each) => ({ ...each, status: 'SENDING', texts: {}, submission_id: bareId(9) })),
    dispute_evidence_due: of.map((each) => ({ ...each, connection: 'bank', due_at: past, takes })),
    dispute_evidence_file: [],
  }
}

function workerOn(tx: RowsTx, submit: EvidenceSender['submit'], happened: unknown[] = []) {
  const rails: Rails = new Map([
    [
      'CREDIT_CARD',
      partly<Rail>({ disputes: { accept: async () => [], evidence: partly<EvidenceSender>({ submit }) } }),
    ],
  ])
  return createEvidenceWorker({
    sql: tx,
    rails,
    log: pino({ level: 'warn' }, { write: (line: string) => void happened.push(fieldOf(line, 'msg')) }),
    settle: async (receipts) => happened.push(`settles ${receipts.length}`),
  })
}

test('evidence is sent when its provider has taken it; one that refuses it ends the submission, and any other failure does not', async () => {
  const failed = 'the item failed: it is tried again later'
  const taken = [partly<Receipt>({}), partly<Receipt>({})]
  const refusal = new ProviderError('refused', 'file_1 is unreadable')
  const cases: readonly (readonly [
    given: { readonly answer: readonly Receipt[] | Error; readonly takes?: number },
    expected: readonly unknown[],
  ])[] = [
    [{ answer: taken }, ['submits', 'settles 2', 'SENT', 0]],
    [{ answer: [] }, ['submits', 'settles 0', 'SENT', 0]],
    [{ answer: taken, takes: 1 }, ['looks up', 'settles 2', 'SENT', 0]],
    [{ answer: refusal }, ['submits', 'a provider refused evidence', 'REFUSED', 0]],
    [{ answer: new ProviderError('unavailable', 'x') }, ['submits', failed, 'SENDING', 1]],
    [{ answer: new Error('x') }, ['submits', failed, 'SENDING', 1]],
  ]
  for (const [index, [{ answer, takes = 0 }, expected]] of cases.entries())
    await onRows(sql, rowsOf(1, takes), async (tx) => {
      const happened: unknown[] = []
      const submit: EvidenceSender['submit'] = async (order, again) => {
        happened.push(again ? 'looks up' : 'submits')
        assert.equal(await order.mayLeave(), true)
        if (answer instanceof Error) throw answer
        return answer
      }
      assert.equal(await workerOn(tx, submit, happened).once(), 1)
      const [row] = await tx<{ status: string; due: number }[]>`
        select status, (select count(*)::integer from dispute_evidence_due) as due from dispute_evidence`
      assert.deepEqual([...happened, row?.status, row?.due], expected, `case ${index}`)
    })
})

test('submissions hold their files in memory: at most eight are claimed at a time, and two of one connection', async () => {
  await onRows(sql, rowsOf(9), async (tx) => {
    assert.equal(await workerOn(tx, async () => []).once(), 8)
  })
  await onRows(sql, rowsOf(3), async (tx) => {
    const [second, ended] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
    let started = 0
    const worker = workerOn(tx, async () => {
      started += 1
      if (started === 2) second.resolve(undefined)
      await ended.promise
      return []
    })
    const stop = new AbortController()
    const running = worker.run(stop.signal)
    await second.promise
    assert.equal((await tx`select 1 from dispute_evidence_due where takes = 1`).length, 2)
    stop.abort()
    ended.resolve(undefined)
    await running
  })
})
