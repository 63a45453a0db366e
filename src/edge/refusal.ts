// The response when there is no valid request: the bytes are not HTTP, the headers are too long, or the request times out.
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { problems, problemUrl, type ProblemCode } from '#/kernel/error.ts'
import { newId } from '#/kernel/id.ts'

const refusals: Readonly<Record<string, { readonly code: ProblemCode; readonly detail: string }>> = {
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', detail: 'The headers have at most 16 KiB in all.' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout', detail: 'No whole request came in time.' },
}

/** For a server's `clientError`: responds with the problem and closes the connection. */
export function refuseSocket(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable) socket.end(rawProblem(error.code))
  else socket.destroy()
}

function rawProblem(cause: string | undefined): string {
  const { code, detail } = refusals[cause ?? ''] ?? {
    code: 'invalid_request' as const,
    detail: 'This is not HTTP that we can read.',
  }
  const { status, title } = problems[code]
  const requestId = newId()
  const body = JSON.stringify({ type: problemUrl(code), title, status, code, detail, requestId })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
