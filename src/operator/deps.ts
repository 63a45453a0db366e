// What the functions of this folder need. The commands and the console call the same functions. This folder makes no decision about money
// that the folders it calls do not make; it adds who did it and why.
import type { Sql, Tx } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { SealingKeys } from '#/merchants/connections.ts'
import type { By } from '#/people/audit-entry.ts'

/** The person who does it. */
export type Operator = {
  readonly by: By
  /** The name in records that keep one as text: the email of a user, or the user and machine of a command. */
  readonly name: string
  /** Whether VINTEM_SANDBOX is on here. Absent: it is not. See isSandboxAsWhole. */
  readonly isSandboxHere?: boolean
}

/** Whether the keys that real money needs are set for every process: a sandbox makes its own, which `reset` removes. */
export type OwnKeys = { readonly hasOwnKeys: boolean }

/** Throws AppError `invalid_state` when something of a live merchant would depend on keys of a sandbox. */
export function requireOwnKeys({ hasOwnKeys }: OwnKeys, mode: Mode): void {
  if (mode === 'SANDBOX' || hasOwnKeys) return
  throw new AppError(
    'invalid_state',
    'A live merchant needs VINTEM_MASTER_KEY and VINTEM_AUDIT_KEY, which are not both set. Make them with openssl rand -hex 32, set them for every process, and keep a copy elsewhere.',
  )
}

/** What seals credentials of connections of this mode: without the worker's key, to its public half. */
export type SealFor = (sql: Sql | Tx, mode: Mode) => Promise<SealingKeys>
