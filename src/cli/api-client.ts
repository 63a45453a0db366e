// The API as a merchant's program calls it: for `listen` and `trigger`, which are such programs. By default that of the sandbox.
import type { Config } from '#/config.ts'
import { messageOf } from '#/kernel/error.ts'
import { parseJson } from '#/kernel/json.ts'
import { secondMs } from '#/kernel/time.ts'
import { member } from '#/sandbox/member.ts'
import { readSandboxFile, type SandboxFile } from '#/sandbox/provision.ts'
import { noSandbox } from './no-sandbox.ts'

export type ApiClient = {
  readonly apiUrl: string
  /** The secret with which the sandbox signs webhooks; absent with a key of the settings. */
  readonly webhookSecret?: string
  /** The JSON of a successful answer, its numbers unchanged. Throws ApiCallError. */
  call(
    method: 'GET' | 'POST',
    path: string,
    how?: { readonly body?: unknown; readonly waitMs?: number; readonly signal?: AbortSignal },
  ): Promise<unknown>
}

/** A call that was refused, or had no answer. `status` is 0 without an answer. */
export class ApiCallError extends Error {
  override name = 'ApiCallError'
  readonly status: number
  readonly remedy: string
  readonly retryAfterMs: number | undefined
  constructor(message: string, status: number, more: { remedy?: string; retryAfterMs?: number } = {}) {
    super(message)
    this.status = status
    this.remedy = more.remedy ?? ''
    this.retryAfterMs = more.retryAfterMs
  }
}

/** The API of the settings when they have a key, else that of the sandbox. Throws when there is neither. */
export async function openApiClient(config: Config): Promise<ApiClient> {
  if (config.VINTEM_API_KEY !== '') return clientOf(config.VINTEM_API_URL, config.VINTEM_API_KEY)
  const sandbox = await readSandboxFile(config.dataDir)
  if (sandbox === undefined) throw noSandbox(config)
  return openSandboxClient(sandbox)
}

/** The API of a running sandbox, as its merchant. */
export function openSandboxClient(sandbox: SandboxFile): ApiClient {
  return { ...clientOf(sandbox.apiUrl, sandbox.apiKey), webhookSecret: sandbox.webhookSecret }
}

const usualMs = 30 * secondMs

function clientOf(apiUrl: string, apiKey: string): ApiClient {
  return {
    apiUrl,
    async call(method, path, { body, waitMs = 0, signal } = {}) {
      const patience = AbortSignal.timeout(usualMs + waitMs)
      const answer = await fetch(apiUrl + path, {
        method,
        headers: { apikey: apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: signal === undefined ? patience : AbortSignal.any([patience, signal]),
      })
        .then(async (response) => ({ response, text: await response.text() }))
        .catch((error: unknown) => {
          throw new ApiCallError(`No API answers at ${apiUrl} (${causeOf(error)}).`, 0, {
            remedy: 'Is it running? The sandbox is started by npm start.',
          })
        })
      return read(`${method} ${path}`, answer)
    },
  }
}

function read(call: string, { response, text }: { response: Response; text: string }): unknown {
  const content = parse(text)
  if (response.ok && content !== undefined) return content
  const detail = member(content, 'detail')
  const words = typeof detail === 'string' ? detail : text.slice(0, 200)
  const seconds = Number(response.headers.get('retry-after') ?? NaN)
  const more = Number.isFinite(seconds) ? { retryAfterMs: seconds * secondMs } : {}
  throw new ApiCallError(`${call} answered ${response.status}: ${words}`, response.status, more)
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** Why a call had no answer: the code of the system, where there is one. */
export function causeOf(error: unknown): string {
  const code = member(error instanceof Error ? error.cause : undefined, 'code')
  return typeof code === 'string' ? code : messageOf(error)
}
