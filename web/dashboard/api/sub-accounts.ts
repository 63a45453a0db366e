// Sub-accounts and shares of payments as /v1 shows them.
import type { Minor } from '../kit/format.ts'
import type { Currency } from './records.ts'

export const subAccountStates = ['PENDING', 'ACTIVE', 'SUSPENDED', 'CLOSED'] as const
export type SubAccountState = (typeof subAccountStates)[number]

export type SubAccount = {
  readonly id: string
  readonly name: string
  readonly state: SubAccountState
  readonly taxId?: string
  readonly reference?: string
  readonly suspendedBy?: 'PARENT' | 'OPERATOR'
  readonly createdAt: string
  readonly activatedAt?: string
  readonly version: number
}

/** `webhookSecret`: shown once. */
export type NewSubAccount = SubAccount & { readonly webhookSecret?: string }

export type SubAccountBalance = {
  readonly currency: Currency
  readonly balance: Minor
  readonly pendingBalance: Minor
  readonly heldBalance: Minor
  readonly owed: Minor
  readonly owedToParent?: Minor
}

export const grantStatuses = ['ACTIVE', 'USED_UP', 'EXPIRED', 'REVOKED'] as const

/** `subAccountId`: who gave it; absent where that is the merchant itself. */
export type TransferGrant = {
  readonly id: string
  readonly subAccountId?: string
  readonly status: (typeof grantStatuses)[number]
  readonly currency: Currency
  readonly maxAmount?: Minor
  readonly amountTaken: Minor
  readonly expiresAt?: string
  readonly description?: string
  readonly createdAt: string
}

export type PaymentShare = {
  readonly id: string
  readonly subAccountId: string
  readonly currency: Currency
  readonly percent?: string
  readonly amount?: Minor
  readonly label?: string
  readonly amountCredited: Minor
  readonly amountPending: Minor
  readonly amountReturned: Minor
  readonly amountCovered: Minor
  readonly fee: Minor
}
