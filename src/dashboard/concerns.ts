// What each act of the dashboard and the console concerns. One table for the routes of the API and for the dashboard's own: what concerns
// anything but `none` needs a second factor that is not older than five minutes. A new act without a line here needs one too, and a test
// asks for the line.
import { acts } from '#/operator/acts/all.ts'

/**
 * - `money`: it moves money, decides that it moves, or changes where it goes and how much may go.
 * - `people`: who may do what, by session or by key; and what shows a secret.
 * - `payers`: where payers are sent, and whom they are told to write to.
 * - `events`: where events go, also that they go nowhere any more.
 * - `asks`: it asks in its own transaction, by rules of its own (src/people), or in its handler.
 * - `{ none }`: nothing of it, with the reason.
 */
export type Concern = 'money' | 'people' | 'payers' | 'events' | 'asks' | { readonly none: string }

const none = (reason: string) => ({ none: reason })

const ends = none('it ends a right or what was begun, and may be urgent')
const stays = none('the money stays')
const known = none('it goes where events go already')
const sandbox = none('of a sandbox alone')
const signsIn = none('it is how a person signs in or gives a factor')

/** Acts of the API's routes, by operationId. */
const ofApi: Readonly<Record<string, Concern>> = {
  createPayment: none(
    'a payer pays in; a webhookUrl or an address of return of its own asks: see concernsOf',
  ),
  createPaymentLink: none(
    'payers pay in; a webhookUrl or an address of return of its own asks: see concernsOf',
  ),
  archivePaymentLink: none('it ends a way to pay in'),
  capturePayment: 'money',
  cancelPayment: none(
    'nothing was received: what is authorised goes back to the payer, and nobody else can get it',
  ),
  createRefund: 'money',
  approveRefund: 'money',
  rejectRefund: stays,
  acceptDispute: 'money',
  changeDisputeEvidence: none('texts and files'),
  addDisputeEvidenceFile: none('texts and files'),
  submitDisputeEvidence: none('it defends money of the merchant'),
  createWallet: none('it is empty, and nothing goes there by itself'),
  changeWallet: none('its name, and whether it is used; the default wallet stays'),
  createTransfer: 'money',
  createTransferGrant: 'money',
  revokeTransferGrant: ends,
  createWithdrawal: 'money',
  cancelWithdrawal: stays,
  approveWithdrawal: 'money',
  rejectWithdrawal: stays,
  createWithdrawalBatch: 'money',
  cancelWithdrawalBatch: stays,
  approveWithdrawalBatch: 'money',
  rejectWithdrawalBatch: stays,
  createPayoutSchedule: 'money',
  changePayoutSchedule: 'money',
  resendDelivery: known,
  declareMetadataKeys: none('how lists find'),
  createWebhookEndpoint: 'events',
  changeWebhookEndpoint: 'events',
  rollWebhookSecret: 'events',
  deleteWebhookEndpoint: 'events',
  pingWebhookEndpoint: known,
  createWebhookRecovery: known,
  cancelWebhookRecovery: ends,
  createApiKey: 'people',
  changeApiKey: 'people',
  rollApiKey: 'people',
  revokeApiKey: ends,
  createSubAccount: 'people',
  changeSubAccount: none('names, and states in which less is possible; ACTIVE is the operator’s'),
  createSubAccountKey: 'people',
  paySandboxPayment: sandbox,
  createRehearsal: sandbox,
  cancelRehearsal: sandbox,
  advanceSandboxClock: sandbox,
}

/** Acts of the dashboard's own routes about a merchant, its people and oneself. */
const ofMembers: Readonly<Record<string, Concern>> = {
  signInWithPassword: signsIn,
  giveSecondFactor: signsIn,
  beginSecondFactor: signsIn,
  beginPasskeySignIn: signsIn,
  signInWithPasskey: signsIn,
  signInWithLink: signsIn,
  askNewPassword: signsIn,
  openLink: signsIn,
  acceptLink: signsIn,
  beginStepUp: signsIn,
  stepUp: signsIn,
  signOut: ends,
  endSession: ends,
  endOtherSessions: ends,
  changeProfile: none('name, language and time zone'),
  changePassword: 'asks',
  beginPasskey: 'asks',
  addPasskey: 'asks',
  removePasskey: 'asks',
  beginTotp: 'asks',
  confirmTotp: 'asks',
  removeTotp: 'asks',
  renewRecoveryCodes: 'asks',
  changeMember: 'people',
  removeMember: 'people',
  createInvitation: 'people',
  revokeInvitation: ends,
  chooseNotice: none('which letters the member gets'),
  chooseReceipts: none('whether payers get receipts'),
  setTemplate: 'payers',
  switchTemplate: 'payers',
  checkTemplate: none('it stores nothing'),
  saveTemplateDraft: none('a draft is on no page'),
  discardTemplateDraft: none('a draft is on no page'),
  rollMerchantWebhookSecret: 'events',
}

/** Acts of the operator's table, by the operationId of their routes. */
const ofActs: Readonly<Record<string, Concern>> = Object.fromEntries(
  acts.flatMap(({ console: door }) =>
    door === undefined ? [] : [[door.operationId, door.concern ?? 'money']],
  ),
)

/** Other acts of the operator's console. */
const ofOperators: Readonly<Record<string, Concern>> = {
  createMerchant: 'people',
  rotateMerchantWebhookSecret: 'events',
  inviteToMerchant: 'people',
  addConnection: 'money',
  replaceConnection: 'money',
  switchConnection: 'money',
  testConnection: none('a harmless read'),
  registerConnection: 'money',
  requestJob: 'asks',
  cancelJob: ends,
  proposeOwner: 'money',
  confirmOwner: 'money',
  beginUpload: 'money',
  addUploadPart: none('its upload was begun with the factor; it may last longer than the factor is fresh'),
  takePaymentFile: 'money',
  liftChain: 'money',
  liftHotWallet: 'money',
  disableUser: 'people',
  enableUser: 'people',
  removeUserFactors: 'people',
  createResetLink: 'people',
}

const concerns: Readonly<Record<string, Concern>> = { ...ofApi, ...ofMembers, ...ofActs, ...ofOperators }

/** The acts that have a line, by operationId. */
export const concernedActs: readonly string[] = Object.keys(concerns)

type Act = { readonly operationId: string; readonly method: string }

/** What the act concerns. Undefined for a route that only reads, and for one that has no line yet. */
export function concernOf({ operationId }: Pick<Act, 'operationId'>): Concern | undefined {
  return Object.hasOwn(concerns, operationId) ? concerns[operationId] : undefined
}

/** Whether the act needs a fresh second factor, whatever its body is. */
export function needsFactor(act: Act): boolean {
  const concern = concernOf(act)
  if (concern === undefined) return act.method !== 'GET'
  return typeof concern === 'string' && concern !== 'asks'
}

/** Fields by which a payment or a link sends events or payers to an address of its own. */
const placesInBody: Readonly<Record<string, readonly string[]>> = {
  createPayment: ['webhookUrl', 'returnUrl', 'cancelUrl'],
  createPaymentLink: ['webhookUrl', 'returnUrl', 'cancelUrl'],
}

/** Whether this body makes the act concern where events go or payers are sent. */
export function bodyNeedsFactor({ operationId }: Pick<Act, 'operationId'>, body: unknown): boolean {
  const fields = placesInBody[operationId] ?? []
  return typeof body === 'object' && body !== null && fields.some((field) => Object.hasOwn(body, field))
}
