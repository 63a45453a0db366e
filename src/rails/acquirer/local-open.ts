// Opens a local method. An attempt has one intent, which one call creates and confirms. The attempt's id is the key of the call, so
// repeated calls make no second intent. What the provider returns for the payer is verified before it is stored.
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { addMs, dayMs, minuteMs, secondMs } from '#/kernel/time.ts'
import type { PayerNeed } from '#/rails/descriptor.ts'
import type { Mandate, Voucher } from '#/rails/method.ts'
import type { Opened, Opening, PayerAddress } from '#/rails/rail.ts'
import { refusedFor, type RefusalCode } from '#/rails/refusal.ts'
import { dueDateOf, readBoletoLine, type BoletoLine } from './boleto-line.ts'
import { CardError, type CardClient, type Form } from './client.ts'
import type { OpenConnections } from './connections.ts'
import { NonsenseError } from './fields.ts'
import type { LocalMethod } from './methods/method.ts'
import { isMultibancoReference } from './multibanco-reference.ts'
import { madeAtOf } from './open.ts'
import { checkMode } from './receipts.ts'
import { underKey } from './replay.ts'
import type { Intent } from './wire.ts'

/** Opens the attempt's intent, or returns it in its current state. Throws ProviderError. */
export async function openIntent(
  open: OpenConnections,
  method: LocalMethod,
  opening: Opening,
): Promise<Opened> {
  const { client, mode } = open.collecting(opening.connection)
  let intent: Intent
  try {
    intent = await place(client, method, opening)
  } catch (error) {
    if (!(error instanceof CardError) || error.outcome !== 'refused') throw error
    return refusedFor(codeOf(error), error.message)
  }
  checkMode({ mode }, intent)
  if (intent.attempt !== opening.id) throw new NonsenseError('payment_intent', 'is of another attempt')
  const { amount } = intent
  if (amount.minor !== opening.amount.minor || amount.currency !== opening.amount.currency)
    throw new NonsenseError('payment_intent', 'is for another amount')
  const refused = (code: RefusalCode, text: string) => withdrawn(client, intent, refusedFor(code, text))
  // The provider leaves out, without an error, the types that the account has not enabled.
  if (!intent.types.includes(method.type))
    return refused('refused_by_provider', `The account does not offer ${method.type}.`)
  const given = givenBy(method, opening, intent)
  return given === undefined
    ? refused('voucher_malformed', `What the provider gave for ${method.type} is not valid.`)
    : { ok: true, artifacts: { intentId: intent.id, ...given } }
}

/** Cancels the intent, so that nobody pays it. It was shown to nobody. */
async function withdrawn(client: CardClient, { id }: Intent, refused: Opened): Promise<Opened> {
  // If this call fails, the intent expires at the provider.
  await client.cancelIntent(id).catch(() => undefined)
  return refused
}

const codes: ReadonlyMap<string, RefusalCode> = new Map([
  ['amount_too_small', 'amount_too_small'],
  ['amount_too_large', 'amount_too_large'],
  ['tax_id_invalid', 'payer_refused'],
  ['email_invalid', 'payer_refused'],
  ['invalid_tax_id', 'payer_refused'],
])

function codeOf({ fault }: CardError): RefusalCode {
  const code = codes.get(fault.code ?? '')
  if (code !== undefined) return code
  // The type is ours, everything else there is the payer's.
  const { param = '' } = fault
  const isOfPayer = param.startsWith('payment_method_data') && param !== 'payment_method_data[type]'
  return isOfPayer ? 'payer_refused' : 'refused_by_provider'
}

async function place(client: CardClient, method: LocalMethod, opening: Opening): Promise<Intent> {
  const form = intentForm(method, opening)
  const since = addMs(madeAtOf(opening), -5 * minuteMs)
  const answer = await underKey(opening.id, {
    ask: (key) => client.createIntent(form, key),
    find: () => client.findIntent(opening.id, since),
  })
  return answer.value
}

/** The request, as a form. The same for every call of one attempt, because a key accepts only the parameters of its first use. */
function intentForm(local: LocalMethod, opening: Opening): Form {
  const { type, flow, daysMax } = local
  const { id, paymentId, amount, description } = opening
  const days = Math.ceil((opening.expiresAt.getTime() - madeAtOf(opening).getTime()) / dayMs)
  return {
    amount: String(amount.minor),
    currency: amount.currency.toLowerCase(),
    confirm: 'true',
    'allowed_payment_method_types[0]': type,
    'payment_method_data[type]': type,
    ...payerForm(local, opening),
    ...(daysMax === undefined
      ? {}
      : {
          [`payment_method_options[${type}][expires_after_days]`]: String(
            Math.min(Math.max(days, 1), daysMax),
          ),
        }),
    ...(flow === 'REDIRECT' ? { return_url: must(opening.pageUrl, "a redirect has the payer's page") } : {}),
    ...given({ description }),
    'metadata[attempt_id]': id,
    'metadata[payment_id]': paymentId,
  }
}

