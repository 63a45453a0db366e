// What verify knows of one rail, besides what holds of all: only it can read its evidence, its addresses and its coins.
import type { ArtifactRules } from '#/audit/payments.ts'
import type { KeptReceipt } from '#/audit/settlement/evidence-queries.ts'
import type { PayoutPlaces } from '#/audit/withdrawals.ts'
import type { Sql } from '#/db/client.ts'
import type { Inspection, SubjectKind } from '#/db/inspection.ts'

export type RailAudit = {
  /** What an opening gives. Absent: nothing that is kept with the attempt. */
  readonly artifacts?: ArtifactRules
  /** What is wrong with a receipt in the eyes of its evidence, as a sentence without its subject. Absent: nothing is held against it. */
  readonly faultOfEvidence?: (kept: KeptReceipt) => string | undefined
  /** Where its payouts go. Absent: it pays nothing out. */
  readonly payouts?: PayoutPlaces
  /** The accounts in which final money arrives, by connection. Absent: a provider holds it. */
  readonly arrivals?: (sql: Sql) => Promise<ReadonlyMap<string, string>>
  /** What the rail's own money moves for. */
  readonly subjects?: readonly SubjectKind[]
  /** Of its own tables. */
  readonly inspections?: (sql: Sql) => Promise<readonly Inspection[]>
}
