// The provider's objects (Stripe's API, version 2026-10-28.endive), and how they are read. Unknown fields are ignored, as its
// versioning requires; a required field that cannot be read throws NonsenseError with its name.
import { given } from '#/kernel/given.ts'
import type { AttemptId, RefundId } from '#/kernel/id.ts'
import type { Money } from '#/kernel/money.ts'
import type { Method } from '#/rails/method.ts'
import {
  flag,
  instant,
  integer,
  isFields,
  isName,
  isPresent,
  jsonOf,
  list,
  money,
  NonsenseError,
  objectOf,
  optionalInstant,
  optionalText,
  part,
  referenceIn,
  text,
  textsIn,
  type Fields,
  type Sent,
} from './fields.ts'
import { methodOfType } from './methods/all.ts'
import { parseNextAction, type NextAction } from './next-action.ts'

/** A Checkout Session: one payer's page for one attempt. */
export type Session = {
  readonly id: string
  readonly isLive: boolean
  readonly attempt: AttemptId
  readonly status: 'open' | 'complete' | 'expired'
  readonly amount: Money
  readonly expiresAt: Date
  readonly clientSecret?: string
  readonly url?: string
  /** The payment of the session; absent until the payer tries to pay. */
  readonly intent?: Expandable<Intent>
}

/** An object, or its id where the provider did not include the object. `ours` is absent for an object that is not ours. */
export type Expandable<T> = { readonly id: string; readonly ours?: T; readonly isWhole: boolean }

/** A PaymentIntent that names an attempt of ours. */
export type Intent = {
  readonly id: string
  readonly isLive: boolean
  readonly attempt: AttemptId
  readonly status: string
  /** By the type of its payment. */
  readonly method: Method
  /** The types that the provider offers for it. A type that the account has not enabled is left out. */
  readonly types: readonly string[]
  /** What the payer has to do next, unless the provider's own page shows it. */
  readonly next?: NextAction
  readonly isManual: boolean
  readonly amount: Money
  readonly capturable: bigint
  readonly received: bigint
  readonly createdAt: Date
  readonly canceledAt?: Date
  /** The latest try. */
  readonly charge?: Charge
  /** Why the latest try failed. */
  readonly failure?: Failure
}

export type Charge = {
  readonly id: string
  readonly createdAt: Date
  /** Authorised or captured; false when the try failed. */
  readonly isPaid: boolean
  readonly isCaptured: boolean
  readonly card?: Card
}

export type Card = { readonly brand: string; readonly last4: string; readonly threeDSecure?: string }

export type Failure = {
  readonly code?: string
  readonly declineCode?: string
  readonly charge?: string
  /** The means that the payer tried, and when it was entered. */
  readonly means?: { readonly id: string; readonly createdAt?: Date }
}

export type Refund = {
  readonly id: string
  readonly status: string
  readonly amount: Money
  readonly createdAt: Date
  /** Our refund; absent for one that was made at the provider itself. */
  readonly refund?: RefundId
  readonly intent?: Expandable<Intent>
  readonly failureReason?: string
  /** Whether money left the balance at the provider for it; voiding an authorisation takes none. */
  readonly hasMoved: boolean
}

export type Dispute = {
  readonly id: string
  readonly status: string
  readonly amount: Money
  readonly reason?: string
  readonly createdAt: Date
  readonly evidenceDueAt?: Date
  readonly intent: Expandable<Intent>
  /** The submission of ours that the provider has, and whether it was submitted, not only stored. */
  readonly submission?: string
  readonly isSubmitted: boolean
  /** What it moved in the balance at the provider: a negative amount is taken from us. */
  readonly moves: readonly Move[]
}

export type Move = {
  readonly amount: bigint
  readonly fee: bigint
  readonly currency: string
  readonly createdAt: Date
}

/** The account of the keys. */
export type AcquirerAccount = {
  /** `acct_…` */
  readonly id: string
  readonly country?: string
  /** The state of each capability by its name: `multibanco_payments`, `active`. */
  readonly capabilities: Readonly<Record<string, unknown>>
}

export function parseAccount(sent: unknown): AcquirerAccount {
  const at = objectOf(sent, 'account')
  const country = optionalText(at, 'country')
  const { fields: capabilities } = part(at, 'capabilities')
  return { id: text(at, 'id'), ...given({ country }), capabilities }
}

/** The object that an event names: enough to fetch it; the event's own content is not trusted. */
export type Hint = {
  readonly id: string
  readonly type: string
  readonly target?: Target
}

