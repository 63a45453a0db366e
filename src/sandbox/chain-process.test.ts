import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { isRunning, identityOf, waitUntilGone, type ProcessIdentity } from '#/db/embedded-process.ts'
import { createRpc, type Rpc } from '#/evm/client.ts'
import { must } from '#/kernel/check.ts'
import { silentLog } from '#/kernel/log.ts'
import { eventually } from '../../test/eventually.ts'
import { freePort } from '../../test/ports.ts'
import { forgetSandboxChain, startSandboxChain, type SandboxChain } from './chain-process.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'vintem-chain-'))
const port = await freePort()
const keepers: ChildProcess[] = []

after(() => {
  for (const keeper of keepers) keeper.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

type Running = SandboxChain & AsyncDisposable & { readonly rpc: Rpc }

async function start(): Promise<Running> {
  const chain = await startSandboxChain({ dataDir, port, blockTimeSeconds: 0.02, log: silentLog })
  const rpc = createRpc(chain.rpcUrl, { timeoutMs: 60_000 })
  const end = async () => {
    rpc.close()
    await chain.stop()
  }
  return { ...chain, rpc, [Symbol.asyncDispose]: end }
}

const from = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const to = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

const mined = (rpc: Rpc, hash: Parameters<Rpc['getTransactionReceipt']>[0]) =>
  eventually(`the receipt of ${hash}`, () => rpc.getTransactionReceipt(hash))

test('the chain has the sandbox’s id, mines what is sent, and makes it final two blocks later', async () => {
  await using chain = await start()
  assert.equal(await chain.rpc.chainId(), 31_337n)
  const hash = await chain.rpc.sendTransaction({ from, to, value: 1n })
  const { blockNumber, blockHash } = await mined(chain.rpc, hash)
  await eventually(
    'it is final',
    async () => must(await chain.rpc.getBlockByNumber('finalized'), 'a final block').number >= blockNumber,
  )
  assert.deepEqual(await chain.rpc.getLogs({ blockHash }), [])
  // The state at the final block is kept, with enough earlier states for a reorganisation.
  assert.equal(await chain.rpc.ethCall(to, '0x', 'finalized'), '0x')
  await eventually('nine blocks', async () => (await chain.rpc.blockNumber()) > 8n)
  await chain.whileStill(() => chain.rpc.call('anvil_reorg', [8, []]))
})

test('a quiet chain rests, and a transaction wakes it', async () => {
  await using chain = await start()
  let before = -1n
  // At full pace a block comes with every step; at rest two polls a few steps apart see the same block.
  await eventually('the chain rests', async () => {
    before = await chain.rpc.blockNumber()
    await new Promise((resolve) => setTimeout(resolve, 60))
    return (await chain.rpc.blockNumber()) === before
  })
  const hash = await chain.rpc.sendTransaction({ from, to, value: 1n })
  const { blockNumber } = await mined(chain.rpc, hash)
  await eventually('20 more blocks', async () => (await chain.rpc.blockNumber()) >= blockNumber + 20n)
})

test('a node that is killed is replaced by an empty one, and the replacement is reported', async () => {
  await using chain = await start()
  const hash = await chain.rpc.sendTransaction({ from, to, value: 1n })
  await mined(chain.rpc, hash)
  const killed = must(identityOf(chain.pid()), 'it runs')
  const replaced = new Promise<void>((resolve) => chain.onReplaced(resolve))
  process.kill(killed.pid, 'SIGKILL')
  await replaced
  assert.notEqual(chain.pid(), killed.pid)
  assert.equal(await chain.rpc.getTransactionReceipt(hash), undefined)
})

test('the page of another site can neither call it nor send from its accounts', async () => {
  await using chain = await start()
  const headers = { origin: 'https://evil.example', 'content-type': 'application/json' }
  const preflight = await fetch(chain.rpcUrl, {
    method: 'OPTIONS',
    headers: {
      ...headers,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    },
  })
  assert.equal(preflight.ok, false)
  assert.equal(preflight.headers.get('access-control-allow-origin'), null)
  // A request that a browser sends without a preflight is refused.
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'eth_sendTransaction',
    params: [{ from, to, value: '0x1' }],
  })
  const before = await chain.rpc.call('eth_getTransactionCount', [from, 'pending'])
  for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
    const answer = await fetch(chain.rpcUrl, {
      method: 'POST',
      headers: { ...headers, 'content-type': type },
      body,
    })
    assert.equal(answer.headers.get('access-control-allow-origin'), null)
    await answer.body?.cancel()
  }
  assert.equal(await chain.rpc.call('eth_getTransactionCount', [from, 'pending']), before)
})

