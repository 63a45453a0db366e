import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeFunctionData, keccak256, parseAbi } from 'viem/utils'
import { hourMs, minuteMs } from '#/kernel/time.ts'
import { createHistory, type SignedHistory } from './history.ts'
import { readPolicy } from './policy-file.ts'
import { decide, versionsMax, type Decision } from './policy.ts'
import type { Address, Hex } from './shape.ts'
import type { Transaction } from './transaction.ts'

const at = (digit: string): Address => `0x${digit.repeat(40)}`
const [hot, treasury, gas] = [at('a'), at('b'), at('c')]
const [token, factory, friend, other] = [at('1'), at('2'), at('d'), at('e')]
const zero = at('0')
const deployment: Hex = '0x6000600155'

const abi = parseAbi([
  'function transfer(address,uint256)',
  'function sweep(address,bytes32[])',
  'function approve(address,uint256)',
])
const transfer = (to: Address, amount: bigint) =>
  encodeFunctionData({ abi, functionName: 'transfer', args: [to, amount] })
const sweep = (swept: Address, salts: number) =>
  encodeFunctionData({
    abi,
    functionName: 'sweep',
    args: [swept, Array<Hex>(salts).fill(`0x${'77'.repeat(32)}`)],
  })

const common = { chainId: '31337', maxFeePerGas: '100', maxFeesPerDay: '100000000' }
const file = {
  version: 1,
  keys: [
    {
      address: hot,
      purpose: 'hot',
      chains: [
        {
          ...common,
          maxGas: '100000',
          cancelNonces: ['7'],
          calls: [
            { call: 'transfer', contract: token, maxPerDay: '1000', maxPerTransfer: '600', notTo: [factory] },
          ],
        },
      ],
    },
    {
      address: treasury,
      purpose: 'treasury',
      chains: [
        {
          ...common,
          maxGas: '100000',
          calls: [{ call: 'transfer', contract: token, maxPerDay: '5000', to: [hot] }],
          native: { to: [hot, gas], maxPerDay: '50', maxPerTransfer: '40' },
        },
      ],
    },
    {
      address: gas,
      purpose: 'gas',
      chains: [
        {
          ...common,
          maxGas: '1000000',
          fillGaps: true,
          calls: [
            { call: 'sweep', contract: factory, tokens: [token, zero] },
            { call: 'exact', contract: other, dataHash: keccak256(deployment) },
          ],
        },
      ],
    },
  ],
}
const policy = readPolicy(JSON.stringify(file), 'policy')

let references = 0
function tx(fields: Partial<Transaction> = {}): Transaction {
  references += 1
  return {
    key: hot,
    chainId: 31_337n,
    nonce: 0n,
    to: token,
    value: 0n,
    data: transfer(friend, 100n),
    gas: 60_000n,
    fees: { gasPrice: 10n },
    reference: `ref-${references}`,
    ...fields,
  }
}

/** Decides as the desk does: what is to be signed is in the history afterwards. */
function decideOn(history: SignedHistory, transaction: Transaction, now = 0): Decision {
  const instant = history.advanceTo(now)
  const decision = decide(policy, history, transaction, instant)
  if (decision.verdict === 'sign' && !decision.wasSigned) history.record({ at: instant, tx: transaction })
  return decision
}

const answerOf = (decision: Decision) => (decision.verdict === 'sign' ? 'sign' : decision.code)

const allowed: readonly (readonly [string, Partial<Transaction>])[] = [
  ['a transfer of the token by the hot key', {}],
  ['the treasury filling the hot wallet', { key: treasury, data: transfer(hot, 5_000n) }],
  ['the treasury giving gas', { key: treasury, to: gas, value: 40n, data: '0x' }],
  ['a sweep of the token', { key: gas, to: factory, data: sweep(token, 3) }],
  ['a sweep of native coin', { key: gas, to: factory, data: sweep(zero, 0) }],
  ['a deployment that the policy names by its hash', { key: gas, to: other, data: deployment }],
  ['an unused nonce, filled', { key: gas, to: gas, data: '0x', nonce: 3n }],
  ['a cancellation that the operator named', { to: hot, data: '0x', nonce: 7n }],
  ['EIP-1559 fees at the limit', { fees: { maxFeePerGas: 100n, maxPriorityFeePerGas: 100n } }],
]
for (const [what, fields] of allowed)
  test(`signed: ${what}`, () => assert.equal(answerOf(decideOn(createHistory(), tx(fields))), 'sign'))

const dirty = (data: Hex, index: number, digit: string): Hex =>
  `0x${data.slice(2, index)}${digit}${data.slice(index + 1)}`
