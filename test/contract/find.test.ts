// Lists find records by what a merchant knows of them: each filter alone, combined, over pages, and only the merchant's own.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PaymentId } from '#/kernel/id.ts'
import { openForTests } from '../open-for-tests.ts'
import { openFinding, type Row } from './finding.ts'
import { withdrawalBody, type Tenant } from './world.ts'

const finding = openForTests(openFinding)

describe('payments', () => {
  test('are found by the customer’s e-mail address, whatever its capitals, and not by another’s', async () => {
    const [tenant, other] = [await finding.base.openTenant(), await finding.base.openTenant()]
    const first = await finding.create(tenant, { customerEmail: 'Ana.Silva@Example.com' })
    const second = await finding.create(tenant, { customerEmail: 'ana.silva@example.com' })
    await finding.create(tenant, { customerEmail: 'bia@example.com' })
    await finding.create(tenant)
    await finding.create(other, { customerEmail: 'ana.silva@example.com' })
    assert.deepEqual(await finding.idsOf(tenant, { customerEmail: 'ANA.SILVA@example.com' }), [second, first])
    assert.deepEqual(await finding.idsOf(tenant, { customerEmail: 'nobody@example.com' }), [])
    for (const customerEmail of ['', 'ana', 'a b@c', `${'x'.repeat(300)}@y`])
      assert.deepEqual((await finding.refused(tenant, { customerEmail })).slice(0, 2), [
        400,
        '/customerEmail',
      ])
  })

  test('are found by the customer’s tax id, with or without its mask, also one with letters', async () => {
    const tenant = await finding.base.openTenant()
    const person = await finding.create(tenant, { customerTaxId: '529.982.247-25' })
    const company = await finding.create(tenant, { customerTaxId: '12.ABC.345/01DE-35' })
    for (const customerTaxId of ['52998224725', '529.982.247-25'])
      assert.deepEqual(await finding.idsOf(tenant, { customerTaxId }), [person])
    for (const customerTaxId of ['12abc34501de35', '12.ABC.345/01DE-35'])
      assert.deepEqual(await finding.idsOf(tenant, { customerTaxId }), [company])
    assert.deepEqual(await finding.refused(tenant, { customerTaxId: '529.982.247-26' }), [
      400,
      '/customerTaxId',
      'malformed',
    ])
    assert.deepEqual((await finding.refused(tenant, { customerTaxId: '5299' }))[0], 400)
  })

  test('are found by what the payer of a checkout entered, where the merchant gave nothing', async () => {
    const tenant = await finding.base.openTenant()
    const [entered, both] = [
      await finding.create(tenant),
      await finding.create(tenant, { customerEmail: 'shop@example.com' }),
    ]
    const payer = JSON.stringify({ email: 'Payer@Example.com', taxId: '52998224725' })
    await finding.base.sql`update payment set payer = ${payer}::text::json where merchant_id = ${tenant.id}`
    assert.deepEqual(await finding.idsOf(tenant, { customerEmail: 'payer@example.com' }), [entered])
    assert.deepEqual(await finding.idsOf(tenant, { customerEmail: 'shop@example.com' }), [both])
    assert.deepEqual(await finding.idsOf(tenant, { customerTaxId: '52998224725' }), [both, entered])
  })

  test('are found by their ids, only the merchant’s own, and by those that also fit the other filters', async () => {
    const [tenant, other] = [await finding.base.openTenant(), await finding.base.openTenant()]
    const [first, second] = [await finding.create(tenant, { amount: 500 }), await finding.create(tenant)]
    const theirs = await finding.create(other)
    const ids = [first, second.toUpperCase(), first, theirs].join(',')
    assert.deepEqual(await finding.idsOf(tenant, { ids }), [second, first])
    assert.deepEqual(await finding.idsOf(tenant, { ids, limit: '1' }), [second, first])
    assert.deepEqual(await finding.idsOf(tenant, { ids, amount: '500' }), [first])
    assert.deepEqual(await finding.idsOf(tenant, { ids: theirs }), [])
    for (const wrong of ['', 'x', `${first},`, `${first},${'z'.repeat(36)}`, Array(51).fill(first).join(',')])
      assert.deepEqual((await finding.refused(tenant, { ids: wrong })).slice(0, 2), [400, '/ids'], wrong)
  })

  test('are found by their exact amount', async () => {
    const tenant = await finding.base.openTenant()
    const [small, large] = [
      await finding.create(tenant, { amount: 999 }),
      await finding.create(tenant, { amount: 9_007_199_254_740_991 }),
    ]
    assert.deepEqual(await finding.idsOf(tenant, { amount: '999' }), [small])
    assert.deepEqual(await finding.idsOf(tenant, { amount: '9007199254740991' }), [large])
    assert.deepEqual(await finding.idsOf(tenant, { amount: '998' }), [])
    for (const amount of ['0', '-1', '1.5', '9007199254740992', 'ten', ''])
      assert.deepEqual((await finding.refused(tenant, { amount })).slice(0, 2), [400, '/amount'], amount)
  })

  test('are found by their checkout, with other filters too, and only the merchant’s own', async () => {
    const [tenant, other] = [await finding.base.openTenant(), await finding.base.openTenant()]
    const checkout = { checkout: 'default', paymentMethods: undefined }
    const [first, second] = [
      await finding.create(tenant, checkout),
      await finding.create(tenant, { ...checkout, customerEmail: 'ana@example.com' }),
    ]
    await finding.create(tenant)
    await finding.create(other, checkout)
    assert.deepEqual(await finding.idsOf(tenant, { checkout: 'default' }), [second, first])
    assert.deepEqual(await finding.idsOf(tenant, { checkout: 'default', limit: '1' }), [second, first])
    assert.deepEqual(await finding.idsOf(tenant, { checkout: 'default', customerEmail: 'ana@example.com' }), [
      second,
    ])
    assert.deepEqual(await finding.idsOf(tenant, { checkout: 'default', status: 'PAID' }), [])
    assert.deepEqual(await finding.idsOf(tenant, { checkout: 'another' }), [])
    assert.deepEqual((await finding.refused(tenant, { checkout: 'No Slug' }))[0], 400)
  })

  test('are found by the idempotency key of the call that made them, exactly as it was sent', async () => {
    const [tenant, other] = [await finding.base.openTenant(), await finding.base.openTenant()]
    const idempotencyKey = 'order 7/é'
    const wanted = await finding.create(tenant, { idempotencyKey, checkout: 'default' })
    await finding.create(tenant, { idempotencyKey: 'order 7/É' })
    await finding.create(other, { idempotencyKey })
    assert.deepEqual(await finding.idsOf(tenant, { idempotencyKey }), [wanted])
    assert.deepEqual(await finding.idsOf(tenant, { idempotencyKey, checkout: 'default' }), [wanted])
    assert.deepEqual(await finding.idsOf(tenant, { idempotencyKey, checkout: 'another' }), [])
    assert.deepEqual(await finding.idsOf(tenant, { idempotencyKey: 'order' }), [])
    assert.deepEqual((await finding.refused(tenant, { idempotencyKey: 'x'.repeat(256) })).slice(0, 2), [
      400,
      '/idempotencyKey',
    ])
  })

  test('are found by the customer’s whole name, the digits of a card, the link of the page and what a provider calls them', async () => {
    const [tenant, other] = [await finding.base.openTenant(), await finding.base.openTenant()]
    const first = await finding.create(tenant, { customerName: 'Ana da Silva' })
    const second = await finding.create(tenant, { customerName: 'ANA DA SILVA', checkout: 'default' })
    const entered = await finding.create(tenant)
    await finding.create(other, { customerName: 'Ana da Silva' })
    await finding.base.sql`
      update payment set payer = ${JSON.stringify({ name: 'Bia' })}::text::json where id = ${entered}`
    const find = (query: Readonly<Record<string, string>>, of = tenant) => finding.idsOf(of, query)
    assert.deepEqual(await find({ customerName: 'ana da silva' }), [second, first])
    assert.deepEqual(await find({ customerName: 'bia' }), [entered])
    assert.deepEqual(await find({ customerName: 'ana' }), [])

    // Money by card, of a connection that all merchants share.
    await finding.base.sql`
      insert into connection (id, mode, method, provider, settings, created_at)
      values ('a1-known', 'SANDBOX', 'CREDIT_CARD', 'stripe', '{}', now())`
    for (const [id, nth] of [
      [first, 1],
      [first, 2],
      [entered, 3],
    ] as const)
      await finding.base.sql`
        insert into receipt (connection, provider_ref, outcome, occurrence, merchant_id, payment_id, attempt_id, ordinal, booked_minor,
                             currency, evidence, happened_at, recorded_at, means)
        select 'a1-known', ${`pi_${nth}`}, 'paid', 1, merchant_id, payment_id, id, ${nth}, 100, 'USDT', '', now(), now(),
               ${JSON.stringify({ last4: '4242' })}::text::json
          from attempt where merchant_id = ${tenant.id} and payment_id = ${id}`
    assert.deepEqual(await find({ cardLast4: '4242' }), [entered, first])
    assert.deepEqual(await find({ cardLast4: '4242', customerName: 'bia' }), [entered])
    assert.deepEqual(await find({ cardLast4: '4242', customerName: 'Ana da Silva', amount: '1' }), [])
    assert.deepEqual(await find({ cardLast4: '4242' }, other), [])

    const { body } = await finding.api.ask('GET', `/v1/payments/${second}`, { key: tenant.key })
    const url = String(body['checkoutUrl'])
    assert.match(url, /\/c\/[\w-]{34}$/)
    assert.deepEqual(await find({ checkoutUrl: url }), [second])
    assert.deepEqual(await find({ checkoutUrl: `${url.split('/').at(-1)}` }), [second])
    assert.deepEqual(await find({ checkoutUrl: url }, other), [])

    const [attempt] = await finding.base.sql<{ id: string }[]>`
      select id from attempt where merchant_id = ${tenant.id} and payment_id = ${first}`
    const id = attempt?.id ?? ''
    for (const reference of [id, id.replaceAll('-', ''), id.toUpperCase(), 'pi_2'])
      assert.deepEqual(await find({ reference }), [first], reference)
    for (const reference of [id, 'pi_2']) assert.deepEqual(await find({ reference }, other), [])
    assert.deepEqual(await find({ reference: 'nothing of ours' }), [])
    for (const [name, value] of [
      ['checkoutUrl', 'https://pay.example.com/c/short'],
      ['cardLast4', '42'],
      ['cryptoAddress', '0x12'],
      ['customerName', ''],
      ['reference', ''],
    ] as const)
      assert.deepEqual((await finding.refused(tenant, { [name]: value })).slice(0, 2), [400, `/${name}`])
  })

  test('are found by each exception, by several, and by one among many others', async () => {
    const tenant = await finding.base.openTenant()
    const under = await finding.create(tenant)
    const over = await finding.create(tenant)
    const twice = await finding.create(tenant)
    await finding.create(tenant)
    await finding.base.settlePayment(tenant.id, under as PaymentId, 1n)
    await finding.base.settlePayment(tenant.id, over as PaymentId, 5_000n)
    await finding.base.settlePayment(tenant.id, twice as PaymentId, 5_000n)
    await finding.base.settlePayment(tenant.id, twice as PaymentId, 1_234n)
    const shown = (await finding.get(tenant, '/v1/payments')).body['data'] as readonly Row[]
    for (const exception of [
      'UNDERPAID',
      'OVERPAID',
      'LATE',
      'DUPLICATE',
      'LATE,UNDERPAID',
      'DUPLICATE,OVERPAID,LATE',
    ]) {
      const wanted = exception.split(',')
      const expected = shown.filter(({ exceptions }) =>
        (exceptions as string[]).some((each) => wanted.includes(each)),
      )
      assert.deepEqual(
        await finding.idsOf(tenant, { exception }),
        expected.map(({ id }) => id),
        exception,
      )
    }
    assert.deepEqual(await finding.idsOf(tenant, { exception: 'OVERPAID' }), [twice, over])
    assert.deepEqual(await finding.idsOf(tenant, { exception: 'DUPLICATE' }), [twice])
    assert.deepEqual(await finding.refused(tenant, { exception: 'EARLY' }), [
      400,
      '/exception',
      'not_allowed',
    ])
    assert.equal((await finding.refused(tenant, { exception: 'LATE,' }))[0], 400)
  })

  test('a transaction and an end-to-end id of the wrong shape are refused, and unknown ones find nothing', async () => {
    const tenant = await finding.base.openTenant()
    assert.deepEqual(await finding.idsOf(tenant, { txHash: `0x${'aB'.repeat(32)}` }), [])
    assert.deepEqual(await finding.idsOf(tenant, { endToEndId: 'E00038166201907261559y6j6mt9l0pi' }), [])
    for (const txHash of ['', 'ab'.repeat(32), `0x${'ab'.repeat(31)}`, `0x${'xy'.repeat(32)}`])
      assert.deepEqual((await finding.refused(tenant, { txHash })).slice(0, 2), [400, '/txHash'], txHash)
    for (const endToEndId of ['', 'E1 2', 'E'.repeat(41)])
      assert.deepEqual(
        (await finding.refused(tenant, { endToEndId })).slice(0, 2),
        [400, '/endToEndId'],
        endToEndId,
      )
  })

  test('filters combine with each other, with state, currency and time, and over pages without gaps or repeats', async () => {
    const tenant = await finding.base.openTenant()
    const customerEmail = 'many@example.com'
    const ids: string[] = []
    for (let n = 0; n < 23; n += 1)
      ids.push(
        await finding.create(tenant, {
          amount: 100 + (n % 2),
          currency: n % 3 === 0 ? 'USD' : 'USDT',
          ...(n % 5 === 4 ? {} : { customerEmail }),
        }),
      )
    for (const id of ids.filter((_, n) => n % 4 === 0))
      await finding.api.ask('POST', `/v1/payments/${id}/cancel`, { key: tenant.key })
    const all: readonly Row[] = (await finding.get(tenant, '/v1/payments', { limit: '100' })).body[
      'data'
    ] as readonly Row[]
    const middle = String(all[10]?.['createdAt'])
    for (const [query, fits] of [
      [{ customerEmail }, (row: Row) => row['customerEmail'] === customerEmail],
      [{ amount: '101' }, (row: Row) => row['amount'] === 101],
      [
        { customerEmail, amount: '101' },
        (row: Row) => row['customerEmail'] === customerEmail && row['amount'] === 101,
      ],
      [
        { customerEmail, status: 'CANCELED' },
        (row: Row) => row['customerEmail'] === customerEmail && row['status'] === 'CANCELED',
      ],
      [
        { customerEmail, currency: 'USD', method: 'CRYPTO', amount: '100' },
        (row: Row) =>
          row['customerEmail'] === customerEmail && row['currency'] === 'USD' && row['amount'] === 100,
      ],
      [{ customerEmail, method: 'PIX' }, () => false],
      [
        { amount: '100', from: middle },
        (row: Row) => row['amount'] === 100 && String(row['createdAt']) >= middle,
      ],
      [
        { amount: '100', to: middle },
        (row: Row) => row['amount'] === 100 && String(row['createdAt']) < middle,
      ],
    ] as const) {
      const expected = all.filter(fits).map(({ id }) => id)
      for (const limit of ['1', '3', '100'])
        assert.deepEqual(
          await finding.idsOf(tenant, { ...query, limit }),
          expected,
          JSON.stringify({ ...query, limit }),
        )
    }
  })

  test('when few of many candidates fit, pages are short or empty and go on, and nothing is missed', async () => {
    const tenant = await finding.base.openTenant()
    const rare = await finding.create(tenant, { amount: 777 })
    await finding.api.ask('POST', `/v1/payments/${rare}/cancel`, { key: tenant.key })
    await finding.base.sql`
      insert into payment (merchant_id, id, idempotency_key, fingerprint, request, status, amount_minor, currency, methods, created_at)
      select merchant_id, gen_random_uuid(), 'k' || n, fingerprint, request, 'PAID', amount_minor, currency, methods, created_at
        from payment, generate_series(1, 1200) as n where id = ${rare}`
    // Random ids are of later times than ours, so these are the newer ones.
    await finding.base.sql`
      update payment set id = ('ffff' || substr(id::text, 5))::uuid where merchant_id = ${tenant.id} and status = 'PAID'`
    const { ids, pages } = await finding.listed(tenant, '/v1/payments', { amount: '777', status: 'CANCELED' })
    assert.deepEqual(ids, [rare])
    assert.deepEqual(pages, [0, 0, 1])
  })
})

