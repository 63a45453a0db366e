// `Idempotency-Key`: the first result of a key is returned for a day. Only results of the work itself are kept: a call whose
// parameters were refused may come again under the same key with correct ones.
import { hash } from 'node:crypto'
import type { Call, Reply } from '../kit/http.ts'
import type { Account, Acquirer } from './acquirer.ts'
import { ApiError, badParam } from './api-error.ts'

const keptMs = 24 * 60 * 60 * 1000
const keyMax = 255

/**
 * Returns the kept answer of the key. If there is none, does the work and keeps its answer in the same step, so that both are
 * stored or neither. `work` is synchronous.
 */
export function once(acquirer: Acquirer, account: Account, call: Call, work: () => unknown): Reply {
  const key = call.headers['idempotency-key']
  if (call.method !== 'POST' || typeof key !== 'string' || key === '')
    return { status: 200, body: acquirer.store.together(work) }
  if (key.length > keyMax)
    throw badParam('Idempotency-Key', `Idempotency keys must be at most ${keyMax} characters long.`)
  const name = `${account.id} ${key}`
  const endpoint = `${call.method} ${call.path}`
  const request = hash('sha256', call.body)
  const kept = acquirer.replays.get(name)
  const echo = { 'idempotency-key': key }
  if (kept !== undefined && acquirer.store.clock() - kept.at < keptMs) {
    if (kept.endpoint !== endpoint || kept.request !== request) throw reused(key, kept.endpoint !== endpoint)
    return { status: kept.status, body: kept.body, headers: { ...echo, 'idempotent-replayed': 'true' } }
  }
  return acquirer.store.together(() => {
    const { status, body } = answerOf(work)
    acquirer.replays.put(name, { endpoint, request, status, body, at: acquirer.store.clock() })
    return { status, body, headers: echo }
  })
}

/** Reserves the key for as long as a call is running. */
export function hold(acquirer: Acquirer, account: Account, call: Call): Disposable {
  const key = call.headers['idempotency-key']
  if (call.method !== 'POST' || typeof key !== 'string') return { [Symbol.dispose]: () => undefined }
  const { held } = acquirer.passing
  const name = `${account.id} ${key}`
  if (held.has(name))
    throw new ApiError(
      409,
      {
        type: 'idempotency_error',
        code: 'idempotency_key_in_use',
        message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
      },
      false,
    )
  held.add(name)
  return { [Symbol.dispose]: () => void held.delete(name) }
}

/** A refusal that is a result of the work is kept too. */
function answerOf(work: () => unknown): { readonly status: number; readonly body: unknown } {
  try {
    return { status: 200, body: work() }
  } catch (error) {
    if (error instanceof ApiError && error.isKept)
      return { status: error.reply.status, body: error.reply.body }
    throw error
  }
}

function reused(key: string, isElsewhere: boolean): ApiError {
  const message = isElsewhere
    ? `Keys for idempotent requests can only be used for the same endpoint they were first used for. Try using a key other than '${key}' if you meant to execute a different request.`
    : `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`
  return new ApiError(400, { type: 'idempotency_error', message }, false)
}
