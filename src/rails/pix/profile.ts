// How a PSP's API Pix differs from the Banco Central's text, as data. To add a PSP, add an entry to profiles.json, as long as its
// differences are among these.
import profiles from './profiles.json' with { type: 'json' }

/** What a token is for. A PSP may grant an application only a part, so each purpose has its own scopes. */
export type Purpose = 'collect' | 'refund' | 'webhook' | 'payout'

export type PspProfile = {
  /** What the profile was verified against, in words. */
  readonly verifiedAgainst: string
  /** The default of the connection's `baseUrl`. */
  readonly baseUrl?: string
  readonly tokenUrl?: string
  /** How we authenticate at the token endpoint: RFC 6749 §2.3.1, or by the certificate and the id alone. */
  readonly auth: 'basic' | 'body' | 'body_no_secret'
  readonly tokenBody: 'form' | 'json'
  /** Absent: the application's own scopes apply and none are requested. */
  readonly scopes?: Readonly<Partial<Record<Purpose, string>>>
  /** The fields of an answer that may contain the text of the code; the first one present counts. */
  readonly copyPasteFields: readonly string[]
  /** Whether dates in a query may contain milliseconds. */
  readonly dateMs: boolean
  /** The number of the first page. */
  readonly pageBase: 0 | 1
  readonly pageSize: number
  readonly timeouts: { readonly connectMs: number; readonly totalMs: number }
  /** Absent: it sends nothing, or in a way that we do not support. The standard has no payouts; this is Efí's shape. */
  readonly payouts?: {
    /** The default of a payout connection's `baseUrl`. */
    readonly baseUrl?: string
    /** How many may be sent at the same time. */
    readonly atOnce: number
  }
}

const byName = profiles as Readonly<Record<string, PspProfile>>

export const profileNames: readonly string[] = Object.keys(byName)
export const payoutProfileNames: readonly string[] = profileNames.filter(
  (name) => byName[name]?.payouts !== undefined,
)

/** The profile of that name, or undefined when there is none. */
export function findProfile(name: string): PspProfile | undefined {
  return Object.hasOwn(byName, name) ? byName[name] : undefined
}
