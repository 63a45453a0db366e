// The refusal of what a sub-account may not start in its state, the same at every door.
import { AppError } from '#/kernel/error.ts'
import { mayStart, type AccountAct } from './account-state.ts'
import type { SubAccountState } from './sub-account.ts'

/** Throws 409 when a sub-account in this state may not start it. A merchant without a parent has no state and is never refused. */
export function requireStart(state: SubAccountState | undefined, act: AccountAct): void {
  if (!mayStart(state, act)) throw notInState(state)
}

/** The refusal. */
export function notInState(state: SubAccountState | undefined): AppError {
  return new AppError('invalid_state', `The sub-account is ${state}.`, { extra: { state } })
}
