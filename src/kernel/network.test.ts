import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf, within } from './network.ts'

test('a caller is an IPv4 address, or a /64 of IPv6', () => {
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

test('an address is within the named networks, in either notation of IPv4', () => {
  const isOurs = within(['10.1.0.7', '192.0.2.0/24', 'fd00::/8'])
  for (const address of ['10.1.0.7', '::ffff:10.1.0.7', '192.0.2.200', 'fd12::1'])
    assert.ok(isOurs(address), address)
  for (const address of ['10.1.0.8', '192.0.3.1', 'fe80::1', '']) assert.ok(!isOurs(address), address)
  assert.ok(!within([])('127.0.0.1'))
})
