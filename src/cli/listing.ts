// A command that only lists rows of the database.
import type { Sql } from '#/db/client.ts'
import { given } from '#/kernel/given.ts'
import type { Call, Command } from './command.ts'
import { withDatabase } from './database.ts'
import { within } from './office.ts'
import { printRows, type Column } from './table.ts'

/** The command that prints these rows. `needs`: it checks the keys in force first, as commands about merchants do. */
export function listing<Row>({
  rows,
  columns,
  empty,
  recordOf,
  needs,
  ...command
}: Omit<Command, 'run'> & {
  readonly rows: (sql: Sql, call: Call) => Promise<readonly Row[]>
  readonly columns: (call: Call) => readonly Column<Row>[]
  /** What a person sees when there are none. */
  readonly empty: string
  /** A row as `--json` shows it, where that differs from the row. */
  readonly recordOf?: (row: Row) => Readonly<Record<string, unknown>>
  readonly needs?: 'keys'
}): Command {
  return {
    ...command,
    async run(call) {
      const { terminal, json, deps } = call
      const print = async (sql: Sql) =>
        printRows(terminal, await rows(sql, call), {
          columns: columns(call),
          json,
          empty,
          ...given({ recordOf }),
        })
      await (needs === 'keys' ? within(call, ({ sql }) => print(sql)) : withDatabase(deps.config(), print))
    },
  }
}
