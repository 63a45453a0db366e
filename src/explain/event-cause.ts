// What changed the state of a record, read from its event: the event holds the record as it was then.
import { must } from '#/kernel/check.ts'
import { parseJson } from '#/kernel/json.ts'
import { isCurrency, maxOf, unitsToDecimal, type Money } from '#/kernel/money.ts'
import type { EventType } from '#/webhooks/event.ts'
import {
  tell,
  type Changed,
  type Failed,
  type Paid,
  type Received,
  type Related,
  type CauseWithFacts,
} from './step.ts'

type Fields = Readonly<Record<string, unknown>>

/** An event with the record that it shows. */
export type Shown = {
  readonly id: string
  readonly data: Fields
  /** The type of the event of the same record before it. */
  readonly before: EventType | null
  readonly related: Related
  /** For a withdrawal that was canceled: the key that rejected it. */
  readonly rejectedBy?: string | undefined
  /** For a withdrawal: a person, and no provider, said how it ended. */
  readonly isEndedByHand?: boolean | undefined
}

type Narrate = (shown: Shown) => readonly CauseWithFacts[]
type Explained = Exclude<
  EventType,
  | `wallet.${string}`
  | `transfer.${string}`
  | `transfer_grant.${string}`
  | `share.${string}`
  | `webhook_endpoint.${string}`
  | `service.${string}`
>

const state = (cause: PlainCause): Narrate => {
  return (shown) => [tell('STATE_CHANGE', cause, changed(shown)) as CauseWithFacts]
}
type PlainCause =
  | 'READY_TO_PAY'
  | 'AUTHORISED'
  | 'WITHDRAWAL_NEEDS_APPROVAL'
  | 'WITHDRAWAL_SENT'
  | 'DISPUTE_LOST'

/** By type of event: the database's check holds the same list, with the types of records that have no explanation. */
export const eventCauses: Readonly<Record<Explained, Narrate>> = {
  'payment.waiting': state('READY_TO_PAY'),
  'payment.approved': state('AUTHORISED'),
  'payment.completed': (shown) => [tell('STATE_CHANGE', causeOfCompletion(shown), received(shown))],
  'payment.underpaid': (shown) => [tell('STATE_CHANGE', 'PAID_TOO_LITTLE', received(shown))],
  'payment.received_after_close': (shown) => {
    const { status } = shown.data
    const cause =
      status === 'PAID'
        ? 'PAID_AGAIN'
        : status === 'CANCELED'
          ? 'PAID_AFTER_CANCELING'
          : 'PAID_TOO_LITTLE_AFTER_END'
    return [tell('STATE_CHANGE', cause, received(shown))]
  },
  'payment.expired': (shown) => [
    wasApproved(shown)
      ? tell('STATE_CHANGE', 'AUTHORISATION_LAPSED', changed(shown))
      : tell('STATE_CHANGE', 'TIME_RAN_OUT', received(shown)),
  ],
  'payment.failed': (shown) => {
    const { code, message } = (shown.data['lastError'] ?? {}) as Fields
    const facts = { ...changed(shown), code: textOf(code), message: textOf(message) }
    return [tell('STATE_CHANGE', 'REFUSED_BY_PROVIDER', facts)]
  },
  'payment.canceled': (shown) => [
    tell('STATE_CHANGE', wasApproved(shown) ? 'AUTHORISATION_VOIDED' : 'PAYMENT_CANCELED', changed(shown)),
  ],
  'refund.created': (shown) => [
    tell(
      'STATE_CHANGE',
      shown.data['approvalRequired'] === true ? 'REFUND_NEEDS_APPROVAL' : 'REFUND_REQUESTED',
      changed(shown),
    ),
  ],
  'refund.completed': (shown) => [
    tell(
      'STATE_CHANGE',
      shown.before === 'refund.failed' ? 'REFUND_DONE_AFTER_ALL' : 'REFUND_DONE',
      changed(shown),
    ),
  ],
  'refund.failed': (shown) => [tell('STATE_CHANGE', causeOfRefundFailure(shown), failed(shown))],
  'dispute.opened': (shown) => [
    tell('STATE_CHANGE', shown.before === null ? 'DISPUTE_OPENED' : 'DISPUTE_OPENED_AGAIN', changed(shown)),
  ],
  'dispute.won': (shown) => [
    tell(
      'STATE_CHANGE',
      shown.before === 'dispute.lost' ? 'DISPUTE_REINSTATED' : 'DISPUTE_WON',
      changed(shown),
    ),
  ],
  'dispute.lost': state('DISPUTE_LOST'),
  'withdrawal.created': (shown) => [
    tell('STATE_CHANGE', 'WITHDRAWAL_REQUESTED', {
      ...changed(shown),
      fee: moneyOf(shown, 'fee'),
    }),
  ],
  'withdrawal.approval_required': state('WITHDRAWAL_NEEDS_APPROVAL'),
  'withdrawal.processing': state('WITHDRAWAL_SENT'),
  'withdrawal.completed': (shown) => {
    const isAfterAll = shown.before === 'withdrawal.failed' || shown.before === 'withdrawal.canceled'
    return [
      ...(shown.isEndedByHand === true ? [] : [tell('PROVIDER_ANSWER', 'PAYOUT_REPORTED', paid(shown))]),
      tell('STATE_CHANGE', isAfterAll ? 'WITHDRAWAL_DONE_AFTER_ALL' : 'WITHDRAWAL_DONE', changed(shown)),
    ]
  },
  'withdrawal.failed': (shown) => {
    const facts = failed(shown)
    const isByHand = shown.isEndedByHand === true || facts.code === 'resolved_by_operator'
    return [
      ...(isByHand ? [] : [tell('PROVIDER_ANSWER', 'PAYOUT_REFUSAL_REPORTED', facts)]),
      tell('STATE_CHANGE', 'WITHDRAWAL_REFUSED', facts),
    ]
  },
  'withdrawal.canceled': (shown) => [
    shown.rejectedBy === undefined
      ? tell('STATE_CHANGE', 'WITHDRAWAL_CANCELED', changed(shown))
      : tell('STATE_CHANGE', 'WITHDRAWAL_REJECTED', { ...changed(shown), keyId: shown.rejectedBy }),
  ],
  'withdrawal.returned': (shown) => {
    const returned = moneyOf(shown, 'amountReturned')
    return [
      tell('PROVIDER_ANSWER', 'PAYOUT_RETURN_REPORTED', { ...paid(shown), amount: returned }),
      tell('STATE_CHANGE', 'WITHDRAWAL_RETURNED', { ...changed(shown), returned }),
    ]
  },
}

