// Idempotency keys of this provider return the first answer for a day, also when it was a failure, and refuse other parameters. In
// both cases we search for the existing object first, and use the next key only if there is none.
import { ProviderError } from '#/kernel/error.ts'
import { CardError } from './client.ts'

/** How many keys one object may use up. */
const keysMax = 5

/**
 * Calls under the key. When the key is used up and nothing is found, calls under `{key}:2`, and so on. Every caller uses the same
 * keys in the same order. Throws ProviderError.
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
        // If the look-up fails, the result of the call stays unknown.
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
