// What an erasure leaves: every column of the database is searched for what was known of the payer.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { verify } from '#/audit/verify.ts'
import { leastId } from '#/db/lists.ts'
import { must } from '#/kernel/check.ts'
import { createSealer } from '#/sealing/seal.ts'
import { at, assertFits, document } from '../../test/contract/document.ts'
import type { Tenant } from '../../test/contract/world.ts'
import {
  columnsWith,
  openPayerWorld,
  payerTaxId,
  type FullPayment,
  type PayerWorld,
} from '../../test/payer-world.ts'
import type { Row } from '../../test/refund-world.ts'
import { erasePayer, isAny, previewErasure, type ErasedCounts } from './erase.ts'
import { payerPlaces } from './places.ts'
import { selectPaymentsOf } from './queries.ts'

let world: PayerWorld
let tenant: Tenant
let other: FullPayment
before(async () => {
  world = await openPayerWorld()
  tenant = await world.dashboard.base.openTenant()
  // Of the same payer, at another merchant.
  other = await world.fullPayment('70011007', await world.dashboard.base.openTenant())
})
after(() => world[Symbol.asyncDispose]())

const cell = 'a1'
const by = { kind: 'OPERATOR', id: 'ana@host' } as const
const order = ({ tenant: of, id }: Pick<FullPayment, 'tenant' | 'id'>) => ({
  merchantId: of.id,
  paymentId: id,
  by,
  reason: 'request 17',
})
/** In steps of one event, receipt or refund: nothing is left out between them. */
const erase = (payment: Pick<FullPayment, 'tenant' | 'id'>, onStep?: (counts: ErasedCounts) => void) =>
  erasePayer({ sql: world.owner, cell, pageRows: 1 }, order(payment), onStep)
const preview = async ({ tenant: of, id }: Pick<FullPayment, 'tenant' | 'id'>) =>
  must((await previewErasure(world.owner, of.id, [id]))[0], 'a preview')

const keptColumns = payerPlaces.filter(({ fate }) => fate !== 'ERASED').map(({ column }) => column)

/** The world's payments get an attempt by a method that they do not offer, at a connection that is not there. */
const ofTestRails = /at a connection that is not there|which it does not offer|at something else$/

/** What verify finds, and counts of erasures, after everything is sealed. */
async function verified() {
  const { base } = world.dashboard
  const sealer = createSealer({ sql: base.sql, lane: base.lane })
  while ((await sealer.poll()) > 0);
  const { faults, checked } = await verify(base.sql, { cell, auditKey: base.auditKey })
  const count = (what: string) =>
    checked.find((each) => each.inspection === 'erasures' && each.what === what)?.count ?? 0
  return {
    faults: faults.filter(({ what }) => !ofTestRails.test(what)),
    bodies: count('erased bodies'),
    evidence: count('erased evidence'),
    requests: count('erased requests'),
  }
}

/** Every row that an erasure may change, as text. */
async function everything(): Promise<string> {
  const tables = [
    'event',
    'receipt',
    'payment',
    'refund',
    'attempt',
    'erasure',
    'erased',
    'audit_log',
    'delivery_attempt',
  ]
  const texts = await Promise.all(
    tables.map(async (table) => {
      const [row] = await world.owner<{ text: string }[]>`
        select coalesce(string_agg(each::text, ' ' order by each::text), '') as text from ${world.owner(table)} as each`
      return must(row, table).text
    }),
  )
  return texts.join('\n')
}

async function eventsOf({ tenant: { key } }: FullPayment): Promise<readonly Row[]> {
  const { body } = await world.dashboard.ask({ key }, 'GET', '/v1/events?limit=100')
  return body['data'] as Row[]
}

