// Idempotency keys of this provider keep the first answer, also a failure. A key whose first call failed repeats the failure for
// a day, and a key that is used with other parameters refuses. Then the existing object decides, and the next key is used only
// where there is none.
import { ProviderError } from '#/kernel/error.ts'
import { CardError } from './client.ts'

/** How many keys one object may use up. */
const keysMax = 5

/**
 * Calls under the key, and under `{key}:2` and so on once a key is used up and nothing is found. Every caller uses the same keys
 * in the same order. Throws ProviderError.
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
