// The worker's count of what the signer did: the signer itself opens no port.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createInstruments } from '#/metrics/instruments.ts'
import { transferSelector } from '#/signer/calls.ts'
import { sandboxPolicy } from '#/signer/new-policy.ts'
import { makeSignerHome } from '../../test/real-signer.ts'
import { signerAt } from './signer-client.ts'

type Address = `0x${string}`
const at = (digit: string): Address => `0x${digit.repeat(40)}`
const [token, factory, implementation] = [at('1'), at('2'), at('3')]

test('a worker counts what was signed, what was refused, and what met no signer', async () => {
  using home = makeSignerHome((keys) =>
    sandboxPolicy({ chainId: 31_337n, token, factory, implementation, keys }),
  )
  const { registry, signerRequests } = createInstruments({ role: 'worker', cell: 'a1' }, { methods: [] })
  assert.doesNotMatch(await registry.metrics(), /^vintem_signer_requests_total\{/m, 'not where none is used')
  const place = { socket: home.files.socketPath, token: home.files.tokenFile }
  const signer = signerAt(place, signerRequests())
  const request = {
    key: home.keys.hot,
    chainId: 31_337n,
    to: token,
    value: 0n,
    data: `${transferSelector}${'d'.repeat(40).padStart(64, '0')}${'1'.padStart(64, '0')}` as const,
    nonce: 0n,
    gas: 60_000n,
    fees: { maxFeePerGas: 1_000n, maxPriorityFeePerGas: 1n },
    reference: 'a-payout',
  }
  await assert.rejects(signer.sign(request), { outcome: 'unavailable' })
  await using _running = await home.start()
  await signer.sign(request)
  await assert.rejects(signer.sign({ ...request, to: at('9'), nonce: 1n, reference: 'another' }), {
    outcome: 'refused',
  })

  const counted = [
    ...(await registry.metrics()).matchAll(/^vintem_signer_requests_total\{outcome="(\w+)",.*\} (\d+)$/gm),
  ]
  assert.deepEqual(
    counted.map(([, outcome, count]) => [outcome, Number(count)]),
    [
      ['signed', 1],
      ['refused', 1],
      ['unavailable', 1],
      ['unknown', 0],
    ],
  )
})