describe('the data of a payer', () => {
  let payment: FullPayment
  const mark = '40399304'
  before(async () => {
    payment = await world.fullPayment(mark, tenant)
  })

  test('stands in every column that an erasure clears', async () => {
    const found = await columnsWith(world.owner, mark)
    const cleared = payerPlaces.filter(({ fate }) => fate === 'ERASED').map(({ column }) => column)
    // The index has only the hash of a value.
    assert.deepEqual(found, cleared.filter((column) => column !== 'metadata_value.value_hash').toSorted())
  })

  test('is shown before, and showing it changes nothing', async () => {
    const earlier = await everything()
    const indexed = await world.owner`select 1 from metadata_value where record_id = ${payment.id}`
    const copies = await world.owner`
      select 1 from sandbox_inbox where position(${mark} in convert_from(body, 'UTF8')) > 0`
    const { why, counts } = await preview(payment)
    assert.equal(why, undefined)
    assert.ok(counts.bodies >= 4 && counts.evidence >= 5 && counts.answers >= 4, JSON.stringify(counts))
    // The payment's and the refund's; the attempt, the texts and the file of the evidence, the index of metadata, and the sandbox's copies.
    assert.deepEqual([counts.requests, counts.others], [2, 3 + indexed.length + copies.length])
    assert.ok(indexed.length > 0 && copies.length > 0)
    assert.equal(await everything(), earlier)
  })

  test('goes from every column but those that are listed as kept, after a crash between two steps too', async () => {
    const clean = await verified()
    assert.deepEqual(clean.faults, [])
    assert.equal(clean.bodies, 0)
    const before = (await eventsOf(payment)).map(({ sequence, id, type }) => ({ sequence, id, type }))
    const shown = await preview(payment)
    let first: ErasedCounts | undefined
    await assert.rejects(
      erase(payment, (counts) => {
        first = counts
        throw new Error('the process dies')
      }),
      /the process dies/,
    )
    // A first step was committed: verify holds, and the payment is still found by its payer.
    const half = await verified()
    assert.deepEqual(half.faults, [])
    assert.ok(half.bodies > 0 && half.requests === 0)
    const page = { after: leastId, limit: 10 }
    assert.deepEqual(await selectPaymentsOf(world.owner, tenant.id, { taxId: payerTaxId }, page), [
      payment.id,
    ])
    const email = `zelia.${mark}@PAGADORA.example`
    assert.deepEqual(await selectPaymentsOf(world.owner, tenant.id, { email }, page), [payment.id])

    const verdict = await erase(payment)
    assert.equal(verdict.kind, 'erased')
    // What was shown before is what was erased.
    for (const name of Object.keys(shown.counts) as (keyof ErasedCounts)[])
      assert.equal(must(first, 'a first step')[name] + verdict.counts[name], shown.counts[name], name)
    for (const text of [mark, `Zélia ${mark}`]) {
      const left = await columnsWith(world.owner, text)
      assert.deepEqual(
        left.filter((column) => !keptColumns.includes(column)),
        [],
      )
    }
    const indexed = await world.owner`select 1 from metadata_value where record_id = ${payment.id}`
    assert.equal(indexed.length, 0)
    assert.deepEqual(await selectPaymentsOf(world.owner, tenant.id, { taxId: payerTaxId }, page), [])
    const done = await verified()
    assert.deepEqual(done.faults, [])
    assert.ok(done.bodies >= 4 && done.evidence >= 5, JSON.stringify(done))
    assert.equal(done.requests, 1)
    // Numbers, ids and types are as they were.
    assert.deepEqual(
      (await eventsOf(payment)).map(({ sequence, id, type }) => ({ sequence, id, type })),
      before,
    )
  })

  test('a second time nothing is changed', async () => {
    const earlier = await everything()
    const verdict = await erase(payment)
    assert.ok(verdict.kind === 'erased' && !isAny(verdict.counts))
    assert.ok(!isAny((await preview(payment)).counts))
    assert.equal(await everything(), earlier)
  })

  test('what its payer typed on the page alone is erased, too', async () => {
    await world.owner`
      update payment set payer = '{"email":"later@pagadora.example"}' where merchant_id = ${tenant.id} and id = ${payment.id}`
    const only = { bodies: 0, evidence: 0, requests: 1, answers: 0, others: 0 }
    assert.deepEqual((await preview(payment)).counts, only)
    assert.deepEqual(await erase(payment), { kind: 'erased', counts: only })
    assert.deepEqual((await columnsWith(world.owner, 'later@pagadora')).length, 0)
  })

  test('is written down by who erased it and why, without a word of it', async () => {
    const rows = await world.owner<{ actor: string; reason: string; after: Row; text: string }[]>`
      select actor_kind || ' ' || actor_id as actor, reason, after, audit_log::text as text
        from audit_log where action = 'payer.erase' and subject = ${`payment:${payment.id}`} order by id`
    assert.ok(rows.length >= 3)
    for (const { actor, reason, text } of rows) {
      assert.deepEqual([actor, reason], ['OPERATOR ana@host', 'request 17'])
      assert.ok(!text.includes(mark) && !text.includes(payerTaxId))
    }
    // An entry names its erasure where texts were written down, and none where only what has no fingerprint went.
    const erasures = await world.owner<{ id: string }[]>`
      select id from erasure where merchant_id = ${tenant.id} and payment_id = ${payment.id}`
    const named = rows.flatMap(({ after: { erasure } }) => (erasure === undefined ? [] : [erasure]))
    assert.deepEqual(new Set(named), new Set(erasures.map(({ id }) => id)))
    assert.ok(named.length < rows.length)
  })

  test('the API says that it was erased: payment, event and refund keep what the books keep', async () => {
    const { dashboard } = world
    const shown = (await dashboard.ask(tenant, 'GET', '/v1/payments/{id}', { id: payment.id })).body
    assert.equal(typeof shown['payerErasedAt'], 'string')
    assert.deepEqual([shown['amount'], shown['status'], shown['customerName']], [1234, 'PAID', undefined])
    const erased = (await eventsOf(payment)).filter(({ erasedAt }) => erasedAt !== undefined)
    assert.ok(erased.length >= 4)
    for (const event of erased) {
      const { body } = await dashboard.ask(tenant, 'GET', '/v1/events/{id}', { id: String(event['id']) })
      assert.deepEqual(body, event)
      const name = String(event['type'])
        .split(/[._]/)
        .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
        .join('')
      assertFits(at(document, 'components', 'schemas', `${name}Event`), body, name)
    }
    const refund = await dashboard.read(tenant, payment.refundId)
    assert.deepEqual([refund['status'], refund['amount'], refund['reason']], ['COMPLETED', 100, undefined])
    const explained = await dashboard.ask(tenant, 'GET', '/v1/payments/{id}/explain', { id: payment.id })
    assert.equal(explained.status, 200)
  })

  test('the same request again answers the same payment, without it; another one is refused as before', async () => {
    const { dashboard } = world
    const again = await dashboard.ask(tenant, 'POST', '/v1/payments', { body: payment.body })
    assert.equal(again.status, 201)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.equal(again.body['id'], payment.id)
    assert.ok(!again.text.includes(mark), again.text)
    const changed = await dashboard.ask(tenant, 'POST', '/v1/payments', {
      body: { ...payment.body, customerName: 'Another' },
    })
    assert.equal(changed.status, 409)
  })

  test('a delivery that is sent again has the erased body, which says so', async () => {
    const { dashboard } = world
    const event = must(
      (await eventsOf(payment)).find(({ type }) => type === 'payment.completed'),
      'the event',
    )
    const { body } = await dashboard.ask(tenant, 'GET', `/v1/deliveries?eventId=${String(event['id'])}`)
    const [first] = body['data'] as Row[]
    const count = world.sent().length
    const { status } = await dashboard.ask(tenant, 'POST', '/v1/deliveries/{id}/resend', {
      id: String(first?.['id']),
    })
    assert.equal(status, 202)
    await world.deliver()
    const sent = world.sent().slice(count)
    assert.equal(sent.length, 1)
    assert.match(sent[0] ?? '', /"erasedAt":"/)
    assert.ok(!sent[0]?.includes(mark))
  })

  test('what comes later is erased by the next run', async () => {
    const { dashboard } = world
    const late = { amount: 50, reason: `depois-${mark}` }
    const { status, text } = await dashboard.refund(tenant, payment.id, late)
    assert.equal(status, 201, text)
    const verdict = await erase(payment)
    assert.ok(verdict.kind === 'open' && /refund/.test(verdict.why))
    await dashboard.work()
    await world.deliver()
    assert.equal((await erase(payment)).kind, 'erased')
    assert.deepEqual(
      (await columnsWith(world.owner, mark)).filter((column) => !keptColumns.includes(column)),
      [],
    )
    assert.deepEqual((await verified()).faults, [])
  })

  test('of another merchant stays, whose payer has the same tax id', async () => {
    const shown = (await world.dashboard.ask(other.tenant, 'GET', '/v1/payments/{id}', { id: other.id })).body
    assert.deepEqual(
      [shown['customerTaxId'], shown['customerName']],
      [payerTaxId, 'Zélia 70011007 Quintanilha'],
    )
    assert.equal((await columnsWith(world.owner, '70011007')).length >= 15, true)
  })
})

test('a payment that is open is left, and why is said', async () => {
  const id = await world.dashboard.payment(tenant)
  const verdict = await erase({ tenant, id })
  assert.ok(verdict.kind === 'open' && /^is (?:PENDING|WAITING_PAYMENT)/.test(verdict.why))
  assert.match((await preview({ tenant, id })).why ?? '', /can still be paid/)
})

describe('verify finds', () => {
  /** Changes a row with the guards off, looks, and puts it back. */
  async function tampered(table: string, change: string, back: string): Promise<readonly string[]> {
    const run = (statement: string) =>
      world.owner.unsafe(
        `begin; alter table ${table} disable trigger user; ${statement}; alter table ${table} enable trigger user; commit`,
      )
    await run(change)
    try {
      return (await verified()).faults.map(({ row, what }) => `${row} ${what}`)
    } finally {
      await run(back)
    }
  }

  async function bodyOf(isErased: boolean): Promise<{ readonly where: string; readonly body: string }> {
    const of = isErased ? tenant.id : other.tenant.id
    const [event] = await world.owner<{ sequence: bigint; body: string }[]>`
      select sequence, body from event where merchant_id = ${of} and type = 'payment.completed' order by sequence limit 1`
    const { sequence, body } = must(event, 'an event')
    return { where: `merchant_id = '${of}' and sequence = ${sequence}`, body: body.replaceAll("'", "''") }
  }

  test('a body that somebody blanked without an erasure', async () => {
    const { where, body } = await bodyOf(false)
    const faults = await tampered(
      'event',
      `update event set body = '{}' where ${where}`,
      `update event set body = '${body}' where ${where}`,
    )
    assert.ok(
      faults.some((each) => /^batch \d+ has another hash/.test(each)),
      faults.join('\n'),
    )
  })

  test('an erased body that was changed afterwards', async () => {
    const { where, body } = await bodyOf(true)
    const faults = await tampered(
      'event',
      `update event set body = replace(body, '"amount":1234', '"amount":9999') where ${where}`,
      `update event set body = '${body}' where ${where}`,
    )
    assert.ok(
      faults.some((each) => /^erased event\.body .* is not what its erasure left/.test(each)),
      faults.join('\n'),
    )
  })

  test('a body that was erased by a row of nobody', async () => {
    const { where, body } = await bodyOf(false)
    const id = '019a0000-0000-7000-8000-000000000001'
    const faults = await tampered(
      'event',
      `insert into erasure (id, merchant_id, payment_id, erased_by, digest)
         values ('${id}', '${other.tenant.id}', '${other.id}', 'nobody', sha256('x'));
       insert into erased select merchant_id, 'event.body', sequence::text, '${id}', sha256(convert_to(body, 'UTF8')), sha256('{}')
         from event where ${where};
       update event set body = '{}' where ${where}`,
      `update event set body = '${body}' where ${where};
       alter table erased disable trigger user; delete from erased where erasure_id = '${id}'; alter table erased enable trigger user;
       alter table erasure disable trigger user; delete from erasure where id = '${id}'; alter table erasure enable trigger user`,
    )
    assert.ok(
      faults.some((each) => each === `erasure ${id} has no entry in the audit log`),
      faults.join('\n'),
    )
    assert.ok(faults.some((each) => /is not of the texts that are written down/.test(each)))
  })

  test('a row of an erasure that was removed: the text that it explained is explained no more', async () => {
    const faults = await tampered(
      'erased',
      `create table kept_aside as select * from erased where place = 'payment.request'; delete from erased where place = 'payment.request'`,
      `insert into erased select * from kept_aside; drop table kept_aside`,
    )
    assert.ok(
      faults.some((each) => /has another fingerprint than its request makes/.test(each)),
      faults.join('\n'),
    )
    assert.ok(faults.some((each) => /is not of the texts that are written down/.test(each)))
    assert.deepEqual((await verified()).faults, [])
  })

  test('nothing that the application may do: its role erases nothing, and the owner nothing that is not written down', async () => {
    const { where } = await bodyOf(false)
    await assert.rejects(
      world.dashboard.base.sql.unsafe(`insert into erasure default values`),
      /permission denied/,
    )
    await assert.rejects(world.dashboard.base.sql.unsafe(`delete from erased`), /permission denied/)
    await assert.rejects(world.owner.unsafe(`update event set body = '{}' where ${where}`), /append-only/)
    await assert.rejects(world.owner.unsafe(`delete from erased`), /append-only/)
  })
})

test('a payment that another merchant has is not there', async () => {
  const found = await previewErasure(world.owner, tenant.id, [other.id])
  assert.deepEqual(found, [])
})
