// How a second factor that is not older than five minutes is asked for. What needs one, its route says.
import { AppError } from '#/kernel/error.ts'
import type { Mode } from '#/kernel/mode.ts'
import { isSandboxAsWhole } from '#/operator/live-queries.ts'
import type { DashboardDeps } from './deps.ts'
import type { Visitor } from './visitor.ts'

/**
 * Throws 403 when the user has to give a second factor first. In a sandbox a user who has no factor needs none: the money is not real, and
 * a newcomer must be able to start without an authenticator app. Decision 119.
 */
export function requireFactor(
  { isFactorFresh, factors }: Pick<Visitor, 'isFactorFresh' | 'factors'>,
  mode: Mode | undefined,
): void {
  if (isFactorFresh || (mode === 'SANDBOX' && factors.length === 0)) return
  const detail =
    factors.length === 0
      ? 'Add a passkey or an authenticator app first: this needs a second factor.'
      : 'Confirm with your second factor: the last one is more than five minutes old.'
  throw new AppError('second_factor_needed', detail, { extra: { methods: factors } })
}

/**
 * The same for what operators do. An installation with a sandbox and without anything LIVE is a sandbox as a whole: its operator is the
 * newcomer who tries it. As soon as there is a LIVE merchant or connection, everybody needs a second factor. Decision 122.
 */
export async function requireOperatorFactor(
  { http: { sql }, isSandboxHere }: Pick<DashboardDeps, 'http' | 'isSandboxHere'>,
  visitor: Pick<Visitor, 'isFactorFresh' | 'factors'>,
): Promise<void> {
  if (visitor.isFactorFresh) return
  requireFactor(visitor, (await isSandboxAsWhole(sql, { isSandboxHere })) ? 'SANDBOX' : undefined)
}

/** The same for a body that makes something LIVE, also the first. */
export function requireFactorForLive(
  visitor: Pick<Visitor, 'isFactorFresh' | 'factors'>,
  body: unknown,
): void {
  const { mode } = (body ?? {}) as { readonly mode?: unknown }
  if (mode !== undefined && mode !== 'SANDBOX') requireFactor(visitor, undefined)
}
