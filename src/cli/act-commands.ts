// The commands of the operator's acts: options and help from their arguments, then what is printed and logged.
import type { TSchema } from 'typebox'
import type { Sql } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import { isUuid } from '#/kernel/id.ts'
import { systemClock } from '#/kernel/time.ts'
import {
  askedOf,
  isRequested,
  type Act,
  type ActCommand,
  type Arguments,
  type BookDeps,
} from '#/operator/acts/act.ts'
import { signalKeeper } from '#/settlement/inbox.ts'
import { refundDecisionKind } from '#/settlement/refund-decide.ts'
import { parseDecimal } from './amount.ts'
import { operatorHere, textOf } from './audited.ts'
import { sayDone, UsageError, type Call, type Command, type Option } from './command.ts'
import { withDatabase } from './database.ts'
import { whoDecides } from './decision.ts'
import { within } from './office.ts'
import { sayProposed } from './proposed.ts'
import { printRecord } from './table.ts'
import { withCore } from './with-core.ts'

/** Where a command shows more than the act's own words. */
export type Printing<Done> = {
  /** Instead of them, such as a table. */
  readonly print?: (call: Call, done: Done, deps: BookDeps, args: Arguments) => Promise<void> | void
  /** A table of what is in force: after the change, and instead of it where none of the options is given. */
  readonly table?: {
    readonly unless: readonly string[]
    readonly print: (call: Call, sql: Sql) => Promise<void>
  }
  /** Only with --json. */
  readonly recordOf?: (done: Done) => Readonly<Record<string, unknown>>
}

/** The commands of an act, by their last word. */
export function commandsOf<Done>(
  act: Act<Done>,
  printing: Printing<Done> = {},
): Readonly<Record<string, Command>> {
  return Object.fromEntries(
    Object.entries(act.commands).map(([name, command]) => {
      const asked = asksFor(act, command)
      const words = asked.filter(({ option }) => option === undefined)
      return [
        name.split(' ').at(-1) ?? name,
        {
          summary: command.summary ?? act.summary,
          positionals: words.map(({ placeholder }) => placeholder),
          options: optionsOf(asked),
          run: (call) => carry(call, { act, command, printing }),
        },
      ]
    }),
  )
}

type Doing<Done> = {
  readonly act: Act<Done>
  readonly command: ActCommand
  readonly printing: Printing<Done>
}

async function carry<Done>(call: Call, { act, command, printing }: Doing<Done>): Promise<void> {
  const { print, table, recordOf = (each: Done) => act.shown(each, args) } = printing
  if (table?.unless.every((name) => call.option(name) === undefined) === true) {
    // A text that is refused is refused also where nothing is changed.
    for (const argument of asksFor(act, command)) optionText(call, argument)
    return opened(call, act.needs, ({ sql }) => table.print(call, sql))
  }
  const args = argumentsOf(call, act, command)
  await opened(call, act.needs, async (deps) => {
    const operator = operatorHere(call.deps.config())
    const done = await act.carryOut(deps, operator, args).catch((error: unknown) => {
      throw refused(error, act.see)
    })
    if (isRequested(done)) {
      if (!call.json) for (const line of act.planned?.(done.requested) ?? []) call.terminal.out(line)
      return sayProposed(call, done.requested)
    }
    const [what, fields] = act.logged?.(done, args) ?? []
    if (what !== undefined) call.log.info({ why: args['reason'], ...fields, by: whoDecides() }, what)
    if (table !== undefined) return table.print(call, deps.sql)
    if (print !== undefined) return print(call, done, deps, args)
    if (call.json) return printRecord(call.terminal, recordOf(done), { labels: {}, json: true })
    const [first = '', ...more] = [act.said(done, args)].flat()
    sayDone(call.terminal, first)
    for (const line of more) call.terminal.out(line)
  })
}

/** What the caller can correct: they named something that is not there, or its state does not allow it. */
function refused(error: unknown, see: string): unknown {
  if (!(error instanceof AppError)) return error
  if (error.code === 'not_found') return new UsageError(error.message, see)
  const isCallers = error.code === 'invalid_request' || error.code === 'invalid_state'
  return isCallers ? new UsageError(error.message, 'Nothing was changed.') : error
}

async function opened(
  call: Call,
  needs: Act['needs'],
  work: (deps: BookDeps) => Promise<void>,
): Promise<void> {
  const config = call.deps.config()
  const settings = {
    cell: config.VINTEM_CELL,
    hasOwnKeys: config.VINTEM_MASTER_KEY !== '' && config.VINTEM_AUDIT_KEY !== '',
    aloneMax: BigInt(config.VINTEM_SUSPENSE_ALONE_MAX),
    clock: systemClock,
  }
  // An act that needs less has no parameter for the rest.
  if (needs === 'database') return withDatabase(config, (sql) => work({ ...settings, sql } as BookDeps))
  if (needs === 'keys') return within(call, ({ sql }) => work({ ...settings, sql } as BookDeps))
  await withCore(config, (core) =>
    work({
      ...settings,
      ...core,
      keep: signalKeeper(core.clock),
      refundDecisionKind: refundDecisionKind(core.rails),
    }),
  )
}

