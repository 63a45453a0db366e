// How commands show money that left and that the books do not have.
import type { Unrecorded } from '#/settlement/unrecorded-queries.ts'
import { amountText } from './amount.ts'
import { dateText, type Column } from './table.ts'

export const unrecordedColumns: readonly Column<Unrecorded>[] = [
  { name: 'Id', value: ({ id }) => id },
  { name: 'Mode', value: ({ mode }) => mode },
  { name: 'Kind', value: ({ kind }) => kind },
  { name: 'Amount', value: amountText, align: 'right' },
  { name: 'Happened', value: ({ happenedAt }) => (happenedAt === null ? '-' : dateText(happenedAt)) },
  { name: 'Merchant', value: ({ merchantId }) => merchantId ?? '-' },
  { name: 'Connection', value: ({ connection }) => connection },
  { name: 'Our reference', value: ({ reference }) => reference },
  { name: "Provider's reference", value: ({ providerRef }) => providerRef ?? '-' },
]

/** As `--json` shows it: what does not apply is absent. */
export function unrecordedRecord({ amountMinor, knownMinor, ...rest }: Unrecorded) {
  const shown = Object.entries(rest).filter(([, value]) => value !== null)
  return { ...Object.fromEntries(shown), amount: amountMinor, known: knownMinor }
}
