// What is sent by mail: notices to members, which each member chooses, and receipts to payers, which the merchant chooses.
import type { Permission } from '#/people/roles.ts'

export const noticeNames = [
  'WITHDRAWAL_APPROVAL',
  'DISPUTE_OPENED',
  'DISPUTE_DUE',
  'ENDPOINT_FAILING',
  'ENDPOINT_DISABLED',
  'KEY_EXPIRING',
] as const
export type Notice = (typeof noticeNames)[number]

/**
 * Each notice:
 * - `type`: the event that it tells of; absent: it tells of a time that comes
 * - `permission`: what a member must be able to do about it to get it
 * - `page`: the dashboard's page of such things, below the merchant's
 */
export const notices: Readonly<
  Record<Notice, { readonly type?: string; readonly permission: Permission; readonly page: string }>
> = {
  WITHDRAWAL_APPROVAL: {
    type: 'withdrawal.approval_required',
    permission: 'withdrawals:approve',
    page: 'withdrawals',
  },
  DISPUTE_OPENED: { type: 'dispute.opened', permission: 'payments:write', page: 'disputes' },
  DISPUTE_DUE: { permission: 'payments:write', page: 'disputes' },
  ENDPOINT_FAILING: { permission: 'webhooks:write', page: 'developers/webhooks' },
  ENDPOINT_DISABLED: {
    type: 'webhook_endpoint.disabled',
    permission: 'webhooks:write',
    page: 'developers/webhooks',
  },
  KEY_EXPIRING: { permission: 'keys:write', page: 'developers/keys' },
}

/** The events that payers get a receipt of. */
export const receiptTypes = ['payment.completed', 'refund.completed'] as const

/**
 * Letters of a merchant in one hour. A notice that would exceed this waits for the next hour as a whole: all members get it, or none yet.
 */
export const hourMax = { NOTICE: 60, RECEIPT: 1_000 } as const

/** The most members who get one notice: fewer than the letters of an hour, so that every notice fits into the next hour. */
export const recipientsMax = 50
