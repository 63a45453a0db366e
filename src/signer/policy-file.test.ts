import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { sandboxPolicy } from './new-policy.ts'
import { readPolicy } from './policy-file.ts'

const address = (digit: string) => `0x${digit.repeat(40)}` as const
const facts = {
  chainId: 31_337n,
  token: address('1'),
  factory: address('2'),
  implementation: address('3'),
  keys: { hot: address('a'), treasury: address('b'), gas: address('c') },
}
const whole = JSON.stringify(sandboxPolicy(facts))

/** The sandbox's policy with the value at one place, such as `keys.0.purpose`, changed or removed. */
function changed(place: string, value?: unknown): string {
  const path = place.split('.')
  const last = must(path.pop(), 'a place')
  const policy: unknown = JSON.parse(whole)
  let at: unknown = policy
  for (const name of path) at = (at as Readonly<Record<string, unknown>>)[name]
  Object.assign(must(at, place) as object, { [last]: value })
  return JSON.stringify(policy)
}

const chain = 'keys.0.chains.0'
const transfer = sandboxPolicy(facts).keys[0]?.chains[0]?.calls[0]

test('the sandbox’s policy is valid', () => {
  const policy = readPolicy(whole, 'policy')
  assert.deepEqual(
    policy.keys.map(({ address, purpose, chains }) => [
      address,
      purpose,
      chains.map(({ chainId }) => chainId),
    ]),
    [
      [address('a'), 'hot', [31_337n]],
      [address('b'), 'treasury', [31_337n]],
      [address('c'), 'gas', [31_337n]],
    ],
  )
})

const faults: readonly (readonly [string, RegExp])[] = [
  ['{', /^policy is not JSON\.$/],
  ['[]', /^policy is not an object\.$/],
  [changed('version', 2), /policy\.version/],
  [changed('kyes', []), /policy has an unknown field, "kyes"/],
  [changed('keys.0.purpose', 'cold'), /keys\[0\]\.purpose is none of hot, treasury, gas/],
  [changed('keys.0.address', '0x12'), /keys\[0\]\.address/],
  [changed('keys.1.address', address('a')), /policy\.keys has 0xa+ twice/],
  // EIP-55's first example with one capital changed.
  [changed('keys.0.address', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'), /mistyped/],
  [changed(`${chain}.chainId`, 31_337), /chainId is not a decimal text/],
  [changed(`${chain}.chainId`, '0'), /chainId is 0/],
  [changed(`${chain}.maxGas`, '-1'), /maxGas is not a decimal text/],
  [changed(`${chain}.maxGas`), /maxGas is not/],
  [changed(`${chain}.maxFeePerGas`, '0x5'), /maxFeePerGas/],
  [changed(`${chain}.native`, { to: [], maxPerDay: '1' }), /hot key sends no native/],
  [changed(`${chain}.calls.0.call`, 'approve'), /call is none of transfer, sweep, exact/],
  [changed(`${chain}.calls.0.maxPerDay`), /maxPerDay/],
  [changed(`${chain}.calls.0.maxPerday`, '1'), /unknown field, "maxPerday"/],
  [changed('keys.1.chains.0.calls.0.to'), /only to known addresses/],
  [changed('keys.2.purpose', 'hot'), /a hot key makes no sweep/],
  [changed(`${chain}.calls`, [transfer, transfer]), /calls has transfer\/0x1+ twice/],
  [
    changed('keys.0.chains', Array(2).fill(sandboxPolicy(facts).keys[0]?.chains[0])),
    /chains has 31337 twice/,
  ],
]

for (const [text, why] of faults)
  test(`a policy is refused with its place: ${why.source}`, () => {
    assert.throws(() => readPolicy(text, 'policy'), { name: 'SignerStartError', message: why })
  })

test('an address with the capitals of EIP-55 is accepted, and means the same as without', () => {
  const example = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  for (const spelling of [example, example.toLowerCase(), `0x${example.slice(2).toUpperCase()}`]) {
    const policy = readPolicy(changed('keys.0.address', spelling), 'policy')
    assert.equal(policy.keys[0]?.address, example.toLowerCase())
  }
})
