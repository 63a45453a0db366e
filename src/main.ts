// ./vintem <command>: the roles of the program and the commands of its operator.
import { StartError } from '#/db/failure.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { findCommand } from './cli/commands.ts'
import { ConfigError, environment, readConfig, type Config } from './config.ts'
import { lengthenLimits } from './db/limits.ts'
import { AppError } from './kernel/error.ts'
import { boundGarbage } from './kernel/garbage.ts'

boundGarbage()
// Whatever the caller's umask is: nobody else writes in what we make. Secrets have a mode of their own.
process.umask(process.umask() | 0o022)

const terminal = createTerminal(process, environment)

// The reader of our output has closed the pipe, as `| head` does. This is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

try {
  const [name = 'help', ...args] = process.argv.slice(2)
  process.exitCode = await findCommand(name)(args, { terminal, config })
} catch (error) {
  process.exitCode = 1
  if (error instanceof ConfigError || error instanceof StartError)
    terminal.err(`${error.message} ${error.remedy}`)
  else if (error instanceof AppError) terminal.err(error.message)
  else {
    const sentence = await explain(error)
    if (sentence === undefined) throw error
    terminal.err(sentence)
  }
}

function config(): Config {
  const read = readConfig()
  lengthenLimits(read.VINTEM_DATABASE_PATIENCE)
  return read
}

/** Loaded only for an error, so that small commands start fast. */
async function explain(error: unknown): Promise<string | undefined> {
  const { explainDatabaseError } = await import('./cli/database-error.ts')
  return explainDatabaseError(error)
}
