// For tests: connections whose client answers as the test says, without a wire.
import { must } from '#/kernel/check.ts'
import type { ProviderError } from '#/kernel/error.ts'
import type { Mode } from '#/kernel/mode.ts'
import { CardError, type CardClient } from '#/rails/acquirer/client.ts'
import type { OpenConnections } from '#/rails/acquirer/connections.ts'
import { checkCardSettings } from '#/rails/acquirer/settings.ts'
import type { Fault } from '#/rails/acquirer/wire.ts'
import { newConnectionId } from '../rail.ts'

const none = () => Promise.reject(new Error('this test has no answer to that call'))

/** A client that answers these calls alone. */
function cardClient(answers: Partial<CardClient>): CardClient {
  return {
    createSession: none,
    getSession: none,
    findSession: none,
    expireSession: none,
    createIntent: none,
    findIntent: none,
    getIntent: none,
    captureIntent: none,
    cancelIntent: none,
    createRefund: none,
    getRefund: none,
    listRefunds: none,
    getDispute: none,
    closeDispute: none,
    submitEvidence: none,
    uploadFile: none,
    listEvents: () => ({ [Symbol.asyncIterator]: () => ({ next: none }) }),
    getAccount: none,
    close: async () => {},
    ...answers,
  }
}

/** Every connection is one of this client. */
export function openAt(
  answers: Partial<CardClient>,
  { mode = 'SANDBOX', settings = {} }: { readonly mode?: Mode; readonly settings?: object } = {},
): OpenConnections {
  const given = { publishableKey: 'pk_test_1', currencies: ['EUR'], ...settings }
  const checked = checkCardSettings(given, { secretKey: 'sk_test_1' })
  const client = cardClient(answers)
  const connection = {
    id: newConnectionId(),
    mode,
    settings: must(checked.ok ? checked.settings : undefined, 'settings without a fault'),
    webhookSecrets: [],
    client,
  }
  return {
    collecting: () => connection,
    of: () => connection,
    canRefund: () => true,
    refunding: () => ({ client }),
    close: client.close,
  }
}

/** What a client throws when the provider answers with a failure. */
export function cardError(
  outcome: ProviderError['outcome'],
  fault: Fault = {},
  { status = 400, isReplayed = false }: { readonly status?: number; readonly isReplayed?: boolean } = {},
): CardError {
  const headers: Record<string, string> = isReplayed ? { 'idempotent-replayed': 'true' } : {}
  return new CardError(outcome, 'said', { status, headers, body: Buffer.alloc(0) }, fault)
}
