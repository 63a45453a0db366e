// Routes of a simulator's control calls.
import { fieldsOf, type Fields } from './fields.ts'
import type { Call, Reply, Route } from './http.ts'
import { controlProblem } from './refusal.ts'

type Handler = (body: Fields, call: Call) => Reply | Promise<Reply>

/** A route whose body is a JSON object; an empty body counts as an empty one. */
export function route(method: string, path: string, handle: Handler): Route {
  return {
    method,
    path,
    handle: (call) => {
      const body = call.body.length === 0 ? {} : fieldsOf(call)
      if (body === undefined) throw controlProblem(400, 'invalid_request', 'The body is not a JSON object')
      return handle(body, call)
    },
  }
}

/** Refuses calls that a page of another site makes in a browser on this machine. */
export function mustBeLocal({ headers, method }: Call): void {
  const isLocal = (host: string | undefined) =>
    /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(host ?? '')
  if (!isLocal(headers.host)) throw controlProblem(403, 'foreign_host', 'Only for callers on this machine')
  const { origin } = headers
  if (
    method !== 'GET' &&
    origin !== undefined &&
    !(URL.canParse(origin) && new URL(origin).host === headers.host)
  )
    throw controlProblem(403, 'foreign_origin', 'Only for this simulator’s own page')
}
