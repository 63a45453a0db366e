// The connections to providers, and the calls to them.
import type { ConnectionId, MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'

/** Credentials at one provider, decrypted. */
export type ProviderConnection = {
  readonly id: ConnectionId
  readonly mode: Mode
  /** A payment method, or the method of a payout rail. */
  readonly method: string
  /** The provider's profile, such as `bacen` or `efi`. */
  readonly provider: string
  /** Absent: the operator's own, shared by all merchants of its mode. */
  readonly merchantId?: MerchantId
  /** The values that are not secret, in the rail's own form. */
  readonly settings: Readonly<Record<string, unknown>>
  /** The secrets for receiving money. */
  readonly secrets: Readonly<Record<string, unknown>>
  /** The secrets for sending money: refunds. Only a worker can decrypt them. */
  readonly refundSecrets?: Readonly<Record<string, unknown>>
}

/** The connections that are active now. */
export type ConnectionBook = {
  /**
   * Returns the merchant's own connections for the method, oldest first, followed by the shared ones of its mode. Returns none when
   * a connection of the merchant was archived: shared ones do not replace it.
   */
  of(query: {
    readonly method: string
    readonly mode: Mode
    readonly merchantId: MerchantId
  }): readonly ProviderConnection[]
  /** Also returns a connection that accepts no new payments any more: its receipts still count. */
  find(id: ConnectionId): ProviderConnection | undefined
  /** Returns all connections of a method, to scan them for lost callbacks. */
  all(method: string): readonly ProviderConnection[]
}

/** A call that has ended: how long it took, and why its answer was of no use. */
export type EndedCall = { readonly ms: number; readonly fault?: string }

/** What counts the calls of a connection. */
export type WatchCalls = (connection: ConnectionId) => (call: EndedCall) => void
