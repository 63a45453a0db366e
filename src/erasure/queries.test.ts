// Which rows an erasure finds and changes: of one merchant and one payment, and of them only those that have something of the payer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import { leastId } from '#/db/lists.ts'
import type { MerchantId, PaymentId } from '#/kernel/id.ts'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { whyOpen } from './erase.ts'
import * as queries from './queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [ours, theirs] = [bareId(1) as MerchantId, bareId(2) as MerchantId]
const [wanted, other] = [bareId(11) as PaymentId, bareId(12) as PaymentId]
const key = { merchantId: ours, paymentId: wanted }
const of = { merchant_id: ours, payment_id: wanted }
/** The columns of a row of the payment: of another merchant, and of another payment. */
const elsewhere = [{ merchant_id: theirs }, { payment_id: other }] as const
const [first, second, third] = [bareId(21), bareId(22), bareId(23)]

const payment = {
  merchant_id: ours,
  id: wanted,
  status: 'PAID',
  request: {},
  amount_minor: 1,
  seen_minor: 0,
  unreleased_minor: 0,
}

/** Why the payment is open, with these rows beside it. */
async function whyWith(tables: BareRows, change: object = {}): Promise<string | undefined> {
  const rows = {
    payment: [
      { ...payment, ...change },
      { ...payment, id: other },
    ],
    ...tables,
  }
  const [subject] = await onRows(sql, rows, (tx) => queries.selectSubjects(tx, ours, [wanted]))
  return subject && whyOpen(subject)
}

test('only the payments of the merchant that were asked for are found, in their order', async () => {
  const rows = [
    { ...payment, id: third },
    payment,
    { ...payment, id: other },
    { ...payment, merchant_id: theirs, id: first },
  ]
  const found = await onRows(sql, { payment: rows }, (tx) =>
    queries.selectSubjects(tx, ours, [third, wanted, first, second] as PaymentId[]),
  )
  assert.deepEqual(
    found.map(({ id }) => id),
    [wanted, third],
  )
})

test('a payment is open while money, a refund, a dispute, its evidence or a query of its own is', async () => {
  const [ourAttempt, otherAttempt] = [
    { merchant_id: ours, id: first, payment_id: wanted },
    { merchant_id: ours, id: second, payment_id: other },
  ]
  const attempt = [ourAttempt, otherAttempt]
  const refund = { ...of, id: first, status: 'COMPLETED' }
  const dispute = { ...of, id: first, status: 'WON' }
  const evidence = { merchant_id: ours, dispute_id: first, status: 'SENDING' }
  const money = /money that is not final/
  const [query, sending] = [/has to be queried/, /being sent/]
  const rows: readonly (readonly [tables: BareRows, why: RegExp | undefined, change?: object])[] = [
    [{}, undefined],
    [{}, /can still be paid/, { status: 'WAITING_PAYMENT' }],
    [{}, money, { seen_minor: 1 }],
    [{}, money, { unreleased_minor: 1 }],
    [{ release: [of] }, money],
    [
      { release: [...beside({ ...of }, ...elsewhere), { ...of, released_at: '2026-11-22T00:00:00Z' }] },
      undefined,
    ],
    [{ refund: [{ ...refund, status: 'PENDING' }] }, /a refund without an end/],
    [{ refund: [refund, ...beside({ ...refund, status: 'PENDING' }, ...elsewhere)] }, undefined],
    [{ refund: [refund], refund_due: [{ merchant_id: ours, refund_id: first }] }, /a refund without an end/],
    [{ refund: [refund], refund_due: [{ merchant_id: ours, refund_id: second }] }, undefined],
    [{ dispute: [{ ...dispute, status: 'OPEN' }] }, /an open dispute/],
    [{ dispute: [dispute, ...beside({ ...dispute, status: 'OPEN' }, ...elsewhere)] }, undefined],
    [{ dispute: [dispute], dispute_evidence: [evidence] }, sending],
    [
      {
        dispute: [dispute, { ...dispute, id: second, payment_id: other }],
        dispute_evidence: [
          { ...evidence, dispute_id: second },
          { ...evidence, status: 'SENT' },
        ],
      },
      undefined,
    ],
    [{ attempt }, undefined],
    ...['attempt_closing', 'attempt_check', 'authorisation_order'].flatMap((table) => [
      [{ attempt, [table]: [{ merchant_id: ours, attempt_id: first }] }, query] as const,
      [{ attempt, [table]: [{ merchant_id: ours, attempt_id: second }] }, undefined] as const,
    ]),
    [
      {
        attempt,
        authorisation_order: [{ merchant_id: ours, attempt_id: first, ended_at: '2026-11-22T00:00:00Z' }],
      },
      undefined,
    ],
  ]
  for (const [tables, why, change] of rows) {
    const found = await whyWith(tables, change)
    assert.match(found ?? 'ended', why ?? /^ended$/, JSON.stringify({ tables, change }))
  }
})

