// What a payer sees when a provider refuses or does not answer: always a message, and never "one moment" without end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Payment } from '#/payments/payment.ts'
import { openCheckoutWorld, type CheckoutWorld } from '../../test/checkout-world.ts'
import { eventually } from '../../test/eventually.ts'
import type { PageState } from './page-state.ts'
import { sentences } from './sentences.ts'

const { problems } = sentences.en

function unchosen(world: CheckoutWorld, more: Partial<Payment> = {}): Promise<Payment> {
  return world.newPayment({
    status: 'PENDING',
    methods: ['PIX', 'CREDIT_CARD', 'CRYPTO'],
    request: { amount: 1_000, checkout: 'default' },
    isUnchosen: true,
    ...more,
  })
}

async function stateIn(answer: Response): Promise<PageState> {
  const [, json] =
    /<script type="application\/json" id="state">(.*?)<\/script>/s.exec(await answer.text()) ?? []
  return JSON.parse(json ?? 'null') as PageState
}

/** The state when the provider has answered, even on a busy machine. */
function settled(world: CheckoutWorld, payment: Payment): Promise<PageState> {
  return eventually('the provider answers', async () => {
    const state = await world.state(payment)
    return state.step !== 'preparing' && state
  })
}

const collected = { name: 'required', email: 'required', phone: 'optional', taxId: 'optional' } as const
const typed = {
  name: 'Ana',
  email: 'ana@example.com',
  phone: '+55 11 91234-5678',
  taxId: '390.533.447-05',
}

for (const [fault, said] of [
  ['isRefusing', problems.refused],
  ['isAway', problems.provider_away],
] as const)
  test(`a method that cannot be opened (${fault}) leads back to the choice, with the reason, the method and all that was typed`, async () => {
    await using world = await openCheckoutWorld()
    world.template = { ...world.template, fields: collected }
    for (const method of ['CREDIT_CARD', 'PIX'] as const) {
      const payment = await unchosen(world)
      const path = world.path(payment)
      world.providers[fault] = true
      const answer = await world.post(`${path}/choose`, { ...typed, method })
      assert.equal(answer.status, 422)
      const shown = await stateIn(answer)
      assert.deepEqual([shown.step, shown.problem], ['choose', said])
      assert.deepEqual(
        shown.methods.filter(({ isChosen }) => isChosen).map((each) => each.method),
        [method],
      )
      assert.deepEqual(Object.fromEntries(shown.fields.map(({ name, value }) => [name, value])), typed)
      // States of the same payment from the stream and from polls are older, and do not clear the message.
      const reloaded = await world.state(payment)
      assert.ok(reloaded.version < shown.version)
      assert.deepEqual(
        [reloaded.step, reloaded.problem],
        ['choose', said],
        'and a reload of the page shows it too',
      )
      assert.ok(!JSON.stringify([shown, reloaded]).includes('planted'))

      world.providers[fault] = false
      assert.equal((await world.post(`${path}/choose`, { ...typed, method: 'CRYPTO' })).status, 303)
      assert.equal((await world.state(payment)).problem, undefined)
    }
  })

test('a refusal is shown by every process, because it is stored with the payment', async () => {
  await using world = await openCheckoutWorld()
  const payment = await unchosen(world, {
    lastError: { code: 'invalid_request', message: 'planted', method: 'CREDIT_CARD' },
  })
  const state = await world.state(payment)
  assert.deepEqual([state.step, state.problem], ['choose', problems.refused])
})

for (const fault of ['isRefusing', 'isAway'] as const)
  test(`a payer who changes to a method that cannot be opened (${fault}) keeps the method before, and sees why`, async () => {
    await using world = await openCheckoutWorld()
    const payment = await unchosen(world)
    const path = world.path(payment)
    await world.post(`${path}/choose`, { ...typed, method: 'PIX' })
    world.providers[fault] = true
    const answer = await world.post(`${path}/choose`, { method: 'CREDIT_CARD' })
    assert.equal(answer.status, 422)
    const shown = await stateIn(answer)
    assert.deepEqual([shown.step, shown.panel?.method], ['waiting', 'PIX'])
    assert.equal(shown.problem, problems.kept('Card', 'Pix'))
    assert.ok((await world.state(payment)).version < shown.version)
    const answered = await world.post(`${path}/choose`, { method: 'CRYPTO' })
    assert.equal(answered.status, 303)
  })

test('a page whose provider refuses says so, offers the other methods, and does not say that it prepares', async () => {
  await using world = await openCheckoutWorld()
  world.providers.isRefusing = true
  const checkout = await world.newPayment({
    methods: ['CREDIT_CARD', 'CRYPTO'],
    request: { amount: 1_000, checkout: 'default' },
  })
  const open = await settled(world, checkout)
  assert.deepEqual([open.step, open.problem, open.fields], ['choose', problems.refused, []])
  assert.deepEqual(
    open.methods.map(({ method }) => method),
    ['CREDIT_CARD', 'CRYPTO'],
  )
  assert.equal((await world.post(`${world.path(checkout)}/choose`, { method: 'CRYPTO' })).status, 303)
  assert.equal((await world.state(checkout)).step, 'waiting')

  const single = await world.newPayment()
  const shut = await settled(world, single)
  assert.deepEqual(
    [shut.step, shut.headline, shut.problem],
    ['failed', sentences.en.failed.headline, undefined],
  )
  assert.equal(shut.isFinal, true, 'nothing can follow')
})

test('after the deadline the page does not say that it prepares', async () => {
  await using world = await openCheckoutWorld()
  const payment = await world.newPayment({ method: 'PIX' })
  assert.equal((await world.state(payment)).step, 'preparing')
  await world.clock.advance(25 * 3_600_000)
  const state = await world.state(payment)
  assert.deepEqual([state.step, state.isFinal], ['expired', false])
})
