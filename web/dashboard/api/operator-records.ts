// The records of the operator's console, as src/dashboard/operator/ describes them. What does not apply is absent.
import type { Minor } from '../kit/format.ts'
import type { Mode, Role } from './session.ts'
import type { SubAccountState } from './sub-accounts.ts'

export type Merchant = {
  readonly id: string
  readonly mode: Mode
  readonly name: string
  readonly createdAt: string
  readonly isSuspended: boolean
  readonly isFrozen: boolean
  readonly archivedAt?: string
}

export type Freeze = {
  readonly kind: 'FREEZE' | 'SUSPENSION' | 'RESTORE'
  readonly reason: string
  readonly decidedBy: string
  readonly at: string
}

/** One of all. Without a merchant it is of all of them; without a rail, of every method. */
export type ListedFreeze = Freeze & {
  readonly id: string
  readonly merchantId?: string
  readonly merchantName?: string
  readonly rail?: string
}

export type WholeMerchant = Merchant & {
  readonly keysInForce: number
  readonly freezes: readonly Freeze[]
  readonly subAccount?: { readonly parentId: string; readonly state: SubAccountState }
}

export type Fee = {
  readonly method: string
  readonly currency: string
  readonly fixed: Minor
  readonly ratePpm: number
  readonly validFrom: string
}

export type PastFee = Omit<Fee, 'method' | 'currency'> & { readonly validTo: string }

export type Limit = {
  readonly type: string
  readonly currency: string
  readonly each?: Minor
  readonly day?: Minor
  readonly approvalAbove?: Minor
  readonly listedOnly: boolean
  readonly spentToday: Minor
}

export type Destination = { readonly type: string; readonly destination: string; readonly note?: string }

export type MerchantWallet = {
  readonly id: string
  readonly currency: string
  readonly label: string
  readonly walletType: string
  readonly isDefault: boolean
  readonly isActive: boolean
  readonly balance: Minor
  readonly pendingBalance: Minor
  readonly heldBalance: Minor
}

/** A property of a form's JSON schema, as far as forms here are made of it. */
export type Property = {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'
  readonly anyOf?: readonly { readonly const?: string }[]
  readonly items?: Property
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
  /** What the field takes, in English. */
  readonly fault?: string
  /** It is the content of a file: as text, or in base64. */
  readonly file?: 'utf8' | 'base64'
  /** It is the id of a connection of this method. */
  readonly connectionOf?: string
}

export type FormSchema = {
  readonly properties?: Readonly<Record<string, Property>>
  readonly required?: readonly string[]
}

export type ConnectionForm = {
  readonly name: string
  readonly method: string
  readonly providers: readonly string[]
  readonly page: string
  readonly settings: FormSchema
  readonly secrets: FormSchema
  readonly refundSecrets?: FormSchema
}

export type Connection = {
  readonly id: string
  readonly method: string
  readonly provider: string
  readonly mode: Mode
  readonly merchantId?: string
  readonly merchantName?: string
  readonly isActive: boolean
  readonly archivedAt?: string
  readonly canRefund: boolean
  readonly hasType: boolean
  readonly settings: Readonly<Record<string, unknown>>
  readonly createdAt: string
  readonly changedAt: string
}

/** As the list shows it: with when its certificate ends that ends first, and how its provider last answered. */
export type ListedConnection = Connection & {
  readonly endsAt?: string
  readonly lastGoodAt?: string
  readonly lastBadAt?: string
  readonly lastError?: string
}

/** What needs an operator. */
export type Attention = {
  readonly countedMax: number
  readonly counts: Readonly<
    Record<
      | 'approvals'
      | 'suspense'
      | 'parked'
      | 'typos'
      | 'held'
      | 'foreign'
      | 'paymentFiles'
      | 'withdrawals'
      | 'wallets',
      number
    >
  >
  readonly certificates: readonly {
    readonly connection: string
    readonly method: string
    readonly provider: string
    readonly merchantName?: string
    readonly endsAt: string
  }[]
  readonly isWhole: boolean
  readonly failing: readonly {
    readonly connection: string
    readonly lastBadAt?: string
    readonly lastGoodAt?: string
    readonly lastError?: string
  }[]
}

export type WholeConnection = Connection & {
  readonly callback?: { readonly url: string; readonly isByHand: boolean }
  readonly certificates: readonly {
    readonly field: string
    readonly subject?: string
    readonly endsAt?: string
  }[]
}

