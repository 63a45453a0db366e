// The records of networks and tokens.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toChecksum } from '#/evm/address.ts'
import { connectable, networkLabel, networkName } from './networks.ts'

test('a network has its name in any capitals and by its aliases; other text stays what it is, in capitals', () => {
  for (const [text, name] of [
    ['BSC', 'BSC'],
    ['bsc', 'BSC'],
    ['Bep20', 'BSC'],
    ['erc20', 'ETHEREUM'],
    ['ETH', 'ETHEREUM'],
    ['matic', 'POLYGON'],
    ['op', 'OPTIMISM'],
    ['arb', 'ARBITRUM'],
    ['avaxc', 'AVALANCHE'],
    ['tron', 'TRON'],
    ['', ''],
  ] as const)
    assert.equal(networkName(text), name, text)
})

test('a label is what exchanges write, and without a record the name', () => {
  assert.equal(networkLabel('BSC'), 'BNB Smart Chain (BEP20)')
  assert.equal(networkLabel('TEST'), 'TEST')
})

test('BSC can be connected, with USDT of 18 decimals; a network without tokens and an unknown one cannot', () => {
  const { chainId, tokens } = connectable('BSC')
  assert.equal(chainId, 56n)
  assert.deepEqual(
    tokens.map(({ symbol, address, decimals }) => [symbol, toChecksum(address), decimals]),
    [['USDT', '0x55d398326f99059fF775485246999027B3197955', 18]],
  )
  for (const name of ['ETHEREUM', 'TRON']) assert.throws(() => connectable(name), /with tokens/, name)
})