/** Only the data that the method needs is sent to the provider. */
function payerForm({ needs, type, method }: LocalMethod, opening: Opening): Form {
  const details = 'payment_method_data[billing_details]'
  const parts: Readonly<Record<PayerNeed, () => Form>> = {
    name: () => ({ [`${details}[name]`]: given(opening.customerName) }),
    email: () => ({ [`${details}[email]`]: given(opening.customerEmail) }),
    phone: () => ({ [`${details}[phone]`]: given(opening.customerPhone) }),
    taxId: () => ({ [`payment_method_data[${type}][tax_id]`]: given(opening.customerTaxId) }),
    address: () => addressForm(`${details}[address]`, given(opening.customerAddress)),
    iban: () => ({
      [`payment_method_data[${type}][iban]`]: given(opening.customerIban),
      ...mandateForm(given(opening.mandate)),
    }),
  }
  const given = <T>(value: T | undefined): T => must(value, `the payer of ${method} is known`)
  return Object.assign({}, ...needs.map((need) => parts[need]())) as Form
}

/** The provider makes the mandate itself, from how the payer accepted it. */
function mandateForm({ acceptedAt, ip, userAgent }: Mandate): Form {
  const acceptance = 'mandate_data[customer_acceptance]'
  return {
    [`${acceptance}[type]`]: 'online',
    [`${acceptance}[accepted_at]`]: String(Math.floor(new Date(acceptedAt).getTime() / secondMs)),
    [`${acceptance}[online][ip_address]`]: ip,
    [`${acceptance}[online][user_agent]`]: userAgent,
  }
}

function addressForm(at: string, address: PayerAddress): Form {
  const lines = {
    line1: address.line1,
    line2: [address.line2, address.district].filter((each) => each !== undefined).join(', '),
    city: address.city,
    state: address.region ?? '',
    postal_code: address.postcode ?? '',
    country: address.country,
  }
  const filled = Object.entries(lines).filter(([, value]) => value !== '')
  return Object.fromEntries(filled.map(([part, value]) => [`${at}[${part}]`, value]))
}

/** The artifacts of an attempt; undefined when the voucher is not to be shown. */
function givenBy(
  { flow, lifetimeMs }: LocalMethod,
  opening: Opening,
  { next, status }: Intent,
): Readonly<Record<string, unknown>> | undefined {
  if (flow === 'PUSH') {
    const again = opening.presentation === undefined ? {} : { isAgain: true }
    return { phoneEnd: (opening.customerPhone ?? '').slice(-3), ...again }
  }
  if (flow === 'DEBIT') return { ibanEnd: (opening.customerIban ?? '').slice(-4) }
  // The intent is over: there is nothing to show.
  if (status === 'succeeded' || status === 'canceled' || status === 'requires_payment_method') return {}
  if (flow === 'REDIRECT') {
    if (next?.kind !== 'REDIRECT' || !/^https?:\/\//.test(next.url))
      throw new NonsenseError('payment_intent.next_action', 'has no URL of a web page')
    const expiresAt = addMs(madeAtOf(opening), lifetimeMs)
    return { url: next.url, presentation: 'HOSTED', expiresAt: expiresAt.toISOString() }
  }
  const voucher = voucherOf(opening, next)
  const expiresAt = next?.kind === 'REDIRECT' ? undefined : next?.expiresAt
  if (voucher === undefined) return undefined
  return { voucher, ...(expiresAt === undefined ? {} : { expiresAt: expiresAt.toISOString() }) }
}

/** The voucher, if its check digits and amount are correct and it can still be paid. */
function voucherOf(opening: Opening, next: Intent['next']): Voucher | undefined {
  const { minor } = opening.amount
  if (next?.kind === 'MULTIBANCO') {
    const { entity, reference } = next
    if (!isMultibancoReference(entity, reference, minor)) return undefined
    return { entity, reference: reference.replaceAll(' ', '') }
  }
  if (next?.kind !== 'BOLETO') return undefined
  const line = readBoletoLine(next.line)
  if (line?.amountMinor !== minor || isOverdue(line, madeAtOf(opening))) return undefined
  const { pdfUrl } = next
  const isLink = pdfUrl !== undefined && /^https?:\/\//.test(pdfUrl)
  return {
    line: next.line.replaceAll(/\D/g, ''),
    barcode: line.barcode,
    ...(isLink ? { pdfUrl } : {}),
  }
}

/** Days are those of Brazil, so one more is allowed. Banks take no line after its day. */
function isOverdue({ dueFactor }: BoletoLine, madeAt: Date): boolean {
  return dueFactor !== undefined && dueDateOf(dueFactor, madeAt) < addMs(madeAt, -2 * dayMs)
}
