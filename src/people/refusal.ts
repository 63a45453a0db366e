// Why a person is refused. Each is an AppError whose document says `reason`, so that the dashboard tells them apart.
import { AppError, type FieldFault, type ProblemCode } from '#/kernel/error.ts'

const codes = {
  /** Email, password or passkey is wrong, or the user is disabled: one answer for all. */
  wrong_credentials: 'sign_in_refused',
  /** The session has ended, or its sign-in is not complete. */
  no_session: 'unauthenticated',
  /** The code or passkey given as second factor is wrong, or was used before. */
  wrong_second_factor: 'sign_in_refused',
  /** It needs a second factor not older than five minutes: the document lists `methods`. */
  second_factor_needed: 'second_factor_needed',
  /** It needs a sign-in not older than five minutes. */
  sign_in_again: 'forbidden',
  too_many_guesses: 'rate_limited',
  /** The link was used, has ended, was withdrawn, or never was. */
  link_used: 'link_used',
  /** The link works on the machine of the server alone. */
  not_from_here: 'forbidden',
  /** Nobody grants what they lack. */
  more_than_own: 'forbidden',
  /** A merchant keeps an owner. */
  last_owner: 'invalid_state',
  present_password: 'invalid_request',
  bad_password: 'invalid_request',
} as const satisfies Record<string, ProblemCode>

export type Refusal = keyof typeof codes

/** The error that refuses, with its reason. */
export function refusal(
  reason: Refusal,
  detail: string,
  more: {
    readonly extra?: Readonly<Record<string, unknown>>
    readonly faults?: readonly FieldFault[]
    readonly retryAfterMs?: number
  } = {},
): AppError {
  return new AppError(codes[reason], detail, { ...more, extra: { ...more.extra, reason } })
}

/** Why `error` refuses a person; undefined for every other error. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof AppError)) return undefined
  const reason = error.extra['reason']
  return typeof reason === 'string' && reason in codes ? (reason as Refusal) : undefined
}

/** 404 for a user, a passkey or a link that is not there. */
export function unknown(what: string): AppError {
  return new AppError('not_found', `There is no such ${what}.`)
}
