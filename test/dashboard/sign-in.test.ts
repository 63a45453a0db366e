// Signing in over HTTP, against somebody who guesses, who plants a cookie, or who asks whether an account exists.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { given } from '#/kernel/given.ts'
import { createInvitation, createSignInLink } from '#/people/links.ts'
import { createUser, setDisabled } from '#/people/users.ts'
import { cookieIn, openDashboardWorld, type DashboardWorld, type Person } from './world.ts'

let world: DashboardWorld
before(async () => {
  // Each request says its own address.
  world = await openDashboardWorld({ trustProxy: ['127.0.0.1'] })
})
after(() => world.close())

const by = { actor: { kind: 'SYSTEM', id: 'test' } } as const
const goodPassword = 'correct horse battery staple'
let addresses = 0
/** An address that nobody used before. */
function elsewhere(): string {
  addresses += 1
  return `198.51.${Math.floor(addresses / 250)}.${1 + (addresses % 250)}`
}

async function account({ password }: { readonly password: string | null } = { password: goodPassword }) {
  const email = `${randomBytes(6).toString('hex')}@example.com`
  const { id } = await createUser(world.people, by, {
    email,
    name: 'Person',
    ...(password === null ? {} : { password }),
  })
  return { id, email }
}

function signIn(
  email: string,
  {
    password = goodPassword,
    from = elsewhere(),
    cookie,
  }: { readonly password?: string; readonly from?: string; readonly cookie?: string } = {},
) {
  return world.ask('POST', '/api/session/password', {
    body: { email, password },
    headers: { ...world.ownPage, 'x-forwarded-for': from, ...given({ cookie }) },
  })
}

function session(cookie: string) {
  return world.ask('GET', '/api/session', { headers: { ...world.ownPage, cookie } })
}

test('an unknown account, a wrong password, a disabled user and one without a password get one answer', async () => {
  const [registered, disabled, bare] = [await account(), await account(), await account({ password: null })]
  await setDisabled(world.people, by, disabled.id, true)
  const answers = [
    await signIn('nobody@example.com'),
    await signIn(registered.email, { password: 'a wrong password' }),
    await signIn(disabled.email),
    await signIn(bare.email),
  ]
  for (const { status, body, headers } of answers) {
    const { requestId: _, ...rest } = body
    assert.equal(status, 403)
    assert.equal(headers.get('set-cookie'), null)
    const { requestId: _first, ...first } = answers[0]?.body ?? {}
    assert.deepEqual(rest, first)
    assert.deepEqual([...headers.keys()], [...(answers[0]?.headers.keys() ?? [])])
  }
})

test('too many guesses are 429 and say when to come back; a remembered address still gets in', async () => {
  const user = await account()
  const home = elsewhere()
  assert.equal((await signIn(user.email, { from: home })).status, 200)
  let refused = await signIn(user.email, { password: 'a wrong password' })
  for (let nth = 0; refused.status === 403 && nth < 30; nth += 1)
    refused = await signIn(user.email, { password: 'a wrong password' })
  assert.deepEqual([refused.status, refused.body['code']], [429, 'rate_limited'], refused.text)
  assert.ok(Number(refused.headers.get('retry-after')) >= 1)
  // Also with the right password: whoever guesses learns nothing.
  assert.equal((await signIn(user.email)).status, 429)
  assert.equal((await signIn(user.email, { from: home })).status, 200)
})

test('an unknown account is slowed down like a known one', async () => {
  for (const email of [`${randomBytes(6).toString('hex')}@example.com`, (await account()).email]) {
    const statuses: number[] = []
    for (let nth = 0; nth < 14; nth += 1)
      statuses.push((await signIn(email, { password: 'a wrong password' })).status)
    assert.deepEqual(new Set(statuses.slice(0, 10)), new Set([403]), email)
    assert.ok(statuses.includes(429), `${email}: ${statuses.join(' ')}`)
  }
})

