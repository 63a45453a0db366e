// Inspects the books: trusts nothing that was written and computes everything again.
import type { Sql } from '#/db/client.ts'
import { StartError } from '#/db/failure.ts'
import type { Cut, Inspection, Inspector } from '#/db/inspection.ts'
import type { KeyRing } from '#/kernel/secret.ts'
import { inspectAuditLog } from './audit-log.ts'
import { inspectChain, inspectEnd } from './ledger-chain.ts'
import { inspectAccounts, inspectEntries, inspectTransfers } from './ledger-entries.ts'
import * as queries from './ledger-queries.ts'
import { selectEpochs } from './restores-queries.ts'
import { inspectEpochs } from './restores.ts'

/** The inspections of the books. `auditKey`: the keys that the chain was written with, the present one first. */
export function ledgerInspections(auditKey: KeyRing): readonly Inspection[] {
  return [
    { name: 'chain', inspect: (inspector) => inspectChain(inspector, auditKey) },
    { name: 'end of the chain', inspect: inspectEnd },
    { name: 'transfers', inspect: inspectTransfers },
    { name: 'entries', inspect: inspectEntries },
    { name: 'accounts', inspect: inspectAccounts },
    { name: 'audit log', inspect: inspectAuditLog },
    { name: 'epochs', inspect: inspectEpochs },
    { name: 'guards', inspect: inspectGuards },
  ]
}

/** Where the books end now, or where they ended with the batch `upTo`. Throws StartError when there are no books yet, or no such batch. */
export async function cutAt(sql: Sql, cell: string, upTo?: bigint): Promise<Cut> {
  const cut = await queries.selectCut(sql, cell, upTo)
  if (cut !== undefined) return cut
  throw upTo === undefined
    ? new StartError('There are no books in this database yet.', 'The first process that starts makes them.')
    : new StartError(`There is no batch ${upTo}.`, 'Without --up-to, verify says which is the newest.')
}

/** The end of the chain as an earlier run noted it, away from the database. */
export type Anchor = { readonly number: bigint; readonly hash: Buffer }

/** The chain still contains the anchor: no batch up to it was removed or rewritten. */
export function inspectAnchor({ number, hash }: Anchor): Inspection {
  return {
    name: 'anchor',
    async inspect({ sql, inspected, fault }) {
      const [batch] = number === 0n ? [] : await queries.selectBatches(sql, number - 1n, number, 1)
      inspected('anchors', 1)
      const lost = (await selectEpochs(sql)).find(({ lastBatch }) => lastBatch < number)
      const isOther = batch !== undefined && !batch.hash.equals(hash)
      if (lost !== undefined && (batch === undefined || isOther))
        fault(
          `batch ${number}`,
          `may have been lost by the restore of epoch ${lost.number}: take a new anchor`,
        )
      else if (number > 0n && batch === undefined)
        fault(`batch ${number}`, 'is gone: the chain was longer once')
      else if (isOther) fault(`batch ${number}`, 'is not the one of the anchor')
    },
  }
}

const appendOnlyTables = [
  'batch',
  'account',
  'transfer',
  'entry',
  'event',
  'audit_log',
  'audit_seal',
  'audit_key',
  'epoch',
  'event_gap',
  'erasure',
  'erased',
]

/** The database itself refuses changes of append-only tables. */
async function inspectGuards({ sql, inspected, fault }: Inspector): Promise<void> {
  for (const { table, hasTrigger, mayChange } of await queries.selectUnguarded(sql, appendOnlyTables)) {
    inspected('tables', 1)
    if (!hasTrigger) fault(`table ${table}`, 'has no trigger that refuses changes, or it is off')
    if (mayChange) fault(`table ${table}`, 'may be changed by the role of the application')
  }
}
