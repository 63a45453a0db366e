// `connection reseal` as a process that is killed in the middle.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { connect } from '#/db/client.ts'
import { silentLog } from '#/kernel/log.ts'
import { seal } from '#/kernel/secret.ts'
import { connectionKeys, addConnection, openConnectionBook, refundPlace } from '#/merchants/connections.ts'
import { eventually } from '../../test/eventually.ts'
import { testDatabase } from '../../test/postgres.ts'

const main = new URL('../main.ts', import.meta.url).pathname
const dataDir = mkdtempSync(path.join(tmpdir(), 'vintem-reseal-'))
after(() => rmSync(dataDir, { recursive: true, force: true }))

const env = {
  VINTEM_MASTER_KEY: 'ab'.repeat(32),
  VINTEM_WORKER_KEY: 'ef'.repeat(32),
  VINTEM_AUDIT_KEY: 'cd'.repeat(32),
  VINTEM_SANDBOX: 'off',
  VINTEM_DATA_DIR: dataDir,
  ...(process.env['NODE_COMPILE_CACHE'] === undefined
    ? {}
    : { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }),
}
const keys = connectionKeys(Buffer.alloc(32, 0xab), Buffer.alloc(32, 0xef))

/** More than a batch of the command. */
const count = 130

test('a run that is killed leaves whole batches, workers read both layouts, and the next run goes on', async () => {
  await using database = await testDatabase()
  await using stack = new AsyncDisposableStack()
  const sql = connect(database.appUrl, { max: 4, transactionSeconds: 0 })
  stack.defer(() => sql.end({ timeout: 1 }))
  const terms = { mode: 'SANDBOX', method: 'PIX', provider: 'bacen', settings: {}, secrets: {} } as const
  for (let nth = 0; nth < count; nth += 1) {
    const refundSecrets = { clientSecret: `secret ${nth}` }
    const id = await addConnection({ sql, cell: 'a1', keys }, { ...terms, refundSecrets })
    const old = seal(keys.worker.symmetric, refundPlace(id), Buffer.from(JSON.stringify(refundSecrets)))
    await sql`update connection set sealed_refunds = ${old} where id = ${id}`
  }
  const versions = async () => {
    const rows = await sql<{ version: number; count: number }[]>`
      select get_byte(sealed_refunds, 0) as version, count(*)::integer as count from connection group by 1 order by 1`
    return rows.map(({ version, count }) => [version, count])
  }
  const book = await openConnectionBook({ sql, keys, log: silentLog })
  stack.defer(async () => book.close())
  const opened = async () => {
    await book.refresh()
    return new Set(book.all('PIX').map(({ refundSecrets }) => refundSecrets?.['clientSecret'])).size
  }
  const launch = () => {
    const child = spawn(process.execPath, [main, 'connection', 'reseal', '--json'], {
      env: { ...env, DATABASE_URL: database.appUrl },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    stack.defer(async () => void child.kill('SIGKILL'))
    return child
  }

  // The last row is locked, so the second batch waits in the middle.
  const last = connect(database.appUrl, { max: 2, transactionSeconds: 0 })
  stack.defer(() => last.end({ timeout: 1 }))
  const release = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holding = last.begin(async (tx) => {
    await tx`select 1 from connection order by id desc limit 1 for update`
    locked.resolve()
    await release.promise
  })
  await locked.promise
  const killed = launch()
  const ended = once(killed, 'close')
  await eventually('the first batch', async () => (await versions()).some(([version]) => version === 2))
  killed.kill('SIGKILL')
  await ended
  release.resolve()
  await holding
  assert.deepEqual(await versions(), [
    [1, count - 100],
    [2, 100],
  ])
  assert.equal(await opened(), count)

  const again = launch()
  const output = once(again.stdout, 'data')
  const [code] = (await once(again, 'close')) as [number]
  assert.equal(code, 0)
  assert.deepEqual(JSON.parse(String((await output)[0])), {
    read: count,
    resealed: count - 100,
    unopened: [],
  })
  assert.deepEqual(await versions(), [[2, count]])
  assert.equal(await opened(), count)
  const [audited] = await sql<{ count: number }[]>`
    select count(*)::integer as count from audit_log where action = 'connection.reseal'`
  assert.equal(audited?.count, count)
})
