// Creating a payment whose payer chooses on a page: the methods that the template, the request and the connections allow.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#/kernel/error.ts'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { hourMs } from '#/kernel/time.ts'
import type { Method } from '#/rails/method.ts'
import { checkTemplate } from '#/templates/check.ts'
import { setTemplate, switchTemplate } from '#/templates/record.ts'
import { defaultTemplates, openTemplateStore } from '#/templates/store.ts'
import type { TemplateKey } from '#/templates/template.ts'
import { openChooseWorld } from '../../test/choose-world.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import type { Merchant } from './create.ts'
import type { PaymentRequest } from './payment.ts'
import { creationRecord } from './record.ts'

const world = openForTests(openChooseWorld)

const request: PaymentRequest = { amount: 1_000, currency: 'BRL', checkout: 'default' }

const create = (more: Partial<PaymentRequest> = {}, key: string = newId(), merchant?: Merchant) =>
  world.creator.create(merchant ?? world.line.merchant, key, { ...request, ...more })

/** Writes a revision as another process does: this process is not signalled. */
async function write(slug: string, more: object, merchantId = world.line.merchant.id): Promise<TemplateKey> {
  const checked = checkTemplate({ name: slug, ...more }, 'SANDBOX')
  assert.ok(checked.ok, JSON.stringify(checked))
  await setTemplate({ sql: world.line.sql, clock: world.line.clock }, { merchantId, slug }, checked)
  return { merchantId, slug }
}

const newSlug = () => `t-${newId()}`

