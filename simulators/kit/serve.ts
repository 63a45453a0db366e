// Servers that listen on this machine alone, and a simulator that runs on them.
import { createServer, type RequestListener, type Server as HttpServer } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { mustBeLocal } from './control.ts'
import { listenerOf, type Call, type Reply, type Route } from './http.ts'
import { controlProblem, Refusal } from './refusal.ts'

export const loopback = '127.0.0.1'

/** Resolves to the port; 0: any free one. */
export function listen(server: HttpServer | HttpsServer, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, loopback, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/** Cuts open connections. */
export function closed(server: HttpServer | HttpsServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

/** A server that listens; its `request` events have no listener yet. */
export async function openServer(
  port: number,
): Promise<{ readonly url: string; readonly server: HttpServer }> {
  const server = createServer({ keepAliveTimeout: 60_000 })
  return { server, url: `http://${loopback}:${await listen(server, port)}` }
}

type Stored = { kept(): Promise<void> | undefined; close(): Promise<void> }

/** The API at the address of control calls and pages: its paths begin so, and it refuses in its own way. */
export type ApiBeside = {
  readonly under: string
  failed(error: unknown): Reply
  missing(call: Call): Reply
}

/**
 * Answers control calls and pages, only for callers on this machine: by DNS rebinding a foreign site could otherwise read and use them.
 * `around`: may replace the work of a call, or spoil its answer.
 */
export function simulatorListener({
  routes,
  store,
  api,
  around = (_, work) => work(),
}: {
  readonly routes: readonly Route[]
  readonly store: Pick<Stored, 'kept'>
  readonly api?: ApiBeside
  readonly around?: (call: Call, work: () => Promise<Reply>, isApi: boolean) => Promise<Reply>
}): RequestListener {
  const apiOf = ({ path }: Call) => (api !== undefined && path.startsWith(api.under) ? api : undefined)
  return listenerOf({
    routes,
    around: async (call, work) => {
      const isApi = apiOf(call) !== undefined
      if (!isApi) mustBeLocal(call)
      return await around(call, work, isApi)
    },
    failed: (error, call) => {
      if (error instanceof Refusal) return error.reply
      return apiOf(call)?.failed(error) ?? controlProblem(500, 'internal', String(error)).reply
    },
    missing: (call) =>
      apiOf(call)?.missing(call) ??
      controlProblem(404, 'not_found', `No ${call.method} ${call.path} here`).reply,
    kept: () => store.kept(),
  })
}

/** A simulator that runs. */
export type Running = {
  readonly apiUrl: string
  /** Of control calls and the page. */
  readonly controlUrl: string
  readonly seed: number
  close(): Promise<void>
}

export function running(of: {
  readonly apiUrl: string
  /** Default: that of the API. */
  readonly controlUrl?: string
  readonly store: Stored & { readonly seed: number }
  readonly servers: readonly (HttpServer | HttpsServer)[]
  readonly stopAgenda: () => void
  readonly outbox: { stop(): Promise<void> }
}): Running {
  const { apiUrl, controlUrl = apiUrl, store, servers, stopAgenda, outbox } = of
  return {
    apiUrl,
    controlUrl,
    seed: store.seed,
    close: async () => {
      stopAgenda()
      await Promise.all([outbox.stop(), ...servers.map(closed)])
      await store.close()
    },
  }
}
