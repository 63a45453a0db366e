// A kind of connection that an operator sets up: the parts of its file, and how it is tried out. Commands and pages show all
// kinds by what stands here.
import type { TObject } from 'typebox'
import type { FieldFault } from '#/kernel/error.ts'
import type { ProviderConnection } from '#/rails/words.ts'
import type { Probe, ProbeDeps } from './probe.ts'
import type { Fields } from './settings.ts'

/** What the operator gives: the settings are no secret, `secrets` take money in, `refundSecrets` send it out. */
export type ConnectionParts = {
  readonly provider: string
  readonly settings: Fields
  readonly secrets: Fields
  readonly refundSecrets?: Fields
}

export type ConnectionType = {
  /** What its connections are for, as it is kept with them: a payment method, or sending by one. */
  readonly method: string
  /** The providers that it speaks to. */
  readonly providers: readonly string[]
  /** The page that shows its file. */
  readonly page: string
  readonly settings: TObject
  readonly secrets: TObject
  /** Absent: it only sends. Its secrets are for workers alone then, and it takes nothing in. */
  readonly refundSecrets?: TObject
  /**
   * All that would only fail at the first charge; none repeats a secret. `secrets` are those for this use, at `/secrets`. For
   * refunds they are checked again, unless `faultsOfRefunds` says otherwise.
   */
  faults(parts: Omit<ConnectionParts, 'refundSecrets'>): readonly FieldFault[]
  faultsOfRefunds?(refundSecrets: Fields): readonly FieldFault[]
  /** What works and is seldom meant, as sentences. */
  remarks?(parts: ConnectionParts): readonly string[]
  /** Asks the provider, and changes nothing there. */
  probe(deps: ProbeDeps, connection: ProviderConnection): Promise<readonly Probe[]>
}

/** What is wrong with all parts. Faults of the settings are said once. */
export function faultsOfParts(
  type: ConnectionType,
  { refundSecrets, ...parts }: ConnectionParts,
): readonly FieldFault[] {
  const faults = type.faults(parts)
  if (refundSecrets === undefined) return faults
  const own =
    type.faultsOfRefunds?.(refundSecrets) ??
    type
      .faults({ ...parts, secrets: refundSecrets })
      .filter(({ pointer }) => pointer.startsWith('/secrets'))
      .map((each) => ({ ...each, pointer: each.pointer.replace('/secrets', '/refundSecrets') }))
  return [...faults, ...own]
}
