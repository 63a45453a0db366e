// PaymentIntents of local methods, created and confirmed in one call or by a session, and what their payers do afterwards.
import { now, seconds } from '../kit/clock.ts'
import { present } from '../kit/event-store.ts'
import { given } from '../kit/given.ts'
import { newId, span, type Account, type Acquirer, type KeptIntent, type Local } from './acquirer.ts'
import { badParam, badState } from './api-error.ts'
import { collected, docOf, refuse } from './attempts.ts'
import { change, emit } from './events.ts'
import { localMethodOf, type LocalMethod } from './local-methods.ts'
import { newLocalCharge, newPaymentIntent } from './new-objects.ts'
import {
  flagOf,
  integerOf,
  metadataOf,
  mustHave,
  only,
  textOf,
  textsOf,
  under,
  type Params,
} from './params.ts'
import { endDelayed } from './sessions.ts'
import { boletoLine, entity, referenceOf } from './vouchers.ts'
import type { Metadata, PaymentIntent } from './wire.ts'

const parameters = [
  'allowed_payment_method_types',
  'amount',
  'confirm',
  'currency',
  'description',
  'expand',
  'mandate_data',
  'metadata',
  'payment_method_data',
  'payment_method_options',
  'return_url',
]

/** POST /v1/payment_intents: of one local method, confirmed at once. Cards are paid by Checkout Sessions here. */
export function createIntent(acquirer: Acquirer, account: Account, params: Params): PaymentIntent {
  if (params.fields['payment_method_types'] !== undefined)
    throw badParam(
      'payment_method_types',
      'The payment_method_types parameter is no longer supported. Use allowed_payment_method_types instead.',
      'payment_method_types_no_longer_supported',
    )
  only(params, parameters)
  const currency = mustHave(params, 'currency', textOf(params, 'currency', 3)?.toLowerCase())
  const amount = mustHave(params, 'amount', integerOf(params, 'amount', 1, 99_999_999))
  if (flagOf(params, 'confirm') !== true)
    throw badParam('confirm', 'This acquirer creates and confirms PaymentIntents in one call.')
  const data = under(params, 'payment_method_data')
  const type = mustHave(data, 'type', textOf(data, 'type'))
  const method = localMethodOf(type)
  const allowed = textsOf(params, 'allowed_payment_method_types') ?? [type]
  if (method === undefined || !allowed.includes(type) || method.currency !== currency) throw notPossible(type)
  if (!account.methods.includes(type)) throw notPossible(type)
  checkAmount(method, amount)
  checkPayer(method, data)
  if (method.flow === 'debit') checkDebit(type, data, under(params, 'mandate_data'))
  const returnUrl = textOf(params, 'return_url')
  const email = textOf(under(data, 'billing_details'), 'email')
  if (method.flow === 'redirect' && returnUrl === undefined)
    throw badParam('return_url', `A return_url is required for ${type}.`, 'parameter_missing')
  return newIntent(acquirer, account.id, {
    method,
    amount,
    description: textOf(params, 'description') ?? null,
    metadata: metadataOf(params),
    expiresAt: seconds() + secondsOf(method, params),
    ...given({ returnUrl, email }),
  })
}

/** What a new intent is made of. `session`: in which the payer chose the method. */
export type IntentTerms = Omit<Local, 'type'> & {
  readonly method: LocalMethod
  readonly amount: number
  readonly description: string | null
  readonly metadata: Metadata
  readonly session?: string
}

/** An intent that waits for its payer; or of a debit, for the payer's bank. */
export function newIntent(acquirer: Acquirer, account: string, terms: IntentTerms): PaymentIntent {
  const { method, amount, description, metadata, session, ...local } = terms
  const { type, currency } = method
  const isDebit = method.flow === 'debit'
  const id = newId(acquirer, 'pi')
  const wire = newPaymentIntent(acquirer, id, {
    amount,
    capture_method: 'automatic',
    currency,
    description,
    metadata,
    next_action: isDebit ? null : nextAction(acquirer, method, { id, amount, ...local }),
    payment_method: newId(acquirer, 'pm'),
    payment_method_types: [type],
    status: isDebit ? 'processing' : 'requires_action',
  })
  acquirer.intents.put(id, { account, wire, local: { type, ...local }, ...given({ session }) })
  emit(acquirer, account, 'payment_intent.created', wire)
  emit(acquirer, account, `payment_intent.${isDebit ? 'processing' : 'requires_action'}`, wire)
  // The bank's answer to a debit comes by an act.
  if (isDebit) return wire
  const endsAfterMs = local.expiresAt * 1000 - now()
  acquirer.store.schedule(endsAfterMs, { do: 'expire-intent', intent: id }, `intent ${id}`)
  return wire
}

