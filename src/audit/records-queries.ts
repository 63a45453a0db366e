// What the SQL of several records needs: records by their key, page after page, with the states that their merchants must have been notified of.
import type { Fragment, Sql } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'

/** The key of a record, as in its events. */
export type Key = { readonly merchantId: MerchantId; readonly id: string }

/** Sorts before every key. */
export const minId = '00000000-0000-0000-0000-000000000000'

/** A record as it is now, by a key of its own kind. */
export type State<Id extends Key, Status extends string> = Id & {
  readonly status: Status
  readonly createdAt: Date
}

/** The next page of records of a table, by key, with their states. */
export function selectStatesOf<Id extends Key, Status extends string>(
  sql: Sql,
  table: 'refund' | 'dispute',
  after: Key | undefined,
  limit: number,
): Promise<readonly State<Id, Status>[]> {
  const { merchantId = minId, id = minId } = after ?? {}
  return sql<State<Id, Status>[]>`
    select merchant_id as "merchantId", id, status, created_at as "createdAt"
      from ${sql(table)}
     where (merchant_id, id) > (${merchantId}, ${id})
     order by merchant_id, id
     limit ${limit}`
}

// Whether one person both requested and approved something. The rule is written a second time on purpose: an inspection must not use the code
// that it inspects, which is people/person.ts and merchants/lineage.ts.

/** What is known of who requested and who decided, as a row has it. Null: nobody, or the key is not there. */
export type BothPersons = {
  readonly askedBy: string | null
  readonly askedLineage: string | null
  readonly askedPerson: string | null
  readonly askedUser: string | null
  readonly decidedBy: string | null
  readonly decidedLineage: string | null
  readonly decidedPerson: string | null
  readonly decidedUser: string | null
  /** One of the keys was handed to another person since: their names of today say nothing about then. */
  readonly isHandedSince: boolean
}

/** The columns of `BothPersons` for a table with `requested_by` and `decided_by`, which `bothJoined` joins. */
export function bothColumns(table: string, sql: Sql): Fragment {
  return sql`${sql(table)}.requested_by as "askedBy", asked.lineage as "askedLineage", asked.person as "askedPerson",
             asked_first.member as "askedUser", ${sql(table)}.decided_by as "decidedBy", decider.lineage as "decidedLineage",
             decider.person as "decidedPerson", decider_first.member as "decidedUser",
             coalesce(greatest(asked.handed_at, decider.handed_at) > ${sql(table)}.created_at, false) as "isHandedSince"`
}

/** Their keys, whichever merchant they are of. */
export function bothJoined(table: string, sql: Sql): Fragment {
  return sql`left join api_key as asked on asked.id = ${sql(table)}.requested_by
             left join api_key as asked_first on asked_first.id = coalesce(asked.lineage, asked.id)
             left join api_key as decider on decider.id = ${sql(table)}.decided_by
             left join api_key as decider_first on decider_first.id = coalesce(decider.lineage, decider.id)`
}

/** Whether one person did both. */
export function isByOne(row: BothPersons): boolean {
  if (row.askedBy === null || row.decidedBy === null) return false
  const lineages = [row.askedLineage ?? row.askedBy, row.decidedLineage ?? row.decidedBy]
  const people = row.isHandedSince ? [] : [spelled(row.askedPerson), spelled(row.decidedPerson)]
  return [lineages, people, [row.askedUser, row.decidedUser]].some(
    ([one, other]) => one !== null && one !== undefined && one !== '' && one === other,
  )
}

/** Capitals, space, a name before `<an address>` and what follows a plus sign in an address make no other person. */
function spelled(text: string | null): string {
  const plain = (text ?? '')
    .normalize('NFKC')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const last = plain.at(-1) ?? ''
  const address = last.startsWith('<') && last.endsWith('>') ? last.slice(1, -1) : plain.join(' ')
  const [local = '', domain] = address.split('@')
  return domain === undefined ? address : `${local.split('+')[0] || local}@${domain}`
}
