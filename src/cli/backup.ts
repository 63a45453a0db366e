// `backup`: notes that a backup was made, or that one was restored somewhere to try it; shows how old both are. It makes no backup.
import {
  selectBackupMarks,
  selectNewestBatch,
  writeBackupMark,
  type BackupMark,
} from '#/operator/backup-queries.ts'
import { audited, textOf } from './audited.ts'
import { group, UsageError, type Call, type Command, type Option } from './command.ts'
import { withDatabase } from './database.ts'
import { dateText, printRows, type Column } from './table.ts'

const noteOption: Option = {
  value: 'text',
  meaning: 'Where it lies, or what was seen; at most 500 characters',
}

const columns: readonly Column<BackupMark>[] = [
  { name: 'Kind', value: ({ kind }) => kind },
  { name: 'At', value: ({ at }) => dateText(at) },
  { name: 'Hours ago', value: ({ ageSeconds }) => (ageSeconds / 3_600).toFixed(1), align: 'right' },
  { name: 'Batch', value: ({ batch }) => String(batch), align: 'right' },
  { name: 'Note', value: ({ note }) => note ?? '' },
]

const commands: Readonly<Record<string, Command>> = {
  mark: {
    summary: 'Notes that a backup was made just now; for the program that makes it',
    options: { note: noteOption },
    async run(call) {
      const note = noteOf(call)
      await withDatabase(call.deps.config(), async (sql) => {
        await writeBackupMark(sql, { kind: 'BACKUP', note })
        show(call, await selectBackupMarks(sql))
      })
    },
  },
  drill: {
    summary: 'Notes that a backup was restored somewhere just now, and that verify found no fault there',
    options: {
      batch: {
        value: 'number',
        meaning: 'The newest batch that was restored: what verify says there; required',
      },
      note: noteOption,
    },
    async run(call) {
      const batch = batchOf(call)
      const note = noteOf(call)
      await withDatabase(call.deps.config(), async (sql) => {
        const newest = (await selectNewestBatch(sql)) ?? 0n
        if (batch > newest)
          throw new UsageError(
            `There is no batch ${batch} here: the newest is ${newest}.`,
            'Run it at the database in use, not at the restored one.',
          )
        await audited(sql, async (tx, enter) => {
          await writeBackupMark(tx, { kind: 'DRILL', batch, note })
          enter({ action: 'backup.drill', subject: 'backup:1', after: { batch: String(batch), note } })
        })
        show(call, await selectBackupMarks(sql))
      })
    },
  },
  list: {
    summary: 'Shows the age of the last backup and of the last drill',
    async run(call) {
      await withDatabase(call.deps.config(), async (sql) => show(call, await selectBackupMarks(sql)))
    },
  },
}

export const backupCommand = group('backup', commands)

function noteOf(call: Call): string | null {
  return textOf(call, 'note') ?? null
}

function batchOf({ option }: Call): bigint {
  const text = option('batch') ?? ''
  if (/^\d{1,18}$/.test(text)) return BigInt(text)
  throw new UsageError('Say which batch was restored: --batch <number>.', 'See ./vintem backup drill --help.')
}

function show({ terminal, json }: Call, marks: readonly BackupMark[]): void {
  printRows(terminal, marks, { columns, json, empty: 'No backup was noted yet: ./vintem backup mark.' })
}
