// `wallet`: an operator lists a merchant's wallets, and chooses the default wallet of a currency.
import { toDecimal } from '#/kernel/money.ts'
import { makeDefaultWallet } from '#/operator/acts/terms.ts'
import { walletBalances } from '#/wallets/balance.ts'
import { selectWallets } from '#/wallets/queries.ts'
import type { Balances, Wallet } from '#/wallets/wallet.ts'
import { commandsOf } from './act-commands.ts'
import { group, type Command } from './command.ts'
import { merchantOf, within } from './office.ts'
import { printRecord, printRows, type Column } from './table.ts'

const list: Command = {
  summary: "Lists a merchant's wallets with their balances, oldest first",
  positionals: ['merchant-id'],
  async run(call) {
    const { terminal, json } = call
    await within(call, async (office) => {
      const merchant = await merchantOf(call, office)
      const wallets = await selectWallets(office.sql, merchant.id)
      const balances = await walletBalances(office.sql, merchant, wallets)
      const rows = wallets.map((wallet, index) => rowOf(wallet, balances[index]))
      printRows(terminal, rows, { columns, json, empty: 'This merchant has no wallets.' })
    })
  },
}

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
