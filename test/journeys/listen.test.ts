// `listen` as a process, at a running sandbox and a receiver that fails, ends and comes back.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { isGenuine, webhookSecretBytes } from '#/sandbox/verify-webhook.ts'
import { soakTest } from '../counts.ts'
import { eventually } from '../eventually.ts'
import { main, type Installation } from './installation.ts'
import { call } from './merchant.ts'
import { sharedInstallation } from './shared-installation.ts'

type Forwarded = {
  readonly sequence: number
  readonly type: string
  readonly status?: number
  readonly error?: string
  readonly ms?: number
  readonly attempt?: number
  readonly outcome?: string
}
type Received = { readonly sequence: number; readonly body: Buffer; readonly isSigned: boolean }

let installation: Installation
let folder: string

before(async () => {
  installation = await sharedInstallation()
  folder = await mkdtemp(path.join(tmpdir(), 'vintem-listen-'))
})
after(() => rm(folder, { recursive: true, force: true }))

/** A program of a merchant's, which checks signatures. `answer`: the status for the nth webhook, from 1. */
async function openReceiver(answer: (nth: number) => number = () => 204, port = 0, secret = secretOf()) {
  const received: Received[] = []
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts)
      const { sequence } = JSON.parse(body.toString('utf8')) as { readonly sequence: number }
      const isSigned = isGenuine([webhookSecretBytes(secret)], { headers: request.headers, body }, new Date())
      received.push({ sequence, body, isSigned })
      response.writeHead(answer(received.length)).end()
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const taken = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${taken}/hook`,
    port: taken,
    received,
    sequences: () => received.map(({ sequence }) => sequence),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const secretOf = () => installation.sandbox().webhookSecret

/** Starts `listen` with these arguments. */
function startListen(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return startPlain([...args, '--json'], env)
}

/** The same, with output for people. */
function startPlain(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const settings = { VINTEM_DATA_DIR: installation.dataDir, PORT: String(installation.port), ...env }
  const child = spawn(process.execPath, [main, 'listen', ...args], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (part: Buffer) => (out += part.toString('utf8')))
  child.stderr.on('data', (part: Buffer) => (err += part.toString('utf8')))
  const gone = once(child, 'exit')
  return {
    lines: () =>
      out
        .split('\n')
        .filter((line) => line.endsWith('}'))
        .map((line) => JSON.parse(line) as Forwarded),
    err: () => err,
    out: () => out,
    ready: () =>
      eventually(
        () => `listening: ${err}`,
        () => err.includes('"after"'),
      ),
    exit: async () => ((await gone) as [number | null])[0],
    async end(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      const [code] = (await gone) as [number | null]
      return code
    },
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await gone
    },
  }
}

/** Each is one event. */
async function happen(count: number): Promise<void> {
  for (let nth = 0; nth < count; nth += 1) {
    const body = { currency: 'BRL', walletType: 'SPENDABLE', label: `listen ${nth}` }
    assert.equal((await call(installation.sandbox(), 'POST', '/v1/wallets', body)).status, 201)
  }
}

/** The numbers of all events after one, as the API lists them. */
async function numbersAfter(sequence: number): Promise<readonly number[]> {
  const { body } = await call(installation.sandbox(), 'GET', `/v1/events?after=${sequence}&limit=100`)
  return (body['data'] as readonly { readonly sequence: number }[]).map((each) => each.sequence)
}

const startOf = (err: string) => (JSON.parse(err.split('\n')[0] ?? '') as { readonly after: number }).after

test('each event is forwarded once, in order, signed, with the bytes of a webhook', async () => {
  await using receiver = await openReceiver()
  await using listener = startListen(['--forward-to', receiver.url])
  await listener.ready()
  const from = startOf(listener.err())
  const metadata = { exact: 'é', nested: [1, { a: null }] }
  await using hooks = await openReceiver()
  const made = await call(installation.sandbox(), 'POST', '/v1/payments', {
    amount: 4_990,
    paymentMethods: ['PIX'],
    metadata,
    idempotencyKey: 'listened',
    webhookUrl: hooks.url,
  })
  await call(installation.sandbox(), 'POST', `/v1/sandbox/payments/${String(made.body['id'])}/pay`, {})
  await eventually('it came', () => receiver.received.length > 0)
  await happen(3)
  await eventually('four came', () => receiver.received.length === 4)
  assert.deepEqual(receiver.sequences(), await numbersAfter(from))
  assert.ok(receiver.received.every(({ isSigned }) => isSigned))
  await eventually('four are printed', () => listener.lines().length === 4)
  const printed = listener.lines()
  assert.deepEqual(
    printed.map(({ sequence, status, attempt, outcome }) => [sequence, status, attempt, outcome]),
    receiver.sequences().map((sequence) => [sequence, 204, 1, 'accepted']),
  )
  assert.equal(printed[0]?.type, 'payment.completed')
  await eventually('the webhook came', () => hooks.received.length > 0)
  assert.equal(receiver.received[0]?.body.toString('utf8'), hooks.received[0]?.body.toString('utf8'))
  assert.equal(typeof printed[0]?.ms, 'number')
  assert.equal(await listener.end(), 0)
})

test('nothing is lost when it is killed and started again, and at most the one under way comes twice', async () => {
  await using receiver = await openReceiver()
  const args = ['--forward-to', receiver.url]
  let from: number
  {
    await using first = startListen(args)
    await first.ready()
    from = startOf(first.err())
    await happen(3)
    await eventually('the first ones came', () => receiver.received.length >= 2)
    await first.end('SIGKILL')
  }
  await happen(4)
  await using second = startListen(args)
  await second.ready()
  await happen(2)
  const all = await numbersAfter(from)
  assert.equal(all.length, 9)
  await eventually('all came', () => receiver.sequences().at(-1) === all.at(-1))
  assert.deepEqual([...new Set(receiver.sequences())], all)
  assert.ok(receiver.received.length <= all.length + 1)
  assert.equal(await second.end(), 0)
  const before = receiver.received.length
  await using third = startListen(args)
  await third.ready()
  await happen(1)
  await eventually('the next one came', () => receiver.received.length > before)
  assert.deepEqual(receiver.sequences().slice(before), await numbersAfter(all.at(-1) ?? 0))
})

test('a receiver that is away is waited for; one that refuses gets five tries, and then the next event', async () => {
  const first = await openReceiver()
  const { port, url } = first
  await first[Symbol.asyncDispose]()
  await using listener = startListen(['--forward-to', url])
  await listener.ready()
  await happen(2)
  await eventually('it cannot be reached', () =>
    listener.lines().some(({ error }) => error === 'ECONNREFUSED'),
  )
  await using receiver = await openReceiver((nth) => (nth <= 5 ? 500 : 200), port)
  await eventually('both are done', () => listener.lines().at(-1)?.outcome === 'accepted')
  const [refused, accepted] = [...new Set(receiver.sequences())]
  assert.deepEqual(receiver.sequences(), [...Array.from({ length: 5 }, () => refused), accepted])
  const ofFirst = listener.lines().filter(({ sequence, status }) => sequence === refused && status === 500)
  assert.deepEqual(
    ofFirst.map(({ outcome }) => outcome),
    ['again', 'again', 'again', 'again', 'given up'],
  )
})

soakTest(
  'with types only these are forwarded; --after begins anywhere; two at once for one URL are refused',
  async () => {
    await using receiver = await openReceiver()
    await happen(2)
    const last = (await numbersAfter(0)).length
    const args = ['--forward-to', receiver.url, '--types', 'wallet.created,dispute.lost']
    await using listener = startListen([...args, '--after', String(last - 2)])
    await listener.ready()
    await eventually('two came', () => receiver.received.length === 2)
    assert.deepEqual(receiver.sequences(), [last - 1, last])
    const second = await installation.run('listen', '--forward-to', receiver.url)
    assert.equal(second.code, 2)
    assert.match(second.output, /already forwards these events/)
    assert.equal(await listener.end(), 0)
    for (const [wrong, expected] of [
      [['--forward-to', 'ftp://x'], /no http or https URL/],
      [['--after', '-1'], /argument|sequence/],
      [['--types', 'payment.lost'], /no type of event/],
    ] as const) {
      const { code, output } = await installation.run('listen', ...wrong)
      assert.deepEqual([code, expected.test(output)], [2, true], output)
    }
  },
)

test('with a key of the settings it needs no sandbox, signs with a secret of its own, and keeps it', async () => {
  const { apiUrl, apiKey } = installation.sandbox()
  const env = { VINTEM_API_URL: apiUrl, VINTEM_API_KEY: apiKey, VINTEM_DATA_DIR: path.join(folder, 'own') }
  const first = await openReceiver()
  const args = ['--forward-to', first.url]
  const secretIn = (err: string) =>
    (JSON.parse(err.split('\n')[0] ?? '') as { readonly secret: string }).secret
  await using listener = startListen(args, env)
  await listener.ready()
  const secret = secretIn(listener.err())
  assert.match(secret, /^whsec_/)
  assert.notEqual(secret, secretOf())
  await first[Symbol.asyncDispose]()
  await using receiver = await openReceiver(undefined, first.port, secret)
  await happen(1)
  await eventually('it came', () => receiver.received.length === 1)
  assert.equal(receiver.received[0]?.isSigned, true)
  await eventually('it is noted', () => listener.lines().length > 0)
  await listener.end()
  await using again = startListen(args, env)
  await again.ready()
  assert.equal(secretIn(again.err()), secret)
  await again.end()
  const [file = ''] = globSync(path.join(folder, 'own', 'listen', '*.json'))
  assert.ok(existsSync(file))
  assert.ok(!(await readFile(file, 'utf8')).includes(apiKey), 'the key is kept nowhere')
  await using wrong = startListen(args, { ...env, VINTEM_API_KEY: `${apiKey.slice(0, -6)}zzzzzz` })
  await eventually('it ends', () => wrong.err().includes('answered 401'))
  assert.equal(await wrong.exit(), 1)
})

soakTest('a position that the API does not have is refused, instead of waiting for ever', async () => {
  await using receiver = await openReceiver()
  const args = ['listen', '--forward-to', receiver.url]
  await using listener = startListen([...args.slice(1), '--after', '900000'])
  await listener.ready()
  assert.equal(await listener.end(), 0)
  const { code, output } = await installation.run(...args)
  assert.equal(code, 2)
  assert.match(output, /ended at event 900000, which is not there/)
})

test('Ctrl-C ends it after the event under way, and the rest comes at the next run', async () => {
  const answered: (() => void)[] = []
  const sequences: number[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      sequences.push((JSON.parse(Buffer.concat(parts).toString('utf8')) as Forwarded).sequence)
      answered.push(() => response.writeHead(204).end())
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const args = ['--forward-to', `http://127.0.0.1:${port}/hook`]
  await happen(3)
  const all = (await numbersAfter(0)).slice(-3)
  {
    await using listener = startListen([...args, '--after', String((all[0] ?? 0) - 1)])
    await eventually('the first came', () => sequences.length === 1)
    const ended = listener.end()
    await pause(300)
    answered[0]?.()
    assert.equal(await ended, 0)
    assert.deepEqual(sequences, all.slice(0, 1))
  }
  await using listener = startListen(args)
  for (const nth of [1, 2]) {
    await eventually('the next came', () => sequences.length === nth + 1)
    answered[nth]?.()
  }
  assert.deepEqual(sequences, all)
  await eventually('it is noted', () => listener.lines().length === 2)
  assert.equal(await listener.end(), 0)
  server.closeAllConnections()
  server.close()
})

