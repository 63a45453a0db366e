// The holder of an exclusive role is stopped, killed or cut off in the middle of a transaction: another process takes over.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { Address } from '#/evm/address.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { monotonicMs, secondMs, systemClock } from '#/kernel/time.ts'
import * as cursors from '#/rails/crypto/cursor.ts'
import { runPasses } from '#/settlement/reconcile.ts'
import * as senders from '#/treasury/hot-wallet-lease.ts'
import { insertWallet } from '#/treasury/hot-wallet-queries.ts'
import { move, openBooks, posting } from '../books.ts'
import { count } from '../counts.ts'
import { eventually } from '../eventually.ts'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { startTcpProxy } from '../tcp-proxy.ts'
import type { HolderOptions } from './lease-holder.ts'
import { cursorDeps, holdings, passesOf, moved, senderDeps, type Holding } from './lease-world.ts'

const faults = ['SIGSTOP', 'SIGKILL', 'a cut connection'] as const
type Fault = (typeof faults)[number]

/** The holder's limits are longer by this: the database ends the transaction of a stopped one soon, but not of one that waits for its processor. */
const patience = 3
/** The longest lease of a role, and a margin. */
const withinMs = patience * 10 * secondMs
const isSoak = count({ quick: 0, soak: 1 }) === 1

let names = 0
const books = openForTests(openBooks)
const lane = makeForTests(() => books.openLane())

/** A chain, a wallet and a connection that no process holds. */
async function newPlace() {
  names += 1
  const wallet: Address = `0x${String(names).padStart(40, '0')}`
  const place = {
    chain: `chain${names}`,
    wallet,
    connection: `t1-${newId()}` as ConnectionId,
  }
  await books.owner`
    insert into chain (key, chain_id, factory, token, treasury)
    values (${place.chain}, ${100 + names}, ${Buffer.alloc(20, names)}, ${Buffer.alloc(20, 1)}, ${Buffer.alloc(20, 2)})`
  const purpose = { purpose: 'hot', nextNonce: 0n, at: systemClock.now() } as const
  await insertWallet(books.sql, { chain: place.chain, address: place.wallet }, purpose)
  return place
}

type Place = Awaited<ReturnType<typeof newPlace>>

/** The process that stands by: tries once to take over. Returns whether it now has the role. */
const takeOver: Readonly<Record<Holding, (sql: Sql, place: Place) => Promise<boolean>>> = {
  watcher: async (sql, { chain }) => (await cursors.acquireLease(cursorDeps(sql, chain))) !== undefined,
  sender: async (sql, { chain, wallet }) =>
    (await senders.beginSending(senderDeps(sql, chain, wallet))) !== undefined,
  lane: async () => (await lane.submit(move, { postings: [posting(...moved, 1n)] })).ok,
  reconciliation: async (sql, { connection }) => {
    const round = { ...passesOf(connection), settle: async () => 1 }
    return (await runPasses({ sql, log: silentLog }, round)) === 1
  },
}

async function takenOver(t: TestContext, what: Holding, fault: Fault): Promise<void> {
  const place = await newPlace()
  await using proxy = await startTcpProxy(books.appUrl)
  const env = { ...process.env, VINTEM_DATABASE_PATIENCE: String(patience) }
  const holder = fork(new URL('./lease-holder.ts', import.meta.url), { serialization: 'advanced', env })
  const gone = once(holder, 'exit')
  try {
    const tooEarly = gone.then(([code]) =>
      assert.fail(`the holder ended with ${code} before it was in the middle`),
    )
    const inTheMiddle = Promise.race([once(holder, 'message'), tooEarly])
    const end = fault === 'SIGSTOP' ? 'stops' : 'waits'
    holder.send({ url: proxy.url, what, ...place, end } satisfies HolderOptions)
    await inTheMiddle
    if (fault === 'SIGKILL') holder.kill('SIGKILL')
    if (fault === 'a cut connection') {
      proxy.greet('by closing')
      proxy.cutAll()
    }
    const startMs = monotonicMs()
    // An attempt that waited too long for a lock is repeated, as a worker does.
    await eventually(`another ${what} goes on`, () => takeOver[what](books.sql, place).catch(() => false))
    const tookMs = monotonicMs() - startMs
    t.diagnostic(`${what}, ${fault}: ${Math.round(tookMs)} ms`)
    if (isSoak) assert.ok(tookMs < withinMs, `${Math.round(tookMs)} ms`)
  } finally {
    holder.kill('SIGKILL')
    await gone
  }
}

/** The hardest fault for each holding, and all faults for one of them; in the soak all for each. */
function faultsOf(what: Holding): readonly Fault[] {
  return isSoak || what === 'watcher' ? faults : ['SIGSTOP']
}

test(
  'another process takes over although the holder is in the middle of a transaction',
  { concurrency: true },
  async (t) => {
    await Promise.all(
      holdings.map(async (what) => {
        // One after another: all lanes of these books want one head.
        for (const fault of faultsOf(what))
          await t.test(`a ${what}, ${fault}`, (each) => takenOver(each, what, fault))
      }),
    )
  },
)
