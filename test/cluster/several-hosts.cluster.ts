// Several hosts in DATABASE_URL, with a real standby among them: only the primary is used, before and after a promotion.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { connect } from '#/db/client.ts'
import { classify } from '#/db/failure.ts'
import { systemClock } from '#/kernel/time.ts'
import { ensureHead } from '#/ledger/head.ts'
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
      VINTEM_MASTER_KEY: 'a3'.repeat(32),
      VINTEM_WORKER_KEY: 'b3'.repeat(32),
      VINTEM_AUDIT_KEY: 'c3'.repeat(32),
      VINTEM_SANDBOX: 'off',
      DATABASE_URL: url,
      DATABASE_OWNER_URL: pair.urlOf('vintem_owner', [second, first]),
    }
    const vintem = (...args: string[]) => run('./vintem', args, { env })
    assert.match((await vintem('migrate')).stdout, /up to date/)
    await ensureHead(sql, 'a1', systemClock)
    // Each way in which commands open the database: the office, single queries, the books' own reading, the doctor's connection.
    const commands = [
      [['freeze', 'list'], /Nothing is frozen/],
      [['merchant', 'list'], /no merchants/i],
      [['restored', 'show'], /No restore was repaired here/],
      [['verify'], /Verify up to batch 0/],
      [['doctor'], /database/],
    ] as const
    const readWrite = { ...env, DATABASE_URL: `${url}?target_session_attrs=read-write` }
    const outcomeOf = (args: readonly string[], under: NodeJS.ProcessEnv) =>
      run('./vintem', args, { env: under }).catch(
        (error: { readonly stdout: string; readonly stderr: string }) => error,
      )
    for (const [args, expected] of commands) {
      // The doctor finds faults in such a place; what counts is that it reached the primary.
      const { stdout, stderr } = await outcomeOf(args, env)
      t.diagnostic(`${args.join(' ')}: ${(stdout + stderr).trim().split('\n').slice(0, 3).join(' | ')}`)
      assert.match(stdout + stderr, expected, args.join(' '))
      assert.doesNotMatch(stdout + stderr, /cannot be reached|ECONN|read-only|in recovery/, args.join(' '))
      const refused = await outcomeOf(args, readWrite)
      assert.match(
        refused.stdout + refused.stderr,
        /target_session_attrs=read-write is not supported/,
        args.join(' '),
      )
    }

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
