// The parameters of `POST /v1/checkout/sessions`.
import { given } from '../kit/given.ts'
import type { Account, KeptSession, SoldItem } from './acquirer.ts'
import { badParam } from './api-error.ts'
import { isColour } from './card-colours.ts'
import { localMethods } from './local-methods.ts'
import {
  choiceOf,
  integerOf,
  listOf,
  metadataOf,
  mustHave,
  nameOf,
  only,
  textOf,
  textsOf,
  under,
  type Params,
} from './params.ts'
import type { Session } from './wire.ts'

const minuteSeconds = 60
const hourSeconds = 3_600
/** Tolerance: clocks differ, and calls take time. */
const leewaySeconds = 30
const amountMin = 50
const amountMax = 99_999_999

const allowed = [
  'allowed_payment_method_types',
  'branding_settings',
  'cancel_url',
  'client_reference_id',
  'custom_text',
  'customer_email',
  'excluded_payment_method_types',
  'expand',
  'expires_at',
  'line_items',
  'locale',
  'metadata',
  'mode',
  'payment_intent_data',
  'payment_method_options',
  'redirect_on_completion',
  'return_url',
  'success_url',
  'ui_mode',
]

const locales = (
  'auto bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk ' +
  'sl sv th tr vi zh zh-HK zh-TW'
).split(' ')

export type Terms = Pick<
  KeptSession,
  'intent' | 'label' | 'displayName' | 'background' | 'button' | 'submitText' | 'threeDSecure'
> & {
  readonly items: readonly Omit<SoldItem, 'ids'>[]
  readonly wire: Pick<
    Session,
    | 'amount_total'
    | 'cancel_url'
    | 'client_reference_id'
    | 'currency'
    | 'customer_email'
    | 'expires_at'
    | 'locale'
    | 'metadata'
    | 'payment_method_types'
    | 'redirect_on_completion'
    | 'return_url'
    | 'success_url'
    | 'ui_mode'
  >
}

export function readTerms(
  params: Params,
  account: Pick<Account, 'currencies' | 'methods'>,
  at: number,
): Terms {
  const filter = readTypeFilter(params)
  only(params, allowed)
  mustHave(params, 'mode', choiceOf(params, 'mode', ['payment']))
  const { items, label, amount, currency } = readItems(params)
  if (!account.currencies.includes(currency))
    throw badParam(
      'currency',
      `Invalid currency: ${currency}. This account accepts ${account.currencies.join(', ')}.`,
    )
  const submitText = readSubmitText(params)
  const options = under(params, 'payment_method_options')
  only(options, ['card'])
  const card = under(options, 'card')
  only(card, ['request_three_d_secure'])
  const intent = readIntentData(params)
  return {
    label,
    items,
    ...given({ submitText }),
    ...readBranding(params),
    threeDSecure: choiceOf(card, 'request_three_d_secure', ['automatic', 'any', 'challenge']) ?? 'automatic',
    intent,
    wire: {
      amount_total: amount,
      currency,
      client_reference_id: textOf(params, 'client_reference_id', 200) ?? null,
      customer_email: readEmail(params),
      expires_at: readExpiry(params, at),
      locale: choiceOf(params, 'locale', locales) ?? null,
      metadata: metadataOf(params),
      payment_method_types: typesOf(
        account,
        { currency, isManual: intent.captureMethod === 'manual' },
        filter,
      ),
      ...readPresentation(params),
    },
  }
}

type TypeFilter = { readonly allowed?: readonly string[]; readonly excluded?: readonly string[] }

/** Since 2026-09-30 the list of methods is chosen by the account and only filtered by the caller. */
function readTypeFilter(params: Params): TypeFilter {
  if (params.fields['payment_method_types'] !== undefined)
    throw badParam(
      'payment_method_types',
      'The parameter payment_method_types is no longer supported. Use allowed_payment_method_types or excluded_payment_method_types instead.',
      'payment_method_types_no_longer_supported',
    )
  const allowed = textsOf(params, 'allowed_payment_method_types')
  const excluded = textsOf(params, 'excluded_payment_method_types')
  if (allowed !== undefined && excluded !== undefined)
    throw badParam(
      'allowed_payment_method_types',
      'You may only specify one of these parameters: allowed_payment_method_types, excluded_payment_method_types.',
      'parameters_exclusive',
    )
  return { ...given({ allowed, excluded }) }
}

/**
 * Cards, and the vouchers of this currency that the account has enabled. The filter ignores, without an error, a method that is not
 * among these.
 */
function typesOf(
  { methods }: Pick<Account, 'methods'>,
  { currency, isManual }: { readonly currency: string; readonly isManual: boolean },
  { allowed, excluded = [] }: TypeFilter,
): readonly string[] {
  // Only a card can be authorised first.
  const vouchers = localMethods.filter(
    (each) =>
      !isManual && each.flow === 'voucher' && each.currency === currency && methods.includes(each.type),
  )
  const types = ['card', ...vouchers.map(({ type }) => type)].filter(
    (type) => allowed?.includes(type) !== false && !excluded.includes(type),
  )
  if (types.length === 0)
    throw badParam(
      'allowed_payment_method_types',
      'No valid payment method types for this Checkout Session.',
      'payment_intent_incompatible_payment_method',
    )
  return types
}

