// What is done with every query of the driver. A query is a promise that is sent when somebody first waits for it; until then
// it can be a part of another query. So what is handed out stands for the driver's own object in everything but waiting: only
// `then`, `catch` and `finally` are others, which every promise has. They are not set on the promise itself: that makes all
// promises of a process slower (V8 gives up its short cut for `then` as soon as one promise has its own).

/** Has the query sent, and calls one of these when the driver settles it. */
export type Send = (onResult: (result: unknown) => void, onError: (error: unknown) => void) => void

/**
 * The same query, which is answered by `answer` when it is first waited for; it is sent if that calls `send`. What is no query,
 * such as an identifier or a list of values, passes as it is.
 */
export function answeredBy<Made>(made: Made, answer: (send: Send) => Promise<unknown>): Made {
  if (!(made instanceof Promise)) return made
  let waiting: Promise<unknown> | undefined
  const answered = () => (waiting ??= answer((onResult, onError) => void made.then(onResult, onError)))
  return new Proxy(made, {
    get(query, name): unknown {
      if (name === 'then') return (...on: Parameters<typeof made.then>) => answered().then(...on)
      if (name === 'catch') return (...on: Parameters<typeof made.catch>) => answered().catch(...on)
      if (name === 'finally') return (...on: Parameters<typeof made.finally>) => answered().finally(...on)
      const member: unknown = Reflect.get(query, name, query)
      return typeof member === 'function' ? member.bind(query) : member
    },
  })
}

/** The query with its answer mended. */
export function mended<Made>(made: Made): Made {
  return answeredBy(
    made,
    (send) => new Promise((resolve, reject) => send((result) => resolve(withoutHoles(result)), reject)),
  )
}

/**
 * The result, whose rows begin at its beginning. When a query fails after its first rows, the driver goes on counting from
 * there and leaves that many holes at the beginning of the next result on the connection.
 */
export function withoutHoles(result: unknown): unknown {
  fillHoles(result)
  return result
}

function fillHoles(result: unknown): void {
  if (!Array.isArray(result) || result.length === 0) return
  const rows: unknown[] = result
  let holes = 0
  while (holes < rows.length && !(holes in rows)) holes += 1
  if (holes > 0) rows.splice(0, holes)
  // Several statements in one query have a result each.
  if (Array.isArray(rows[0])) for (const each of rows) fillHoles(each)
}
