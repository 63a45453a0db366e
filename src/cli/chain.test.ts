import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from 'viem'
import { readConfig } from '#/config.ts'
import type { Address } from '#/evm/address.ts'
import { createRpc } from '#/evm/client.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { richAccount, startAnvil } from '../../test/anvil.ts'
import { eventually } from '../../test/eventually.ts'
import { chainCommand } from './chain.ts'

async function contracts(settings: Readonly<Record<string, string>>) {
  const printed = { out: '', err: '' }
  const terminal = createTerminal(
    {
      stdout: { write: (text) => (printed.out += text) },
      stderr: { write: (text) => (printed.err += text) },
    },
    {},
  )
  const open = () => Promise.reject(new Error('no database is needed here'))
  const config = () => readConfig(settings)
  const code = await chainCommand(['contracts', '--json'], terminal, { config, open })
  return { code, ...printed }
}

test('the transaction that is printed puts the contracts where it says', async () => {
  await using node = await startAnvil()
  const rpc = createRpc(node.url, { timeoutMs: 60_000 })
  const { out } = await contracts({ VINTEM_BSC_TREASURY: `0x${'7e'.repeat(20)}` })
  const printed = JSON.parse(out) as Readonly<Record<'factory' | 'implementation' | 'to', Address>> & {
    readonly data: Hex
  }
  for (const name of ['factory', 'implementation'] as const)
    assert.equal(await rpc.getCode(printed[name]), '0x')
  await rpc.sendTransaction({ from: richAccount, to: printed.to, data: printed.data, gas: 1_500_000n })
  for (const name of ['factory', 'implementation'] as const)
    await eventually(`${name} is there`, async () => (await rpc.getCode(printed[name])) !== '0x')
  rpc.close()
})

test('without a treasury it says which setting is missing', async () => {
  const { code, err } = await contracts({})
  assert.equal(code, 1)
  assert.match(err, /VINTEM_BSC_TREASURY is not set\./)
})
