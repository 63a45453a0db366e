// What a line of an issuance log may be: whole, of this version, and of an attempt.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { given } from '#/kernel/given.ts'
import type { AttemptId, ConnectionId, MerchantId, PaymentId } from '#/kernel/id.ts'
import { bareId } from '../../test/bare-rows.ts'
import { headerOf, lineOf, parseHeader, parseLine, type Issued } from './line.ts'

const own = bareId(7)
const issued: Issued = {
  at: new Date('2026-11-22T10:00:00.123Z'),
  attempt: {
    id: bareId(1) as AttemptId,
    merchantId: bareId(2) as MerchantId,
    paymentId: bareId(3) as PaymentId,
    method: 'PIX',
    connection: `a1-${own}` as ConnectionId,
    amount: { minor: 123_456n, currency: 'BRL' },
  },
}
/** The text with its checksum: the CRC-32 of what stands before it, as eight digits. */
const sealed = (text: string) => `${text} ${crc32(text).toString(16).padStart(8, '0')}`
const textOf = (one: Issued) => lineOf(one).trimEnd().split(' ').slice(0, -1)

test('a line gives back what was written: with and without a name, and whatever a connection is called', () => {
  const names = [undefined, '', 'a name', 'ção/1=2']
  const connections = [
    `a1-${own}`,
    'a1-acme',
    `abc-${own}`,
    `A1-${own}`,
    `a1_${own}`,
    `a1-${own}0`,
    'with space',
    '=',
    own,
  ]
  for (const name of names)
    for (const connection of connections) {
      const attempt = { ...issued.attempt, connection: connection as ConnectionId }
      const one = { ...issued, attempt, ...given({ name }) }
      assert.deepEqual(parseLine(lineOf(one).slice(0, -1)), one, `${connection} ${name}`)
    }
})

test('an id takes 22 characters, also that of a usual connection: a cell and a UUID', () => {
  const [, , merchant, payment, attempt, , connection] = textOf(issued)
  assert.deepEqual(
    [merchant, payment, attempt, connection?.slice(2)].map((part) => part?.length),
    [22, 22, 22, 22],
  )
  assert.equal(connection?.slice(0, 2), 'a1')
})

test('a sealed text that is no line of this version is not read', () => {
  const parts = textOf(issued)
  const changed = (place: number, put: string) => parts.with(place, put)
  const read = (texts: readonly string[]) => parseLine(sealed(texts.join(' ')))
  assert.deepEqual(read(parts), issued)
  assert.deepEqual(read([...parts, 'name']), { ...issued, name: 'name' })
  const wrong = [
    parts.slice(0, -1),
    [...parts, 'name', 'more'],
    changed(0, '2'),
    changed(5, 'CASH'),
    changed(7, '123456XYZ'),
    changed(7, 'BRL'),
    changed(7, `${'1'.repeat(20)}BRL`),
    ...[2, 3, 4].map((place) => changed(place, 'AAAA')),
  ]
  for (const texts of wrong) assert.equal(read(texts), undefined, texts.join(' '))
})

test('a line that is torn or changed, or has another checksum, is not read', () => {
  const whole = lineOf(issued).slice(0, -1)
  const changes = [
    '',
    ' ',
    whole.slice(0, -1),
    whole.slice(1),
    whole.replace(' PIX ', ' CRYPTO '),
    `${whole}0`,
    whole.replace(/ [0-9a-f]{8}$/, ''),
  ]
  for (const changed of changes) assert.equal(parseLine(changed), undefined, changed)
})

test('a checksum has eight digits, also when it begins with zero', () => {
  const lines = Array.from({ length: 64 }, (_, minor) =>
    lineOf({ ...issued, attempt: { ...issued.attempt, amount: { minor: BigInt(minor), currency: 'BRL' } } }),
  )
  assert.ok(lines.some((line) => / 0[0-9a-f]{7}\n$/.test(line)))
  for (const line of lines) assert.match(line, / [0-9a-f]{8}\n$/)
})

test('the first line names the books, and nothing else does', () => {
  const books = { cell: 'a1', first: bareId(1) as MerchantId }
  const header = headerOf(books)
  assert.equal(header, `${sealed(`vintem-issuance 1 a1 ${books.first}`)}\n`)
  assert.deepEqual(parseHeader(header.slice(0, -1)), books)
  for (const text of [
    `vintem-issuance 2 a1 ${books.first}`,
    `vintem-issuance 1 abc ${books.first}`,
    `vintem-issuance 1 a1 ${'-'.repeat(36)}`,
    `vintem-issuance 1 a1 ${books.first} more`,
  ])
    assert.equal(parseHeader(sealed(text)), undefined, text)
  assert.equal(parseHeader(`vintem-issuance 1 a1 ${books.first}`), undefined)
})
