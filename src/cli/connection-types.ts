// The types of connection that the command `connection` accepts: those of all rails.
import { must } from '#/kernel/check.ts'
import type { ConnectionType } from '#/rails/kit/connection-type.ts'
import { bookOf } from '#/rails/kit/connections.ts'
import type { ProbeDeps } from '#/rails/kit/probe.ts'
import type { OpenedRails, RailModule } from '#/rails/module.ts'
import type { Rail } from '#/rails/rail.ts'
import { railModules } from '#/rails/registry.ts'
import type { ProviderConnection } from '#/rails/words.ts'

type Entry = { readonly module: RailModule; readonly type: ConnectionType }

const entries: ReadonlyMap<string, Entry> = new Map(
  railModules.flatMap((module) => module.connections.map((type) => [type.method, { module, type }])),
)

/** As they are written in commands and addresses. */
export const connectionNames: readonly string[] = [...entries.keys()].map(nameOf)

/** As it is written in commands and addresses. */
export function nameOf(method: string): string {
  return method.toLowerCase().replaceAll('_', '-')
}

/** Undefined for what this command does not connect, such as a chain. */
export function findType({ method }: { readonly method: string }): ConnectionType | undefined {
  return entries.get(method)?.type
}

export function typeOf(connection: { readonly method: string }): ConnectionType {
  return must(findType(connection), 'a connection of a known type')
}

/** The type of this name, as a person writes it. */
export function typeNamed(name: string): ConnectionType | undefined {
  return findType({ method: name.toUpperCase().replaceAll('-', '_') })
}

/** The rail that accepts payments by this connection alone; undefined for one that only sends. */
export function openRailOf(
  connection: ProviderConnection,
  deps: ProbeDeps,
): { readonly rail: Rail | undefined; readonly stop: OpenedRails['stop'] } {
  const { module } = must(entries.get(connection.method), 'a connection of a known type')
  const { rails, stop } = module.open({ ...deps, connections: bookOf(connection) })
  return { rail: rails.find(({ method }) => method === connection.method), stop }
}
