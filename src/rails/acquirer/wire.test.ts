// How the provider's objects are read: which fields must be there in which form, and which objects are ours.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { parseInstant } from '#/kernel/time.ts'
import {
  attemptId,
  charge,
  dispute,
  event,
  intent,
  move,
  refund,
  refundId,
  session,
} from '../../../test/rails/acquirer/objects.ts'
import * as fields from './fields.ts'
import { NonsenseError } from './fields.ts'
import {
  parseDispute,
  parseFault,
  parseHint,
  parseIntent,
  parsePage,
  parseRefund,
  parseSession,
} from './wire.ts'

type Json = Readonly<Record<string, unknown>>

const at = (value: unknown) => ({ name: 'thing', fields: { it: value } })
const read = <T>(parse: (sent: fields.Fields, field: string) => T, value: unknown) => {
  try {
    return parse(at(value), 'it')
  } catch (error) {
    assert.ok(error instanceof NonsenseError, String(error))
    assert.match(error.message, /makes no sense: thing\.it/)
    return 'nonsense'
  }
}

test('an amount is a whole number that JSON carries exactly, and below zero only where something is taken', () => {
  const [most, nonsense] = [Number.MAX_SAFE_INTEGER, 'nonsense'] as const
  for (const [value, plain, signed] of [
    [0, 0n, 0n],
    [1990, 1990n, 1990n],
    [-1, nonsense, -1n],
    [most, BigInt(most), BigInt(most)],
    [most + 1, nonsense, nonsense],
    [19.9, nonsense, nonsense],
    ['1990', nonsense, nonsense],
    [null, nonsense, nonsense],
    [undefined, nonsense, nonsense],
  ] as const) {
    assert.equal(read(fields.integer, value), plain, String(value))
    const asSigned = read((sent, field) => fields.integer(sent, field, 'signed'), value)
    assert.equal(asSigned, signed, `signed ${String(value)}`)
  }
})

test('an instant is whole seconds after 1970, before the year 5138', () => {
  for (const [value, ms] of [
    [1, 1_000],
    [1794556800, 1794556800_000],
    [99_999_999_999, 99_999_999_999_000],
    [100_000_000_000, undefined],
    [0, undefined],
    [-1, undefined],
    [1.5, undefined],
    ['1794556800', undefined],
    [null, undefined],
  ] as const) {
    assert.equal(fields.optionalInstant(at(value), 'it')?.getTime(), ms, String(value))
    const needed = read(fields.instant, value)
    assert.equal(needed instanceof Date ? needed.getTime() : needed, ms ?? 'nonsense', String(value))
  }
})

test('a text is not empty; a name is of three letters, digits and lines at least; an object is no list', () => {
  for (const [value, isText, isObject] of [
    ['x', true, false],
    ['', false, false],
    [7, false, false],
    [null, false, false],
    [undefined, false, false],
    [['x'], false, false],
    [{}, false, true],
  ] as const) {
    assert.equal(fields.optionalText(at(value), 'it') !== undefined, isText, JSON.stringify(value))
    assert.equal(read(fields.text, value) !== 'nonsense', isText)
    assert.equal(fields.isFields(value), isObject)
    assert.equal(fields.isPresent(value), isText || isObject, JSON.stringify(value))
  }
  for (const [name, isName] of [
    ['pi_1', true],
    ['ab', false],
    ['abc', true],
    ['a'.repeat(255), true],
    ['a'.repeat(256), false],
    ['../charges', false],
  ] as const)
    assert.equal(fields.isName(name), isName, name)
})

test('an object says what it is and has a name; a list has none', () => {
  const odd: readonly unknown[] = [
    undefined,
    null,
    'pi_1',
    [],
    { object: 'charge', id: 'ch_1' },
    { object: 'refund' },
    { object: 'refund', id: 7_000 },
    { object: 'refund', id: '../x' },
  ]
  for (const sent of odd)
    assert.throws(() => fields.objectOf(sent, 'refund'), NonsenseError, JSON.stringify(sent))
  assert.equal(fields.objectOf({ object: 'refund', id: 're_1' }, 'refund').name, 'refund')
  assert.equal(fields.objectOf({ object: 'list' }, 'list').name, 'list')
})

