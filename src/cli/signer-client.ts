// The signer for its clients: it may be started after them, or again.
import { ProviderError } from '#/kernel/error.ts'
import { secondMs } from '#/kernel/time.ts'
import { createSignerClient, readSignerToken, type SignerClient } from '#/signer/client.ts'
import { SignerStartError } from '#/signer/start-error.ts'
import type { Signer } from '#/treasury/outgoing.ts'

const timeoutMs = 10 * secondMs

type Place = { readonly socket: string; readonly token: string }

/**
 * Connects when something is to be signed. Without a running signer, it rejects as unavailable. `onOutcome` learns what became of each
 * request to sign.
 */
export function signerAt(
  { socket, token }: Place,
  onOutcome: (outcome: 'signed' | ProviderError['outcome']) => void = () => {},
): Signer {
  let client: SignerClient | undefined
  const opened = () => (client ??= open(socket, token))
  return {
    async sign(request) {
      try {
        const signed = await opened().sign(request)
        onOutcome('signed')
        return signed
      } catch (error) {
        // What is no answer of the signer may still have reached it.
        onOutcome(error instanceof ProviderError ? error.outcome : 'unknown')
        throw error
      }
    },
    status: async () => opened().status(),
  }
}

function open(socketPath: string, tokenFile: string): SignerClient {
  try {
    return createSignerClient({ socketPath, token: readSignerToken(tokenFile), timeoutMs })
  } catch (error) {
    if (error instanceof SignerStartError) throw new ProviderError('unavailable', error.message)
    throw error
  }
}
