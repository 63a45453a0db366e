// How a PSP's API Pix differs from the Banco Central's text, as data. Adding a PSP is adding an entry to profiles.json,
// as long as its differences are among these.
import profiles from './profiles.json' with { type: 'json' }

/** What a token is for. A PSP may grant an application less than all, so each is asked for alone. */
export type Purpose = 'collect' | 'refund' | 'webhook' | 'payout'

export type PspProfile = {
  /** What has been seen to work with it, in words. */
  readonly verifiedAgainst: string
  /** Where it is, unless the connection says otherwise. */
  readonly baseUrl?: string
  readonly tokenUrl?: string
  /** How the token endpoint is told who we are: RFC 6749 §2.3.1, or by the certificate and the id alone. */
  readonly auth: 'basic' | 'body' | 'body_no_secret'
  readonly tokenBody: 'form' | 'json'
  /** Absent: the application's own scopes hold and none are asked for. */
  readonly scopes?: Readonly<Partial<Record<Purpose, string>>>
  /** Where the text of the code is in an answer; the first that is there counts. */
  readonly copyPasteFields: readonly string[]
  /** Whether dates in a query may carry milliseconds. */
  readonly dateMs: boolean
  /** The number of the first page. */
  readonly pageBase: 0 | 1
  readonly pageSize: number
  readonly timeouts: { readonly connectMs: number; readonly totalMs: number }
  /** Absent: it sends nothing, or in a way that we do not speak. The standard has no payouts; this is Efí's shape. */
  readonly payouts?: {
    /** Where its payout API is, unless the connection says otherwise. */
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
