// Keys that move coins are only in the signer, not in the memory, the environment or a file of another process. The
// installation under test has just paid out.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { platform } from 'node:os'
import path from 'node:path'
import { before, describe, test } from 'node:test'
import { listKeys, openKeys } from '#/signer/keys.ts'
import { signerFiles } from '#/signer/serve.ts'
import { eventually } from '../eventually.ts'
import type { Installation } from './installation.ts'
import { call } from './merchant.ts'
import { findInMemory, unlessEnded } from './process-memory.ts'
import { processesOf } from './processes.ts'
import { sharedInstallation } from './shared-installation.ts'

const onLinux = { skip: platform() === 'linux' ? false : 'reads /proc' }

describe('private keys', onLinux, () => {
  let installation: Installation
  before(async () => {
    installation = await sharedInstallation()
  })

  test('are in the signer and in no other process, nor in any file', async () => {
    await payOut(installation)
    const secrets = secretsOf(path.join(installation.dataDir, 'signer')).flatMap(formsOf)
    const all = processesOf(installation.dataDir)
    const signers = all.filter(({ command }) => /main\.ts signer/.test(command))
    assert.equal(signers.length, 1, all.map(({ command }) => command).join('\n'))
    assert.ok(all.length >= 5, 'server, signer, bank, chain and PostgreSQL run')
    const searched = new Set<string>()
    let read = 0
    for (const { pid, command } of all) {
      const isSigner = signers.some((signer) => signer.pid === pid)
      const kept = unlessEnded(() => ({
        inMemory: findInMemory(pid, secrets, searched),
        environment: readFileSync(`/proc/${pid}/environ`),
      }))
      // PostgreSQL ends the process of a connection that is closed.
      if (kept === undefined) continue
      read += 1
      assert.equal(kept.inMemory !== undefined, isSigner, `memory of ${command}`)
      assert.equal(
        secrets.some((secret) => kept.environment.includes(secret)),
        false,
        `environment of ${command}`,
      )
    }
    assert.ok(read >= 5, `${read} processes were read`)
    const files = filesIn(installation.dataDir)
    assert.ok(
      files.some((file) => file.endsWith('policy.json')),
      'the files were scanned',
    )
    for (const file of files) {
      const content = readFileSync(file)
      assert.equal(
        secrets.some((secret) => content.includes(secret)),
        false,
        file,
      )
    }
  })
})

/** A payment comes in, is collected, and a part of it leaves: each key has signed. */
async function payOut(installation: Installation): Promise<void> {
  const api = (method: string, route: string, body?: unknown) =>
    call(installation.sandbox(), method, route, body)
  const request = { amount: 5_000, currency: 'USDT', paymentMethods: ['CRYPTO'], idempotencyKey: 'in' }
  const { body: payment } = await api('POST', '/v1/payments', request)
  const sent = await api('POST', `/v1/sandbox/payments/${String(payment['id'])}/pay`, { scenario: 'exact' })
  assert.equal(sent.status, 202, JSON.stringify(sent.body))
  await eventually('the payment is PAID', async () => {
    const { body } = await api('GET', `/v1/payments/${String(payment['id'])}`)
    return body['status'] === 'PAID'
  })
  const cryptoAddress = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
  const out = { type: 'CRYPTO', amount: 1_000, currency: 'USDT', cryptoAddress }
  const { body: withdrawal } = await api('POST', '/v1/withdrawals', out)
  await eventually('the withdrawal is COMPLETED', async () => {
    const { body } = await api('GET', `/v1/withdrawals/${String(withdrawal['id'])}`)
    return body['status'] === 'COMPLETED'
  })
}

function secretsOf(folder: string): readonly Buffer[] {
  const { keys, passphraseFile } = signerFiles(folder)
  const store = { folder: keys, passphrase: Buffer.from(readFileSync(passphraseFile, 'utf8').trim()) }
  const addresses = listKeys(keys).map(({ address }) => address)
  assert.equal(addresses.length, 3)
  const opened = openKeys(store, addresses)
  return addresses.map((address) => opened.withSecret(address, (secret) => Buffer.from(secret)))
}

/** A key as bytes, and in the encodings that programs use. */
function formsOf(secret: Buffer): readonly Buffer[] {
  return [secret, Buffer.from(secret.toString('hex'))]
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true)
}
