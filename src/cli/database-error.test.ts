// A database that cannot be used ends every command in one line that says what to do, and never shows a part of the password.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { connect } from '#/db/client.ts'
import { freePort } from '../../test/ports.ts'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'

const main = new URL('../main.ts', import.meta.url).pathname
const dataDir = mkdtempSync(path.join(tmpdir(), 'vintem-url-'))
const { NODE_COMPILE_CACHE } = process.env
const compiled = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
let database: TestDatabase

before(async () => {
  database = await testDatabase()
})
after(async () => {
  rmSync(dataDir, { recursive: true, force: true })
  await database[Symbol.asyncDispose]()
})

async function run(command: readonly string[], url: string) {
  const child = spawn(process.execPath, [main, ...command], {
    env: {
      ...compiled,
      VINTEM_DATA_DIR: dataDir,
      VINTEM_SANDBOX: 'off',
      VINTEM_MASTER_KEY: 'ab'.repeat(32),
      VINTEM_AUDIT_KEY: 'cd'.repeat(32),
      VINTEM_WORKER_KEY: 'ef'.repeat(32),
      DATABASE_URL: url,
      DATABASE_OWNER_URL: url,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (printed += part.toString('utf8')))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, printed }
}

test('a wrong database, host, parameter or percent sign ends in one line in a role, a command, a migration and a start', async () => {
  const base = new URL(database.appUrl)
  const withPart = (change: (url: URL) => void) => {
    const url = new URL(base)
    url.password = 'tellnobody'
    change(url)
    return url.href
  }
  const closed = await freePort()
  const cases = [
    [['migrate'], new URL('/nothere', base).href, /There is no such database/],
    [['api'], withPart((url) => (url.port = String(closed))), /The database cannot be reached/],
    [
      ['verify'],
      withPart((url) => url.searchParams.set('sslcrl', 'x')),
      /parameter sslcrl, which is not supported/,
    ],
    [
      ['merchant', 'list'],
      withPart((url) => (url.username = 'nobody_of_this_name')),
      /The database refuses the role/,
    ],
    [['start'], `postgres://app:tell%nobody@${base.host}/x`, /% that begins no code/],
    [['api'], `postgres://app:tell@nobody@${base.host}/x`, /an @ after its host/],
    [
      ['api'],
      withPart((url) => url.searchParams.set('sslmode', 'verify-full')),
      /encrypted connection|cannot be reached/,
    ],
  ] as const
  await Promise.all(
    cases.map(async ([command, url, says]) => {
      const { code, printed } = await run(command, url)
      assert.equal(code, 1, printed)
      assert.match(printed, says)
      assert.match(printed, /^[^\n]+\n$/, command.join(' '))
      assert.doesNotMatch(printed, /tell|nobody@/)
    }),
  )
})

test('a database that its cell has left says where to look, in one line', async () => {
  await using left = await testDatabase()
  const name = new URL(left.ownerUrl).pathname.slice(1)
  const beside = connect(Object.assign(new URL(left.ownerUrl), { pathname: '/postgres' }).href, { max: 1 })
  await beside`alter database ${beside(name)} with allow_connections false`
  await beside.end()
  const { code, printed } = await run(['verify'], left.appUrl)
  assert.equal(code, 1)
  assert.match(printed, /^[^\n]*accepts no connections[^\n]*name the new server in DATABASE_URL[^\n]*\n$/)
})
