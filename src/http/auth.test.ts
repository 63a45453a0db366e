import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf } from './auth.ts'

test('guesses are counted for an IPv4 address and for a /64 of IPv6', () => {
  const same = [
    ['2001:db8::1', '2001:db8:0:0:ffff::2'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['::1', '::ffff'],
    ['fe80::1%eth0', 'fe80::2'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
  ]
  for (const [a = '', b = ''] of same) assert.equal(networkOf(a), networkOf(b), `${a} ${b}`)
  const apart = [
    ['2001:db8::1', '2001:db8:0:1::1'],
    ['192.0.2.1', '192.0.2.2'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:3:3:4:5:6'],
  ]
  for (const [a = '', b = ''] of apart) assert.notEqual(networkOf(a), networkOf(b), `${a} ${b}`)
})
