// `verify`: recomputes the books, shows what it checked, and names every faulty row.
import type { Anchor } from '#/audit/ledger.ts'
import {
  anchorText,
  unexplainedText,
  UnknownInspection,
  verify,
  verifyRecord,
  type VerifyOptions,
  type VerifyReport,
} from '#/audit/verify.ts'
import type { Config } from '#/config.ts'
import { connect } from '#/db/client.ts'
import type { Checked } from '#/db/inspection.ts'
import { toJson } from '#/kernel/json.ts'
import { printable, type Terminal } from '#/kernel/terminal.ts'
import { monotonicMs } from '#/kernel/time.ts'
import { confirmCell } from '#/ledger/head.ts'
import { runCommand, UsageError, type Command, FoundFault, thereAre } from './command.ts'
import { openCommandDatabase } from './database.ts'
import { auditKeyOf } from './keys.ts'
import { dateText } from './table.ts'

/** Runs the command. Returns the exit code: 0 when all is well, 1 when there is a fault, 2 when misused. */
export function verifyCommand(
  args: readonly string[],
  terminal: Terminal,
  config: () => Config,
): Promise<number> {
  const command: Command = {
    summary: 'Recomputes the books and says whether anything was tampered with',
    options: {
      'up-to': { value: 'batch', meaning: 'The last batch to check, instead of the newest' },
      anchor: {
        value: 'batch:hash',
        meaning: 'The anchor that an earlier run printed: it must still be in the chain',
      },
      only: { value: 'names', meaning: 'Only these inspections, separated by commas' },
    },
    run: async ({ option, json }) => {
      const upTo = option('up-to')
      const anchor = option('anchor')
      const only = option('only')
      const report = await verifyAs(config(), terminal, {
        ...(upTo === undefined ? {} : { upTo: parseNumber(upTo) }),
        ...(anchor === undefined ? {} : { anchor: parseAnchor(anchor) }),
        ...(only === undefined ? {} : { only: only.split(',').map((name) => name.trim()) }),
      })
      if (json) terminal.out(jsonOf(report))
      else print(terminal, report)
      if (report.faultCount > 0)
        throw new FoundFault(
          thereAre(report.faultCount, 'fault', grouped(report.faultCount)),
          'docs/verify.md says what each means and what to do.',
        )
    },
  }
  const deps = { config, open: () => Promise.reject(new Error('verify opens its own database')) }
  return runCommand('verify', command, args, { terminal, deps })
}

function parseNumber(text: string): bigint {
  if (!/^\d{1,18}$/.test(text))
    throw new UsageError(`"${text}" is no number of a batch.`, 'See ./vintem verify --help.')
  return BigInt(text)
}

function parseAnchor(text: string): Anchor {
  const [, number, hash] = /^(\d{1,18}):([0-9a-f]{64})$/.exec(text) ?? []
  if (number === undefined || hash === undefined) {
    throw new UsageError(
      `"${text}" is no anchor.`,
      'It is what an earlier run printed: the batch, a colon, 64 hexadecimal digits.',
    )
  }
  return { number: BigInt(number), hash: Buffer.from(hash, 'hex') }
}

async function verifyAs(
  config: Config,
  terminal: Terminal,
  options: Pick<VerifyOptions, 'upTo' | 'anchor' | 'only'>,
): Promise<VerifyReport> {
  const auditKey = await auditKeyOf(config)
  const database = await openCommandDatabase(config)
  const sql = connect(database.appUrl, { max: 4, applicationName: 'vintem-verify' })
  try {
    await confirmCell(sql, config.VINTEM_CELL)
    return await verify(sql, {
      cell: config.VINTEM_CELL,
      auditKey,
      ...options,
      onProgress: progressOn(terminal),
    })
  } catch (error) {
    throw error instanceof UnknownInspection ? new UsageError(error.message, error.remedy) : error
  } finally {
    await sql.end({ timeout: 5 })
    await database.close()
  }
}

/** One line, renewed at most ten times a second. */
function progressOn(terminal: Terminal): (checked: Checked) => void {
  let shownAt = 0
  return ({ inspection, what, count }) => {
    const now = monotonicMs()
    if (now - shownAt < 100) return
    shownAt = now
    terminal.progress(`${inspection}: ${grouped(count)} ${what}`)
  }
}

function jsonOf(report: VerifyReport): string {
  return toJson({ ...verifyRecord(report), cannotFind })
}

function print(
  { out, paint, symbols }: Terminal,
  { upTo, inspections, leftOut, checked, faults, faultCount, unexplained }: VerifyReport,
): void {
  out(`${paint.strong('Verify')} up to batch ${grouped(upTo.batch)} of ${dateText(upTo.at)}`)
  out()
  const byInspection = Map.groupBy(checked, (each) => each.inspection)
  const width = Math.max(...inspections.map((name) => name.length))
  for (const name of inspections) {
    const found = faults.filter((each) => each.inspection === name)
    const counts = (byInspection.get(name) ?? []).map(({ what, count }) => `${grouped(count)} ${what}`)
    const mark = found.length === 0 ? paint.good(symbols.done) : paint.bad(symbols.fail)
    out(`${mark} ${name.padEnd(width)}  ${paint.soft(counts.join(', ') || 'nothing there')}`)
    for (const { row, what } of found) out(printable(`    ${row} ${what}`))
  }
  if (faultCount > faults.length) out(`    and ${grouped(faultCount - faults.length)} more faults`)
  if (leftOut.length > 0) out(`Not inspected, because of --only: ${leftOut.join(', ')}`)
  out()
  // Only all inspections together can tell this.
  if (leftOut.length === 0) out(`Unexplained: ${unexplainedText(unexplained)}`)
  out(`Anchor: ${anchorText(upTo)}`)
  out(
    paint.soft(
      'Keep it away from this database: ./vintem verify --anchor <it> finds out whether the chain was cut off.',
    ),
  )
  out()
  out(paint.soft('Verify cannot find:'))
  for (const each of cannotFind) out(paint.soft(`  ${symbols.dot} ${each}`))
}

function grouped(count: number | bigint): string {
  return count.toLocaleString('en')
}

/** Printed at the end of every run; docs/verify.md says why. */
const cannotFind = [
  'changes by a person who also has the audit key, or who changed the program itself',
  'removed newest batches, with everything that they wrote removed and the head set back: compare an anchor',
  'a payment that was changed together with its request and attempt before anything was settled or reported about it',
  'changed settings, keys, limits, fee rules and merchants: they are not in the chain',
  'what a provider reported about a withdrawal: the chain keeps only the hash of it',
  'whether a provider or a chain really holds the money: this checks only our own records',
]
