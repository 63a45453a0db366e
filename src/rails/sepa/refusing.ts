// Reading a file either gives a value or refuses the file with a reason.
import { UnreadableFile } from './unreadable.ts'

type Refusing<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: string; readonly isOthers: boolean }

/** Runs the reading. Throws what is no refusal. */
export function refusing<Value>(work: () => Value): Refusing<Value> {
  try {
    return { ok: true, value: work() }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    return { ok: false, reason: error.message, isOthers: error.isOthers }
  }
}

/** The result of a file that was refused. */
export function refused({ reason, isOthers }: { readonly reason: string; readonly isOthers: boolean }) {
  return { state: 'REFUSED' as const, reason, ...(isOthers ? { isOthers: true as const } : {}) }
}