const refused: readonly (readonly [string, string, Partial<Transaction>])[] = [
  ['a key that the policy does not name', 'unknown_key', { key: friend }],
  ['another chain', 'chain_not_allowed', { chainId: 56n }],
  ['another contract', 'contract_not_allowed', { to: other }],
  ['a contract that another key may call', 'contract_not_allowed', { key: gas }],
  [
    'another function',
    'call_not_allowed',
    { data: encodeFunctionData({ abi, functionName: 'approve', args: [friend, 1n] }) },
  ],
  ['half a selector', 'call_not_allowed', { data: '0xa905' }],
  ['arguments that are too short', 'call_not_allowed', { data: transfer(friend, 1n).slice(0, -2) as Hex }],
  ['arguments with more behind them', 'call_not_allowed', { data: `${transfer(friend, 1n)}00` }],
  ['a word more', 'call_not_allowed', { data: `${transfer(friend, 1n)}${'00'.repeat(32)}` }],
  ['an address with bits above it', 'call_not_allowed', { data: dirty(transfer(friend, 1n), 10, '1') }],
  ['native coin with a call', 'value_not_allowed', { value: 1n }],
  ['native coin from the hot key', 'value_not_allowed', { to: friend, value: 1n, data: '0x' }],
  ['coins to the token itself', 'recipient_not_allowed', { data: transfer(token, 1n) }],
  ['coins to the zero address', 'recipient_not_allowed', { data: transfer(zero, 1n) }],
  ['coins to the key itself', 'recipient_not_allowed', { data: transfer(hot, 1n) }],
  ['coins to the factory', 'recipient_not_allowed', { data: transfer(factory, 1n) }],
  ['no coins', 'amount_not_allowed', { data: transfer(friend, 0n) }],
  ['more than one transfer may have', 'amount_not_allowed', { data: transfer(friend, 601n) }],
  [
    'the treasury paying a foreign address',
    'recipient_not_allowed',
    { key: treasury, data: transfer(friend, 1n) },
  ],
  [
    'the treasury sending native coin elsewhere',
    'recipient_not_allowed',
    { key: treasury, to: friend, value: 1n, data: '0x' },
  ],
  ['too much native coin', 'amount_not_allowed', { key: treasury, to: gas, value: 41n, data: '0x' }],
  ['a sweep of another token', 'call_not_allowed', { key: gas, to: factory, data: sweep(friend, 1) }],
  [
    'a sweep whose list is elsewhere',
    'call_not_allowed',
    { key: gas, to: factory, data: dirty(sweep(token, 1), 2 + 8 + 127, '1') },
  ],
  [
    'a sweep whose list is shorter than it says',
    'call_not_allowed',
    { key: gas, to: factory, data: sweep(token, 2).slice(0, -64) as Hex },
  ],
  ['other bytes than the named ones', 'call_not_allowed', { key: gas, to: other, data: '0x6000600156' }],
  ['a gap filled where the policy does not say so', 'cancel_not_allowed', { to: hot, data: '0x' }],
  ['too much gas', 'gas_too_high', { gas: 100_001n }],
  ['too dear gas', 'fee_too_high', { fees: { gasPrice: 101n } }],
  ['too dear gas by EIP-1559', 'fee_too_high', { fees: { maxFeePerGas: 101n, maxPriorityFeePerGas: 0n } }],
]
for (const [what, code, fields] of refused)
  test(`refused: ${what}`, () => {
    const decision = decideOn(createHistory(), tx(fields))
    assert.equal(answerOf(decision), code)
    assert.equal(decision.verdict === 'refuse' && decision.mayExist, false)
  })

test('a nonce belongs to one payload: the same is signed again at any fees, another never', () => {
  const history = createHistory()
  const first = tx()
  assert.equal(answerOf(decideOn(history, first)), 'sign')
  assert.deepEqual(decideOn(history, first), { verdict: 'sign', wasSigned: true })
  for (const fees of [{ gasPrice: 20n }, { gasPrice: 5n }, { maxFeePerGas: 20n, maxPriorityFeePerGas: 1n }])
    assert.deepEqual(decideOn(history, { ...first, fees }), { verdict: 'sign', wasSigned: false })
  assert.equal(answerOf(decideOn(history, { ...first, gas: 70_000n })), 'sign')
  for (const change of [
    { data: transfer(friend, 101n) },
    { data: transfer(other, 100n) },
    { to: hot, data: '0x' as const },
  ]) {
    const decision = decideOn(history, { ...first, ...change })
    assert.match(answerOf(decision), /^(nonce_used|cancel_not_allowed)$/)
    // What was signed for this reference may still be mined: the caller must not treat it as failed.
    assert.equal(decision.verdict === 'refuse' && decision.mayExist, true)
  }
})

test('a reference belongs to one nonce, and a nonce to one reference: nothing is paid twice, and one tx pays once', () => {
  const history = createHistory()
  const first = tx({ reference: 'withdrawal-1' })
  decideOn(history, first)
  const again = decideOn(history, { ...first, nonce: 1n })
  assert.equal(answerOf(again), 'reference_used')
  assert.equal(again.verdict === 'refuse' && again.mayExist, true)
  const twin = decideOn(history, { ...first, reference: 'withdrawal-2' })
  assert.equal(answerOf(twin), 'nonce_used')
  assert.equal(twin.verdict === 'refuse' && twin.mayExist, false)
})

