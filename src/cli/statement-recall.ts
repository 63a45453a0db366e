// `statement recalls`, `recall`, `no-recall`: debits by which a bank took back a credit, and did not say clearly which one.
import { given } from '#/kernel/given.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { toDecimal } from '#/kernel/money.ts'
import { printable } from '#/kernel/terminal.ts'
import { decideRecallAs } from '#/operator/statements.ts'
import { listUnclear, type Unclear } from '#/rails/sepa/unclear.ts'
import { signalKeeper } from '#/settlement/keep-signals.ts'
import { operatorHere, requiredReason, textOf } from './audited.ts'
import { UsageError, type Call, type Command } from './command.ts'
import { withDatabase } from './database.ts'
import { printRecord, printRows, type Column } from './table.ts'
import { withCore } from './with-core.ts'

export const recalls: Command = {
  summary: 'Lists debits that take back a credit which the bank does not name clearly, oldest first',
  positionals: [],
  options: {},
  async run({ terminal, deps, json }) {
    await withDatabase(deps.config(), async (sql) => {
      const rows = (await listUnclear(sql)).map(recallRecord)
      printRows(terminal, rows, { columns, json, empty: 'No debit waits for a person.' })
    })
  },
}

export const recall: Command = {
  summary: 'Says which credit a debit took back: its money is booked as lost in a dispute',
  positionals: ['connection', 'entry', 'credit'],
  options: { note: { value: 'text', meaning: 'Why, for the log' } },
  run: (call) => decideOne(call, call.given[2], textOf(call, 'note')),
}

export const noRecall: Command = {
  summary: 'Says that a debit takes back no credit: it is money of the operator that left',
  positionals: ['connection', 'entry'],
  options: { reason: { value: 'text', meaning: 'Why; required, for the log' } },
  run: (call) => decideOne(call, undefined, requiredReason(call, 'Say why the debit takes back no credit.')),
}

async function decideOne(call: Call, of: string | undefined, reason: string | undefined): Promise<void> {
  const [connection = '', entry = ''] = call.given
  const { terminal, json } = call
  await withCore(call.deps.config(), async ({ sql, clock, config }) => {
    const verdict = await decideRecallAs({ sql, keep: signalKeeper(clock) }, operatorHere(config), {
      connection: connection as ConnectionId,
      entry,
      ...given({ of, reason }),
    })
    if (verdict.kind === 'not_found')
      throw new UsageError('No such debit waits for a person.', 'See ./vintem statement recalls.')
    if (verdict.kind === 'no_credit')
      throw new UsageError(
        'No such credit came, or less of it is left than was taken.',
        'Name the credit by the AcctSvcrRef that its statement gives it.',
      )
    if (json) return printRecord(terminal, recallRecord(verdict.unclear), { labels: {}, json })
    const what =
      of === undefined ? 'takes back no credit' : `took back ${printable(of)}: a worker books it at once`
    terminal.out(`${terminal.paint.good(terminal.symbols.done)} ${printable(entry)} ${what}.`)
  })
}

function recallRecord({ connection, entry, minor, currency, bookedOn, reason, wrote, party }: Unclear) {
  const amount = toDecimal({ minor, currency })
  return { connection, entry, amount, currency, bookedOn, reason, wrote, party }
}

const columns: readonly Column<ReturnType<typeof recallRecord>>[] = [
  { name: 'connection', value: ({ connection }) => connection },
  { name: 'entry', value: ({ entry }) => printable(entry) },
  { name: 'amount', value: ({ amount, currency }) => `${amount} ${currency}` },
  { name: 'booked', value: ({ bookedOn }) => bookedOn },
  { name: 'reason', value: ({ reason }) => printable(reason) },
  { name: 'bank wrote', value: ({ wrote }) => printable(wrote) },
  { name: 'other side', value: ({ party }) => printable(party) },
]
