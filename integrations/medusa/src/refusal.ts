// Errors as Medusa's API answers them.
import { VintemProblem } from '../../../sdk/typescript/src/vintem.ts'

/**
 * An error that Medusa's API answers as 400 with this message. Medusa recognises its own errors by these two fields, so its package is not
 * needed for them. Of any other error it shows "An unknown error occurred", and logs what it was.
 */
export function refusal(message: string): Error {
  return Object.assign(new Error(message), { __isMedusaError: true, type: 'not_allowed' })
}

/** A refusal by Vintem is shown to the caller. A fault of the key, or of Vintem itself, is only logged. */
export function explained(error: unknown): unknown {
  if (!(error instanceof VintemProblem) || error.status >= 500 || notForShoppers.has(error.status))
    return error
  return Object.assign(refusal(error.message), { cause: error })
}

/** No valid key, not allowed to this key, too many calls. */
const notForShoppers: ReadonlySet<number> = new Set([401, 403, 429])
