// A ZIP of a bank, and everything that one can be instead.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { zipFile } from '../../../test/rails/zip-files.ts'
import { UnreadableFile } from './unreadable.ts'
import { fileBytesMax } from './xml.ts'
import { isZip, unzip } from './zip.ts'

const one = { name: 'b.xml', bytes: Buffer.from('<b/>') }
const two = { name: 'a.xml', bytes: Buffer.from('<a/>'.repeat(1_000)), isStored: true }

function reasonOf(bytes: Buffer): string {
  try {
    unzip(bytes)
  } catch (error) {
    assert.ok(error instanceof UnreadableFile, String(error))
    return error.message
  }
  return assert.fail('it was unpacked')
}

test('files are unpacked in the order of their names, packed or stored, without folders', () => {
  const bytes = zipFile([one, { name: 'folder/', bytes: Buffer.alloc(0), isStored: true }, two])
  assert.ok(isZip(bytes))
  assert.deepEqual(unzip(bytes), [
    { name: 'a.xml', bytes: two.bytes },
    { name: 'b.xml', bytes: one.bytes },
  ])
  assert.deepEqual(unzip(zipFile([])), [])
  assert.equal(isZip(one.bytes), false)
})

test('a ZIP is known by its first four bytes', () => {
  const start = zipFile([one])
  for (const [size, is] of [
    [4, true],
    [3, false],
    [0, false],
  ] as const)
    assert.equal(isZip(start.subarray(0, size)), is, String(size))
  assert.ok(isZip(zipFile([])))
})

test('further fields and comments are passed over, also the longest comment behind the end', () => {
  const further = { extra: 'further', comment: 'of the bank' }
  const files = [
    { ...one, ...further },
    { ...two, ...further },
  ]
  assert.deepEqual(
    unzip(zipFile(files, Buffer.alloc(0xffff, 'x'))).map(({ bytes }) => bytes),
    [two.bytes, one.bytes],
  )
  assert.match(reasonOf(zipFile(files, Buffer.alloc(0x10000, 'x'))), /cut off/)
})

test('what becomes larger than files of banks are is never unpacked whole, whatever the ZIP says of its size', () => {
  const bomb = { name: 'bomb.xml', bytes: Buffer.alloc(fileBytesMax + 1, ' ') }
  assert.match(reasonOf(zipFile([bomb])), /bomb\.xml its files are larger/)
  assert.match(reasonOf(zipFile([{ ...bomb, size: 10 }])), /bomb\.xml its files are larger/)
  assert.match(reasonOf(zipFile([{ ...bomb, isStored: true, size: 10 }])), /bomb\.xml its files are larger/)
  // Each is small enough, all together are not.
  const part = { bytes: Buffer.alloc(fileBytesMax, ' '), crc: crc32(Buffer.alloc(fileBytesMax, ' ')) }
  const parts = Array.from({ length: 4 }, (_, at) => ({ ...part, name: `${at}.xml`, isStored: at === 0 }))
  const last = { name: '4.xml', bytes: Buffer.from('  '), size: 0 }
  assert.match(reasonOf(zipFile([...parts, last])), /4\.xml its files are larger/)
  assert.match(reasonOf(zipFile([{ ...one, size: fileBytesMax + 1 }])), /b\.xml its files are larger/)
  const many = (length: number) => zipFile(Array.from({ length }, () => two))
  assert.equal(unzip(many(500)).length, 500)
  assert.match(reasonOf(many(501)), /more than 500 files/)
})

test('what is damaged, cut off or has a password is refused with the reason', () => {
  const whole = zipFile([one, two])
  assert.match(reasonOf(whole.subarray(0, whole.length - 30)), /cut off/)
  assert.match(reasonOf(Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(10)])), /cut off/)
  assert.match(reasonOf(zipFile([{ ...one, crc: 1 }])), /b\.xml in it is damaged/)
  assert.match(reasonOf(zipFile([{ ...one, size: 3 }])), /b\.xml in it is damaged/)
  assert.match(reasonOf(zipFile([{ ...one, hasPassword: true }])), /has a password/)
  assert.match(reasonOf(zipFile([{ ...one, method: 12 }])), /b\.xml in it is packed by method 12/)
  // What is stored is no packed text.
  assert.match(reasonOf(zipFile([{ ...two, method: 8 }])), /a\.xml in it is damaged/)
})

test('a part that is not where the ZIP says, or no such part, is refused', () => {
  const bytes = zipFile([two])
  const entry = bytes.indexOf('PK\x01\x02')
  const changed = (change: (wrong: Buffer) => void) => {
    const wrong = Buffer.from(bytes)
    change(wrong)
    return reasonOf(wrong)
  }
  // Where the directory is, and where the file is.
  for (const place of [bytes.length - 6, entry + 42])
    for (const start of [0xfffffff0, bytes.length - 10, 1])
      assert.equal(
        changed((wrong) => wrong.writeUInt32LE(start, place)),
        'it is a ZIP that is damaged',
      )
  for (const mark of [0, entry])
    assert.match(
      changed((wrong) => wrong.write('XX', mark)),
      /ZIP that is damaged/,
    )
})

test('a ZIP of the 64 bit form is refused by its number of files, or its place', () => {
  const bytes = zipFile([two])
  const [many, far] = [Buffer.from(bytes), Buffer.from(bytes)]
  many.writeUInt16LE(0xffff, bytes.length - 12)
  far.writeUInt32LE(0xffffffff, bytes.length - 6)
  for (const each of [many, far]) assert.match(reasonOf(each), /64 bit form/)
})
