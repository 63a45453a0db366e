// All SQL of evidence against disputes.
import type { Sql, Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import type { Claim } from '#/jobs/claim.ts'
import { chosen, type DueTable, someDue } from '#/jobs/due-queries.ts'
import type { Slots } from '#/jobs/slots.ts'
import type { ApiKeyId, ConnectionId, DisputeId, Id, MerchantId } from '#/kernel/id.ts'
import type { EvidenceFile, EvidenceFileKind } from '#/rails/disputes.ts'
import type { DisputeStatus } from './dispute.ts'
import type { Evidence, EvidenceTexts, StoredFile } from './evidence.ts'

export type EvidenceKey = { readonly merchantId: MerchantId; readonly disputeId: DisputeId }

type EvidenceRow = {
  merchant_id: MerchantId
  dispute_id: DisputeId
  status: Evidence['status']
  texts: EvidenceTexts
  version: number
  changed_at: Date
  changed_by: ApiKeyId
  submitted_at: Date | null
  submitted_by: ApiKeyId | null
  sent_at: Date | null
  failure: string | null
}

function columns(sql: Sql | Tx) {
  return sql`merchant_id, dispute_id, status, texts, version, changed_at, changed_by, submitted_at, submitted_by, sent_at, failure`
}

export async function selectEvidence(
  sql: Sql | Tx,
  { merchantId, disputeId }: EvidenceKey,
): Promise<Evidence | undefined> {
  const [row] = await sql<EvidenceRow[]>`
    select ${columns(sql)} from dispute_evidence where merchant_id = ${merchantId} and dispute_id = ${disputeId}`
  return row === undefined ? undefined : toEvidence(row)
}

/** The evidence, locked; a new draft where there was none. Who locks it decides about its status until the end of the transaction. */
export async function lockEvidence(
  tx: Tx,
  { merchantId, disputeId }: EvidenceKey,
  by: ApiKeyId,
): Promise<Evidence> {
  await tx`
    insert into dispute_evidence (merchant_id, dispute_id, status, version, changed_at, changed_by)
    values (${merchantId}, ${disputeId}, 'DRAFT', 0, ${dueNow(tx)}, ${by})
        on conflict do nothing`
  const [row] = await tx<[EvidenceRow]>`
    select ${columns(tx)} from dispute_evidence
     where merchant_id = ${merchantId} and dispute_id = ${disputeId}
       for update`
  return toEvidence(row)
}

/** Writes the texts, and counts the change. */
export async function writeTexts(
  tx: Tx,
  { merchantId, disputeId }: EvidenceKey,
  texts: EvidenceTexts,
  by: ApiKeyId,
): Promise<void> {
  await tx`
    update dispute_evidence
       set texts = ${tx.json(texts)}, version = version + 1, changed_at = ${dueNow(tx)}, changed_by = ${by}
     where merchant_id = ${merchantId} and dispute_id = ${disputeId}`
}

/** At most one file of each kind. */
export async function selectFiles(
  sql: Sql | Tx,
  { merchantId, disputeId }: EvidenceKey,
): Promise<readonly StoredFile[]> {
  return await sql<StoredFile[]>`
    select id, kind, name, type, length(bytes) as size, encode(digest, 'hex') as sha256, added_at as "addedAt", added_by as "addedBy"
      from dispute_evidence_file
     where merchant_id = ${merchantId} and dispute_id = ${disputeId}
     order by kind`
}

/** Stores a file in place of the one of its kind. */
export async function putFile(
  tx: Tx,
  { merchantId, disputeId }: EvidenceKey,
  file: Omit<EvidenceFile, 'id'> & { readonly id: Id<'evidence-file'>; readonly digest: Buffer },
  by: ApiKeyId,
): Promise<void> {
  await tx`
    insert into dispute_evidence_file (merchant_id, dispute_id, kind, id, name, type, bytes, digest, added_at, added_by)
    values (${merchantId}, ${disputeId}, ${file.kind}, ${file.id}, ${file.name}, ${file.type}, ${file.bytes}, ${file.digest},
            ${dueNow(tx)}, ${by})
        on conflict (merchant_id, dispute_id, kind) do update
       set id = excluded.id, name = excluded.name, type = excluded.type, bytes = excluded.bytes, digest = excluded.digest,
           added_at = excluded.added_at, added_by = excluded.added_by`
}

export async function deleteFiles(
  tx: Tx,
  { merchantId, disputeId }: EvidenceKey,
  kinds: readonly EvidenceFileKind[],
): Promise<void> {
  await tx`
    delete from dispute_evidence_file
     where merchant_id = ${merchantId} and dispute_id = ${disputeId} and kind = any (${kinds as string[]}::text[])`
}

/** The evidence is on its way from now on. */
export async function beginSubmission(
  tx: Tx,
  { merchantId, disputeId }: EvidenceKey,
  {
    id,
    by,
    connection,
  }: { readonly id: Id<'evidence-submission'>; readonly by: ApiKeyId; readonly connection: ConnectionId },
): Promise<void> {
  await tx`
    update dispute_evidence
       set status = 'SENDING', submission_id = ${id}, submitted_at = ${dueNow(tx)}, submitted_by = ${by}, failure = null
     where merchant_id = ${merchantId} and dispute_id = ${disputeId}`
  await tx`
    insert into dispute_evidence_due (merchant_id, dispute_id, connection, due_at)
    values (${merchantId}, ${disputeId}, ${connection}, ${dueNow(tx)})`
}

const evidenceDue: DueTable = { name: 'dispute_evidence_due' }

export const isEvidenceDue = someDue(evidenceDue)

export type DueEvidence = EvidenceKey & {
  readonly submissionId: Id<'evidence-submission'>
  readonly texts: EvidenceTexts
  readonly claim: Claim
}

/** Claims submissions for `leaseMs`. */
export async function claimEvidence(
  sql: Sql,
  slots: Slots,
  leaseMs: number,
): Promise<readonly DueEvidence[]> {
  const rows = await sql<
    (EvidenceKey & {
      submissionId: Id<'evidence-submission'>
      texts: EvidenceTexts
      lane: string
      takes: number
    })[]
  >`
    with recursive ${chosen(sql, evidenceDue, slots)}, claimed as (
      update dispute_evidence_due
         set due_at = ${dueIn(sql, leaseMs)}, takes = takes + 1
       where ctid = any (array(select ctid from chosen))
      returning merchant_id, dispute_id, connection as lane, takes
    )
    select merchant_id as "merchantId", dispute_id as "disputeId", submission_id as "submissionId", texts, lane, takes
      from claimed
      join dispute_evidence using (merchant_id, dispute_id)`
  return rows.map(({ lane, takes, ...due }) => ({
    ...due,
    claim: { id: due.disputeId, connection: lane, number: takes },
  }))
}

/** The files of a submission with their content. */
export async function selectFileContents(
  sql: Sql,
  { merchantId, disputeId }: EvidenceKey,
): Promise<readonly EvidenceFile[]> {
  return await sql<EvidenceFile[]>`
    select id, kind, name, type, bytes from dispute_evidence_file
     where merchant_id = ${merchantId} and dispute_id = ${disputeId}
     order by kind`
}

/** Whether no other worker has claimed it since. */
export async function isClaimed(sql: Sql, { merchantId, disputeId, claim }: DueEvidence): Promise<boolean> {
  const rows = await sql`
    select from dispute_evidence_due
     where merchant_id = ${merchantId} and dispute_id = ${disputeId} and takes = ${claim.number}`
  return rows.length === 1
}

/** Makes it due again in `waitMs`. False when another worker has claimed it since. */
export async function postponeEvidence(
  sql: Sql,
  { merchantId, disputeId, claim }: DueEvidence,
  waitMs: number,
): Promise<boolean> {
  const result = await sql`
    update dispute_evidence_due set due_at = ${dueIn(sql, waitMs)}
     where merchant_id = ${merchantId} and dispute_id = ${disputeId} and takes = ${claim.number}`
  return result.count === 1
}

/** Ends a submission under its claim: sent, or refused for this reason. Nothing changes when another worker has claimed it since. */
export async function endSubmission(
  sql: Sql,
  { merchantId, disputeId, claim }: DueEvidence,
  failure: string | undefined,
): Promise<void> {
  await sql`
    with ended as (
      delete from dispute_evidence_due
       where merchant_id = ${merchantId} and dispute_id = ${disputeId} and takes = ${claim.number}
      returning merchant_id, dispute_id
    )
    update dispute_evidence
       set status = ${failure === undefined ? 'SENT' : 'REFUSED'}, failure = ${failure ?? null},
           sent_at = ${failure === undefined ? dueNow(sql) : sql`null`}
      from ended
     where dispute_evidence.merchant_id = ended.merchant_id and dispute_evidence.dispute_id = ended.dispute_id`
}

export type Standing = {
  readonly status: DisputeStatus
  /** Whether evidence would come in time, by the database's clock. */
  readonly isInTime: boolean
}

/** The present state of the dispute. */
export async function selectStanding(
  sql: Sql | Tx,
  { merchantId, disputeId }: EvidenceKey,
): Promise<Standing | undefined> {
  const [row] = await sql<Standing[]>`
    select status, coalesce(evidence_due_at > ${dueNow(sql)}, true) as "isInTime"
      from dispute where merchant_id = ${merchantId} and id = ${disputeId}`
  return row
}

function toEvidence(row: EvidenceRow): Evidence {
  return {
    merchantId: row.merchant_id,
    disputeId: row.dispute_id,
    status: row.status,
    texts: row.texts,
    version: row.version,
    changedAt: row.changed_at,
    changedBy: row.changed_by,
    ...(row.submitted_at === null ? {} : { submittedAt: row.submitted_at }),
    ...(row.submitted_by === null ? {} : { submittedBy: row.submitted_by }),
    ...(row.sent_at === null ? {} : { sentAt: row.sent_at }),
    ...(row.failure === null ? {} : { failure: row.failure }),
  }
}
