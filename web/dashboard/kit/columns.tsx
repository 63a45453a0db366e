// Columns that many lists have.
import type { Minor } from './format.ts'
import { Money } from './money.tsx'
import type { Column } from './table.tsx'
import { Time } from './time.tsx'

/** The amount of a record, which matters most in its row. */
export function amountColumn(header: string): Column<{ readonly amount: Minor; readonly currency: string }> {
  return {
    id: 'amount',
    header,
    align: 'end',
    cell: ({ amount, currency }) => <Money minor={amount} currency={currency} className="font-strong" />,
  }
}

/** When a record was made. `from`: the width from which on the column is shown. */
export function createdColumn(
  header: string,
  from?: 'sm' | 'md' | 'lg',
): Column<{ readonly createdAt: string }> {
  return {
    id: 'created',
    header,
    align: 'end',
    ...(from === undefined ? {} : { from }),
    cell: ({ createdAt }) => <Time at={createdAt} inRow className="text-ink-soft" />,
  }
}
