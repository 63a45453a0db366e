// The default wallet of a currency: received money is credited to it. Only the operator changes which one it is.
import type { Sql, Tx } from '#/db/client.ts'
import type { WalletId } from '#/kernel/id.ts'
import * as queries from './queries.ts'
import type { Wallet } from './wallet.ts'

export type DefaultVerdict =
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
