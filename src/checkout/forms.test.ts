import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Payment } from '#/payments/payment.ts'
import { openCheckoutWorld, type CheckoutWorld } from '../../test/checkout-world.ts'

/** A payment with a checkout, without a chosen method. */
function unchosen(world: CheckoutWorld, request: Partial<Payment['request']> = {}): Promise<Payment> {
  return world.newPayment({
    status: 'PENDING',
    methods: ['PIX', 'CREDIT_CARD', 'CRYPTO'],
    request: { amount: 1_000, checkout: 'default', ...request },
    isUnchosen: true,
  })
}

test('a choice leads to the page of that method, and another can be chosen until it is paid', async () => {
  await using world = await openCheckoutWorld()
  world.template = {
    ...world.template,
    fields: { ...world.template.fields, name: 'optional', email: 'optional' },
  }
  const payment = await unchosen(world)
  const path = world.path(payment)
  assert.equal((await world.state(payment)).step, 'choose')
  const chosen = await world.post(`${path}/choose`, { method: 'PIX', name: 'Ana', email: 'ana@example.com' })
  assert.deepEqual([chosen.status, chosen.headers.get('location')], [303, path])
  const pix = await world.state(payment)
  assert.deepEqual([pix.step, pix.panel?.method], ['waiting', 'PIX'])
  assert.deepEqual((await world.payment(payment)).payer, { name: 'Ana', email: 'ana@example.com' })
  // The form of another method does not ask again who the payer is.
  assert.equal((await world.post(`${path}/choose`, { method: 'CREDIT_CARD' })).status, 303)
  const card = await world.state(payment)
  assert.deepEqual([card.step, card.panel?.method], ['waiting', 'CREDIT_CARD'])
  assert.deepEqual((await world.payment(payment)).payer, { name: 'Ana', email: 'ana@example.com' })
  assert.ok(!JSON.stringify(card).includes('ana@example.com'))
})

test('a method that is not offered, or none, is refused on a page with a link back', async () => {
  await using world = await openCheckoutWorld()
  const payment = await unchosen(world)
  const path = world.path(payment)
  for (const method of ['PARTNER_PAY', 'BOLETO', '']) {
    const answer = await world.post(`${path}/choose`, { method })
    assert.equal(answer.status, 422)
    assert.ok((await answer.text()).includes(`href="${path}"`))
  }
  const single = await world.newPayment()
  assert.equal((await world.post(`${world.path(single)}/choose`, { method: 'CREDIT_CARD' })).status, 422)
})

test('a missing or wrong value is explained beside its field, and what was typed stays', async () => {
  await using world = await openCheckoutWorld()
  world.template = {
    ...world.template,
    fields: { name: 'required', email: 'required', phone: 'required', taxId: 'optional' },
    address: 'billing',
  }
  const payment = await unchosen(world)
  const typed = {
    method: 'PIX',
    name: '<i>Ana</i>',
    email: 'ana@nowhere',
    phone: '912345678',
    taxId: '390.533.447-06',
    country: 'XX',
    line1: '4242 4242 4242 4242',
  }
  const answer = await world.post(`${world.path(payment)}/choose`, typed)
  assert.equal(answer.status, 422)
  const html = await answer.text()
  assert.ok(!html.includes('4242'), 'a card number is not sent around once more')
  const [, json = ''] = /id="state">(.*?)<\/script>/s.exec(html) ?? []
  const { step, fields } = JSON.parse(json) as Awaited<ReturnType<CheckoutWorld['state']>>
  assert.equal(step, 'choose')
  assert.deepEqual(
    fields.map(({ name, value, error }) => [name, value, error]),
    [
      ['name', '<i>Ana</i>', undefined],
      ['email', 'ana@nowhere', 'Enter a valid email, such as ana@example.com.'],
      ['phone', '912345678', 'Enter a valid phone number with its country code, such as +55 11 91234-5678.'],
      ['taxId', '390.533.447-06', 'Invalid CPF or CNPJ. Check the digits.'],
      ['country', 'XX', 'Choose a country from the list.'],
      ['postcode', '', undefined],
      ['line1', '', 'Don’t enter your card number here. Use the card form.'],
      ['line2', '', undefined],
      ['district', '', undefined],
      ['city', '', 'City is required.'],
      ['region', '', undefined],
    ],
  )
  assert.equal((await world.payment(payment)).method, undefined)
  const right = {
    ...typed,
    name: 'Ana',
    email: 'ana@example.com',
    phone: '+55 (11) 91234-5678',
    country: 'BR',
  }
  const options = fields.find(({ name }) => name === 'country')?.options?.map(({ value }) => value) ?? []
  // All of ISO 3166-1, and the empty one that nobody has chosen yet.
  assert.ok(options.length >= 250 && ['AL', 'JP', 'ZA'].every((each) => options.includes(each)))
  const address = { line1: 'Rua A, 1', city: 'São Paulo', taxId: '390.533.447-05' }
  assert.equal((await world.post(`${world.path(payment)}/choose`, { ...right, ...address })).status, 303)
  assert.deepEqual((await world.payment(payment)).payer, {
    name: 'Ana',
    email: 'ana@example.com',
    phone: '+5511912345678',
    taxId: '39053344705',
    address: { line1: 'Rua A, 1', city: 'São Paulo', country: 'BR' },
  })
})

