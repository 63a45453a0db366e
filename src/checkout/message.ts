// The main message of the page: what happened, what it means for the money, and what to do next.
import type { Locale } from '#/kernel/language.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Method } from '#/rails/method.ts'
import type { Format } from './format.ts'
import { shownAs, type Naming } from './marks.ts'
import { methodOf, panelWords } from './methods/all.ts'
import type { ExactSums, Ready, Notice, PanelWords } from './methods/method.ts'
import type { PageStep } from './page-state.ts'
import type { Rest } from './rest.ts'
import { currencyOf, sentOf } from './sent.ts'
import type { Sentences } from './sentences.ts'
import { sumsOf } from './step.ts'

/** Why a page cannot go on for now: the provider does not answer or refuses this payment, or the time to pay by the method is over. */
export type Problem = { readonly kind: 'provider_away' | 'refused' | 'over'; readonly method: Method }

export type MessageInput = {
  readonly payment: Payment
  readonly step: PageStep
  /** The panel with which the payer can pay, once it is there. */
  readonly ready: Ready | undefined
  /** Sums that are finer than minor units. */
  readonly exact: ExactSums | undefined
  /** How the payer can pay the rest, with a separate charge. */
  readonly rest: Rest | undefined
  /** Whether the page asks who the payer is. */
  readonly asksPayer: boolean
  readonly merchant: string
  /** Until when the payer can pay, in the page's words. */
  readonly until: string
  readonly locale: Locale
  readonly format: Format
  readonly sentences: Sentences
}

export function messageFor(input: MessageInput): Notice {
  const { payment, step, sentences, merchant } = input
  const sent = sentOf(input, sumsOf(payment).kept)
  switch (step) {
    case 'choose': {
      const { headline, message, one } = sentences.choose
      return { headline, message: payment.methods.length === 1 && input.asksPayer ? one : message }
    }
    case 'preparing':
      return sentences.preparing
    case 'waiting':
      return input.ready?.notice ?? sentences.preparing
    case 'confirming':
      return confirmingFor(input)
    case 'underpaid':
      return underpaidFor(input)
    case 'paid':
      return withAnother(input, {
        headline: sentences.paid.headline,
        message: sentences.paid.message(merchant),
      })
    case 'overpaid': {
      const { headline, message } = sentences.overpaid
      const excess = input.format.money(sumsOf(payment).excess, currencyOf(payment)).text
      return withAnother(input, { headline, message: message(sent, excess, merchant) })
    }
    case 'late':
      return withAnother(input, {
        headline: sentences.late.headline,
        message: sentences.late.message(merchant),
      })
    case 'expired': {
      const { headline, message, withMoney } = sentences.expired
      return { headline, message: hasMoney(payment) ? withMoney(sent, merchant) : message(merchant) }
    }
    case 'failed':
    case 'canceled': {
      const { headline, message } = sentences[step]
      const text = hasMoney(payment) ? sentences.endedWithMoney(sent, merchant) : message(merchant)
      return { headline, message: text }
    }
    default:
      return step satisfies never
  }
}

export type ProblemInput = Pick<MessageInput, 'payment' | 'step' | 'sentences' | 'rest'> &
  Naming & {
    /** The problem that keeps the page from going on. */
    readonly problem: Problem | undefined
    /** The problem of a choice that was made just now. */
    readonly tried: Problem | undefined
  }

/** A failed try while the payer can try again, or the problem that keeps the page from going on. */
export function problemFor(input: ProblemInput): string | undefined {
  const { payment, step, problem, tried, sentences } = input
  const { lastError, method } = payment
  const { problems } = sentences
  if (step === 'underpaid') return problem === undefined ? undefined : restProblem(input, problem)
  if (problem !== undefined && (step === 'preparing' || step === 'choose'))
    return problem.kind === 'over'
      ? problems.over(shownAs(problem.method, input).value)
      : problems[problem.kind]
  if (tried !== undefined && method !== undefined && tried.method !== method && step === 'waiting')
    return problems.kept(shownAs(tried.method, input).value, shownAs(method, input).value)
  if (lastError === undefined || (step !== 'waiting' && step !== 'failed')) return undefined
  // A payer who has changed to another method is not asked to try another card.
  if (lastError.method !== undefined && lastError.method !== method) return undefined
  // The reason why a payment ended is shown with its end, if more is known than that it ended.
  return declineOf(lastError.code, input) ?? (step === 'waiting' ? sentences.declines.other : undefined)
}

/** The charge for the rest could not be opened, and the payer has no other. */
function restProblem({ rest, payment }: ProblemInput, problem: Problem): string | undefined {
  if (rest === undefined || rest.isOpen || problem.method !== payment.method) return undefined
  return problem.kind === 'refused' ? rest.refused : rest.away
}

/** The rails report reasons as codes, and a payer can act on these. */
function declineOf(code: string, { sentences, locale }: ProblemInput): string | undefined {
  const ofPanels = panelWords.map((words): PanelWords => words[locale])
  return [sentences.declines, ...ofPanels.map(({ declines = {} }) => declines)]
    .flatMap((declines) => Object.entries(declines))
    .find(([declined]) => declined === code)?.[1]
}

/** A transfer that is on its way to a payment that is paid already. */
function withAnother(input: MessageInput, notice: Notice): Notice {
  const { payment, sentences, merchant } = input
  if (payment.seenMinor === 0n) return notice
  const { received } = sentOf(input, payment.seenMinor)
  return { ...notice, message: `${notice.message} ${sentences.paid.another(received, merchant)}` }
}

function confirmingFor(input: MessageInput): Notice {
  const { payment, sentences, merchant, locale } = input
  if (payment.status === 'CANCELED' || payment.status === 'FAILED') {
    const { received } = sentOf(input, payment.seenMinor)
    return { headline: sentences.onItsWay.headline, message: sentences.onItsWay.message(received, merchant) }
  }
  const { headline, message } = sentences.confirming
  const sent = sentOf(input, payment.seenMinor)
  return { headline, message, ...methodOf(payment)?.confirming?.({ payment, sent, merchant, locale }) }
}

function underpaidFor(input: MessageInput): Notice {
  const { payment, format, sentences, merchant, until, locale } = input
  const { headline, message } = sentences.underpaid
  const { arriving, open } = sumsOf(payment)
  const rounded = sentOf(input, arriving)
  const { exact } = input
  const sent = exact === undefined ? rounded : { ...rounded, received: exact.received.text }
  const missing =
    exact === undefined ? format.figure(open, currencyOf(payment)) : format.decimal(exact.missing.value)
  const topUp = methodOf(payment)?.topUp?.({ sent, missing, until, locale })
  return { headline, message: topUp ?? input.rest?.message ?? message(sent, merchant) }
}

function hasMoney(payment: Payment): boolean {
  return sumsOf(payment).kept > 0n
}
