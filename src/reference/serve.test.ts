// What the reference serves, and to whom: over HTTP, wired as in a sandbox and as elsewhere.
import assert from 'node:assert/strict'
import { globSync, readdirSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { openReference } from '#/app/pages.ts'
import { readConfig } from '#/config.ts'
import { silentLog } from '#/kernel/log.ts'
import type { DocsSite } from './site.ts'

const sandbox = { apiKey: 'vtm_test_a1key', apiUrl: 'http://127.0.0.1:4000' }
const docs = join(import.meta.dirname, '../../docs')

let server: FastifyInstance
/** What /docs has; the build itself is in test/browser/docs.test.ts. */
let site: DocsSite = { state: 'building' }
let port: number

before(async () => {
  server = await serve({}, sandbox)
  port = (server.server.address() as AddressInfo).port
})
after(() => server.close())

async function serve(
  env: Readonly<Record<string, string>>,
  forSandbox?: typeof sandbox,
): Promise<FastifyInstance> {
  const made = Fastify()
  const { decorate } = await openReference({ config: readConfig(env), log: silentLog }, forSandbox, () => ({
    site: () => site,
    begin: () => undefined,
    close: async () => undefined,
  }))
  decorate(made)
  await made.listen({ host: '127.0.0.1', port: 0 })
  return made
}

type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

/** The path goes out as it is: `fetch` would resolve its dots. */
function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port, path, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString(),
        }),
      )
    })
    sent.on('error', reject).end()
  })
}

test('the page loads only its own files, which are there, compressed or not', async () => {
  const { status, headers, text } = await get('/reference')
  assert.equal(status, 200)
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /default-src 'none'; script-src 'self';.* connect-src 'self';/)
  const files = [...text.matchAll(/(?:src|href)="(\/reference\/[^"]+)"/g)].map(([, path = '']) => path)
  assert.equal(files.length, 3)
  for (const path of files) {
    const plain = await get(path)
    const packed = await get(path, { 'accept-encoding': 'gzip, br' })
    assert.deepEqual([plain.status, packed.status], [200, 200], path)
    assert.equal(plain.headers['content-encoding'], undefined)
    assert.equal(packed.headers['content-encoding'], 'gzip')
    assert.equal((await get(path, { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding'], undefined)
    assert.match(String(plain.headers['cache-control']), /immutable/)
    assert.ok(plain.text.length > 10)
  }
})

test('the key is given to this machine under our own name, and to nobody else', async () => {
  const settings = '/reference/settings.json'
  const { headers, text } = await get(settings)
  assert.deepEqual(JSON.parse(text), { apiKey: sandbox.apiKey })
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
  assert.equal(headers['access-control-allow-origin'], undefined)
  for (const host of ['evil.example', 'vintem.evil.example:4000', '127.0.0.1.evil.example']) {
    const refused = await get(settings, { host })
    assert.equal(refused.status, 421, host)
    assert.ok(!refused.text.includes(sandbox.apiKey))
  }
  for (const name of ['x-forwarded-for', 'forwarded', 'via'])
    assert.equal((await get(settings, { [name]: '203.0.113.9' })).text, '{}', name)
})

test('every document is served as Markdown and named in llms.txt, and every link of llms.txt works', async () => {
  const { status, headers, text } = await get('/llms.txt')
  assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8'])
  assert.match(text, /^# Vintem\n\n> [^\n]+\n/)
  const links = [...text.matchAll(/^- \[[^\]]+\]\(http:\/\/127\.0\.0\.1:4000(\/[^)]+)\)/gm)].map(
    ([, path = '']) => path,
  )
  const names = globSync('**/*.md', { cwd: docs }).filter((name) => name !== 'README.md')
  // Outside docs/, and in its menu.
  names.push('security.md', 'glossary.md', 'changelog.md', 'sdk.md', 'example-shop.md')
  names.push('sdk-python.md', 'example-shop-python.md')
  assert.deepEqual(links.toSorted(), ['/openapi.json', ...names.map((name) => `/docs/${name}`)].toSorted())
  for (const path of links.filter((each) => each !== '/openapi.json')) {
    const page = await get(path)
    assert.deepEqual([page.status, page.headers['content-type']], [200, 'text/markdown; charset=utf-8'], path)
    assert.match(page.text, /^# /)
  }
})

test('every link of the Markdown leads to a document, to a picture or to another host', async () => {
  const shown = readdirSync(join(docs, 'screens')).map((name) => [`screens/${name}`, page('')] as const)
  site = { state: 'built', files: new Map(shown) }
  const origin = 'http://127.0.0.1:4000'
  const listed = [...(await get('/llms.txt')).text.matchAll(/\]\(([^)]+)\)/g)].map(([, url = '']) => url)
  const found = new Map([...listed, `${origin}/docs/README.md`].map((url) => [url, 'llms.txt']))
  // A loop over a map also visits the entries that are added while it runs.
  for (const [url, from] of found) {
    const { origin: host, pathname } = new URL(url)
    // The contract itself is served by the API.
    if (host !== origin || pathname === '/openapi.json') continue
    const { status, headers, text } = await get(pathname)
    assert.equal(status, 200, `${from} has a link to ${pathname}`)
    if (!String(headers['content-type']).startsWith('text/markdown')) continue
    for (const [, href = ''] of text.replaceAll(/^ *```[^]*?^ *```$/gm, '').matchAll(/\]\(([^)\s]+)\)/g))
      if (!href.startsWith('#')) {
        const target = new URL(href, url)
        target.hash = ''
        if (!found.has(target.href)) found.set(target.href, pathname)
      }
  }
  const paths = [...found.keys()].filter((url) => url.startsWith(origin))
  assert.ok(paths.length > 80, `${paths.length} addresses`)
  for (const part of ['/docs/decisions/', '/docs/screens/'])
    assert.ok(
      paths.some((url) => url.startsWith(`${origin}${part}`)),
      part,
    )
})

