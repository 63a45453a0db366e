// The receipt that the payer may keep, and the links back to the merchant.
import { given } from '#/kernel/given.ts'
import { readPageUrl } from '#/kernel/page-url.ts'
import { parseTaxId, writtenTaxId } from '#/kernel/tax-id.ts'
import { addMs, minuteMs } from '#/kernel/time.ts'
import { payerDetailsOf } from '#/payments/payer-choice.ts'
import { ledgerCurrency, type Payment } from '#/payments/payment.ts'
import { leadsTo } from '#/templates/template.ts'
import type { Format } from './format.ts'
import { paidWith, type Naming } from './marks.ts'
import type { Means } from './means.ts'
import type { PageState, PageStep } from './page-state.ts'
import { maskedTaxId, proofOf } from './proof.ts'
import type { Sentences } from './sentences.ts'
import { sumsOf } from './step.ts'
import type { PageTemplate } from './template.ts'

type Row = PageState['receipt'][number]

export type ReceiptInput = Naming & {
  readonly payment: Payment
  readonly means: Means
  readonly sentences: Sentences
  readonly step: PageStep
  /** After a part came. */
  readonly canPayRest: boolean
  readonly template: PageTemplate
  readonly format: Format
}

/** Empty while the payer can still pay here. A payer who paid only a part needs the payment's number to ask the merchant about it. */
export function receiptOf(input: ReceiptInput): readonly Row[] {
  const { payment, means, step, canPayRest, template, format, sentences } = input
  if (['choose', 'preparing', 'waiting'].includes(step)) return []
  const { method, paidAt } = payment
  if (step === 'underpaid' && canPayRest) return []
  const labels = sentences.receipt
  const { kept } = sumsOf(payment)
  const currency = method === undefined ? payment.currency : ledgerCurrency(payment.currency, method)
  const amount = format.money(payment.amountMinor, payment.currency)
  const received = format.money(kept, currency)
  return [
    // Left out while nothing is paid: the label says "paid to".
    ...(payment.receivedMinor > 0n
      ? [{ label: labels.to, value: template.name }, ...sellerRows(template, labels)]
      : []),
    ...(payment.receivedMinor > 0n ? payerRows(payment, labels) : []),
    { label: labels.amount, value: amount.text },
    ...(kept > 0n && kept !== payment.amountMinor ? [{ label: labels.received, value: received.text }] : []),
    ...(method === undefined || kept === 0n
      ? []
      : [{ label: labels.method, ...paidWith(method, means, input) }]),
    ...(paidAt === undefined ? [] : [{ label: labels.paidAt, value: format.moment(paidAt).text }]),
    ...(kept === 0n ? [] : proofOf(payment, means, sentences)),
    { label: labels.number, value: payment.id, copy: payment.id },
  ]
}

/** Who the shop is before the law, as the merchant set it. */
function sellerRows({ seller = {} }: PageTemplate, labels: Sentences['receipt']): readonly Row[] {
  const { legalName, taxId, country } = seller
  const written = taxId === undefined ? undefined : writtenTaxId(taxId, country)
  return [
    ...(legalName === undefined ? [] : [{ label: labels.legalName, value: legalName }]),
    ...(written === undefined ? [] : [{ label: written.kind ?? labels.taxId, value: written.text }]),
  ]
}

/** Nothing once the payer's data was erased. */
function payerRows(payment: Payment, labels: Sentences['receipt']): readonly Row[] {
  const { name = '', taxId = '' } = payerDetailsOf(payment)
  return [
    ...(name.trim() === '' ? [] : [{ label: labels.payer, value: name }]),
    ...(taxId === ''
      ? []
      : [
          {
            label: parseTaxId(taxId) === undefined ? labels.payerForeignTaxId : labels.payerTaxId,
            value: maskedTaxId(taxId),
          },
        ]),
  ]
}

type Back = NonNullable<PageState['back']>

/**
 * The link back to the merchant: the success URL after a payment, or the cancel URL otherwise. Only the merchant's own request,
 * template and setting give these URLs, and a template's list of hosts applies to all of them.
 */
export function backOf(
  payment: Payment,
  step: PageStep,
  template: PageTemplate,
  sentences: Sentences,
  now: Date,
): Back | undefined {
  const { request } = payment
  const { returns, name } = template
  const isDone = payment.status === 'PAID' || payment.status === 'APPROVED'
  const success = request.returnUrl ?? returns.successUrl
  const away = request.cancelUrl ?? returns.cancelUrl
  // While money is on its way the payer has nothing left to do.
  const target = isDone || step === 'confirming' ? success : (away ?? (isOpen(step) ? undefined : success))
  const url = target === undefined ? undefined : returnUrlOf(target, payment, returns.allowedHosts)
  if (url === undefined) return undefined
  const afterSeconds = isDone ? (returns.automaticSeconds ?? usualSeconds({ payment, step, now })) : undefined
  return { label: sentences.links.back(name), url, ...given({ afterSeconds }) }
}

/** Long enough to read that it is paid. */
const usualReturnSeconds = 5
/** Whoever opens the page later wants the receipt. */
const justPaidMs = 10 * minuteMs

/** Who has just paid, and has nothing to ask the merchant, goes back without a press. */
function usualSeconds({
  payment: { paidAt, approvedAt },
  step,
  now,
}: {
  readonly payment: Payment
  readonly step: PageStep
  readonly now: Date
}): number | undefined {
  const doneAt = paidAt ?? approvedAt
  const isJust = doneAt !== undefined && now < addMs(doneAt, justPaidMs)
  return isJust && (step === 'paid' || step === 'confirming') ? usualReturnSeconds : undefined
}

function isOpen(step: PageStep): boolean {
  return step === 'choose' || step === 'preparing' || step === 'waiting' || step === 'underpaid'
}

/** The URL with the payment's id, if a page may lead there and its host is allowed. */
export function returnUrlOf(
  target: string,
  { id, mode }: Pick<Payment, 'id' | 'mode'>,
  allowedHosts: readonly string[] | undefined,
): string | undefined {
  const read = readPageUrl(target, mode)
  if (!read.ok) return undefined
  const { url } = read
  if (allowedHosts !== undefined && !leadsTo(url, allowedHosts)) return undefined
  url.searchParams.set('paymentId', id)
  return url.href
}
