// `inbox`: signals that could not be settled and wait for a person, who has them retried or dropped.
import { dropParkedSignal, retryParkedSignal } from '#/operator/acts/inbox.ts'
import { selectParked, type ParkedSignal } from '#/settlement/inbox-queries.ts'
import { commandsOf } from './act-commands.ts'
import { group, sayDone, type Call } from './command.ts'
import { listing } from './listing.ts'
import { dateText, printRecord, type Column } from './table.ts'

const list = listing({
  summary: 'Lists the signals that wait for a person, oldest first; --json shows their bodies',
  rows: async (sql) => (await selectParked(sql)).map(recordOf),
  columns: () => columns,
  empty: 'No signal waits for a person.',
})

/** A signal that was dropped is shown this last time. */
function printDropped({ terminal, json }: Call, dropped: ParkedSignal): void {
  printRecord(terminal, recordOf(dropped), { labels, json })
  if (!json) sayDone(terminal, `Signal ${dropped.id} is dropped.`)
}

export const inboxCommand = group('inbox', {
  list,
  ...commandsOf(retryParkedSignal),
  ...commandsOf(dropParkedSignal, { print: printDropped }),
})

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
