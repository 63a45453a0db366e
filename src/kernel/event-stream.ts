// Server-sent events (HTML, 9.2): an answer that goes on for as long as its reader stays.
import type { OutgoingHttpHeader, ServerResponse } from 'node:http'

export type EventStream = {
  /** One event; nothing once the stream has ended or its reader has gone. `data` has no line breaks. */
  send(data: string, id?: string): void
  /** A comment: keeps the connection open, and finds out who has gone. */
  ping(): void
  /** The reader takes less than it is sent: whoever tells of states waits until there is room again. */
  isBehind(): boolean
  end(): void
  /** Calls back once, when nothing can be sent any more. */
  onEnd(listener: () => void): void
}

/** Browsers that lose the stream come back after so long. */
const retryMs = 2_000

/** Begins the answer. `headers`: what is to be sent beside those of the stream. */
export function openEventStream(
  response: ServerResponse,
  headers: Readonly<Record<string, OutgoingHttpHeader | undefined>>,
): EventStream {
  const end = Promise.withResolvers<void>()
  // A write to a reader who has just gone must end this stream, and not the process.
  const write = (text: string) => {
    if (response.writable && !response.writableEnded) response.write(text)
  }
  response.on('error', () => response.destroy())
  response.once('close', end.resolve)
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) response.setHeader(name, value)
  // What compresses a stream on the way holds its events back until a block is full (RFC 9111 §5.2.2.6).
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  })
  write(`retry: ${retryMs}\n\n`)
  return {
    send: (data, id) => write(`${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`),
    ping: () => write(': here\n\n'),
    isBehind: () => response.writableNeedDrain,
    end() {
      response.end()
      end.resolve()
    },
    onEnd: (listener) => void end.promise.then(listener),
  }
}
