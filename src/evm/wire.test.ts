import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from 'viem'
import { toEventSelector } from 'viem/utils'
import {
  decodeTransfer,
  parseBlock,
  parseLog,
  parseReceipt,
  toBigint,
  toQuantity,
  toTopic,
  transferTopic,
  type Log,
} from './wire.ts'

const hash = (byte: string): Hex => `0x${byte.repeat(32)}`
const token: Hex = `0x${'55'.repeat(20)}`
const payer: Hex = `0x${'aa'.repeat(20)}`
const deposit: Hex = `0x${'bb'.repeat(20)}`

const sentLog = {
  address: '0x55d398326f99059fF775485246999027B3197955',
  topics: [transferTopic, toTopic(payer), toTopic(deposit)],
  data: `0x${'0'.repeat(63)}7`,
  blockHash: hash('11'),
  blockNumber: '0x10',
  transactionHash: hash('22'),
  transactionIndex: '0x3',
  logIndex: '0x4',
  removed: false,
}

const sentReceipt = {
  type: '0x2',
  status: '0x1',
  transactionHash: hash('22'),
  transactionIndex: '0x3',
  blockHash: hash('11'),
  blockNumber: '0x10',
  gasUsed: '0x5208',
  cumulativeGasUsed: '0xa410',
  logsBloom: `0x${'00'.repeat(256)}`,
  logs: [sentLog],
}

const sentBlock = {
  number: '0x10',
  hash: hash('11'),
  parentHash: hash('10'),
  sha3Uncles: hash('01'),
  miner: payer,
  stateRoot: hash('02'),
  transactionsRoot: hash('03'),
  receiptsRoot: hash('04'),
  logsBloom: `0x${'00'.repeat(256)}`,
  difficulty: '0x2',
  gasLimit: '0x1c9c380',
  gasUsed: '0x0',
  timestamp: '0x65000000',
  extraData: '0x',
  mixHash: hash('05'),
  nonce: '0x0000000000000000',
  transactions: [hash('22')],
}

const log: Log = parseLog(sentLog)
const says = (pattern: RegExp) => ({ name: 'ProviderError', outcome: 'unknown', message: pattern })

test('the topic of a transfer is the hash of its signature', () => {
  assert.equal(transferTopic, toEventSelector('Transfer(address,address,uint256)'))
})

test('a log is read with its addresses in lower case', () => {
  assert.deepEqual(log, {
    address: '0x55d398326f99059ff775485246999027b3197955',
    topics: [transferTopic, toTopic(payer), toTopic(deposit)],
    data: sentLog.data,
    blockHash: hash('11'),
    blockNumber: 16n,
    txHash: hash('22'),
    txIndex: 3,
    logIndex: 4,
  })
})

test('a transfer is decoded, up to the largest amount and down to zero', () => {
  const from = { token: log.address, from: payer, to: deposit }
  assert.deepEqual(decodeTransfer(log), { ...from, value: { raw: 7n } })
  assert.deepEqual(decodeTransfer({ ...log, data: `0x${'f'.repeat(64)}` }), {
    ...from,
    value: { raw: 2n ** 256n - 1n },
  })
  assert.deepEqual(decodeTransfer({ ...log, data: `0x${'0'.repeat(64)}` }), { ...from, value: { raw: 0n } })
})

test('a log that only looks like a transfer of a token is no transfer', () => {
  const [event, from, to] = [transferTopic, toTopic(payer), toTopic(deposit)]
  const others: Readonly<Record<string, Partial<Log>>> = {
    'an NFT, whose id is a fourth topic': { topics: [event, from, to, hash('00')], data: '0x' },
    'two topics': { topics: [event, from] },
    'no topics': { topics: [] },
    'another event': { topics: [hash('dd'), from, to] },
    'two words of data': { data: `0x${'0'.repeat(128)}` },
    'no data': { data: '0x' },
    'a sender that is no address': { topics: [event, hash('aa'), to] },
    'a receiver that is no address': { topics: [event, from, hash('bb')] },
  }
  for (const [what, change] of Object.entries(others)) {
    assert.equal(decodeTransfer({ ...log, ...change }), undefined, what)
  }
})

