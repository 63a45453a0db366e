// Compares lines, bar codes and references with published ones: of banks, of a card bill, of the tests of two libraries (whose
// factors include the new start of 2025), and SIBS's example.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../test/chance.ts'
import { boletoLineOf, dueDateOf, isBoletoBarcode, readBoletoLine } from './boleto-line.ts'
import { isMultibancoReference } from './multibanco-reference.ts'

/** Line, amount, factor, and its date in the first cycle and in the second. */
const lines = [
  ['00190000090114971860168524522114210000000102656', 102656n, 1000, '2000-07-03', '2025-02-22'],
  ['00190000090114971860168524522114810010000102656', 102656n, 1001, '2000-07-04', '2025-02-23'],
  ['00190000090114971860168524522114350000000102656', 102656n, 5000, '2011-06-16', '2036-02-05'],
  ['00190000090114971860168524522114970000000102656', 102656n, 7000, '2016-12-06', '2041-07-28'],
  ['00190000090114971860168524522114675860000102656', 102656n, 7586, '2018-07-15', '2043-03-06'],
  ['00190000090114971860168524522114489990000102656', 102656n, 8999, '2022-05-28', '2047-01-17'],
  ['00190000090114971860168524522114799990000102656', 102656n, 9999, '2025-02-21', '2049-10-13'],
  ['10492006506100010004200997263900989810000021403', 21403n, 8981, '2022-05-10', '2046-12-30'],
  ['23790448095616862379336011058009740430000124020', 124020n, 4043, '2008-11-01', '2033-06-23'],
] as const

const undated = [
  ['00190000090114971860168524522114100000000102656', 102656n],
  ['23794150099001980167035000211405700000000000000', 0n],
] as const

/** Bar codes and lines of utilities' bills, which begin with 8 and have check digits of their own. */
const bills = [
  ['84610000000246100291100054603390069589506108', '846100000005246100291102005460339004695895061080'],
  ['83860000005096000190000008017823000034306271', '838600000050096000190009000801782309000343062712'],
  ['85820000000572503282035607082021053959190446', '858200000007572503282030560708202107539591904460'],
] as const

const barcodes = [
  ['10499898100000214032006561000100040099726390', '10492006506100010004200997263900989810000021403'],
  ['23797404300001240200448056168623793601105800', '23790448095616862379336011058009740430000124020'],
  ['23797000000000000004150090019801673500021140', '23794150099001980167035000211405700000000000000'],
] as const

test('published lines say their amount, and their due date in either cycle', () => {
  for (const [line, amountMinor, factor, first, second] of lines) {
    const read = readBoletoLine(line)
    assert.deepEqual([read?.amountMinor, read?.dueFactor], [amountMinor, factor], line)
    for (const day of [first, second]) {
      const near = new Date(`${day}T12:00:00Z`)
      assert.equal(dueDateOf(factor, near).toISOString().slice(0, 10), day, line)
    }
  }
  for (const [line, amountMinor] of undated)
    assert.deepEqual(
      { ...readBoletoLine(line), barcode: '' },
      { barcode: '', amountMinor, dueFactor: undefined },
    )
})

test('a boleto that is due in a month has its date in the second cycle', () => {
  assert.equal(dueDateOf(1_667, new Date('2026-11-24T00:00:00Z')).toISOString().slice(0, 10), '2026-12-21')
})

test('published bar codes and lines give each other', () => {
  for (const [barcode, line] of barcodes) {
    assert.ok(isBoletoBarcode(barcode))
    assert.equal(readBoletoLine(line)?.barcode, barcode)
    assert.equal(boletoLineOf(barcode), line)
  }
  assert.equal(
    readBoletoLine('10492.00650 61000.100042 00997.263900 9 89810000021403')?.barcode,
    barcodes[0][0],
  )
})

