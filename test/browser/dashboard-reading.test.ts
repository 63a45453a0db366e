// How the dashboard reads what a person types, and writes what the server sends.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { questionsOf } from '../../web/dashboard/api/find.ts'
import { parseJson, writeJson } from '../../web/dashboard/api/json.ts'
import { startOfDay } from '../../web/dashboard/kit/days.ts'
import { formatFor, inputOf, minorOf } from '../../web/dashboard/kit/format.ts'
import { refundable } from '../../web/dashboard/screens/payments/refundable.ts'
import { reasonWords } from '../../web/dashboard/words/reasons.ts'

test('an amount is read as its language writes it, or as only one other way can mean it, and never guessed', () => {
  const cases = [
    ['10', 1_000n, 1_000n],
    ['10,5', 1_050n, 1_050n],
    ['10.50', 1_050n, 1_050n],
    ['1.234,50', 123_450n, 123_450n],
    ['1,234.50', 123_450n, 123_450n],
    ['1.234', 123_400n, undefined],
    ['1,234', undefined, 123_400n],
    ['10,505', undefined, 1_050_500n],
    [' 0,01 ', 1n, 1n],
    ['90.071.992.547.409,91', 9_007_199_254_740_991n, 9_007_199_254_740_991n],
  ] as const
  for (const [text, portuguese, english] of cases) {
    assert.equal(minorOf(text, 'pt-BR'), portuguese, text)
    assert.equal(minorOf(text, 'es'), portuguese, text)
    assert.equal(minorOf(text, 'en'), english, text)
  }
  for (const text of [
    '',
    'abc',
    '-5',
    '1,2345',
    '12.34.5',
    '1e3',
    '0x10',
    '1.23,456',
    '.',
    ',',
    '1234.567,8',
  ])
    for (const locale of ['pt-BR', 'en'] as const) assert.equal(minorOf(text, locale), undefined, text)
})

test('an amount that was put into an input is read as the same amount', () => {
  for (const minor of [1n, 99n, 100n, 123_456_789n])
    for (const locale of ['pt-BR', 'en', 'es'] as const)
      assert.equal(minorOf(inputOf(minor, locale), locale), minor)
})

test('amounts are written exactly, with a real minus sign before all else', () => {
  const { money } = formatFor('pt-BR', 'America/Sao_Paulo')
  assert.equal(money(-3_000, 'USDT'), '−30,00\u00a0USDT')
  assert.equal(money(-156, 'BRL'), '−R$\u00a01,56')
  assert.equal(money(9_223_372_036_854_775_807n, 'USDT'), '92.233.720.368.547.758,07\u00a0USDT')
  assert.equal(money(5, 'XYZ'), '5 XYZ')
})

test('integers of JSON stay exact where the runtime shows their text, and amounts go out as integers', () => {
  assert.equal(writeJson({ amount: 1_050n }), '{"amount":1050}')
  assert.throws(() => writeJson({ amount: 2n ** 53n }), RangeError)
  assert.deepEqual(parseJson('{"a":12,"b":1.5,"c":"9223372036854775807"}'), {
    a: 12,
    b: 1.5,
    c: '9223372036854775807',
  })
})

