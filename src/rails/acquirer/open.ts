// Opening: one session for one attempt, however often it is asked for. The attempt's id is the key of the call, so the same
// call again is the same session. The session's secret is told to nobody until it is kept, so one that is lost is paid by nobody.
import { must } from '#/kernel/check.ts'
import { addMs, hourMs, minuteMs, secondMs, type Clock } from '#/kernel/time.ts'
import type { Opened, Opening } from '#/rails/rail.ts'
import { refusedFor, type RefusalCode } from '#/rails/refusal.ts'
import { CardError, type Answered, type CardClient, type Form } from './client.ts'
import type { OpenConnection, OpenConnections } from './connections.ts'
import { NonsenseError } from './fields.ts'
import { checkMode } from './receipts.ts'
import { underKey } from './replay.ts'
import type { Session } from './wire.ts'

/** Opens the attempt's session, or finds it as it is now. Throws ProviderError. */
export async function openSession(
  { open, clock }: { readonly open: OpenConnections; readonly clock: Clock },
  opening: Opening,
): Promise<Opened> {
  const connection = open.collecting(opening.connection)
  const { client, mode } = connection
  const form = formOf(connection, opening, clock)
  let placed: Answered<Session>
  try {
    placed = await place(client, opening, form)
  } catch (error) {
    if (!(error instanceof CardError) || error.outcome !== 'refused') throw error
    return refusedFor(codes.get(error.fault.code ?? '') ?? 'refused_by_provider', error.message)
  }
  const { value } = placed
  checkMode({ mode }, value)
  if (value.attempt !== opening.id) throw new NonsenseError('session', 'is of another attempt')
  const { amount } = value
  if (amount.minor !== opening.amount.minor || amount.currency !== opening.amount.currency)
    throw new NonsenseError('session', 'is for another amount')
  return { ok: true, artifacts: artifactsOf(value) }
}

/** The provider's codes that say what of the payment it does not take (https://docs.stripe.com/error-codes). */
const codes: ReadonlyMap<string, RefusalCode> = new Map([
  ['amount_too_small', 'amount_too_small'],
  ['amount_too_large', 'amount_too_large'],
])

/** What the payer is only told or spared typing is not worth a payment: where the provider does not take it, it goes without. */
const optionalFields = ['customer_email', 'custom_text'] as const

async function place(client: CardClient, opening: Opening, form: Form): Promise<Answered<Session>> {
  const madeAt = madeAtOf(opening)
  const asked = (wish: Form) =>
    underKey(opening.id, {
      ask: (key) => client.createSession(wish, key),
      async find() {
        // The clocks of both sides differ a little.
        const found = await client.findSession(opening.id, addMs(madeAt, -5 * minuteMs))
        // Nobody was shown one that has ended, and nobody can pay it.
        return found?.value.status === 'expired' ? undefined : found
      },
    })
  try {
    return await asked(form)
  } catch (error) {
    const refused = optionalFields.find((field) => isAbout(error, field))
    const rest = Object.fromEntries(Object.entries(form).filter(([name]) => rootOf(name) !== refused))
    if (refused === undefined || Object.keys(rest).length === Object.keys(form).length) throw error
    return place(client, opening, rest)
  }
}

function isAbout(error: unknown, field: string): boolean {
  return error instanceof CardError && rootOf(error.fault.param ?? '') === field
}

/** `a` of `a[b][c]`, as fields are sent, and of `a.b.c`, as some refusals name them. */
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
    // The provider has no field for a payer's name, but for what stands beside its button.
    ...(payer === undefined ? {} : { 'custom_text[submit][message]': payer }),
    ...(isHosted ? hosted(opening) : framed),
  }
}

/** In a frame the payer's page says what is next; the provider refuses a `return_url` beside `never`. */
const framed: Form = { ui_mode: 'embedded_page', redirect_on_completion: 'never' }

function hosted({ pageUrl }: Opening): Form {
  const url = must(pageUrl, "a card payment has the payer's page")
  return { ui_mode: 'hosted_page', success_url: url, cancel_url: url }
}

/**
 * As long as the payment waits, but within what the provider takes: 30 min to 24 h from now. Calls soon after one another
 * say the same, because a key goes with what it was used for.
 */
function expiryOf(opening: Opening, clock: Clock): Date {
  const latest = addMs(madeAtOf(opening), 24 * hourMs - minuteMs).getTime()
  const wished = Math.min(opening.expiresAt.getTime(), latest)
  const soonest = clock.now().getTime() + 31 * minuteMs
  const slot = 10 * minuteMs
  return new Date(wished >= soonest ? wished : Math.ceil(soonest / slot) * slot)
}

/** When the attempt's id was minted (RFC 9562 §5.7). */
function madeAtOf({ id }: Pick<Opening, 'id'>): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))
}

const labelMax = 250
const email = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]{2,}$/

const nameMax = 200

/** Who pays, as the payer reads it; nothing where nobody said. Brackets would be read as a link. */
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

/** The languages that the provider's page speaks; any other: as the payer's browser says. */
const locales = (
  'bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk sl sv ' +
  'th tr vi zh zh-HK zh-TW'
).split(' ')

function localeOf(locale: string | undefined): string {
  if (locale === undefined) return 'auto'
  const named = (wish: string) => locales.find((each) => each.toLowerCase() === wish.toLowerCase())
  return named(locale) ?? named(locale.split('-')[0] ?? '') ?? 'auto'
}

function artifactsOf({ id, clientSecret, url, expiresAt, status }: Session) {
  if (status === 'open' && clientSecret === undefined && url === undefined)
    throw new NonsenseError('session', 'has neither a secret nor a URL')
  return {
    sessionId: id,
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...(url === undefined ? {} : { url, presentation: 'HOSTED' }),
    expiresAt: expiresAt.toISOString(),
  }
}

/** At most `max` characters, and none of them halved. */
function cut(text: string, max: number): string {
  const whole = text.slice(0, max)
  return whole.isWellFormed() ? whole : whole.slice(0, -1)
}
