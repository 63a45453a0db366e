// Which disputes, and which evidence, each statement finds and changes: beside the one that it is about, rows that differ in one column.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { ApiKeyId, ConnectionId, DisputeId, Id, MerchantId, PaymentId } from '#/kernel/id.ts'
import { bareId, beside, onRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import type { Dispute } from './dispute.ts'
import * as evidence from './evidence-queries.ts'
import * as queries from './queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [ours, theirs] = [bareId(1) as MerchantId, bareId(2) as MerchantId]
const [first, second, third] = [bareId(11), bareId(12), bareId(13)]
const bank = 'bank' as ConnectionId
const future = '2999-01-01T00:00:00Z'
const key = { merchantId: ours, disputeId: first as DisputeId }
const of = { merchant_id: ours, dispute_id: first }
/** The columns of what belongs to the dispute: of another merchant, and of another dispute. */
const elsewhere = [{ merchant_id: theirs }, { dispute_id: second }] as const
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)

test('a merchant lists its own disputes by id, payment, currency and state', async () => {
  const row = { merchant_id: ours, payment_id: third, status: 'OPEN', currency: 'BRL' }
  const tables = {
    merchant: [ours, theirs].map((id) => ({ id, mode: 'LIVE' })),
    dispute: [
      { ...row, id: bareId(21) },
      { ...row, id: bareId(22), payment_id: second },
      { ...row, id: bareId(23), currency: 'EUR' },
      { ...row, id: bareId(24), status: 'WON' },
      { ...row, id: bareId(25), merchant_id: theirs },
      { ...row, id: bareId(21), merchant_id: theirs },
    ],
  }
  await onRows(sql, tables, async (tx) => {
    const find = async (filter: object) =>
      idsOf(await queries.listDisputes(tx, ours, { limit: 9, ...filter })).map((id) => Number(id.slice(-2)))
    const cases = [
      [{}, [24, 23, 22, 21]],
      [{ id: bareId(22) }, [22]],
      [{ id: bareId(25) }, []],
      [{ id: bareId(21), paymentId: second }, []],
      [{ paymentId: third }, [24, 23, 21]],
      [{ paymentId: third, currency: 'BRL' }, [24, 21]],
      [{ paymentId: third, status: 'OPEN' }, [23, 21]],
      [{ currency: 'BRL', status: 'OPEN' }, [22, 21]],
    ] as const
    for (const [filter, found] of cases) assert.deepEqual(await find(filter), found, JSON.stringify(filter))
  })
})

test('the attempt of a dispute is that of its own receipt', async () => {
  const receipt = {
    merchant_id: ours,
    payment_id: third,
    attempt_id: first,
    connection: bank,
    provider_ref: 'd1',
  }
  const others = [
    { merchant_id: theirs },
    { payment_id: second },
    { connection: 'other' },
    { provider_ref: 'd2' },
  ]
  const tables = {
    attempt: [
      { merchant_id: ours, id: second, payment_id: third, method: 'PIX' },
      { merchant_id: theirs, id: second, payment_id: third, method: 'PIX' },
      { merchant_id: ours, id: first, payment_id: third, method: 'CARD' },
    ],
    receipt: [...beside({ ...receipt, attempt_id: second }, ...others), receipt],
  }
  const dispute = { merchantId: ours, connection: bank, providerRef: 'd1' } as Dispute
  const found = await onRows(sql, tables, (tx) =>
    queries.selectDisputedAttempt(tx, dispute, third as PaymentId),
  )
  assert.deepEqual(found, { id: first, merchantId: ours, paymentId: third, method: 'CARD' })
})

test('evidence and files are of one dispute of one merchant', async () => {
  const by = bareId(41) as ApiKeyId
  const file = { ...of, id: third, kind: 'RECEIPT', bytes: '\\x00', digest: '\\x00' }
  const note = (text: string) => ({ statement: text })
  const tables = {
    dispute_evidence: [
      ...beside({ ...of, texts: note('theirs'), version: 1 }, ...elsewhere),
      { ...of, texts: note('ours'), version: 1 },
    ],
    dispute_evidence_file: [
      ...beside({ ...file, id: second }, ...elsewhere),
      file,
      { ...file, kind: 'OTHER', id: first },
    ],
  }
  await onRows(sql, tables, async (tx) => {
    assert.deepEqual((await evidence.selectEvidence(tx, key))?.texts, note('ours'))
    assert.deepEqual(idsOf(await evidence.selectFiles(tx, key)), [first, third])
    assert.deepEqual(idsOf(await evidence.selectFileContents(tx, key)), [first, third])
    await evidence.writeTexts(tx, key, note('new'), by)
    const texts = await tx`select merchant_id, dispute_id from dispute_evidence where version = 2`
    assert.deepEqual([...texts], [of])
    await evidence.deleteFiles(tx, key, ['RECEIPT'])
    assert.equal((await tx`select 1 from dispute_evidence_file`).length, 3)
    assert.deepEqual(idsOf(await evidence.selectFiles(tx, key)), [first])
  })
})

