// The signer for its clients: it may be started after them, or again.
import { ProviderError } from '#/kernel/error.ts'
import { secondMs } from '#/kernel/time.ts'
import type { Signer } from '#/treasury/outgoing.ts'
import { createSignerClient, readSignerToken, type SignerClient } from '#/signer/client.ts'
import { SignerStartError } from '#/signer/start-error.ts'

const timeoutMs = 10 * secondMs

/** Connects when something is to be signed. Without a running signer, it rejects as unavailable. */
export function signerAt({ socket, token }: { readonly socket: string; readonly token: string }): Signer {
  let client: SignerClient | undefined
  const opened = () => (client ??= open(socket, token))
  return {
    sign: async (request) => opened().sign(request),
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
