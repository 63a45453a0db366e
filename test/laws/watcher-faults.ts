// A node's client that fails as nodes do, call by call, and lets a test act between two calls of one poll.
import type { Hex } from 'viem'
import type { Rpc } from '#/evm/client.ts'
import type { Block, TxReceipt } from '#/evm/wire.ts'
import { ProviderError } from '#/kernel/error.ts'

export const faults = [
  'no block',
  'stale head',
  'timeout',
  'no receipts',
  'partial receipts',
  'partial logs',
  'no logs',
] as const
export type Fault = (typeof faults)[number]

export type Plan = {
  /** Each with the number, from 0, of the call that it strikes, among the calls of the poll that it can strike. */
  readonly faults: readonly (readonly [number, Fault])[]
  /** What happens right before the n-th call of the poll, whichever it is. */
  readonly before: ReadonlyMap<number, () => Promise<void>>
}

export type FaultyRpc = Rpc & {
  /** Begins a new poll with this plan. */
  plan(plan?: Partial<Plan>): void
  /** How many faults have struck so far. */
  readonly struck: () => number
}

export function faultyRpc(rpc: () => Rpc): FaultyRpc {
  let plan: Plan = { faults: [], before: new Map() }
  let calls = 0
  let struck = 0
  const callsOf = new Map<Fault, number>()
  const heads: Block[] = []
  // Real nodes still return blocks that left the chain when they are requested by hash. anvil forgets them.
  const blocks = new Map<Hex, Block>()
  const receiptsOf = new Map<Hex, readonly TxReceipt[]>()

  /** Runs what happens before the next call. Returns which of these faults the call has. */
  async function next(...possible: readonly Fault[]): Promise<Fault | undefined> {
    await plan.before.get(calls++)?.()
    const found = [...possible, 'timeout' as const].filter((fault) => {
      const number = callsOf.get(fault) ?? 0
      callsOf.set(fault, number + 1)
      return plan.faults.some(([at, planned]) => planned === fault && at === number)
    })
    if (found.length > 0) struck += 1
    if (found.includes('timeout')) throw new ProviderError('unknown', 'no answer')
    return found[0]
  }

  return {
    ...rpc(),
    plan(given = {}) {
      plan = { faults: given.faults ?? [], before: given.before ?? new Map() }
      calls = 0
      callsOf.clear()
    },
    struck: () => struck,
    async getBlockByNumber(at) {
      const fault = at === 'latest' ? await next('stale head') : await next('no block')
      if (fault === 'no block') return undefined
      if (fault === 'stale head' && heads.length > 0) return heads[0]
      const block = await rpc().getBlockByNumber(at)
      if (at === 'latest' && block !== undefined) heads.push(block)
      if (heads.length > 4) heads.shift()
      if (block !== undefined) blocks.set(block.hash, block)
      return block
    },
    async getBlockByHash(hash) {
      if ((await next('no block')) !== undefined) return undefined
      return (await rpc().getBlockByHash(hash)) ?? blocks.get(hash)
    },
    async getBlockReceipts(hash) {
      const fault = await next('no receipts', 'partial receipts', 'partial logs', 'no logs')
      const receipts = (await rpc().getBlockReceipts(hash)) ?? receiptsOf.get(hash)
      if (fault === 'no receipts') return undefined
      if (receipts !== undefined) receiptsOf.set(hash, receipts)
      if (fault === 'partial receipts') return receipts?.slice(0, -1)
      if (fault === 'no logs') return receipts?.map((receipt) => ({ ...receipt, logs: [] }))
      if (fault === 'partial logs') {
        return receipts?.map((receipt) => ({ ...receipt, logs: receipt.logs.slice(0, -1) }))
      }
      return receipts
    },
    async getLogs(filter) {
      const fault = await next('partial logs', 'no logs')
      const logs = await rpc()
        .getLogs(filter)
        .catch((error: unknown) => {
          const receipts = blocks.has(filter.blockHash) ? (receiptsOf.get(filter.blockHash) ?? []) : undefined
          if (receipts === undefined) throw error
          const [event] = filter.topics ?? []
          return receipts.flatMap((receipt) => receipt.logs).filter(({ topics }) => topics[0] === event)
        })
      if (fault === 'no logs') return []
      return fault === 'partial logs' ? logs.slice(0, -1) : logs
    },
  }
}
