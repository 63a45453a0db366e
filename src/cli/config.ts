// `config`: every setting, what it is now, and what it means.
import type { SettingRow } from '#/config.ts'
import type { Terminal } from '#/kernel/terminal.ts'
import { runCommand, type Command, type CommandDeps } from './command.ts'
import { printRows, type Column } from './table.ts'

const columns: readonly Column<SettingRow>[] = [
  { name: 'Setting', value: ({ name }) => name },
  { name: 'Value', value: ({ value }) => (value === '' ? '(empty)' : value) },
  { name: 'From', value: ({ isDefault }) => (isDefault ? 'default' : 'set') },
  { name: 'Meaning', value: ({ meaning }) => meaning },
]

const config: Command = {
  summary:
    'Shows every setting: its value, whether it is the default, and what it means. Secrets are not shown',
  positionals: [],
  options: {},
  async run({ terminal, deps, json }) {
    printRows(terminal, deps.config().rows, { columns, json, empty: 'There are no settings.' })
  },
}

/** Settings are environment variables; this shows them all. */
export function configCommand(
  args: readonly string[],
  terminal: Terminal,
  deps: CommandDeps,
): Promise<number> {
  return runCommand('config', config, args, { terminal, deps })
}
