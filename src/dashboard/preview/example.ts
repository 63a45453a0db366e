// An example payment in each state that a payer's page can have, for the preview of a template. The page is made of it by the functions
// that make real pages.
import { readPayer, type Typed } from '#/checkout/fields.ts'
import type { Means } from '#/checkout/means.ts'
import { pageSteps, type PageStep } from '#/checkout/page-state.ts'
import { speech } from '#/checkout/speech.ts'
import type { AnsweredForm } from '#/checkout/state.ts'
import type { PageTemplate } from '#/checkout/template.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId, PaymentId } from '#/kernel/id.ts'
import type { Locale } from '#/kernel/language.ts'
import type { Mode } from '#/kernel/mode.ts'
import { addMs, hourMs, secondMs } from '#/kernel/time.ts'
import { checkoutEnd, unpaid, type Payment } from '#/payments/payment.ts'
import type { Method } from '#/rails/method.ts'
import { descriptorOf } from '#/rails/methods.ts'
import type { TemplateCurrency, TemplateDocument } from '#/templates/template.ts'
import { currencyFor, exampleMethod, type Arrived } from './means.ts'
import { previewWords } from './words.ts'

/** The steps of a page, and `fields`: a form of the payer's that has faults. */
export const previewStates = [...pageSteps, 'fields'] as const
export type PreviewState = PageStep | 'fields'

export type ExampleOf = {
  readonly document: TemplateDocument
  readonly template: PageTemplate
  readonly merchant: { readonly id: MerchantId; readonly mode: Mode }
  readonly state: PreviewState
  readonly method: Method
  readonly locale: Locale
  readonly now: Date
}

export type Example = {
  readonly payment: Payment
  readonly means: Means
  readonly form?: AnsweredForm
}

/** Shown as the number of the payment; no payment has it. */
const exampleId = '019aa4c1-7f3e-7c52-9d0b-52a1c7e04b05' as PaymentId

/** 124.90 in any currency, where the template's limits allow it. */
const usualMinor = 12_490n

/** The payment in this state, what it is paid with, and the form that its payer sent. */
export function exampleOf(input: ExampleOf): Example {
  const { document, state, method, now } = input
  const open = openPayment(input)
  const { changes, arrived } = momentOf(state, open, method, now)
  const payment = { ...open, ...changes }
  const hasMeans = state !== 'preparing' && payment.method !== undefined
  const form = state === 'fields' ? formOf(input, payment) : undefined
  return {
    payment: withExpiry(payment, document, state, now),
    means: hasMeans ? exampleMethod(method).means(arrived) : { fields: {} },
    ...given({ form }),
  }
}

/** Nothing was chosen or paid. */
function openPayment({ document, merchant, method, locale, now }: ExampleOf): Payment {
  const currency = currencyFor(method, document.currencies)
  const amountMinor = amountFor(document, method, currency)
  const { description, coffee, delivery } = previewWords[locale]
  const unit = (amountMinor * 2n) / 5n
  const items = [
    { name: coffee, quantity: 2, amount: Number(unit) },
    { name: delivery, quantity: 1, amount: Number(amountMinor - 2n * unit) },
  ]
  return {
    merchantId: merchant.id,
    id: exampleId,
    mode: merchant.mode,
    request: { amount: Number(amountMinor), currency, description, items, checkout: 'preview' },
    status: 'WAITING_PAYMENT',
    amountMinor,
    currency,
    methods: methodsAt(document, currency, amountMinor),
    ...unpaid,
    version: 1,
    createdAt: now,
  }
}

function amountFor({ methods }: TemplateDocument, method: Method, currency: TemplateCurrency): bigint {
  const limits = methods.find((each) => each.method === method)?.limits?.[currency]
  const [min, max] = [BigInt(limits?.min ?? 1), BigInt(limits?.max ?? Number.MAX_SAFE_INTEGER)]
  if (usualMinor < min) return min
  return usualMinor > max ? max : usualMinor
}

/** As a payment's own methods: those that take its currency, within the template's limits. */
function methodsAt(
  { methods }: TemplateDocument,
  currency: TemplateCurrency,
  minor: bigint,
): readonly Method[] {
  const fitting = methods.filter(({ method, limits }) => {
    const { min = 1, max = Number.MAX_SAFE_INTEGER } = limits?.[currency] ?? {}
    const isWithin = minor >= BigInt(min) && minor <= BigInt(max)
    return descriptorOf[method].currencies.includes(currency) && isWithin
  })
  return fitting.map(({ method }) => method)
}

type Moment = { readonly changes: Partial<Payment>; readonly arrived?: Arrived }

function momentOf(state: PreviewState, open: Payment, method: Method, now: Date): Moment {
  const { amountMinor: whole } = open
  const part = (whole * 3n) / 5n
  const { isAuthorised, tx } = exampleMethod(method)
  const paid = (minor: bigint, more: Partial<Payment> = {}): Moment => ({
    changes: {
      method,
      status: 'PAID',
      receivedMinor: minor,
      paidAt: now,
      ...given({ completingTx: tx }),
      ...more,
    },
    arrived: { minor, final: true },
  })
  switch (state) {
    case 'choose':
    case 'fields':
      return { changes: {} }
    case 'preparing':
    case 'waiting':
      return { changes: { method } }
    case 'confirming':
      return {
        changes: isAuthorised === true ? { method, status: 'APPROVED' } : { method, seenMinor: whole },
        arrived: { minor: whole, final: false },
      }
    case 'underpaid':
      return {
        changes: { method, receivedMinor: part, exceptions: ['UNDERPAID'] },
        arrived: { minor: part, final: true },
      }
    case 'paid':
      return paid(whole)
    case 'overpaid':
      return paid(whole + 2_000n, { exceptions: ['OVERPAID'] })
    case 'late':
      return paid(whole, { exceptions: ['LATE'] })
    case 'expired':
      return { changes: { method, status: 'EXPIRED' } }
    case 'failed':
      return { changes: { method, status: 'FAILED' } }
    case 'canceled':
      return { changes: { method, status: 'CANCELED' } }
    default:
      return state satisfies never
  }
}

/** As a choice sets it: the end of the checkout, or the template's time for the method. */
function withExpiry(payment: Payment, { expiry }: TemplateDocument, state: PreviewState, now: Date): Payment {
  if (state === 'expired') return { ...payment, expiresAt: addMs(now, -2 * hourMs) }
  const end = checkoutEnd(payment.createdAt, payment.request)
  const seconds = payment.method === undefined ? undefined : expiry[payment.method]
  const chosen = seconds === undefined ? end : addMs(now, seconds * secondMs)
  return { ...payment, expiresAt: chosen < end ? chosen : end }
}

/** A form as a payer in a hurry fills it in, with faults. Undefined when the template has no field that could be wrong. */
function formOf({ template, locale, method }: ExampleOf, payment: Payment): AnsweredForm | undefined {
  const typed: Typed = { method, name: 'Ana Souza', email: 'ana.example', phone: '12', taxId: '123' }
  const needs = { needs: [], only: false }
  const verdict = readPayer(payment, template, typed, { sentences: speech[locale].sentences, needs })
  return verdict.ok ? undefined : { typed, faults: verdict.faults }
}
