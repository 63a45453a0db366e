// Two people credit coins of unknown origin to a merchant: one proposes the merchant, another confirms. Only then the coins are
// credited, once.
import type { Tx } from '#/db/client.ts'
import type { ConnectionId, MerchantId, WalletId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { sha256 } from '#/kernel/secret.ts'
import * as chart from '#/ledger/chart.ts'
import type { Batch, Closed, RunnableKind } from '#/ledger/kind.ts'
import * as recipes from '#/ledger/recipes.ts'
import type { AuditEntry } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { loadParents, type Parents } from '#/wallets/parent-debt.ts'
import { pureKind, type Decided, type Reading } from '#/wallets/pure-kind.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { creditAccounts } from './accounts.ts'
import { loadOwners, walletKey, type Owners } from './view-wallets.ts'

/** The proposal of the first person. */
export type OwnerProposal = {
  readonly move: string
  readonly mode: Mode
  readonly connection: ConnectionId
  readonly minor: bigint
  readonly merchantId: MerchantId
  readonly proposedBy: string
  readonly confirmedBy: string | null
}

export type ConfirmedOwner = { readonly move: string; readonly walletId: WalletId; readonly by: string }

/** Where proposals are kept. */
export type OwnerProposals = {
  load(tx: Tx, moves: readonly string[]): Promise<readonly OwnerProposal[]>
  save(tx: Tx, confirmed: readonly ConfirmedOwner[], at: Date): Promise<void>
}

/** `by` confirms the proposal. */
export type OwnerConfirmation = {
  readonly move: string
  readonly by: string
  /** Who had proposed it when it was asked whether both are one person, and the answer. */
  readonly judged?: { readonly proposedBy: string; readonly isOnePerson: boolean } | undefined
  /** Who confirmed, written in the transaction that moves the coins. */
  readonly audit?: AuditEntry
}

type Change = { readonly confirmed: ConfirmedOwner; readonly audit: AuditEntry | undefined }

export type OwnerVerdict =
  | { readonly kind: 'credited'; readonly proposal: OwnerProposal; readonly walletId: WalletId }
  | { readonly kind: 'not_proposed' }
  /**
   * - `same_person`: the person who proposed it may not confirm it.
   * - `other_place`: one of the two is at the command line and the other in the console, where one person has two names.
   * - `already`: it was confirmed before.
   */
  | { readonly kind: 'same_person' | 'other_place' | 'already'; readonly proposal: OwnerProposal }
  /** `unbookable`: an account that it would move is in another currency. */
  | {
      readonly kind: 'unknown_merchant' | 'other_mode' | 'no_wallet' | 'unbookable'
      readonly proposal: OwnerProposal
    }

/** How a user of the console is named in proposals. No name that is given at the command line has a colon. */
export function consoleName(userId: string): string {
  return `${consolePrefix}${userId}`
}

const consolePrefix = 'user:'

function isOfConsole(name: string): boolean {
  return name.startsWith(consolePrefix)
}

export type OwnerKind = RunnableKind<OwnerConfirmation, OwnerVerdict, EventDraft>

type View = Owners & {
  readonly proposals: Map<string, OwnerProposal>
  readonly parents: Parents
}

/** The second person's confirmation, as a kind of work for the ledger lane. */
export function ownerKind(store: OwnerProposals): OwnerKind {
  return pureKind<OwnerConfirmation, View, Change, OwnerVerdict>({
    name: 'credit found coins',
    load: (batch, items) => load(batch, store, items),
    decide,
    keep({ proposals }, { verdict, change: { confirmed } }) {
      if (verdict.kind !== 'credited') return
      proposals.set(confirmed.move, { ...verdict.proposal, confirmedBy: confirmed.by })
    },
    async write({ tx, at }, changes) {
      await store.save(
        tx,
        changes.map(({ confirmed }) => confirmed),
        at,
      )
      await writeAudit(
        tx,
        changes.flatMap(({ audit }) => audit ?? []),
      )
    },
  })
}

async function load(
  { tx, books, at }: Batch,
  store: OwnerProposals,
  items: readonly OwnerConfirmation[],
): Promise<View> {
  const proposals = await store.load(
    tx,
    items.map(({ move }) => move),
  )
  const merchantIds = proposals.map(({ merchantId }) => merchantId)
  const owners = await loadOwners(tx, merchantIds, ['USDT'])
  const view = { proposals: new Map(proposals.map((each) => [each.move, each])), ...owners }
  await books.load(
    proposals.flatMap((proposal) => {
      const walletId = walletOf(view, proposal)
      return walletId === undefined ? [] : Object.values(accountsOf(proposal, walletId))
    }),
  )
  const debtors = proposals.flatMap((each) =>
    walletOf(view, each) === undefined ? [] : [{ ...each, currency: 'USDT' as const }],
  )
  return { ...view, parents: await loadParents({ tx, books, at }, debtors) }
}

function decide(
  view: Closed<View>,
  { move, by, judged, audit }: OwnerConfirmation,
  { books }: Reading,
): Decided<Change, OwnerVerdict> {
  const proposal = view.proposals.get(move)
  if (proposal === undefined) return { verdict: { kind: 'not_proposed' } }
  if (proposal.confirmedBy !== null) return { verdict: { kind: 'already', proposal } }
  // A proposal that is not the one that was judged may be anybody's.
  const isOnes = judged !== undefined && (judged.isOnePerson || judged.proposedBy !== proposal.proposedBy)
  if (proposal.proposedBy === by || isOnes) return { verdict: { kind: 'same_person', proposal } }
  if (isOfConsole(proposal.proposedBy) !== isOfConsole(by))
    return { verdict: { kind: 'other_place', proposal } }
  const mode = view.modes.get(proposal.merchantId)
  if (mode === undefined) return { verdict: { kind: 'unknown_merchant', proposal } }
  if (mode !== proposal.mode) return { verdict: { kind: 'other_mode', proposal } }
  const walletId = walletOf(view, proposal)
  if (walletId === undefined) return { verdict: { kind: 'no_wallet', proposal } }
  const accounts = accountsOf(proposal, walletId)
  if (!Object.values(accounts).every((account) => books.accepts(account)))
    return { verdict: { kind: 'unbookable', proposal } }
  // The bytes behind these transfers are the decision as its row keeps it.
  const decision = [move, proposal.merchantId, walletId, proposal.proposedBy, by].join('/')
  const occasion: recipes.Occasion = { subject: move, ordinal: 2, cause: sha256(decision) }
  const { merchantId, minor } = proposal
  return {
    verdict: { kind: 'credited', proposal, walletId },
    change: { confirmed: { move, walletId, by }, audit },
    postings: recipes.unsuspended(occasion, accounts, minor),
    repays: { parents: view.parents, occasion, merchantId, currency: 'USDT', available: accounts.available },
  }
}

function walletOf({ defaults }: Closed<Owners>, { merchantId }: OwnerProposal): WalletId | undefined {
  return defaults.get(walletKey({ merchantId, currency: 'USDT' }))
}

function accountsOf({ mode, connection, merchantId }: OwnerProposal, walletId: WalletId) {
  const suspense = chart.suspense(mode, connection, 'USDT')
  return { suspense, ...creditAccounts({ mode, merchantId, currency: 'USDT' }, walletId) }
}
