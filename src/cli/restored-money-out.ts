// `restored money-out`: compares what providers say left since the restored moment with the books.
import { toJson } from '#/kernel/json.ts'
import { parseInstant } from '#/kernel/time.ts'
import { compareMoneyOut, type Compared, type Comparison } from '#/restored/money-out.ts'
import { sentKind } from '#/settlement/unrecorded.ts'
import type { Core } from '#/app.ts'
import { operatorHere } from './audited.ts'
import { showNext, UsageError, type Call, type Command } from './command.ts'
import { dateText, printRows, type Column } from './table.ts'
import { unrecordedColumns, unrecordedRecord } from './unrecorded.ts'
import { withCore } from './with-core.ts'

export const moneyOut: Command = {
  summary:
    'Compares what providers say left since the restored moment with the books, and records what the books do not have. May be run again',
  positionals: [],
  options: {
    since: {
      value: 'instant',
      meaning: 'What was requested from then on; ISO 8601 (default: an hour before the restored moment)',
    },
  },
  async run(call) {
    const since = sinceOf(call)
    await withCore(
      call.deps.config(),
      async (core) => show(call, await compareMoneyOut(depsOf(core), operatorHere(), since)),
      'asWorker',
    )
  },
}

function depsOf({ sql, rails, payoutRails, connections, lane, log }: Core) {
  const record: Parameters<typeof compareMoneyOut>[0]['record'] = (item) => lane.submit(sentKind, item)
  return { sql, rails, payoutRails, connections, log, record }
}

function sinceOf({ option }: Call): { readonly since?: Date } {
  const text = option('since')
  if (text === undefined) return {}
  const since = parseInstant(text)
  if (since !== undefined) return { since }
  throw new UsageError(`"${text}" is no instant.`, 'Write it as 2026-11-21T00:00:00Z.')
}

function show({ terminal, json }: Call, { since, sources, recorded }: Comparison): void {
  if (json) return terminal.out(toJson({ since, sources, recorded: recorded.map(unrecordedRecord) }))
  terminal.out(`What was requested since ${dateText(since)}:`)
  printRows(terminal, sources, { columns, json, empty: 'No connection sends money.' })
  for (const { connection, kind, why } of sources)
    if (why !== undefined)
      terminal.out(`${terminal.paint.bad(terminal.symbols.fail)} ${kind} of ${connection}: ${why}`)
  if (recorded.length > 0) {
    terminal.out('Recorded now, for two people to decide about:')
    printRows(terminal, recorded, { columns: unrecordedColumns, json, empty: '' })
    return showNext(terminal, './vintem suspense sent')
  }
  const missed = sources.filter(({ why }) => why !== undefined)
  const without = [...new Set(missed.map(({ connection }) => connection))].join(',')
  showNext(
    terminal,
    `./vintem restored confirm money-out ${without === '' ? '' : `--without ${without} `}--note '…'`,
  )
}

const columns: readonly Column<Compared>[] = [
  { name: 'Complete', value: ({ why }) => (why === undefined ? 'yes' : 'no') },
  { name: 'Kind', value: ({ kind }) => kind },
  { name: 'Connection', value: ({ connection }) => connection },
  { name: 'In the books', value: ({ counts }) => String(counts.agreeing), align: 'right' },
  { name: 'Earlier state', value: ({ counts }) => String(counts.behind), align: 'right' },
  { name: 'Under way', value: ({ counts }) => String(counts.underWay), align: 'right' },
  { name: 'Of lost payments', value: ({ counts }) => String(counts.ofUnknown), align: 'right' },
  { name: 'Recorded', value: ({ counts }) => String(counts.recorded), align: 'right' },
  { name: 'Before', value: ({ counts }) => String(counts.repeated), align: 'right' },
]
