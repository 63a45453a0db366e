// The payment provider: what Medusa's Payment Module calls, and what it gets. It has the shape of Medusa's IPaymentProvider, which
// `npm run test:tools medusa` checks against Medusa itself; nothing of Medusa is imported (decision 139).
import {
  createClient,
  verifyWebhook,
  VintemError,
  type CreatedPayment,
  type Payment,
  type Vintem,
} from '../../../sdk/typescript/src/vintem.ts'
import { currencyOf, toDecimal, toMinor } from './amount.ts'
import { customerOf, type Customer } from './customer.ts'
import { checkOptions, type VintemOptions } from './options.ts'
import { refundOnce } from './refunds.ts'
import { explained, refusal } from './refusal.ts'
import { dataOf, paymentIdOf, recordedIn, sessionIdOf, sessionKey, sessionOf, type Data } from './session.ts'
import {
  actionOf,
  isOver,
  paidOf,
  sessionStatusOf,
  type SessionStatus,
  type WebhookAction,
} from './states.ts'

type Context = { readonly idempotency_key?: string; readonly customer?: Customer }
type Input = { readonly data?: Data; readonly context?: Context }
type Priced = Input & { readonly amount: unknown; readonly currency_code: string }
type Output = { readonly data: Record<string, unknown> }
type StatusOutput = Output & { readonly status: SessionStatus }
type WebhookInput = { readonly rawData: string | Buffer; readonly headers: Readonly<Record<string, unknown>> }
type WebhookOutput = {
  readonly action: WebhookAction | 'not_supported'
  readonly data?: { readonly session_id: string; readonly amount: string }
}

/** Medusa's pages and administrators wait for these calls. */
const timeoutMs = 20_000
const maxRetries = 2

/** Medusa verifies a webhook when its queue gets to it, minutes late after an outage. What is true is then asked of Vintem. */
const toleranceSeconds = 3_600

export class VintemProvider {
  /** With `id: 'vintem'` in the configuration the provider is `pp_vintem_vintem`. */
  static readonly identifier = 'vintem'

  static validateOptions(options: Readonly<Record<string, unknown>>): void {
    checkOptions(options)
  }

  readonly #options: VintemOptions
  readonly #vintem: Vintem

  /** Medusa's container is not needed. */
  constructor(_container: unknown, options: VintemOptions) {
    const { apiKey, baseUrl } = options
    this.#options = options
    this.#vintem = createClient({ apiKey, baseUrl, timeoutMs, maxRetries })
  }

  getIdentifier(): string {
    return VintemProvider.identifier
  }

  /** Creates the payment of a session. The shop sends the payer to `data.checkoutUrl`. */
  initiatePayment(input: Priced): Promise<StatusOutput & { readonly id: string }> {
    return answering(async () => {
      const payment = await this.#create(input, `medusa-${sessionIdOf(input.data)}`)
      return { id: payment.id, status: 'pending', data: dataOf(ownData(input.data), payment) }
    })
  }

  /** Another amount is another payment: the first one is canceled before, so that nobody pays both. */
  updatePayment(input: Priced): Promise<StatusOutput> {
    return answering(async () => {
      const payment = await this.#read(input.data)
      const currency = currencyOf(input.currency_code)
      if (payment.currency === currency && payment.amount === toMinor(input.amount, currency))
        return statusOutput(input.data, payment)
      await this.#end(payment)
      const next = await this.#create(input, `medusa-${sessionIdOf(input.data)}-after-${payment.id}`)
      return { status: 'pending', data: dataOf(input.data, next) }
    })
  }

