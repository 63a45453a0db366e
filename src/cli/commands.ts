// The commands by name. Each loads only what it needs.
import type { Config } from '#/config.ts'
import type { Terminal } from '#/sandbox/terminal.ts'

export type CommandContext = { readonly terminal: Terminal; readonly config: () => Config }
export type Command = (args: readonly string[], context: CommandContext) => Promise<number>

export function findCommand(_name: string): Command {
  return async (_args, { terminal, config }) => {
    const { start } = await import('./start.ts')
    await start(config(), terminal)
    return 0
  }
}
