// The proxy's configuration as text. What an HAProxy makes of it is in test/cluster/cells.cluster.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '#/http/routes.ts'
import { dashboardRoutes } from '#/dashboard/routes.ts'
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

test('a caller cannot vouch for its own certificate', () => {
  const { configuration } = proxyFiles(cells, { ...sites, vouchingHeader: 'X-SSL-Client-Verify' })
  assert.match(configuration, /http-request del-header X-SSL-Client-Verify\n/)
})

test('https without a certificate is refused', () => {
  const { certificate: _, ...without } = sites
  assert.throws(() => proxyFiles(cells, without), /https needs a certificate/)
})
