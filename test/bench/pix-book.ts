import type { ConnectionBook, ProviderConnection } from '#/rails/words.ts'
// A connection book of one.

export function bookOf(connection: ProviderConnection): ConnectionBook {
  const own = (method: string) => (method === connection.method ? [connection] : [])
  return {
    of: ({ method }) => own(method),
    find: (id) => (id === connection.id ? connection : undefined),
    all: own,
  }
}
