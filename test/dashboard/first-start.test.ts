// The first minutes of an installation: the page while the dashboard is being built, and the one-time link of a start.
import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import type { Pages } from '#/dashboard/deps.ts'
import { createSignInLink } from '#/people/links.ts'
import { openForTests } from '../open-for-tests.ts'
import { openDashboardWorld } from './world.ts'

const by = { actor: { kind: 'SYSTEM', id: 'test' } } as const

let pages: Pages = { state: 'building' }
const world = openForTests(() => openDashboardWorld({ pages: () => pages, host: '0.0.0.0' }))

const titles = {
  'pt-BR': ['O painel está sendo construído', 'Não foi possível construir o painel'],
  en: ['The dashboard is being built', 'The dashboard could not be built'],
  es: ['El panel se está construyendo', 'No se pudo construir el panel'],
} as const

const requestedLanguages = [
  ['pt-BR,pt;q=0.9,en;q=0.8', 'pt-BR'],
  ['fr, es-419;q=0.7', 'es'],
  ['en-GB', 'en'],
  ['ja', 'en'],
  [undefined, 'en'],
] as const

const inLanguage = (language: string | undefined) =>
  language === undefined ? {} : { 'accept-language': language }

test('while the pages are being built every address says so in the reader’s language, asks again, and the API answers', async () => {
  pages = { state: 'building' }
  for (const [language, locale] of requestedLanguages)
    for (const path of ['/', '/open', '/m/x/payments']) {
      const { status, headers, text } = await world.ask('GET', path, { headers: inLanguage(language) })
      assert.deepEqual([status, headers.get('retry-after')], [503, '2'])
      assert.match(headers.get('vary') ?? '', /accept-language/)
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.match(text, new RegExp(`<html lang="${locale}">`))
      assert.ok(text.includes(`<h1>${titles[locale][0]}</h1>`), text)
      // The policy of pages allows no script: the browser itself loads it again.
      assert.match(text, /<meta http-equiv="refresh" content="2">/)
    }
  assert.equal((await world.ask('GET', '/assets/index.js')).status, 404)
  assert.equal((await world.ask('GET', '/api/site', { headers: world.ownPage })).status, 200)
})

test('when they cannot be built the page says so, and why to who is at the machine alone', async () => {
  pages = { state: 'failed', reason: 'no such file: /srv/<web>' }
  for (const [language, locale] of requestedLanguages) {
    const { status, headers, text } = await world.ask('GET', '/', { headers: inLanguage(language) })
    // Nothing builds them again before the next start.
    assert.deepEqual([status, headers.get('retry-after')], [503, null])
    assert.ok(text.includes(`<h1>${titles[locale][1]}</h1>`), text)
    assert.ok(text.includes('no such file: /srv/&lt;web>'), text)
    assert.doesNotMatch(text, /http-equiv/)
  }
  const { text } = await world.ask('GET', '/', { headers: { 'x-forwarded-for': '198.51.100.7' } })
  assert.doesNotMatch(text, /no such file/)
})

/** What a request to sign in by this link answers. `host`: the address at which the server is called. */
async function signIn(
  path: string,
  token: string,
  { host = '127.0.0.1', headers = {} }: { host?: string; headers?: Readonly<Record<string, string>> } = {},
) {
  const answer = await fetch(`http://${host}:${world.port}${path}`, {
    method: 'POST',
    headers: { ...world.ownPage, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ token }),
  })
  const body = (await answer.json()) as Readonly<Record<string, unknown>>
  return { status: answer.status, reason: body['reason'], cookie: answer.headers.get('set-cookie') }
}

/** Addresses of this machine that other machines call. */
const lanAddresses = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .flatMap(({ address, family, internal }) => (family === 'IPv4' && !internal ? [address] : []))

const passedOn = [
  { forwarded: 'for=198.51.100.7' },
  { 'x-forwarded-for': '198.51.100.7' },
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-forwarded-host': 'pay.example.com' },
  { 'x-real-ip': '198.51.100.7' },
  { via: '1.1 proxy' },
  { 'cf-connecting-ip': '198.51.100.7' },
]

test('the one-time link is refused from another address and through a proxy, and stays good for this machine, once', async (t) => {
  const person = await world.person([], { isOperator: true })
  const { token } = await createSignInLink(world.people, by, person.userId)
  const elsewhere = [...lanAddresses.map((host) => ({ host })), ...passedOn.map((headers) => ({ headers }))]
  if (lanAddresses.length === 0) t.diagnostic('this machine has no address besides the loopback one')
  for (const path of ['/api/session/link', '/api/links/accept'])
    for (const from of elsewhere)
      assert.deepEqual(
        await signIn(path, token, from),
        { status: 403, reason: 'not_from_here', cookie: null },
        `${path} ${JSON.stringify(from)}`,
      )
  const here = await signIn('/api/session/link', token)
  assert.equal(here.status, 200)
  assert.ok(here.cookie)
  const again = await signIn('/api/session/link', token)
  assert.deepEqual([again.status, again.cookie], [410, null])
})

test('a trusted proxy that says a loopback address does not open the link either', async () => {
  const trusting = await openDashboardWorld({ trustProxy: ['127.0.0.1'] })
  try {
    const person = await trusting.person([])
    const { token } = await createSignInLink(trusting.people, by, person.userId)
    const headers = { ...trusting.ownPage, 'x-forwarded-for': '127.0.0.1' }
    const answer = await trusting.ask('POST', '/api/session/link', { body: { token }, headers })
    assert.deepEqual([answer.status, answer.body['reason']], [403, 'not_from_here'])
  } finally {
    await trusting.close()
  }
})
