// What a command is: its arguments and options as data, so that parsing, errors and help come from one
// description.
import { parseArgs } from 'node:util'
import type { Config } from '#/config.ts'
import { AppError, messageOf } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { Log } from '#/kernel/log.ts'
import { printable, type Terminal } from '#/kernel/terminal.ts'
import type { KeyDeps } from '#/merchants/keys.ts'
import type { MerchantDeps, OpenWallets } from '#/merchants/merchant.ts'
import { explainDatabaseError } from './database-error.ts'
import { decisionLog } from './decision.ts'
import { formatTable } from './table.ts'

/** Access to merchants and keys. */
export type Office = MerchantDeps &
  KeyDeps & { readonly openWallets: OpenWallets; readonly close: () => Promise<void> }

export type CommandDeps = {
  readonly config: () => Config
  /** Opens the database and derives the keys. A command that needs them calls it after its arguments were accepted. */
  readonly open: () => Promise<Office>
}

export type Option = {
  /** The placeholder of the value in the help; absent: the option is a flag. */
  readonly value?: string
  /** It may be given several times. */
  readonly repeats?: true
  readonly meaning: string
}

export type Call = {
  readonly terminal: Terminal
  readonly deps: CommandDeps
  /** Where decisions are logged. */
  readonly log: Log
  /** The positional arguments, one for each of `positionals`. */
  readonly given: readonly string[]
  readonly option: (name: string) => string | undefined
  /** All values of an option that may be given several times. */
  readonly all: (name: string) => readonly string[]
  /** Whether an option without a value was given. */
  readonly flag: (name: string) => boolean
  readonly json: boolean
}

export type Command = {
  readonly summary: string
  /** Names of the arguments, in their order; all are required. */
  readonly positionals?: readonly string[]
  /** The last argument may be given several times. */
  readonly repeats?: true
  readonly options?: Readonly<Record<string, Option>>
  readonly run: (call: Call) => Promise<void>
}

/** What a command found is not as it should be. One line says it after everything was shown, and the command fails. */
export class FoundFault extends Error {
  override name = 'FoundFault'
  readonly remedy: string
  constructor(message: string, remedy: string) {
    super(message)
    this.remedy = remedy
  }
}

/** A fault that the caller can correct. */
export class UsageError extends Error {
  override name = 'UsageError'
  readonly remedy: string
  constructor(message: string, remedy: string) {
    super(message)
    this.remedy = remedy
  }
}

/** How many there are, as a sentence. */
export function thereAre(count: number, what: string, shown = String(count)): string {
  return count === 1 ? `There is 1 ${what}.` : `There are ${shown} ${what}s.`
}

/** Turns what an operator function finds wrong with its request into a UsageError, because the caller can correct it. */
export async function refusing<Result>(act: Promise<Result>): Promise<Result> {
  try {
    return await act
  } catch (error) {
    const isRequest = error instanceof AppError && error.code === 'invalid_request'
    throw isRequest ? new UsageError(error.message, 'Nothing was changed.') : error
  }
}

type Context = {
  readonly terminal: Terminal
  readonly deps: CommandDeps
  readonly log?: Log
  /** For the help: what the group does without a command. */
  readonly alone?: string
}

/** Runs one command with the arguments after its name. Returns the exit code: 0, 1 when it failed, 2 when misused. */
export async function runCommand(
  name: string,
  command: Command,
  args: readonly string[],
  context: Context,
): Promise<number> {
  return reporting(context.terminal, async () => {
    if (wantsHelp(args)) return printCommandHelp(context.terminal, name, command)
    const log = context.log ?? decisionLog(context.deps)
    await command.run({ ...context, log, ...readArguments(name, command, args) })
  })
}

/** Runs one of several commands that share a first word, such as `merchant list` or `signer key new`. */
export async function runGroup(
  name: string,
  commands: Readonly<Record<string, Command>>,
  args: readonly string[],
  context: Context,
): Promise<number> {
  const [word] = args
  for (const words of [1, 2]) {
    const called = args.slice(0, words).join(' ')
    const command = Object.hasOwn(commands, called) ? commands[called] : undefined
    if (command !== undefined) return runCommand(`${name} ${called}`, command, args.slice(words), context)
  }
  return reporting(context.terminal, async () => {
    const isPart = args.length === 1 && Object.keys(commands).some((each) => each.startsWith(`${word} `))
    if (word === undefined || isPart || wantsHelp(args)) return printGroupHelp(context, name, commands)
    throw new UsageError(`There is no command ${name} ${word}.`, `See ./vintem ${name} --help.`)
  })
}

/** Several commands that share a first word, as one to run. `log`: where decisions are logged. */
export function group(name: string, commands: Readonly<Record<string, Command>>) {
  return (args: readonly string[], terminal: Terminal, deps: CommandDeps, log?: Log): Promise<number> =>
    runGroup(name, commands, args, { terminal, deps, ...given({ log }) })
}