test('a text in hand is taken for all that it may be, the most certain first', () => {
  const of = (text: string) => questionsOf(text, 'pt-BR')
  /** The lists and filters that a text is searched in, without the value. */
  const questions = (text: string) =>
    of(text).map((each) =>
      'list' in each ? `${each.list} ${Object.keys(each.query).join()}` : Object.keys(each).join(),
    )
  const hash = `0x${'5f'.repeat(32)}`
  const id = '019aa3c2-7b1e-7c4d-9f00-5a1b2c3d4e5f'
  assert.deepEqual(of(id.toUpperCase())[0], { record: id })
  assert.deepEqual(of(`https://pay.example.com/c/a1${'x'.repeat(32)}`), [
    { record: `https://pay.example.com/c/a1${'x'.repeat(32)}` },
  ])
  assert.deepEqual(questions(`a1${'X_-4'.repeat(8)}`), ['record'])
  assert.deepEqual(questions(hash), ['payments txHash', 'refunds txHash', 'withdrawals txHash'])
  assert.deepEqual(questions(hash.slice(0, 42)), ['payments cryptoAddress', 'withdrawals cryptoAddress'])
  assert.deepEqual(questions('E18236120202611231420s0123456789'), [
    'payments endToEndId',
    'refunds endToEndId',
    'withdrawals endToEndId',
  ])
  assert.deepEqual(questions('ana@example.com'), [
    'payments customerEmail',
    'withdrawals pixKey',
    'beginning',
  ])
  assert.deepEqual(questions('rf18 5390 0754 7034'), ['payments reference'])
  assert.deepEqual(questions('DE89 3704 0044 0532 0130 00'), ['withdrawals iban'])
  // An order number of letters and digits is no IBAN: its check digits do not hold.
  assert.deepEqual(questions('DE88370400440532013000'), [
    'metadata',
    'payments reference',
    'payments customerName',
    'beginning',
  ])
  assert.deepEqual(questions('529.982.247-25').slice(0, 3), [
    'metadata',
    'payments customerTaxId',
    'withdrawals pixKey',
  ])
  // Eleven digits that are no CPF are an order number or an amount.
  assert.deepEqual(questions('52998224726'), [
    'metadata',
    'payments amount',
    'payments reference',
    'beginning',
  ])
  assert.deepEqual(of('R$ 1.234,50'), [{ list: 'payments', query: { amount: '123450' } }])
  assert.deepEqual(questions('4242'), ['metadata', 'payments amount', 'payments cardLast4', 'beginning'])
  assert.deepEqual(of('orderId:A-1'), [{ list: 'payments', query: { 'metadata[orderId]': 'A-1' } }])
  assert.deepEqual(questions('A-1'), ['metadata', 'payments customerName', 'beginning'])
  assert.deepEqual(questions('Ana da Silva'), ['metadata', 'payments customerName', 'beginning'])
  assert.deepEqual(questions('pi_3Q9x'), [
    'metadata',
    'payments reference',
    'payments customerName',
    'beginning',
  ])
  assert.deepEqual(of(' a '), [])
})

test('what can go back is what came, without refunds that went or wait, and without what disputes took or may take', () => {
  const came = { amountReceived: 1_000, amountRefunded: 200, amountRefundPending: 100 }
  assert.equal(refundable(came, []), 700n)
  const taken = [
    { status: 'OPEN', amount: 300 },
    { status: 'LOST', amount: 150 },
    { status: 'WON', amount: 500 },
  ] as const
  assert.equal(refundable(came, taken), 250n)
  assert.equal(refundable(came, [{ status: 'OPEN', amount: 1_000 }]), 0n)
})

test('a day begins at the midnight of its time zone, also where the clock changes', () => {
  assert.equal(startOfDay('2026-11-23', 0, 'America/Sao_Paulo'), '2026-11-23T03:00:00.000Z')
  assert.equal(startOfDay('2026-11-23', 1, 'America/Sao_Paulo'), '2026-11-24T03:00:00.000Z')
  assert.equal(startOfDay('2026-10-25', 0, 'Europe/Lisbon'), '2026-10-24T23:00:00.000Z')
  assert.equal(startOfDay('2026-10-26', 0, 'Europe/Lisbon'), '2026-10-26T00:00:00.000Z')
  assert.equal(startOfDay('nonsense', 0, 'UTC'), undefined)
})

/** The quoted or plain names in a part of a source. */
function codesIn(file: string, from: RegExp, entry: RegExp): readonly string[] {
  const text = readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8')
  const [part = ''] = text.slice(text.search(from)).split(/^[\])}]/m)
  return [...part.matchAll(entry)].map(([, code]) => code ?? '')
}

test('every code by which the server says why something failed, or why a payer disputes, has words in each language', () => {
  const key = /^ +([A-Za-z_]\w+): ["'`]/gm
  const failures = [
    ...codesIn('rails/acquirer/decline.ts', /^const words/m, key),
    ...codesIn('rails/refusal.ts', /^const messages/m, key),
    ...codesIn('rails/pix/payout-failure.ts', /^const messages/m, /^ +([A-Za-z_]\w+): ["'`]/gm),
    ...codesIn('treasury/payout.ts', /^const messages/m, /\['(\w+)',/g),
    'refused_by_bank',
    'returned_by_bank',
    'refused_by_wallet',
    'rejected',
    'disputed',
    'canceled',
    'destination_not_allowed',
  ]
  const disputes = [
    ...codesIn('rails/acquirer/receipts.ts', /^const disputeReasons/m, /'(\w+)'/g),
    ...codesIn('rails/pix/receipts.ts', /^const natures/m, /'(\w+)'/g).slice(0, 5),
  ]
  assert.ok(failures.length >= 40 && disputes.length >= 20, `${failures.length}, ${disputes.length}`)
  for (const words of Object.values(reasonWords)) {
    for (const code of failures) assert.ok(Object.hasOwn(words.failure, code), code)
    for (const code of disputes) assert.ok(Object.hasOwn(words.dispute, code), code)
  }
})
