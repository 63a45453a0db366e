// Card numbers that are sent by mistake. The numbers are the networks' published test numbers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCardNumber, holdsCardNumber, holdsGroupedCardNumber, maskCardNumbers } from './card-number.ts'

const numbers = [
  '4242424242424242',
  '4222222222222',
  '5555555555554444',
  '2223003122003222',
  '378282246310005',
  '6011111111111117',
  '3056930009020004',
  '36227206271667',
  '3566002020360505',
  '6200000000000005',
  '6759649826438453',
  '5019717010103742',
]

test('the test numbers of all networks are found in any notation', () => {
  for (const number of numbers) {
    assert.ok(holdsCardNumber(number), number)
    assert.ok(holdsCardNumber(number.replaceAll(/(.{4})(?=.)/g, '$1 ')), number)
    assert.ok(holdsCardNumber(`card: ${number.replaceAll(/(.{4})(?=.)/g, '$1-')}.`), number)
  }
  assert.ok(holdsCardNumber('4242 4242 4242 4242 12 2028 123'))
  assert.ok(holdsCardNumber('call 555 4242424242424242'))
})

test('numbers are found behind dots, several spaces, full-width characters and invisible characters', () => {
  for (const number of numbers) {
    for (const sign of ['.', '  ', ' - ', '\u00a0', '\u3000', '\u2011', '\u2212', '．', '\u200b ', '\t']) {
      const grouped = number.replaceAll(/(.{4})(?=.)/g, `$1${sign}`)
      assert.ok(holdsCardNumber(grouped), grouped)
      assert.ok(holdsCardNumber(wide(grouped)), wide(grouped))
    }
    assert.ok(holdsCardNumber(wide(number)), wide(number))
    assert.ok(holdsCardNumber(number.replaceAll(/(.)/g, '$1\u200b')), number)
  }
})

function wide(text: string): string {
  return text.replaceAll(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
}

test('digits grouped as on a printed card are distinguished from bare digits', () => {
  const printed = ['4242 4242 4242 4242', '3782-822463-10005', '3622 720627 1667', '4222 222 222 222']
  for (const text of printed) assert.ok(holdsGroupedCardNumber(`n. ${text}, ok`), text)
  for (const text of [
    ...numbers,
    '42 42 42 42 42 42 42 42',
    '42424242-42424242',
    '4242424242424242 12 28',
    '1 4242424242424242',
  ])
    assert.ok(!holdsGroupedCardNumber(text), text)
})

test('a text that looks like a card number is masked except for its last four digits', () => {
  assert.equal(maskCardNumbers('pays 4242 4242-4242.4242 now'), 'pays **** ****-****.4242 now')
  assert.equal(maskCardNumbers('４２４２４２４２４２４２４２４２'), '************４２４２')
  assert.equal(maskCardNumbers('378282246310005, 12345'), '***********0005, 12345')
  for (const same of [
    '40128888-8888-4881-8242-424242424242',
    '4242424242424241',
    '0x4242424242424242',
    '1794556800000',
  ])
    assert.equal(maskCardNumbers(same), same)
})

test('other numbers stay unchanged', () => {
  const others = [
    // A wrong check digit, and a length that no network uses.
    '4242424242424241',
    '42424242424242424242424242',
    // Milliseconds since 1970, a phone with its country, a barcode.
    '1794556800000',
    '5511987654321',
    '7891000100103',
    // UUIDs, one of them with digits alone; a UUID without hyphens; an end-to-end id; an address.
    '40128888-8888-4881-8242-424242424242',
    '0199c1a2000070008000424242424242',
    'E6074694820241121093500000000001',
    '0x4242424242424242424242424242424242424242',
  ]
  for (const text of others) assert.equal(holdsCardNumber(text), false, text)
})

test('a card number is found at any depth, in texts, numbers and keys, and its place is returned', () => {
  const at = (value: unknown) => findCardNumber(value)
  assert.equal(at({ metadata: { note: ['x', 'pays with 4242-4242-4242-4242'] } }), '/metadata/note/1')
  assert.equal(at({ 'a/b': { '~c': 4242424242424242 } }), '/a~1b/~0c')
  assert.equal(at({ metadata: { '4242424242424242': 'yes' } }), '/metadata')
  assert.equal(at('4242424242424242'), '')
  assert.equal(at({ amount: 1990, ok: true, none: null, list: [1, 'two'] }), undefined)
})

test('a long text is scanned in a short time', () => {
  const before = performance.now()
  assert.equal(holdsCardNumber('3 '.repeat(50_000)), false)
  assert.equal(holdsCardNumber('9'.repeat(100_000)), false)
  assert.ok(performance.now() - before < 2_000)
})
