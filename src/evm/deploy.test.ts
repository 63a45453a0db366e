import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { usdtAt } from '#/coins/networks.ts'
import { richAccount, startAnvil, type Anvil } from '../../test/anvil.ts'
import { keccak, bytesOf, toChecksum, type Address } from './address.ts'
import { createRpc, type Rpc } from './client.ts'
import { ensureContracts, selfCheck, type Contracts, type Expected } from './deploy.ts'

const treasury: Address = '0x00000000000000000000000000000000007a5e11'
const elsewhere: Address = '0x0000000000000000000000000000000000001234'

let node: Anvil
let rpc: Rpc
let contracts: Contracts
let expected: Expected

before(async () => {
  node = await startAnvil()
  rpc = createRpc(node.url, { timeoutMs: 60_000 })
  contracts = await ensureContracts(rpc, { deployer: richAccount, treasury })
  expected = { chainId: 31337n, treasury, ...contracts, token: usdtAt(contracts.token) }
})
after(async () => {
  rpc.close()
  await node.stop()
})

test('deployed contracts pass the check, with addresses in any case', async () => {
  assert.deepEqual(await selfCheck(rpc, expected), [])
  const tokenCodeHash = keccak(bytesOf(await rpc.getCode(contracts.token)))
  const spelled = {
    treasury: toChecksum(treasury),
    factory: toChecksum(contracts.factory),
    implementation: toChecksum(contracts.implementation),
    token: usdtAt(toChecksum(contracts.token)),
    tokenCodeHash,
  }
  assert.deepEqual(await selfCheck(rpc, { ...expected, ...spelled }), [])
})

test('a second deployment changes nothing and sends nothing', async () => {
  const height = await rpc.blockNumber()
  assert.deepEqual(await ensureContracts(rpc, { deployer: richAccount, treasury }), contracts)
  assert.equal(await rpc.blockNumber(), height)
})

test('a lost chain gets its contracts back at the same addresses', async () => {
  await using other = await startAnvil({ blockTimeSeconds: 0.1 })
  const otherRpc = createRpc(other.url, { timeoutMs: 60_000 })
  assert.deepEqual(await ensureContracts(otherRpc, { deployer: richAccount, treasury }), contracts)
  assert.deepEqual(await selfCheck(otherRpc, expected), [])
  otherRpc.close()
})

test('each deviation is named', async () => {
  const another = await ensureContracts(rpc, { deployer: richAccount, treasury: elsewhere })
  const cases: readonly (readonly [Partial<Expected>, RegExp])[] = [
    [{ chainId: 56n }, /the node is on chain 31337, not on 56/],
    [{ treasury: elsewhere }, /the forwarder at .* has other code than this release/],
    [{ treasury: elsewhere }, /treasury\(\) at .* answers .*7a5e11, not .*1234/],
    [{ factory: elsewhere }, /the forwarder factory is not deployed at 0x0{36}1234/],
    [{ factory: another.factory }, /the forwarder factory at .* has other code/],
    [{ factory: another.factory }, /implementation\(\) at .* answers/],
    [{ factory: another.factory }, /addressOf\(\) at .* answers/],
    [{ implementation: another.implementation }, /treasury\(\) at .* answers .*1234, not .*7a5e11/],
    [{ implementation: elsewhere }, /the forwarder is not deployed/],
    [{ token: usdtAt(elsewhere) }, /the token is not deployed/],
    [{ token: usdtAt(contracts.factory) }, /decimals\(\) at .* fails/],
    [{ tokenCodeHash: `0x${'00'.repeat(32)}` }, /the token at .* has other code/],
  ]
  for (const [change, sentence] of cases) {
    const faults = await selfCheck(rpc, { ...expected, ...change })
    assert.ok(
      faults.some((fault) => sentence.test(fault)),
      `${sentence} in ${faults.join('; ')}`,
    )
  }
})

test('a token of other decimals than those that amounts are converted by is refused', async () => {
  // PUSH1 6, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN: returns 6 for every call.
  await rpc.call('anvil_setCode', [elsewhere, '0x60065f5260205ff3'])
  assert.deepEqual(await selfCheck(rpc, { ...expected, token: usdtAt(elsewhere, 6) }), [])
  const [fault] = await selfCheck(rpc, { ...expected, token: usdtAt(elsewhere) })
  assert.match(fault ?? '', /decimals\(\) at .* answers 0x0{63}6, not 0x0{62}12/)
})

test('a node that cannot be reached is an error, not a fault of the chain', async () => {
  const gone = createRpc('http://127.0.0.1:1', { timeoutMs: 1_000 })
  await assert.rejects(selfCheck(gone, expected), { name: 'ProviderError', outcome: 'unavailable' })
})

test('a chain without the deterministic deployer is refused before anything is sent', async () => {
  await using other = await startAnvil()
  const otherRpc = createRpc(other.url, { timeoutMs: 60_000 })
  await otherRpc.call('anvil_setCode', ['0x4e59b44847b379578588920ca78fbf26c0b4956c', '0x'])
  const made = ensureContracts(otherRpc, { deployer: richAccount, treasury })
  await assert.rejects(made, { name: 'ProviderError', outcome: 'refused' })
  assert.equal(await otherRpc.blockNumber(), 0n)
  otherRpc.close()
})
