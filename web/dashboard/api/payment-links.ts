// Payment links as /v1 shows them.
import type { Currency } from './records.ts'

export const linkStatuses = ['ACTIVE', 'USED_UP', 'EXPIRED', 'ARCHIVED'] as const

export type PaymentLink = {
  readonly id: string
  readonly mode: 'LIVE' | 'SANDBOX'
  readonly status: (typeof linkStatuses)[number]
  readonly url: string
  readonly qrCodeUrl: string
  readonly name: string
  readonly description?: string
  readonly currency: Currency
  readonly amount?: number
  readonly minAmount?: number
  readonly maxAmount?: number
  readonly checkout: string
  readonly usesMax?: number
  readonly uses: { readonly paid: number; readonly open: number }
  readonly expiresAt?: string
  readonly createdAt: string
  readonly archivedAt?: string
}