test('a node that a killed process left running is used again with its whole chain, and ended in the end', async () => {
  const keeper = startKeeper()
  const left = await nodeOf(keeper)
  const rpc = createRpc(`http://127.0.0.1:${port}`, { timeoutMs: 60_000 })
  const hash = await rpc.sendTransaction({ from, to, value: 1n })
  await mined(rpc, hash)
  rpc.close()
  await assert.rejects(start(), {
    name: 'StartError',
    message: `Vintem is already running with this data (process ${keeper.pid}).`,
  })
  await killed(keeper)
  assert.equal(isRunning(left), true)

  await using chain = await start()
  assert.equal(chain.pid(), left.pid)
  assert.notEqual(await chain.rpc.getTransactionReceipt(hash), undefined)
  await chain.stop()
  assert.equal(isRunning(left), false)
})

test('a node that was left running and answers late keeps its chain', async () => {
  const keeper = startKeeper()
  const left = await nodeOf(keeper)
  await killed(keeper)
  process.kill(left.pid, 'SIGSTOP')
  const starting = start()
  // Longer than one question waits for its answer.
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  process.kill(left.pid, 'SIGCONT')
  await using chain = await starting
  assert.equal(chain.pid(), left.pid)
})

test('a process that exits without stopping the chain ends the node too', async () => {
  const keeper = startKeeper('setTimeout(() => process.exit(3), 50)')
  const left = await nodeOf(keeper)
  await once(keeper, 'exit')
  assert.equal(await waitUntilGone(left, 10_000), true)
})

test('a port in use is reported in one line, with the remedy', async () => {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  const remedy = 'Stop what uses it, or set PORT to move all ports.'
  await assert.rejects(start(), {
    name: 'StartError',
    message: `Port ${port}, for the sandbox chain, is taken.`,
    remedy,
  })
  await new Promise((resolve) => server.close(resolve))
})

test('after it is forgotten nothing of it is left, not even a node that a killed process left running', async () => {
  const keeper = startKeeper()
  const left = await nodeOf(keeper)
  await assert.rejects(forgetSandboxChain(dataDir), { name: 'StartError' })
  await killed(keeper)
  await forgetSandboxChain(dataDir)
  assert.equal(isRunning(left), false)
  assert.deepEqual(readdirSync(dataDir), [])
  await forgetSandboxChain(dataDir)
  await forgetSandboxChain(join(dataDir, 'that was never there'))
})

test('after it was stopped in order and forgotten, nothing of it is left either', async () => {
  const chain = await start()
  await chain[Symbol.asyncDispose]()
  assert.ok(existsSync(join(dataDir, 'chain.log')))
  await forgetSandboxChain(dataDir)
  assert.deepEqual(readdirSync(dataDir), [])
})

/** The node of this keeper process. */
async function nodeOf(keeper: ChildProcess): Promise<ProcessIdentity> {
  const [line] = (await once(must(keeper.stdout, 'its output is read'), 'data')) as [Buffer]
  return must(identityOf(Number(String(line))), 'the node runs')
}

async function killed(keeper: ChildProcess): Promise<void> {
  const gone = once(keeper, 'exit')
  keeper.kill('SIGKILL')
  await gone
}

/** Another process that keeps this chain; it prints the node's process number once that is ready. */
function startKeeper(then = ''): ChildProcess {
  const module = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
  const options = `{ dataDir: ${JSON.stringify(dataDir)}, port: ${port}, blockTimeSeconds: 0.02, log: silentLog }`
  const program = `
    const { startSandboxChain } = await import(${module('./chain-process.ts')})
    const { silentLog } = await import(${module('../kernel/log.ts')})
    const chain = await startSandboxChain(${options})
    console.log(chain.pid())
    ${then}`
  const keeper = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  keepers.push(keeper)
  return keeper
}
