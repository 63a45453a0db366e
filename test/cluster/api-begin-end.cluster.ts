// One API process without a balancer: how long it waits for a chain that does not answer, and how long it serves after it was told to
// end. Times are those of its own log, so a slow start of the process does not count.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { minuteMs, sleep } from '#/kernel/time.ts'
import { eventually } from '../eventually.ts'
import { openPlace, root, type Running } from '../journeys/place.ts'
import { startTestCluster } from '../postgres.ts'

/** Only until the process has answered at all: a machine that does other things too is slow to start one. */
const startMs = 5 * minuteMs
/** The wait is 15 s; what comes on top is one call of a node and the scheduling of a busy machine. */
const readyWithinMs = minuteMs

type Line = Readonly<Record<string, unknown>> & { readonly at: string; readonly msg: string }

const linesOf = (api: Running): readonly Line[] =>
  api
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)

const lineOf = (api: Running, msg: string) => linesOf(api).find((line) => line.msg === msg)
const atOf = (line: Line | undefined) => Date.parse(line?.at ?? 'never')

test('an API whose chain does not answer is ready after 15 s and says degraded; told to end, it serves for 20 s more', async (t) => {
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'vintem-degraded-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const cluster = await startTestCluster()
  stack.defer(cluster.stop)
  const env = { VINTEM_SANDBOX: 'off', VINTEM_LOG_LEVEL: 'info' }
  const place = await openPlace({ folder, adminUrl: cluster.url, env }, stack)
  assert.equal((await place.run(root, 'migrate')).code, 0)
  const launch = () =>
    place.launch(root, 'api', {
      VINTEM_BSC_RPC_URL: 'http://127.0.0.1:9',
      VINTEM_BSC_TREASURY: `0x${'1'.repeat(40)}`,
    })
  const api = await launch()
  const answers = new Set<string>()
  const health = () => fetch(`${api.url}/health/ready`).catch(() => undefined)
  await eventually(
    () => `it is ready: ${[...answers].join(' ')} ${api.output()}`,
    async () => {
      const answer = await health()
      if (answer === undefined) return false
      answers.add(`${answer.status} ${await answer.text()}`)
      return answer.status === 200
    },
    startMs,
  )
  const [waiting = '', ready = ''] = [...answers]
  assert.match(waiting, /^503 .*"start":false/)
  assert.match(
    ready,
    /^200 \{"status":"degraded".*"chain":false.*"reasons":\{"chain":"The BSC node cannot be asked/,
  )
  const degraded = lineOf(api, 'ready, and degraded: the chain does not answer')
  const waitedMs = atOf(degraded) - atOf(lineOf(api, 'waiting for the chain'))
  t.diagnostic(`ready after ${waitedMs} ms`)
  assert.match(String(degraded?.['reason']), /The BSC node cannot be asked/)
  assert.ok(waitedMs > 14_000 && waitedMs < readyWithinMs, `${waitedMs} ms`)

  // The setting is not set: the usual time.
  api.signal('SIGTERM')
  await eventually('its log says that it ends', async () => lineOf(api, 'ending') !== undefined)
  assert.equal(lineOf(api, 'ending')?.['seconds'], 20)
  const endingAt = atOf(lineOf(api, 'ending'))
  let lastServedAt = 0
  for (let answer = await health(); answer !== undefined; answer = await health()) {
    assert.equal(answer.status, 503)
    await answer.body?.cancel()
    lastServedAt = Date.now()
    await sleep(250)
  }
  await api.ended()
  assert.equal(await api.stop(), 0, api.output())
  t.diagnostic(`served for ${lastServedAt - endingAt} ms after it was told to end`)
  assert.ok(lastServedAt - endingAt > 18_000, `${lastServedAt - endingAt} ms`)

  const hasty = await launch()
  await eventually(
    'it waits for its chain',
    async () => lineOf(hasty, 'waiting for the chain') !== undefined,
    startMs,
  )
  await eventually('it is ready', hasty.isReady, startMs)
  hasty.signal('SIGTERM')
  await sleep(1_500)
  hasty.signal('SIGTERM')
  await hasty.ended()
  assert.equal(await hasty.stop(), 1, 'a second signal ends it at once')
})
