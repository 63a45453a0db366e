// What is asked of the provider for a card payment, and which of its answers open one. The clients answer as the tests say.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import type { AttemptId, ConnectionId } from '#/kernel/id.ts'
import { addMs, dayMs, hourMs, minuteMs, testClock } from '#/kernel/time.ts'
import type { Opening } from '#/rails/rail.ts'
import { openingOf } from '../../../test/rails/acquirer/acquirer.ts'
import { cardError, openAt } from '../../../test/rails/acquirer/client.ts'
import { attemptId, refundId, session } from '../../../test/rails/acquirer/objects.ts'
import type { CardClient, Form } from './client.ts'
import { NonsenseError } from './fields.ts'
import { madeAtOf, openSession } from './open.ts'
import { parseSession } from './wire.ts'

/** An attempt's id is a UUID of version 7: its first 48 bits are the milliseconds since 1970. */
const madeAt = new Date(0x0199_c1a2_0000)
const opening = (more: Partial<Opening> = {}) =>
  openingOf('00-c' as ConnectionId, {
    id: attemptId as AttemptId,
    expiresAt: addMs(madeAt, 2 * hourMs),
    ...more,
  })
type Json = Readonly<Record<string, unknown>>
const answerOf = (more: Json = {}) => ({
  value: must(parseSession(session(more)), 'ours'),
  raw: Buffer.from('{}'),
})
const clock = testClock(madeAt)

/** Opens with a client that answers so, and returns what came of it. */
const openedBy = (answers: Partial<CardClient>, what = opening(), at = clock) =>
  openSession({ open: openAt(answers), clock: at }, what)
const openedAs = (more: Json) => openedBy({ createSession: async () => answerOf(more) })

/** The form that is sent for this opening. */
async function formOf(more: Partial<Opening>, settings = {}, at = clock): Promise<Form> {
  const forms: Form[] = []
  const createSession: CardClient['createSession'] = async (form) => {
    forms.push(form)
    return answerOf()
  }
  await openSession({ open: openAt({ createSession }, { settings }), clock: at }, opening(more))
  return must(forms[0], 'a form')
}

test('an attempt was made when its id says', () => {
  assert.deepEqual(madeAtOf({ id: attemptId as AttemptId }), madeAt)
  const late = 'fedcba98-7654-7000-8000-000000000001' as AttemptId
  assert.deepEqual(madeAtOf({ id: late }), new Date(0xfedc_ba98_7654))
})

test('a session ends with its payment, but no sooner than in 31 minutes and no later than a day after the attempt was made', async () => {
  const at = addMs(madeAt, 7 * minuteMs)
  const earliest = addMs(at, 31 * minuteMs)
  // Calls within ten minutes ask for the same end.
  const slot = new Date(Math.ceil(earliest.getTime() / (10 * minuteMs)) * 10 * minuteMs)
  const latest = addMs(madeAt, dayMs - minuteMs)
  for (const [expiresAt, end] of [
    [addMs(madeAt, 2 * hourMs), addMs(madeAt, 2 * hourMs)],
    [earliest, earliest],
    [addMs(earliest, -1), slot],
    [addMs(madeAt, -hourMs), slot],
    [latest, latest],
    [addMs(latest, 1_000), latest],
    [addMs(madeAt, 3 * dayMs), latest],
  ] as const) {
    const { expires_at } = await formOf({ expiresAt }, {}, testClock(at))
    assert.equal(Number(expires_at), Math.floor(end.getTime() / 1_000), expiresAt.toISOString())
  }
})

test('the page is named by the description, cut to what the provider takes, or by the payer’s language', async () => {
  for (const [more, label] of [
    [{ description: ' Order 7 ' }, 'Order 7'],
    [{ description: 'a'.repeat(251) }, 'a'.repeat(250)],
    [{ description: ' ', locale: 'en' }, 'Payment'],
    [{ locale: 'pt-BR' }, 'Pagamento'],
    [{ locale: 'ES' }, 'Pago'],
    [{ locale: 'fr' }, 'Payment'],
    [{}, 'Payment'],
  ] as const)
    assert.equal((await formOf(more))['line_items[0][price_data][product_data][name]'], label)
})

test('the provider’s page shows the payer’s name in the payer’s language, without what would be a link', async () => {
  for (const [customerName, locale, shown] of [
    ['Ana', 'pt-BR', 'Pagador: Ana'],
    ['Ana', 'es', 'Pagador: Ana'],
    ['Ana', 'fr', 'Payer: Ana'],
    ['Ana', undefined, 'Payer: Ana'],
    ['[Ana](x)', 'en', 'Payer: Ana (x)'],
    ['a'.repeat(201), 'en', `Payer: ${'a'.repeat(200)}`],
    [' ', 'en', undefined],
    [undefined, 'en', undefined],
  ] as const) {
    const given = { ...(customerName && { customerName }), ...(locale && { locale }) }
    assert.equal((await formOf(given))['custom_text[submit][message]'], shown, String(customerName))
  }
})

test('the provider’s page has the shop’s name and colours, where they are known', async () => {
  const brandingOf = async (brand: Opening['brand']) =>
    Object.fromEntries(
      Object.entries(await formOf(brand === undefined ? {} : { brand })).filter(([name]) =>
        name.startsWith('branding_settings'),
      ),
    )
  assert.deepEqual(await brandingOf(undefined), {})
  assert.deepEqual(await brandingOf({ name: ' ' }), {})
  assert.deepEqual(await brandingOf({ name: 'a'.repeat(101) }), {
    'branding_settings[display_name]': 'a'.repeat(100),
  })
  assert.deepEqual(await brandingOf({ name: 'Loja da Ana', background: '#171412', button: '#ffcc00' }), {
    'branding_settings[display_name]': 'Loja da Ana',
    'branding_settings[background_color]': '#171412',
    'branding_settings[button_color]': '#ffcc00',
  })
})

