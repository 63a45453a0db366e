// Tests whether a connection works: harmless questions to its provider, one for each set of credentials.
import { messageOf, ProviderError, type FieldFault } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import type { Clock } from '#/kernel/time.ts'

/** The results for which pages have a sentence of their own. The answers of providers are not among them. */
export type ProbeKey =
  | 'works'
  | 'received'
  | 'sent'
  | 'events'
  | 'keys'
  | 'goes_nowhere'
  | 'goes_to'
  | 'valid_until'
  | 'ended_on'
  | 'no_refunds'
  | 'not_decrypted'
  | 'secrets_known'
  | 'no_secrets'
  | 'enabled'
  | 'nothing_to_call'

/** A sentence, and the same as a key with its values. */
export type Said = {
  readonly said: string
  readonly key: ProbeKey
  readonly values?: Readonly<Record<string, string | number>>
}

/** One thing that was tested, and its result. */
export type Probe = { readonly what: string; readonly ok: boolean; readonly said: string } & Partial<Said>

export const works: Said = { said: 'works', key: 'works' }

export type ProbeDeps = { readonly clock: Clock; readonly log: Log }

/** Asks the provider and returns what it said. An error that is not the provider's is thrown. */
export async function probe(what: string, ask: () => Promise<Said>): Promise<Probe> {
  try {
    return { what, ok: true, ...(await ask()) }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return { what, ok: false, said: messageOf(error) }
  }
}

/** The results for a connection whose stored parts are not valid any more. */
export function probesOf(faults: readonly FieldFault[]): readonly Probe[] {
  return faults.map(({ pointer, message }) => ({ what: pointer, ok: false, said: message }))
}

/** For a connection that receives money and has no refund secrets. */
export const noRefunds: Probe = {
  what: 'refunds',
  ok: true,
  said: 'no refundSecrets: nothing can be given back',
  key: 'no_refunds',
}
