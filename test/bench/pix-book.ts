// A connection book of one.
import type { ConnectionBook, ProviderConnection } from '#/rails/rail.ts'

export function bookOf(connection: ProviderConnection): ConnectionBook {
  const own = (method: string) => (method === connection.method ? [connection] : [])
  return {
    of: ({ method }) => own(method),
    find: (id) => (id === connection.id ? connection : undefined),
    all: own,
  }
}
