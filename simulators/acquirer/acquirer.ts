// The shared parts of the acquirer, and the types of its stored objects.
import type { Log } from '../kit/log.ts'
import type { Delivery, Outbox, WebhookMode } from '../kit/outbox.ts'
import type { CommonOptions } from '../kit/program.ts'
import type { Store } from '../kit/store.ts'
import type { CardPlan } from './cards.ts'
import type {
  BalanceTransaction,
  Charge,
  Dispute,
  Event,
  FileObject,
  PaymentIntent,
  Refund,
  Session,
  WebhookEndpoint,
} from './wire.ts'

export type AcquirerOptions = CommonOptions & {
  /** Divides the acquirer's own waiting times. */
  readonly speed: number
}

/** An account that accepts cards here. */
export type Account = {
  readonly id: string
  readonly name: string
  readonly currencies: readonly string[]
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  /** The local methods that it has enabled, by the API's names. */
  readonly methods: readonly string[]
  readonly secretKey: string
  readonly refundKey: string
  readonly publishableKey: string
  /** The origins whose pages may hold the card form. Absent: any page of this machine. */
  readonly origins?: readonly string[]
  /** The signing key of the webhook that a control call sets. */
  readonly webhookSecret: string
  /** By how much its dates were brought closer, all in all. */
  readonly movedMs?: number
}

/** An object of the API, and the account it belongs to. */
export type Kept<T> = { readonly account: string; readonly wire: T }

/** A line item as the caller requested it, and the ids of its objects here. */
export type SoldItem = {
  readonly currency: string
  readonly unitAmount: number
  readonly name: string
  readonly quantity: number
  readonly ids: { readonly item: string; readonly price: string; readonly product: string }
}

export type KeptSession = Kept<Session> & {
  readonly intent: {
    readonly captureMethod: PaymentIntent['capture_method']
    readonly metadata: Readonly<Record<string, string>>
    readonly description: string | null
  }
  readonly label: string
  readonly items?: readonly SoldItem[]
  readonly displayName?: string
  /** Colours of its page, `#rrggbb`; the page's own where there are none. */
  readonly background?: string
  readonly button?: string
  /** The text next to the button. */
  readonly submitText?: string
  readonly threeDSecure: 'automatic' | 'any' | 'challenge'
}

/** A card without its number, which is never stored. */
export type UsedCard = {
  readonly plan: CardPlan
  readonly last4: string
  readonly fingerprint: string
  readonly expMonth: number
  readonly expYear: number
  readonly name: string | null
}

export type KeptIntent = Kept<PaymentIntent> & {
  /** Of a card. */
  readonly session?: string
  readonly local?: Local
  /** The card whose 3-D Secure challenge is unanswered. */
  readonly asked?: UsedCard
}
/** Of a local method. `expiresAt`: until when its payer can act, in Unix seconds. `returnUrl`: where the bank's page leads back to. */
export type Local = {
  readonly type: string
  readonly expiresAt: number
  readonly returnUrl?: string
  /** To whom the acquirer writes when money goes back. */
  readonly email?: string
}
export type KeptCharge = Kept<Charge> & { readonly plan: CardPlan }
/** `availableAt`: by the store's clock; absent of a transaction from before it was kept. */
export type KeptTransaction = Kept<BalanceTransaction> & { readonly availableAt?: number }
export type KeptEvent = Kept<Event> & { readonly number: number }
export type KeptEndpoint = Kept<WebhookEndpoint> & { readonly secret: string }

/** An uploaded file with its content, in base64. */
export type KeptFile = Kept<FileObject> & { readonly content: string }

/** The answer that was given under an idempotency key. */
export type Replay = {
  readonly request: string
  readonly endpoint: string
  readonly status: number
  readonly body: unknown
  readonly at: number
}

/** A task for later. It survives a restart. */
export type Task = Delivery<Letter> | AcquirerTask

export type AcquirerTask =
  | { readonly do: 'expire-session'; readonly session: string }
  | { readonly do: 'lapse' | 'expire-intent'; readonly intent: string }
  | { readonly do: 'end-intent'; readonly intent: string; readonly act: 'arrive' | 'fail' }
  | {
      readonly do: 'dispute'
      readonly charge: string
      readonly reason: string
      readonly isInquiry: boolean
    }
  | { readonly do: 'end-refund'; readonly refund: string; readonly outcome: RefundOutcome }

export const faultModes = ['none', '5xx', 'timeout', 'reset_after_commit', 'slow'] as const
export type FaultMode = (typeof faultModes)[number]

export const refundModes = ['succeed', 'pending', 'fail'] as const
export type RefundMode = (typeof refundModes)[number]

/** How a refund goes on. `answer`: the payer names a bank account. `expire`: the payer has not, and the refund is canceled. */
export const refundOutcomes = ['succeed', 'fail', 'answer', 'expire'] as const
export type RefundOutcome = (typeof refundOutcomes)[number]

export function tablesOf(store: Store<Task>) {
  return {
    accounts: store.table<Account>('accounts'),
    sessions: store.table<KeptSession>('sessions'),
    intents: store.table<KeptIntent>('intents'),
    charges: store.table<KeptCharge>('charges'),
    refunds: store.table<Kept<Refund>>('refunds'),
    disputes: store.table<Kept<Dispute>>('disputes'),
    files: store.table<KeptFile>('files'),
    transactions: store.table<KeptTransaction>('transactions'),
    events: store.table<KeptEvent>('events'),
    endpoints: store.table<KeptEndpoint>('endpoints'),
    replays: store.table<Replay>('replays'),
    /** Under `mode`: the result of refunds for which the card decides nothing, and how webhooks are sent. */
    refundModes: store.table<RefundMode>('refund-modes'),
    webhookModes: store.table<WebhookMode>('#webhooks'),
  }
}

export type Acquirer = ReturnType<typeof tablesOf> & {
  readonly options: AcquirerOptions
  readonly store: Store<Task>
  readonly outbox: Outbox<Letter>
  readonly log: Log
  /** What a restart forgets. */
  readonly passing: Passing
}

/** An event on its way to an endpoint. */
export type Letter = { readonly event: string; readonly endpoint: string }

export type Passing = {
  fault: FaultMode
  /** New vouchers have wrong check digits. */
  spoilsVouchers?: boolean
  /** How many more calls it affects; absent: all. */
  faultsLeft?: number
  /** Idempotency keys of running calls. */
  readonly held: Set<string>
  /** The call being answered, as events name it. */
  request: Event['request']
  /** The server's address, once it listens. */
  baseUrl: string
}

export const noRequest: Event['request'] = { id: null, idempotency_key: null }

/** A waiting time of the acquirer, in milliseconds, divided by the speed. */
export function span(options: AcquirerOptions, seconds: number): number {
  return (seconds * 1000) / options.speed
}

export function newId({ store }: Acquirer, prefix: string, length = 24): string {
  return `${prefix}_${store.name(prefix, length)}`
}
