// The commands of the operator's acts: options and help from their arguments, then what is printed and logged.
import type { TSchema } from 'typebox'
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
import { signalKeeper } from '#/settlement/keep-signals.ts'
import { refundDecisionKind } from '#/settlement/refund-decide.ts'
import { operatorHere, textOf } from './audited.ts'
import { sayDone, UsageError, type Call, type Command, type Option } from './command.ts'
import { withDatabase } from './database.ts'
import { whoDecides } from './decision.ts'
import { within } from './office.ts'
import { sayProposed } from './proposed.ts'
import { printRecord } from './table.ts'
import { withCore } from './with-core.ts'

/** Where a command shows more than the act's own words. */
type Printing<Done> = {
  /** Instead of them, such as a table. */
  readonly print?: (call: Call, done: Done, deps: BookDeps, args: Arguments) => Promise<void> | void
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
      const words = wordsOf(act, command)
      return [
        name.split(' ').at(-1) ?? name,
        {
          summary: command.summary ?? act.summary,
          positionals: words.map((each) => placeholderOf(each, act.args[each])),
          options: optionsOf(act, command),
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
    const { print, recordOf = (each: Done) => act.shown(each, args) } = printing
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

function wordsOf({ args }: Act, { words }: ActCommand): readonly string[] {
  return words ?? (args['id'] === undefined ? [] : ['id'])
}

function placeholderOf(name: string, schema: TSchema | undefined): string {
  if (schema === undefined) return name
  return askedOf(schema).value ?? valuesOf(schema)?.join('|') ?? name
}

function optionsOf(act: Act, command: ActCommand): Readonly<Record<string, Option>> {
  return Object.fromEntries(
    optionNames(act, command).map((name): [string, Option] => {
      const schema = act.args[name] ?? {}
      const { description = '' } = schema as { readonly description?: string }
      const value = askedOf(schema).value ?? valuesOf(schema)?.join('|') ?? 'text'
      return [optionOf(name, schema), { value, meaning: description }]
    }),
  )
}

function optionNames({ args, ...act }: Act, command: ActCommand): readonly string[] {
  const said = new Set([...wordsOf({ ...act, args }, command), ...Object.keys(command.fixed ?? {})])
  return Object.keys(args).filter((name) => !said.has(name))
}

function optionOf(name: string, schema: TSchema): string {
  return askedOf(schema).option ?? name
}

function valuesOf(schema: TSchema): readonly string[] | undefined {
  return (schema as { readonly enum?: readonly string[] }).enum
}

/** @throws UsageError for what is missing, and for what the schemas do not allow. */
function argumentsOf(call: Call, act: Act, command: ActCommand): Arguments {
  const words = wordsOf(act, command)
  const given = Object.entries(command.fixed ?? {})
  for (const [index, name] of words.entries()) given.push([name, valueOf(call.given[index] ?? '', name, act)])
  for (const name of optionNames(act, command)) {
    const schema = act.args[name] ?? {}
    const option = optionOf(name, schema)
    const { maxLength } = schema as { readonly maxLength?: number }
    const text = textOf(call, option, maxLength)
    if (text !== undefined) given.push([name, valueOf(text, name, act)])
    else if (!('~optional' in schema) || command.requires?.includes(name) === true) {
      const hint = (name === 'reason' ? command.sayWhy : undefined) ?? askedOf(schema).missing ?? 'Say it.'
      throw new UsageError(`--${option} is missing.`, hint)
    }
  }
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}

function valueOf(text: string, name: string, { args, see }: Act): unknown {
  const schema = args[name] ?? {}
  const { idOf } = askedOf(schema)
  if (idOf !== undefined) {
    const id = text.toLowerCase()
    if (!isUuid(id)) throw new UsageError(`"${text}" is no id of ${idOf}.`, see)
    return id
  }
  const { pattern = '' } = schema as { readonly pattern?: string }
  if (!new RegExp(pattern).test(text)) throw new UsageError(`"${text}" is no ${name}.`, see)
  const values = valuesOf(schema)
  if (values === undefined) return text
  const value = values.find((each) => each.toLowerCase() === text.toLowerCase())
  if (value === undefined) throw new UsageError(`There is no "${text}".`, `There are ${values.join(', ')}.`)
  return value
}
