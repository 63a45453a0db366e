// Evidence against disputes.
import { Type as T } from 'typebox'
import { instant, oneOf, uuid, version, whole } from '#/kernel/schema.ts'
import * as patterns from './patterns.ts'
import { text } from './words.ts'

export const evidenceStatuses = ['NONE', 'DRAFT', 'SENDING', 'SENT', 'REFUSED'] as const

/** The most characters of an explanation or a log, and of any other text. */
const [longMax, shortMax] = [20_000, 5_000]

/** Texts of evidence, and the most characters of each. The sum is limited too. */
export const evidenceTexts = {
  productDescription: longMax,
  customerName: shortMax,
  customerEmail: shortMax,
  customerPurchaseIp: shortMax,
  billingAddress: shortMax,
  accessActivityLog: longMax,
  serviceDate: shortMax,
  shippingAddress: shortMax,
  shippingCarrier: shortMax,
  shippingDate: shortMax,
  shippingTrackingNumber: shortMax,
  cancellationPolicyDisclosure: longMax,
  cancellationRebuttal: longMax,
  refundPolicyDisclosure: longMax,
  refundRefusalExplanation: longMax,
  duplicateChargeId: shortMax,
  duplicateChargeExplanation: longMax,
  statement: longMax,
} as const
type EvidenceText = keyof typeof evidenceTexts

/** What a file of evidence shows. One file for each. */
export const evidenceFileKinds = [
  'RECEIPT',
  'CUSTOMER_COMMUNICATION',
  'CUSTOMER_SIGNATURE',
  'SERVICE_DOCUMENTATION',
  'SHIPPING_DOCUMENTATION',
  'CANCELLATION_POLICY',
  'REFUND_POLICY',
  'DUPLICATE_CHARGE_DOCUMENTATION',
  'OTHER',
] as const

export const evidenceFileTypes = ['application/pdf', 'image/png', 'image/jpeg'] as const

const meanings: Readonly<Record<EvidenceText, string>> = {
  productDescription: 'What was sold.',
  customerName: 'The payer’s name.',
  customerEmail: 'The payer’s email.',
  customerPurchaseIp: 'The address from which the payer bought.',
  billingAddress: 'The billing address that the payer gave.',
  accessActivityLog: 'How the payer used what was sold: times, addresses, actions.',
  serviceDate: 'When the service was given.',
  shippingAddress: 'Where it was sent to.',
  shippingCarrier: 'Who carried it.',
  shippingDate: 'When it was sent.',
  shippingTrackingNumber: 'The carrier’s number of it.',
  cancellationPolicyDisclosure: 'How and when the payer was shown the rules of cancellation.',
  cancellationRebuttal: 'Why the subscription was not canceled.',
  refundPolicyDisclosure: 'How and when the payer was shown the rules of refunds.',
  refundRefusalExplanation: 'Why no refund is due.',
  duplicateChargeId: 'The provider’s id of the other charge.',
  duplicateChargeExplanation: 'How the two charges differ.',
  statement: 'Anything else that the bank should know.',
}

const names = Object.keys(evidenceTexts) as EvidenceText[]

const shownTexts = T.Unsafe<Readonly<Partial<Record<EvidenceText, string>>>>(
  T.Object(
    Object.fromEntries(names.map((name) => [name, T.Optional(T.String({ description: meanings[name] }))])),
    { title: 'DisputeEvidenceTexts', description: 'What was written, by field.' },
  ),
)

const givenTexts = T.Object(
  Object.fromEntries(
    names.map((name) => [
      name,
      T.Optional(
        T.Union([text(evidenceTexts[name], meanings[name]), T.Null()], { description: meanings[name] }),
      ),
    ]),
  ),
  {
    title: 'DisputeEvidenceTextsRequest',
    additionalProperties: false,
    description:
      'Fields that are left out stay; null removes a text. All texts together have at most 150,000 characters.',
  },
)

const fileKind = oneOf('DisputeEvidenceFileKind', evidenceFileKinds, 'What a file shows. One file for each.')

export const evidenceFile = T.Object(
  {
    kind: fileKind,
    name: T.String(),
    type: oneOf('DisputeEvidenceFileType', evidenceFileTypes, 'By the bytes of the file.'),
    size: whole(1, 10_000_000, 'Bytes.'),
    sha256: T.String({ pattern: patterns.sha256, description: 'Of the bytes, in hexadecimal digits.' }),
    addedAt: instant(),
    addedBy: uuid('The key that added it.'),
  },
  { title: 'DisputeEvidenceFile' },
)

export const evidence = T.Object(
  {
    disputeId: uuid(),
    status: oneOf(
      'DisputeEvidenceStatus',
      evidenceStatuses,
      'SENDING: submitted, and the provider has not confirmed it yet. REFUSED: the provider did not take it; it can be changed and submitted again.',
    ),
    canChange: T.Boolean({ description: 'Whether it can be changed and submitted now.' }),
    texts: shownTexts,
    files: T.Array(evidenceFile),
    changedAt: T.Optional(instant()),
    changedBy: T.Optional(uuid('The key that changed it last.')),
    submittedAt: T.Optional(instant()),
    submittedBy: T.Optional(uuid('The key that submitted it.')),
    sentAt: T.Optional(instant('When the provider had it.')),
    failureMessage: T.Optional(T.String({ description: 'REFUSED: why.' })),
    version,
  },
  { title: 'DisputeEvidence', description: 'What a merchant says against a dispute.' },
)

export const evidenceChange = T.Object(
  {
    texts: T.Optional(givenTexts),
    removeFiles: T.Optional(T.Array(fileKind, { maxItems: evidenceFileKinds.length })),
  },
  { title: 'ChangeDisputeEvidenceRequest', additionalProperties: false },
)

/** 4.5 MB, four characters for each three bytes. */
export const evidenceContentMax = 6_000_000

export const evidenceFileRequest = T.Object(
  {
    kind: fileKind,
    name: T.String({
      minLength: 1,
      maxLength: 120,
      pattern: patterns.oneLine,
      description: 'The file’s name, as the bank sees it.',
      examples: ['receipt.pdf'],
    }),
    content: T.String({
      minLength: 4,
      maxLength: evidenceContentMax,
      pattern: patterns.base64,
      description: 'The bytes of the file in base64.',
      contentEncoding: 'base64',
    }),
  },
  { title: 'AddDisputeEvidenceFileRequest', additionalProperties: false },
)

export const evidenceSubmission = T.Object(
  { version: whole(1, 2 ** 31 - 1, 'The version of the evidence that is submitted. Another one is 409.') },
  { title: 'SubmitDisputeEvidenceRequest', additionalProperties: false },
)
