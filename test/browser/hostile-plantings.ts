// Which call writes markup into which fields, so that every screen can be tested with it; and which fields cannot have markup, and why.
import { newId } from '#/kernel/id.ts'
import { everyField, pixel } from '../template-fuzz.ts'
import { hostile, type FieldName } from './hostile-fields.ts'

/** Of the records of a filled sandbox, and of what was planted before: by the names of the paths' parameters. */
export type Ids = Readonly<Record<string, string>>

type Json = Readonly<Record<string, unknown>>

export type Planting = {
  readonly operationId: string
  /** What the address names; absent: nothing. */
  readonly of?: (ids: Ids) => string
  readonly body: (ids: Ids) => Json
  /** The name under which later calls find its record. */
  readonly as?: string
}

const { image, tag, email, url } = hostile
const key = () => ({ idempotencyKey: newId() })
const address = {
  line1: image,
  line2: image,
  district: image,
  city: image,
  region: image,
  postcode: tag,
  country: 'BR',
}
const pix = {
  type: 'PIX',
  currency: 'BRL',
  pixKey: 'ana@example.com',
  pixKeyType: 'EMAIL',
  description: image,
}
const texts = { title: image, note: image, thanks: image }
const evidence = [
  'productDescription',
  'customerName',
  'customerEmail',
  'customerPurchaseIp',
  'billingAddress',
  'accessActivityLog',
  'serviceDate',
  'shippingAddress',
  'shippingCarrier',
  'shippingDate',
  'shippingTrackingNumber',
  'cancellationPolicyDisclosure',
  'cancellationRebuttal',
  'refundPolicyDisclosure',
  'refundRefusalExplanation',
  'duplicateChargeId',
  'duplicateChargeExplanation',
  'statement',
]

const pdf = Buffer.from('%PDF-1.7').toString('base64')
const merchant = ({ merchantId = '' }: Ids) => merchantId
const plant = (
  operationId: string,
  body: Planting['body'],
  more: Omit<Planting, 'operationId' | 'body'> = {},
): Planting => ({
  operationId,
  body,
  ...more,
})
const because = { reason: image }

/** What a payer writes into the form of a template that asks for everything. */
export const payerForm: Readonly<Record<string, string>> = {
  name: image,
  email,
  phone: '+55 11 91234-5678',
  taxId: '529.982.247-25',
  country: 'BR',
  postcode: image,
  line1: image,
  line2: image,
  district: image,
  city: image,
  region: image,
}

