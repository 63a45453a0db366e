// The inspections of one rail, besides those of all rails: only the rail can read its evidence, addresses and coins.
import type { ArtifactRules } from '#/audit/payments.ts'
import type { KeptReceipt } from '#/audit/settlement/queries.ts'
import type { PayoutPlaces } from '#/audit/withdrawals.ts'
import type { Sql } from '#/db/client.ts'
import type { Inspection, SubjectKind } from '#/db/inspection.ts'

export type RailAudit = {
  /** The rules for its artifacts. Absent: it keeps none with the attempt. */
  readonly artifacts?: ArtifactRules
  /** What is wrong with a receipt according to its evidence, as a sentence without its subject. Absent: not inspected. */
  readonly faultOfEvidence?: (kept: KeptReceipt) => string | undefined
  /** Where its payouts go. Absent: it pays nothing out. */
  readonly payouts?: PayoutPlaces
  /** The type of its payouts. Absent: the method's name. */
  readonly payoutType?: string
  /** The accounts in which final money arrives, by connection. Absent: a provider holds it. */
  readonly arrivals?: (sql: Sql) => Promise<ReadonlyMap<string, string>>
  /** The subjects of transfers of the rail's own money. */
  readonly subjects?: readonly SubjectKind[]
  /** The inspections of its own tables. */
  readonly inspections?: (sql: Sql) => Promise<readonly Inspection[]>
}
