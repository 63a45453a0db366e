// What lies in wallets now: for each of them, and for each currency in all of them together.
import type { Sql } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import * as chart from '#/ledger/chart.ts'
import * as queries from './queries.ts'
import { walletCurrencies, walletRecord, walletTypes, type Balances, type Wallet } from './wallet.ts'

type Owner = { readonly id: MerchantId; readonly mode: chart.Mode }

/** These wallets with their balances, all of one instant, as the API shows them. */
export async function walletRecords(
  sql: Sql,
  owner: Owner,
  wallets: readonly Wallet[],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { balances } = await queries.selectBalances(
    sql,
    owner.mode,
    wallets.flatMap((wallet) => accountNames(owner, wallet)),
  )
  const minors = new Map(balances.map(({ name, minor }) => [name, minor]))
  return wallets.map((wallet) => walletRecord(wallet, balancesOf(owner, wallet, minors)))
}

/** The sums of each currency that the merchant has a wallet in, with what the merchant owes in it. */
export async function consolidatedBalance(
  sql: Sql,
  owner: Owner,
): Promise<Readonly<Record<string, unknown>>> {
  const wallets = await queries.selectWallets(sql, owner.id)
  const owed = new Map(
    walletCurrencies.map((each) => [each, chart.receivable(owner.mode, owner.id, each).name]),
  )
  const names = [...wallets.flatMap((wallet) => accountNames(owner, wallet)), ...owed.values()]
  const { at, balances } = await queries.selectBalances(sql, owner.mode, names)
  const minors = new Map(balances.map(({ name, minor }) => [name, minor]))
  const data = walletCurrencies.flatMap((currency) => {
    const own = wallets.filter((wallet) => wallet.currency === currency)
    if (own.length === 0) return []
    const sumsOf = (each: readonly Wallet[]) => sums(each.map((wallet) => balancesOf(owner, wallet, minors)))
    const byWalletType = walletTypes.flatMap((walletType) => {
      const ofType = own.filter((wallet) => wallet.walletType === walletType)
      return ofType.length === 0 ? [] : [{ walletType, ...sumsOf(ofType) }]
    })
    return [{ currency, ...sumsOf(own), owed: minors.get(owed.get(currency) ?? '') ?? 0n, byWalletType }]
  })
  return { data, asOf: at.toISOString() }
}

function accountNames(owner: Owner, wallet: Wallet): readonly string[] {
  return Object.values(accountsOf(owner, wallet)).map((account) => account.name)
}

function accountsOf({ mode }: Owner, { id, currency }: { readonly id: string; readonly currency: Currency }) {
  return {
    available: chart.walletAvailable(mode, id, currency),
    pending: chart.walletPending(mode, id, currency),
    held: chart.walletHeld(mode, id, currency),
  }
}

function balancesOf(owner: Owner, wallet: Wallet, minors: ReadonlyMap<string, bigint>): Balances {
  const { available, pending, held } = accountsOf(owner, wallet)
  return {
    availableMinor: minors.get(available.name) ?? 0n,
    pendingMinor: minors.get(pending.name) ?? 0n,
    heldMinor: minors.get(held.name) ?? 0n,
  }
}

function sums(
  all: readonly Balances[],
): Readonly<Record<'balance' | 'pendingBalance' | 'heldBalance', bigint>> {
  return {
    balance: all.reduce((sum, each) => sum + each.availableMinor, 0n),
    pendingBalance: all.reduce((sum, each) => sum + each.pendingMinor, 0n),
    heldBalance: all.reduce((sum, each) => sum + each.heldMinor, 0n),
  }
}
