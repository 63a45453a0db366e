// Inspects sums: the balance of an account equals the sum of its records. Each page is one statement, so it reads one instant
// although money keeps moving.
import { type Inspection, type Inspector, eachPage } from '#/db/inspection.ts'
import { currencies } from '#/kernel/money.ts'
import * as queries from './sums-queries.ts'

export const sumInspections: readonly Inspection[] = [
  { name: 'held money', inspect: inspectHeld },
  { name: 'suspense', inspect: inspectSuspense },
  { name: 'debts', inspect: inspectDebts },
  { name: 'closed sub-accounts', inspect: inspectClosed },
]

const walletsMax = 500
const connectionsMax = 100
const merchantsMax = 200
const accountsMax = 200
const allCurrencies = Object.keys(currencies)

/** The held balance of a wallet is the sum of open refunds, disputes that are not taken yet, and open withdrawals. */
async function inspectHeld({ sql, inspected, fault }: Inspector): Promise<void> {
  await eachPage<queries.HeldSum>(
    (after) => queries.selectHeldSums(sql, after, walletsMax),
    (wallets) => {
      inspected('wallets', wallets.length)
      for (const { walletId, heldMinor, ...sums } of wallets) {
        const { refundsMinor, disputesMinor, withdrawalsMinor } = sums
        if (heldMinor === refundsMinor + disputesMinor + withdrawalsMinor) continue
        const for_ = `${refundsMinor} for refunds, ${disputesMinor} for disputes and ${withdrawalsMinor} for withdrawals`
        fault(`wallet ${walletId}`, `holds ${heldMinor}, but what is open asks for ${for_}`)
      }
    },
  )
}

/** The balance of a suspense account is the sum of undecided receipts. */
async function inspectSuspense({ sql, inspected, fault }: Inspector): Promise<void> {
  await eachPage<queries.SuspenseSum>(
    (after) => queries.selectSuspenseSums(sql, after, { currencies: allCurrencies, limit: connectionsMax }),
    (sums) => {
      inspected('connections', sums.length / allCurrencies.length)
      for (const { connection, currency, heldMinor, openMinor } of sums) {
        if (heldMinor === openMinor) continue
        fault(
          `account suspense:${connection}:${currency}`,
          `holds ${heldMinor}, but ${openMinor} is undecided`,
        )
      }
    },
  )
}

/**
 * A debt to the operator is the sum debited beyond the wallets, and one to the parent is what the parent covered, both less
 * repayments; and no wallet has available money beside a debt.
 */
async function inspectDebts({ sql, inspected, fault }: Inspector): Promise<void> {
  await eachPage<queries.DebtSum>(
    (after) => queries.selectDebtSums(sql, after, { currencies: allCurrencies, limit: merchantsMax }),
    (debts) => {
      for (const { name, minor, owedMinor, repaidMinor, freeMinor } of debts) {
        if (name === null) continue
        inspected('debts', 1)
        if (minor !== (owedMinor ?? 0n) - (repaidMinor ?? 0n))
          fault(`account ${name}`, `is ${minor}, but ${owedMinor} was owed and ${repaidMinor} repaid`)
        if ((minor ?? 0n) > 0n && (freeMinor ?? 0n) > 0n)
          fault(`account ${name}`, `is ${minor}, but ${freeMinor} is available beside it`)
      }
    },
  )
}

/** Nothing is available in a wallet of a closed sub-account: wallets/parent-debt.ts and wallets/passed-on.ts decide that all goes on. */
async function inspectClosed({ sql, inspected, fault }: Inspector): Promise<void> {
  await eachPage<queries.SubAccountRow>(
    (after) => queries.selectSubAccounts(sql, after, accountsMax),
    (accounts) => {
      const closed = accounts.flatMap(({ merchantId, freeMinor }) =>
        freeMinor === null ? [] : [{ merchantId, freeMinor }],
      )
      inspected('closed sub-accounts', closed.length)
      for (const { merchantId, freeMinor } of closed)
        if (freeMinor !== 0n)
          fault(`merchant ${merchantId}`, `is closed, but ${freeMinor} is available in its wallets`)
    },
  )
}