/** A command without a second word, as one to run. */
export function single(name: string, command: Command) {
  return (args: readonly string[], terminal: Terminal, deps: CommandDeps): Promise<number> =>
    runCommand(name, command, args, { terminal, deps })
}

/** One line about what was done. */
export function sayDone({ out, paint, symbols }: Terminal, what: string): void {
  out(`${paint.good(symbols.done)} ${what}`)
}

/** Shows the next command to type. */
export function showNext({ out, paint }: Terminal, command: string): void {
  out()
  out(`${paint.soft('Next:')} ${paint.strong(command)}`)
}

/** Runs `work` and reports in one line what went wrong and what to do. Faults of our own are thrown. */
async function reporting(terminal: Terminal, work: () => Promise<void>): Promise<number> {
  try {
    await work()
    return 0
  } catch (error) {
    const sentence = explain(error)
    if (sentence === undefined) throw error
    terminal.err(`${terminal.paint.bad(terminal.symbols.fail)} ${printable(sentence)}`)
    return error instanceof UsageError ? 2 : 1
  }
}

function explain(error: unknown): string | undefined {
  if (error instanceof Error && 'remedy' in error) return `${error.message} ${String(error.remedy)}`
  if (error instanceof AppError) return error.message
  return explainDatabaseError(error)
}

function wantsHelp(args: readonly string[]): boolean {
  return args.some((each) => each === '--help' || each === '-h')
}

const json: Option = { meaning: 'Print JSON, for programs' }

function readArguments(
  name: string,
  command: Command,
  args: readonly string[],
): Pick<Call, 'given' | 'option' | 'all' | 'flag' | 'json'> {
  const remedy = `See ./vintem ${name} --help.`
  const options = Object.entries({ ...command.options, json }).map(([option, { value, repeats = false }]) => {
    return [option, { type: value === undefined ? 'boolean' : 'string', multiple: repeats }] as const
  })
  const { values, positionals } = parse(args, Object.fromEntries(options), remedy)
  const words = command.positionals ?? []
  const missing = words[positionals.length]
  if (missing !== undefined) throw new UsageError(`${name} needs the ${missing}.`, remedy)
  const extra = positionals[words.length]
  if (extra !== undefined && command.repeats !== true)
    throw new UsageError(`${name} has no use for "${extra}".`, remedy)
  return {
    given: positionals,
    option: (option) => {
      const value = values[option]
      return typeof value === 'string' ? value : undefined
    },
    all: (option) => {
      const value = values[option]
      return Array.isArray(value) ? value.map(String) : []
    },
    flag: (name) => values[name] === true,
    json: values['json'] === true,
  }
}

type ParseOptions = Readonly<
  Record<string, { readonly type: 'boolean' | 'string'; readonly multiple: boolean }>
>

function parse(args: readonly string[], options: ParseOptions, remedy: string) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    // The first sentence of Node's message: the rest explains how to quote.
    const [sentence = ''] = messageOf(error).split(/\.\s|\n/)
    throw new UsageError(`${sentence.replace(/\.$/, '')}.`, remedy)
  }
}

function printCommandHelp({ out, paint, width }: Terminal, name: string, command: Command): void {
  const words = (command.positionals ?? []).map((each) => ` <${each}>`).join('')
  out(paint.strong(`./vintem ${name}${words} [options]`))
  out(`${command.summary}.`)
  out()
  const rows = Object.entries({ ...command.options, json }).map(([option, { value, meaning }]) => {
    return { flag: `  --${option}${value === undefined ? '' : ` <${value}>`}`, meaning }
  })
  printWithoutHead(
    out,
    rows,
    [
      { name: '', value: ({ flag }) => flag },
      { name: '', value: ({ meaning }) => meaning },
    ],
    width,
  )
}

function printGroupHelp(
  { terminal: { out, paint, width }, alone }: Context,
  name: string,
  commands: Readonly<Record<string, Command>>,
): void {
  out(paint.strong(`./vintem ${name} <command> [options]`))
  out()
  const whatAlone = alone === undefined ? [] : [{ call: '  (none)', summary: alone }]
  const rows = Object.entries(commands).map(([word, command]) => {
    return {
      call: [`  ${word}`, ...(command.positionals ?? []).map((each) => `<${each}>`)].join(' '),
      summary: command.summary,
    }
  })
  printWithoutHead(
    out,
    [...whatAlone, ...rows],
    [
      { name: '', value: ({ call }) => call },
      { name: '', value: ({ summary }) => summary },
    ],
    width,
  )
  out()
  out(paint.soft(`./vintem ${name} <command> --help shows the options.`))
}

function printWithoutHead<Row>(
  out: Terminal['out'],
  rows: readonly Row[],
  columns: Parameters<typeof formatTable<Row>>[1],
  width: number | undefined,
): void {
  const [, ...lines] = formatTable(rows, columns, width)
  for (const line of lines) out(line)
}