  /** Asks Vintem whether the session is paid. The payer's return to the shop proves nothing. */
  authorizePayment(input: Input): Promise<StatusOutput> {
    return answering(async () => statusOutput(input.data, await this.#read(input.data)))
  }

  getPaymentStatus(input: Input): Promise<StatusOutput> {
    return this.authorizePayment(input)
  }

  retrievePayment(input: Input): Promise<Output> {
    return answering(async () => ({ data: dataOf(input.data, await this.#read(input.data)) }))
  }

  /** Captures all of an authorised card: Medusa does not tell a provider of a part. */
  capturePayment(input: Input): Promise<Output> {
    return answering(async () => {
      const payment = await this.#read(input.data)
      if (payment.status === 'PAID') return { data: dataOf(input.data, payment) }
      if (payment.status !== 'APPROVED')
        throw refusal(`Vintem's payment is ${payment.status}: nothing to capture`)
      const captured = await this.#orAsIs(payment.id, 'PAID', () => this.#vintem.payments.capture(payment.id))
      return { data: dataOf(input.data, captured) }
    })
  }

  cancelPayment(input: Input): Promise<Output> {
    return answering(async () => {
      const payment = await this.#read(input.data)
      return { data: dataOf(input.data, await this.#end(payment)) }
    })
  }

  /** Throws while the payment is paid or authorised, so that Medusa keeps the session, and the money finds its cart. */
  deletePayment(input: Input): Promise<{ readonly data?: Record<string, unknown> }> {
    return paymentIdOf(input.data) === undefined ? Promise.resolve({}) : this.cancelPayment(input)
  }

  refundPayment(input: Input & { readonly amount: unknown }): Promise<Output> {
    return answering(async () => {
      const key = input.context?.idempotency_key
      if (key === undefined) throw refusal('Medusa gave the refund no idempotency_key')
      const payment = await this.#read(input.data)
      const amount = toMinor(input.amount, currencyOf(payment.currency))
      const recorded = recordedIn(input.data)
      const refund = await refundOnce(this.#vintem, { payment, amount, key, recorded })
      return { data: { ...dataOf(input.data, payment), refundIds: [...recorded, refund.id] } }
    })
  }

  /**
   * Verifies the signature of the raw bytes, then asks Vintem for the payment's state, because webhooks overtake one another and come
   * twice. Webhooks about payments that are not Medusa's, and about refunds and disputes, are `not_supported`.
   */
  getWebhookActionAndData({ rawData, headers }: WebhookInput): Promise<WebhookOutput> {
    return answering(async () => {
      const { webhookSecret } = this.#options
      const signed = headers as Readonly<Record<string, string | undefined>>
      const event = await verifyWebhook(rawData, signed, webhookSecret, { toleranceSeconds })
      const { id, metadata } = event.data as { readonly id?: unknown; readonly metadata?: unknown }
      const session = event.type.startsWith('payment.') ? sessionOf(metadata) : undefined
      if (session === undefined || typeof id !== 'string') return { action: 'not_supported' }
      const payment = await this.#vintem.payments.get(id)
      const amount = toDecimal(paidOf(payment), currencyOf(payment.currency))
      return { action: actionOf(payment), data: { session_id: session, amount } }
    })
  }

  #create({ amount, currency_code, data, context }: Priced, idempotencyKey: string): Promise<CreatedPayment> {
    const { checkout = 'default', webhookUrl, returnUrl, cancelUrl, capture, expiresIn } = this.#options
    const currency = currencyOf(currency_code)
    return this.#vintem.payments.create({
      amount: toMinor(amount, currency),
      currency,
      checkout,
      idempotencyKey,
      metadata: { [sessionKey]: sessionIdOf(data) },
      ...customerOf(context?.customer),
      webhookUrl,
      returnUrl,
      cancelUrl,
      expiresIn,
      ...(capture === 'manual' ? { captureMode: 'MANUAL' as const } : {}),
    })
  }

  /** The payment of a session. A session that names the payment of another is refused. */
  async #read(data: Data | undefined): Promise<Payment> {
    const id = paymentIdOf(data)
    if (id === undefined) throw refusal('The payment session has no payment in Vintem')
    const payment = await this.#vintem.payments.get(id)
    if (sessionOf(payment.metadata) !== sessionIdOf(data))
      throw refusal(`Vintem's payment ${id} is not of this payment session`)
    return payment
  }

  /** Cancels what is not paid. An authorised card is released. */
  async #end(payment: Payment): Promise<Payment> {
    if (isOver(payment.status) || payment.refundStatus === 'FULL') return payment
    if (payment.status === 'PAID') throw refusal(`Vintem's payment ${payment.id} is paid: refund it instead`)
    return this.#orAsIs(payment.id, 'over', () => this.#vintem.payments.cancel(payment.id))
  }

  /**
   * Returns what the call answers. When the call fails or its answer is lost, returns the payment as it is, if it has reached the requested
   * status.
   */
  async #orAsIs(id: string, wanted: 'PAID' | 'over', call: () => Promise<Payment>): Promise<Payment> {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof VintemError)) throw error
      const payment = await this.#vintem.payments.get(id)
      if (wanted === 'over' ? isOver(payment.status) : payment.status === wanted) return payment
      throw error
    }
  }
}

function statusOutput(data: Data | undefined, payment: Payment): StatusOutput {
  return { status: sessionStatusOf(payment), data: dataOf(data, payment) }
}

/** Medusa stores this over what the shop's page sent: whatever is read later is ours, or Medusa's. */
function ownData(data: Data | undefined): Data {
  return { session_id: sessionIdOf(data), refundIds: [] }
}

async function answering<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw explained(error)
  }
}
