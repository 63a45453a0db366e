// The lines of a month's report: each is a sum of kinds of the statement. Every kind belongs to exactly one line, so the opening balance
// plus all lines is the closing balance.
import { csvWriter, type CsvStyle } from '#/kernel/csv.ts'
import type { Csv } from '../../api/csv.ts'
import type { MonthReport, StatementEntryKind } from '../../api/generated.ts'
import { netOf } from '../../kit/net.ts'

export type WalletMonth = MonthReport['wallets'][number]

export type MovedLine = 'received' | 'fees' | 'refunds' | 'disputes' | 'others' | 'withdrawals' | 'transfers'
export type Line = MovedLine | 'opening' | 'net' | 'closing'

const lineOf: Readonly<Record<StatementEntryKind, MovedLine>> = {
  PAYMENT: 'received',
  RELEASE: 'received',
  FEE: 'fees',
  REFUND: 'refunds',
  REFUND_RETURNED: 'refunds',
  DISPUTE: 'disputes',
  DISPUTE_WON: 'disputes',
  RECEIVABLE_REPAID: 'others',
  // A share is gross of who gets it, and no longer of the platform that gives it.
  SHARE: 'received',
  SHARE_FEE: 'fees',
  SHARE_RETURNED: 'refunds',
  SHARE_REPAID: 'others',
  ADJUSTMENT: 'others',
  WITHDRAWAL: 'withdrawals',
  WITHDRAWAL_RETURNED: 'withdrawals',
  TRANSFER: 'transfers',
}

/** In the order of the report. `net` is the sum of the lines above it but the opening. */
export const lines: readonly Line[] = [
  'opening',
  'received',
  'fees',
  'refunds',
  'disputes',
  'net',
  'others',
  'withdrawals',
  'transfers',
  'closing',
]
/** Those that have a method. */
export const methodLines = lines.filter((line) => line !== 'opening' && line !== 'closing')

export type Figures = Readonly<Record<Line, bigint>>

/** The figures of one wallet, or of several of one currency together. */
export function figuresOf(
  wallets: readonly Pick<WalletMonth, 'openingBalance' | 'closingBalance' | 'byKind'>[],
): Figures {
  const figures = Object.fromEntries(lines.map((line) => [line, 0n])) as Record<Line, bigint>
  for (const { openingBalance, closingBalance, byKind } of wallets) {
    figures.opening += BigInt(openingBalance)
    figures.closing += BigInt(closingBalance)
    // A kind that a later version of the server knows still adds up.
    for (const { kind, inflow, outflow } of byKind)
      figures[lineOf[kind] ?? 'others'] += BigInt(inflow) - BigInt(outflow)
  }
  // The lines are signed: what went is negative.
  const { received, fees, refunds, disputes } = figures
  figures.net = netOf({ gross: received, fees: -fees, refunds: -refunds, disputes: -disputes })
  return figures
}

/** The lines of each method of a wallet, in the order of the methods' names; what has no method comes last, without a name. */
export function figuresByMethod({ byMethod = [] }: Pick<WalletMonth, 'byMethod'>): readonly {
  readonly method: string | undefined
  readonly figures: Figures
}[] {
  // Euro comes by a transfer (SEPA_TRANSFER) and leaves by a transfer (SEPA): for the reader it is one method.
  const nameOf = (method: string | undefined) => (method === 'SEPA' ? 'SEPA_TRANSFER' : method)
  const groups = Map.groupBy(byMethod, ({ method }) => nameOf(method))
  return [...groups]
    .toSorted(([one = '~'], [other = '~']) => (one < other ? -1 : 1))
    .map(([method, byKind]) => ({
      method,
      figures: figuresOf([{ openingBalance: 0, closingBalance: 0, byKind }]),
    }))
}

/** Whether there is anything to say of a wallet. */
export function isQuiet({ openingBalance, closingBalance, byKind }: WalletMonth): boolean {
  return byKind.length === 0 && BigInt(openingBalance) === 0n && BigInt(closingBalance) === 0n
}

// The shown figures as CSV, made in the browser.

/**
 * One row for each line of each wallet. Below it, one row for each line of each method of the wallet; they add up to the wallet's row. The
 * column `method` is empty in a wallet's own rows, and `NONE` for movements without a method. `amount` is in minor units, as everywhere in
 * the API.
 */
export function reportCsv(month: string, wallets: readonly WalletMonth[], style: CsvStyle): Csv {
  const csv = csvWriter(style)
  const rows = wallets.flatMap((wallet) => {
    const { walletId, label, currency } = wallet
    const whole = figuresOf([wallet])
    const cells = [
      ...lines.map((line) => ({ method: '', line, amount: whole[line] })),
      ...figuresByMethod(wallet).flatMap(({ method = 'NONE', figures }) =>
        methodLines.map((line) => ({ method, line, amount: figures[line] })),
      ),
    ]
    return cells.map(({ method, line, amount }) =>
      csv.line([month, walletId, label, currency, method, line, amount, { minor: amount, currency }]),
    )
  })
  const head = csv.head([
    'month',
    'walletId',
    'wallet',
    'currency',
    'method',
    'line',
    'amount',
    'amountDecimal',
  ])
  return { text: [head, ...rows].join(''), rows: rows.length, isCut: false }
}

// Months of the calendar, as texts such as 2026-11.

/** How many months before the present one are offered. */
const offered = 24

/** The present month in the time zone. */
export function monthNow(timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
  }).formatToParts()
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}`
}

/** The month so many months later. */
export function otherMonth(month: string, later: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + later, 1)).toISOString().slice(0, 7)
}

/** The last day of the month: 2026-11-30. */
export function lastDayOf(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}

/** The present month and those before it, newest first; also the chosen one, where it lies further back. */
export function monthsBack(present: string, chosen: string): readonly string[] {
  const months = Array.from({ length: offered }, (_, back) => otherMonth(present, -back))
  return months.includes(chosen) ? months : [...months, chosen]
}

/** `novembro de 2026` */
export function nameOfMonth(month: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-15T12:00:00Z`),
  )
}
