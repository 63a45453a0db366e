// Faults around the process that sends payouts: it dies at a chosen call to the database, the node or the signer, before or after the
// call took effect; answers are lost; the chain gets new blocks between two calls.
import type { Sql } from '#/db/client.ts'
import type { Rpc } from '#/evm/client.ts'
import { ProviderError } from '#/kernel/error.ts'
import type { HotWalletDeps } from '#/treasury/hot-wallet-lease.ts'

/** The process is dead. Everything it still tries fails. */
export class Crash extends Error {
  override name = 'Crash'
}

export type Fate = {
  /** The call at which the process dies, counted from 0 over all its calls. */
  crashAt?: number
  /** Whether that call takes effect before the process dies, its answer lost. */
  readonly late: boolean
  /** The fault that a call to the node meets. */
  readonly fault: () => 'none' | 'lost' | 'unsent' | 'absent'
  /** What happens on the chain right before a call. */
  readonly before: () => Promise<void>
}

export type Mortal = {
  readonly deps: HotWalletDeps
  readonly isDead: () => boolean
  readonly calls: () => number
}

/** The same surroundings for a process that may die. */
export function mortal(deps: HotWalletDeps, fate: Fate): Mortal {
  let calls = 0
  let isDead = false
  const die = () => {
    isDead = true
    throw new Crash('the process is gone')
  }

  async function live<T>(work: () => Promise<T>): Promise<T> {
    if (isDead) throw new Crash('the process is gone')
    const isLast = calls++ === fate.crashAt
    if (isLast && !fate.late) die()
    const result = await work()
    if (isLast) die()
    return result
  }

  /** A call to the node. An answer that is a list or a number is never absent: only receipts and blocks can be. */
  async function callNode<T>(work: () => Promise<T>, absent?: T): Promise<T> {
    await fate.before()
    const fault = fate.fault()
    if (fault === 'unsent') throw new ProviderError('unavailable', 'no connection')
    const result = await live(work)
    if (fault === 'lost') throw new ProviderError('unknown', 'no answer')
    return fault === 'absent' && absent !== undefined ? absent : result
  }

  const { rpc, signer } = deps
  const mortalRpc: Rpc = {
    ...rpc,
    call: (method, params) =>
      callNode(() => rpc.call(method, params), method === 'eth_getTransactionReceipt' ? null : undefined),
    getBlockByNumber: (at) => callNode(() => rpc.getBlockByNumber(at)),
    getBlockByHash: (hash) => callNode(() => rpc.getBlockByHash(hash)),
    getBlockReceipts: (hash) => callNode(() => rpc.getBlockReceipts(hash)),
    getTransactionReceipt: (hash) => callNode(() => rpc.getTransactionReceipt(hash)),
    ethCall: (to, data, block) => callNode(() => rpc.ethCall(to, data, block)),
    sendRawTransaction: (raw) => callNode(() => rpc.sendRawTransaction(raw)),
  }
  return {
    deps: {
      ...deps,
      sql: mortalSql(deps.sql, live),
      rpc: mortalRpc,
      signer: {
        sign: (request) => live(() => signer.sign(request)),
        status: () => live(() => signer.status()),
      },
    },
    isDead: () => isDead,
    calls: () => calls,
  }
}

/** Statements, and whole transactions: one that dies late was committed, but its caller never learns it. */
function mortalSql(sql: Sql, live: <T>(work: () => Promise<T>) => Promise<T>): Sql {
  return new Proxy(sql, {
    apply(target, self, args: [readonly string[], ...never[]]): unknown {
      // A fragment that only goes into a statement is not sent by itself.
      if (!/^\s*(?:select|insert|update|delete|with)\b/.test(args[0].join('?')))
        return Reflect.apply(target, self, args) as unknown
      return live(async () => (await Reflect.apply(target, self, args)) as unknown)
    },
    get(target, name): unknown {
      if (name !== 'begin') return Reflect.get(target, name)
      return (work: Parameters<Sql['begin']>[1]) =>
        live(() =>
          target.begin(async (tx) => {
            const result: unknown = await work(tx)
            // A transaction that dies here is rolled back.
            await live(async () => {})
            return result
          }),
        )
    },
  })
}