function notPossible(type: string) {
  return badParam(
    'payment_method_data[type]',
    `The payment method type "${type}" is invalid. Please ensure the provided type is activated in your dashboard and your account is enabled for any features that you are trying to use.`,
    'payment_intent_invalid_parameter',
  )
}

function checkAmount({ minimum, maximum, type }: LocalMethod, amount: number): void {
  if (amount < minimum)
    throw badParam('amount', `Amount must be at least ${minimum} for ${type}.`, 'amount_too_small')
  if (amount > maximum)
    throw badParam('amount', `Amount must be no more than ${maximum} for ${type}.`, 'amount_too_large')
}

function checkPayer({ needs, type }: LocalMethod, data: Params): void {
  const details = under(data, 'billing_details')
  for (const need of needs) if (need !== 'address') mustHave(details, need, textOf(details, need))
  const phone = textOf(details, 'phone')
  if (phone !== undefined && !/^\+[1-9]\d{7,14}$/.test(phone))
    throw badParam(
      'payment_method_data[billing_details][phone]',
      'Invalid phone number.',
      'parameter_invalid_string',
    )
  if (type !== 'boleto') return
  const address = under(details, 'address')
  for (const part of ['line1', 'city', 'state', 'postal_code', 'country'])
    mustHave(address, part, textOf(address, part))
  if (!/^[A-Z]{2}$/.test(textOf(address, 'state') ?? ''))
    throw badParam(
      'payment_method_data[billing_details][address][state]',
      'Invalid state: two letters, such as SP.',
    )
  const boleto = under(data, 'boleto')
  const taxId = mustHave(boleto, 'tax_id', textOf(boleto, 'tax_id'))
  if (!/^(?:\d{11}|[0-9A-Z]{12}\d{2})$/.test(taxId.replaceAll(/[./-]/g, '')))
    throw badParam('payment_method_data[boleto][tax_id]', 'Invalid tax ID.', 'tax_id_invalid')
}

/** The account must be one, and its holder must have accepted to be debited. */
function checkDebit(type: string, data: Params, mandate: Params): void {
  const account = under(data, type)
  const iban = mustHave(account, 'iban', textOf(account, 'iban')).replaceAll(' ', '')
  const isRight =
    /^[A-Z]{2}\d{2}[0-9A-Z]{11,30}$/.test(iban) && rest97(iban.slice(4) + iban.slice(0, 4)) === 1
  if (!isRight)
    throw badParam(
      `payment_method_data[${type}][iban]`,
      'The IBAN you provided is invalid.',
      'invalid_bank_account_iban',
    )
  const acceptance = under(mandate, 'customer_acceptance')
  const kind = mustHave(acceptance, 'type', textOf(acceptance, 'type'))
  if (kind !== 'online') return
  const online = under(acceptance, 'online')
  for (const part of ['ip_address', 'user_agent']) mustHave(online, part, textOf(online, part))
}

/** ISO 7064 MOD 97-10: letters count as 10 to 35. */
function rest97(text: string): number {
  return Number(BigInt(text.replaceAll(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)))) % 97n)
}

/** A boleto's days are the caller's; every other time is the method's own. */
function secondsOf({ type, seconds: usual }: LocalMethod, params: Params): number {
  if (type !== 'boleto') return usual
  const options = under(under(params, 'payment_method_options'), 'boleto')
  const days = integerOf(options, 'expires_after_days', 0, 60)
  return days === undefined ? usual : Math.max(days, 1) * 86_400
}

type Next = {
  readonly id: string
  readonly amount: number
  readonly expiresAt: number
  readonly returnUrl?: string
}

function nextAction(
  acquirer: Acquirer,
  { type, flow }: LocalMethod,
  { id, amount, expiresAt, returnUrl }: Next,
) {
  const page = `${acquirer.passing.baseUrl}/c/local/${id}`
  if (flow === 'redirect')
    return { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl ?? null, url: page } }
  if (flow === 'push') return { type: 'use_stripe_sdk', use_stripe_sdk: {} }
  const serial = acquirer.store.next('#vouchers')
  // A scenario of the control: the voucher's check digits are wrong.
  const spoiled = acquirer.passing.spoilsVouchers === true
  const shift = (text: string) =>
    spoiled ? text.slice(0, -1) + String((Number(text.at(-1)) + 1) % 10) : text
  if (type === 'multibanco')
    return {
      type: 'multibanco_display_details',
      multibanco_display_details: {
        entity,
        expires_at: expiresAt,
        hosted_voucher_url: page,
        reference: shift(referenceOf(serial, amount)),
      },
    }
  return {
    type: 'boleto_display_details',
    boleto_display_details: {
      expires_at: expiresAt,
      hosted_voucher_url: page,
      number: shift(boletoLine(serial, amount, expiresAt * 1000)),
      pdf: `${page}/pdf`,
    },
  }
}

