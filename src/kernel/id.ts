// Every id of ours is a UUIDv7 (RFC 9562 §5.7), minted by us before the first insert, so a row knows its id early
// and ids sort by time of creation.
import { randomUUIDv7 } from 'node:crypto'

declare const kind: unique symbol
export type Id<Kind extends string> = string & { readonly [kind]: Kind }

export type MerchantId = Id<'merchant'>
export type ApiKeyId = Id<'api-key'>
export type PaymentId = Id<'payment'>
export type AttemptId = Id<'attempt'>
export type WalletId = Id<'wallet'>
export type EventId = Id<'event'>
export type DeliveryId = Id<'delivery'>
/** Credentials at one provider. Carries the cell's code in front: `{cell}-{uuid}`. */
export type ConnectionId = Id<'connection'>

/** A new id, later than every id this process minted before in an earlier millisecond. */
export function newId<Kind extends string>(): Id<Kind> {
  return randomUUIDv7() as Id<Kind>
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Whether `text` is a UUID in the one spelling we write: lower case, with hyphens. */
export function isUuid(text: string): boolean {
  return uuid.test(text)
}
