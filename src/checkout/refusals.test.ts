// What a payer reads when a provider says no or nothing: never nothing, and never "one moment" for ever.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Payment } from '#/payments/payment.ts'
import { openCheckoutWorld, type CheckoutWorld } from '../../test/checkout-world.ts'
import { eventually } from '../../test/eventually.ts'
import type { PageState } from './page-state.ts'
import { enSentences } from './sentences/en.ts'

const { problems } = enSentences

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

/** The state when the provider has answered, however busy the machine is. */
function settled(world: CheckoutWorld, payment: Payment): Promise<PageState> {
  return eventually('the provider answers', async () => {
    const state = await world.state(payment)
    return state.step !== 'preparing' && state
  })
}

const asked = { name: 'required', email: 'required', phone: 'optional', taxId: 'optional' } as const
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
  test(`a method that cannot be opened (${fault}) is answered with the choice: why, what was chosen, and all that was typed`, async () => {
    await using world = await openCheckoutWorld()
    world.template = { ...world.template, fields: asked }
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
      // What streams and questions bring of the same payment is older, and does not wipe the word away.
      const known = await world.state(payment)
      assert.ok(known.version < shown.version)
      assert.deepEqual(
        [known.step, known.problem],
        ['choose', said],
        'and whoever loads the page reads it too',
      )
      assert.ok(!JSON.stringify([shown, known]).includes('planted'))

      world.providers[fault] = false
      assert.equal((await world.post(`${path}/choose`, { ...typed, method: 'CRYPTO' })).status, 303)
      assert.equal((await world.state(payment)).problem, undefined)
    }
  })

test('a refusal is read in every process, for it is kept with the payment', async () => {
  await using world = await openCheckoutWorld()
  const payment = await unchosen(world, {
    lastError: { code: 'invalid_request', message: 'planted', method: 'CREDIT_CARD' },
  })
  const state = await world.state(payment)
  assert.deepEqual([state.step, state.problem], ['choose', problems.refused])
})

for (const fault of ['isRefusing', 'isAway'] as const)
  test(`who changes to a method that cannot be opened (${fault}) keeps the one before, and is told`, async () => {
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

test('a page whose provider refuses says so, offers what else there is, and does not say that it prepares', async () => {
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
    ['failed', enSentences.failed.headline, undefined],
  )
  assert.equal(shut.isFinal, true, 'nothing can follow')
})

test('when the time is over the page does not prepare anything', async () => {
  await using world = await openCheckoutWorld()
  const payment = await world.newPayment({ method: 'PIX' })
  assert.equal((await world.state(payment)).step, 'preparing')
  await world.clock.advance(25 * 3_600_000)
  const state = await world.state(payment)
  assert.deepEqual([state.step, state.isFinal], ['expired', false])
})
