import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { getAddress } from 'viem/utils'
import { readConfig } from '#/config.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { readPolicyFile } from '#/signer/policy-file.ts'
import { reset } from './reset.ts'
import { signerCommand } from './signer.ts'

function openHome(settings: Readonly<Record<string, string>> = {}) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'vintem-cli-signer-'))
  const config = () => readConfig({ ...settings, VINTEM_DATA_DIR: dataDir, PORT: '48000' })
  const folder = path.join(dataDir, 'signer')
  const run = async (...args: readonly string[]) => {
    const printed = { out: '', err: '' }
    const terminal = createTerminal(
      {
        stdout: { write: (text) => (printed.out += text) },
        stderr: { write: (text) => (printed.err += text) },
      },
      {},
    )
    const open = () => Promise.reject(new Error('no database is needed here'))
    const code =
      args[0] === 'reset'
        ? await reset(config(), terminal)
        : await signerCommand(args, terminal, { config, open })
    return { code, ...printed }
  }
  return { folder, run, [Symbol.dispose]: () => rmSync(dataDir, { recursive: true, force: true }) }
}

const facts = ['31337', `0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`, `0x${'33'.repeat(20)}`] as const

test('a signer is created with a passphrase, a policy that allows nothing, and keys of each purpose', async () => {
  using home = openHome()
  assert.equal((await home.run('init')).code, 0)
  assert.deepEqual(readPolicyFile(path.join(home.folder, 'policy.json')), { keys: [], version: 1 })
  const made = await home.run('key', 'new', 'hot', '--json')
  const { address } = JSON.parse(made.out) as { readonly address: string }
  await home.run('key', 'new', 'gas')
  const { out } = await home.run('key', 'list', '--json')
  const keys = JSON.parse(out) as readonly { readonly address: string; readonly purpose: string }[]
  assert.deepEqual(keys.map(({ purpose }) => purpose).toSorted(), ['gas', 'hot'])
  assert.ok(keys.some((key) => key.address === address && key.purpose === 'hot'))
  for (const file of ['passphrase', 'policy.json', `keys/${address.toLowerCase()}.json`])
    assert.equal(statSync(path.join(home.folder, file)).mode & 0o777, 0o600)
  assert.equal((await home.run('init')).code, 0, 'a second time changes nothing')
  assert.equal((JSON.parse((await home.run('key', 'list', '--json')).out) as readonly unknown[]).length, 2)
})

test('addresses are printed with the capitals that reveal a mistyped one', async () => {
  using home = openHome()
  await home.run('init')
  for (const [name, args] of Object.entries({
    made: ['key', 'new', 'hot'],
    'made, as JSON': ['key', 'new', 'gas', '--json'],
    listed: ['key', 'list'],
    'listed, as JSON': ['key', 'list', '--json'],
  })) {
    const { out } = await home.run(...args)
    const addresses = out.match(/0x[0-9a-fA-F]{40}/g) ?? []
    assert.ok(addresses.length > 0, name)
    for (const address of addresses) assert.equal(address, getAddress(address), name)
  }
})

test('an unknown purpose and an unknown command are reported in one line', async () => {
  using home = openHome()
  const wrong = await home.run('key', 'new', 'cold')
  assert.equal(wrong.code, 2)
  assert.match(wrong.err, /"cold" is no purpose\. It is one of hot, treasury, gas\./)
  assert.equal((await home.run('dance')).code, 2)
})

test('a sandbox’s signer keeps its keys from start to start, and its policy is only for that chain', async () => {
  using home = openHome()
  const first = await home.run('init-sandbox', ...facts)
  assert.equal(first.code, 0, first.err)
  const again = await home.run('init-sandbox', ...facts)
  assert.equal(again.out, first.out)
  const keys = JSON.parse(first.out) as Readonly<Record<string, string>>
  // The third account of anvil and of other development nodes, as they print it.
  assert.equal(keys['treasury'], '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc')
  const policy = readPolicyFile(path.join(home.folder, 'policy.json'))
  assert.deepEqual(
    policy.keys.flatMap(({ chains }) => chains.map(({ chainId }) => chainId)),
    [31_337n, 31_337n, 31_337n],
  )
  assert.equal(readFileSync(path.join(home.folder, 'policy.json'), 'utf8').includes(facts[1]), true)
})

test('a policy to begin with: the hot key pays out up to the sum, the gas key collects, on BSC alone', async () => {
  using home = openHome({ VINTEM_BSC_TREASURY: `0x${'7e'.repeat(20)}` })
  await home.run('init')
  const lacking = await home.run('policy', '--per-day', '5000.00')
  assert.equal(lacking.code, 2)
  assert.match(lacking.err, /There is no hot key\./)
  const [hot, gas] = await Promise.all(
    ['hot', 'gas'].map(async (purpose) => (await home.run('key', 'new', purpose)).out.split(' ')[0]),
  )
  for (const wrong of [[], ['--per-day', '5.001'], ['--per-day', '5', '--max-fee', 'much']])
    assert.equal((await home.run('policy', ...wrong)).code, 2, wrong.join(' '))
  const { out, err } = await home.run('policy', '--per-day', '5000.00', '--max-fee', '0.5')
  assert.equal(err, '')
  const file = path.join(home.folder, 'policy.json')
  writeFileSync(file, out, { mode: 0o600 })
  const { keys } = readPolicyFile(file)
  assert.deepEqual(
    keys.map(({ address, purpose }) => [getAddress(address), purpose]),
    [
      [hot, 'hot'],
      [gas, 'gas'],
    ],
  )
  const chains = keys.flatMap((key) => key.chains)
  for (const { chainId, maxFeePerGas } of chains)
    assert.deepEqual([chainId, maxFeePerGas], [56n, 500_000_000n])
  assert.equal(out.match(/"maxPerDay": "(\d+)"/)?.[1], `5000${'0'.repeat(18)}`)
  await home.run('key', 'new', 'gas')
  assert.match((await home.run('policy', '--per-day', '1')).err, /several gas keys/)
})

test('its help names all: running it, keys, the policy', async () => {
  using home = openHome()
  for (const asked of [['--help'], ['key']]) {
    const { code, out } = await home.run(...asked)
    assert.equal(code, 0)
    assert.match(out, /\(none\) +Runs the signer[^]+key new <purpose>[^]+key list[^]+policy/)
  }
})

test('reset removes a sandbox’s signer, and never one that has other keys', async () => {
  using home = openHome()
  await home.run('init-sandbox', ...facts)
  await home.run('reset')
  assert.equal(existsSync(home.folder), false)
  await home.run('init')
  await home.run('key', 'new', 'hot')
  assert.match((await home.run('reset')).out, /is left alone/)
  assert.equal(existsSync(path.join(home.folder, 'keys')), true)
})
