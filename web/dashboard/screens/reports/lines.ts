// The lines of a month's report: each is a sum of kinds of the statement. Every kind belongs to exactly one line, so the opening balance
// plus all lines is the closing balance.
import type { MonthReport, StatementEntryKind } from '../../api/generated.ts'

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
  SHARE: 'others',
  SHARE_FEE: 'fees',
  SHARE_RETURNED: 'others',
  SHARE_REPAID: 'others',
  ADJUSTMENT: 'others',
  WITHDRAWAL: 'withdrawals',
  WITHDRAWAL_RETURNED: 'withdrawals',
  TRANSFER: 'transfers',
}

/** In the order of the report. `net` is what the business made: all lines above it but the opening. */
export const lines: readonly Line[] = [
  'opening',
  'received',
  'fees',
  'refunds',
  'disputes',
  'others',
  'net',
  'withdrawals',
  'transfers',
  'closing',
]
/** Those that have a method. */
export const methodLines = lines.filter((line) => line !== 'opening' && line !== 'closing')
const netOf: readonly Line[] = ['received', 'fees', 'refunds', 'disputes', 'others']

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
  figures.net = netOf.reduce((sum, line) => sum + figures[line], 0n)
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