type Argument = {
  readonly name: string
  readonly schema: TSchema
  /** Absent: it is a word of the command. */
  readonly option: string | undefined
  readonly placeholder: string
  readonly isRequired: boolean
  /** What to do where it is missing or wrong. */
  readonly hint: string
}

/** What a command asks for, the words first. */
function asksFor({ args, see }: Act, command: ActCommand): readonly Argument[] {
  const { words = args['id'] === undefined ? [] : ['id'], fixed = {}, requires = [], sayWhy } = command
  const options = Object.keys(args).filter((name) => !words.includes(name) && !Object.hasOwn(fixed, name))
  return [...words, ...options].map((name): Argument => {
    const schema = args[name] ?? {}
    const { option = name, value, missing = oneOfThem(schema) } = askedOf(schema)
    const isWord = words.includes(name)
    return {
      name,
      schema,
      option: isWord ? undefined : option,
      placeholder: value ?? valuesOf(schema)?.join('|') ?? (isWord ? name : 'text'),
      isRequired: !('~optional' in schema) || requires.includes(name),
      hint: isWord ? see : name === 'reason' ? (sayWhy ?? missing) : missing,
    }
  })
}

function oneOfThem(schema: TSchema): string {
  const values = valuesOf(schema)
  return values === undefined ? 'Say it.' : `It is one of ${values.join(', ')}.`
}

function valuesOf(schema: TSchema): readonly string[] | undefined {
  return (schema as { readonly enum?: readonly string[] }).enum
}

function optionsOf(asked: readonly Argument[]): Readonly<Record<string, Option>> {
  return Object.fromEntries(
    asked.flatMap(({ option, placeholder, schema }): readonly (readonly [string, Option])[] => {
      const { description = '' } = schema as { readonly description?: string }
      return option === undefined ? [] : [[option, { value: placeholder, meaning: description }]]
    }),
  )
}

/** @throws UsageError for what is missing, and for what the schemas do not allow. */
function argumentsOf(call: Call, act: Act, command: ActCommand): Arguments {
  const read: Record<string, unknown> = {}
  let nth = 0
  for (const argument of asksFor(act, command)) {
    const { name, schema, option, isRequired, hint } = argument
    const typed = option === undefined ? call.given[nth++] : optionText(call, argument)
    const text = typed ?? askedOf(schema).otherwise
    if (text !== undefined) read[name] = valueOf(text, argument, read)
    else if (isRequired) throw new UsageError(`--${option} is missing.`, hint)
  }
  const fixed = Object.entries(command.fixed ?? {}).filter(([, value]) => value !== undefined)
  return { ...read, ...Object.fromEntries(fixed) }
}

/** @throws UsageError for a text that is too long, or that cannot be stored. */
function optionText(call: Call, { option, schema }: Argument): string | undefined {
  const { maxLength } = schema as { readonly maxLength?: number }
  return option === undefined ? undefined : textOf(call, option, maxLength)
}

function valueOf(text: string, { name, schema, option, hint }: Argument, before: Arguments): unknown {
  const { idOf, decimals, reads } = askedOf(schema)
  const values = valuesOf(schema)
  const value = readText()
  if (value !== undefined) return value
  if (idOf !== undefined) throw new UsageError(`There is no ${idOf} ${text}.`, hint)
  if (decimals !== undefined) throw new UsageError(`--${option} is no amount.`, hint)
  if (values !== undefined)
    throw new UsageError(`There is no ${option ?? name} "${text}".`, oneOfThem(schema))
  throw new UsageError(option === undefined ? `"${text}" is no ${name}.` : `--${option} is "${text}".`, hint)

  function readText(): unknown {
    if (idOf !== undefined) return isUuid(text.toLowerCase()) ? text.toLowerCase() : undefined
    if (decimals !== undefined) return amountIn(text, schema, decimals(before))
    if (reads !== undefined) return reads(text)
    if (values !== undefined) return values.find((each) => each.toLowerCase() === text.toLowerCase())
    const { pattern = '' } = schema as { readonly pattern?: string }
    return new RegExp(pattern).test(text) ? text : undefined
  }
}

/** A decimal number within the bounds of its schema, as a whole number of its smallest unit. */
function amountIn(text: string, schema: TSchema, decimals: number): number | 'none' | undefined {
  const { anyOf = [schema] } = schema as { readonly anyOf?: readonly TSchema[] }
  if (text === 'none') return anyOf.length > 1 ? text : undefined
  const [{ minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = {}] = anyOf as readonly {
    readonly minimum?: number
    readonly maximum?: number
  }[]
  const number = askedOf(schema).value === 'percent' ? text.replace(/\s*%$/, '') : text
  const value = Number(parseDecimal(number, decimals) ?? Number.NaN)
  return value >= minimum && value <= maximum ? value : undefined
}
