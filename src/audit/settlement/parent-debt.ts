// Explains how what became available to a sub-account repaid what it owes its parent: the same amount moves between their wallets and
// reduces the pair of accounts that records the debt, and what reached the parent may repay the parent's own debt. Pure, but for
// the loading of the parents.
// Inspects what wallets/parent-debt.ts decides.
import type { Tx } from '#/db/client.ts'
import { selectParentWallets, type TransferRow } from './queries.ts'
import { explainStep, type ParentOf, type Grounds, type Unexplained } from './replay.ts'

type Booked = Pick<TransferRow, 'subject' | 'kind' | 'debit' | 'credit' | 'minor'>

/** Loads the parents to which these transfers repaid something. `subjects`: the records of the transfers, with their merchants. */
export async function loadParentOf(
  tx: Tx,
  subjects: readonly { readonly id: string; readonly merchantId?: string | null }[],
  transfers: readonly Booked[],
): Promise<ParentOf> {
  const repaid = transfers.filter(({ kind }) => kind === 'PARENT_REPAID')
  if (repaid.length === 0) return () => undefined
  const merchantOf = new Map(subjects.map(({ id, merchantId }) => [id, merchantId]))
  const named = repaid.flatMap(({ subject, credit }) => {
    const [merchantId = null, walletId] = [merchantOf.get(subject), availableOf(credit)]
    return merchantId === null || walletId === undefined ? [] : [{ merchantId, walletId }]
  })
  const found = await selectParentWallets(tx, named)
  const parents = new Map(
    found.map((each) => [`${each.merchantId}/${each.walletId}/${each.currency}`, each.parentId]),
  )
  return (merchantId, walletId, currency) => parents.get(`${merchantId}/${walletId}/${currency}`)
}

/** Of which sub-account, and from which of its wallets. */
export type Repaying = {
  readonly merchantId: string
  readonly walletId: string | null
  readonly currency: string
  /** Of the names of the steps. */
  readonly prefix?: 'release-'
}

/** Explains the three steps, and returns what is wrong with them. `minor`: what the event left available in the wallet. */
export function explainParentRepaid(
  unexplained: Unexplained,
  ordinal: number,
  { merchantId, walletId, currency, prefix }: Repaying,
  parentOf: ParentOf,
  { minor, grounds }: { readonly minor: bigint; readonly grounds: Grounds },
): readonly string[] {
  const named = (name: string) => `${prefix ?? ''}${name}`
  const lead = unexplained.get(`${ordinal}.${named('repay-parent')}`)
  if (lead === undefined) return []
  const parentId = parentOf(merchantId, availableOf(lead.credit) ?? '', currency)
  if (parentId === undefined) return [`made transfer ${lead.number} to a wallet that is not its parent's`]
  const available = `wallet:${walletId}:available`
  const parents = lead.credit ?? ''
  const [owed, owes] = [`owed:${parentId}:${currency}`, `owes:${merchantId}:${currency}`]
  const receivable = `receivable:${parentId}:${currency}`
  const steps = [
    { name: 'repay-parent', kind: 'PARENT_REPAID', debit: available, credit: parents, upTo: true, of: minor },
    { name: 'uncover', kind: 'SHARE_COVERED', debit: owed, credit: owes, of: lead.minor },
    {
      name: 'parent-repay',
      kind: 'PLATFORM_REPAID',
      debit: parents,
      credit: receivable,
      upTo: true,
      of: lead.minor,
    },
  ] as const
  return steps.flatMap(
    ({ of, ...step }) =>
      explainStep(unexplained, ordinal, { ...step, name: named(step.name) }, { minor: of, grounds }).what ??
      [],
  )
}

/** What these transfers left available in a wallet, before it repaid the parent. */
export function leftFree(transfers: readonly Booked[], walletId: string | null): bigint {
  const available = `wallet:${walletId}:available`
  const remaining = transfers.reduce((sum, { kind, debit, credit, minor }) => {
    if (credit === available) return sum + minor
    return debit === available && kind !== 'PARENT_REPAID' ? sum - minor : sum
  }, 0n)
  return remaining < 0n ? 0n : remaining
}

function availableOf(account: string | null): string | undefined {
  return /^wallet:(.+):available$/.exec(account ?? '')?.[1]
}
