// A wrapper for every query of the driver. A query is a promise that the driver sends at the first `then`; until then it can be
// a part of another query. So callers get a proxy of the driver's object that replaces only `then`, `catch` and `finally`. They
// are not replaced on the promise itself: as soon as one promise has its own `then`, V8 gives up its fast path for `then`, and
// all promises of the process become slower.

/** Sends the query, and calls one of the callbacks when the driver settles it. */
export type Send = (onResult: (result: unknown) => void, onError: (error: unknown) => void) => void

/**
 * Returns the same query with another result: at the first `then`, `answer` is called to make the result, and it calls `send`
 * to send the query. A value that is no query, such as an identifier or a list of values, is returned unchanged.
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

/** Called for each statement outside of transactions. */
export type Attendance = {
  /** Called when the statement is sent. `cut` makes it fail without an answer. Returns a function that is called at its end. */
  readonly begin: (cut: (error: Error) => void) => () => void
  readonly failed: (error: unknown) => void
}

/** The query, with holes removed from its result. */
export function mended<Made>(made: Made, { begin, failed }: Attendance): Made {
  return answeredBy(made, (send) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const end = begin(reject)
    send(
      (result) => {
        end()
        resolve(withoutHoles(result))
      },
      (error) => {
        end()
        failed(error)
        reject(error)
      },
    )
    return promise
  })
}

/**
 * Removes holes from the start of a result. When a query fails after its first rows, the driver keeps its row count, and so
 * leaves that many holes at the start of the next result on the connection.
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
  // Each of several statements in one query has a result of its own.
  if (Array.isArray(rows[0])) for (const each of rows) fillHoles(each)
}
