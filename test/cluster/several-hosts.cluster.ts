// Several hosts in DATABASE_URL, with a real standby among them: only the primary is used, before and after a promotion.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { connect } from '#/db/client.ts'
import { classify } from '#/db/failure.ts'
import { eventually } from '../eventually.ts'
import { startPostgresPair } from './postgres-pair.ts'

const run = promisify(execFile)

test('the standby is never used, also when it is named first; after a promotion the other one is found', async (t) => {
  await using pair = await startPostgresPair()
  const [first, second] = pair.servers
  t.diagnostic(await pair.stateOf(first))
  const url = pair.urlOf('vintem_app', [second, first])
  const sql = connect(url, { max: 4 })
  const standby = async () =>
    (await sql<{ standby: boolean }[]>`select pg_is_in_recovery() as standby`)[0]?.standby
  const port = () =>
    sql.begin(async (tx) => (await tx<{ port: string }[]>`select current_setting('port') as port`)[0]?.port)
  try {
    assert.equal(await standby(), false)
    assert.equal(await port(), String(first.port))

    // Commands take the same URL.
    const env = {
      ...process.env,
      DATABASE_URL: url,
      DATABASE_OWNER_URL: pair.urlOf('vintem_owner', [second, first]),
    }
    const vintem = (...args: string[]) => run('./vintem', args, { env })
    assert.match((await vintem('migrate')).stdout, /up to date/)
    assert.match((await vintem('freeze', 'list')).stdout, /./)
    const readWrite = await run('./vintem', ['freeze', 'list'], {
      env: { ...env, DATABASE_URL: `${url}?target_session_attrs=read-write` },
    }).catch((error: { readonly stderr: string }) => error)
    assert.match(readWrite.stderr, /target_session_attrs=read-write is not supported/)

    await first.stop('kill')
    await second.promote()
    // What was sent to the first one may fail; what is sent again is answered by the second one.
    const again = () => port().catch((error: unknown) => assert.equal(classify(error), 'lost'))
    await eventually('the promoted server is used', async () => (await again()) === String(second.port))
    assert.equal(await standby(), false)
  } finally {
    await sql.end({ timeout: 0 })
  }
})
