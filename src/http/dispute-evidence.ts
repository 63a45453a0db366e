// Evidence against disputes: a draft of texts and files, and its submission.
import {
  evidence,
  evidenceChange,
  evidenceContentMax,
  evidenceFileRequest,
  evidenceSubmission,
} from '#/contract/dispute-evidence.ts'
import { addEvidenceFile, changeEvidence, readEvidence, submitEvidence } from '#/disputes/change-evidence.ts'
import { AppError } from '#/kernel/error.ts'
import type { DisputeId } from '#/kernel/id.ts'
import { none } from '#/people/concern.ts'
import * as examples from './example-records.ts'
import { route, type Route } from './route.ts'

const problems = ['invalid_state', 'method_not_available'] as const

const get = route({
  route: 'GET /v1/disputes/{id}/evidence',
  scope: 'payments:read',
  operationId: 'getDisputeEvidence',
  summary: 'Get the evidence of a dispute',
  description: 'The draft, or what was submitted, when and by which key.',
  answer: evidence,
  example: examples.disputeEvidence,
  async handle(deps, { merchant, id }) {
    return { record: await readEvidence(deps, merchant.id, id as DisputeId) }
  },
})

const change = route({
  route: 'PATCH /v1/disputes/{id}/evidence',
  scope: 'payments:write',
  audit: 'ITSELF',
  starts: 'dispute',
  concern: none('texts and files'),
  operationId: 'changeDisputeEvidence',
  summary: 'Write evidence',
  description:
    'Saves a draft. Nothing is sent until it is submitted. For open disputes whose provider takes evidence by its API.',
  answer: evidence,
  problems,
  // 150,000 characters, each of which JSON may write as six bytes.
  bodyBytesMax: 1_048_576,
  example: examples.evidenceDraft,
  body: evidenceChange,
  exampleBody: { texts: examples.disputeEvidence.texts, removeFiles: ['RECEIPT'] },
  async handle(deps, { merchant, id, keyId, origin, body }) {
    const key = { merchantId: merchant.id, disputeId: id as DisputeId }
    return { record: await changeEvidence(deps, key, body, { keyId, origin }) }
  },
})

const addFile = route({
  route: 'POST /v1/disputes/{id}/evidence/files',
  scope: 'payments:write',
  audit: 'ITSELF',
  starts: 'dispute',
  concern: none('texts and files'),
  operationId: 'addDisputeEvidenceFile',
  summary: 'Add a file to the evidence',
  description:
    'A PDF, PNG or JPEG, in place of the file of the same kind. All files together have at most 4.5 MB. The same call again changes nothing.',
  answer: evidence,
  problems,
  example: examples.evidenceDraft,
  bodyBytesMax: evidenceContentMax + 65_536,
  body: evidenceFileRequest,
  exampleBody: {
    kind: 'SHIPPING_DOCUMENTATION',
    name: 'delivery.pdf',
    content: 'JVBERi0xLjcKJcOkw7zDtsOf',
  },
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
  route: 'POST /v1/disputes/{id}/evidence/submit',
  scope: 'payments:write',
  audit: 'ITSELF',
  starts: 'dispute',
  concern: none('it defends money of the merchant'),
  operationId: 'submitDisputeEvidence',
  summary: 'Submit the evidence',
  description:
    'Sends it to the provider, once. It cannot be changed afterwards. The call can be repeated: with the same version it answers the same.',
  status: 202,
  answer: evidence,
  problems,
  example: examples.disputeEvidence,
  body: evidenceSubmission,
  exampleBody: { version: 3 },
  async handle(deps, { merchant, id, keyId, origin, body }) {
    const key = { merchantId: merchant.id, disputeId: id as DisputeId }
    return { record: await submitEvidence(deps, key, body.version, { keyId, origin }) }
  },
})

export const disputeEvidenceRoutes: readonly Route[] = [get, change, addFile, submit]