/** Carried out in this order. */
export const plantings: readonly Planting[] = [
  plant('changeProfile', () => ({ name: image })),
  plant('setSettings', () => ({ legalName: image })),
  plant(
    'setTemplate',
    () => ({
      ...everyField,
      name: image,
      fields: { name: 'required', email: 'required', phone: 'required', taxId: 'required' },
      brand: { ...everyField.brand, displayName: image, logo: pixel, colors: { accent: '#0b5cff' } },
      texts: { 'pt-BR': texts, en: texts, es: texts },
      languages: { default: 'en', enabled: ['pt-BR', 'en', 'es'] },
    }),
    { of: () => 'hostile' },
  ),
  plant(
    'saveTemplateDraft',
    () => ({ version: newId(), base: 1, document: { ...everyField, name: image } }),
    {
      of: () => 'hostile',
    },
  ),
  plant(
    'createPayment',
    () => ({
      amount: 5_000,
      currency: 'BRL',
      checkout: 'hostile',
      customerName: image,
      customerEmail: email,
      customerAddress: address,
      description: image,
      items: [{ name: image, quantity: 1, amount: 5_000 }],
      metadata: { [tag]: image, note: image },
      webhookUrl: url,
      ...key(),
    }),
    { as: 'hostilePaymentId' },
  ),
  plant(
    'createPayment',
    ({ subAccountId }) => ({
      amount: 5_000,
      currency: 'BRL',
      paymentMethods: ['PIX'],
      customerName: image,
      splits: [{ subAccountId, percent: '10', label: image }],
      ...key(),
    }),
    { as: 'sharedPaymentId' },
  ),
  plant(
    'createPaymentLink',
    () => ({
      name: image,
      description: image,
      currency: 'BRL',
      amount: 100,
      webhookUrl: url,
      metadata: { [tag]: image },
      ...key(),
    }),
    { as: 'linkId' },
  ),
  plant('createRefund', () => ({ amount: 100, reason: image, metadata: { [tag]: image }, ...key() }), {
    of: ({ paidId = '' }) => paidId,
    as: 'refundId',
  }),
  plant(
    'changeDisputeEvidence',
    () => ({ texts: Object.fromEntries(evidence.map((name) => [name, image])) }),
    { of: ({ disputeId = '' }) => disputeId },
  ),
  plant('addDisputeEvidenceFile', () => ({ kind: 'RECEIPT', name: image, content: pdf }), {
    of: ({ disputeId = '' }) => disputeId,
  }),
  plant('createWallet', () => ({ currency: 'BRL', walletType: 'SPENDABLE', label: image, ...key() }), {
    as: 'walletId',
  }),
  plant('changeWallet', () => ({ label: image }), { of: ({ walletId = '' }) => walletId }),
  plant('createTransfer', ({ mainWalletId, walletId }) => ({
    fromWalletId: mainWalletId,
    toWalletId: walletId,
    amount: 100,
    description: image,
    metadata: { [tag]: image },
    ...key(),
  })),
  plant(
    'createWithdrawal',
    () => ({ ...pix, amount: 4_000, webhookUrl: url, metadata: { [tag]: image }, ...key() }),
    { as: 'withdrawalId' },
  ),
  plant(
    'createWithdrawalBatch',
    () => ({ withdrawals: [{ ...pix, amount: 100, webhookUrl: url, metadata: { [tag]: image } }], ...key() }),
    { as: 'batchId' },
  ),
  plant('createPayoutSchedule', ({ mainWalletId }) => ({
    ...pix,
    pixKey: 'financeiro@cafedaserra.example',
    walletId: mainWalletId,
    rhythm: 'WEEKLY',
    weekday: 'FRIDAY',
    time: '06:00',
    timeZone: 'America/Sao_Paulo',
    webhookUrl: url,
    metadata: { [tag]: image },
    ...key(),
  })),
  plant('declareMetadataKeys', () => ({ keys: ['order', tag, image] })),
  plant('createWebhookEndpoint', () => ({ url, description: image, ...key() }), { as: 'endpointId' }),
  plant('changeWebhookEndpoint', () => ({ url, description: image }), {
    of: ({ endpointId = '' }) => endpointId,
  }),
  plant('createApiKey', () => ({ name: image, scopes: ['payments:read'], ...key() }), { as: 'keyId' }),
  plant('changeApiKey', () => ({ name: image }), { of: ({ keyId = '' }) => keyId }),
  plant('createSubAccount', () => ({ name: image, taxId: image, reference: image, ...key() }), {
    as: 'subAccountId',
  }),
  plant('changeSubAccount', () => ({ name: image, taxId: image, reference: image }), {
    of: ({ subAccountId = '' }) => subAccountId,
  }),
  plant('createSubAccountKey', () => ({ name: image, scopes: ['payments:read'] }), {
    of: ({ subAccountId = '' }) => subAccountId,
  }),
  plant('createRehearsal', () => ({ url, stateUrl: url }), { as: 'rehearsalId' }),
  plant('createMerchant', () => ({ name: image, mode: 'SANDBOX', ...because }), { as: 'otherMerchantId' }),
  plant('activateSubAccount', () => because, { of: ({ subAccountId = '' }) => subAccountId }),
  plant('suspendMerchant', () => because, { of: ({ otherMerchantId = '' }) => otherMerchantId }),
  plant('resumeMerchant', () => because, { of: ({ otherMerchantId = '' }) => otherMerchantId }),
  plant('freezeMerchant', () => because, { of: ({ otherMerchantId = '' }) => otherMerchantId }),
  plant('unfreezeMerchant', () => because, { of: ({ otherMerchantId = '' }) => otherMerchantId }),
  plant('freezeMoney', () => ({ rail: 'PARTNER_PAY', ...because })),
  plant('setFee', () => ({ method: 'PIX', currency: 'BRL', fixed: 11, ratePpm: 100, ...because }), {
    of: merchant,
  }),
  plant('changeWithdrawalLimits', () => ({ type: 'PIX', day: 1_900_000, ...because }), { of: merchant }),
  plant(
    'allowDestination',
    () => ({ type: 'PIX', destination: 'bea@example.com', keyType: 'EMAIL', ...because }),
    { of: merchant },
  ),
  plant(
    'removeDestination',
    () => ({ type: 'PIX', destination: 'bea@example.com', keyType: 'EMAIL', ...because }),
    { of: merchant },
  ),
  plant('makeDefaultWallet', () => because, { of: ({ walletId = '' }) => walletId }),
  plant('switchConnection', () => ({ isActive: true, ...because }), {
    of: ({ connectionId = '' }) => connectionId,
  }),
  plant('beginUpload', () => ({ name: image, size: 10 })),
  plant('requestJob', () => ({ kind: 'balances', arguments: {}, ...because }), { as: 'jobId' }),
  plant('resolveSuspense', () => ({ resolution: 'RETURNED', ...because }), {
    of: ({ suspenseId = '' }) => suspenseId,
  }),
  plant('createResetLink', () => because, { of: ({ userId = '' }) => userId }),
  plant('disableUser', () => because, { of: ({ otherUserId = '' }) => otherUserId }),
  plant('enableUser', () => because, { of: ({ otherUserId = '' }) => otherUserId }),
]

const checked = 'it is checked: what is no address, key or name of that kind is refused'
const credential = 'it is compared and never shown'
const sameShown =
  'a reason, shown in the audit log alone, where others are planted; it needs a state that a sandbox does not have'

/** The same reason for several fields of a call. */
const each = (
  operationId: string,
  names: readonly string[],
  reason: string,
): Readonly<Record<FieldName, string>> =>
  Object.fromEntries(names.map((name) => [`${operationId} /${name}`, reason]))