/** How a provider answered, by hour; hours without a call are left out. */
export type ConnectionHealth = {
  readonly lastGoodAt?: string
  readonly lastBadAt?: string
  readonly lastError?: string
  readonly hours: readonly {
    readonly hour: string
    readonly calls: number
    readonly errors: number
    readonly meanMs: number
    readonly longestMs: number
  }[]
}

export const jobKinds = [
  'verify',
  'balances',
  'sweep',
  'rescue',
  'connection.test',
  'connection.register',
  'statement.import',
] as const
export type JobKind = (typeof jobKinds)[number]

export const jobStates = ['QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELED'] as const

export type Job = {
  readonly id: string
  readonly kind: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly requestedBy: { readonly kind: string; readonly id: string }
  readonly status: (typeof jobStates)[number]
  readonly isCancelRequested: boolean
  readonly progress?: {
    readonly key: string
    readonly values?: Readonly<Record<string, string | number>>
    readonly done?: number
    readonly total?: number
  }
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: string
  /** The same as a key, where there is one. */
  readonly failure?: {
    readonly key: string
    readonly values?: Readonly<Record<string, string | number>>
    readonly isUnsure?: boolean
  }
  readonly createdAt: string
  readonly startedAt?: string
  readonly endedAt?: string
}

export type Unmatched = {
  readonly id: string
  readonly mode: Mode
  readonly method: string
  readonly connection: string
  readonly providerRef: string
  readonly outcome: string
  readonly reason: string
  readonly amount: Minor
  readonly currency: string
  readonly happenedAt: string
  readonly recordedAt: string
  readonly resolvedAt?: string
  readonly resolution?: 'CREDITED' | 'RETURNED'
  readonly walletId?: string
  readonly note?: string
  readonly reportedSince: readonly string[]
  readonly needsTwo: boolean
}

export type Proposal = {
  readonly id: string
  readonly kind: string
  readonly subject: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly reason: string
  readonly by: { readonly kind: string; readonly id: string; readonly name: string }
  readonly createdAt: string
  /** About money in suspense. */
  readonly money?: { readonly amount: Minor; readonly currency: string; readonly providerRef: string }
  readonly isOwn: boolean
}

export type Queue = {
  readonly name: string
  readonly depth: number
  readonly isMore: boolean
  readonly due: number
  readonly failing: number
  readonly oldestDueAt?: string
}

export type QueueItem = {
  readonly id: string
  readonly merchantId?: string
  readonly connection?: string
  readonly dueAt: string
  readonly since?: string
  readonly fails: number
  readonly error?: string
}

export type ParkedSignal = {
  readonly id: string
  readonly method: string
  readonly connection: string
  readonly receivedAt: string
  readonly tries: number
  readonly lastError?: string
  readonly body: string
  readonly bodySha256: string
}

export type Capacity = {
  readonly books: readonly {
    readonly minutes: number
    readonly batches: number
    readonly transfers: number
    readonly events?: number
  }[]
  readonly today: {
    readonly created: number
    readonly paid: number
    readonly isWhole: boolean
    readonly createdPerSecond: number
  }
  /** Absent: nothing was measured on this machine. */
  readonly measured?: { readonly paymentsPerSecond: number; readonly at: string }
}

export type Person = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly language: string
  readonly timeZone: string
  readonly isOperator: boolean
  readonly createdAt: string
  readonly disabledAt?: string
}

export type WholePerson = Person & {
  /** Another operator: only a command gives them a new password or takes their factors. */
  readonly isColleague: boolean
  readonly factors: { readonly passkeys: number; readonly hasTotp: boolean }
  readonly memberships: readonly {
    readonly merchantId: string
    readonly merchantName: string
    readonly mode: Mode
    readonly role: Role
  }[]
}

export type AuditEntry = {
  readonly id: string
  readonly at: string
  readonly actorKind: string
  readonly actorId: string
  readonly actorName?: string
  readonly action: string
  readonly subject: string
  readonly merchantId?: string
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
  readonly reason?: string
  readonly address?: string
  readonly requestId?: string
}

/** A link that is shown once. */
export type OneTimeLink = {
  readonly id: string
  readonly email: string
  readonly endsAt: string
  readonly url: string
}
