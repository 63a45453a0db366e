// Random histories of a chain: their parts, how they are played, and what must be true of the books afterwards.
import assert from 'node:assert/strict'
import { pino } from 'pino'
import type { Hex } from 'viem'
import type { Address } from '#/evm/address.ts'
import { FencedOff } from '#/evm/fence.ts'
import { must } from '#/kernel/check.ts'
import { leaseMs, releaseLease, type Cursor } from '#/rails/crypto/cursor.ts'
import { begin, FinalityViolation, step, type WatcherDeps } from '#/rails/crypto/watch.ts'
import { fc } from '../chance.ts'
import {
  newPayer,
  transferCall,
  transferEventOf,
  type Payer,
  type SignedTx,
  type TestChain,
} from './watcher-chain.ts'
import { faults, faultyRpc, type Fault, type FaultyRpc } from './watcher-faults.ts'
import { compareWithChain, depthMax, finalNumber } from './watcher-oracle.ts'
import type { Payment, Scene, World } from './watcher-world.ts'

/** How many blocks leave, which of their transactions come back (a bit for each), and where. */
type Reorg = { readonly depth: number; readonly kept: number; readonly offsets: number }

type Poll = {
  readonly do: 'poll'
  readonly who: number
  /** Each with the number of the call that it strikes, among the calls of the poll that it can strike. */
  readonly faults: readonly (readonly [number, Fault])[]
  /** What the chain does meanwhile: it drops blocks, and mines more. */
  readonly reorg: { readonly beforeCall: number; readonly reorg: Reorg; readonly mine: number } | undefined
}

type Pay = {
  readonly do: 'pay'
  readonly way: (typeof ways)[number]
  readonly to: number
  readonly cents: number
  readonly dust: number
}

export type Happening =
  | Pay
  | Poll
  | { readonly do: 'mine'; readonly blocks: number }
  | { readonly do: 'poll together' }
  | { readonly do: 'reorg'; readonly reorg: Reorg }
  | { readonly do: 'send again'; readonly which: number }
  | { readonly do: 'crash'; readonly who: number }
  | { readonly do: 'lapse' }
  | { readonly do: 'drain'; readonly most: number }

const ways = ['wallet', 'contract', 'twice', 'two payments', 'nothing', 'fake token'] as const

/** How much happened over all histories of a law; a run in which little happens proves little. */
export type Tally = Record<'histories' | 'payments' | 'reorgs' | 'duringPolls' | 'faults' | 'credits', number>

export function newTally(): Tally {
  return { histories: 0, payments: 0, reorgs: 0, duringPolls: 0, faults: 0, credits: 0 }
}

/** Histories for a number of watchers, on a chain with a number of confirmations. */
export function histories(watchers: number, confirmations: number): fc.Arbitrary<readonly Happening[]> {
  const one = <Kind extends Happening['do']>(kind: Kind) => fc.constant(kind)
  const who = fc.nat(watchers - 1)
  const depth = fc.integer({ min: 1, max: depthMax(confirmations) })
  const reorg = fc.record({ depth, kept: fc.nat(255), offsets: fc.nat(9_999) })
  const fault = fc.tuple(fc.nat(4), fc.constantFrom(...faults))
  const duringPoll = fc.record({ beforeCall: fc.nat(8), reorg, mine: fc.nat(5) })
  const pay = fc.record({
    do: one('pay'),
    way: fc.constantFrom(...ways, 'wallet', 'wallet'),
    to: fc.nat(99),
    cents: fc.nat(5_000),
    dust: fc.constantFrom(0, 0, 1, 3, 5, 9),
  })
  const poll = fc.record({
    do: one('poll'),
    who,
    faults: fc.array(fault, { maxLength: 2 }),
    reorg: fc.option(duringPoll, { nil: undefined, freq: 3 }),
  })
  const alone: fc.WeightedArbitrary<Happening>[] = [
    { weight: 6, arbitrary: pay },
    { weight: 6, arbitrary: fc.record({ do: one('mine'), blocks: fc.integer({ min: 1, max: 3 }) }) },
    { weight: 8, arbitrary: poll },
    { weight: 3, arbitrary: fc.record({ do: one('reorg'), reorg }) },
    { weight: 2, arbitrary: fc.record({ do: one('send again'), which: fc.nat(99) }) },
    { weight: 1, arbitrary: fc.record({ do: one('crash'), who }) },
    { weight: 3, arbitrary: fc.record({ do: one('drain'), most: fc.integer({ min: 1, max: 4 }) }) },
  ]
  const together: fc.WeightedArbitrary<Happening>[] = [
    { weight: 8, arbitrary: fc.record({ do: one('poll together') }) },
    { weight: 3, arbitrary: fc.record({ do: one('lapse') }) },
  ]
  const happening = fc.oneof(...alone, ...(watchers > 1 ? together : []))
  return fc.array(happening, { minLength: 15, maxLength: 45, size: 'max' })
}

