// A cell moves to another PostgreSQL server and back while payments of all kinds go on. The command is killed at each of its steps and run
// again. Nothing that was acknowledged is lost, and the server that was left lets nobody in. The test prints for how long no call was
// acknowledged.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { openDirectory } from '#/cells/directory.ts'
import { selectOpenMove } from '#/cells/server-queries.ts'
import { connect } from '#/db/client.ts'
import { exclusively } from '#/db/exclusive.ts'
import { monotonicMs, sleep } from '#/kernel/time.ts'
import { eventually } from '../eventually.ts'
import { startCrashLoad } from '../journeys/crash-load.ts'
import { createInstallation, main, type Installation } from '../journeys/installation.ts'
import { call } from '../journeys/merchant.ts'
import { behindProxy } from '../journeys/shared-installation.ts'
import { startTestCluster } from '../postgres.ts'
import { startPostgresPair, type PairServer } from './postgres-pair.ts'

/** Far above what a switch takes on any machine. */
const gapMsMax = 60_000
const unopened = /not currently accepting connections/

test('a cell moves there and back under load; the command may be killed at each step', async (t) => {
  await using stack = new AsyncDisposableStack()
  const world = await openMoveWorld(stack)
  const { first, second, move, installation } = world
  const load = await startCrashLoad(installation, stack)
  await load.goOn('the cell has begun')

  await t.test('what cannot be moved is refused, and nothing is changed', () => refusals(world))

  await t.test('it begins, and one that is killed meanwhile is continued', async () => {
    const killed = await move(['--to', nameOf(second)], { source: first, killAt: /keeps its log/ })
    assert.equal(killed.code, null, killed.output)
    const begun = await move([], { source: first })
    assert.equal(begun.code, 0, begun.output)
    await copyAsTold(second, begun.output)
    await world.follows(first)
    await using gap = startProbe(installation)
    await load.goOn('the new server follows')
    t.diagnostic(`before the switch: no call was acknowledged for ${await gap.stop()} ms`)
  })

  await t.test(
    'of two at once the second is refused, and so is a switch that processes would not follow',
    async () => {
      const unnamed = await move(['--switch'], {
        source: first,
        settings: { DATABASE_URL: `postgres://vintem_app@${nameOf(first)}/vintem` },
      })
      assert.equal(unnamed.code, 1)
      assert.match(unnamed.output, /DATABASE_URL does not lead to/)
      const held = await exclusively(world.directoryUrl, 'cell move a1', () =>
        move(['--switch'], { source: first }),
      )
      assert.equal(held?.result.code, 1)
      assert.match(held?.result.output ?? '', /Another \.\/vintem cell move of a1 runs/)
    },
  )

  await t.test('a switch that is killed can be canceled, and begun anew', async () => {
    const killed = await move(['--switch'], { source: first, killAt: /Closing/ })
    assert.equal(killed.code, null, killed.output)
    assert.equal(await world.state(), 'CLOSING')
    const canceled = await move(['--cancel'], { source: first })
    assert.equal(canceled.code, 0, canceled.output)
    assert.match(canceled.output, /stays at/)
    assert.equal(await world.state(), undefined)
    await load.goOn('the move was canceled')
    assert.equal((await move(['--to', nameOf(second)], { source: first })).code, 0)
    await world.follows(first)
  })

  await t.test('the switch is killed at each step, and the next run continues', async () => {
    await using gap = startProbe(installation)
    const steps = [/Closing/, /Promoting/, /Opening/]
    for (const killAt of steps) {
      const { code, output } = await move(['--switch'], { source: first, killAt })
      t.diagnostic(
        `killed at ${killAt.source}: ${await world.state()} (${output.trim().replaceAll('\n', ' | ')})`,
      )
      assert.equal(code, null, output)
    }
    const refused = await move(['--cancel'], { source: first })
    assert.equal(refused.code, 1)
    assert.match(refused.output, /has taken over already/)
    const done = await move(['--switch'], { source: first })
    assert.equal(done.code, 0, done.output)
    await load.goOn('the new server took over')
    const gapMs = await gap.stop()
    t.diagnostic(`killed at three steps: no call was acknowledged for ${gapMs} ms`)
    assert.ok(gapMs < gapMsMax, `${gapMs} ms`)
    assert.match((await world.cells())[0] ?? '', new RegExp(`127.0.0.1:${second.port}`))
  })

  await t.test('the old server lets nobody in, after a restart neither', async () => {
    await isClosed(first)
    await first.stop('kill')
    await first.start()
    await isClosed(first)
    const again = await move(['--to', nameOf(second)], { source: first })
    assert.equal(again.code, 1)
    assert.match(again.output, /has moved away from there/)
  })

  await t.test('it moves back, without a kill', async () => {
    const begun = await move(['--to', nameOf(first)], { source: second })
    assert.equal(begun.code, 1, begun.output)
    assert.match(begun.output, /does not follow it any more/)
    await first.stop('fast')
    const anew = await move(['--to', nameOf(first)], { source: second })
    assert.equal(anew.code, 0, anew.output)
    await copyAsTold(first, anew.output)
    await world.follows(second)
    await using gap = startProbe(installation)
    const done = await move(['--switch', '--json'], { source: second })
    assert.equal(done.code, 0, done.output)
    await load.goOn('the cell is back')
    const gapMs = await gap.stop()
    t.diagnostic(`without a kill: no call was acknowledged for ${gapMs} ms (${done.output.trim()})`)
    assert.ok(gapMs < gapMsMax, `${gapMs} ms`)
    await isClosed(second)
  })
  await load.stop()
  await load.holds(t)
})