test('after a cancellation that the operator allowed, only the cancellation is signed for its nonce', () => {
  const history = createHistory()
  const first = tx({ nonce: 7n })
  const cancel = { ...first, to: hot, data: '0x' as const, reference: 'cancel-7' }
  assert.equal(answerOf(decideOn(history, first)), 'sign')
  assert.equal(answerOf(decideOn(history, cancel)), 'sign')
  assert.equal(answerOf(decideOn(history, { ...cancel, fees: { gasPrice: 30n } })), 'sign')
  assert.equal(answerOf(decideOn(history, { ...first, fees: { gasPrice: 40n } })), 'nonce_canceled')
  assert.equal(answerOf(decideOn(history, first)), 'nonce_canceled')
  assert.deepEqual(decideOn(history, cancel), { verdict: 'sign', wasSigned: true })
  // The payout may have been mined first: the reference stays bound.
  assert.equal(answerOf(decideOn(history, { ...first, nonce: 8n })), 'reference_used')
})

test('a filled gap uses its nonce like any other transaction', () => {
  const history = createHistory()
  assert.equal(answerOf(decideOn(history, tx({ key: gas, to: gas, data: '0x' }))), 'sign')
  assert.equal(
    answerOf(decideOn(history, tx({ key: gas, to: factory, data: sweep(token, 1) }))),
    'nonce_used',
  )
})

test('the daily cap counts each payout once, and the first drops out when it is more than 24 hours old', () => {
  const history = createHistory()
  const pay = (nonce: bigint, amount: bigint, now: number) =>
    answerOf(decideOn(history, tx({ nonce, data: transfer(friend, amount) }), now))
  const first = tx({ data: transfer(friend, 600n) })
  decideOn(history, first)
  decideOn(history, { ...first, fees: { gasPrice: 20n } })
  assert.equal(pay(1n, 400n, hourMs), 'sign')
  assert.equal(pay(2n, 1n, 2 * hourMs), 'daily_cap_exceeded')
  assert.equal(pay(2n, 1n, 24 * hourMs), 'daily_cap_exceeded')
  assert.equal(pay(2n, 601n, 24 * hourMs + 1), 'amount_not_allowed')
  assert.equal(pay(2n, 600n, 24 * hourMs + 1), 'sign')
  assert.equal(pay(3n, 1n, 24 * hourMs + 2), 'daily_cap_exceeded')
  // What was signed before may be signed with other fees although the cap is used up.
  assert.equal(answerOf(decideOn(history, { ...first, fees: { gasPrice: 30n } }, 24 * hourMs + 2)), 'sign')
})

test('a clock that goes back frees no cap', () => {
  const history = createHistory()
  decideOn(history, tx({ data: transfer(friend, 600n) }), 0)
  decideOn(history, tx({ nonce: 1n, data: transfer(friend, 400n) }), 30 * hourMs)
  decideOn(history, tx({ nonce: 2n, data: transfer(friend, 600n) }), hourMs)
  assert.equal(
    answerOf(decideOn(history, tx({ nonce: 3n, data: transfer(friend, 1n) }), -50 * hourMs)),
    'daily_cap_exceeded',
  )
  assert.equal(
    answerOf(decideOn(history, tx({ nonce: 3n, data: transfer(friend, 1n) }), 54 * hourMs + minuteMs)),
    'sign',
  )
})

test('the daily cap on fees counts the most expensive version of each nonce', () => {
  const history = createHistory()
  const half = { gas: 100_000n, fees: { gasPrice: 100n } }
  const first = tx({ gas: 100_000n, data: transfer(friend, 1n) })
  decideOn(history, first)
  for (let nonce = 1n; nonce < 10n; nonce++)
    assert.equal(answerOf(decideOn(history, tx({ nonce, ...half, data: transfer(friend, 1n) }))), 'sign')
  // Nine at ten million, one at one million: one more at nine million is the last that fits.
  assert.equal(answerOf(decideOn(history, { ...first, ...half })), 'sign')
  assert.equal(
    answerOf(decideOn(history, tx({ nonce: 10n, fees: { gasPrice: 1n } }))),
    'daily_fee_cap_exceeded',
  )
  assert.equal(answerOf(decideOn(history, { ...first, fees: { gasPrice: 99n } })), 'sign')
})

test('a nonce has a limit to its versions, and after it what was signed is still answered', () => {
  const history = createHistory()
  const first = tx()
  const version = (index: number) => ({ ...first, gas: 60_000n - BigInt(index) })
  for (let index = 0; index < versionsMax; index++)
    assert.equal(answerOf(decideOn(history, version(index))), 'sign')
  assert.equal(answerOf(decideOn(history, version(versionsMax))), 'too_many_versions')
  assert.deepEqual(decideOn(history, version(17)), { verdict: 'sign', wasSigned: true })
})