/** Texts of one hash each: only the comparison of the texts tells them apart. */
const [one, two] = ['00000021006', '00000155396'] as const
const [ana, eva] = ['a00000091180@example.com', 'a00000103252@example.com'] as const

test('payments of a payer are those that show the same tax id or address, after an id', async () => {
  const page = { after: leastId, limit: 9 }
  const [same] =
    await sql`select hashtext(${one}) = hashtext(${two}) and hashtext(${ana}) = hashtext(${eva}) as same`
  assert.deepEqual(same, { same: true })
  const row = (number: number, more: object) => ({ ...payment, id: bareId(number), ...more })
  const rows = {
    payment: [
      row(31, { request: { customerTaxId: one, customerEmail: ana.toUpperCase() } }),
      row(32, { request: {}, payer: { taxId: one, email: ana } }),
      row(33, { request: { customerTaxId: two, customerEmail: eva }, payer: { taxId: one, email: ana } }),
      row(34, { request: {} }),
      row(35, { request: { customerTaxId: one, customerEmail: ana }, merchant_id: theirs }),
    ],
  }
  const find = (by: queries.KnownBy, from = page) =>
    onRows(sql, rows, (tx) => queries.selectPaymentsOf(tx, ours, by, from))
  assert.deepEqual(await find({ taxId: one }), [bareId(31), bareId(32)])
  assert.deepEqual(await find({ email: ana }), [bareId(31), bareId(32)])
  assert.deepEqual(await find({ taxId: one }, { after: bareId(31), limit: 9 }), [bareId(32)])
  assert.deepEqual(await find({ taxId: one }, { after: leastId, limit: 1 }), [bareId(31)])
})

test('events of the payment, its refunds and its disputes are found, and which of them are erased', async () => {
  const child = { ...of, id: first }
  const event = { merchant_id: ours, type: 'payment.completed', body: '{}' }
  const erased = { merchant_id: ours, place: 'event.body', key: '2' }
  const rows = {
    refund: [child, ...beside({ ...of, id: bareId(41) }, ...elsewhere)],
    dispute: [{ ...of, id: second }, ...beside({ ...of, id: bareId(42) }, ...elsewhere)],
    event: [wanted, first, second, bareId(41), bareId(42), other]
      .map((resource, index) => ({ ...event, sequence: index + 1, resource_id: resource }))
      .concat([{ ...event, merchant_id: theirs, sequence: 9, resource_id: wanted }]),
    erased: [
      erased,
      ...beside({ ...erased, key: '1' }, { place: 'receipt.evidence' }, { merchant_id: theirs }),
    ],
  }
  const find = (page: { after: bigint; limit: number }) =>
    onRows(sql, rows, (tx) => queries.selectEventsOf(tx, key, page))
  const found = await find({ after: 0n, limit: 9 })
  assert.deepEqual(
    found.map(({ sequence, isErased }) => [sequence, isErased]),
    [
      [1n, false],
      [2n, true],
      [3n, false],
    ],
  )
  assert.deepEqual(
    (await find({ after: 1n, limit: 1 })).map(({ sequence }) => sequence),
    [2n],
  )
})

test('receipts of the payment are found whose evidence is of no chain and not erased, after a number', async () => {
  const receipt = { ...of, attempt_id: first, evidence: '\\x00' }
  const erased = { merchant_id: ours, place: 'receipt.evidence', key: `${wanted}/3` }
  const rows = {
    attempt: [
      { ...of, id: first, method: 'PIX' },
      { ...of, id: second, method: 'CRYPTO' },
    ],
    receipt: [
      ...[1, 2, 3].map((ordinal) => ({ ...receipt, ordinal })),
      { ...receipt, ordinal: 4, attempt_id: second },
      ...beside({ ...receipt, ordinal: 5 }, ...elsewhere),
    ],
    erased: [
      erased,
      ...beside({ ...erased, key: `${wanted}/2` }, { place: 'event.body' }, { merchant_id: theirs }),
    ],
  }
  const find = async (after: number) =>
    (await onRows(sql, rows, (tx) => queries.selectReceiptsOf(tx, key, { after, limit: 9 }))).map(
      ({ ordinal }) => ordinal,
    )
  assert.deepEqual(await find(0), [1, 2])
  assert.deepEqual(await find(1), [2])
})

