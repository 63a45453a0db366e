import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressReaders } from './addresses.ts'
import { faultsIn } from './plant.ts'

test('a second reader of addresses is found', () => {
  const found = (path: string, line: string) =>
    faultsIn(addressReaders, { 'src/other.ts': 'export const x = 1\n', [path]: `${line}\n` })
  for (const line of [
    'const isAddress = /^0x[0-9a-fA-F]{40}$/.test(text)',
    "const address = T.String({ pattern: '^0x[0-9A-Fa-f]{40}$' })",
    'const names = /^0x[0-9a-f]{40}\\.json$/',
    "import { getAddress } from 'viem'",
    'if (isAddress(text)) return text',
  ]) {
    assert.match(found('src/cli/some.ts', line).join(), /^src\/cli\/some\.ts:1 reads an address itself/, line)
    assert.equal(found('web/dashboard/screens/some.tsx', line).length, 1, line)
  }
  for (const line of [
    'const hash = /^0x[0-9a-f]{64}$/',
    'const reading = readAddress(text)',
    'if (isAddressAllowed(host)) return',
  ])
    assert.deepEqual(found('src/cli/some.ts', line), [], line)
  assert.deepEqual(found('src/contract/patterns.ts', "export const evmAddress = '^0x[0-9A-Fa-f]{40}$'"), [])
})
