// How a developer uses `npm start` in the first minutes: starts it twice, waits for it in a program, and presses Ctrl-C.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { connect } from '#/db/client.ts'
import { isSoak } from '../counts.ts'
import { eventually } from '../eventually.ts'
import { createInstallation, main, type Installation } from './installation.ts'
import { processesOf } from './processes.ts'

const sandboxFileIn = (dataDir: string) => path.join(dataDir, 'sandbox.json')

type Ready = {
  readonly status: string
  readonly checks: Readonly<Record<string, boolean>>
  readonly reasons?: Readonly<Record<string, string>>
}

/** The answer of `/health/ready`, and whether sandbox.json was there when it came. */
async function askReady(port: number, dataDir: string) {
  const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined)
  if (answer === undefined) return undefined
  const hasFile = existsSync(sandboxFileIn(dataDir))
  return { status: answer.status, hasFile, body: (await answer.json()) as Ready }
}

type Answer = Awaited<ReturnType<typeof askReady>>

/** Polls until the server says that it is ready. Returns each answer that differs from the one before. */
async function watchStart({ port, dataDir }: Installation): Promise<readonly NonNullable<Answer>[]> {
  const answers: NonNullable<Answer>[] = []
  for (;;) {
    const answer = await askReady(port, dataDir)
    if (answer !== undefined && JSON.stringify(answer) !== JSON.stringify(answers.at(-1)))
      answers.push(answer)
    if (answer?.status === 200) return answers
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** How a developer ends `npm start`. At a terminal Ctrl-C reaches the server too, and npm passes it on a second time. */
const waysToEnd: Readonly<Record<string, (installation: Installation, npm: number) => Promise<void>>> = {
  // Each journey ends its installation with one signal; the soak sends it through npm too.
  ...(isSoak && {
    'npm gets a signal': async (installation: Installation) => {
      await installation.stop()
    },
    'Ctrl-C is pressed once more, because nothing seems to happen': async (
      installation: Installation,
      npm: number,
    ) => {
      const ended = installation.stop()
      process.kill(-npm, 'SIGINT')
      await new Promise((resolve) => setTimeout(resolve, 1_100))
      // The first signal may have been enough.
      if (isThere(-npm)) process.kill(-npm, 'SIGINT')
      await ended
    },
  }),
  'Ctrl-C reaches npm and the server, and npm passes it on': async (installation, npm) => {
    const ended = installation.stop()
    for (let each = 0; each < 5; each += 1) {
      process.kill(-npm, 'SIGINT')
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    await ended
  },
}

describe('a started sandbox', () => {
  /** The first start is on an empty directory, with all keys from its environment. */
  const key = () => randomBytes(32).toString('hex')
  const keys = { VINTEM_MASTER_KEY: key(), VINTEM_WORKER_KEY: key(), VINTEM_AUDIT_KEY: key() }
  let installation: Installation
  before(async () => {
    installation = await createInstallation(keys, { first: true })
  })
  after(() => installation[Symbol.asyncDispose]())

  async function call(method: string, route: string, body?: unknown) {
    const { apiUrl, apiKey } = installation.sandbox()
    const answer = await fetch(apiUrl + route, {
      method,
      headers: { apikey: apiKey, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> }
  }

  async function payAtOnce(key: string): Promise<void> {
    const created = await call('POST', '/v1/payments', {
      amount: 1000,
      currency: 'USDT',
      paymentMethods: ['CRYPTO'],
      idempotencyKey: key,
    })
    assert.equal(created.status, 201, JSON.stringify(created.body))
    const id = String(created.body['id'])
    const paid = await call('POST', `/v1/sandbox/payments/${id}/pay`, { scenario: 'exact' })
    assert.equal(paid.status, 202, JSON.stringify(paid.body))
    await eventually('the payment is PAID', async () => {
      const { body } = await call('GET', `/v1/payments/${id}`)
      return body['status'] === 'PAID'
    })
  }

  test('says that it is ready only when it can be used: sandbox.json is there, and the first payment by CRYPTO works', async () => {
    const [answers] = await Promise.all([watchStart(installation), installation.start()])
    const [ready, ...unready] = answers.toReversed()
    assert.equal(ready?.status, 200)
    assert.equal(ready.hasFile, true, 'the file is written before the server says that it is ready')
    const checks = { database: true, migrations: true, keys: true, disk: true, start: true, chain: true }
    assert.deepEqual(ready.body.checks, checks)
    assert.equal(ready.body.status, 'ready')
    for (const { status, body } of unready) assert.deepEqual([status, body.status], [503, 'not_ready'])
    await payAtOnce('first')
  })

  test('shows on its page which payments notify no server, and each try to reach a server', async () => {
    const webhookUrl = 'http://127.0.0.1:1/webhooks'
    const created = await call('POST', '/v1/payments', {
      amount: 1000,
      currency: 'USDT',
      paymentMethods: ['CRYPTO'],
      idempotencyKey: 'unreachable',
      webhookUrl,
    })
    assert.equal(created.status, 201, JSON.stringify(created.body))
    await call('POST', `/v1/sandbox/payments/${String(created.body['id'])}/pay`, { scenario: 'exact' })
    await eventually('the page shows the try', async () => {
      const page = await (await fetch(installation.sandbox().apiUrl)).text()
      return (
        page.includes('No webhookUrl: no server is notified') &&
        page.includes(webhookUrl) &&
        page.includes('Webhook failed, will be retried')
      )
    })
  })

  test('is not changed by a second start, which names the running process', async () => {
    const file = sandboxFileIn(installation.dataDir)
    const written = await readFile(file, 'utf8')
    const { code, output } = await installation.run('start')
    assert.equal(code, 1)
    assert.match(output, new RegExp(`already running with the data in .*process ${installation.pid()}\\)`))
    assert.equal(await readFile(file, 'utf8'), written)
    const reset = await installation.run('reset')
    assert.equal(reset.code, 1)
    assert.match(reset.output, /already running/)
    assert.equal(await readFile(file, 'utf8'), written)
    assert.equal((await askReady(installation.port, installation.dataDir))?.body.status, 'ready')
  })

  // The quick run kills the sandbox in the next test.
  if (isSoak)
    test('after a kill waits until the chain is followed again, and then accepts payments at once', async () => {
      await installation.kill()
      const [answers] = await Promise.all([watchStart(installation), installation.start()])
      const last = answers.at(-1)
      assert.deepEqual([last?.status, last?.hasFile, last?.body.status], [200, true, 'ready'])
      await payAtOnce('after the kill')
    })

  test('says that it is degraded, and why, while its chain cannot be used, and accepts other payments', async () => {
    // Another watcher holds the lease of the chain, as after a network failure, until this test ends it.
    const passwords = JSON.parse(
      await readFile(path.join(installation.dataDir, 'postgres', 'passwords.json'), 'utf8'),
    ) as { readonly admin: string }
    const url = `postgres://postgres:${passwords.admin}@127.0.0.1:${installation.port + 20}/vintem`
    const sql = connect(url, { max: 1 })
    await using cleanup = new AsyncDisposableStack()
    cleanup.defer(() => sql.end({ timeout: 5 }))
    await installation.kill()
    // A chain that dies with the server is built again, which frees its lease: the other watcher is faster then, too.
    await sql.unsafe(`
      create function keep_lease() returns trigger language plpgsql as $$ begin new.lease_until := 'infinity'; return new; end $$;
      create trigger keep_lease before update on chain for each row execute function keep_lease()`)
    await sql`update chain set fence = fence + 1`
    const [answers] = await Promise.all([watchStart(installation), installation.start('npm')])
    const last = answers.at(-1)
    assert.deepEqual(
      [last?.status, last?.hasFile, last?.body.status, last?.body.checks['chain']],
      [200, true, 'degraded', false],
      installation.output().slice(-4_000),
    )
    assert.match(String(last?.body.reasons?.['chain']), /not followed yet/)
    assert.match(installation.output(), /CRYPTO does not work yet\. .*not followed yet/)
    const created = await call('POST', '/v1/payments', {
      amount: 4990,
      currency: 'BRL',
      paymentMethods: ['PIX'],
      idempotencyKey: 'meanwhile',
    })
    assert.equal(created.status, 201, JSON.stringify(created.body))
    await sql`drop function keep_lease cascade`
    await sql`update chain set lease_until = null`
    await eventually('it is ready again', async () => {
      return (await askReady(installation.port, installation.dataDir))?.body.status === 'ready'
    })
  })

  for (const [nth, [way, end]] of Object.entries(waysToEnd).entries())
    test(`ends with everything that it started when ${way}`, async () => {
      if (nth > 0) await installation.start('npm')
      const npm = installation.pid()
      assert.ok(npm !== undefined)
      await end(installation, npm)
      await eventually('nothing is left', () => processesOf(installation.dataDir).length === 0)
    })

  test('a command that started the database ends it when it gets a signal meanwhile', async () => {
    const { dataDir, port } = installation
    const env = { ...process.env, ...keys, PORT: String(port), VINTEM_DATA_DIR: dataDir }
    // Once before its database is ready, and once after.
    for (const readyAfter of isSoak ? [/postgres -D/, /autovacuum launcher/] : [/postgres -D/]) {
      const verify = spawn(process.execPath, [main, 'verify'], { env, stdio: 'ignore' })
      const ended = once(verify, 'exit')
      await eventually('its database runs', () =>
        processesOf(dataDir).some(({ command }) => readyAfter.test(command)),
      )
      verify.kill('SIGINT')
      await ended
      await eventually('nothing is left', () => processesOf(dataDir).length === 0)
    }
  })
})

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
