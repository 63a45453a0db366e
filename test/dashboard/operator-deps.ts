// What the operator's console needs, in a process that has no worker's key.
import { randomBytes } from 'node:crypto'
import type { OperatorDeps } from '#/dashboard/operator/deps.ts'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import { connectionSeal, type OpenConnectionBook } from '#/merchants/connections.ts'
import { callbackAddress, connectionNames, findType, nameOf, typeNamed } from '#/rails/connection-types.ts'
import type { Rails } from '#/rails/rail.ts'
import { signalKeeper } from '#/settlement/inbox.ts'
import { stillLeaving } from '#/settlement/payout.ts'
import { openStartingWallets } from '#/wallets/create.ts'

export type OperatorOptions = {
  readonly benchFigure?: OperatorDeps['benchFigure']
  /** The chains whose node is asked. */
  readonly nodes?: OperatorDeps['nodes']
  /** Connections other than those that the world's own keys open. */
  readonly connections?: OperatorDeps['connections']
  /** The rails by which a refund's payer is known. */
  readonly rails?: Rails
}

export function testOperatorDeps(
  { masterKey, connections }: { readonly masterKey: Buffer; readonly connections: OpenConnectionBook },
  options: OperatorOptions = {},
): OperatorDeps {
  return {
    cell: 'a1',
    hasOwnKeys: true,
    webhookSealKey: randomBytes(32),
    openWallets: openStartingWallets,
    sealFor: (sql, mode) => connectionSeal(sql, masterKey, mode),
    connectionTypes: {
      names: connectionNames,
      named: typeNamed,
      find: findType,
      nameOf,
      opened: connections.find,
      async callbackOf(id) {
        await connections.refresh()
        const connection = connections.find(id)
        const urls = { certified: 'https://callbacks.example', api: 'https://api.example' }
        const deps = { clock: systemClock, log: silentLog }
        return connection === undefined ? undefined : callbackAddress(deps, connection, urls)
      },
    },
    nodes: options.nodes ?? (() => []),
    benchFigure: options.benchFigure ?? (() => Promise.resolve(undefined)),
    aloneMax: 100_000n,
    connections: options.connections ?? connections,
    stillLeaving: stillLeaving(options.rails ?? new Map()),
    keepSignals: signalKeeper(systemClock),
  }
}
