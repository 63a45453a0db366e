// The form by which a sandbox's developer plays the payer on the payment's page. It is registered only where a sandbox runs, and acts only for
// payments of a sandbox.
import type { FastifyInstance } from 'fastify'
import { AppError, messageOf } from '#/kernel/error.ts'
import type { CheckoutDeps } from './deps.ts'
import { sendNotice } from './notice.ts'
import { isOwnForm } from './own-form.ts'
import type { CheckoutParts, PageRequest } from './page-request.ts'
import { scenarioOf, simulatedActs } from './simulation.ts'

export function registerSimulation(
  scope: FastifyInstance,
  { deps, feed }: CheckoutParts,
  { pay }: NonNullable<CheckoutDeps['simulator']>,
): void {
  const path = '/c/:token/simulate'
  scope.get(path, (request, reply) =>
    reply.redirect(`/c/${request.getDecorator<PageRequest>('pageRequest').token}`, 303),
  )
  scope.post(path, async (request, reply) => {
    const pageRequest = request.getDecorator<PageRequest>('pageRequest')
    const { payment } = pageRequest.snapshot
    const name = request.body instanceof URLSearchParams ? request.body.get('act') : null
    const act = simulatedActs.find((each) => each === name)
    if (payment.mode !== 'SANDBOX' || act === undefined || !isOwnForm(request, payment.page?.url))
      return sendNotice(deps, request, reply, 403, 'refused')
    // The page that sent it may be older than the payment: then there is nothing to play, and it shows what happened.
    const isOffered = pageRequest.state().simulation?.acts.some((each) => each.name === act) === true
    const scenario = scenarioOf(payment.method, act)
    try {
      if (isOffered && scenario !== undefined) await pay(payment.merchantId, payment.id, { scenario })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      deps.log.warn({ payment: payment.id, act, error: messageOf(error) }, 'a payer could not be played')
      return sendNotice(deps, request, reply, 503, 'broken')
    }
    feed.wake(payment.id)
    return reply.redirect(`/c/${pageRequest.token}`, 303)
  })
}
