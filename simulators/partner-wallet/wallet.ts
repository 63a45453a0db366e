// What every part of the wallet has at hand.
import type { Outbox } from '../kit/outbox.ts'
import type { EventStore } from './event-store.ts'
import type { Certificates } from './certificates.ts'
import type { Notice } from './events.ts'
import type { Order, Refund } from './state.ts'

export type WalletOptions = {
  readonly dataDir: string
  /** Of the API, the control calls and the pages; 0 takes any free one. */
  readonly port: number
  readonly seed?: number
  /** How far a call's timestamp may be from the wallet's clock. */
  readonly toleranceMs: number
  /** Divides every span that the wallet waits by itself: 100 makes a second 10 ms. Orders age as usual. */
  readonly speed: number
  /** Before the second, third … attempt of a webhook. */
  readonly retrySeconds: readonly number[]
  /** What links to the wallet's pages begin with; its own address unless told. */
  readonly publicUrl?: string
}

export type Wallet = {
  readonly options: WalletOptions
  readonly eventStore: EventStore
  readonly certificates: Certificates
  readonly webhooks: Webhooks
  /** Links begin with it. */
  readonly publicUrl: string
  /** What a restart forgets. */
  readonly passing: Passing
}

export type Webhooks = Pick<Outbox<Notice>, 'attempt' | 'waiting' | 'stop'> & {
  /** Tells the order's merchant, if there is an address. Call it inside `eventStore.together`. */
  notifyOrder(order: Order, bizStatus: 'PAY_SUCCESS' | 'PAY_CLOSED'): void
  notifyRefund(refund: Refund): void
}

export type Passing = {
  /** Of each call that came in within the window: by when its nonce may be forgotten. */
  readonly nonces: Map<string, number>
  fault: Fault
  /** How far the clock that timestamps are held against is off, in milliseconds. */
  skewMs: number
  /** Deliveries that go out before the call that caused them is answered. */
  early: number[]
}

export const faultModes = ['none', '5xx', 'timeout', 'reset_after_commit', 'slow'] as const
export type FaultMode = (typeof faultModes)[number]
export type Fault = {
  readonly mode: FaultMode
  /** How often it still happens; absent: for ever. */
  left?: number
}

/** A span of the wallet's own time, in milliseconds. */
export function span({ speed }: WalletOptions, seconds: number): number {
  return (seconds * 1000) / speed
}
