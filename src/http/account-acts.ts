// What each route that changes something does for the account that calls it: the API's routes, and the dashboard's own for members. A
// test walks both tables of routes and fails for one that is not here. Reading is not here: a closed sub-account is read for ever.
import { mayStart, type AccountAct, notInState } from '#/merchants/account-state.ts'
import type { SubAccountState } from '#/merchants/sub-account.ts'

export const accountActOf: Readonly<Record<string, AccountAct>> = {
  createPayment: 'payment',
  capturePayment: 'paymentOpening',
  cancelPayment: 'ending',
  createPaymentLink: 'paymentLink',
  archivePaymentLink: 'ending',
  createRefund: 'refund',
  approveRefund: 'refund',
  rejectRefund: 'ending',
  acceptDispute: 'dispute',
  changeDisputeEvidence: 'dispute',
  addDisputeEvidenceFile: 'dispute',
  submitDisputeEvidence: 'dispute',
  createWallet: 'setting',
  changeWallet: 'setting',
  createTransfer: 'ownTransfer',
  createTransferGrant: 'grant',
  revokeTransferGrant: 'ending',
  createWithdrawal: 'withdrawal',
  cancelWithdrawal: 'ending',
  approveWithdrawal: 'withdrawal',
  rejectWithdrawal: 'ending',
  createWithdrawalBatch: 'withdrawal',
  cancelWithdrawalBatch: 'ending',
  approveWithdrawalBatch: 'withdrawal',
  rejectWithdrawalBatch: 'ending',
  createPayoutSchedule: 'schedule',
  changePayoutSchedule: 'scheduleChange',
  resendDelivery: 'setting',
  declareMetadataKeys: 'setting',
  createWebhookEndpoint: 'setting',
  changeWebhookEndpoint: 'setting',
  rollWebhookSecret: 'setting',
  pingWebhookEndpoint: 'setting',
  deleteWebhookEndpoint: 'ending',
  createWebhookRecovery: 'setting',
  cancelWebhookRecovery: 'ending',
  createApiKey: 'key',
  changeApiKey: 'setting',
  rollApiKey: 'key',
  revokeApiKey: 'ending',
  createSubAccount: 'setting',
  changeSubAccount: 'setting',
  createSubAccountKey: 'key',
  paySandboxPayment: 'payer',
  createRehearsal: 'setting',
  cancelRehearsal: 'ending',
  advanceSandboxClock: 'setting',
  // The dashboard's own.
  changeMember: 'setting',
  removeMember: 'ending',
  createInvitation: 'setting',
  revokeInvitation: 'ending',
  chooseNotice: 'setting',
  chooseReceipts: 'setting',
  setTemplate: 'setting',
  checkTemplate: 'setting',
  switchTemplate: 'setting',
  saveTemplateDraft: 'setting',
  discardTemplateDraft: 'ending',
  rollMerchantWebhookSecret: 'setting',
}

/** What of a route decides. */
type Called = { readonly method: string; readonly operationId: string }

/**
 * Throws 409 when a closed sub-account is called to do what it may not. What the other states may not start is refused by what starts it,
 * because there a repeated request still gets the answer of the first. `state` is undefined for a merchant without a parent.
 */
export function requireOpenAccount(state: SubAccountState | undefined, called: Called): void {
  if (state === 'CLOSED' && isRefusedWhenClosed(called)) throw notInState(state)
}

/** Whether a closed sub-account is refused this route. One that is not in the table is. */
export function isRefusedWhenClosed({ method, operationId }: Called): boolean {
  if (method === 'GET') return false
  const act = accountActOf[operationId]
  return act === undefined || !mayStart('CLOSED', act)
}
