// A type of connection that an operator sets up: the parts of its file, and how it is tested. Commands and pages show every type
// from this description.
import { createHash } from 'node:crypto'
import type { TObject } from 'typebox'
import type { FieldFault } from '#/kernel/error.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import type { Probe, ProbeDeps } from './probe.ts'
import type { Fields } from './settings.ts'

/** What the operator gives: `settings` are not secret, `secrets` receive money, `refundSecrets` send it. */
export type ConnectionParts = {
  readonly provider: string
  readonly settings: Fields
  readonly secrets: Fields
  readonly refundSecrets?: Fields
}

export type ConnectionType = {
  /** What its connections are for, as it is stored with them: a payment method, or the method of a payout rail. */
  readonly method: string
  /** The providers that it speaks to. */
  readonly providers: readonly string[]
  /** The page that documents its file. */
  readonly page: string
  readonly settings: TObject
  readonly secrets: TObject
  /** Absent: it only sends. Then only workers can decrypt its secrets, and it receives nothing. */
  readonly refundSecrets?: TObject
  /**
   * Returns everything that would fail only at the first charge; no fault contains a secret. `secrets` are those for this use, at
   * `/secrets`. The secrets for refunds are checked in the same way, unless `faultsOfRefunds` exists.
   */
  faults(parts: Omit<ConnectionParts, 'refundSecrets'>): readonly FieldFault[]
  faultsOfRefunds?(refundSecrets: Fields): readonly FieldFault[]
  /** Returns settings that work but are seldom intended, as sentences. */
  remarks?(parts: ConnectionParts): readonly string[]
  /**
   * Returns the names that identify the account at the provider, where the parts contain one; never a secret. An account may have
   * several names: all are returned. Only one cell of an installation may use an account.
   */
  accountsOf(parts: ConnectionParts): readonly string[]
  /**
   * Asks the provider for further names of the account, where the parts do not tell it: several keys may open one account. None for a key that may
   * not ask, or while the provider is away.
   */
  askAccounts?(parts: ConnectionParts): Promise<readonly string[]>
  /** Asks the provider, and changes nothing there. */
  probe(deps: ProbeDeps, connection: ProviderConnection): Promise<readonly Probe[]>
}

/** Returns the faults of all parts. Faults of the settings are reported once. */
export function faultsOfParts(
  type: ConnectionType,
  { refundSecrets, ...parts }: ConnectionParts,
): readonly FieldFault[] {
  const faults = type.faults(parts)
  if (refundSecrets === undefined) return faults
  const refundFaults =
    type.faultsOfRefunds?.(refundSecrets) ??
    type
      .faults({ ...parts, secrets: refundSecrets })
      .filter(({ pointer }) => pointer.startsWith('/secrets'))
      .map((each) => ({ ...each, pointer: each.pointer.replace('/secrets', '/refundSecrets') }))
  return [...faults, ...refundFaults]
}

/**
 * Names the account that a key opens, for `accountsOf`, by the digest of the key. The key consists of random numbers, so the digest
 * does not reveal it.
 */
export function nameOfKey(kind: string, key: unknown): readonly string[] {
  if (typeof key !== 'string') return []
  return [`${kind}:${createHash('sha256').update(key).digest('hex')}`]
}
