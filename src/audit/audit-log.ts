// Compares the entries of the audit log with their seals, whose digests the hash chain covers.
// Inspects what sealing/seal.ts seals.
import { eachPage, type Inspector } from '#/db/inspection.ts'
import { leastId } from '#/db/lists.ts'
import { auditEntryDigest } from '#/ledger/chain.ts'
import * as queries from './ledger-queries.ts'

const pageRows = 1_000

/** Every entry is sealed as it is, or waits to be; every seal has its entry. */
export async function inspectAuditLog(inspector: Inspector): Promise<void> {
  const { sql, inspected, fault } = inspector
  await eachPage(
    (after: queries.AuditEntryRow | undefined) =>
      queries.selectAuditEntries(sql, after?.id ?? leastId, pageRows),
    (entries) => {
      inspected('entries', entries.length)
      for (const entry of entries) {
        const what = faultOf(entry)
        if (what !== undefined) fault(nameOf(entry), what)
      }
    },
  )
  await eachPage(
    (after: { readonly id: string } | undefined) => queries.selectSeals(sql, after?.id ?? leastId, pageRows),
    (seals) => {
      inspected('seals', seals.length)
      for (const seal of seals)
        if (!seal.hasEntry) fault(nameOf(seal), `was sealed by batch ${seal.batch} and is gone`)
    },
  )
  await eachPage(
    (after: { readonly id: string } | undefined) =>
      queries.selectWaiting(sql, after?.id ?? leastId, pageRows),
    (waiting) => {
      inspected('entries that wait to be sealed', waiting.length)
      for (const each of waiting) if (!each.hasEntry) fault(nameOf(each), 'waited to be sealed and is gone')
    },
  )
}

function nameOf({ id }: { readonly id: string }): string {
  return `audit entry ${id}`
}

function faultOf(entry: queries.AuditEntryRow): string | undefined {
  if (entry.digest !== null) {
    const isSame = auditEntryDigest(entry).equals(entry.digest)
    return isSame ? undefined : `is not as it was when batch ${entry.batch} sealed it`
  }
  if (!entry.isWaiting) return 'is sealed by no batch, and does not wait to be'
  return entry.isLeftBehind
    ? 'has waited for more than ten minutes to be sealed, while later entries were sealed'
    : undefined
}
