// Opens a card payment. An attempt has one session. The attempt's id is the key of the call, so a repeated call returns the same
// session. A session's secret is shown to the payer only after it was stored, so nobody can pay a session that we lost.
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { addMs, hourMs, minuteMs, secondMs, type Clock } from '#/kernel/time.ts'
import { cut } from '#/rails/kit/cut.ts'
import type { Opened, Opening } from '#/rails/rail.ts'
import { refusedFor, type RefusalCode } from '#/rails/refusal.ts'
import { CardError, type Answered, type CardClient, type Form } from './client.ts'
import type { OpenConnection, OpenConnections } from './connections.ts'
import { NonsenseError } from './fields.ts'
import { checkMode } from './receipts.ts'
import { underKey } from './replay.ts'
import type { Session } from './wire.ts'

/** Opens the attempt's session, or returns it in its current state. Throws ProviderError. */
export async function openSession(
  { open, clock }: { readonly open: OpenConnections; readonly clock: Clock },
  opening: Opening,
): Promise<Opened> {
  const connection = open.collecting(opening.connection)
  const { client, mode } = connection
  const form = formOf(connection, opening, clock)
  let answer: Answered<Session>
  try {
    answer = await place(client, opening, form)
  } catch (error) {
    if (!(error instanceof CardError) || error.outcome !== 'refused') throw error
    return refusedFor(codes.get(error.fault.code ?? '') ?? 'refused_by_provider', error.message)
  }
  const { value } = answer
  checkMode({ mode }, value)
  if (value.attempt !== opening.id) throw new NonsenseError('session', 'is of another attempt')
  const { amount } = value
  if (amount.minor !== opening.amount.minor || amount.currency !== opening.amount.currency)
    throw new NonsenseError('session', 'is for another amount')
  return { ok: true, artifacts: artifactsOf(value) }
}

/** The provider's codes for a part of the payment that it refuses (https://docs.stripe.com/error-codes). */
const codes: ReadonlyMap<string, RefusalCode> = new Map([
  ['amount_too_small', 'amount_too_small'],
  ['amount_too_large', 'amount_too_large'],
])

/** Fields that only inform the payer or save typing. If the provider refuses one, the session is created without it. */
const optionalFields = ['customer_email', 'custom_text', 'branding_settings'] as const

async function place(client: CardClient, opening: Opening, form: Form): Promise<Answered<Session>> {
  const madeAt = madeAtOf(opening)
  const create = (fields: Form) =>
    underKey(opening.id, {
      ask: (key) => client.createSession(fields, key),
      async find() {
        // The clocks of both sides differ a little.
        const found = await client.findSession(opening.id, addMs(madeAt, -5 * minuteMs))
        // No payer has seen an expired session, and no payer can pay it.
        return found?.value.status === 'expired' ? undefined : found
      },
    })
  try {
    return await create(form)
  } catch (error) {
    const refused = optionalFields.find((field) => isAbout(error, field))
    const rest = Object.fromEntries(Object.entries(form).filter(([name]) => rootOf(name) !== refused))
    if (Object.keys(rest).length === Object.keys(form).length) throw error
    return place(client, opening, rest)
  }
}

function isAbout(error: unknown, field: string): boolean {
  return error instanceof CardError && rootOf(error.fault.param ?? '') === field
}

