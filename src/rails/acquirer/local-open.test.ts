// Local methods: what is asked of the provider, which answers open an attempt, and how one ends. The clients answer as the tests say.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import type { AttemptId, ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { addMs, dayMs, hourMs, minuteMs, testClock } from '#/kernel/time.ts'
import type { Method } from '#/rails/method.ts'
import { pageOf, type Opening } from '#/rails/rail.ts'
import { openingOf } from '../../../test/rails/acquirer/acquirer.ts'
import { cardError, openAt } from '../../../test/rails/acquirer/client.ts'
import { payer } from '../../../test/rails/acquirer/local.ts'
import { attemptId, intent, refundId } from '../../../test/rails/acquirer/objects.ts'
import { bookOf, merchantId } from '../../../test/rails/rail.ts'
import { boletoLineOf, isBoletoBarcode } from './boleto-line.ts'
import type { CardClient, Form } from './client.ts'
import { NonsenseError } from './fields.ts'
import { openIntent } from './local-open.ts'
import { createLocalRails } from './local-rail.ts'
import { ideal } from './methods/ideal.ts'
import { parseIntent } from './wire.ts'

/** The attempt's id is of this moment. */
const madeAt = new Date(0x0199_c1a2_0000)

function railOf(method: Method, answers: Partial<CardClient>) {
  const rails = createLocalRails({
    connections: bookOf([]),
    open: openAt(answers),
    clock: testClock(madeAt),
    log: silentLog,
  })
  return must(
    rails.find((rail) => rail.method === method),
    method,
  )
}
const pageAt = (method: Method, answers: Partial<CardClient>) =>
  must(pageOf(railOf(method, answers)), 'it opens with the page')

const opening = (method: Method, more: Partial<Opening> = {}) =>
  openingOf('00-c' as ConnectionId, {
    id: attemptId as AttemptId,
    method,
    amount: { minor: 1990n, currency: method === 'BOLETO' ? 'BRL' : 'EUR' },
    expiresAt: addMs(madeAt, hourMs),
    ...payer,
    ...more,
  })

const answerOf = (more: object) => ({
  value: must(parseIntent(intent({ latest_charge: null, amount_received: 0, ...more })), 'ours'),
  raw: Buffer.from('{}'),
})
const types: Readonly<Partial<Record<Method, string>>> = {
  IDEAL: 'ideal',
  BOLETO: 'boleto',
  MB_WAY: 'mb_way',
  MULTIBANCO: 'multibanco',
}
const waiting = (method: Method, more: object) =>
  answerOf({
    status: 'requires_action',
    payment_method_types: [types[method]],
    currency: method === 'BOLETO' ? 'brl' : 'eur',
    ...more,
  })

const redirect = (url: unknown) => ({ next_action: { redirect_to_url: { url } } })
const boleto = (number: string, more: object = {}) => ({
  next_action: { boleto_display_details: { number, ...more } },
})
const multibanco = (more: object = {}) => ({
  amount: 43_211,
  next_action: { multibanco_display_details: { entity: '90150', reference: '123123451', ...more } },
})

/** Opens with an answer of the provider; `canceled`: whether the intent was canceled then. */
async function openedAs(method: Method, answer: object, more: Partial<Opening> = {}) {
  const canceled: string[] = []
  const opened = await pageAt(method, {
    createIntent: async () => waiting(method, answer),
    cancelIntent: async (id) => {
      canceled.push(id)
      throw cardError('unknown')
    },
  }).open(opening(method, more))
  return { opened, canceled: canceled.length > 0, artifacts: opened.ok ? opened.artifacts : undefined }
}