describe('withdrawals', () => {
  test('are found by metadata, amount, destination, end-to-end id and transaction', async () => {
    const [tenant, other] = [await finding.base.openTenant(), await finding.base.openTenant()]
    for (const each of [tenant, other]) await finding.base.fund(each, 100_000n)
    const withdraw = async (of: Tenant, more: Row) => {
      const answer = await finding.api.ask('POST', '/v1/withdrawals', {
        key: of.key,
        body: withdrawalBody(more),
      })
      assert.equal(answer.status, 201, answer.text)
      return String(answer.body['id'])
    }
    const mail = await withdraw(tenant, { metadata: { invoice: 77 } })
    await finding.ready(tenant, 'invoice')
    const phone = await withdraw(tenant, {
      amount: 250,
      pixKey: '+5511987654321',
      pixKeyType: 'PHONE',
      metadata: { invoice: '77' },
    })
    const person = await withdraw(tenant, { amount: 250, pixKey: '529.982.247-25', pixKeyType: 'CPF' })
    await withdraw(other, { amount: 250, metadata: { invoice: '77' } })
    const find = (query: Readonly<Record<string, string>>) => finding.idsOf(tenant, query, '/v1/withdrawals')
    assert.deepEqual(await find({ 'metadata[invoice]': '77' }), [phone, mail])
    assert.deepEqual(await find({ 'metadata[invoice]': '77', amount: '250' }), [phone])
    assert.deepEqual(await find({ amount: '250' }), [person, phone])
    assert.deepEqual(await find({ amount: '250', limit: '1' }), [person, phone])
    assert.deepEqual(await find({ amount: '250', status: 'PENDING', currency: 'BRL', type: 'PIX' }), [
      person,
      phone,
    ])
    assert.deepEqual(await find({ amount: '250', status: 'FAILED' }), [])
    assert.deepEqual(await find({ pixKey: 'ANA@example.com' }), [mail])
    assert.deepEqual(await find({ pixKey: '(11) 98765-4321' }), [phone])
    assert.deepEqual(await find({ pixKey: '52998224725' }), [person])
    assert.deepEqual(await find({ pixKey: 'bia@example.com' }), [])
    const address = '0x52908400098527886E0F7030069857D2E4169EE7'
    assert.deepEqual(await find({ cryptoAddress: address.toLowerCase().replace('0x', '0x') }), [])
    const txHash = `0x${'ab'.repeat(32)}`
    await finding.base.sql`update withdrawal set end_to_end_id = 'E123' where id in (${mail}, ${phone})`
    await finding.base.sql`
      update withdrawal set tx_hash = ${txHash}, destination = ${JSON.stringify({ text: address })}::text::json where id = ${person}`
    assert.deepEqual(await find({ endToEndId: 'E123' }), [phone, mail])
    assert.deepEqual(await find({ endToEndId: 'e123' }), [])
    assert.deepEqual(await find({ txHash: txHash.toUpperCase().replace('0X', '0x') }), [person])
    assert.deepEqual(await find({ cryptoAddress: address.toLowerCase() }), [person])
    assert.deepEqual(await find({ txHash, amount: '100' }), [])
    await finding.base.sql`
      update withdrawal set destination = ${JSON.stringify({ text: 'DE89370400440532013000' })}::text::json where id = ${mail}`
    assert.deepEqual(await find({ iban: 'de89 3704 0044 0532 0130 00' }), [mail])
    assert.deepEqual(await find({ iban: 'PT50000201231234567890154' }), [])
    const bad = async (query: Readonly<Record<string, string>>) =>
      (await finding.refused(tenant, query, '/v1/withdrawals')).slice(0, 2)
    assert.deepEqual(await bad({ pixKey: 'ana' }), [400, '/pixKey'])
    assert.deepEqual(await bad({ cryptoAddress: '0x12' }), [400, '/cryptoAddress'])
    assert.deepEqual(await bad({ iban: 'DE88370400440532013000' }), [400, '/iban'])
    assert.deepEqual(await bad({ 'metadata[orderId]': 'x' }), [400, '/metadata'])
  })
})