/** `refunds`: all refunds of an intent. */
export type Target = {
  readonly kind: 'session' | 'intent' | 'refund' | 'refunds' | 'dispute'
  readonly id: string
}

/** Returns the session, or undefined when it belongs to no attempt of ours: the account may serve other shops. */
export function parseSession(sent: unknown): Session | undefined {
  const at = objectOf(sent, 'checkout.session')
  const attempt = referenceIn(at, 'attempt_id')
  if (attempt === undefined || optionalText(at, 'client_reference_id') !== attempt) return undefined
  const status = text(at, 'status')
  if (status !== 'open' && status !== 'complete' && status !== 'expired')
    throw new NonsenseError('session.status', 'is none')
  const [clientSecret, url] = [optionalText(at, 'client_secret'), optionalText(at, 'url')]
  const intent = expandable(at.fields['payment_intent'], parseIntent)
  return {
    id: text(at, 'id'),
    isLive: flag(at, 'livemode'),
    attempt: attempt as AttemptId,
    status,
    amount: money(at, 'amount_total'),
    expiresAt: instant(at, 'expires_at'),
    ...given({ clientSecret, url, intent }),
  }
}

/** Returns the intent, or undefined when it names no attempt of ours. */
export function parseIntent(sent: unknown): Intent | undefined {
  const at = objectOf(sent, 'payment_intent')
  const attempt = referenceIn(at, 'attempt_id')
  if (attempt === undefined) return undefined
  const canceledAt = optionalInstant(at, 'canceled_at')
  const types = textsIn(at, 'payment_method_types')
  const next = parseNextAction(part(at, 'next_action'))
  const charge = at.fields['latest_charge']
  const failure = at.fields['last_payment_error']
  return {
    id: text(at, 'id'),
    isLive: flag(at, 'livemode'),
    attempt: attempt as AttemptId,
    status: text(at, 'status'),
    method: types.length === 1 ? methodOfType(types[0]) : 'CREDIT_CARD',
    types,
    ...given({ next }),
    isManual: at.fields['capture_method'] === 'manual',
    amount: money(at, 'amount'),
    capturable: integer(at, 'amount_capturable'),
    received: integer(at, 'amount_received'),
    createdAt: instant(at, 'created'),
    ...given({ canceledAt }),
    ...(isFields(charge) ? { charge: parseCharge(charge) } : {}),
    ...(isFields(failure) ? { failure: parseFailure({ name: 'last_payment_error', fields: failure }) } : {}),
  }
}

function parseCharge(sent: unknown): Charge {
  const at = objectOf(sent, 'charge')
  const card = parseCard(part(part(at, 'payment_method_details'), 'card'))
  return {
    id: text(at, 'id'),
    createdAt: instant(at, 'created'),
    isPaid: flag(at, 'paid'),
    isCaptured: flag(at, 'captured'),
    ...given({ card }),
  }
}

function parseCard(at: Fields): Card | undefined {
  const [brand, last4] = [optionalText(at, 'brand'), optionalText(at, 'last4')]
  if (brand === undefined || last4 === undefined || !/^\d{4}$/.test(last4)) return undefined
  const threeDSecure = optionalText(part(at, 'three_d_secure'), 'result')
  return { brand, last4, ...given({ threeDSecure }) }
}

function parseFailure(at: Fields): Failure {
  const [code, declineCode] = [optionalText(at, 'code'), optionalText(at, 'decline_code')]
  const charge = optionalText(at, 'charge')
  const means = part(at, 'payment_method')
  const [id, createdAt] = [optionalText(means, 'id'), optionalInstant(means, 'created')]
  return {
    ...given({ code, declineCode, charge }),
    ...(id === undefined ? {} : { means: { id, ...given({ createdAt }) } }),
  }
}

/** Returns the refund, or undefined when it certainly belongs to a payment that is not ours. */
export function parseRefund(sent: unknown): Refund | undefined {
  const at = objectOf(sent, 'refund')
  const refund = referenceIn(at, 'refund_id')
  const intent = expandable(at.fields['payment_intent'], parseIntent)
  if (refund === undefined && isForeign(intent)) return undefined
  const failureReason = optionalText(at, 'failure_reason')
  return {
    id: text(at, 'id'),
    status: text(at, 'status'),
    amount: money(at, 'amount'),
    createdAt: instant(at, 'created'),
    ...(refund === undefined ? {} : { refund: refund as RefundId }),
    ...given({ intent, failureReason }),
    hasMoved: isPresent(at.fields['balance_transaction']),
  }
}

