// What a person decides at the command line is logged: who, what and why.
import os from 'node:os'
import { createLog, type Log } from '#/kernel/log.ts'

/** Writes whatever the level of the other lines is: a decision must leave a trace. */
export function decisionLog(): Log {
  return createLog('info')
}

/** The person, as far as this machine knows: the account that the command runs under, and the machine. */
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
