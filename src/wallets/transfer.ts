// Own transfers: a merchant moves money from one wallet to another of the same currency, at once and for good.
// Inspected by audit/wallets.ts and audit/transfer-notifications.ts.
import type { Mode } from '#/kernel/mode.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import { amountFromJson, roomIn } from '#/kernel/money.ts'
import { walletAvailable } from '#/ledger/chart.ts'
import { runnable, type Batch, type RunnableKind } from '#/ledger/kind.ts'
import { ownTransfer } from '#/ledger/recipes.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import {
  fingerprintOf,
  ownTransferRecord,
  type OwnTransfer,
  type OwnTransferId,
  type OwnTransferRequest,
} from './own-transfer.ts'
import { selectWalletsById } from './queries.ts'
import * as queries from './transfer-queries.ts'
import type { Wallet } from './wallet.ts'

export type OwnTransferItem = {
  readonly merchantId: MerchantId
  readonly mode: Mode
  readonly id: OwnTransferId
  readonly request: OwnTransferRequest
  readonly idempotencyKey?: string
}

export type OwnTransferVerdict =
  | { readonly kind: 'created' | 'replayed'; readonly transfer: OwnTransfer }
  /** The key created this transfer before, with another request. */
  | { readonly kind: 'conflict'; readonly transfer: OwnTransfer }
  /** The merchant has no such wallet. */
  | { readonly kind: 'unknown_wallet'; readonly field: 'fromWalletId' | 'toWalletId' }
  | { readonly kind: 'other_currency'; readonly from: Wallet; readonly to: Wallet }
  /** The wallet that would pay is inactive. */
  | { readonly kind: 'not_spendable' }
  | { readonly kind: 'insufficient_funds' }
  /** The other wallet would hold more than an answer can express. */
  | { readonly kind: 'too_much'; readonly roomMinor: bigint }

export type OwnTransferKind = RunnableKind<OwnTransferItem, OwnTransferVerdict, EventDraft>

type Earlier = { readonly transfer: OwnTransfer; readonly fingerprint: Buffer }
type View = { readonly byKey: Map<string, Earlier>; readonly wallets: ReadonlyMap<string, Wallet> }

/** Moves money between the merchant's own wallets, as a kind of work for the ledger lane. One kind for the whole process. */
export const ownTransferKind: OwnTransferKind = runnable<
  OwnTransferItem,
  View,
  queries.NewOwnTransfer,
  OwnTransferVerdict,
  EventDraft
>({
  name: 'transfer between own wallets',
  bytesOf: ({ request }) => 1_024 + (request.metadata === undefined ? 0 : canonicalJson(request).length),
  load,
  decide(view, item, { books, at }) {
    const { merchantId, mode, id, request, idempotencyKey } = item
    const fingerprint = fingerprintOf(request)
    const earlier =
      idempotencyKey === undefined ? undefined : view.byKey.get(`${merchantId}/${idempotencyKey}`)
    if (earlier !== undefined) {
      const kind = earlier.fingerprint.equals(fingerprint) ? 'replayed' : 'conflict'
      return { verdict: { kind, transfer: earlier.transfer } }
    }
    const [from, to] = [request.fromWalletId, request.toWalletId].map((each) =>
      view.wallets.get(`${merchantId}/${each}`),
    )
    if (from === undefined) return { verdict: { kind: 'unknown_wallet', field: 'fromWalletId' } }
    if (to === undefined) return { verdict: { kind: 'unknown_wallet', field: 'toWalletId' } }
    if (from.currency !== to.currency) return { verdict: { kind: 'other_currency', from, to } }
    if (!from.isActive) return { verdict: { kind: 'not_spendable' } }
    const occasion = { subject: id, ordinal: 1, cause: fingerprint }
    const accounts = { from: accountOf(mode, from), to: accountOf(mode, to) }
    const roomMinor = roomIn(books.balance(accounts.to))
    if (amountFromJson(request.amount) > roomMinor) return { verdict: { kind: 'too_much', roomMinor } }
    const posted = books.post(ownTransfer(occasion, accounts, amountFromJson(request.amount)))
    if (!posted.ok) return { verdict: { kind: 'insufficient_funds' } }
    const transfer: OwnTransfer = { merchantId, id, request, currency: from.currency, createdAt: at }
    if (idempotencyKey !== undefined)
      view.byKey.set(`${merchantId}/${idempotencyKey}`, { transfer, fingerprint })
    return {
      verdict: { kind: 'created', transfer },
      change: { ...transfer, fingerprint, idempotencyKey },
      events: [transferCompleted(mode, transfer)],
    }
  },
  write: ({ tx }, transfers) => queries.insertOwnTransfers(tx, transfers),
})

/** The one event of a transfer, which never changes. No URL belongs to it. */
function transferCompleted(mode: Mode, transfer: OwnTransfer): EventDraft {
  const { merchantId, id } = transfer
  const data = ownTransferRecord(mode, transfer)
  return { merchantId, mode, type: 'transfer.completed', resourceId: id, data }
}

async function load(
  { tx, books }: Pick<Batch, 'tx' | 'books'>,
  items: readonly OwnTransferItem[],
): Promise<View> {
  const keys = items.flatMap(({ merchantId, idempotencyKey }) =>
    idempotencyKey === undefined ? [] : [{ merchantId, key: idempotencyKey }],
  )
  const wanted = items.flatMap(({ merchantId, request }) =>
    [request.fromWalletId, request.toWalletId].map((id) => ({ merchantId, id })),
  )
  const [stored, found] = await Promise.all([
    keys.length === 0 ? [] : queries.selectOwnTransfersByKey(tx, keys),
    selectWalletsById(tx, wanted),
  ])
  const wallets = new Map(found.map((wallet) => [`${wallet.merchantId}/${wallet.id}`, wallet]))
  const accounts = items.flatMap(({ merchantId, mode, request }) =>
    [request.fromWalletId, request.toWalletId].flatMap((id) => {
      const wallet = wallets.get(`${merchantId}/${id}`)
      return wallet === undefined ? [] : [accountOf(mode, wallet)]
    }),
  )
  await books.load(accounts)
  return { byKey: new Map(stored.map((each) => [`${each.transfer.merchantId}/${each.key}`, each])), wallets }
}

function accountOf(mode: Mode, { id, currency }: Wallet) {
  return walletAvailable(mode, id, currency)
}
