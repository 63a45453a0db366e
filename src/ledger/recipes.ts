// Recipes: which transfers each event makes, debit → credit. Nothing else in the product names two accounts together.
//
//   event                     debit → credit
//   seen, authorised          seen → pending
//   orphaned, voided          pending → seen
//   paid                      pending → seen (what was announced) · arrival → available · available → fees ·
//                             available → receivable (what repays a debt)
import type { Posting } from './apply.ts'
import type { AccountSpec } from './chart.ts'

/** What all postings of one event share. `ordinal` numbers the event within its subject. */
export type Occasion = { readonly subject: string; readonly ordinal: number; readonly cause: Buffer }

export type IncomingAccounts = {
  readonly seen: AccountSpec
  readonly pending: AccountSpec
  readonly available: AccountSpec
  readonly fees: AccountSpec
  readonly receivable: AccountSpec
}

/** Money is on its way to a wallet: mined or authorised, not final. */
export function sighted(occasion: Occasion, accounts: IncomingAccounts, minor: bigint): readonly Posting[] {
  return [posting(occasion, 'pending', 'PENDING', accounts.seen, accounts.pending, minor)]
}

/** Money that was on its way is not any more: orphaned or voided. Also the first step of its arrival. */
export function unsighted(occasion: Occasion, accounts: IncomingAccounts, minor: bigint): readonly Posting[] {
  return [posting(occasion, 'unpending', 'PENDING', accounts.pending, accounts.seen, minor)]
}

/**
 * Final money arrives: what was announced of it leaves pending; then the wallet gets the full amount, pays our fee, and
 * repays what the merchant owes, in this order, so that the statement shows each.
 */
export function paid(
  occasion: Occasion,
  accounts: IncomingAccounts & { readonly arrival: AccountSpec },
  amounts: { readonly announced: bigint; readonly arrived: bigint; readonly fee: bigint },
): readonly Posting[] {
  const { arrival, available, fees, receivable } = accounts
  return [
    ...unsighted(occasion, accounts, amounts.announced),
    posting(occasion, 'credit', 'PAYMENT', arrival, available, amounts.arrived),
    posting(occasion, 'fee', 'FEE', available, fees, amounts.fee),
    {
      ...posting(
        occasion,
        'repay',
        'RECEIVABLE_REPAID',
        available,
        receivable,
        amounts.arrived - amounts.fee,
      ),
      upTo: true,
    },
  ]
}

function posting(
  { subject, ordinal, cause }: Occasion,
  step: string,
  kind: string,
  debit: AccountSpec,
  credit: AccountSpec,
  minor: bigint,
): Posting {
  return { subject, step: `${ordinal}.${step}`, kind, debit, credit, minor, cause }
}