soakTest('without a URL events are only shown', async () => {
  await using listener = startListen([])
  await listener.ready()
  await happen(1)
  await eventually('it is shown', () => listener.lines().length === 1)
  assert.deepEqual(Object.keys(listener.lines()[0] ?? {}), ['sequence', 'id', 'type'])
  assert.equal(await listener.end(), 0)
})

test('people see where it begins, the secret, and a line for each event with status and milliseconds', async () => {
  await using receiver = await openReceiver((nth) => (nth === 1 ? 500 : 204))
  await using listener = startPlain(['--forward-to', receiver.url])
  await eventually('it listens', () => listener.out().includes(secretOf()))
  await happen(1)
  await eventually(
    'both tries are shown',
    () => receiver.received.length === 2 && /attempt 2/.test(listener.out()),
  )
  const [first = '', second = ''] = listener
    .out()
    .split('\n')
    .filter((line) => line.includes('wallet.created'))
  const sequence = receiver.sequences()[0]
  assert.match(first, new RegExp(`^\\S+ +${sequence}  wallet\\.created +[0-9a-f-]{36}  500  \\d+ ms$`))
  assert.match(
    second,
    new RegExp(`^\\S+ +${sequence}  wallet\\.created +[0-9a-f-]{36}  204  \\d+ ms  attempt 2$`),
  )
  assert.equal(await listener.end(), 0)
})

// The quick run ends a server with those that wait in contract/events-wait, and kills a listener above.
soakTest('a restart of the API does not wait for those that listen, and they go on afterwards', async () => {
  await using receiver = await openReceiver()
  await using listener = startListen(['--forward-to', receiver.url])
  await listener.ready()
  assert.equal(await installation.stop(), 0)
  await eventually('it is seen', () => listener.err().includes('Trying again'))
  await installation.start()
  await happen(2)
  await eventually('both came', () => receiver.received.length === 2)
  assert.deepEqual(receiver.sequences(), await numbersAfter(startOf(listener.err())))
  assert.equal(await listener.end(), 0)
})