/** Plays a history, waits until the watchers rest, and compares the books with the chain. */
export async function play(
  world: World,
  history: readonly Happening[],
  options: { readonly watchers: number; readonly confirmations: number; readonly tally: Tally },
): Promise<void> {
  const stage = await openStage(world, history, options)
  for (const happening of history) await perform(stage, happening)
  await comeToRest(stage)
  options.tally.histories += 1
  options.tally.faults += stage.watchers.reduce((sum, { rpc }) => sum + rpc.struck(), 0)
  options.tally.credits += await compareWithChain(stage)
}

type Watching = {
  readonly rpc: FaultyRpc
  readonly deps: WatcherDeps
  cursor: Cursor | undefined
  /** Why the last poll that failed did. */
  error: unknown
}

export type Stage = {
  readonly world: World
  readonly chain: TestChain
  readonly scene: Scene
  readonly payments: readonly Payment[]
  readonly watchers: readonly Watching[]
  /** Payers that have not paid yet. */
  readonly payers: Payer[]
  /** What the watchers logged at level error. */
  readonly alarms: string[]
  /** All transactions that were ever sent, by hash. */
  readonly sent: Map<Hex, SignedTx>
  readonly firstBlock: bigint
  readonly tally: Tally
}

/** A scene with a started watcher, and payers with tokens in blocks that no later reorganisation reaches. */
export async function openStage(
  world: World,
  history: readonly Happening[],
  { watchers, confirmations, tally }: { watchers: number; confirmations: number; tally: Tally },
): Promise<Stage> {
  const chain = world.node()
  const scene = await world.newScene({ confirmationsMin: confirmations })
  const firstBlock = await chain.head()
  const alarms: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void alarms.push(line) })
  const opened = Array.from({ length: watchers }, (): Watching => {
    const rpc = faultyRpc(() => chain.rpc)
    return { rpc, deps: scene.watching(rpc, { log }), cursor: undefined, error: undefined }
  })
  const payments: Payment[] = []
  const payers = history.filter((happening) => happening.do === 'pay').map(newPayer)
  const stage = {
    world,
    chain,
    scene,
    payments,
    watchers: opened,
    payers,
    alarms,
    sent: new Map(),
    firstBlock,
    tally,
  }
  await poll(stage, 0)
  for (const minor of [1_000n, 2_500n, 1n, 4_000n]) payments.push(await scene.newPayment(minor))
  await chain.fund(payers.flatMap(({ address, contract }) => [address, contract]))
  await chain.mine(depthMax(confirmations) + 1)
  return stage
}

export async function perform(stage: Stage, happening: Happening): Promise<void> {
  const { world, chain, watchers } = stage
  switch (happening.do) {
    case 'pay':
      return send(stage, await paymentOf(stage, happening))
    case 'mine':
      return chain.mine(happening.blocks)
    case 'poll':
      return pollWith(stage, happening)
    case 'poll together':
      return void (await Promise.all(watchers.map((_, who) => poll(stage, who))))
    case 'reorg':
      return reorganise(stage, happening.reorg)
    case 'send again': {
      const lost = await lostTransactions(stage)
      const again = lost[happening.which % Math.max(lost.length, 1)]
      return again && void (await chain.send(again))
    }
    case 'crash':
      // The lease stays until it runs out.
      must(watchers[happening.who], 'a watcher').cursor = undefined
      return await world.clock.advance(leaseMs + 1)
    case 'lapse':
      return await world.clock.advance(leaseMs + 1)
    case 'drain':
      return void (await world.drain(happening.most))
  }
}

