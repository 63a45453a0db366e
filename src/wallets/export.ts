// The statement as CSV (RFC 4180), of any length in the memory of one page.
import type { Mode } from '#/kernel/mode.ts'
import type { Sql } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'
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

/** Names mean what they mean in JSON: `amount` and `balance` are minor units. The decimals are for spreadsheets. */
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
 * The whole statement that the filter leaves, newest first, in pieces of text. What is posted while it is read is not in it:
 * it goes back in time from where it began, in a statement of its own for each page. A piece may be empty.
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
  wanted: StatementKind | undefined,
): AsyncGenerator<string, void, undefined> {
  yield `${header.join(',')}\r\n`
  let { before } = scope.range
  for (;;) {
    const found = await selectRows(sql, scope.accounts, { first: scope.range.first, before }, pageRows)
    const rows = found.filter(({ kind }) => wanted === undefined || shownKind(kind) === wanted)
    const entries = await statementEntries(sql, owner, scope, rows)
    // Empty when no row was wanted: the reader is asked all the same whether it is still there.
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
    defused(entry.description),
    ...links.map((link) => entry[link] ?? ''),
  ]
}

/** What a spreadsheet is to read as a number. */
type Numeric = { readonly digits: string }

/** What nobody sees before the first sign: blanks and controls of every kind, byte order marks, zero widths. */
const unseen = String.raw`[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*`

/** Full-width signs count as well. */
const formula = String.raw`(?=${unseen}[=+\-@＝＋－＠﹦﹢﹣﹫])`
const atStart = new RegExp(String.raw`^(?:${formula}|(?=[\t\r\n]))`, 'u')
/** A spreadsheet that takes another sign than the comma for a separator begins a cell behind it. */
const behindSeparator = new RegExp(String.raw`[;\t\r\n]${formula}`, 'gu')

/** Text that a spreadsheet would run as a formula is made plain text by the apostrophe that it knows (OWASP, CSV injection). */
function defused(text: string): string {
  return text.replaceAll(behindSeparator, "$&'").replace(atStart, "'")
}

/** Texts in quotes, always, so that no sign within is taken for an end; numbers bare. */
function line(fields: readonly (string | Numeric)[]): string {
  const written = fields.map((field) => (typeof field === 'string' ? quoted(field) : field.digits))
  return `${written.join(',')}\r\n`
}

function quoted(field: string): string {
  return `"${field.replaceAll('"', '""')}"`
}
