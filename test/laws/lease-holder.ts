// A process that holds an exclusive role, and stops in the middle of a transaction when it is asked to.
import { connect } from '#/db/client.ts'
import type { Address } from '#/evm/address.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { sleep } from '#/kernel/time.ts'
import { createLedgerLane } from '#/ledger/post.ts'
import * as cursors from '#/rails/crypto/cursor.ts'
import { moveTip } from '#/rails/crypto/watch-queries.ts'
import { runPasses } from '#/settlement/reconcile.ts'
import * as senders from '#/treasury/hot-wallet-lease.ts'
import { announce } from '#/webhooks/announce.ts'
import { auditKey, cell, move, posting } from '../books.ts'
import { cursorDeps, passesOf, moved, senderDeps, type Holding } from './lease-world.ts'

export type HolderOptions = {
  readonly url: string
  readonly what: Holding
  readonly chain: string
  readonly wallet: Address
  readonly connection: ConnectionId
  /** `stops`: it stops itself in its transaction. `waits`: the test ends it, once it has reported that it is there. */
  readonly end: 'stops' | 'waits'
}

/** In the middle of a transaction, with the locks that others want. */
async function inTheMiddle({ end }: HolderOptions): Promise<void> {
  process.send?.('in the middle')
  await sleep(20)
  if (end === 'stops') process.kill(process.pid, 'SIGSTOP')
  await sleep(60_000)
}

const hold: Readonly<Record<Holding, (options: HolderOptions) => Promise<unknown>>> = {
  async watcher(options) {
    const sql = connect(options.url, { max: 2 })
    const lease = await cursors.acquireLease(cursorDeps(sql, options.chain))
    if (lease === undefined) throw new Error('the chain is another’s')
    const tip = { number: 1n, hash: `0x${'11'.repeat(32)}` } as const
    return sql.begin(async (tx) => {
      await moveTip(tx, options.chain, { fence: lease.fence, tip, leaseMs: cursors.leaseMs })
      await inTheMiddle(options)
    })
  },
  async sender(options) {
    const deps = senderDeps(connect(options.url, { max: 2 }), options.chain, options.wallet)
    const held = await senders.beginSending(deps)
    if (held === undefined) throw new Error('the wallet is another’s')
    return senders.underFence(deps, held.fence, () => inTheMiddle(options))
  },
  async lane(options) {
    const openSql = () => connect(options.url, { max: 1 })
    const lane = await createLedgerLane({ openSql, cell, auditKey, announce, log: silentLog })
    return lane.submit(move, { postings: [posting(...moved, 1n)], during: () => inTheMiddle(options) })
  },
  reconciliation: (options) =>
    runPasses(
      { sql: connect(options.url, { max: 2 }), log: silentLog },
      { ...passesOf(options.connection), settle: () => inTheMiddle(options).then(() => 0) },
    ),
}

process.on('disconnect', () => process.exit(1))
process.once('message', (options: HolderOptions) => {
  hold[options.what](options).catch(() => process.exit(1))
})
