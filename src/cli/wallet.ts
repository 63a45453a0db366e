// `wallet`: an operator lists a merchant's wallets, and chooses the default wallet of a currency.
import { AppError } from '#/kernel/error.ts'
import { isUuid, type WalletId } from '#/kernel/id.ts'
import { toDecimal } from '#/kernel/money.ts'
import type { Terminal } from '#/kernel/terminal.ts'
import { chooseDefaultWallet } from '#/operator/default-wallet.ts'
import { walletBalances } from '#/wallets/balance.ts'
import { selectWallets } from '#/wallets/queries.ts'
import type { Balances, Wallet } from '#/wallets/wallet.ts'
import { operatorHere } from './audited.ts'
import { runGroup, UsageError, type Command, type CommandDeps } from './command.ts'
import { merchantOf, within } from './office.ts'
import { printRecord, printRows, type Column } from './table.ts'

const list: Command = {
  summary: "Lists a merchant's wallets with their balances, oldest first",
  positionals: ['merchant-id'],
  options: {},
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

const makeDefault: Command = {
  summary: "Makes a wallet the default of its currency: the merchant's money is credited there from now on",
  positionals: ['wallet-id'],
  options: {},
  async run(call) {
    const { terminal, json, given } = call
    const [text = ''] = given
    const id = text.toLowerCase()
    await within(call, async ({ sql }) => {
      if (!isUuid(id)) throw noWallet(text)
      const { wallet, isChanged } = await chooseDefaultWallet(sql, operatorHere(), id as WalletId).catch(
        (error: unknown) => {
          if (!(error instanceof AppError)) throw error
          throw error.code === 'not_found'
            ? noWallet(text)
            : new UsageError(error.message, 'Nothing was changed.')
        },
      )
      printRecord(terminal, { ...recordOf(wallet), changed: isChanged }, { labels, json })
    })
  },
}

const commands = { list, default: makeDefault } as const satisfies Record<string, Command>

export function walletCommand(
  args: readonly string[],
  terminal: Terminal,
  deps: CommandDeps,
): Promise<number> {
  return runGroup('wallet', commands, args, { terminal, deps })
}

function noWallet(text: string): UsageError {
  return new UsageError(`There is no wallet ${text}.`, 'See ./vintem wallet list <merchant-id>.')
}

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
