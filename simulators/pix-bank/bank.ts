// The shared parts of the bank.
import type { CommonOptions } from '../kit/program.ts'
import type { Authority } from './certificates.ts'
import type { Dispatch } from './dispatch.ts'
import type { EventStore } from './event-store.ts'

/** The common port serves the API, HTTPS. */
export type BankOptions = CommonOptions & {
  /** HTTP. */
  readonly controlPort: number
  /** Whether amounts and recipients have magic meanings. */
  readonly magic: boolean
  /** Divides the bank's own waiting times: 100 makes a second 10 ms. */
  readonly speed: number
  readonly tokenSeconds: number
  /** The initial balance of every Pix key. */
  readonly capital: string
  /** The host of payment locations. BR Codes imply https, and have no room for a port. */
  readonly locationHost: string
}

export type Bank = {
  readonly options: BankOptions
  readonly eventStore: EventStore
  readonly authority: Authority
  readonly dispatch: Dispatch
  /** What a restart forgets. */
  readonly passing: Passing
}

export type Passing = {
  readonly tokens: Map<string, Token>
  tokenSeconds: number
  down: boolean
  faults: Fault[]
  /** How many times each name was refused by magic. */
  readonly refused: Map<string, number>
  /** For each key: the tokens left for directory queries, and at which time. */
  readonly lookups: Map<string, { readonly left: number; readonly at: number }>
}

export type Token = {
  readonly clientId: string
  readonly thumbprint: string
  readonly scopes: ReadonlySet<string>
  readonly expiresAt: number
}

export const faultActions = ['delay', 'status', 'drop_response', 'reset', 'truncate'] as const
export type Fault = {
  readonly id: number
  readonly method?: string
  readonly path?: string
  readonly action: (typeof faultActions)[number]
  readonly delayMs?: number
  readonly status?: number
  /** How many more calls it affects; absent: all. */
  left?: number
  readonly probability?: number
  /** How many calls it matched. */
  matched: number
}

/** A waiting time of the bank, in milliseconds, divided by the speed. */
export function span(options: BankOptions, seconds: number): number {
  return (seconds * 1000) / options.speed
}
