// The statement as CSV (RFC 4180), of any length with the memory of one page.
import type { Sql } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { toDecimal } from '#/kernel/money.ts'
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
): Promise<AsyncGenerator<string, void, undefined> | 'unknown_wallet'> {
  const scope = await statementScope(sql, owner, filter)
  if (scope === 'unknown_wallet') return scope
  return pieces(sql, owner, scope, filter.kind)
}

async function* pieces(
  sql: Sql,
  owner: Owner,
  scope: StatementScope,
  kindFilter: StatementKind | undefined,
): AsyncGenerator<string, void, undefined> {
  yield `${header.join(',')}\r\n`
  let { before } = scope.range
  for (;;) {
    const found = await selectRows(sql, scope.accounts, { first: scope.range.first, before }, pageRows)
    const rows = found.filter(({ kind }) => kindFilter === undefined || shownKind(kind) === kindFilter)
    const entries = await statementEntries(sql, owner, scope, rows)
    // Empty when no row matched: yielding still lets the caller stop when the reader has gone.
    yield entries.map((entry) => line(fieldsOf(entry))).join('')
    const last = found.at(-1)
    if (found.length < pageRows || last === undefined) return
    before = { transfer: last.transfer, account: last.account }
  }
}

function fieldsOf(entry: StatementEntry): readonly (string | Numeric)[] {
  const { currency, amount, balance } = entry
  return [
    entry.id,
    entry.postedAt,
    entry.walletId,
    currency,
    entry.kind,
    { digits: String(amount) },
    { digits: String(balance) },
    { digits: toDecimal({ minor: amount, currency }) },
    { digits: toDecimal({ minor: balance, currency }) },
    escaped(entry.description),
    ...links.map((link) => entry[link] ?? ''),
  ]
}

/** What a spreadsheet should read as a number. */
type Numeric = { readonly digits: string }

/** Invisible characters that may precede the first sign: blanks and controls of every kind, byte order marks, zero widths. */
const invisible = String.raw`[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*`

/** Full-width signs count as well. */
const formula = String.raw`(?=${invisible}[=+\-@＝＋－＠﹦﹢﹣﹫])`
const atStart = new RegExp(String.raw`^(?:${formula}|(?=[\t\r\n]))`, 'u')
/** A spreadsheet with another separator than the comma begins a new cell after it. */
const behindSeparator = new RegExp(String.raw`[;\t\r\n]${formula}`, 'gu')

/** An apostrophe in front makes plain text of what a spreadsheet would run as a formula (OWASP, CSV injection). */
function escaped(text: string): string {
  return text.replaceAll(behindSeparator, "$&'").replace(atStart, "'")
}

/** Texts always in quotes, so that no character in them ends the field; numbers without quotes. */
function line(fields: readonly (string | Numeric)[]): string {
  const written = fields.map((field) => (typeof field === 'string' ? quoted(field) : field.digits))
  return `${written.join(',')}\r\n`
}

function quoted(field: string): string {
  return `"${field.replaceAll('"', '""')}"`
}
