// The one thing to know of a payment: what happened, what it means for the money, and what to do next.
import type { Method } from '#/rails/words.ts'
import { ledgerCurrency, type Payment } from '#/payments/payment.ts'
import type { Currency } from '#/kernel/money.ts'
import type { Format } from './format.ts'
import { labelOf, type Naming } from './marks.ts'
import type { PageStep, Panel } from './page-state.ts'
import type { Sentences } from './sentences/en.ts'
import { sumsOf } from './step.ts'

export type Said = { readonly headline: string; readonly message: string }

/** Why a page cannot go on for now: the provider is silent, or does not take this payment. */
export type Problem = { readonly kind: 'provider_away' | 'refused'; readonly method: Method }

export type MessageInput = {
  readonly payment: Payment
  readonly step: PageStep
  readonly panel: Panel | undefined
  /** Whether the page asks who the payer is. */
  readonly asks: boolean
  readonly merchant: string
  readonly now: Date
  readonly format: Format
  readonly sentences: Sentences
}

export function messageFor(input: MessageInput): Said {
  const { payment, step, sentences, merchant } = input
  const sent = sentOf(input, sumsOf(payment).kept)
  switch (step) {
    case 'choose': {
      const { headline, message, one } = sentences.choose
      return { headline, message: payment.methods.length === 1 && input.asks ? one : message }
    }
    case 'preparing':
      return sentences.preparing
    case 'waiting':
      return waitingFor(input)
    case 'confirming':
      return confirmingFor(input)
    case 'underpaid':
      return underpaidFor(input)
    case 'paid':
      return { headline: sentences.paid.headline, message: sentences.paid.message(merchant) }
    case 'overpaid': {
      const { headline, message } = sentences.overpaid
      const excess = input.format.money(sumsOf(payment).excess, currencyOf(payment)).text
      return { headline, message: message(sent, excess, merchant) }
    }
    case 'late':
      return { headline: sentences.late.headline, message: sentences.late.message(merchant) }
    case 'expired': {
      const { headline, message, withMoney } = sentences.expired
      return { headline, message: hasMoney(payment) ? withMoney(sent, merchant) : message(merchant) }
    }
    case 'failed':
    case 'canceled': {
      const { headline, message } = sentences[step]
      const said = hasMoney(payment) ? sentences.endedWithMoney(sent, merchant) : message(merchant)
      return { headline, message: said }
    }
    default:
      return step satisfies never
  }
}

export type ProblemInput = Pick<MessageInput, 'payment' | 'step'> &
  Naming & {
    /** What keeps the page from going on. */
    readonly problem: Problem | undefined
    /** What became of a choice that was made just now. */
    readonly tried: Problem | undefined
  }

/** A try that failed while the payer can try again, or what keeps the page from going on. */
export function problemFor(input: ProblemInput): string | undefined {
  const { payment, step, problem, tried, sentences } = input
  const { lastError, method } = payment
  const { problems } = sentences
  if (problem !== undefined && (step === 'preparing' || step === 'choose')) return problems[problem.kind]
  if (tried !== undefined && method !== undefined && tried.method !== method && step === 'waiting')
    return problems.kept(labelOf(tried.method, input), labelOf(method, input))
  if (lastError === undefined || (step !== 'waiting' && step !== 'failed')) return undefined
  // Whoever pays by Pix now is not to try another card.
  if (lastError.method !== undefined && lastError.method !== method) return undefined
  // Why a payment has ended is said beside its end, where we know more than that it has.
  return (
    declineOf(lastError.code, sentences.declines) ??
    (step === 'waiting' ? sentences.declines.other : undefined)
  )
}

/** The rails say why in codes of their own that a payer can act on. */
function declineOf(code: string, declines: Sentences['declines']): string | undefined {
  return Object.entries(declines).find(([known]) => known === code)?.[1]
}

function waitingFor({ payment, panel, now, format, sentences }: MessageInput): Said {
  const { waiting } = sentences
  const until = untilOf({ payment, now, format, sentences })
  switch (panel?.method) {
    case 'PIX':
      return { headline: waiting.PIX.headline, message: waiting.PIX.message(until) }
    case 'CREDIT_CARD': {
      const { headline, message, hosted } = waiting.CREDIT_CARD
      return { headline, message: panel.frameUrl === undefined ? hosted : message }
    }
    case 'CRYPTO': {
      const { headline, message } = waiting.CRYPTO
      const { text } = panel.amount
      return { headline: headline(text), message: message(text, panel.network, until) }
    }
    case 'PARTNER_PAY':
      return { headline: waiting.PARTNER_PAY.headline, message: waiting.PARTNER_PAY.message(until) }
    case undefined:
      return sentences.preparing
    default:
      return panel satisfies never
  }
}

function confirmingFor(input: MessageInput): Said {
  const { payment, sentences, merchant } = input
  if (payment.status === 'APPROVED')
    return { headline: sentences.authorised.headline, message: sentences.authorised.message(merchant) }
  const { headline, coins, other, late } = sentences.confirming
  const seen = sentOf(input, payment.seenMinor)
  if (payment.method !== 'CRYPTO') return { headline, message: other }
  return { headline, message: payment.status === 'WAITING_PAYMENT' ? coins(seen) : late(seen) }
}

/** More can be sent to an address of coins; a charge of another method takes its own amount alone. */
function underpaidFor(input: MessageInput): Said {
  const { payment, format, sentences, merchant } = input
  const { headline, more, ask } = sentences.underpaid
  const { arriving, open } = sumsOf(payment)
  const sent = sentOf(input, arriving)
  if (payment.method !== 'CRYPTO') return { headline, message: ask(sent, merchant) }
  const missing = format.figure(open, currencyOf(payment))
  return { headline, message: more(sent, missing, untilOf(input)) }
}

/** The currency is named once: "8,00 USDT de 10,00". */
function sentOf({ payment, format }: MessageInput, minor: bigint) {
  const currency = currencyOf(payment)
  return {
    received: format.money(minor, currency).text,
    amount: format.figure(payment.amountMinor, currency),
  }
}

function untilOf({
  payment,
  now,
  format,
  sentences,
}: Pick<MessageInput, 'payment' | 'now' | 'format' | 'sentences'>): string {
  const { text, isToday } = format.instant(payment.expiresAt ?? now, now)
  return sentences.until(text, isToday)
}

/** What the payer sends, which for coins is the coin. */
function currencyOf({ currency, method }: Payment): Currency {
  return method === undefined ? currency : ledgerCurrency(currency, method)
}

function hasMoney(payment: Payment): boolean {
  return sumsOf(payment).kept > 0n
}
