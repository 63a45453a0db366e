// What a start prints when it is ready.
import type { Config } from '#/config.ts'
import type { Terminal } from '#/kernel/terminal.ts'
import type { SandboxFile } from '#/sandbox/provision.ts'
import { printWelcome } from '#/sandbox/welcome.ts'
import { version } from './version.ts'

export function printReady(
  terminal: Terminal,
  config: Config,
  sandbox: SandboxFile | undefined,
  start: {
    readonly startedInMs: number
    /** Why payments by CRYPTO do not work, if they do not. */
    readonly fault: string | undefined
  },
): void {
  if (sandbox === undefined) terminal.out(`Vintem ${version} answers at ${config.VINTEM_API_URL}`)
  else printWelcome(terminal, sandbox, { ...start, version })
}
