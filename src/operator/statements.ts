// What an operator does with a bank's files: hands them in, and decides typos of payers and unclear recalls. Each is written into the audit
// log in the transaction of the act.
import type { Sql } from '#/db/client.ts'
import { AppError, noSuch } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { ConnectionId, Id } from '#/kernel/id.ts'
import { sha256 } from '#/kernel/secret.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { makeBatch, takeFile, type MadeBatch } from '#/rails/sepa/batch.ts'
import type { ForeignId } from '#/rails/sepa/foreign-queries.ts'
import { decideForeign, type Foreign } from '#/rails/sepa/foreign.ts'
import { handIn } from '#/rails/sepa/hand-in.ts'
import { decideHeld, type Held, type HeldVerdict } from '#/rails/sepa/held.ts'
import type { ImportDeps, Imported } from '#/rails/sepa/import.ts'
import { decide, type Proposal } from '#/rails/sepa/propose.ts'
import { decideRecall, type RecallVerdict, type Unclear } from '#/rails/sepa/unclear.ts'
import type { Operator } from './deps.ts'
import { selectConnectionOwner } from './interest-queries.ts'
import { requireAlone } from './interest.ts'
import { merchantsConcerned } from './sepa-concerned.ts'
import { selectBatchExists, selectTaking, writeTaking } from './sepa-queries.ts'

/** Imports a file for this person. A refused file is noted too. */
export function importStatement(
  deps: ImportDeps,
  { by, name: who }: Operator,
  file: { readonly bytes: Buffer; readonly name: string; readonly connection?: ConnectionId },
): Promise<Imported> {
  const subject = `statement:${sha256(file.bytes).toString('hex').slice(0, 16)}`
  return handIn(deps, {
    ...file,
    by: who,
    note: async (tx, state) => {
      await writeAudit(tx, [
        { ...by, action: 'statement.import', subject, after: { file: file.name, state } },
      ])
    },
  })
}

/**
 * Decides a payer's typo. Undefined: there is none of this name, or it was decided before. Throws AppError `forbidden` when a member of the
 * merchant would accept that money is its payment's.
 */
export function decideTypo(
  deps: Pick<ImportDeps, 'sql' | 'keep'>,
  operator: Operator,
  typo: Pick<Proposal, 'connection' | 'entry'> & { readonly isPayments: boolean; readonly reason?: string },
): Promise<Proposal | undefined> {
  const { by } = operator
  const { connection, entry, isPayments, reason } = typo
  const action = isPayments ? 'statement.accept' : 'statement.refuse'
  return decide(deps, {
    connection,
    entry,
    isPayments,
    note: async (tx, { merchantId, paymentId }) => {
      if (isPayments) await requireAlone(tx, operator, [merchantId])
      const audit = { ...by, action, subject: `entry:${connection}/${entry}`, after: { paymentId } }
      await writeAudit(tx, [{ ...audit, ...given({ reason }) }])
    },
  })
}

/**
 * Decides which credit the bank took back by a debit that does not say so clearly; `of` absent: none. Throws AppError `forbidden` when a member
 * of a merchant whose credit it may be would decide that it is not that merchant's.
 */
export function decideRecallAs(
  deps: Pick<ImportDeps, 'sql' | 'keep'>,
  operator: Operator,
  recall: Pick<Unclear, 'connection' | 'entry'> & { readonly of?: string; readonly reason?: string },
): Promise<RecallVerdict> {
  const { connection, entry, of, reason } = recall
  return decideRecall(deps, {
    connection,
    entry,
    ...given({ of }),
    note: async (tx, concerned) => {
      await requireAlone(tx, operator, await merchantsConcerned(tx, connection, concerned))
      const action = of === undefined ? 'statement.no-recall' : 'statement.recall'
      const audit = {
        ...operator.by,
        action,
        subject: `entry:${connection}/${entry}`,
        after: { of: of ?? null },
      }
      await writeAudit(tx, [{ ...audit, ...given({ reason }) }])
    },
  })
}

