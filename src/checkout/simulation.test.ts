// A sandbox's developer plays the payer on the payment's page: what is offered, what a press does, and that there is nothing of it live.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#/kernel/error.ts'
import type { Payment } from '#/payments/payment.ts'
import { methods, scenariosOf } from '#/rails/methods.ts'
import { openCheckoutWorld, type CheckoutWorld } from '../../test/checkout-world.ts'
import { eventually } from '../../test/eventually.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { now, stateOf, template, token, usual } from '../../test/payer-page.ts'
import type { CheckoutDeps } from './deps.ts'
import { scenarioOf, simulatedActs } from './simulation.ts'
import { buildPageState } from './state.ts'

const played: unknown[] = []
let isAway = false
const simulator: NonNullable<CheckoutDeps['simulator']> = {
  async pay(merchantId, paymentId, { scenario }) {
    if (isAway) throw new AppError('provider_unavailable', 'The bank is away.')
    played.push([merchantId, paymentId, scenario])
  },
}
const world = openForTests(() => openCheckoutWorld({ simulator }))

/** A payment by card whose page is open. */
async function opened(at: CheckoutWorld): Promise<{ readonly payment: Payment; readonly path: string }> {
  const payment = await at.newPayment()
  await eventually('its page is open', async () => (await at.state(payment)).step === 'waiting')
  return { payment, path: `${at.path(payment)}/simulate` }
}

const actsOf = (payment: Partial<Payment>) =>
  stateOf({ mode: 'SANDBOX', ...payment }, { canSimulate: true }).simulation?.acts.map(({ name }) => name)

test('each method is paid by one of its own scenarios, and offers no act that it does not have', () => {
  for (const method of methods) {
    const scenarios = simulatedActs.map((act) => scenarioOf(method, act))
    assert.ok(scenarios[0] !== undefined, `${method} can be paid`)
    for (const each of scenarios)
      assert.ok(each === undefined || scenariosOf(method).includes(each), `${method}: ${each}`)
  }
  assert.deepEqual(
    simulatedActs.map((act) => scenarioOf('CREDIT_CARD', act)),
    ['success', undefined, undefined, undefined, 'decline', 'expire'],
  )
})

test('the page offers what can happen now, and nothing to a live payment or where no sandbox runs', () => {
  assert.deepEqual(actsOf({}), ['exact', 'less', 'twice', 'later', 'expire'])
  assert.deepEqual(actsOf({ status: 'PAID', receivedMinor: 1_000n }), undefined)
  assert.deepEqual(actsOf({ status: 'EXPIRED' }), undefined)
  const { method: _chosen, ...unchosen } = { ...usual, mode: 'SANDBOX' } as const
  const offered = (payment: Payment) =>
    buildPageState({
      payment,
      means: { fields: {} },
      opened: 0,
      template,
      locale: 'en',
      now,
      token,
      canSimulate: true,
    })
  for (const [payment, step] of [
    [unchosen, 'choose'],
    [{ ...unchosen, method: 'CREDIT_CARD' }, 'preparing'],
  ] as const) {
    const state = offered(payment)
    assert.deepEqual([state.step, state.simulation?.acts.map(({ name }) => name)], [step, ['expire']])
  }
  assert.equal(actsOf({ mode: 'LIVE' }), undefined)
  assert.equal(stateOf({ mode: 'SANDBOX' }).simulation, undefined)
  for (const [locale, label] of [
    ['en', 'Simulate'],
    ['pt-BR', 'Simular'],
    ['es', 'Simular'],
  ] as const)
    assert.equal(stateOf({ mode: 'SANDBOX' }, { canSimulate: true, locale }).simulation?.label, label)
})

test('a press plays the payer once, and leads back to the page', async () => {
  const { payment, path } = await opened(world)
  assert.equal((await world.state(payment)).simulation?.url, path)
  for (const [act, scenario] of [
    ['exact', 'success'],
    ['refuse', 'decline'],
    ['expire', 'expire'],
  ] as const) {
    played.length = 0
    const answer = await world.post(path, { act })
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, world.path(payment)])
    assert.deepEqual(played, [[world.merchantId, payment.id, scenario]])
  }
})

test('what the method does not have, another site’s form and an unknown act play nothing', async () => {
  const { path } = await opened(world)
  played.length = 0
  assert.equal((await world.post(path, { act: 'twice' })).status, 303)
  assert.equal((await world.post(path, { act: 'everything' })).status, 403)
  assert.equal((await world.post(path, { act: 'exact' }, { origin: 'https://evil.example' })).status, 403)
  assert.equal((await world.post(path, { act: 'exact' }, { 'sec-fetch-site': 'cross-site' })).status, 403)
  assert.deepEqual(played, [])
})

test('while the simulator is away the payer is told, and a later press plays', async () => {
  const { path } = await opened(world)
  played.length = 0
  isAway = true
  const answer = await world.post(path, { act: 'exact' }).finally(() => (isAway = false))
  assert.equal(answer.status, 503)
  assert.ok(!(await answer.text()).includes('The bank is away'))
  assert.equal((await world.post(path, { act: 'exact' })).status, 303)
  assert.equal(played.length, 1)
})

test('live there is no such form: not for a live payment beside a sandbox, and not in a process without one', async () => {
  await using beside = await openCheckoutWorld({ simulator })
  const { payment: live, path } = await opened(beside)
  await beside.sql`update merchant set mode = 'LIVE' where id = ${beside.merchantId}`
  played.length = 0
  const state = await beside.state(live)
  assert.deepEqual([state.isSandbox, state.simulation], [false, undefined])
  assert.equal((await beside.post(path, { act: 'exact' })).status, 403)
  assert.deepEqual(played, [])

  await using without = await openCheckoutWorld()
  const elsewhere = await opened(without)
  assert.equal((await without.state(elsewhere.payment)).simulation, undefined)
  assert.equal((await without.post(elsewhere.path, { act: 'exact' })).status, 404)
  assert.deepEqual(played, [])
})
