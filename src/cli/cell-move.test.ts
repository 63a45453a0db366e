// `cell move` at the command line: what the settings must name. Its steps are in src/cells/move.test.ts, a real move in test/cluster.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '#/config.ts'
import { connect } from '#/db/client.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { testDatabase } from '../../test/postgres.ts'
import { findCommand } from './commands.ts'

test('a move is refused where the settings or the server do not fit, in one line, and nothing is begun', async () => {
  await using database = await testDatabase()
  const sql = connect(database.ownerUrl, { max: 1 })
  await sql`create schema directory`
  const directory = new URL(database.ownerUrl)
  directory.searchParams.set('search_path', 'directory')
  const present = new URL(database.ownerUrl)
  // Not by a socket, as where another host follows.
  present.searchParams.delete('host')
  const moveUrl = Object.assign(new URL(present), { pathname: '/postgres' }).href
  const cell = async (args: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    let err = ''
    const terminal = createTerminal(
      { stdout: { write: () => {} }, stderr: { write: (text) => (err += text) } },
      {},
    )
    const env = {
      DATABASE_URL: database.appUrl,
      VINTEM_CELL: 'a1',
      VINTEM_DIRECTORY_URL: directory.href,
      VINTEM_MOVE_URL: moveUrl,
      ...more,
    }
    const code = await findCommand('cell')(args, { terminal, config: () => readConfig(env) })
    return { code, err }
  }
  assert.equal((await cell(['add', 'a1', '--server', '10.0.0.1:4000'])).code, 0)
  const two = moveUrl.replace('@', '@127.0.0.1:1,')
  for (const [status, args, more, expected] of [
    [2, ['a2'], {}, /These are the settings of cell a1/],
    [2, ['a1', '--to', 'db-2'], {}, /"db-2" is no server/],
    [2, ['a1', '--switch', '--cancel'], {}, /exclude each other/],
    [1, ['a1'], { DATABASE_URL: '' }, /DATABASE_URL is not set/],
    [1, ['a1'], { VINTEM_MOVE_URL: '' }, /VINTEM_MOVE_URL is not set/],
    [1, ['a1'], { VINTEM_MOVE_URL: two }, /does not name one host/],
    [1, ['a1'], { VINTEM_MOVE_URL: present.href }, /names the database of the cell/],
    [1, ['a1'], {}, /Name the new server: --to/],
    [1, ['a1', '--cancel'], {}, /nothing to cancel/],
    [1, ['a1', '--to', '127.0.0.1:1'], {}, /is no superuser at/],
  ] as const) {
    const { code, err } = await cell(['move', ...args], more)
    assert.equal(code, status, err)
    assert.match(err, expected)
    assert.equal(err.trim().split('\n').length, 1, err)
  }
  assert.deepEqual([...(await sql`select id from directory.cell_move`)], [])
  await sql.end()
})
