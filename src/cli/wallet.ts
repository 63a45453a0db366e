// `wallet`: an operator lists a merchant's wallets, and chooses the default wallet of a currency.
import { toDecimal } from '#/kernel/money.ts'
import { makeDefaultWallet } from '#/operator/acts/terms.ts'
import { walletBalances } from '#/wallets/balance.ts'
import { selectWallets } from '#/wallets/queries.ts'
import type { Balances, Wallet } from '#/wallets/wallet.ts'
import { commandsOf } from './act-commands.ts'
import { group } from './command.ts'
import { listing } from './listing.ts'
import { merchantOf } from './office.ts'
import { printRecord, type Column } from './table.ts'

const list = listing({
  summary: "Lists a merchant's wallets with their balances, oldest first",
  positionals: ['merchant-id'],
  rows: async (sql, call) => {
    const merchant = await merchantOf(call, { sql })
    const wallets = await selectWallets(sql, merchant.id)
    const balances = await walletBalances(sql, merchant, wallets)
    return wallets.map((wallet, index) => rowOf(wallet, balances[index]))
  },
  columns: () => columns,
  empty: 'This merchant has no wallets.',
  needs: 'keys',
})

export const walletCommand = group('wallet', {
  list,
  ...commandsOf(makeDefaultWallet, {
    print: ({ terminal, json }, { wallet, isChanged }) =>
      printRecord(terminal, { ...recordOf(wallet), changed: isChanged }, { labels, json }),
  }),
})

function recordOf(wallet: Wallet) {
  const { id, merchantId, currency, label, walletType, isDefault, isActive } = wallet
  return { id, merchantId, currency, label, walletType, isDefault, isActive }
}

/** As `--json` shows it: balances in minor units. */
function rowOf(wallet: Wallet, balances: Balances | undefined) {
  return {
    ...recordOf(wallet),
    balance: balances?.availableMinor ?? 0n,
    pendingBalance: balances?.pendingMinor ?? 0n,
    heldBalance: balances?.heldMinor ?? 0n,
  }
}

type Row = ReturnType<typeof rowOf>

const amount = (name: string, minorOf: (row: Row) => bigint): Column<Row> => ({
  name,
  value: (row) => toDecimal({ minor: minorOf(row), currency: row.currency }),
  align: 'right',
})

const columns: readonly Column<Row>[] = [
  { name: 'Id', value: ({ id }) => id },
  { name: 'Currency', value: ({ currency }) => currency },
  { name: 'Type', value: ({ walletType }) => walletType },
  { name: 'Default', value: ({ isDefault }) => (isDefault ? 'default' : '') },
  { name: 'Active', value: ({ isActive }) => (isActive ? 'active' : 'inactive') },
  amount('Balance', ({ balance }) => balance),
  amount('Pending', ({ pendingBalance }) => pendingBalance),
  amount('Held', ({ heldBalance }) => heldBalance),
  { name: 'Label', value: ({ label }) => label },
]

const labels: Readonly<Record<string, string>> = {
  id: 'Wallet',
  merchantId: 'Merchant',
  currency: 'Currency',
  label: 'Label',
  walletType: 'Type',
  isDefault: 'Default',
  isActive: 'Active',
  changed: 'Changed now',
}