test('no path leads out of the documents', async () => {
  site = { state: 'built', files: new Map() }
  for (const path of [
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/..%2fpackage.json',
    '/docs/rails/../../package.json',
    '/docs//etc/passwd',
    '/docs/%2fetc%2fpasswd',
    '/docs/screens',
    '/reference/assets/../../package.json',
  ])
    assert.equal((await get(path)).status, 404, path)
})

test('without a sandbox the reference is off, and with the setting it has no key', async () => {
  await using off = await serve({})
  assert.equal((await off.inject('/reference')).statusCode, 404)
  assert.equal((await off.inject('/llms.txt')).statusCode, 404)
  await using on = await serve({ VINTEM_REFERENCE: 'on', VINTEM_API_URL: 'https://api.example.com' })
  const host = 'api.example.com'
  assert.equal((await on.inject({ url: '/reference', headers: { host } })).statusCode, 200)
  assert.equal((await on.inject({ url: '/reference/settings.json', headers: { host } })).body, '{}')
  const samples = (await on.inject({ url: '/docs/samples.md', headers: { host } })).body
  assert.match(samples, /process\.env\.API \?\? 'https:\/\/api\.example\.com'/)
  assert.doesNotMatch(samples, /127\.0\.0\.1:4000/)
  assert.match((await on.inject('/llms.txt')).body, /\(https:\/\/api\.example\.com\/docs\/webhooks\.md\)/)
  await using never = await serve({ VINTEM_REFERENCE: 'off' }, sandbox)
  assert.equal((await never.inject('/reference')).statusCode, 404)
})

const page = (text: string) => ({
  type: 'text/html; charset=utf-8',
  plain: Buffer.from(text),
  br: Buffer.from('b'),
  gzip: Buffer.from('g'),
})

test('until the site is built every address of it says so, and asks again', async () => {
  site = { state: 'building' }
  for (const path of ['/docs', '/docs/', '/docs/start']) {
    const { status, headers, text } = await get(path)
    assert.deepEqual([status, headers['retry-after'], headers['cache-control']], [503, '2', 'no-store'], path)
    assert.match(text, /http-equiv="refresh".*being built/s)
  }
  site = { state: 'failed' }
  const { status, text } = await get('/docs/')
  assert.equal(status, 503)
  assert.match(text, /not built here/)
  assert.doesNotMatch(text, /refresh/)
  // The same as text does not need it.
  assert.equal((await get('/docs/webhooks.md')).status, 200)
})

test('the built site is served by addresses without .html, with what caches may keep, and a policy without exceptions', async () => {
  const files = new Map([
    ['index.html', page('home')],
    ['methods/pix.html', page('pix')],
    ['404.html', page('nothing here')],
    ['assets/app.1a2b.js', { ...page('app'), type: 'text/javascript; charset=utf-8' }],
  ])
  site = { state: 'built', files }
  const home = await get('/docs')
  assert.deepEqual([home.status, home.headers['location']], [308, '/docs/'])
  const pix = await get('/docs/methods/pix')
  assert.deepEqual([pix.status, pix.text, pix.headers['cache-control']], [200, 'pix', 'no-cache'])
  const policy = String(pix.headers['content-security-policy'])
  assert.match(
    policy,
    /(?:^|; )default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; /,
  )
  assert.match(policy, /frame-ancestors 'none'/)
  assert.doesNotMatch(policy, /unsafe|sha256|\*/)
  const again = await get('/docs/methods/pix', { 'if-none-match': String(pix.headers['etag']) })
  assert.deepEqual([again.status, again.text], [304, ''])
  const packed = await get('/docs/', { 'accept-encoding': 'gzip, br' })
  assert.deepEqual(
    [packed.headers['content-encoding'], packed.headers['vary'], packed.text],
    ['br', 'accept-encoding', 'b'],
  )
  const asset = await get('/docs/assets/app.1a2b.js')
  assert.equal(asset.headers['cache-control'], 'public, max-age=31536000, immutable')
  const missing = await get('/docs/methods/cash')
  assert.deepEqual([missing.status, missing.text], [404, 'nothing here'])
  // Markdown stays what it was, beside the pages.
  assert.equal((await get('/docs/webhooks.md')).headers['content-type'], 'text/markdown; charset=utf-8')
})

test('the documents lead to the dashboard, wherever it is', async () => {
  await using on = await serve({
    VINTEM_REFERENCE: 'on',
    VINTEM_DASHBOARD_URL: 'https://dashboard.example.com',
  })
  const { statusCode, headers } = await on.inject('/docs/open/dashboard')
  assert.deepEqual([statusCode, headers.location], [302, 'https://dashboard.example.com'])
})

test('another host name gets no page of the site either', async () => {
  assert.equal((await get('/docs/', { host: 'evil.example' })).status, 421)
})
