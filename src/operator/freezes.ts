// Freezes and suspensions begin and end by a person, who says why.
import type { Sql, Tx } from '#/db/client.ts'
import { classify } from '#/db/failure.ts'
import { newId } from '#/kernel/id.ts'
import { systemClock } from '#/kernel/time.ts'
import { ensureHead } from '#/ledger/head.ts'
import { lockHead } from '#/ledger/queries.ts'
import type { Freeze, FreezeKind, FreezeScope } from '#/merchants/freeze.ts'
import { deleteFreeze, insertFreeze, selectFreezes } from '#/merchants/queries.ts'
import type { AuditEntry } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import type { Operator } from './deps.ts'

export type FreezeSubject = FreezeScope & { readonly kind: FreezeKind }

type FreezeDeps = { readonly sql: Sql; readonly cell: string }

/**
 * Freezes: no money leaves from now on. `isNew`: it was not frozen before. `isEffective`: money that the books accepted in the meantime
 * waits as well. False when the books are too busy to wait for them; then it waits a moment later.
 */
export async function beginFreeze(
  deps: FreezeDeps,
  { by, name }: Operator,
  subject: FreezeSubject,
  reason: string,
): Promise<{ readonly isNew: boolean; readonly isEffective: boolean }> {
  const { sql } = deps
  await ensureHead(sql, deps.cell, systemClock)
  const { kind, merchantId, rail } = subject
  const freeze = { id: newId<'freeze'>(), kind, merchantId, rail, reason, decidedBy: name }
  const isNew = await sql.begin(async (tx): Promise<boolean> => {
    if (!(await insertFreeze(tx, freeze))) return false
    const after = { reason, decidedBy: name }
    await writeAudit(tx, [{ ...by, ...entryOf(deps, subject, 'begin'), after, reason }])
    return true
  })
  return { isNew, isEffective: await untilBooksApply(deps) }
}

/** Ends a freeze. Returns whether another freeze still holds money of the same merchant; undefined when it was not frozen. */
export async function endFreeze(
  deps: FreezeDeps,
  { by }: Operator,
  subject: FreezeSubject,
  reason: string,
  beside?: (tx: Tx) => Promise<void>,
): Promise<{ readonly isStillFrozen: boolean } | undefined> {
  const { sql } = deps
  const lifted = await sql.begin(async (tx): Promise<Freeze | undefined> => {
    await beside?.(tx)
    const before = await deleteFreeze(tx, subject)
    if (before !== undefined)
      await writeAudit(tx, [{ ...by, ...entryOf(deps, subject, 'end'), before: stateOf(before), reason }])
    return before
  })
  if (lifted === undefined) return undefined
  const others = await selectFreezes(sql, subject.merchantId === null ? [] : [subject.merchantId])
  return { isStillFrozen: others.length > 0 }
}

/**
 * Waits until every batch that had started before, and may not have read the freeze, is committed. What such a batch accepts is
 * not sent, so the wait is short. Returns false when the books are too busy to wait for.
 */
async function untilBooksApply({ sql, cell }: FreezeDeps): Promise<boolean> {
  try {
    await sql.begin((tx) => lockHead(tx, cell))
    return true
  } catch (error) {
    if (classify(error) === 'poison') throw error
    return false
  }
}

/** What is frozen, as the audit log names it. */
export function nameOfFrozen(cell: string, { merchantId, rail }: FreezeScope): string {
  if (merchantId !== null) return `merchant:${merchantId}`
  return rail === null ? `cell:${cell}` : `rail:${rail}`
}

function entryOf(
  { cell }: FreezeDeps,
  subject: FreezeSubject,
  step: 'begin' | 'end',
): Pick<AuditEntry, 'action' | 'subject' | 'merchantId'> {
  const { kind, merchantId } = subject
  const verbs =
    kind === 'FREEZE'
      ? { begin: 'money.freeze', end: 'money.unfreeze' }
      : { begin: 'merchant.suspend', end: 'merchant.resume' }
  return {
    action: verbs[step],
    subject: nameOfFrozen(cell, subject),
    ...(merchantId === null ? {} : { merchantId }),
  }
}

function stateOf({ reason, decidedBy, at }: Freeze): Readonly<Record<string, unknown>> {
  return { reason, decidedBy, at: at.toISOString() }
}
