// What a sub-account may start in each state, at every route that changes something: by a key of its own, by one that its parent made, by
// the parent's header, in the dashboard, and on the page of a payment link. A new route has to be in the table.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopes } from '#/contract/keys.ts'
import type { DashboardRoute } from '#/dashboard/route.ts'
import { dashboardRoutes } from '#/dashboard/routes.ts'
import { urlOf } from '#/dashboard/server.ts'
import { routes } from '#/http/routes.ts'
import { must } from '#/kernel/check.ts'
import { newId, type MerchantId, type PaymentId } from '#/kernel/id.ts'
import { systemClock } from '#/kernel/time.ts'
import { owed, owes, provider, receivable, walletAvailable, walletPending } from '#/ledger/chart.ts'
import { accountActs, accountRules, mayStart } from '#/merchants/account-state.ts'
import { issueApiKey } from '#/merchants/keys.ts'
import { changeSubAccount } from '#/merchants/sub-accounts.ts'
import { insertDestination } from '#/money-out/queries.ts'
import { useLink } from '#/payment-links/pay.ts'
import { selectLink } from '#/payment-links/queries.ts'
import { asId } from '../as-id.ts'
import { openDashboardWorld } from '../dashboard/world.ts'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { by } from '../split-world.ts'
import { assertDocumented } from './document.ts'
import { subAccountOf } from './possessions.ts'
import { paymentBody, withdrawalBody, type Answer, type Tenant } from './world.ts'

const world = openForTests(openDashboardWorld)
const base = makeForTests(() => world.base)
const api = makeForTests(() => base.openApi())
const parent = makeForTests(() => base.openTenant())

type Sub = Tenant & { readonly parentsKey: string }

/** ACTIVE, with a key of its own and one that its parent made. */
async function newSub(): Promise<Sub> {
  const sub = await subAccountOf({ base, api }, parent)
  const made = await api.ask('POST', `/v1/sub-accounts/${sub.id}/keys`, {
    key: parent.key,
    body: { name: 'shelf', scopes: ['payments:read', 'payments:write', 'wallets:read'] },
  })
  assert.equal(made.status, 201, made.text)
  return { ...sub, parentsKey: String(made.body['key']) }
}

const close = ({ id }: Tenant) =>
  api.ask('PATCH', `/v1/sub-accounts/${id}`, { key: parent.key, body: { state: 'CLOSED' } })
const suspend = ({ id }: Tenant) => changeSubAccount(base.sql, { id }, { state: 'SUSPENDED' }, by)

/** What the refusal names, with how many there are. */
const openIn = ({ body }: Answer) =>
  (body['open'] as readonly { what: string; count: number }[]).map(({ what, count }) => [what, count])

const changing = routes.filter(({ method }) => method !== 'GET')
const isOfMembers = ({ access }: Pick<DashboardRoute, 'access'>) => access === 'member'
const changingHere = dashboardRoutes.filter((route) => route.method !== 'GET' && isOfMembers(route))

test('every route that changes something says what it starts, and no other does', () => {
  for (const { operationId, starts, method } of [...routes, ...dashboardRoutes.filter(isOfMembers)])
    assert.equal(starts !== undefined, method !== 'GET', operationId)
})

test('each act is started by a state or not, and a state that lets more out lets all else start too', () => {
  for (const act of accountActs) {
    assert.equal(mayStart('ACTIVE', act), true, act)
    assert.equal(mayStart(undefined, act), true, act)
    for (const state of ['PENDING', 'SUSPENDED'] as const)
      assert.ok(mayStart(state, act) || !mayStart('CLOSED', act) || act === 'dispute', `${state} ${act}`)
  }
  assert.deepEqual(
    accountActs.filter((act) => accountRules.CLOSED.starts[act]),
    ['dispute', 'payer', 'ending'],
  )
})

/** Makes one thing that keeps a sub-account open, and returns how it ends. */
type Keeping = (sub: Sub) => Promise<() => Promise<unknown>>

async function made(sub: Sub, path: string, body: object): Promise<string> {
  const answer = await api.ask('POST', path, { key: sub.key, body })
  assert.equal(answer.status, 201, answer.text)
  return String(answer.body['id'])
}

async function post(sub: Sub, path: string, method = 'POST', body: object = {}): Promise<void> {
  const answer = await api.ask(method, path, { key: sub.key, body })
  assert.equal(answer.status, 200, answer.text)
}

