// Unexplained coins at the treasury: one person proposes whose they are, another one confirms, and they are credited.
import type { Sql } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Clock } from '#/kernel/time.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { personNamed, objectionTo } from '#/people/person.ts'
import { ownerKind, type OwnerVerdict } from '#/settlement/credit-found-coins.ts'
import { ownerProposals, proposeOwner } from '#/treasury/rescue.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import type { Operator } from './deps.ts'
import { selectProposedOwner } from './interest-queries.ts'
import { requireAlone } from './interest.ts'

/**
 * Proposes an owner; nothing moves. `by`: the person, where several share an account of a machine. False when there is nothing to propose
 * for.
 */
export function proposeOwnerAs(
  { sql, clock }: { readonly sql: Sql; readonly clock: Clock },
  { by }: Operator,
  proposal: {
    readonly move: string
    readonly merchantId: MerchantId
    readonly by: string
    readonly note?: string
  },
): Promise<boolean> {
  const { move, merchantId, note } = proposal
  return sql.begin(async (tx) => {
    if (!(await proposeOwner(tx, { move, merchantId, by: proposal.by, note }, clock.now()))) return false
    const entry = { subject: `coin-move:${move}`, merchantId, after: { by: proposal.by } }
    await writeAudit(tx, [{ ...by, action: 'rescue.propose', ...entry, ...given({ reason: note }) }])
    return true
  }) as Promise<boolean>
}

/**
 * Confirms another person's proposal. Throws AppError `forbidden` for a member of the merchant to which the coins would be credited. The person of the console and one of the command line cannot be told apart: both act at one place.
 */
export async function confirmOwnerAs(
  { sql, lane }: { readonly sql: Sql; readonly lane: LedgerLane<EventDraft> },
  operator: Operator,
  confirmation: { readonly move: string; readonly by: string },
): Promise<OwnerVerdict> {
  const { by } = operator
  const { move } = confirmation
  const proposed = await selectProposedOwner(sql, move)
  await requireAlone(sql, operator, [proposed?.merchantId])
  const isOnes = proposed !== undefined && (await isOneName(sql, proposed.proposedBy, confirmation.by))
  const audit = {
    ...by,
    action: 'rescue.confirm',
    subject: `coin-move:${move}`,
    after: { by: confirmation.by },
  }
  const judged = proposed && { proposedBy: proposed.proposedBy, isOnePerson: isOnes }
  return lane.submit(ownerKind(ownerProposals), { ...confirmation, audit, judged })
}

/** Whether both names are one person's, by the rule for all acts that need two. In the console a person has one name. */
async function isOneName(sql: Sql, proposedBy: string, by: string): Promise<boolean> {
  const [proposer, decider] = await Promise.all([personNamed(sql, proposedBy), personNamed(sql, by)])
  return objectionTo(decider, [proposer]) !== undefined
}

/** Why nothing was credited, for people. */
export function refusalOfOwner(verdict: Exclude<OwnerVerdict, { kind: 'credited' }>): AppError {
  switch (verdict.kind) {
    case 'not_proposed':
      return new AppError('not_found', 'No owner of these coins was proposed.')
    case 'same_person':
      return new AppError('forbidden', 'Nobody confirms what they proposed: another person does.')
    case 'other_place':
      return new AppError(
        'invalid_state',
        'It was proposed at the command line: another person confirms it there, with ./vintem rescue confirm.',
      )
    case 'already':
      return new AppError('invalid_state', 'Another person has confirmed it already.')
    case 'unknown_merchant':
      return new AppError('invalid_state', 'There is no such merchant: propose it again for the right one.')
    case 'other_mode':
      return new AppError('invalid_state', `The coins are ${verdict.proposal.mode}, the merchant is not.`)
    case 'no_wallet':
      return new AppError('invalid_state', 'The merchant has no default wallet in USDT.')
    case 'unbookable':
      return new AppError(
        'invalid_state',
        'An account that it would move is in another currency. A run of verify says which.',
      )
  }
}
