// Decisions of a person at the command line are logged: who, what and why.
import os from 'node:os'
import type { Config } from '#/config.ts'
import { createLog, type Log } from '#/kernel/log.ts'

/** The log of a command, at the level of the settings. */
export function commandLog(config: Config): Log {
  return createLog(config.VINTEM_LOG_LEVEL, { role: 'command', cell: config.VINTEM_CELL })
}

/** Writes at any log level: a decision must leave a trace. The settings are read with the first line, because help needs none. */
export function decisionLog({ config }: { readonly config: () => Config }): Log {
  return createLog('info', () => ({ role: 'command', cell: config().VINTEM_CELL }))
}

/** The person, as this machine identifies them: the account that runs the command, and the machine. */
export function whoDecides(): string {
  return `${accountName()}@${os.hostname()}`
}

/** In a container the account often has a number and no name. */
function accountName(): string {
  try {
    return os.userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
