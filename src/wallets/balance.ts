// The balances of wallets, now or at any instant: of each wallet, and of all wallets of a currency together.
import type { Of } from '#/contract/record.ts'
import { type consolidated, type wallet, walletTypes } from '#/contract/wallets.ts'
import { walletCurrencies } from '#/contract/words.ts'
import type { Sql } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Currency } from '#/kernel/money.ts'
import * as chart from '#/ledger/chart.ts'
import * as queries from './queries.ts'
import { selectBalancesAt, selectAccounts } from './statement-queries.ts'
import { positionsBefore, settledAfter } from './statement.ts'
import { noBalances, walletRecord, type Balances, type Wallet } from './wallet.ts'

type Owner = { readonly id: MerchantId; readonly mode: Mode }

/** Balances by the names of accounts, all at one instant. An account that was never used has none. */
type Standing = { readonly at: Date; readonly minors: ReadonlyMap<string, bigint> }

/** These wallets with their balances now, all at one instant, as the API shows them. */
export async function walletRecords(
  sql: Sql,
  owner: Owner,
  wallets: readonly Wallet[],
): Promise<readonly Of<typeof wallet>[]> {
  const balances = await walletBalances(sql, owner, wallets)
  return wallets.map((wallet, index) => walletRecord(wallet, balances[index] ?? noBalances))
}

/** The balances of these wallets now, all at one instant, in their order. */
export async function walletBalances(
  sql: Sql,
  owner: Owner,
  wallets: readonly Wallet[],
): Promise<readonly Balances[]> {
  const { minors } = await standingNow(sql, owner, namesOf(owner, wallets))
  return wallets.map((wallet) => balancesOf(owner, wallet, minors))
}

/** A wallet with its balances now, as the API shows it. */
export async function walletRecordNow(sql: Sql, owner: Owner, of: Wallet): Promise<Of<typeof wallet>> {
  const [balances = noBalances] = await walletBalances(sql, owner, [of])
  return walletRecord(of, balances)
}

/** A wallet with its balances at an instant; everything else as it is now. */
export async function walletRecordAt(
  sql: Sql,
  owner: Owner,
  of: Wallet,
  at: Date,
): Promise<Of<typeof wallet> | 'future'> {
  const position = await positionAfter(sql, at)
  if (position === undefined) return 'future'
  const minors = await minorsAfter(sql, owner, namesOf(owner, [of]), position)
  return walletRecord(of, balancesOf(owner, of, minors), at)
}

/**
 * The sums of each currency in which the merchant has a wallet, with what the merchant owes in it: now, or at an instant.
 */
export async function consolidatedBalance(sql: Sql, owner: Owner): Promise<Of<typeof consolidated>>
export async function consolidatedBalance(
  sql: Sql,
  owner: Owner,
  at: Date | undefined,
): Promise<Of<typeof consolidated> | 'future'>
export async function consolidatedBalance(
  sql: Sql,
  owner: Owner,
  at?: Date,
): Promise<Of<typeof consolidated> | 'future'> {
  const position = at === undefined ? undefined : await positionAfter(sql, at)
  if (at !== undefined && position === undefined) return 'future'
  // Not before the position: every wallet that had moved by then must be among them.
  const wallets = await queries.selectWallets(sql, owner.id)
  const owed = new Map(
    walletCurrencies.map((each) => [each, chart.receivable(owner.mode, owner.id, each).name]),
  )
  // Of sub-accounts and their platforms: debts beside the money.
  const debts = (make: typeof chart.owes) =>
    new Map(walletCurrencies.map((each) => [each, make(owner.mode, owner.id, each).name]))
  const [toParent, bySubAccounts] = [debts(chart.owes), debts(chart.owed)]
  const names = [
    ...namesOf(owner, wallets),
    ...owed.values(),
    ...toParent.values(),
    ...bySubAccounts.values(),
  ]
  const standing =
    at === undefined || position === undefined
      ? await standingNow(sql, owner, names)
      : { at, minors: await minorsAfter(sql, owner, names, position) }
  const { minors } = standing
  const data = walletCurrencies.flatMap((currency) => {
    const ofCurrency = wallets.filter((wallet) => wallet.currency === currency)
    if (ofCurrency.length === 0) return []
    const sumsOf = (each: readonly Wallet[]) => sums(each.map((wallet) => balancesOf(owner, wallet, minors)))
    const byWalletType = walletTypes.flatMap((walletType) => {
      const selected = ofCurrency.filter((wallet) => wallet.walletType === walletType)
      return selected.length === 0 ? [] : [{ walletType, ...sumsOf(selected) }]
    })
    const minorOf = (of: ReadonlyMap<string, string>) => minors.get(of.get(currency) ?? '') ?? 0n
    const [owedToParent, owedBySubAccounts] = [minorOf(toParent), minorOf(bySubAccounts)]
    return [
      {
        currency,
        ...sumsOf(ofCurrency),
        owed: minorOf(owed),
        ...(owedToParent === 0n ? {} : { owedToParent }),
        ...(owedBySubAccounts === 0n ? {} : { owedBySubAccounts }),
        byWalletType,
      },
    ]
  })
  return { data, asOf: standing.at.toISOString() }
}

async function standingNow(sql: Sql, { mode }: Owner, names: readonly string[]): Promise<Standing> {
  const { at, balances } = await queries.selectBalances(sql, mode, names)
  return { at, minors: new Map(balances.map(({ name, minor }) => [name, minor])) }
}

/** The number of the last transfer at or before an instant, once no further one can be posted. Undefined for a future instant. */
async function positionAfter(sql: Sql, at: Date): Promise<bigint | undefined> {
  const after = await settledAfter(sql, at)
  if (after === undefined) return undefined
  const [position] = await positionsBefore(sql, [after])
  return position
}

/** The balance of each account after its last entry up to a position. */
async function minorsAfter(
  sql: Sql,
  { mode }: Owner,
  names: readonly string[],
  position: bigint,
): Promise<ReadonlyMap<string, bigint>> {
  const accounts = await selectAccounts(sql, mode, names)
  const summands = accounts.map(({ id, name }) => ({ id, sum: name }))
  const balances = await selectBalancesAt(sql, summands, [position])
  return new Map(balances.map(({ sum, minor }) => [sum, minor]))
}

function namesOf(owner: Owner, wallets: readonly Wallet[]): readonly string[] {
  return wallets.flatMap((wallet) => accountNames(owner, wallet))
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
