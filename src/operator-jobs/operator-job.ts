// A job that an operator requests and a worker runs.
import type { Id } from '#/kernel/id.ts'
import type { Actor } from '#/people/audit-entry.ts'

export type OperatorJobId = Id<'operator-job'>

export const jobStatuses = ['QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELED'] as const
export type JobStatus = (typeof jobStatuses)[number]

/** How far a job is: a sentence, by its key and the values in it, and how much of how much is done where that is known. */
export type JobProgress = {
  readonly key: string
  readonly values?: Readonly<Record<string, string | number>>
  readonly done?: number
  readonly total?: number
}

/**
 * Why a job failed. Pages have a sentence for each reason. The last four only name the kind of the failure, so for these pages show the
 * text of the failure as well. `problem` has the code of a problem; `broke` is any other failure. A failure that an older version wrote may
 * have only a text.
 */
export const jobFailures = [
  'worker_ended',
  'too_long',
  'result_too_large',
  'connection_unknown',
  'nothing_to_test',
  'nothing_to_register',
  'receives_nothing',
  'address_refused',
  'which_chain',
  'chain_not_connected',
  'no_gas_wallet',
  'no_address',
  'chain_not_followed',
  'files_gone',
  'problem',
  'provider_refused',
  'provider_unavailable',
  'broke',
] as const

export type JobFailureReason = {
  readonly key: (typeof jobFailures)[number]
  readonly values?: Readonly<Record<string, string | number>>
  /** It may have been carried out: a person has to check before they request it again. */
  readonly isUnsure?: true
}

export type OperatorJob = {
  readonly id: OperatorJobId
  readonly kind: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly requestedBy: Actor
  readonly status: JobStatus
  /** Its worker ends it at the next step. */
  readonly isCancelRequested: boolean
  readonly progress: JobProgress | null
  /** Present when it is DONE. */
  readonly result: Readonly<Record<string, unknown>> | null
  /** Why it FAILED, as a sentence. */
  readonly error: string | null
  /** The same as a key with its values. Null also when it failed for a reason that has none. */
  readonly failure: JobFailureReason | null
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly endedAt: Date | null
}

/** The largest result, as JSON. The database checks it too. */
export const resultBytesMax = 256 * 1024
