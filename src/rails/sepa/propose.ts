// A transfer whose reference has a typo waits for a person, who says whether the money belongs to the payment. That is decided
// once, and the money is booked only then. Inspected by audit/rails/sepa-entries.ts.
import type { Sql, Tx } from '#/db/client.ts'
import type { ConnectionId, MerchantId, PaymentId } from '#/kernel/id.ts'
import { keepMovements, type ImportDeps } from './import.ts'
import { entryOfRef, providerRefOf } from './receipts.ts'
import { signalOf } from './signals.ts'
import { decideProposal, selectProposals, type ProposalRow } from './statement-queries.ts'
import { remittanceText } from './texts.ts'

/** A transfer whose reference differs from one of ours by a typo. */
export type Proposal = {
  readonly connection: ConnectionId
  /** The bank's name of the money. */
  readonly entry: string
  readonly minor: bigint
  readonly bookedOn: string
  /** What the payer wrote, and the reference that it nearly is. */
  readonly wrote: string
  readonly near: string
  readonly payer: string
  readonly merchantId: MerchantId
  readonly paymentId: PaymentId
}

/** At most this many are shown; the oldest first. */
const shownMax = 500

export async function listProposals(sql: Sql): Promise<readonly Proposal[]> {
  return (await selectProposals(sql, shownMax)).map(proposalOf)
}

type Decision = Pick<Proposal, 'connection' | 'entry'> & {
  readonly isPayments: boolean
  /** Runs in the transaction of the decision. */
  readonly note?: (tx: Tx, proposal: Proposal) => Promise<void>
}

/**
 * Decides a proposal. `isPayments`: the money belongs to the payment, and is booked as if the reference had been right; otherwise
 * it goes to suspense. Undefined: there is no proposal of this name, or it was decided before.
 */
export async function decide(
  { sql, keep }: Pick<ImportDeps, 'sql' | 'keep'>,
  { connection, entry, isPayments, note }: Decision,
): Promise<Proposal | undefined> {
  return sql.begin(async (tx) => {
    const kind = isPayments ? 'PAID' : 'UNATTRIBUTED'
    const row = await decideProposal(tx, { connection, ...entryOfRef(entry) }, kind)
    if (row === undefined) return undefined
    const { merchantId, paymentId, attemptId, fact } = row
    const owner = { id: attemptId, merchantId, paymentId, quoted: fact.quoted ?? '' }
    const signal = signalOf({ ...row, remittance: remittanceText(fact) }, isPayments ? owner : undefined)
    await keepMovements(keep, tx, connection, [signal])
    const proposal = proposalOf(row)
    await note?.(tx, proposal)
    return proposal
  })
}

/** A stored typo as a person is shown it. */
export function proposalOf({ fact, ...row }: ProposalRow): Proposal {
  const { connection, minor, bookedOn, merchantId, paymentId } = row
  const payer = [fact.party?.name, fact.party?.iban].filter((each) => each !== undefined).join(', ')
  const texts = { wrote: remittanceText(fact), near: fact.quoted ?? '', payer }
  return { connection, entry: providerRefOf(row), minor, bookedOn, ...texts, merchantId, paymentId }
}
