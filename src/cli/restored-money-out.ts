// `restored money-out`: compares what providers say left since the restored moment, and what signers signed, with the books.
import { formatUnits } from 'viem/utils'
import type { Core } from '#/app/core.ts'
import { bookDecimals } from '#/coins/units.ts'
import type { Config } from '#/config.ts'
import { createRpc, type Rpc } from '#/evm/client.ts'
import { nonceReader } from '#/evm/nonces.ts'
import { given } from '#/kernel/given.ts'
import { toJson } from '#/kernel/json.ts'
import { parseInstant, secondMs } from '#/kernel/time.ts'
import { compareMoneyOut, type Compared, type Comparison, type MoneyOutDeps } from '#/restored/money-out.ts'
import type { SignedTx } from '#/restored/signed.ts'
import { sentKind } from '#/settlement/unrecorded.ts'
import { readJournalCopy, type JournalCopy } from '#/signer/journal-copy.ts'
import { operatorHere } from './audited.ts'
import { nodeOf } from './coins-node.ts'
import { showNext, UsageError, type Call, type Command } from './command.ts'
import { dateText, printRows, type Column } from './table.ts'
import { unrecordedColumns, unrecordedRecord } from './unrecorded.ts'
import { withCore } from './with-core.ts'

export const moneyOut: Command = {
  summary:
    'Compares what providers say left since the restored moment, and what signers signed (--journal), with the books, and records what the books do not have. May be run again',
  options: {
    since: {
      value: 'instant',
      meaning: 'What was requested from then on; ISO 8601 (default: an hour before the restored moment)',
    },
    journal: {
      value: 'file',
      repeats: true,
      meaning:
        "A signer's journal.jsonl in its folder, or in a private copy of it; once for each signer (docs/signer.md)",
    },
    rpc: {
      value: 'url',
      meaning: 'For --journal: JSON-RPC of a node of the live chain, instead of the one of the settings',
    },
  },
  async run(call) {
    const since = sinceOf(call)
    const journals = call.all('journal').map(readJournalCopy)
    const config = call.deps.config()
    const nodes = openNodes(config, call.option('rpc'))
    try {
      await withCore(
        config,
        async (core) => {
          const deps = depsOf(core, journals, nodes.reader)
          show(call, await compareMoneyOut(deps, operatorHere(), since), journals)
        },
        'asWorker',
      )
    } finally {
      nodes.close()
    }
  },
}

function depsOf(
  { sql, rails, payoutRails, connections, lane, log }: Core,
  journals: readonly JournalCopy[],
  nodeReader: ReturnType<typeof openNodes>['reader'],
): MoneyOutDeps {
  const signed = journals.length === 0 ? {} : { signed: { journals, nodeOf: nodeReader } }
  const record: MoneyOutDeps['record'] = (item) => lane.submit(sentKind, item)
  return { sql, rails, payoutRails, connections, log, record, ...signed }
}

/** The nodes of chains, each opened when it is needed. `url`: of the one chain that live money uses, instead of the settings'. */
function openNodes(config: Config, url: string | undefined) {
  const opened = new Map<string, Rpc>()
  return {
    reader: (key: string) => {
      const isGiven = url !== undefined && key !== 'sandbox'
      const rpc = opened.get(key) ?? createRpc(isGiven ? url : nodeOf(config, { key }), { timeoutMs: nodeMs })
      opened.set(key, rpc)
      return nonceReader(rpc)
    },
    close: () => {
      for (const rpc of opened.values()) rpc.close()
    },
  }
}

const nodeMs = 10 * secondMs

function sinceOf({ option }: Call): { readonly since?: Date } {
  const text = option('since')
  if (text === undefined) return {}
  const since = parseInstant(text)
  if (since !== undefined) return { since }
  throw new UsageError(`"${text}" is no instant.`, 'Write it as 2026-11-21T00:00:00Z.')
}

function show(
  { terminal, json }: Call,
  { since, sources, recorded, signed }: Comparison,
  journals: readonly JournalCopy[],
): void {
  const open = signed.filter(({ books }) => books !== 'KNOWN')
  if (json)
    return terminal.out(
      toJson({
        since,
        sources,
        recorded: recorded.map(unrecordedRecord),
        journals: journals.map(({ path, lines, cut }) => ({ path, lines: lines.length, cut })),
        signed: open.map(({ pays, ...tx }) => ({ ...tx, ...given({ pays }) })),
      }),
    )
  terminal.out(`What was requested since ${dateText(since)}:`)
  printRows(terminal, sources, { columns, json, empty: 'No connection sends money.' })
  for (const { path, lines, cut } of journals)
    terminal.out(
      `${path}: ${lines.length} signed${cut === 0 ? '' : `; its last line was cut off and never answered, and is skipped`}`,
    )
  if (journals.length > 0) {
    terminal.out(
      `Signed since, ${signed.length - open.length} known to the books as they are. The others, by nonce:`,
    )
    printRows(terminal, open, { columns: signedColumns, json, empty: 'None.' })
  }
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

const bookWords: Readonly<Record<SignedTx['books'], string>> = {
  KNOWN: 'as it is',
  EARLIER: 'earlier state',
  UNKNOWN: 'not there',
}
const chainWords: Readonly<Record<SignedTx['nonceIs'], string>> = {
  USED: 'mined',
  UNREAD: 'mined, not read yet',
  OPEN: 'not mined: may still be used',
}

const signedColumns: readonly Column<SignedTx>[] = [
  { name: 'Nonce', value: ({ nonce }) => String(nonce), align: 'right' },
  { name: 'Wallet', value: ({ key }) => key },
  { name: 'Reference', value: ({ reference }) => reference },
  {
    name: 'Books',
    value: ({ books, nonceOf }) => bookWords[books] + (nonceOf === undefined ? '' : `; nonce of ${nonceOf}`),
  },
  {
    name: 'Chain',
    value: ({ nonceIs, isCanceled }) => chainWords[nonceIs] + (isCanceled ? ', canceled' : ''),
  },
  { name: 'To', value: ({ pays }) => pays?.to ?? '-' },
  {
    name: 'Amount',
    value: ({ pays }) => (pays === undefined ? '-' : formatUnits(pays.units, bookDecimals)),
    align: 'right',
  },
  { name: 'Merchant', value: ({ merchantId }) => merchantId ?? '-' },
  { name: 'Recorded as', value: ({ move }) => move ?? '-' },
]

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