/** Returns `a` for `a[b][c]`, the form in which fields are sent, and for `a.b.c`, the form in some refusals. */
function rootOf(name: string): string {
  return name.split(/[.[]/)[0] ?? name
}

function formOf({ settings }: OpenConnection, opening: Opening, clock: Clock): Form {
  const { id, paymentId, amount, customerEmail, captureMode, description } = opening
  const payer = payerIn(opening)
  const isHosted = opening.presentation === 'HOSTED' || settings.presentation === 'hosted'
  const label = cut(description?.trim() ?? '', labelMax)
  const item = 'line_items[0][price_data]'
  return {
    mode: 'payment',
    client_reference_id: id,
    'metadata[attempt_id]': id,
    'metadata[payment_id]': paymentId,
    'payment_intent_data[metadata][attempt_id]': id,
    'payment_intent_data[metadata][payment_id]': paymentId,
    'payment_intent_data[capture_method]': captureMode === 'MANUAL' ? 'manual' : 'automatic',
    // The field `payment_method_types` is gone since 2026-09-30; this one is a filter.
    'allowed_payment_method_types[0]': 'card',
    'line_items[0][quantity]': '1',
    [`${item}[currency]`]: amount.currency.toLowerCase(),
    [`${item}[unit_amount]`]: String(amount.minor),
    [`${item}[product_data][name]`]: label === '' ? labelIn(opening.locale) : label,
    expires_at: String(Math.floor(expiryOf(opening, clock).getTime() / secondMs)),
    locale: localeOf(opening.locale),
    ...(customerEmail !== undefined && email.test(customerEmail) ? { customer_email: customerEmail } : {}),
    // The provider has no field for a payer's name; the text beside its button is used.
    ...(payer === undefined ? {} : { 'custom_text[submit][message]': payer }),
    ...branding(opening),
    ...(isHosted ? hosted(opening) : framed),
  }
}

/** Without it, the payer reads the name of the account at the provider, on the account's colours. */
function branding({ brand }: Opening): Form {
  if (brand === undefined) return {}
  const name = cut(brand.name.trim(), brandNameMax)
  const parts = { display_name: name, background_color: brand.background, button_color: brand.button }
  return Object.fromEntries(
    Object.entries(parts).flatMap(([part, value]) =>
      value === undefined || value === '' ? [] : [[`branding_settings[${part}]`, value]],
    ),
  )
}

/** In a frame, the payer's page shows the next step. The provider refuses a `return_url` beside `never`. */
const framed: Form = { ui_mode: 'embedded_page', redirect_on_completion: 'never' }

function hosted({ pageUrl }: Opening): Form {
  const url = must(pageUrl, "a card payment has the payer's page")
  return { ui_mode: 'hosted_page', success_url: url, cancel_url: url }
}

/**
 * Returns the end of the payment's lifetime, within the provider's limits: 30 min to 24 h from now. Calls within a short time get
 * the same value, because a key accepts only the parameters of its first call.
 */
function expiryOf(opening: Opening, clock: Clock): Date {
  const latest = addMs(madeAtOf(opening), 24 * hourMs - minuteMs).getTime()
  const requested = Math.min(opening.expiresAt.getTime(), latest)
  const earliest = clock.now().getTime() + 31 * minuteMs
  const slot = 10 * minuteMs
  return new Date(requested >= earliest ? requested : Math.ceil(earliest / slot) * slot)
}

/** When the attempt's id was created (RFC 9562 §5.7). */
export function madeAtOf({ id }: Pick<Opening, 'id'>): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))
}

const labelMax = 250
const email = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]{2,}$/

const nameMax = 200
const brandNameMax = 100

/** Returns the payer's name as the payer reads it; undefined if it is not known. Brackets would be read as a link. */
function payerIn({ customerName = '', locale }: Opening): string | undefined {
  const name = cut(customerName.replaceAll(/[\p{C}\s[\]]+/gu, ' ').trim(), nameMax)
  if (name === '') return undefined
  const language = locale?.slice(0, 2).toLowerCase()
  return `${language === 'pt' || language === 'es' ? 'Pagador' : 'Payer'}: ${name}`
}

function labelIn(locale: string | undefined): string {
  const language = locale?.slice(0, 2).toLowerCase()
  return language === 'pt' ? 'Pagamento' : language === 'es' ? 'Pago' : 'Payment'
}

/** The languages of the provider's page. Any other: the language of the payer's browser. */
const locales = (
  'bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk sl sv ' +
  'th tr vi zh zh-HK zh-TW'
).split(' ')

function localeOf(locale: string | undefined): string {
  if (locale === undefined) return 'auto'
  const named = (name: string) => locales.find((each) => each.toLowerCase() === name.toLowerCase())
  return named(locale) ?? named(locale.split('-')[0] ?? '') ?? 'auto'
}

function artifactsOf({ id, clientSecret, url, expiresAt, status }: Session) {
  if (status === 'open' && clientSecret === undefined && url === undefined)
    throw new NonsenseError('session', 'has neither a secret nor a URL')
  return {
    sessionId: id,
    ...given({ clientSecret }),
    ...(url === undefined ? {} : { url, presentation: 'HOSTED' }),
    expiresAt: expiresAt.toISOString(),
  }
}
