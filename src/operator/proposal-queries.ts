// The SQL of what one person of the operator has requested and another one decides.
import type { Sql, Tx } from '#/db/client.ts'
import { dueNow } from '#/db/due.ts'
import type { Id } from '#/kernel/id.ts'
import { toJson } from '#/kernel/json.ts'
import type { Actor } from '#/people/audit-entry.ts'

export type ProposalId = Id<'operator-proposal'>
export const proposalKinds = [
  'suspense.credit',
  'suspense.return',
  'end.withdrawal',
  'end.refund',
  'unrecorded.charge',
  'unrecorded.write-off',
  'unrecorded.return',
  'terms.limit',
  'terms.destination-add',
  'terms.destination-remove',
  'terms.fee',
  'freeze.end',
  'statement.correct',
] as const
export type ProposalKind = (typeof proposalKinds)[number]

export type Proposal = {
  readonly id: ProposalId
  readonly kind: ProposalKind
  /** As the audit log names it: `unmatched:id`. */
  readonly subject: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly reason: string
  readonly byKind: Actor['kind']
  readonly byId: string
  readonly byName: string
  readonly createdAt: Date
  readonly status: 'OPEN' | 'APPROVED' | 'REFUSED'
}

function columns(sql: Sql | Tx) {
  return sql`id, kind, subject, arguments, reason, by_kind as "byKind", by_id as "byId", by_name as "byName",
             created_at as "createdAt", status`
}

/** Returns false while another one about the same thing is open. */
export async function insertProposal(
  tx: Tx,
  proposal: Omit<Proposal, 'createdAt' | 'status'>,
): Promise<boolean> {
  const { id, kind, subject, reason, byKind, byId, byName } = proposal
  const result = await tx`
    insert into operator_proposal (id, kind, subject, arguments, reason, by_kind, by_id, by_name, created_at)
    values (${id}, ${kind}, ${subject}, ${toJson(proposal.arguments)}::text::json, ${reason}, ${byKind}, ${byId}, ${byName},
            ${dueNow(tx)})
        on conflict (subject) where status = 'OPEN' do nothing`
  return result.count === 1
}

export async function selectProposal(sql: Sql | Tx, id: ProposalId): Promise<Proposal | undefined> {
  const [row] = await sql<Proposal[]>`select ${columns(sql)} from operator_proposal where id = ${id}`
  return row
}

/** One page of those that wait, the oldest first. */
export function selectOpenProposals(
  sql: Sql,
  page: { readonly after?: ProposalId; readonly limit: number },
): Promise<readonly Proposal[]> {
  return sql<Proposal[]>`
    select ${columns(sql)}
      from operator_proposal
     where status = 'OPEN' ${page.after === undefined ? sql`` : sql`and id > ${page.after}`}
     order by id
     limit ${page.limit}`
}

/** Decides one that is open. Returns false for any other. */
export async function decideProposal(
  tx: Tx,
  id: ProposalId,
  status: 'APPROVED' | 'REFUSED',
  by: { readonly actor: Actor; readonly name: string },
): Promise<boolean> {
  const result = await tx`
    update operator_proposal
       set status = ${status}, decided_kind = ${by.actor.kind}, decided_id = ${by.actor.id}, decided_name = ${by.name},
           decided_at = ${dueNow(tx)}
     where id = ${id} and status = 'OPEN'`
  return result.count === 1
}
