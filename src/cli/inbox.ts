// `inbox`: signals that could not be settled and wait for a person, who has them retried or dropped.
import type { Log } from '#/kernel/log.ts'
import type { Terminal } from '#/kernel/terminal.ts'
import { aboutSignal, dropSignal, retrySignal } from '#/operator/parked.ts'
import { selectParked, type ParkedSignal } from '#/settlement/parked-queries.ts'
import { operatorHere, requiredReason, textOf } from './audited.ts'
import { runGroup, UsageError, type Call, type Command, type CommandDeps } from './command.ts'
import { withDatabase } from './database.ts'
import { decisionLog, whoDecides } from './decision.ts'
import { dateText, printRecord, printRows, type Column } from './table.ts'

const list: Command = {
  summary: 'Lists the signals that wait for a person, oldest first; --json shows their bodies',
  positionals: [],
  options: {},
  async run({ terminal, deps, json }) {
    await withDatabase(deps.config(), async (sql) => {
      const rows = (await selectParked(sql)).map(recordOf)
      printRows(terminal, rows, { columns, json, empty: 'No signal waits for a person.' })
    })
  },
}

function retry(log: Log): Command {
  return {
    summary: 'Retries a signal, up to five times again; remove the cause first',
    positionals: ['id'],
    options: { why: { value: 'text', meaning: 'What was wrong, for the log' } },
    async run(call) {
      const { terminal, deps, json } = call
      const id = idOf(call)
      const why = textOf(call, 'why')
      await withDatabase(deps.config(), async (sql) => {
        if (!(await retrySignal(sql, operatorHere(), id, why))) throw notParked(id)
        log.info({ signal: id, by: whoDecides(), why }, 'a parked signal is tried again by a person')
        if (json) printRecord(terminal, { id, state: 'due' }, { labels, json })
        else
          terminal.out(
            `${terminal.paint.good(terminal.symbols.done)} Signal ${id} is due: a worker claims it at once.`,
          )
      })
    },
  }
}

function drop(log: Log): Command {
  return {
    summary: 'Drops a signal for good: its content is never settled. Shows it this last time',
    positionals: ['id'],
    options: {
      reason: { value: 'text', meaning: 'Why it reports no money of ours; required, for the log' },
    },
    async run(call) {
      const { terminal, deps, json } = call
      const id = idOf(call)
      const why = requiredReason(call, 'Say why nothing of this signal is to be settled.')
      await withDatabase(deps.config(), async (sql) => {
        const dropped = await dropSignal(sql, operatorHere(deps.config()), id, why)
        if (dropped === undefined) throw notParked(id)
        const about = { signal: id, ...aboutSignal(dropped) }
        log.info({ ...about, by: whoDecides(), why }, 'a parked signal was dropped by a person')
        printRecord(terminal, recordOf(dropped), { labels, json })
        if (!json) terminal.out(`${terminal.paint.good(terminal.symbols.done)} Signal ${id} is dropped.`)
      })
    },
  }
}

/** `log`: where decisions are logged. */
export function inboxCommand(
  args: readonly string[],
  terminal: Terminal,
  deps: CommandDeps,
  log: Log = decisionLog(deps),
): Promise<number> {
  return runGroup('inbox', { list, retry: retry(log), drop: drop(log) }, args, { terminal, deps })
}

function idOf({ given }: Call): bigint {
  const [text = ''] = given
  if (!/^\d{1,18}$/.test(text))
    throw new UsageError(`"${text}" is no signal's id.`, 'See ./vintem inbox list.')
  return BigInt(text)
}

function notParked(id: bigint): UsageError {
  return new UsageError(`No signal ${id} waits for a person.`, 'See ./vintem inbox list.')
}

type SignalRecord = Omit<ParkedSignal, 'body'> & { readonly body: string }

/** Bodies of all providers so far are text; other bytes become �, and the log's hash is of the bytes. */
function recordOf(signal: ParkedSignal): SignalRecord {
  return { ...signal, body: signal.body.toString('utf8') }
}

const columns: readonly Column<SignalRecord>[] = [
  { name: 'Id', value: ({ id }) => String(id), align: 'right' },
  { name: 'Method', value: ({ method }) => method },
  { name: 'Connection', value: ({ connection }) => connection },
  { name: 'Received', value: ({ receivedAt }) => dateText(receivedAt) },
  { name: 'Tries', value: ({ tries }) => String(tries), align: 'right' },
  { name: 'Error', value: ({ lastError }) => lastError ?? '' },
]

const labels: Readonly<Record<string, string>> = {
  id: 'Id',
  method: 'Method',
  connection: 'Connection',
  receivedAt: 'Received',
  lastError: 'Error',
  body: 'Body',
}