test('refunds of the payment are found, and which of them are erased', async () => {
  const erased = { merchant_id: ours, place: 'refund.request', key: second }
  const rows = {
    refund: [
      ...[first, second].map((id) => ({ ...of, id, request: {} })),
      ...beside({ ...of, id: third, request: {} }, ...elsewhere),
    ],
    erased: [erased, ...beside({ ...erased, key: first }, { place: 'event.body' }, { merchant_id: theirs })],
  }
  const find = async (after: string) =>
    (await onRows(sql, rows, (tx) => queries.selectRefundsOf(tx, key, { after, limit: 9 }))).map(
      ({ id, isErased }) => [id, isErased],
    )
  assert.deepEqual(await find(leastId), [
    [first, false],
    [second, true],
  ])
  assert.deepEqual(await find(first), [[second, true]])
})

test('what stands beside the books is counted and cleared as one: openings with more than their terms, refusals that say something, evidence', async () => {
  const attempt = { ...of, asked: { rest: 1 } }
  const full = { ...attempt, asked: { rest: 1, name: 'Zélia' } }
  const kept = { merchant_id: ours, dispute_id: first }
  const tables = {
    attempt: [
      { ...attempt, id: bareId(1) },
      { ...full, id: bareId(2) },
      { ...attempt, id: bareId(3), refusal: { code: 'x', said: 'the name' } },
      { ...attempt, id: bareId(4), refusal: { code: 'x' } },
      ...beside({ ...full, id: bareId(5) }, ...elsewhere),
    ],
    dispute: [{ ...of, id: first }, ...beside({ ...of, id: second }, ...elsewhere)],
    dispute_evidence: [
      { ...kept, status: 'full', texts: { note: 'Zélia' } },
      { ...kept, status: 'empty', texts: {} },
      ...beside({ ...kept, status: 'other', texts: { note: 'Zélia' } }, { dispute_id: second }),
    ],
    dispute_evidence_file: [
      { ...kept, name: 'ours' },
      { ...kept, dispute_id: second, name: 'other' },
    ],
  }
  await onRows(sql, tables, async (tx) => {
    assert.equal(await queries.countOthers(tx, key), 4)
    assert.equal(await queries.clearOthers(tx, key), 4)
    const attempts = await tx<
      { asked: unknown; refusal: unknown }[]
    >`select id, asked, refusal from attempt where id in (${bareId(2)}, ${bareId(3)}) order by id`
    assert.deepEqual(
      attempts.map(({ asked, refusal }) => [asked, refusal]),
      [
        [{ rest: 1 }, null],
        [{ rest: 1 }, { code: 'x' }],
      ],
    )
    const others = await tx`select 1 from attempt where asked ->> 'name' = 'Zélia'`
    assert.equal(others.length, 2)
    assert.equal(
      (await tx`select 1 from dispute_evidence where status = 'other' and texts <> '{}'`).length,
      1,
    )
    assert.deepEqual([...(await tx`select name from dispute_evidence_file`)], [{ name: 'other' }])
    assert.equal(await queries.countOthers(tx, key), 0)
    assert.equal(await queries.clearOthers(tx, key), 0)
  })
})

test('evidence of a dispute is cleared under its own merchant alone', async () => {
  const tables = {
    attempt: [],
    dispute: [of, { ...of, merchant_id: theirs }].map((each) => ({ ...each, id: first })),
    dispute_evidence: [{ merchant_id: theirs, dispute_id: first, texts: { note: 'x' } }],
    dispute_evidence_file: [{ merchant_id: theirs, dispute_id: first, name: 'x' }],
  }
  for (const ask of [queries.countOthers, queries.clearOthers])
    assert.equal(await onRows(sql, tables, (tx) => ask(tx, key)), 0)
})

test('answers to deliveries of the events are counted and cleared, of this merchant and these events alone', async () => {
  const delivery = { merchant_id: ours, id: first, event_sequence: 7 }
  const answer = { merchant_id: ours, delivery_id: first, response_body: 'Zélia' }
  const tables = {
    delivery: [
      delivery,
      { ...delivery, id: second, event_sequence: 8 },
      { ...delivery, merchant_id: theirs, id: third },
    ],
    delivery_attempt: [
      answer,
      { ...answer, response_body: null },
      { ...answer, delivery_id: second },
      { ...answer, merchant_id: theirs, delivery_id: third },
    ],
  }
  await onRows(sql, tables, async (tx) => {
    assert.equal(await queries.countAnswers(tx, ours, [7n]), 1)
    assert.equal(await queries.clearAnswers(tx, ours, [7n]), 1)
    const left =
      await tx`select delivery_id as id from delivery_attempt where response_body is not null order by 1`
    assert.deepEqual(
      left.map(({ id }) => id as string),
      [second, third],
    )
    assert.equal(await queries.countAnswers(tx, ours, [7n]), 0)
  })
})

