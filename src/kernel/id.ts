// All our ids are UUIDv7 (RFC 9562 §5.7), created by us before the first insert, so the id of a row is known early and ids sort by
// time of creation: within a millisecond by a counter (RFC 9562 §6.2, method 1). No id is a secret: a secret has random bytes of
// its own.
import { randomBytes } from 'node:crypto'
import { secondMs, systemClock } from './time.ts'

declare const kind: unique symbol
export type Id<Kind extends string> = string & { readonly [kind]: Kind }

export type MerchantId = Id<'merchant'>
export type ApiKeyId = Id<'api-key'>
export type UserId = Id<'user'>
export type PaymentId = Id<'payment'>
export type AttemptId = Id<'attempt'>
export type PaymentLinkId = Id<'payment-link'>
export type RefundId = Id<'refund'>
export type DisputeId = Id<'dispute'>
export type WithdrawalId = Id<'withdrawal'>
export type WithdrawalBatchId = Id<'withdrawal-batch'>
export type PayoutScheduleId = Id<'payout-schedule'>
export type ClockAdvanceId = Id<'clock-advance'>
export type WalletId = Id<'wallet'>
export type EventId = Id<'event'>
export type DeliveryId = Id<'delivery'>
export type EndpointId = Id<'webhook-endpoint'>
export type RecoveryId = Id<'webhook-recovery'>
/** Starts with the cell's code: `{cell}-{uuid}`. */
export type ConnectionId = Id<'connection'>

/** Returns a new id, later than all ids that this process made before, even if its clock was set back by up to ten seconds. */
export function newId<Kind extends string>(): Id<Kind> {
  const now = systemClock.now().getTime()
  const isHeld = now < byOwnClock.ms && byOwnClock.ms - now <= heldMs
  return nextId<Kind>(byOwnClock, isHeld ? byOwnClock.ms : now)
}

/**
 * Returns a new id that starts with `at`, for a row whose instant comes from another clock than this machine's. Later than the ids
 * that this process made just before for the same instant.
 */
export function newIdAt<Kind extends string>(at: Date): Id<Kind> {
  return nextId<Kind>(byGivenInstant, at.getTime())
}

/** The last id: its millisecond, its counter, and its first three groups. */
type Last = { ms: number; count: number; begin: string }

const byOwnClock: Last = { ms: -1, count: 0, begin: '' }
const byGivenInstant: Last = { ms: -1, count: 0, begin: '' }

/** A clock that was set back further than this is followed, because lists search for an id within a minute of its instant. */
const heldMs = 10 * secondMs

/**
 * The counter has 26 bits, in `rand_a` and the start of `rand_b`. In each millisecond it starts at a random value of its lower
 * half. So at least 33 million values are left, more than a millisecond needs, and the counter does not show how many ids were
 * made. The last 48 bits are random.
 */
function nextId<Kind extends string>(last: Last, ms: number): Id<Kind> {
  const isNew = ms !== last.ms
  last.count = isNew ? Number.parseInt(random48().slice(0, 7), 16) >>> 3 : last.count + 1
  last.ms = ms
  const low = last.count & 0x3fff
  if (isNew || low === 0) last.begin = `${timeOf(ms)}-${(0x7000 | (last.count >>> 14)).toString(16)}`
  return `${last.begin}-${(0x8000 | low).toString(16)}-${random48()}` as Id<Kind>
}

/** Random bytes are drawn for many ids at once: one by one they cost as much as the rest of an id. */
let drawn = { hex: '', used: 0 }

/** 48 random bits as 12 digits. */
function random48(): string {
  if (drawn.used === drawn.hex.length) drawn = { hex: randomBytes(6 * 256).toString('hex'), used: 0 }
  drawn.used += 12
  return drawn.hex.slice(drawn.used - 12, drawn.used)
}

/** The first two groups of an id: 48 bits of milliseconds. */
function timeOf(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

/** The lowest possible id of this millisecond: ids of earlier ones sort below it (RFC 9562 §5.7). */
export function firstIdAt(at: Date): string {
  return `${timeOf(at.getTime())}-7000-8000-000000000000`
}

/** The instant with which an id of ours starts. */
export function timeOfId(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}

/** A UUID for providers that accept letters and digits alone: its 32 hex digits. */
export function hexOfUuid(id: string): string {
  return id.replaceAll('-', '')
}

/** The UUID of 32 hex digits; undefined for any other text. */
export function uuidOfHex(text: string): string | undefined {
  const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(text)
  return parts?.slice(1).join('-')
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Whether `text` is a UUID as we write it: lower case, with hyphens. */
export function isUuid(text: string): boolean {
  return uuid.test(text)
}
