// What the page of an address names for its first view: nothing for strangers, and nothing that the address smuggles in.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createHtmlOf } from '#/dashboard/first-view.ts'
import { newId } from '#/kernel/id.ts'
import { openDashboardWorld, type DashboardWorld } from './world.ts'

const built = {
  html: '<!doctype html><head><script type="module" src="/assets/index.js"></script></head><body></body>',
  preloads: {
    door: ['assets/door.js'],
    frame: ['assets/frame.js'],
    overview: ['assets/frame.js', 'assets/overview.js'],
    payments: ['assets/frame.js', 'assets/payments.js'],
    payment: ['assets/frame.js', 'assets/payment.js'],
  },
}

let world: DashboardWorld
before(async () => {
  const htmlOf = createHtmlOf(built)
  world = await openDashboardWorld({ pages: () => ({ state: 'built', htmlOf, files: new Map() }) })
})
after(() => world.close())

/** The addresses that the page names to be loaded, as they are written there. */
async function named(
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const { status, text } = await world.ask('GET', path, { headers })
  assert.equal(status, 200)
  return [...text.matchAll(/<link rel="(?:modulepreload|preload)"[^>]* href="([^"]*)">/g)].map(
    ([, href]) => href ?? '',
  )
}

test('a member’s page names the calls and scripts of its view, in the person’s language', async () => {
  const { id } = await world.base.openTenant()
  const person = await world.person([{ merchantId: id, role: 'VIEWER' }])
  const as = { cookie: person.cookie }
  const at = `/api/m/${id}`
  assert.deepEqual(await named(`/m/${id}?span=7d`, as), [
    '/api/session',
    `${at}/overview?span=7d`,
    `${at}/payments?limit=6`,
    `${at}/setup`,
    '/assets/frame.js',
    '/assets/overview.js',
  ])
  const payment = newId()
  const ofPayment = await named(`/m/${id}/payments/${payment}`, as)
  assert.ok(ofPayment.includes(`${at}/payments/${payment}/explain?language=en`))
  assert.ok(ofPayment.includes(`${at}/refunds?paymentId=${payment}&amp;limit=100`))
  assert.equal((await person.ask('PATCH', '/api/me', { language: 'pt-BR' })).status, 204)
  const own = await named(`/m/${id}/payments/${payment}`, as)
  assert.ok(own.includes(`${at}/payments/${payment}/explain?language=pt-BR`))
  // Filters are read in the browser.
  assert.deepEqual(await named(`/m/${id}/payments?status=PAID`, as), [
    '/api/session',
    `${at}/templates`,
    '/assets/frame.js',
    '/assets/payments.js',
  ])
})

test('without a session, or with another merchant’s id, the page names no record', async () => {
  const [own, foreign] = [await world.base.openTenant(), await world.base.openTenant()]
  const { cookie } = await world.person([{ merchantId: own.id, role: 'OWNER' }])
  for (const [path, headers] of [
    [`/m/${own.id}/payments`, {}],
    [`/m/${foreign.id}/payments`, { cookie }],
    ['/m/x"><script>/payments', { cookie }],
  ] as const)
    assert.deepEqual(
      await named(path, headers),
      ['/api/session', '/assets/frame.js', '/assets/payments.js'],
      path,
    )
  assert.deepEqual(await named('/sign-in', { cookie }), ['/api/site', '/assets/door.js'])
})

test('an address cannot write into the page', async () => {
  const { id } = await world.base.openTenant()
  const { cookie } = await world.person([{ merchantId: id, role: 'OWNER' }])
  for (const path of [
    `/m/${id}/payments/"><script>alert(1)</script>`,
    `/m/${id}?span="><script>alert(1)</script>`,
    `/m/${id}/payments/%22%3E%3Cscript%3E?x="><script>`,
  ]) {
    const { text } = await world.ask('GET', path, { headers: { cookie } })
    assert.equal(text.match(/<script/g)?.length, 1, path)
    assert.doesNotMatch(text, /alert|%22/)
  }
})

test('records are sent compressed to a browser that takes it', async () => {
  const { id } = await world.base.openTenant()
  const person = await world.person([{ merchantId: id, role: 'OWNER' }])
  for (const encoding of ['br', 'gzip']) {
    const answer = await person.ask('GET', `/api/m/${id}/overview?span=90d`, undefined, {
      'accept-encoding': encoding,
    })
    assert.equal(answer.headers.get('content-encoding'), encoding)
    assert.equal(answer.body['span'], '90d')
  }
})
