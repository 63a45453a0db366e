// `payment-file`: payouts by bank transfer are put into a file, which a person takes once and uploads at the bank.
import { writeFile } from 'node:fs/promises'
import type { Core } from '#/app/core.ts'
import { messageOf } from '#/kernel/error.ts'
import { isUuid, type ConnectionId, type Id } from '#/kernel/id.ts'
import { toDecimal } from '#/kernel/money.ts'
import { printable, type Terminal } from '#/kernel/terminal.ts'
import { makePaymentFile, takePaymentFile } from '#/operator/statements.ts'
import { selectBatches, type Batch } from '#/rails/sepa/payout-queries.ts'
import { operatorHere } from './audited.ts'
import { runGroup, UsageError, type Call, type Command, type CommandDeps } from './command.ts'
import { withDatabase } from './database.ts'
import { dateText, printRecord, printRows, type Column } from './table.ts'
import { withCore } from './with-core.ts'

const make: Command = {
  summary: 'Puts all payouts that wait on an account into one file, and stores it',
  positionals: ['connection'],
  options: {},
  async run({ given: [connection = ''], terminal, deps, json }) {
    await withCore(deps.config(), async (core) => {
      const id = accountOf(core, connection)
      const made = await makePaymentFile(core, operatorHere(), id)
      if (json)
        return printRecord(terminal, made === undefined ? {} : recordOfMade(made), { labels: {}, json })
      const { paint, symbols } = terminal
      if (made === undefined) return terminal.out('No payout waits on this account.')
      const sum = toDecimal({ minor: made.sumMinor, currency: 'EUR' })
      terminal.out(
        `${paint.good(symbols.done)} File ${made.id} has ${made.payouts} payouts of ${sum} EUR in all.`,
      )
      terminal.out(`  ./vintem payment-file take ${made.id} --out payments.xml`)
    })
  },
}

function recordOfMade({ id, payouts, sumMinor }: NonNullable<Awaited<ReturnType<typeof makePaymentFile>>>) {
  return { id, payouts, amount: toDecimal({ minor: sumMinor, currency: 'EUR' }) }
}

function accountOf({ connections }: Core, text: string): ConnectionId {
  const found = connections.find(text as ConnectionId)
  if (found?.method === 'SEPA_TRANSFER') return found.id
  throw new UsageError(
    `${printable(text)} is no account for bank transfers.`,
    'See ./vintem connection list.',
  )
}

const list: Command = {
  summary: 'Lists the files, newest first, and who took them',
  positionals: [],
  options: {},
  async run({ terminal, deps, json }) {
    await withDatabase(deps.config(), async (sql) => {
      const rows = (await selectBatches(sql, 200)).map(recordOf)
      printRows(terminal, rows, { columns, json, empty: 'No file was made yet.' })
    })
  },
}

const take: Command = {
  summary: 'Writes a file for the upload at the bank; each file is taken once',
  positionals: ['file'],
  options: {
    out: { value: 'payments.xml', meaning: 'Where it is written; nothing may be there yet; required' },
  },
  async run(call) {
    const [id = ''] = call.given
    const out = call.option('out')
    if (out === undefined || !isUuid(id))
      throw new UsageError('A file and --out are needed.', 'See ./vintem payment-file list.')
    await withDatabase(call.deps.config(), async (sql) => {
      const write = (bytes: Buffer) => writeNew(out, bytes)
      if (!(await takePaymentFile(sql, operatorHere(), { id: id as Id<'sepa-batch'>, write })))
        throw new UsageError(
          'There is no such file, or it was taken before.',
          'See ./vintem payment-file list.',
        )
      done(call, id, out)
    })
  },
}

function done({ terminal, json }: Call, id: string, out: string): void {
  if (json) return printRecord(terminal, { id, out }, { labels: {}, json })
  const { paint, symbols } = terminal
  terminal.out(
    `${paint.good(symbols.done)} ${printable(out)} is written. Upload it once, and import the bank's report.`,
  )
}

async function writeNew(out: string, bytes: Buffer): Promise<void> {
  try {
    await writeFile(out, bytes, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    throw new UsageError(`${printable(out)} cannot be written: ${messageOf(error)}.`, 'Name a new file.')
  }
}

export function paymentFileCommand(
  args: readonly string[],
  terminal: Terminal,
  deps: CommandDeps,
): Promise<number> {
  return runGroup('payment-file', { make, list, take }, args, { terminal, deps })
}

function recordOf({ id, connection, payouts, sumMinor, madeBy, createdAt, takenBy, takenAt }: Batch) {
  return {
    id,
    connection,
    payouts,
    amount: toDecimal({ minor: sumMinor, currency: 'EUR' }),
    madeBy,
    madeAt: createdAt.toISOString(),
    takenBy: takenBy ?? '',
    takenAt: takenAt?.toISOString() ?? '',
  }
}

const columns: readonly Column<ReturnType<typeof recordOf>>[] = [
  { name: 'file', value: ({ id }) => id },
  { name: 'payouts', value: ({ payouts }) => String(payouts) },
  { name: 'EUR', value: ({ amount }) => amount },
  { name: 'made', value: ({ madeAt }) => dateText(new Date(madeAt)) },
  { name: 'taken by', value: ({ takenBy }) => printable(takenBy) },
]
