// `refund`: money that is given back. Shows refunds without an end, and ends one that cannot be sent.
import type { RefundId } from '#/kernel/id.ts'
import { isUuid } from '#/kernel/id.ts'
import { endRefundAct } from '#/operator/acts/payouts.ts'
import { selectOpen, type OpenRefund } from '#/refunds/due-queries.ts'
import { selectRefundsById } from '#/refunds/queries.ts'
import { refundRecord, type Refund } from '#/refunds/refund.ts'
import { commandsOf } from './act-commands.ts'
import { amountText } from './amount.ts'
import { group, UsageError, type Call, type Command } from './command.ts'
import { withDatabase } from './database.ts'
import { dateText, printRecord, printRows, type Column } from './table.ts'

const rowsMax = 200

const list: Command = {
  summary: 'Lists refunds that have not ended: those that wait for a second person, then those that are sent',
  async run({ terminal, deps, json }) {
    await withDatabase(deps.config(), async (sql) => {
      const rows = await selectOpen(sql, rowsMax)
      const empty = 'No refund is without an end.'
      printRows(terminal, rows, { columns, json, empty, recordOf })
    })
  },
}

const show: Command = {
  summary: 'Shows one refund',
  positionals: ['id'],
  async run(call) {
    const { terminal, deps, json } = call
    const id = idOf(call)
    await withDatabase(deps.config(), async (sql) => {
      const [found] = await selectRefundsById(sql, [id])
      if (found === undefined) throw unknown(id)
      printRecord(terminal, recordOf(found), { labels: {}, json })
    })
  },
}

export const refundCommand = group('refund', {
  list,
  show,
  ...commandsOf(endRefundAct, { recordOf: ({ refund }) => recordOf(refund) }),
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

/** As the API shows it, with fields that are only for the operator. */
function recordOf(refund: Refund | OpenRefund): Readonly<Record<string, unknown>> {
  const { merchantId, method, connection, paidRef } = refund
  const sends = 'sends' in refund ? { sends: refund.sends, maybeSent: refund.sends - refund.unsent } : {}
  return { ...refundRecord(refund), merchantId, method, connection, paidRef, ...sends }
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
