// `refund`: money that is given back. Shows refunds without an end, and ends one that cannot be sent.
import type { RefundId } from '#/kernel/id.ts'
import { isUuid } from '#/kernel/id.ts'
import { endRefundAct } from '#/operator/acts/payouts.ts'
import { operatorRefund } from '#/operator/records.ts'
import { selectOpen, type OpenRefund } from '#/refunds/due-queries.ts'
import { selectRefundsById } from '#/refunds/queries.ts'
import { commandsOf } from './act-commands.ts'
import { amountText } from './amount.ts'
import { group, UsageError, type Call, type Command } from './command.ts'
import { withDatabase } from './database.ts'
import { listing } from './listing.ts'
import { dateText, printRecord, type Column } from './table.ts'

const rowsMax = 200

const list = listing({
  summary: 'Lists refunds that have not ended: those that wait for a second person, then those that are sent',
  rows: (sql) => selectOpen(sql, rowsMax),
  columns: () => columns,
  empty: 'No refund is without an end.',
  recordOf: operatorRefund,
})

const show: Command = {
  summary: 'Shows one refund',
  positionals: ['id'],
  async run(call) {
    const { terminal, deps, json } = call
    const id = idOf(call)
    await withDatabase(deps.config(), async (sql) => {
      const [found] = await selectRefundsById(sql, [id])
      if (found === undefined) throw unknown(id)
      printRecord(terminal, operatorRefund(found), { labels: {}, json })
    })
  },
}

export const refundCommand = group('refund', {
  list,
  show,
  ...commandsOf(endRefundAct, { recordOf: ({ refund }) => operatorRefund(refund) }),
})

function idOf({ given }: Call): RefundId {
  const [text = ''] = given
  const id = text.toLowerCase()
  if (!isUuid(id)) throw unknown(text)
  return id as RefundId
}

function unknown(text: string): UsageError {
  return new UsageError(`There is no refund ${text}.`, 'See ./vintem refund list.')
}

const columns: readonly Column<OpenRefund>[] = [
  { name: 'Id', value: ({ id }) => id },
  { name: 'Method', value: ({ method }) => method },
  { name: 'Amount', value: amountText, align: 'right' },
  { name: 'Requested', value: ({ createdAt }) => dateText(createdAt) },
  {
    name: 'Waits for',
    value: ({ approvalRequired }) => (approvalRequired ? 'a second person' : 'its provider'),
  },
  { name: 'Sends', value: ({ sends }) => String(sends), align: 'right' },
  { name: 'May be sent', value: ({ sends, unsent }) => (sends > unsent ? 'yes' : 'no') },
]
