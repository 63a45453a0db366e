// Sums beyond 2^53 − 1, which a JSON number does not carry exactly: incoming money is credited to the cent, and no request makes one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '#/kernel/given.ts'
import type { PaymentId } from '#/kernel/id.ts'
import { walletAvailable, walletHeld } from '#/ledger/chart.ts'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { assertDocumented, at } from './document.ts'
import { openApiWorld, paymentBody, withdrawalBody } from './world.ts'

const world = openForTests(openApiWorld)
const api = makeForTests(() => world.openApi())

const max = BigInt(Number.MAX_SAFE_INTEGER)

test('incoming money is never refused, and is shown to the cent by GET, lists and events', async () => {
  const tenant = await world.openTenant()
  const ask = (method: string, path: string, body?: unknown) =>
    api.ask(method, path, { key: tenant.key, ...given({ body }) })
  const made = await ask('POST', '/v1/payments', paymentBody({ amount: Number.MAX_SAFE_INTEGER }))
  const id = String(made.body['id'])
  for (const minor of [max, max, 1n]) await world.settlePayment(tenant.id, id as PaymentId, minor)
  const sum = `${2n * max + 1n}`
  for (const [path, name] of [
    [`/v1/payments/${id}`, 'amountReceived'],
    ['/v1/payments', 'amountReceived'],
    ['/v1/events', 'amountReceived'],
    ['/v1/wallets', 'balance'],
    ['/v1/wallets/balance', 'balance'],
    ['/v1/wallets/statement', 'balance'],
  ] as const) {
    const { status, text } = await ask('GET', path)
    assert.equal(status, 200, path)
    assert.ok(text.includes(`"${name}":${sum},`) || text.includes(`"${name}":${sum}}`), `${path} ${text}`)
  }
})

test('no request makes a sum that a JSON number does not carry', async () => {
  const tenant = await world.openTenant()
  const ask = (path: string, body: unknown) => api.ask('POST', path, { key: tenant.key, body })
  const from = await world.fund(tenant, max)
  const opened = await ask('/v1/wallets', { currency: 'BRL', walletType: 'RESERVE', label: 'Taxes' })
  const transfer = (amount: number | bigint) =>
    ask('/v1/transfers', { fromWalletId: from, toWalletId: opened.body['id'], amount: Number(amount) })
  assert.equal((await transfer(max - 10n)).status, 201)
  await world.fund(tenant, max)
  const refused = await transfer(11)
  assert.deepEqual([refused.status, refused.body['code']], [422, 'limit_exceeded'])
  assert.equal(at(refused.body, 'errors', '0', 'pointer'), '/amount')
  assertDocumented('POST', '/v1/transfers', refused)
  assert.equal((await transfer(10)).status, 201)

  // PIX carries less at once: what is held already is booked.
  const held = walletHeld(tenant.mode, from, 'BRL')
  await world.book(walletAvailable(tenant.mode, from, 'BRL'), held, max - 10n)
  await world.fund(tenant, 100n)
  const over = await ask('/v1/withdrawals', withdrawalBody({ amount: 11 }))
  assert.deepEqual([over.status, over.body['code']], [422, 'limit_exceeded'])
  assertDocumented('POST', '/v1/withdrawals', over)
  assert.equal((await ask('/v1/withdrawals', withdrawalBody({ amount: 10 }))).status, 201)
})
