// The arithmetic of connections (doctor, docs/operating.md), counted: a worker with metrics, while it verifies the books for an operator.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { connect } from '#/db/client.ts'
import { findJob, requestJob } from '#/operator-jobs/store.ts'
import { eventually } from '../../test/eventually.ts'
import { freePort } from '../../test/ports.ts'
import { testDatabase } from '../../test/postgres.ts'
import { startWorkerProcess } from '../../test/worker-process.ts'

/** As docs/operating.md names them, by the name that PostgreSQL shows. A worker writes down no calls of merchants. */
const limits = { vintem: 4, 'vintem-ledger': 2, 'vintem-metrics': 2, 'vintem-verify': 4 } as const
const isKnown = (name: string): name is keyof typeof limits => Object.hasOwn(limits, name)
/** What a process of any role has beside its pool. */
const besideAny = 4
/** What a worker has on top of that. */
const ofWorker = 6

test('a worker with metrics and a job that verifies has the connections that the arithmetic counts, which are more than an API has', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vintem-connections-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  await using database = await testDatabase()
  // Another role than the worker's, so that its connections can be told apart from this test's.
  const sql = connect(database.ownerUrl, { max: 2 })
  t.after(() => sql.end({ timeout: 1 }))
  const port = await freePort()
  const worker = startWorkerProcess({
    DATABASE_URL: database.appUrl,
    VINTEM_MASTER_KEY: 'a4'.repeat(32),
    VINTEM_WORKER_KEY: 'b4'.repeat(32),
    VINTEM_AUDIT_KEY: 'c4'.repeat(32),
    VINTEM_DATA_DIR: folder,
    VINTEM_SANDBOX: 'off',
    VINTEM_LOG_LEVEL: 'info',
    VINTEM_DB_POOL: String(limits.vintem),
    VINTEM_METRICS_PORT: String(port),
  })
  t.after(() => worker.kill())
  await worker.isSaid('"running"')

  const most = new Map<string, number>()
  const count = async () => {
    const rows = await sql<{ name: string; count: number }[]>`
      select application_name as name, count(*)::integer as count from pg_stat_activity
       where datname = current_database() and usename = ${new URL(database.appUrl).username}
       group by application_name`
    for (const { name, count: now } of rows) most.set(name, Math.max(most.get(name) ?? 0, now))
  }
  const by = { kind: 'OPERATOR', id: 'ana@office' } as const
  await eventually('all kinds of connections are seen', async () => {
    await fetch(`http://127.0.0.1:${port}/metrics`).then((answer) => answer.text())
    const { id } = await requestJob({ sql }, { kind: 'verify', arguments: {}, by })
    for (let isOver = false; !isOver; isOver = (await findJob(sql, id))?.endedAt !== null) await count()
    return Object.keys(limits).every((name) => most.has(name))
  })
  t.diagnostic([...most].map(([name, seen]) => `${name} ${seen}`).join(', '))
  const unknown = [...most.keys()].filter((name) => !isKnown(name))
  assert.deepEqual(unknown, [], 'the arithmetic counts every pool')
  for (const [name, limit] of Object.entries(limits))
    assert.ok((most.get(name) ?? 0) <= limit, `${name}: ${most.get(name)}`)
  const beside = [...most].filter(([name]) => name !== 'vintem').reduce((sum, [, seen]) => sum + seen, 0)
  assert.ok(beside > besideAny && beside <= besideAny + ofWorker, `${beside} beside its pool`)
})
