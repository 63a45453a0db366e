// The types of connection that an operator sets up: those of all rails. Like the registry, only app files and commands import it.
import { must } from '#/kernel/check.ts'
import { messageOf, ProviderError } from '#/kernel/error.ts'
import type { ProviderConnection } from './connection.ts'
import type { ConnectionType } from './kit/connection-type.ts'
import { bookOf } from './kit/connections.ts'
import type { ProbeDeps } from './kit/probe.ts'
import type { OpenedRails, RailModule } from './module.ts'
import { certifiedOf, type Rail } from './rail.ts'
import { railModules } from './registry.ts'

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
function openRailOf(
  connection: ProviderConnection,
  deps: ProbeDeps,
): { readonly rail: Rail | undefined; readonly stop: OpenedRails['stop'] } {
  const { module } = must(entries.get(connection.method), 'a connection of a known type')
  const { rails, stop } = module.open({ ...deps, connections: bookOf(connection) })
  return { rail: rails.find(({ method }) => method === connection.method), stop }
}

/** The addresses at which providers can call us: of the server that asks for certificates, and of the API. */
export type CallbackUrls = { readonly certified: string; readonly api: string }

/**
 * - `registered`: the provider calls `url` from now on.
 * - `by_hand`: only a person can enter `url` at this provider, which signs its callbacks.
 * - `refused`: the provider did not accept `url`, or did not answer.
 * - `receives_nothing`: the connection only sends, so nothing is called back.
 */
export type Registration =
  | { readonly kind: 'registered' | 'by_hand'; readonly url: string }
  | { readonly kind: 'refused'; readonly url: string; readonly why: string }
  | { readonly kind: 'receives_nothing' }

/** Where the provider of a connection calls us; undefined: it only sends. `isByHand`: only a person can enter it there. */
export async function callbackAddress(
  deps: ProbeDeps,
  connection: ProviderConnection,
  urls: CallbackUrls,
): Promise<{ readonly url: string; readonly isByHand: boolean } | undefined> {
  const { rail, stop } = openRailOf(connection, deps)
  try {
    return rail === undefined ? undefined : addressAt(rail, connection, urls)
  } finally {
    await stop()
  }
}

function addressAt(rail: Rail, { id, method }: ProviderConnection, urls: CallbackUrls) {
  const path = `callbacks/${nameOf(method)}/${id}`
  const isByHand = certifiedOf(rail) === undefined
  return { url: `${isByHand ? urls.api : urls.certified}/${path}`, isByHand }
}

/** Registers our callback address at the provider of a connection. The same address may be registered again. */
export async function registerCallbacks(
  deps: ProbeDeps,
  connection: ProviderConnection,
  urls: CallbackUrls,
): Promise<Registration> {
  const { rail, stop } = openRailOf(connection, deps)
  try {
    if (rail === undefined) return { kind: 'receives_nothing' }
    const { url } = addressAt(rail, connection, urls)
    const certified = certifiedOf(rail)
    if (certified === undefined) return { kind: 'by_hand', url }
    try {
      await certified.register(connection.id, url)
      return { kind: 'registered', url }
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      return { kind: 'refused', url, why: messageOf(error) }
    }
  } finally {
    await stop()
  }
}
