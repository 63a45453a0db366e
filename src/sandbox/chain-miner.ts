// The clock of the sandbox's chain. Makes blocks at BSC's pace while something happens on the chain and for a while after.
// Otherwise it makes few, so that a sandbox that runs for weeks stays small. Without this process no blocks are made.
import type { Rpc } from '#/evm/client.ts'
import type { Block } from '#/evm/wire.ts'
import { monotonicMs, secondMs, sleep, systemClock } from '#/kernel/time.ts'
import { oneAtATime, type Turns } from '#/rails/crypto/sandbox.ts'

/** Blocks at full pace after the last activity: enough to make it final, with a wide margin. */
const awakeBlocks = 64
/** A block's time is cut to whole seconds; if it is older than this, the node's clock is late. */
const lateMs = secondMs + 200
/** At rest, one block in this many steps: at 0.45 s, one in 9 s. */
const restSteps = 20

export type Miner = {
  /** Runs work during which no block is made. If anvil 1.7.1 makes a block while it reverts others, a block below it is missing. */
  readonly whileStill: Turns
  stop(): Promise<void>
}

/** Makes blocks until it is stopped. A node that does not answer is called again at the next step. */
export function keepMining(rpc: Rpc, blockTimeMs: number): Miner {
  const stopping = new AbortController()
  const whileStill = oneAtATime()
  const running = mine(rpc, blockTimeMs, { inTurn: whileStill, stopping: stopping.signal })
  return {
    whileStill,
    stop() {
      stopping.abort()
      return running
    },
  }
}

type Keeping = { readonly inTurn: Turns; readonly stopping: AbortSignal }

async function mine(rpc: Rpc, blockTimeMs: number, { inTurn, stopping }: Keeping): Promise<void> {
  let last: Block | undefined
  let minedAt: Date | undefined
  let quietBlocks = 0
  for (let step = 1; !stopping.aborted; step++) {
    const startedAt = monotonicMs()
    try {
      const head = await rpc.getBlockByNumber('latest')
      if (head !== undefined && minedAt !== undefined) await keepTime(rpc, head, minedAt)
      minedAt = undefined
      if (await isAwake(rpc, head, last)) quietBlocks = 0
      last = head
      if (quietBlocks < awakeBlocks || step % restSteps === 0) {
        quietBlocks += 1
        minedAt = systemClock.now()
        await inTurn(() => rpc.call('evm_mine', []))
      }
    } catch {
      // The node is dead or being replaced; the process that keeps it alive reports that.
    }
    await sleep(Math.max(0, startedAt + blockTimeMs - monotonicMs()), stopping)
  }
}

/**
 * The node's clock starts with the time of its first block, and stays behind by the time that this block took: seconds on a busy
 * machine, enough to make late money look as if it came in time.
 */
async function keepTime(rpc: Rpc, head: Block, minedAt: Date): Promise<void> {
  const behindMs = minedAt.getTime() - Number(head.timestamp) * secondMs
  if (behindMs > lateMs) await rpc.call('evm_setTime', [systemClock.now().getTime()])
}

/** Whether there is activity: transactions, or blocks that we did not make. */
async function isAwake(rpc: Rpc, head: Block | undefined, last: Block | undefined): Promise<boolean> {
  if (head === undefined || last === undefined || head.txHashes.length > 0) return true
  const isOurs = head.hash === last.hash || head.parentHash === last.hash
  if (!isOurs) return true
  const { pending } = (await rpc.call('txpool_status', [])) as { readonly pending: string }
  return BigInt(pending) > 0n
}