/** The causes that an event narrates. Events of other kinds of records narrate none. */
export function causesOfEvent(type: EventType, shown: Shown): readonly CauseWithFacts[] {
  return isExplained(type) ? eventCauses[type](shown) : []
}

/** The record that the body of an event shows. */
export function shownIn(body: string): Fields {
  return must((parseJson(body) as Fields)['data'] as Fields | undefined, 'an event shows a record')
}

function isExplained(type: EventType): type is Explained {
  return Object.hasOwn(eventCauses, type)
}

function causeOfCompletion(shown: Shown) {
  const exceptions = (shown.data['exceptions'] ?? []) as readonly unknown[]
  const { missing } = received(shown)
  if (missing.minor > 0n) return 'PAID_BY_PARTIAL_CAPTURE'
  if (exceptions.includes('LATE'))
    return exceptions.includes('OVERPAID') ? 'PAID_LATE_AND_TOO_MUCH' : 'PAID_LATE'
  return exceptions.includes('OVERPAID') ? 'PAID_TOO_MUCH' : 'PAID_IN_FULL'
}

function causeOfRefundFailure({ data, before }: Shown) {
  switch (data['failureCode']) {
    case 'rejected':
      return 'REFUND_REJECTED'
    case 'ended_by_operator':
      return 'REFUND_ENDED_BY_OPERATOR'
    case 'disputed':
      return 'REFUND_DISPUTED'
    case 'insufficient_funds':
      return 'REFUND_UNCOVERED'
    default:
      return before === 'refund.completed' ? 'REFUND_CAME_BACK' : 'REFUND_REFUSED'
  }
}

function wasApproved({ data }: Shown): boolean {
  return data['approvedAt'] !== undefined
}

function changed(shown: Shown): Changed {
  const { id, data, related } = shown
  return { ...related, eventId: id, status: textOf(data['status']), amount: moneyOf(shown, 'amount') }
}

/** The amount that came: what was received and did not go back. */
function received(shown: Shown): Received {
  const { amount, ...rest } = changed(shown)
  const kept = minorOf(shown.data['amountReceived']) - minorOf(shown.data['amountRefunded'])
  const { currency } = amount
  const missing = { minor: maxOf(amount.minor - kept, 0n), currency }
  return { ...rest, amount, ...exactly(shown, { received: { minor: kept, currency }, missing }) }
}

/** Both to the last digit, where the network knows them finer than in cents: `9.995` and `0.005`, never `9.99` and `0.01`. */
function exactly({ data }: Shown, sums: Pick<Received, 'received' | 'missing'>): typeof sums {
  const { cryptoReceived } = data
  if (typeof cryptoReceived !== 'string') return sums
  const { received: came, missing } = sums
  const finer = BigInt(cryptoReceived) % unitsPerMinor
  const open = missing.minor * unitsPerMinor - finer
  if (finer === 0n || open <= 0n) return sums
  const decimal = (units: bigint) => unitsToDecimal(units, unitDecimals)
  return {
    received: { ...came, exact: decimal(came.minor * unitsPerMinor + finer) },
    missing: { ...missing, exact: decimal(open) },
  }
}

/** Records have coins in base units with 18 decimals. */
const unitDecimals = 18
const unitsPerMinor = 10n ** BigInt(unitDecimals - 2)

function failed(shown: Shown): Failed {
  const { failureCode, failureMessage } = shown.data
  return { ...changed(shown), code: textOf(failureCode), message: textOf(failureMessage) }
}

function paid(shown: Shown): Paid {
  const { providerRef, endToEndId, txHash } = shown.data
  return {
    ...changed(shown),
    ...(typeof providerRef === 'string' ? { providerRef } : {}),
    ...(typeof endToEndId === 'string' ? { endToEndId } : {}),
    ...(typeof txHash === 'string' ? { txHash } : {}),
  }
}

function moneyOf({ data }: Shown, name: string): Money {
  const currency = textOf(data['currency'])
  return {
    minor: minorOf(data[name]),
    currency: must(isCurrency(currency) ? currency : undefined, 'a currency'),
  }
}

/** An amount of a record that we wrote. Absent: nothing. */
function minorOf(value: unknown): bigint {
  if (typeof value === 'number') return BigInt(value)
  return JSON.isRawJSON(value) ? BigInt(value.rawJSON) : 0n
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