async function row(sub: Sub, table: 'refund' | 'dispute', ended: string): Promise<() => Promise<unknown>> {
  const id = newId()
  if (table === 'refund')
    await base.sql`
      insert into refund (merchant_id, id, payment_id, attempt_id, method, connection, paid_ref, wallet_id, amount_minor,
                          currency, status, fingerprint, request, created_at)
      values (${sub.id}, ${id}, ${newId()}, ${newId()}, 'PIX', 'a1-x', 'E1', ${newId()}, 1, 'BRL', 'PENDING', '', '{}', now())`
  else
    await base.sql`
      insert into dispute (merchant_id, id, payment_id, connection, provider_ref, paid_ref, wallet_id, kind, status,
                           amount_minor, currency, created_at)
      values (${sub.id}, ${id}, ${newId()}, 'a1-x', ${id}, 'E1', ${newId()}, 'MED', 'OPEN', 1, 'BRL', now())`
  return () =>
    table === 'refund'
      ? base.sql`update refund set status = ${ended}, completed_at = now() where id = ${id}`
      : base.sql`update dispute set status = ${ended}, closed_at = now() where id = ${id}`
}

const bank = provider('SANDBOX', 'a1-funds', 'BRL')
async function walletOf(sub: Sub): Promise<string> {
  const { body } = await api.ask('GET', '/v1/wallets?currency=BRL', { key: sub.key })
  return String((body['data'] as readonly { id: string }[])[0]?.id)
}

const keepings: Readonly<Record<string, Keeping>> = {
  async payment(sub) {
    const id = await made(sub, '/v1/payments', paymentBody())
    return () => post(sub, `/v1/payments/${id}/cancel`)
  },
  async payment_link(sub) {
    const id = await made(sub, '/v1/payment-links', { name: 'x', currency: 'USDT', amount: 100 })
    return () => post(sub, `/v1/payment-links/${id}/archive`)
  },
  async transfer_grant(sub) {
    const id = await made(sub, '/v1/transfer-grants', { currency: 'BRL', maxAmount: 1 })
    return () => post(sub, `/v1/transfer-grants/${id}/revoke`)
  },
  async payout_schedule(sub) {
    const { amount: _amount, ...fields } = withdrawalBody()
    const destination = String(fields['pixKey'])
    await base.sql.begin((tx) =>
      insertDestination(tx, { merchantId: sub.id, type: 'PIX', destination, note: null }),
    )
    const walletId = await walletOf(sub)
    const id = await made(sub, '/v1/payout-schedules', { ...fields, walletId, rhythm: 'ABOVE', above: 100 })
    // A paused one can go on.
    await post(sub, `/v1/payout-schedules/${id}`, 'PATCH', { status: 'PAUSED' })
    return () => post(sub, `/v1/payout-schedules/${id}`, 'PATCH', { status: 'ENDED' })
  },
  refund: (sub) => row(sub, 'refund', 'COMPLETED'),
  dispute: (sub) => row(sub, 'dispute', 'LOST'),
  async balance(sub) {
    const walletId = await base.fund(sub, 7n)
    return () => base.book(walletAvailable('SANDBOX', walletId, 'BRL'), bank, 7n)
  },
  async pending(sub) {
    const pending = walletPending('SANDBOX', await walletOf(sub), 'BRL')
    await base.book(bank, pending, 7n)
    return () => base.book(pending, bank, 7n)
  },
  async receivable(sub) {
    const debt = receivable('SANDBOX', sub.id, 'BRL')
    await base.book(debt, bank, 7n)
    return () => base.book(bank, debt, 7n)
  },
  async owes(sub) {
    const [debt, claim] = [owes('SANDBOX', sub.id, 'EUR'), owed('SANDBOX', parent.id, 'EUR')] as const
    await base.book(debt, claim, 7n)
    return () => base.book(claim, debt, 7n)
  },
  async parent_wallet(sub) {
    await made(sub, '/v1/wallets', { currency: 'USD', walletType: 'SPENDABLE', label: 'Dollars' })
    return async () => {
      const body = { currency: 'USD', walletType: 'SPENDABLE', label: 'Dollars' }
      const answer = await api.ask('POST', '/v1/wallets', { key: parent.key, body })
      assert.equal(answer.status, 201, answer.text)
    }
  },
}
/** What the refusal calls those whose name here says which account it is. */
const calledSo: Readonly<Record<string, string>> = { pending: 'balance', receivable: 'debt', owes: 'debt' }

