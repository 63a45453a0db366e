// For tests of any rail: its connections, and the errors of its calls.
import assert from 'node:assert/strict'
import { ProviderError } from '#/kernel/error.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import type { ProviderConnection } from '#/rails/connection.ts'

export const merchantId = newId<'merchant'>()
export const newConnectionId = () => `00-${newId()}` as ConnectionId

/** A ConnectionBook of these connections, which may be changed while a rail uses it. */
export function bookOf(connections: readonly ProviderConnection[]) {
  return {
    of: ({ method, mode }: Pick<ProviderConnection, 'method' | 'mode'>) =>
      connections.filter((each) => each.mode === mode && each.method === method),
    find: (id: ConnectionId) => connections.find((each) => each.id === id),
    all: (method: ProviderConnection['method']) => connections.filter((each) => each.method === method),
  }
}

/** Returns the ProviderError with which the call fails. */
export async function errorOf(promise: Promise<unknown>): Promise<ProviderError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ProviderError, String(error))
  return error
}

/** What is on all pages. */
export async function all<Item>(pages: AsyncIterable<readonly Item[]>): Promise<readonly Item[]> {
  const found: Item[] = []
  for await (const page of pages) found.push(...page)
  return found
}
