// The records of /v1 for developers, as openapi.json describes them: keys, endpoints, recoveries, calls, rehearsals, the sandbox's clock.

export const scopes = [
  'payments:read',
  'payments:write',
  'wallets:read',
  'wallets:write',
  'withdrawals:read',
  'withdrawals:write',
  'withdrawals:approve',
  'webhooks:read',
  'webhooks:write',
  'requests:read',
  'keys:read',
  'keys:write',
  'subaccounts:read',
  'subaccounts:write',
  'subaccounts:act',
  'sandbox',
] as const
export type Scope = (typeof scopes)[number]

export type ApiKey = {
  readonly id: string
  readonly name: string
  readonly lastFour: string
  readonly status: 'ACTIVE' | 'EXPIRED' | 'REVOKED'
  readonly scopes: readonly Scope[]
  /** Absent: from everywhere. */
  readonly allowedCidrs?: readonly string[]
  readonly createdAt: string
  readonly createdBy: {
    readonly kind: 'API_KEY' | 'USER' | 'OPERATOR'
    readonly keyId?: string
    readonly userId?: string
  }
  readonly rolledFrom?: string
  readonly person?: string
  readonly expiresAt?: string
  readonly revokedAt?: string
  readonly lastUsedAt?: string
}

/** `key` is absent when the same request made it before. */
export type NewApiKey = ApiKey & { readonly key?: string }

export const eventTypes = [
  'payment.waiting',
  'payment.approved',
  'payment.completed',
  'payment.expired',
  'payment.failed',
  'payment.canceled',
  'payment.underpaid',
  'payment.received_after_close',
  'refund.created',
  'refund.completed',
  'refund.failed',
  'dispute.opened',
  'dispute.won',
  'dispute.lost',
  'withdrawal.created',
  'withdrawal.approval_required',
  'withdrawal.processing',
  'withdrawal.completed',
  'withdrawal.failed',
  'withdrawal.canceled',
  'withdrawal.returned',
  'wallet.created',
  'transfer.completed',
  'transfer_grant.created',
  'transfer_grant.revoked',
  'share.credited',
  'share.returned',
  'webhook_endpoint.disabled',
  'webhook_endpoint.ping',
  'service.restored',
] as const

/** The types that an endpoint can choose. A ping is sent to any endpoint, so its type is not among them. */
export const subscribableTypes = eventTypes.filter((type) => type !== 'webhook_endpoint.ping')

export type Endpoint = {
  readonly id: string
  readonly url: string
  /** Absent: all. */
  readonly eventTypes?: readonly string[]
  readonly description?: string
  readonly status: 'ENABLED' | 'DISABLED' | 'DELETED'
  readonly disabledReason?: 'REQUESTED' | 'FAILING' | 'GONE'
  readonly disabledAt?: string
  readonly failingSince?: string
  readonly previousSecretUntil?: string
  readonly createdAt: string
}

/** `secret` is absent when the same request made it before. */
export type EndpointWithSecret = Endpoint & { readonly secret?: string }

export type Recovery = {
  readonly id: string
  readonly endpointId?: string
  readonly status: 'RUNNING' | 'DONE' | 'CANCELED'
  readonly afterSequence: number
  readonly throughSequence: number
  readonly reachedSequence: number
  readonly types?: readonly string[]
  readonly includeDelivered: boolean
  readonly deliveries: number
  readonly createdAt: string
  readonly endedAt?: string
}

export type LoggedCall = {
  readonly receivedAt: string
  readonly durationMs: number
  readonly method: string
  readonly path: string
  /** Absent: the caller did not wait for the answer. */
  readonly status?: number
  readonly code?: string
  readonly keyId: string
  readonly requestId: string
}

export type RehearsalCase = {
  readonly case: string
  readonly title: string
  readonly status: 'WAITING' | 'RUNNING' | 'PASSED' | 'FAILED' | 'NOT_JUDGED' | 'SKIPPED'
  readonly expected: string
  readonly observed?: string
  readonly fix?: string
  /** The section of the documentation: a path in the repository. */
  readonly docs: string
  readonly deliveries: readonly {
    readonly what: string
    readonly type: string
    readonly durationMs: number
    readonly responseStatus?: number
    readonly responseBody?: string
    readonly error?: string
  }[]
}

export type Rehearsal = {
  readonly id: string
  readonly status: 'RUNNING' | 'PASSED' | 'FAILED' | 'INCOMPLETE' | 'CANCELED'
  readonly url: string
  readonly stateUrl?: string
  readonly seed: number
  readonly passed: number
  readonly failed: number
  readonly notJudged: number
  readonly createdAt: string
  readonly endedAt?: string
  /** Only of one rehearsal, not in lists. */
  readonly cases?: readonly RehearsalCase[]
}

export type ClockAdvance = {
  readonly id: string
  readonly advance: string
  readonly status: 'ADVANCING' | 'DONE'
  readonly advancedSeconds: number
  readonly stillDue?: readonly { readonly work: string; readonly count: number }[]
  readonly providersBehind?: readonly string[]
  readonly createdAt: string
  readonly completedAt?: string
}

export type Clock = { readonly advancedSeconds: number; readonly data: readonly ClockAdvance[] }
