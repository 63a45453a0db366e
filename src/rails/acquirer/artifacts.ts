// Reads the artifacts of a session.
import { invariant, must } from '#/kernel/check.ts'
import type { Attempt } from '#/rails/attempt.ts'
import type { OpenedAttempt, Presentation } from '#/rails/rail.ts'
import type { CardSettings } from './settings.ts'

/** Returns the id of the attempt's session. Artifacts without one are a bug of ours. */
export function sessionIdOf(attempt: OpenedAttempt): string {
  return must(textOf(attempt.artifacts, 'sessionId'), `attempt ${attempt.id} has a session`)
}

/** The same, for an attempt that may never have been opened. */
export function keptSessionIdOf(
  attempt: Attempt & Partial<Pick<OpenedAttempt, 'artifacts'>>,
): string | undefined {
  return attempt.artifacts === undefined ? undefined : textOf(attempt.artifacts, 'sessionId')
}

/** Returns the id of the intent of a local method's attempt; undefined for one that was never opened. */
export function keptIntentIdOf(
  attempt: Attempt & Partial<Pick<OpenedAttempt, 'artifacts'>>,
): string | undefined {
  return attempt.artifacts === undefined ? undefined : textOf(attempt.artifacts, 'intentId')
}

/** Returns what the payer's page shows: the provider's own page, or its frame. */
export function presentationOf(settings: CardSettings, { id, artifacts }: OpenedAttempt): Presentation {
  const [url, clientSecret] = [textOf(artifacts, 'url'), textOf(artifacts, 'clientSecret')]
  if (url !== undefined) return { kind: 'HOSTED', url }
  invariant(clientSecret !== undefined, `attempt ${id} has a secret for its frame`)
  const { scriptUrl, publishableKey, origins } = settings
  return { kind: 'FRAME', scriptUrl, publishableKey, clientSecret, origins }
}

/** Returns a text of the artifacts. */
export function textOf(artifacts: OpenedAttempt['artifacts'], field: string): string | undefined {
  const kept = artifacts[field]
  return typeof kept === 'string' ? kept : undefined
}