/**
 * Decides whether a held movement is the one that has its name, or another one, which is booked now. Throws AppError `forbidden` for a member
 * of the merchant whose payment, or whose taken-back credit, it is if it is another one.
 */
export function decideHeldAs(
  deps: Pick<ImportDeps, 'sql' | 'keep'>,
  operator: Operator,
  held: Pick<Held, 'connection' | 'entry'> & { readonly isSame: boolean; readonly reason: string },
): Promise<HeldVerdict> {
  const { connection, entry, isSame, reason } = held
  return decideHeld(deps, {
    connection,
    entry,
    isSame,
    note: async (tx, concerned) => {
      await requireAlone(tx, operator, await merchantsConcerned(tx, connection, concerned))
      const action = isSame ? 'statement.held-same' : 'statement.held-new'
      await writeAudit(tx, [{ ...operator.by, action, subject: `entry:${connection}/${entry}`, reason }])
    },
  })
}

/**
 * Ends money in a currency that the books do not have: what became of it at the bank. Undefined: there is none, or it was decided before. Throws
 * AppError `forbidden` for a member of the merchant whose own account it is.
 */
export function decideForeignAs(
  sql: Sql,
  operator: Operator,
  { id, reason }: { readonly id: ForeignId; readonly reason: string },
): Promise<Foreign | undefined> {
  return decideForeign(sql, {
    id,
    reason,
    by: operator.name,
    note: async (tx, { connection, entry, amount, currency }) => {
      await requireAlone(tx, operator, [await selectConnectionOwner(tx, connection)])
      const subject = `entry:${connection}/${entry}`
      const after = { amount, currency }
      await writeAudit(tx, [{ ...operator.by, action: 'statement.foreign-done', subject, after, reason }])
    },
  })
}

/** Puts what waits on this account into one file of payments. Undefined: nothing waits. */
export function makePaymentFile(
  deps: Parameters<typeof makeBatch>[0],
  { by, name }: Operator,
  connection: ConnectionId,
): Promise<MadeBatch | undefined> {
  return makeBatch(deps, {
    connection,
    by: name,
    note: async (tx, { id, payouts, sumMinor }) => {
      const after = { connection, payouts, sum: String(sumMinor) }
      await writeAudit(tx, [{ ...by, action: 'payment-file.make', subject: `payment-file:${id}`, after }])
    },
  })
}

/** Hands out a file of payments once. False: there is none, or it was taken before. */
export function takePaymentFile(
  sql: Sql,
  { by, name }: Operator,
  { id, write }: { readonly id: Id<'sepa-batch'>; readonly write: (bytes: Buffer) => Promise<void> },
): Promise<boolean> {
  return takeFile(sql, { id, by: name, write }, (tx) =>
    writeAudit(tx, [{ ...by, action: 'payment-file.take', subject: `payment-file:${id}` }]),
  )
}

/**
 * Hands out a file of payments once, as text for a download. `key` identifies this download: the same person with the same key gets the
 * same file again. Without this a lost answer would lose the file, and the payouts in it would wait for ever. Throws AppError.
 */
export async function downloadPaymentFile(
  sql: Sql,
  operator: Operator,
  { id, key }: { readonly id: Id<'sepa-batch'>; readonly key: string },
): Promise<string> {
  let content = ''
  const isTaken = await takeFile(
    sql,
    {
      id,
      by: operator.name,
      write: async (bytes) => {
        content = bytes.toString('utf8')
      },
    },
    async (tx) => {
      await writeTaking(tx, id, key)
      const audit = { ...operator.by, action: 'payment-file.take', subject: `payment-file:${id}` }
      await writeAudit(tx, [audit])
    },
  )
  if (isTaken) return content
  const again = await selectTaking(sql, { id, key, by: operator.name })
  if (again !== undefined) return again.toString('utf8')
  throw (await selectBatchExists(sql, id))
    ? new AppError(
        'invalid_state',
        'This file was taken before. It is handed out once, so that nobody pays twice.',
      )
    : noSuch('file of payments')
}
