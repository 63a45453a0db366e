// What one person of the operator has requested and another one decides, as the console shows it.
import { Type as T } from 'typebox'
import { currency } from '#/contract/words.ts'
import { instant, oneOf, sum, uuid } from '#/kernel/schema.ts'
import { proposalKinds, type Proposal } from '#/operator/proposal-queries.ts'
import { fields } from './words.ts'

export const proposalShape = T.Object(
  {
    id: uuid(),
    kind: oneOf('ProposalKind', proposalKinds, 'What it asks for.'),
    subject: T.String({
      description: 'As the audit log names it: `unmatched:id`, `withdrawal:id`, `refund:id`.',
    }),
    arguments: fields,
    reason: T.String(),
    by: T.Object({ kind: T.String(), id: T.String(), name: T.String() }),
    createdAt: instant(),
    money: T.Optional(
      T.Object(
        { amount: sum('Minor units.'), currency, providerRef: T.String() },
        { description: 'What came, where it is about money in suspense. Only in the list.' },
      ),
    ),
    isOwn: T.Boolean({ description: 'The caller requested it, and cannot approve it.' }),
  },
  { title: 'Proposal' },
)

/** A request as the console shows it to this user. It is in a list of open ones, or was decided by the call that answers it. */
export function proposalRecord(proposal: Proposal, userId: string) {
  const { byKind, byId, byName, status: _, ...shown } = proposal
  return { ...shown, by: { kind: byKind, id: byId, name: byName }, isOwn: byId === userId }
}
