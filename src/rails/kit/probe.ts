// Whether a connection works: harmless questions to its provider, one for each set of credentials.
import { messageOf, ProviderError, type FieldFault } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import type { Clock } from '#/kernel/time.ts'

/** One thing that was tried, and what came of it. */
export type Probe = { readonly what: string; readonly ok: boolean; readonly said: string }

export type ProbeDeps = { readonly clock: Clock; readonly log: Log }

/** Asks, and answers what the provider said. A fault that is not the provider's is thrown. */
export async function probe(what: string, ask: () => Promise<string>): Promise<Probe> {
  try {
    return { what, ok: true, said: await ask() }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return { what, ok: false, said: messageOf(error) }
  }
}

/** What was kept of a connection does not fit any more. */
export function probesOf(faults: readonly FieldFault[]): readonly Probe[] {
  return faults.map(({ pointer, message }) => ({ what: pointer, ok: false, said: message }))
}

/** Of a connection that takes money in and was not given the means to give it back. */
export const noRefunds: Probe = {
  what: 'refunds',
  ok: true,
  said: 'no refundSecrets: nothing can be given back',
}
