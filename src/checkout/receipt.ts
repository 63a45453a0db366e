// What the payer may keep of a payment: the rows of the receipt, and the ways back to the merchant.
import type { Means } from './means.ts'
import { ledgerCurrency, type Payment } from '#/payments/payment.ts'
import { leadsTo } from '#/templates/hosts.ts'
import type { Format } from './format.ts'
import { paidWith, type Naming } from './marks.ts'
import { methodOf } from './methods/all.ts'
import type { PageState, PageStep } from './page-state.ts'
import type { Sentences } from './sentences/en.ts'
import { sumsOf } from './step.ts'
import type { PageTemplate } from './template.ts'

type Row = PageState['receipt'][number]

export type ReceiptInput = Naming & {
  readonly payment: Payment
  readonly means: Means
  readonly sentences: Sentences
  readonly step: PageStep
  readonly template: PageTemplate
  readonly format: Format
}

/** Empty while the payer can still pay here. Who paid a part by a code of its own amount needs the number to ask with. */
export function receiptOf(input: ReceiptInput): readonly Row[] {
  const { payment, means, step, template, format, sentences } = input
  if (['choose', 'preparing', 'waiting'].includes(step)) return []
  const { method, paidAt, completingTx } = payment
  if (step === 'underpaid' && methodOf(payment)?.topUp !== undefined) return []
  const labels = sentences.receipt
  const { kept } = sumsOf(payment)
  const currency = method === undefined ? payment.currency : ledgerCurrency(payment.currency, method)
  const amount = format.money(payment.amountMinor, payment.currency)
  const received = format.money(kept, currency)
  return [
    // Of a payment that nobody paid it would not be true.
    ...(payment.receivedMinor > 0n ? [{ label: labels.to, value: template.name }] : []),
    { label: labels.amount, value: amount.text },
    ...(kept > 0n && kept !== payment.amountMinor ? [{ label: labels.received, value: received.text }] : []),
    ...(method === undefined || kept === 0n
      ? []
      : [{ label: labels.method, ...paidWith(method, means, input) }]),
    ...(paidAt === undefined ? [] : [{ label: labels.paidAt, value: format.moment(paidAt).text }]),
    ...(completingTx === undefined
      ? []
      : [{ label: labels.transaction, value: shortened(completingTx), copy: completingTx }]),
    { label: labels.number, value: payment.id, copy: payment.id },
  ]
}

/** A hash as people compare it: its beginning and its end. */
function shortened(hash: string): string {
  return hash.length <= 20 ? hash : `${hash.slice(0, 10)}…${hash.slice(-8)}`
}

type Back = NonNullable<PageState['back']>

/**
 * Back to the merchant: to where a payment that worked goes, or to where one that did not goes. Only the merchant's own
 * request and template name such places, and a template's list of hosts holds for both.
 */
export function backOf(
  payment: Payment,
  step: PageStep,
  template: PageTemplate,
  sentences: Sentences,
): Back | undefined {
  const { request } = payment
  const { returns, name } = template
  const isDone = payment.status === 'PAID' || payment.status === 'APPROVED'
  const success = request.returnUrl ?? returns.successUrl
  const away = request.cancelUrl ?? returns.cancelUrl
  // While money is on its way the payer has done all there is to do.
  const wanted = isDone || step === 'confirming' ? success : (away ?? (isOpen(step) ? undefined : success))
  const url = wanted === undefined ? undefined : returnUrlOf(wanted, payment, returns.allowedHosts)
  if (url === undefined) return undefined
  const afterSeconds = isDone ? returns.automaticSeconds : undefined
  return { label: sentences.links.back(name), url, ...(afterSeconds === undefined ? {} : { afterSeconds }) }
}

function isOpen(step: PageStep): boolean {
  return step === 'choose' || step === 'preparing' || step === 'waiting' || step === 'underpaid'
}

/** The URL with the payment's id, if it is one of the web and leads to an allowed host. */
export function returnUrlOf(
  wanted: string,
  { id }: Pick<Payment, 'id'>,
  allowedHosts: readonly string[] | undefined,
): string | undefined {
  if (!URL.canParse(wanted)) return undefined
  const url = new URL(wanted)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
  if (url.username !== '' || url.password !== '') return undefined
  if (allowedHosts !== undefined && !leadsTo(url, allowedHosts)) return undefined
  url.searchParams.set('paymentId', id)
  return url.href
}
