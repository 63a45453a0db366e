// Idempotency keys of this provider keep the first answer, whatever it was: a key whose first call broke down says so for a
// day, and one that was used with other words refuses. What is there then decides, and only where there is nothing is
// another key taken.
import { ProviderError } from '#/kernel/error.ts'
import { CardError } from './client.ts'

/** Keys that may be used up for one thing. */
const keysMax = 5

/**
 * Asks under the key, and under `{key}:2` and so on once a key is used up and nothing is found. Everyone who asks takes
 * the same keys in the same order. Throws ProviderError.
 */
export async function underKey<T>(
  key: string,
  { ask, find }: { readonly ask: (key: string) => Promise<T>; readonly find: () => Promise<T | undefined> },
): Promise<T> {
  for (let number = 1; number <= keysMax; number++) {
    try {
      return await ask(number === 1 ? key : `${key}:${number}`)
    } catch (error) {
      if (!isUsedUp(error)) throw error
      const found = await find().catch((failed: unknown) => {
        // That it could not be looked for says nothing of what was asked.
        throw failed instanceof ProviderError ? new ProviderError('unknown', failed.message, failed) : failed
      })
      if (found !== undefined) return found
    }
  }
  throw new ProviderError('unknown', `the card provider kept failures under ${keysMax} keys`)
}

function isUsedUp(error: unknown): boolean {
  if (!(error instanceof CardError)) return false
  const { status, fault, isReplayed } = error
  return (isReplayed && status >= 500) || (status === 400 && fault.type === 'idempotency_error')
}