/** Returns the dispute, or undefined when it certainly belongs to a payment that is not ours. */
export function parseDispute(sent: unknown): Dispute | undefined {
  const at = objectOf(sent, 'dispute')
  const intent = expandable(at.fields['payment_intent'], parseIntent)
  if (intent === undefined || isForeign(intent)) return undefined
  const reason = optionalText(at, 'reason')
  const details = part(at, 'evidence_details')
  const evidenceDueAt = optionalInstant(details, 'due_by')
  const submission = referenceIn(at, 'evidence_id')
  const count = details.fields['submission_count']
  return {
    id: text(at, 'id'),
    status: text(at, 'status'),
    amount: money(at, 'amount'),
    ...given({ reason }),
    createdAt: instant(at, 'created'),
    ...given({ evidenceDueAt }),
    intent,
    ...given({ submission }),
    isSubmitted: typeof count === 'number' && count > 0,
    moves: list(at, 'balance_transactions').map((each) => {
      const move = objectOf(each, 'balance_transaction')
      return {
        amount: integer(move, 'amount', 'signed'),
        fee: integer(move, 'fee', 'signed'),
        currency: text(move, 'currency').toUpperCase(),
        createdAt: instant(move, 'created'),
      }
    }),
  }
}

/** Returns the id of an uploaded file. */
export function parseFile(sent: unknown): { readonly id: string; readonly size: bigint } {
  const at = objectOf(sent, 'file')
  return { id: text(at, 'id'), size: integer(at, 'size') }
}

/** Returns the object that an event names; undefined when it is not an event. */
export function parseHint(sent: unknown): Hint | undefined {
  if (!isFields(sent) || sent['object'] !== 'event') return undefined
  const { id, type, data } = sent
  if (typeof id !== 'string' || !/^evt_\w{1,250}$/.test(id) || typeof type !== 'string') return undefined
  const target = isFields(data) && isFields(data['object']) ? targetOf(type, data['object']) : undefined
  return { id, type, ...given({ target }) }
}

function targetOf(type: string, { object, id, payment_intent: intent }: Sent): Target | undefined {
  const named = (kind: Target['kind'], each: unknown) =>
    typeof each === 'string' && isName(each) ? { kind, id: each } : undefined
  switch (object) {
    case 'checkout.session':
      return named('session', id)
    case 'payment_intent':
      return named('intent', id)
    case 'charge':
      return named(type === 'charge.refunded' ? 'refunds' : 'intent', intent)
    case 'refund':
      return named('refund', id)
    case 'dispute':
      return named('dispute', id)
    default:
      return undefined
  }
}

/** One page of a list; the next page begins after `lastName`. */
export type Page<T> = { readonly data: readonly T[]; readonly hasMore: boolean; readonly lastName?: string }

/** Reads a page of a list, each object with `parse`. */
export function parsePage<T>(sent: unknown, parse: (each: unknown) => T): Page<T> {
  const at = objectOf(sent, 'list')
  const data = list(at, 'data')
  const last = data.at(-1)
  const lastName = isFields(last) && typeof last['id'] === 'string' ? last['id'] : undefined
  return {
    data: data.map(parse),
    hasMore: flag(at, 'has_more'),
    ...given({ lastName }),
  }
}

export type Fault = {
  readonly type?: string
  readonly code?: string
  readonly param?: string
  readonly message?: string
}

/** Returns why a call failed, in the provider's words; these cannot contain a card number. */
export function parseFault(body: Buffer): Fault {
  const sent = jsonOf(body)
  const error = isFields(sent) && isFields(sent['error']) ? sent['error'] : {}
  const at = { name: 'error', fields: error }
  const [type, code] = [optionalText(at, 'type'), optionalText(at, 'code')]
  const [param, message] = [optionalText(at, 'param'), optionalText(at, 'message')]
  return {
    ...given({ type, code, param }),
    ...(message === undefined ? {} : { message: message.slice(0, faultMax) }),
  }
}

const faultMax = 300

function expandable<T>(sent: unknown, parse: (sent: unknown) => T | undefined): Expandable<T> | undefined {
  if (sent === undefined || sent === null) return undefined
  if (typeof sent === 'string' && isName(sent)) return { id: sent, isWhole: false }
  const ours = parse(sent)
  const id = isFields(sent) ? String(sent['id']) : ''
  return { id, isWhole: true, ...given({ ours }) }
}

function isForeign(each: Expandable<unknown> | undefined): boolean {
  return each === undefined || (each.isWhole && each.ours === undefined)
}
