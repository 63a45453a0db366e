// Calls the dashboard's own routes that no other test calls: each with a real record, and the answer fits its schema. Also checks that some
// test calls each own route.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { dashboardRoutes } from '#/dashboard/routes.ts'
import { countRound } from '#/insights/count.ts'
import { newId, type PaymentId } from '#/kernel/id.ts'
import type { Letter } from '#/mail/letter.ts'
import { writeLimit } from '#/money-out/queries.ts'
import { createSignInLink } from '#/people/links.ts'
import { paymentBody, withdrawalBody, type Tenant } from '../contract/world.ts'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { softwareAuthenticator } from '../software-authenticator.ts'
import { shownBy } from './shown.ts'
import { cookieIn, openDashboardWorld, type Person } from './world.ts'

type Row = Readonly<Record<string, unknown>>

const letters: Letter[] = []
const world = openForTests(() =>
  openDashboardWorld({
    shows: shownBy['answers.test.ts'],
    post: async (letter) => void letters.push(letter),
  }),
)
const tenant = makeForTests(() => world.base.openTenant())
const owner = makeForTests(() => world.person([{ merchantId: tenant.id, role: 'OWNER' }]))

async function ok(person: Person, method: string, path: string, body?: unknown, status = 200): Promise<Row> {
  const answer = await person.ask(method, path, body)
  assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`)
  return answer.body
}

const dataOf = (body: Row) => body['data'] as readonly Row[]
const password = () => `correct horse ${randomBytes(6).toString('hex')}`

test('each of the dashboard’s own routes is shown by one test file', () => {
  const named = Object.values(shownBy).flat() as readonly string[]
  assert.deepEqual(named.toSorted(), dashboardRoutes.map(({ operationId }) => operationId).toSorted())
})

test('a person changes what is their own: profile, password, sessions', async () => {
  const person = await world.person([])
  await ok(person, 'PATCH', '/api/me', { name: 'Ana', language: 'pt-BR', timeZone: 'America/Sao_Paulo' }, 204)
  const { user } = await ok(person, 'GET', '/api/session')
  const { name, language, timeZone } = user as Row
  assert.deepEqual([name, language, timeZone], ['Ana', 'pt-BR', 'America/Sao_Paulo'])
  const [second, third] = [
    await world.signIn(person.userId, person.email),
    await world.signIn(person.userId, person.email),
  ]
  await ok(second, 'DELETE', '/api/me/sessions', undefined, 204)
  assert.equal((await person.ask('GET', '/api/session')).status, 401)
  assert.equal((await third.ask('GET', '/api/session')).status, 401)
  assert.equal(dataOf(await ok(second, 'GET', '/api/me/sessions')).length, 1)
  await ok(second, 'DELETE', '/api/session', undefined, 204)
  assert.equal((await second.ask('GET', '/api/session')).status, 401)
})

test('a passkey is added, signs in, confirms, and is removed; recovery codes are renewed', async () => {
  const person = await world.person([])
  const device = softwareAuthenticator(world.origin)
  const options = await ok(person, 'POST', '/api/me/passkeys/options')
  const response = device.create(options)
  const added = await ok(person, 'POST', '/api/me/passkeys', { name: 'Phone', response }, 201)
  assert.equal((added['recoveryCodes'] as readonly string[]).length, 10)
  const [passkey] = dataOf(await ok(person, 'GET', '/api/me/passkeys'))
  assert.equal(passkey?.['name'], 'Phone')

  const challenge = await world.ask('POST', '/api/session/passkey/options', { headers: world.ownPage })
  const signedIn = await world.ask('POST', '/api/session/passkey', {
    body: { response: device.get(challenge.body) },
    headers: world.ownPage,
  })
  assert.deepEqual([signedIn.status, signedIn.body['next']], [200, 'done'], signedIn.text)

  const again = await ok(person, 'POST', '/api/step-up/options')
  const stepped = await ok(person, 'POST', '/api/step-up', { passkey: device.get(again) })
  assert.ok(Date.parse(String(stepped['secondFactorUntil'])) > Date.now())
  const renewed = await ok(person, 'POST', '/api/me/recovery-codes', undefined, 201)
  assert.notDeepEqual(renewed['recoveryCodes'], added['recoveryCodes'])

  const secret = password()
  const set = await person.ask('POST', '/api/me/password', { password: secret })
  assert.equal(set.status, 204, set.text)
  assert.equal((await person.ask('GET', '/api/session')).status, 401, 'the token from before has ended')
  const present = { ...world.ownPage, cookie: cookieIn(set) }
  assert.equal((await world.ask('GET', '/api/session', { headers: present })).status, 200)
  const passwordGiven = await world.ask('POST', '/api/session/password', {
    body: { email: person.email, password: secret },
    headers: world.ownPage,
  })
  assert.deepEqual(passwordGiven.body['methods'], ['passkey', 'recovery_code'], passwordGiven.text)
  const headers = { ...world.ownPage, cookie: cookieIn(passwordGiven) }
  const second = await world.ask('POST', '/api/session/second-factor/options', { headers })
  const completed = await world.ask('POST', '/api/session/second-factor', {
    body: { passkey: device.get(second.body) },
    headers,
  })
  assert.deepEqual([completed.status, completed.body['next']], [200, 'done'], completed.text)
  const whole: Person['ask'] = (method, path, body) =>
    world.ask(method, path, { body, headers: { ...world.ownPage, cookie: cookieIn(completed) } })
  const removed = await whole('DELETE', `/api/me/passkeys/${String(passkey?.['id'])}`)
  assert.equal(removed.status, 204, removed.text)
})

test('an authenticator app is removed', async () => {
  const person = await world.person([])
  await world.enrol(person)
  await ok(person, 'DELETE', '/api/me/totp', undefined, 204)
  const { factors } = await ok(person, 'GET', '/api/session')
  assert.equal((factors as Row)['hasTotp'], false)
})

test('the link of a start signs in, and a link to a new password is asked for by letter', async () => {
  const person = await world.person([])
  const by = { actor: { kind: 'SYSTEM', id: 'test' } } as const
  const { token } = await createSignInLink(world.people, by, person.userId)
  const body = { token }
  const opened = await world.ask('POST', '/api/links/open', { body, headers: world.ownPage })
  assert.deepEqual([opened.body['kind'], opened.body['email']], ['SIGN_IN', person.email], opened.text)
  const signedIn = await world.ask('POST', '/api/session/link', { body, headers: world.ownPage })
  assert.deepEqual([signedIn.status, signedIn.body['next']], [200, 'done'], signedIn.text)
  const { body: base } = await world.ask('GET', '/api/site', { headers: world.ownPage })
  assert.deepEqual(base, { hasMail: true, isSandboxHere: true })
  const request = () =>
    world.ask('POST', '/api/session/reset', { body: { email: person.email }, headers: world.ownPage })
  const requested = await request()
  assert.equal(requested.status, 202, requested.text)
  assert.deepEqual(letters.at(-1), { kind: 'RESET_REQUEST', email: person.email })
  let accepted = 1
  while (accepted < 30 && (await request()).status === 202) accepted += 1
  assert.equal(accepted, 20, 'of one network')
})

test('members, invitations, notices and templates of a merchant are changed', async () => {
  const below = (path: string) => `/api/m/${tenant.id}/${path}`
  const other = await world.person([{ merchantId: tenant.id, role: 'VIEWER' }])
  await ok(owner, 'PATCH', below(`members/${other.userId}`), { role: 'SUPPORT' }, 204)
  const member = dataOf(await ok(owner, 'GET', below('members'))).find(
    (each) => each['userId'] === other.userId,
  )
  assert.equal(member?.['role'], 'SUPPORT')

  const invited = { email: 'guest@example.com', role: 'VIEWER' }
  const made = await ok(owner, 'POST', below('invitations'), invited, 201)
  assert.equal(made['isSent'], true)
  assert.deepEqual(
    dataOf(await ok(owner, 'GET', below('invitations'))).map(({ id }) => id),
    [made['id']],
  )
  await ok(owner, 'DELETE', below(`invitations/${String(made['id'])}`), undefined, 204)
  assert.deepEqual(dataOf(await ok(owner, 'GET', below('invitations'))), [])

  const { notices } = await ok(owner, 'GET', below('mail'))
  const [first] = notices as readonly Row[]
  await ok(owner, 'PUT', below('mail/notices'), { kind: first?.['kind'], isOn: !first?.['isOn'] }, 204)
  await ok(owner, 'PUT', below('mail/receipts'), { isOn: true }, 204)
  const mail = await ok(owner, 'GET', below('mail'))
  assert.deepEqual(
    [mail['receipts'], (mail['notices'] as readonly Row[])[0]?.['isOn']],
    [true, !first?.['isOn']],
  )

  const before = await ok(owner, 'GET', below('setup'))
  assert.equal(before['isHidden'], false)
  assert.deepEqual(
    (before['steps'] as readonly Row[]).filter(({ step }) => step === 'TEAM'),
    [{ step: 'TEAM', isDone: true }],
  )
  await ok(owner, 'PUT', below('setup'), { isHidden: true }, 204)
  assert.equal((await ok(owner, 'GET', below('setup')))['isHidden'], true)
  assert.equal((await other.ask('PUT', below('setup'), { isHidden: false })).status, 403)

  const { document } = await ok(owner, 'GET', below('templates/default'))
  await ok(owner, 'PUT', below('templates/shop'), document)
  const slugs = dataOf(await ok(owner, 'GET', below('templates'))).map(({ slug }) => slug)
  assert.deepEqual(slugs, ['default', 'shop'])
  const off = await ok(owner, 'PATCH', below('templates/shop'), { isActive: false })
  assert.equal(off['isActive'], false)
})

test('a record is found by its id, under its own merchant alone', async () => {
  const [shop, other] = [await world.base.openTenant(), await world.base.openTenant()]
  const person = await world.person([
    { merchantId: shop.id, role: 'OWNER' },
    { merchantId: other.id, role: 'OWNER' },
  ])
  const { id } = await ok(person, 'POST', `/api/m/${shop.id}/payments`, paymentBody(), 201)
  const find = async ({ id: merchantId }: Tenant) =>
    dataOf(await ok(person, 'GET', `/api/m/${merchantId}/records?name=${String(id)}`))
  assert.deepEqual(await find(shop), [{ kind: 'PAYMENT', id, by: 'ID' }])
  assert.deepEqual(await find(other), [])
})

test('events are searched by id, record, type and days, under their own merchant alone', async () => {
  const [shop, other] = [await world.base.openTenant(), await world.base.openTenant()]
  const person = await world.person([
    { merchantId: shop.id, role: 'DEVELOPER' },
    { merchantId: other.id, role: 'OWNER' },
  ])
  const keeper = await world.person([{ merchantId: shop.id, role: 'OWNER' }])
  const makeWallet = (label: string) =>
    ok(keeper, 'POST', `/api/m/${shop.id}/wallets`, { currency: 'BRL', walletType: 'SPENDABLE', label }, 201)
  await makeWallet('First')
  const { id: wallet } = await makeWallet('Second')
  const search = async (query: string, { id }: Tenant = shop) =>
    dataOf(await ok(person, 'GET', `/api/m/${id}/event-search?${query}`))
  const [event, ...more] = await search(`subject=${String(wallet).toUpperCase()}`)
  assert.equal(event?.['type'], 'wallet.created')
  assert.deepEqual(more, [])
  assert.deepEqual(await search(`subject=${String(event?.['id'])}`), [event])
  assert.deepEqual(await search(`subject=${String(event?.['id'])}`, other), [])
  assert.deepEqual((await search('type=wallet.created&limit=1')).length, 1)
  assert.deepEqual(await search(`subject=${String(wallet)}&type=payment.completed`), [])
  const at = String(event?.['timestamp'])
  assert.deepEqual(await search(`subject=${String(wallet)}&from=${at}`), [event])
  assert.deepEqual(await search(`subject=${String(wallet)}&to=${at}`), [])
  const page = await ok(person, 'GET', `/api/m/${shop.id}/event-search?limit=1`)
  const next = await ok(
    person,
    'GET',
    `/api/m/${shop.id}/event-search?limit=1&cursor=${String(page['nextCursor'])}`,
  )
  assert.deepEqual([...dataOf(page), ...dataOf(next)], (await search('')).slice(0, 2))
  for (const wrong of ['subject=x', 'type=x', 'cursor=x', 'from=x', 'other=x'])
    assert.equal((await person.ask('GET', `/api/m/${shop.id}/event-search?${wrong}`)).status, 400, wrong)
})

test('the overview of a merchant where much waits for a person has all of it in its shape', async () => {
  const { sql } = world.base
  const shop = await world.base.openTenant()
  const person = await world.person([{ merchantId: shop.id, role: 'OWNER' }])
  const walletId = await world.base.fund(shop, 10_000n)
  const below = (path: string) => `/api/m/${shop.id}/${path}`
  const byNobody = { eachMinor: null, dayMinor: null, listedOnly: false }
  await writeLimit(sql, {
    merchantId: shop.id,
    type: 'PIX',
    currency: 'BRL',
    approvalAboveMinor: 0n,
    ...byNobody,
  })
  await ok(person, 'POST', below('withdrawals'), withdrawalBody(), 201)
  const payment = await ok(person, 'POST', below('payments'), paymentBody(), 201)
  const paymentId = payment['id'] as PaymentId
  await world.base.settlePayment(shop.id, paymentId, 200n)
  await sql`update payment set exceptions = '{UNDERPAID}' where id = ${paymentId}`
  const endpoint = await ok(person, 'POST', below('webhook-endpoints'), { url: 'http://127.0.0.1:9/' }, 201)
  await sql`
    insert into webhook_endpoint_failing (merchant_id, endpoint_id, since, attempts, is_gone)
    values (${shop.id}, ${String(endpoint['id'])}, clock_timestamp(), 1, false)`
  await sql`
    insert into dispute (merchant_id, id, payment_id, connection, provider_ref, paid_ref, wallet_id, kind, status, amount_minor,
                         currency, evidence_due_at, created_at)
    values (${shop.id}, ${newId()}, ${paymentId}, 'c', ${newId()}, 'x', ${walletId}, 'CHARGEBACK', 'OPEN', 100, 'EUR',
            clock_timestamp() + interval '1 day', clock_timestamp())`
  const connection = `t1-${newId()}`
  await sql`
    insert into connection (id, mode, method, provider, settings, created_at, merchant_id)
    values (${connection}, 'SANDBOX', 'PIX', 'bacen', '{}', clock_timestamp(), ${shop.id})`
  await sql`
    insert into unmatched (id, mode, connection, provider_ref, outcome, occurrence, reason, amount_minor, currency, evidence, happened_at,
                           recorded_at)
    values (${newId()}, 'SANDBOX', ${connection}, 'x', 'paid', 1, 'unknown_attempt', 300, 'BRL', '', clock_timestamp(), clock_timestamp())`
  while (await countRound({ sql }));
  const { attention, wallets, present } = await ok(person, 'GET', below('overview?span=7d'))
  const counts = Object.entries(attention as Row).map(([name, each]) => [name, (each as Row)['count']])
  assert.deepEqual(Object.fromEntries(counts), {
    endpoints: 1,
    withdrawals: 1,
    refunds: 0,
    disputes: 1,
    underpaid: 1,
    suspended: 1,
  })
  assert.ok((wallets as readonly Row[]).some(({ heldBalance }) => heldBalance === 100))
  assert.ok(((present as Row)['created'] as readonly Row[]).length > 0)
})
