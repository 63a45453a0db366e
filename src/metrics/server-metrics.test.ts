import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { connect } from '#/db/client.ts'
import { silentLog } from '#/kernel/log.ts'
import { hourMs, monotonicMs } from '#/kernel/time.ts'
import { writeBackupMark } from '#/operator/backup-queries.ts'
import { shiftDatabaseClock } from '../../test/clock.ts'
import { eventually } from '../../test/eventually.ts'
import { testDatabase } from '../../test/postgres.ts'
import { createFigures, type Figure } from './figures.ts'
import { createInstruments } from './instruments.ts'
import { knownFigures } from './known-figures.ts'
import { serveMetrics } from './server.ts'

const whose = { role: 'api', cell: 'a1' }

/** The lines of a text with this name, without comments. */
const linesOf = (text: string, name: string) => text.split('\n').filter((line) => line.startsWith(name))

test('whatever callers, merchants and connections send, the number of series stays what it is', async () => {
  const { registry, request, providerCall } = createInstruments(whose, { methods: ['PIX', 'CREDIT_CARD'] })
  const series = async () =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith('vintem_')).length
  const say = (nth: number) => {
    const ended = { server: 'api', ms: nth, status: 404 } as const
    request({ ...ended, route: undefined, method: `M${nth}` })
    request({ ...ended, route: '/v1/payments/:id', method: 'GET', status: 200 + (nth % 3) })
    providerCall(`merchant-${nth}`, { ms: nth, fault: `HTTP ${nth}` })
    providerCall('PIX', { ms: nth })
  }
  say(1)
  const before = await series()
  for (let nth = 2; nth < 2_000; nth += 1) say(nth)
  assert.equal(await series(), before)
  const text = await registry.metrics()
  assert.doesNotMatch(text, /M1999|merchant-/)
  assert.match(text, /vintem_http_requests_total\{[^}]*route="none",method="other",status="4xx"[^}]*\} 1999/)
})

/** A figure that counts how often it is read, and waits for `until`. */
function counting(name: string, until: () => Promise<unknown> = async () => {}) {
  const reads = { count: 0 }
  const series = `vintem_test_${name}`
  const figure: Figure = {
    name,
    series: { [series]: { help: 'A figure of this test.' } },
    read: async (tx) => {
      reads.count += 1
      await until()
      const [row] = await tx<{ one: number }[]>`select 1 as one`
      return { [series]: [{ value: row?.one ?? 0 }] }
    },
  }
  return { figure, reads, series }
}

test('many scrapes cause one reading, and a figure that hangs hides no other', async () => {
  await using database = await testDatabase()
  const sql = connect(database.appUrl, { max: 4, transactionSeconds: 1 })
  const registry = new Registry()
  const stuck = counting('stuck', () => new Promise((resolve) => setTimeout(resolve, 3_000).unref()))
  const others = ['one', 'two', 'three'].map((name) => counting(name))
  const figures = createFigures({
    sql,
    log: silentLog,
    registry,
    figures: [stuck.figure, ...others.map(({ figure }) => figure)],
    patienceMs: 200,
  })
  await eventually('the others are read', async () => {
    await Promise.all(Array.from({ length: 50 }, () => figures.refresh()))
    const text = await registry.metrics()
    return others.every(({ series }) => linesOf(text, `${series} 1`).length === 1)
  })
  const text = await registry.metrics()
  assert.deepEqual(linesOf(text, stuck.series), [], 'what nobody has read has no value')
  assert.match(text, /vintem_figure_age_seconds\{figure="stuck"\}/)
  assert.deepEqual(
    others.map(({ reads }) => reads.count),
    [1, 1, 1],
  )
  await sql.end({ timeout: 1 })
})

test('a figure that can be read no more is shown no more', async () => {
  await using database = await testDatabase()
  const sql = connect(database.appUrl, { max: 2 })
  const registry = new Registry()
  let isBroken = false
  const { figure, series } = counting('lost', async () => {
    if (isBroken) throw new Error('broken')
  })
  const often = { ...figure, everyMs: 0 }
  const figures = createFigures({ sql, log: silentLog, registry, figures: [often], keptMs: 500 })
  await figures.refresh()
  assert.match(await registry.metrics(), new RegExp(`^${series} 1$`, 'm'))
  isBroken = true
  const since = monotonicMs()
  await eventually('it is gone', async () => {
    await figures.refresh()
    return monotonicMs() - since > 500 && linesOf(await registry.metrics(), series).length === 0
  })
  await sql.end({ timeout: 1 })
})

test('all figures of the database are read, and /metrics serves them and nothing else', async () => {
  await using database = await testDatabase()
  const sql = connect(database.appUrl, { max: 4 })
  await writeBackupMark(sql, { kind: 'DRILL', batch: 0n, note: null })
  await shiftDatabaseClock(database, 100 * 24 * hourMs)
  await writeBackupMark(sql, { kind: 'BACKUP', note: null })
  await shiftDatabaseClock(database, 101 * 24 * hourMs)
  const { registry } = createInstruments(whose, { methods: [] })
  const known = knownFigures('a1', () => undefined)
  const figures = createFigures({ sql, log: silentLog, registry, figures: known, patienceMs: 30_000 })
  const { port, close } = await serveMetrics({
    host: '127.0.0.1',
    port: 0,
    log: silentLog,
    contentType: registry.contentType,
    read: async () => {
      await figures.refresh()
      return registry.metrics()
    },
  })
  const at = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)
  const text = await (await at('/metrics')).text()
  assert.match(text, /^vintem_queue_rows\{queue="inbox",role="api",cell="a1"\} 0$/m)
  assert.match(text, /^vintem_refunds_open\{age="over 3d",role="api",cell="a1"\} 0$/m)
  assert.equal(daysOf(text, 'vintem_backup_age_seconds'), 1)
  assert.equal(daysOf(text, 'vintem_backup_drill_age_seconds'), 101)
  assert.match(text, /^vintem_database_connections_max\{[^}]*\} \d+$/m)
  assert.deepEqual(
    known.map(({ name }) => name).filter((name) => Number(ageOf(text, name)) > 60),
    [],
  )
  assert.equal((await at('/')).status, 404)
  assert.equal((await at('/metrics', { method: 'POST' })).status, 405)
  await close()
  await sql.end({ timeout: 1 })
})

function ageOf(text: string, figure: string): string | undefined {
  return new RegExp(`^vintem_figure_age_seconds\\{figure="${figure}",[^}]*\\} (\\S+)$`, 'm').exec(text)?.[1]
}

/** Whole days of a series in seconds. */
function daysOf(text: string, series: string): number {
  const seconds = new RegExp(`^${series}\\{[^}]*\\} (\\S+)$`, 'm').exec(text)?.[1]
  return Math.floor(Number(seconds) / 86_400)
}