const ofTemplate = [
  'brand/logo',
  'brand/colors/accent',
  'timeZone',
  'support/email',
  'support/url',
  'legal/termsUrl',
  'legal/privacyUrl',
  'urls/success',
  'urls/cancel',
  'urls/allowedHosts/*',
]
const destination = ['pixKey', 'cryptoAddress', 'cryptoNetwork', 'cryptoCurrency', 'iban', 'beneficiary']
const bankSays = 'settings and credentials are checked by the type, and credentials are never shown'
const connection = ['provider', 'settings/*', 'secrets/*', 'refundSecrets/*']

/** Field by field, so that a call that gains one is asked about it. */
export const excused: Readonly<Record<FieldName, string>> = {
  ...each('createPayment', ['checkout'], 'it has to be the name of a template, which has no markup'),
  ...each(
    'createPayment',
    ['returnUrl', 'cancelUrl'],
    'a link of the payer’s page, where the template fuzz plants it',
  ),
  ...each('createPaymentLink', ['checkout'], 'it has to be the name of a template, which has no markup'),
  ...each(
    'createPaymentLink',
    ['returnUrl'],
    'a link of the payer’s page, where the template fuzz plants it',
  ),
  ...each(
    'setSettings',
    ['returnUrl'],
    'read by the function that reads those of payments, which takes no markup',
  ),
  ...each('setSettings', ['taxId'], checked),
  ...each('createRefund', ['cryptoAddress', 'iban', 'beneficiary'], checked),
  ...each(
    'createTransferGrant',
    ['description'],
    'only a merchant with a parent gives one, and the parent reads it: its words are one child of an element, as all notes are',
  ),
  ...each('makePaymentFile', ['connectionId'], checked),
  ...each('createWithdrawal', destination, checked),
  ...each(
    'createWithdrawalBatch',
    destination.map((name) => `withdrawals/*/${name}`),
    checked,
  ),
  ...each('createPayoutSchedule', destination, checked),
  ...each('setTemplate', ofTemplate, checked),
  ...each('checkTemplate', ['*'], 'the document of setTemplate, which is not kept'),
  ...each('payerForm', ['phone', 'taxId', 'foreignTaxId', 'country', 'iban'], checked),
  ...each('createPayment', ['customerPhone', 'customerTaxId'], checked),
  ...each('acceptLink', ['name'], 'the name of changeProfile, written at another place'),
  ...each('acceptLink', ['language', 'timeZone'], checked),
  ...each('signInWithLink', ['language', 'timeZone'], checked),
  ...each('signInWithPasskey', ['language', 'timeZone'], checked),
  ...each('signInWithPassword', ['language', 'timeZone'], checked),
  ...each('acceptLink', ['password', 'token'], credential),
  ...each('changeProfile', ['language', 'timeZone'], checked),
  ...each('changePassword', ['current', 'password'], credential),
  ...each('confirmTotp', ['code'], credential),
  ...each('addPasskey', ['name'], 'dashboard-first.test.ts plants it with a real passkey'),
  ...each('addPasskey', ['response/*'], checked),
  ...each('giveSecondFactor', ['passkey/*', 'recoveryCode', 'totp'], credential),
  ...each('stepUp', ['passkey/*', 'recoveryCode', 'totp'], credential),
  ...each('signInWithPasskey', ['response/*'], credential),
  ...each('signInWithPassword', ['email', 'password'], credential),
  ...each('signInWithLink', ['token'], credential),
  ...each('askNewPassword', ['email'], credential),
  ...each('openLink', ['token'], credential),
  ...each('createInvitation', ['email'], checked),
  ...each('inviteToMerchant', ['email'], checked),
  ...each('allowDestination', ['destination'], checked),
  ...each('removeDestination', ['destination'], checked),
  ...each('addConnection', ['type'], checked),
  ...each('addConnection', connection, bankSays),
  ...each('replaceConnection', connection, bankSays),
  ...each('requestJob', ['arguments/*'], checked),
  ...each('acceptTypo', ['connection', 'entry'], checked),
  ...each('refuseTypo', ['connection', 'entry'], checked),
  ...each('requestCorrection', ['connection'], checked),
  ...each('decideHeldMovement', ['connection', 'entry'], checked),
  ...each('liftChain', ['halted'], checked),
  ...each('liftHotWallet', ['address', 'chain', 'stopped'], checked),
  ...each('endRefund', ['proof'], checked),
  ...Object.fromEntries(
    [
      'acceptTypo',
      'closeSubAccount',
      'decideHeldMovement',
      'requestCorrection',
      'refuseTypo',
      'endForeignMoney',
      'addConnection',
      'replaceConnection',
      'retryWithdrawal',
      'unfreezeMoney',
      'cancelJob',
      'refuseProposal',
      'proposeOwner',
      'resolveWithdrawal',
      'stopPayout',
      'endRefund',
      'retryRefund',
      'liftChain',
      'liftHotWallet',
      'retrySignal',
      'dropSignal',
      'removeUserFactors',
    ].map((operationId) => [`${operationId} /reason`, sameShown]),
  ),
}
