// Builds the state of a payer's page from a payment, the report of its rail, and its template. Only the fields named here reach a
// payer: no metadata, no webhook, no fee, no wallet, and a tax id only masked.
import { textIn } from '#/kernel/dictionary.ts'
import { given } from '#/kernel/given.ts'
import { languageNames, type Locale } from '#/kernel/language.ts'
import { sha256 } from '#/kernel/secret.ts'
import { methodOverCode, type Payment } from '#/payments/payment.ts'
import type { Method } from '#/rails/method.ts'
import { descriptorOf } from '#/rails/methods.ts'
import type { Logo } from '#/templates/template.ts'
import { fieldsOf, needsOf, type Faults, type Typed } from './fields.ts'
import { formatFor, type Format } from './format.ts'
import { pageItemsOf } from './items.ts'
import { shownAs, type Naming } from './marks.ts'
import type { Means } from './means.ts'
import { messageFor, problemFor, type Problem } from './message.ts'
import { checkoutMethods, methodOf } from './methods/all.ts'
import type { CheckoutMethod, ExactSums, Ready, ReadyInput } from './methods/method.ts'
import type { MethodChoice, PageState, PageStep } from './page-state.ts'
import { backOf, receiptOf } from './receipt.ts'
import { restOf, type Rest } from './rest.ts'
import type { Sentences } from './sentences.ts'
import { simulationOf } from './simulation.ts'
import { speech } from './speech.ts'
import { isOver, stepOf, sumsOf } from './step.ts'
import type { PageTemplate } from './template.ts'

export type StateInput = {
  readonly payment: Payment
  readonly means: Means
  /** How many attempts were opened or ended, which changes the page but not the payment. */
  readonly opened: number
  readonly template: PageTemplate
  readonly locale: Locale
  readonly now: Date
  readonly token: string
  /** Brands of rails that payers know better than the method: a wallet app. */
  readonly brands?: Naming['brands']
  readonly problem?: Problem
  readonly form?: AnsweredForm
  /** A sandbox's payer can be played here. */
  readonly canSimulate?: boolean
}

/** A submitted form that has faults, or whose choice failed with `problem`. */
export type AnsweredForm = { readonly typed: Typed; readonly faults: Faults; readonly problem?: Problem }