test('an intent is opened when it is of the attempt, its amount, its type and the connection’s mode', async () => {
  const page = redirect('https://bank.example')
  const { artifacts } = await openedAs('IDEAL', page)
  assert.equal(artifacts?.['url'], 'https://bank.example')
  assert.equal(artifacts['expiresAt'], addMs(madeAt, hourMs).toISOString())
  for (const more of [
    { livemode: true },
    { metadata: { attempt_id: refundId } },
    { amount: 1991 },
    { currency: 'usd' },
    redirect('ftp://bank.example'),
    { next_action: null },
    boleto('1'),
  ])
    await assert.rejects(openedAs('IDEAL', { ...page, ...more }), NonsenseError, JSON.stringify(more))
  const other = await openedAs('IDEAL', { ...page, payment_method_types: ['card'] })
  assert.deepEqual(
    [!other.opened.ok && other.opened.code, other.canceled],
    ['refused_by_provider', true],
    'an account without the method: nobody can pay the intent, also if it cannot be canceled now',
  )
})

test('an intent that is over has nothing to show', async () => {
  for (const status of ['canceled', 'requires_payment_method'])
    for (const method of ['IDEAL', 'BOLETO'] as const) {
      const { artifacts } = await openedAs(method, { status, next_action: null })
      assert.deepEqual(artifacts, { intentId: 'pi_3Q0PsIJvEtkwdCNY1' }, `${method} ${status}`)
    }
  const paid = await openedAs('BOLETO', { status: 'succeeded', amount_received: 1990, next_action: null })
  assert.deepEqual(paid.artifacts, { intentId: 'pi_3Q0PsIJvEtkwdCNY1' })
})

test('on a phone, the last three digits of its number are kept, and whether it was asked again', async () => {
  const id = { intentId: 'pi_3Q0PsIJvEtkwdCNY1', phoneEnd: '678' }
  assert.deepEqual((await openedAs('MB_WAY', {})).artifacts, id)
  assert.deepEqual((await openedAs('MB_WAY', {}, { presentation: 'HOSTED' })).artifacts, {
    ...id,
    isAgain: true,
  })
})

test('of an account that is debited, the last four digits are kept; its number and the mandate go to the provider', async () => {
  const forms: Form[] = []
  const createIntent: CardClient['createIntent'] = async (form) => {
    forms.push(form)
    return answerOf({ status: 'processing', payment_method_types: ['debit'] })
  }
  const debit = { ...ideal, type: 'debit', needs: ['iban'], flow: 'DEBIT' } as const
  const mandate = { acceptedAt: '2026-11-13T08:00:00.900Z', ip: '192.0.2.1', userAgent: 'a browser' }
  const account = { customerIban: 'PT50000201231234567890154', mandate }
  const opened = await openIntent(openAt({ createIntent }), debit, opening('IDEAL', account))
  assert.deepEqual(opened, { ok: true, artifacts: { intentId: 'pi_3Q0PsIJvEtkwdCNY1', ibanEnd: '0154' } })
  assert.equal(forms[0]?.['payment_method_data[debit][iban]'], account.customerIban)
  assert.equal(forms[0]['mandate_data[customer_acceptance][accepted_at]'], '1794556800')
})

test('a voucher of Multibanco has entity and reference of its amount, and its end where the provider says it', async () => {
  const amount = { amount: { minor: 43_211n, currency: 'EUR' } } as const
  const voucher = { entity: '90150', reference: '123123451' }
  const spaced = await openedAs('MULTIBANCO', multibanco({ reference: '123 123 451' }), amount)
  assert.deepEqual(spaced.artifacts, { intentId: 'pi_3Q0PsIJvEtkwdCNY1', voucher })
  const ending = await openedAs('MULTIBANCO', multibanco({ expires_at: 1794556800 }), amount)
  assert.equal(ending.artifacts?.['expiresAt'], '2026-11-13T08:00:00.000Z')
  for (const more of [{ reference: '123123452' }, { entity: null }, { reference: null }]) {
    const { opened, canceled } = await openedAs('MULTIBANCO', multibanco(more), amount)
    assert.deepEqual([!opened.ok && opened.code, canceled], ['voucher_malformed', true], JSON.stringify(more))
  }
})

