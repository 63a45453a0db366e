// The command `connection` for tests: a database in which a worker's public key is published, a bank, and files of connections.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import type { Office } from '#/cli/command.ts'
import { connectionCommand } from '#/cli/connection.ts'
import { readConfig } from '#/config.ts'
import { connect } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { deriveKey } from '#/kernel/secret.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { systemClock } from '#/kernel/time.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import { testDatabase, type TestDatabase } from './postgres.ts'
import { startPixBank, type PixBank } from './rails/pix/bank.ts'

export const keys = { VINTEM_MASTER_KEY: 'ab'.repeat(32), VINTEM_WORKER_KEY: 'ef'.repeat(32) }
export const ownKeys = { ...keys, VINTEM_AUDIT_KEY: 'cd'.repeat(32) }
export const withoutWorker = { ...ownKeys, VINTEM_WORKER_KEY: '' }
type Env = Readonly<Record<string, string>>

export type Shown = {
  readonly id: ConnectionId
  readonly mode: string
  readonly isActive: boolean
  readonly canRefund: boolean
}
export type Parts = {
  settings: Record<string, unknown>
  secrets: Record<string, string>
  refundSecrets: Record<string, string>
}

export function secretsOf({
  clientId = '',
  clientSecret = '',
  certificate = '',
  privateKey = '',
}: Parts['secrets']) {
  return { clientId, clientSecret, certificate, privateKey }
}

export const shared = ['--shared', '--mode', 'SANDBOX'] as const

/** Opened before the tests of the file that calls it, and closed after them. */
export function connectionWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'vintem-connection-'))
  let database: TestDatabase
  let bank: PixBank
  before(async () => {
    ;[database, bank] = await Promise.all([testDatabase(), startPixBank({ magic: true })])
    // As the start of a worker does.
    assert.equal((await run(['publish-key'])).code, 0)
  })
  after(async () => {
    await Promise.all([database[Symbol.asyncDispose](), bank[Symbol.asyncDispose]()])
    rmSync(folder, { recursive: true, force: true })
  })

  function openOffice(): Office {
    const sql = connect(database.appUrl, { max: 1 })
    return {
      sql,
      clock: systemClock,
      sealKey: deriveKey(Buffer.from(keys.VINTEM_MASTER_KEY, 'hex'), 'webhook secrets'),
      pepper: Buffer.alloc(32, 2),
      cell: 'a1',
      openWallets: openStartingWallets,
      close: () => sql.end(),
    }
  }

  async function run(args: readonly string[], env: Env = ownKeys) {
    const printed = { out: '', err: '' }
    const terminal = createTerminal(
      {
        stdout: { write: (text) => (printed.out += text) },
        stderr: { write: (text) => (printed.err += text) },
      },
      {},
    )
    const config = () => readConfig({ ...env, VINTEM_LOG_LEVEL: 'silent', VINTEM_DATA_DIR: folder })
    const code = await connectionCommand(args, terminal, { config, open: async () => openOffice() })
    return { code, ...printed }
  }

  async function json<Result>(args: readonly string[], env?: Env): Promise<Result> {
    const { code, out, err } = await run([...args, '--json'], env)
    assert.deepEqual([code, err], [0, ''])
    return JSON.parse(out) as Result
  }

  /** An account at the bank with two applications, in the form of a connection file. */
  async function partsAtBank(): Promise<Parts> {
    const { settings, secrets } = await bank.customer()
    const { profile: _, ...rest } = settings as Parts['settings']
    const refunds = await bank.control('POST', '/applications', {
      pixKey: settings.pixKey,
      scopes: ['pix.write', 'pix.read'],
    })
    const { clientId, clientSecret, certificate, privateKey } = refunds as Parts['refundSecrets']
    return {
      settings: rest,
      secrets: secretsOf(secrets),
      refundSecrets: secretsOf({ clientId, clientSecret, certificate, privateKey } as Parts['secrets']),
    }
  }

  let written = 0
  function write(content: unknown): string {
    const file = join(folder, `connection-${(written += 1)}.json`)
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
    return file
  }

  return { folder, bank: () => bank, database: () => database, openOffice, run, json, partsAtBank, write }
}
