// The whole of what a payer's page shows, made of a payment, what its rail says of it, and its template. Whatever is not
// named here does not reach a payer: no metadata, no webhook, no fee, no wallet, no tax id.
import type { Means } from './means.ts'
import { sha256 } from '#/kernel/secret.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Logo } from '#/templates/template.ts'
import { fieldsOf, type Faults, type Typed } from './fields.ts'
import { formatFor } from './format.ts'
import { languageNames, type Locale } from './language.ts'
import { shownAs, type Naming } from './marks.ts'
import { messageFor, problemFor, type Problem } from './message.ts'
import { checkoutMethods, methodOf } from './methods/all.ts'
import type { CheckoutMethod, Ready, ReadyInput } from './methods/method.ts'
import type { MethodChoice, PageState, PageStep } from './page-state.ts'
import { backOf, receiptOf } from './receipt.ts'
import type { Sentences } from './sentences/en.ts'
import { speech } from './speech.ts'
import { isOver, stepOf, sumsOf } from './step.ts'
import type { PageTemplate } from './template.ts'

export type StateInput = {
  readonly payment: Payment
  readonly means: Means
  /** How many attempts have been opened: an opening changes the page and not the payment. */
  readonly opened: number
  readonly template: PageTemplate
  readonly locale: Locale
  readonly now: Date
  readonly token: string
  /** What payers call a method whose rail goes by a name of its own: a wallet app. */
  readonly brands?: Naming['brands']
  readonly problem?: Problem
  readonly form?: AnsweredForm
}

/** A form that was sent and is not right, or came to nothing: `problem`. */
export type AnsweredForm = { readonly typed: Typed; readonly faults: Faults; readonly problem?: Problem }

/** The state of the page. Pure: the same input is the same page. */
export function buildPageState(input: StateInput): PageState {
  const { payment, means, template, locale, now, token, form } = input
  const { labels, sentences } = speech[locale]
  const format = formatFor(locale, template.timeZone)
  const page = `/c/${token}`
  const naming: Naming = { locale, brands: input.brands ?? {} }
  const { at, text, isToday } = format.instant(payment.expiresAt ?? now, now)
  const until = sentences.until(text, isToday)
  const found = readyOf(payment, { means, locale, format, page, until }, naming)
  const problem = problemOf(input)
  const canPay = found !== undefined
  const isRefused = problem?.kind === 'refused' && problem.method === payment.method
  const step = stepOf(payment, { canPay, isRefused, now })
  const ready = showsPanel(step, payment) ? found : undefined
  const isAsked = step === 'choose' && payment.method === undefined
  const fields = isAsked ? fieldsOf({ payment, template, locale, sentences, ...form }) : []
  const asks = fields.length > 0
  const merchant = template.name
  const said = messageFor({ payment, step, ready, asks, merchant, until, locale, format, sentences })
  const trouble = problemFor({ payment, step, problem, tried: form?.problem, sentences, ...naming })
  const back = backOf(payment, step, template, sentences)
  return {
    version: versionOf(input),
    locale,
    step,
    now: now.toISOString(),
    isSandbox: payment.mode === 'SANDBOX',
    merchant: {
      name: template.name,
      ...(template.logo === undefined ? {} : { logoUrl: `${page}/logo/${logoName(template.logo)}` }),
    },
    theme: template.style.theme,
    amount: format.money(payment.amountMinor, payment.currency),
    ...said,
    ...(payment.request.description === undefined ? {} : { description: payment.request.description }),
    ...textsOf(template, locale, payment),
    methods: methodsOf(input, step, problem, naming),
    fields,
    ...(ready === undefined ? {} : { panel: ready.panel }),
    ...(payment.expiresAt !== undefined && canPayNow(step, ready) ? { expires: { text: until, at } } : {}),
    ...(trouble === undefined ? {} : { problem: trouble }),
    ...(trouble !== undefined && form?.problem === undefined && ready?.hasForm === true
      ? { isSaidInForm: true }
      : {}),
    receipt: receiptOf({ payment, means, step, template, format, sentences, ...naming }),
    ...supportOf(template, sentences),
    legal: legalOf(template, sentences),
    languages: template.languages.enabled.map((code) => ({
      code,
      name: languageNames[code],
      url: `${page}?lang=${code}`,
      isCurrent: code === locale,
    })),
    ...(back === undefined ? {} : { back }),
    links: {
      page,
      state: `${page}/state/${locale}`,
      events: `${page}/events/${locale}`,
      choose: `${page}/choose`,
      ...(template.hasCancel && mayCancel(payment, step) ? { cancel: `${page}/cancel` } : {}),
    },
    texts: { ...labels },
    isFinal: isOver(payment, now),
  }
}

function readyOf(
  payment: Payment,
  input: Omit<ReadyInput, 'openMinor' | 'shown'>,
  naming: Naming,
): Ready | undefined {
  const { method } = payment
  if (method === undefined) return undefined
  const openMinor = sumsOf(payment).open
  return checkoutMethods[method].ready({ ...input, openMinor, shown: shownAs(method, naming) })
}