test('a fake token is distinguished by its address, which is in the transfer', () => {
  assert.equal(decodeTransfer({ ...log, address: token })?.token, token)
})

test('a receipt is read, and a legacy one may omit its type', () => {
  const { type: _, ...legacy } = sentReceipt
  const receipt = parseReceipt(sentReceipt)
  assert.deepEqual(
    [receipt.type, receipt.succeeded, receipt.gasUsed, receipt.logs],
    [2, true, 21_000n, [log]],
  )
  assert.equal(parseReceipt(legacy).type, 0)
  assert.equal(parseReceipt({ ...sentReceipt, status: '0x0' }).succeeded, false)
})

test('a block is read with its optional fields, and null counts as absent', () => {
  const block = parseBlock({ ...sentBlock, baseFeePerGas: '0x0', withdrawalsRoot: null })
  assert.deepEqual([block.number, block.timestamp, block.txHashes], [16n, 0x65000000n, [hash('22')]])
  assert.equal(block.header.baseFeePerGas, '0x0')
  assert.equal(block.header.withdrawalsRoot, undefined)
  assert.equal(block.header.requestsHash, undefined)
})

test('nonsense is refused with the name of the field', () => {
  for (const [sent, pattern] of [
    [null, /log is not an object/],
    [[], /log is not an object/],
    [{ ...sentLog, address: '0x12' }, /log\.address does not have 20 bytes/],
    [{ ...sentLog, address: undefined }, /log\.address is not hex data/],
    [{ ...sentLog, data: '0xabc' }, /log\.data is not hex data/],
    [{ ...sentLog, data: '0xzz' }, /log\.data is not hex data/],
    [{ ...sentLog, blockNumber: 16 }, /log\.blockNumber is not a quantity/],
    [{ ...sentLog, blockNumber: '0x010' }, /log\.blockNumber is not a quantity/],
    [{ ...sentLog, blockNumber: null }, /log\.blockNumber is not a quantity/],
    [{ ...sentLog, logIndex: '0x100000000' }, /log\.logIndex is too large/],
    [{ ...sentLog, topics: 'none' }, /log\.topics is not a list/],
    [{ ...sentLog, topics: ['0x12'] }, /log\.topics\[0\] does not have 32 bytes/],
    [{ ...sentLog, topics: Array(5).fill(hash('00')) }, /log\.topics has more than four topics/],
    [{ ...sentLog, removed: true }, /log\.removed is true/],
  ] as const) {
    assert.throws(() => parseLog(sent), says(pattern))
  }
  assert.throws(() => parseReceipt({ ...sentReceipt, status: '0x2' }), says(/receipt\.status/))
  assert.throws(() => parseReceipt({ ...sentReceipt, type: '0x80' }), says(/receipt\.type/))
  assert.throws(() => parseReceipt({ ...sentReceipt, logs: [{}] }), says(/receipt\.logs\[0\]\.topics/))
  assert.throws(
    () => parseBlock({ ...sentBlock, logsBloom: '0x00' }),
    says(/block\.logsBloom does not have 256 bytes/),
  )
  assert.throws(() => parseBlock({ ...sentBlock, mixHash: undefined }), says(/block\.mixHash/))
  assert.throws(() => parseBlock({ ...sentBlock, hash: null }), says(/block\.hash/))
  assert.throws(() => parseBlock({ ...sentBlock, transactions: [{}] }), says(/block\.transactions\[0\]/))
})

test('a quantity has the same form when written and when read', () => {
  for (const number of [0n, 1n, 255n, 2n ** 256n - 1n])
    assert.equal(toBigint(toQuantity(number), 'it'), number)
  assert.throws(() => toBigint(`0x1${'0'.repeat(64)}`, 'it'), says(/it is not a quantity/))
})