test('metadata names an attempt or a refund of ours by a UUID alone', () => {
  const named = (id: unknown) => fields.referenceIn({ name: 'x', fields: { metadata: { it: id } } }, 'it')
  assert.equal(named(attemptId), attemptId)
  for (const id of ['order 7', '', 7, null, undefined]) assert.equal(named(id), undefined, String(id))
  assert.equal(fields.referenceIn({ name: 'x', fields: {} }, 'it'), undefined)
})

test('a session is ours when both its references name the attempt, and it is in a known state', () => {
  for (const status of ['open', 'complete', 'expired'])
    assert.equal(parseSession(session({ status }))?.status, status)
  assert.throws(() => parseSession(session({ status: 'of_tomorrow' })), NonsenseError)
  const foreign = [
    { metadata: {} },
    { client_reference_id: null },
    { metadata: {}, client_reference_id: null },
    { client_reference_id: refundId },
  ]
  for (const more of foreign) assert.equal(parseSession(session(more)), undefined, JSON.stringify(more))
})

test('the payment of a session is the object or its name, and absent before the payer tries', () => {
  const of = (payment_intent: unknown) => parseSession(session({ payment_intent }))?.intent
  assert.equal(of(null), undefined)
  assert.equal(of(undefined), undefined)
  assert.deepEqual(of('pi_1'), { id: 'pi_1', isWhole: false })
  assert.deepEqual(of(intent({ metadata: {} })), { id: 'pi_3Q0PsIJvEtkwdCNY1', isWhole: true })
  assert.equal(of(intent())?.ours?.attempt, attemptId)
  for (const odd of ['../x', '', 7, {}]) assert.throws(() => of(odd), NonsenseError, JSON.stringify(odd))
})

test('a payment is of its one type, and of a card where it has none or several', () => {
  const methodOf = (...payment_method_types: readonly string[]) =>
    parseIntent(intent({ payment_method_types }))?.method
  assert.equal(methodOf('mb_way'), 'MB_WAY')
  for (const types of [[], ['card'], ['mb_way', 'card'], ['of_tomorrow']])
    assert.equal(methodOf(...types), 'CREDIT_CARD', types.join())
  assert.equal(parseIntent(intent())?.method, 'CREDIT_CARD')
})

test('a card has a brand and four last digits, or nothing of it is kept', () => {
  const cardOf = (more: Json) => parseIntent(intent({ latest_charge: charge({}, more) }))?.charge?.card
  assert.deepEqual(cardOf({}), { brand: 'visa', last4: '4242' })
  for (const more of [
    { brand: null },
    { last4: null },
    { last4: '424' },
    { last4: '42421' },
    { last4: '424x' },
  ])
    assert.equal(cardOf(more), undefined, JSON.stringify(more))
})

const foreignIntent = intent({ metadata: {} })

test('a refund is ours by its own reference or by that of its payment; one of an unknown payment may be', () => {
  const ofRefund = (metadata: Json, payment_intent: unknown) =>
    parseRefund(refund({ metadata, payment_intent })) !== undefined
  const own = { refund_id: refundId }
  assert.deepEqual(
    [intent(), 'pi_1', foreignIntent, null].map((each) => [ofRefund(own, each), ofRefund({}, each)]),
    [
      [true, true],
      [true, true],
      [true, false],
      [true, false],
    ],
  )
})

test('a dispute is ours by its payment; one of an unknown payment may be', () => {
  const ofDispute = (payment_intent: unknown) => parseDispute(dispute({ payment_intent })) !== undefined
  assert.deepEqual([intent(), 'pi_1', foreignIntent, null].map(ofDispute), [true, true, false, false])
})

test('evidence is submitted when the provider counts a submission', () => {
  const isSubmitted = (submission_count: unknown) =>
    parseDispute(dispute({ evidence_details: { submission_count } }))?.isSubmitted
  assert.deepEqual([0, 1, 2, '1', null, undefined].map(isSubmitted), [false, true, true, false, false, false])
})

