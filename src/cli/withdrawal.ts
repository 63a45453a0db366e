// `withdrawal`: money that leaves. Shows what waits for a person, and records decisions; limits are in withdrawal-limits.ts.
import type { Core } from '#/app/core.ts'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { isUuid, type WithdrawalId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { printable, type Terminal } from '#/kernel/terminal.ts'
import { systemClock } from '#/kernel/time.ts'
import { decideWithdrawal, stopPayoutAs } from '#/operator/payouts.ts'
import { selectForOperator } from '#/withdrawals/list-queries.ts'
import { selectWithdrawalsById } from '#/withdrawals/queries.ts'
import { withdrawalRecord, type Withdrawal } from '#/withdrawals/withdrawal.ts'
import { amountText } from './amount.ts'
import { operatorHere, requiredReason } from './audited.ts'
import { runGroup, UsageError, type Call, type Command, type CommandDeps } from './command.ts'
import { withDatabase } from './database.ts'
import { decisionLog, whoDecides } from './decision.ts'
import { requireOwnKeys } from './office.ts'
import { sayProposed } from './proposed.ts'
import { dateText, printRecord, printRows, type Column } from './table.ts'
import { withCore } from './with-core.ts'
import { destinationCommands, limit } from './withdrawal-limits.ts'

const rowsMax = 200

const list: Command = {
  summary: 'Lists withdrawals that have not ended, newest first',
  positionals: [],
  options: {
    all: { meaning: 'Also those that have ended' },
    approval: { meaning: 'Only those that wait for approval' },
  },
  run: (call) => printList(call, call.flag('approval') ? 'approval' : call.flag('all') ? 'all' : 'open'),
}

const review: Command = {
  summary: 'Lists withdrawals whose end has been unknown for so long that a person has to review them',
  positionals: [],
  options: {},
  run: (call) => printList(call, 'review'),
}

async function printList({ terminal, deps, json }: Call, filter: Parameters<typeof selectForOperator>[1]) {
  await withDatabase(deps.config(), async (sql) => {
    const rows = await selectForOperator(sql, filter, rowsMax)
    const empty = filter === 'review' ? 'No withdrawal waits for a person.' : 'There are none.'
    printRows(terminal, rows, { columns, json, empty, recordOf })
  })
}

const show: Command = {
  summary: 'Shows one withdrawal, with its references at the provider',
  positionals: ['id'],
  options: {},
  async run(call) {
    const { terminal, deps, json } = call
    const id = idOf(call)
    await withDatabase(deps.config(), async (sql) => {
      const [found] = await selectWithdrawalsById(sql, [id])
      if (found === undefined) throw unknown(id)
      printRecord(terminal, json ? recordOf(found) : { ...recordOf(found), amount: amountText(found) }, {
        labels,
        json,
      })
    })
  },
}

function resolve(log: Log): Command {
  return {
    summary:
      'Records how a withdrawal ended whose provider reports no end: "sent", the recipient has it; "refused", it was not paid',
    positionals: ['id', 'sent|refused'],
    options: { reason: { value: 'text', meaning: 'How you know; required, kept with the withdrawal' } },
    async run(call) {
      const [, end] = call.given
      if (end !== 'sent' && end !== 'refused')
        throw new UsageError(`"${end}" is no end of a withdrawal.`, 'It was sent or refused.')
      const reason = requiredReason(call, 'Say how you know.')
      await withCore(call.deps.config(), (core) => decide(call, log, core, { end, reason }))
    },
  }
}

type Decision = { readonly end: 'sent' | 'refused'; readonly reason: string }

async function decide(call: Call, log: Log, core: Core, { end, reason }: Decision): Promise<void> {
  const { terminal, json } = call
  const id = idOf(call)
  const [before] = await selectWithdrawalsById(core.sql, [id])
  if (before === undefined) throw unknown(id)
  requireOwnKeys(core.config, before.mode)
  const deps = { ...core, hasOwnKeys: true, aloneMax: BigInt(core.config.VINTEM_SUSPENSE_ALONE_MAX) }
  const verdict = await decideWithdrawal(deps, operatorHere(call.deps.config()), id, { end, reason }).catch(
    (error: unknown) => {
      throw error instanceof AppError ? new UsageError(error.message, '') : error
    },
  )
  if (verdict.kind === 'proposed') return sayProposed(call, log, verdict.proposal)
  const { withdrawal, isLater } = verdict
  log.info({ withdrawal: id, end, why: reason, by: whoDecides() }, 'a withdrawal was ended by a person')
  if (isLater) terminal.out(`${terminal.paint.good(terminal.symbols.done)} The worker settles it now.`)
  else if (json) printRecord(terminal, recordOf(withdrawal), { labels, json })
  else terminal.out(`${terminal.paint.good(terminal.symbols.done)} The withdrawal is ${withdrawal.status}.`)
}

function stop(log: Log): Command {
  return {
    summary:
      'Requests that a withdrawal or refund by CRYPTO, or one by SEPA that is in no file yet, is not paid, while that is still possible; its money comes back',
    positionals: ['id'],
    options: { reason: { value: 'text', meaning: 'Why; required, for the log' } },
    async run(call) {
      const { terminal, deps } = call
      const id = idOf(call)
      const why = requiredReason(call, 'Say why it is not to be paid.')
      await withDatabase(deps.config(), async (sql) => {
        if (!(await stopPayoutAs({ sql, clock: systemClock }, operatorHere(), id, why)))
          throw new UsageError(
            'There is nothing that could still be stopped.',
            'It is no withdrawal or refund by CRYPTO or SEPA, it is in a file of payments, it has ended, or it was requested before.',
          )
      })
      log.info({ withdrawal: id, why, by: whoDecides() }, 'a person requested to stop a payout')
      terminal.out(
        `${terminal.paint.good(terminal.symbols.done)} It is stopped, on a chain unless its transaction is mined: ./vintem withdrawal show ${id}`,
      )
    },
  }
}

/** Only for the help: the commands of `limits` are a group of their own. */
const destination: Command = {
  summary: "A merchant's allowed destinations: destination add, list, remove",
  positionals: ['add|list|remove'],
  options: {},
  run: async () => {},
}

/** `log`: where decisions are logged. */
export function withdrawalCommand(
  args: readonly string[],
  terminal: Terminal,
  deps: CommandDeps,
  log: Log = decisionLog(deps),
): Promise<number> {
  const [word, ...rest] = args
  if (word === 'destination')
    return runGroup('withdrawal destination', destinationCommands, rest, { terminal, deps })
  const commands = { list, review, show, resolve: resolve(log), stop: stop(log), limit, destination }
  return runGroup('withdrawal', commands, args, { terminal, deps })
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

/** As the API shows it, with fields that are only for the operator. */
function recordOf(withdrawal: Withdrawal): Readonly<Record<string, unknown>> {
  const { merchantId, connection, reference, note } = withdrawal
  return {
    ...withdrawalRecord(withdrawal),
    merchantId,
    connection,
    reference,
    destination: withdrawal.destination.text,
    ...given({ note }),
  }
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
