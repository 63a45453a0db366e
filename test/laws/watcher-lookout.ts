// A watcher in its own loop, before a node that tests can make lie, forget and die.
import { pino } from 'pino'
import { createRpc, type Rpc } from '#/evm/client.ts'
import { must } from '#/kernel/check.ts'
import { createWatcher, type WatcherDeps } from '#/rails/crypto/watch.ts'
import { startInFront, type NodeInFront } from './watcher-node.ts'
import { cent, openTill, type Till } from './watcher-till.ts'
import type { Payment, Scene } from './watcher-world.ts'

export type LogLine = { readonly msg: string; readonly error?: string; readonly level: number }

export type Running = AsyncDisposable & { readonly lines: readonly LogLine[] }

export type Lookout = Till & {
  readonly front: NodeInFront
  /** The node's client, through the front. */
  readonly rpc: Rpc
  /** A watcher in its own loop, and its log. */
  run(scene: Scene, more?: Partial<WatcherDeps>): Running
  /** A scene with a payment of 10.00 whose transfer is final on the chain; no watcher has polled yet. */
  paidScene(): Promise<{ readonly scene: Scene; readonly payment: Payment }>
  /** What the payment has received, when all signals are settled. */
  received(scene: Scene, payment: Payment): Promise<number>
  cursorOf(scene: Scene): Promise<CursorRow>
}

type CursorRow = {
  readonly number: bigint
  readonly final: bigint
  readonly halted: string | null
  readonly fence: bigint
}

export async function openLookout(): Promise<Lookout> {
  const till = await openTill()
  const { chain, world } = till
  const front = await startInFront(chain.url)
  const rpc = createRpc(front.url, { timeoutMs: 20_000 })
  return {
    ...till,
    front,
    rpc,
    run(scene, more = {}) {
      const lines: LogLine[] = []
      const write = (line: string) => void lines.push(JSON.parse(line) as LogLine)
      const stop = new AbortController()
      const log = pino({ level: 'debug', base: null }, { write })
      const running = createWatcher(scene.watching(rpc, { log, ...more })).run(stop.signal)
      return {
        lines,
        async [Symbol.asyncDispose]() {
          stop.abort()
          await running
        },
      }
    },
    async paidScene() {
      const scene = await till.newScene()
      const payment = await scene.newPayment(1_000n)
      await till.pay(payment, 1_000n * cent)
      await chain.mine(3)
      return { scene, payment }
    },
    async received(scene, payment) {
      await world.drainAll()
      return Number((await scene.show(payment))['amountReceived'])
    },
    async cursorOf(scene) {
      const [row] = await world.sql<CursorRow[]>`
        select number, final_number as final, halted, fence from chain where key = ${scene.chain.key}`
      return must(row, 'a chain')
    },
    async [Symbol.asyncDispose]() {
      rpc.close()
      await front[Symbol.asyncDispose]()
      await till[Symbol.asyncDispose]()
    },
  }
}
