// A process that lacks what it needs does not serve: with the keys of another database it does not start, and with a full disk it is not
// ready.
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { connect } from '#/db/client.ts'
import { deriveKey } from '#/kernel/secret.ts'
import { systemClock } from '#/kernel/time.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import { eventually } from '../../test/eventually.ts'
import { freePorts } from '../../test/ports.ts'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'

const main = new URL('../main.ts', import.meta.url).pathname
const dataDir = mkdtempSync(path.join(tmpdir(), 'vintem-keys-'))
const children: ChildProcess[] = []
const { NODE_COMPILE_CACHE } = process.env
const compiled = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
const keys = {
  VINTEM_MASTER_KEY: 'ab'.repeat(32),
  VINTEM_AUDIT_KEY: 'cd'.repeat(32),
  VINTEM_WORKER_KEY: 'ef'.repeat(32),
}
let database: TestDatabase

before(async () => {
  database = await testDatabase()
  const sql = connect(database.appUrl, { max: 1 })
  const sealKey = deriveKey(Buffer.from(keys.VINTEM_MASTER_KEY, 'hex'), 'webhook secrets')
  const deps = { sql, clock: systemClock, sealKey, openWallets: async () => {} }
  await createMerchant(deps, { mode: 'SANDBOX', name: 'Padaria' })
  await sql.end({ timeout: 5 })
})
after(async () => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
  await database[Symbol.asyncDispose]()
})

function launch(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [main, ...args], {
    env: {
      ...compiled,
      ...keys,
      VINTEM_DATA_DIR: dataDir,
      VINTEM_SANDBOX: 'off',
      DATABASE_URL: database.appUrl,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (printed += part.toString('utf8')))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, printed }))
  return { child, ended }
}

test('an API on a full disk is not ready, and says which folder; a process with the keys of another database does not start', async () => {
  const port = await freePorts([0, 1, 2, 3, 4])
  const { child, ended } = launch(['api'], { PORT: String(port), VINTEM_DRAIN_SECONDS: '0' })
  const ready = () =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      async (answer) => ({ status: answer.status, body: await answer.json() }),
      () => undefined,
    )
  await eventually('it is ready', async () => {
    if (child.exitCode !== null) assert.fail((await ended).printed)
    return (await ready())?.status === 200
  })
  // What the kernel answers to every write there is that there is no space left.
  symlinkSync('/dev/full', path.join(dataDir, 'write-test'))
  const full = await eventually('it is not ready', async () => {
    const answer = await ready()
    return answer?.status === 503 && answer.body
  })
  const { reasons } = full as { reasons: Record<string, string> }
  assert.match(reasons['disk'] ?? '', new RegExp(`^${dataDir} cannot be written: ENOSPC`))
  rmSync(path.join(dataDir, 'write-test'))
  await eventually('it is ready again', async () => (await ready())?.status === 200)

  const sql = connect(database.appUrl, { max: 1 })
  await sql`insert into key_in_force (purpose, fingerprint, since) values ('MASTER', ${Buffer.alloc(8)}, now())`
  const other = await eventually('it has no longer the key in force', async () => {
    const answer = await ready()
    return answer?.status === 503 && answer.body
  })
  assert.deepEqual((other as { reasons: unknown }).reasons, {
    keys: 'VINTEM_MASTER_KEY is not the key in force.',
  })
  await sql`delete from key_in_force`
  await sql.end({ timeout: 5 })
  child.kill('SIGTERM')
  await ended

  const wrong = '77'.repeat(32)
  const [master, audit] = ['VINTEM_MASTER_KEY', 'VINTEM_AUDIT_KEY'] as const
  const cases = [
    { args: ['api'], name: master, why: /is not the key of this database/ },
    { args: ['worker'], name: audit, why: /is not the audit key of this database/ },
    { args: ['start'], name: audit, why: /is not the audit key of this database/ },
    {
      args: ['merchant', 'create', 'Bea', '--mode', 'live'],
      name: master,
      why: /is not the key of this database/,
    },
  ]
  const ends = cases.map(async ({ args, name, why }) => {
    const { code, printed } = await launch(args, { [name]: wrong, PORT: String(port) }).ended
    assert.equal(code, 1, args.join(' '))
    assert.match(printed, new RegExp(`^(✗ |x )?${name} [^\\n]*Changing keys"\\.\\n$`), args.join(' '))
    assert.match(printed, why)
  })
  await Promise.all(ends)
})
