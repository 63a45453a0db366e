// Every id of ours is a UUIDv7 (RFC 9562 §5.7), minted by us before the first insert, so a row knows its id early
// and ids sort by time of creation.
import { randomUUIDv7 } from 'node:crypto'

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

/** A new id, later than every id this process minted before in an earlier millisecond. */
export function newId<Kind extends string>(): Id<Kind> {
  return randomUUIDv7() as Id<Kind>
}

/** A new id that begins with `at`, where an instant beside it is told by another clock than this machine's. */
export function newIdAt<Kind extends string>(at: Date): Id<Kind> {
  return (firstIdAt(at).slice(0, 13) + randomUUIDv7().slice(13)) as Id<Kind>
}

/** The lowest id that could be minted in this millisecond or later: ids before `at` sort below it (RFC 9562 §5.7). */
export function firstIdAt(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Whether `text` is a UUID in the one spelling we write: lower case, with hyphens. */
export function isUuid(text: string): boolean {
  return uuid.test(text)
}
