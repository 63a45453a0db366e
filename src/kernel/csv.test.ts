// Files for programs and for spreadsheets.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvWriter, type Spreadsheet } from './csv.ts'

const inZone = { timeZone: 'America/Sao_Paulo' }
const plain = csvWriter(inZone)
const excel = (spreadsheet: Spreadsheet) => csvWriter({ ...inZone, spreadsheet })

test('a file for programs has commas, points and instants in UTC, and no mark', () => {
  const cells = ['id', 5n, -7, { minor: -123_456n, currency: 'BRL' }, { at: '2026-11-30T01:02:03.004Z' }]
  assert.equal(plain.head(['a', 'b']), 'a,b\r\n')
  assert.equal(plain.line(cells), '"id",5,-7,-1234.56,"2026-11-30T01:02:03.004Z"\r\n')
  assert.equal(plain.line(['', undefined, null, { at: undefined }, { at: null }]), '"",,,,\r\n')
  assert.equal(plain.line(['say "hi", twice', '00012345678901']), '"say ""hi"", twice","00012345678901"\r\n')
  assert.equal(plain.line([{ minor: 5n, currency: 'XXX' }]), '\r\n')
})

test('a file for a spreadsheet has a byte order mark, its separator, its decimals, and local times', () => {
  const cells = ['x', { minor: -123_456n, currency: 'BRL' }, 7, { at: '2026-11-30T01:02:03.004Z' }]
  assert.equal(excel('semicolon').head(['a', 'b']), '\ufeffa;b\r\n')
  assert.equal(excel('comma').head(['a', 'b']), '\ufeffa,b\r\n')
  assert.equal(excel('semicolon').line(cells), '"x";-1234,56;7;"2026-11-29 22:02:03"\r\n')
  assert.equal(excel('comma').line(cells), '"x",-1234.56,7,"2026-11-29 22:02:03"\r\n')
  // Midnight is hour 0 of its day.
  assert.equal(excel('comma').line([{ at: '2026-11-30T03:00:00Z' }]), '"2026-11-30 00:00:00"\r\n')
})

test('a text that a spreadsheet would take for a number or a date stays a text', () => {
  const alike = [
    '00012345678901',
    '1234567890123456789',
    '1.23E+18',
    '12e5',
    '1,5',
    '2026-11',
    '1/2',
    '10:30',
    ' 7',
    '50%',
    '(5)',
  ]
  for (const text of alike) assert.equal(excel('semicolon').line([text]), `"=""${text}"""\r\n`)
  for (const text of ['A-1', '12 Rua', '0199a-b', 'x5', ''])
    assert.equal(excel('semicolon').line([text]), `"${text}"\r\n`)
  // No formula may hold a longer text.
  assert.equal(excel('comma').line(['9'.repeat(256)]), `"'${'9'.repeat(256)}"\r\n`)
  assert.equal(excel('comma').line(['9'.repeat(255)]), `"=""${'9'.repeat(255)}"""\r\n`)
})

test('no text is a formula, also where another separator begins the cell', () => {
  const alike = [
    '=1+1',
    ' =1+1',
    '+55 11',
    '-2',
    '@x',
    '\tx',
    '\rx',
    '＝1',
    '\u200b-2',
    '\ufeff=1',
    '=cmd|"/c calc"!A0',
  ]
  for (const writer of [plain, excel('comma'), excel('semicolon')])
    for (const text of alike) assert.match(writer.line([text]), /^"'/, JSON.stringify(text))
  for (const writer of [plain, excel('comma'), excel('semicolon')])
    assert.equal(writer.line(['a; =1\t@x\n-2']), `"a;' =1\t'@x\n'-2"\r\n`)
  assert.equal(excel('semicolon').line(['a,=1']), `"a,'=1"\r\n`)
  assert.equal(excel('comma').line(['a,=1']), `"a,=1"\r\n`)
})
