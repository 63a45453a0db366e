// Which addresses are in which networks. The expected values follow from RFC 4291 and RFC 4632.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contains, insideOf, parseCidr, plainAddress, type Cidr } from './network.ts'

function cidr(text: string): Cidr {
  const parsed = parseCidr(text)
  return typeof parsed === 'object' ? parsed : assert.fail(`${text}: ${parsed}`)
}

test('a network has one text, whatever way it is written', () => {
  for (const [written, text] of [
    ['203.0.113.7', '203.0.113.7/32'],
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8:0:0:0:0:0:0/32', '2001:db8::/32'],
    ['::1', '::1/128'],
    ['::/0', '::/0'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221/128'],
  ] as const) {
    assert.equal(cidr(written).text, text)
    assert.equal(cidr(text).text, text)
  }
})

test('text that is no network is refused, and says why', () => {
  for (const text of [
    '',
    'x',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10.0.0',
    '010.0.0.0',
    '10.0.0.0/8 ',
    '::/129',
    'fe80::1%eth0',
    '1::2::3',
    '/8',
    '10.0.0.0/8/8',
  ])
    assert.equal(parseCidr(text), 'malformed', text)
  for (const text of ['10.0.0.1/8', '2001:db8::1/64', '0.0.0.1/0', '128.0.0.0/0'])
    assert.equal(parseCidr(text), 'host_bits', text)
  for (const text of ['::ffff:10.0.0.0/104', '::ffff:a00:1', '::ffff:0:0/96'])
    assert.equal(parseCidr(text), 'mapped', text)
})

test('an address is inside by its value, in every way of writing it, and never in a network of the other family', () => {
  const isIn = insideOf(['10.0.0.0/8', '203.0.113.7', '2001:db8::/33'].map(cidr))
  for (const address of [
    '10.0.0.0',
    '10.255.255.255',
    '203.0.113.7',
    '::ffff:10.1.2.3',
    '::ffff:a01:203',
    '::FFFF:203.0.113.7',
    '0:0:0:0:0:ffff:cb00:7107',
    '2001:db8::1',
    '2001:0db8:7fff:ffff:ffff:ffff:ffff:ffff',
    '2001:db8::1%eth0',
  ])
    assert.equal(isIn(address), true, address)
  for (const address of [
    '9.255.255.255',
    '11.0.0.0',
    '203.0.113.8',
    '::10.1.2.3',
    '::ffff:203.0.113.8',
    '2001:db8:8000::',
    '2001:db7:ffff::',
    '',
    'unknown',
    '10.0.0.1, 10.0.0.2',
    '10.0.0.1:443',
  ])
    assert.equal(isIn(address), false, address)
  assert.equal(insideOf([cidr('::/0')])('10.0.0.1'), false)
  assert.equal(insideOf([cidr('::/0')])('::ffff:10.0.0.1'), false)
  assert.equal(insideOf([cidr('0.0.0.0/0')])('::1'), false)
  assert.equal(insideOf([])('10.0.0.1'), false)
})

test('a network is in another when all of its addresses are', () => {
  for (const [outer, inner, expected] of [
    ['10.0.0.0/8', '10.1.0.0/16', true],
    ['10.0.0.0/8', '10.0.0.0/8', true],
    ['10.0.0.0/8', '10.0.0.0/7', false],
    ['10.0.0.0/8', '11.0.0.0/16', false],
    ['0.0.0.0/0', '10.0.0.0/8', true],
    ['::/0', '10.0.0.0/8', false],
    ['0.0.0.0/0', '::/0', false],
    ['2001:db8::/32', '2001:db8:ffff::/48', true],
    ['2001:db8::/32', '2001:db9::/48', false],
    ['::/0', '::1', true],
  ] as const)
    assert.equal(contains(cidr(outer), cidr(inner)), expected, `${inner} in ${outer}`)
})

test('an IPv4 address written as IPv6 is IPv4, and no other address is', () => {
  assert.equal(plainAddress('::ffff:192.0.2.1'), '192.0.2.1')
  assert.equal(plainAddress('::ffff:c000:201'), '192.0.2.1')
  assert.equal(plainAddress('::192.0.2.1'), '::192.0.2.1')
  assert.equal(plainAddress('::fffe:c000:201'), '::fffe:c000:201')
  assert.equal(plainAddress('192.0.2.1'), '192.0.2.1')
})