async function refusalOf(creating: Promise<unknown>): Promise<AppError> {
  const error: unknown = await creating.then(
    () => assert.fail('it was refused'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof AppError, String(error))
  return error
}

test('the answer is PENDING with the page and the methods of the currency, without artifacts', async () => {
  const { payment, fields, replayed } = await create({ metadata: { orderId: 'A-1' } })
  const record = creationRecord(payment, fields)
  assert.equal(replayed, false)
  assert.match(String(record['checkoutUrl']), /^http:\/\/127\.0\.0\.1:4001\/c\/a1[\w-]{32}$/)
  assert.deepEqual(
    [record['status'], record['paymentMethods'], record['amount'], record['currency'], record['metadata']],
    ['PENDING', ['PIX', 'CREDIT_CARD'], 1_000, 'BRL', { orderId: 'A-1' }],
  )
  for (const name of ['cardRedirectUrl', 'pixCopyPaste', 'pixQrCode', 'cryptoAddress', 'paymentMethod'])
    assert.ok(!(name in record), name)
  assert.deepEqual(await world.attempts(payment), [])
  assert.deepEqual(await world.eventsOf(payment), [])
  const shown = await world.shown(payment)
  assert.equal(shown['checkoutUrl'], record['checkoutUrl'])
  assert.equal(payment.templateRevision, 0)
})

test('each currency has the methods that accept it, in the template’s order', async () => {
  for (const [currency, methods] of [
    ['BRL', ['PIX', 'CREDIT_CARD']],
    ['EUR', ['CREDIT_CARD']],
    ['USDT', ['CRYPTO', 'PARTNER_PAY']],
    ['USD', ['CRYPTO']],
  ] as const)
    assert.deepEqual((await create({ currency })).payment.methods, methods, currency)
  const { slug } = await write(newSlug(), {
    methods: [{ method: 'CREDIT_CARD' }, { method: 'PIX' }, { method: 'CRYPTO', enabled: false }],
  })
  assert.deepEqual((await create({ checkout: slug })).payment.methods, ['CREDIT_CARD', 'PIX'])
  assert.equal((await refusalOf(create({ checkout: slug, currency: 'USD' }))).code, 'method_not_available')
})

test('a network or token that we lack is refused as without a checkout, where the payer could pay on a chain', async () => {
  for (const [metadata, pointer] of [
    [{ cryptoNetwork: 'TRON' }, '/metadata/cryptoNetwork'],
    [{ cryptoNetwork: 'BSC', cryptoCurrency: 'USDC' }, '/metadata/cryptoCurrency'],
  ] as const) {
    for (const more of [{}, { checkout: undefined, paymentMethods: ['CRYPTO'] }] as const) {
      const error = await refusalOf(
        create({ currency: 'USDT', metadata, ...more } as Partial<PaymentRequest>),
      )
      assert.deepEqual(
        [error.code, error.faults?.map((each) => each.pointer)],
        ['network_not_supported', [pointer]],
      )
    }
    for (const more of [{ currency: 'BRL' }, { currency: 'USDT', paymentMethods: ['PARTNER_PAY'] }] as const)
      assert.equal((await create({ metadata, ...more })).payment.status, 'PENDING')
  }
})

test('paymentMethods filters the template’s methods, in the template’s order', async () => {
  const methods = async (...paymentMethods: readonly Method[]) =>
    (await create({ paymentMethods })).payment.methods
  assert.deepEqual(await methods('CREDIT_CARD', 'PIX'), ['PIX', 'CREDIT_CARD'])
  assert.deepEqual(await methods('CREDIT_CARD'), ['CREDIT_CARD'])
  assert.deepEqual(await methods('CRYPTO', 'PIX'), ['PIX'])
  const refusal = await refusalOf(create({ paymentMethods: ['CRYPTO', 'PARTNER_PAY'] }))
  assert.deepEqual(
    [refusal.code, refusal.faults.map(({ pointer }) => pointer)],
    ['method_not_available', ['/paymentMethods']],
  )
  assert.match(refusal.message, /CRYPTO takes USDT or USD, not BRL\./)
})

test('a method whose provider does not accept the amount is refused alone, and left out of a checkout', async () => {
  const direct = (amount: number) =>
    world.creator.create(world.line.merchant, newId(), {
      amount,
      currency: 'EUR',
      paymentMethods: ['CREDIT_CARD'],
    })
  for (const amount of [50, 99_999_999])
    assert.equal((await direct(amount)).payment.status, 'WAITING_PAYMENT')
  for (const [amount, code, message] of [
    [1, 'too_small', 'is at least 50 for CREDIT_CARD in EUR'],
    [49, 'too_small', 'is at least 50 for CREDIT_CARD in EUR'],
    [10_000_000_000, 'too_large', 'is at most 99999999 for CREDIT_CARD in EUR'],
  ] as const) {
    const refusal = await refusalOf(direct(amount))
    assert.deepEqual(
      [refusal.code, refusal.faults],
      ['limit_exceeded', [{ pointer: '/amount', code, message }]],
    )
    assert.match(refusal.message, /^CREDIT_CARD takes from 0\.50 to 999999\.99 EUR, not /)
  }
  assert.deepEqual((await create({ amount: 49 })).payment.methods, ['PIX'])
  const none = await refusalOf(create({ amount: 49, currency: 'EUR' }))
  assert.equal(none.code, 'method_not_available')
  assert.match(none.message, /CREDIT_CARD takes from 0\.50 to 999999\.99 EUR, not 0\.49\./)
})

test('a payment by wallet app lives for an hour at most; a checkout with that method may wait longer', async () => {
  const partner = { currency: 'USDT', paymentMethods: ['PARTNER_PAY'] as const }
  const { checkout: _, ...direct } = request
  const made = (more: Partial<PaymentRequest>) =>
    world.creator.create(world.line.merchant, newId(), { ...direct, ...partner, ...more })
  assert.equal((await made({ expiresIn: 3_600 })).payment.status, 'WAITING_PAYMENT')
  for (const expiresIn of [3_601, 2_592_000]) {
    const refusal = await refusalOf(made({ expiresIn }))
    assert.deepEqual(
      [refusal.code, refusal.faults],
      [
        'invalid_request',
        [{ pointer: '/expiresIn', code: 'too_large', message: 'is at most 3600 for PARTNER_PAY' }],
      ],
    )
  }
  const { payment } = await create({ ...partner, expiresIn: 7_200 })
  assert.equal(Number(payment.expiresAt) - Number(payment.createdAt), 2 * hourMs)
})

test('the default currency is the template’s first; one that the template does not have is refused', async () => {
  const { currency: _, ...without } = request
  const made = await world.creator.create(world.line.merchant, newId(), without)
  assert.equal(made.payment.currency, 'BRL')
  const { slug } = await write(newSlug(), { currencies: ['EUR', 'BRL'] })
  const euro = await world.creator.create(world.line.merchant, newId(), { ...without, checkout: slug })
  assert.deepEqual([euro.payment.currency, euro.payment.methods], ['EUR', ['CREDIT_CARD']])
  for (const currency of ['USDT', 'GBP', 'constructor']) {
    const refusal = await refusalOf(create({ checkout: slug, currency }))
    assert.deepEqual([refusal.code, refusal.faults[0]?.pointer], ['currency_not_supported', '/currency'])
  }
})

test('limits of a method apply to its currency, both ends included', async () => {
  const { slug } = await write(newSlug(), {
    methods: [
      { method: 'PIX', limits: { BRL: { min: 100, max: 500 } } },
      { method: 'CREDIT_CARD', limits: { EUR: { min: 1_000 } } },
    ],
  })
  const methods = async (amount: number) => (await create({ checkout: slug, amount })).payment.methods
  assert.deepEqual(await methods(99), ['CREDIT_CARD'])
  assert.deepEqual(await methods(100), ['PIX', 'CREDIT_CARD'])
  assert.deepEqual(await methods(500), ['PIX', 'CREDIT_CARD'])
  assert.deepEqual(await methods(501), ['CREDIT_CARD'])
})

test('a method without a connection that accepts it is not offered, and manual capture only with authorisations', async () => {
  world.pix.isConnected = false
  assert.deepEqual((await create()).payment.methods, ['CREDIT_CARD'])
  world.card.isConnected = false
  const refusal = await refusalOf(create())
  world.pix.isConnected = true
  world.card.isConnected = true
  assert.match(refusal.message, /PIX is not connected\. CREDIT_CARD is not connected\./)
  assert.deepEqual((await create({ captureMode: 'MANUAL' })).payment.methods, ['CREDIT_CARD'])
  const manual = { captureMode: 'MANUAL', currency: 'USDT' } as const
  assert.equal((await refusalOf(create(manual))).code, 'method_not_available')
})

test('the same key and body is the same page, even after the template and the connections changed', async () => {
  const { slug, merchantId } = await write(newSlug(), {})
  const key = newId()
  const first = await create({ checkout: slug }, key)
  await switchTemplate(world.line.sql, { merchantId, slug }, false)
  await world.templates.refresh()
  world.pix.isConnected = false
  world.card.isConnected = false
  const again = await create({ checkout: slug }, key)
  world.pix.isConnected = true
  world.card.isConnected = true
  assert.equal(again.replayed, true)
  assert.deepEqual(creationRecord(again.payment, again.fields), creationRecord(first.payment, first.fields))
  assert.equal((await refusalOf(create({ checkout: slug }))).code, 'checkout_not_found')
})

test('the key is compared before the slug is resolved, and the conflict names the fields that differ', async () => {
  const { slug } = await write(newSlug(), {})
  const key = newId()
  await create({}, key)
  const cases: readonly (readonly [Partial<PaymentRequest>, readonly string[]])[] = [
    [{ checkout: slug }, ['/checkout']],
    [{ checkout: 'no-such-checkout' }, ['/checkout']],
    [{ checkout: 'no-such-checkout', amount: 5 }, ['/amount', '/checkout']],
    [{ currency: 'GBP' }, ['/currency']],
    [{ paymentMethods: ['CRYPTO'] }, ['/paymentMethods']],
    [{ customerName: 'Ana' }, ['/customerName']],
  ]
  for (const [more, pointers] of cases) {
    const refusal = await refusalOf(create(more, key))
    assert.equal(refusal.code, 'idempotency_conflict', JSON.stringify(more))
    assert.deepEqual(refusal.faults.map(({ pointer }) => pointer).toSorted(), pointers)
  }
  const { checkout: _, ...direct } = request
  const refusal = await refusalOf(
    world.creator.create(world.line.merchant, key, { ...direct, paymentMethods: ['PIX'] }),
  )
  assert.equal(refusal.code, 'idempotency_conflict')
})

test('an unknown or inactive slug is refused and leaves the key free', async () => {
  const key = newId()
  for (const checkout of ['none', '', 'DEFAULT', 'default ', '__proto__']) {
    const refusal = await refusalOf(create({ checkout }, key))
    assert.deepEqual(
      [refusal.code, refusal.faults[0]?.pointer],
      ['checkout_not_found', '/checkout'],
      checkout,
    )
  }
  assert.equal((await create({}, key)).replayed, false)
})

test('another merchant’s template is unknown, and every merchant has its own default', async () => {
  const other: Merchant = { id: newId(), mode: 'SANDBOX' }
  await world.line.owner`
    insert into merchant (id, mode, name, webhook_secret, created_at) values (${other.id}, 'SANDBOX', 'Eva', '', now())`
  const { slug } = await write(newSlug(), {})
  await create({ checkout: slug })
  assert.equal((await refusalOf(create({ checkout: slug }, newId(), other))).code, 'checkout_not_found')
  await write('default', { methods: [{ method: 'CREDIT_CARD' }] }, other.id)
  await world.templates.refresh()
  assert.deepEqual((await create({}, newId(), other)).payment.methods, ['CREDIT_CARD'])
  assert.deepEqual((await create()).payment.methods, ['PIX', 'CREDIT_CARD'])
})

test('a payment keeps the revision with which it was created', async () => {
  const key = await write(newSlug(), { texts: { en: { title: 'One' } } })
  const { payment: first } = await create({ checkout: key.slug })
  await write(key.slug, { texts: { en: { title: 'Two' } } })
  await world.templates.refresh()
  const { payment: second } = await create({ checkout: key.slug })
  assert.deepEqual([first.templateRevision, second.templateRevision], [1, 2])
  const stored = await world.line.payment(first.id)
  assert.equal(stored.templateRevision, 1)
  const titleOf = async (number: number) =>
    (await world.templates.revisionOf(key, number))?.document.texts.en?.title
  assert.deepEqual([await titleOf(1), await titleOf(2), await titleOf(3)], ['One', 'Two', undefined])
})

test('at most 200 revisions are cached', async () => {
  const key = await write(newSlug(), {})
  await world.line.owner`
    insert into template_revision (merchant_id, slug, number, document, created_at)
    select merchant_id, slug, number + more, document, created_at
      from template_revision, generate_series(1, 200) as more where slug = ${key.slug}`
  const read = (number: number) => world.templates.revisionOf(key, number)
  const first = await read(1)
  for (let number = 2; number <= 201; number++) await read(number)
  const last = await read(201)
  assert.equal(await read(201), last, 'the last one is remembered')
  assert.notEqual(await read(1), first, 'the first one is read again')
  assert.deepEqual(await read(1), first)
})

test('a new template counts at once, a change within a second', async () => {
  const { sql } = world.line
  const book = await openTemplateStore({ sql, log: silentLog })
  try {
    const { slug, merchantId } = await write(newSlug(), {})
    assert.equal((await create({ checkout: slug })).payment.templateRevision, 1)
    await write(slug, { name: 'changed' })
    const before = performance.now()
    while (book.find({ merchantId, slug })?.revision !== 2) {
      assert.ok(performance.now() - before < 20_000)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  } finally {
    book.close()
  }
})

test('creating sends no more statements than a payment without a checkout', async () => {
  await create()
  const { sql } = world.line
  const statements: string[] = []
  const counting = new Proxy(sql, {
    apply(target, self, args) {
      statements.push((args as [readonly string[]])[0].join('?'))
      return Reflect.apply(target, self, args) as unknown
    },
  })
  const { createPaymentCreator } = await import('./create.ts')
  const { pages } = await import('../../test/page-hosts.ts')
  const { rails, line, templates } = world
  const options = {
    pages,
    sql: counting,
    rails,
    ledger: line.lane,
    clock: line.clock,
    log: silentLog,
    templates,
  }
  const creator = createPaymentCreator(options)
  await creator.create(line.merchant, newId(), request)
  await creator.close()
  assert.deepEqual(statements, [])
})

test('the payer can pay for a day by default, or for expiresIn', async () => {
  const { payment } = await create()
  assert.equal(Number(payment.expiresAt) - Number(payment.createdAt), 24 * hourMs)
  const { payment: short } = await create({ expiresIn: 600 })
  assert.equal(Number(short.expiresAt) - Number(short.createdAt), 600_000)
})

test('a payment’s own links have to lead to the hosts of its template', async () => {
  const { slug } = await write(newSlug(), { urls: { allowedHosts: ['shop.example', '*.shop.example:8443'] } })
  for (const url of ['https://shop.example/x', 'https://a.shop.example:8443/', 'https://shop.example:444'])
    assert.equal((await create({ checkout: slug, returnUrl: url })).payment.status, 'PENDING', url)
  for (const url of [
    'https://evil.example',
    'https://shop.example.evil.example',
    'https://a.shop.example',
    'https://evilshop.example',
  ]) {
    for (const name of ['returnUrl', 'cancelUrl'] as const) {
      const refusal = await refusalOf(create({ checkout: slug, [name]: url }))
      assert.deepEqual(
        [refusal.code, refusal.faults[0]?.pointer],
        ['destination_not_allowed', `/${name}`],
        url,
      )
    }
  }
})

test('without a template store every merchant has the default checkout', () => {
  const key = { merchantId: world.line.merchant.id, slug: 'default' }
  assert.equal(defaultTemplates.find(key)?.revision, 0)
  assert.equal(defaultTemplates.find({ ...key, slug: 'x' }), undefined)
})

test('a payment without a choice expires, and can be canceled before', async () => {
  const { payment } = await create()
  assert.equal((await world.line.close(payment, 'expired', { early: true })).kind, 'closed')
  const { payment: other } = await create()
  assert.equal((await world.line.close(other, 'canceled')).kind, 'closed')
  assert.deepEqual((await world.line.verify()).faults, [])
})
