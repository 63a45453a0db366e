// The alerts and the dashboard that we hand out: valid, and about series that an installation has.
import assert from 'node:assert/strict'
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createRpc } from '#/evm/client.ts'
import { sleep } from '#/kernel/time.ts'
import { startAnvil } from '../anvil.ts'
import { freePort } from '../ports.ts'
import { testDatabase } from '../postgres.ts'
import { program, programEnv } from './debian.ts'
import { layChain, treasury } from './live-world.ts'

const root = join(import.meta.dirname, '..', '..')
const ops = (path: string) => join(root, 'ops', path)
const scratch = mkdtempSync(join(tmpdir(), 'vintem-metrics-'))
const children: ChildProcess[] = []
after(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(scratch, { recursive: true, force: true })
})

function promtool(...args: readonly string[]): string {
  const env = { ...process.env, ...programEnv() }
  return execFileSync(program('promtool'), args, { encoding: 'utf8', env, stdio: ['pipe', 'pipe', 'pipe'] })
}

type Panel = { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }

/** Every expression of the dashboard, with what Grafana fills in. */
function dashboardExpressions(): readonly string[] {
  const { panels } = JSON.parse(readFileSync(ops('grafana/vintem.json'), 'utf8')) as {
    panels: readonly Panel[]
  }
  return panels.flatMap(({ targets = [] }) =>
    targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$cell', '.*')),
  )
}

/** The names of series in an expression, outside of texts and labels. */
function namesIn(expression: string): readonly string[] {
  const bare = expression.replaceAll(/"[^"]*"|'[^']*'/g, '')
  return [...new Set(bare.match(/\b(?:vintem|nodejs|process)_[a-z0-9_]+\b/g) ?? [])]
}

/** Every name that the text of a scrape gives, those of histograms with their endings. */
function namesOf(scrape: string): ReadonlySet<string> {
  const types = [...scrape.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  return new Set(
    types.flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
    ),
  )
}

test('promtool accepts the alerts, and each fires for its fault and none without one', () => {
  promtool('check', 'rules', ops('prometheus/vintem.rules.yml'))
  promtool('check', 'config', '--syntax-only', ops('prometheus/prometheus.yml'))
  assert.match(promtool('test', 'rules', ops('prometheus/vintem.rules.test.yml')), /SUCCESS/)
})

test('promtool accepts every expression of the dashboard', () => {
  const expressions = dashboardExpressions()
  assert.ok(expressions.length > 40, `${expressions.length} expressions`)
  const rules = expressions.map((expr, index) => ({ record: `dashboard:${index}`, expr }))
  const file = join(scratch, 'dashboard.yml')
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
  assert.match(promtool('check', 'rules', file), new RegExp(`${rules.length} rules found`))
})

const roles = ['api', 'worker', 'watcher'] as const
/** What comes last: the figures of the database, and the lag behind the newest block. */
const last = {
  api: /^vintem_lane_depth\{/m,
  worker: /^vintem_database_dead_rows\{/m,
  watcher: /^vintem_watcher_lag_blocks\{(?=[^}]*chain="bsc")[^}]*role="watcher"/m,
} as const

/** Whether a scrape has all that such a process gives in the end. */
function isWhole(role: (typeof roles)[number], text: string): boolean {
  return last[role].test(text)
}

test('alerts and dashboard name only series that a running installation has', async () => {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await testDatabase())
  const node = stack.use(await startAnvil({ chainId: 56, blockTimeSeconds: 1 }))
  const rpc = createRpc(node.url, { timeoutMs: 60_000 })
  stack.defer(() => rpc.close())
  await layChain(rpc, node.url)
  const keys = {
    VINTEM_MASTER_KEY: 'ab'.repeat(32),
    VINTEM_AUDIT_KEY: 'cd'.repeat(32),
    VINTEM_WORKER_KEY: 'ef'.repeat(32),
  }
  const scrapes = await Promise.all(
    roles.map(async (role) => {
      const [port, metricsPort] = [await freePort(), await freePort()]
      const child = spawn(process.execPath, [join(root, 'src/main.ts'), role], {
        env: {
          ...keys,
          DATABASE_URL: database.appUrl,
          VINTEM_DATA_DIR: scratch,
          VINTEM_SANDBOX: 'off',
          ...(role === 'watcher' ? { VINTEM_BSC_RPC_URL: node.url, VINTEM_BSC_TREASURY: treasury } : {}),
          PORT: String(port),
          VINTEM_METRICS_PORT: String(metricsPort),
        },
        stdio: 'ignore',
      })
      children.push(child)
      const read = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      let text = ''
      // The first start of a busy machine takes minutes: the file's own limit is half an hour.
      while (!isWhole(role, text)) {
        assert.equal(child.exitCode, null, `${role} has ended`)
        await sleep(200)
        text = await read().catch(() => '')
      }
      return text
    }),
  )
  for (const scrape of scrapes)
    execFileSync(program('promtool'), ['check', 'metrics'], {
      // promtool finds fault with names of the library.
      input: scrape.replaceAll(/^.*nodejs_active_\w+_total.*\n/gm, ''),
      env: { ...process.env, ...programEnv() },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
  const exported = new Set(scrapes.flatMap((scrape) => [...namesOf(scrape)]))
  const rules = readFileSync(ops('prometheus/vintem.rules.yml'), 'utf8')
  const queried = new Set([...dashboardExpressions(), rules].flatMap(namesIn))
  assert.ok(queried.size > 30, `${queried.size} names`)
  assert.deepEqual(
    [...queried].filter((name) => !exported.has(name)),
    [],
  )
})
