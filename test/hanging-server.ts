// A provider that hangs: it accepts every connection and every request, and never answers.
import { createServer, type AddressInfo, type Socket } from 'node:net'

export type HangingServer = AsyncDisposable & {
  readonly url: string
  /** Connections on which a caller waits now. */
  readonly waiting: number
  /** Ends all connections, as a restart would, and goes on hanging. */
  cutAll(): void
}

export async function startHangingServer(): Promise<HangingServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    socket.resume()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    get waiting() {
      return sockets.size
    },
    cutAll: () => sockets.forEach((socket) => socket.destroy()),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
