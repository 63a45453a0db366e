// A route of the control port.
import { fieldsOf, type Fields } from './fields.ts'
import type { Call, Reply, Route } from './http.ts'
import { controlProblem } from './problem.ts'

type Handler = (body: Fields, call: Call) => Reply | Promise<Reply>

/** A route whose body is a JSON object; none counts as an empty one. */
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