/** A line for 19.90, due so many days after 2025-02-21, with its check digits. */
function lineOf(days: number): string {
  const content = `${String(days + 999).padStart(4, '0')}${'1990'.padStart(10, '0')}0000001149718601685245221`
  const codes = Array.from({ length: 10 }, (_, digit) => `0019${digit}${content}`)
  return boletoLineOf(must(codes.find(isBoletoBarcode), 'one digit checks'))
}

test('a boleto may have been due on the day before it was made, by the days of Brazil, and no earlier', async () => {
  // The attempt was made in the morning of 2025-10-08, which is 229 days after 2025-02-21.
  assert.equal(
    madeAt.toISOString().slice(0, 10),
    addMs(new Date('2025-02-21T00:00:00Z'), 229 * dayMs)
      .toISOString()
      .slice(0, 10),
  )
  for (const [days, isShown] of [
    [260, true],
    [229, true],
    [228, true],
    [227, false],
    [226, false],
  ] as const) {
    const { opened, canceled } = await openedAs('BOLETO', boleto(lineOf(days)))
    assert.deepEqual([opened.ok, canceled], [isShown, !isShown], `due ${days - 229} days later`)
  }
})

test('a boleto has its line, its bar code, and a PDF only at an address of the web', async () => {
  const line = lineOf(240)
  const of = async (pdf: unknown) => (await openedAs('BOLETO', boleto(line, { pdf }))).artifacts?.['voucher']
  const barcodeOf = (voucher: unknown) => (voucher as { readonly barcode: string }).barcode
  const plain = await of(null)
  assert.ok(isBoletoBarcode(barcodeOf(plain)))
  assert.deepEqual(plain, { line, barcode: barcodeOf(plain) })
  assert.deepEqual(await of('https://pay.example/1'), {
    ...(plain as object),
    pdfUrl: 'https://pay.example/1',
  })
  assert.deepEqual(await of('javascript:alert(1)'), plain)
})

test('a boleto is asked for whole days, from one to sixty', async () => {
  const forms: Form[] = []
  const asked = async (leftMs: number) => {
    const { open } = pageAt('BOLETO', {
      createIntent: async (form) => {
        forms.push(form)
        return waiting('BOLETO', boleto(lineOf(240)))
      },
    })
    await open(opening('BOLETO', { expiresAt: addMs(madeAt, leftMs) }))
    return forms.at(-1)?.['payment_method_options[boleto][expires_after_days]']
  }
  for (const [leftMs, days] of [
    [-dayMs, '1'],
    [dayMs, '1'],
    [dayMs + 1, '2'],
    [60 * dayMs, '60'],
    [61 * dayMs, '60'],
  ] as const)
    assert.equal(await asked(leftMs), days, `${leftMs} ms`)
})

test('an intent of an earlier call is looked up from five minutes before the attempt', async () => {
  const since: Date[] = []
  const { open } = pageAt('MB_WAY', {
    createIntent: () => Promise.reject(cardError('refused', { type: 'idempotency_error' })),
    findIntent: async (_attempt, from) => {
      since.push(from)
      return waiting('MB_WAY', {})
    },
  })
  assert.equal((await open(opening('MB_WAY'))).ok, true)
  assert.deepEqual(since, [addMs(madeAt, -5 * minuteMs)])
})

test('what the provider refuses is of the payer, of the amount, or of neither; any other error is that of the call', async () => {
  const after = async (error: Error) => {
    const { open } = pageAt('BOLETO', { createIntent: () => Promise.reject(error) })
    const answer = await open(opening('BOLETO'))
    return answer.ok ? 'opened' : answer.code
  }
  for (const [fault, code] of [
    [{ code: 'amount_too_small' }, 'amount_too_small'],
    [{ code: 'tax_id_invalid' }, 'payer_refused'],
    [{ param: 'payment_method_data[billing_details][email]' }, 'payer_refused'],
    // The type of the method is ours.
    [{ param: 'payment_method_data[type]' }, 'refused_by_provider'],
    [{ param: 'amount' }, 'refused_by_provider'],
    [{}, 'refused_by_provider'],
  ] as const)
    assert.equal(await after(cardError('refused', fault)), code, JSON.stringify(fault))
  for (const error of [cardError('unknown'), new ProviderError('refused', 'no'), new Error('a bug')])
    assert.equal(await after(error).catch((thrown: unknown) => thrown), error)
})