for (const [name, keep] of Object.entries(keepings))
  test(`it stays open while this stands, and the refusal names it: ${name}`, async () => {
    const sub = await newSub()
    const end = await keep(sub)
    const refused = await close(sub)
    assertDocumented('PATCH', '/v1/sub-accounts/{id}', refused)
    assert.deepEqual([refused.status, refused.body['code']], [409, 'invalid_state'])
    assert.deepEqual(openIn(refused), [[calledSo[name] ?? name, 1]])
    await end()
    const closed = await close(sub)
    assert.deepEqual([closed.status, closed.body['state']], [200, 'CLOSED'], closed.text)
  })

test('a withdrawal that has not ended keeps it open, with the money that is held for it', async () => {
  const sub = await newSub()
  await base.fund(sub, 5_000n)
  const id = await made(sub, '/v1/withdrawals', withdrawalBody())
  assert.deepEqual(openIn(await close(sub)), [
    ['balance', 1],
    ['withdrawal', 1],
  ])
  await post(sub, `/v1/withdrawals/${id}/cancel`)
  assert.deepEqual(openIn(await close(sub)), [['balance', 1]])
})

/** An answer that says that the sub-account's state does not allow it. */
function isByState({ status, body }: Answer, state: string): boolean {
  return status === 409 && body['code'] === 'invalid_state' && body['state'] === state
}

test('of a closed one no key is valid, its own or of its parent’s making, and no new one is made', async () => {
  const sub = await newSub()
  assert.equal((await close(sub)).status, 200)
  const fresh = await base.openApi()
  for (const { method, path } of routes) {
    const url = path.replace('{id}', newId())
    for (const key of [sub.key, sub.parentsKey]) {
      const answer = await fresh.ask(method, url, { key, ...(method === 'GET' ? {} : { body: {} }) })
      // Too many wrong keys from one address are not even looked at.
      assert.ok(answer.status === 401 || answer.status === 429, `${method} ${path}: ${answer.text}`)
    }
  }
  const body = { name: 'late', scopes: ['wallets:read'] }
  const refused = await api.ask('POST', `/v1/sub-accounts/${sub.id}/keys`, { key: parent.key, body })
  assert.ok(isByState(refused, 'CLOSED'), refused.text)
  const mint = { pepper: base.pepper, cell: 'a1', clock: systemClock, sql: base.sql }
  await assert.rejects(issueApiKey(mint, { merchantId: sub.id, name: 'late', scopes }), {
    code: 'invalid_state',
  })
  await assert.rejects(base.rotate(sub.id, sub.keyId), { code: 'invalid_state' })
})

test('the parent’s header reads a closed one, and starts nothing there', async () => {
  const sub = await newSub()
  assert.equal((await close(sub)).status, 200)
  for (const { method, path, operationId, starts } of routes) {
    const headers = { 'sub-account': sub.id }
    const url = path.replace('{id}', newId())
    const answer = await api.ask(method, url, {
      key: parent.key,
      headers,
      ...(method === 'GET' ? {} : { body: {} }),
    })
    const mayNot = method !== 'GET' && !mayStart('CLOSED', must(starts, operationId))
    // Some scopes are not for a header at all.
    if (answer.status !== 403)
      assert.equal(isByState(answer, 'CLOSED'), mayNot, `${method} ${path}: ${answer.text}`)
    assert.ok(method === 'GET' || answer.status >= 400, `${method} ${path}`)
  }
})

test('a member of a closed one reads, and starts nothing', async () => {
  const sub = await newSub()
  const person = await world.person([{ merchantId: sub.id, role: 'OWNER' }])
  assert.equal((await close(sub)).status, 200)
  const calls = [
    ...changing
      .filter(({ operationId }) => operationId !== 'getMe')
      .map(({ method, path, operationId, starts }) => ({
        method,
        operationId,
        starts,
        url: `/api/m/:merchant${path.slice('/v1'.length).replace('{id}', ':id')}`,
      })),
    ...changingHere.map((route) => ({
      method: route.method,
      operationId: route.operationId,
      starts: route.starts,
      url: urlOf(route),
    })),
  ]
  for (const { method, url, operationId, starts } of calls) {
    const path = url.replace(':merchant', sub.id).replace(':id', newId())
    const answer = await person.ask(method, path, {})
    const mayNot = !mayStart('CLOSED', must(starts, operationId))
    assert.equal(isByState(answer, 'CLOSED'), mayNot, `${method} ${url}: ${answer.text}`)
  }
  assert.equal((await person.ask('GET', `/api/m/${sub.id}/wallets`)).status, 200)
})

