// Withdrawals and their records, as openapi.json describes them.
import type { Minor } from '../kit/format.ts'
import { useOne } from './queries.ts'
import type { Currency, Page } from './records.ts'
import { useMerchant, useSession } from './session.ts'

export const withdrawalStatuses = [
  'PENDING_APPROVAL',
  'PENDING',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
  'CANCELED',
] as const
export type WithdrawalStatus = (typeof withdrawalStatuses)[number]

export const withdrawalTypes = ['PIX', 'CRYPTO', 'SEPA'] as const
export type WithdrawalType = (typeof withdrawalTypes)[number]

/** What each type pays out. */
export const currencyOfType = { PIX: 'BRL', CRYPTO: 'USDT', SEPA: 'EUR' } as const satisfies Record<
  WithdrawalType,
  Currency
>

export const pixKeyTypes = ['CPF', 'CNPJ', 'PHONE', 'EMAIL', 'EVP'] as const
export type PixKeyType = (typeof pixKeyTypes)[number]

/** Where the money goes. */
export type Destination = {
  readonly type: WithdrawalType
  readonly pixKey?: string
  readonly pixKeyType?: PixKeyType
  readonly cryptoAddress?: string
  readonly iban?: string
  readonly beneficiary?: string
}

export type Withdrawal = Destination & {
  readonly id: string
  readonly status: WithdrawalStatus
  readonly amount: Minor
  readonly fee: Minor
  readonly totalDebited: Minor
  readonly currency: Currency
  readonly walletId: string
  readonly batchId?: string
  readonly payoutScheduleId?: string
  readonly description?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly endToEndId?: string
  readonly txHash?: string
  readonly failureCode?: string
  readonly failureMessage?: string
  readonly amountReturned?: Minor
  readonly reviewRequired?: boolean
  readonly createdAt: string
  readonly completedAt?: string
}

export type WithdrawalLimit = {
  readonly each?: Minor
  readonly day?: Minor
  readonly spentToday: Minor
  readonly approvalAbove?: Minor
  readonly listedOnly: boolean
}

/** What the operator allows. */
export type WithdrawalLimits = {
  readonly limits: readonly (WithdrawalLimit & {
    readonly type: WithdrawalType
    readonly currency: Currency
  })[]
  readonly destinations: readonly { readonly type: WithdrawalType; readonly destination: string }[]
  readonly hasMore: boolean
}

export type WithdrawalTerms = {
  readonly fee: Minor
  readonly needsApproval: boolean
  readonly limit?: WithdrawalLimit
}

export type BatchStatus = 'PENDING_APPROVAL' | 'IN_PROGRESS' | 'ENDED'

export type Batch = {
  readonly id: string
  readonly status: BatchStatus
  readonly count: number
  readonly createdAt: string
  /** Not in lists. */
  readonly progress?: readonly {
    readonly status: WithdrawalStatus
    readonly currency: Currency
    readonly count: number
    readonly amount: Minor
    readonly fee: Minor
  }[]
}

export const rhythms = ['DAILY', 'WEEKLY', 'ABOVE'] as const
export type Rhythm = (typeof rhythms)[number]
export const weekdays = [
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
  'SUNDAY',
] as const
export type Weekday = (typeof weekdays)[number]
export type ScheduleStatus = 'ACTIVE' | 'PAUSED' | 'ENDED'
export type ScheduleOutcome =
  | 'REQUESTED'
  | 'NOTHING_TO_PAY'
  | 'NOT_LISTED'
  | 'FROZEN'
  | 'NOT_AVAILABLE'
  | 'REFUSED'

export type Schedule = Destination & {
  readonly id: string
  readonly status: ScheduleStatus
  readonly walletId: string
  readonly currency: Currency
  readonly description?: string
  readonly rhythm: Rhythm
  readonly weekday?: Weekday
  readonly time?: string
  readonly timeZone?: string
  readonly above?: Minor
  readonly keep: Minor
  readonly minimum: Minor
  readonly nextRunAt?: string
  readonly lastRunAt?: string
  readonly lastOutcome?: ScheduleOutcome
  readonly lastWithdrawalId?: string
  readonly createdAt: string
}

type AuditRow = {
  readonly actorKind: string
  readonly actorId: string
  readonly actorName: string | null
}

/**
 * The member who requested a record in the dashboard, by the audit log. `subject`: `withdrawal:<id>`. Undefined for requests by the API.
 */
export function useRequester(
  subject: string,
  action: string,
  enabled: boolean,
): { readonly name: string; readonly isMe: boolean } | undefined {
  const { may } = useMerchant()
  const { user } = useSession()
  const { data } = useOne<Page<AuditRow>>(
    'audit',
    subject,
    'audit',
    { subject, action, limit: 1 },
    enabled && may('audit:read'),
  )
  const row = data?.data[0]
  if (row === undefined) return undefined
  return { name: row.actorName ?? row.actorId, isMe: row.actorKind === 'USER' && row.actorId === user.id }
}
