// The forms that a payer sends: the method with the payer's data, canceling, and going to the provider's page. Forms work without
// JavaScript: every answer is a redirect or a page.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, messageOf } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { Clock } from '#/kernel/time.ts'
import type { Payer } from '#/payments/payment.ts'
import type { Method } from '#/rails/method.ts'
import { descriptorOf, methods } from '#/rails/methods.ts'
import { pageOf } from '#/rails/rail.ts'
import { brandOf } from './brand.ts'
import { noticeDocument, pageDocument } from './document.ts'
import { needsOf, readPayer, type Typed } from './fields.ts'
import type { Problem } from './message.ts'
import { sendNotice } from './notice.ts'
import { problemOf } from './openings.ts'
import { isOwnForm } from './own-form.ts'
import type { CheckoutParts, PageRequest } from './page-request.ts'
import { pagePolicy } from './policy.ts'
import { returnUrlOf } from './receipt.ts'
import { speech } from './speech.ts'
import type { AnsweredForm } from './state.ts'
import { sumsOf } from './step.ts'

export function registerForms(scope: FastifyInstance, parts: CheckoutParts): void {
  const { deps } = parts
  scope.addHook('preHandler', async (request, reply) => {
    if (request.method !== 'POST' || isOwnForm(request, pageUrlOf(request))) return undefined
    return sendNotice(deps, request, reply, 403, 'refused')
  })
  scope.post('/c/:token/choose', (request, reply) => choose(parts, request, reply))
  scope.post('/c/:token/rest', (request, reply) => payRest(parts, request, reply))
  scope.post('/c/:token/cancel', (request, reply) => cancel(parts, request, reply))
  scope.post('/c/:token/provider', (request, reply) => goOn(parts, request, reply))
  // The answer to a form has the form's address: a reload of it leads to the page.
  for (const path of ['choose', 'rest', 'cancel', 'provider'].map((name) => `/c/:token/${name}`))
    scope.get(path, (request, reply) =>
      reply.redirect(`/c/${request.getDecorator<PageRequest>('pageRequest').token}`, 303),
    )
}

function pageUrlOf(request: FastifyRequest): string | undefined {
  return request.getDecorator<PageRequest>('pageRequest').snapshot.payment.page?.url
}

async function choose(
  parts: CheckoutParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { deps, feed, openings } = parts
  const pageRequest = request.getDecorator<PageRequest>('pageRequest')
  const { payment } = pageRequest.snapshot
  const typed = typedIn(request)
  const method = methods.find((each) => each === typed['method'])
  if (method === undefined || !payment.methods.includes(method) || payment.request.checkout === undefined)
    return sendNotice(deps, request, reply, 422, 'refused')
  // A payer who changes the method has filled in the template's fields already.
  const isFirstChoice = payment.method === undefined && pageRequest.state().step === 'choose'
  const needs = needsOf(payment, method)
  const { sentences } = speech[pageRequest.locale]
  const verdict =
    isFirstChoice || needs.needs.length > 0
      ? readPayer(payment, pageRequest.template, typed, { sentences, needs })
      : undefined
  if (verdict?.ok === false) return answer(parts, pageRequest, reply, { typed, faults: verdict.faults })
  const entered = verdict && withMandate(verdict.payer, request, deps.clock)
  const customer = entered && (needs.only ? { ...payment.payer, ...entered } : entered)
  const problem = await choiceProblem(parts, pageRequest, method, customer)
  openings.note(payment.id, problem)
  feed.wake(payment.id)
  if (problem !== undefined)
    return answer(parts, await pageRequest.again(), reply, { typed, faults: {}, problem })
  return reply.redirect(`/c/${pageRequest.token}`, 303)
}

/** An IBAN is asked for with the text of the mandate: the payer who sends it accepts that, now and from here. */
function withMandate(payer: Payer, { ip, headers }: FastifyRequest, clock: Clock): Payer {
  if (payer.iban === undefined) return payer
  const userAgent = (headers['user-agent'] ?? 'unknown').slice(0, userAgentMax)
  return { ...payer, mandate: { acceptedAt: clock.now().toISOString(), ip, userAgent } }
}

/** The provider's own limit of a text is higher. */
const userAgentMax = 500

/** The page as the answer to a form: it keeps what was typed and chosen, and shows faults beside their fields. */
function answer(
  { deps }: CheckoutParts,
  pageRequest: PageRequest,
  reply: FastifyReply,
  form: AnsweredForm,
): FastifyReply {
  void reply.code(422).header('content-security-policy', pagePolicy(pageRequest.formOrigins()))
  const html = pageDocument(pageRequest.state(form), pageRequest.template.style, deps.view)
  return reply.type('text/html; charset=utf-8').send(html)
}

