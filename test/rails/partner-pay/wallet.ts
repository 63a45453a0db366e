// For tests: the sandbox's wallet app as a process of its own, a provider that answers what a test says, and a place
// where callbacks arrive.
import { spawn } from 'node:child_process'
import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, sign } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { must } from '#/kernel/check.ts'
import { systemClock } from '#/kernel/time.ts'
import { createHttpClient } from '#/rails/http.ts'

type Json = Readonly<Record<string, unknown>>

export type TestWallet = {
  readonly apiUrl: string
  /** A call of the control interface; its answer, parsed. */
  control(method: 'GET' | 'POST', path: string, body?: Json): Promise<Json>
  /** A merchant's access, as a connection keeps it: one key takes money in, the other gives it back. */
  merchant(webhookUrl?: string): Promise<{
    readonly settings: Json
    readonly secrets: { readonly apiKey: string; readonly apiSecret: string }
    readonly refundSecrets: { readonly apiKey: string; readonly apiSecret: string }
  }>
  /** SIGKILL, and then again at the same address. Resolves when it is ready. */
  restart(): Promise<void>
  /** Headers that sign `body` as the app does now: by its own key, or by a stranger's under the same serial number. */
  signed(body: string, by: 'app' | 'stranger'): Readonly<Record<string, string>>
  stop(): Promise<void>
}

const program = fileURLToPath(new URL('../../../simulators/partner-wallet/main.ts', import.meta.url))

/** Its own waits are 50 times as short. */
export async function startTestWallet(): Promise<TestWallet> {
  const dataDir = mkdtempSync(join(tmpdir(), 'partner-rail-'))
  const first = await launch(dataDir, '0')
  const { apiUrl, controlUrl } = first
  let { wallet } = first
  const http = createHttpClient({ connectMs: 2_000, totalMs: 10_000, maxConnections: 4 })

  const control: TestWallet['control'] = async (method, path, body) => {
    const answer = await http.request({
      method,
      url: `${controlUrl}/_sim${path}`,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = answer.body.toString()
    must(answer.status < 300 ? true : undefined, `${method} ${path}: ${text}`)
    return text === '' ? {} : (JSON.parse(text) as Json)
  }
  type Key = { readonly apiKey: string; readonly apiSecret: string }
  const keyOf = async (wish: Json): Promise<Key> => {
    const made = await control('POST', '/merchants', wish)
    return { apiKey: String(made['apiKey']), apiSecret: String(made['apiSecret']) }
  }
  return {
    apiUrl,
    control,
    async merchant(webhookUrl) {
      const secrets = await keyOf({ name: 'Loja', permissions: ['orders'] })
      const refundSecrets = await keyOf({ name: 'Loja', of: secrets.apiKey, permissions: ['refunds'] })
      if (webhookUrl !== undefined)
        await control('POST', `/merchants/${secrets.apiKey}/webhook`, { url: webhookUrl })
      return { settings: { apiUrl }, secrets, refundSecrets }
    },
    async restart() {
      const killed = once(wallet, 'exit')
      wallet.kill('SIGKILL')
      await killed
      ;({ wallet } = await launch(dataDir, new URL(apiUrl).port))
    },
    signed: (body, by) => signedBy(dataDir, body, by),
    async stop() {
      await http.close()
      const ended = once(wallet, 'exit')
      wallet.stdin.end()
      await ended
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function launch(dataDir: string, port: string) {
  const args = ['--port', port, '--data-dir', dataDir, '--speed', '50', '--die-with-parent']
  const wallet = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = (await once(wallet.stdout, 'data')) as [Buffer]
  const { apiUrl, controlUrl } = JSON.parse(line.toString()) as { apiUrl: string; controlUrl: string }
  return { wallet, apiUrl, controlUrl }
}

const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

function signedBy(dataDir: string, body: string, by: 'app' | 'stranger') {
  const folder = join(dataDir, 'certificates')
  const newest = readdirSync(folder)
    .filter((name) => /^\d{6}\.pem$/.test(name))
    .toSorted()
    .at(-1)
  const own = createPrivateKey(readFileSync(join(folder, must(newest, 'the app has a key'))))
  const served = createPublicKey(own).export({ type: 'spki', format: 'pem' }).trim()
  const [timestamp, nonce] = [String(systemClock.now().getTime()), 'N'.repeat(32)]
  const content = Buffer.from(`${timestamp}\n${nonce}\n${body}\n`)
  return {
    'content-type': 'application/json',
    'binancepay-timestamp': timestamp,
    'binancepay-nonce': nonce,
    'binancepay-certificate-sn': hash('md5', served, 'hex'),
    'binancepay-signature': sign('sha256', content, by === 'app' ? own : stranger).toString('base64'),
  }
}

export type Call = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export type Reply = {
  readonly status: number
  /** A text as it is, else JSON. */
  readonly body?: unknown
  /** Nothing comes back and the connection ends. */
  readonly cut?: boolean
}

export type TestProvider = { readonly url: string; readonly calls: readonly Call[]; stop(): Promise<void> }

/** Answers as `reply` says; calls are kept in order. Of a wallet provider as well as of ourselves, who are called back. */
export async function startTestProvider(reply: (call: Call) => Reply): Promise<TestProvider> {
  const calls: Call[] = []
  const answerer: RequestListener = (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const call = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts) }
      calls.push(call)
      const { status, body = '', cut } = reply(call)
      if (cut === true) return void request.socket.destroy()
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  }
  const server = createServer(answerer)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** An answer of the provider that has what was asked for. */
export const success = (data: unknown): Reply => ({
  status: 200,
  body: { status: 'SUCCESS', code: '000000', data },
})

/** A refusal of the provider. */
export const failure = (code: string, status = 400): Reply => ({
  status,
  body: { status: 'FAIL', code, errorMessage: `refused with ${code}` },
})
