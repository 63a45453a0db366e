// Withdrawals and refunds of all merchants, with why each has not ended: as src/dashboard/operator/payout-routes.ts describes them.
import type { Minor } from '../kit/format.ts'
import type { Mode } from './session.ts'

export type PayoutAct = 'retry' | 'stop' | 'end' | 'prove'

export type PayoutCause =
  | 'approval'
  | 'disputed'
  | 'frozen'
  | 'wallet_stopped'
  | 'wallet_waits'
  | 'queued'
  | 'on_chain'
  | 'nonce_taken'
  | 'stopping'
  | 'waits_for_file'
  | 'in_file'
  | 'settling'
  | 'long_unknown'
  | 'unknown'
  | 'not_sent'

/** A withdrawal or refund, with why it has not ended. */
export type StuckPayout = {
  readonly id: string
  readonly mode: Mode
  readonly amount: Minor
  readonly currency: string
  readonly createdAt: string
  readonly merchantId: string
  readonly merchantName?: string
  /** Absent: it has ended. */
  readonly cause?: PayoutCause
  readonly acts: readonly PayoutAct[]
  readonly dueAt?: string
  readonly detail?: string
  readonly needsTwo: boolean
}

export type StuckWithdrawal = StuckPayout & { readonly type: string; readonly destination: string }

export type StuckRefund = StuckPayout & { readonly method: string }
