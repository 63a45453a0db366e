// The shared parts of the wallet.
import type { Outbox } from '../kit/outbox.ts'
import type { CommonOptions } from '../kit/program.ts'
import type { Certificates } from './certificates.ts'
import type { EventStore } from './event-store.ts'
import type { Notice } from './events.ts'
import type { Order, Refund } from './state.ts'

export type WalletOptions = CommonOptions & {
  /** How far a call's timestamp may be from the wallet's clock. */
  readonly toleranceMs: number
  /** Divides the wallet's own waiting times: 100 makes a second 10 ms. Orders age as usual. */
  readonly speed: number
  /** Before the second, third … attempt of a webhook. */
  readonly retrySeconds: readonly number[]
  /** The prefix of links to the wallet's pages. Default: its own address. */
  readonly publicUrl?: string
}

export type Wallet = {
  readonly options: WalletOptions
  readonly eventStore: EventStore
  readonly certificates: Certificates
  readonly webhooks: Webhooks
  /** The prefix of links. */
  readonly publicUrl: string
  /** What a restart forgets. */
  readonly passing: Passing
}

export type Webhooks = Pick<Outbox<Notice>, 'attempt' | 'waiting' | 'stop'> & {
  /** Notifies the order's merchant, if there is an address. Call it inside `eventStore.together`. */
  notifyOrder(order: Order, bizStatus: 'PAY_SUCCESS' | 'PAY_CLOSED'): void
  notifyRefund(refund: Refund): void
}

export type Passing = {
  /** For each nonce of the window: when it may be forgotten. */
  readonly nonces: Map<string, number>
  fault: Fault
  /** The offset of the clock by which timestamps are checked, in milliseconds. */
  skewMs: number
  /** Deliveries that are sent before the call that caused them is answered. */
  early: number[]
}

export type FaultMode = 'none' | '5xx' | 'timeout' | 'reset_after_commit' | 'slow'
export type Fault = {
  readonly mode: FaultMode
  /** How many more calls it affects; absent: all. */
  left?: number
}

/** A waiting time of the wallet, in milliseconds, divided by the speed. */
export function span({ speed }: WalletOptions, seconds: number): number {
  return (seconds * 1000) / speed
}
