import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Hex } from 'viem'
import { must } from '#/kernel/check.ts'
import { richAccount, startAnvil, type Anvil } from '../../test/anvil.ts'
import { headerHash, receiptsRoot, verifyBlock } from './block-proof.ts'
import { createRpc, type Rpc } from './client.ts'
import { ensureContracts } from './deploy.ts'
import { parseBlock, toTopic, type Block, type TxReceipt } from './wire.ts'

let node: Anvil
let rpc: Rpc
let token: Hex

before(async () => {
  node = await startAnvil()
  rpc = createRpc(node.url, { timeoutMs: 60_000 })
  token = (await ensureContracts(rpc, { deployer: richAccount, treasury: `0x${'7a'.repeat(20)}` })).token
  await rpc.call('evm_setAutomine', [false])
})
after(async () => {
  rpc.close()
  await node.stop()
})

const address = (last: number): Hex => `0x${last.toString(16).padStart(40, '0')}`
const word = (number: number) => number.toString(16).padStart(64, '0')

/**
 * Every kind of transaction that a block can have: legacy, with an access list, with a fee market, failing. All have one price. The
 * node sorts by price, even against the order of one sender's nonces, and would drop the transactions that are then out of order.
 */
function transaction(i: number): Readonly<Record<string, unknown>> {
  const mint = `0x40c10f19${word(0xd000 + i)}${word(i + 1)}`
  const zeroMove = `0x23b872dd${word(0xa)}${word(0xb)}${word(0)}`
  const base = { from: richAccount, gas: '0x249f0' }
  if (i % 5 === 1) return { ...base, to: token, data: mint, gasPrice: '0x0' }
  if (i % 5 === 2) return { ...base, to: address(0xcafe), value: '0x1', gasPrice: '0x0', accessList: [] }
  if (i % 5 === 3)
    return { ...base, to: token, data: zeroMove, maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' }
  if (i % 5 === 4) return { ...base, to: token, data: '0xdeadbeef', gasPrice: '0x0' }
  return { ...base, to: token, data: mint, maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' }
}

async function mine(count: number): Promise<{ block: Block; receipts: readonly TxReceipt[] }> {
  // Explicit nonces, because the node gives the same nonce to two concurrent calls.
  const nonce = Number(await rpc.call('eth_getTransactionCount', [richAccount, 'latest']))
  const sent = Array.from({ length: count }, (_, i) => ({
    ...transaction(i),
    nonce: `0x${(nonce + i).toString(16)}`,
  }))
  await Promise.all(sent.map((each) => rpc.call('eth_sendTransaction', [each])))
  await rpc.call('evm_mine', [])
  const block = must(await rpc.getBlockByNumber('latest'), 'the block')
  const receipts = must(await rpc.getBlockReceipts(block.hash), 'its receipts')
  assert.equal(receipts.length, count)
  return { block, receipts }
}

// 128 and 256 are where the keys of the trie get longer.
for (const count of [0, 1, 2, 17, 150, 300]) {
  test(`a real block with ${count} transactions has the header hash and the receipts root of the node’s answer`, async () => {
    const { block, receipts } = await mine(count)
    assert.equal(headerHash(block), block.hash)
    assert.equal(receiptsRoot(receipts), block.receiptsRoot)
    assert.deepEqual(verifyBlock(block, receipts), { ok: true })
  })
}

test('an omitted or changed part of a block is found', async () => {
  const { block, receipts } = await mine(17)
  assert.deepEqual(new Set(receipts.map(({ type }) => type)), new Set([0, 1, 2]))
  const at = receipts.findIndex(({ logs }) => logs.length > 0)
  const receipt = must(receipts[at], 'a receipt with a log')
  const log = must(receipt.logs[0], 'its log')
  const lies: Readonly<Record<string, readonly TxReceipt[]>> = {
    'a log is missing': receipts.with(at, { ...receipt, logs: [] }),
    'all logs are missing': receipts.map((each) => ({ ...each, logs: [] })),
    'another token': receipts.with(at, { ...receipt, logs: [{ ...log, address: address(1) }] }),
    'another receiver': receipts.with(at, {
      ...receipt,
      logs: [{ ...log, topics: log.topics.with(2, toTopic(address(1))) }],
    }),
    'another amount': receipts.with(at, { ...receipt, logs: [{ ...log, data: `0x${word(10 ** 9)}` }] }),
    'a failure for a success': receipts.with(at, { ...receipt, succeeded: !receipt.succeeded }),
    'another type': receipts.with(at, { ...receipt, type: receipt.type + 1 }),
    'other gas': receipts.with(at, { ...receipt, cumulativeGasUsed: receipt.cumulativeGasUsed + 1n }),
  }
  for (const [lie, altered] of Object.entries(lies)) {
    assert.notEqual(receiptsRoot(altered), block.receiptsRoot, lie)
    assert.equal(verifyBlock(block, altered).ok, false, lie)
  }
})

test('missing, additional and unordered receipts, and those of another block, are found', async () => {
  const { block, receipts } = await mine(6)
  const other = await mine(6)
  const [first, ...rest] = receipts
  assert.ok(first)
  for (const wrong of [rest, [...receipts, first], [...rest, first], other.receipts, []]) {
    assert.equal(verifyBlock(block, wrong).ok, false)
  }
})

test('labels outside the hash that contradict each other are found', async () => {
  const { block, receipts } = await mine(6)
  const at = receipts.findIndex(({ logs }) => logs.length > 0)
  const receipt = must(receipts[at], 'a receipt with a log')
  const log = must(receipt.logs[0], 'its log')
  const otherHash: Hex = `0x${'ab'.repeat(32)}`
  const verify = (change: Partial<TxReceipt>) =>
    verifyBlock(block, receipts.with(at, { ...receipt, ...change }))
  assert.equal(verify({ txHash: otherHash }).ok, false)
  assert.equal(verify({ blockHash: otherHash }).ok, false)
  assert.equal(verify({ logs: [{ ...log, txHash: otherHash }] }).ok, false)
  assert.equal(verify({ logs: [{ ...log, logIndex: log.logIndex + 1 }] }).ok, false)
  assert.equal(verify({ logs: [{ ...log, blockNumber: log.blockNumber + 1n }] }).ok, false)
})

test('a header with any field changed has another hash', async () => {
  const { block, receipts } = await mine(1)
  for (const [field, value] of Object.entries(block.header)) {
    const flipped: Hex = `0x${value.slice(2, -1)}${value.endsWith('1') ? '2' : '1'}`
    const header = { ...block.header, [field]: field === 'extraData' ? '0x00' : flipped }
    assert.notEqual(headerHash({ ...block, header }), block.hash, field)
  }
  const { header } = block
  const verdict = verifyBlock(
    { ...block, header: { ...header, stateRoot: `0x${'11'.repeat(32)}` } },
    receipts,
  )
  assert.match(verdict.ok ? '' : verdict.reason, /header has another hash/)
})

const noBody = { transactions: [] }
const noUncles = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'

test('block 23188712 of BNB Smart Chain, from before its headers had optional fields, has its published hash', () => {
  const block = parseBlock({
    ...noBody,
    hash: '0x8b6eeece6cedbb23038e7e5c2ce647fbdffa04972247d60a7564e81897e8bc30',
    parentHash: '0xa9c482b74a276389681eabff076b19bef53cae9b5e44f02224e70e3bfc4e9142',
    sha3Uncles: noUncles,
    miner: '0x72b61c6014342d914470ec7ac2975be345796c2b',
    stateRoot: '0xacd5bca0bc33ed07cb35a635fa674e4ce06211ba201500564dd14dcdaf53e5a9',
    transactionsRoot: '0xcb374b870584bd587dec2e82af38924a5c0d5765913568434c50448856f97a2c',
    receiptsRoot: '0x6f2dc6ade8cf9422d62abd8e8386f20576a6b1f31cc00aa83dba140d183cff16',
    logsBloom:
      '0xfcfef2ce9d78d29fcbfefbff9dfdf3afb23eff54be7efe7ffdb47abcffdff35fff7bf5de80e257fc836eb97fab43eef33dc7b7ffdfb7fcebfb3df6efff7fecfef473d6fe31dcbcebf7ffeff957b6fbbc6d1efb7ebfddbd3bddfeffded78df79ef3ff9ffd4fd67fcfdfdfff3fecdeddefddadf6ef802b5feaf6f4debffbd7ff9b1fcffff73ceb76fddcfd5f73ffff61bed4be7fb59fe77baebb746f4bcefbdebb76df77fdfb8b73bd2ffcf763b33ff7a6cfeefd7e36f6ed275ffa7fff7fbb996ff33bfbdfe76f23bfecf1ffcfceff3fefbd57b5f5dbfd7fde75cffff77ffffa7feefdf7ddef66f7db77fffd47efa6e5bf55f7fef3ebfbbdf3b1fe77f93ffacedf',
    difficulty: '0x2',
    number: '0x161d4e8',
    gasLimit: '0x7355c0c',
    gasUsed: '0x2134d60',
    timestamp: '0x6378bdd7',
    extraData:
      '0xd883010111846765746888676f312e31392e32856c696e757800000040fc9c67c61ee4a053e5ec524393cb2608e7a1b0de9a91f880095cd7bfc009b8e0ab5de96c2085a484239f38ca437bc805d2df9b88ea2a9a2a1ce9f5ab6005ae3464b17601',
    mixHash: `0x${'00'.repeat(32)}`,
    nonce: '0x0000000000000000',
    baseFeePerGas: null,
  })
  assert.equal(headerHash(block), block.hash)
})

test('block 23535880 of Ethereum, with every field up to Prague, has its published hash', () => {
  const block = parseBlock({
    ...noBody,
    hash: '0xe38d4bb2060a54519508612f40ef737a09c5b20488c12b0bec2d4f5ea7073c15',
    parentHash: '0x1fab238a9630a2e95c8b735ebc63bc2751bc6492f409ee16a7b5a532985196eb',
    sha3Uncles: noUncles,
    miner: '0x4838b106fce9647bdf1e7877bf73ce8b0bad5f97',
    stateRoot: '0xd3c86549e5d57f14bd0b28630b70cb68038ac3334251bd194c93a18d96492f39',
    transactionsRoot: '0x9da0226f723a9da4b8df8782930c0e83bd73c4a393069ee7861465188eed989b',
    receiptsRoot: '0x01d0a60dd8fd8de710a191aba91f82e2a437ac21a6e77b21b2f745809e7feadf',
    logsBloom:
      '0x3effc77fb16497fa74fffeb6ef65dfbd7b97f8dd7f198ff37abfcf5fdeb329e7bdbc9d8caffdf765f7b75df9e737eff773fbf639ff9ffb376fb726a7ff2f68dffea0de7fafd3f7fbff8d5fdff57becf3e76f3f73fefc1ff9bbf9df7fb3fffff13f577b7fdffeb7f7ffb8cd71ff93fff3bfffd7e3bfbe576daefdfff6fb5afedf8ffbbd7d7baf977f46fbffceebfbe86fc6ffb6f1eff3fbbfbeb9eefbf954ffe3fbff9d73b8f9ecfdcfdf7df3fdd9ff3bbfdfe9efe8ffee6ff7fe4a3ff7a5fefbfffffcffcd7f2bc04bdf7c52d3fdfeff3f7dfe7b4fefa9f46edb53c2de9ffb7f3ffdff6fefa67f64f6e7f7bff5af1dffffeff9b99ff86fef589e3bbfffdfffb7',
    difficulty: '0x0',
    number: '0x1672108',
    gasLimit: '0x2aea540',
    gasUsed: '0x1d1e02e',
    timestamp: '0x68e6df9f',
    extraData: '0x546974616e2028746974616e6275696c6465722e78797a29',
    mixHash: '0x15350a0cad9bc5cb1298b3710db038850f1df5d8ac00c4ca3b03fb64c7e8ab78',
    nonce: '0x0000000000000000',
    baseFeePerGas: '0xb9e4be0',
    withdrawalsRoot: '0x0740ba007069960b2d60f77b0ce2648cffa3573accd055d4803eb771e32903e7',
    blobGasUsed: '0xc0000',
    excessBlobGas: '0x0',
    parentBeaconBlockRoot: '0x2bd55d2f0e1a3d3e181659ebc21bb167527e517de88b39b0d7ebbeeb3e28eebc',
    requestsHash: '0x965c860907968cab126093a785436ad747495ae45b21dac1b6a92ae0f4866ce0',
  })
  assert.equal(headerHash(block), block.hash)
})