type Moved = { readonly code: number | null; readonly output: string }

type MoveWorld = Awaited<ReturnType<typeof openMoveWorld>>

/** A sandbox on the first server, with the directory on a third one. The second server is not there yet. */
async function openMoveWorld(stack: AsyncDisposableStack) {
  const pair = stack.use(await startPostgresPair({ isAlone: true }))
  const [first, second] = pair.servers
  const other = await startTestCluster()
  stack.defer(other.stop)
  const directory = await openDirectory(other.url)
  stack.defer(directory.close)
  const env = {
    ...behindProxy,
    DATABASE_URL: pair.urlOf('vintem_app'),
    DATABASE_OWNER_URL: pair.urlOf('vintem_owner'),
    VINTEM_DIRECTORY_URL: other.url,
  }
  const installation = stack.use(await createInstallation(env, { first: true }))
  await installation.start()
  const added = await installation.run('cell', 'add', 'a1', '--server', `127.0.0.1:${installation.port}`)
  assert.equal(added.code, 0, added.output)

  /** `cell move`, killed as soon as it says `killAt`. */
  const move = async (
    args: readonly string[],
    {
      source,
      killAt,
      settings = {},
    }: {
      readonly source: PairServer
      readonly killAt?: RegExp
      readonly settings?: Readonly<Record<string, string>>
    },
  ): Promise<Moved> => {
    const child = spawn(process.execPath, [main, 'cell', 'move', 'a1', ...args], {
      env: {
        ...process.env,
        ...env,
        PORT: String(installation.port),
        VINTEM_DATA_DIR: installation.dataDir,
        VINTEM_MOVE_URL: `postgres://postgres@${nameOf(source)}/postgres`,
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => {
        output += part.toString('utf8')
        if (killAt?.test(output) === true) child.kill('SIGKILL')
      })
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, output }
  }
  return {
    first,
    second,
    installation,
    move,
    directoryUrl: other.url,
    state: async () => (await selectOpenMove(directory.sql, 'a1'))?.state,
    /** Waits until the other server follows this one, as `cell move` says it. */
    follows: (source: PairServer) =>
      eventually('it follows', async () => {
        const { code, output } = await move(['--json'], { source })
        assert.equal(code, 0, output)
        const { behindBytes } = JSON.parse(output) as { readonly behindBytes?: number }
        return behindBytes !== undefined && behindBytes < 1_000_000
      }),
    cells: async () => (await installation.run('cell', 'list')).output.split('\n').slice(1),
  }
}

function nameOf({ port }: PairServer): string {
  return `127.0.0.1:${port}`
}

async function refusals({ first, second, move, directoryUrl, state }: MoveWorld): Promise<void> {
  const appUrl = `postgres://vintem_app@${nameOf(first)}/vintem`
  const cases = [
    [['--cancel'], /there is nothing to cancel/, {}],
    [[], /Name the new server: --to/, {}],
    [['--to', nameOf(first)], /are the same server/, {}],
    [
      ['--to', nameOf(second)],
      /vintem_app is no superuser/,
      { VINTEM_MOVE_URL: `postgres://vintem_app@${nameOf(first)}/postgres` },
    ],
    [['--to', nameOf(second)], /names the database of the cell/, { VINTEM_MOVE_URL: appUrl }],
    [['--to', nameOf(second)], /The directory of cells is at/, { VINTEM_DIRECTORY_URL: `${appUrl}_d` }],
    [['--to', new URL(directoryUrl).host], /does not let the superuser/, {}],
  ] as const
  await first.ask(async (sql) => {
    await sql`create database vintem_d owner vintem_app`
    await sql`update pg_database set datistemplate = true where datname = 'vintem_d'`
  })
  for (const [args, expected, settings] of cases) {
    if ('VINTEM_DIRECTORY_URL' in settings) await addThere(settings.VINTEM_DIRECTORY_URL)
    const { code, output } = await move(args, { source: first, settings })
    assert.equal(code, 1, output)
    assert.match(output, expected)
    assert.equal(output.trim().split('\n').length, 1, output)
  }
  await first.ask((sql) => sql`update pg_database set datistemplate = false where datname = 'vintem_d'`)
  const beside = await move(['--to', nameOf(second)], { source: first })
  assert.match(beside.output, /also has the databases vintem_d/)
  await first.ask((sql) => sql`drop database vintem_d with (force)`)
  assert.equal(await state(), undefined)
}

/** A directory on the server that is to be left. */
async function addThere(url: string): Promise<void> {
  const directory = await openDirectory(url)
  await directory.sql`insert into cell (code, servers) values ('a1', '{127.0.0.1:4000}')`
  await directory.close()
}

/** Runs the pg_basebackup that the command printed. */
async function copyAsTold(server: PairServer, output: string): Promise<void> {
  const [, text = assert.fail(output)] = /^ *pg_basebackup (.*)$/m.exec(output) ?? []
  await server.copy((folder) => text.replace('<data folder>', folder).split(' '))
}

async function isClosed(server: PairServer): Promise<void> {
  for (const role of ['vintem_app', 'vintem_owner', 'postgres']) {
    const sql = connect(`postgres://${role}@${nameOf(server)}/vintem`, { max: 1 })
    await assert.rejects(sql`select 1`, unopened)
    await sql.end({ timeout: 0 })
  }
}

/** Creates payments without a pause. `stop` returns the longest time from one that was acknowledged to the next, in milliseconds. */
function startProbe(installation: Installation): AsyncDisposable & { stop(): Promise<number> } {
  const ending = new AbortController()
  let [lastMs, longestMs, calls] = [monotonicMs(), 0, 0]
  const probing = (async () => {
    while (!ending.signal.aborted) {
      const request = { amount: 1_050, paymentMethods: ['PIX'], idempotencyKey: `probe-${lastMs}-${calls++}` }
      const answer = await call(installation.sandbox(), 'POST', '/v1/payments', request).catch(
        () => undefined,
      )
      if (answer?.status === 201) {
        longestMs = Math.max(longestMs, monotonicMs() - lastMs)
        lastMs = monotonicMs()
      } else if (answer !== undefined) {
        assert.equal(answer.status, 503, JSON.stringify(answer.body))
        assert.ok(answer.headers.get('retry-after'))
      }
      await sleep(20, ending.signal)
    }
  })()
  // Seen at the end.
  probing.catch(() => {})
  return {
    async stop() {
      ending.abort()
      await probing
      return Math.round(longestMs)
    },
    // After a failure too: the test must end.
    async [Symbol.asyncDispose]() {
      ending.abort()
      await probing.catch(() => {})
    },
  }
}