test('the form takes the tax id and the phone of the country that the payer names', async () => {
  await using world = await openCheckoutWorld()
  world.template = {
    ...world.template,
    fields: { ...world.template.fields, phone: 'required', taxId: 'required' },
    address: 'billing',
  }
  const inEuros = { status: 'PENDING', methods: ['CREDIT_CARD'], currency: 'EUR', isUnchosen: true } as const
  const request = { amount: 1_000, currency: 'EUR', checkout: 'default' }
  const payment = await world.newPayment({ ...inEuros, request })
  const labels = (await world.state(payment)).fields.map(({ name, label }) => [name, label])
  assert.deepEqual(
    labels.find(([name]) => name === 'taxId'),
    ['taxId', 'Tax ID'],
  )
  const address = { country: 'PT', line1: 'Rua A, 1', city: 'Porto' }
  const typed = { method: 'CREDIT_CARD', phone: '912 345 678', taxId: '501 964 843', ...address }
  const wrong = await world.post(`${world.path(payment)}/choose`, { ...typed, taxId: '390.533.447-05' })
  assert.equal(wrong.status, 422)
  assert.match(await wrong.text(), /This isn’t a tax ID of your country\. Check the digits\./)
  assert.equal((await world.post(`${world.path(payment)}/choose`, typed)).status, 303)
  const { payer } = await world.payment(payment)
  assert.deepEqual(payer, { phone: '+351912345678', taxId: '501964843', address })
})

test('a reload of the address of a form leads to the page', async () => {
  await using world = await openCheckoutWorld()
  const path = world.path(await unchosen(world))
  for (const form of ['choose', 'cancel', 'provider']) {
    const answer = await world.get(`${path}/${form}`)
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, path])
  }
})

test('a form of another site is refused, by either header that shows its origin', async () => {
  await using world = await openCheckoutWorld()
  const payment = await unchosen(world)
  const path = `${world.path(payment)}/choose`
  const foreign = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]
  for (const headers of foreign) {
    const answer = await world.post(path, { method: 'PIX' }, headers)
    assert.equal(answer.status, 403, JSON.stringify(headers))
  }
  for (const action of ['cancel', 'provider'])
    assert.equal((await world.post(`${world.path(payment)}/${action}`, {}, foreign[0])).status, 403)
  assert.equal((await world.payment(payment)).status, 'PENDING')
  assert.equal((await world.post(path, { method: 'PIX' }, { origin: world.url })).status, 303)
})

test('a body that is not a form, or is too large, is refused', async () => {
  await using world = await openCheckoutWorld()
  const payment = await unchosen(world)
  const url = `${world.url}${world.path(payment)}/choose`
  const json = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"method":"PIX"}',
  })
  assert.equal(json.status, 415)
  assert.equal((await world.post(`${world.path(payment)}/choose`, { name: 'x'.repeat(20_000) })).status, 413)
  assert.match(await json.text(), /We couldn’t continue/)
})

test('the payer can cancel, and nothing is canceled when money is on its way', async () => {
  await using world = await openCheckoutWorld()
  world.template = { ...world.template, hasCancel: true }
  const payment = await world.newPayment({
    request: { amount: 1_000, cancelUrl: 'https://shop.example/cart' },
  })
  const path = world.path(payment)
  const { links } = await world.state(payment)
  assert.equal(links.cancel, `${path}/cancel`)
  const canceled = await world.post(`${path}/cancel`, {})
  assert.deepEqual([canceled.status, canceled.headers.get('location')], [303, path])
  const state = await world.state(payment)
  assert.deepEqual([state.step, state.isFinal], ['canceled', true])
  assert.equal(state.back?.url, `https://shop.example/cart?paymentId=${payment.id}`)

  const paying = await world.newPayment()
  await world.change(paying, { seenMinor: 500n })
  assert.equal((await world.state(paying)).links.cancel, undefined)
  assert.equal((await world.post(`${world.path(paying)}/cancel`, {})).status, 303)
  assert.equal((await world.payment(paying)).status, 'WAITING_PAYMENT')
})

test('the provider’s own page is one form away, also without JavaScript', async () => {
  await using world = await openCheckoutWorld()
  const payment = await world.newPayment()
  const path = world.path(payment)
  world.providers.origin = 'https://pay.example'
  await world.get(path)
  const on = await world.post(`${path}/provider`, {})
  assert.equal(on.status, 303)
  assert.match(on.headers.get('location') ?? '', /^https:\/\/pay\.example\//)
  // The frame stays on the page.
  const { panel } = await world.state(payment)
  assert.ok(panel?.method === 'CREDIT_CARD' && panel.frameUrl !== undefined)

  // A URL outside the page's policy is reached over a page of ours.
  world.providers.origin = undefined
  const over = await world.post(`${path}/provider`, {})
  assert.equal(over.status, 200)
  assert.match(await over.text(), /<meta http-equiv="refresh" content="0; url=https:\/\/pay\.example\//)

  world.providers.isAway = true
  const other = await world.newPayment()
  const stays = await world.post(`${world.path(other)}/provider`, {})
  assert.equal(stays.headers.get('location'), world.path(other))
})