test('a SUSPENDED one starts no payment, link, schedule and grant by any key; what it started before goes on', async () => {
  const sub = await newSub()
  const before = paymentBody()
  const first = await api.ask('POST', '/v1/payments', { key: sub.key, body: before })
  const linkId = await made(sub, '/v1/payment-links', { name: 'x', currency: 'USDT', amount: 100 })
  const { amount: _amount, ...fields } = withdrawalBody()
  const destination = String(fields['pixKey'])
  await base.sql.begin((tx) =>
    insertDestination(tx, { merchantId: sub.id, type: 'PIX', destination, note: null }),
  )
  const walletId = await walletOf(sub)
  await suspend(sub)
  const starts: readonly (readonly [path: string, body: object])[] = [
    ['/v1/payments', paymentBody()],
    ['/v1/payment-links', { name: 'y', currency: 'USDT', amount: 100 }],
    ['/v1/payout-schedules', { ...fields, walletId, rhythm: 'ABOVE', above: 100 }],
    ['/v1/transfer-grants', { currency: 'BRL', maxAmount: 1 }],
  ]
  for (const [path, body] of starts) {
    const answer = await api.ask('POST', path, { key: sub.key, body })
    assert.ok(isByState(answer, 'SUSPENDED'), `${path}: ${answer.text}`)
    assertDocumented('POST', path, answer)
  }
  for (const ask of [{ key: sub.parentsKey }, { key: parent.key, headers: { 'sub-account': sub.id } }]) {
    const answer = await api.ask('POST', '/v1/payments', { ...ask, body: paymentBody() })
    assert.ok(isByState(answer, 'SUSPENDED'), answer.text)
  }
  const link = must(await selectLink(base.sql, { merchantId: sub.id, id: asId(linkId) }), 'the link is there')
  await assert.rejects(useLink(base.creator, link, { once: newId() }), { code: 'invalid_state' })
  // The same call again gets its payment, and the payment is credited.
  const again = await api.ask('POST', '/v1/payments', { key: sub.key, body: before })
  assert.deepEqual([again.status, again.body['id']], [201, first.body['id']])
  await base.settlePayment(sub.id, first.body['id'] as PaymentId, 1_234n)
  const { body: wallets } = await api.ask('GET', '/v1/wallets?currency=USDT', { key: sub.key })
  assert.equal((wallets['data'] as readonly { balance: number }[])[0]?.balance, 1_234)
  await changeSubAccount(base.sql, { id: sub.id }, { state: 'ACTIVE' }, by)
  assert.equal((await api.ask('POST', '/v1/payments', { key: sub.key, body: paymentBody() })).status, 201)
})

test('a payment that begins while it is closed is there before, or is refused', async () => {
  for (let round = 0; round < 8; round += 1) {
    const sub = await newSub()
    const [created, closed] = await Promise.all([
      api.ask('POST', '/v1/payments', { key: sub.key, body: paymentBody() }),
      close(sub),
    ])
    const isMade = created.status === 201
    assert.ok(isMade ? closed.status === 409 : closed.status === 200, `${created.text} ${closed.text}`)
  }
})

test('late money of a closed one is its parent’s, and the API says whose it was', async () => {
  const sub = await newSub()
  const id = (await made(sub, '/v1/payments', paymentBody())) as PaymentId
  await post(sub, `/v1/payments/${id}/cancel`)
  assert.equal((await close(sub)).status, 200)
  const of = async (merchant: MerchantId) => {
    const headers = merchant === parent.id ? {} : { 'sub-account': merchant }
    const answer = await api.ask('GET', '/v1/transfers?limit=1', { key: parent.key, headers })
    assertDocumented('GET', '/v1/transfers', answer)
    return (answer.body['data'] as readonly Readonly<Record<string, unknown>>[])[0]
  }
  await base.settlePayment(sub.id, id, 1_234n)
  const [ours, theirs] = [await of(parent.id), await of(sub.id)]
  assert.deepEqual(
    [ours?.['fromSubAccountId'], ours?.['sourceId'], ours?.['amount'], ours?.['currency']],
    [sub.id, id, 1_234, 'USDT'],
  )
  assert.deepEqual([theirs?.['toParent'], theirs?.['sourceId'], theirs?.['id']], [true, id, ours?.['id']])
})
