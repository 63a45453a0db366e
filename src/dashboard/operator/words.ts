// What the console's routes share: who does it, why, and pages.
import { Type as T } from 'typebox'
import { readCursor, writeCursor } from '#/http/query.ts'
import { AppError } from '#/kernel/error.ts'
import { isUuid, type MerchantId } from '#/kernel/id.ts'
import { modes } from '#/kernel/mode.ts'
import { oneOf } from '#/kernel/schema.ts'
import type { Operator } from '#/operator/deps.ts'
import { haltReasonKeys } from '#/operator/halts.ts'
import type { After } from '#/operator/sepa-queries.ts'
import type { By } from '#/people/audit-entry.ts'
import type { Visitor } from '../visitor.ts'

/** The person at the console. */
export function operatorOf({ visitor, by }: { readonly visitor: Visitor; readonly by: By }): Operator {
  return { by, name: visitor.user.email, isSandboxHere: visitor.isSandboxHere }
}

const text = (description: string) => T.String({ minLength: 1, maxLength: 500, pattern: '\\S', description })

/** The reason, where it is required. */
export const reason = text('Why. Kept in the audit log.')

/** The reason, where it is optional. */
export const anyReason = T.Optional(reason)

export const mode = oneOf('Mode', modes, 'Whose money it is.')

/** The reason as the acts take it: absent instead of undefined. */
export function because(given: string | undefined): { readonly reason?: string } {
  return given === undefined ? {} : { reason: given.trim() }
}

/**
 * Where the next page of a list in the order of time begins: the cursor holds the microseconds, and what distinguishes rows of the same
 * time.
 */
export function afterOf(
  cursor: string | undefined,
  ...checks: readonly ((part: string) => boolean)[]
): After | undefined {
  if (cursor === undefined) return undefined
  const [atUs = '', ...parts] = readCursor(cursor, (part) => /^\d{1,17}$/.test(part), ...checks)
  return { atUs, parts }
}

/** One page out of `limit + 1` rows of such a list. */
export function pageByTime<Row extends { readonly atUs: string }, Shown>(
  found: readonly Row[],
  limit: number,
  {
    recordOf,
    partsOf,
  }: {
    readonly recordOf: (row: Row) => Shown
    readonly partsOf: (row: Row) => readonly string[]
  },
) {
  const page = found.slice(0, limit)
  const last = page.at(-1)
  const data = page.map(recordOf)
  if (found.length <= limit || last === undefined) return { data }
  return { data, nextCursor: writeCursor([last.atUs, ...partsOf(last)]) }
}

/** The merchant of a query. 400 for what is no id. */
export function merchantOf(text: string): MerchantId {
  const id = text.toLowerCase()
  if (!isUuid(id)) throw new AppError('invalid_request', 'The merchant’s id is no UUID.')
  return id as MerchantId
}

/** Why something of a chain stands still, as a key with its values. Absent where it has none. */
export const haltReason = T.Object(
  {
    key: oneOf('HaltKey', haltReasonKeys, 'Pages have a sentence for each.'),
    values: T.Record(T.String(), T.String()),
  },
  { title: 'HaltReason' },
)

/** Fields as they are: of settings and of records that a job or the audit log holds. */
export const fields = T.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  additionalProperties: true,
})
