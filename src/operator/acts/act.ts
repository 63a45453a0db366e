// START HERE for what an operator does. An act is data: its arguments, who may do it, its words, and the function that carries it out. Its command
// with its options and help, and its route of the console, are made of it. What a person of the operator decides about money, merchants or people
// is an act; what runs the service or its machine (start, migrate, doctor, signer, cell and others) is a command of its own.
import { Type as T, type Static, type TProperties, type TSchema } from 'typebox'
import { given } from '#/kernel/given.ts'
import type { Concern } from '#/people/concern.ts'
import type { StillLeaving } from '#/rails/payout-rail.ts'
import type { ApproveDeps } from '../approve.ts'
import type { Operator } from '../deps.ts'
import type { Proposal } from '../proposal-queries.ts'

export type BookDeps = ApproveDeps & { readonly stillLeaving: StillLeaving }

/** What an act needs: the database alone, because it may be urgent; also the keys in force; or all that moves money in the books. */
export type ActDeps = {
  readonly database: Pick<BookDeps, 'sql' | 'clock' | 'cell' | 'hasOwnKeys'>
  readonly keys: ActDeps['database']
  readonly books: BookDeps
}

/** The act was not carried out: another person has to approve it. */
export type Requested = { readonly requested: Proposal }

/** Whether an act was only requested. */
export function isRequested(done: unknown): done is Requested {
  return typeof done === 'object' && done !== null && 'requested' in done
}

export type Arguments = Readonly<Record<string, unknown>>

/** A command that does the act. */
export type ActCommand = {
  /** Default: the act's. */
  readonly summary?: string
  /** The arguments that are no options, in their order. Default: `id`, where there is one. */
  readonly words?: readonly string[]
  /** Arguments that the command itself says; undefined: it never has them. */
  readonly fixed?: Arguments
  /** Arguments that this command needs, and the act does not always. */
  readonly requires?: readonly string[]
  /** What to do about a missing reason. */
  readonly sayWhy?: string
}

type ConsoleRoute = `${'POST' | 'PUT' | 'PATCH'} ${string}`

export type Act<Done = unknown> = {
  /** By the words after `./vintem`. */
  readonly commands: Readonly<Record<string, ActCommand>>
  /** Its route of the console. Absent: only commands do it. */
  readonly console?: {
    /** Such as `POST /operator/inbox/{id}/retry`. */
    readonly route: ConsoleRoute
    readonly operationId: string
    readonly permission: 'operator:write' | 'operator:approve'
    /** What needs a second factor, or why it needs none. Default: `money`. */
    readonly concern?: Concern
    /** Default: 200, and 204 without an answer. */
    readonly status?: 201 | 202
    /** What wakes in that process when it is done. */
    readonly wakes?: readonly ('onPayout' | 'onSignal' | 'onRefund')[]
  }
  readonly summary: string
  /** Whether another person has to approve it. Absent: never. */
  readonly secondPerson?: 'sometimes' | 'always'
  readonly needs: keyof ActDeps
  readonly args: TProperties
  /** Where a command sends a person who named something that is not there. */
  readonly see: string
  /** Throws AppError, as both doors show it. */
  carryOut(deps: BookDeps, operator: Operator, args: Arguments): Promise<Done | Requested>
  /** What a command says about it: one line, or several. */
  said(done: Done, args: Arguments): string | readonly string[]
  /** What a command says before that it was requested. */
  planned?(requested: Proposal): readonly string[]
  /** The same for programs. */
  shown(done: Done, args: Arguments): Arguments
  /** What the log of a command says, with its fields. Who did it and why is added. */
  logged?(done: Done, args: Arguments): readonly [string, Arguments] | undefined
}

type Read<Args extends TProperties> = Static<ReturnType<typeof T.Object<Args>>>

type Spec<Needs extends keyof ActDeps, Args extends TProperties, Result, Done> = Omit<
  Act<Done>,
  'args' | 'carryOut' | 'said' | 'shown' | 'logged'
> & {
  readonly needs: Needs
  readonly args: Args
  readonly carryOut: (deps: ActDeps[Needs], operator: Operator, args: Read<Args>) => Promise<Result>
  readonly said?: (done: Done, args: Read<Args>) => string | readonly string[]
  readonly shown?: (done: Done, args: Read<Args>) => Arguments
  readonly logged?: (done: Done, args: Read<Args>) => readonly [string, Arguments] | undefined
}

/** An act of the table. What carries it out is given the types of its arguments. */
export function act<Needs extends keyof ActDeps, Args extends TProperties, Result>(
  spec: Spec<Needs, Args, Result, Exclude<Result, Requested>>,
): Act<Exclude<Result, Requested>> {
  // Whoever carries it out has checked the arguments against the schemas, and opened what it needs.
  const made = { said: () => [], shown: (_: unknown, args: Arguments) => args, ...spec }
  return made as Act<Exclude<Result, Requested>>
}

type More = Pick<NonNullable<Act['console']>, 'concern' | 'status' | 'wakes'>

/** A route of the console for a person who may write. */
export function writing(route: ConsoleRoute, operationId: string, more: More = {}) {
  return { route, operationId, permission: 'operator:write', ...more } as const
}

/** A route of the console for a person who may approve. */
export function approving(route: ConsoleRoute, operationId: string, more: More = {}) {
  return { route, operationId, permission: 'operator:approve', ...more } as const
}

/** How a command asks for an argument; a route has no use for it. */
export type Asked = {
  /** The name of the option. Default: the argument's. */
  readonly option?: string
  /** The placeholder of its value in the help. */
  readonly value?: string
  /** What a text names that must be an id, such as `withdrawal`. */
  readonly idOf?: string
  /** What to do where it is missing or wrong. */
  readonly missing?: string
  /** What counts where it is missing. */
  readonly otherwise?: string
  /** It is a decimal number with so many decimals at most, by the arguments before it. `none` stays where the schema has it. */
  readonly decimals?: (args: Arguments) => number
  /** The value that a text means, where it is not the text. Undefined: none. */
  readonly reads?: (text: string) => unknown
  /** The console requires it, in this form. */
  readonly inConsole?: TSchema
}

const asked = Symbol('how a command asks for it')

/** How a command asks for this argument. */
export function askedOf(schema: TSchema): Asked {
  return (schema as { readonly [asked]?: Asked })[asked] ?? {}
}

/** The same schema, which a command asks for in this way. */
export function asks<Schema extends TSchema>(schema: Schema, how: Asked): Schema {
  return Object.assign(schema, { [asked]: how })
}

/** A reason: why, in the person's words. */
export function why(description: string, how: Asked = {}) {
  return asks(T.String({ minLength: 1, maxLength: 500, pattern: '\\S', description }), how)
}

/** A reason that the console requires and a command does not. */
export function whyInConsole(description: string, how: Asked = {}) {
  return T.Optional(why(description, { ...how, inConsole: why(description) }))
}

/** A UUID, by which a person names something. */
export function idOf(idOf: string, description?: string, how: Asked = {}) {
  return asks(T.String({ format: 'uuid', ...given({ description }) }), { ...how, idOf })
}

/** A text, such as the name of a connection or what a bank calls a movement. */
export function text(maxLength: number, description?: string, how: Asked = {}) {
  return asks(T.String({ minLength: 1, maxLength, ...given({ description }) }), how)
}