/** The problem that keeps the method from being opened; none when it was opened, or when the payment is over: the page shows that. */
async function choiceProblem(
  { deps: { choose, log } }: CheckoutParts,
  { snapshot: { payment }, locale, template }: PageRequest,
  method: Method,
  customer: Payer | undefined,
): Promise<Problem | undefined> {
  try {
    const { needs } = descriptorOf[method]
    const choice = {
      method,
      locale,
      brand: brandOf(template),
      ...given({ needs, customer }),
    }
    const { payment: now, attempt } = await choose(payment, choice)
    const isOpen = now.status === 'PENDING' || now.status === 'WAITING_PAYMENT'
    const isRefused = attempt === undefined && isOpen && sumsOf(now).arriving === 0n
    return isRefused ? { kind: 'refused', method } : undefined
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    log.warn({ payment: payment.id, method, error: messageOf(error) }, 'a payer could not choose a method')
    return problemOf(error, method)
  }
}

/** The payer paid a part: opens a charge for the rest, unless one is open or the page offers none any more. */
async function payRest(
  parts: CheckoutParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { feed, openings } = parts
  const pageRequest = request.getDecorator<PageRequest>('pageRequest')
  const { payment } = pageRequest.snapshot
  const away = `/c/${pageRequest.token}`
  if (payment.method === undefined || pageRequest.state().rest === undefined) return reply.redirect(away, 303)
  const failure = await restProblem(parts, pageRequest, payment.method)
  const later = await pageRequest.again()
  // Money may have come meanwhile: then there is nothing to open, and nothing went wrong.
  const problem = later.state().rest === undefined ? undefined : failure
  openings.note(payment.id, problem)
  feed.wake(payment.id)
  if (problem === undefined) return reply.redirect(away, 303)
  return answer(parts, later, reply, { typed: {}, faults: {}, problem })
}

async function restProblem(
  { deps: { payRest, log } }: CheckoutParts,
  { snapshot: { payment }, locale }: PageRequest,
  method: Method,
): Promise<Problem | undefined> {
  try {
    const { attempt } = await payRest(payment, { locale })
    return attempt === undefined ? { kind: 'refused', method } : undefined
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    log.warn({ payment: payment.id, method, error: messageOf(error) }, 'a payer could not pay the rest')
    return problemOf(error, method)
  }
}

async function cancel(
  { deps, feed }: CheckoutParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const pageRequest = request.getDecorator<PageRequest>('pageRequest')
  const { payment } = pageRequest.snapshot
  if (pageRequest.state().links.cancel === undefined) return reply.redirect(`/c/${pageRequest.token}`, 303)
  await deps.cancel(payment)
  feed.wake(payment.id)
  const { returns } = pageRequest.template
  const cancelUrl = payment.request.cancelUrl ?? returns.cancelUrl
  const away = cancelUrl === undefined ? undefined : returnUrlOf(cancelUrl, payment, returns.allowedHosts)
  const { snapshot } = await pageRequest.again()
  // Browsers follow a form's redirect only where the page's policy allows it; the page itself has the link.
  return snapshot.payment.status === 'CANCELED' && away !== undefined && isOwnOrigin(away, pageRequest)
    ? reply.redirect(away, 303)
    : reply.redirect(`/c/${pageRequest.token}`, 303)
}

function isOwnOrigin(url: string, { snapshot }: PageRequest): boolean {
  const pageUrl = snapshot.payment.page?.url
  return pageUrl !== undefined && new URL(url).origin === new URL(pageUrl).origin
}

/** To the provider's own page of this payment, for payers whose frame does not work. */
async function goOn(
  { deps, feed }: CheckoutParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const pageRequest = request.getDecorator<PageRequest>('pageRequest')
  const { payment } = pageRequest.snapshot
  const url = payment.method === undefined ? undefined : await hostedUrl(deps, pageRequest, payment.method)
  feed.wake(payment.id)
  if (url === undefined) return reply.redirect(`/c/${pageRequest.token}`, 303)
  const { origin } = new URL(url)
  if (pageRequest.formOrigins().some((each) => URL.canParse(each) && new URL(each).origin === origin))
    return reply.redirect(url, 303)
  // Browsers follow a form's redirect only where the policy of its page allows it (CSP 3, form-action): a page of ours goes on.
  const { title, message, button } = speech[pageRequest.locale].sentences.pages.leaving
  const link = { url, label: button }
  const notice = {
    locale: pageRequest.locale,
    title,
    message,
    link,
    picture: 'leave',
    isLeaving: true,
  } as const
  return reply.type('text/html; charset=utf-8').send(noticeDocument(notice, deps.view))
}

async function hostedUrl(
  { openPage, rails, log }: CheckoutParts['deps'],
  { snapshot: { payment }, locale, template }: PageRequest,
  method: Method,
): Promise<string | undefined> {
  try {
    const { attempt } = await openPage(payment, {
      method,
      presentation: 'HOSTED',
      locale,
      brand: brandOf(template),
    })
    const presentation = attempt === undefined ? undefined : pageOf(rails.get(method))?.present(attempt)
    return presentation?.kind === 'HOSTED' && URL.canParse(presentation.url) ? presentation.url : undefined
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    log.warn(
      { payment: payment.id, method, error: messageOf(error) },
      "a provider's own page could not be opened",
    )
    return undefined
  }
}

/** The fields of the form, the first of each name. */
function typedIn({ body }: FastifyRequest): Typed {
  const fields = body instanceof URLSearchParams ? [...body].toReversed() : []
  return Object.fromEntries(fields)
}
