// The statement as CSV, of any length with the memory of one page.
import type { Sql } from '#/db/client.ts'
import { csvWriter, type CsvCell, type CsvStyle } from '#/kernel/csv.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { selectRows } from './statement-queries.ts'
import {
  shownKind,
  statementEntries,
  statementScope,
  type StatementEntry,
  type StatementFilter,
  type StatementKind,
  type StatementLink,
  type StatementScope,
} from './statement.ts'

type Owner = { readonly id: MerchantId; readonly mode: Mode }

const pageRows = 1_000

const links = [
  'paymentId',
  'refundId',
  'withdrawalId',
  'transferId',
  'disputeId',
] as const satisfies readonly StatementLink[]

/** Names have the same meaning as in JSON: `amount` and `balance` are minor units. The decimals are for spreadsheets. */
const header = [
  'id',
  'postedAt',
  'walletId',
  'currency',
  'kind',
  'amount',
  'balance',
  'amountDecimal',
  'balanceDecimal',
  'description',
  ...links,
]

/**
 * The whole filtered statement, newest first, in pieces of text. It reads back in time from the moment of the call, with one
 * query of the statement for each page, so rows that are posted meanwhile are not included. A piece may be empty.
 */
export async function statementCsv(
  sql: Sql,
  owner: Owner,
  filter: Omit<StatementFilter, 'after' | 'limit'>,
  style: CsvStyle,
): Promise<AsyncGenerator<string, void, undefined> | 'unknown_wallet'> {
  const scope = await statementScope(sql, owner, filter)
  if (scope === 'unknown_wallet') return scope
  return pieces(sql, owner, scope, filter.kind, style)
}

async function* pieces(
  sql: Sql,
  owner: Owner,
  scope: StatementScope,
  kindFilter: StatementKind | undefined,
  style: CsvStyle,
): AsyncGenerator<string, void, undefined> {
  const csv = csvWriter(style)
  yield csv.head(header)
  let { before } = scope.range
  for (;;) {
    const found = await selectRows(sql, scope.accounts, { first: scope.range.first, before }, pageRows)
    const rows = found.filter(({ kind }) => kindFilter === undefined || shownKind(kind) === kindFilter)
    const entries = await statementEntries(sql, owner, scope, rows)
    // Empty when no row matched: yielding still lets the caller stop when the reader has gone.
    yield entries.map((entry) => csv.line(cellsOf(entry))).join('')
    const last = found.at(-1)
    if (found.length < pageRows || last === undefined) return
    before = { transfer: last.transfer, account: last.account }
  }
}

function cellsOf(entry: StatementEntry): readonly CsvCell[] {
  const { currency, amount, balance } = entry
  return [
    entry.id,
    { at: entry.postedAt },
    entry.walletId,
    currency,
    entry.kind,
    amount,
    balance,
    { minor: amount, currency },
    { minor: balance, currency },
    entry.description,
    ...links.map((link) => entry[link] ?? ''),
  ]
}
