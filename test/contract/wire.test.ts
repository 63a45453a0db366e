// What holds on every server: HEAD, other methods, robots, ids of requests, and callers that send no HTTP.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { routes } from '#/http/routes.ts'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { assertFits, at, document } from './document.ts'
import { openApiWorld, paymentBody } from './world.ts'

const world = openForTests(openApiWorld)
const api = makeForTests(() => world.openApi({ requestTimeoutMs: 200 }))
const tenant = makeForTests(() => world.openTenant())

const unknownId = '019aa3c2-7b1e-7c4d-9f00-5a1b2c3d4e5f'

test('HEAD answers what GET does, without its body', async () => {
  const { body } = await api.ask('POST', '/v1/payments', { key: tenant.key, body: paymentBody() })
  const paths = routes
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => path.replace('{id}', unknownId))
  for (const path of [
    ...paths,
    `/v1/payments/${String(body['id'])}`,
    '/v1/wallets/statement?format=csv',
    '/v1/wallets?limit=0',
    '/openapi.json',
    '/health/live',
    '/health/ready',
    '/robots.txt',
  ]) {
    const [got, head] = [
      await api.ask('GET', path, { key: tenant.key }),
      await api.ask('HEAD', path, { key: tenant.key }),
    ]
    assert.deepEqual([head.status, head.text], [got.status, ''], path)
    for (const name of ['content-type', 'content-length', 'cache-control'])
      assert.equal(head.headers.get(name), got.headers.get(name), `${path} ${name}`)
    assert.ok(head.headers.get('x-request-id'))
  }
  assert.equal((await api.ask('HEAD', '/v1/payments')).status, 401)
})

test('a method that an address does not accept is refused, with the list of those that it accepts', async () => {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']
  const routesByPath = Map.groupBy(routes, ({ path }) => path)
  for (const [path, ofPath] of routesByPath) {
    const accepted: readonly string[] = ofPath.map(({ method }) => method)
    const allowed = [...accepted, ...(accepted.includes('GET') ? ['HEAD'] : [])].toSorted().join(', ')
    for (const method of methods.filter((each) => !accepted.includes(each))) {
      const answer = await api.ask(method, path.replace('{id}', unknownId))
      assert.deepEqual([answer.status, answer.body['code']], [405, 'method_not_allowed'], `${method} ${path}`)
      assert.equal(answer.headers.get('allow'), allowed, `${method} ${path}`)
      assert.equal(answer.headers.get('x-request-id'), answer.body['requestId'])
      assertFits(at(document, 'components', 'schemas', 'Problem'), answer.body, path)
    }
  }
  for (const path of ['/openapi.json', '/health/live', '/robots.txt?x=1'])
    assert.equal((await api.ask('POST', path)).headers.get('allow'), 'GET, HEAD', path)
})

test('robots are refused', async () => {
  const answer = await api.ask('GET', '/robots.txt')
  assert.deepEqual([answer.status, answer.text], [200, 'User-agent: *\nDisallow: /\n'])
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/)
})

/** Writes bytes to the server and returns everything that comes back until the server closes. */
function speak(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const url = new URL(api.url)
    const socket = connect({ host: url.hostname, port: Number(url.port) })
    let heard = ''
    socket.setTimeout(20_000, () => socket.destroy())
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1')
    })
    socket.on('close', () => resolve(heard))
    socket.on('error', reject)
    socket.write(text)
  })
}

const twoLengths = 'content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'

for (const { what, text, status, code } of [
  { what: 'bytes that are no HTTP', text: 'hello\r\n\r\n', status: 400, code: 'invalid_request' },
  { what: 'another HTTP', text: 'GET /v1/wallets HTTP/9.9\r\n\r\n', status: 400, code: 'invalid_request' },
  {
    what: 'two lengths',
    text: `POST /v1/payments HTTP/1.1\r\nhost: x\r\n${twoLengths}`,
    status: 400,
    code: 'invalid_request',
  },
  {
    what: 'headers that are too large',
    text: `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`,
    status: 431,
    code: 'headers_too_large',
  },
  { what: 'a connection on which nothing comes', text: '', status: 408, code: 'request_timeout' },
  {
    what: 'a request that does not end',
    text: 'GET / HTTP/1.1\r\nhost: x\r\n',
    status: 408,
    code: 'request_timeout',
  },
  {
    what: 'a body that does not come',
    text: 'POST /v1/payments HTTP/1.1\r\nhost: x\r\napikey: @\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
    status: 408,
    code: 'request_timeout',
  },
]) {
  test(`${what}: ${status}, with an id`, async () => {
    const heard = await speak(text.replace('@', tenant.key))
    const [head = '', body = ''] = heard.split('\r\n\r\n')
    assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `))
    assert.match(head, /content-type: application\/problem\+json/)
    const problem = JSON.parse(body) as Readonly<Record<string, unknown>>
    assertFits(at(document, 'components', 'schemas', 'Problem'), problem, what)
    assert.deepEqual([problem['status'], problem['code']], [status, code])
    assert.ok(head.includes(`x-request-id: ${String(problem['requestId'])}`))
  })
}
