// A ZIP of a bank, and everything that one can be instead.
import assert from 'node:assert/strict'
import { test } from 'node:test'
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

test('what becomes larger than files of banks are is never unpacked whole, whatever the ZIP says of its size', () => {
  const bomb = { name: 'bomb.xml', bytes: Buffer.alloc(fileBytesMax + 1, ' ') }
  assert.match(reasonOf(zipFile([bomb])), /bomb\.xml its files are larger/)
  assert.match(reasonOf(zipFile([{ ...bomb, size: 10 }])), /bomb\.xml its files are larger/)
  assert.match(reasonOf(zipFile([{ ...bomb, isStored: true, size: 10 }])), /bomb\.xml its files are larger/)
  // Each is small enough, all together are not.
  const part = Buffer.alloc(fileBytesMax, ' ')
  const parts = Array.from({ length: 5 }, (_, at) => ({ name: `${at}.xml`, bytes: part }))
  assert.match(reasonOf(zipFile(parts)), /4\.xml its files are larger/)
  assert.match(reasonOf(zipFile(Array.from({ length: 501 }, () => one))), /more than 500 files/)
})

test('what is damaged, cut off or has a password is refused with the reason', () => {
  const whole = zipFile([one, two])
  assert.match(reasonOf(whole.subarray(0, whole.length - 30)), /cut off/)
  assert.match(reasonOf(Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(10)])), /cut off/)
  assert.match(reasonOf(zipFile([{ ...one, crc: 1 }])), /b\.xml in it is damaged/)
  assert.match(reasonOf(zipFile([{ ...one, size: 3 }])), /b\.xml in it is damaged/)
  assert.match(reasonOf(zipFile([{ ...one, hasPassword: true }])), /has a password/)
  const wrong = Buffer.from(zipFile([two]))
  wrong.writeUInt32LE(0xfffffff0, wrong.length - 6)
  assert.match(reasonOf(wrong), /damaged/)
})
