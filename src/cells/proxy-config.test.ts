// The proxy's configuration as text. What an HAProxy makes of it is in test/cluster/cells.cluster.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dashboardRoutes } from '#/dashboard/routes.ts'
import { routes } from '#/http/routes.ts'
import type { Cell } from './cell.ts'
import { bodyBytesMax, proxyFiles, type ProxySites } from './proxy-config.ts'

const cells: readonly Cell[] = [
  { code: 'a1', state: 'ACTIVE', isDefault: false, servers: ['10.0.0.1:4000'] },
  {
    code: 'a2',
    state: 'ACTIVE',
    isDefault: true,
    servers: ['10.0.0.2:4000'],
    callbackHost: 'pix.example.com',
  },
]
const site = (name: string) => `https://${name}.example.com`
const sites: ProxySites = {
  folder: '/var/lib/proxy',
  address: '0.0.0.0',
  urls: {
    api: site('api'),
    checkout: site('pay'),
    partner: site('partner'),
    dashboard: site('dash'),
    callbacks: site('pix'),
  },
  certificate: '/etc/cert.pem',
  keyLimit: 2_000,
}

test('no body that a route takes is too large for the proxy', () => {
  const most = (all: readonly { readonly bodyBytesMax?: number }[]) =>
    Math.max(...all.map((each) => each.bodyBytesMax ?? 0))
  assert.equal(bodyBytesMax.api, most(routes))
  assert.ok(bodyBytesMax.dashboard >= Math.max(most(dashboardRoutes), most(routes)))
})

test('each state of the directory and of the settings has its own files', () => {
  const { id } = proxyFiles(cells, sites)
  assert.equal(proxyFiles([...cells], { ...sites }).id, id)
  const others = [
    proxyFiles(cells.slice(1), sites),
    proxyFiles(cells, { ...sites, keyLimit: 1_000 }),
    proxyFiles(cells, { ...sites, certificate: '/etc/other.pem' }),
  ]
  assert.equal(new Set([id, ...others.map((each) => each.id)]).size, 4)
})

test('unknown codes go to the default cell, and nothing is sent twice', () => {
  const { configuration } = proxyFiles(cells, sites)
  assert.match(configuration, /use_backend api_a2 if \{ var\(txn\.role\) -m str api \}/)
  assert.deepEqual(configuration.match(/retry-on .*/g), ['retry-on conn-failure'])
  assert.doesNotMatch(configuration, /backend simul|4010/)
})

test('a stream may be silent for an hour, and another answer takes at most 75 seconds', () => {
  const { configuration } = proxyFiles(cells, sites)
  assert.deepEqual(configuration.match(/(?<=^  )timeout (?:client|server) .*/gm), [
    'timeout client 1h',
    'timeout server 75s',
    // Backends of callbacks, one for each cell.
    'timeout server 60s',
    'timeout server 60s',
  ])
  const streams = configuration.match(
    /http-request set-timeout server 1h if \{ req\.hdr\(accept\) -m sub text\/event-stream \}/g,
  )
  assert.equal(streams?.length, 4 * cells.length, 'every backend of a role')
})

test('every error that HAProxy writes for the API is a problem as the API writes it', () => {
  const { configuration } = proxyFiles(cells, sites)
  const made = [
    ...configuration.matchAll(/(?:http-error|return) status (\d+) content-type (\S+) lf-string '(.*?)'/g),
  ]
  const found = made.map(([, status, type, text = '']) => {
    const body = JSON.parse(text) as Readonly<Record<string, unknown>>
    assert.deepEqual(Object.keys(body), ['type', 'title', 'status', 'code', 'detail', 'requestId'])
    assert.equal(type, 'application/problem+json')
    assert.equal(String(body['status']), status)
    return `${status} ${String(body['code'])}`
  })
  assert.deepEqual([...new Set(found)].toSorted(), [
    '400 invalid_request',
    '408 request_timeout',
    '413 payload_too_large',
    '429 rate_limited',
    '431 headers_too_large',
    '500 internal',
    '502 unavailable',
    '503 unavailable',
    '504 unavailable',
  ])
  assert.equal(configuration.match(/http-error|return status/g)?.length, made.length)
  assert.match(configuration, /http-error status 503 [^\n]* hdr Retry-After 1\n/)
})

test('a caller cannot vouch for its own certificate', () => {
  const { configuration } = proxyFiles(cells, { ...sites, vouchingHeader: 'X-SSL-Client-Verify' })
  assert.match(configuration, /http-request del-header X-SSL-Client-Verify\n/)
})

test('https without a certificate is refused', () => {
  const { certificate: _, ...without } = sites
  assert.throws(() => proxyFiles(cells, without), /https needs a certificate/)
})
