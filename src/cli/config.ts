// `config`: every setting, what it is now, and what it means.
import type { SettingRow } from '#/config.ts'
import { single, type Command } from './command.ts'
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
  async run({ terminal, deps, json }) {
    printRows(terminal, deps.config().rows, { columns, json, empty: 'There are no settings.' })
  },
}

export const configCommand = single('config', config)
