// Evidence against disputes: a draft of texts and files, and its submission.
import { Type as T } from 'typebox'
import * as patterns from '#/contract/patterns.ts'
import { text } from '#/contract/words.ts'
import { addEvidenceFile, changeEvidence, readEvidence, submitEvidence } from '#/disputes/change-evidence.ts'
import { evidenceStatuses } from '#/disputes/evidence.ts'
import { AppError } from '#/kernel/error.ts'
import type { DisputeId } from '#/kernel/id.ts'
import { instant, oneOf, uuid, version, whole } from '#/kernel/schema.ts'
import { evidenceFileKinds, evidenceFileTypes, evidenceTexts, type EvidenceText } from '#/rails/disputes.ts'
import { route, type Route } from './route.ts'

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

const shownTexts = T.Object(
  Object.fromEntries(names.map((name) => [name, T.Optional(T.String({ description: meanings[name] }))])),
  { title: 'DisputeEvidenceTexts', description: 'What was written, by field.' },
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

const file = T.Object(
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

const evidence = T.Object(
  {
    disputeId: uuid(),
    status: oneOf(
      'DisputeEvidenceStatus',
      evidenceStatuses,
      'SENDING: submitted, and the provider has not confirmed it yet. REFUSED: the provider did not take it; it can be changed and submitted again.',
    ),
    canChange: T.Boolean({ description: 'Whether it can be changed and submitted now.' }),
    texts: shownTexts,
    files: T.Array(file),
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

const problems = ['invalid_state', 'method_not_available'] as const

const get = route({
  method: 'GET',
  path: '/v1/disputes/{id}/evidence',
  scope: 'payments:read',
  operationId: 'getDisputeEvidence',
  summary: 'Get the evidence of a dispute',
  description: 'The draft, or what was submitted, when and by which key.',
  status: 200,
  answer: evidence,
  async handle(deps, { merchant, id }) {
    return { record: await readEvidence(deps, merchant.id, id as DisputeId) }
  },
})

const change = route({
  method: 'PATCH',
  path: '/v1/disputes/{id}/evidence',
  scope: 'payments:write',
  operationId: 'changeDisputeEvidence',
  summary: 'Write evidence',
  description:
    'Saves a draft. Nothing is sent until it is submitted. For open disputes whose provider takes evidence by its API.',
  status: 200,
  answer: evidence,
  problems,
  // 150,000 characters, each of which JSON may write as six bytes.
  bodyBytesMax: 1_048_576,
  body: T.Object(
    {
      texts: T.Optional(givenTexts),
      removeFiles: T.Optional(T.Array(fileKind, { maxItems: evidenceFileKinds.length })),
    },
    { title: 'ChangeDisputeEvidenceRequest', additionalProperties: false },
  ),
  async handle(deps, { merchant, id, keyId, origin, body }) {
    const key = { merchantId: merchant.id, disputeId: id as DisputeId }
    return { record: await changeEvidence(deps, key, body, { keyId, origin }) }
  },
})

/** 4.5 MB, four characters for each three bytes. */
const contentMax = 6_000_000

const addFile = route({
  method: 'POST',
  path: '/v1/disputes/{id}/evidence/files',
  scope: 'payments:write',
  operationId: 'addDisputeEvidenceFile',
  summary: 'Add a file to the evidence',
  description:
    'A PDF, PNG or JPEG, in place of the file of the same kind. All files together have at most 4.5 MB. The same call again changes nothing.',
  status: 200,
  answer: evidence,
  problems,
  bodyBytesMax: contentMax + 65_536,
  body: T.Object(
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
        maxLength: contentMax,
        pattern: patterns.base64,
        description: 'The bytes of the file in base64.',
        contentEncoding: 'base64',
      }),
    },
    { title: 'AddDisputeEvidenceFileRequest', additionalProperties: false },
  ),
  async handle(deps, { merchant, id, keyId, origin, body }) {
    const { kind, name, content } = body
    const bytes = Buffer.from(content, 'base64')
    // Buffer stops at the first character that it cannot read.
    if (bytes.toString('base64') !== content)
      throw new AppError('invalid_request', 'The file is not in base64.', {
        faults: [{ pointer: '/content', code: 'malformed', message: 'is not base64' }],
      })
    const key = { merchantId: merchant.id, disputeId: id as DisputeId }
    return { record: await addEvidenceFile(deps, key, { kind, name, bytes }, { keyId, origin }) }
  },
})

const submit = route({
  method: 'POST',
  path: '/v1/disputes/{id}/evidence/submit',
  scope: 'payments:write',
  operationId: 'submitDisputeEvidence',
  summary: 'Submit the evidence',
  description:
    'Sends it to the provider, once. It cannot be changed afterwards. The call can be repeated: with the same version it answers the same.',
  status: 202,
  answer: evidence,
  problems,
  body: T.Object(
    { version: whole(1, 2 ** 31 - 1, 'The version of the evidence that is submitted. Another one is 409.') },
    { title: 'SubmitDisputeEvidenceRequest', additionalProperties: false },
  ),
  async handle(deps, { merchant, id, keyId, origin, body }) {
    const key = { merchantId: merchant.id, disputeId: id as DisputeId }
    return { record: await submitEvidence(deps, key, body.version, { keyId, origin }) }
  },
})

export const disputeEvidenceRoutes: readonly Route[] = [get, change, addFile, submit]
