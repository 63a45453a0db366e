// The rest of a payment of which a part came, where each charge is paid once: the page offers a new charge, or shows the one that is open.
import type { Locale } from '#/kernel/language.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Format } from './format.ts'
import { methodOf } from './methods/all.ts'
import type { RestWords } from './methods/method.ts'
import type { PageStep } from './page-state.ts'
import { sentOf } from './sent.ts'
import { sumsOf } from './step.ts'

export type RestInput = {
  readonly payment: Payment
  readonly step: PageStep
  /** The page has the charge for the rest. */
  readonly isOpen: boolean
  readonly until: string
  readonly now: Date
  readonly locale: Locale
  readonly format: Format
}

export type Rest = RestWords & { readonly isOpen: boolean }

/** Undefined when the payer cannot pay the rest here, or needs no separate charge for it. */
export function restOf({ payment, step, isOpen, until, now, locale, format }: RestInput): Rest | undefined {
  const { request, expiresAt, currency } = payment
  const restCharge = methodOf(payment)?.restCharge
  const isDue = expiresAt === undefined || expiresAt > now
  if (step !== 'underpaid' || restCharge === undefined || request.checkout === undefined || !isDue)
    return undefined
  const { kept, open } = sumsOf(payment)
  const words = restCharge({
    sent: sentOf({ payment, format }, kept),
    missing: format.money(open, currency).text,
    until,
    isOpen,
    isReturned: kept === 0n,
    locale,
  })
  return { ...words, isOpen }
}
