// Local methods at the sandbox's acquirer, over its real wire. The official client library says what the requests are.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Stripe } from 'stripe'
import { must } from '#/kernel/check.ts'
import { newId, type AttemptId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { addMs, dayMs, systemClock } from '#/kernel/time.ts'
import type { Method } from '#/rails/method.ts'
import { pageOf } from '#/rails/rail.ts'
import { eventually } from '../../../test/eventually.ts'
import { openForTests } from '../../../test/open-for-tests.ts'
import {
  connectionOf,
  openingOf,
  outcomes,
  startTestAcquirer,
} from '../../../test/rails/acquirer/acquirer.ts'
import { brazil, europe, payer, railsOf, shopIn } from '../../../test/rails/acquirer/local.ts'
import { attemptId, intent } from '../../../test/rails/acquirer/objects.ts'
import { startTestProvider } from '../../../test/rails/provider.ts'
import { merchantId } from '../../../test/rails/rail.ts'
import { readBoletoLine } from './boleto-line.ts'
import { localMethods } from './methods/all.ts'
import { acquirerModule } from './module.ts'
import { isMultibancoReference } from './multibanco-reference.ts'

const acquirer = openForTests(startTestAcquirer)

/** What the official client sends for the same payment, typed by its own types. */
const official: Readonly<Partial<Record<Method, Stripe.PaymentIntentCreateParams>>> = {
  MULTIBANCO: of('multibanco', { billing_details: { email: payer.customerEmail } }),
  MB_WAY: of('mb_way', { billing_details: { phone: payer.customerPhone } }),
  IDEAL: { ...of('ideal', {}), return_url: 'http://localhost:4001/c/token' },
  BANCONTACT: {
    ...of('bancontact', { billing_details: { name: payer.customerName } }),
    return_url: 'http://localhost:4001/c/token',
  },
  BIZUM: { ...of('bizum', {}), return_url: 'http://localhost:4001/c/token' },
  BOLETO: {
    ...of('boleto', {
      boleto: { tax_id: payer.customerTaxId },
      billing_details: {
        name: payer.customerName,
        email: payer.customerEmail,
        address: {
          line1: 'Rua das Flores, 10',
          line2: 'Centro',
          city: 'São Paulo',
          state: 'SP',
          postal_code: '01310-100',
          country: 'BR',
        },
      },
    }),
    currency: 'brl',
    payment_method_options: { boleto: { expires_after_days: 3 } },
  },
}

function of(
  type: 'multibanco' | 'mb_way' | 'ideal' | 'bancontact' | 'bizum' | 'boleto',
  data: Omit<Stripe.PaymentIntentCreateParams.PaymentMethodData, 'type'>,
): Stripe.PaymentIntentCreateParams {
  return {
    amount: 43_211,
    currency: 'eur',
    confirm: true,
    allowed_payment_method_types: [type],
    payment_method_data: { type, ...data },
    expand: ['latest_charge'],
  }
}

test('each request is what the official client library sends', async (t) => {
  const forms: string[][] = []
  const provider = await startTestProvider(({ body }) => {
    const pairs = [...new URLSearchParams(body.toString())]
    forms.push(
      pairs
        .filter(([name]) => !name.startsWith('metadata'))
        .map((pair) => pair.join('='))
        .toSorted(),
    )
    return { status: 402, body: { error: { type: 'card_error', code: 'none', message: 'no' } } }
  })
  t.after(provider.stop)
  const { hostname, port } = new URL(provider.url)
  const stripe = new Stripe('sk_test_1', { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 })
  const connection = connectionOf(
    { apiUrl: provider.url, publishableKey: 'pk_test_1', ...europe },
    { secretKey: 'sk_test_1' },
  )
  const rails = railsOf(t, [connection])
  for (const [method, params] of Object.entries(official) as [Method, Stripe.PaymentIntentCreateParams][]) {
    const amount = { minor: 43_211n, currency: method === 'BOLETO' ? 'BRL' : 'EUR' } as const
    const expiresAt = addMs(systemClock.now(), 3 * dayMs - 60_000)
    await must(pageOf(rails.get(method)), method).open(
      openingOf(connection.id, { method, amount, expiresAt, ...payer }),
    )
    await assert.rejects(stripe.paymentIntents.create(params))
    assert.deepEqual(forms.at(-2), forms.at(-1), method)
  }
  assert.equal(forms.length, 12)
})

suite('what the payer gets', () => {
  test('Multibanco: entity and reference that check, until the money arrives', async (t) => {
    const shop = await shopIn(acquirer, t, europe)
    const attempt = await shop.opened('MULTIBANCO')
    const shown = shop.present(attempt)
    assert.ok(shown.kind === 'VOUCHER')
    const { entity, reference } = shown.voucher
    assert.ok(isMultibancoReference(String(entity), String(reference), 43_211n))
    const record = must(shop.railOf('MULTIBANCO').record, 'it has a record')
    assert.ok(record.from === 'ATTEMPTS')
    const { voucher } = record.show([{ ...attempt, paidRefs: [] }], 'brief')
    assert.deepEqual({ ...(voucher as object), expiresAt: '' }, { entity, reference, expiresAt: '' })
    await shop.act(attempt, 'slow')
    assert.deepEqual(await shop.check(attempt), { receipts: [], isOver: false })
    await shop.act(attempt, 'arrive')
    const { receipts, isOver } = await shop.check(attempt)
    assert.deepEqual(
      [outcomes(receipts), receipts[0]?.method, receipts[0]?.amount.minor, isOver],
      [['paid'], 'MULTIBANCO', 43_211n, true],
    )
  })

  test('a boleto: a line for the amount, its bar code, and a PDF', async (t) => {
    const shop = await shopIn(acquirer, t, brazil)
    const shown = shop.present(await shop.opened('BOLETO'))
    assert.ok(shown.kind === 'VOUCHER')
    const read = readBoletoLine(String(shown.voucher.line))
    assert.deepEqual([read?.barcode, read?.amountMinor], [shown.voucher.barcode, 43_211n])
    const pdf = await fetch(String(shown.voucher.pdfUrl))
    assert.match(await pdf.text(), /^%PDF/)
  })

  test('a voucher whose check digits do not hold is shown to nobody, and canceled', async (t) => {
    await acquirer.control('vouchers', { spoiled: true })
    t.after(() => acquirer.control('vouchers', { spoiled: false }))
    for (const [place, method] of [
      [europe, 'MULTIBANCO'],
      [brazil, 'BOLETO'],
    ] as const) {
      const shop = await shopIn(acquirer, t, place)
      const answer = await shop.refused(method)
      assert.deepEqual([answer.ok, !answer.ok && answer.code], [false, 'voucher_malformed'])
      const last = (await acquirer.state())['paymentIntents']?.at(-1)
      assert.equal(last?.['status'], 'canceled', method)
    }
  })

  test('a redirect: the bank’s page; a payer who breaks off ends the attempt', async (t) => {
    const shop = await shopIn(acquirer, t, europe)
    for (const method of ['IDEAL', 'BANCONTACT', 'BIZUM'] as const) {
      const attempt = await shop.opened(method)
      const shown = shop.present(attempt)
      assert.ok(shown.kind === 'HOSTED')
      const form = { method: 'POST', body: new URLSearchParams({ act: 'decline' }) }
      assert.match(await (await fetch(shown.url, form)).text(), /Back to the shop/)
      const { receipts, isOver } = await shop.check(attempt)
      assert.deepEqual([outcomes(receipts), isOver], [['declined'], true])
      assert.equal(receipts[0]?.failure?.code, 'not_confirmed')
      const again = await shop.opened(method)
      await shop.act(again, 'approve')
      assert.deepEqual(outcomes((await shop.check(again)).receipts), ['paid'])
    }
  })

  test('who is told days later: the payer has paid, and the attempt waits until the money came; else it is paid at once', async (t) => {
    // Its money comes later than a busy machine reads it.
    const slow = await startTestAcquirer(1)
    t.after(() => slow.stop())
    const [euros, reais] = [await shopIn(slow, t, europe), await shopIn(slow, t, brazil)]
    for (const { method, currency, isDelayed } of localMethods) {
      const shop = currency === 'BRL' ? reais : euros
      const attempt = await shop.opened(method)
      await shop.act(attempt, 'approve')
      const { receipts, isOver } = await shop.check(attempt)
      assert.deepEqual([outcomes(receipts), isOver], isDelayed ? [[], false] : [['paid'], true], method)
    }
  })

  test('MB WAY: the end of the phone; after a refusal it stays shown, and is sent again once asked', async (t) => {
    const shop = await shopIn(acquirer, t, europe)
    const attempt = await shop.opened('MB_WAY')
    assert.deepEqual(shop.present(attempt), { kind: 'PUSH', phoneEnd: '678' })
    await shop.act(attempt, 'decline')
    assert.equal((await shop.check(attempt)).isOver, false)
    const again = await shop.opened('MB_WAY', { presentation: 'HOSTED' })
    await shop.act(again, 'decline')
    assert.equal((await shop.check(again)).isOver, true)
  })
})

test('a boleto that was due before it was made is shown to nobody, and canceled; one without a date, or due later, is shown', async (t) => {
  let line = ''
  let amount = 102_656
  const provider = await startTestProvider(() => {
    const next = { type: 'boleto_display_details', boleto_display_details: { number: line } }
    const made = { amount, amount_received: 0, currency: 'brl', latest_charge: null }
    const status = 'requires_action'
    return {
      status: 200,
      body: intent({ ...made, status, next_action: next, payment_method_types: ['boleto'] }),
    }
  })
  t.after(provider.stop)
  const connection = connectionOf(
    { apiUrl: provider.url, publishableKey: 'pk_test_1', ...brazil },
    { secretKey: 'sk_test_1' },
  )
  const { open } = must(pageOf(railsOf(t, [connection]).get('BOLETO')), 'it opens with the page')
  /** Opens an attempt of 2025-10-08. */
  const openWith = async (given: string) => {
    line = given
    const answer = await open(
      openingOf(connection.id, {
        id: attemptId as AttemptId,
        method: 'BOLETO',
        amount: { minor: BigInt(amount), currency: 'BRL' },
        ...payer,
      }),
    )
    return answer.ok ? 'shown' : answer.code
  }
  // Published lines: due on 2025-02-22 and 2018-07-15, on no day, and on 2036-02-05.
  for (const [given, said] of [
    ['00190000090114971860168524522114210000000102656', 'voucher_malformed'],
    ['00190000090114971860168524522114675860000102656', 'voucher_malformed'],
    ['00190000090114971860168524522114100000000102656', 'shown'],
    ['00190000090114971860168524522114350000000102656', 'shown'],
  ] as const) {
    assert.equal(await openWith(given), said, given)
    const wasCanceled = provider.calls.at(-1)?.path.endsWith('/cancel')
    assert.equal(wasCanceled, said !== 'shown')
  }
  // The same line for another amount: the intent says what it is for, and the line must too.
  amount = 102_657
  assert.equal(await openWith('00190000090114971860168524522114100000000102656'), 'voucher_malformed')
})

test('the same attempt opened twice is one payment, also when the key keeps a failure', async (t) => {
  const shop = await shopIn(acquirer, t, europe)
  const id = newId<'attempt'>()
  const [first, second] = [await shop.opened('MULTIBANCO', { id }), await shop.opened('MULTIBANCO', { id })]
  assert.deepEqual(first.artifacts, second.artifacts)
})

test('an unpaid attempt is canceled; one whose money is on its way is left alone', async (t) => {
  const shop = await shopIn(acquirer, t, europe)
  const unpaid = await shop.opened('MULTIBANCO')
  await shop.cancel(unpaid)
  assert.equal((await shop.check(unpaid)).isOver, true)
  const underWay = await shop.opened('MULTIBANCO')
  await shop.act(underWay, 'slow')
  await shop.cancel(underWay)
  await shop.act(underWay, 'arrive')
  assert.deepEqual(outcomes((await shop.check(underWay)).receipts), ['paid'])
})

test('only what the account has enabled is offered, in its currency, and boleto in Brazil alone', async (t) => {
  const [portugal, rio] = [
    await shopIn(acquirer, t, { ...europe, methods: ['IDEAL'] }),
    await shopIn(acquirer, t, brazil),
  ]
  const rails = railsOf(t, [portugal.connection, rio.connection])
  const route = (method: Method, currency: string) =>
    must(rails.get(method), method).route({ mode: 'SANDBOX', merchantId, currency, amountMinor: 5_000n })
  assert.deepEqual(route('IDEAL', 'EUR'), { ok: true, connection: portugal.connection.id, currency: 'EUR' })
  assert.deepEqual(route('BOLETO', 'BRL'), { ok: true, connection: rio.connection.id, currency: 'BRL' })
  const codeOf = (method: Method, currency: string) => {
    const routing = route(method, currency)
    return !routing.ok && routing.code
  }
  assert.equal(codeOf('MULTIBANCO', 'EUR'), 'method_not_available')
  assert.equal(codeOf('IDEAL', 'BRL'), 'currency_not_supported')
  assert.equal(codeOf('BOLETO', 'EUR'), 'currency_not_supported')
})

test('a method that the connection names and the account lacks is refused, and the probe says so', async (t) => {
  const shop = await shopIn(acquirer, t, europe, ['ideal'])
  const answer = await shop.refused('MULTIBANCO')
  assert.deepEqual([answer.ok, !answer.ok && answer.code], [false, 'refused_by_provider'])
  const [type] = acquirerModule.connections
  const deps = { clock: systemClock, log: silentLog }
  const probes = await must(type, 'a type').probe(deps, shop.connection)
  const found = probes.find(({ what }) => what === 'local methods')
  assert.equal(found?.ok, false)
  assert.match(found.said, /has not enabled MULTIBANCO, MB_WAY, BANCONTACT, BIZUM/)
})

test('a connection in the wrong country, or without the currency, is a fault', () => {
  const [type] = acquirerModule.connections
  const faultsOf = (settings: object) =>
    must(type, 'a type')
      .faults({
        provider: 'stripe',
        settings: { publishableKey: 'pk_test_1', currencies: ['EUR'], ...settings },
        secrets: { secretKey: 'sk_test_1' },
      })
      .map(({ pointer }) => pointer)
  assert.deepEqual(faultsOf({ country: 'PT', methods: ['MB_WAY'] }), [])
  assert.deepEqual(faultsOf({ methods: ['MB_WAY'] }), ['/settings/country'])
  assert.deepEqual(faultsOf({ country: 'PT', methods: ['BOLETO'] }), ['/settings/methods/0'])
  assert.deepEqual(faultsOf({ country: 'BR', methods: ['MB_WAY'] }), ['/settings/methods/0'])
  assert.deepEqual(faultsOf({ country: 'BR', methods: ['BOLETO'] }), ['/settings/methods/0'])
  assert.deepEqual(faultsOf({ country: 'PT', methods: ['PIX'] }), ['/settings/methods/0'])
})

test('a part is refunded, a boleto is not, and the scan of events finds what was paid', async (t) => {
  const shop = await shopIn(acquirer, t, europe)
  const attempt = await shop.opened('IDEAL')
  await shop.act(attempt, 'approve')
  const [paid] = (await shop.check(attempt)).receipts
  const order = {
    id: newId<'refund'>(),
    attempt,
    connection: attempt.connection,
    paidRef: String(paid?.providerRef),
    amount: { minor: 1_000n, currency: 'EUR' },
  } as const
  const refunds = must(shop.railOf('IDEAL').refunds, 'iDEAL gives back')
  const [refunded] = await refunds.send(order, false)
  assert.deepEqual(
    [refunded?.outcome, refunded?.method, refunded?.amount.minor],
    ['refunded', 'IDEAL', 1_000n],
  )
  assert.equal(shop.railOf('BOLETO').refunds, undefined)
  const list = must(shop.railOf('CREDIT_CARD').list, 'the account is scanned once')
  const now = systemClock.now()
  await eventually('the scan has it', async () => {
    const found: string[] = []
    for await (const page of list(attempt.connection, { from: addMs(now, -60_000), to: addMs(now, 60_000) }))
      found.push(...page.map(({ method, outcome }) => `${method} ${outcome}`))
    return found.includes('IDEAL paid') && found.includes('IDEAL refunded')
  })
})
