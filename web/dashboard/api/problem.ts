// What a refused or failed call says: application/problem+json as an error with a type.
import type { Minor } from '../kit/format.ts'
import type { FactorMethod } from './generated.ts'

export type FieldFault = { readonly pointer: string; readonly code: string; readonly message: string }

/** Codes that only the client makes: the network failed, or the answer was no answer of ours. */
export type ProblemBody = {
  readonly status: number
  readonly code: string
  readonly title: string
  readonly detail: string
  /** Why a person is refused, where one code has several reasons. */
  readonly reason?: string
  readonly requestId?: string
  readonly errors?: readonly FieldFault[]
  /** With `insufficient_funds`: how much the wallet lacks. */
  readonly missing?: Minor
  /** With `limit_exceeded`: the most that is allowed now. */
  readonly left?: Minor
  /** With `second_factor_needed`: by what it can be given. */
  readonly methods?: readonly FactorMethod[]
}

/** A call that was refused or failed. `code` is the field to decide by, and `reason` where a code has several. */
export class ProblemError extends Error {
  override name = 'ProblemError'
  readonly problem: ProblemBody

  constructor(problem: ProblemBody) {
    super(problem.detail)
    this.problem = problem
  }
}

/** The code of a refused call; undefined for any other error. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof ProblemError ? error.problem.code : undefined
}

/** Why the call was refused, where its code has several reasons. */
export function reasonOf(error: unknown): string | undefined {
  return error instanceof ProblemError ? error.problem.reason : undefined
}

/** What is wrong with one field of the body, or with an item of its list, by its JSON pointer without the slash. */
export function faultOf(error: unknown, field: string): FieldFault | undefined {
  if (!(error instanceof ProblemError)) return undefined
  return error.problem.errors?.find(({ pointer }) => {
    const path = pointer.replace(/^#/, '')
    return path === `/${field}` || path.startsWith(`/${field}/`)
  })
}
