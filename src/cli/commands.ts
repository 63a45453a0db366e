// The commands by name. Each loads only what it needs, so the small ones start fast.
import { ConfigError, type Config } from '#/config.ts'
import type { Terminal } from '#/kernel/terminal.ts'
import { systemClock } from '#/kernel/time.ts'
import type { CommandDeps } from './command.ts'
import { version } from './version.ts'

export type CommandContext = { readonly terminal: Terminal; readonly config: () => Config }

/** Returns the exit code. */
type Run = (args: readonly string[], context: CommandContext) => Promise<number>

const commands: Readonly<Record<string, Run>> = {
  start: bare('start', async ({ terminal, config }) => {
    const { start } = await import('./start.ts')
    await start(config(), terminal)
    return 0
  }),
  api: role('api'),
  worker: role('worker'),
  watcher: role('watcher'),
  coins: async (args, context) => {
    const { coinsCommand } = await import('./coins.ts')
    return coinsCommand(args, context.terminal, deps(context))
  },
  balances: async (args, context) => {
    const { balancesCommand } = await import('./balances.ts')
    return balancesCommand(args, context.terminal, deps(context))
  },
  rescue: async (args, context) => {
    const { rescueCommand } = await import('./rescue.ts')
    return rescueCommand(args, context.terminal, deps(context))
  },
  signer: async (args, context) => {
    const { signerCommand } = await import('./signer.ts')
    return signerCommand(args, context.terminal, deps(context))
  },
  migrate: bare('migrate', async ({ terminal, config }) => {
    const { runMigrate } = await import('./migrate.ts')
    return runMigrate(config(), terminal)
  }),
  verify: async (args, { terminal, config }) => {
    const { verifyCommand } = await import('./verify.ts')
    return verifyCommand(args, terminal, config)
  },
  config: async (args, context) => {
    const { configCommand } = await import('./config.ts')
    return configCommand(args, context.terminal, deps(context))
  },
  backup: async (args, context) => {
    const { backupCommand } = await import('./backup.ts')
    return backupCommand(args, context.terminal, deps(context))
  },
  restored: async (args, context) => {
    const { restoredCommand } = await import('./restored.ts')
    return restoredCommand(args, context.terminal, deps(context))
  },
  rekey: async (args, context) => {
    const { rekeyCommand } = await import('./rekey.ts')
    return rekeyCommand(args, context.terminal, deps(context))
  },
  doctor: async (args, context) => {
    const { doctorCommand } = await import('./doctor.ts')
    return doctorCommand(args, context.terminal, deps(context))
  },
  merchant: async (args, context) => {
    const { merchantCommand } = await import('./merchant.ts')
    return merchantCommand(args, context.terminal, deps(context))
  },
  cell: async (args, context) => {
    const { cellCommand } = await import('./cell.ts')
    return cellCommand(args, context.terminal, deps(context))
  },
  sandbox: async (args, context) => {
    const { sandboxCommand } = await import('./sandboxes.ts')
    return sandboxCommand(args, context.terminal, deps(context))
  },
  key: async (args, context) => {
    const { keyCommand } = await import('./key.ts')
    return keyCommand(args, context.terminal, deps(context))
  },
  user: async (args, context) => {
    const { userCommand } = await import('./user.ts')
    return userCommand(args, context.terminal, deps(context))
  },
  wallet: async (args, context) => {
    const { walletCommand } = await import('./wallet.ts')
    return walletCommand(args, context.terminal, deps(context))
  },
  connection: async (args, context) => {
    const { connectionCommand } = await import('./connection.ts')
    return connectionCommand(args, context.terminal, deps(context))
  },
  suspense: async (args, context) => {
    const { suspenseCommand } = await import('./suspense.ts')
    return suspenseCommand(args, context.terminal, deps(context))
  },
  statement: async (args, context) => {
    const { statementCommand } = await import('./statement.ts')
    return statementCommand(args, context.terminal, deps(context))
  },
  'payment-file': async (args, context) => {
    const { paymentFileCommand } = await import('./payment-file.ts')
    return paymentFileCommand(args, context.terminal, deps(context))
  },
  template: async (args, context) => {
    const { templateCommand } = await import('./template.ts')
    return templateCommand(args, context.terminal, deps(context))
  },
  refund: async (args, context) => {
    const { refundCommand } = await import('./refund.ts')
    return refundCommand(args, context.terminal, deps(context))
  },
  withdrawal: async (args, context) => {
    const { withdrawalCommand } = await import('./withdrawal.ts')
    return withdrawalCommand(args, context.terminal, deps(context))
  },
  payer: async (args, context) => {
    const { payerCommand } = await import('./payer.ts')
    return payerCommand(args, context.terminal, deps(context))
  },
  freeze: async (args, context) => {
    const { freezeCommand } = await import('./freeze.ts')
    return freezeCommand(args, context.terminal, deps(context))
  },
  unfreeze: async (args, context) => {
    const { unfreezeCommand } = await import('./freeze.ts')
    return unfreezeCommand(args, context.terminal, deps(context))
  },
  chain: async (args, context) => {
    const { chainCommand } = await import('./chain.ts')
    return chainCommand(args, context.terminal, deps(context))
  },
  inbox: async (args, context) => {
    const { inboxCommand } = await import('./inbox.ts')
    return inboxCommand(args, context.terminal, deps(context))
  },
  listen: async (args, context) => {
    const { listenCommand } = await import('./listen.ts')
    return listenCommand(args, context.terminal, deps(context))
  },
  mcp: async (args, context) => {
    const { mcpCommand } = await import('./mcp.ts')
    return mcpCommand(args, context.terminal, deps(context))
  },
  trigger: async (args, context) => {
    const { triggerCommand } = await import('./trigger.ts')
    return triggerCommand(args, context.terminal, deps(context))
  },
  rehearse: async (args, context) => {
    const { rehearseCommand } = await import('./rehearse.ts')
    return rehearseCommand(args, context.terminal, deps(context))
  },
  demo: bare('demo', async ({ terminal, config }) => {
    const [{ runDemo }, { readSandboxFile }] = await Promise.all([
      import('#/sandbox/demo.ts'),
      import('#/sandbox/provision.ts'),
    ])
    const { dataDir } = config()
    return runDemo(terminal, await readSandboxFile(dataDir), { clock: systemClock, searchedDir: dataDir })
  }),
  reset: bare('reset', async ({ terminal, config }) => {
    const { reset } = await import('./reset.ts')
    return reset(config(), terminal)
  }),
  help: async (args, { terminal }) => {
    const { printHelp } = await import('./help.ts')
    printHelp(terminal, version, { json: args.includes('--json') })
    return 0
  },
}

/** Every word that is a command. */
export const commandNames: readonly string[] = Object.keys(commands)

/** The command of this name. */
export function findCommand(name: string): Run {
  const commandName = name === '--help' || name === '-h' ? 'help' : name
  const command = Object.hasOwn(commands, commandName) ? commands[commandName] : undefined
  if (command === undefined) throw new ConfigError(`There is no command ${name}.`, 'See ./vintem help.')
  return command
}

function role(name: 'api' | 'worker' | 'watcher'): Run {
  return bare(name, async ({ config }) => {
    const { runRole } = await import('./roles.ts')
    await runRole(config(), name)
    return 0
  })
}

/** A command without arguments. With any it does nothing: it shows its help, or says that it has no use for them. */
function bare(name: string, run: (context: CommandContext) => Promise<number>): Run {
  return async ([first], context) => {
    if (first === undefined) return run(context)
    const { explainBare } = await import('./help.ts')
    return explainBare(context.terminal, name, first)
  }
}

function deps({ config }: CommandContext): CommandDeps {
  return {
    config,
    open: async () => {
      const { openOffice } = await import('./open-office.ts')
      return openOffice(config())
    },
  }
}
