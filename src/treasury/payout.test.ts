import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Chain } from '#/coins/chain.ts'
import { mainToken } from '#/coins/chain.ts'
import { usdtAt } from '#/coins/networks.ts'
import { deterministicDeployer, toChecksum, type Address } from '#/evm/address.ts'
import { given } from '#/kernel/given.ts'
import type { ConnectionId, MerchantId } from '#/kernel/id.ts'
import type { PayoutRequest } from '#/rails/payout-rail.ts'
import { routePayout } from './payout.ts'

/** A vector of EIP-55. */
const checksummed = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

function addressOf(digit: string): Address {
  return `0x${digit.repeat(40)}`
}

const chain: Chain = {
  key: 'sandbox',
  mode: 'SANDBOX',
  connection: 'a1-chain' as ConnectionId,
  chainId: 31_337n,
  network: 'BSC',
  tokens: [usdtAt(addressOf('1'))],
  treasury: addressOf('2'),
  factory: addressOf('3'),
  implementation: addressOf('4'),
  confirmationsMin: 1,
}
const chains = [{ chain, hot: addressOf('5'), further: [addressOf('6')] }]

function route(request: Partial<PayoutRequest>) {
  const merchantId = 'm' as MerchantId
  return routePayout(chains, {
    mode: 'SANDBOX',
    merchantId,
    currency: 'USDT',
    cryptoAddress: checksummed,
    ...request,
  })
}

function faultOf(request: Partial<PayoutRequest>) {
  const answer = route(request)
  return answer.ok ? undefined : [answer.code, answer.pointer]
}

describe('where a payout may go', () => {
  test('the normal form of an address is that of EIP-55', () => {
    const digits = checksummed.slice(2)
    for (const text of [checksummed, `0x${digits.toLowerCase()}`, `0x${digits.toUpperCase()}`]) {
      const answer = route({ cryptoAddress: text })
      assert.ok(answer.ok)
      assert.equal(answer.destination.text, checksummed)
      assert.deepEqual(answer.destination.fields, {
        cryptoAddress: checksummed,
        cryptoNetwork: 'BSC',
        cryptoCurrency: 'USDT',
      })
      assert.deepEqual([answer.connection, answer.currency], [chain.connection, 'USDT'])
    }
  })

  test('a mistyped or invalid address is refused', () => {
    const mistyped = checksummed.replace('5aA', '5aa')
    for (const text of [mistyped, checksummed.slice(0, -1), `${checksummed}0`, 'vitalik.eth', ''])
      assert.deepEqual(faultOf({ cryptoAddress: text }), ['invalid_request', '/cryptoAddress'], text)
    const without: PayoutRequest = { mode: 'SANDBOX', merchantId: 'm' as MerchantId, currency: 'USDT' }
    assert.equal(routePayout(chains, without).ok, false)
  })

  for (const [what, address] of [
    ['the zero address', addressOf('0')],
    ['a precompiled contract', `0x${'1'.padStart(40, '0')}` as const],
    ['a system contract of BSC', `0x${'1000'.padStart(40, '0')}` as const],
    ['the token', mainToken(chain).address],
    ['the treasury', chain.treasury],
    ['the factory', chain.factory],
    ['the forwarder', chain.implementation],
    ['the hot wallet', addressOf('5')],
    ['another wallet of ours', addressOf('6')],
    ['the deployer', deterministicDeployer],
  ] as const) {
    test(`${what} is never paid, in any spelling`, () => {
      for (const text of [address, toChecksum(address)])
        assert.deepEqual(faultOf({ cryptoAddress: text }), ['destination_not_allowed', '/cryptoAddress'])
    })
  }

  test('only USDT is paid out, on a network and in a token that are connected in this mode', () => {
    assert.deepEqual(faultOf({ currency: 'USD' }), ['currency_not_supported', '/currency'])
    assert.deepEqual(faultOf({ cryptoNetwork: 'TRON' }), ['network_not_supported', '/cryptoNetwork'])
    assert.deepEqual(faultOf({ cryptoCurrency: 'USDC' }), ['network_not_supported', '/cryptoCurrency'])
    assert.deepEqual(faultOf({ mode: 'LIVE' }), ['method_not_available', undefined])
    for (const cryptoNetwork of ['BSC', 'bsc', 'Bep20', undefined]) {
      const answer = route({ ...given({ cryptoNetwork }), cryptoCurrency: 'usdt' })
      assert.ok(answer.ok)
      const { cryptoNetwork: network, cryptoCurrency: token } = answer.destination.fields
      assert.deepEqual([network, token], ['BSC', 'USDT'])
    }
  })
})