/** Of the choice that was just made, else of the last one that this process knows of, else what is kept with the payment. */
function problemOf({ payment, means, problem, form }: StateInput): Problem | undefined {
  const known = form?.problem ?? problem
  if (known !== undefined) return known
  const { method, lastError } = payment
  if (method !== undefined) return means.isRefused === true ? { kind: 'refused', method } : undefined
  return lastError?.method === undefined ? undefined : { kind: 'refused', method: lastError.method }
}

/** Nobody is thanked for a payment that came to nothing. */
function textsOf({ texts }: PageTemplate, locale: Locale, { receivedMinor, seenMinor, status }: Payment) {
  const { thanks, ...others } = texts[locale] ?? {}
  const hasPaid = receivedMinor + seenMinor > 0n || status === 'APPROVED'
  return { ...others, ...(thanks === undefined || !hasPaid ? {} : { thanks }) }
}

/** Blocks that are counted, and how far a form that is not right is ahead of them. */
const blocksMax = 9_998

/**
 * Grows with whatever the page shows: with the payment first, then with attempts that were opened, then with blocks that
 * confirm a transfer. What is wrong with a form that was sent is newer than all that is known of the payment as it is: the
 * stream, which does not know of the form, must not wipe it away.
 */
function versionOf({ payment, means, opened, form }: StateInput): number {
  const confirmed = methodOf(payment)?.progress?.(means).confirmed ?? 0
  const within = form === undefined ? Math.min(confirmed, blocksMax) : blocksMax + 1
  return payment.version * 1_000_000 + Math.min(opened, 99) * 10_000 + within
}

/** Of what the picture is, so that a new one has a new address. */
export function logoName({ type, bytes }: Logo): string {
  return `${sha256(bytes).toString('hex').slice(0, 12)}.${type.slice('image/'.length)}`
}

/** Who paid a part and cannot send the rest here has no time that runs out. */
function canPayNow(step: PageStep, ready: Ready | undefined): boolean {
  if (step === 'underpaid') return ready !== undefined
  return step === 'choose' || step === 'preparing' || step === 'waiting'
}

/** A code that would take the whole amount again is not shown to who paid a part of it. */
function showsPanel(step: PageStep, payment: Payment): boolean {
  if (step === 'waiting') return true
  return (step === 'underpaid' || step === 'confirming') && methodOf(payment)?.topUp !== undefined
}

/** In the template's order; of a checkout alone, and only while another can still be chosen. */
function methodsOf(
  { payment, template, form }: StateInput,
  step: PageStep,
  problem: Problem | undefined,
  naming: Naming,
): readonly MethodChoice[] {
  const isOpen = step === 'choose' || step === 'preparing' || step === 'waiting'
  if (payment.request.checkout === undefined || !isOpen) return []
  const highlighted = new Set(
    template.methods.filter(({ isHighlighted }) => isHighlighted).map(({ method }) => method),
  )
  // A choice that came to nothing is the one to try again, and what was chosen in a form that is not right stays chosen.
  const wanted = step === 'choose' ? (form?.typed['method'] ?? problem?.method) : undefined
  const chosen = wanted ?? payment.method
  return payment.methods.map((method) => {
    const { words, accepts }: CheckoutMethod = checkoutMethods[method]
    const { value: label, mark } = shownAs(method, naming)
    const isShut = problem?.kind === 'refused' && problem.method === method
    return {
      method,
      label,
      mark,
      accepts: accepts?.(payment.currency) ?? [],
      hint: isShut ? speech[naming.locale].sentences.shut : words[naming.locale].hint,
      isHighlighted: highlighted.has(method),
      isChosen: method === chosen,
    }
  })
}

function mayCancel(payment: Payment, step: PageStep): boolean {
  return (step === 'choose' || step === 'preparing' || step === 'waiting') && sumsOf(payment).arriving === 0n
}

function supportOf({ support, name }: PageTemplate, { links }: Sentences) {
  const url = webUrlOf(support?.url) ?? mailUrlOf(support?.email)
  return url === undefined ? {} : { support: { label: links.support(name), url } }
}

function legalOf({ termsUrl, privacyUrl }: PageTemplate, { links }: Sentences): PageState['legal'] {
  return [
    { label: links.terms, url: webUrlOf(termsUrl) },
    { label: links.privacy, url: webUrlOf(privacyUrl) },
  ].flatMap(({ label, url }) => (url === undefined ? [] : [{ label, url }]))
}

function webUrlOf(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined
  return ['https:', 'http:'].includes(new URL(url).protocol) ? url : undefined
}

function mailUrlOf(address: string | undefined): string | undefined {
  return address !== undefined && /^[\w.+-]+@[\w.-]+$/.test(address) ? `mailto:${address}` : undefined
}
