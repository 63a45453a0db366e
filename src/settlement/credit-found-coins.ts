// Coins that came and that nothing explained are a merchant's when two people say so: one proposes it, another agrees, and
// only then they move, once.
import type { AuditEntry } from '#/people/audit-entry.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Tx } from '#/db/client.ts'
import type { ConnectionId, MerchantId, WalletId } from '#/kernel/id.ts'
import { sha256 } from '#/kernel/secret.ts'
import * as chart from '#/ledger/chart.ts'
import { runnable, type Batch, type RunnableKind, type Ruling } from '#/ledger/kind.ts'
import * as recipes from '#/ledger/recipes.ts'
import { selectMerchant } from '#/merchants/queries.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { selectDefaultWallets } from '#/wallets/queries.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { postAll } from './posting.ts'

/** What one person has proposed. */
export type Claim = {
  readonly move: string
  readonly mode: Mode
  readonly connection: ConnectionId
  readonly minor: bigint
  readonly merchantId: MerchantId
  readonly proposedBy: string
  readonly confirmedBy: string | null
}

export type ConfirmedClaim = { readonly move: string; readonly walletId: WalletId; readonly by: string }

/** Where proposals are kept. */
export type ClaimBook = {
  load(tx: Tx, moves: readonly string[]): Promise<readonly Claim[]>
  save(tx: Tx, confirmed: readonly ConfirmedClaim[], at: Date): Promise<void>
}

/** `by` agrees. */
export type ClaimItem = {
  readonly move: string
  readonly by: string
  /** Who agreed, written in the transaction that moves the coins. */
  readonly audit?: AuditEntry
}

type Change = { readonly confirmed: ConfirmedClaim; readonly audit: AuditEntry | undefined }

export type ClaimVerdict =
  | { readonly kind: 'credited'; readonly claim: Claim; readonly walletId: WalletId }
  /** Nobody has proposed anything; the same person has; somebody has agreed already. */
  | { readonly kind: 'not_proposed' }
  | { readonly kind: 'same_person' | 'already'; readonly claim: Claim }
  /** `unbookable`: an account that it would move is in another currency. */
  | {
      readonly kind: 'unknown_merchant' | 'other_mode' | 'no_wallet' | 'unbookable'
      readonly claim: Claim
    }

export type ClaimKind = RunnableKind<ClaimItem, ClaimVerdict, EventDraft>

type View = {
  readonly claims: Map<string, Claim>
  readonly modes: ReadonlyMap<MerchantId, Mode>
  readonly wallets: ReadonlyMap<MerchantId, WalletId>
}

/** The second person's word, as a kind of work for the ledger lane. */
export function claimKind(book: ClaimBook): ClaimKind {
  return runnable<ClaimItem, View, Change, ClaimVerdict, EventDraft>({
    name: 'credit found coins',
    load: (batch, items) => load(batch, book, items),
    decide(view, item, batch) {
      const { change, ...ruling } = decide(view, item, batch)
      return change === undefined ? ruling : { ...ruling, change: { confirmed: change, audit: item.audit } }
    },
    async write({ tx, at }, changes) {
      await book.save(
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

async function load({ tx, books }: Batch, book: ClaimBook, items: readonly ClaimItem[]): Promise<View> {
  const claims = await book.load(
    tx,
    items.map(({ move }) => move),
  )
  const merchantIds = [...new Set(claims.map(({ merchantId }) => merchantId))]
  const [merchants, wallets] = await Promise.all([
    Promise.all(merchantIds.map((id) => selectMerchant(tx, id))),
    selectDefaultWallets(
      tx,
      merchantIds.map((merchantId) => ({ merchantId, currency: 'USDT' })),
    ),
  ])
  const view: View = {
    claims: new Map(claims.map((each) => [each.move, each])),
    modes: new Map(merchants.flatMap((each) => (each === undefined ? [] : [[each.id, each.mode] as const]))),
    wallets: new Map(wallets.map((each) => [each.merchantId, each.id])),
  }
  await books.load(
    claims.flatMap((claim) => {
      const walletId = view.wallets.get(claim.merchantId)
      return walletId === undefined ? [] : Object.values(accountsOf(claim, walletId))
    }),
  )
  return view
}

function decide(
  view: View,
  { move, by }: ClaimItem,
  batch: Pick<Batch, 'books'>,
): Ruling<ConfirmedClaim, ClaimVerdict, EventDraft> {
  const claim = view.claims.get(move)
  if (claim === undefined) return { verdict: { kind: 'not_proposed' } }
  if (claim.confirmedBy !== null) return { verdict: { kind: 'already', claim } }
  if (claim.proposedBy === by) return { verdict: { kind: 'same_person', claim } }
  const mode = view.modes.get(claim.merchantId)
  if (mode === undefined) return { verdict: { kind: 'unknown_merchant', claim } }
  if (mode !== claim.mode) return { verdict: { kind: 'other_mode', claim } }
  const walletId = view.wallets.get(claim.merchantId)
  if (walletId === undefined) return { verdict: { kind: 'no_wallet', claim } }
  const accounts = accountsOf(claim, walletId)
  if (!Object.values(accounts).every((account) => batch.books.takes(account)))
    return { verdict: { kind: 'unbookable', claim } }
  // The bytes behind these transfers are the decision as its row keeps it.
  const decision = [move, claim.merchantId, walletId, claim.proposedBy, by].join('/')
  const occasion: recipes.Occasion = { subject: move, ordinal: 2, cause: sha256(decision) }
  postAll(batch, recipes.unsuspended(occasion, accounts, claim.minor))
  view.claims.set(move, { ...claim, confirmedBy: by })
  return { verdict: { kind: 'credited', claim, walletId }, change: { move, walletId, by } }
}

function accountsOf({ mode, connection, merchantId }: Claim, walletId: WalletId) {
  return {
    suspense: chart.suspense(mode, connection, 'USDT'),
    available: chart.walletAvailable(mode, walletId, 'USDT'),
    receivable: chart.receivable(mode, merchantId, 'USDT'),
  }
}
