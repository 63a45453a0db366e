// What one person of the operator requests and another one decides. Nobody approves their own.
import type { Sql, Tx } from '#/db/client.ts'
import { AppError, noSuch } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { personActing, objectionTo } from '#/people/person.ts'
import type { Operator } from './deps.ts'
import { requireOutsider } from './interest.ts'
import * as queries from './proposal-queries.ts'
import type { Proposal, ProposalId, ProposalKind } from './proposal-queries.ts'

/** How the audit log names a request of this kind, and its refusal. */
const actions: Readonly<Record<ProposalKind, { readonly request: string; readonly refuse: string }>> = {
  'suspense.credit': { request: 'suspense.propose', refuse: 'suspense.refuse' },
  'suspense.return': { request: 'suspense.propose', refuse: 'suspense.refuse' },
  'end.withdrawal': { request: 'payout.propose-end', refuse: 'payout.refuse-end' },
  'end.refund': { request: 'payout.propose-end', refuse: 'payout.refuse-end' },
  'unrecorded.charge': { request: 'unrecorded.propose', refuse: 'unrecorded.refuse' },
  'unrecorded.write-off': { request: 'unrecorded.propose', refuse: 'unrecorded.refuse' },
  'unrecorded.return': { request: 'unrecorded.propose', refuse: 'unrecorded.refuse' },
  'terms.limit': { request: 'terms.propose', refuse: 'terms.refuse' },
  'terms.destination-add': { request: 'terms.propose', refuse: 'terms.refuse' },
  'terms.destination-remove': { request: 'terms.propose', refuse: 'terms.refuse' },
  'terms.fee': { request: 'terms.propose', refuse: 'terms.refuse' },
  'statement.correct': { request: 'statement.propose', refuse: 'statement.refuse-correction' },
  'freeze.end': { request: 'terms.propose', refuse: 'terms.refuse' },
}

/** Requests a decision of another person. Throws 409 while one about the same subject is open. */
export async function propose(
  sql: Sql,
  { by, name }: Operator,
  request: Pick<Proposal, 'kind' | 'subject' | 'arguments'> & {
    readonly reason: string | undefined
    readonly merchantId?: MerchantId
    /** The merchants whose members may not decide about it among themselves. Nulls are left out. */
    readonly concerned: readonly (MerchantId | null | undefined)[]
  },
): Promise<Proposal> {
  const { kind, subject, reason, merchantId } = request
  if (reason === undefined)
    throw new AppError('invalid_request', 'Say why: another person decides about it, and reads the reason.')
  const proposal = {
    id: newId<'operator-proposal'>(),
    kind,
    subject,
    arguments: { ...request.arguments, concerned: request.concerned.flatMap((each) => each ?? []) },
    reason,
    byKind: by.actor.kind,
    byId: by.actor.id,
    byName: name,
  }
  return sql.begin(async (tx): Promise<Proposal> => {
    if (!(await queries.insertProposal(tx, proposal)))
      throw new AppError(
        'invalid_state',
        'A decision about this money is requested already: another person decides about it.',
      )
    await writeAudit(tx, [
      {
        ...by,
        action: actions[kind].request,
        subject,
        ...given({ merchantId }),
        after: { proposal: proposal.id, kind },
        reason,
      },
    ])
    return requireOpen(await queries.selectProposal(tx, proposal.id))
  })
}

/**
 * The request, if this person may approve it. A person has one name at the command line and another one in the console, so only within one
 * of them can two people be told apart. A request is therefore approved where it was made.
 */
export async function requireOthers(sql: Sql, operator: Operator, id: ProposalId): Promise<Proposal> {
  const { by } = operator
  const proposal = requireOpen(await queries.selectProposal(sql, id))
  if (proposal.byKind !== by.actor.kind)
    throw new AppError(
      'invalid_state',
      proposal.byKind === 'USER'
        ? 'It was requested in the console: another operator approves it there.'
        : 'It was requested at the command line: another person approves it there, with ./vintem suspense approve.',
    )
  const requester = { kind: proposal.byKind, id: proposal.byId }
  const [decider, asker] = await Promise.all([personActing(sql, by.actor), personActing(sql, requester)])
  const objection = objectionTo(decider, [asker])
  if (objection !== undefined)
    throw new AppError('forbidden', 'Nobody approves what they requested: another person does.', {
      extra: { reason: objection },
    })
  await requireOutsider(sql, { requested: requester, approves: operator }, concernedBy(proposal))
  return proposal
}

/** A request from before the members counted says only whom it is about. */
function concernedBy({ arguments: given }: Proposal): readonly MerchantId[] {
  const { concerned, merchantId } = given as {
    readonly concerned?: readonly MerchantId[]
    readonly merchantId?: MerchantId
  }
  return concerned ?? (merchantId === undefined ? [] : [merchantId])
}

/** Records the approval, in the transaction that carries it out. */
export function recordApproval(id: ProposalId, { by, name }: Operator): (tx: Tx) => Promise<void> {
  return async (tx) => {
    if (!(await queries.decideProposal(tx, id, 'APPROVED', { actor: by.actor, name }))) throw decided()
  }
}

/** Refuses a request; also whoever made it may take it back. */
export async function refuseProposal(
  sql: Sql,
  { by, name }: Operator,
  id: ProposalId,
  reason: string,
): Promise<void> {
  await sql.begin(async (tx) => {
    const { subject, kind } = requireOpen(await queries.selectProposal(tx, id))
    if (!(await queries.decideProposal(tx, id, 'REFUSED', { actor: by.actor, name }))) throw decided()
    const entry = { ...by, action: actions[kind].refuse, subject, before: { proposal: id }, reason }
    await writeAudit(tx, [entry])
  })
}

function requireOpen(proposal: Proposal | undefined): Proposal {
  if (proposal === undefined) throw noSuch('request')
  if (proposal.status !== 'OPEN') throw decided()
  return proposal
}

function decided(): AppError {
  return new AppError('invalid_state', 'It was decided before.')
}
