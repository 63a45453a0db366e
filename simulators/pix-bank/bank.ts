// What every part of the bank has at hand.
import type { Authority } from './certificates.ts'
import type { EventStore } from './event-store.ts'
import type { Dispatch } from './dispatch.ts'

export type BankOptions = {
  readonly dataDir: string
  /** Of the API, HTTPS; 0 takes any free one. */
  readonly port: number
  /** Of the control port, HTTP. */
  readonly controlPort: number
  readonly seed?: number
  /** Whether amounts and recipients have magic meanings. */
  readonly magic: boolean
  /** Divides every span of time that the bank waits: 100 makes a second 10 ms. */
  readonly speed: number
  readonly tokenSeconds: number
  /** What every Pix key has to begin with. */
  readonly capital: string
  /** What payment locations begin with. BR Codes mean https there, and have no room for a port. */
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
  /** How often a name was refused by magic. */
  readonly refused: Map<string, number>
  /** Of each key: what is left to ask the directory with, and since when. */
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
  /** How often it still happens; absent: for ever. */
  left?: number
  readonly probability?: number
  /** How many calls it was asked about. */
  asked: number
}

/** A span of the bank's own time. */
export function span(options: BankOptions, seconds: number): number {
  return (seconds * 1000) / options.speed
}
