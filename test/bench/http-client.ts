// The connections of a load, written to directly. A general load generator needs as much processor time as the server itself, and would
// leave less of it for the database.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type HttpAnswer = { readonly status: number; readonly body: string }

/** One connection, one request at a time. */
export type HttpClient = { send(request: string): Promise<HttpAnswer>; close(): void }

export async function openClient(url: string): Promise<HttpClient> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  return clientOf(socket)
}

/** A POST of these fields as JSON; `headers` are whole lines. */
export function postOf(path: string, headers: readonly string[], fields: object): string {
  const body = JSON.stringify(fields)
  const head = [`POST ${path} HTTP/1.1`, ...headers, 'content-type: application/json']
  return `${head.join('\r\n')}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

function clientOf(socket: Socket): HttpClient {
  let received = ''
  let answered = Promise.withResolvers<HttpAnswer>()
  socket.setEncoding('latin1')
  socket.on('data', (text: string) => {
    received += text
    const bodyAt = received.indexOf('\r\n\r\n') + 4
    const length = /\r\ncontent-length: (\d+)/i.exec(received)?.[1]
    if (bodyAt < 4 || received.length < bodyAt + Number(length)) return
    const answer = { status: Number(received.slice(9, 12)), body: received.slice(bodyAt) }
    received = ''
    answered.resolve(answer)
  })
  socket.on('error', (error) => answered.reject(error))
  socket.on('close', () => answered.reject(new Error('the server closed a connection')))
  return {
    send(request) {
      answered = Promise.withResolvers<HttpAnswer>()
      socket.write(request)
      return answered.promise
    },
    close: () => socket.destroy(),
  }
}