/** POST /v1/payment_intents/{id}/cancel of a local method. What is on its way to the account cannot be canceled. */
export function cancelable({ wire }: KeptIntent): boolean {
  return wire.status === 'requires_action' || wire.status === 'requires_payment_method'
}

export const acts = ['approve', 'decline', 'leave', 'slow', 'fail', 'arrive'] as const
export type Act = (typeof acts)[number]

/** How long the money of a voucher takes that is paid without a delay of its own. */
const arrivesAfterSeconds = 2

/**
 * The payer acts:
 * - `approve`: pays. A voucher's money arrives a moment later.
 * - `decline`: breaks off, or declines in the app.
 * - `leave`: does nothing.
 * - `slow`, for a voucher or a debit: the money stays on its way until `arrive`, or until it is failed.
 * - `fail`, for a voucher or a debit: the money never arrives.
 * The payer of a debit has acted already: `approve` and `fail` are the bank's answers.
 */
export function actOn(acquirer: Acquirer, intent: KeptIntent, act: Act): PaymentIntent {
  const { wire } = intent
  const method = localMethodOf(intent.local?.type)
  if (method === undefined || !canAct(intent, act))
    throw badState('payment_intent_unexpected_state', `This PaymentIntent is ${wire.status}.`)
  switch (act) {
    case 'leave':
      return wire
    case 'arrive':
      return succeed(acquirer, intent)
    case 'decline':
      return failIntent(acquirer, intent, 'payment_intent_payment_attempt_failed')
    case 'approve':
      return isDelayed(method) ? process(acquirer, intent, 'arrive') : succeed(acquirer, intent)
    case 'slow':
      return process(acquirer, intent, undefined)
    case 'fail':
      return wire.status === 'processing'
        ? failIntent(acquirer, intent, 'payment_intent_payment_attempt_failed')
        : process(acquirer, intent, 'fail')
  }
}

/** Whether the payer, or the bank, can do this now. */
export function canAct({ wire, local }: KeptIntent, act: Act): boolean {
  const isLater = act === 'arrive' || (act === 'fail' && wire.status === 'processing')
  const isDebit = localMethodOf(local?.type)?.flow === 'debit'
  return (
    wire.status === (isLater || isDebit ? 'processing' : 'requires_action') && !(isDebit && act === 'decline')
  )
}

/** The money of these comes after the payer acted. */
function isDelayed({ flow }: LocalMethod): boolean {
  return flow === 'voucher' || flow === 'debit'
}

/** The voucher was paid, or the bank will pay the debit: the money is on its way. */
function process(acquirer: Acquirer, intent: KeptIntent, end: 'arrive' | 'fail' | undefined): PaymentIntent {
  const { id } = intent.wire
  acquirer.store.cancel(`intent ${id}`)
  const to: Partial<PaymentIntent> = { next_action: null, status: 'processing' }
  const wire = change(acquirer, acquirer.intents, intent, to, 'payment_intent.processing')
  if (end !== undefined) {
    const afterMs = span(acquirer.options, arrivesAfterSeconds)
    acquirer.store.schedule(afterMs, { do: 'end-intent', intent: id, act: end }, `intent ${id}`)
  }
  return wire
}

function succeed(acquirer: Acquirer, intent: KeptIntent): PaymentIntent {
  acquirer.store.cancel(`intent ${intent.wire.id}`)
  const wire = collected(acquirer, intent, newLocalCharge(acquirer, intent), { brand: 'unknown' })
  endDelayed(acquirer, intent, 'succeeded')
  return wire
}

function failIntent(acquirer: Acquirer, intent: KeptIntent, code: string): PaymentIntent {
  acquirer.store.cancel(`intent ${intent.wire.id}`)
  const wire = refuse(acquirer, intent, {
    type: 'invalid_request_error',
    code,
    doc_url: docOf(code),
    message: 'The latest payment attempt of this PaymentIntent has failed or been canceled.',
  })
  endDelayed(acquirer, intent, 'failed')
  return wire
}

/** The payer's time is over. */
export function expireIntent(acquirer: Acquirer, id: string): void {
  const intent = acquirer.intents.get(id)
  if (intent?.local !== undefined && intent.wire.status === 'requires_action')
    failIntent(acquirer, intent, 'payment_intent_payment_attempt_expired')
}

/** The intent as it is now: one whose time is over has failed, even if its task has not run yet. */
export function freshIntent(acquirer: Acquirer, id: string): KeptIntent | undefined {
  const intent = acquirer.intents.get(id)
  if (intent?.local === undefined || intent.wire.status !== 'requires_action') return intent
  if (seconds() < intent.local.expiresAt) return intent
  acquirer.store.together(() => expireIntent(acquirer, id))
  return present(acquirer.intents.get(id))
}