/** The state of the page. Pure: the same input gives the same page. */
export function buildPageState(input: StateInput): PageState {
  const { payment, template, locale, now, token } = input
  const { labels, sentences } = speech[locale]
  const scene = sceneOf(input)
  const { step, format, problem, naming } = scene
  const page = `/c/${token}`
  const back = backOf(payment, step, template, sentences, now)
  const simulation =
    input.canSimulate === true ? simulationOf({ payment, ...scene }, locale, page) : undefined
  const items = pageItemsOf(payment, format, sentences)
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
    ...given({ description: payment.request.description, items }),
    ...textsOf(template, locale, payment),
    methods: methodsOf(input, step, problem, naming),
    ...nextStepOf(input, scene),
    ...supportOf(template, sentences),
    legal: legalOf(template, sentences),
    languages: template.languages.enabled.map((code) => ({
      code,
      name: languageNames[code],
      url: `${page}?lang=${code}`,
      isCurrent: code === locale,
    })),
    ...given({ back, simulation }),
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

/** What the parts of the page depend on. */
type Scene = {
  readonly step: PageStep
  readonly format: Format
  readonly naming: Naming
  readonly problem: Problem | undefined
  /** Until when the payer can pay, in the page's words, and in ISO 8601. */
  readonly until: string
  readonly at: string
  /** The panel of the method, if it is shown. */
  readonly ready: Ready | undefined
  readonly rest: Rest | undefined
}

function sceneOf(input: StateInput): Scene {
  const { payment, means, template, locale, now, token } = input
  const format = formatFor(locale, template.timeZone)
  const naming: Naming = { locale, brands: input.brands ?? {} }
  const { at, text, isToday } = format.instant(payment.expiresAt ?? now, now)
  const until = speech[locale].sentences.until(text, isToday)
  const found = readyOf(payment, { means, locale, format, page: `/c/${token}`, until }, naming)
  const problem = problemOf(input)
  const isRefused = problem?.kind === 'refused' && problem.method === payment.method
  const usual = stepOf(payment, { canPay: found !== undefined, isRefused, now })
  const step = asksMore(input, usual) ? 'choose' : usual
  const ready = showsPanel(step, input) ? found : undefined
  const rest = restOf({ payment, step, isOpen: ready !== undefined, until, now, locale, format })
  return { step, format, naming, problem, until, at, ready, rest }
}

/** The message, and what the payer does next: the form, the panel, the button for the rest, or the receipt. */
function nextStepOf(
  { payment, means, template, locale, token, form }: StateInput,
  { step, format, naming, problem, until, at, ready, rest }: Scene,
) {
  const { sentences } = speech[locale]
  const showsForm = step === 'choose' && (payment.method === undefined || hasFaults(form))
  const needs = needsOf(payment, methodOfForm(payment, form))
  const fields = showsForm ? fieldsOf({ payment, template, locale, sentences, needs, ...form }) : []
  const common = { payment, step, rest, sentences }
  const merchant = template.name
  const asksPayer = fields.length > 0
  const exact = exactOf(payment, { means, format })
  const notice = messageFor({ ...common, exact, ready, asksPayer, merchant, until, locale, format })
  const trouble = problemFor({ ...common, problem, tried: form?.problem, ...naming })
  const way = ready ?? rest
  const receipt = receiptOf({ ...common, means, canPayRest: way !== undefined, template, format, ...naming })
  return {
    ...notice,
    fields,
    ...(ready === undefined ? {} : { panel: ready.panel }),
    ...(rest === undefined || rest.isOpen ? {} : { rest: { label: rest.button, url: `/c/${token}/rest` } }),
    ...(payment.expiresAt !== undefined && canPayNow(step, way) ? { expires: { text: until, at } } : {}),
    ...given({ problem: trouble }),
    ...(trouble !== undefined && form?.problem === undefined && ready?.hasForm === true
      ? { isSaidInForm: true as const }
      : {}),
    receipt,
  }
}

/** The payer chose another method than the one that is open, and it needs more of the payer. */
function asksMore({ payment, form }: StateInput, step: PageStep): boolean {
  return payment.method !== undefined && hasFaults(form) && (step === 'waiting' || step === 'preparing')
}

function hasFaults(form: AnsweredForm | undefined): boolean {
  return form !== undefined && Object.keys(form.faults).length > 0
}

/** The method whose needs the form asks for: the one just chosen, or the only one. */
function methodOfForm({ methods }: Payment, form: AnsweredForm | undefined): Method | undefined {
  const typed = methods.find((each) => each === form?.typed['method'])
  return typed ?? (methods.length === 1 ? methods[0] : undefined)
}

function readyOf(
  payment: Payment,
  input: Omit<ReadyInput, 'openMinor' | 'exact' | 'shown'>,
  naming: Naming,
): Ready | undefined {
  const { method } = payment
  if (method === undefined) return undefined
  const openMinor = sumsOf(payment).open
  const exact = exactOf(payment, input)
  return checkoutMethods[method].ready({ ...input, openMinor, exact, shown: shownAs(method, naming) })
}

function exactOf(
  payment: Payment,
  { means, format }: Pick<ReadyInput, 'means' | 'format'>,
): ExactSums | undefined {
  return methodOf(payment)?.exactSums?.(payment, means, format)
}

/** The problem of the choice just made, else the latest in memory, else the one stored with the payment. */
function problemOf({ payment, means, problem, form, now }: StateInput): Problem | undefined {
  const recent = form?.problem ?? problem
  if (recent !== undefined) return recent
  const { method, lastError, expiresAt } = payment
  // Its worker ends the method in a moment.
  if (method !== undefined && expiresAt !== undefined && expiresAt <= now) return { kind: 'over', method }
  if (method !== undefined) return means.isRefused === true ? { kind: 'refused', method } : undefined
  if (lastError?.method === undefined) return undefined
  return { kind: lastError.code === methodOverCode ? 'over' : 'refused', method: lastError.method }
}

/** Leaves out the thanks when nothing was paid. */
function textsOf({ texts }: PageTemplate, locale: Locale, { receivedMinor, seenMinor, status }: Payment) {
  const { thanks, ...others } = texts[locale] ?? {}
  const hasPaid = receivedMinor + seenMinor > 0n || status === 'APPROVED'
  return { ...others, ...(thanks === undefined || !hasPaid ? {} : { thanks }) }
}

/** The most blocks that are counted; a form with faults is above them. */
const blocksMax = 9_998

/**
 * Grows with every change of the page: first with the payment, then with opened attempts, then with blocks that confirm a transfer.
 * A form with faults gets a higher version than the payment's present state, because the stream does not know the form and must not
 * replace it.
 */
function versionOf({ payment, means, opened, form }: StateInput): number {
  const confirmed = methodOf(payment)?.progress?.(means).confirmed ?? 0
  const within = form === undefined ? Math.min(confirmed, blocksMax) : blocksMax + 1
  return payment.version * 1_000_000 + Math.min(opened, 99) * 10_000 + within
}

/** A hash of the image, so that a new image has a new address. */
export function logoName({ type, bytes }: Logo): string {
  return `${sha256(bytes).toString('hex').slice(0, 12)}.${type.slice('image/'.length)}`
}

/** A payer who paid a part and cannot send the rest here has no deadline. `way`: how the payer can pay. */
function canPayNow(step: PageStep, way: object | undefined): boolean {
  if (step === 'underpaid') return way !== undefined
  return step === 'choose' || step === 'preparing' || step === 'waiting'
}

/** A code for the whole amount is not shown to a payer who paid a part of it. */
function showsPanel(step: PageStep, { payment, means }: StateInput): boolean {
  if (step === 'waiting') return true
  const canTopUp = methodOf(payment)?.topUp !== undefined
  return step === 'confirming' ? canTopUp : step === 'underpaid' && (canTopUp || means.isForRest === true)
}

/** In the template's order; only for a checkout, and only while another method can be chosen. */
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
  // A choice that failed stays chosen to be tried again, and so does the choice of a form with faults.
  const kept = step === 'choose' ? (form?.typed['method'] ?? problem?.method) : undefined
  const chosen = kept ?? payment.method
  return payment.methods.map((method) => {
    const { accepts }: CheckoutMethod = checkoutMethods[method]
    const { value: label, mark } = shownAs(method, naming)
    const isShut = problem?.kind === 'refused' && problem.method === method
    return {
      method,
      label,
      mark,
      accepts: accepts?.(payment.currency) ?? [],
      hint: isShut ? speech[naming.locale].sentences.shut : textIn(naming.locale, descriptorOf[method].hint),
      isHighlighted: highlighted.has(method),
      isChosen: method === chosen,
    }
  })
}

function mayCancel(payment: Payment, step: PageStep): boolean {
  return (step === 'choose' || step === 'preparing' || step === 'waiting') && sumsOf(payment).arriving === 0n
}

export function supportOf({ support, name }: PageTemplate, { links }: Sentences) {
  const url = webUrlOf(support?.url) ?? mailUrlOf(support?.email)
  return url === undefined ? {} : { support: { label: links.support(name), url } }
}

export function legalOf({ termsUrl, privacyUrl }: PageTemplate, { links }: Sentences): PageState['legal'] {
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
