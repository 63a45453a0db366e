// The kinds of jobs that an operator may request: their arguments, how long they may take, and whether they may be repeated.
import { Type as T, type Static, type TObject } from 'typebox'
import { Value } from 'typebox/value'
import type { Tx } from '#/db/client.ts'
import { AppError, type FieldFault } from '#/kernel/error.ts'
import { readAddress } from '#/kernel/evm-address.ts'
import { hourMs, minuteMs } from '#/kernel/time.ts'
import type { Actor } from '#/people/audit-entry.ts'
import type { OperatorJobId } from './operator-job.ts'
import { filesOfJobMax, takeUploads } from './uploads.ts'

export type KindTerms = {
  readonly schema: TObject
  /**
   * Whether it may be carried out twice, from its beginning. When the worker of any other job dies, the job may have been carried out; so
   * it fails, and a person has to check (law 4).
   */
  readonly isRepeatable: boolean
  /** The longest time that the job may take; then it fails. */
  readonly longestMs: number
  /** How many of them a worker runs at once. */
  readonly slots: number
  /** What the schema cannot check: the message of each argument that is wrong. */
  readonly check?: (given: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>
  /** Runs in the transaction of the request, after the check of the arguments. */
  readonly prepare?: (tx: Tx, job: RequestedJob) => Promise<void>
}

/** A job that is being requested. */
export type RequestedJob = {
  readonly id: OperatorJobId
  readonly arguments: Readonly<Record<string, unknown>>
  readonly by: Actor
}

const connection = T.Object(
  { connectionId: T.String({ minLength: 1, maxLength: 64, description: 'The id of the connection.' }) },
  { additionalProperties: false },
)
const chain = T.Optional(
  T.String({ pattern: '^[a-z0-9-]{1,32}$', description: 'Which chain, where there are several.' }),
)
const address = T.String({ maxLength: 64, description: 'An address; mixed capitals are those of EIP-55.' })

export const jobKinds = {
  /** Probes a connection with all its credentials: `./vintem connection test`. */
  'connection.test': { schema: connection, isRepeatable: true, longestMs: 5 * minuteMs, slots: 4 },
  /** Registers the callback address at the provider: `./vintem connection register`. The same address may be registered twice. */
  'connection.register': { schema: connection, isRepeatable: true, longestMs: 5 * minuteMs, slots: 4 },
  /** Computes the books again: `./vintem verify`. */
  verify: {
    schema: T.Object({}, { additionalProperties: false }),
    isRepeatable: true,
    longestMs: 12 * hourMs,
    slots: 1,
  },
  /** Collects now what lies at deposit addresses, as the workers of a chain do. */
  sweep: {
    schema: T.Object({ chain }, { additionalProperties: false }),
    isRepeatable: true,
    longestMs: 30 * minuteMs,
    slots: 1,
  },
  /** Sends what lies at a deposit address and is no payment to the treasury: `./vintem rescue make`, on the chain itself. */
  rescue: {
    schema: T.Object(
      { chain, address, token: T.Union([T.Literal('native'), address]) },
      { additionalProperties: false },
    ),
    isRepeatable: false,
    longestMs: 5 * minuteMs,
    slots: 1,
    check: ({ address: place, token }) =>
      Object.fromEntries(
        Object.entries({
          address: String(place),
          ...(token === 'native' ? {} : { token: String(token) }),
        }).flatMap(([name, text]) => {
          const reading = readAddress(text)
          return reading.ok ? [] : [[name, reading.message]]
        }),
      ),
  },
  /** Compares what providers hold with the books: `./vintem balances`. */
  balances: {
    schema: T.Object({}, { additionalProperties: false }),
    isRepeatable: true,
    longestMs: 10 * minuteMs,
    slots: 1,
  },
  /**
   * Imports files of a bank in this order: `./vintem statement import`. Repeatable, because the same file twice changes nothing.
   */
  'statement.import': {
    schema: T.Object(
      {
        uploads: T.Array(T.String({ pattern: '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }), {
          minItems: 1,
          maxItems: filesOfJobMax,
          description: 'Files that were handed in, in the order of their days.',
        }),
        connectionId: T.Optional(
          T.String({ minLength: 1, maxLength: 64, description: 'Whose account it is.' }),
        ),
      },
      { additionalProperties: false },
    ),
    isRepeatable: true,
    longestMs: 30 * minuteMs,
    slots: 1,
    prepare: (tx: Tx, { id, by, arguments: given }: RequestedJob) =>
      takeUploads(tx, { ids: given['uploads'] as readonly string[], userId: by.id, jobId: id }),
  },
} as const satisfies Readonly<Record<string, KindTerms>>

export type JobKind = keyof typeof jobKinds
export type JobArguments<Kind extends JobKind> = Static<(typeof jobKinds)[Kind]['schema']>

/** Throws AppError `invalid_request` with every fault. */
export function checkArguments({ schema, check }: Pick<KindTerms, 'schema' | 'check'>, given: unknown): void {
  const wrong = Value.Check(schema, given)
    ? Object.entries(check?.(given) ?? {}).map(([name, message]) => ({ instancePath: `/${name}`, message }))
    : Value.Errors(schema, given)
  if (wrong.length === 0) return
  const faults = wrong.map(({ instancePath, message }): FieldFault => ({
    pointer: `/arguments${instancePath}`,
    code: 'invalid',
    message,
  }))
  throw new AppError('invalid_request', 'The arguments of the job are not valid.', { faults })
}
