// `statement`: a bank's files are imported, and typos of payers and unclear recalls are decided.
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { messageOf } from '#/kernel/error.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { toDecimal } from '#/kernel/money.ts'
import { printable } from '#/kernel/terminal.ts'
import {
  acceptTypo,
  correctStatement,
  decideHeldMovement,
  endForeignMoney,
  refuseTypo,
  sayNotRecalled,
  sayRecalled,
} from '#/operator/acts/bank-files.ts'
import { importStatement } from '#/operator/statements.ts'
import type { Imported } from '#/rails/sepa/import.ts'
import { listProposals, type Proposal } from '#/rails/sepa/propose.ts'
import { selectFiles, type FileRow } from '#/rails/sepa/statement-queries.ts'
import { fileBytesMax } from '#/rails/sepa/xml.ts'
import { signalKeeper } from '#/settlement/inbox.ts'
import { commandsOf } from './act-commands.ts'
import { operatorHere } from './audited.ts'
import { group, sayDone, UsageError, type Call, type Command, FoundFault } from './command.ts'
import { listing } from './listing.ts'
import { foreign, foreignRecord, held, heldRecord, recallRecord, recalls } from './statement-waiting.ts'
import { dateText, printRecord, type Column } from './table.ts'
import { withCore } from './with-core.ts'

const connectionOption = {
  value: 'connection-id',
  meaning: 'Whose account it is; needed when several connections have it',
}

const importing: Command = {
  summary:
    "Imports a bank's files (camt.053, camt.054, also in ZIP), in this order; a refused one stops no other",
  positionals: ['file'],
  repeats: true,
  options: { connection: connectionOption },
  async run(call) {
    const files = call.given
    const only = call.option('connection')
    await withCore(call.deps.config(), async (core) => {
      const refused: Refused[] = []
      for (const file of files) {
        const bytes = await bytesOf(file)
        const named = { bytes, name: path.basename(file) }
        const connection = only === undefined ? {} : { connection: only as ConnectionId }
        const parts = { ...core, keep: signalKeeper(core.clock) }
        const imported = await importStatement(parts, operatorHere(), { ...named, ...connection })
        show(call, file, imported)
        if (imported.state === 'REFUSED') refused.push({ file, reason: imported.reason })
      }
      const sentences = refused.map(
        ({ file, reason }) => `${printable(file)} was refused: ${printable(reason)}.`,
      )
      if (refused.length > 0)
        throw new FoundFault(
          sentences.join('\n'),
          'Only what the reason calls imported was imported. docs/rails/sepa.md says what each reason means.',
        )
    })
  },
}

type Refused = { readonly file: string; readonly reason: string }

async function bytesOf(file: string): Promise<Buffer> {
  try {
    const { size } = await stat(file)
    if (size > fileBytesMax)
      throw new UsageError(`${printable(file)} is too large.`, 'Ask the bank for smaller files.')
    return await readFile(file)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${printable(file)} cannot be read: ${messageOf(error)}.`, 'Check the path.')
  }
}

function show({ terminal, json }: Call, file: string, imported: Imported): void {
  if (json) return printRecord(terminal, { file, ...imported }, { labels: {}, json })
  if (imported.state === 'REFUSED') return
  const counts =
    imported.state === 'KNOWN'
      ? 'was imported before; nothing changed'
      : `${imported.movements} new movements, ${imported.paid} quote a reference, ${imported.proposed} nearly one${othersOf(imported)}${seenOf(imported)}`
  sayDone(terminal, `${printable(file)}: ${counts}.`)
}

function othersOf({
  foreign: count,
  held: waiting,
  raised,
}: Imported & { readonly state: 'IMPORTED' }): string {
  const others = count === 0 ? '' : `; ${count} more in other currencies wait in ./vintem statement foreign`
  const holding = waiting === 0 ? '' : `; ${waiting} are held: see ./vintem statement held`
  return `${others}${holding}${raised === undefined ? '' : `. Ask the bank: ${printable(raised)}`}`
}

function seenOf({ seen = 0 }: Imported & { readonly state: 'IMPORTED' }): string {
  return seen === 0 ? '' : `; ${seen} only seen: a statement has to have them before they count`
}

const list = listing({
  summary: 'Lists the files that were handed in, newest first',
  rows: async (sql) => (await selectFiles(sql, 200)).map(fileRecord),
  columns: () => fileColumns,
  empty: 'No file was handed in yet.',
})

const proposals = listing({
  summary: 'Lists transfers whose reference is almost one of ours, oldest first',
  rows: async (sql) => (await listProposals(sql)).map(proposalRecord),
  columns: () => proposalColumns,
  empty: 'No transfer waits for a person.',
})

export const statementCommand = group('statement', {
  import: importing,
  list,
  proposals,
  ...commandsOf(acceptTypo, { recordOf: proposalRecord }),
  ...commandsOf(refuseTypo, { recordOf: proposalRecord }),
  recalls,
  ...commandsOf(sayRecalled, { recordOf: recallRecord }),
  ...commandsOf(sayNotRecalled, { recordOf: recallRecord }),
  foreign,
  ...commandsOf(endForeignMoney, { recordOf: foreignRecord }),
  held,
  ...commandsOf(decideHeldMovement, { recordOf: heldRecord }),
  ...commandsOf(correctStatement),
})

function fileRecord({
  connection,
  message,
  name,
  state,
  reason,
  raised,
  entries,
  handedInBy,
  createdAt,
  sha256,
}: FileRow) {
  return {
    file: name,
    message,
    state,
    entries,
    reason: reason ?? raised ?? '',
    handedInBy,
    at: createdAt.toISOString(),
    connection,
    sha256: sha256.toString('hex'),
  }
}

function proposalRecord({ connection, entry, minor, bookedOn, wrote, near, payer, paymentId }: Proposal) {
  const amount = toDecimal({ minor, currency: 'EUR' })
  return { connection, entry, amount, bookedOn, wrote, near, payer, paymentId }
}

const fileColumns: readonly Column<ReturnType<typeof fileRecord>>[] = [
  { name: 'file', value: ({ file }) => printable(file) },
  { name: 'message', value: ({ message }) => message },
  { name: 'state', value: ({ state }) => state },
  { name: 'new', value: ({ entries }) => String(entries) },
  { name: 'by', value: ({ handedInBy }) => printable(handedInBy) },
  { name: 'at', value: ({ at }) => dateText(new Date(at)) },
  { name: 'reason', value: ({ reason }) => printable(reason) },
]

const proposalColumns: readonly Column<ReturnType<typeof proposalRecord>>[] = [
  { name: 'connection', value: ({ connection }) => connection },
  { name: 'entry', value: ({ entry }) => printable(entry) },
  { name: 'EUR', value: ({ amount }) => amount },
  { name: 'payer wrote', value: ({ wrote }) => printable(wrote) },
  { name: 'almost', value: ({ near }) => near },
  { name: 'payment', value: ({ paymentId }) => paymentId },
]
