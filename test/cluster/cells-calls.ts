// What the test of cells sends, and what it looks at.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { listCells } from '#/cells/directory.ts'
import { proxyFiles } from '#/cells/proxy-config.ts'
import { applyFiles } from '#/cells/proxy.ts'
import { systemClock } from '#/kernel/time.ts'
import { call } from '../journeys/merchant.ts'
import type { Running } from '../journeys/place.ts'
import { freePort } from '../ports.ts'
import type { openCellsWorld } from './cells-world.ts'
import { runHaproxy } from './haproxy.ts'

/** A process that is ready, and goes away while it reads any other request. */
export async function openCutter() {
  let cut = 0
  const server = createServer((request, response) => {
    if (request.url === '/health/ready') return void response.end()
    cut += 1
    request.socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { port, cut: () => cut, close }
}

/** A process that is ready, begins a stream and then says nothing for so long, and never answers any other request. */
export async function openSilent(silentMs: number) {
  const waiting: NodeJS.Timeout[] = []
  const server = createServer((request, response) => {
    if (request.url === '/health/ready') return void response.end()
    if (request.headers.accept !== 'text/event-stream') return
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: first\n\n')
    waiting.push(setTimeout(() => response.end('data: last\n\n'), silentMs))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    for (const each of waiting) clearTimeout(each)
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { port, close }
}

/** How many callbacks of both kinds the process answered with 200, by its log. */
export function callbacksIn({ output }: Running) {
  const lines = output()
    .split('\n')
    .filter((line) => /"msg":"request"/.test(line) && /"status":200/.test(line))
  const count = (pattern: RegExp) => lines.filter((line) => pattern.test(line)).length
  return { certified: count(/"server":"callbacks"/), signed: count(/"route":"\/callbacks\/credit-card/) }
}

/** A payment. `page`: its page, where it has one. */
export async function create(
  api: { readonly apiUrl: string; readonly apiKey: string },
  method: 'PIX' | 'CREDIT_CARD',
) {
  const { status, body } = await call(api, 'POST', '/v1/payments', {
    amount: 1_000,
    currency: 'BRL',
    paymentMethods: [method],
    idempotencyKey: `cells-${process.hrtime.bigint()}`,
  })
  assert.equal(status, 201, JSON.stringify(body))
  return { id: String(body['id']), page: String(body['cardRedirectUrl']) }
}

export async function openStream(api: { readonly apiUrl: string; readonly apiKey: string }) {
  const { id, page } = await create(api, 'CREDIT_CARD')
  const ending = new AbortController()
  const answer = await fetch(`${page}/events`, {
    headers: { accept: 'text/event-stream' },
    signal: ending.signal,
  })
  assert.equal(answer.status, 200)
  let [text, isOpen] = ['', true]
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const part of answer.body ?? []) text += decoder.decode(part as Uint8Array, { stream: true })
  })()
    .catch(() => {})
    .finally(() => (isOpen = false))
  const close = async () => {
    ending.abort()
    await reading
  }
  return { id, text: () => text, isOpen: () => isOpen, close }
}

type Raw = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** A request whose headers are sent as they are, and whose body never comes. */
export function rawRequest(
  url: string,
  { method, path, headers }: Raw,
  tls?: { readonly servername: string },
) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    readonly status: number
    readonly text: string
  }>()
  const { hostname, port } = new URL(url)
  const begin = tls === undefined ? httpRequest : httpsRequest
  const sent = begin(
    {
      host: hostname,
      port,
      method,
      path,
      headers,
      agent: false,
      ...(tls === undefined ? {} : { ...tls, rejectUnauthorized: false }),
    },
    (answer) => {
      let text = ''
      answer.on('data', (part: Buffer) => (text += part.toString('utf8')))
      answer.on('end', () => {
        resolve({ status: answer.statusCode ?? 0, text })
        sent.destroy()
      })
    },
  )
  sent.on('error', reject)
  if (headers['content-length'] === undefined) sent.end()
  else sent.flushHeaders()
  return promise
}

/** A second HAProxy for the same cells, with all public URLs on one port. */
export async function overTls(
  { folder, directory, at }: Awaited<ReturnType<typeof openCellsWorld>>,
  key: { readonly apiKey: string },
  merchantId: string,
): Promise<void> {
  const own = join(folder, 'tls')
  mkdirSync(own)
  const [keyFile, certificateFile, certificate] = ['key.pem', 'cert.pem', 'both.pem'].map((name) =>
    join(own, name),
  ) as [string, string, string]
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      keyFile,
      '-out',
      certificateFile,
      '-days',
      '2',
      '-subj',
      '/CN=the proxy',
    ],
    { stdio: 'ignore' },
  )
  writeFileSync(certificate, readFileSync(certificateFile, 'utf8') + readFileSync(keyFile, 'utf8'))
  const port = await freePort()
  const url = (name: string) => `https://${name}.example.com:${port}`
  const urls = {
    api: url('api'),
    checkout: url('pay'),
    partner: url('partner'),
    dashboard: url('dashboard'),
    callbacks: url('pix'),
  }
  const files = proxyFiles(await listCells(directory), {
    folder: own,
    address: '127.0.0.1',
    urls,
    certificate,
  })
  const place = { folder: own, socket: join(own, 'master.sock'), clock: systemClock }
  assert.equal(await applyFiles(place, files), 'ABSENT')
  await using proxy = await runHaproxy(join(own, 'haproxy.cfg'), place.socket)
  const ask = (name: string, path: string, headers: Raw['headers'] = {}) =>
    rawRequest(
      `https://127.0.0.1:${port}`,
      { method: 'GET', path, headers: { host: name, ...headers } },
      { servername: name },
    )
  const me = await ask('api.example.com', '/v1/me', { apikey: key.apiKey })
  assert.ok(me.status === 200 && me.text.includes(merchantId), me.text)
  assert.equal((await ask('pay.example.com', '/c/nothing')).status, 404)
  assert.ok((await ask('a2.localhost', '/')).status < 400)
  const sessions = await proxy.sessions()
  assert.deepEqual(
    ['api_a2', 'checkout_a1', 'dashboard_a2'].map((name) => sessions[`${name}/BACKEND`]),
    [1, 1, 1],
  )
  const subjectAt = (servername: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const socket = connectTls({ host: '127.0.0.1', port, servername, rejectUnauthorized: false }, () => {
      resolve(JSON.stringify(socket.getPeerCertificate().subject))
      socket.destroy()
    })
    socket.on('error', reject)
    return promise
  }
  assert.match(await subjectAt('api.example.com'), /the proxy/)
  assert.doesNotMatch(await subjectAt('localhost'), /the proxy/, `${at(3)} shows its own certificate`)
}