test('a bar code has 44 digits, and its amount may fill ten of them', () => {
  for (const [barcode] of barcodes)
    for (let digit = 0; digit < 10; digit += 1)
      assert.equal(isBoletoBarcode(`${barcode}${digit}`), false, `${barcode} and ${digit}`)
  const free = '0000001149718601685245221'
  const whole = Array.from({ length: 10 }, (_, digit) => `0019${digit}10009876543210${free}`).filter(
    isBoletoBarcode,
  )
  assert.deepEqual(
    whole.map((barcode) => readBoletoLine(boletoLineOf(barcode))?.amountMinor),
    [9_876_543_210n],
  )
})

test('the factor went from 9999 on 2025-02-21 to 1000 on the day after', () => {
  for (const [factor, day] of [
    [9_998, '2025-02-20'],
    [9_999, '2025-02-21'],
    [1_000, '2025-02-22'],
    [1_001, '2025-02-23'],
  ] as const)
    for (const at of ['2025-02-20', '2025-02-23', '2025-03-31'])
      assert.equal(
        dueDateOf(factor, new Date(`${at}T12:00:00Z`))
          .toISOString()
          .slice(0, 10),
        day,
      )
})

test('a utility’s bill is no boleto', () => {
  for (const [barcode, line] of bills)
    assert.deepEqual([isBoletoBarcode(barcode), readBoletoLine(line)], [false, undefined])
})

test('a line in which one digit differs is none', () => {
  for (const [line] of lines)
    for (let at = 0; at < line.length; at += 1) {
      const wrong = line.slice(0, at) + String((Number(line[at]) + 1) % 10) + line.slice(at + 1)
      // The check digit of the bar code is 1 for three remainders: there a change may go unnoticed, in the last field only.
      if (at < 32) assert.equal(readBoletoLine(wrong), undefined, `${line} at ${at}`)
    }
  for (const text of ['', '1', '0'.repeat(46), `${'0'.repeat(46)}x`])
    assert.equal(readBoletoLine(text), undefined)
})

test('the published Multibanco reference belongs to its entity and amount alone', () => {
  assert.ok(isMultibancoReference('90150', '123123451', 432_11n))
  assert.ok(isMultibancoReference('90150', '123 123 451', 432_11n))
  assert.ok(!isMultibancoReference('90151', '123123451', 432_11n))
  assert.ok(!isMultibancoReference('90150', '123123452', 432_11n))
  assert.ok(!isMultibancoReference('90150', '123123541', 432_11n))
  assert.ok(!isMultibancoReference('90150', '123123451', 432_12n))
  assert.ok(!isMultibancoReference('90150', '123123451', 4_000_432_11n))
  assert.ok(!isMultibancoReference('9015', '123123451', 432_11n))
  assert.ok(!isMultibancoReference('090150', '123123451', 432_11n))
  assert.ok(!isMultibancoReference('90150', '12312x451', 432_11n))
})

test('check digits of Multibanco are those of the published weights, for amounts of up to eight digits', () => {
  const weights = [3, 30, 9, 90, 27, 76, 81, 34, 49, 5, 50, 15, 53, 45, 62, 38, 89, 17, 73, 51]
  const checkOf = (digits: string) => {
    const sum = Array.from(digits)
      .toReversed()
      .reduce((all, digit, at) => all + Number(digit) * (weights[at] ?? 0), 0)
    return String(98 - (sum % 97)).padStart(2, '0')
  }
  const digits = (count: number) =>
    fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), minLength: count, maxLength: count })
  fc.assert(
    fc.property(digits(5), digits(7), digits(8), (entity, reference, amount) => {
      const whole = reference + checkOf(entity + reference + amount)
      assert.ok(isMultibancoReference(entity, whole, BigInt(amount)))
    }),
  )
  // A longer amount has no place: among 97 that follow each other, each remainder occurs.
  const long = Array.from({ length: 97 }, (_, more) => 100_000_000n + BigInt(more))
  for (const amount of long) assert.ok(!isMultibancoReference('90150', '123123451', amount), String(amount))
})
