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
  coins: loaded(async () => (await import('./coins.ts')).coinsCommand),
  balances: loaded(async () => (await import('./balances.ts')).balancesCommand),
  rescue: loaded(async () => (await import('./rescue.ts')).rescueCommand),
  signer: loaded(async () => (await import('./signer.ts')).signerCommand),
  migrate: bare('migrate', async ({ terminal, config }) => {
    const { runMigrate } = await import('./migrate.ts')
    return runMigrate(config(), terminal)
  }),
  verify: async (args, { terminal, config }) => {
    const { verifyCommand } = await import('./verify.ts')
    return verifyCommand(args, terminal, config)
  },
  config: loaded(async () => (await import('./config.ts')).configCommand),
  backup: loaded(async () => (await import('./backup.ts')).backupCommand),
  restored: loaded(async () => (await import('./restored.ts')).restoredCommand),
  rekey: loaded(async () => (await import('./rekey.ts')).rekeyCommand),
  doctor: loaded(async () => (await import('./doctor.ts')).doctorCommand),
  merchant: loaded(async () => (await import('./merchant.ts')).merchantCommand),
  cell: loaded(async () => (await import('./cell.ts')).cellCommand),
  sandbox: loaded(async () => (await import('./sandboxes.ts')).sandboxCommand),
  key: loaded(async () => (await import('./key.ts')).keyCommand),
  user: loaded(async () => (await import('./user.ts')).userCommand),
  wallet: loaded(async () => (await import('./wallet.ts')).walletCommand),
  connection: loaded(async () => (await import('./connection.ts')).connectionCommand),
  suspense: loaded(async () => (await import('./suspense.ts')).suspenseCommand),
  statement: loaded(async () => (await import('./statement.ts')).statementCommand),
  'payment-file': loaded(async () => (await import('./payment-file.ts')).paymentFileCommand),
  template: loaded(async () => (await import('./template.ts')).templateCommand),
  refund: loaded(async () => (await import('./refund.ts')).refundCommand),
  withdrawal: loaded(async () => (await import('./withdrawal.ts')).withdrawalCommand),
  payer: loaded(async () => (await import('./payer.ts')).payerCommand),
  freeze: loaded(async () => (await import('./freeze.ts')).freezeCommand),
  unfreeze: loaded(async () => (await import('./freeze.ts')).unfreezeCommand),
  chain: loaded(async () => (await import('./chain.ts')).chainCommand),
  inbox: loaded(async () => (await import('./inbox.ts')).inboxCommand),
  env: loaded(async () => (await import('./env.ts')).envCommand),
  listen: loaded(async () => (await import('./listen.ts')).listenCommand),
  mcp: loaded(async () => (await import('./mcp.ts')).mcpCommand),
  trigger: loaded(async () => (await import('./trigger.ts')).triggerCommand),
  rehearse: loaded(async () => (await import('./rehearse.ts')).rehearseCommand),
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

/** A command with arguments, loaded when it is called. */
function loaded(
  load: () => Promise<(args: readonly string[], terminal: Terminal, deps: CommandDeps) => Promise<number>>,
): Run {
  return async (args, context) => (await load())(args, context.terminal, deps(context))
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
