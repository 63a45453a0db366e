// Adds up the books: each transfer has two entries, each entry has the right balance after it, no floored account is below
// zero, and all sums are zero.
// Inspects what ledger/apply.ts decides.
import { eachPage, type Inspector } from '#/db/inspection.ts'
import * as queries from './ledger-queries.ts'

const pageRows = 5_000

/** Each transfer has one entry on each of its accounts, with the sign of the account's side. */
export async function inspectTransfers(inspector: Inspector): Promise<void> {
  const { sql, upTo, inspected } = inspector
  await eachPage<queries.TransferRow>(
    (after) => queries.selectTransfers(sql, after?.number ?? 0n, upTo.transfer, pageRows),
    (transfers) => {
      inspected('transfers', transfers.length)
      for (const transfer of transfers) inspectTransfer(inspector, transfer)
    },
  )
}

function inspectTransfer({ fault, unexplained }: Inspector, transfer: queries.TransferRow): void {
  const { number, minor, debit, credit, debitSide, creditSide } = transfer
  const row = `transfer ${number}`
  if (minor <= 0n || debit === credit) return fault(row, `moves ${minor} from account ${debit} to ${credit}`)
  if (debitSide === null) return fault(row, `debits account ${debit}, which is not there`)
  if (creditSide === null) return fault(row, `credits account ${credit}, which is not there`)
  if (transfer.isOfOneKind !== true) fault(row, 'moves between two modes or two currencies')
  for (const [account, found, expected] of [
    [debit, transfer.debitMinor, debitSide === 'DEBIT' ? minor : -minor],
    [credit, transfer.creditMinor, creditSide === 'CREDIT' ? minor : -minor],
  ] as const) {
    if (found === expected) continue
    if (found === null) fault(row, `has no entry on account ${account}`)
    else fault(row, `has an entry of ${found} on account ${account} instead of ${expected}`)
    if (transfer.currency !== null) unexplained(transfer.currency, expected - (found ?? 0n))
  }
}

/** The running sums of the account whose entries are being read. */
type Walk = {
  readonly account: bigint
  /** Undefined: the account is not there. */
  readonly currency: string | undefined
  balance: bigint
  entries: bigint
  last: bigint
}

/**
 * - Every entry belongs to a transfer that names its account, follows from the balance before it, and keeps the floor.
 * - The balance of each account is that of its last entry, and counts its entries.
 * - All debits of a currency equal all its credits.
 */
export async function inspectEntries(inspector: Inspector): Promise<void> {
  const { sql, upTo, inspected, fault } = inspector
  const sums = new Map<string, bigint>()
  let walk: Walk | undefined
  await eachPage<queries.EntryRow>(
    (after) => queries.selectEntries(sql, after ?? { account: -(2n ** 62n), transfer: 0n }, pageRows),
    async (entries) => {
      inspected('entries', entries.length)
      const walked: Walk[] = []
      for (const entry of entries) {
        if (walk?.account !== entry.account) {
          if (walk !== undefined) walked.push(walk)
          const { account, book } = entry
          walk = { account, currency: book?.split(' ')[1], balance: 0n, entries: 0n, last: 0n }
          // So that every currency of the books is in the report.
          if (walk.currency !== undefined) inspector.unexplained(walk.currency, 0n)
        }
        inspectEntry(inspector, walk, entry)
        if (entry.book !== null && entry.transfer <= upTo.transfer) {
          const signed = entry.side === 'DEBIT' ? entry.minor : -entry.minor
          sums.set(entry.book, (sums.get(entry.book) ?? 0n) + signed)
        }
      }
      await inspectBalances(inspector, walked)
    },
  )
  if (walk !== undefined) await inspectBalances(inspector, [walk])
  for (const [book, sum] of sums) {
    inspected('currencies', 1)
    if (sum !== 0n) fault(`all accounts of ${book}`, `add up to ${sum} instead of 0`)
  }
}

function inspectEntry({ fault, unexplained }: Inspector, walk: Walk, entry: queries.EntryRow): void {
  const row = `entry of transfer ${entry.transfer} on account ${entry.account}`
  if (entry.side === null) fault(row, 'lies on an account that is not there')
  if (!entry.isNamed) fault(row, 'belongs to no transfer that names its account')
  if (entry.balance !== walk.balance + entry.minor) {
    if (walk.currency !== undefined) unexplained(walk.currency, entry.balance - walk.balance - entry.minor)
    fault(
      row,
      `leaves ${entry.balance}, but ${walk.balance} and ${entry.minor} make ${walk.balance + entry.minor}`,
    )
  }
  if (entry.floored === true && entry.balance < 0n)
    fault(row, `leaves ${entry.balance} where nothing below zero may be`)
  walk.balance = entry.balance
  walk.entries += 1n
  walk.last = entry.transfer
}

async function inspectBalances(
  { sql, inspected, fault, unexplained }: Inspector,
  walked: readonly Walk[],
): Promise<void> {
  if (walked.length === 0) return
  const currencyOf = new Map(walked.map(({ account, currency }) => [account, currency]))
  for (const row of await queries.selectBalancesOf(sql, walked)) {
    const name = `balance of account ${row.account}`
    inspected('balances', 1)
    // inspectAccounts reports an account without a balance.
    if (row.minor === null) continue
    if (row.minor !== row.lastBalance) {
      fault(name, `is ${row.minor}, but its last entry leaves ${row.lastBalance}`)
      const currency = currencyOf.get(row.account)
      if (currency !== undefined) unexplained(currency, row.minor - (row.lastBalance ?? 0n))
    }
    const entries = row.entries + row.newer
    if (row.counted !== entries) fault(name, `counts ${row.counted} entries, but there are ${entries}`)
  }
}

/** Every account has a balance and was used, and every balance has an account. */
export async function inspectAccounts({ sql, inspected, fault }: Inspector): Promise<void> {
  await eachPage<queries.AccountRow>(
    (after) => queries.selectAccounts(sql, after?.id ?? -(2n ** 62n), pageRows),
    (accounts) => {
      inspected('accounts', accounts.length)
      for (const { id, hasBalance, hasEntry, currency, balanceCurrency } of accounts) {
        if (!hasBalance) fault(`account ${id}`, 'has no balance')
        if (!hasEntry) fault(`account ${id}`, 'was opened, but has no entry')
        if (balanceCurrency !== null && balanceCurrency !== currency)
          fault(`account ${id}`, `is in ${currency}, but its balance in ${balanceCurrency}`)
      }
    },
  )
  await eachPage<{ id: bigint; hasAccount: boolean }>(
    (after) => queries.selectBalanceOwners(sql, after?.id ?? -(2n ** 62n), pageRows),
    (balances) => {
      for (const { id, hasAccount } of balances) {
        if (!hasAccount) fault(`balance of account ${id}`, 'belongs to no account')
      }
    },
  )
}