test('evidence is locked of the dispute alone, as a draft where there was none', async () => {
  const by = bareId(41) as ApiKeyId
  for (const dispute_evidence of beside({ ...of, status: 'SENT', texts: {} }, ...elsewhere).map((each) => [
    each,
  ]))
    await onRows(sql, { dispute_evidence }, async (tx) => {
      const { merchantId, disputeId, status } = await evidence.lockEvidence(tx, key, by)
      assert.deepEqual([merchantId, disputeId, status], [ours, first, 'DRAFT'])
    })
})

const due = { ...of, connection: bank, due_at: future, takes: 3 }
const unheld = beside(due, ...elsewhere, { takes: 4 })
const claimed: evidence.DueEvidence = {
  ...key,
  submissionId: third as Id<'evidence-submission'>,
  texts: {},
  claim: { id: first, connection: bank, number: 3, trace: null },
}
const superseded = { ...claimed, claim: { ...claimed.claim, number: 9 } }

test('a submission begins, and ends under its own claim alone', async () => {
  const tables = {
    dispute_evidence: [of, ...beside({ ...of, status: 'DRAFT' }, ...elsewhere)],
    dispute_evidence_due: [],
  }
  await onRows(sql, tables, async (tx) => {
    const by = bareId(41) as ApiKeyId
    await evidence.beginSubmission(tx, key, { id: claimed.submissionId, by, connection: bank })
    const sending = await tx`select merchant_id, dispute_id from dispute_evidence where status = 'SENDING'`
    assert.deepEqual([...sending], [of])
    assert.equal((await tx`select 1 from dispute_evidence_due`).length, 1)
  })
  const held = {
    dispute_evidence: [of, ...beside({ ...of, status: 'SENDING' }, ...elsewhere)],
    dispute_evidence_due: [due, ...unheld],
  }
  await onRows(sql, held, async (tx) => {
    await evidence.endSubmission(tx, superseded, undefined)
    assert.equal((await tx`select 1 from dispute_evidence_due`).length, unheld.length + 1)
    await evidence.endSubmission(tx, claimed, 'too late')
    assert.equal((await tx`select 1 from dispute_evidence_due`).length, unheld.length)
    const refused = await tx`
      select merchant_id, dispute_id from dispute_evidence where status = 'REFUSED' and failure = 'too late'`
    assert.deepEqual([...refused], [of])
  })
})

test('a claim holds its own row until another worker takes it', async () => {
  await onRows(sql, { dispute_evidence_due: [due, ...unheld] }, async (tx) => {
    assert.equal(await evidence.isClaimed(tx, claimed), true)
    assert.equal(await evidence.isClaimed(tx, superseded), false)
    assert.equal(await evidence.postponeEvidence(tx, claimed, 1_000), true)
    const moved =
      await tx`select merchant_id, dispute_id, takes from dispute_evidence_due where due_at < ${future}`
    assert.deepEqual([...moved], [{ ...of, takes: 3 }])
    assert.equal(await evidence.postponeEvidence(tx, superseded, 1_000), false)
  })
})

test('evidence comes in time before its instant; without one it always does', async () => {
  const row = { merchant_id: ours, id: first, status: 'OPEN' }
  const standing = (dispute: Readonly<Record<string, unknown>>) =>
    onRows(
      sql,
      { dispute: [...beside({ ...row, status: 'LOST' }, { merchant_id: theirs }, { id: second }), dispute] },
      (tx) => evidence.selectStanding(tx, key),
    )
  assert.deepEqual(await standing(row), { status: 'OPEN', isInTime: true })
  assert.deepEqual(await standing({ ...row, evidence_due_at: future }), { status: 'OPEN', isInTime: true })
  const past = '2026-11-22T00:00:00Z'
  assert.deepEqual(await standing({ ...row, evidence_due_at: past }), { status: 'OPEN', isInTime: false })
})
