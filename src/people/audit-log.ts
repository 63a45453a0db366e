// Who changed what, and why: one row for each change that a person made, never changed again. The row is written in the
// transaction of the change, so there is no change without its row and no row without its change.
import type { Sql, Tx } from '#/db/client.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import * as queries from './queries.ts'

/**
 * Who did it.
 * - `OPERATOR`: a person at the command line; `id` is the operating-system user and the machine.
 * - `API_KEY`: a merchant's program; `id` is the key's id.
 * - `SYSTEM`: a part of the program by itself; `id` is the part's name.
 */
export type Actor = { readonly kind: 'OPERATOR' | 'API_KEY' | 'SYSTEM'; readonly id: string }

export type AuditEntry = {
  readonly actor: Actor
  /** `room.verb`, such as `key.revoke`. */
  readonly action: string
  /** `kind:id`, such as `refund:019a…`. */
  readonly subject: string
  /** Whose it is. Absent: the operator's own. */
  readonly merchantId?: MerchantId
  /** What changed, as it was and as it is. Never a secret. */
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
  readonly reason?: string
}

/** Writes these entries. `tx` is the transaction of the change that they are about. */
export async function writeAudit(tx: Sql | Tx, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return
  await queries.insertAuditEntries(
    tx,
    entries.map((entry) => ({ ...entry, id: newId<'audit-entry'>() })),
  )
}
