// Every id of ours is a UUIDv7 (RFC 9562 §5.7), minted by us before the first insert, so a row knows its id early
// and ids sort by time of creation: within a millisecond by a counter, as that document's §6.2 describes (method 1). No id is
// a secret: what must not be guessed has random bytes of its own.
import { randomUUID } from 'node:crypto'
import { secondMs, systemClock } from './time.ts'

declare const kind: unique symbol
export type Id<Kind extends string> = string & { readonly [kind]: Kind }

export type MerchantId = Id<'merchant'>
export type ApiKeyId = Id<'api-key'>
export type PaymentId = Id<'payment'>
export type AttemptId = Id<'attempt'>
export type RefundId = Id<'refund'>
export type DisputeId = Id<'dispute'>
export type WithdrawalId = Id<'withdrawal'>
export type WalletId = Id<'wallet'>
export type EventId = Id<'event'>
export type DeliveryId = Id<'delivery'>
/** Credentials at one provider. Carries the cell's code in front: `{cell}-{uuid}`. */
export type ConnectionId = Id<'connection'>

/** A new id, later than every id that this process made before; also when its clock is set back by up to ten seconds. */
export function newId<Kind extends string>(): Id<Kind> {
  const now = systemClock.now().getTime()
  const isHeld = now < byOwnClock.ms && byOwnClock.ms - now <= heldMs
  return nextId<Kind>(byOwnClock, isHeld ? byOwnClock.ms : now)
}

/**
 * A new id that begins with `at`, where an instant beside it is told by another clock than this machine's. Later than those that
 * this process made of the same instant just before.
 */
export function newIdAt<Kind extends string>(at: Date): Id<Kind> {
  return nextId<Kind>(byToldInstant, at.getTime())
}

/** The last id that was made: its millisecond, also as ids begin, and its number there. */
type Last = { ms: number; time: string; count: number }

const byOwnClock: Last = { ms: -1, time: '', count: 0 }
const byToldInstant: Last = { ms: -1, time: '', count: 0 }

/** A clock that was set back further than this is followed: lists look for an id no further than a minute from its instant. */
const heldMs = 10 * secondMs

/**
 * The counter has 26 bits, in `rand_a` and the beginning of `rand_b`, and begins each millisecond somewhere in its lower half: 33
 * million are left, which no millisecond holds, and it tells nobody how many were made. The last 48 bits are random.
 */
function nextId<Kind extends string>(last: Last, ms: number): Id<Kind> {
  const random = randomUUID()
  if (ms === last.ms) last.count += 1
  else {
    last.ms = ms
    last.time = timeOf(ms)
    last.count = Number.parseInt(random.slice(0, 7), 16) >>> 3
  }
  const high = (0x7000 | (last.count >>> 14)).toString(16)
  const low = (0x8000 | (last.count & 0x3fff)).toString(16)
  return `${last.time}-${high}-${low}-${random.slice(24)}` as Id<Kind>
}

/** The first two groups of an id: 48 bits of milliseconds. */
function timeOf(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

/** The lowest id that could be minted in this millisecond or later: ids before `at` sort below it (RFC 9562 §5.7). */
export function firstIdAt(at: Date): string {
  return `${timeOf(at.getTime())}-7000-8000-000000000000`
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Whether `text` is a UUID in the one spelling we write: lower case, with hyphens. */
export function isUuid(text: string): boolean {
  return uuid.test(text)
}
