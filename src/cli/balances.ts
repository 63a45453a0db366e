// `balances`: compares what providers hold for us with what the books say, and shows every difference.
import {
  balanceRecord,
  compareBalances,
  isDifference,
  type BalanceVerdict,
  type ComparedBalance,
} from '#/settlement/balances.ts'
import { amountText } from './amount.ts'
import { single, type Command, FoundFault, thereAre } from './command.ts'
import { printRows, type Column } from './table.ts'
import { withCore } from './with-core.ts'

const remedy = 'Repeat it in a minute; docs/treasury.md says what a lasting difference can mean.'

const show: Command = {
  summary:
    'Queries every provider for what it holds for us, compares with the books, and shows every difference',
  async run({ terminal, deps, json }) {
    let differences = 0
    await withCore(
      deps.config(),
      async (core) => {
        const rows = await compareBalances(core)
        differences = rows.filter(isDifference).length
        const empty = 'No provider holds anything for us.'
        printRows(terminal, rows, { columns, json, empty, recordOf: balanceRecord })
      },
      'asWorker',
    )
    if (differences > 0) throw new FoundFault(thereAre(differences, 'difference'), remedy)
  },
}

export const balancesCommand = single('balances', show)

function amountColumn(
  name: string,
  of: (row: ComparedBalance) => bigint | undefined,
): Column<ComparedBalance> {
  const value = (row: ComparedBalance) => {
    const minor = of(row)
    return minor === undefined ? '' : amountText({ amountMinor: minor, currency: row.currency })
  }
  return { name, value, align: 'right' }
}

const texts: Readonly<Record<BalanceVerdict, string>> = {
  agrees: 'agrees',
  explained: 'explained by what is under way',
  differs: 'not explained',
  silent: 'no answer',
  not_reported: 'reports no balance',
}

const columns: readonly Column<ComparedBalance>[] = [
  { name: 'Connection', value: ({ connection }) => connection },
  { name: 'Mode', value: ({ mode }) => mode },
  amountColumn('Booked', ({ bookedMinor }) => bookedMinor),
  amountColumn('Our own', ({ ownMinor }) => ownMinor),
  amountColumn('Held', ({ heldMinor }) => heldMinor),
  amountColumn('Under way', ({ underWayMinor }) => underWayMinor),
  amountColumn('Difference', ({ differenceMinor }) => differenceMinor),
  {
    name: '',
    value: ({ why, verdict }) => (why === undefined ? texts[verdict] : `${texts[verdict]}: ${why}`),
  },
]
