// For tests: the sandbox's bank as a process of its own, and a PSP that answers what a test says, both over mTLS.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { must } from '#/kernel/check.ts'
import { createHttpClient } from '#/rails/http.ts'
import pems from './certificates.json' with { type: 'json' }

type Json = Readonly<Record<string, unknown>>

export type TestBank = {
  readonly apiUrl: string
  /** A call of the control port; its answer, parsed. */
  control(method: 'GET' | 'POST' | 'DELETE', path: string, body?: Json): Promise<Json>
  /** A merchant's access to the bank, as a connection keeps it. */
  application(): Promise<{ readonly settings: Json & { readonly pixKey: string }; readonly secrets: Json }>
  /** Pays a charge; the end-to-end ids. */
  pay(txid: string, more?: Json): Promise<readonly string[]>
  stop(): Promise<void>
}

const program = fileURLToPath(new URL('../../../simulators/pix-bank/main.ts', import.meta.url))

export async function startTestBank(...more: readonly string[]): Promise<TestBank> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pix-rail-'))
  const ports = ['--port', '0', '--control-port', '0', '--data-dir', dataDir, '--die-with-parent']
  const bank = spawn(process.execPath, [program, ...ports, '--speed', '50', ...more], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = (await once(bank.stdout, 'data')) as [Buffer]
  const { apiUrl, controlUrl } = JSON.parse(line.toString()) as { apiUrl: string; controlUrl: string }
  const http = createHttpClient({ connectMs: 2_000, totalMs: 10_000, maxConnections: 4 })

  const control: TestBank['control'] = async (method, path, body) => {
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
  return {
    apiUrl,
    control,
    async application() {
      const { ca, pixKey, ...secrets } = await control('POST', '/applications', {})
      const urls = { baseUrl: `${apiUrl}/v2`, tokenUrl: `${apiUrl}/oauth/token` }
      const receiver = { receiverName: 'Loja Simulada', receiverCity: 'São Paulo' }
      return { settings: { profile: 'bacen', ...urls, ...receiver, ca, pixKey: String(pixKey) }, secrets }
    },
    async pay(txid, wish = {}) {
      const { pix } = await control('POST', '/pay', { txid, ...wish })
      return (pix as readonly { endToEndId: string }[]).map(({ endToEndId }) => endToEndId)
    },
    async stop() {
      await http.close()
      const ended = once(bank, 'exit')
      bank.stdin.end()
      await ended
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export type Call = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

export type Reply = {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Nothing comes back and the connection ends. */
  readonly cut?: boolean
}

export type TestPsp = {
  readonly url: string
  /** Calls that came, in order. */
  readonly calls: Call[]
  readonly ca: string
  stop(): Promise<void>
}

/** A PSP that answers as `reply` says; tokens it gives by itself unless `reply` does. */
export async function startTestPsp(reply: (call: Call) => Reply | undefined): Promise<TestPsp> {
  const calls: Call[] = []
  const sockets = new Set<Socket>()
  const tls = { cert: pems.serverCert, key: pems.serverKey, ca: pems.ca, requestCert: true }
  const server = createServer(tls, (request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      const call = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
      calls.push(call)
      const isToken = call.path === '/oauth/token'
      const grant = { status: 200, body: { access_token: `token-${calls.length}`, expires_in: 3600 } }
      const answer: Reply = reply(call) ?? (isToken ? grant : { status: 404 })
      if (answer.cut) return void request.socket.destroy()
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
      const { body: sent = '' } = answer
      response.end(typeof sent === 'string' ? sent : JSON.stringify(sent))
    })
  })
  server.on('connection', (socket: Socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    ca: pems.ca,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The test authority's client, in both forms in which a connection may keep it. */
export const pemSecrets = {
  clientId: 'shop',
  clientSecret: 'hush:hush',
  certificate: pems.clientCert,
  privateKey: pems.clientKey,
}
export const p12Secrets = {
  clientId: 'shop',
  clientSecret: 'hush:hush',
  pfx: pems.pfx,
  passphrase: pems.passphrase,
}
