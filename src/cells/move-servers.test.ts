// What a move does at a server, on a PostgreSQL of its own. Replication is in test/cluster.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '#/db/client.ts'
import { classify } from '#/db/failure.ts'
import { startTestCluster } from '../../test/postgres.ts'
import { moveServers } from './move-servers.ts'

test('a closed database has no session and lets nobody in; it can be opened again', async () => {
  await using stack = new AsyncDisposableStack()
  const cluster = await startTestCluster()
  stack.defer(cluster.stop)
  const admin = connect(cluster.url, { max: 4 })
  stack.defer(() => admin.end({ timeout: 0 }))
  await admin`create database "a cell"`
  await admin`create database beside`
  const open = (name: string) => {
    const url = new URL(cluster.url)
    url.pathname = `/${encodeURIComponent(name)}`
    const sql = connect(url.href, { max: 2 })
    stack.defer(() => sql.end({ timeout: 0 }))
    return sql
  }
  const servers = moveServers(() => admin, 'a cell')
  const { systemIdentifier, ...facts } = await servers.facts('db-1:5432')
  assert.match(systemIdentifier, /^\d+$/)
  assert.deepEqual(
    [facts.isOpen, facts.isStandby, facts.isSuperuser, facts.otherDatabases, facts.walLevel, facts.hasSlot],
    [true, false, true, ['beside', 'vintem'], 'minimal', false],
  )
  const [cell, beside] = [open('a cell'), open('beside')]
  await cell`create table paid (id integer)`
  await beside`select 1`
  const cut = assert.rejects(
    cell.begin(async (tx) => {
      await tx`insert into paid values (1)`
      await servers.setOpen('db-1:5432', false)
      const lsn = await servers.empty('db-1:5432', AbortSignal.timeout(60_000))
      assert.match(lsn, /^[0-9A-F]+\/[0-9A-F]+$/)
      await tx`insert into paid values (2)`
    }),
    (error) => classify(error) === 'lost',
  )
  await cut
  assert.equal((await servers.facts('db-1:5432')).isOpen, false)
  const [left] = await admin<{ count: number }[]>`
    select count(*)::integer as count from pg_stat_activity where datname = 'a cell'`
  assert.equal(left?.count, 0)
  // The superuser neither. A process takes it for a lost connection: its callers get 503.
  await assert.rejects(open('a cell')`select 1`, (error) => classify(error) === 'lost')
  await beside`select 1`
  await servers.setOpen('db-1:5432', false)
  await servers.setOpen('db-1:5432', true)
  assert.deepEqual([...(await open('a cell')`select id from paid`)], [])
})
