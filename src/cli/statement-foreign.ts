// `statement foreign`, `foreign-done`: money in currencies that the books do not have, which waits until a person says what became of it.
import { isUuid } from '#/kernel/id.ts'
import { printable } from '#/kernel/terminal.ts'
import { decideForeignAs } from '#/operator/statements.ts'
import type { ForeignId } from '#/rails/sepa/foreign-queries.ts'
import { listForeign, type Foreign } from '#/rails/sepa/foreign.ts'
import { operatorHere, requiredReason } from './audited.ts'
import { UsageError, type Command } from './command.ts'
import { withDatabase } from './database.ts'
import { printRecord, printRows, type Column } from './table.ts'

export const foreign: Command = {
  summary: 'Lists money on bank accounts in currencies that the books do not have, oldest first',
  positionals: [],
  options: {},
  async run({ terminal, deps, json }) {
    await withDatabase(deps.config(), async (sql) => {
      const rows = (await listForeign(sql)).map(foreignRecord)
      printRows(terminal, rows, { columns, json, empty: 'No money in another currency waits for a person.' })
    })
  },
}

export const foreignDone: Command = {
  summary: 'Says what became of money in such a currency at the bank; moves nothing in the books',
  positionals: ['id'],
  options: { reason: { value: 'text', meaning: 'What became of it; required, for the log' } },
  async run(call) {
    const [id = ''] = call.given
    if (!isUuid(id)) throw notThere()
    const reason = requiredReason(call, 'Say what became of the money, such as that the bank exchanged it.')
    const { terminal, json } = call
    await withDatabase(call.deps.config(), async (sql) => {
      const operator = operatorHere(call.deps.config())
      const decided = await decideForeignAs(sql, operator, { id: id as ForeignId, reason })
      if (decided === undefined) throw notThere()
      if (json) return printRecord(terminal, foreignRecord(decided), { labels: {}, json })
      terminal.out(
        `${terminal.paint.good(terminal.symbols.done)} ${printable(decided.entry)} of ${decided.amount} ${decided.currency} is done.`,
      )
    })
  },
}

function notThere(): UsageError {
  return new UsageError('No such money waits for a person.', 'See ./vintem statement foreign.')
}

function foreignRecord({ createdAt, ...row }: Foreign) {
  return { ...row, importedAt: createdAt.toISOString() }
}

const columns: readonly Column<ReturnType<typeof foreignRecord>>[] = [
  { name: 'id', value: ({ id }) => id },
  { name: 'connection', value: ({ connection }) => connection },
  { name: 'entry', value: ({ entry }) => printable(entry) },
  { name: 'amount', value: ({ amount, currency }) => `${amount} ${currency}` },
  { name: 'booked', value: ({ bookedOn }) => bookedOn },
  { name: 'payer wrote', value: ({ wrote }) => printable(wrote) },
  { name: 'other side', value: ({ party }) => printable(party) },
]
