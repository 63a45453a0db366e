// Remote control of a simulator, as the sandbox calls it.
import { AppError } from '#/kernel/error.ts'
import { secondMs } from '#/kernel/time.ts'
import { member } from './member.ts'

export type ControlCall = (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<unknown>

/**
 * Calls of the simulator at `controlUrl`, which people know as `name`. 503 while it is away, 409 with its own words when it
 * refuses.
 */
export function controlOf(name: string, controlUrl: string): ControlCall {
  return async (method, path, body) => {
    let answer: Response
    try {
      answer = await fetch(`${controlUrl}${path}`, {
        method,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
        signal: AbortSignal.timeout(10 * secondMs),
      })
    } catch (error) {
      const detail = `The sandbox ${name} cannot be reached right now. Try again in a moment.`
      throw new AppError('provider_unavailable', detail, { cause: error, retryAfterMs: 2 * secondMs })
    }
    const said: unknown = await answer.json().catch(() => undefined)
    if (answer.ok) return said
    throw new AppError(
      'invalid_state',
      `The sandbox ${name} refuses: ${wordsOf(said) ?? `it answered ${answer.status}`}.`,
    )
  }
}

/** Why a simulator refuses: a problem (RFC 9457) says it in `detail`, or in its title where that says all. */
function wordsOf(said: unknown): string | undefined {
  const words = member(said, 'detail') ?? member(said, 'title')
  return typeof words === 'string' ? words.replace(/\.$/, '') : undefined
}
