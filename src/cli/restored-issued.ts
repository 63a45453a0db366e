// `restored issued` and `restored lost`: what payers hold of the span that a restore lost, read from the issuance logs.
import type { Sql } from '#/db/client.ts'
import { countLost, selectLostPage, type LostCount, type LostRow } from '#/issuance/queries.ts'
import { recordLost, type Result } from '#/issuance/record-lost.ts'
import { toJson } from '#/kernel/json.ts'
import { selectStanding } from '#/ledger/queries.ts'
import { watchLost } from '#/rails/crypto/lost.ts'
import { amountText } from './amount.ts'
import { operatorHere } from './audited.ts'
import { showNext, type Command } from './command.ts'
import { withDatabase } from './database.ts'
import { dateText, formatTable, printRecord, type Column } from './table.ts'
import { withCore } from './with-core.ts'

/** Records again what the issuance logs have and the restored books do not. `log`: where the decision is logged. */
export const findIssued: Command = {
  summary:
    'Reads issuance logs (VINTEM_ISSUANCE_LOG, of all machines), and records again what was handed out in the lost span. Run it before processes start',
  positionals: ['folder'],
  repeats: true,
  async run(call) {
    const { terminal, json } = call
    await withCore(
      call.deps.config(),
      async ({ sql, rails }) => {
        const deciding = operatorHere()
        const result = await recordLost({ sql, rails, watch: watchLost }, deciding.by, call.given, (lines) =>
          terminal.progress(`${lines} lines`),
        )
        call.log.info({ ...result, by: deciding.name }, 'a person read issuance logs after a restore')
        const isLate = result.added > 0 && (await selectStanding(sql, 0n))?.isClosed === false
        printRecord(terminal, { ...recordOf(result), ...(isLate ? { late } : {}) }, { labels, json })
        if (!json && result.added > 0) showNext(terminal, './vintem restored lost')
      },
      'asRepair',
    )
  },
}

function recordOf({ epoch, files, lines, torn, damaged, outside, known, added }: Result) {
  return { epoch, files, lines, outside, known, added, torn, damaged }
}

/** A watcher does not read a block again. */
const late =
  'processes may have run since the restore: what came meanwhile to a lost address is shown by ./vintem coins --all'

const labels = {
  files: 'Logs',
  lines: 'Lines',
  outside: 'Of another time than the lost span',
  known: 'Known to the restored books',
  added: 'Lost, and known again now',
  torn: 'Cut off at the end of a log, and skipped',
  damaged: 'Not as they were written, and skipped',
  late: 'Late',
}

/** What was recorded again. */
export const listLost: Command = {
  summary:
    'Lists what was handed out in the lost span and recorded again, with what became of it at its provider',
  async run({ terminal, deps, json }) {
    await withDatabase(deps.config(), async (sql) => {
      let separator = '['
      let count = 0
      await eachLost(sql, (rows) => {
        count += rows.length
        if (json)
          for (const row of rows) {
            terminal.out(separator + toJson(row))
            separator = ','
          }
        else for (const line of formatTable(rows, columns, terminal.width)) terminal.out(line)
      })
      if (json) return terminal.out(separator === '[' ? '[]' : ']')
      if (count === 0) terminal.out('Nothing that was handed out is known to be lost.')
    })
  },
}

/** For the steps of a repair: one sentence about what was recorded again from the logs. Undefined: as far as is known, nothing was lost. */
export async function lostText(sql: Sql, epoch: number): Promise<string | undefined> {
  const count = await countLost(sql, epoch)
  return count.lost === 0 ? undefined : sentenceOf(count)
}

function sentenceOf({ lost, open, closed, paid, givenUp }: LostCount): string {
  return `Lost, and known again: ${lost}. At providers: ${open} to end, ${closed} ended, ${paid} paid, ${givenUp} given up.`
}

const pageMax = 1_000

async function eachLost(sql: Sql, show: (rows: readonly LostRow[]) => void): Promise<void> {
  let after: LostRow | undefined
  do {
    const rows: readonly LostRow[] = await selectLostPage(sql, after, pageMax)
    if (rows.length > 0) show(rows)
    after = rows.length < pageMax ? undefined : rows.at(-1)
  } while (after !== undefined)
}

const columns: readonly Column<LostRow>[] = [
  { name: 'Issued', value: ({ issuedAt }) => dateText(issuedAt) },
  { name: 'Method', value: ({ method }) => method },
  {
    name: 'Amount',
    value: amountText,
    align: 'right',
  },
  { name: 'Payment', value: ({ paymentId }) => paymentId },
  { name: 'Merchant', value: ({ merchantId }) => merchantId },
  { name: 'Its name there', value: ({ name }) => name ?? '' },
  { name: 'At the provider', value: standingOf },
]

function standingOf({ outcome, tries, said }: LostRow): string {
  if (outcome !== null) return outcome
  if (tries === null) return '-'
  return tries === 0 ? 'to end' : `tried ${tries} times: ${said ?? 'no answer yet'}`
}
