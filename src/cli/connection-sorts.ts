// The connections that the command `connection` knows: how each one's file is read, how it is tried, and how its provider
// learns where callbacks go.
import type { ProviderConnection } from '#/rails/words.ts'
import { must } from '#/kernel/check.ts'
import { probeCard } from '#/rails/card/probe.ts'
import { probePartnerPay } from '#/rails/partner-pay/probe.ts'
import { payoutMethod } from '#/rails/pix/payout.ts'
import {
  readCardConnection,
  readPartnerPayConnection,
  readPixConnection,
  readPixPayoutConnection,
  type ReadConnectionFile,
} from './connection-file.ts'
import { probePix, probePixPayout, type Probe, type ProbeDeps } from './connection-probe.ts'

export type ConnectionSort = {
  /** The page that shows its file. */
  readonly page: string
  read(file: string): Promise<ReadConnectionFile>
  /** Asks the provider, and changes nothing there. */
  probe(deps: ProbeDeps, connection: ProviderConnection): Promise<readonly Probe[]>
  /**
   * `told`: the provider is told by a call where they go. `entered`: a person enters it at the provider. Absent: it takes
   * nothing in.
   */
  readonly callbacks?: 'told' | 'entered'
}

export const connectionSorts = {
  PIX: { page: 'docs/rails/pix.md', read: readPixConnection, probe: probePix, callbacks: 'told' },
  [payoutMethod]: { page: 'docs/rails/pix.md', read: readPixPayoutConnection, probe: probePixPayout },
  CREDIT_CARD: {
    page: 'docs/rails/card.md',
    read: readCardConnection,
    probe: probeCard,
    callbacks: 'entered',
  },
  PARTNER_PAY: {
    page: 'docs/rails/partner-pay.md',
    read: readPartnerPayConnection,
    probe: ({ clock }, connection) => probePartnerPay(clock, connection),
    callbacks: 'entered',
  },
} as const satisfies Readonly<Record<string, ConnectionSort>>

export type SortName = keyof typeof connectionSorts

export const sortNames = Object.keys(connectionSorts) as readonly SortName[]

export function sortNameOf({ method }: { readonly method: string }): SortName | undefined {
  return sortNames.find((each) => each === method)
}

export function sortOf(connection: { readonly method: string }): ConnectionSort {
  return connectionSorts[must(sortNameOf(connection), 'a connection of a known sort')]
}

/** As it stands in commands and addresses. */
export function nameOf(method: string): string {
  return method.toLowerCase().replaceAll('_', '-')
}
