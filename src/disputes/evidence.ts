// Evidence of a merchant against a dispute: a draft of texts and files, which is submitted once. A worker sends it (send-evidence.ts).
import type { evidence as shown, evidenceFile, evidenceStatuses } from '#/contract/dispute-evidence.ts'
import { recordOf, type Of } from '#/contract/record.ts'
import type { ApiKeyId, DisputeId, Id, MerchantId } from '#/kernel/id.ts'
import type { EvidenceFileKind, EvidenceFileType, EvidenceText } from '#/rails/disputes.ts'

export type EvidenceStatus = (typeof evidenceStatuses)[number]

export type EvidenceTexts = Readonly<Partial<Record<EvidenceText, string>>>

/** A file without its content. */
export type StoredFile = {
  readonly id: Id<'evidence-file'>
  readonly kind: EvidenceFileKind
  readonly name: string
  readonly type: EvidenceFileType
  readonly size: number
  /** SHA-256, in hexadecimal digits. */
  readonly sha256: string
  readonly addedAt: Date
  readonly addedBy: ApiKeyId
}

/** `DRAFT`: not submitted yet. `REFUSED`: the provider refused the submission; it can be changed and submitted again. */
export type Evidence = {
  readonly merchantId: MerchantId
  readonly disputeId: DisputeId
  readonly status: Exclude<EvidenceStatus, 'NONE'>
  readonly texts: EvidenceTexts
  readonly version: number
  readonly changedAt: Date
  readonly changedBy: ApiKeyId
  readonly submittedAt?: Date
  readonly submittedBy?: ApiKeyId
  readonly sentAt?: Date
  readonly failure?: string
}

export type EvidenceRecord = Of<typeof shown>

/** The evidence as the API shows it. Undefined: nothing was given yet. */
export function evidenceRecord(
  disputeId: DisputeId,
  evidence: Evidence | undefined,
  files: readonly StoredFile[],
  canChange: boolean,
): EvidenceRecord {
  return recordOf<typeof shown>({
    disputeId,
    status: evidence?.status ?? 'NONE',
    canChange,
    texts: evidence?.texts ?? {},
    files: evidence === undefined ? [] : files.map(fileRecord),
    changedAt: evidence?.changedAt.toISOString(),
    changedBy: evidence?.changedBy,
    submittedAt: evidence?.submittedAt?.toISOString(),
    submittedBy: evidence?.submittedBy,
    sentAt: evidence?.sentAt?.toISOString(),
    failureMessage: evidence?.failure,
    version: evidence?.version ?? 0,
  })
}

function fileRecord(file: StoredFile) {
  return recordOf<typeof evidenceFile>({
    kind: file.kind,
    name: file.name,
    type: file.type,
    size: file.size,
    sha256: file.sha256,
    addedAt: file.addedAt.toISOString(),
    addedBy: file.addedBy,
  })
}

/** First bytes by type: PDF (ISO 32000-2 §7.5.2), PNG (§5.2), JPEG (ITU T.81 §B.1.1.3). */
const beginnings: readonly (readonly [EvidenceFileType, string])[] = [
  ['application/pdf', '255044462d'],
  ['image/png', '89504e470d0a1a0a'],
  ['image/jpeg', 'ffd8ff'],
]

/** The type of a file by its bytes, whatever its name says; undefined for one that is no evidence. */
export function typeOfFile(bytes: Buffer): EvidenceFileType | undefined {
  return beginnings.find(([, begins]) => bytes.toString('hex', 0, begins.length / 2) === begins)?.[0]
}
