// Decisions of a person at the command line are logged: who, what and why.
import os from 'node:os'
import { createLog, type Log } from '#/kernel/log.ts'

/** Writes at any log level: a decision must leave a trace. */
export function decisionLog(): Log {
  return createLog('info')
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