test('a cookie that was there before the sign-in never becomes the session', async () => {
  const user = await account()
  const name = `vintem_session_${world.port}`
  const planted = `${name}=${randomBytes(32).toString('base64url')}`
  const done = await signIn(user.email, { cookie: planted })
  const own = cookieIn(done)
  assert.notEqual(own, planted)
  assert.equal((await session(own)).status, 200)
  assert.equal((await session(planted)).status, 401)
})

test('signing in over another’s session opens one’s own, and leaves theirs', async () => {
  const [user, other] = [await account(), await account()]
  const theirs = cookieIn(await signIn(other.email))
  const own = cookieIn(await signIn(user.email, { cookie: theirs }))
  const emailOf = async (cookie: string) =>
    ((await session(cookie)).body['user'] as { readonly email: string }).email
  assert.equal(await emailOf(own), user.email)
  assert.equal(await emailOf(theirs), other.email)
})

test('of two cookies with our name neither is a session, in any order and also when they are equal', async () => {
  const [own, other] = [
    cookieIn(await signIn((await account()).email)),
    cookieIn(await signIn((await account()).email)),
  ]
  assert.equal((await session(own)).status, 200)
  const garbage = `${own.split('=')[0] ?? ''}=x`
  for (const cookies of [
    `${own}; ${other}`,
    `${other}; ${own}`,
    `${own}; ${own}`,
    `${garbage}; ${own}`,
    `${own};${garbage}`,
  ])
    assert.equal((await session(cookies)).status, 401, cookies)
  assert.equal((await session(`a=b; ${own}; c`)).status, 200)
})

test('signing out takes the cookie away and ends the session', async () => {
  const own = cookieIn(await signIn((await account()).email))
  const out = await world.ask('DELETE', '/api/session', { headers: { ...world.ownPage, cookie: own } })
  assert.equal(out.status, 204)
  const name = own.split('=')[0] ?? ''
  assert.equal(out.headers.get('set-cookie'), `${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict`)
  assert.equal((await session(own)).status, 401)
})

/** Language and time zone of the account, after a sign-in from such a browser. */
async function readAs(email: string, browser: Readonly<Record<string, string>>) {
  const done = await world.ask('POST', '/api/session/password', {
    body: { email, password: goodPassword, ...browser },
    headers: { ...world.ownPage, 'x-forwarded-for': elsewhere() },
  })
  assert.deepEqual([done.status, done.body['next']], [200, 'done'], done.text)
  const { user } = (await session(cookieIn(done))).body as {
    readonly user: { readonly language: string; readonly timeZone: string }
  }
  return [user.language, user.timeZone]
}

const inBrazil = { language: 'pt-BR', timeZone: 'America/Sao_Paulo' }
const inSpain = { language: 'es', timeZone: 'Europe/Madrid' }

test('the first sign-in from a browser writes its language and time zone, noted, and no later one does', async () => {
  const { id, email } = await account()
  const changes = async () => {
    const rows = await world.base.sql<{ before: object; after: object }[]>`
      select before, after from audit_log where subject = ${`user:${id}`} and action = 'user.change'`
    return rows.map(({ before: from, after: to }) => [from, to])
  }
  assert.equal((await signIn(email, { password: 'a wrong password' })).status, 403)
  // A program says nothing, and is no browser.
  assert.deepEqual(await readAs(email, {}), ['en', 'UTC'])
  assert.deepEqual(await changes(), [])
  assert.deepEqual(await readAs(email, inBrazil), Object.values(inBrazil))
  assert.deepEqual(await readAs(email, inSpain), Object.values(inBrazil))
  assert.deepEqual(await changes(), [[{ language: 'en', timeZone: 'UTC' }, inBrazil]])
})

test('a browser in English and UTC has chosen too', async () => {
  const { email } = await account()
  assert.deepEqual(await readAs(email, { language: 'en', timeZone: 'UTC' }), ['en', 'UTC'])
  assert.deepEqual(await readAs(email, inSpain), ['en', 'UTC'])
})

