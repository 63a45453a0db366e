// Evidence is read, written as a draft, and submitted. Nothing here calls a provider: a submission is durable work of a worker.
import type { Sql, Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { AppError, type FieldFault } from '#/kernel/error.ts'
import { newId, type ApiKeyId, type DisputeId, type MerchantId } from '#/kernel/id.ts'
import { sha256 } from '#/kernel/secret.ts'
import { originOf, type By } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import type { EvidenceFileKind, EvidenceSender, EvidenceText } from '#/rails/disputes.ts'
import type { Rails } from '#/rails/rail.ts'
import type { Dispute } from './dispute.ts'
import * as queries from './evidence-queries.ts'
import {
  type EvidenceRecord,
  evidenceRecord,
  typeOfFile,
  type Evidence,
  type EvidenceTexts,
} from './evidence.ts'
import { listDisputes, selectDisputedAttempt } from './queries.ts'

export type EvidenceDeps = { readonly sql: Sql; readonly rails: Rails }

/** Who changes it: the key, which may be a member's own, and the origin for the audit log. */
export type EvidenceBy = { readonly keyId: ApiKeyId; readonly origin?: By }

/** The evidence of a dispute, as the API shows it. Throws 404. */
export async function readEvidence(
  deps: EvidenceDeps,
  merchantId: MerchantId,
  disputeId: DisputeId,
): Promise<EvidenceRecord> {
  const dispute = await find(deps.sql, merchantId, disputeId)
  return shownOf(deps, dispute)
}

async function shownOf(deps: EvidenceDeps, dispute: Dispute): Promise<EvidenceRecord> {
  const { sql } = deps
  const key = { merchantId: dispute.merchantId, disputeId: dispute.id }
  const [evidence, files, sender, standing] = await Promise.all([
    queries.selectEvidence(sql, key),
    queries.selectFiles(sql, key),
    senderOf(deps, dispute),
    queries.selectStanding(sql, key),
  ])
  const isOpen = standing?.status === 'OPEN' && standing.isInTime && sender !== undefined
  return evidenceRecord(dispute.id, evidence, files, isOpen && isChangeable(evidence))
}

export type EvidenceChange = {
  /** null removes a text. */
  readonly texts?: Readonly<Partial<Record<EvidenceText, string | null>>>
  readonly removeFiles?: readonly EvidenceFileKind[]
}

/**
 * Changes texts of the draft and removes files. Returns the evidence after it. Errors:
 * - 404
 * - 400 with the fault: texts that are too long together
 * - 409 `invalid_state`: the dispute has ended, its time for evidence is over, or the evidence is submitted
 * - 422 `method_not_available`: a MED, money that came for no payment, or a provider that takes no evidence by its API
 */
export function changeEvidence(
  deps: EvidenceDeps,
  key: queries.EvidenceKey,
  change: EvidenceChange,
  by: EvidenceBy,
): Promise<EvidenceRecord> {
  return inDraft(deps, key, by, async (tx, { evidence, sender }) => {
    const texts = withChange(evidence.texts, change.texts ?? {})
    const characters = Object.values(texts).reduce((sum, text) => sum + text.length, 0)
    if (characters > sender.charactersMax)
      throw invalid(
        '/texts',
        'too_long',
        `All texts together have at most ${sender.charactersMax} characters.`,
      )
    const removed = change.removeFiles ?? []
    if (removed.length > 0) await queries.deleteFiles(tx, key, removed)
    await queries.writeTexts(tx, key, texts, by.keyId)
    // The texts themselves stay out of the log, which cannot be deleted: they hold what a merchant knows of a payer.
    const changed = {
      texts: Object.keys(change.texts ?? {}),
      ...(removed.length > 0 ? { removedFiles: removed } : {}),
    }
    return { action: 'dispute_evidence.change', after: changed }
  })
}

function withChange(before: EvidenceTexts, change: NonNullable<EvidenceChange['texts']>): EvidenceTexts {
  const merged = Object.entries({ ...before, ...change })
  return Object.fromEntries(merged.filter(([, text]) => typeof text === 'string'))
}

export type NewFile = { readonly kind: EvidenceFileKind; readonly name: string; readonly bytes: Buffer }

/** Adds a file to the draft, in place of the one of its kind. Its type is read from its bytes. Errors as `changeEvidence`. */
export function addEvidenceFile(
  deps: EvidenceDeps,
  key: queries.EvidenceKey,
  file: NewFile,
  by: EvidenceBy,
): Promise<EvidenceRecord> {
  return inDraft(deps, key, by, async (tx, { evidence, sender }) => {
    const { kind, name, bytes } = file
    const type = typeOfFile(bytes)
    if (type === undefined)
      throw invalid('/content', 'not_allowed', 'is a PDF, a PNG or a JPEG, by its bytes')
    const others = (await queries.selectFiles(tx, key)).filter((each) => each.kind !== kind)
    const size = others.reduce((sum, each) => sum + each.size, bytes.length)
    if (size > sender.bytesMax)
      throw invalid('/content', 'too_large', `All files together have at most ${sender.bytesMax} bytes.`)
    const digest = sha256(bytes)
    await queries.putFile(
      tx,
      key,
      { id: newId<'evidence-file'>(), kind, name, type, bytes, digest },
      by.keyId,
    )
    await queries.writeTexts(tx, key, evidence.texts, by.keyId)
    const after = { kind, name, type, size: bytes.length, sha256: digest.toString('hex') }
    return { action: 'dispute_evidence.add_file', after }
  })
}

/**
 * Submits the evidence: a worker sends it, and it cannot be changed any more. `version`: the version that the caller has read;
 * another one is 409. The same call again returns the same. Other errors as `changeEvidence`.
 */
export async function submitEvidence(
  deps: EvidenceDeps,
  key: queries.EvidenceKey,
  version: number,
  by: EvidenceBy,
): Promise<EvidenceRecord> {
  const before = await queries.selectEvidence(deps.sql, key)
  if (!isChangeable(before) && before?.version === version)
    return shownOf(deps, await find(deps.sql, key.merchantId, key.disputeId))
  return inDraft(deps, key, by, async (tx, { dispute, evidence }) => {
    if (evidence.version !== version)
      throw new AppError('invalid_state', 'The evidence was changed meanwhile: look at it again.', {
        extra: { version: evidence.version },
      })
    const files = await queries.selectFiles(tx, key)
    const texts = Object.keys(evidence.texts)
    if (texts.length + files.length === 0)
      throw new AppError('invalid_state', 'There is no evidence to submit yet.')
    const id = newId<'evidence-submission'>()
    await queries.beginSubmission(tx, key, { id, by: by.keyId, connection: dispute.connection })
    const named = files.map(({ kind, name, sha256: digest }) => ({ kind, name, sha256: digest }))
    return { action: 'dispute_evidence.submit', after: { version, texts, files: named } }
  })
}

type Draft = { readonly dispute: Dispute; readonly evidence: Evidence; readonly sender: EvidenceSender }
type Done = { readonly action: string; readonly after: Readonly<Record<string, unknown>> }

/** Changes the evidence in a transaction of its own, which also writes the audit row. */
async function inDraft(
  deps: EvidenceDeps,
  key: queries.EvidenceKey,
  { keyId, origin }: EvidenceBy,
  change: (tx: Tx, draft: Draft) => Promise<Done>,
): Promise<EvidenceRecord> {
  const { merchantId, disputeId } = key
  const dispute = await find(deps.sql, merchantId, disputeId)
  const sender = await senderOf(deps, dispute)
  if (sender === undefined)
    throw new AppError('method_not_available', 'No evidence can be sent here about this dispute.')
  await deps.sql.begin(async (tx) => {
    const evidence = await queries.lockEvidence(tx, key, keyId)
    await requireOpen(tx, key, evidence)
    const { action, after } = await change(tx, { dispute, evidence, sender })
    await writeAudit(tx, [
      { ...originOf(keyId, origin), action, subject: `dispute:${disputeId}`, merchantId, after },
    ])
  })
  return shownOf(deps, dispute)
}

async function requireOpen(tx: Tx, key: queries.EvidenceKey, evidence: Evidence): Promise<void> {
  if (!isChangeable(evidence))
    throw new AppError('invalid_state', 'The evidence is submitted and cannot be changed any more.', {
      extra: { evidenceStatus: evidence.status },
    })
  const { status, isInTime } = must(await queries.selectStanding(tx, key), 'evidence has a dispute')
  if (status !== 'OPEN')
    throw new AppError('invalid_state', 'The dispute has ended: nobody reads evidence any more.', {
      extra: { disputeStatus: status },
    })
  if (!isInTime) throw new AppError('invalid_state', 'The time for evidence is over.')
}

function isChangeable(evidence: Pick<Evidence, 'status'> | undefined): boolean {
  return evidence === undefined || evidence.status === 'DRAFT' || evidence.status === 'REFUSED'
}

/** How evidence about this dispute is sent; undefined when it cannot be sent here. */
async function senderOf({ sql, rails }: EvidenceDeps, dispute: Dispute): Promise<EvidenceSender | undefined> {
  if (dispute.kind === 'MED' || dispute.paymentId === undefined) return undefined
  const attempt = must(
    await selectDisputedAttempt(sql, dispute, dispute.paymentId),
    'a dispute has a receipt of its attempt',
  )
  return rails.get(attempt.method)?.disputes?.evidence
}

async function find(sql: Sql, merchantId: MerchantId, id: DisputeId): Promise<Dispute> {
  const [found] = await listDisputes(sql, merchantId, { id, limit: 1 })
  if (found === undefined) throw new AppError('not_found', 'There is no such dispute.')
  return found
}

function invalid(pointer: string, code: string, message: string): AppError {
  const faults: readonly FieldFault[] = [{ pointer, code, message }]
  return new AppError('invalid_request', 'The evidence is not valid.', { faults })
}
