// Server-sent events (HTML, 9.2): a response that continues until its reader disconnects.
import type { OutgoingHttpHeader, ServerResponse } from 'node:http'

export type EventStream = {
  /** Sends one event; does nothing after the stream has ended or its reader has disconnected. `data` has no line breaks. */
  send(data: string, id?: string): void
  /** Sends a comment: keeps the connection open, and detects a reader that has disconnected. */
  ping(): void
  /** Whether the reader receives more slowly than events are sent: then the sender should wait. */
  isBehind(): boolean
  end(): void
  /** Calls `listener` once, when the stream has ended. */
  onEnd(listener: () => void): void
}

/** Browsers that lose the stream reconnect after this time. */
const retryMs = 2_000

/** Starts the response. `headers`: sent besides those of the stream. */
export function startEventStream(
  response: ServerResponse,
  headers: Readonly<Record<string, OutgoingHttpHeader | undefined>>,
): EventStream {
  const end = Promise.withResolvers<void>()
  // A write to a reader that has just disconnected must end this stream, not the process.
  const write = (text: string) => {
    if (response.writable && !response.writableEnded) response.write(text)
  }
  response.on('error', () => response.destroy())
  response.once('close', end.resolve)
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) response.setHeader(name, value)
  // Its connection ends with it: one that was kept would hold up a server that closes, until it was idle for more than a minute.
  response.shouldKeepAlive = false
  // A proxy that compresses the stream would delay events until a block is full (RFC 9111 §5.2.2.6).
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