test('what a dispute moved has an amount, a fee and a currency', () => {
  const of = (more: Json) => parseDispute(dispute({ balance_transactions: [move(more)] }))?.moves
  const createdAt = must(parseInstant('2026-11-13T20:00:00Z'), 'an instant')
  assert.deepEqual(of({}), [{ amount: -1990n, fee: 1500n, currency: 'EUR', createdAt }])
  for (const more of [
    { amount: 0.5 },
    { fee: null },
    { currency: '' },
    { created: null },
    { object: 'charge' },
  ])
    assert.throws(() => of(more), NonsenseError, JSON.stringify(more))
  assert.throws(() => parseDispute(dispute({ balance_transactions: null })), NonsenseError)
})

test('an event names the object to fetch, by its kind', () => {
  const named = (type: string, object: unknown) => parseHint(event(type, object))?.target
  const cases: readonly (readonly [string, Json, object | undefined])[] = [
    ['a', { object: 'checkout.session', id: 'cs_1' }, { kind: 'session', id: 'cs_1' }],
    ['a', { object: 'payment_intent', id: 'pi_1' }, { kind: 'intent', id: 'pi_1' }],
    [
      'charge.succeeded',
      { object: 'charge', id: 'ch_1', payment_intent: 'pi_1' },
      { kind: 'intent', id: 'pi_1' },
    ],
    [
      'charge.refunded',
      { object: 'charge', id: 'ch_1', payment_intent: 'pi_1' },
      { kind: 'refunds', id: 'pi_1' },
    ],
    ['a', { object: 'refund', id: 're_1' }, { kind: 'refund', id: 're_1' }],
    ['a', { object: 'dispute', id: 'dp_1' }, { kind: 'dispute', id: 'dp_1' }],
    ['a', { object: 'customer', id: 'cus_1' }, undefined],
    ['a', { object: 'refund', id: '../x' }, undefined],
    ['a', { object: 'refund', id: 7_000 }, undefined],
    ['a', { object: 'charge', id: 'ch_1', payment_intent: null }, undefined],
  ]
  for (const [type, object, target] of cases)
    assert.deepEqual(named(type, object), target, JSON.stringify(object))
})

test('what is no event, or has no name or type, is no hint; an event without an object is one', () => {
  const refunded = { object: 'refund', id: 're_1' }
  for (const more of [
    { object: 'charge' },
    { id: undefined },
    { id: 7 },
    { id: 'evt_' },
    { id: 'evt_../x' },
    { id: `evt_${'a'.repeat(251)}` },
    { type: undefined },
  ])
    assert.equal(parseHint(event('refund.created', refunded, more)), undefined, JSON.stringify(more))
  for (const sent of [null, undefined, 'event', [], 7]) assert.equal(parseHint(sent), undefined)
  assert.equal(parseHint(event('a', refunded, { id: `evt_${'a'.repeat(250)}` }))?.target?.id, 're_1')
  for (const data of [null, undefined, 'x', {}, { object: 'x' }])
    assert.deepEqual(parseHint(event('a', refunded, { id: 'evt_1', data })), { id: 'evt_1', type: 'a' })
})

test('a page is continued after its last object, if that has a name', () => {
  const page = (data: unknown, more: Json = {}) =>
    parsePage({ object: 'list', data, has_more: true, ...more }, (each) => each)
  assert.equal(page([{ id: 'a1' }, { id: 'b2' }]).lastName, 'b2')
  for (const last of [{ id: 7 }, {}, null, 'b2', ['b2']])
    assert.equal('lastName' in page([{ id: 'a1' }, last]), false, JSON.stringify(last))
  assert.equal('lastName' in page([]), false)
  assert.throws(() => page({}), NonsenseError)
  assert.throws(() => page([], { has_more: 'yes' }), NonsenseError)
})

test('why a call failed is what the provider’s error says, and at most 300 characters of it', () => {
  const of = (body: unknown) =>
    parseFault(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))
  const error = { type: 'card_error', code: 'declined', param: 'amount', message: 'No.' }
  assert.deepEqual(of({ error }), error)
  assert.deepEqual(of({ error: { ...error, type: 7, code: '', param: null } }), { message: 'No.' })
  const long = `${'a'.repeat(299)}bc`
  assert.equal(of({ error: { message: long } }).message, long.slice(0, -1))
  for (const odd of ['<html>', 'null', '[]', {}, { error: 'No.' }, { error: null }])
    assert.deepEqual(of(odd), {}, JSON.stringify(odd))
})