function readItems(params: Params) {
  const list = mustHave(params, 'line_items', listOf(params, 'line_items'))
  const items = list.map((fields, i) => {
    const at = `line_items[${i}]`
    if (typeof fields === 'string' || Array.isArray(fields)) throw badParam(at, 'Invalid object')
    return readItem({ fields: fields as Params['fields'], at })
  })
  const [first] = items
  if (first === undefined || items.length > 100)
    throw badParam('line_items', 'The Checkout Session must have from 1 to 100 line items.')
  if (items.some(({ currency }) => currency !== first.currency))
    throw badParam('line_items', 'All line items must have the same currency.')
  const amount = items.reduce((sum, each) => sum + each.unitAmount * each.quantity, 0)
  if (amount < amountMin)
    throw badParam(
      'line_items',
      "The Checkout Session's total amount must convert to at least 50 cents.",
      'amount_too_small',
    )
  if (amount > amountMax)
    throw badParam(
      'line_items',
      `The Checkout Session's total amount must be at most ${amountMax}.`,
      'amount_too_large',
    )
  return { items, amount, currency: first.currency, label: items.map(({ name }) => name).join(', ') }
}

function readItem(item: Params) {
  only(item, ['price_data', 'quantity'])
  const price = under(item, 'price_data')
  only(price, ['currency', 'product_data', 'unit_amount'])
  const product = under(price, 'product_data')
  only(product, ['description', 'images', 'metadata', 'name'])
  const currency = mustHave(price, 'currency', textOf(price, 'currency')).toLowerCase()
  if (!/^[a-z]{3}$/.test(currency))
    throw badParam(nameOf(price, 'currency'), `Invalid currency: ${currency}.`)
  return {
    currency,
    unitAmount: mustHave(price, 'unit_amount', integerOf(price, 'unit_amount', 0, amountMax)),
    name: mustHave(product, 'name', textOf(product, 'name')),
    quantity: mustHave(item, 'quantity', integerOf(item, 'quantity', 1, 999_999)),
  }
}

function readIntentData(params: Params): KeptSession['intent'] {
  const data = under(params, 'payment_intent_data')
  only(data, ['capture_method', 'description', 'metadata', 'receipt_email', 'statement_descriptor_suffix'])
  return {
    captureMethod:
      choiceOf(data, 'capture_method', ['automatic', 'automatic_async', 'manual']) ?? 'automatic_async',
    metadata: metadataOf(data),
    description: textOf(data, 'description', 1000) ?? null,
  }
}

/** The text next to the button. */
function readSubmitText(params: Params): string | undefined {
  const texts = under(params, 'custom_text')
  only(texts, ['submit'])
  if (texts.fields['submit'] === undefined || texts.fields['submit'] === '') return undefined
  const submit = under(texts, 'submit')
  only(submit, ['message'])
  return mustHave(submit, 'message', textOf(submit, 'message', 1200))
}

/** What the page shows in place of the account's name and its own colours. */
function readBranding(params: Params) {
  const branding = under(params, 'branding_settings')
  only(branding, ['background_color', 'button_color', 'display_name'])
  const displayName = textOf(branding, 'display_name', 100)
  const background = colourOf(branding, 'background_color')
  const button = colourOf(branding, 'button_color')
  return given({ displayName, background, button })
}

function colourOf(params: Params, name: string): string | undefined {
  const text = textOf(params, name)
  if (text !== undefined && !isColour(text))
    throw badParam(nameOf(params, name), `Invalid hex color: ${text}`, 'parameter_invalid')
  return text
}

function readEmail(params: Params): string | null {
  const email = textOf(params, 'customer_email', 512) ?? null
  if (email !== null && !/^[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+$/.test(email))
    throw badParam('customer_email', `Invalid email address: ${email}`, 'email_invalid')
  return email
}

function readExpiry(params: Params, at: number): number {
  const expiry = integerOf(params, 'expires_at', 0, 2 ** 32) ?? at + 24 * hourSeconds
  if (expiry < at + 30 * minuteSeconds - leewaySeconds)
    throw badParam(
      'expires_at',
      'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.',
    )
  if (expiry > at + 24 * hourSeconds + leewaySeconds)
    throw badParam(
      'expires_at',
      'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.',
    )
  return expiry
}

type Shown = Pick<Session, 'cancel_url' | 'redirect_on_completion' | 'return_url' | 'success_url' | 'ui_mode'>

/** Where the session is shown and what comes after: the fields of a page of its own, or those of a frame. */
function readPresentation(params: Params): Shown {
  const ui = choiceOf(params, 'ui_mode', ['hosted_page', 'embedded_page']) ?? 'hosted_page'
  const refuse = (names: readonly string[]) => {
    const found = names.find((name) => params.fields[name] !== undefined)
    if (found !== undefined)
      throw badParam(found, `You can not pass \`${found}\` when \`ui_mode\` is \`${ui}\`.`)
  }
  if (ui === 'hosted_page') {
    refuse(['return_url', 'redirect_on_completion'])
    return {
      ui_mode: ui,
      success_url: mustHave(params, 'success_url', urlOf(params, 'success_url')),
      cancel_url: urlOf(params, 'cancel_url') ?? null,
    }
  }
  refuse(['success_url', 'cancel_url'])
  const redirect = choiceOf(params, 'redirect_on_completion', ['always', 'if_required', 'never']) ?? 'always'
  const returnUrl = urlOf(params, 'return_url')
  if (redirect === 'never' && returnUrl !== undefined)
    throw badParam('return_url', 'You can not pass `return_url` when `redirect_on_completion` is `never`.')
  if (redirect !== 'never') mustHave(params, 'return_url', returnUrl)
  return {
    ui_mode: ui,
    success_url: null,
    cancel_url: null,
    redirect_on_completion: redirect,
    ...given({ return_url: returnUrl }),
  }
}

function urlOf(params: Params, name: string): string | undefined {
  const text = textOf(params, name)
  if (text === undefined) return undefined
  // The placeholder is no part of a URL until it is replaced.
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw badParam(name, `Not a valid URL: ${text}`, 'url_invalid')
  return text
}
