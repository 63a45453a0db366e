// A real node (anvil) has answered every JSON-RPC method that this program calls. The test fails for a method that src calls and
// the table below lacks, and for a method in the table that src does not call.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createRpc, type Rpc } from '#/evm/client.ts'
import { nonceReader } from '#/evm/nonces.ts'
import { toData, toList, toQuantity } from '#/evm/wire.ts'
import { must } from '#/kernel/check.ts'
import { systemClock } from '#/kernel/time.ts'
import { suggestFees, bscFees } from '#/treasury/fees.ts'
import { richAccount, startAnvil } from '../../../test/anvil.ts'
import { eventually } from '../../../test/eventually.ts'

const source = fileURLToPath(new URL('../../', import.meta.url))
const other = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

/** Every quoted text in the source that has the form of a method's name. */
function methodsInSource(): readonly string[] {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/(?:^|\/)test-/.test(file),
  )
  const found = files.flatMap((file) =>
    [
      ...readFileSync(join(source, file), 'utf8').matchAll(
        /'((?:eth|anvil|evm|txpool|net|web3|debug|trace|hardhat)_\w+)'/g,
      ),
    ].map(([, method = '']) => method),
  )
  return [...new Set(found)].toSorted()
}

/** A client, and the methods that the node answered with a result. */
async function observed(t: TestContext, nodeUrl: string) {
  const answered: string[] = []
  const headers = { 'content-type': 'application/json' }
  const pass = async (body: string) => {
    const { method } = JSON.parse(body) as { readonly method: string }
    const text = await (await fetch(nodeUrl, { method: 'POST', headers, body })).text()
    if ('result' in (JSON.parse(text) as object)) answered.push(method)
    return text
  }
  const front = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      void pass(Buffer.concat(parts).toString()).then((text) => response.writeHead(200, headers).end(text))
    })
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  const rpc = createRpc(`http://127.0.0.1:${(front.address() as AddressInfo).port}`, { timeoutMs: 60_000 })
  t.after(async () => {
    rpc.close()
    front.close()
    await once(front, 'close')
  })
  return { rpc, answered }
}

/** How each method is called. Later calls use what earlier ones left on the node. */
function callsOf(rpc: Rpc): Readonly<Record<string, () => Promise<unknown>>> {
  const head = async () => must(await rpc.getBlockByNumber('latest'), 'there is a block')
  const sent = () => rpc.sendTransaction({ from: richAccount, to: other, value: 1n })
  const mined = async () => {
    const hash = await sent()
    await eventually('it is in a block', () => rpc.getTransactionReceipt(hash))
    return hash
  }
  const rawOf = async (hash: string) =>
    toData(await rpc.call('eth_getRawTransactionByHash', [hash]), 'raw transaction', 0)
  return {
    eth_chainId: rpc.chainId,
    eth_blockNumber: rpc.blockNumber,
    eth_accounts: async () => assert.ok(toList(await rpc.call('eth_accounts', []), 'accounts').length > 1),
    eth_sendTransaction: sent,
    eth_getTransactionReceipt: mined,
    eth_getRawTransactionByHash: async () => rawOf(await mined()),
    eth_getTransactionByHash: async () => {
      const sender = await nonceReader(rpc).sentBy(await mined())
      assert.equal(sender?.account, richAccount)
    },
    eth_getTransactionCount: () => rpc.call('eth_getTransactionCount', [richAccount, 'pending']),
    eth_getBalance: () => rpc.call('eth_getBalance', [richAccount, 'latest']),
    eth_getBlockByNumber: head,
    eth_getBlockByHash: async () => must(await rpc.getBlockByHash((await head()).hash), 'it is there'),
    eth_getBlockReceipts: async () =>
      assert.equal((await rpc.getBlockReceipts((await head()).hash))?.length, (await head()).txHashes.length),
    eth_getLogs: async () => rpc.getLogs({ blockHash: (await head()).hash }),
    eth_getCode: () => rpc.getCode(other),
    eth_call: () => rpc.ethCall(other, '0x'),
    eth_feeHistory: () => suggestFees(rpc, bscFees),
    // A reorganisation drops a transaction that the node signed; it is sent again unchanged.
    async eth_sendRawTransaction() {
      const hash = await mined()
      const raw = await rawOf(hash)
      await rpc.call('anvil_reorg', [1, []])
      assert.equal(await rpc.sendRawTransaction(raw), hash)
    },
    anvil_mine: () => rpc.call('anvil_mine', ['0x1']),
    anvil_reorg: () => rpc.call('anvil_reorg', [1, []]),
    anvil_setBalance: () => rpc.call('anvil_setBalance', [other, toQuantity(10n ** 18n)]),
    anvil_setNonce: () => rpc.call('anvil_setNonce', [`0x${'11'.repeat(20)}`, '0x7']),
    anvil_impersonateAccount: () => rpc.call('anvil_impersonateAccount', [other]),
    anvil_stopImpersonatingAccount: () => rpc.call('anvil_stopImpersonatingAccount', [other]),
    evm_setTime: () => rpc.call('evm_setTime', [systemClock.now().getTime()]),
    evm_mine: () => rpc.call('evm_mine', []),
    txpool_status: () => rpc.call('txpool_status', []),
  }
}

test('a node answers every method that the program calls', async (t) => {
  await using node = await startAnvil()
  const { rpc, answered } = await observed(t, node.url)
  const make = callsOf(rpc)
  assert.deepEqual(Object.keys(make).toSorted(), methodsInSource())
  await rpc.call('anvil_mine', ['0x5'])
  for (const [method, call] of Object.entries(make)) {
    const before = answered.length
    await call()
    assert.ok(answered.slice(before).includes(method), `${method} was never answered`)
  }
})
