// Webhooks: signed notices. What is not answered with {"returnCode":"SUCCESS"} is sent again, six times at most.
import { now } from '../kit/clock.ts'
import { asFields } from '../kit/fields.ts'
import type { Book } from './book.ts'
import type { Certificates } from './certificates.ts'
import type { Delivery, Notice } from './events.ts'
import { orderNotice, refundNotice } from './notices.ts'
import { freshNonce, payloadOf, signed } from './signing.ts'
import { span, type Passing, type WalletOptions, type Webhooks } from './wallet.ts'

const timeoutMs = 10_000
/** How long a notice waits for another to go first, or for the answer of the call that caused it. */
const holdSeconds = 5
const earlyMs = 10_000

type Wiring = {
  readonly book: Book
  readonly certificates: Certificates
  readonly options: WalletOptions
  readonly passing: Passing
}

export function createWebhooks({ book, certificates, options, passing }: Wiring): Webhooks {
  const closing = new AbortController()
  const send = async ({ url, body }: Delivery): Promise<string | undefined> => {
    const isForged = book.state.modes.webhooks === 'bad_signature'
    const signer = isForged ? await certificates.forger() : certificates.current()
    const bytes = Buffer.from(body)
    const [timestamp, nonce] = [`${now() + passing.skewMs}`, freshNonce()]
    return post(url, bytes, AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]), {
      'content-type': 'application/json',
      'BinancePay-Certificate-SN': signer.certSerial,
      'BinancePay-Nonce': nonce,
      'BinancePay-Timestamp': timestamp,
      'BinancePay-Signature': signed(signer.privateKey, payloadOf(timestamp, nonce, bytes)),
    })
  }
  const schedule = (delivery: Delivery, delayMs: number) =>
    book.schedule(delayMs, { do: 'deliver', ...delivery })
  const notify = (notice: Notice) => {
    const { webhooks, delaySeconds } = book.state.modes
    const { prepayId, bizStatus, url } = notice
    const delivery: Delivery = { ...notice, tried: 0 }
    if (webhooks === 'drop' || (webhooks === 'no_close' && bizStatus === 'PAY_CLOSED'))
      return book.record({ type: 'webhook.lost', at: now(), prepayId, bizStatus })
    if (webhooks === 'before_response') return void passing.early.push(schedule(delivery, earlyMs))
    if (webhooks === 'reorder' && heldFor(book, url).length === 0)
      return void schedule({ ...delivery, held: true }, span(options, holdSeconds))
    schedule(delivery, webhooks === 'delay' ? span(options, delaySeconds) : 0)
    if (webhooks === 'duplicate') schedule(delivery, 0)
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
    attempt: async (task, delivery) => {
      const { prepayId, bizStatus, tried } = delivery
      const { held: _, ...rest } = delivery
      // Nothing is told that a crash could still undo.
      await book.kept()
      const error = await send(delivery)
      if (closing.signal.aborted) return
      book.together(() => {
        const about = { at: now(), prepayId, bizStatus }
        const seconds = error === undefined ? undefined : options.retrySeconds[tried]
        const givenUp = seconds === undefined
        if (error === undefined) book.record({ type: 'webhook.delivered', ...about })
        else book.record({ type: 'webhook.failed', ...about, tried: tried + 1, error, givenUp })
        book.record({ type: 'task.ended', at: now(), task })
        if (seconds !== undefined) schedule({ ...rest, tried: tried + 1 }, span(options, seconds))
      })
    },
    close: () => closing.abort(),
  }
}

/** The deliveries to an address that wait for another to go first. */
export function heldFor({ state }: Book, url: string): readonly number[] {
  return [...state.held].filter((task) => {
    const what = state.tasks.get(task)?.what
    return what?.do === 'deliver' && what.url === url
  })
}

/** Answers what went wrong. */
async function post(
  url: string,
  body: Buffer,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      body: new Uint8Array(body),
      headers,
      signal,
      redirect: 'manual',
    })
    const text = await answer.text()
    if (answer.status !== 200) return `status ${answer.status}`
    return isSuccess(text) ? undefined : 'the answer is not {"returnCode":"SUCCESS"}'
  } catch (error) {
    return error instanceof Error ? error.message || error.name : String(error)
  }
}

function isSuccess(text: string): boolean {
  try {
    return asFields(JSON.parse(text))?.['returnCode'] === 'SUCCESS'
  } catch {
    return false
  }
}
