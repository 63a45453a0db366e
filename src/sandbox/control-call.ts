// Calls of a simulator's remote control.
import { AppError } from '#/kernel/error.ts'
import { secondMs } from '#/kernel/time.ts'
import { member } from './member.ts'

export type ControlCall = (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<unknown>

/**
 * Calls of the simulator at `controlUrl`. `name`: its name in messages. 503 while it does not answer, 409 with the simulator's own
 * reason when it refuses.
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
    const content: unknown = await answer.json().catch(() => undefined)
    if (answer.ok) return content
    throw new AppError(
      'invalid_state',
      `The sandbox ${name} refuses: ${wordsOf(content) ?? `it answered ${answer.status}`}.`,
    )
  }
}

/** Why a simulator refuses: the `detail` of its problem (RFC 9457), else the title. */
function wordsOf(content: unknown): string | undefined {
  const words = member(content, 'detail') ?? member(content, 'title')
  return typeof words === 'string' ? words.replace(/\.$/, '') : undefined
}
