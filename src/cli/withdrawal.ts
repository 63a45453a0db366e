// `withdrawal`: money that leaves. Shows what waits for a person, and records decisions; limits are in withdrawal-limits.ts.
import { isUuid, type WithdrawalId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { printable, type Terminal } from '#/kernel/terminal.ts'
import { resolveWithdrawalAct, stopPayout } from '#/operator/acts/payouts.ts'
import { operatorWithdrawal } from '#/operator/records.ts'
import { selectForOperator } from '#/withdrawals/list-queries.ts'
import { selectWithdrawalsById } from '#/withdrawals/queries.ts'
import type { Withdrawal } from '#/withdrawals/withdrawal.ts'
import { commandsOf } from './act-commands.ts'
import { amountText } from './amount.ts'
import { group, UsageError, type Call, type Command, type CommandDeps } from './command.ts'
import { withDatabase } from './database.ts'
import { dateText, printRecord, printRows, type Column } from './table.ts'
import { destinationCommands, limitCommand } from './withdrawal-limits.ts'

const rowsMax = 200

const list: Command = {
  summary: 'Lists withdrawals that have not ended, newest first',
  options: {
    all: { meaning: 'Also those that have ended' },
    approval: { meaning: 'Only those that wait for approval' },
  },
  run: (call) => printList(call, call.flag('approval') ? 'approval' : call.flag('all') ? 'all' : 'open'),
}

const review: Command = {
  summary: 'Lists withdrawals whose end has been unknown for so long that a person has to review them',
  run: (call) => printList(call, 'review'),
}

async function printList({ terminal, deps, json }: Call, filter: Parameters<typeof selectForOperator>[1]) {
  await withDatabase(deps.config(), async (sql) => {
    const rows = await selectForOperator(sql, filter, rowsMax)
    const empty = filter === 'review' ? 'No withdrawal waits for a person.' : 'There are none.'
    printRows(terminal, rows, { columns, json, empty, recordOf: operatorWithdrawal })
  })
}

const show: Command = {
  summary: 'Shows one withdrawal, with its references at the provider',
  positionals: ['id'],
  async run(call) {
    const { terminal, deps, json } = call
    const id = idOf(call)
    await withDatabase(deps.config(), async (sql) => {
      const [found] = await selectWithdrawalsById(sql, [id])
      if (found === undefined) throw unknown(id)
      const record = operatorWithdrawal(found)
      printRecord(terminal, json ? record : { ...record, amount: amountText(found) }, { labels, json })
    })
  },
}

/** Only for the help: the commands of `limits` are a group of their own. */
const destination: Command = {
  summary: "A merchant's allowed destinations: destination add, list, remove",
  positionals: ['add|list|remove'],
  run: async () => {},
}

const withdrawals = group('withdrawal', {
  list,
  review,
  show,
  ...commandsOf(resolveWithdrawalAct, { recordOf: ({ withdrawal }) => operatorWithdrawal(withdrawal) }),
  ...commandsOf(stopPayout),
  ...limitCommand,
  destination,
})
const destinations = group('withdrawal destination', destinationCommands)

/** `log`: where decisions are logged. */
export function withdrawalCommand(
  args: readonly string[],
  terminal: Terminal,
  deps: CommandDeps,
  log?: Log,
): Promise<number> {
  const [word, ...rest] = args
  return word === 'destination'
    ? destinations(rest, terminal, deps, log)
    : withdrawals(args, terminal, deps, log)
}

function idOf({ given }: Call): WithdrawalId {
  const [text = ''] = given
  const id = text.toLowerCase()
  if (!isUuid(id)) throw unknown(text)
  return id as WithdrawalId
}

function unknown(text: string): UsageError {
  return new UsageError(`There is no withdrawal ${text}.`, 'See ./vintem withdrawal list.')
}

const columns: readonly Column<Withdrawal>[] = [
  { name: 'Id', value: ({ id }) => id },
  { name: 'Mode', value: ({ mode }) => mode },
  { name: 'Status', value: ({ status, reviewRequired }) => (reviewRequired ? `${status}, review` : status) },
  { name: 'Amount', value: amountText, align: 'right' },
  { name: 'Created', value: ({ createdAt }) => dateText(createdAt) },
  { name: 'Reference', value: ({ reference }) => reference },
  { name: 'To', value: ({ destination: { text } }) => printable(text) },
]

const labels: Readonly<Record<string, string>> = {
  id: 'Withdrawal',
  merchantId: 'Merchant',
  mode: 'Mode',
  status: 'Status',
  reviewRequired: 'Review required',
  amount: 'Amount',
  destination: 'To',
  connection: 'Connection',
  reference: 'Our reference',
  providerRef: "Provider's reference",
  endToEndId: 'End-to-end id',
  txHash: 'Transaction',
  failureCode: 'Failure',
  failureMessage: 'Which means',
  note: 'Decided because',
  createdAt: 'Created',
  completedAt: 'Completed',
}
