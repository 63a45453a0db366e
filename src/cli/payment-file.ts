// `payment-file`: payouts by bank transfer are put into a file, which a person takes once and uploads at the bank.
import { writeFile } from 'node:fs/promises'
import { messageOf } from '#/kernel/error.ts'
import { isUuid, type Id } from '#/kernel/id.ts'
import { toDecimal } from '#/kernel/money.ts'
import { printable } from '#/kernel/terminal.ts'
import { makeFile } from '#/operator/acts/bank-files.ts'
import { takePaymentFile } from '#/operator/statements.ts'
import type { MadeBatch } from '#/rails/sepa/batch.ts'
import { selectBatches, type Batch } from '#/rails/sepa/payout-queries.ts'
import { commandsOf } from './act-commands.ts'
import { operatorHere } from './audited.ts'
import { group, sayDone, UsageError, type Call, type Command } from './command.ts'
import { withDatabase } from './database.ts'
import { listing } from './listing.ts'
import { dateText, printRecord, type Column } from './table.ts'

function printMade({ terminal, json }: Call, made: MadeBatch | undefined): void {
  if (made === undefined)
    return json
      ? printRecord(terminal, {}, { labels: {}, json })
      : terminal.out('No payout waits on this account.')
  const { id, payouts, sumMinor } = made
  const amount = toDecimal({ minor: sumMinor, currency: 'EUR' })
  if (json) return printRecord(terminal, { id, payouts, amount }, { labels: {}, json })
  sayDone(terminal, `File ${id} has ${payouts} payouts of ${amount} EUR in all.`)
  terminal.out(`  ./vintem payment-file take ${id} --out payments.xml`)
}

const list = listing({
  summary: 'Lists the files, newest first, and who took them',
  rows: async (sql) => (await selectBatches(sql, 200)).map(recordOf),
  columns: () => columns,
  empty: 'No file was made yet.',
})

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
  sayDone(terminal, `${printable(out)} is written. Upload it once, and import the bank's report.`)
}

async function writeNew(out: string, bytes: Buffer): Promise<void> {
  try {
    await writeFile(out, bytes, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    throw new UsageError(`${printable(out)} cannot be written: ${messageOf(error)}.`, 'Name a new file.')
  }
}

export const paymentFileCommand = group('payment-file', {
  ...commandsOf(makeFile, { print: printMade }),
  list,
  take,
})

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