test('bodies, receipts and requests change where they are named, and nowhere else', async () => {
  const tables = {
    event: [
      { merchant_id: ours, sequence: 1, body: 'a' },
      { merchant_id: ours, sequence: 2, body: 'b' },
      { merchant_id: theirs, sequence: 1, body: 'c' },
    ],
    receipt: [
      ...[1, 2].map((ordinal) => ({ ...of, ordinal, evidence: '\\x01', means: {} })),
      ...beside({ ...of, ordinal: 1, evidence: '\\x02', means: {} }, ...elsewhere),
    ],
    refund: [
      { ...of, id: first, request: {}, reason: 'a' },
      { ...of, id: second, request: {}, reason: 'b' },
      { ...of, id: first, merchant_id: theirs, request: {}, reason: 'c' },
    ],
    payment: [
      { ...payment, payer: {} },
      { ...payment, id: other, payer: {} },
      { ...payment, merchant_id: theirs, payer: {} },
    ],
  }
  await onRows(sql, tables, async (tx) => {
    await queries.updateBodies(tx, ours, [{ key: '1', text: 'new' }])
    const bodies = await tx`select body from event order by body`
    assert.deepEqual(
      bodies.map(({ body }) => body as string),
      ['b', 'c', 'new'],
    )
    await queries.clearReceipts(tx, key, [1])
    assert.equal((await tx`select 1 from receipt where evidence = '' and means is null`).length, 1)
    await queries.updateRefundRequests(tx, ours, [{ key: first, text: '{}' }])
    const reasons = await tx`select reason from refund order by reason`
    assert.deepEqual(
      reasons.map(({ reason }) => reason as string | null),
      ['b', 'c', null],
    )
    const at = new Date('2026-11-22T00:00:00Z')
    await queries.updatePayment(tx, key, { request: '{"a":1}', at })
    await queries.updatePayment(tx, key, { request: '{}', at: new Date('2026-11-23T00:00:00Z') })
    const changed = await tx`select payer_erased_at as at from payment where payer is null`
    assert.deepEqual([...changed], [{ at }])
  })
})

test('the payment leaves the index of metadata by each value that its request has', async () => {
  const index = { merchant_id: ours, key_id: 1, record_id: wanted }
  const name = { merchant_id: ours, id: 1, resource: 'PAYMENT', name: 'order' }
  const hash = async (text: string) => Number((await sql`select hashtext(${text}) as hash`)[0]?.['hash'])
  const value_hash = await hash('A-1')
  const others = [
    { merchant_id: theirs },
    { key_id: 2 },
    { key_id: 3 },
    { record_id: other },
    { value_hash: await hash('A-2') },
  ]
  const tables = {
    payment: [
      { ...payment, request: { metadata: { order: 'A-1', other: 'B' } } },
      { ...payment, id: other, request: { metadata: { order: 'A-1' } } },
      { ...payment, merchant_id: theirs, request: { metadata: { order: 'A-1' } } },
    ],
    metadata_key: [
      name,
      { ...name, id: 2, name: 'other' },
      { ...name, id: 3, resource: 'REFUND' },
      { ...name, merchant_id: theirs },
    ],
    metadata_value: [{ ...index, value_hash }, ...beside({ ...index, value_hash }, ...others)],
  }
  await onRows(sql, tables, async (tx) => {
    assert.equal(await queries.countOthers(tx, key), 1)
    assert.equal(await queries.deleteIndexed(tx, key), 1)
    assert.equal((await tx`select 1 from metadata_value`).length, others.length)
  })
})

test('copies of these events in the sandbox’s inbox are counted and removed, and no others', async () => {
  const copyOf = (event: string) => ({ headers: { 'webhook-id': event } })
  const tables = { sandbox_inbox: [copyOf(first), copyOf(second), copyOf(third)] }
  await onRows(sql, tables, async (tx) => {
    assert.equal(await queries.countSandboxCopies(tx, [first, second]), 2)
    assert.equal(await queries.deleteSandboxCopies(tx, [first, second]), 2)
    const left = await tx`select headers ->> 'webhook-id' as id from sandbox_inbox`
    assert.deepEqual([...left], [{ id: third }])
  })
})