test('what we do not have of a browser is left out and refuses nobody, and other names of it are known', async () => {
  for (const [language, timeZone, ...expected] of [
    ['ja', 'Mars/Olympus', 'en', 'UTC'],
    ['', '', 'en', 'UTC'],
    ['<b>', '+03:00', 'en', 'UTC'],
    ['es-419', 'brazil/east', 'es', 'America/Sao_Paulo'],
    ['pt', 'Etc/UTC', 'pt-BR', 'UTC'],
  ] as const) {
    const { email } = await account()
    assert.deepEqual(await readAs(email, { language, timeZone }), expected, `${language} ${timeZone}`)
  }
  // What is missing comes with a later sign-in.
  const { email } = await account()
  assert.deepEqual(await readAs(email, { language: 'ja', timeZone: 'Europe/Madrid' }), [
    'en',
    'Europe/Madrid',
  ])
  assert.deepEqual(await readAs(email, inBrazil), ['pt-BR', 'Europe/Madrid'])
})

test('what a person chose, or who made the user, no browser changes', async () => {
  const made = `${randomBytes(6).toString('hex')}@example.com`
  await createUser(world.people, by, { email: made, name: 'Person', password: goodPassword, language: 'es' })
  assert.deepEqual(await readAs(made, inBrazil), ['es', inBrazil.timeZone])
  const { email } = await account()
  const own = cookieIn(await signIn(email))
  const changed = await world.ask('PATCH', '/api/me', {
    body: inSpain,
    headers: { ...world.ownPage, cookie: own },
  })
  assert.equal(changed.status, 204, changed.text)
  assert.deepEqual(await readAs(email, inBrazil), Object.values(inSpain))
})

test('who was a user before browsers were asked keeps language and time zone', async () => {
  const { id, email } = await account()
  // The columns as the release before this one leaves them: it does not name them.
  await world.base
    .sql`update app_user set language_chosen = default, time_zone_chosen = default where id = ${id}`
  assert.deepEqual(await readAs(email, inBrazil), ['en', 'UTC'])
})

test('the link of a start brings the browser’s language and time zone, and so does an invitation', async () => {
  const { id } = await account()
  const link = await createSignInLink(world.people, by, id)
  const { id: merchantId } = await world.base.openTenant()
  const email = `${randomBytes(6).toString('hex')}@example.com`
  const invited = await createInvitation(world.people, by, { merchantId, email, role: 'VIEWER' })
  for (const [path, body] of [
    ['/api/session/link', { token: link.token }],
    ['/api/links/accept', { token: invited.token, name: 'Person', password: goodPassword }],
  ] as const) {
    const done = await world.ask('POST', path, { body: { ...body, ...inBrazil }, headers: world.ownPage })
    assert.equal(done.status, 200, done.text)
    const { user } = (await session(cookieIn(done))).body as { readonly user: typeof inBrazil }
    assert.deepEqual([user.language, user.timeZone], Object.values(inBrazil), path)
  }
})

test('codes of the second factor are slowed down too', async () => {
  const person: Person = await world.person([])
  const started = await person.ask('POST', '/api/me/totp')
  assert.equal(started.status, 201, started.text)
  const statuses = new Set<number>()
  for (let nth = 0; nth < 8; nth += 1)
    statuses.add((await person.ask('POST', '/api/step-up', { totp: '000000' })).status)
  assert.deepEqual(statuses, new Set([403, 429]))
})

test('over https the cookie is bound to the host and to https', async () => {
  const origin = 'https://pay.example.com'
  const secure = await openDashboardWorld({ origin })
  try {
    const email = 'https@example.com'
    await createUser(secure.people, by, { email, name: 'Person', password: goodPassword })
    const done = await secure.ask('POST', '/api/session/password', {
      body: { email, password: goodPassword },
      headers: secure.ownPage,
    })
    assert.match(
      done.headers.get('set-cookie') ?? '',
      /^__Host-vintem_session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    )
    const cookie = cookieIn(done)
    const ask = (text: string) =>
      secure.ask('GET', '/api/session', { headers: { ...secure.ownPage, cookie: text } })
    assert.equal((await ask(cookie)).status, 200)
    // Another host of the domain can write a cookie without the prefix.
    assert.equal((await ask(cookie.replace('__Host-', ''))).status, 401)
  } finally {
    await secure.close()
  }
})
