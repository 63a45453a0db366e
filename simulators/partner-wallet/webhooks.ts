// Webhooks: signed notices. One that is not answered with {"returnCode":"SUCCESS"} is repeated, six times at most.
import { now } from '../kit/clock.ts'
import { asFields } from '../kit/fields.ts'
import { createOutbox, planOf, post } from '../kit/outbox.ts'
import type { Certificates } from './certificates.ts'
import type { EventStore } from './event-store.ts'
import type { Notice } from './events.ts'
import { orderNotice, refundNotice } from './notices.ts'
import { freshNonce, payloadOf, signed } from './signing.ts'
import { span, type Passing, type WalletOptions, type Webhooks } from './wallet.ts'

/** How long a notice waits for the answer of the call that caused it. */
const earlyMs = 10_000

type Wiring = {
  readonly eventStore: EventStore
  readonly certificates: Certificates
  readonly options: WalletOptions
  readonly passing: Passing
}

export function createWebhooks({ eventStore, certificates, options, passing }: Wiring): Webhooks {
  const outbox = createOutbox<Notice>({
    eventStore,
    receiverOf: ({ url }) => url,
    atOnce: Infinity,
    retrySeconds: options.retrySeconds,
    span: (seconds) => span(options, seconds),
    send: async ({ url, body }, signal) => {
      const isForged = eventStore.state.modes.webhooks === 'bad_signature'
      const signer = isForged ? await certificates.forger() : certificates.current()
      const [timestamp, nonce] = [`${now() + passing.skewMs}`, freshNonce()]
      const headers = {
        'content-type': 'application/json',
        'BinancePay-Certificate-SN': signer.certSerial,
        'BinancePay-Nonce': nonce,
        'BinancePay-Timestamp': timestamp,
        'BinancePay-Signature': signed(signer.privateKey, payloadOf(timestamp, nonce, Buffer.from(body))),
      }
      return post(url, { headers, body, signal }, faultOf)
    },
    report: ({ prepayId, bizStatus }, { tried, error, isLast }) => {
      const about = { at: now(), prepayId, bizStatus }
      if (error === undefined) eventStore.record({ type: 'webhook.delivered', ...about })
      else eventStore.record({ type: 'webhook.failed', ...about, tried, error, givenUp: isLast })
    },
  })
  const notify = (notice: Notice) => {
    const { webhooks: mode, delaySeconds } = eventStore.state.modes
    const { prepayId, bizStatus } = notice
    if (mode === 'before_response')
      return void passing.early.push(...outbox.post(notice, { delayMs: earlyMs }))
    const plan =
      mode === 'no_close'
        ? bizStatus === 'PAY_CLOSED'
          ? undefined
          : {}
        : planOf(mode, span(options, delaySeconds))
    if (plan === undefined) return eventStore.record({ type: 'webhook.lost', at: now(), prepayId, bizStatus })
    outbox.post(notice, plan)
  }
  return {
    notifyOrder: (order, bizStatus) => {
      const url = order.terms.webhookUrl ?? order.merchant.webhookUrl
      const { prepayId } = order
      if (url !== undefined) notify({ prepayId, url, ...orderNotice(order, bizStatus, now()) })
    },
    notifyRefund: (refund) => {
      const { order } = refund
      const url = refund.webhookUrl ?? order.merchant.webhookUrl ?? order.terms.webhookUrl
      if (url !== undefined) notify({ prepayId: order.prepayId, url, ...refundNotice(refund) })
    },
    attempt: outbox.attempt,
    waiting: outbox.waiting,
    stop: outbox.stop,
  }
}

function faultOf(status: number, text: string): string | undefined {
  if (status !== 200) return `status ${status}`
  return isSuccess(text) ? undefined : 'the answer is not {"returnCode":"SUCCESS"}'
}

function isSuccess(text: string): boolean {
  try {
    return asFields(JSON.parse(text))?.['returnCode'] === 'SUCCESS'
  } catch {
    return false
  }
}
