// A JSON-RPC server in front of a node: it can lie, be dead, and switch to another node at any moment.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRpc, type Rpc } from '#/evm/client.ts'
import type { Turns } from '#/rails/crypto/sandbox.ts'
import { keepMining } from '#/sandbox/chain-miner.ts'
import { startAnvil } from '../anvil.ts'

export type Call = { readonly method: string; readonly params: readonly unknown[] }

/** Changes the answers to one method alone. */
export function lie(method: string, change: (result: unknown, call: Call) => unknown): Alteration {
  return (call, result) => (call.method === method ? change(result, call) : result)
}

type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

/** The objects of a list. */
export function listed(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? (value as Fields[]) : []
}

type Alteration = (call: Call, result: unknown) => unknown

export type NodeInFront = AsyncDisposable & {
  readonly url: string
  /** Where the node behind it listens; undefined: connections are cut, as by a node that died. */
  behind: string | undefined
  /** Changes an answer on its way. */
  alter: Alteration | undefined
}

export async function startInFront(behind: string): Promise<NodeInFront> {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      pass(Buffer.concat(parts).toString('utf8')).then(
        (text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text),
        () => request.socket.destroy(),
      )
    })
  })

  async function pass(text: string): Promise<string> {
    if (front.behind === undefined) throw new Error('there is no node')
    const response = await fetch(front.behind, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: text,
    })
    const answer = (await response.json()) as { result?: unknown; error?: unknown }
    if (front.alter === undefined || answer.error !== undefined) return JSON.stringify(answer)
    return JSON.stringify({ ...answer, result: front.alter(JSON.parse(text) as Call, answer.result) })
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const front: NodeInFront = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behind,
    alter: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
  return front
}

/** The sandbox's chain as the product runs it: mined by us, and when the node is killed, a new, empty one replaces it. */
export type KeptChain = AsyncDisposable & {
  readonly rpc: Rpc
  readonly front: NodeInFront
  /** Runs work during which the chain's timer mines no block. */
  readonly whileStill: Turns
  /** Kills the node, as a power cut would. Another one is started at once. */
  kill(): Promise<void>
  /** Resolves when the new node listens. */
  back(): Promise<void>
  pause(): Promise<void>
  resume(): void
}

export async function keepChain(blockMs: number): Promise<KeptChain> {
  const start = () => startAnvil({ flags: ['--no-mining', '--hardfork', 'cancun', '--prune-history', '16'] })
  let node = await start()
  let returning = Promise.resolve()
  const front = await startInFront(node.url)
  const rpc = createRpc(front.url, { timeoutMs: 5_000 })
  let miner = keepMining(rpc, blockMs)
  return {
    rpc,
    front,
    whileStill: (work) => miner.whileStill(work),
    async kill() {
      await returning
      front.behind = undefined
      await node.kill()
      returning = start().then((next) => {
        node = next
        front.behind = next.url
      })
    },
    back: () => returning,
    pause: () => miner.stop(),
    resume: () => {
      miner = keepMining(rpc, blockMs)
    },
    async [Symbol.asyncDispose]() {
      await miner.stop()
      await returning
      rpc.close()
      await front[Symbol.asyncDispose]()
      await node.stop()
    },
  }
}