/** A transaction that pays in one of the existing ways. */
async function paymentOf(stage: Stage, { way, to, cents, dust }: Pay): Promise<SignedTx> {
  const payer = must(stage.payers.pop(), 'a payer for each payment')
  const { token } = stage.chain.contracts
  const at = (index: number) => must(stage.payments[index % stage.payments.length], 'a payment').address
  const value = BigInt(cents) * 10n ** 16n + BigInt(dust) * 10n ** 15n
  const transfer = (address: Address, amount: bigint) => ({
    call: token,
    data: transferCall(address, amount),
  })
  stage.tally.payments += 1
  switch (way) {
    case 'wallet':
      return payer.transfer(token, { to: at(to), value })
    case 'contract':
      return payer.contractMade([transfer(at(to), value)])
    case 'twice':
      return payer.contractMade([transfer(at(to), value), transfer(at(to), value + 1n)])
    case 'two payments':
      return payer.contractMade([transfer(at(to), value), transfer(at(to + 1), value)])
    case 'nothing':
      return payer.contractMade([transfer(at(to), 0n), transfer(at(to), value)])
    case 'fake token':
      return payer.contractMade([transferEventOf(payer.address, at(to), value)])
  }
}

async function send(stage: Stage, tx: SignedTx): Promise<void> {
  stage.sent.set(tx.hash, tx)
  await stage.chain.send(tx)
}

async function reorganise({ chain, sent, tally }: Stage, { depth, kept, offsets }: Reorg): Promise<void> {
  const head = await chain.head()
  const hashes: Hex[] = []
  for (let number = head - BigInt(depth) + 1n; number <= head; number++) {
    hashes.push(
      ...must(await chain.rpc.getBlockByNumber(number), 'a block').txHashes.filter((hash) => sent.has(hash)),
    )
  }
  const back = hashes
    .map((hash, index) => ({ raw: must(sent.get(hash), 'it was sent').raw, index }))
    .filter(({ index }) => (kept >> (index % 8)) % 2 === 1)
    .map(({ raw, index }) => ({ raw, offset: (offsets + index * 7) % depth }))
  await chain.reorg(depth, back)
  tally.reorgs += 1
}

async function lostTransactions({ chain, sent }: Stage): Promise<readonly SignedTx[]> {
  const all = [...sent.values()]
  const inChain = await Promise.all(all.map(({ hash }) => chain.rpc.call('eth_getTransactionByHash', [hash])))
  return all.filter((_, index) => inChain[index] === null)
}

async function pollWith(stage: Stage, { who, faults, reorg }: Poll): Promise<void> {
  const { rpc } = must(stage.watchers[who], 'a watcher')
  const { promise: started, resolve: begin } = Promise.withResolvers<void>()
  const during = () => {
    if (reorg === undefined) return started
    stage.tally.duringPolls += 1
    begin(reorganise(stage, reorg.reorg).then(() => stage.chain.mine(reorg.mine)))
    return started
  }
  rpc.plan({ faults, before: new Map(reorg === undefined ? [] : [[reorg.beforeCall, during]]) })
  await poll(stage, who)
  rpc.plan()
  // A failed poll does not wait for its other calls, and anvil breaks when two reorganisations overlap.
  begin()
  await started
}

/** One poll, as the watcher's own loop does it. A violation of finality is passed on; other errors mean no progress. */
export async function poll(stage: Stage, who: number): Promise<void> {
  const watcher = must(stage.watchers[who], 'a watcher')
  const { deps } = watcher
  try {
    watcher.cursor ??= await begin(deps)
    if (watcher.cursor !== undefined) watcher.cursor = await step(deps, watcher.cursor)
  } catch (error) {
    if (error instanceof FinalityViolation) throw error
    const { cursor } = watcher
    watcher.cursor = undefined
    watcher.error = error
    if (cursor !== undefined && !(error instanceof FencedOff)) await releaseLease(deps, cursor.fence)
  }
}

/** No more faults: the watchers poll until nothing is new. */
export async function comeToRest(stage: Stage): Promise<void> {
  const head = await stage.chain.rpc.getBlockByNumber('latest')
  const final = await finalNumber(stage)
  const isThere = ({ cursor }: Watching) => cursor?.tip.hash === head?.hash && cursor?.final.number === final
  for (let polls = 0; ; polls++) {
    assert.ok(
      polls < 100,
      `the watcher comes to rest: ${stage.watchers.map(({ error }) => String(error)).join()}`,
    )
    const { sql } = stage.world
    const [row] = await sql<{ fence: bigint }[]>`select fence from chain where key = ${stage.scene.chain.key}`
    if (stage.watchers.some((each) => each.cursor?.fence === row?.fence && isThere(each))) break
    await poll(stage, polls % stage.watchers.length)
    if (polls > 20) await stage.world.clock.advance(1_000)
  }
  await stage.world.drainAll()
}