const { id, paymentId, connection } = opening('IDEAL')
const attemptOf = (method: Method, artifacts: object = {}) => ({
  id,
  merchantId,
  paymentId,
  method,
  connection,
  amount: { minor: 1990n, currency: 'EUR' } as const,
  artifacts: { intentId: 'pi_1', ...artifacts },
})

test('an attempt is over when its intent is paid, canceled or failed; on a phone a first failure stays shown', async () => {
  const isOver = async (method: Method, status: string, artifacts = {}) => {
    const received = status === 'succeeded' ? { amount_received: 1990 } : {}
    const { check } = pageAt(method, { getIntent: async () => answerOf({ status, ...received }) })
    return (await check(attemptOf(method, artifacts))).isOver
  }
  for (const [status, redirected, onPhone, onPhoneAgain] of [
    ['succeeded', true, true, true],
    ['canceled', true, true, true],
    ['requires_payment_method', true, false, true],
    ['requires_action', false, false, false],
    ['processing', false, false, false],
  ] as const)
    assert.deepEqual(
      [
        await isOver('IDEAL', status),
        await isOver('MB_WAY', status),
        await isOver('MB_WAY', status, { isAgain: true }),
      ],
      [redirected, onPhone, onPhoneAgain],
      status,
    )
  for (const found of [undefined, answerOf({ metadata: { attempt_id: refundId } })]) {
    const { check } = pageAt('IDEAL', { getIntent: async () => found })
    await assert.rejects(check(attemptOf('IDEAL')), NonsenseError)
  }
})

test('an intent that cannot be canceled was paid or is being paid, or the refusal is real', async () => {
  const cancel = async (error: Error | undefined, status?: string) => {
    const calls: string[] = []
    const { cancel: end } = pageAt('IDEAL', {
      cancelIntent: async () => {
        calls.push('cancel')
        if (error !== undefined) throw error
        return undefined
      },
      getIntent: async () => {
        calls.push('get')
        return status === undefined ? undefined : answerOf({ status, amount_received: 1990 })
      },
    })
    const thrown = await end(attemptOf('IDEAL')).then(
      () => undefined,
      (each: unknown) => each,
    )
    return [calls.join(), thrown]
  }
  const refused = cardError('refused')
  assert.deepEqual(await cancel(undefined), ['cancel', undefined])
  for (const status of ['succeeded', 'canceled', 'processing'])
    assert.deepEqual(await cancel(refused, status), ['cancel,get', undefined], status)
  for (const status of ['requires_action', undefined])
    assert.deepEqual(await cancel(refused, status), ['cancel,get', refused], String(status))
  for (const error of [cardError('unknown'), new ProviderError('refused', 'no')])
    assert.deepEqual(await cancel(error, 'succeeded'), ['cancel', error])
})

test('a record shows the latest voucher, with its end', () => {
  const { record } = railOf('MULTIBANCO', {})
  assert.ok(record?.from === 'ATTEMPTS')
  const show = (...artifacts: readonly object[]) =>
    record.show(
      artifacts.map((each) => ({ ...attemptOf('MULTIBANCO', each), paidRefs: [] })),
      'brief',
    )
  const [first, second] = [
    { voucher: { reference: '1' } },
    { voucher: { reference: '2' }, expiresAt: 'then' },
  ]
  assert.deepEqual(show(first, second, {}), { voucher: { reference: '2', expiresAt: 'then' } })
  assert.deepEqual(show(second, first), first)
  for (const voucher of [undefined, null, 'text']) assert.deepEqual(show({ voucher }), {}, String(voucher))
})
