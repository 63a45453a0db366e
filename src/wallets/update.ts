// What a merchant may change of a wallet: its name, and whether it pays.
import type { Sql, Tx } from '#/db/client.ts'
import type { MerchantId, WalletId } from '#/kernel/id.ts'
import { runnable, type RunnableKind } from '#/ledger/kind.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import * as queries from './queries.ts'
import type { Wallet } from './wallet.ts'

export type UpdateWalletItem = {
  readonly merchantId: MerchantId
  readonly id: WalletId
  readonly change: { readonly label?: string; readonly isActive?: boolean }
}

type UpdateWalletVerdict =
  | { readonly kind: 'updated'; readonly wallet: Wallet }
  | { readonly kind: 'not_found' }
  /** A default wallet is always active: money that is received needs a place. */
  | { readonly kind: 'is_default' }

type UpdateWalletKind = RunnableKind<UpdateWalletItem, UpdateWalletVerdict, EventDraft>

/** Changes wallets, as a kind of work for the ledger lane. One kind for the whole process. */
export const updateWalletKind: UpdateWalletKind = runnable<
  UpdateWalletItem,
  Map<string, Wallet>,
  Wallet,
  UpdateWalletVerdict,
  EventDraft
>({
  name: 'change a wallet',
  async load({ tx }, items) {
    const found = await queries.selectWalletsById(tx, items)
    return new Map(found.map((wallet) => [`${wallet.merchantId}/${wallet.id}`, wallet]))
  },
  decide(view, { merchantId, id, change }) {
    const wallet = view.get(`${merchantId}/${id}`)
    if (wallet === undefined) return { verdict: { kind: 'not_found' } }
    if (wallet.isDefault && change.isActive === false) return { verdict: { kind: 'is_default' } }
    const changed: Wallet = { ...wallet, ...change }
    const isSame = changed.label === wallet.label && changed.isActive === wallet.isActive
    if (isSame) return { verdict: { kind: 'updated', wallet } }
    const next: Wallet = { ...changed, version: wallet.version + 1 }
    view.set(`${merchantId}/${id}`, next)
    return { verdict: { kind: 'updated', wallet: next }, change: next }
  },
  write: ({ tx }, wallets) => queries.updateWallets(tx, wallets),
})

// The default wallet of a currency: received money is credited to it. Only the operator changes which one it is.

type DefaultVerdict =
  | { readonly kind: 'changed' | 'already'; readonly wallet: Wallet }
  /** A default wallet is active and SPENDABLE. */
  | { readonly kind: 'refused'; readonly wallet: Wallet }
  | { readonly kind: 'not_found' }

/**
 * Makes a wallet the default of its merchant and currency instead of the present one. Holds the lock on the books' head
 * meanwhile, so that no decision of the ledger lane finds two defaults or none, and no request deactivates the wallet at the
 * same time. `also` runs in the transaction of a change.
 */
export function makeDefaultWallet(
  sql: Sql,
  id: WalletId,
  also?: (tx: Tx, wallet: Wallet) => Promise<void>,
): Promise<DefaultVerdict> {
  return sql.begin(async (tx): Promise<DefaultVerdict> => {
    await queries.holdHead(tx)
    const wallet = await queries.selectWalletOfAny(tx, id)
    if (wallet === undefined) return { kind: 'not_found' }
    if (wallet.isDefault) return { kind: 'already', wallet }
    if (!wallet.isActive || wallet.walletType !== 'SPENDABLE') return { kind: 'refused', wallet }
    await queries.setDefaultWallet(tx, wallet)
    await also?.(tx, wallet)
    return { kind: 'changed', wallet: { ...wallet, isDefault: true, version: wallet.version + 1 } }
  })
}