test('the page is in the payer’s language where the provider has it, else in that of the browser', async () => {
  for (const [locale, sent] of [
    ['pt-BR', 'pt-BR'],
    ['PT-br', 'pt-BR'],
    ['pt-AO', 'pt'],
    ['es-419', 'es-419'],
    ['xx-BR', 'auto'],
    [undefined, 'auto'],
  ] as const)
    assert.equal((await formOf(locale === undefined ? {} : { locale }))['locale'], sent, String(locale))
})

test('an address is sent where it has the form of one', async () => {
  for (const [customerEmail, isSent] of [
    ['ana@example.com', true],
    ['ana', false],
    ['', false],
    [undefined, false],
  ] as const) {
    const form = await formOf(customerEmail === undefined ? {} : { customerEmail })
    assert.equal(form['customer_email'], isSent ? customerEmail : undefined, String(customerEmail))
  }
})

test('the provider’s own page is opened where the connection or the opening asks for it, and a frame elsewhere', async () => {
  const hosted = { presentation: 'HOSTED' } as const
  for (const [more, settings, mode] of [
    [{}, {}, 'embedded_page'],
    [hosted, {}, 'hosted_page'],
    [{}, { presentation: 'hosted' }, 'hosted_page'],
  ] as const)
    assert.equal((await formOf(more, settings))['ui_mode'], mode)
})

test('a session is opened when it is of the attempt, its amount and the connection’s mode, and can be shown', async () => {
  const shown = await openedAs({})
  assert.equal(shown.ok && shown.artifacts['clientSecret'], 'cs_test_a1b2c3_secret_fid')
  const other = { metadata: { attempt_id: refundId }, client_reference_id: refundId }
  for (const more of [
    { livemode: true },
    other,
    { amount_total: 1991 },
    { currency: 'usd' },
    { client_secret: null, url: null },
  ])
    await assert.rejects(openedAs(more), NonsenseError, JSON.stringify(more))
  const hosted = await openedAs({ client_secret: null, url: 'https://pay.example' })
  assert.deepEqual(hosted.ok && [hosted.artifacts['url'], hosted.artifacts['presentation']], [
    'https://pay.example',
    'HOSTED',
  ])
  // One that is over has nothing to show, and is returned as it is.
  for (const status of ['complete', 'expired'])
    assert.equal((await openedAs({ status, client_secret: null })).ok, true)
})

test('only what the provider refuses is a refusal, in our words; any other error is that of the call', async () => {
  const after = async (error: Error) => {
    const answer = await openedBy({ createSession: () => Promise.reject(error) })
    return answer.ok ? 'opened' : answer.code
  }
  assert.equal(await after(cardError('refused', { code: 'amount_too_small' })), 'amount_too_small')
  assert.equal(await after(cardError('refused', { code: 'amount_too_large' })), 'amount_too_large')
  assert.equal(await after(cardError('refused', { code: 'of_tomorrow' })), 'refused_by_provider')
  assert.equal(await after(cardError('refused')), 'refused_by_provider')
  for (const error of [
    cardError('unknown'),
    cardError('unavailable'),
    new ProviderError('refused', 'no answer of the provider'),
    new Error('a bug'),
  ])
    assert.equal(await after(error).catch((thrown: unknown) => thrown), error)
})

test('without a field that only informs, the session is opened if the provider refuses that field', async () => {
  const tries = async (error: Error, more: Partial<Opening>, field = 'customer_email') => {
    const forms: Form[] = []
    const createSession: CardClient['createSession'] = async (form) => {
      forms.push(form)
      if (forms.length === 1) throw error
      return answerOf()
    }
    await openedBy({ createSession }, opening(more)).catch(() => undefined)
    return forms.map((form) => field in form)
  }
  const about = (param: string) => cardError('refused', { param })
  const payer = { customerEmail: 'ana@example.com' }
  assert.deepEqual(await tries(about('customer_email'), payer), [true, false])
  // It is not about this field, or not about one that was sent, or says nothing of a field.
  assert.deepEqual(await tries(about('expires_at'), payer), [true])
  assert.deepEqual(await tries(about('customer_email'), {}), [false])
  assert.deepEqual(await tries(cardError('refused'), payer), [true])
  assert.deepEqual(await tries(new ProviderError('refused', 'no'), payer), [true])
  const text = 'custom_text[submit][message]'
  assert.deepEqual(await tries(about(text), { customerName: 'Ana' }, text), [true, false])
})

test('a session of an earlier call is looked up from five minutes before the attempt, and one that has expired is not taken', async () => {
  for (const [status, then] of [
    ['open', [attemptId]],
    ['complete', [attemptId]],
    ['expired', [attemptId, `${attemptId}:2`]],
  ] as const) {
    const keys: string[] = []
    const since: Date[] = []
    await openedBy({
      createSession: async (_form, key) => {
        keys.push(key)
        if (keys.length === 1) throw cardError('refused', { type: 'idempotency_error' })
        return answerOf()
      },
      findSession: async (_attempt, from) => {
        since.push(from)
        return answerOf({ status })
      },
    })
    assert.deepEqual(keys, then, status)
    assert.deepEqual(since, [addMs(madeAt, -5 * minuteMs)])
  }
})
