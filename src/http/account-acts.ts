// What a closed sub-account may not be called to do. Each route that changes something says what it starts there. Reading is not refused: a
// closed sub-account is read for ever.
import { mayStart, type AccountAct, notInState } from '#/merchants/account-state.ts'
import type { SubAccountState } from '#/merchants/sub-account.ts'

/** What of a route decides. */
type Called = { readonly method: string; readonly starts?: AccountAct | undefined }

/**
 * Throws 409 when a closed sub-account is called to do what it may not. What the other states may not start is refused by what starts it,
 * because there a repeated request still gets the answer of the first. `state` is undefined for a merchant without a parent.
 */
export function requireOpenAccount(state: SubAccountState | undefined, called: Called): void {
  if (state === 'CLOSED' && isRefusedWhenClosed(called)) throw notInState(state)
}

/** Whether a closed sub-account is refused this route. One that does not say what it starts is. */
export function isRefusedWhenClosed({ method, starts }: Called): boolean {
  return method !== 'GET' && (starts === undefined || !mayStart('CLOSED', starts))
}
