import assert from 'node:assert/strict'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { silentLog as log } from '#/kernel/log.ts'
import { systemClock as clock } from '#/kernel/time.ts'
import { makeSignerHome } from '../../test/real-signer.ts'
import { transferSelector } from './calls.ts'
import { sandboxPolicy } from './new-policy.ts'
import { serveSigner, signerFiles } from './serve.ts'
import type { Address } from './shape.ts'

const at = (digit: string): Address => `0x${digit.repeat(40)}`
const [token, factory, implementation] = [at('1'), at('2'), at('3')]

test('for clients that are other users the socket belongs to the group, and no one else has access', async () => {
  using home = makeSignerHome((keys) =>
    sandboxPolicy({ chainId: 31_337n, token, factory, implementation, keys }),
  )
  const { folder, files } = home
  const signer = await serveSigner({ folder, ...signerFiles(folder), isShared: true, clock, log })
  assert.equal(statSync(files.socketPath).mode & 0o777, 0o660)
  await signer.close()
  await signer.ended
})

test('when the journal cannot be written nothing is signed, and the signer ends with the outcome unknown', async () => {
  using home = makeSignerHome((keys) =>
    sandboxPolicy({ chainId: 31_337n, token, factory, implementation, keys }),
  )
  const { folder, keys } = home
  const signer = await serveSigner({ folder, ...signerFiles(folder), clock, log })
  const ended = assert.rejects(signer.ended, /the journal could not be written/)
  const client = home.client()
  const request = {
    key: keys.hot,
    chainId: 31_337n,
    to: token,
    value: 0n,
    data: `${transferSelector}${'d'.repeat(40).padStart(64, '0')}${'1'.padStart(64, '0')}`,
    gas: 60_000n,
    fees: { gasPrice: 1n },
  } as const
  await client.sign({ ...request, nonce: 0n, reference: 'a' })
  writeFileSync(join(folder, 'journal.jsonl'), 'another process', { flag: 'a' })
  await assert.rejects(client.sign({ ...request, nonce: 1n, reference: 'b' }), { outcome: 'unknown' })
  await ended
  await assert.rejects(client.sign({ ...request, nonce: 0n, reference: 'a' }), { outcome: 'unavailable' })
})
